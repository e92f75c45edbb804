"""The terminal report fits its columns, answers in 25 lines, and never lets a text act on the terminal."""

import re
import subprocess
import time
from typing import get_args

import pytest

from diptych.catalogue.words import NO_ITEM_CHANGED, STATUSES
from diptych.closed_names import PartRole
from diptych.comparison import Comparison, Finding, Gate, Ladder, Rung, VerdictPart
from diptych.matrix import Matrix
from diptych.report.blocks import Diff, Verdict
from diptych.report.documents.changes import sample_blocks
from diptych.report.documents.comparison import comparison_document
from diptych.report.documents.matrix import matrix_document
from diptych.report.documents.repeats import repeats_document
from diptych.report.writers.columns import paragraph, width_of, wrapped
from diptych.report.writers.commands import command_lines
from diptych.report.writers.terminal import document_text, sample_text
from diptych.report.writers.terminal_blocks import block_lines
from diptych.report.writers.terminal_tables import Paper
from examples_comparison import HOSTILE, comparison, header, matrix, repeats


def words_of(command: str) -> list[str]:
    """Return a command's words as a shell sees them."""
    shown = subprocess.run(["sh", "-c", f"printf '%s\\0' {command.strip()}"], capture_output=True, check=True)
    return shown.stdout.decode().split("\0")


def whole(made: Comparison | Matrix, width: int = 80, colour: bool = False) -> str:
    document = comparison_document(made) if isinstance(made, Comparison) else matrix_document(made)
    return document_text(document, width, colour, full=True)


def short(made: Comparison | Matrix) -> str:
    document = comparison_document(made) if isinstance(made, Comparison) else matrix_document(made)
    return document_text(document)


@pytest.mark.parametrize("width", [60, 72, 80])
def test_no_line_is_wider_than_asked(width: int) -> None:
    samples = sample_text(sample_blocks(comparison(), 9, responses=True), width)
    floors = document_text(repeats_document(repeats()), width)
    for text in (whole(comparison(), width), whole(matrix(), width), samples, floors):
        assert [line for line in text.split("\n") if width_of(line) > width] == []


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("one", None, "not recorded in right"),
        (None, "one", "not recorded in left"),
        (None, None, "not recorded in either"),
        ("one", "one", "equal"),
    ],
)
def test_a_text_that_one_side_lacks_is_said_to_be_missing_there(a: str | None, b: str | None, said: str) -> None:
    shown = sample_text([Diff("prompt", (), a, b, ("left", "right"))])
    assert said in shown
    assert ("one" in shown.replace("none", "")) == ((a is None) != (b is None))


def test_the_short_report_is_a_screen_and_says_how_to_see_more() -> None:
    text = short(comparison())
    assert len(text.rstrip().split("\n")) <= 25
    assert text.index("▼") < text.index("Task, metric") < text.index("suspects")
    assert text.rstrip().endswith("--html (the page).")


def test_a_tight_report_keeps_its_verdict_whole_and_counts_in_one_line_what_it_leaves_out() -> None:
    made = comparison()
    answer = " ".join(f"word{number}" for number in range(20))
    told = tuple(VerdictPart(role, f"{answer} {role}.") for role in ("answer", "cause"))
    rows = tuple(made.metrics[0]._replace(task=f"task_{number}", family_heads=40) for number in range(40))
    text = short(made._replace(verdict=made.verdict._replace(parts=told), metrics=rows, findings=made.findings * 9))
    assert len(text.rstrip().split("\n")) <= 25
    flat = " ".join(text.split())
    assert f"{answer} answer. {answer} cause." in flat
    assert re.search(r"Not shown: .*\d+ more rows of scores.*\d+ more warnings\.", flat)


def test_the_short_report_is_a_screen_however_much_there_is_to_say() -> None:
    made = comparison()
    told = tuple(VerdictPart(role, f"{role} {'so many words ' * 40}.") for role in get_args(PartRole) for _ in "abc")
    rows = tuple(made.metrics[0]._replace(task=f"task_{number}", family_heads=40) for number in range(40))
    much = made._replace(
        verdict=made.verdict._replace(parts=told, next_step="and then " * 60), metrics=rows, findings=made.findings * 9
    )
    text = short(much)
    assert len(text.rstrip().split("\n")) <= 25
    assert "task_0" in text
    assert "more rows of scores" in text
    assert text.rstrip().endswith("--html (the page).")


def test_a_cause_that_is_cut_has_the_lines_that_are_left_before_what_stands_beside_it() -> None:
    made = comparison()
    many = "a sentence that says a little more of the one before it " * 4
    cause = f"A setting ({'of a long value ' * 12}) left its mark. {'What shows it is much. ' * 20}"
    parts = (
        VerdictPart("answer", "B is worse than A."),
        VerdictPart("disagreement", f"{many}."),
        VerdictPart("cause", cause),
    )
    rows = tuple(made.metrics[0]._replace(task=f"task_{number}", family_heads=40) for number in range(40))
    text = short(made._replace(verdict=made.verdict._replace(parts=parts, next_step="Ask again."), metrics=rows))
    assert len(text.rstrip().split("\n")) <= 25
    assert "left its mark" in " ".join(text.split())


LONG_GATE = Gate(
    "policy",
    True,
    "NO-GO: critical a_benchmark_with_a_long_name.exact_match,strict-match: worse by 7.7 pp at least, allowed 2.0 pp",
    "fail",
)


def test_the_answer_of_a_gate_is_whole_in_a_short_report_however_much_else_there_is_to_say() -> None:
    made = comparison(gates=(LONG_GATE, *(LONG_GATE._replace(rule=f"policy:{at}") for at in range(6))))
    told = tuple(VerdictPart(role, f"{role} {'so many words ' * 40}.") for role in get_args(PartRole) for _ in "abc")
    for parts in (made.verdict.parts, told):
        text = short(made._replace(verdict=made.verdict._replace(parts=parts)))
        assert len(text.rstrip().split("\n")) <= 25
        assert "allowed 2.0 pp" in text


def test_a_tight_report_says_the_first_and_the_next_step_and_counts_the_sentences_between_that_have_no_room() -> None:
    lines = tuple((f"Sentence {number} of a verdict.",) for number in range(9))
    paper = Paper(80, colour=False, full=False, tight=7)
    said = block_lines(Verdict("?", "inconclusive", "unclear", lines), paper)
    assert [line.split()[-4] for line in said if line] == ["0", "1", "2", "3", "8"]
    assert paper.hidden == ["4 more sentences of the verdict"]


def test_ranges_of_several_levels_are_headed_by_the_least_and_the_most() -> None:
    first, *_ = comparison().metrics
    assert first.estimate
    other = first._replace(task="other", estimate=first.estimate._replace(confidence=0.9975))
    made = comparison(metrics=(first._replace(estimate=first.estimate._replace(confidence=0.975)), other))
    assert "97.5–99.8 % CI" in short(made)


def test_a_task_of_one_side_stands_in_the_whole_report_and_in_the_verdict_of_the_short_one() -> None:
    made = comparison()
    alone = made.metrics[0]._replace(task="elsewhere", b=None, b_present=False, status="not_available")
    parts = (VerdictPart("answer", "Worse."), VerdictPart("coverage", "elsewhere is in q4_1 alone."))
    told = made._replace(metrics=(made.metrics[0], alone), verdict=made.verdict._replace(parts=parts))
    assert short(told).count("elsewhere") == 1
    assert whole(told).count("elsewhere") > 1


def test_the_whole_report_has_its_sections_in_the_order_in_which_they_are_read() -> None:
    text = whole(comparison())
    names = ("SCORES", "FIRST DIVERGENCE", "SUSPECTS", "WARNINGS", "CHANGED ITEMS", "ISOLATING RUN", "PROVENANCE")
    places = [text.index(f"\n{name}") for name in names]
    assert places == sorted(places)
    assert "--apply_chat_template" in text[places[-2] :]


def test_both_results_files_are_named() -> None:
    made = comparison()
    text = short(made).replace("\n", "").replace(" ", "")
    for side in (made.a, made.b):
        assert side.results_file in text


def test_nothing_escapes_into_the_terminal() -> None:
    everywhere = comparison(title=HOSTILE, a=header(HOSTILE, "2025-11-01T10:00:01"))
    text = whole(everywhere) + short(everywhere) + whole(matrix())
    text += sample_text(sample_blocks(everywhere, 9, responses=True))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]", text)
    assert "⟨U+001B⟩" in text


def test_warnings_of_runs_that_are_called_alike_name_the_side() -> None:
    made = comparison()
    made = made._replace(
        b=made.b._replace(label=made.a.label), findings=(Finding("answers_cut", "warning", "A is cut, B is not."),)
    )
    text = " ".join(document_text(comparison_document(made), full=True).split())
    assert f"{made.a.label} (A) is cut, {made.a.label} (B) is not." in text


def test_colour_is_written_only_where_it_is_asked_for_and_says_nothing_new() -> None:
    plain, coloured = whole(comparison()), whole(comparison(), colour=True)
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert "\x1b[31m▼ worse\x1b[0m" in coloured


def test_scores_stand_below_each_other_at_the_decimal_point() -> None:
    lines = short(comparison()).split("\n")
    rows = [line for line in lines if re.search(r"0\.\d{4}  .*0\.\d{4}", line)]
    assert rows
    assert len({line.index(".", 20) for line in rows}) == 1


def test_samples_are_printed_side_by_side_so_many_a_task_and_equal_prompts_are_said() -> None:
    pair = comparison().prompts[0]
    many = comparison(prompts=tuple(pair._replace(item=str(number)) for number in range(5)))
    assert sample_text(sample_blocks(many, 3, responses=False)).count("arith, item") == 3
    text = sample_text(sample_blocks(comparison(), 2, responses=True))
    assert "response" in text
    flip = comparison().flips[0]
    alike = comparison(flips=(flip._replace(a=flip.a._replace(prompt="p"), b=flip.b._replace(prompt="p")),))  # type: ignore[union-attr]
    assert "equal" in sample_text(sample_blocks(alike, 1, responses=True))


def test_a_doc_stands_once_where_both_sides_have_the_same_and_side_by_side_where_not() -> None:
    flip = comparison().flips[0]
    made = comparison(flips=(flip,))
    doc = {"question": "What is 2 + 2?", "choices": ["3", "4"]}
    docs = {(flip.task, flip.item): (doc, doc)}
    text = sample_text(sample_blocks(made, 1, responses=True, docs=docs))
    assert text.count("question: What is 2 + 2?") == 1
    assert 'choices: ["3", "4"]' in text
    docs = {(flip.task, flip.item): (doc, {"question": "What is 2 + 3?"})}
    assert "│ question: What is 2 + 3?" in sample_text(sample_blocks(made, 1, responses=True, docs=docs))


def test_runs_without_a_shared_metric_are_told_so() -> None:
    assert "did not measure the same thing" in short(comparison(metrics=()))


def test_a_value_that_is_missing_is_not_zero() -> None:
    rows = [row for row in whole(comparison()).split("\n") if STATUSES["not_available"].word in row]
    assert rows
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


@pytest.mark.parametrize("text", ["日本語" * 20, "a" * 100, "a b " * 40, "é" * 90, "", "  lead " * 9])
def test_wrapping_keeps_every_letter_and_the_width(text: str) -> None:
    lines = wrapped(text, 20)
    assert all(width_of(line) <= 20 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_ladder_without_items_says_nothing_of_a_divergence() -> None:
    empty = Ladder("arith", None, (Rung("documents", 0, 0, None),))
    assert "First divergence" not in short(comparison(ladder=(empty,)))


def test_many_runs_are_each_set_beside_the_first_by_name() -> None:
    made = matrix()
    text = short(made)
    assert f"Differences from {made.runs[0].label}" in text
    assert re.search(rf"^1 +{made.runs[0].label} \(baseline\)", whole(made), re.MULTILINE)
    assert made.runs[1].label in text.split("Differences from")[1]


@pytest.mark.parametrize("unit", ["x", "日", "a\u0301 ", " "])
def test_a_long_line_is_wrapped_in_one_pass(unit: str) -> None:
    began = time.process_time()
    lines = wrapped(unit * 200_000, 80)
    assert time.process_time() - began < 10
    assert all(width_of(line) <= 80 for line in lines)


def test_a_metric_of_which_no_item_changed_is_not_called_inconclusive() -> None:
    one = comparison().metrics[0]
    found = one.estimate._replace(only_a=0, only_b=0, difference=0.0, pairs=34) if one.estimate else None
    text = whole(comparison(metrics=(one._replace(status="unclear", estimate=found),), verdict=comparison().verdict))
    assert NO_ITEM_CHANGED.word in text


def test_a_cut_line_shows_the_beginning_of_an_address_that_does_not_fit_and_of_no_usual_word() -> None:
    assert wrapped("base_url: http://127.0.0.1:8091/v1/chat/completions", 40, 1) == [
        "base_url: http://127.0.0.1:8091/v1/chat…"
    ]
    assert wrapped("one two three four five six", 12, 1) == ["one two…"]
    assert wrapped("first\nsecond and more of it", 12, 2) == ["first", "second and…"]
    assert wrapped("first\nsecond", 12, 1) == ["first…"]


def test_a_cut_paragraph_leaves_no_clause_without_the_number_that_it_compares() -> None:
    text = "Of b 127 of 150 are cut; a scores 0.478 and b 0.522 over the items that both completed."
    assert paragraph(text, 50, "", 1) == ["Of b 127 of 150 are cut …"]
    assert paragraph("It moves one metric: −7.8 pp (99.8 % CI −20 to +4), no more.", 40, "", 1) == [
        "It moves one metric: −7.8 pp …"
    ]
    assert paragraph(text, 90, "", 1) == [text]


def test_a_cut_paragraph_leaves_a_bracket_out_whose_numbers_do_not_fit() -> None:
    text = "The runs cover different items (arith: 150 of a, 50 of b, 50 shared); only shared ones are compared."
    assert paragraph(text, 50, "", 1) == ["The runs cover different items …"]
