"""The manual of an archive: what its words mean, made from the nouns, and the archive's own pages in Markdown."""

import re
from collections.abc import Mapping
from typing import Any

from diptych.catalogue import words
from diptych.catalogue.finding_row import EFFECTS
from diptych.catalogue.findings import FINDINGS
from diptych.catalogue.words import Word
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import slug
from diptych.report.archive_frames import frame
from diptych.report.documents.summaries import Site
from diptych.report.writers.environment import html_page
from diptych.report.writers.escape import Markup
from diptych.report.writers.harmless import one_line, visible
from diptych.report.writers.html_inline import sentence_html
from diptych.report.writers.markdown import rendered

FINDINGS_TITLE = "What each finding means"
FINDINGS_PAGE = "manual/what-each-finding-means/index.html"


class WordTable(NamedTuple):
    """Words and what they mean."""

    title: str
    anchor: str
    lead: str
    rows: tuple[tuple[str, str], ...]


class Chapter(NamedTuple):
    """One page of the archive's own."""

    title: str
    page: str
    text: str


def manual_pages(site: Site) -> dict[str, str]:
    """Return the manual: a first page of words, and a page for each Markdown file of the archive."""
    chapters = chapters_of(site)
    contents = [*((chapter.title, chapter.page) for chapter in chapters), (FINDINGS_TITLE, FINDINGS_PAGE)]
    page = "manual/index.html"
    pages = {
        page: html_page(
            "manual_words.html.j2",
            frame=frame("Manual", page, site, (("Manual", ""),)),
            contents=[(title, where.removeprefix("manual/")) for title, where in contents],
            tables=word_tables(),
        ),
        FINDINGS_PAGE: html_page(
            "manual_findings.html.j2",
            frame=frame(FINDINGS_TITLE, FINDINGS_PAGE, site, (("Manual", "manual/index.html"), (FINDINGS_TITLE, ""))),
            contents=[(title, "../../" + where, where == FINDINGS_PAGE) for title, where in contents],
            chapters=finding_chapters(),
        ),
    }
    for chapter in chapters:
        pages[chapter.page] = html_page(
            "manual.html.j2",
            frame=frame(chapter.title, chapter.page, site, (("Manual", "manual/index.html"), (chapter.title, ""))),
            contents=[(title, "../../" + where, where == chapter.page) for title, where in contents],
            body=linked(rendered(visible(chapter.text))),
        )
    return pages


def finding_chapters() -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Return every kind of finding by chapter: its name, its title, its text and what it does to a verdict."""
    chapters: dict[str, list[tuple[str, str, str, str]]] = {}
    for kind, row in FINDINGS.items():
        weight = ", ".join(
            f"{words.SEVERITIES[severity].word.lower()} {when}" for severity, when in row.severities.items()
        )
        text = f"{row.meaning} ({weight})"
        advice = Markup(sentence_html(f"{row.advice} {EFFECTS[row.effect]}"))
        chapters.setdefault(row.about, []).append((kind, row.title, text, advice))
    return list(chapters.items())


def chapters_of(site: Site) -> list[Chapter]:
    """Return the archive's own pages in the order of their file names; a leading number only orders them."""
    chapters = []
    for name, text in site.pages:
        heading = re.search(r"^#\s+(.+)$", text, re.MULTILINE)
        title = one_line(heading.group(1)).strip() if heading else name
        chapters.append(Chapter(title, f"manual/{chapter_name(name)}/index.html", text))
    return chapters


def chapter_name(name: str) -> str:
    """Return a Markdown file's name as its folder in the manual."""
    return slug(re.sub(r"^\d+[-_]", "", name)) or "page"


def linked(html: str) -> str:
    """Return a page's HTML, links to other Markdown files made links to their pages, pictures left as their words."""

    def page_of(found: re.Match[str]) -> str:
        return f'href="../{chapter_name(found.group(1))}/index.html{found.group(2) or ""}"'

    html = str(html).replace("<pre>", '<pre tabindex="0">')  # what is wider than a phone scrolls, also by keyboard
    text = re.sub(r'<img src="[^"]*" alt="([^"]*)"[^>]*>', r"\1", html)  # a page asks nobody for anything
    return Markup(re.sub(r'href="([\w-]+)\.md(#[\w-]*)?"', page_of, text))


def lexicon_rows(table: Mapping[Any, Word]) -> tuple[tuple[str, str], ...]:
    """Return a lexicon's words with what they mean, each with its name in artifacts where that is another."""
    return tuple(
        (row.word if row.word == key.replace("_", " ") else f"{row.word} ({key})", row.meaning)
        for key, row in table.items()
    )


def word_tables() -> tuple[WordTable, ...]:
    """Return every word of the lexicon."""
    both = "in brackets its name in an artifact."
    return (
        WordTable("The field's words", "terms", "What stands on every page.", tuple(words.TERMS.items())),
        WordTable("The verdict on two runs", "verdicts", f"One of six; {both}", lexicon_rows(words.VERDICTS)),
        WordTable(
            "One score",
            "statuses",
            "The word in a row of the score table; Δ is always the other run less the baseline.",
            lexicon_rows(words.STATUSES),
        ),
        WordTable("How sure the cause is", "standings", "Said beside the cause.", lexicon_rows(words.CERTAINTIES)),
        WordTable("What a setting has to do with it", "bearings", "Said in the ranking.", lexicon_rows(words.BEARINGS)),
        WordTable(
            "The first divergence",
            "ladder",
            "Each step asks how many items are equal in both runs. The first step that breaks is where to look.",
            (*lexicon_rows(words.STEPS), (words.PICKED_CHOICE.word, words.PICKED_CHOICE.meaning)),
        ),
        WordTable("Changed items", "flips", f"The class of an item; {both}", lexicon_rows(words.CLASSES)),
        WordTable("The decision on students", "decisions", f"One of four; {both}", lexicon_rows(words.DECISIONS)),
        WordTable("A gate's outcome", "gates", "What a rule that was asked for says.", lexicon_rows(words.GATES)),
        WordTable("Findings", "severities", "How heavy a finding weighs.", lexicon_rows(words.SEVERITIES)),
    )
