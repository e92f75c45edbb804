"""The rule about many runs speaks where a cell's number, range and word disagree."""

from typing import Any

import pytest

from diptych.comparison import RunHeader
from diptych.matrix import Matrix, MatrixCell, MatrixRow
from diptych.provenance import Provenance
from diptych.rules.rules import matrix_breaches


def matrix(**changes: Any) -> Matrix:
    """Return two runs that differ by a fall, with a change of their one cell."""
    cell = MatrixCell(0, 1, -0.2, -0.3, -0.1, 0.001, "worse")._replace(**changes)
    row = MatrixRow("sums", "acc", "none", True, (0.7, 0.5), (0.03, 0.03), ("a", "b"), 200, (cell,), "m")
    runs = tuple(RunHeader(name, None, "lm_eval", None, None, name, "r.json", {}, {}, {}) for name in "xy")
    return Matrix("0", "", runs, (row,), (), (), (), (), (), Provenance("0", (), ()))


def test_a_sound_cell_breaks_no_rule() -> None:
    assert matrix_breaches(matrix()) == ()
    assert matrix_breaches(matrix(status="unclear", low=-0.5, high=0.3, p_adjusted=0.4)) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"difference": 0.0, "low": -0.1, "high": 0.1},
        {"difference": None},
        {"difference": -0.4},
        {"high": 0.1},
        {"p_adjusted": 0.2},
        {"p_adjusted": None},
        {"status": "better"},
    ],
)
def test_a_word_that_its_own_numbers_do_not_bear_is_named(changes: dict[str, Any]) -> None:
    assert {breach.number for breach in matrix_breaches(matrix(**changes))} == {4}
