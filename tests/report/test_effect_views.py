"""Which setting did it, in words: each step with its number, range and ground; the next run as it is to be copied."""

from diptych.comparison import IsolatingRun
from diptych.matrix import Matrix, SettingEffect
from diptych.publish.comment import comment
from diptych.report.documents.effects import effect_lines, effect_rows, mixed_words, next_words
from diptych.report.frames import whole_frame
from diptych.report.writers.environment import html_page
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


def test_a_real_effect_has_its_step_number_range_and_word() -> None:
    (row,) = effect_rows(told(effect("num_fewshot", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001)))
    assert row.steps == ("num_fewshot: 3 → 0",)
    assert (row.sign, row.word, row.effect, row.between) == ("▼", "worse", "−27.5 points", "−40.0 to −15.0")


def test_an_effect_that_may_be_luck_has_no_word_of_better_or_worse() -> None:
    made = told(effect("num_fewshot", difference=-0.02, low=-0.06, high=0.02, p_adjusted=0.3))
    assert effect_rows(made)[0].word == "unclear"
    assert any("cannot tell" in line for line in effect_lines(made, 80))


def test_settings_that_changed_together_stand_together_and_the_next_run_parts_them() -> None:
    made = told(effect("model", "batch_size", place=2, note="these runs do not tell it apart from other settings"))
    assert effect_rows(made) == ()
    assert mixed_words(made) == "These runs do not tell apart what each of these does: model (with 1 more)."
    lines = " ".join(" ".join(effect_lines(made, 80)).split())
    assert mixed_words(made) in lines
    assert effect_rows(told(made.effects[0]._replace(difference=0.1)))[0].steps == (
        "model: a → b",
        "batch_size: 1 → 8",
    )
    assert next_words(made) == "The run to make next changes model alone: here it changed with batch_size."
    assert "lm_eval run --model b" in lines


def test_the_page_shows_each_effect_and_the_command_and_obeys_no_text() -> None:
    row = effect("model", difference=0.1, low=0.05, high=0.15, p_adjusted=0.001)
    made = told(row)._replace(settings=(("model", ("<script>", "b", "", "")),))
    text = html_page(
        "matrix_effects.html.j2",
        frame=whole_frame("Runs"),
        effects=effect_rows(made),
        mixed="",
        next_run=made.next_run,
        next_words=next_words(made),
    )
    assert "+10.0 points" in text
    assert "lm_eval run --model b" in text
    assert "<script>" not in text


def test_a_comment_names_the_settings_that_moved_a_score_for_real() -> None:
    real = effect("num_fewshot", difference=-0.275, low=-0.4, high=-0.15, p_adjusted=0.001)
    luck = effect("batch_size", place=2, difference=-0.01, low=-0.05, high=0.03, p_adjusted=0.7)
    text = comment([told(real, luck)]).text
    before = text.partition("| Task")[0]
    assert "Which setting did it:" in before
    assert "−27.5 points" in before
    assert "batch" not in before.partition("The run to make next")[0].partition("Which setting did it:")[2]


def test_without_a_run_to_make_nothing_is_said_of_one() -> None:
    assert next_words(told(next_run=None)) == ""
    assert effect_lines(told(next_run=None), 80) == []


def test_a_hostile_value_stays_on_its_line_and_keeps_no_escape_code() -> None:
    made = told(effect("model", difference=0.1, p_adjusted=0.01))._replace(
        settings=(("model", (HOSTILE, "b", "", "")),)
    )
    lines = effect_lines(made, 80)
    assert all("\x1b" not in line and len(line) <= 80 for line in lines)
