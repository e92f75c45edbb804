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


Builder = Callable[[Any, str], Any]
"""Turns a parsed JSON value into a noun's part; the text says where the value comes from."""

BUILDERS: dict[Any, Builder | None] = {}


def build(noun: Any, value: Any, where: str) -> Any:
    """Return `value` (parsed JSON) as the type `noun`: named tuples, tuples and mappings restored."""
    make = builder_of(noun)
    return value if make is None else make(value, where)


def builder_of(kind: Any) -> Builder | None:
    """Return what builds a type, made once for each; None where a value stays as JSON has it."""
    if kind not in BUILDERS:  # looking at types for every value costs five times as much
        BUILDERS[kind] = new_builder(kind)
    return BUILDERS[kind]


def new_builder(kind: Any) -> Builder | None:
    """Return a new builder of a type."""
    import types
    import typing

    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any or kind in (str, int, float, bool, type(None)):
        return None
    if origin in (typing.Union, types.UnionType):
        return union_builder([each for each in inner if each is not type(None)])
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return row_builder(builder_of(inner[0]))
    if origin is tuple:
        return fixed_builder([builder_of(each) for each in inner])
    if origin is not None:
        return mapping_builder(builder_of(inner[1]))
    return noun_builder(kind)


def union_builder(options: list[Any]) -> Builder | None:
    """Return what builds a value as the first of several types that has its shape: a list, or not."""
    import typing

    makers = [(typing.get_origin(each) is tuple, builder_of(each)) for each in options]
    if all(make is None for _, make in makers):
        return None

    def union(value: Any, where: str) -> Any:
        if value is None:
            return None
        is_list = isinstance(value, list)
        for wants_list, make in makers:
            if wants_list == is_list:
                return value if make is None else make(value, where)
        return value

    return union


def row_builder(make: Builder | None) -> Builder:
    """Return what builds a tuple of any length whose items are of one type."""

    def row(value: Any, where: str) -> Any:
        expect(value, list, where)
        return tuple(value) if make is None else tuple([make(item, where) for item in value])

    return row


def fixed_builder(makers: list[Builder | None]) -> Builder:
    """Return what builds a tuple of a known length."""

    def fixed(value: Any, where: str) -> Any:
        expect(value, list, where)
        if len(value) != len(makers):
            raise ArtifactError("a list of another length", where=where, hint=BY_HAND)
        pairs = zip(makers, value, strict=True)
        return tuple([item if make is None else make(item, where) for make, item in pairs])

    return fixed


def mapping_builder(make: Builder | None) -> Builder:
    """Return what builds a mapping from names to values of one type."""

    def mapping(value: Any, where: str) -> Any:
        expect(value, dict, where)
        return dict(value) if make is None else {key: make(item, where) for key, item in value.items()}

    return mapping


def noun_builder(noun: Any) -> Builder:
    """Return what builds a named tuple from an object; fields that are not known here are passed over."""
    hints, defaults = hints_of(noun), noun._field_defaults
    fields = [(name, name.rstrip("_"), builder_of(hints[name]), name not in defaults) for name in noun._fields]

    def whole(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise ArtifactError(f"{noun.__name__} is not an object", where=where, hint=BY_HAND)
        given = {}
        for name, key, make, needed in fields:
            if key in value:
                given[name] = value[key] if make is None else make(value[key], where)
            elif needed:
                raise ArtifactError(f"{noun.__name__} lacks {key!r}", where=where, hint=BY_HAND)
        return noun(**given)

    return whole


HINTS: dict[Any, dict[str, Any]] = {}


def hints_of(noun: Any) -> dict[str, Any]:
    """Return a noun's field types, looked up once."""
    import typing

    if noun not in HINTS:
        HINTS[noun] = typing.get_type_hints(noun)
    return HINTS[noun]


BY_HAND = "the file was changed by hand"


def expect(value: Any, kind: type, where: str) -> None:
    """Raise an `ArtifactError` where a value is not of the kind that its place needs."""
    if not isinstance(value, kind):
        word = "a list" if kind is list else "an object"
        raise ArtifactError(f"{type(value).__name__} where {word} should be", where=where, hint=BY_HAND)


def digest(text: str) -> str:
    """Return the hex sha256 of an artifact's text: its name in citations and attachments."""
    from diptych.storage import sha256

    return sha256(text.encode("utf-8"))
