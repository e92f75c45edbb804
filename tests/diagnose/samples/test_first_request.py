"""What a task asks for, by its first request."""

import pytest

from diptych.diagnose.samples.first_request import Asked, asked_for
from diptych.sample_log import Json, Request


@pytest.mark.parametrize(
    ("arguments", "drawn"),
    [
        ({}, False),
        ({"do_sample": False, "temperature": 0.0}, False),
        ({"do_sample": True}, True),
        ({"temperature": "0.8"}, True),
    ],
)
def test_a_written_answer_is_drawn_where_the_request_draws_or_warms(arguments: dict[str, Json], drawn: bool) -> None:
    assert asked_for([Request("Question:", arguments=arguments)]) == Asked("generation", drawn=drawn)


def test_continuations_are_choices_and_may_be_asked_for_twice() -> None:
    with_question = [Request("Question:", continuation=text) for text in (" red", " blue")]
    without = [Request("", continuation=text) for text in (" red", " blue")]
    assert asked_for(with_question) == Asked("choices")
    assert asked_for([*with_question, *without]) == Asked("choices", twice=True)


def test_a_bare_text_is_scored_whole_and_no_request_stands_for_a_written_answer() -> None:
    assert asked_for([Request("A whole text.")]) == Asked("likelihood")
    assert asked_for([]) == Asked("generation")
