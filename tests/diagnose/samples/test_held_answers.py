"""What one side's prompts have more may give the right answers away; what holds other answers as well does not."""

from collections.abc import Callable

import pytest

from diptych.diagnose.samples.held_answers import holds
from sample_logs import Record, answer, choice, evidence, finding, kinds, task

WORDS = ("harbour", "village", "station", "library", "kitchen", "meadow", "factory", "chapel")
More = Callable[[int], str]


def texts(item: int) -> list[str]:
    """Return the four choices of an item."""
    return [WORDS[(item + step) % len(WORDS)] for step in (0, 1, 3, 4)]


def asked(more: More, labels: bool = True, spread: bool = False) -> list[Record]:
    """Return items with four choices, of which the prompt lists all; `more` is what stands before the answer."""
    found = []
    for item in range(40):
        gold, own = item % 3, texts(item)
        listed = "\n".join(f"{label}. {text}" for label, text in zip("ABCD", own, strict=True))
        prompt = f"Where is item {item}?\n{listed}\n{more(item)}Answer:"
        doc = {"q": item, **dict(zip("ABCD", own, strict=True))} if spread else {"q": item, "options": own}
        scored = [f" {label}" for label in "ABCD"] if labels else [f" {text}" for text in own]
        found.append(choice(item, (-1.0, -2.0, -3.0, -4.0), gold, prompt=prompt, choices=scored, doc=doc))
    return found


def gold(item: int) -> str:
    return texts(item)[item % 3]


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("spread", [True, False])
def test_a_text_that_holds_the_right_choice_of_each_item_gives_it_away(labels: bool, spread: bool) -> None:
    plain = asked(lambda item: "", labels, spread)
    told = asked(lambda item: f"Context: The {gold(item)} is where it was seen.\n", labels, spread)
    found = evidence(plain, told)
    one = finding(found, "prompts_hold_answers", "b")
    assert (one.count_, one.of) == (40, 40)
    assert found.tasks[0].held == ("b", 40, 40, 0, 3)
    assert finding(evidence(told, plain), "prompts_hold_answers", "a").count_ == 40


def test_a_label_that_is_told_gives_the_answer_away() -> None:
    told = asked(lambda item: f"Hint: {'ABCD'[item % 3]} is meant.\n")
    assert finding(evidence(asked(lambda item: ""), told), "prompts_hold_answers").count_ == 40


@pytest.mark.parametrize(
    "more",
    [
        lambda item: "Think of harbour, village, station, library, kitchen, meadow, factory and chapel.\n",
        lambda item: f"It is one of {', '.join(texts(item))}.\n",
        lambda item: f"It is not {texts(item)[(item + 1) % 3]}.\n",
        lambda item: f"Item {item} is an old one.\n",
        lambda item: f"Example {item % 5}: the {WORDS[item % 5]}, so A.\n",
    ],
    ids=["all words", "all choices", "a wrong choice", "no choice", "examples"],
)
def test_a_text_that_holds_other_answers_as_well_gives_none_away(more: More) -> None:
    assert "prompts_hold_answers" not in kinds(evidence(asked(lambda item: ""), asked(more)))


def test_what_stands_elsewhere_on_the_other_side_was_not_added() -> None:
    before = asked(lambda item: f"The {gold(item)} is far away.\n")
    behind = [
        choice(item, (-1.0, -2.0, -3.0, -4.0), item % 3, choices=[" A", " B", " C", " D"], doc=before[item]["doc"],
               prompt=f"The {gold(item)} is far away.\nWhere is item {item}?\nAnswer:")
        for item in range(40)
    ]  # fmt: skip
    assert task(before, behind).held is None


def written(more: More) -> list[Record]:
    """Return items whose answer is written out, with the number that a worked solution ends in."""
    return [
        answer(item, f"{3 * item}", target=f"Three each make {3 * item}.\n#### {3 * item}",
               prompt=f"Question {item}: how many are {item} times 3?\n{more(item)}Answer:")
        for item in range(40)
    ]  # fmt: skip


def test_a_target_that_is_told_before_it_is_asked_for_is_given_away() -> None:
    plain = written(lambda item: "")
    assert finding(evidence(plain, written(lambda item: f"Note: {3 * item} in all.\n")), "prompts_hold_answers", "b")
    assert task(plain, written(lambda item: f"Note: {7 * item + 1} was wrong.\n")).held is None
    assert task(plain, written(lambda item: "Question: 1 times 3?\nAnswer: 3\n")).held is None


def test_an_answer_is_held_as_words_of_its_own() -> None:
    assert holds("paris", "It is Paris.")
    assert holds("18", "so $18, then")
    assert not holds("18", "in 1180")
    assert not holds("A", "a word")


def test_prompts_with_other_words_quote_the_first_of_them() -> None:
    found = evidence(asked(lambda item: ""), asked(lambda item: f"Item {item} is an old one.\n"))
    assert '(at first B has "Item 0 is an old one." where A has nothing)' in finding(found, "prompt_other").text
    other = evidence(asked(lambda item: f"Say {item}?\n"), asked(lambda item: f"Item {item} is an old one.\n"))
    assert 'at first "Say 0?" in A, "Item 0 is an old one." in B' in finding(other, "prompt_other").text


@pytest.mark.parametrize("spread", [True, False])
def test_choices_that_a_prompt_offers_to_a_written_answer_give_none_away(spread: bool) -> None:
    def offered(more: More) -> list[Record]:
        options = [dict(zip(("op1", "op2", "op3", "op4"), texts(item), strict=True)) for item in range(40)]
        docs = [own if spread else {"q": item, "options": texts(item)} for item, own in enumerate(options)]
        return [
            answer(item, "a place", target=gold(item), prompt=f"Where is item {item}?{more(item)}\nAnswer:",
                   doc=docs[item]) for item in range(40)
        ]  # fmt: skip

    plain = offered(lambda item: "")
    assert task(plain, offered(lambda item: f" Options: {', '.join(texts(item))}.")).held is None
    told = task(plain, offered(lambda item: f" It was seen at the {gold(item)}.")).held
    assert told is not None
    assert told.number == 40
