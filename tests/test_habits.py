"""Habits of the house that a syntax tree can see: a core without clock, chance, file or screen; errors that show."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "generator" / "diptych"
MODULES = sorted(SOURCE.rglob("*.py"))
CORE = (
    *("diagnose", "stats", "report", "catalogue", "artifact.py", "comparison.py", "estimates.py", "closed_names.py"),
    *("decision.py", "matrix.py"),
    *("repeats.py", "run.py", "metric_key.py", "sides.py", "numbers.py", "typed_json.py", "value_text.py"),
)

# clock, chance, files, machine, screen
OUTSIDE = {
    *("glob", "io", "locale", "logging", "os", "pathlib", "platform", "secrets", "shutil"),
    *("socket", "subprocess", "sys", "tempfile", "time", "uuid", "warnings"),
}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@cache
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
    methods = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not methods & {"now", "utcnow", "today"}
    assert not unseeded(tree)


def unseeded(tree: ast.Module) -> list[str]:
    """Return what is drawn with the library `random` otherwise than from a generator that was given its seed."""
    if "random" not in imported(tree):
        return []
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    drawn = [node for node in called if re.fullmatch(r"random\.\w+", ast.unparse(node.func))]
    return [ast.unparse(node) for node in drawn if ast.unparse(node.func) != "random.Random" or not node.args]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_bug_is_never_swallowed(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = ast.unparse(node.type) if node.type else "BaseException"
        wide = {"Exception", "BaseException"} & {name.strip("() ") for name in caught.split(",")}
        ends = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
        runner = name_of(path) == "batch/runner.py"  # a bug in one job is that job's failure, its traceback kept
        assert not wide or ends or runner, f"line {node.lineno}: `except {caught}` hides bugs"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(tree_of(path))


def test_one_place_looks_for_the_browser_and_starts_it() -> None:
    tests = Path(__file__).parent
    starting = {path.name for path in tests.rglob("*.py") if "executable_path=" in path.read_text(encoding="utf-8")}
    assert starting - {Path(__file__).name} == {"browser.py"}


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "bounded_json.py"], ids=name_of)
def test_a_text_becomes_a_whole_number_in_one_place(path: Path) -> None:
    """`²` is a digit that `int` refuses, and 45,000 digits are more than it takes: `whole_number` knows both."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        tested = isinstance(node, ast.If | ast.IfExp) and ".isdigit()" in ast.unparse(node.test)
        assert not (tested and "int(" in ast.unparse(node)), f"line {node.lineno}: use bounded_json.whole_number"


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_a_docstring_cites_stands_in_the_repository(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Expr) and is_text(node.value)]
    cited = re.findall(r"\b[A-Z]{4,}(?:\.md| \d+)", "\n".join(told))
    own = {file.name for file in SOURCE.parents[1].glob("*.md")}
    assert not [name for name in cited if name not in own and not name.startswith(("UTF", "RFC", "BLEU"))]


def test_a_folder_of_tests_is_named_like_the_room_that_it_tests() -> None:
    tests = Path(__file__).parent
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py") if path.parent != tests}
    assert folders
    assert all((SOURCE / folder).is_dir() for folder in folders)
