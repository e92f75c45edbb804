"""Two runs among many that are equal in all that can act, and yet differ: something that no file records changed."""

from collections.abc import Sequence

from diptych.catalogue.words import setting_word
from diptych.comparison import Finding
from diptych.diagnose.varied_settings import Factor, Settings
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import MatrixRow
from diptych.numbers import listed
from diptych.run import Run


class Unrecorded(NamedTuple):
    """That two runs (by place) are equal in all that can act and yet differ, and in which settings of sums they do."""

    finding: Finding
    a: int
    b: int
    sums: tuple[str, ...]


def unrecorded_change(
    rows: Sequence[MatrixRow], factors: Sequence[Factor], sums: Settings, runs: Sequence[Run]
) -> Unrecorded | None:
    """Return that two runs are equal in all that can act and yet differ beyond pure error."""
    levels = list(zip(*(factor.levels for factor in factors), strict=True)) or [()] * len(runs)
    for row in rows:
        for cell in row.cells:
            if levels[cell.a] == levels[cell.b] and cell.is_apart:
                left, right = runs[cell.a].label, runs[cell.b].label
                names = tuple(key for key, values in sums.items() if values[cell.a] != values[cell.b])
                text = f"{left} and {right} are equal in every recorded setting that can act"
                then = "an unrecorded setting changed"
                if names:
                    named = listed([setting_word(key) for key in names])
                    text = f"{left} and {right} are equal in every recorded setting but {named}"
                    then = (
                        f"{named} moves scores that far only where something is broken (padding, a kernel), else {then}"
                    )
                text = f"{text}, and yet differ in {row.task} {row.metric}: {then}."
                return Unrecorded(Finding("serving_unknown", "warning", text, None, row.task), cell.a, cell.b, names)
    return None
