"""Habits of the house that a syntax tree can see: a core without clock, chance, file or screen; errors that show."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "generator" / "diptych"
MODULES = sorted(SOURCE.rglob("*.py"))
CORE = ("compare", "estimate", "render", "artifact.py", "comparison.py", "decision.py", "methods.py", "runs.py")

# clock, chance, files, machine, screen
OUTSIDE = {
    *("datetime", "glob", "io", "locale", "logging", "os", "pathlib", "platform", "random", "secrets", "shutil"),
    *("socket", "subprocess", "sys", "tempfile", "time", "uuid", "warnings"),
}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path).startswith(CORE)], ids=name_of)
def test_the_core_knows_no_file_clock_chance_or_screen(path: Path) -> None:
    tree = tree_of(path)
    assert not OUTSIDE & set(imported(tree))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_bug_is_never_swallowed(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = ast.unparse(node.type) if node.type else "BaseException"
        wide = {"Exception", "BaseException"} & {name.strip("() ") for name in caught.split(",")}
        ends = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
        assert not wide or ends, f"line {node.lineno}: `except {caught}` hides bugs"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_and_what_it_offers_say_what_they_are_for(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree)
    offered = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    silent = [node.name for node in offered if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert not silent
