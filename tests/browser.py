"""The browser that pages are opened in: the one place that looks for it, starts it and says where it is missing."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
# root needs --no-sandbox; a small /dev/shm needs the second
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]
MISSING = "Chromium is not installed, so no page is opened (apt-get install chromium, or brew install chromium)"


def chromium() -> str | None:
    """Return where Chromium is by PATH, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def is_wanted() -> bool:
    """Tell whether a missing browser is a fault and no reason to pass tests over."""
    return bool(os.environ.get("DIPTYCH_NEED_BROWSER"))


@contextmanager
def launched(path: str) -> Iterator[Any]:
    """Start a browser, and close it afterwards."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()
