"""What a logged row answers without being decoded: the same as its record would."""

import math

import pytest

from diptych.harness.line_comparison import LoggedLine
from diptych.harness.lm_eval.line_cuts import EncodedLine, RecordLine
from sample_logs import Record, answer, choice
from written_runs import line


def both(record: Record) -> tuple[LoggedLine, LoggedLine]:
    """Return a record as a line of a file and as one in memory."""
    return EncodedLine(line(record)[:-1], "none"), RecordLine(record, "none")


@pytest.mark.parametrize("kind", [0, 1])
def test_lines_of_one_record_are_the_same_in_every_part(kind: int) -> None:
    mine, again = both(answer(1, "four"))[kind], both(answer(1, "four"))[1 - kind]
    assert mine.identical_requests(again)
    assert mine.identical_responses(again)
    assert mine.identical_filtered(again)
    assert mine.same_document(again)
    assert mine.same_target(again)
    assert mine.same_responses(again)
    assert mine.same_filtered(again)
    assert mine.fingerprint() == again.fingerprint()
    assert mine.response_hash() == again.response_hash()


@pytest.mark.parametrize("kind", [0, 1])
def test_a_line_tells_which_part_differs(kind: int) -> None:
    mine = both(answer(1, "four"))[kind]
    other = both(answer(1, "five", prompt="Say five:", filtered="5", target="5", doc={"question": "another"}))[kind]
    assert not (mine.identical_requests(other))
    assert not (mine.identical_responses(other))
    assert not (mine.identical_filtered(other))
    assert not (mine.same_document(other))
    assert not (mine.same_target(other))
    assert not (mine.same_responses(other))
    assert not (mine.same_filtered(other))
    assert mine.fingerprint() != other.fingerprint()
    assert mine.response_hash() != other.response_hash()


@pytest.mark.parametrize("kind", [0, 1])
def test_responses_that_were_written_as_texts_or_as_numbers_are_the_same_but_not_identical(kind: int) -> None:
    record = choice(1, [-1.0, -2.5, -3.0, -4.0])
    numbers = [[[float(value), flag == "True"] for value, flag in pair] for pair in record["resps"]]
    mine, other = both(record)[kind], both({**record, "resps": numbers})[kind]
    assert mine.same_responses(other)
    assert not mine.identical_responses(other)
    assert mine.log_likelihoods() == other.log_likelihoods() == [-1.0, -2.5, -3.0, -4.0]
    assert mine.response_count() == 4


@pytest.mark.parametrize("kind", [0, 1])
def test_rows_with_one_template_around_their_prompts_differ_by_one_difference(kind: int) -> None:
    plain = [both(answer(item, prompt=f"What is {item}?"))[kind] for item in (1, 2)]
    dressed = [both(answer(item, prompt=f"<user>What is {item}?</user>"))[kind] for item in (1, 2)]
    found = plain[0].request_difference(dressed[0])
    assert found is not None
    assert found.rests == (True,)
    assert found == plain[1].request_difference(dressed[1])
    assert plain[1].differs_by(found, dressed[1])
    assert not plain[1].differs_by(found, dressed[0])
    back = dressed[0].request_difference(plain[0])
    assert back is not None
    assert dressed[1].differs_by(back, plain[1])
    assert plain[0].request_difference(plain[1]) is None


@pytest.mark.parametrize("kind", [0, 1])
def test_a_line_tells_its_budget_its_start_tokens_and_how_long_its_prompt_is(kind: int) -> None:
    mine = both(answer(1, prompt="<s>" + "one " * 50, arguments={"max_new_tokens": 7}))[kind]
    assert mine.budget() == 7
    assert mine.request_head() == ("<s>", len(mine.raw_requests))
    assert mine.prompt_exceeds(40)
    assert not mine.prompt_exceeds(60)
    assert not mine.prompt_exceeds(None)
    assert len(mine.raw_requests) < mine.size()
    silent = both(answer(1, arguments={"until": ["\n"]}))[kind]
    assert silent.budget() is None
    assert silent.request_head()[0] == ""


@pytest.mark.parametrize("kind", [0, 1])
def test_a_filter_that_took_the_first_answers_kept_them_whole(kind: int) -> None:
    record = choice(1, [-1.0, -2.5, -3.0, -4.0])
    assert both(record)[kind].kept_whole()
    assert not both({**record, "filtered_resps": record["filtered_resps"][:1]})[kind].kept_whole()
    assert both(answer(1, filtered="[invalid]" + "x" * 20))[kind].may_be_nothing()
    assert not both(answer(1, filtered="a long answer"))[kind].may_be_nothing()


@pytest.mark.parametrize("text", ["-1-375", "1.2.3", "1e5e5", "1e", "--1", "1-", "foo", ""])
@pytest.mark.parametrize("kind", [0, 1])
def test_a_log_likelihood_whose_text_is_no_number_is_none(kind: int, text: str) -> None:
    record = choice(1, [-1.0, -2.5])
    record["resps"][0][0][0] = text
    first, second = both(record)[kind].log_likelihoods()
    assert math.isnan(first)
    assert second == -2.5
