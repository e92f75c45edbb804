"""The results of a bench as a table by mechanism, and its totals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from truth.judge import Judgement


class Result(NamedTuple):
    """One situation judged: its label, its mechanisms, the verdict's first sentence and what is wrong with it."""

    label: str
    mechanisms: tuple[str, ...]
    logged: bool
    decidable: bool
    sentence: str
    judgement: Judgement
    contradictions: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.judgement.right and not self.contradictions


HEADS = ("n", "right", "cause", "one of", "so said", "kind", "false proof", "missed", "false clause", "contra")


class Line(NamedTuple):
    """The counts of one row."""

    name: str
    counts: tuple[int, ...]


def line(name: str, results: Sequence[Result]) -> Line:
    """Return the counts of some results."""
    open_ones = [result for result in results if not result.decidable]
    judged = [result.judgement for result in results]
    return Line(
        name,
        (
            len(results),
            sum(result.right for result in results),
            sum(each.lead for each in judged),
            len(open_ones),
            sum(result.judgement.together for result in open_ones),
            sum(each.kind and each.models for each in judged),
            sum(each.false_proof for each in judged),
            sum(each.missed_proof for each in judged),
            sum(bool(each.false_clauses) for each in judged),
            sum(bool(result.contradictions) for result in results),
        ),
    )


def table(results: Sequence[Result]) -> str:
    """Return the table: a row a mechanism (of its situations as the first or only cause), then totals."""
    first: dict[str, list[Result]] = {}
    for result in results:
        first.setdefault(result.mechanisms[0], []).append(result)
    rows = [line(name, first[name]) for name in sorted(first)]
    one = [result for result in results if len(result.mechanisms) == 1]
    totals = [
        line("one cause", one),
        line("two or three causes", [result for result in results if len(result.mechanisms) > 1]),
        line("with samples", [result for result in results if result.logged]),
        line("without samples", [result for result in results if not result.logged]),
        line("one of is right", [result for result in results if not result.decidable]),
        line("all", results),
    ]
    width = max(len(row.name) for row in (*rows, *totals))
    head = f"{'mechanism':{width}}  " + "  ".join(HEADS)
    rule = "-" * len(head)
    return "\n".join(
        [head, rule, *(row_text(row, width) for row in rows), rule, *(row_text(row, width) for row in totals)]
    )


def row_text(row: Line, width: int) -> str:
    """Return one row, its counts under their heads."""
    cells = (f"{count:{len(head)}d}" for count, head in zip(row.counts, HEADS, strict=True))
    return f"{row.name:{width}}  " + "  ".join(cells)


def common_faults(results: Iterable[Result], most: int = 25) -> list[str]:
    """Return the commonest faults with how often each was found."""
    faults = Counter(fault for result in results for fault in (*result.judgement.faults, *result.contradictions))
    return [f"{count:5d}  {fault}" for fault, count in faults.most_common(most)]


def share_right(results: Sequence[Result]) -> float:
    """Return the share of situations in which nothing is wrong."""
    return sum(result.right for result in results) / max(1, len(results))
