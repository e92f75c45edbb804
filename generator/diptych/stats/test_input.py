"""What is known about two scores before a method is chosen: plain columns and numbers, nothing else."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from diptych.estimates import Estimate, NoiseFloor
from diptych.fast_named_tuple import NamedTuple

if TYPE_CHECKING:
    from diptych.stats.dependence import Tie


class Column(tuple[float, ...]):
    """A column of finite numbers that many estimates look at: what each of them asks of it is found once.

    It equals a plain tuple of the same numbers.
    """

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The least and the largest number."""
        return min(self), max(self)

    @cached_property
    def right(self) -> int | None:
        """How many are 1 where all are 0 or 1, else None."""
        return ones_of(self)

    @cached_property
    def bits(self) -> int:
        """The ones of a column of 0 and 1 as the bits of one number."""
        return int("".join("1" if value else "0" for value in self) or "0", 2)


ZERO_ONE = frozenset({0.0, 1.0})


def least_and_largest(column: Sequence[float]) -> tuple[float, float]:
    """Return the least and the largest number of a column."""
    return column.ends if isinstance(column, Column) else (min(column), max(column))


def right_of(column: Sequence[float]) -> int | None:
    """Return how many numbers of a column are 1 where all are 0 or 1, else None."""
    return column.right if isinstance(column, Column) else ones_of(column)


def ones_of(column: Sequence[float]) -> int | None:
    """Return how many numbers are 1 where all are 0 or 1, else None; most columns of others show it at once."""
    return int(sum(column)) if {*column[:1]} <= ZERO_ONE and {*column} <= ZERO_ONE else None


RATIOS: Mapping[str, str] = {
    "weighted_perplexity": "perplexity",
    "word_perplexity": "perplexity",
    "byte_perplexity": "perplexity",
    "perplexity": "perplexity",
    "bits_per_byte": "bits",
}
"""Aggregations that divide two sums, by the scale of what comes out."""

CORPUS = ("f1", "f1_macro", "f1_micro", "mcc", "bleu", "chrf", "ter")
"""Aggregations over all items at once that can be recomputed from what the items keep."""

ALIASES: Mapping[str, str] = {"nanmean": "mean", "matthews_corrcoef": "mcc"}
"""Other names that the harness has for the same aggregation."""

SCALES: Mapping[str, float] = {"bleu": 100.0, "chrf": 100.0, "ter": 100.0}
"""The full scale of a metric where it is not 1: a margin of one point is this much of a hundredth."""

POWER = 0.80


class SharePart(NamedTuple):
    """A subtask whose scores are shares of right answers: its weight in its group, and both sides' counts."""

    weight: float
    right_a: int
    n_a: int
    right_b: int
    n_b: int


class TestInput(NamedTuple):
    """Two scores and what stands behind them. A column is one number an item; None in it is "not scored".

    `a`, `b` are the columns over the shared items, in one order; `own_a`, `own_b` those of each side where the items
    differ. `clusters` and `strata` name groups of the shared items by equal numbers,
    `tie` is the field that clusters were found by; `weighting` of strata is "items"
    or "equal". `aggregation` is how the metric makes one score of its items: "mean", a key of RATIOS, one of CORPUS,
    or anything else ("median", "other"), which is not recomputed. `a_lists`, `b_lists` hold what a corpus metric keeps
    an item: (reference, prediction), (gold, predicted) or (log-likelihood, weight). `binary` says whether scores are
    means of zeros and ones where no column can show it (None: the numbers tell); `bounded` that they lie in 0..1;
    `reach` by how much one item's score can differ at most (None: not known, or without bound).
    `same_items` None: not known. `margin` is in units of a scale of 1 and grows
    with `scale`, the metric's full scale (None: that of its aggregation). `key` is
    "task|metric|filter", for the seed. `parts` are the subtasks of a group where all of them are shares and no items
    are known. `no_pairs` says in a few words why there are no pairs ("no samples in B");
    `shared_of` is the larger side's items where only some are shared.
    """

    a: Sequence[float | None] | None = None
    b: Sequence[float | None] | None = None
    clusters: Sequence[int] | None = None
    tie: "Tie | None" = None
    strata: Sequence[int] | None = None
    weighting: str = "items"
    aggregation: str = "mean"
    a_lists: Sequence[Sequence[object]] | None = None
    b_lists: Sequence[Sequence[object]] | None = None
    own_a: Sequence[float | None] | None = None
    own_b: Sequence[float | None] | None = None
    own_clusters_a: Sequence[int] | None = None
    own_clusters_b: Sequence[int] | None = None
    score_a: float | None = None
    score_b: float | None = None
    stderr_a: float | None = None
    stderr_b: float | None = None
    n_a: int | None = None
    n_b: int | None = None
    same_items: bool | None = None
    binary: bool | None = None
    bounded: bool = False
    reach: float | None = None
    margin: float = 0.01
    scale: float | None = None
    confidence: float = 0.95
    key: str = ""
    noise: NoiseFloor | None = None
    no_pairs: str = ""
    shared_of: int | None = None
    parts: Sequence[SharePart] = ()

    @property
    def alpha(self) -> float:
        """The two-sided level of a test."""
        return round(1.0 - self.confidence, 12)

    @property
    def equivalence_level(self) -> float:
        """The level of the interval that must lie inside the margin: 0.90 for tests at 0.05."""
        return round(1.0 - 2.0 * self.alpha, 12)

    @property
    def scaled_margin(self) -> float:
        """The margin in the metric's own unit."""
        return self.margin * (SCALES.get(self.aggregation, 1.0) if self.scale is None else self.scale)


def named_estimate(name: str, given: TestInput, difference: float | None) -> Estimate:
    """Return an estimate by the named method of the catalogue with what every estimate carries."""
    return Estimate(
        method=name,
        confidence=given.confidence,
        difference=difference,
        margin=given.scaled_margin,
        parameters={
            "alpha": given.alpha,
            "equivalence_level": given.equivalence_level,
            "power": POWER,
            "unit": "item",
        },
    )
