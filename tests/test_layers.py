"""The floors of the house: an import runs down, never up, and one library has one room."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "generator" / "diptych"

# from the ground up; a room is moved by moving its name here, in a change that says why
FLOORS: tuple[set[str], ...] = (
    {"errors", "__init__"},
    {"storage"},
    {"runs", "comparison", "methods", "wording"},
    {"decision", "many"},
    {"shapes"},
    {"estimate", "artifact", "labbook"},
    {"schema"},
    {"compare", "students", "read", "render"},
    {"batch", "publish"},
    {"cli"},
    {"__main__"},
)

# what a room may never know, whatever its floor
FORBIDDEN: dict[str, set[str]] = {
    "runs": {"storage"},
    "comparison": {"storage"},
    "many": {"storage"},
    "methods": {"storage"},
    "estimate": {"storage", "runs", "labbook", "artifact"},
    "artifact": {"runs"},
    "shapes": {"runs", "storage"},
    "compare": {"storage", "artifact", "labbook", "read", "render", "students"},
    "read": {"comparison", "many", "decision", "artifact", "labbook", "estimate", "compare"},
    "students": {"runs", "compare", "read", "render"},
    "render": {"storage", "runs", "estimate", "labbook", "compare", "read", "students"},
    "publish": {"runs", "read", "compare", "students", "estimate", "batch"},
    "batch": {"render", "publish", "labbook"},
}

ROOMS_OF_LIBRARIES: dict[str, set[str]] = {
    "click": {"cli"},
    "jinja2": {"render"},
    "markupsafe": {"render"},
    "markdown_it": {"render"},
    "multiprocessing": {"batch"},
    "concurrent": {"batch", "students"},
    "distributed": {"batch"},
    "numpy": {"estimate"},
    "scipy": {"estimate"},
    "zstandard": {"read"},
    "httpx": {"publish", "students"},
    "resvg_py": {"publish"},
    "jsonschema": {"students"},
    "tomllib": {"batch", "students"},
    "subprocess": {"students"},
    "http": {"publish", "cli"},
}


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else path.stem


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


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
        other = rest[0] if rest and rest[0] != "__version__" else "__init__"
        if other == "templates":
            assert room in {"render", "publish"}
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
