"""What a given noise floor says beside a verdict, and what it leaves to do: a floor that is there is not asked for."""

from collections.abc import Sequence

from diptych.diagnose.scores.floors import farthest, stand_of
from diptych.estimates import MetricComparison
from diptych.numbers import counted, floor_text, listed

BESIDE = {
    "beyond": "The difference is beyond what {repeats} of one configuration do (noise floor {floor})",
    "open": "The difference is beyond the noise floor of {repeats} ({floor}), but not significant on these items",
    "within": "The difference is within what {repeats} of one configuration do (noise floor {floor})",
}


def floor_sentence(rows: Sequence[MetricComparison], *, unexplained: bool) -> str:
    """Return where the differences stand beside the floors that were given, "" where none was.

    `unexplained` says that nothing recorded differs: what lies beyond a floor is then an unrecorded setting's doing.
    """
    told = [row for row in rows if stand_of(row)]
    if not told:
        return ""
    more = ": an unrecorded setting changed" if unexplained and farthest(told) == "beyond" else ""
    if len(told) == 1:
        return f"{one_sentence(told[0])}{more}."
    if farthest(told) == "within":
        return f"All {len(told)} differences are within what repeats of one configuration do."
    beyond = [row.task for row in told if stand_of(row) == farthest(told)]
    if farthest(told) == "open":
        return f"Beyond what repeats of one configuration do, but not significant: {listed(beyond)}."
    return f"Beyond what repeats of one configuration do: {listed(beyond)}{more}."


def one_sentence(row: MetricComparison) -> str:
    """Return where one difference stands, with the floor and how many repeats it was made of."""
    assert row.noise_floor is not None
    assert row.noise_floor.floor is not None
    return BESIDE[stand_of(row)].format(
        repeats=counted(row.noise_floor.runs, "repeat"), floor=floor_text(row.noise_floor.floor, row.in_points)
    )


def floor_step(rows: Sequence[MetricComparison], more: str) -> str:
    """Return the next step where floors were given and no recorded cause is left to try; `more` asks for more items."""
    stand = farthest(rows)
    if stand == "beyond":
        return (
            "Look for an unrecorded setting: write a run-context.json beside each run (quant, engine, engine_version, "
            "endpoint, alias), and repeat the older run as it was made."
        )
    if stand == "open":
        return more or "Score more items: these do not tell the difference from chance, though repeats differ by less."
    return f"Repeats of one configuration differ by as much: no setting has to be looked for. {more}".rstrip()
