"""Take pictures of a built archive with headless Chromium: the README's, or every page at every size.

Usage: python tests/screenshot.py ARCHIVE OUT [--all]
"""

import sys
from pathlib import Path

from browser import MISSING, chromium, launched

SHOWN = "Q4_0 vs Q4_1"
"""What the title of the README's page begins with."""


def shown_page(archive: Path) -> Path:
    """Return the comparison page that the README shows."""
    for page in sorted(archive.glob("comparisons/*/index.html")):
        if f"<title>{SHOWN}" in page.read_text(encoding="utf-8"):
            return page
    raise SystemExit(f"no comparison page in {archive} is called {SHOWN}…")


def main() -> None:
    archive, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    every = "--all" in sys.argv
    pages = sorted(archive.rglob("index.html")) if every else [shown_page(archive)]
    views = [(1280, "light"), (390, "light"), (1280, "dark"), (390, "dark")] if every else [(1280, "light")]
    found = chromium()
    if found is None:
        raise SystemExit(MISSING)
    with launched(found) as browser:
        for width, scheme in views:
            page = browser.new_page(viewport={"width": width, "height": 1320}, color_scheme=scheme)
            for path in pages:
                page.goto(path.as_uri())
                name = "-".join(path.relative_to(archive).parts[:-1]) or "index"
                target = out / (f"{name}-{width}-{scheme}.png" if every else "comparison.png")
                page.screenshot(path=str(target), full_page=every)
            page.close()


if __name__ == "__main__":
    main()
