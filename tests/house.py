"""Print what the house is made of: a mirror to look into now and then, not a gate.

Usage: python tests/house.py [--names]
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "generator" / "diptych"
PAIR = ("smol-3shot", "smol-3shot-q4_0")
ROOMY = 10
"""The complexity above which a function is worth another look."""

OURS = {"NamedTuple", "Protocol", "Generic", "Enum", "ValueError", "Exception"}
"""Bases that call no method of their own accord."""

Place = tuple[str, str]
"""A module and a name in it; a method's is "Class.method"."""


class Definition(NamedTuple):
    """What one name of a module is made of: its lines, the names that it uses bare and those behind a point."""

    lines: int
    names: frozenset[str]
    attributes: frozenset[str]


class Module(NamedTuple):
    """A module's definitions, what it imports as what, and what it runs when it is imported."""

    definitions: dict[str, Definition]
    imports: dict[str, Place]
    runs: Definition


def main() -> None:
    paths = sorted(SOURCE.rglob("*.py"))
    modules = {name_of(path): module_of(ast.parse(path.read_text(encoding="utf-8"))) for path in paths}
    unreached = sorted(unreachable(modules))
    lost = sum(modules[module].definitions[name].lines for module, name in unreached)
    shared = shared_names(modules)
    rows = (
        ("lines of Python in generator/", sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)),
        ("files", len(paths)),
        ("files over 300 lines", sum(len(path.read_text(encoding="utf-8").splitlines()) > 300 for path in paths)),
        ("modules that one comparison enters", entered()),
        (f"functions over complexity {ROOMY}", complex_functions()),
        ("function names in several modules", len(shared)),
        ("unreachable lines", lost),
    )
    for what, number in rows:
        print(f"{number:7,}  {what}")
    for module, name in unreached:
        print(f"         no command reaches {module}.{name}")
    if "--names" in sys.argv:
        for name, places in sorted(shared.items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"         {name}: {', '.join(sorted(places))}")


def name_of(path: Path) -> str:
    """Return a file's dotted module name."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def module_of(tree: ast.Module) -> Module:
    """Return what a module defines, imports and runs."""
    definitions: dict[str, Definition] = {}
    rest: list[ast.AST] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            definitions[node.name] = definition(node)
        elif isinstance(node, ast.ClassDef):
            called = all(ast.unparse(base).partition("[")[0] in OURS for base in node.bases)  # else by a library
            methods = [part for part in node.body if isinstance(part, ast.FunctionDef) and called]
            others = [part for part in node.body if part not in methods]
            definitions[node.name] = definition(node, [*others, *node.bases, *node.decorator_list], bare=True)
            definitions |= {f"{node.name}.{method.name}": definition(method) for method in methods}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            definitions |= {name: definition(node) for name in names}
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            rest.append(node)
    return Module(definitions, imports_of(tree), definition(tree, rest))


def definition(node: ast.AST, parts: list[ast.AST] | None = None, bare: bool = False) -> Definition:
    """Return what the parts of a definition use; `bare` says that methods are counted for themselves."""
    inside = [part for each in (parts if parts is not None else [node]) for part in ast.walk(each)]
    lines = 0 if bare or isinstance(node, ast.Module) else (node.end_lineno or 0) - node.lineno + 1  # type: ignore[attr-defined]
    texts = {part.value for part in inside if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    words = {word for text in texts if text.isidentifier() for word in (text,)}  # annotations in quotation marks
    return Definition(
        lines,
        frozenset({part.id for part in inside if isinstance(part, ast.Name)} | words),
        frozenset(part.attr for part in inside if isinstance(part, ast.Attribute)),
    )


def imports_of(tree: ast.Module) -> dict[str, Place]:
    """Return every name that a module imports, at its head or in a function, with where it comes from."""
    found: dict[str, Place] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    return found


def unreachable(modules: dict[str, Module]) -> set[Place]:
    """Return the functions, methods and classes that nothing leads to from a command."""
    reached: set[Place] = set()
    loaded: set[str] = set()
    attributes = template_words() | {"__main__"}
    waiting = [
        (module, name) for module in modules if module.startswith("diptych.cli") for name in roots(modules[module])
    ]
    # what `import diptych` offers is documented: scripts call it
    doors = ("diptych", "diptych.__main__", "diptych.api")
    waiting += [(door, name) for door in doors for name in modules[door].definitions]
    while waiting:
        while waiting:
            place = waiting.pop()
            if place in reached:
                continue
            reached.add(place)
            module, name = place
            used = modules[module].definitions[name]
            waiting += [target for word in used.names for target in targets(modules, module, word)]
            new = used.attributes - attributes
            attributes |= new
            if module not in loaded:
                loaded.add(module)
                runs = modules[module].runs
                attributes |= runs.attributes
                waiting += [target for word in runs.names for target in targets(modules, module, word)]
        waiting = [place for place in by_attribute(modules, attributes, reached) if place not in reached]
    functions = {
        (module, name)
        for module, each in modules.items()
        for name, defined in each.definitions.items()
        if defined.lines and not name.rpartition(".")[2].startswith("__")
    }
    return functions - reached


def roots(module: Module) -> Iterator[str]:
    """Yield the names of a module of commands that click or the console script asks for by name."""
    yield from (name for name in module.definitions if name.endswith("_command") or name == "main" or name[0].isupper())


def targets(modules: dict[str, Module], module: str, word: str) -> Iterator[Place]:
    """Yield the definition that a bare word in a module means: here, or where it was imported from in the end."""
    if word in modules[module].definitions:
        yield module, word
    elif word in modules[module].imports:
        source, name = modules[module].imports[word]
        if source in modules:
            yield from targets(modules, source, name)


def by_attribute(modules: dict[str, Module], attributes: set[str], reached: set[Place]) -> Iterator[Place]:
    """Yield what is used behind a point: methods of any reached class, functions of a module imported whole."""
    whole = {
        f"{source}.{name}"
        for module in {place[0] for place in reached}
        for source, name in modules[module].imports.values()
        if f"{source}.{name}" in modules
    }
    for module, each in modules.items():
        for name in each.definitions:
            owner, _, method = name.rpartition(".")
            if not owner and name in attributes and module in whole:
                yield module, name
            if (module, owner) not in reached:
                continue
            if method in attributes or method.startswith("__"):
                yield module, name


def template_words() -> set[str]:
    """Return every word of the templates: what they ask of a view is asked by name."""
    import re

    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.j2")]
    return {word for text in texts for word in re.findall(r"[a-z_]\w*", text)}


def shared_names(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Return the names of functions that stand in more than one module, with those modules."""
    places: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                places.setdefault(node.name, set()).add(name_of(path))
    return {name: found for name, found in places.items() if len(found) > 1}


def entered() -> int:
    """Return how many modules of ours a comparison of two real runs calls a function of."""
    code = (
        "import sys; from diptych.harness.reader import read_run; from diptych.diagnose.pipeline import compare_runs\n"
        "entered = set()\n"
        "def note(frame, event, argument):\n"
        "    if event == 'call' and frame.f_code.co_name != '<module>':\n"
        "        entered.add(frame.f_globals.get('__name__', ''))\n"
        "sys.setprofile(note)\n"
        "compare_runs(read_run(sys.argv[1]), read_run(sys.argv[2]))\n"
        "sys.setprofile(None)\n"
        "print(sum(name.startswith('diptych.') for name in entered))"
    )
    runs = [str(ROOT / "site" / "runs" / name) for name in PAIR]
    done = subprocess.run([sys.executable, "-c", code, *runs], capture_output=True, text=True, check=True)
    return int(done.stdout)


def complex_functions() -> int:
    """Return how many functions branch more often than is easy to hold in mind (McCabe, by ruff)."""
    command = ["ruff", "check", "--select", "C901", "--output-format", "concise", "--exit-zero"]
    command += ["--config", f"lint.mccabe.max-complexity={ROOMY}", str(SOURCE)]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=True, cwd=ROOT)
    return Counter("C901" in line for line in done.stdout.splitlines())[True]


if __name__ == "__main__":
    main()
