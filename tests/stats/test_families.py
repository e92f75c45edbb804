"""Many tests at once: no false alarm beyond alpha, benchmarks first, and the level that each row is left with."""

import random

import pytest

from diptych.stats.multiple import Block, fallback, holm, holm_levels


@pytest.mark.parametrize("seed", range(20))
def test_single_tasks_alone_are_adjusted_as_by_holm(seed: int) -> None:
    chance = random.Random(seed)
    p_values = [chance.random() ** 3 for _ in range(8)]
    heads = [block.head for block in fallback([Block(p) for p in p_values])]
    assert [head.p for head in heads] == pytest.approx(holm(p_values))
    levels = holm_levels(p_values)
    assert [head.alpha for head in heads] == pytest.approx([each.alpha for each in levels])
    for p, each in zip(p_values, levels, strict=True):
        assert (p < each.alpha) == (each.p is not None and each.p < 0.05), "a level and an adjusted p say the same"


def test_a_group_is_tested_at_four_fifths_and_its_subtasks_share_the_rest() -> None:
    (open_,) = fallback([Block(0.3, (0.5, 0.4, 0.003))])
    assert open_.head.alpha == pytest.approx(0.04)
    assert [part.alpha for part in open_.parts] == pytest.approx([0.005, 0.005, 0.01 / 3])
    assert open_.parts[2].p == pytest.approx(0.045), "one broken subtask of three shows though the group does not"


def test_a_group_that_is_rejected_leaves_its_alpha_to_its_subtasks() -> None:
    (block,) = fallback([Block(0.001, (0.02, 0.5, 0.01))])
    assert block.head.p == pytest.approx(0.00125)
    assert [part.p is not None and part.p < 0.05 for part in block.parts] == [True, False, True]
    assert [part.alpha for part in block.parts] == pytest.approx([0.025, 0.05, 0.05 / 3])


@pytest.mark.parametrize("real", [False, True])
def test_no_false_alarm_at_all_stays_below_alpha(real: bool) -> None:
    chance = random.Random(3)
    alarms = 0
    for _ in range(3_000):
        blocks = [
            Block(chance.random() * (1e-5 if real else 1), tuple(chance.random() for _ in range(10))) for _ in range(2)
        ]
        found = fallback(blocks)
        wrong = [each for block in found for each in (*block.parts, *(() if real else (block.head,)))]
        alarms += any(each.p is not None and each.p < 0.05 for each in wrong)
    assert alarms / 3_000 < 0.06


def test_what_has_no_test_is_not_counted() -> None:
    blocks = fallback([Block(None, (None, 0.02)), Block(0.01)])
    assert blocks[0].head.p is None
    assert blocks[1].head.p == pytest.approx(0.02)
    assert blocks[0].parts[1].p == pytest.approx(0.02)
