"""One artifact of each kind through every writer: a member of an enumeration bears the lexicon's word, or none."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from selectolax.lexbor import LexborHTMLParser

from diptych import closed_names
from diptych import decision as decision_nouns
from diptych.catalogue import row_words, words
from diptych.comparison import MetricComparison
from diptych.publish.badges import badge
from diptych.publish.comment import comment
from diptych.publish.export import csv_text, items_csv, junit_text, plots
from diptych.report.addresses import artifact_title
from diptych.report.archive_pages import ANSWERS, artifact_pages
from diptych.report.documents.comparison import comparison_document
from diptych.report.documents.decision import decision_document
from diptych.report.documents.matrix import matrix_document
from diptych.report.documents.repeats import repeats_document
from diptych.report.documents.score_rows import shared_cells
from diptych.report.documents.summaries import Site
from diptych.report.documents.summarise import summarise
from diptych.report.writers.terminal import document_text
from examples_comparison import comparison, matrix, repeats
from examples_decision import decision
from planned_archive import index_pages

KINDS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "comparison": (comparison, comparison_document),
    "matrix": (matrix, matrix_document),
    "repeats": (repeats, repeats_document),
    "decision": (decision, decision_document),
}

TABLES = (
    words.VERDICTS,
    words.STATUSES,
    words.CERTAINTIES,
    words.BEARINGS,
    words.STEPS,
    words.CLASSES,
    words.SEVERITIES,
    words.GATES,
    words.DECISIONS,
)
WORDS = {word.word for table in TABLES for word in table.values()} | {
    word.word
    for word in (words.AT_FLOOR, words.NO_ITEM_CHANGED, words.OTHER_FILTER, words.PICKED_CHOICE, words.REPEATS)
}
MEMBERS = {
    member
    for kind in (
        closed_names.VerdictKind,
        closed_names.Status,
        closed_names.Certainty,
        closed_names.Step,
        closed_names.FlipClass,
        decision_nouns.DecisionKind,
    )
    for member in get_args(kind)
    if "_" in member
}
"""Names that only an artifact may hold: no word of a person's."""

OLD = re.compile(
    r"cannot tell|real difference|\bpoints\b|\bpt\b|95 % range|prior place|raw answers?|extracted (?:answers?|in)"
    r"|role marks|items that moved|youngest|\brungs?\b|\broutes\b|outside the harness|not ability|where the runs part"
    r"|\blost\b|\bgained\b|\bA against B\b|generation arguments|item margin|checks passed|wrong in both, changed",
    re.IGNORECASE,
)
"""The words that the field's own have replaced."""


def outputs(kind: str) -> dict[str, str]:
    """Return everything that is written of one artifact, by writer, as a person reads it."""
    make, document_of = KINDS[kind]
    made = make()
    document = document_of(made)
    summary = summarise(made)
    texts = {
        "terminal": document_text(document, width=10_000),
        "whole": document_text(document, width=10_000, full=True),
        "comment": comment([made]).text,
        "comment of many": comment([made, make(title="another", id="b" * 12)]).text,
        "csv": csv_text(made),
        "junit": junit_text(made),
        "badge": badge(summary),
        "plots": "\n".join(plots(made).values()),
        "index": read(index_pages([summary], [], Site())["index.html"]),
    }
    if kind == "comparison":
        texts["items"] = items_csv(made)
    pages = artifact_pages(made, summary, "d" * 64, Site())
    return texts | {name: read(page) for name, page in pages.items()}


def read(page: str) -> str:
    """Return the text of a page, without what no reader sees."""
    dom = LexborHTMLParser(page)
    for node in dom.css("style, script"):
        node.decompose()
    return dom.body.text(separator=" ") if dom.body else ""


def own_texts(value: Any) -> set[str]:
    """Return every text of an artifact that a person, a model or the analysis wrote."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {text for pair in value.items() for part in pair for text in own_texts(part)}
    return {text for part in value for text in own_texts(part)} if isinstance(value, tuple | list) else set()


@pytest.mark.parametrize("kind", KINDS)
def test_no_writer_shows_the_name_of_a_member(kind: str) -> None:
    for name, text in outputs(kind).items():
        found = {member for member in MEMBERS if re.search(rf"(?<![\w.]){member}(?!\w)", text)}
        assert found == set(), name


@pytest.mark.parametrize("kind", KINDS)
def test_no_writer_uses_a_word_that_the_fields_own_replaced(kind: str) -> None:
    known = own_texts(KINDS[kind][0]())
    for name, text in outputs(kind).items():
        flat = " ".join(text.split())
        for own in sorted((" ".join(one.split()) for one in known if OLD.search(one)), key=len, reverse=True):
            flat = flat.replace(own, "").replace(own.rstrip("."), "")
        assert OLD.findall(flat) == [], name


@pytest.mark.parametrize("kind", KINDS)
def test_every_toned_word_of_a_page_is_one_of_the_lexicon(kind: str) -> None:
    make, _ = KINDS[kind]
    made = make()
    signs = {word.sign for table in TABLES for word in table.values()} | {words.AT_FLOOR.sign, words.REPEATS.sign}
    for name, page in artifact_pages(made, summarise(made), "d" * 64, Site()).items():
        for node in LexborHTMLParser(page).css("td span.word, td.word"):
            text = node.text(strip=True).replace("\u00a0", " ")
            sign, _, word = text.partition(" ")
            said = word if sign in signs and word else text
            assert said in WORDS | {"one of"}, name


PROSE = re.compile(
    r"fixed and regressed items would|(?:All|of [\d,]+) changed items, with prompts and responses"
    r"|samples N \(prompts and responses\)|Choices Choice|Changed items \([^)]*\) Prompts|Prompts(?:: |$)"
)
"""Where a page says a word of the lexicon as a word of its own: in a method's description, a heading, a link."""

FOLLOWED = (words.VERDICTS, words.STATUSES, words.CERTAINTIES, words.BEARINGS, words.CLASSES, words.DECISIONS)
LOOSE = {"better", "worse", "keep", "possible", "different"}
"""Words of running text, too: their rows are held by the toned words of a page."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_writer_takes_the_word_of_a_member_from_the_lexicon(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that is changed in the lexicon is changed wherever it stands: no room has a copy of its own."""
    known = sorted({" ".join(text.split()) for text in own_texts(KINDS[kind][0]()) if len(text) > 3}, key=len)
    former = set()
    for number, table in enumerate(FOLLOWED):
        for place, (member, word) in enumerate(list(table.items())):
            former.add(word.word)
            changed = word._replace(word=f"zq{number}z{place}")
            monkeypatch.setitem(cast("dict[Any, words.Word]", table), member, changed)
            if ANSWERS.get(member) is word:
                monkeypatch.setitem(ANSWERS, member, changed)
    texts = outputs(kind)
    assert kind == "repeats" or any("zq" in text for text in texts.values())
    for name, text in texts.items():
        flat = PROSE.sub("", " ".join(text.split()))
        for own in reversed(known):
            flat = flat.replace(own, "")
        found = {word for word in former - LOOSE if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", flat, re.I)}
        assert found == set(), name


@pytest.mark.parametrize("up", [True, False])
def test_of_a_metric_where_lower_is_better_a_lost_item_is_one_that_scores_in_b_alone(up: bool) -> None:
    row = next(row for row in comparison().metrics if row.estimate and row.estimate.only_a == 22)
    told = row_words.counts_in_words(row._replace(higher_is_better=up))
    assert told == ("22 regressed, 1 fixed" if up else "1 regressed, 22 fixed")
    page = document_text(comparison_document(comparison(metrics=(row._replace(higher_is_better=up),))), 200, full=True)
    assert f"{told} of 150" in page


def test_a_title_and_a_badge_say_one_thing() -> None:
    for make, document_of in KINDS.values():
        made = make()
        summary = summarise(made)
        said = summary.said if summary.kind != "decision" else ""
        assert document_of(made).title == artifact_title(made) or summary.kind == "decision"
        assert said in badge(summary)


SITE = Path(__file__).resolve().parents[2] / "site" / "artifacts"
SAID = re.compile(rf"{OLD.pattern}|budget of tokens|in marks\b|if effects add|against its digest", re.IGNORECASE)


@pytest.mark.parametrize("file", sorted(SITE.glob("*.json")), ids=lambda file: file.stem)
def test_no_sentence_of_the_analysis_uses_a_word_that_the_fields_own_replaced(file: Path) -> None:
    body = json.loads(file.read_text(encoding="utf-8"))
    verdict = body.get("verdict") or {}
    told = [verdict.get("sentence"), verdict.get("next_step"), *(body.get("sentences") or ())]
    told += [finding["text"] for finding in body["findings"]]
    told += [
        row.get(name) for row in (*body.get("metrics", ()), *body.get("effects", ())) for name in ("sentence", "note")
    ]
    assert [text for text in told if text and SAID.search(text)] == []


def test_a_group_score_that_its_run_does_not_report_is_called_ours() -> None:
    row = MetricComparison("mmlu", "acc", "none", True, 0.6686, 0.521, 0.0, "same", None, group=True)
    told = shared_cells(row._replace(a_paired=0.6686, b_paired=0.6686))
    assert [list(cell) for cell in told] == [["0.6686"], ["0.6686 (ours)"]]
