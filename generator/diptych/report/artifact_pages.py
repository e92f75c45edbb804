"""Every kind of artifact as pages under its own folder: comparisons, decisions, matrices, repeats."""

from typing import Any

from diptych.comparison import Comparison
from diptych.decision import StudentDecision
from diptych.matrix import Matrix
from diptych.repeats import Repeats
from diptych.report.addresses import relative
from diptych.report.archive_frames import frame
from diptych.report.artifact_parts import Place
from diptych.report.comparison_pages import comparison_pages, decision_page, document_page, downloads_of
from diptych.report.documents.matrix import matrix_document
from diptych.report.documents.repeats import repeats_document
from diptych.report.documents.summaries import Site, Summary
from diptych.report.writers.harmless import shorten


def pages_of(artifact: Any, summary: Summary, digest: str, site: Site) -> dict[str, str]:
    """Return the pages of one artifact, by their address in the archive."""
    page = f"{summary.folder}/index.html"
    place = Place(
        frame(summary.title, page, site, (("Overview", "index.html"), (shorten(summary.title, 60), ""))),
        digest,
        tuple((run.label, relative(f"{run.folder}/index.html", page)) for run in summary.runs),
    )
    if isinstance(artifact, Comparison):
        return comparison_in(artifact, summary, place, site)
    if isinstance(artifact, StudentDecision):
        return {page: decision_page(artifact, place.frame, digest)}
    hrefs = [href for _, href in place.runs]
    if isinstance(artifact, Matrix):
        document = matrix_document(artifact, hrefs, digest)
    else:
        assert isinstance(artifact, Repeats)
        document = repeats_document(artifact, hrefs, digest)
    return {page: document_page(document._replace(downloads=downloads_of(artifact)), place.frame)}


def comparison_in(comparison: Comparison, summary: Summary, place: Place, site: Site) -> dict[str, str]:
    """Return the pages of a comparison, placed into the archive."""
    pages = comparison_pages(comparison, place)
    return {f"{summary.folder}/{name}": text for name, text in pages.items()}
