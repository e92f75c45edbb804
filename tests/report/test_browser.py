"""Pages in a real browser, opened from the disk: quiet, complete without script, and no wider than a phone."""

from pathlib import Path
from typing import Any

import pytest

from diptych.report.comparison_pages import comparison_pages, single_page
from diptych.report.page_frames import Crumb, linked_frame
from diptych.report.writers.environment import static_text
from examples_comparison import comparison

pytestmark = pytest.mark.browser

NAMES = ("index.html", "items-1.html", "single.html")


class InArchive:
    frame = linked_frame("Chat template and shots", "../../", (Crumb("Overview", "../../index.html"), Crumb("Here")))
    digest = "d" * 64
    runs = (("a", "index.html"), ("b", "index.html"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("archive")
    place = root / "comparisons" / "here"
    place.mkdir(parents=True)
    (root / "static").mkdir()
    for name in ("style.css", "diptych.js"):
        (root / "static" / name).write_text(static_text(name), encoding="utf-8")
    for name, text in {**comparison_pages(comparison(), InArchive()), "single.html": single_page(comparison())}.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_quiet_asks_nobody_and_fits(browser: Any, folder: Path, name: str, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / name).as_uri())
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_page_reads_the_same_without_script(browser: Any, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "items-1.html").as_uri())
    assert page.locator("article.item").count() == 50
    assert page.locator("article.item").first.is_visible()
    page.locator(".chips a", has_text="fixed").click()
    assert page.url.endswith("#class=gained")
    context.close()


def test_a_chip_leaves_its_class_and_says_how_many(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "items-1.html").as_uri())
    page.locator(".chips a", has_text="fixed").click()
    shown = page.locator("article.item:visible")
    assert {shown.nth(n).get_attribute("data-class") for n in range(shown.count())} == {"gained"}
    assert page.locator("#tools [aria-live]").inner_text() == f"{shown.count()} of 50 items on this page"
    page.get_by_text("show all").click()
    assert page.locator("article.item:visible").count() == 50
    page.close()


def test_items_sort_by_their_smallest_margin(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "items-1.html").as_uri())
    page.locator("#tools select").select_option("margin")
    margins = page.evaluate("[...document.querySelectorAll('article[data-margin]')].map(item => +item.dataset.margin)")
    assert margins == sorted(margins)
    assert page.locator("article.item").first.get_attribute("data-margin") is not None
    page.locator("#tools select").select_option("listed")
    assert page.locator("article.item").first.get_attribute("id") == "arith/0"
    page.close()


def test_an_items_address_opens_at_the_item(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "items-1.html").as_uri() + "#arith/7")
    assert page.evaluate("document.querySelector(':target').id") == "arith/7"
    assert page.locator("article.item:visible").count() == 50
    page.close()


def test_a_fold_is_open_on_paper(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.emulate_media(media="print")
    page.goto((folder / "index.html").as_uri())
    assert page.get_by_text("Another batch adds padding").first.bounding_box()["height"] > 0
    page.close()
