"""Effects of settings are given where the runs tell them apart, and only there."""

import pytest

from diptych.stats import effects as attribution


def test_a_shared_run_enters_a_contrast_with_both_its_weights() -> None:
    items = [[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]]
    plain = attribution.contrast([-1.0, 0.0, 1.0], items)
    assert plain.estimate == pytest.approx(0.25)
    noisy = attribution.contrast([-1.0, 0.0, 1.0], items, variance_run=0.01)
    assert noisy.error**2 == pytest.approx(plain.error**2 + 0.02)


def test_the_next_run_gains_most_and_of_equals_is_the_first_by_name() -> None:
    candidates = {"one": [1.0, 0.0], "two": [0.0, 1.0], "both": [1.0, 1.0]}
    gains, before = attribution.next_run_gains([[1.0, 1.0]], candidates, 0.03, 0.007)
    assert gains["one"] == pytest.approx(gains["two"])
    assert gains["both"] < gains["one"] < before
    assert attribution.most_telling_run(gains) == "one"
    assert attribution.most_telling_run({}) is None
