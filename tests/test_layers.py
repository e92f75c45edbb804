"""The floors of the house: an import runs down, never up, and one library has one room."""

import ast
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "generator" / "diptych"

# from the ground up; a room is moved by moving its name here, in a change that says why
FLOORS: tuple[set[str], ...] = (
    {"secret_names", "secret_patterns", "bounded_json", "timed_search", "fast_named_tuple", "version"},
    {"secret_shapes", "fast_json"},
    {"secrets"},
    {"errors"},
    {"storage", "numbers", "metric_key", "sides", "value_text", "http_client", "shell"},
    {"plan"},
    {"closed_names", "sample_log", "metric_slices"},
    {"estimates", "judge_audit", "provenance"},
    {"comparison"},
    {"logged_values", "run", "decision", "matrix", "repeats"},
    {"catalogue"},  # it words what the nouns hold
    {"typed_json"},
    {"fast_nouns"},
    {"stats", "artifact", "labbook", "rules"},
    {"schema"},
    {"harness", "diagnose", "students", "report"},
    {"batch", "publish"},
    {"cli", "api"},
    {"__main__", "__init__"},  # the doors: what a shell and a script open
)

# inside diagnose data runs one way
DIAGNOSE: tuple[set[str], ...] = ({"samples"}, {"settings", "scores"}, {"verdict"})

# what a room may never know, whatever its floor
FORBIDDEN: dict[str, set[str]] = {
    "run": {"storage"},
    "closed_names": {"storage"},
    "estimates": {"storage"},
    "comparison": {"storage"},
    "matrix": {"storage"},
    "repeats": {"storage"},
    "catalogue": {"storage"},
    "stats": {"storage", "run", "sample_log", "labbook", "artifact"},
    "artifact": {"run", "sample_log"},
    "rules": {"run", "sample_log", "storage", "catalogue"},
    "typed_json": {"run", "sample_log", "storage"},
    "diagnose": {"storage", "artifact", "labbook", "harness", "report", "students"},
    "harness": {"comparison", "matrix", "repeats", "decision", "artifact", "labbook", "stats", "diagnose"},
    "students": {"run", "sample_log", "diagnose", "harness", "report"},
    "report": {"storage", "run", "sample_log", "stats", "labbook", "diagnose", "harness", "students"},
    # a task's history spans artifacts and is in none: its step is tested where they are gathered
    "publish": {"run", "sample_log", "harness", "diagnose", "students", "batch"},
    "batch": {"report", "publish", "labbook"},
}

ROOMS_OF_LIBRARIES: dict[str, set[str]] = {
    "click": {"cli"},
    "jinja2": {"report"},
    "markupsafe": {"report"},
    "markdown_it": {"report"},
    "multiprocessing": {"batch"},
    "concurrent": {"batch", "students"},
    "distributed": {"batch"},
    "numpy": {"stats"},
    "scipy": set(),  # 140 MB and 0.3 s for one function: the tests alone hold ours against it
    "zstandard": {"harness"},
    "pyarrow": {"harness"},
    "filelock": {"storage"},
    "msgspec": {"fast_json", "fast_nouns"},
    "httpx": {"http_client", "students"},
    "resvg_py": {"publish"},
    "jsonschema": {"students"},
    "tomllib": {"bounded_json"},
    "subprocess": {"students", "batch"},
    "http": {"publish", "cli"},
}


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else path.stem


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


@cache
def imports_of(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
            assert node.level == 0, f"{path}: imports are absolute"
    return names


MODULES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_down(path: Path) -> None:
    room = room_of(path)
    for name in imports_of(path):
        first, *rest = name.split(".")
        if first != "diptych":
            assert room in ROOMS_OF_LIBRARIES.get(first, {room}), f"{name} has no room in {room}"
            continue
        other = rest[0] if rest else "__init__"
        if other == "templates":
            assert room in {"report", "publish"}
            continue
        assert other == room or floor_of(other) < floor_of(room), f"{room} imports {name}: an import runs down"
        assert other not in FORBIDDEN.get(room, set()), f"{room} must not know {other}"


def test_every_package_is_in_the_wheel() -> None:
    import tomllib

    root = SOURCE.parents[1]
    named = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {"diptych", "diptych.templates"} | {
        "diptych." + ".".join(path.parent.relative_to(SOURCE).parts)
        for path in SOURCE.rglob("__init__.py")
        if path.parent != SOURCE
    }
    assert set(named) == folders


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if "diagnose" in path.parts and path.parent.name in {"samples", "settings", "scores"}],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_inside_diagnose_data_runs_one_way(path: Path) -> None:
    floor = next(number for number, rooms in enumerate(DIAGNOSE) if path.parent.name in rooms)
    for name in imports_of(path):
        if name.startswith("diptych.diagnose."):
            room = name.split(".")[2]
            above = [rooms for rooms in DIAGNOSE[floor + 1 :] if room in rooms]
            assert not above, f"{path.parent.name} imports {name}: samples, settings and scores never know the verdict"
