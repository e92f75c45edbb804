"""What kind of difference two prompts show: one table of pairs, and the sentence over a whole task."""

import json

import pytest

from diptych.catalogue.chat_templates import GRAMMARS
from diptych.diagnose.options import Options
from diptych.diagnose.samples.example_edits import number_of_examples
from diptych.diagnose.samples.prompt_edits import common_ends
from diptych.diagnose.samples.prompt_parts import take_apart
from diptych.diagnose.samples.task_evidence import gather
from diptych.diagnose.samples.white_space import squeezed, white_space_apart
from diptych.sample_log import Message, Request
from sample_logs import answer, evidence, finding, kinds, run_of, task

QUESTION = "Question: What is 2 + 2?\nAnswer:"
SHOTS = "Question: What is 1 + 1?\nAnswer: 2\n\nQuestion: What is 3 + 1?\nAnswer: 4\n\n"
OTHERS = "Question: What is 5 + 1?\nAnswer: 6\n\nQuestion: What is 4 + 4?\nAnswer: 8\n\n"


def messages(*turns: tuple[str, str]) -> list[str]:
    return [json.dumps([{"role": role, "content": text} for role, text in turns])]


def chatml(*turns: tuple[str, str]) -> str:
    filled = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
    return filled + "<|im_start|>assistant\n"


TURNS = (
    ("user", "Question: What is 1 + 1?\nAnswer:"),
    ("assistant", "2"),
    ("user", "Question: What is 3 + 1?\nAnswer:"),
    ("assistant", "4"),
    ("user", QUESTION),
)

BRIEF = chatml(("system", "Be brief."), ("user", QUESTION))
GEMMA = f"<start_of_turn>user\n{QUESTION}<end_of_turn>\n<start_of_turn>model\n"
ONE_TURN = messages(("user", OTHERS + QUESTION))

AHEAD = {
    "a paragraph": "Answer the sums.\n\n",
    "two": "You are careful.\n\nState a number only.\n\n",
    "a blank line inside": "You are careful.\n\nState a number only. ",
    "one line": "Question after question: ",
}
"""Texts in front of the first example: a system text, a description, the blank lines that they hold."""
LAST = f"{SHOTS.partition(chr(10) * 2)[2]}{QUESTION}"
STORIES = "One story, two stories\n\nOne wife, two wives\n\nOne potato, two"
PASSAGES = (
    "Passage: Rain fell.\n\nQuestion: Wet?\nAnswer: yes\n\nPassage: Sun shone.\n\nQuestion: Wet?\nAnswer: no\n\n"
    "Passage: Hail fell.\n\nQuestion: Wet?\nAnswer:"
)

PAIRS = [
    ("the same", QUESTION, QUESTION, set()),
    ("ChatML", QUESTION, chatml(("user", QUESTION)), {"role_markers"}),
    (
        "ChatML with a system text",
        QUESTION,
        BRIEF,
        {"role_markers", "system_text"},
    ),
    ("Gemma", QUESTION, f"<start_of_turn>user\n{QUESTION}<end_of_turn>\n<start_of_turn>model\n", {"role_markers"}),
    (
        "Gemma, start token",
        QUESTION,
        f"<bos><start_of_turn>user\n{QUESTION}<end_of_turn>\n",
        {"role_markers", "start_token"},
    ),
    ("Llama 2", QUESTION, f"<s>[INST] {QUESTION} [/INST]", {"role_markers", "start_token"}),
    (
        "Llama 3",
        QUESTION,
        f"<|start_header_id|>user<|end_header_id|>\n\n{QUESTION}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        {"role_markers"},
    ),
    ("Zephyr", QUESTION, f"<|user|>\n{QUESTION}</s>\n<|assistant|>\n", {"role_markers"}),
    ("Alpaca", QUESTION, f"### Instruction:\n{QUESTION}\n\n### Response:\n", {"role_markers"}),
    ("turn tags", QUESTION, f"<turn>user\n{QUESTION}</turn>\n<turn>assistant\n", {"role_markers"}),
    ("DeepSeek", QUESTION, f"<｜User｜>{QUESTION}<｜Assistant｜>", {"role_markers"}),
    ("two templates", chatml(("user", QUESTION)), f"<|user|>\n{QUESTION}<|end|>\n<|assistant|>\n", {"role_markers"}),
    ("a system text", chatml(("user", QUESTION)), BRIEF, {"system_text"}),
    (
        "instructions moved to the system turn",
        f"Be brief.\n\n{QUESTION}",
        BRIEF,
        {"role_markers"},
    ),
    ("instructions in front", QUESTION, f"Answer with one number.{QUESTION}", {"system_text"}),
    ("examples", QUESTION, SHOTS + QUESTION, {"examples"}),
    ("other examples", OTHERS + QUESTION, SHOTS + QUESTION, {"examples"}),
    *((name, SHOTS + QUESTION, ahead + SHOTS + QUESTION, {"system_text"}) for name, ahead in AHEAD.items()),
    ("another description", AHEAD["a paragraph"] + SHOTS + QUESTION, AHEAD["two"] + SHOTS + QUESTION, {"other"}),
    ("other examples, too", OTHERS + QUESTION, AHEAD["two"] + SHOTS + QUESTION, {"examples"}),
    ("the first example", "Question: What is 9?\nAnswer: 9\n\n" + LAST, AHEAD["two"] + SHOTS + QUESTION, {"examples"}),
    ("words recur", STORIES, f"{AHEAD['two']}{STORIES}", {"system_text"}),
    ("words recur in a line", STORIES, f"Give the plural. {STORIES}", {"system_text"}),
    ("passages", PASSAGES, f"{AHEAD['two']}{PASSAGES}", {"system_text"}),
    ("other passages", PASSAGES, f"{AHEAD['two']}{PASSAGES.replace('Rain', 'Snow')}", {"examples"}),
    (
        "a description in front of turns",
        messages(*TURNS),
        messages(("user", AHEAD["two"] + TURNS[0][1]), *TURNS[1:]),
        {"system_text"},
    ),
    (
        "other descriptions in front of turns",
        messages(("user", AHEAD["a paragraph"] + TURNS[0][1]), *TURNS[1:]),
        messages(("user", AHEAD["two"] + TURNS[0][1]), *TURNS[1:]),
        {"other"},
    ),
    ("examples as turns", messages(("user", SHOTS + QUESTION)), messages(*TURNS), {"example_layout"}),
    ("examples as turns in a template", chatml(("user", SHOTS + QUESTION)), chatml(*TURNS), {"example_layout"}),
    ("examples as turns against text", SHOTS + QUESTION, chatml(*TURNS), {"role_markers", "example_layout"}),
    (
        "other examples as turns",
        messages(("user", OTHERS + QUESTION)),
        messages(*TURNS),
        {"examples", "example_layout"},
    ),
    ("messages of the same words", QUESTION, messages(("user", QUESTION)), {"same_words"}),
    ("a trailing space", QUESTION, QUESTION + " ", {"white_space"}),
    ("CR LF", QUESTION, QUESTION.replace("\n", "\r\n"), {"white_space"}),
    ("a no-break space", QUESTION, QUESTION.replace("is 2", "is\u00a02"), {"white_space"}),
    ("a byte order mark", QUESTION, "\ufeff" + QUESTION, {"white_space"}),
    ("a zero-width space", QUESTION, QUESTION.replace("2 +", "2\u200b +"), {"white_space"}),
    ("a start token", QUESTION, "<s>" + QUESTION, {"start_token"}),
    ("two start tokens", "<bos>" + QUESTION, "<bos><bos>" + QUESTION, {"start_token"}),
    ("other words", QUESTION, "Question: What is 2 plus 2?\nAnswer:", {"other"}),
    ("another question", QUESTION, "Q: What is 2 + 2?\nA:", {"other"}),
]


@pytest.mark.parametrize(("a", "b", "expected"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_a_prompt_difference_has_its_kinds(a: object, b: object, expected: set[str]) -> None:
    there = task([answer(0, prompt=a)], [answer(0, prompt=b)])
    back = task([answer(0, prompt=b)], [answer(0, prompt=a)])
    assert there.prompts is not None
    assert back.prompts is not None
    assert set(there.prompts.kinds) == set(back.prompts.kinds) == expected


NAMES = {
    "role_markers": "prompt_role_markers",
    "examples": "prompt_examples",
    "example_layout": "prompt_example_layout",
    "system_text": "prompt_system_text",
    "white_space": "prompt_white_space",
    "start_token": "prompt_start_token",
    "other": "prompt_other",
    "same_words": "tokens_unseen",
}


@pytest.mark.parametrize("kind", NAMES)
def test_every_kind_of_difference_is_a_finding_with_its_count(kind: str) -> None:
    a, b = next(pair[1:3] for pair in PAIRS if kind in pair[3])
    found = evidence([answer(n, prompt=a) for n in range(4)], [answer(n, prompt=a if n == 2 else b) for n in range(4)])
    one = finding(found, NAMES[kind])
    assert (one.count_, one.of, one.evidence) == (3, 4, ("0", "1", "3"))


def test_the_side_that_lays_examples_out_as_turns_is_named() -> None:
    text, turns = answer(0, prompt=messages(("user", SHOTS + QUESTION))), answer(0, prompt=messages(*TURNS))
    for one, other, side in ((text, turns, "B lays"), (turns, text, "A lays")):
        found = task([one], [other]).prompts
        assert found is not None
        assert side in found.sentence


def test_the_side_that_lays_other_examples_out_as_turns_is_named() -> None:
    text, turns = answer(0, prompt=messages(("user", OTHERS + QUESTION))), answer(0, prompt=messages(*TURNS))
    for one, two, side in ((text, turns, "B lays examples"), (turns, text, "A lays examples")):
        found = task([one], [two]).prompts
        assert found is not None
        assert side in found.sentence


@pytest.mark.parametrize("ahead", AHEAD.values())
def test_other_examples_are_counted_alike_from_both_sides_whatever_stands_in_front(ahead: str) -> None:
    one, other = (
        answer(0, prompt=SHOTS + QUESTION),
        answer(0, prompt=f"{ahead}{SHOTS.replace('3 + 1', '1 + 3')}{QUESTION}"),
    )
    for a, b in ((one, other), (other, one)):
        found = task([a], [b]).prompts
        assert found is not None
        assert "2 examples on both sides" in found.sentence
        assert (found.kinds, found.other_number, found.other_order) == ({"examples": 1}, 0, 0)


def test_one_sentence_tells_the_count_and_the_shared_prefix() -> None:
    left = [answer(number) for number in range(5)]
    right = [answer(n, prompt=SHOTS + f"Question: What is item {n}?\nAnswer:") for n in range(5)]
    found = task(left, right).prompts
    assert found is not None
    assert found.sentence.startswith(f"5 of 5 prompts differ, all by the same {len(SHOTS)}-character prefix")
    assert "no examples in A, 2 examples in B" in found.sentence


def test_equal_prompts_are_said_to_be_the_same() -> None:
    found = task([answer(0)], [answer(0)]).prompts
    assert found is not None
    assert (found.equal, found.sentence) == (1, "All 1 prompts are the same.")


def test_messages_of_the_same_words_are_equal_on_the_ladder_and_said_to_be_messages() -> None:
    right = [answer(n, prompt=messages(("user", f"Question: What is item {n}?\nAnswer:"))) for n in range(3)]
    found = evidence([answer(n) for n in range(3)], right)
    assert found.tasks[0].ladder.first_break is None
    assert (found.tasks[0].messages_a, found.tasks[0].messages_b) == (0, 3)
    assert "prompt_other" not in kinds(found)


def test_every_context_counts_not_only_the_first() -> None:
    left, right = answer(0), answer(0)
    for record, word in ((left, "one"), (right, "two")):
        record["arguments"] = {
            "gen_args_0": {"arg_0": "The same", "arg_1": " end"},
            "gen_args_1": {"arg_0": f"Not the same {word}", "arg_1": " end"},
        }
        record["resps"], record["filtered_resps"] = (
            [[["-1", "False"]], [["-2", "False"]]],
            [["-1", "False"], ["-2", "False"]],
        )
    assert task([left], [right]).ladder.first_break == "prompts"


@pytest.mark.parametrize(("start", "once", "twice"), [("<bos>", 2, 0), ("<s><s>", 0, 2), ("<|begin_of_text|>", 2, 0)])
def test_literal_start_tokens_are_counted_on_each_side(start: str, once: int, twice: int) -> None:
    rows = [answer(number, prompt=start + QUESTION) for number in range(2)]
    found = task(rows, [answer(number, prompt=QUESTION) for number in range(2)])
    assert found.starts_a is not None
    assert (found.starts_a.once, found.starts_a.twice, found.starts_a.of) == (once, twice, 2)
    assert found.starts_b is None


def test_a_start_token_twice_is_a_finding_of_its_side() -> None:
    rows = [answer(number, prompt="<bos><bos>" + QUESTION) for number in range(3)]
    assert finding(evidence([answer(number) for number in range(3)], rows), "start_token_doubled").side == "b"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (QUESTION, 0),
        (SHOTS + QUESTION, 2),
        ("Give the opposite.\n\nhot is cold\n\nup is", 0),
        ("One story, two stories\n\nOne wife, two wives\n\nOne potato, two", 2),
        (AHEAD["two"] + SHOTS + QUESTION, 2),
        (AHEAD["two"] + STORIES, 2),
        (PASSAGES, 2),
        ("", 0),
    ],
)
def test_examples_are_counted_by_their_cue(text: str, number: int) -> None:
    assert number_of_examples(take_apart(Request(text))) == number


def test_turns_come_apart_with_their_speakers() -> None:
    found = take_apart(Request(chatml(("system", "Be brief."), *TURNS)))
    assert (found.system, found.answers, found.turns[-1].role) == ("Be brief.", 2, "assistant")
    listed = take_apart(Request("", tuple(Message(role, text) for role, text in TURNS)))
    assert (listed.answers, listed.listed) == (2, True)


def test_every_grammar_is_named_once() -> None:
    assert len({name for name, _ in GRAMMARS}) == len(GRAMMARS)


@pytest.mark.parametrize(
    ("a", "b"), [("", ""), ("abc", "abc"), ("abc", "abd"), ("aaa", "aa"), ("x" * 900 + "y", "x" * 900)]
)
def test_common_ends_never_overlap(a: str, b: str) -> None:
    start, end = common_ends(a, b)
    assert a[:start] == b[:start]
    assert a[len(a) - end :] == b[len(b) - end :]
    assert start + end <= min(len(a), len(b))


@pytest.mark.parametrize(
    ("a", "b", "name"),
    [
        ("x", "x ", "space at the end"),
        ("x", "x\n", "line break"),
        ("a b", "a\u00a0b", "no-break"),
        ("a b", "a\tb", "tabs"),
    ],
)
def test_white_space_is_named(a: str, b: str, name: str) -> None:
    assert name in white_space_apart(a, b)


def test_squeezing_takes_seen_and_unseen_white_space() -> None:
    assert squeezed("\ufeffa\u200b b\u00a0c\r\n") == "abc"


def test_prompts_of_more_words_than_the_model_takes_tokens_were_cut() -> None:
    rows = [answer(n, prompt="word " * (50 if n else 5) + QUESTION) for n in range(4)]
    short = run_of(rows, settings={"model_args.max_length": 40})
    found = finding(gather(run_of(rows, settings={"max_length": 4096}), short, Options()), "prompts_cut")
    assert (found.side, found.count_, found.of, found.evidence) == ("b", 3, 4, ("1", "2", "3"))


def test_two_unlike_templates_are_both_named_and_none_is_called_plain_text() -> None:
    made = evidence([answer(n, prompt=BRIEF) for n in range(3)], [answer(n, prompt=GEMMA) for n in range(3)])
    said = finding(made, "prompt_role_markers").text
    assert "A uses <|im_end|>, <|im_start|>" in said
    assert "B <end_of_turn>, <start_of_turn>" in said
    assert "plain text" not in said


def test_a_template_on_one_side_says_which_side_has_none() -> None:
    made = evidence([answer(n, prompt=GEMMA) for n in range(3)], [answer(n, prompt=QUESTION) for n in range(3)])
    assert "A has <end_of_turn>, <start_of_turn>" in finding(made, "prompt_role_markers").text
    assert "B is plain text" in finding(made, "prompt_role_markers").text
