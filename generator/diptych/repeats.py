"""The noun of repeated runs: by how much one configuration differs from itself.

Field names are the artifact's names. It knows no file and no wording of numbers.
"""

from collections.abc import Mapping

from diptych.comparison import Finding, LeftOut, RunHeader
from diptych.estimates import NoiseFloor
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.provenance import Provenance


class Repeats(NamedTuple):
    """Repeated runs of one configuration: the scores of each metric, one a run, and its noise floor.

    `floor_basis` says why a floor is as wide as it is, `next_step` what to do next.
    """

    id: str
    title: str
    configuration: str
    runs: tuple[RunHeader, ...]
    scores: Mapping[MetricKey, tuple[float | None, ...]]
    floors: Mapping[MetricKey, NoiseFloor]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    provenance: Provenance
    floor_basis: str = ""
    next_step: str = ""
