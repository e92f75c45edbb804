"""The manual's page on students: its files are written, its commands are run in order, its tables are complete."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from diptych.cli import main
from diptych.students.collect.answer_checks import KINDS
from diptych.students.judge.verdict_forms import INSTRUCTIONS
from endpoint_double import answer, endpoint

PAGE = (Path(__file__).resolve().parents[2] / "site" / "pages" / "5-students.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def reply(body: dict[str, Any], _: int) -> dict[str, Any]:
    question = body["messages"][-1]["content"]
    if body["model"] == "judge":
        return answer('{"verdict": "FIRST"}' if "response_format" in body else "FIRST", model="judge")
    said = {"17 + 25": "42", "Japan": "Tokyo.", "keys a and b": '{"a": 1, "b": 2}'}
    text = next(text for part, text in said.items() if part in question)
    return answer(text if body["model"] == "student-large" else text.upper(), model=body["model"])


def test_every_command_of_the_manual_runs_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = []
    with endpoint(reply) as server:
        for kind, name, text in BLOCK.findall(PAGE):
            if kind == "sh":
                for line in text.strip().splitlines():
                    command = shlex.split(line.replace("http://127.0.0.1:8080/v1", server.url))
                    assert command[0] == "diptych"
                    done = CliRunner().invoke(main, command[1:], catch_exceptions=False)
                    assert done.exit_code == 0, (line, done.output)
                    ran.append(command[1])
            elif name == "labbook.md":
                with open(name, "a", encoding="utf-8") as book:
                    book.write(text)
            elif name:
                Path(name).write_text(text, encoding="utf-8")
    assert ran == [
        *("students",) * 4,
        "decide",
        *("students",) * 3,
        "decide",
        "decide",
        "decide",
        "batch",
        "build",
        "comment",
    ]
    decided = json.loads(Path("decision.json").read_text(encoding="utf-8"))
    assert decided["routes"][1]["cost"]["watt_hours"]["total"] is None
    assert {path.name for path in Path("out").iterdir()} == {
        *("results-small.json", "results-large.json", "judgements.jsonl", "comparison.json", "decision.json"),
    }


def test_the_manual_names_every_check_with_its_keys_and_every_option_that_it_uses() -> None:
    table = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert set(table) == set(KINDS)
    for key in ("ignore_case", "tolerance", "which"):
        assert f"`{key}`" in PAGE


def test_the_manual_has_the_judges_prompt_as_it_is_sent() -> None:
    assert next(text for _, name, text in BLOCK.findall(PAGE) if name == "judge-prompt").strip() == INSTRUCTIONS


@pytest.mark.parametrize("name", ["judgements.jsonl", "labels.jsonl", "labbook.md"])
def test_the_manuals_files_of_lines_are_lines_of_json(name: str) -> None:
    text = next(text for _, given, text in BLOCK.findall(PAGE) if given == name)
    assert all(isinstance(json.loads(line), dict) for line in text.strip().splitlines())
