"""The feed: entries that no reader shows twice."""

from xml.etree import ElementTree

import pytest

from diptych.publish.feed import feed, rfc3339
from diptych.report.documents.summarise import summarise
from examples_comparison import HOSTILE, comparison
from examples_decision import decision

ATOM = "{http://www.w3.org/2005/Atom}"


def test_an_entry_keeps_its_id_and_date_when_its_text_changes() -> None:
    one = summarise(comparison())
    other = summarise(comparison(title="Another title", settings_equal=3))
    (first,) = ElementTree.fromstring(feed([one], "x", None)).findall(f"{ATOM}entry")
    (second,) = ElementTree.fromstring(feed([other], "x", None)).findall(f"{ATOM}entry")
    for name in ("id", "updated"):
        assert first.findtext(ATOM + name) == second.findtext(ATOM + name)
    assert first.findtext(f"{ATOM}title") != second.findtext(f"{ATOM}title")


def test_the_feed_is_whole_xml_with_what_atom_asks_for_whatever_a_title_holds() -> None:
    rows = [summarise(comparison(title=HOSTILE + "\x00\ufffe")), summarise(decision(title=HOSTILE))]
    root = ElementTree.fromstring(feed(rows, HOSTILE, "https://example.org/a?b&c"))
    for place in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert place.findtext(ATOM + name)
    assert len({entry.findtext(f"{ATOM}id") for entry in root.findall(f"{ATOM}entry")}) == 2


def test_the_youngest_comes_first_and_the_feed_is_as_young() -> None:
    rows = [summarise(decision())._replace(id=str(n), date=f"2026-01-0{n}T10:00:00") for n in (2, 3, 1)]
    root = ElementTree.fromstring(feed(rows, "x", None))
    dates = [entry.findtext(f"{ATOM}updated") for entry in root.findall(f"{ATOM}entry")]
    assert dates == sorted(dates, key=str, reverse=True)
    assert root.findtext(f"{ATOM}updated") == "2026-01-03T10:00:00Z"


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("2025-11-01T10:00:01.123456", "2025-11-01T10:00:01Z"),
        ("2025-11-01T10-00-01.123456", "2025-11-01T10:00:01Z"),
        ("2025-11-01T10:00:01+02:00", "2025-11-01T10:00:01+02:00"),
        ("2025-11-01T10:00:01.5Z", "2025-11-01T10:00:01Z"),
        ("2025-11-01", "2025-11-01T00:00:00Z"),
        ("yesterday", "1970-01-01T00:00:00Z"),
        (None, "1970-01-01T00:00:00Z"),
    ],
)
def test_a_date_is_told_as_atom_wants_it(date: str | None, told: str) -> None:
    assert rfc3339(date) == told
