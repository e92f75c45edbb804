"""Which setting did it, in words: each step with its number, CI and ground; the next run as it is to be copied."""

from selectolax.lexbor import LexborHTMLParser

from diptych.comparison import IsolatingRun
from diptych.matrix import Matrix, MatrixVerdict, SettingEffect
from diptych.publish.comment import comment
from diptych.report.comparison_pages import document_page
from diptych.report.documents.matrix import (
    effects_section,
    matrix_answer,
    matrix_document,
    matrix_sentence,
    next_section,
)
from diptych.report.page_frames import whole_frame
from diptych.report.writers.terminal import document_text
from examples_comparison import HOSTILE, matrix

SETTINGS = (("num_fewshot", (3, 0, 3, 3)), ("model", ("a", "a", "b", "b")), ("batch_size", (1, 1, 8, 8)))


def told(*effects: SettingEffect, **changes: object) -> Matrix:
    run = IsolatingRun("model", "lm_eval run --model b", "", None, "", "")
    return matrix()._replace(  # type: ignore[arg-type]
        effects=effects, settings=SETTINGS, **{"next_run": run, "next_settings": ("model", "batch_size"), **changes}
    )


def effect(*settings: str, place: int = 1, note: str = "", **numbers: float) -> SettingEffect:
    row = matrix().rows[0]
    return SettingEffect(row.task, row.metric, row.filter, settings, 0, place, note, **numbers)


def text_of(made: Matrix) -> str:
    return document_text(matrix_document(made), full=True)


def test_a_significant_effect_has_its_step_number_interval_and_word() -> None:
    text = text_of(told(effect("num_fewshot", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001)))
    shown = text.split("WHICH SETTING DID IT")[1]
    for part in ("num_fewshot: 3 → 0", "−27.5 pp", "−40.0 to −15.0", "▼ worse"):
        assert part in shown


def test_an_effect_that_may_be_luck_has_no_word_of_better_or_worse() -> None:
    made = told(effect("num_fewshot", difference=-0.02, low=-0.06, high=0.02, p_adjusted=0.3))
    shown = text_of(made).split("WHICH SETTING DID IT")[1].split("SETTINGS THAT DIFFER")[0]
    assert "inconclusive" in shown
    assert "worse" not in shown


SAID = MatrixVerdict("different", "One part. Two.", ("One part.", "Two."), "Repeat a with only model taken from b.")


def test_words_for_each_of_many_runs_follow_each_other_on_a_phone_and_effects_take_lines_of_their_own() -> None:
    made = told(effect("num_fewshot", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001))
    page = LexborHTMLParser(document_page(matrix_document(made), whole_frame("Runs")))
    assert len(page.css("[aria-labelledby=settings] table.many tbody tr")) == len(SETTINGS)
    assert [cell.text() for cell in page.css("[aria-labelledby=effects] thead th.l")] == ["Task, metric", "Estimated"]


def test_settings_that_changed_together_are_confounded_and_the_next_run_parts_them() -> None:
    row = effect("model", "batch_size", place=2, note="confounded with other settings")
    made = told(row, verdict=SAID)
    text = " ".join(text_of(made).split())
    assert "Confounded, so that no run tells apart what each did: model (with 1 more)." in text
    assert text.count("Repeat a with only model taken from b.") == 2, "in the verdict, and beside the command"
    assert "lm_eval run --model b" in text


def test_the_page_shows_each_effect_and_the_command_and_obeys_no_text() -> None:
    row = effect("model", difference=0.1, low=0.05, high=0.15, p_adjusted=0.001)
    made = told(row)._replace(settings=(("model", ("<script>", "b", "", "")),))
    text = document_page(matrix_document(made), whole_frame("Runs"))
    assert "+10.0 pp" in text
    assert "lm_eval run --model b" in text
    assert "<script>" not in text


def test_a_comment_names_the_settings_that_moved_a_score() -> None:
    real = effect("num_fewshot", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001)
    text = comment([told(real)]).text
    assert "Which setting did it" in text
    assert "−27.5" in text


def test_without_a_run_to_make_nothing_is_said_of_one() -> None:
    assert next_section(told(next_run=None)).blocks == ()
    assert effects_section(told(next_run=None)).blocks == ()


def test_a_hostile_value_stays_on_its_line_and_keeps_no_escape_code() -> None:
    made = told(effect("model", difference=0.1, p_adjusted=0.01))._replace(
        settings=(("model", (HOSTILE, "b", "", "")),)
    )
    assert all("\x1b" not in line and len(line) <= 80 for line in text_of(made).split("\n"))


def test_a_verdict_stands_part_by_part_and_an_older_artifact_has_its_answer_in_a_few_words() -> None:
    first, *lines = text_of(told(verdict=SAID)).splitlines()[:4]
    assert first == "▼ 2 of 3 worse than base-3shot (baseline)", "the answer leads where the first part names no run"
    assert lines == ["  One part.", "  Two.", "  Next: Repeat a with only model taken from b."]
    assert matrix_sentence(told()).startswith("4 runs: ")


def test_what_an_effect_rests_on_is_never_cut_in_a_terminal() -> None:
    note = "at the first run's other settings: this effect is not the same at others"
    made = told(effect("num_fewshot", "model", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001, note=note))
    assert note in " ".join(text_of(made).split())


def test_runs_that_differ_from_each_other_but_none_from_the_first_say_so() -> None:
    made = matrix()
    rows = tuple(
        row._replace(cells=tuple(cell._replace(status="worse" if cell.a else "unclear") for cell in row.cells))
        for row in made.rows
    )
    words = "none differs from base-3shot (baseline), some from each other"
    assert matrix_answer(made._replace(rows=rows)) == ("≠", words, "mixed")


def test_many_runs_stand_with_each_score_its_letters_and_a_dash_where_there_is_none() -> None:
    lines = [line.split() for line in text_of(matrix()).splitlines()]
    assert ["0.2933", "a", "0.2133", "ab", "0.2467", "a", "0.1400", "b"] in lines
    assert ["facts", "acc", "0.9000", "a", "–", "0.8800", "a", "0.9000", "a"] in lines
