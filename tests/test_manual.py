"""Every command and line of Python in the manual's pages runs as it stands there, in a copy of the sample site."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from diptych.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "site" / "pages").glob("*.md"))
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OWN_TEST = "5-students"
"""This page's commands ask an endpoint: tests/students/test_manual.py serves one."""

OLD_WORDS = re.compile(
    r"95 % range|\bfor real\b|real difference|cannot tell|role marks|prior place|\brung|\bladder\b|raw answers"
    r"|extracted answers|against its digest"
)
"""What the field calls otherwise."""


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a copy of the sample site, and stand in it."""
    shutil.copytree(ROOT / "site", tmp_path / "site", ignore=shutil.ignore_patterns("build", ".state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def page_id(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", [path for path in PAGES if path.stem != OWN_TEST], ids=page_id)
def test_every_command_and_every_line_of_python_of_a_page_runs(path: Path, copy: Path) -> None:
    names: dict[str, object] = {}
    for kind, text in BLOCK.findall(path.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(text, path.name, "exec"), names)
            continue
        for line in text.splitlines():
            command, _, told = line.partition("  # exit ")
            done = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
            assert done.exit_code == int(told or 0), f"{command}\n{done.output}"


@pytest.mark.parametrize("name", ["reading", "students", "gates", "baselines", "formats", "python", "many-machines"])
def test_the_manual_has_a_page_a_job_with_something_that_runs(name: str) -> None:
    (path,) = [path for path in PAGES if path.stem.partition("-")[2] == name]
    text = path.read_text(encoding="utf-8")
    assert BLOCK.search(text) or "    diptych " in text or name == "reading"


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_a_page_leads_to_pages_that_are_there(path: Path) -> None:
    for target in re.findall(r"\]\(([\w-]+\.md)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).is_file(), target


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_a_page_speaks_the_words_of_the_field(path: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert OLD_WORDS.findall(text) == []
