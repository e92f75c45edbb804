"""The tables of a build: what stands on disk is what was put there, and what is shown is read in its order."""

import os
from array import array
from pathlib import Path

import pytest

from diptych.errors import DiptychError
from diptych.publish.archive_list import listed
from diptych.publish.archive_shared import first_pages
from diptych.publish.archive_tables import new_tables, settled_tables
from diptych.publish.archive_told import Rows, Runs, TaskRuns
from diptych.report.documents.summaries import NUMBERS, RunSummary, ScoreName, Scores, Site
from diptych.report.documents.summarise import summarise
from diptych.report.task_history import task_page
from examples_comparison import comparison, matrix
from planned_archive import gathered, index_pages

NAMES = tuple(ScoreName(task, "acc", "none", True, True) for task in ("one", "two", "one"))


def test_a_text_stands_in_its_table_once_and_is_the_text(tmp_path: Path) -> None:
    with new_tables(str(tmp_path / "list")) as tables:
        one, other = tables.text("eJw="), tables.text("eJx=")
        assert tables.text("eJw=") == one != other
        assert tables.texts((other, one)) == ("eJx=", "eJw=")


def test_settled_tables_are_read_from_their_file_and_go_with_the_build(tmp_path: Path) -> None:
    with new_tables(str(tmp_path / "a%b?c#d")) as tables:
        number = tables.text("eJw=")
        tables.settle()
        tables.do("INSERT INTO piece VALUES ('one', 'more')")
        assert settled_tables(tables.path).texts([number]) == ("eJw=",)
    assert os.listdir(tmp_path) == []


def test_where_tables_cannot_stand_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(DiptychError, match="cannot be written"), new_tables(str(tmp_path / "gone" / "list")):
        pass


def test_the_first_page_of_an_archive_is_that_of_its_summaries() -> None:
    summaries = [summarise(comparison()), summarise(matrix())]
    with gathered(summaries) as tables:
        rows = Rows(tables)
        pages = {path: text for part in first_pages(tables, (), Site()) for path, text in part.items()}
        assert pages == index_pages(summaries, [], Site())
        assert [row.id for row in rows] == [row.id for row in rows[:]] == [rows[0].id, rows[1].id]
        assert len(Runs(tables)) == len(Runs(tables)[:]) == 6


def test_scores_of_a_task_that_do_not_stand_together_are_told_together() -> None:
    values = array("d", map(float, range(3 * NUMBERS)))
    run = RunSummary("runs/x", "x", None, "h", None, None, "s", "r", {"one": 7}, {}, {}, Scores(NAMES, values))
    with gathered([summarise(matrix())._replace(runs=(run,))]) as tables:
        told = TaskRuns(tables)
        (one,), (two,) = told.scored("one"), told.scored("two")
        assert list(one.values) == [*map(float, range(5)), *map(float, range(10, 15))]
        assert list(two.values) == list(map(float, range(5, 10)))
        assert (told.kind(one.kind).items, told.kind(two.kind).items) == (7, None)
        page = task_page("one", told)
        ((_, points),) = page.part(0, 1).series
        assert ([point.score.value for point in points], page.span.runs) == ([0.0, 10.0], 1)


def test_a_list_that_breaks_off_is_none(tmp_path: Path) -> None:
    (tmp_path / "list").write_text('{"maker":"","pieces":{\n"x":["k",{}]\n')
    with pytest.raises(ValueError, match="breaks off"):
        list(listed(str(tmp_path / "list")))
