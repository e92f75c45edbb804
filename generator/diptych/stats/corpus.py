"""Metrics of a whole set, recomputed from what each item keeps: counts an item, and a score of summed counts.

Because every metric here is a function of sums, a resample costs one row of sums and no second pass over texts.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from diptych.fast_named_tuple import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

Items = Sequence[Sequence[object]]


class Counts(NamedTuple):
    """One row of counts an item, and the score of (draws x columns) sums of such rows."""

    rows: "NDArray[Any]"
    score: "Callable[[NDArray[Any]], NDArray[Any]]"


def both_counts(aggregation: str, a: Items, b: Items) -> tuple[Counts, Counts] | None:
    """Return both sides' counts for a metric, or None where the items do not hold what it is made of."""
    if not all(len(item) == 2 for item in (*a, *b)):
        return None
    if aggregation in ("bleu", "chrf", "ter"):
        return _text_counts(aggregation, a, b)
    labels = _labels(a, b)
    if aggregation == "f1":
        # the harness asks for the F1 of the class 1 and nothing else
        return (_f1_binary(a), _f1_binary(b)) if set(labels) <= {"0", "1"} else None
    if aggregation in ("f1_macro", "f1_micro"):
        macro = aggregation == "f1_macro"
        return _f1_classes(a, labels, macro), _f1_classes(b, labels, macro)
    if aggregation == "mcc":
        return _mcc(a, labels), _mcc(b, labels)
    return None


def corpus_score(counts: Counts) -> float:
    """Return the score of the whole set."""
    return float(counts.score(counts.rows.sum(axis=0, keepdims=True))[0])


def class_label(value: object) -> str:
    """Return a class as text, the same for 1, 1.0, True and "1"."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _labels(*sides: Items) -> list[str]:
    return sorted({class_label(value) for items in sides for item in items for value in item})


def _quotient(above: "NDArray[Any]", below: "NDArray[Any]") -> "NDArray[Any]":
    """Return above / below, 0 where below is 0: what the metric's own definition says of an empty class."""
    import numpy

    quotient: NDArray[Any] = numpy.divide(above, below, out=numpy.zeros(below.shape), where=below != 0)
    return quotient


def _f1_binary(items: Items) -> Counts:
    import numpy

    pairs = [(class_label(gold) == "1", class_label(predicted) == "1") for gold, predicted in items]
    rows = numpy.array([(gold and found, found and not gold, gold and not found) for gold, found in pairs], dtype=float)
    return Counts(rows, lambda sums: _quotient(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2]))


def _f1_classes(items: Items, labels: Sequence[str], macro: bool) -> Counts:
    """Count hits, false alarms and misses of each class; a class that no item of a draw has is not averaged."""
    import numpy

    place, width = {name: at for at, name in enumerate(labels)}, len(labels)
    rows = numpy.zeros((len(items), 3 * width))
    for row, (gold, predicted) in zip(rows, items, strict=True):
        one, other = place[class_label(gold)], place[class_label(predicted)]
        if one == other:
            row[one] += 1
        else:
            row[width + other] += 1
            row[2 * width + one] += 1

    def score(sums: "NDArray[Any]") -> "NDArray[Any]":
        hits, alarms, misses = (sums[:, part * width : (part + 1) * width] for part in range(3))
        if not macro:
            return _quotient(2 * hits.sum(1), (2 * hits + alarms + misses).sum(1))
        present = hits + alarms + misses > 0
        return _quotient((_quotient(2 * hits, 2 * hits + alarms + misses) * present).sum(1), present.sum(1) * 1.0)

    return Counts(rows, score)


def _mcc(items: Items, labels: Sequence[str]) -> Counts:
    """Count hits, gold and predicted classes: Matthews' correlation for any number of classes (Gorodkin 2004)."""
    import numpy

    place, width = {name: at for at, name in enumerate(labels)}, len(labels)
    rows = numpy.zeros((len(items), 1 + 2 * width))
    for row, (gold, predicted) in zip(rows, items, strict=True):
        one, other = place[class_label(gold)], place[class_label(predicted)]
        row[0] += one == other
        row[1 + one] += 1
        row[1 + width + other] += 1

    def score(sums: "NDArray[Any]") -> "NDArray[Any]":
        hits, gold, predicted = sums[:, 0], sums[:, 1 : 1 + width], sums[:, 1 + width :]
        total = gold.sum(1)
        spread = (total**2 - (gold**2).sum(1)) * (total**2 - (predicted**2).sum(1))
        return _quotient(hits * total - (gold * predicted).sum(1), numpy.sqrt(spread))

    return Counts(rows, score)


def _text_counts(aggregation: str, a: Items, b: Items) -> tuple[Counts, Counts] | None:
    import numpy

    from diptych.stats import translation

    tables = {
        "bleu": (translation.bleu_counts, translation.bleu_score),
        "chrf": (translation.chrf_counts, translation.chrf_score),
        "ter": (translation.ter_counts, translation.ter_score),
    }
    count, score = tables[aggregation]
    sides = []
    for items in (a, b):
        rows = []
        for reference, predicted in items:
            references = translation.references_of(reference)
            if references is None or not isinstance(predicted, str):
                return None
            rows.append(count(predicted, references))
        sides.append(Counts(numpy.array(rows, dtype=float), score))
    return sides[0], sides[1]


def perplexity_columns(a: Items, b: Items) -> tuple[list[float], list[float], list[float], int] | None:
    """Return log-likelihoods of A and B, weights and left-out documents; None where weights differ between the sides.

    Weights are numbers of words or bytes of the same documents, so that a difference means other documents.
    """
    kept: list[tuple[float, float, float]] = []
    for one, other in zip(a, b, strict=True):
        numbers = [_number(value) for value in (*_weighted(one), *_weighted(other))]
        if any(value is None for value in numbers):
            continue
        log_a, weight_a, log_b, weight_b = (value for value in numbers if value is not None)
        if weight_a != weight_b or weight_a <= 0:
            return None
        kept.append((log_a, log_b, weight_a))
    if not kept:
        return None
    columns = tuple(list(column) for column in zip(*kept, strict=True))
    return columns[0], columns[1], columns[2], len(a) - len(kept)


def _weighted(item: Sequence[object]) -> tuple[object, object]:
    """Return (log-likelihood, weight) of what an item keeps; a bare log-likelihood weighs 1."""
    return (item[0], item[1]) if len(item) == 2 else (item[0] if len(item) == 1 else None, 1.0)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
