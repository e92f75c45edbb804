"""A comparison as pages: its own, the items that moved in pages of fifty, the prompts; or all of it as one file."""

from typing import Any

from diptych import numbers
from diptych.comparison import Comparison, LeftOut
from diptych.decision import StudentDecision
from diptych.matrix import Matrix
from diptych.repeats import Repeats
from diptych.report import item_pages
from diptych.report.artifact_parts import Place
from diptych.report.blocks import Document, Section
from diptych.report.charts import plots
from diptych.report.documents.changes import kept_and_changed, prompt_diff
from diptych.report.documents.column_labels import column_labels
from diptych.report.documents.comparison import Placed, comparison_document, comparison_title
from diptych.report.documents.decision import decision_document
from diptych.report.page_frames import Crumb, Frame, whole_frame
from diptych.report.writers.environment import html_page
from diptych.report.writers.escape import Markup
from diptych.report.writers.html import document_body

DOWNLOADS = {
    "artifact.json": "Artifact (JSON)",
    "scores.csv": "Scores (CSV)",
    "items.csv": "Changed items (CSV)",
    "differences.svg": "Differences (SVG)",
    "badge.svg": "Badge (SVG)",
}
"""What can be taken from an artifact's page in an archive: file names, and what they are called."""


def downloads_of(artifact: Any) -> tuple[tuple[str, str], ...]:
    """Return what an artifact's page offers, as (text, address): what it lacks is not offered."""
    lacking = {"items.csv", "differences.svg"}
    if isinstance(artifact, Comparison):
        lacking = {"items.csv"} if not artifact.flips else set()
        lacking |= set() if any(plots.forest_row(row) for row in artifact.metrics) else {"differences.svg"}
    counts = row_counts(artifact)
    return tuple(
        (text.replace("CSV", f"CSV, {counts[name]}") if name in counts else text, name)
        for name, text in DOWNLOADS.items()
        if name not in lacking
    )


def row_counts(artifact: Any) -> dict[str, str]:
    """Return how much an artifact's tables hold, by the name of their file."""
    if isinstance(artifact, Comparison):
        kept, changed = kept_and_changed(artifact)
        items_told = numbers.counted(kept, "item") if kept == changed else f"{numbers.count_of(kept, changed)} items"
        return {"scores.csv": numbers.counted(len(artifact.metrics), "row"), "items.csv": items_told}
    if isinstance(artifact, Matrix):
        rows = len(artifact.rows)
    else:
        rows = len(artifact.floors if isinstance(artifact, Repeats) else artifact.routes)
    return {"scores.csv": numbers.counted(rows, "row")}


LONG = 12_000
"""Characters of a pair of prompts that the comparison's own page holds whole."""

WHOLE = 2_000_000
"""Characters of a pair of prompts that the page of prompts holds whole."""

EMBED_LIMIT = 44_000
"""Characters of items that a one-file page carries; the rest is counted in what is left out."""


def comparison_pages(comparison: Comparison, place: Place | None = None) -> dict[str, str]:
    """Return a comparison's pages by name, `index.html` first; without a place each page stands alone."""
    frame = place.frame if place else whole_frame(comparison_title(comparison))
    moved = item_pages.items_of(comparison)
    whole = [pair for pair in comparison.prompts if pair.a != pair.b] or list(comparison.prompts)
    all_prompts = len(comparison.prompts) > 1 or any(len(pair.a or "") + len(pair.b or "") > LONG for pair in whole)
    placed = Placed(
        items={
            (item.task, item.item): item_pages.page_name(item.page) + item_pages.anchor(item.task, item.item)
            for item in moved
        },
        runs=(place.runs[0][1], place.runs[1][1]) if place else ("", ""),
        methods=f"{frame.root}methods/index.html" if frame.root is not None else None,
        digest=place.digest if place else "",
        all_items="items-1.html" if moved else "",
        all_prompts="prompts.html" if all_prompts else "",
        downloads=downloads_of(comparison) if place else (),
    )
    document = comparison_document(comparison, placed)
    pages = {"index.html": document_page(document, frame)}
    for page in item_pages.item_pages(comparison, moved):
        pages[page.name] = items_page(comparison, page, moved, frame)
    if all_prompts:
        section = Section("prompts", "", tuple(prompt_diff(pair, column_labels(comparison), WHOLE) for pair in whole))
        prompts = document._replace(title=f"Prompts: {document.title}", sections=(section,), downloads=())
        pages["prompts.html"] = document_page(prompts, inner_frame(frame, "Prompts"))
    return pages


def decision_page(decision: StudentDecision, frame: Frame, digest: str, downloads: bool = True) -> str:
    methods = f"{frame.root}methods/index.html" if frame.root is not None else None
    return document_page(
        decision_document(decision, methods, digest, downloads_of(decision) if downloads else ()), frame
    )


def document_page(document: Document, frame: Frame, more: str = "") -> str:
    """Return a Document as a page inside its frame; `more` is HTML of ours that ends it."""
    return html_page("document.html.j2", frame=frame, body=document_body(document) + Markup(more))


def single_page(comparison: Comparison, embed_limit: int = EMBED_LIMIT) -> str:
    """Return a comparison as one self-contained file: style inside, no script, items up to `embed_limit` characters."""
    moved = item_pages.items_of(comparison)
    seen: set[str] = set()
    parts: list[str] = []
    size = 0
    for item in moved:
        article = item_pages.articles([item], seen, column_labels(comparison))
        size += len(article)
        if size > embed_limit:
            break
        parts.append(article)
    kept = moved[: len(parts)]
    if len(kept) < len(moved):
        gone = LeftOut("changed items", len(moved) - len(kept), "this file's size; the artifact has all")
        comparison = comparison._replace(left_out=(*comparison.left_out, gone))
    placed = Placed(
        items={(item.task, item.item): item_pages.anchor(item.task, item.item) for item in kept}, room=embed_limit // 8
    )
    document = comparison_document(comparison, placed)
    inner = (
        f'<section aria-labelledby="items"><h2 id="items">Items</h2>{without_repeats(parts)}</section>' if parts else ""
    )
    return document_page(document, whole_frame(document.title), inner)


def without_repeats(articles: list[str]) -> str:
    """Return articles joined, a class's heading only where the class begins."""
    joined = []
    last = ""
    for article in articles:
        head, mark, rest = article.partition("</h2>")
        words = head.partition(">")[2] if mark else ""
        joined.append(article if words != last else rest)
        last = words
    return "".join(joined)


def items_page(
    comparison: Comparison, page: item_pages.ItemPage, moved: tuple[item_pages.Item, ...], frame: Frame
) -> str:
    first, last = (page.number - 1) * item_pages.PAGE + 1, min(page.number * item_pages.PAGE, len(moved))
    title = f"Changed items {first} to {last} of {len(moved)}"
    return html_page(
        "items.html.j2",
        frame=inner_frame(frame, title),
        title=title,
        lead=item_pages.lead_html(comparison),
        choices=item_pages.choices(comparison, moved, page.number),
        links=tuple((str(n), item_pages.page_name(n), n == page.number) for n in range(1, page.pages + 1)),
        body=page.body,
    )


def inner_frame(frame: Frame, title: str) -> Frame:
    """Return the frame of a page behind the comparison's own."""
    back = frame.crumbs[-1].text if frame.crumbs else frame.title
    crumbs = (*frame.crumbs[:-1], Crumb(back, "index.html"), Crumb(title))
    return frame._replace(title=f"{title} · {frame.title}", crumbs=crumbs)
