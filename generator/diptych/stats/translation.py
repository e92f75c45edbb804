"""BLEU, chrF and TER as counts of one segment and a score of summed counts, by the definitions that sacreBLEU fixed."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLEU_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2.0

# the tokens of NIST's mteval-v13a, which is what the number called BLEU means without further words
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
STEPS_13A = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def references_of(value: object) -> list[str] | None:
    """Return the reference texts of one segment, or None where there are none."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple) and value and all(isinstance(text, str) for text in value):
        return [str(text) for text in value]
    return None


def tokens_13a(text: str) -> list[str]:
    """Return a segment's tokens by mteval-v13a, BLEU's usual tokeniser."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    text = f" {text} "
    for pattern, spaced in STEPS_13A:
        text = pattern.sub(spaced, text)
    return text.split()


def _grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def bleu_counts(predicted: str, references: Sequence[str]) -> list[int]:
    """Return matched and possible n-grams for n = 1..4, the length, and the length of the nearest reference."""
    tokens, others = tokens_13a(predicted), [tokens_13a(reference) for reference in references]
    matched, possible = [], []
    for order in range(1, BLEU_ORDER + 1):
        grams = _grams(tokens, order)
        most: Counter[tuple[str, ...]] = Counter()
        for other in others:
            most |= _grams(other, order)
        matched.append((grams & most).total())
        possible.append(grams.total())
    nearest = min((abs(len(other) - len(tokens)), len(other)) for other in others)[1]
    return [*matched, *possible, len(tokens), nearest]


def bleu_score(sums: "NDArray[Any]") -> "NDArray[Any]":
    """Return corpus BLEU on 0..100 with exponential smoothing of orders without a match (Papineni et al. 2002)."""
    import numpy

    matched, possible = sums[:, :BLEU_ORDER], sums[:, BLEU_ORDER : 2 * BLEU_ORDER]
    length, nearest = sums[:, -2], sums[:, -1]
    halvings = numpy.cumsum(matched == 0, axis=1)
    smoothed = numpy.where(matched > 0, matched, 0.5**halvings)
    usable = (possible > 0).all(axis=1) & matched.any(axis=1)
    logs = numpy.log(smoothed / numpy.where(possible > 0, possible, 1.0)).mean(axis=1)
    brevity = numpy.where(length < nearest, 1.0 - nearest / numpy.where(length > 0, length, 1.0), 0.0)
    return numpy.where(usable, 100.0 * numpy.exp(logs + brevity), 0.0)


def _characters(text: str) -> list[Counter[str]]:
    squeezed = "".join(text.split())
    return [
        Counter(squeezed[at : at + order] for at in range(len(squeezed) - order + 1))
        for order in range(1, CHRF_ORDER + 1)
    ]


def chrf_counts(predicted: str, references: Sequence[str]) -> list[int]:
    """Return predicted, reference and matched character n-grams for n = 1..6, against the best reference."""
    import numpy

    grams, best, best_score = _characters(predicted), None, -1.0
    for reference in references:
        row: list[int] = []
        for mine, theirs in zip(grams, _characters(reference), strict=True):
            # an order that the reference is too short for counts on neither side
            row += [mine.total() if theirs else 0, theirs.total(), (mine & theirs).total()]
        score = float(chrf_score(numpy.array([row], dtype=float))[0])
        if best is None or score > best_score:
            best, best_score = row, score
    return best or []


def chrf_score(sums: "NDArray[Any]") -> "NDArray[Any]":
    """Return corpus chrF2 on 0..100: averaged precision and recall of the orders that occur (Popović 2015)."""
    import numpy

    predicted, reference, matched = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    present = (predicted > 0) & (reference > 0)
    orders = numpy.maximum(present.sum(axis=1), 1)
    precision = (present * matched / numpy.where(present, predicted, 1.0)).sum(axis=1) / orders
    recall = (present * matched / numpy.where(present, reference, 1.0)).sum(axis=1) / orders
    weight = CHRF_BETA**2
    below = weight * precision + recall
    return numpy.where(below > 0, 100.0 * (1 + weight) * precision * recall / numpy.where(below > 0, below, 1.0), 0.0)


def ter_counts(predicted: str, references: Sequence[str]) -> list[float]:
    """Return the fewest edits to any reference and the mean reference length."""
    from diptych.stats.edit_distance import fewest_edits

    tokens, others = _plain_tokens(predicted), [_plain_tokens(reference) for reference in references]
    return [float(min(fewest_edits(tokens, other) for other in others)), sum(map(len, others)) / len(others)]


def _plain_tokens(text: str) -> list[str]:
    """Return lower-cased words between white space: TER's default."""
    return text.rstrip().lower().split()


def ter_score(sums: "NDArray[Any]") -> "NDArray[Any]":
    """Return corpus TER on 0..100 and beyond: edits a reference word; lower is better (Snover et al. 2006)."""
    import numpy

    edits, length = sums[:, 0], sums[:, 1]
    return numpy.where(
        length > 0, 100.0 * edits / numpy.where(length > 0, length, 1.0), numpy.where(edits > 0, 100.0, 0.0)
    )
