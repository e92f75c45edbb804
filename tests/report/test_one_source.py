"""One number reads alike wherever it stands, and no verdict is spelled twice: page, comment, terminal, CSV."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from diptych import numbers, value_text
from diptych.artifact import dumps, loads
from diptych.comparison import Comparison
from diptych.matrix import Matrix
from diptych.publish.comment import comment
from diptych.publish.export import csv_text
from diptych.repeats import Repeats
from diptych.report.archive_pages import artifact_pages
from diptych.report.blocks import Document
from diptych.report.comparison_pages import single_page
from diptych.report.documents.comparison import comparison_document
from diptych.report.documents.decision import decision_document
from diptych.report.documents.matrix import matrix_document
from diptych.report.documents.repeats import repeats_document
from diptych.report.documents.score_rows import row_word
from diptych.report.documents.summaries import Site
from diptych.report.documents.summarise import summarise
from diptych.report.writers.terminal import document_text

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [
    path
    for path in sorted((ROOT / "site" / "artifacts").glob("*.json"))
    if not json.loads(path.read_text(encoding="utf-8"))["schema"].startswith("diptych/comparison/")
]
COMPARISONS = [
    path
    for path in sorted((ROOT / "site" / "artifacts").glob("*.json"))
    if json.loads(path.read_text(encoding="utf-8"))["schema"].startswith("diptych/comparison/")
]
DECIMAL = re.compile(r"(?<![\w.:%/-])[+−-]?\d[\d,]*\.\d+(?![\w.])")


def values(node: Any) -> Iterator[Any]:
    """Return every number and every text of an artifact's JSON."""
    if isinstance(node, dict):
        for value in node.values():
            yield from values(value)
    elif isinstance(node, list):
        for value in node:
            yield from values(value)
    else:
        yield node


def worded(made: Any) -> set[str]:
    """Return every text that numbers.py has for a number of an artifact, and the numbers of its own texts."""
    told: set[str] = set()
    for value in values(json.loads(dumps(made))):
        if isinstance(value, str):
            told.update(DECIMAL.findall(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found = float(value)
            texts = [numbers.score(found), numbers.points(found, unit=False), numbers.bare(found, False)]
            texts += [numbers.p_value(abs(found)), numbers.bound(found), numbers.quantity(found), numbers.size(found)]
            texts += [numbers.size(found, up=True), numbers.duration(found), numbers.level(min(max(found, 0.0), 0.999))]
            texts += [numbers.points(abs(found), unit=False), numbers.deviation(found, True), value_text.value(value)]
            texts += [numbers.between(found, 1.0, True), numbers.between(found, 1.0, False)]  # as beside a larger end
            told.update(part.lstrip("+") for text in texts for part in re.split(r"[ –]", text))
    return {text.replace("−", "").lstrip("+-") for text in told}


def outputs(made: Comparison) -> dict[str, str]:
    page = re.sub(r"<(style|svg)\b.*?</\1>", " ", single_page(made), flags=re.S)
    section = page.partition('id="items"')[0].partition('id="prompts"')[0]
    return {
        "terminal": document_text(comparison_document(made)),
        "whole": document_text(comparison_document(made), full=True).partition("\nISOLATING RUN")[0],
        "comment": comment([made]).text.partition("excerpts")[0],
        "page": re.sub(r"<[^>]*>", " ", section),
    }


@pytest.mark.parametrize("path", COMPARISONS, ids=lambda path: path.stem)
def test_every_number_that_a_person_reads_is_one_of_the_texts_of_numbers(path: Path) -> None:
    made = loads(path.read_text(encoding="utf-8"))
    known = worded(made)
    for name, text in outputs(made).items():
        assert DECIMAL.search(text), name
        for found in DECIMAL.findall(text):
            assert found.lstrip("+−-") in known, f"{name}: {found}"
            assert not found.startswith("-"), f"{name}: {found} has no true minus"
    for cell in re.split(r"[,\r\n]", csv_text(made)):
        if re.fullmatch(r"-?\d+\.\d+(e-?\d+)?", cell):
            assert cell in in_csv(made)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_every_number_of_many_runs_and_of_students_is_one_of_the_texts_of_numbers(path: Path) -> None:
    made = loads(path.read_text(encoding="utf-8"))
    known = worded(made)
    document = document_of(made)
    pages = artifact_pages(made, summarise(made), "d" * 64, Site())
    page = re.sub(r"<(style|svg|script)\b.*?</\1>", " ", pages[min(pages, key=len)], flags=re.S)
    told = {
        "terminal": document_text(document, full=True).partition("\nPROVENANCE")[0],
        "comment": comment([made]).text,
        "page": re.sub(r"<[^>]*>", " ", page.partition('id="provenance"')[0]),
    }
    for name, text in told.items():
        assert DECIMAL.search(text), name
        for found in DECIMAL.findall(unescape(text)):
            assert found.lstrip("+−-") in known, f"{name}: {found}"
            assert not found.startswith("-"), f"{name}: {found} has no true minus"
    held = in_csv(made)
    cells = [cell for cell in re.split(r"[,\r\n]", csv_text(made)) if re.fullmatch(r"-?\d+\.\d+(e-?\d+)?", cell)]
    assert [cell for cell in cells if cell not in held] == []


def in_csv(made: Any) -> set[str]:
    held = [value for value in values(json.loads(dumps(made))) if isinstance(value, float)]
    return {f"{value:.{digits}g}" for value in held for digits in (6, 9)}


def document_of(made: Any) -> Document:
    if isinstance(made, Matrix):
        return matrix_document(made)
    return repeats_document(made) if isinstance(made, Repeats) else decision_document(made)


OLD = re.compile(
    r"\bcannot tell|\breal difference|\bpoints\b|95 % range|prior place|raw answers?|extracted answers?", re.I
)


@pytest.mark.parametrize("path", COMPARISONS, ids=lambda path: path.stem)
def test_a_report_uses_the_fields_words_for_a_status_a_class_and_a_step(path: Path) -> None:
    made = loads(path.read_text(encoding="utf-8"))
    own = [made.verdict.sentence, made.verdict.next_step, *(row.sentence for row in made.metrics)]
    own += [row.text for row in made.findings] + [row.evidence or "" for row in (*made.settings, *made.context)]
    own += [row.why for row in (*made.settings, *made.context)] + [row.note for row in made.prompts]
    run = made.verdict.isolating_run
    own += [run.if_closes, run.if_stays] if run else []
    text = " ".join(document_text(comparison_document(made._replace(title="x")), width=10_000, full=True).split())
    for sentence in sorted(own, key=len, reverse=True):
        text = text.replace(" ".join(sentence.split()).rstrip("."), "")
    assert OLD.findall(text.partition("PROVENANCE")[0]) == []
    for row in made.metrics:
        assert row_word(row).word in text


@pytest.mark.parametrize("path", COMPARISONS, ids=lambda path: path.stem)
def test_a_task_whose_log_likelihoods_moved_is_not_called_equal_on_every_step(path: Path) -> None:
    made = loads(path.read_bytes())
    assert isinstance(made, Comparison)
    text = document_text(comparison_document(made), full=True)
    for change in made.answer_changes:
        equal = re.search(r"[Ee]qual on every step: ([^.]*)\.", text)
        assert not (change.median and equal and change.task in equal[1])
