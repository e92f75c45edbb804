"""The JSON schema of an artifact, made from its noun: what is promised is what is written."""

import types
import typing
from collections.abc import Mapping
from typing import Any

from diptych import artifact
from diptych.typed_json import hints_of, range_of

SIMPLE: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a comparison, decision, matrix or repeats artifact."""
    name = f"diptych/{kind}/1"
    noun = artifact.noun_for_schema(name, "schema")
    definitions: dict[str, Any] = {}
    body = of_noun(noun, definitions)
    body["properties"]["schema"] = {"const": name}
    body["required"] = sorted([*body["required"], "schema"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **body, "$defs": definitions}


def of_noun(noun: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a named tuple as an object; more keys may stand beside the known ones."""
    hints = hints_of(noun)
    properties = {
        name.rstrip("_"): field_schema(noun.__name__, name, hints[name], definitions) for name in noun._fields
    }
    required = sorted(name.rstrip("_") for name in noun._fields if name not in noun._field_defaults)
    text = (noun.__doc__ or "").strip().split("\n")[0]
    return {"type": "object", "description": text, "properties": properties, "required": required}


def field_schema(noun: str, name: str, kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one field: a number with its range."""
    bounds = range_of(noun, name, kind)
    known = of_type(kind, definitions)
    return known if bounds is None else {**known, "minimum": bounds[0], "maximum": bounds[1]}


def of_type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field's type; nouns become references."""
    if kind in SIMPLE:
        return dict(SIMPLE[kind])
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [of_type(option, definitions) for option in inner]}
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": of_type(inner[0], definitions)}
    if origin is tuple:
        parts = [of_type(option, definitions) for option in inner]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if origin is not None:
        return {"type": "object", "additionalProperties": of_type(inner[1], definitions)}
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # a place first: a noun may hold itself
        definitions[kind.__name__] = of_noun(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}
