"""The pages that link an archive: runs with all their uses, tasks over time with what changed, the lists."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from diptych.artifact import json_text
from diptych.catalogue.findings import FINDINGS
from diptych.catalogue.methods import FLAGS, METHODS
from diptych.catalogue.words import (
    BEARINGS,
    CERTAINTIES,
    CLASSES,
    DECISIONS,
    GATES,
    SEVERITIES,
    STATUSES,
    STEPS,
    VERDICTS,
)
from diptych.comparison import Comparison, RunHeader
from diptych.estimates import Interval
from diptych.matrix import Matrix
from diptych.provenance import Input
from diptych.publish.archive_told import Runs, TaskRuns
from diptych.publish.archive_told import run_page as run_of_archive
from diptych.publish.kept_summaries import kept_summary, packed
from diptych.report.addresses import slug
from diptych.report.archive_pages import artifact_pages, index_row, task_pages
from diptych.report.configurations import Series, series_of
from diptych.report.documents.summaries import ScoreRow, Site, Summary
from diptych.report.documents.summarise import summarise
from diptych.report.histories import RunPage, TaskPart
from diptych.report.manual import manual_pages
from diptych.report.methods_page import methods_pages
from diptych.report.run_pages import run_page, run_row
from diptych.report.task_history import task_page
from diptych.report.task_pages import lines_view
from examples_comparison import comparison, header, matrix, repeats
from examples_decision import decision
from planned_archive import gathered, index_pages

DAYS = ("2025-11-01T10:00:00", "2025-11-02T10:00:00", "2025-11-03T10:00:00")


def run(day: int, **settings: Any) -> RunHeader:
    """Return the header of the run of one day."""
    return header(f"day {day}", DAYS[day], results_file=f"results_{day}.json", settings=settings)


def compared(one: RunHeader, other: RunHeader, **changes: Any) -> Comparison:
    """Return a comparison of two runs; a results file's digest is made of its name."""
    base = comparison()
    inputs = tuple(Input(f"runs/{side.results_file}", side.results_file[8] * 64) for side in (one, other))
    made = base._replace(a=one, b=other, provenance=base.provenance._replace(inputs=inputs))
    return made._replace(**changes)


def task(summaries: list[Summary], name: str = "arith") -> TaskPart:
    """Return all runs of a task."""
    with gathered(summaries) as tables:
        page = task_page(name, TaskRuns(tables))
        return page.part(0, len(page.runs))


def configurations(summaries: list[Summary]) -> tuple[Series, ...]:
    with gathered(summaries) as tables:
        return task_page("arith", TaskRuns(tables)).configurations


def drawn(summaries: list[Summary], name: str = "arith") -> dict[str, str]:
    """Return the pages of a task."""
    with gathered(summaries) as tables:
        page = task_page(name, TaskRuns(tables))
        return {path: text for part in task_pages(page, Site()) for path, text in part.items()}


def runs_of(summaries: list[Summary]) -> list[RunPage]:
    """Return every run with its uses, the youngest first."""
    with gathered(summaries) as tables:
        return [run_of_archive(tables, number) for number in range(len(Runs(tables)), 0, -1)]


def text_of(html: str) -> str:
    body = HTMLParser(html).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def test_a_run_in_two_comparisons_is_one_run_with_both_uses() -> None:
    first, second, third = run(0), run(1), run(2)
    summaries = [
        summarise(compared(first, second, title="one", id="1" * 12)),
        summarise(compared(second._replace(label="again"), third, title="two", id="2" * 12)),
    ]
    runs = runs_of(summaries)
    assert len(runs) == 3
    (both,) = [page for page in runs if (len(page.uses), page.used) == (2, 2)]
    assert both.labels == ("day 1", "again")
    text = text_of(run_page(both, Site())[f"{both.folder}/index.html"])
    for part in ("one", "two", "day 1, again", "arith", "0.1533", "results_1.json"):
        assert part in text, part


def test_two_files_of_one_name_are_two_runs() -> None:
    one, other = header("a", DAYS[0], source="runs/x"), header("b", DAYS[0], source="runs/y")
    assert one.results_file == other.results_file
    base = comparison(a=one, b=other)
    inputs = tuple(
        Input(f"{side.source}/{side.results_file}", digit * 64) for side, digit in ((one, "1"), (other, "2"))
    )
    made = base._replace(provenance=base.provenance._replace(inputs=inputs))
    assert len(runs_of([summarise(made)])) == 2


def test_what_changed_between_two_runs_is_what_their_comparison_says_in_either_direction() -> None:
    older, younger = run(0), run(1)
    for one, other in ((older, younger), (younger, older)):
        (step,) = task([summarise(compared(one, other))]).steps
        assert step.run == "day 1"
        assert step.changes is not None
        changed = {name: (before, after) for name, before, after in step.changes}
        assert changed["num_fewshot"] == (("3", "0") if one is older else ("0", "3"))


def test_runs_of_one_configuration_that_nobody_compared_are_held_against_each_other_by_their_settings() -> None:
    first, last = run(0, num_fewshot=3, batch_size=1, limit=None), run(2, num_fewshot=3, batch_size=8)
    between = run(1, num_fewshot=0, batch_size=1)
    summaries = [summarise(compared(side, between, id=f"{n}" * 12)) for n, side in enumerate((first, last))]
    lines = configurations(summaries)
    assert [line.runs for line in lines] == [2, 1]
    assert [dict(line.apart)["num_fewshot"] for line in lines] == ["3", "0"]
    (step,) = task(summaries).steps
    assert step.run == "day 2"
    assert step.changes == (("limit", "not given", "not recorded"), ("batch_size", "1", "8"))


def test_runs_whose_settings_nobody_kept_are_said_to_be_unknown_not_equal() -> None:
    summaries = [
        summarise(compared(run(0), run(2), id="1" * 12)),
        summarise(compared(run(0), run(1), id="2" * 12)),
    ]
    assert task(summaries).steps[-1].changes is None
    (page,) = drawn(summaries).values()
    text = text_of(page)
    assert "Nobody compared it with the run before" in text


def test_a_task_is_drawn_with_a_point_a_run_and_a_line_at_each_change() -> None:
    (page,) = drawn([summarise(compared(run(0), run(1)))]).values()
    tree = HTMLParser(page)
    chart = tree.css_first("figure svg")
    assert len(chart.css("circle")) == 2
    assert len(chart.css("path.zero")) == 1
    assert "day 0" in chart.css_first("desc").text()


def test_a_task_of_many_runs_is_cut_into_pages_the_youngest_first() -> None:
    base = matrix()
    row = base.rows[0]
    runs = tuple(header(f"run {n:03}", f"2025-01-01T00:{n // 60:02}:{n % 60:02}", source=f"s{n}") for n in range(250))
    many = base._replace(
        runs=runs, rows=(row._replace(scores=(0.5,) * 250, stderrs=(0.1,) * 250, letters=("",) * 250, cells=()),)
    )
    pages = drawn([summarise(many)])
    assert len(pages) == 2
    first, second = pages.values()
    assert first.count("<tr><th><a ") == 200
    assert second.count("<tr><th><a ") == 50
    assert "run 249" in first
    assert "run 000" in second


@pytest.mark.parametrize("made", [comparison(), decision(), matrix()], ids=["comparison", "decision", "matrix"])
def test_a_summary_survives_its_json(made: Any) -> None:
    one = summarise(made)
    assert kept_summary(packed(one)) == kept_summary(packed(kept_summary(packed(one))))
    back, told = (
        each._replace(runs=tuple(run._replace(scores=tuple(run.scores)) for run in each.runs))
        for each in (kept_summary(packed(one)), one)
    )
    assert json_text(back) == json_text(told)


def test_the_first_page_says_the_verdict_before_all_else_and_the_youngest_first() -> None:
    old = summarise(compared(run(0), run(1), title="older", id="1" * 12))
    new = summarise(compared(run(0), run(2), title="younger", id="2" * 12))
    tree = HTMLParser(index_pages([old, new], [], Site(title="All"))["index.html"])
    rows = tree.css("tbody tr")
    assert [row.css_first("a").text() for row in rows] == ["younger", "older"]
    assert rows[0].css_first("td").text(strip=True).endswith("of 4 tasks")


def test_what_has_no_date_stands_last_in_every_list() -> None:
    undated = run(0)._replace(label="undated", date=None, results_file="results_9.json")
    old = summarise(compared(run(0), run(1), title="dated", id="1" * 12))
    none = summarise(compared(undated, undated._replace(results_file="results_8.json"), title="undated", id="2" * 12))
    assert none.date is None
    pages = index_pages([none, old], [], Site(title="All"))
    tree = HTMLParser(pages["index.html"])
    assert [row.css_first("a").text() for row in tree.css("tbody tr")] == ["dated", "undated"]
    runs = runs_of([none, old])
    assert [item.run.date for item in runs] == [DAYS[1], DAYS[0], None, None]
    (_, points), *_ = task([none, old]).series
    assert [point.date for point in points] == [None, None, DAYS[0], DAYS[1]]  # a history begins with the oldest
    assert [index_row(each, "index.html").order for each in (none, old)] == ["", DAYS[1]]
    rows = [run_row(item, "runs/index.html") for item in runs]
    assert [(row.order, row.day) for row in rows][2:] == [("", "not recorded")] * 2


def test_an_archive_of_nothing_says_how_to_begin() -> None:
    text = text_of(index_pages([], [], Site())["index.html"])
    assert "diptych init" in text
    assert "diptych batch" in text


def test_every_method_has_its_anchor_on_the_methods_page() -> None:
    tree = HTMLParser(methods_pages(Site())["methods/index.html"])
    assert METHODS
    for name, method in METHODS.items():
        section = tree.css_first(f"section#{name}")
        assert section is not None, name
        assert method.how in section.text()


def test_every_flag_of_an_estimate_is_explained_on_the_methods_page() -> None:
    text = text_of(methods_pages(Site())["methods/index.html"])
    for name, meaning in FLAGS.items():
        assert name in text
        assert meaning in text


def test_every_word_of_a_verdict_is_in_the_manual() -> None:
    text = text_of(manual_pages(Site())["manual/index.html"])
    for table in (VERDICTS, STATUSES, CERTAINTIES, BEARINGS, STEPS, CLASSES, SEVERITIES, GATES, DECISIONS):
        for word in table.values():
            assert word.meaning in text
    for shown in ("significant (different)", "inconclusive (unclear)", "regressed (lost)"):
        assert shown in text


def test_no_two_configurations_of_a_task_stand_there_alike() -> None:
    asked = [(f"setting_{number}", f'"{number}"') for number in range(12)]
    template = ("chat_template", f'"{"long " * 60}"')
    keys = [(*asked, template), (*asked, ("chat_template", '""')), (*asked, ("limit", "40"))]
    shown = lines_view(series_of(keys), "acc")
    assert len({values for _, values in shown.rows}) == 3
    assert "setting_0" not in shown.settings, "what all have alike tells none apart"
    assert "on, by the server" in str(shown.rows)
    assert "long long" not in str(shown.rows), "a template is told by its hash"
    assert lines_view(series_of(keys[:1]), "acc").rows == ()


def test_a_configuration_names_its_metric_its_harness_and_what_another_filter_finds() -> None:
    def scores(strict: float, loose: float) -> tuple[ScoreRow, ...]:
        return tuple(
            ScoreRow("sums", "em", name, value, None, True, True)
            for name, value in (("strict", strict), ("loose", loose))
        )

    one, other = series_of([(("chat_template", '""'),), (("limit", "40"),)])
    lines = (
        one._replace(
            nulls=frozenset({"chat_template"}), runs=1, versions=("0.4.9",), latest=scores(0.5, 0.52), items=40
        ),
        other._replace(nulls=frozenset({"chat_template"}), versions=("0.4.10",), latest=scores(0.0, 0.25), items=40),
    )
    shown = lines_view(lines, "em (strict)")
    assert shown.settings[:3] == ("latest em (strict)", "items", "harness")
    assert shown.settings[-1] == "runs"
    first, second = (values for _, values in shown.rows)
    assert first[:3] == ("0.5000", "40", "0.4.9"), "another filter is named only where it finds much else"
    assert second[:3] == ("0.0000 (loose 0.2500)", "40", "0.4.10")
    assert "off" in second, "what a run recorded as null is no blank"


def test_a_matrix_a_decision_and_repeats_have_their_number_in_the_list() -> None:
    for made in (matrix(), decision()):
        assert summarise(made).delta, type(made).__name__
    floor = summarise(repeats())
    assert floor.said == "noise floor 8.8 pp"
    assert not floor.delta, "a floor is no difference"


def test_the_list_offers_no_two_verdicts_that_read_alike() -> None:
    rows = [summarise(comparison())._replace(word="unclear"), summarise(decision())._replace(word="cannot_tell")]
    tree = HTMLParser(index_pages(rows, (), Site())["index.html"])
    texts = [option.text() for option in tree.css("select[name=word] option")]
    assert texts == ["any", "inconclusive"]
    assert {row.attributes["data-word"] for row in tree.css("tr[data-word]")} == {"unclear"}


def test_every_kind_of_finding_is_explained_in_the_manual_and_can_be_linked_to() -> None:
    pages = manual_pages(Site())
    tree = HTMLParser(pages["manual/what-each-finding-means/index.html"])
    for kind, row in FINDINGS.items():
        found = tree.css_first(f"tr#{kind}")
        assert found is not None, kind
        assert row.meaning in found.text()
        assert row.advice.replace("`", "") in found.text()
    assert "what-each-finding-means/index.html" in pages["manual/index.html"]


def test_the_archives_own_pages_stand_in_the_order_of_their_names_and_link_to_each_other() -> None:
    site = Site(
        pages=(("1-zebra", "# Zebra\n\n[ant](2-ant.md#legs) <b>x</b> ![p](http://e.invalid/p.png)"), ("2-ant", "# Ant"))
    )
    pages = manual_pages(site)
    assert [page for page in pages if page.count("/") == 2][-2:] == ["manual/zebra/index.html", "manual/ant/index.html"]
    assert pages["manual/index.html"].index(">Zebra<") < pages["manual/index.html"].index(">Ant<")
    zebra = HTMLParser(pages["manual/zebra/index.html"])
    hrefs = [node.attributes["href"] for node in zebra.css(".prose a")]
    assert hrefs == ["../ant/index.html#legs"]
    assert zebra.css(".prose b, .prose img") == []
    assert "<b>x</b>" in zebra.css_first(".prose").text()


def test_the_first_page_says_who_is_compared_with_whom_and_by_how_much_they_differ() -> None:
    row = index_pages([summarise(compared(run(0), run(1), title=""))], [], Site())["index.html"]
    assert "day 1 vs day 0 (baseline)" in text_of(row)
    assert "−14.0 pp −20.6 to −8.1 95 %" in text_of(row)


def two_of_many() -> Matrix:
    """Return a matrix whose second run is worse than its first."""
    made = matrix()
    sides = (header("before", DAYS[0]), header("after", DAYS[1], settings={"seed": None}), *made.runs[2:])
    return made._replace(runs=sides, sentences=("B is worse.", *made.sentences[1:]), settings=(("seed", (None,) * 4),))


def test_a_matrix_says_in_words_who_differs_and_leads_to_every_run() -> None:
    made = two_of_many()
    summary = summarise(made)
    assert "worse than before" in summary.sentence
    html = artifact_pages(made, summary, "0" * 64, Site())[f"{summary.folder}/index.html"]
    assert "before (baseline)" in text_of(html)
    assert "after: B is worse." in text_of(html)
    links = [node.attributes.get("href") for node in HTMLParser(html).css("main a, body a")]
    assert {f"../../{run.folder}/index.html" for run in summary.runs} <= set(links)


def test_a_score_of_exactly_one_has_a_range_on_the_pages_of_its_run_and_task() -> None:
    base = comparison()
    sure = base.metrics[0]._replace(task="sure", b=1.0, b_stderr=0.0, b_interval=Interval(0.886, 1.0, "wilson"))
    summaries = [summarise(compared(run(0), run(1), metrics=(sure,)))]
    pages = {}
    for page in runs_of(summaries):
        pages |= run_page(page, Site())
    shown = [text for text in map(text_of, pages.values()) if "0.886–1*" in text]
    assert len(shown) == 1
    assert "* worked out by diptych" in shown[0]
    (page,) = drawn(summaries, "sure").values()
    assert "0.886–1*" in text_of(page)
    assert "the bar is the 95 % CI" in text_of(page)


@pytest.mark.parametrize(
    ("title", "folder"),
    [
        ("The same command under two versions of the harness", "the-same-command-under-two-versions-of-the"),
        ("Short", "short"),
        ("x" * 60, "x" * 48),
        (f"a {'y' * 60}", f"a-{'y' * 46}"),
    ],
)
def test_a_folders_name_is_cut_between_words(title: str, folder: str) -> None:
    assert slug(title) == folder


def test_a_row_of_the_list_has_the_number_of_the_benchmark_that_the_verdict_names_first() -> None:
    base = comparison().metrics[0]._replace(estimate=None, family="primary", primary=True)
    lone = base._replace(task="lone", status="worse", difference=-0.4, headline=True)
    part = base._replace(task="part", status="worse", difference=-0.3)
    whole = base._replace(task="all", group=True, subtasks=("part",), status="worse", difference=-0.2, headline=True)
    assert summarise(comparison(metrics=(lone, part, whole))).gap == -0.2
    open_ = [row._replace(status="unclear") for row in (lone._replace(difference=0.1), part, whole)]
    unclear = comparison().verdict._replace(kind="unclear")
    assert summarise(comparison(metrics=tuple(open_), verdict=unclear)).gap == -0.2
