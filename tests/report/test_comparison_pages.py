"""A comparison's pages show everything, link what they claim, and let nothing in a text act."""

import re
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from diptych.comparison import Comparison, Flip, FlipCount, FlipSide, LeftOut, PromptPair, Rung
from diptych.report import item_pages
from diptych.report.comparison_pages import DOWNLOADS, comparison_pages, single_page
from diptych.report.page_frames import Crumb, Frame, linked_frame
from diptych.report.writers.sides import pair_html
from examples_comparison import HOSTILE, comparison, flip, header


class InArchive:
    """A place in an archive, as the archive gives it."""

    frame: Frame = linked_frame(
        "Chat template and shots", "../../", (Crumb("Overview", "../../index.html"), Crumb("Here"))
    )
    digest = "d" * 64
    runs = (("base-3shot", "../../runs/a/index.html"), ("chat-0shot", "../../runs/b/index.html"))


def pages(made: Comparison | None = None) -> dict[str, LexborHTMLParser]:
    return {name: LexborHTMLParser(text) for name, text in comparison_pages(made or comparison(), InArchive()).items()}


def everywhere_hostile() -> Comparison:
    """Return a comparison whose every text is hostile."""
    one = comparison()
    return one._replace(
        title=HOSTILE,
        a=header(HOSTILE, "2025-11-01T10:00:01", model=HOSTILE, source=HOSTILE, results_file=HOSTILE),
        verdict=one.verdict._replace(
            sentence=HOSTILE,
            leading_cause=HOSTILE,
            next_step=HOSTILE,
            isolating_run=one.verdict.isolating_run._replace(changes=HOSTILE, command=HOSTILE, if_stays=HOSTILE),
        ),
        metrics=tuple(
            row._replace(task=HOSTILE, metric=HOSTILE, filter=HOSTILE, sentence=HOSTILE) for row in one.metrics
        ),
        settings=tuple(
            row._replace(key=HOSTILE, why=HOSTILE, evidence=HOSTILE, tasks=(HOSTILE,)) for row in one.settings
        ),
        task_settings=tuple(row._replace(task=HOSTILE, field=HOSTILE) for row in one.task_settings),
        context=tuple(row._replace(setting=HOSTILE, a=HOSTILE, why=HOSTILE) for row in one.context),
        ladder=tuple(row._replace(task=HOSTILE) for row in one.ladder),
        findings=tuple(row._replace(text=HOSTILE, evidence=(HOSTILE,)) for row in one.findings),
        flips=tuple(row._replace(task=HOSTILE, item=f"{HOSTILE}{number}") for number, row in enumerate(one.flips)),
        prompts=tuple(row._replace(task=HOSTILE, item=HOSTILE, note=HOSTILE, a=HOSTILE) for row in one.prompts),
        left_out=(LeftOut(HOSTILE, 1, HOSTILE),),
        gates=tuple(row._replace(rule=HOSTILE, text=HOSTILE) for row in one.gates),
    )


def documents(made: Comparison) -> list[str]:
    return [*comparison_pages(made, InArchive()).values(), single_page(made)]


@pytest.mark.parametrize("make", [comparison, everywhere_hostile])
def test_nothing_in_a_text_becomes_part_of_the_page(make: Callable[[], Comparison]) -> None:
    for text in documents(make()):
        dom = LexborHTMLParser(text)
        assert dom.css("img, em, b, i, iframe, object, form, base") == []
        assert {script.attributes.get("src") for script in dom.css("script")} <= {"../../static/diptych.js"}
        assert not [name for node in dom.css("*") for name in node.attributes if name.startswith("on")]
        links = [node.attributes["href"] for node in dom.css("a[href]")]
        assert not [href for href in links if re.match(r"(?i)\s*(javascript|data|https?):", href)]
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b\u2066-\u2069]", text)


@pytest.mark.parametrize("make", [comparison, everywhere_hostile])
def test_every_link_inside_the_pages_leads_to_an_element(make: Callable[[], Comparison]) -> None:
    from urllib.parse import unquote

    made = pages(make())
    ids = {name: {node.attributes["id"] for node in dom.css("[id]")} for name, dom in made.items()}
    for name, dom in made.items():
        for node in dom.css("a[href]"):
            page, _, fragment = node.attributes["href"].partition("#")
            if page.startswith("../"):
                continue
            if page in DOWNLOADS:
                continue
            assert (page or name) in made
            assert not fragment or unquote(fragment) in ids[page or name], node.attributes["href"]


def test_an_id_stands_once_on_a_page() -> None:
    for name, dom in pages().items():
        ids = [node.attributes["id"] for node in dom.css("[id]")]
        assert len(ids) == len(set(ids)), name


def test_an_items_address_is_its_task_and_id() -> None:
    made = pages()
    assert made["items-1.html"].css_first('article[id="arith/0"]') is not None
    assert any(dom.css_first("article[id='it<em>/7']") is None for dom in made.values())
    assert item_pages.anchor("arith", "0") == "#arith/0"
    assert (
        item_pages.anchor("a b", "é<") == "#aU%2B0020b/%C3%A9%3C"
        or item_pages.anchor("a b", "é<") == "#aU+0020b/%C3%A9%3C"
    )


def test_items_come_in_pages_of_fifty_lost_ones_first() -> None:
    many = comparison(flips=tuple(flip(str(n), "gained" if n % 3 else "lost") for n in range(120)))
    made = pages(many)
    counts = [len(made[f"items-{number}.html"].css("article")) for number in (1, 2, 3)]
    assert counts == [50, 50, 20]
    classes = [node.attributes["data-class"] for n in (1, 2, 3) for node in made[f"items-{n}.html"].css("article")]
    assert classes == ["lost"] * 40 + ["gained"] * 80


def test_an_item_that_moved_under_two_filters_stands_once_under_the_primary_ones_class() -> None:
    row = next(row for row in comparison().metrics if row.task == "arith" and row.primary)
    primary = flip("1", "lost", row.filter)._replace(metric=row.metric)
    others = (flip("1", "gained", "loose"), flip("2", "lost", "loose"))
    made = comparison(flips=(others[0], primary, others[1]), flip_counts=())
    assert [(item.item, item.mark, len(item.flips)) for item in item_pages.items_of(made)] == [
        ("1", "lost", 2),
        ("2", "other-filter", 1),
    ]


def test_chips_count_each_item_once_whatever_the_number_of_filters() -> None:
    row = next(row for row in comparison().metrics if row.task == "arith" and row.primary)
    counts = tuple(FlipCount("arith", name, "lost", 27, row.metric) for name in (row.filter, "loose"))
    found = {
        row.name: row
        for row in item_pages.choices(comparison(flip_counts=counts), item_pages.items_of(comparison()), 1)
    }
    assert [(chip.text, chip.count_) for chip in found["class"].chips if chip.text == "regressed"] == [
        ("regressed", "22 here, 27 in all")
    ]


def test_choices_of_many_tasks_are_folded() -> None:
    for tasks, folded in ((12, ""), (57, "By task (57)")):
        counts = tuple(FlipCount(f"task_{n}", "none", "lost", 2, "acc") for n in range(tasks))
        rows = tuple(
            comparison().metrics[0]._replace(task=f"task_{n}", metric="acc", filter="none") for n in range(tasks)
        )
        found = item_pages.choices(comparison(flip_counts=counts, metrics=rows, flips=()), (), 1)
        assert [row.folded for row in found if row.name == "task"] == [folded]


def test_choices_stand_as_a_table_of_their_own_without_a_diff_of_digits() -> None:
    sides = [
        FlipSide("Q?", None, pick, score, ("red", "green sky"), numbers)
        for pick, score, numbers in (("red", 1.0, (-3.0, -4.0)), ("red", 0.0, (-3.5, -4.5)))
    ]
    one = flip("1", "lost", "none", a=sides[0], b=sides[1])._replace(metric="acc_norm", target="red")
    page = pages(comparison(flips=(one,), flip_counts=()))["items-1.html"]
    cells = [[cell.text() for cell in row.css("th, td")] for row in page.css("article table")[1].css("tbody tr")]
    assert (cells[0][0], cells[0][3]) == ("red\u00a0★", "−0.50")
    assert [row[6:] for row in cells] == [[""], ["●\u00a0both"]]  # −4 over nine characters is more than −3 over three
    assert page.css("article mark") == []


@pytest.mark.parametrize("name", ["index.html", "single"])
def test_a_page_shows_every_part(name: str) -> None:
    text = single_page(comparison()) if name == "single" else comparison_pages(comparison(), InArchive())[name]
    dom = LexborHTMLParser(text)
    for anchor in ("left-out", "warnings", "scores", "ladder", "settings", "prompts"):
        assert dom.css_first(f"#{anchor}"), anchor
    for anchor in ("flips", "next", "gates", "statistics", "provenance", "notes"):
        assert dom.css_first(f"#{anchor}"), anchor
    words = dom.css_first("main").text().replace("\u00a0", " ")
    for told in ("supported by the samples", "213 equal", "not recorded", "14 left out", "< 0.001", "Mid-p McNemar"):
        assert told in words, told


def test_each_method_behind_a_number_leads_to_its_place_on_the_methods_page() -> None:
    made = comparison()
    made = made._replace(provenance=made.provenance._replace(methods=("holm", "mcnemar_midp_tango", "wilson")))
    links = {str(node.attributes["href"]) for node in pages(made)["index.html"].css("#statistics dd a")}
    assert {f"../../methods/index.html#{name}" for name in ("holm", "mcnemar_midp_tango", "wilson")} <= links
    assert "methods/index.html" not in single_page(made)


def test_the_verdict_stands_before_everything_else() -> None:
    dom = pages()["index.html"]
    first = dom.css_first("main section")
    assert "Worse on 1, better on 1 of 4 tasks" in first.text()
    assert dom.css("main h1, main section")[1].attributes["class"].startswith("strip")


def test_a_page_that_stands_alone_loads_nothing_and_runs_nothing() -> None:
    text = single_page(comparison())
    dom = LexborHTMLParser(text)
    assert dom.css("script, link[rel=stylesheet]") == []
    assert "default-src 'none'" in dom.css_first("meta[http-equiv]").attributes["content"]


def test_the_style_inside_a_page_is_the_one_its_policy_allows() -> None:
    from base64 import b64encode
    from hashlib import sha256

    dom = LexborHTMLParser(single_page(comparison()))
    digest = b64encode(sha256(dom.css_first("style").text().encode()).digest()).decode()
    assert f"'sha256-{digest}'" in dom.css_first("meta[http-equiv]").attributes["content"]


def test_a_page_is_not_for_search_engines_and_sends_no_referrer() -> None:
    dom = pages()["index.html"]
    assert dom.css_first("meta[name=robots]").attributes["content"] == "noindex"
    assert dom.css_first("meta[name=referrer]").attributes["content"] == "no-referrer"


def test_what_does_not_fit_into_one_file_is_counted() -> None:
    text = single_page(comparison(), embed_limit=20_000)
    assert len(text) < 120_000
    left_out = LexborHTMLParser(text).css_first(".left-out").text()
    kept = len(LexborHTMLParser(text).css("article"))
    assert f"changed items: {len(item_pages.items_of(comparison())) - kept} left out" in left_out


def test_the_comparisons_own_page_stays_small_whatever_its_prompts() -> None:
    long = PromptPair("arith", "0", "word " * 60_000, "word " * 60_000 + "end", None, None, "They differ at their end.")
    made = comparison_pages(comparison(prompts=(long,)), InArchive())
    assert len(made["index.html"].encode()) < 150_000
    assert made["prompts.html"].count("word word") > 100


def test_a_step_without_items_is_not_shown() -> None:
    ladder = comparison().ladder[0]
    ladder = ladder._replace(rungs=(*ladder.rungs, Rung("choices", 0, 0, None)))
    assert "choices" not in pages(comparison(ladder=(ladder,)))["index.html"].css_first(".ladder").text()


def test_likelihoods_that_moved_under_other_prompts_are_not_called_noise() -> None:
    change = comparison().answer_changes[0]
    assert pages(comparison(answer_changes=(change,)))["index.html"].css_first("figure") is not None
    assert pages(comparison(answer_changes=(change._replace(task="arith"),)))["index.html"].css_first("figure") is None


def test_findings_of_one_kind_stand_together() -> None:
    one = comparison().findings[0]
    made = pages(comparison(findings=tuple(one._replace(task=f"t{n}") for n in range(4))))["index.html"]
    assert len(made.css("#warnings ~ ul.findings > li")) == 1
    assert "3 more of this kind" in made.css_first(".findings details summary").text()


def test_two_runs_without_anything_in_common_still_make_a_page() -> None:
    bare = comparison(
        metrics=(),
        settings=(),
        task_settings=(),
        context=(),
        ladder=(),
        findings=(),
        flips=(),
        flip_counts=(),
        prompts=(),
    )
    made = pages(bare)
    assert list(made) == ["index.html"]
    assert "did not measure the same thing" in made["index.html"].css_first("main").text()


@pytest.mark.parametrize(
    ("a", "b", "columns", "marks"),
    [("same", "same", 1, 0), ("a b", "a c", 2, 2), (None, "b", 2, 0), ("", "b", 2, 0), ("a", "a ", 2, 2)],
)
def test_two_texts_stand_side_by_side_only_where_they_differ(
    a: str | None, b: str | None, columns: int, marks: int
) -> None:
    dom = LexborHTMLParser(pair_html(a, b))
    assert len(dom.css(".pair > div")) == columns
    assert len(dom.css("mark")) == marks


def test_an_empty_answer_and_one_that_was_not_recorded_are_told_apart() -> None:
    dom = LexborHTMLParser(pair_html(None, ""))
    assert [node.text() for node in dom.css(".empty")] == ["not recorded", "empty"]


def test_a_long_equal_stretch_folds_and_is_still_whole() -> None:
    same = " ".join(map(str, range(300)))
    dom = LexborHTMLParser(pair_html(f"x {same} a", f"y {same} b"))
    assert "equal characters" in dom.css_first("summary").text()
    text = dom.css(".text")[0].text().replace(dom.css_first("summary").text(), "")
    assert same in text


def test_answers_are_marked_where_they_part() -> None:
    assert pair_html("I say yes", "I say no", parting=True).count('class="parts"') == 2


def test_same_artifact_same_pages() -> None:
    assert comparison_pages(comparison(), InArchive()) == comparison_pages(comparison(), InArchive())


def test_a_flip_on_one_side_only_says_so() -> None:
    lone: Flip = flip("149", "one_side_missing", b=None)
    text = comparison_pages(comparison(flips=(lone,)), InArchive())["items-1.html"]
    assert "no\u00a0row" in text


def test_a_page_of_seventy_scores_is_light_and_says_a_shared_reason_once() -> None:
    base = comparison().metrics[0]._replace(status="unclear", reason="too few items", noise_floor=None)
    rows = tuple(base._replace(task=f"task_{number}", primary=True) for number in range(70))
    page = comparison_pages(comparison(metrics=rows, flips=(), flip_counts=()), InArchive())["index.html"]
    assert page.count("too few items") == 1
    assert len(page.encode()) <= 60_000
    assert len(LexborHTMLParser(page).css("tbody td > svg")) == 70


def test_a_second_reason_of_several_rows_is_said_once_with_their_names() -> None:
    base = comparison().metrics[0]._replace(status="unclear", noise_floor=None)
    rows = tuple(
        base._replace(task=f"t{n}", primary=True, reason="too few" if n > 4 else "not alone") for n in range(12)
    )
    page = comparison_pages(comparison(metrics=rows, flips=(), flip_counts=()), InArchive())["index.html"]
    assert "7 of 12 rows: too few." in page
    assert "5 of 12 rows (t0, t1, t2, t3 and t4): not alone." in page
    assert page.count("not alone") == 1


def test_a_large_group_leads_and_its_parts_fold_into_one_strip() -> None:
    base = comparison().metrics[0]
    parts = tuple(base._replace(task=f"s{number}", status="unclear") for number in range(57))
    group = base._replace(task="all", group=True, subtasks=tuple(row.task for row in parts), status="worse")
    dom = pages(comparison(metrics=(*parts, group)))["index.html"]
    assert dom.css_first("#scores ~ .scroll tbody th").text().startswith("all")
    assert len(dom.css("svg.heat rect")) == 57
    assert "57 tasks of all" in dom.css_first("#scores ~ details summary").text()


def test_categories_of_a_benchmark_nest_each_with_its_own_tasks() -> None:
    base = comparison().metrics[0]
    names = {kind: tuple(f"{kind}{number}" for number in range(9)) for kind in ("stem", "arts")}
    leaves = tuple(base._replace(task=name, status="unclear") for mine in names.values() for name in mine)
    kinds = tuple(base._replace(task=kind, group=True, subtasks=mine) for kind, mine in names.items())
    top = base._replace(task="all", group=True, subtasks=tuple(names), status="worse")
    dom = pages(comparison(metrics=(*leaves, *kinds, top), flips=(), flip_counts=()))["index.html"]
    fold = dom.css_first("#scores ~ details")
    rows = [row.text() for row in fold.css_first("table").css("tbody tr:not(.note) > th")]
    assert sorted(text.split()[0] for text in rows) == ["arts", "stem"]
    head = fold.css_first("summary").text()
    assert re.fullmatch(r"2 groups of all: worse: .*stem.*; 18 tasks: none significant on its own after Holm", head)
    inner = [node.text() for node in fold.css("details > summary")]
    assert sum("9 tasks of stem" in text for text in inner) == 1
    assert sum(row.text().startswith("stem3 ") for row in fold.css("tbody th")) == 1
