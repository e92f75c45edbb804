"""A comparison as pages: its own, the items that moved in pages of fifty, the prompts; or all of it as one file."""

from diptych.comparison import Comparison
from diptych.report import figures, items
from diptych.report.documents import comparison as views
from diptych.report.frames import Crumb, Frame, whole_frame
from diptych.report.page_views import Placed, page_view
from diptych.report.prompt_views import is_long, prompt_view, shown_prompts
from diptych.report.writers.environment import html_page
from diptych.report.writers.html import Markup

EMBED_LIMIT = 120_000
"""Characters of items that a one-file page carries; the rest is counted in what is left out."""


def comparison_pages(comparison: Comparison, place: Placed | None = None) -> dict[str, str]:
    """Return a comparison's pages by name, `index.html` first; without a place each page stands alone."""
    frame = place.frame if place else whole_frame(views.title_of(comparison))
    moved = items.items_of(comparison)
    all_prompts = len(comparison.prompts) > len(shown_prompts(comparison)) or is_long(comparison)
    view = page_view(comparison, moved, place, all_prompts=all_prompts)
    pages = {"index.html": html_page("comparison.html.j2", frame=frame, page=view)}
    for page in items.item_pages(comparison, moved):
        pages[page.name] = items_page(comparison, page, moved, frame)
    if all_prompts:
        pages["prompts.html"] = html_page(
            "prompts.html.j2",
            frame=inner_frame(frame, "Prompts"),
            title=view.title,
            prompts=tuple(prompt_view(pair, True) for pair in comparison.prompts),
        )
    return pages


def single_page(comparison: Comparison, embed_limit: int = EMBED_LIMIT) -> str:
    """Return a comparison as one self-contained file: style inside, no script, items up to `embed_limit` characters."""
    moved = items.items_of(comparison)
    seen: set[str] = set()
    parts: list[str] = []
    kept = 0
    size = 0
    for item in moved:
        article = items.articles([item], seen)
        size += len(article)
        if size > embed_limit:
            break
        parts.append(article)
        kept += 1
    view = page_view(comparison, moved[:kept], None, inside=True, limit=embed_limit)
    if kept < len(moved):
        more = figures.plural(len(moved) - kept, "item that moved", "items that moved")
        told = f"{more}: not in this file for its size; the artifact has all."
        view = view._replace(left_out=(*view.left_out, told))
    view = view._replace(embedded=Markup(without_repeats(parts)))
    return html_page("comparison.html.j2", frame=whole_frame(view.title), page=view)


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


def items_page(comparison: Comparison, page: items.ItemPage, moved: tuple[items.Item, ...], frame: Frame) -> str:
    """Return one page of items."""
    first, last = (page.number - 1) * items.PAGE + 1, min(page.number * items.PAGE, len(moved))
    title = f"Items {first} to {last} of {len(moved)}"
    return html_page(
        "items.html.j2",
        frame=inner_frame(frame, title),
        title=title,
        above=views.title_of(comparison),
        chips=items.chips(comparison, moved, inside=False),
        links=tuple((str(n), items.page_name(n), n == page.number) for n in range(1, page.pages + 1)),
        body=page.body,
    )


def inner_frame(frame: Frame, title: str) -> Frame:
    """Return the frame of a page behind the comparison's own."""
    back = frame.crumbs[-1].text if frame.crumbs else frame.title
    crumbs = (*frame.crumbs[:-1], Crumb(back, "index.html"), Crumb(title))
    return frame._replace(title=f"{title} · {frame.title}", crumbs=crumbs)
