"""The recipes of CONTRIBUTING.md: each, followed to the letter on a copy of the source, does what it promises."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLACE = re.compile(
    r"# (?:new file (?P<new>\S+)|(?P<file>[^\s,]+), (?P<how>below|above|instead of|at its end):? ?(?P<line>.*))"
)

TINY = '{"tiny": "1.0", "model": "m", "scores": {"arith": SCORE}}'
TWO_RUNS = f"""
import pathlib
for name, score in (("a", "0.5"), ("b", "0.7")):
    pathlib.Path(name + ".json").write_text('{TINY}'.replace("SCORE", score))
from diptych.harness.reader import read_run
from diptych.diagnose.pipeline import compare_runs
made = compare_runs(read_run("a.json"), read_run("b.json"))
assert made.a.harness == "tiny" and made.metrics[0].difference > 0.19, made
"""
EQUAL = """
import sys
from diptych.harness.reader import read_run
from diptych.diagnose.pipeline import compare_runs
from diptych.artifact import dumps, loads
run = read_run(sys.argv[1])
made = loads(dumps(compare_runs(run, run)))
assert [finding.severity for finding in made.findings if finding.kind == "scores_equal"] == ["note"]
from diptych.report.manual import manual_pages
from diptych.report.documents.summaries import Site
assert "Equal scores" in "".join(manual_pages(Site()).values())
"""
LARGEST = """
from diptych.stats.select import measure
from diptych.stats.test_input import TestInput
made = measure(TestInput(aggregation="max", a=[0.1, 0.5], b=[0.9, 0.2])).found
assert (made.method, round(made.difference, 6)) == ("largest_item", 0.4), made
from diptych.report.methods_page import methods_pages
from diptych.report.documents.summaries import Site
assert "Largest item" in methods_pages(Site())["methods/index.html"]
"""
COLUMN = """
import sys
from diptych.harness.reader import read_run
from diptych.diagnose.pipeline import compare_runs
from diptych.report.archive_pages import first_pages
from diptych.report.documents.summarise import summarise
from diptych.report.documents.summaries import Site
run = read_run(sys.argv[1])
row = summarise(compare_runs(run, run))
parts = first_pages([row], [(row.kind, row.word, 1)], [], Site())
page = "".join(next(part["index.html"] for part in parts if "index.html" in part))
assert run.harness in page.partition('<td class="harness">')[2].partition("</td>")[0], page
assert ">Harness</th>" in page
"""
NOTE = """
from diptych.artifact import dumps, loads
from diptych.note import Note
from diptych.report.archive_frames import frame
from diptych.report.documents.note import note_document
from diptych.report.documents.summaries import Site
from diptych.report.comparison_pages import document_page
from diptych.report.writers.terminal import document_text
from diptych.schema import schema
note = Note("n1", "To keep", ("the first <b>line</b>",))
assert loads(dumps(note)) == note
assert schema("note")["properties"]["lines"]["items"] == {"type": "string"}
assert "the first <b>line</b>" in document_text(note_document(note))
assert "the first &lt;b&gt;line" in document_page(note_document(note), frame("To keep", "n1.html", Site()))
"""
PROMISES = {
    "A harness": TWO_RUNS,
    "A finding": EQUAL,
    "A statistic": LARGEST,
    "A column of the index": COLUMN,
    "An artifact kind": NOTE,
}


def recipes() -> dict[str, list[str]]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n# Recipes\n")[2]
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"```\w+\n(.*?)```", body, re.DOTALL)
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def follow(block: str, root: Path) -> None:
    """Put one block's lines where its first line says; the line that it names must be there once."""
    head, _, lines = block.partition("\n")
    place = PLACE.fullmatch(head)
    assert place is not None, head
    if place["new"]:
        (root / place["new"]).write_text(lines, encoding="utf-8")
        return
    path = root / place["file"]
    text = path.read_text(encoding="utf-8")
    if place["how"] == "at its end":
        path.write_text(text + lines, encoding="utf-8")
        return
    assert text.count(place["line"]) == 1, f"{place['file']} has not one {place['line']!r}"
    line = place["line"]
    new = {"below": f"{line}\n{lines.rstrip()}", "above": f"{lines}{line}", "instead of": lines.rstrip()}[place["how"]]
    path.write_text(text.replace(line, new), encoding="utf-8")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a copy of the source that Python can import."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "generator", tmp_path / "generator", ignore=ignored)
    shutil.copytree(ROOT / "templates", tmp_path / "templates", ignore=ignored)
    (tmp_path / "generator" / "diptych" / "templates").symlink_to(tmp_path / "templates")
    return tmp_path


def test_every_recipe_has_its_promise() -> None:
    assert set(recipes()) == set(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_a_recipe_followed_to_the_letter_does_what_it_promises(name: str, source: Path) -> None:
    for block in recipes()[name]:
        follow(block, source)
    done = subprocess.run(
        [sys.executable, "-c", PROMISES[name], str(ROOT / "site" / "runs" / "smol-3shot")],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source / "generator"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
