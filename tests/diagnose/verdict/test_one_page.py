"""What stands on one page agrees: a denial with the lists, a version with the sentence, one metric a task."""

from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.report.documents.comparison import comparison_document
from diptych.report.writers.terminal import document_text
from verdict_runs import answers, compared, document, prompted
from written_runs import choices, results, write_run


def page(made: Comparison) -> str:
    return " ".join(document_text(comparison_document(made), full=True).split())


def renamed(folder: Path, task: str, text: str) -> Path:
    """A run of the same documents under a task's name, asked in these words."""
    score = {"alias": task, "acc,none": 0.5, "acc_stderr,none": 0.25}
    config = {**results()["configs"]["arith"], "task": task, "doc_to_text": text}
    made = results(
        results={task: score}, configs={task: config}, versions={task: 1.0}, higher_is_better={task: {"acc": True}}
    )
    return write_run(folder / task, made, {task: choices()})


def test_that_no_setting_differs_says_that_two_names_of_a_task_were_not_compared(tmp_path: Path) -> None:
    paths = renamed(tmp_path, "plain", "{{question}}"), renamed(tmp_path, "steps", "{{question}} Think.")
    made = compare_runs(*(read_run(str(path)) for path in paths))
    text = page(made)
    assert "recorded settings differs; the tasks' configurations are not compared: no task is in both." in text
    assert "hold the same documents (4 of 4), and their configurations differ in doc_to_text: they may be one" in text


def test_that_no_setting_differs_stands_alone_where_the_tasks_were_compared(tmp_path: Path) -> None:
    assert "recorded settings differs." in page(compared(tmp_path, answers(), answers(range(20))))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"lm_eval_version": "0.4.13"}, "versions.lm_eval (0.4.9.2 → 0.4.13) may have made that"),
        ({"versions": {"arith": 2.0}}, "Leading cause, as far as the files show: versions.arith (1 → 2)"),
        ({}, "no recorded setting explains that"),
    ],
)
def test_prompts_that_differ_are_laid_to_the_versions_of_what_builds_them_where_those_differ(
    tmp_path: Path, changes: dict[str, object], named: str
) -> None:
    told = prompted(answers(range(20)), lambda prompt: f"Today is the first of May.\n\n{prompt}")
    sentence = compared(tmp_path, answers(), told, **changes).verdict.sentence
    assert named in sentence
    assert ("no recorded setting explains that" in sentence) == (not changes)


def test_scores_of_other_right_answers_are_told_by_the_metric_that_leads(tmp_path: Path) -> None:
    folders = []
    for name, moved in (("a", 0), ("b", 2)):
        records = choices(20)
        for record in records[:moved]:
            record["target"], record["acc"] = "1", 1.0 - record["acc"]
            record["doc"] = record["doc"] | {"answer": 1}
        for record in records:
            record["metrics"], record["acc_norm"] = ["acc", "acc_norm"], record["acc"]
        right = sum(record["acc"] for record in records) / 20
        made = document(records, "acc")
        made["results"]["arith"] |= {"acc,none": right + moved / 20, "acc_norm,none": right + moved / 10}
        made["higher_is_better"]["arith"]["acc_norm"] = True
        folders.append(read_run(str(write_run(tmp_path / name, made, {"arith": records}))))
    comparison = compare_runs(*folders)
    assert [row.metric for row in comparison.metrics if row.primary] == ["acc_norm"]
    assert "acc_norm" in comparison.verdict.sentence
    assert "arith acc " not in comparison.verdict.sentence


@pytest.mark.parametrize("frame", ["", "Now: "])
def test_prompts_that_differ_by_a_recorded_text_alone_name_it(tmp_path: Path, frame: str) -> None:
    texts = "Give the number alone. ", "Answer in one word.\n\n"
    a, b = (
        prompted(answers(wrong), lambda prompt, text=text, own=own: text + own + prompt)
        for wrong, text, own in zip((range(0), range(20)), texts, ("", frame), strict=True)
    )
    made = compared(
        tmp_path, a, b, before={"configs__arith__description": texts[0]}, configs__arith__description=texts[1]
    )
    said = [finding.text for finding in made.findings if finding.kind == "prompt_other"]
    named = "60 of 60 prompts of arith differ in their words: arith.description is another text."
    assert (said == [named]) == (not frame)
