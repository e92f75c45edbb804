"""What is known of a metric by its name: one row a metric, and every rule about metrics reads it here.

A score's file may say more (its direction, how it is aggregated): the file is asked first. A name that stands nowhere
here is a mean of its items, in a unit of its own, whose direction only the file can tell.
"""

from collections.abc import Iterable
from typing import Literal

from diptych.fast_named_tuple import NamedTuple

Unit = Literal["fraction", "percent", "perplexity", "bits", "nats", "error", ""]
"""What a difference of one means; "" is the metric's own."""


class Metric(NamedTuple):
    """One metric. `low`, `high` bound what one item (of a corpus metric: the whole score) can be, None: unbounded.

    `aggregation` is how one score is made of the items. `binary`: an item is right or wrong. `per_token`: it counts in
    the model's own tokens. `primary` is its place among the metrics that a task is judged by (the least first; None:
    only where a task has no other).
    """

    name: str
    unit: Unit
    higher_is_better: bool | None
    low: float | None
    high: float | None
    aggregation: str = "mean"
    binary: bool = False
    per_token: bool = False
    primary: int | None = None


def share_metric(name: str, primary: int | None = None, *, binary: bool = False, aggregation: str = "mean") -> Metric:
    """Return a metric that is a share of 1 (some tasks state it from 0 to 100), of which more is better."""
    return Metric(name, "fraction", True, 0.0, 1.0, aggregation, binary, primary=primary)


METRICS: tuple[Metric, ...] = (
    share_metric("acc_norm", 1, binary=True),
    share_metric("acc", 2, binary=True),
    share_metric("exact_match", 3, binary=True),
    share_metric("accuracy", 4),
    share_metric("pass@1", 5),
    share_metric("f1", 6, aggregation="f1"),
    share_metric("rouge1", 7),
    Metric("bleu", "percent", True, 0.0, 100.0, "bleu", primary=8),
    Metric("word_perplexity", "perplexity", False, None, None, "weighted_perplexity", primary=9),
    Metric("perplexity", "perplexity", False, None, None, "perplexity", primary=10),  # one log-likelihood an item
    share_metric("em", binary=True),
    share_metric("acc_all", binary=True),
    share_metric("acc_mutual_info", binary=True),
    share_metric("acc_bytes", binary=True),
    share_metric("mc1", binary=True),
    share_metric("mc2"),
    share_metric("rouge2"),
    share_metric("rougeL"),
    share_metric("rougeLsum"),
    share_metric("prompt_level_strict_acc", binary=True),
    share_metric("inst_level_strict_acc"),
    share_metric("prompt_level_loose_acc", binary=True),
    share_metric("inst_level_loose_acc"),
    Metric("mcc", "fraction", True, -1.0, 1.0, "mcc"),
    Metric("chrf", "percent", True, 0.0, 100.0, "chrf"),
    Metric("ter", "percent", False, 0.0, None, "ter"),
    Metric("byte_perplexity", "perplexity", False, None, None, "weighted_perplexity"),
    Metric("token_perplexity", "perplexity", False, None, None, "perplexity", per_token=True),
    Metric("perplexity_per_token", "perplexity", False, None, None, "perplexity", per_token=True),
    Metric("ppl", "perplexity", False, None, None, "perplexity", per_token=True),
    Metric("bits_per_byte", "bits", False, None, None, "bits_per_byte"),
    Metric("bits_per_token", "bits", False, None, None, "bits_per_byte", per_token=True),
    Metric("loglikelihood", "nats", True, None, 0.0),
    Metric("brier_score", "error", False, 0.0, 2.0),
)

BY_NAME = {metric.name: metric for metric in METRICS}
LAST = max(metric.primary or 0 for metric in METRICS) + 1


def metric_of(name: str) -> Metric:
    """Return what is known of a metric; of an unknown one, that nothing is."""
    return BY_NAME.get(name) or Metric(name, "", None, None, None)


def agreed_direction(name: str, said: Iterable[bool | None]) -> bool | None:
    """Return whether more is better: as all files say that say it, else as the metric is known; None where they differ.

    Every rule about better and worse, right and wrong, takes it from here.
    """
    told = {each for each in said if each is not None}
    return told.pop() if len(told) == 1 else None if told else metric_of(name).higher_is_better


def at_floor(name: str, a: float | None, b: float | None) -> bool:
    """Say whether both scores are the least that a metric can be (no item is right): they tell nothing apart."""
    if a != 0 or b != 0:
        return False  # what most scores are
    known = metric_of(name)
    return known.higher_is_better is True and known.low == 0


def unit_of(name: str, values: Iterable[float | None]) -> Unit:
    """Return the unit that these scores of a metric are in: a share above 1 is stated from 0 to 100.

    A metric of another name whose scores all lie in 0..1 counts as a share, one whose scores all lie in 0..100 as
    stated from 0 to 100, unless a scale of ten holds them.
    """
    known = [value for value in values if value is not None]
    unit = metric_of(name).unit
    if unit == "fraction":
        return "percent" if any(abs(value) > 1 for value in known) else "fraction"
    if unit or not known or min(known) < 0 or max(known) > 100:
        return unit
    return "fraction" if max(known) <= 1 else "percent" if max(known) > 10 else unit


def unit_scale(unit: Unit) -> float:
    """Return how large a unit's "one" is beside a share's: a margin of a hundredth is 1 on 0..100."""
    return 100.0 if unit == "percent" else 1.0


def most_difference(name: str, unit: Unit) -> float | None:
    """Return by how much one item's score can differ at most between two runs; None where it has no bound."""
    known = metric_of(name)
    if known.low is None or known.high is None:
        return None
    return (known.high - known.low) * (100.0 if known.unit == "fraction" and unit == "percent" else 1.0)


def is_binary_metric(name: str) -> bool:
    """Say whether an item of a metric is right or wrong."""
    return metric_of(name).binary


def scores_by_rule(name: str) -> bool:
    """Say whether a metric is known to score one response always alike: no judge and no run of its code decides it."""
    return name in BY_NAME and not name.startswith("pass@")


def reads_whole_text(name: str) -> bool:
    """Say whether a metric holds a response as a whole against the target, with every word that stands around it."""
    return name in ("exact_match", "em", "f1", "ter", "meteor") or name.startswith(
        ("bleu", "sacrebleu", "chrf", "rouge")
    )


FILTERS = ("none", "strict-match", "get-answer", "remove_whitespace", "flexible-extract")
"""Filters that tasks name, the one that asks most of an answer's form first: of two that extract it leads."""


def filter_place(name: str) -> tuple[int, str]:
    """Return a filter's place among those of one metric; those that are not known come last, by their names."""
    return (FILTERS.index(name) if name in FILTERS else len(FILTERS), name)


def primary_place(name: str) -> int:
    """Return a metric's place among those that a task is judged by; all others share the last."""
    place = metric_of(name).primary
    return LAST if place is None else place
