"""From a real run to artifact, report, page and comment: what a person has read stays as it is.

`make golden` writes the files again and shows what changed. Where a file differs, the actual output is
kept in tests/golden/actual/ to be held beside it.
"""

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from diptych.cli import main

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden"
RUNS = HERE.parent / "site" / "runs"
A, B = "api-completions-0shot", "api-completions-3shot"
COMPARE = ["compare", f"0-shot={A}", f"3-shot={B}"]

OUTPUTS = {
    "comparison.json": [*COMPARE, "--json"],
    "comparison.txt": COMPARE,
    "comparison.html": [*COMPARE, "--html"],
    "comparison.md": [*COMPARE, "--markdown"],
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_is_as_a_person_has_read_it(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RUNS)
    done = CliRunner().invoke(main, OUTPUTS[name], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    held_against(GOLDEN / name, done.stdout, update=bool(request.config.getoption("--update-golden")))


def held_against(golden: Path, text: str, *, update: bool) -> None:
    actual = golden.parent / "actual" / golden.name
    if update:
        golden.write_text(text, encoding="utf-8")
        shutil.rmtree(actual.parent, ignore_errors=True)
        return
    if golden.read_text(encoding="utf-8") == text:
        actual.unlink(missing_ok=True)
        return
    os.makedirs(actual.parent, exist_ok=True)
    actual.write_text(text, encoding="utf-8")
    pytest.fail(
        f"{golden.name} is not what it was: compare it with {actual.relative_to(HERE.parent)}, then `make golden`"
    )


README = HERE.parent / "README.md"


def test_the_terminal_in_the_readme_is_what_the_command_prints(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HERE.parent)
    text = README.read_text(encoding="utf-8")
    head, command, shown, rest = parted(text)
    done = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    told = f"{done.stdout.rstrip()}\n"
    if request.config.getoption("--update-golden"):
        README.write_text(f"{head}{command}\n{told}{rest}", encoding="utf-8")
        return
    assert shown == told, "run `make golden`, and read what changed"


def parted(text: str) -> tuple[str, str, str, str]:
    """Return a README up to its terminal, the command there, what it prints, and the rest."""
    head, mark, rest = text.partition("```text\n$ ")
    command, _, after = rest.partition("\n")
    shown, end, rest = after.partition("```\n")
    return head + mark, command, shown, end + rest


FIRST = sorted((GOLDEN / "first").glob("*.json"))
"""Artifacts of the first version of each schema. They are never written again: archives hold such files."""


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.stem)
def test_an_artifact_made_by_the_first_version_of_its_schema_still_loads_and_is_shown(path: Path) -> None:
    from diptych import artifact
    from diptych.publish.comment import comment
    from diptych.publish.notebook import one_file_page

    text = path.read_text(encoding="utf-8")
    made = artifact.loads(text)
    page = one_file_page(made, artifact.digest(text))
    assert made.id in page
    assert made.provenance.diptych_version in page
    assert len(comment([made]).text.splitlines()) > 5
    assert artifact.loads(artifact.dumps(made)) == made


def test_every_schema_has_a_file_of_its_first_version() -> None:
    from diptych import artifact

    said = {json.loads(path.read_text(encoding="utf-8"))["schema"] for path in FIRST}
    assert said == {schema.rpartition("/")[0] + "/1" for schema in artifact.NOUNS.values()}
