"""The methods page, made from the table that the choice of a method is made from: a "how" link leads to its anchor."""

from diptych.catalogue.methods import FLAGS, METHODS
from diptych.report.archive_frames import frame
from diptych.report.documents.summaries import Site
from diptych.report.writers.environment import html_page

PAGE = "methods/index.html"


def methods_pages(site: Site) -> dict[str, str]:
    """Return the page of all methods, an anchor (`#name`) each."""
    text = html_page(
        "methods.html.j2",
        frame=frame("Methods", PAGE, site, (("Methods", ""),)),
        methods=tuple(METHODS.values()),
        flags=tuple(FLAGS.items()),
    )
    return {PAGE: text}
