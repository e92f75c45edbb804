"""The hinge: a comparison or a decision as versioned, strict, deterministic JSON, and back.

History of `diptych/comparison`: 1 first.
History of `diptych/decision`: 1 first.
Adding an optional field keeps the number; any other change raises it, and gets an entry in `UPGRADES`
and an old file among the golden ones that must still load.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from json.encoder import encode_basestring
from typing import Any

from diptych.bounded_json import FINITE, LONG, NotJson, load_json
from diptych.errors import ArtifactError
from diptych.secrets import masked

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
    """Return the JSON of an artifact: keys sorted, strict, one line break at the end, no secret that was given."""
    return masked("".join(json_pieces(artifact)))


def json_pieces(artifact: Any) -> Iterator[str]:
    """Yield the JSON of an artifact piece by piece: its lists may be long, and a whole one would be held three times.

    The pieces are those of `json.dumps(..., indent=1)`, for a line a key keeps diffs small.
    """
    fields = object_of(artifact) | {"schema": schema_of(artifact)}
    before = "{\n "
    for name in sorted(fields):
        value = fields[name]
        yield f"{before}{json.dumps(name)}: "
        if isinstance(value, tuple) and not hasattr(value, "_fields") and value:
            for place, item in enumerate(value):
                yield f"{',' if place else '['}\n  " + json_text(item, "\n  ")
            yield "\n ]"
        else:
            yield json_text(value, "\n ")
        before = ",\n "
    yield "\n}\n"


def json_text(value: Any, margin: str = "\n") -> str:
    """Return a value as JSON, strict, as `json.dumps` indents it; `margin` is the line end that it stands behind.

    Named tuples are objects, tuples are lists. Half a surrogate pair, which no UTF-8 file can carry, becomes "?".
    """
    parts: list[str] = []
    put_json(value, margin, parts.append)
    return "".join(parts).encode("utf-8", "replace").decode("utf-8")


def put_json(value: Any, margin: str, put: Callable[[str], None]) -> None:
    """Give the JSON of a value in parts: in half the time of `json`, whose own coder in C cannot indent."""
    if isinstance(value, str):
        put(encode_basestring(value))
    elif isinstance(value, float) and math.isfinite(value):
        put(float.__repr__(value))
    elif isinstance(value, Mapping) or hasattr(value, "_fields"):
        named = {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else object_of(value)
        before = "{"
        for name in sorted(named):
            put(f"{before}{margin} {encode_basestring(name)}: ")
            put_json(named[name], margin + " ", put)
            before = ","
        put(margin + "}" if named else "{}")
    elif isinstance(value, tuple | list):
        before = "["
        for item in value:
            put(f"{before}{margin} ")
            put_json(item, margin + " ", put)
            before = ","
        put(margin + "]" if value else "[]")
    else:
        put(json.dumps(value, allow_nan=False))


def object_of(noun: Any) -> dict[str, Any]:
    """Return a named tuple's fields by name; a trailing underscore is dropped."""
    return {name.rstrip("_"): value for name, value in zip(noun._fields, noun, strict=True)}


def schema_of(artifact: Any) -> str:
    """Return the schema's name for an artifact's noun."""
    return NOUNS[type(artifact).__name__]


def load_one(data: bytes, *, where: str = "artifact") -> Any:
    """Return what `loads` returns, sooner: for who loads hundreds. What does not fit is left to `loads`."""
    from diptych.fast_nouns import NotPlain, read_noun  # not paid for by who loads one
    from diptych.typed_json import disagreement

    schema = told_schema(data)
    try:
        if schema in NOUNS.values() and not disagreement(
            made := read_noun(noun_for_schema(schema, where), schema, data)
        ):
            return made
    except NotPlain:
        pass
    try:
        return loads(data.decode("utf-8"), where=where)
    except UnicodeDecodeError as error:
        raise ArtifactError(
            "not UTF-8 text", where=f"{where}@{error.start}", hint="save the file as UTF-8 and try again"
        ) from error


SCHEMA = b'\n "schema": "'
"""How the line of an artifact's schema begins."""


def told_schema(data: bytes) -> str:
    """Return the schema that an artifact names on a line of its own, as we write it, "" where it has none."""
    place = data.rfind(SCHEMA)
    start = place + len(SCHEMA)
    return data[start : data.find(b'"', start)].decode("utf-8", "replace") if place >= 0 else ""


def loads(text: str, *, where: str = "artifact") -> Any:
    """Return the comparison, decision or matrix that a JSON text holds; an `ArtifactError` says what is wrong."""
    body = parse_artifact(text, where)
    schema = body.get("schema") if isinstance(body, dict) else None
    if not isinstance(schema, str) or not schema.startswith("diptych/"):
        raise ArtifactError(
            "not a diptych artifact (it has no `schema`)", where=where, hint="give a file written with --out"
        )
    while schema in UPGRADES:
        body = UPGRADES[schema](body)
        schema = body["schema"]
    return as_noun(noun_for_schema(schema, where), body, where)


BY_HAND = "the file was changed by hand"


def as_noun(noun: type, body: Any, where: str) -> Any:
    """Return a parsed artifact as its noun; what does not fit is an `ArtifactError` that names the field."""
    from diptych.typed_json import Misfit, build_noun, disagreement  # not paid for by who only writes

    try:
        made = build_noun(noun, body)
    except Misfit as error:
        raise ArtifactError(str(error), where=where, hint=BY_HAND) from error
    if said := disagreement(made):
        raise ArtifactError(said, where=where, hint=BY_HAND)
    return made


def parse_artifact(text: str, where: str) -> Any:
    """Return a strict JSON text's value within the bounds of any input."""
    try:
        return load_json(text, digits=LONG, largest=FINITE)  # a setting is only shown
    except NotJson as error:
        place = f"{where}:{error.line}" if error.line else where
        raise ArtifactError(str(error), where=place, hint="make it again with `diptych compare`") from error


def noun_for_schema(schema: str, where: str) -> type:
    """Return the noun for a schema's name; a newer or unknown one is an `ArtifactError`."""
    if schema == COMPARISON_SCHEMA:
        from diptych.comparison import Comparison

        return Comparison
    if schema == DECISION_SCHEMA:  # each paid for only by who reads one
        from diptych.decision import StudentDecision

        return StudentDecision
    if schema == MATRIX_SCHEMA:
        from diptych.matrix import Matrix

        return Matrix
    if schema == REPEATS_SCHEMA:
        from diptych.repeats import Repeats

        return Repeats
    raise ArtifactError(f"schema {schema!r} is not known here", where=where, hint="install a newer diptych")


def digest(text: str) -> str:
    """Return the hex sha256 of an artifact's text: its name in citations and attachments."""
    from diptych.storage import sha256

    return sha256(text.encode("utf-8"))
