"""The choices of a changed item as a table: what each side made of each, which is right, which were picked."""

from collections.abc import Callable, Mapping, Sequence

from diptych import numbers
from diptych.bounded_json import whole_number
from diptych.comparison import Flip, FlipSide
from diptych.fast_named_tuple import NamedTuple
from diptych.report.alignment import align_decimals
from diptych.report.blocks import Code, Column, Line, Row, Table
from diptych.report.writers.harmless import shorten

GOLD, PICKED = "★", "●"

LENGTHS: Mapping[str, Callable[[str], int]] = {
    "acc_norm": len,
    "acc_bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
}
"""The metrics that divide a choice's log-likelihood by its length, and how they count it."""


class Choice(NamedTuple):
    """One choice: its log-likelihoods (`a`, `b`), the same divided by its length, and whose pick it is."""

    text: str
    a: float | None
    b: float | None
    normalised_a: float | None
    normalised_b: float | None
    gold: bool
    picked_a: bool
    picked_b: bool


def listed_choices(flip: Flip) -> tuple[Choice, ...]:
    """Return the choices of an item in the baseline's order, those that one side alone has last."""
    sides = [side or FlipSide(None, None, None, None) for side in (flip.a, flip.b)]
    scores = [dict(zip(side.choices, side.loglikelihoods, strict=False)) for side in sides]
    texts = tuple(dict.fromkeys((*sides[0].choices, *sides[1].choices)))
    picks = [picked_choice(side, flip.metric) for side in sides]
    return tuple(
        Choice(
            text,
            scores[0].get(text),
            scores[1].get(text),
            normalised(scores[0].get(text), text, flip.metric),
            normalised(scores[1].get(text), text, flip.metric),
            flip.target is not None and flip.target == text,
            picks[0] == text,
            picks[1] == text,
        )
        for text in texts
    )


def normalised(value: float | None, text: str, metric: str) -> float | None:
    """Return a log-likelihood divided by its choice's length, where the metric does so."""
    length = LENGTHS[metric](text) if metric in LENGTHS else 0
    return value / length if value is not None and length else None


def picked_choice(side: FlipSide, metric: str) -> str | None:
    """Return the choice that a side picked under a metric; the logged one where no log-likelihood says it."""
    found = [
        (normalised(value, text, metric) if metric in LENGTHS else value, text)
        for text, value in zip(side.choices, side.loglikelihoods, strict=False)
    ]
    known = [(value, text) for value, text in found if value is not None]
    if known:
        largest = max(value for value, _ in known)
        return next(text for value, text in known if value == largest)
    return choice_text(side.filtered, side.choices) if side.filtered is not None and side.choices else None


def side_answer(side: FlipSide, metric: str) -> str | None:
    """Return what a side answered: the choice that it picked, else what the filter kept of the response."""
    return picked_choice(side, metric) if side.choices else side.filtered


def choice_text(text: str, choices: Sequence[str]) -> str:
    """Return a filtered response; of a choice that is logged by its number, the choice itself."""
    place = whole_number(text)
    if text not in choices and place is not None and place < len(choices):
        return choices[place]
    return text


def choice_table(flip: Flip, labels: tuple[str, str]) -> Table:
    """Return an item's choices: log-likelihoods and their change, gold ★, picked ●, normalised where the metric is.

    Where a phone has no room for all, the change gives way: both sides stand there.
    """
    by_length = flip.metric in LENGTHS
    columns = [
        Column(f"Choice ({GOLD} gold)", short="Choice"),
        *(Column(f"loglik {label}", right=True, short=label) for label in labels),
    ]
    columns.append(Column("Δ", right=True, leaves=2 if by_length else 0))
    if by_length:
        unit = "byte" if flip.metric == "acc_bytes" else "char"
        columns += [Column(f"per {unit} {label}", right=True, leaves=1, short=f"/{unit}") for label in labels]
    columns.append(Column("Picked by"))
    return Table(tuple(columns), tuple(choice_row(row, labels, by_length) for row in listed_choices(flip)), "choices")


def choice_row(row: Choice, labels: tuple[str, str], by_length: bool) -> Row:
    moved = row.b - row.a if row.a is not None and row.b is not None else None
    cells: list[Line] = [(Code(shorten(row.text, 200)), f"{numbers.NO_BREAK}{GOLD}" if row.gold else "")]
    cells += [(numbers.loglikelihood(value),) for value in (row.a, row.b)]
    cells.append((numbers.NOT_AVAILABLE if moved is None else numbers.signed(moved, 2),))
    if by_length:
        cells += [(numbers.loglikelihood(value),) for value in (row.normalised_a, row.normalised_b)]
    return Row((*cells, (picked_words(row, labels),)))


def picked_words(row: Choice, labels: tuple[str, str]) -> str:
    """Return who picked a choice."""
    if row.picked_a and row.picked_b:
        return f"{PICKED} both"
    return f"{PICKED} {labels[0] if row.picked_a else labels[1]}" if row.picked_a or row.picked_b else ""


def choice_lines(flip: Flip) -> tuple[str, str]:
    """Return each side's choices as lines of text: its pick, the log-likelihood, the choice, and which is right."""
    rows = listed_choices(flip)
    sides = ([(row.picked_a, row.a) for row in rows], [(row.picked_b, row.b) for row in rows])
    texts = []
    for side in sides:
        values = align_decimals([numbers.loglikelihood(value) for _, value in side], pad=" ", point=" ", left=" ")
        texts.append(
            "\n".join(
                f"{PICKED if pick else ' '} {value}  {row.text}{f' {GOLD}' if row.gold else ''}"
                for (pick, _), value, row in zip(side, values, rows, strict=True)
            )
        )
    return texts[0], texts[1]
