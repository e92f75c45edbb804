"""The registry of findings: every kind has a row, and every finding that code can make keeps to its row."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from diptych.catalogue.finding_row import EFFECTS
from diptych.catalogue.findings import FINDINGS
from diptych.closed_names import FindingKind, Severity

ROOT = Path(__file__).resolve().parents[2]
ARTIFACTS = sorted([*(ROOT / "site" / "artifacts").glob("*.json"), *(ROOT / "tests" / "golden").glob("*.json")])


def test_every_kind_has_a_row_and_every_row_a_kind() -> None:
    assert list(FINDINGS) == list(get_args(FindingKind))


def test_every_row_says_what_it_means_what_to_do_and_when_it_is_how_heavy() -> None:
    for kind, row in FINDINGS.items():
        assert row.meaning.endswith("."), kind
        assert row.advice.endswith("."), kind
        assert row.severities, kind
        assert set(row.severities) <= set(get_args(Severity)), kind
        assert row.effect in EFFECTS, kind
    assert len({row.title for row in FINDINGS.values()}) == len(FINDINGS)


def made_in_code() -> Iterator[tuple[str, str, str]]:
    for path in sorted((ROOT / "generator" / "diptych").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Finding", "Remark"):
                named = [part.value for part in node.args[:2] if isinstance(part, ast.Constant)]
                if len(named) == 2:
                    yield f"{path.name}:{node.lineno}", *named


def test_a_finding_that_code_makes_has_a_severity_of_its_row() -> None:
    made = list(made_in_code())
    assert len(made) > 40
    for where, kind, severity in made:
        assert severity in FINDINGS[kind].severities, f"{where}: {kind} is no {severity}"


@pytest.mark.parametrize("path", ARTIFACTS, ids=lambda path: path.stem)
def test_a_finding_of_a_real_artifact_has_a_severity_of_its_row(path: Path) -> None:
    for finding in json.loads(path.read_text(encoding="utf-8"))["findings"]:
        assert finding["severity"] in FINDINGS[finding["kind"]].severities
