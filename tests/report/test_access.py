"""Every kind of page is held to the accessibility rules of axe, at both widths, light and dark, and by keyboard."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from diptych import artifact
from diptych.publish.archive import build
from diptych.report.comparison_pages import single_page
from diptych.report.documents.summaries import Failure, Site
from examples_comparison import comparison, matrix, repeats
from examples_decision import decision
from planned_archive import entry_of

# opening a browser leaves pipes that are closed by the garbage collector
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

MANUAL = f"# Commands\n\n```sh\ndiptych compare A B {'--option value ' * 20}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
FOCUSABLE = "a[href], button, input, select, summary, [tabindex='0']"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a page of each kind by its kind: the first of each folder and file name of an archive."""
    folder = tmp_path_factory.mktemp("access")
    made = [comparison(), comparison(id="1" * 12, title="Another"), matrix(), decision(), repeats()]
    site = Site(pages=(("1-commands", MANUAL),))
    found = [entry_of(f"{one.id}.json", artifact.dumps(one)) for one in made]
    build([*found, Failure("x", "gone")], folder, site)
    (folder / "alone.html").write_text(single_page(comparison()), encoding="utf-8")
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.html")):
        place = path.relative_to(folder)
        found.setdefault(f"{place.parts[0]}:{len(place.parts)}:{place.name}", path)
    return found


@cache
def rules() -> str:
    """Return the text of axe."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def faults(tab: Any) -> list[str]:
    """Return what axe finds serious or worse on an opened page, with everything that folds opened."""
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    tab.evaluate(rules())
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in SERIOUS]


SERIOUS = ("serious", "critical")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_on_any_kind_of_page(
    browser: Any, pages: dict[str, Path], width: int, scheme: str
) -> None:
    # the rules run as a script of the test: a page's own policy lets no foreign one in
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    tab = context.new_page()
    found = {}
    for kind, path in pages.items():
        tab.goto(path.as_uri())
        found[kind] = faults(tab)
    context.close()
    assert len(pages) >= 15
    assert {kind: told for kind, told in found.items() if told} == {}


CUT = """() => [...document.querySelectorAll('.scroll:has(table)')]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => `${each.getAttribute('aria-label')}: ${each.scrollWidth} of ${each.clientWidth}`)
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])"""


def test_no_column_of_a_table_is_cut_on_a_phone(browser: Any, pages: dict[str, Path]) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    found = {}
    for kind, path in pages.items():
        tab.goto(path.as_uri())
        tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        found[kind] = tab.evaluate(CUT)
    assert {kind: told for kind, told in found.items() if told} == {}


BROKEN = """() => [...document.querySelectorAll('table.v td')].filter(each => {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const word of text.data.matchAll(/\\S+/g)) {
            const range = document.createRange()
            range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length)
            if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) return true
        }
    return false
}).map(each => each.textContent)"""


def test_no_number_and_no_word_of_a_score_table_is_broken_on_a_phone(browser: Any, pages: dict[str, Path]) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    tab.goto(pages["comparisons:3:index.html"].as_uri())
    assert tab.evaluate("document.querySelectorAll('table.v td.word').length") > 0
    assert tab.evaluate(BROKEN) == []


def test_a_row_of_a_list_is_one_tab_stop(browser: Any, pages: dict[str, Path]) -> None:
    tab = browser.new_page()
    rows = "stop => [...document.querySelectorAll('tbody tr')].map(row => row.querySelectorAll(stop).length)"
    for kind in ("index.html:1:index.html", "runs:2:index.html", "tasks:2:index.html", "runs:3:index.html"):
        tab.goto(pages[kind].as_uri())
        stops = tab.evaluate(rows, FOCUSABLE)
        assert stops, kind
        assert max(stops) <= 1, kind


def test_what_is_focused_is_seen_to_be(browser: Any, pages: dict[str, Path]) -> None:
    tab = browser.new_page()
    tab.goto(pages["comparisons:3:index.html"].as_uri())
    for _ in range(12):
        tab.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement)"
        shown = tab.evaluate(f"[{style}.outlineStyle, parseFloat({style}.outlineWidth), {style}.left]")
        assert (shown[0] != "none" and shown[1] >= 2) or shown[2] == "16px", tab.evaluate(
            "document.activeElement.outerHTML.slice(0, 200)"
        )
