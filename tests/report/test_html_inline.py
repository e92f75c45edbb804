"""Running text as HTML: what must not break at the end of a line does not."""

import pytest

from diptych.report.writers.html_inline import name_html, sentence_html


@pytest.mark.parametrize("whole", ["--limit 150", "--log_samples", "2026-11-29 14:39", "2026-11-29"])
def test_no_line_ends_inside_an_option_or_a_date(whole: str) -> None:
    assert f'<span class="nowrap">{whole}</span>' in sentence_html(f"Repeat all with {whole}, then compare.")


@pytest.mark.parametrize("text", ["−12.0 to +26.6", "a well-known word", "few-shot", "chat--x"])
def test_a_hyphen_inside_a_word_stays_as_it_is(text: str) -> None:
    assert sentence_html(text) == text


def test_a_long_name_may_break_at_its_joints_but_not_inside_a_version() -> None:
    assert name_html("lm-evaluation-harness_0.4.13/tasks") == "lm-evaluation-harness_<wbr>0.4.13/<wbr>tasks"
