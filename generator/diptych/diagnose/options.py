"""What a caller may ask of a comparison; everything else is decided by what the files hold."""

from collections.abc import Mapping
from typing import Literal

from diptych.closed_names import Outcome
from diptych.estimates import NoiseFloor
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey

TierName = Literal["critical", "default", "informational"]
FAIL_ON = ("regression", "difference", "flip", "missing", "any")
"""What a check may fail on by itself."""

TIERS: tuple[TierName, ...] = ("critical", "default", "informational")


class Tier(NamedTuple):
    """The tasks of one tier by pattern (`*`, `?`, `[…]`), and by how much they may fall, as a share of the scale."""

    tasks: tuple[str, ...] = ()
    margin: float | None = None


class Policy(NamedTuple):
    """What may go out: tiers by name, what a missing benchmark does, and whether the suite is tested as one."""

    tiers: Mapping[TierName, Tier]
    missing: Outcome = "inconclusive"
    suite: bool = True


class Options(NamedTuple):
    """`samples` prompts a task are kept side by side, at most `flips` flips in all. Without `texts` flips are
    counted and none is kept: their texts are a third of the work on a small run, and a short report shows none.

    `margin` is the difference (in the metric's own unit) below which two scores count as the same. `primary` names
    a task's primary metric (task -> "metric" or "metric,filter"); `clusters` the document field whose items rise and
    fall together (task -> field). `noise` holds the noise floors of this configuration.
    `match_tasks` says which task of B stands for one of A under another name (A's -> B's).
    `fail_on`, `require`, `thresholds` and `policy` are gates. `title` is what the comparison is called.
    """

    samples: int = 1
    flips: int = 500
    texts: bool = True
    margin: float = 0.01
    primary: Mapping[str, str] = {}
    clusters: Mapping[str, str] = {}
    noise: Mapping[MetricKey, NoiseFloor] = {}
    match_tasks: Mapping[str, str] = {}
    fail_on: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    thresholds: tuple[str, ...] = ()
    policy: Policy | None = None
    title: str = ""
