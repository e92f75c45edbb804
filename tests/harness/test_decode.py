"""A logged line: its parts as bytes, and the sample that it means in whichever form it was written."""

import json
from pathlib import Path
from typing import Any

import pytest

from diptych.harness.lm_eval.decode import sample_of
from diptych.harness.lm_eval.line_cuts import EncodedLine, RecordLine, cut_of
from diptych.sample_log import Message
from written_runs import answer_record, choice_record, line

Json = Any
PARTS = {
    "raw_document": "doc",
    "raw_target": "target",
    "raw_requests": "arguments",
    "raw_responses": "resps",
    "raw_filtered": "filtered_resps",
}

HOSTILE_DOC = {
    "a": '", "arguments": {"gen_args_0": ',
    "target": "17",
    "resps": [["x"]],
    "arguments": {"gen_args_0": {"arg_0": "y"}},
    "filtered_resps": ["z"],
    "filter": "none",
    "doc_hash": "0",
}

RECORDS: dict[str, dict[str, Json]] = {
    "choices": choice_record(1),
    "answers": answer_record(1, 'He said "no" \\ and left\nthen'),
    "document with every key": choice_record(1, doc=HOSTILE_DOC),
    "document with keys in its last place": choice_record(1, doc={"x": {"target": "5", "arguments": {"a": 1}}}),
    "target with quotes": choice_record(1, target='a "b" \\" c'),
    "target list": choice_record(1, target=["a", {"target": "b"}]),
    "target object": choice_record(1, target={"target": {"arguments": "x"}}),
    "target null": choice_record(1, target=None),
    "arguments with a key of that name": choice_record(
        1, arguments={"gen_args_0": {"arg_0": "p", "arg_1": {"arguments": {"x": 1}, "resps": [], "until": []}}}
    ),
    "responses that are objects": choice_record(1, resps=[[{"resps": [1], "arguments": {}}]]),
    "no arguments": choice_record(1, arguments={}),
    "arguments as lists": choice_record(1, arguments=[["p", " a"], ["p", " b"]]),
    "text id": choice_record(1, doc_id="x-1"),
    "accents": choice_record(1, doc={"q": "ä\u2028 😀"}),
    "no filter": {
        key: value for key, value in choice_record(1, doc=HOSTILE_DOC).items() if key not in ("filter", "metrics")
    },
    "metrics but no filter": {key: value for key, value in choice_record(1).items() if key != "filter"},
}


@pytest.mark.parametrize("kind", RECORDS)
def test_the_parts_of_a_line_are_its_records_parts(kind: str) -> None:
    record = RECORDS[kind]
    encoded, kept = EncodedLine(line(record)[:-1], "none"), RecordLine(record, "none")
    for name, key in PARTS.items():
        assert json.loads(getattr(encoded, name)) == record[key], name
        assert getattr(encoded, name) == getattr(kept, name), name


@pytest.mark.parametrize("kind", ["choices", "answers", "accents", "document with every key", "no filter"])
def test_a_usual_line_is_cut_without_parsing(kind: str) -> None:
    assert cut_of(line(RECORDS[kind])[:-1]) is not None


ANSWERED: dict[str, dict[str, Json]] = {
    "alike": {},
    "answers": {"resps": [["other"]], "filtered_resps": ["other"]},
    "answers with the keys of a line": {"resps": [['x"], "filtered_resps": ["y'], ["\\"]], "filtered_resps": ["], "]},
    "answers that are objects": {"resps": [{"filtered_resps": [1], "a": "b"}]},
    "another document": {"doc": {"q": "another"}},
}


@pytest.mark.parametrize("answered", ANSWERED)
@pytest.mark.parametrize("kind", RECORDS)
def test_a_line_that_begins_as_the_other_sides_is_cut_as_it_would_be_alone(kind: str, answered: str) -> None:
    record = RECORDS[kind] | ANSWERED[answered]
    first, alone = EncodedLine(line(RECORDS[kind])[:-1], "none"), EncodedLine(line(record)[:-1], "none")
    following = EncodedLine(line(record)[:-1], "none")
    following.follow(first)
    for name, key in PARTS.items():
        assert getattr(following, name) == getattr(alone, name), name
        assert json.loads(getattr(following, name)) == record[key], name


@pytest.mark.parametrize("kind", RECORDS)
def test_a_line_means_the_same_from_a_file_and_from_memory(kind: str) -> None:
    record = RECORDS[kind]
    encoded, kept = EncodedLine(line(record), "f"), RecordLine(record, "f")
    assert encoded.sample() == kept.sample()
    assert encoded.requests() == kept.requests() == encoded.sample().requests


def test_requests_are_in_the_order_of_their_numbers() -> None:
    arguments = {f"gen_args_{number}": {"arg_0": "p", "arg_1": f" {number}"} for number in (10, 2, 0, 11, 1)}
    sample = sample_of(choice_record(0, arguments=arguments), "none")
    assert [request.continuation for request in sample.requests] == [" 0", " 1", " 2", " 10", " 11"]


def test_lists_and_objects_of_arguments_mean_the_same() -> None:
    named = choice_record(0)
    listed = choice_record(0, arguments=[list(request.values()) for request in named["arguments"].values()])
    assert sample_of(named, "none").requests == sample_of(listed, "none").requests


def test_log_likelihoods_are_numbers_whether_written_as_texts_or_numbers() -> None:
    texts = choice_record(0)
    numbers = choice_record(
        0, resps=[[[-0.5, True]], [[-1.25, False]]], filtered_resps=[[-0.5, True], [-1.25, False]], target=0
    )
    assert (
        sample_of(texts, "none").responses
        == sample_of(numbers, "none").responses
        == (
            ((-0.5, True),),
            ((-1.25, False),),
        )
    )
    assert sample_of(texts, "none").filtered == ((-0.5, True), (-1.25, False))
    assert sample_of(numbers, "none").target == "0"


def test_an_answer_in_words_keeps_its_text_and_each_repeat() -> None:
    record = answer_record(0)
    record |= {"resps": [["-0.5", "two"]], "filtered_resps": ["-0.5"]}
    sample = sample_of(record, "none")
    assert sample.responses == (("-0.5", "two"),)
    assert sample.filtered == ("-0.5",)
    assert sample.requests[0].arguments == {"until": ["\n"], "temperature": 0.0}


def test_a_rolling_log_likelihood_is_a_pair() -> None:
    record = choice_record(0, arguments={"gen_args_0": {"arg_0": "text"}}, resps=[["-12.5"]], filtered_resps=["-12.5"])
    sample = sample_of(record, "none")
    assert sample.responses == (((-12.5, False),),)
    assert sample.filtered == ((-12.5, False),)


TURNS = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
TYPED = [{**turn, "type": "text"} for turn in TURNS]
IN_PARTS = [{**turn, "content": [{"type": "text", "text": turn["content"]}]} for turn in TURNS]


@pytest.mark.parametrize(
    "context",
    [[json.dumps(TURNS)], json.dumps(TURNS), [json.dumps(TYPED)], TURNS, [json.dumps(IN_PARTS)]],
    ids=["list", "text", "typed", "plain", "parts"],
)
def test_a_chat_prompt_is_its_turns_however_it_is_written(context: Json) -> None:
    sample = sample_of(answer_record(0) | {"arguments": {"gen_args_0": {"arg_0": context, "arg_1": {}}}}, "none")
    assert sample.requests[0].messages == (Message("system", "Be brief."), Message("user", "Hi"))
    assert sample.requests[0].context == "Be brief.\nHi"


@pytest.mark.parametrize("context", ["plain", "[{not json", '[{"a": 1}]', "[]", ""])
def test_a_prompt_that_only_looks_like_turns_is_a_text(context: str) -> None:
    sample = sample_of(answer_record(0) | {"arguments": {"gen_args_0": {"arg_0": context, "arg_1": {}}}}, "none")
    assert (sample.requests[0].messages, sample.requests[0].context) == (None, context)


def test_scores_are_kept_as_logged_but_finite() -> None:
    record = choice_record(0, f1=[1, [0]], mae=float("inf"), word_perplexity=[-12.5, 5], metrics=[])
    assert sample_of(record, "none").scores == {"acc": 1.0, "f1": [1, [0]], "mae": None, "word_perplexity": [-12.5, 5]}


def test_a_sample_can_be_written_as_strict_json() -> None:
    raw = line(choice_record(1)).replace(b"Question", b"\\ud83d\\ude00 \\ud800")
    sample = EncodedLine(raw, "none").sample()
    text = json.dumps(sample.requests[0].context, allow_nan=False).encode("utf-8")
    assert sample.requests[0].context.startswith("😀 \ufffd")
    assert text


def test_parts_of_a_damaged_line_are_null(tmp_path: Path) -> None:
    assert EncodedLine(b'{"doc_id": 1, "doc": {"a"', "none").raw_document == b"null"
