"""The manifest: which runs are compared, which students are decided, which repeats give a noise floor.

All paths in it are relative to its own folder.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time
from typing import Any

from diptych.batch.baseline import FILE, SCHEMA, read_baseline
from diptych.batch.policy import policy_from, read_toml
from diptych.bounded_json import LARGEST
from diptych.errors import ManifestError
from diptych.fast_named_tuple import NamedTuple

FIRST = "see `diptych init` for a first manifest"
NAME_HINT = "a name becomes a file's name: use letters, digits, '.', '-' and '_', starting with a letter or digit"


class Entry(NamedTuple):
    """One thing to make: `kind` is comparison, matrix, repeats or decision; `spec` is what the manifest says of it."""

    name: str
    kind: str
    spec: Mapping[str, Any]


class Manifest(NamedTuple):
    """A manifest, read: `folder` is its place, `artifacts`, `build` and `pages` are paths from there."""

    path: str
    folder: str
    title: str
    description: str
    artifacts: str
    build: str
    pages: str | None
    base_url: str | None
    entries: tuple[Entry, ...]


TOP_KEYS = {"title", "description", "artifacts", "build", "pages", "base_url", "margin", "defaults", "gate", "baseline"}
KINDS: Mapping[str, tuple[str, set[str], set[str]]] = {
    # table: (kind, keys that must be there, keys that may)
    "comparisons": (
        "comparison",
        {"name"},
        {
            "title",
            "a",
            "b",
            "runs",
            "margin",
            "samples",
            "flips",
            "primary",
            "clusters",
            "match_tasks",
            "fail_on",
            "require",
            "thresholds",
        },
    ),
    "repeats": ("repeats", {"name", "runs"}, {"title"}),
    "decisions": (
        "decision",
        {"name", "routes"},
        {"title", "judgements", "labbook", "labels", "stages", "prices", "attempts", "margin", "floor"},
    ),
}


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_texts(value: Any) -> bool:
    """Say whether a value is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def is_number(value: Any) -> bool:
    """Say whether a value is a number that can be reckoned with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST


def is_whole(value: Any) -> bool:
    """Say whether a value counts something."""
    return isinstance(value, int) and is_number(value)


def is_table(value: Any) -> bool:
    return isinstance(value, dict)


def is_table_of_text(value: Any) -> bool:
    return is_table(value) and all(map(is_text, value.values()))


VALUES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("title", "description", "artifacts", "build", "pages", "base_url"), (is_text, "a text")),
    **dict.fromkeys(("a", "b", "labbook", "labels", "attempts"), (is_text, "a text")),
    **dict.fromkeys(("runs", "fail_on", "require", "thresholds"), (is_texts, "a list of texts")),
    **dict.fromkeys(("primary", "clusters", "match_tasks", "routes"), (is_table_of_text, "a table of texts")),
    **dict.fromkeys(("margin", "floor"), (is_number, "a number, 0 or above")),
    **dict.fromkeys(("samples", "flips"), (is_whole, "a whole number, 0 or above")),
    **dict.fromkeys(("defaults", "gate", "baseline"), (is_table, "a table")),
    "name": (lambda value: is_text(value) or is_whole(value), "a text"),
    "judgements": (lambda value: is_text(value) or is_texts(value), "a text or a list of texts"),
    "prices": (lambda value: is_text(value) or is_table(value), "a text or a table"),
    "stages": (lambda value: is_table(value) and all(map(is_texts, value.values())), "a table of lists of texts"),
}
"""What each key may hold: how to tell, and how to say it."""


def check_values(table: Mapping[str, Any], where: str) -> None:
    """Raise a `ManifestError` for a value of another kind than its key needs."""
    for key, value in table.items():
        known = VALUES.get(key)
        if known and not known[0](value):
            raise ManifestError(f"{key!r} must be {known[1]}", where=where, hint="mend the manifest")
        for leaf in leaves_in(value):
            if isinstance(leaf, str) and "\0" in leaf:
                raise ManifestError(f"{key!r} must be a text without a zero byte", where=where, hint="take it out")
            if isinstance(leaf, date | time):
                raise ManifestError(f"{key!r} holds a date or a time", where=where, hint=f'write it as text: "{leaf}"')


def leaves_in(value: Any) -> Iterator[Any]:
    """Yield every key and plain value in a value, however deep."""
    if isinstance(value, dict | list):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from leaves_in(part)
    else:
        yield value


def read_manifest(path: str, *, outside: bool = False) -> Manifest:
    """Return the manifest of a TOML file; a `ManifestError` names the key that is wrong.

    What is written lies below the manifest's own folder, unless `outside` says that it need not.
    """
    body = read_toml(path, FIRST)
    unknown = set(body) - TOP_KEYS - set(KINDS)
    if unknown:
        raise ManifestError(
            f"unknown key {sorted(unknown)[0]!r}", where=path, hint=f"known: {', '.join(sorted(TOP_KEYS | set(KINDS)))}"
        )
    check_values({key: value for key, value in body.items() if key not in KINDS}, path)
    for key in () if outside else ("artifacts", "build"):
        check_inside(key, str(body.get(key, "")), path)
    check_keys(body.get("defaults", {}), set(), KINDS["comparisons"][2], f"{path}: [defaults]")
    check_values(body.get("defaults", {}), f"{path}: [defaults]")
    checked_baseline(body.get("baseline", {}), path)
    if "gate" in body:
        policy_from(body["gate"], f"{path}: [gate]")
    entries = tuple(entry for table in KINDS for entry in table_entries(table, body, path))
    refuse_doubles(entries, path)
    if not entries:
        raise ManifestError("nothing to do", where=path, hint="add a [[comparisons]], [[repeats]] or [[decisions]]")
    return Manifest(
        path=path,
        folder=os.path.dirname(path) or ".",
        title=str(body.get("title", "Evaluation runs, side by side")),
        description=str(body.get("description", "")),
        artifacts=str(body.get("artifacts", "artifacts")),
        build=str(body.get("build", "build")),
        pages=body.get("pages"),
        base_url=body.get("base_url"),
        entries=entries,
    )


def check_inside(key: str, value: str, where: str) -> None:
    """Raise a `ManifestError` for a place to write to that is not below the manifest's folder."""
    root = os.path.realpath(os.path.dirname(where) or ".")
    real = os.path.realpath(os.path.join(root, value))
    linked = real != root and not real.startswith(root.rstrip(os.sep) + os.sep)
    if linked or os.path.isabs(value) or os.path.normpath(value or ".").split(os.sep)[0] == os.pardir:
        raise ManifestError(
            f"{key} = {value!r} leads out of the manifest's folder",
            where=where,
            hint="name a folder below, or say --outside",
        )


def baseline_file(path: str) -> str:
    """Return where the baseline of a manifest lies: `file` of its [baseline], else baseline.json beside it."""
    table = read_toml(path, FIRST).get("baseline", {})
    return os.path.join(os.path.dirname(path) or ".", str(checked_baseline(table, path).get("file", FILE)))


def checked_baseline(table: Any, path: str) -> Mapping[str, Any]:
    """Return a [baseline] table; a `ManifestError` where it holds anything but texts under `file` and `main`."""
    if not is_table_of_text(table) or set(table) - {"file", "main"}:
        raise ManifestError("[baseline] has `file` and `main`, both texts", where=path, hint="mend the manifest")
    check_values(table, f"{path}: [baseline]")
    check_inside("file", str(table.get("file", "")), path)
    found: Mapping[str, Any] = table
    return found


def table_entries(table: str, body: Mapping[str, Any], path: str) -> Iterable[Entry]:
    """Return the entries of one table, each checked; run-wide defaults are filled in."""
    kind, needed, allowed = KINDS[table]
    rows = body.get(table, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ManifestError(f"[[{table}]] must be a list of tables", where=path, hint=f"write [[{table}]] before each")
    for number, row in enumerate(rows, 1):
        where = f"{path}: [[{table}]] {row.get('name', number)}"
        check_keys(row, needed, allowed, where)
        spec = {**defaults_for(kind, body), **row}
        if kind == "comparison" and (by_default := sorted({"primary", "clusters"} & set(spec) - set(row))):
            spec["by_default"] = by_default
        if kind == "comparison" and "b" in row and "a" not in row and "runs" not in row:
            spec |= against_baseline(body, path)
        check_values(spec, where)
        yield Entry(checked_name(spec["name"], where), entry_kind(kind, spec, where), spec)


def against_baseline(body: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return what a comparison that names only `b` takes from the baseline: its run as `a`, and what was kept of it."""
    kept = read_baseline(baseline_file(path))
    main = checked_baseline(body.get("baseline", {}), path).get("main")
    return {"a": kept.run, "baseline": {**kept._asdict(), "schema": SCHEMA}, **({"main": main} if main else {})}


def check_keys(row: Mapping[str, Any], needed: set[str], allowed: set[str], where: str) -> None:
    """Raise a `ManifestError` for a key that is missing or not known."""
    missing = needed - set(row)
    if missing:
        raise ManifestError(f"{sorted(missing)[0]!r} is missing", where=where, hint="add it")
    unknown = set(row) - needed - allowed
    if unknown:
        known = ", ".join(sorted(needed | allowed))
        raise ManifestError(f"unknown key {sorted(unknown)[0]!r}", where=where, hint=f"known: {known}")


def defaults_for(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest says once for all entries of a kind."""
    defaults = {"margin": body["margin"]} if "margin" in body and kind != "repeats" else {}
    if kind != "comparison":
        return defaults
    gate = {"gate": body["gate"]} if "gate" in body else {}
    return {**defaults, **gate, **body.get("defaults", {})}


def entry_kind(kind: str, spec: dict[str, Any], where: str) -> str:
    """Return an entry's kind; a comparison of more than two runs is a matrix."""
    if kind != "comparison":
        return kind
    runs = spec.get("runs") or [spec.get("a"), spec.get("b")]
    if len(runs) < 2 or not all(isinstance(run, str) and run for run in runs):
        raise ManifestError("two runs are needed", where=where, hint='give a = "label=path" and b, or runs = [ … ]')
    spec["runs"] = list(runs)
    return "comparison" if len(runs) == 2 else "matrix"


def checked_name(name: Any, where: str) -> str:
    """Return a name that is fit for a file's name."""
    text = str(name)
    plain = text.replace("-", "").replace("_", "").replace(".", "")
    if not plain.isascii() or not plain.isalnum() or not text[0].isalnum() or len(text) > 100:
        raise ManifestError(f"name {text!r} will not do", where=where, hint=NAME_HINT)
    if text.lower().endswith(".failed"):  # the note of another entry's failure would lie there
        raise ManifestError(f"name {text!r} will not do", where=where, hint=NAME_HINT)
    return text


def refuse_doubles(entries: Iterable[Entry], path: str) -> None:
    """Raise a `ManifestError` where two entries share a name: one would overwrite the other."""
    seen: set[str] = set()
    for entry in entries:
        if entry.name.lower() in seen:
            raise ManifestError(f"two entries are called {entry.name!r}", where=path, hint="rename one of them")
        seen.add(entry.name.lower())
