"""Rescaled scores: what a reported number is of its items is named where a formula fits, and never guessed."""

import pytest

from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.task_evidence import gather
from diptych.run import Score
from sample_logs import choice, finding, kinds, run_of

RECORDS = [choice(number, (-1.0, -2.0, -3.0, -4.0), gold=0 if number % 3 else 1) for number in range(30)]
MEAN = 20 / 30


def seen(a: float, b: float) -> Evidence:
    left, right = (run_of(RECORDS, scores=(Score("arith", "acc", "none", value, items=30),)) for value in (a, b))
    return gather(left, right, Options())


# what B reports of items whose mean is two thirds, among four choices; the formula
SCALES = [
    (100 * MEAN, "100 × acc"),
    ((MEAN - 0.25) / 0.75, "(acc − 1/4) / (1 − 1/4)"),
    (100 * (MEAN - 0.25) / 0.75, "100 × (acc − 1/4) / (1 − 1/4)"),
    (round(100 * (MEAN - 0.25) / 0.75, 2), "100 × (acc − 1/4) / (1 − 1/4)"),
]


@pytest.mark.parametrize(("reported", "formula"), SCALES)
def test_a_score_on_another_scale_than_its_items_is_named_with_its_formula(reported: float, formula: str) -> None:
    found = seen(MEAN, reported)
    said = finding(found, "scale_rescaled")
    assert (said.severity, said.side) == ("warning", "b")
    assert f"B reports {formula}." in said.text
    assert "reported_disagrees" not in kinds(found)


def test_one_scale_on_both_sides_is_a_note() -> None:
    assert finding(seen(100 * MEAN, 100 * MEAN), "scale_rescaled").severity == "note"


def test_a_score_that_no_formula_gives_is_not_explained() -> None:
    found = seen(MEAN, 0.61)
    assert "scale_rescaled" not in kinds(found)
    assert "reported_disagrees" in kinds(found)
