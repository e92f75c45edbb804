"""The terminal report fits its columns, reads top-down, and never lets a text act on the terminal."""

import re
import subprocess

import pytest

from diptych.comparison import IsolatingRun, Ladder, Rung
from diptych.report.writers.columns import width_of, wrapped
from diptych.report.writers.terminal import comparison_text, matrix_text
from diptych.report.writers.terminal_parts import command_lines
from examples_comparison import HOSTILE, comparison, header, matrix

SECTIONS = (
    "SCORES",
    "SETTINGS",
    "TASK CONFIGURATION",
    "OUTSIDE THE HARNESS",
    "PROMPTS",
    "FINDINGS",
    "LEFT OUT",
    "VERDICT",
)


def words_of(command: str) -> list[str]:
    """Return a command's words as a shell sees them."""
    shown = subprocess.run(["sh", "-c", f"printf '%s\\0' {command.strip()}"], capture_output=True, check=True)
    return shown.stdout.decode().split("\0")


@pytest.mark.parametrize("width", [60, 72, 80])
def test_no_line_is_wider_than_asked(width: int) -> None:
    for text in (comparison_text(comparison(), width=width, samples=9), matrix_text(matrix(), width=width)):
        assert [line for line in text.split("\n") if width_of(line) > width] == []


def test_the_verdict_comes_first_and_the_next_run_last() -> None:
    text = comparison_text(comparison())
    assert text.startswith("≠ A real difference: B is worse on 1 of 4 tasks")
    places = [text.index(f"\n{name}") for name in SECTIONS]
    assert places == sorted(places)
    assert "--apply_chat_template" in text[places[-1] :]


def test_nothing_escapes_into_the_terminal() -> None:
    everywhere = comparison(title=HOSTILE, a=header(HOSTILE, "2025-11-01T10:00:01"))
    text = comparison_text(everywhere, samples=9) + matrix_text(matrix())
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]", text)
    assert "⟨U+001B⟩" in text


def test_colour_is_written_only_where_it_is_asked_for_and_says_nothing_new() -> None:
    plain, coloured = comparison_text(comparison()), comparison_text(comparison(), colour=True)
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert "\x1b[31m▼ worse\x1b[0m" in coloured


def test_scores_stand_below_each_other_at_the_decimal_point() -> None:
    lines = comparison_text(comparison()).split("\n")
    rows = [line for line in lines if re.search(r"0\.\d{4}  .*0\.\d{4}", line)]
    assert len({line.index(".") for line in rows}) == 1


def test_samples_says_how_many_prompts_a_task_are_shown() -> None:
    pair = comparison().prompts[0]
    many = comparison(prompts=tuple(pair._replace(item=str(number)) for number in range(5)))
    assert comparison_text(many, samples=0).count("arith, item") == 0
    assert comparison_text(many, samples=3).count("arith, item") == 3


def test_runs_without_a_shared_metric_are_told_so() -> None:
    assert "did not measure the same thing" in comparison_text(comparison(metrics=()))


def test_a_value_that_is_missing_is_not_zero() -> None:
    rows = [row for row in comparison_text(comparison()).split("\n") if "not available" in row]
    assert len(rows) == 2
    assert "0.0000" not in "".join(rows)


@pytest.mark.parametrize(
    "command",
    [
        "lm_eval run --model hf --model_args " + "pretrained=a," * 12 + "dtype=b --tasks x --num_fewshot 3 --limit 4",
        "lm_eval --model hf \\\n  --tasks arith \\\n  --log_samples",
        "lm_eval --system_instruction 'say --nothing, or\nas little -- as you can, ever, to anyone, at all' --tasks a "
        "--log_samples --output_path somewhere",
    ],
)
def test_a_broken_command_is_still_the_same_command(command: str) -> None:
    assert words_of("\n".join(command_lines(command, 80))) == words_of(command)


def test_a_comment_in_a_command_stays_a_comment_on_every_line() -> None:
    note = "# " + "a note that is longer than a line of eighty columns has room for " * 2
    lines = command_lines(f"{note}\nlm_eval --tasks a", 80)
    assert all(line.startswith("  # ") for line in lines[:-1])
    assert lines[-1] == "  lm_eval --tasks a"


def test_a_verdict_without_a_next_run_ends_with_its_next_step() -> None:
    verdict = comparison().verdict._replace(isolating_run=None)
    assert comparison_text(comparison(verdict=verdict)).rstrip().endswith("nothing else changed.")


def test_the_expected_time_of_the_next_run_is_told_where_it_is_known() -> None:
    run = IsolatingRun("limit", "lm_eval", "", 59.0, "a", "b")
    verdict = comparison().verdict._replace(isolating_run=run)
    assert "The run that isolates limit, about 59 s:" in comparison_text(comparison(verdict=verdict))


@pytest.mark.parametrize("text", ["日本語" * 20, "a" * 100, "a b " * 40, "é" * 90, "", "  lead " * 9])
def test_wrapping_keeps_every_letter_and_the_width(text: str) -> None:
    lines = wrapped(text, 20)
    assert all(width_of(line) <= 20 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_step_of_the_ladder_is_never_broken_and_a_bound_has_a_range() -> None:
    text = comparison_text(comparison())
    assert "generation\n" not in text.split("WHERE THE RUNS PART")[1].split("PROMPTS")[0]
    assert "0–0.025*" in text
    assert "* ours, not the run's" in text


def test_a_ladder_without_items_says_that_nothing_was_compared() -> None:
    empty = Ladder("arith", None, (Rung("documents", 0, 0, None),))
    assert "nothing could be compared" in comparison_text(comparison(ladder=(empty,)))


def test_many_runs_are_each_told_against_the_first_in_words() -> None:
    made = matrix()
    text = " ".join(matrix_text(made).split())
    assert f"AGAINST THE FIRST RUN A is {made.runs[0].label} 2 B is {made.runs[1].label}." in text
