"""An archive opened from disk in Chromium: it finds, filters and sorts, asks nobody, and reads without script."""

from pathlib import Path
from typing import Any

import pytest

from diptych import artifact
from diptych.publish.archive import build
from examples_comparison import comparison, header
from examples_decision import decision
from planned_archive import entry_of

# opening a browser leaves pipes that are closed by the garbage collector
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of 203 artifacts: its first page has a second one."""
    folder = tmp_path_factory.mktemp("archive")
    small = decision(judges=(), judge=None, plots=(), tasks=(), agreement=())
    made = [small._replace(id=f"{number:012x}", title=f"Student {number:03}") for number in range(202)]
    one = comparison(title="Zebra", a=header("stripes", "2030-01-01T00:00:00"))
    build([entry_of(f"{each.id}.json", artifact.dumps(each)) for each in (*made, one)], folder)
    return folder


def opened(browser: Any, page: Path, **options: Any) -> tuple[Any, list[str]]:
    """Return an opened page and what went wrong or out on it."""
    wrong: list[str] = []
    tab = browser.new_context(**options).new_page()
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    tab.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else wrong.append(request.url))
    tab.goto(page.as_uri())
    return tab, wrong


def test_every_kind_of_page_opens_from_disk_without_an_error_or_a_request(browser: Any, archive: Path) -> None:
    kinds = [
        sorted(archive.glob(f"{folder}/*/index.html"))[0] for folder in ("comparisons", "decisions", "runs", "tasks")
    ]
    for page in (archive / "index.html", archive / "methods" / "index.html", archive / "404.html", *kinds):
        tab, wrong = opened(browser, page)
        assert tab.locator("h1").count() == 1, page
        assert wrong == [], page
        tab.context.close()


def test_a_search_finds_what_stands_on_another_page_and_says_how_many(browser: Any, archive: Path) -> None:
    tab, wrong = opened(browser, archive / "page-2" / "index.html")
    tab.fill("input[name=text]", "zebra stripes")
    assert tab.locator("tbody tr").count() == 1
    assert tab.locator("output").inner_text() == "1 of 203"
    tab.locator("tbody a").click()
    assert tab.locator("h1").inner_text() == "Zebra"
    tab.go_back()
    tab.select_option("select[name=kind]", "comparison")
    assert tab.locator("tbody tr").count() == 1
    tab.select_option("select[name=kind]", "")
    tab.fill("input[name=text]", "")
    assert tab.locator("tbody tr").count() == 3
    assert wrong == []
    tab.context.close()


def test_a_click_on_a_head_sorts_and_says_so(browser: Any, archive: Path) -> None:
    tab, wrong = opened(browser, archive / "index.html")
    head = tab.locator("th[data-sort]").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    names = tab.locator("tbody th a").all_inner_texts()
    assert names == sorted(names)
    head.locator("button").click()
    assert tab.locator("tbody th a").first.inner_text() == "Zebra"
    assert wrong == []
    tab.context.close()


def test_without_script_the_list_is_whole_and_no_dead_control_is_shown(browser: Any, archive: Path) -> None:
    tab, _ = opened(browser, archive / "index.html", java_script_enabled=False)
    assert tab.locator("tbody tr").count() == 200
    assert tab.locator("form.finder").is_hidden()
    assert tab.locator("nav .pages a").count() == 1
    tab.context.close()


def test_a_decisions_tasks_are_searched_filtered_sorted_and_opened(browser: Any, tmp_path: Path) -> None:
    build([entry_of("d.json", artifact.dumps(decision()))], tmp_path)
    tab, wrong = opened(browser, next(tmp_path.glob("decisions/*/index.html")))
    rows = tab.locator("table.grid tbody tr:visible")
    assert rows.count() == 48
    tab.fill("form.finder input[name=text]", "353 bottles")
    assert rows.count() == 1
    rows.locator("summary").click()
    assert "I would need to know" in rows.locator(".answers").inner_text()
    tab.fill("form.finder input[name=text]", "")
    tab.select_option("form.finder select[name=word]", "only:sequence")
    assert rows.count() == 3
    assert tab.locator("form.finder output").inner_text() == "3 of 48"
    tab.locator("table.grid th[data-sort]").first.locator("button").click()
    assert wrong == []
    tab.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(browser: Any, archive: Path, scheme: str) -> None:
    pages = [archive / "index.html", archive / "runs" / "index.html", archive / "tasks" / "index.html"]
    pages += [
        sorted(archive.glob(f"{folder}/*/index.html"))[0] for folder in ("comparisons", "decisions", "runs", "tasks")
    ]
    for page in pages:
        tab, _ = opened(browser, page, viewport={"width": 390, "height": 844}, color_scheme=scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, page
        tab.context.close()
