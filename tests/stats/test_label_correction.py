"""A judge corrected by human labels: the published figures, the published reference code's output, and coverage."""

import random

import pytest

from diptych.stats.label_correction import Rate, prediction_powered, rogan_gladen


@pytest.mark.parametrize(
    ("labelled", "low", "high"), [(50, 0.0, 0.3281189), (100, 0.01390166, 0.2897995), (200, 0.05635072, 0.2627330)]
)
def test_the_interval_is_the_one_that_its_authors_print(labelled: int, low: float, high: float) -> None:
    # printed in the documentation of the authors' package llm_judge_reporting (arXiv 2511.21140)
    found = rogan_gladen(0.4, 0.7, 0.9, 1000, labelled, labelled)
    assert found is not None
    assert found.rate == pytest.approx(1 / 6)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-8)


def test_a_judge_no_better_than_luck_corrects_nothing() -> None:
    assert rogan_gladen(0.5, 0.5, 0.5, 100, 50, 50) is None
    assert rogan_gladen(0.5, 0.9, 0.9, 100, 0, 50) is None


HUMAN = [1, 0, 1, 0.5, 1, 0, 1, 1, 0, 1]
MORE = [1, 0.5, 0, 1, 1, 0, 0.25, 1, 0.75, 1, 1, 0, 1, 0.5, 1]


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        # from ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci at alpha 0.05
        ([1, 0, 1, 1, 1, 0.25, 0.5, 1, 0, 0.75], Rate(0.6589051094890512, 0.4461492428685192, 0.8716609761095833)),
        ([0, 1, 0, 1, 1, 0.25, 0.5, 0, 1, 0.75], Rate(0.65, 0.37109223546294734, 0.9289077645370527)),
    ],
)
def test_the_powered_mean_is_that_of_the_published_code(judged: list[float], expected: Rate) -> None:
    assert tuple(prediction_powered(HUMAN, judged, MORE)) == pytest.approx(tuple(expected))


def test_without_more_judged_items_it_is_the_human_mean() -> None:
    assert prediction_powered(HUMAN, HUMAN, []).rate == pytest.approx(0.65)


def test_both_intervals_cover_the_truth_of_a_biased_judge_and_the_raw_rate_does_not() -> None:
    rng = random.Random(7)
    truth, rounds = 0.6, 400
    held = {"raw": 0, "powered": 0, "rates": 0}
    for _ in range(rounds):
        human = [rng.random() < truth for _ in range(500)]
        judged = [(rng.random() < 0.9) if h else (rng.random() < 0.4) for h in human]  # it favours the second student
        raw = sum(judged) / 500
        held["raw"] += abs(raw - truth) < 1.96 * (raw * (1 - raw) / 500) ** 0.5
        known = [(float(h), float(j)) for h, j in zip(human[:100], judged[:100], strict=True)]
        powered = prediction_powered([h for h, _ in known], [j for _, j in known], [float(j) for j in judged[100:]])
        held["powered"] += powered.low < truth < powered.high
        ones, noughts = ([j for h, j in known if h == side] for side in (1.0, 0.0))
        found = rogan_gladen(raw, 1 - sum(noughts) / len(noughts), sum(ones) / len(ones), 500, len(noughts), len(ones))
        held["rates"] += found is not None and found.low < truth < found.high
    assert held["raw"] < 0.1 * rounds
    assert held["powered"] > 0.91 * rounds
    assert held["rates"] > 0.91 * rounds


def test_a_judge_against_the_labels_or_of_one_score_lends_nothing() -> None:
    alone = sum(HUMAN) / len(HUMAN)
    assert prediction_powered(HUMAN, [1.0 - score for score in HUMAN], MORE).rate == pytest.approx(alone)
    assert prediction_powered(HUMAN, [1.0] * len(HUMAN), [1.0] * 5).rate == pytest.approx(alone)
