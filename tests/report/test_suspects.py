"""The ranking of suspects: one row a thing, wherever the harness recorded it."""

import pytest

from diptych.comparison import SettingDifference, TaskDifference
from diptych.report.documents.suspect_tables import suspect_lines, task_words
from diptych.report.documents.suspects import Suspect, suspects_of, value_of_side
from examples_comparison import comparison


def setting(key: str, a: object, b: object, tasks: tuple[str, ...] = (), **more: object) -> SettingDifference:
    return SettingDifference(key, a, b, True, True, 1, "sampling", tasks, "Why.")._replace(**more)


def keys(settings: tuple[SettingDifference, ...], fields: tuple[TaskDifference, ...]) -> list[str]:
    made = comparison(settings=settings, task_settings=fields, context=())
    return [suspect.key for suspect in suspects_of(made)]


def test_a_field_of_a_task_that_is_a_setting_once_more_is_no_second_row() -> None:
    fields = (
        TaskDifference("arith", "num_fewshot", 0, 3),
        TaskDifference("words", "num_fewshot", None, 3),
        TaskDifference("arith", "generation_kwargs.max_gen_toks", 5, 64),
        TaskDifference("arith", "metadata.version", 1, 2),
        TaskDifference("arith", "doc_to_text", "Q:", "Question:"),
    )
    settings = (
        setting("num_fewshot", 0, 3),
        setting("gen_kwargs.max_gen_toks", 5, 64, ("arith",), a_default=True),
        setting("versions.arith", 1, 2),
    )
    assert sorted(keys(settings, fields)) == [
        "arith.doc_to_text",
        "gen_kwargs.max_gen_toks",
        "num_fewshot",
        "versions.arith",
    ]


def test_a_field_with_other_values_or_of_another_task_keeps_its_row() -> None:
    fields = (
        TaskDifference("arith", "num_fewshot", 0, 5),
        TaskDifference("words", "generation_kwargs.temperature", 0.0, 0.7),
    )
    settings = (setting("num_fewshot", 0, 3), setting("gen_kwargs.temperature", 0.0, 0.7, ("arith",)))
    assert len(keys(settings, fields)) == 4


def test_differences_that_cannot_have_acted_are_not_denied() -> None:
    made = comparison(settings=(setting("model_dtype", "a", "b", standing="cannot"),), task_settings=(), context=())
    (line,) = suspect_lines(made)
    assert line == ("1 recorded setting differs (model_dtype); none can have acted.",)


def test_the_one_row_tells_what_may_have_acted() -> None:
    field = TaskDifference("arith", "num_fewshot", 0, 3, "explains", "All prompts differ by examples.")
    made = comparison(settings=(setting("num_fewshot", 0, 3, standing="can"),), task_settings=(field,), context=())
    (suspect,) = suspects_of(made)
    assert (suspect.bearing, suspect.evidence) == ("explains", "All prompts differ by examples.")


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ((True, True), "identical"),
        ((False, False), "not recorded"),
        ((True, False), "not recorded in b-run"),
        ((False, True), "not recorded in a-run"),
    ],
)
def test_a_task_configuration_that_a_side_did_not_record_is_not_called_identical(
    recorded: tuple[bool, bool], words: str
) -> None:
    made = comparison(task_settings=(), configs_recorded=recorded)
    made = made._replace(a=made.a._replace(label="a-run"), b=made.b._replace(label="b-run"))
    assert task_words(made) == words


def test_tasks_that_only_one_side_has_are_not_called_identical() -> None:
    made = comparison(task_settings=(), metrics=())
    assert task_words(made) == "no task is in both"


def test_what_comes_with_another_suspect_has_no_line_of_its_own() -> None:
    alone = setting("model_args.max_length", None, 512)
    made = comparison(settings=(alone, setting("max_length", 8192, 512, follows="model_args.max_length")))
    assert "max_length" in str(suspect_lines(made))
    assert str(suspect_lines(made)).count("8192") == 0


def test_each_suspect_is_placed_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    own = Suspect.keys.fget  # type: ignore[attr-defined]

    def counted(suspect: Suspect) -> tuple[str, ...]:
        asked.append(suspect.key)
        return own(suspect)  # type: ignore[no-any-return]

    monkeypatch.setattr(Suspect, "keys", property(counted))
    names = [f"extra.{number:03}" for number in range(200)]
    made = comparison(settings=tuple(setting(name, 0, 1) for name in names), task_settings=(), context=())
    ranked = suspects_of(made._replace(ranking=tuple(reversed(names))))
    assert [suspect.key for suspect in ranked] == names[::-1]
    assert sorted(asked) == names


def test_what_nobody_gave_is_called_that_and_no_value() -> None:
    assert value_of_side("model_args.profile", None, recorded=True, default=True) == "not given"
    assert value_of_side("gen_kwargs.until", ["\n"], recorded=True, default=True).endswith("(the task's own)")
