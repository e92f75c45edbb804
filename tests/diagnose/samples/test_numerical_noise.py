"""Numerical noise: equal prompts, small changes everywhere, outcomes that move only where the lead was small."""

import random

import pytest

from diptych.diagnose.samples.numerical_noise import moved_little
from sample_logs import GREEDY, Record, answer, choice, evidence, finding, kinds


def moved(size: float, seed: int = 1, number: int = 60) -> tuple[list[Record], list[Record]]:
    chance = random.Random(seed)
    left, right = [], []
    for item in range(number):
        values = [chance.uniform(-6, -1) for _ in range(4)]
        left.append(choice(item, values))
        right.append(choice(item, [value + chance.uniform(-size, size) for value in values]))
    return left, right


def test_small_changes_everywhere_are_noise_with_their_size() -> None:
    found = evidence(*moved(0.02))
    one = finding(found, "numerical_noise")
    change = found.tasks[0].change
    assert change is not None
    assert (one.count_, one.of, change.changed) == (60, 60, 60)
    assert 0 < change.median < change.largest <= 0.02 + 1e-9
    assert f"{change.largest:.4f}" in one.text
    assert change.largest_flip_margin is None or change.largest_flip_margin <= 0.04
    assert sum(items for _, items in change.bins) == 60


@pytest.mark.parametrize("size", [1.5, 4.0])
def test_large_changes_are_no_noise(size: float) -> None:
    assert "numerical_noise" not in kinds(evidence(*moved(size)))


@pytest.mark.parametrize("size", [0.05, 0.2, 0.3, 0.45, 0.55, 0.8, 1.5])
def test_what_is_called_noise_and_what_arithmetic_is_said_to_make_are_one_judgement(size: float) -> None:
    left, right = moved(size)
    for pair in ((left, right), (right, left)):
        found = evidence(*pair)
        assert ("numerical_noise" in kinds(found)) == moved_little(found.tasks[0])
        assert moved_little(found.tasks[0]) or size > 0.1


def test_moves_are_held_against_the_log_likelihood_that_moved() -> None:
    left, right = ([choice(item, (base + by, base - 3.0, base - 4.0, base - 5.0)) for item in range(60)]
                   for base, by in ((-8.0, 0.0), (-8.0, 0.24)))  # fmt: skip
    assert moved_little(evidence(left, right).tasks[0])
    near, moved_near = ([choice(item, (-0.1 - by, -3.0, -4.0, -5.0)) for item in range(60)] for by in (0.0, 0.3))
    assert not moved_little(evidence(near, moved_near).tasks[0])


def test_one_large_change_among_small_ones_is_no_noise() -> None:
    left, right = moved(0.01)
    right[7] = choice(7, (-1.0, -9.0, -9.0, -9.0))
    assert "numerical_noise" not in kinds(evidence(left, right))


def test_changes_after_other_prompts_are_no_noise() -> None:
    left, right = moved(0.01)
    right = [
        {
            **record,
            "arguments": {key: {**sent, "arg_0": sent["arg_0"] + " "} for key, sent in record["arguments"].items()},
        }
        for record in right
    ]
    assert "numerical_noise" not in kinds(evidence(left, right))


def texts(different: int, arguments: dict[str, object] = GREEDY, right: float = 1.0) -> list[Record]:
    return [
        answer(
            n,
            "It is 4, I think" if n < different else "It is 4, for sure",
            right=right,
            filtered="4",
            arguments=arguments,
        )
        for n in range(40)
    ]


def test_most_answers_the_same_to_the_letter_are_noise() -> None:
    found = evidence(texts(0), texts(3))
    assert (finding(found, "numerical_noise").count_, finding(found, "numerical_noise").of) == (3, 40)
    parted = found.tasks[0].parted
    assert parted is not None
    assert (parted.equal, parted.of, parted.median) == (37, 40, len("It is 4, "))


def test_many_other_answers_are_no_noise() -> None:
    assert "numerical_noise" not in kinds(evidence(texts(0), texts(20)))


def test_answers_that_are_drawn_are_no_noise() -> None:
    drawn = {**GREEDY, "do_sample": True, "temperature": 0.8}
    assert "numerical_noise" not in kinds(evidence(texts(0, drawn), texts(3, drawn)))


def test_equal_logs_have_no_noise_and_no_change() -> None:
    left, _ = moved(0.0)
    found = evidence(left, left)
    change = found.tasks[0].change
    assert change is not None
    assert (change.changed, change.largest, change.median) == (0, 0.0, 0.0)
    assert "numerical_noise" not in kinds(found)


def told(first: str, different: int = 0) -> list[Record]:
    """Return 40 long answers, of which some begin with other words."""
    rest = "you take two and add two more to it, so that it is four."
    return [answer(n, f"{first if n < different else 'To solve this'} {rest}", filtered="4") for n in range(40)]


def test_texts_that_part_at_their_first_sign_are_other_texts_and_no_noise() -> None:
    found = evidence(told(""), told("Of course, since", 3))
    assert "numerical_noise" not in kinds(found)
    assert found.tasks[0].parted == (40, 37, 0, 3)
    assert "numerical_noise" in kinds(evidence(told(""), told("To answer this", 3)))
