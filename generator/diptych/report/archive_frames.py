"""The frame of an archive's pages, and long lists cut into pages."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from diptych.report.addresses import relative, root_of
from diptych.report.documents.summaries import Site
from diptych.report.page_frames import Crumb, Frame, linked_frame
from diptych.report.writers.harmless import one_line

if TYPE_CHECKING:
    from markupsafe import Markup

ROWS = 200
"""Rows of a list on one page."""


def frame(title: str, page: str, site: Site, crumbs: Iterable[tuple[str, str]] = ()) -> Frame:
    """Return the frame of a page at `page`; `crumbs` are (text, address) from the archive's first folder."""
    from markupsafe import Markup, escape

    root = root_of(page)
    head = archive_head(root)
    if site.base_url:
        address = f"{site.base_url.rstrip('/')}/{page}"
        head += Markup(
            '<link rel="canonical" href="{address}">\n<meta property="og:title" content="{title}">\n'
            '<meta property="og:url" content="{address}">\n<meta property="og:type" content="website">\n'
        ).format(address=address, title=one_line(title))
    whole = title if title == site.title else f"{title} · {site.title}"
    steps = tuple(Crumb(text, relative(target, page) if target else "") for text, target in crumbs)
    return linked_frame(whole, root, steps, extra_head=escape(head))


@lru_cache(64)
def archive_head(root: str) -> "Markup":
    """Return what the pages of an archive link to: the same on all pages of one depth."""
    from markupsafe import Markup

    return Markup(
        '<link rel="stylesheet" href="{root}static/archive.css">\n'
        '<link rel="alternate" type="application/atom+xml" title="Comparisons" href="{root}feed.xml">\n'
        '<script src="{root}static/archive.js" defer></script>\n'
    ).format(root=root)


def paged(rows: Sequence[Any], folder: str) -> Iterator[tuple[str, Sequence[Any], list[tuple[str, str, bool]]]]:
    """Yield (page, rows, links to all pages) for a list; short lists have one page and no links."""
    count = max(1, -(-len(rows) // ROWS))
    names = [f"{folder}index.html" if not place else f"{folder}page-{place + 1}/index.html" for place in range(count)]
    for place, name in enumerate(names):
        links = [(str(n + 1), relative(target, name), n == place) for n, target in enumerate(names)]
        yield name, rows[place * ROWS : (place + 1) * ROWS], links if count > 1 else []
