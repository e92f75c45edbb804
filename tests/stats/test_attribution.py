"""Effects of settings are given where the runs tell them apart, and only there."""

import random

import pytest

from diptych.stats import effects as attribution

NAMES = ("intercept", "quant", "template", "fewshot")
TOGETHER = [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 1.0]]
APART = [*TOGETHER, [1.0, 1.0, 0.0, 0.0]]


def test_effects_that_only_occur_together_are_named_together() -> None:
    assert attribution.identified_sums(TOGETHER, NAMES) == [("quant", "template"), ("template", "fewshot")]
    assert attribution.identified_sums(APART, NAMES) == []


@pytest.mark.parametrize("seed", range(8))
def test_shares_of_a_full_table_add_up_to_the_whole_change(seed: int) -> None:
    chance = random.Random(seed)
    names = ["p", "q", "r"]
    cells = [frozenset(name for at, name in enumerate(names) if mask >> at & 1) for mask in range(8)]
    scores = {cell: chance.random() for cell in cells}
    found = attribution.shapley(scores, names)
    assert found is not None
    assert found.total == pytest.approx(scores[cells[-1]] - scores[cells[0]])
    del scores[cells[3]]
    assert attribution.shapley(scores, names) is None, "a missing cell is not filled in"


def test_settings_that_only_add_have_no_interaction() -> None:
    assert attribution.interaction(0.5, 0.6, 0.7, 0.8) == pytest.approx(0)


def test_a_shared_run_enters_a_contrast_with_both_its_weights() -> None:
    items = [[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]]
    plain = attribution.contrast([-1.0, 0.0, 1.0], items)
    assert plain.estimate == pytest.approx(0.25)
    noisy = attribution.contrast([-1.0, 0.0, 1.0], items, variance_run=0.01)
    assert noisy.error**2 == pytest.approx(plain.error**2 + 0.02)


def test_the_next_run_gains_most_for_its_cost_and_changes_fewest_settings() -> None:
    candidates = {"one": [1.0, 0.0], "two": [0.0, 1.0], "both": [1.0, 1.0]}
    gains, before = attribution.next_run_gains([[1.0, 1.0]], candidates, 0.03, 0.007)
    assert gains["one"] == pytest.approx(gains["two"])
    assert gains["both"] < gains["one"] < before
    assert attribution.next_run(gains, {"one": 1, "two": 1, "both": 2}) == "one"
    assert attribution.next_run(gains, {"one": 1, "two": 1, "both": 2}, {"one": 3.0, "two": 1.0, "both": 1.0}) == "two"
    assert attribution.next_run({}, {}) is None


def test_a_bisection_runs_the_likelier_half_first() -> None:
    sizes = {"a": 0.01, "b": -0.05, "c": 0.02}
    assert attribution.halves(["a", "b", "c", "d"], sizes) == (("b", "c"), ("a", "d"))
    assert attribution.bisection_runs(8) == (3, 7)
    assert attribution.bisection_runs(5) == (3, 4)
    assert attribution.bisection_runs(1) == (0, 0)
