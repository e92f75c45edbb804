"""A gate fires on what it was told to look for, and says so in words."""

import pytest

from diptych.comparison import FlipCount, Gate
from diptych.diagnose.gates import gates, matrix_gates
from diptych.diagnose.options import Options
from diptych.diagnose.thresholds import Threshold
from diptych.errors import DiptychError
from diptych.estimates import Estimate, MetricComparison, NoiseFloor
from diptych.matrix import Matrix, MatrixCell
from examples_comparison import matrix


def metric(
    status: str, difference: float | None, *, higher: bool | None = True, floor: float | None = None
) -> MetricComparison:
    estimate = None
    if difference is not None:
        low, high = difference - 0.004, difference + 0.004
        estimate = Estimate("mcnemar_midp_tango", 0.95, difference, low, high, standard_error=0.01)
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
        ("0.02", metric("worse", 0.03, higher=False), True),
        ("0.02", metric("unclear", 0.03, higher=None), True),
        ("0.02", metric("not_available", None), True),
    ],
)
def test_a_threshold_allows_so_much_worsening(limit: str, row: MetricComparison, fires: bool) -> None:
    (gate,) = gates(Options(thresholds=(f"gsm8k.exact_match={limit}",)), (row,), ())
    assert gate.fired is fires


@pytest.mark.parametrize(
    ("limit", "outcome"), [("0.02", "fail"), ("0.029", "inconclusive"), ("0.04", "pass"), ("floor", "inconclusive")]
)
def test_a_number_is_held_against_the_range(limit: str, outcome: str) -> None:
    (gate,) = gates(Options(thresholds=(f"gsm8k.exact_match={limit}",)), (metric("worse", -0.03),), ())
    assert gate.result == outcome


def test_a_rule_names_a_metric_once_and_no_filter_that_has_no_name() -> None:
    bare = metric("worse", -0.03)._replace(filter="none")
    (gate,) = gates(Options(thresholds=("gsm8k.exact_match=0.02",)), (bare,), ())
    assert gate.text == "worse by 2.6 to 3.4 pp (range), allowed 2.0 pp"
    (gate,) = gates(Options(thresholds=("*.exact_match=0.02",)), (bare,), ())
    assert gate.text.startswith("gsm8k.exact_match: worse by")


def shown(low: float, high: float, **fields: object) -> MetricComparison:
    estimate = Estimate(
        "mcnemar_midp_tango", 0.95, (low + high) / 2, low, high, low_90=low, high_90=high, margin=0.01, pairs=900
    )
    return metric("unclear", 0.0)._replace(estimate=estimate, primary=True, headline=True, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "row", "outcome"),
    [
        ("non-inferior", shown(-0.005, 0.02), "pass"),
        ("non-inferior", shown(-0.015, 0.02), "inconclusive"),
        ("non-inferior:0.02", shown(-0.015, 0.02), "pass"),
        ("non-inferior", shown(-0.05, -0.02), "fail"),
        ("non-inferior", shown(-0.05, -0.02, higher_is_better=False), "pass"),
        ("non-inferior", shown(-0.005, 0.02, higher_is_better=None), "inconclusive"),
        ("non-inferior", shown(-0.5, 0.2, unit="percent"), "inconclusive"),
        ("non-inferior:0.01", shown(-0.5, 0.2, unit="percent"), "pass"),
    ],
)
def test_no_worse_must_be_shown(rule: str, row: MetricComparison, outcome: str) -> None:
    (gate,) = gates(Options(require=(rule,)), (row,), ())
    assert gate.result == outcome


@pytest.mark.parametrize("rule", ["inferior", "non-inferior:x", "non-inferior:-1", "non-inferior:0"])
def test_what_cannot_be_required_is_refused(rule: str) -> None:
    with pytest.raises(DiptychError):
        gates(Options(require=(rule,)), (), ())


def test_runs_that_cannot_be_compared_are_not_judged() -> None:
    rules = Options(fail_on=("regression",), require=("non-inferior",), thresholds=("gsm8k.exact_match=0.1",))
    found = gates(rules, (metric("worse", -0.3),), (), "not_comparable")
    assert [gate.result for gate in found] == ["inconclusive"] * 3


def test_a_group_without_a_value_gates_nothing() -> None:
    bare = metric("not_available", None)._replace(group=True, primary=True)
    assert gates(Options(fail_on=("any",)), (metric("same", 0.0)._replace(primary=True), bare), ())[0].result == "pass"


def test_a_gate_of_an_older_artifact_has_the_outcome_that_it_fired_with() -> None:
    assert (Gate("flip", True, "").result, Gate("flip", False, "").result) == ("fail", "pass")


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


def test_flips_that_a_matrix_did_not_count_cannot_be_told() -> None:
    (gate,) = matrix_gates(("flip",), many())
    assert gate.result == "inconclusive"
    counted = many()._replace(gates=(Gate("flip", False, "0 answers"),))
    assert not any(gate.fired for gate in matrix_gates(("flip",), counted))


def test_a_gate_speaks_in_points_and_never_shows_a_limit_equal_to_what_is_beyond_it() -> None:
    (gate,) = gates(Options(require=("non-inferior",)), (shown(-0.05, -0.02),), ())
    assert gate.text.endswith("worse by 2.0 pp at least, allowed 1.0 pp")
    (close,) = gates(Options(require=("non-inferior:0.02",)), (shown(-0.05, -0.02001),), ())
    assert close.text.endswith("worse by 2.001 pp at least, allowed 2.000 pp")
    (own,) = gates(Options(thresholds=("gsm8k.exact_match=floor",)), (metric("worse", -0.03, floor=0.02),), ())
    assert own.text.endswith("worse by 3.0 pp (observed), allowed 2.0 pp")
