"""The methods page, made from the table that the choice of a method is made from: a "how" link leads to its anchor."""

from diptych.methods import METHODS
from diptych.render.archive_frames import frame
from diptych.render.environment import html_page
from diptych.render.summaries import Site

PAGE = "methods/index.html"


def methods_pages(site: Site) -> dict[str, str]:
    """Return the page of all methods, an anchor (`#name`) each."""
    text = html_page(
        "methods.html.j2",
        frame=frame("Methods", PAGE, site, (("Methods", ""),)),
        methods=tuple(METHODS.values()),
    )
    return {PAGE: text}
