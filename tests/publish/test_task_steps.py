"""A step in a task's history: found where it is, told with its size and what changed there, and with no step none."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import ruptures
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from diptych.cli import main
from diptych.publish.archive_told import TaskRuns
from diptych.publish.task_steps import with_steps
from diptych.report.archive_pages import task_pages
from diptych.report.configurations import series_of
from diptych.report.documents.summaries import NUMBERS, RunSummary, ScoreRow, Site, Summary
from diptych.report.documents.summarise import summarise
from diptych.report.histories import Recent, TaskPage, Tested
from diptych.report.task_history import task_page
from diptych.stats.history import Point, steps_in
from examples_comparison import matrix
from planned_archive import gathered

ERROR = 0.01


def night(number: int, score: float, **settings: Any) -> RunSummary:
    """Return one night's run of one task."""
    day = f"2025-11-{number + 1:02}T10:00:00"
    folder, row = f"runs/night-{number:02}", ScoreRow("arith", "acc", "none", score, ERROR, True, True)
    asked = {"num_fewshot": 3, "batch_size": 8} | settings
    return RunSummary(
        folder, f"night {number}", "org/model", "lm-eval", "0.4.9", day, f"s{number}", "r.json", {}, {}, asked, (row,)
    )


def of_many(*runs: RunSummary) -> Summary:
    """Return the summary of many runs together."""
    return summarise(matrix())._replace(runs=runs)


@contextmanager
def history(*summaries: Summary) -> Iterator[TaskPage]:
    """Give the task as an archive shows it, searched for steps."""
    with gathered(summaries) as tables:
        yield with_steps(task_page("arith", TaskRuns(tables)))


def found_in(*runs: RunSummary) -> list[Tested]:
    """Return what the search for steps found."""
    with history(of_many(*runs)) as task:
        return list(task.tested.values())


def page_of(*runs: RunSummary) -> str:
    with history(of_many(*runs)) as task:
        ((page,),) = map(dict.values, task_pages(task, Site()))
    return page


def text_of(*runs: RunSummary) -> str:
    body = HTMLParser(page_of(*runs)).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def levels(*scores: float, **changed: Any) -> list[RunSummary]:
    """Return a night for each score; from the first other score on the changed settings are there."""
    return [night(n, score, **(changed if score != scores[0] else {})) for n, score in enumerate(scores)]


def test_a_step_is_told_with_its_place_its_size_and_what_changed_there() -> None:
    runs = levels(*[0.8] * 4, *[0.7] * 4, batch_size=16, random_seed=7)
    (found,) = found_in(*runs)
    assert found.step is not None
    assert (found.step.before, found.step.after) == ("runs/night-03", "runs/night-04")
    text = text_of(*runs)
    assert (
        "Configuration 1, 8 runs: a step of −10.0 pp (95 % CI −11.4 to −8.6) from night 3 to night 4 (p < 0.001" in text
    )
    assert "may be the cause: batch_size : 8 → 16 random_seed : not recorded → 7" in text


def test_a_setting_that_was_asked_for_makes_another_configuration_not_a_step() -> None:
    runs = levels(*[0.8] * 6, *[0.7] * 6, num_fewshot=0)
    with history(of_many(*runs)) as task:
        assert [line.runs for line in task.configurations] == [6, 6]
    assert all(found.step and found.step.p_adjusted > 0.05 for found in found_in(*runs))
    text = text_of(*runs)
    assert text.count("no significant step") == 2
    assert "over 2 series" in text


def test_few_runs_are_not_searched_and_it_is_said() -> None:
    assert "Configuration 1, 4 runs: too few, a step is looked for from 5 runs on." in text_of(*levels(*[0.8] * 4))


def test_a_run_without_an_error_leaves_nothing_to_search_and_it_is_said() -> None:
    runs = levels(*[0.8] * 6)
    runs[2] = runs[2]._replace(scores=(runs[2].scores[0]._replace(stderr=None),))
    assert "Configuration 1, 6 runs: a run without a standard error." in text_of(*runs)


def test_the_spread_of_repeats_makes_a_step_less_sure() -> None:
    runs = levels(*[0.8] * 4, *[0.76] * 4)
    alone = found_in(*runs)[0].step
    again = tuple(night(20 + n, score) for n, score in enumerate((0.76, 0.8, 0.84)))
    with gathered([of_many(*runs), of_many(*again)._replace(kind="repeats")]) as tables:
        task = task_page("arith", TaskRuns(tables))
        (recent,) = task.recent.values()  # without those that were made as repeats, which are the youngest
        steady = Recent(recent.places[len(again) :], recent.values[NUMBERS * len(again) :])
        (found,) = with_steps(task._replace(recent=dict.fromkeys(task.recent, steady))).tested.values()
    wider = found.step
    assert alone is not None
    assert wider is not None
    assert wider.high - wider.low > 3 * (alone.high - alone.low)
    assert wider.p > alone.p


def test_a_chart_has_an_axis_with_ticks_and_a_line_a_configuration() -> None:
    chart = HTMLParser(page_of(*levels(*[0.8] * 3, *[0.7] * 3, num_fewshot=0))).css_first("figure svg")
    assert len(chart.css("path.series")) == 2
    ticks = [node.text() for node in chart.css("text") if node.attributes.get("text-anchor") == "end"]
    assert [text for text in ticks if text.startswith("0.")] == ["0.65", "0.70", "0.75", "0.80", "0.85"]


@pytest.mark.parametrize("seed", range(20))
def test_the_place_of_a_step_is_that_of_a_change_point_library(seed: int) -> None:
    chance = random.Random(seed)
    before, after = chance.randrange(3, 12), chance.randrange(3, 12)
    scores = [chance.gauss(0.8, ERROR) for _ in range(before)] + [chance.gauss(0.74, ERROR) for _ in range(after)]
    (found,) = steps_in([[Point(score, ERROR) for score in scores]], seed=seed)
    assert found is not None
    import numpy

    (oracle, _) = ruptures.Dynp(model="l2", min_size=2, jump=1).fit(numpy.array(scores)).predict(n_bkps=1)
    assert found.at == oracle
    assert found.p < 0.05


def test_an_archive_with_repeats_is_built(tmp_path: Path) -> None:
    artifacts = Path(__file__).resolve().parents[2] / "site" / "artifacts"
    names = ("temperature-0.8.json", "same-settings-twice.json")
    done = CliRunner().invoke(main, ["build", *(str(artifacts / name) for name in names), "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert any("Configuration 1" in page.read_text(encoding="utf-8") for page in tmp_path.glob("tasks/*/index.html"))


def test_configurations_begin_with_what_tells_them_apart() -> None:
    many = {f"model_args.{letter}": '"same"' for letter in "abcdefgh"}
    given = [
        tuple(sorted({**many, "num_fewshot": shots, "model_args.a": arg}.items()))
        for shots, arg in (("0", '"x"'), ("3", '"x"'), ("3", '"y"'))
    ]
    found = [line.apart for line in series_of(given)]
    assert [dict(apart) for apart in found] == [
        {"model_args.a": "x", "num_fewshot": "0"},
        {"model_args.a": "x", "num_fewshot": "3"},
        {"model_args.a": "y", "num_fewshot": "3"},
    ]
