"""What an archive holds of each artifact while its shared pages are drawn."""

import pickle
from array import array

from diptych.publish.archive_memory import Files, Rows, Spill
from diptych.report.documents.summaries import ScoreName, Scores, Site
from diptych.report.documents.summarise import summarise
from examples_comparison import comparison, matrix
from planned_archive import index_pages

NAMES = tuple(ScoreName(task, "acc", "none", True, True) for task in ("one", "two"))


def test_scores_on_disk_are_the_scores_also_in_another_process() -> None:
    one, other = (Scores(NAMES, array("d", [start + place for place in range(10)])) for start in (0.0, 100.0))
    with Spill() as spill:
        spilled = [spill.scores(one), spill.scores(other)]
        assert spilled == [one, other]
        assert list(spilled[1]) == list(other)
        assert spilled[1].of_task("two") == other.of_task("two")
        assert spilled[1].knows(other)
        sent = pickle.dumps(spilled[1])
    assert pickle.loads(sent) == other  # its file is closed by now


def test_a_first_page_of_held_rows_is_that_of_the_summaries() -> None:
    summaries = [summarise(comparison()), summarise(matrix())]
    with Spill() as spill:
        rows = Rows(spill)
        for summary in summaries:
            rows.add(summary)
        assert index_pages(rows, [], Site()) == index_pages(summaries, [], Site())
        assert [row.id for row in rows] == [row.id for row in rows[:]] == [row.id for row in summaries]


def test_a_text_on_disk_is_the_text_and_stands_there_once() -> None:
    with Spill() as spill:
        one, other = spill.text("naïve"), spill.text("naive")
        assert (str(one), str(other)) == ("naïve", "naive")
        assert spill.text("naïve") is one


def test_files_held_as_one_text_are_the_same_mapping() -> None:
    files = {"a b/index.html": 12, "a b/scores.csv": 0}
    held = Files(files)
    assert dict(held) == dict(held.items()) == files
    assert (len(held), held["a b/index.html"], "c" in held) == (2, 12, False)
    assert (len(Files({})), dict(Files({}))) == (0, {})
