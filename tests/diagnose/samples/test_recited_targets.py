"""Long targets that one side gives to the letter, and the other does not, are most likely known by heart."""

from collections.abc import Callable

import pytest

from diptych.diagnose.samples.recital_tally import is_prose
from sample_logs import Record, answer, evidence, finding, kinds, task

THINGS = ("apples", "pencils", "stamps", "bricks", "candles", "tickets", "shells")
FIRST = (
    "Every box holds {n} {what}, and there are seven boxes on the shelf.",
    "Since a week has seven days, one who buys {n} {what} a day buys them all week long.",
    "Seven friends share the {what} evenly. Each of them is given {n} in the end.",
    "To fill the van with {what} one drives seven times and takes {n} each time.",
    "Multiply: seven rows of {n} {what} stand in the yard behind the school.",
)


def solution(item: int) -> str:
    n, what = item + 3, THINGS[item % 7]
    return f"{FIRST[item % 5].format(n=n, what=what)}\nThat makes {7 * n} {what}.\n#### {7 * n}"


Text = Callable[[int], str]


def own(item: int) -> str:
    return f"7 * {item + 3} = {7 * (item + 3)}, so the answer is {7 * (item + 3)} and nothing else, I am sure."


def run(text: Text, target: Text = solution, hint: Text | None = None) -> list[Record]:
    return [
        answer(item, text(item), target=target(item), filtered=str(7 * (item + 3)),
               prompt=None if hint is None else f"{hint(item)}\nQuestion {item}?")
        for item in range(40)
    ]  # fmt: skip


def mostly(item: int) -> str:
    return own(item) if item % 4 == 0 else solution(item)


@pytest.mark.parametrize("turned", [False, True])
def test_solutions_to_the_letter_are_told_with_what_they_most_likely_mean(turned: bool) -> None:
    pair = run(own), run(mostly)
    one = finding(evidence(*(pair[::-1] if turned else pair)), "answers_recited", "a" if turned else "b")
    assert (one.count_, one.of) == (30, 40)
    who = "A" if turned else "B"
    assert f"most likely {who} has seen these items in training (no prompt holds the target)" in one.text


def test_a_target_in_the_prompts_of_one_side_is_told_as_that() -> None:
    found = task(run(own, hint=lambda item: "Think."), run(mostly, hint=lambda item: f"Think: {solution(item)}"))
    assert found.recited is not None
    assert found.recited.in_prompt


def form(item: int) -> str:
    return f"The customer number {item * 37} wants the order to be sent to the house number {item * 11} very soon."


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (run(mostly), run(mostly)),
        (run(own), run(lambda item: str(7 * (item + 3)), lambda item: str(7 * (item + 3)))),
        (run(own, form), run(form, form)),
        (run(lambda item: solution(item)[:-1]), run(solution)),
        (run(own, hint=solution), run(mostly, hint=solution)),
        (run(own), run(lambda item: solution(item) if item < 4 else own(item))),
    ],
    ids=["both sides", "short ones", "one form", "the other side comes close", "copied from the prompt", "few"],
)
def test_what_the_item_binds_is_no_recital(a: list[Record], b: list[Record]) -> None:
    assert "answers_recited" not in kinds(evidence(a, b))


def test_programs_and_filled_in_forms_are_no_prose() -> None:
    assert is_prose(solution(1))
    assert not is_prose("    for x in numbers:\n        if x > limit and x not in seen:\n            return x")
    assert not is_prose("SELECT name FROM people WHERE age > 30 AND town = 'Riga' ORDER BY name")
