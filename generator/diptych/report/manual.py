"""The manual of an archive: what its words mean, made from the nouns, and the archive's own pages in Markdown."""

import re
from typing import NamedTuple

from diptych.catalogue.findings import EFFECTS, FINDINGS
from diptych.comparison import FLIP_CLASSES, VERDICTS
from diptych.decision import DECISIONS
from diptych.report.addresses import slug
from diptych.report.archive_frames import frame
from diptych.report.documents.comparison import CLASS_WORDS, SEVERITY_WORDS
from diptych.report.documents.summaries import WORDS, Site
from diptych.report.writers.environment import html_page
from diptych.report.writers.harmless import one_line, visible
from diptych.report.writers.markdown import rendered

STATUS_WORDS = {
    "better": "B's score is better, and luck is a poor explanation of it",
    "worse": "B's score is worse, and luck is a poor explanation of it",
    "same": "any difference is smaller than the margin that was set",
    "cannot tell": "this many items cannot tell the two apart, and cannot show that they are the same",
    "not available": "there is no number to compare, and the row says why",
}

STANDING_WORDS = {
    "proven": "the samples show it",
    "supported": "the samples show the trace that it would leave, and no trace of another cause",
    "possible": "it can cause what is seen, but so can others",
    "none": "nothing that differs explains it",
}

RUNG_WORDS = {
    "documents": "the items themselves: the same questions with the same targets",
    "prompts": "the text that was sent for an item",
    "choices": "the answers that were offered to be scored",
    "generation arguments": "temperature, length limit, stop texts",
    "raw answers": "what the model wrote, or its log-likelihoods",
    "extracted answers": "what the task's filter took out of the raw answer",
    "item scores": "the score that the item was given",
}


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
        weight = ", ".join(f"{SEVERITY_WORDS[severity].lower()} {when}" for severity, when in row.severities.items())
        text = f"{row.meaning} ({weight})"
        chapters.setdefault(row.about, []).append((kind, row.title, text, f"{row.advice} {EFFECTS[row.effect]}"))
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
    from markupsafe import Markup

    def page_of(found: re.Match[str]) -> str:
        return f'href="../{chapter_name(found.group(1))}/index.html{found.group(2) or ""}"'

    text = re.sub(r'<img src="[^"]*" alt="([^"]*)"[^>]*>', r"\1", str(html))  # a page asks nobody for anything
    return Markup(re.sub(r'href="([\w-]+)\.md(#[\w-]*)?"', page_of, text))


def shown(word: str, key: str) -> str:
    """Return a word as pages have it, with its name in artifacts where that is another."""
    return word if word == key.replace("_", " ") else f"{word} ({key})"


def word_tables() -> tuple[WordTable, ...]:
    """Return every word that a page of the archive uses as a verdict."""
    return (
        WordTable(
            "The verdict on two runs",
            "verdicts",
            "One of six, at the top of each comparison; in brackets its name in an artifact.",
            tuple((shown(WORDS[key][0], key), text) for key, text in VERDICTS.items()),
        ),
        WordTable(
            "One score",
            "statuses",
            "The word in a row of the score table; A difference is always B less A.",
            tuple(STATUS_WORDS.items()),
        ),
        WordTable(
            "How sure the cause is", "standings", "Said beside the leading cause.", tuple(STANDING_WORDS.items())
        ),
        WordTable(
            "The cause ladder",
            "ladder",
            "Each step asks how many items are equal on both sides. The first step that breaks is where to look.",
            tuple(RUNG_WORDS.items()),
        ),
        WordTable(
            "Items that moved",
            "flips",
            "Each item whose outcome or answer is not the same on both sides has one of these classes.",
            tuple((shown(CLASS_WORDS[key], key), text) for key, text in FLIP_CLASSES.items()),
        ),
        WordTable(
            "The decision on students",
            "decisions",
            "One of four, at the top of each decision; in brackets its name in an artifact.",
            tuple((shown(WORDS[key][0], key), text) for key, text in DECISIONS.items()),
        ),
    )
