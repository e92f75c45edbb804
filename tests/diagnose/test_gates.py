"""A gate fires on what it was told to look for, and says so in words."""

import pytest

from diptych.comparison import Estimate, FlipCount, Gate, MetricComparison, NoiseFloor
from diptych.diagnose.gates import Threshold, gates, matrix_gates
from diptych.diagnose.options import Options
from diptych.errors import DiptychError
from diptych.matrix import Matrix, MatrixCell
from examples_comparison import matrix


def metric(
    status: str, difference: float | None, *, higher: bool | None = True, floor: float | None = None
) -> MetricComparison:
    estimate = None if difference is None else Estimate("mcnemar_midp_tango", 0.95, difference, standard_error=0.01)
    noise = None if floor is None else NoiseFloor(3, 0.01, floor, None, 2.0, (), "")
    return MetricComparison(
        "gsm8k",
        "exact_match",
        "strict",
        higher,
        0.5,
        0.5,
        difference,
        status,
        None,
        estimate=estimate,
        noise_floor=noise,
    )


@pytest.mark.parametrize(
    ("rule", "status", "fires"),
    [
        ("regression", "worse", True),
        ("regression", "better", False),
        ("regression", "unclear", False),
        ("difference", "better", True),
        ("difference", "worse", True),
        ("difference", "same", False),
        ("missing", "not_available", True),
        ("missing", "unclear", False),
        ("any", "better", True),
        ("any", "same", False),
    ],
)
def test_a_rule_fires_on_its_own_word(rule: str, status: str, fires: bool) -> None:
    (gate,) = gates(Options(fail_on=(rule,)), (metric(status, 0.1),), ())
    assert (gate.rule, gate.fired) == (rule, fires)


def test_any_says_which_of_its_rules_fired() -> None:
    lost = (FlipCount("gsm8k", "strict", "lost", 2),)
    (gate,) = gates(Options(fail_on=("any",)), (metric("worse", -0.1),), lost)
    place = "1 of 1 metrics: gsm8k.exact_match,strict"
    assert gate.text.startswith(f"regression: {place}; difference: {place}; flip: 2 answers")


def test_a_flip_is_an_answer_that_was_lost() -> None:
    lost = (FlipCount("gsm8k", "strict", "lost", 2), FlipCount("gsm8k", "strict", "gained", 5))
    assert gates(Options(fail_on=("flip",)), (), lost)[0].fired
    assert not gates(Options(fail_on=("flip",)), (), lost[1:])[0].fired


@pytest.mark.parametrize(
    ("limit", "row", "fires"),
    [
        ("0.02", metric("worse", -0.03), True),
        ("0.02", metric("worse", -0.01), False),
        ("0.02", metric("better", 0.5), False),
        ("2se", metric("worse", -0.03), True),
        ("4se", metric("worse", -0.03), False),
        ("floor", metric("worse", -0.03, floor=0.02), True),
        ("floor", metric("worse", -0.03, floor=0.04), False),
        ("floor", metric("worse", -0.03), True),  # a floor that is not known lets nothing pass
        ("0.02", metric("worse", 0.03, higher=False), True),
        ("0.02", metric("unclear", 0.03, higher=None), True),
        ("0.02", metric("not_available", None), True),
    ],
)
def test_a_threshold_allows_so_much_worsening(limit: str, row: MetricComparison, fires: bool) -> None:
    (gate,) = gates(Options(thresholds=(f"gsm8k.exact_match={limit}",)), (row,), ())
    assert gate.fired is fires


def test_a_threshold_on_a_metric_that_is_not_there_fires() -> None:
    (gate,) = gates(Options(thresholds=("gsm8k.acc=0.1",)), (metric("same", 0.0),), ())
    assert gate.fired
    assert "no metric gsm8k.acc" in gate.text


@pytest.mark.parametrize("text", ["gsm8k", "=0.1", "a.b=x", "a.b=-1", "a.b=nan"])
def test_a_threshold_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(DiptychError):
        Threshold(text)


def many(*cells: MatrixCell) -> Matrix:
    made = matrix()
    row = made.rows[0]._replace(task="gsm8k", metric="exact_match", filter="strict", cells=cells)
    return made._replace(rows=(row,), gates=())


def test_many_runs_are_each_held_against_the_first_and_named() -> None:
    apart = many(MatrixCell(0, 1, -0.1, -0.2, -0.05, 0.01, "worse"), MatrixCell(1, 2, -0.1, -0.2, -0.05, 0.01, "worse"))
    fired = [gate for gate in matrix_gates(("regression",), apart) if gate.fired]
    label = apart.runs[1].label
    assert [gate.text for gate in fired] == [f"{label}: 1 of 1 metrics: gsm8k.exact_match,strict"]
    assert not any(gate.fired for gate in matrix_gates(("regression", "any"), many(apart.rows[0].cells[1])))


def test_flips_that_a_matrix_did_not_count_let_nothing_pass() -> None:
    (gate,) = matrix_gates(("flip",), many())
    assert gate.fired
    counted = many()._replace(gates=(Gate("flip", False, "0 answers"),))
    assert not any(gate.fired for gate in matrix_gates(("flip",), counted))
