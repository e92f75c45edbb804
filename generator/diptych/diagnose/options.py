"""What a caller may ask of a comparison; everything else is decided by what the files hold."""

from collections.abc import Mapping
from typing import NamedTuple

from diptych.comparison import NoiseFloor
from diptych.keys import MetricKey


class Options(NamedTuple):
    """`samples` prompts a task are kept side by side, at most `flips` flips in all.

    `margin` is the difference (in the metric's own unit) below which two scores count as the same. `primary` names
    a task's primary metric (task -> "metric" or "metric,filter"); `clusters` the document field whose items rise and
    fall together (task -> field). `noise` holds the noise floors of this configuration.
    `match_tasks` says which task of B stands for one of A under another name (A's -> B's).
    `fail_on` and `thresholds` are gates. `title` is what the comparison is called.
    """

    samples: int = 1
    flips: int = 500
    margin: float = 0.01
    primary: Mapping[str, str] = {}
    clusters: Mapping[str, str] = {}
    noise: Mapping[MetricKey, NoiseFloor] = {}
    match_tasks: Mapping[str, str] = {}
    fail_on: tuple[str, ...] = ()
    thresholds: tuple[str, ...] = ()
    title: str = ""
