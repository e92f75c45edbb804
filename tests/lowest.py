"""Print a constraints file that pins every dependency to the lowest version that pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pinned(requirement: str) -> str | None:
    """Return `name==version` for `name>=version`; None where no bound stands."""
    found = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?>=([0-9][0-9A-Za-z.]*)", requirement)
    return f"{found[1]}=={found[2]}" if found else None


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [each for group in project["project"]["optional-dependencies"].values() for each in group]
    for requirement in project["project"]["dependencies"] + extras:
        line = pinned(requirement)
        if line is None:
            raise SystemExit(f"{requirement}: a dependency needs a lower bound")
        print(line)


if __name__ == "__main__":
    main()
