"""The Atom feed of an archive: one entry an artifact, whose id and date never change by drawing it again."""

import re
from collections.abc import Iterable
from heapq import nlargest
from html import escape

from diptych.report.documents.summaries import Summary
from diptych.report.writers.harmless import one_line

EPOCH = "1970-01-01T00:00:00Z"
LIMIT = 100
"""A feed shows the newest; the index shows all."""


def feed(summaries: Iterable[Summary], title: str, base_url: str | None, built: str | None = None) -> str:
    """Return the feed, newest first; without a base URL its links are relative to the archive's first page.

    An entry's date is that of its runs; `built` (ISO) stands in where none of an archive's artifacts has one.
    """
    rows = nlargest(LIMIT, summaries, key=lambda row: (row.date or "", row.id))
    updated = max((rfc3339(row.date) for row in rows if row.date), default=rfc3339(built))
    base = base_url.rstrip("/") + "/" if base_url else ""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{xml_text(title)}</title>",
        f"<id>{xml_text(base or 'urn:diptych:archive:' + urn(title))}</id>",
        f"<updated>{updated}</updated>",
        f'<link rel="self" href="{attribute(base + "feed.xml")}"/>',
        f'<link rel="alternate" type="text/html" href="{attribute(base + "index.html")}"/>',
        "<author><name>diptych</name></author>",
    ]
    for row in rows:
        lines += entry(row, base, updated)
    return "\n".join([*lines, "</feed>"]) + "\n"


def entry(row: Summary, base: str, updated: str) -> list[str]:
    """Return the lines of one entry."""
    return [
        "<entry>",
        f"<title>{xml_text(row.title)}</title>",
        f"<id>urn:diptych:{row.kind}:{urn(row.id)}</id>",
        f"<updated>{rfc3339(row.date) if row.date else updated}</updated>",
        f'<link rel="alternate" type="text/html" href="{attribute(base + row.folder + "/index.html")}"/>',
        f"<summary>{xml_text(row.sentence)}</summary>",
        "</entry>",
    ]


def rfc3339(date: str | None) -> str:
    """Return an ISO date, or a results file's stamp, as Atom wants it (UTC where no zone is given)."""
    found = re.match(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d)[:-](\d\d)[:-](\d\d))?[.,]?\d*(Z|[+-]\d\d:\d\d)?", date or "")
    if not found:
        return EPOCH
    year, month, day, hour, minute, second, zone = found.groups()
    return f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}{zone or 'Z'}"


def urn(name: str) -> str:
    """Return a name with only what a URN may hold."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name) or "-"


def xml_text(value: str) -> str:
    """Return text escaped for XML; characters that XML cannot hold are shown by their number."""
    return escape(one_line(value), quote=False)


def attribute(value: str) -> str:
    """Return text escaped for an attribute in double quotes."""
    return escape(value, quote=False).replace('"', "&quot;")
