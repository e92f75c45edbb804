"""The hinge: a comparison or a decision as versioned, strict, deterministic JSON, and back.

History of `diptych/comparison`: 1 first.
History of `diptych/decision`: 1 first.
Adding an optional field keeps the number; any other change raises it, and gets an entry in `UPGRADES`
and an old file among the golden ones that must still load.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from diptych.errors import ArtifactError

COMPARISON_SCHEMA = "diptych/comparison/1"
DECISION_SCHEMA = "diptych/decision/1"
MATRIX_SCHEMA = "diptych/matrix/1"
REPEATS_SCHEMA = "diptych/repeats/1"

NOUNS: Mapping[str, str] = {
    "Comparison": COMPARISON_SCHEMA,
    "StudentDecision": DECISION_SCHEMA,
    "Matrix": MATRIX_SCHEMA,
    "Repeats": REPEATS_SCHEMA,
}

UPGRADES: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def dumps(artifact: Any) -> str:
    """Return the JSON of a comparison, decision or matrix: keys sorted, strict, one line break at the end."""
    body = {"schema": schema_of(artifact), **plain(artifact)}
    # json.dumps is twice as fast as json.dump, and a line a key keeps diffs small (measured)
    return json.dumps(body, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1) + "\n"


def schema_of(artifact: Any) -> str:
    """Return the schema's name for an artifact's noun."""
    return NOUNS[type(artifact).__name__]


def plain(value: Any) -> Any:
    """Return named tuples as objects, tuples as lists; a field's trailing underscore is dropped."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is None:
            return [plain(item) for item in value]
        return {name.rstrip("_"): plain(item) for name, item in zip(names, value, strict=True)}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8") if has_surrogate(value) else value
    return value


def has_surrogate(text: str) -> bool:
    """Say whether a text holds half a surrogate pair, which no UTF-8 file can carry."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def loads(text: str, *, where: str = "artifact") -> Any:
    """Return the comparison, decision or matrix that a JSON text holds; an `ArtifactError` says what is wrong."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise ArtifactError(f"not JSON: {error}", where=where, hint="make it again with `diptych compare`") from error
    schema = body.get("schema") if isinstance(body, dict) else None
    if not isinstance(schema, str) or not schema.startswith("diptych/"):
        raise ArtifactError(
            "not a diptych artifact (it has no `schema`)", where=where, hint="give a file written with --out"
        )
    while schema in UPGRADES:
        body = UPGRADES[schema](body)
        schema = body["schema"]
    return build(noun_of(schema, where), body, where)


def noun_of(schema: str, where: str) -> type:
    """Return the noun for a schema's name; a newer or unknown one is an `ArtifactError`."""
    if schema == DECISION_SCHEMA:  # not paid for by who reads comparisons
        from diptych.decision import StudentDecision

        return StudentDecision
    from diptych import comparison

    for name, known in NOUNS.items():
        if known == schema:
            found: type = getattr(comparison, name)
            return found
    raise ArtifactError(f"schema {schema!r} is not known here", where=where, hint="install a newer diptych")


def build(noun: Any, value: Any, where: str) -> Any:
    """Return `value` (parsed JSON) as the type `noun`: named tuples, tuples and mappings restored."""
    import types
    import typing

    origin = typing.get_origin(noun)
    if noun is Any or noun in (str, int, float, bool, type(None)):
        return value
    if origin in (typing.Union, types.UnionType):
        return build_union(typing.get_args(noun), value, where)
    if origin is tuple:
        inner = typing.get_args(noun)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(build(inner[0], item, where) for item in value)
        return tuple(build(kind, item, where) for kind, item in zip(inner, value, strict=True))
    if origin is not None:  # a Mapping
        kind = typing.get_args(noun)[1]
        return {key: build(kind, item, where) for key, item in value.items()}
    return build_noun(noun, value, where)


def build_union(options: tuple[Any, ...], value: Any, where: str) -> Any:
    """Return `value` as the first option that has its shape."""
    if value is None:
        return None
    import typing

    for option in options:
        if option is type(None):
            continue
        if (typing.get_origin(option) is tuple) == isinstance(value, list):
            return build(option, value, where)
    return value


def build_noun(noun: Any, value: Any, where: str) -> Any:
    """Return a JSON object as a named tuple; fields that are not known here are passed over."""
    hints = hints_of(noun)
    if not isinstance(value, dict):
        raise ArtifactError(f"{noun.__name__} is not an object", where=where, hint="the file was changed by hand")
    fields = {}
    for name in noun._fields:
        key = name.rstrip("_")
        if key in value:
            fields[name] = build(hints[name], value[key], where)
        elif name not in noun._field_defaults:
            raise ArtifactError(f"{noun.__name__} lacks {key!r}", where=where, hint="the file was changed by hand")
    return noun(**fields)


HINTS: dict[Any, dict[str, Any]] = {}


def hints_of(noun: Any) -> dict[str, Any]:
    """Return a noun's field types, looked up once."""
    import typing

    if noun not in HINTS:
        HINTS[noun] = typing.get_type_hints(noun)
    return HINTS[noun]


def digest(text: str) -> str:
    """Return the hex sha256 of an artifact's text: its name in citations and attachments."""
    from diptych.storage import sha256

    return sha256(text.encode("utf-8"))
