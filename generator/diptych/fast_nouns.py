"""An artifact's JSON as its noun in a third of the time: read, checked and built in one go, for who loads hundreds.

What is accepted here is what `typed_json` accepts, and comes out the same. What is not may still be an artifact (of
another version, of numbers or a depth that no usual one has): whoever looks at it then knows what is allowed.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from operator import itemgetter, or_
from types import NoneType
from typing import Annotated, Any, Literal, NewType, get_args, get_origin

from msgspec import Meta, MsgspecError, defstruct
from msgspec.json import Decoder
from msgspec.structs import astuple

from diptych.metric_key import MetricKey
from diptych.typed_json import hints_of, range_of

SMALLEST, GREATEST = -(2**63), 2**63 - 1
"""Between these a whole number is read here; one of more digits is rare, and may be too long."""

NESTED = 4
"""Lists and objects within one another in a value of any kind: settings have two; each more doubles what is set up."""


class NotPlain(ValueError):
    """Bytes that are no artifact, or one at which `typed_json` has to look."""


def read_noun(noun: Any, schema: str, data: bytes) -> Any:
    """Return the noun that the JSON of an artifact holds; a `NotPlain` says only that it has to be looked at."""
    decoder, build = reader_of(noun, schema)
    try:
        return build(decoder.decode(data))
    except (MsgspecError, ValueError) as error:
        raise NotPlain(str(error)) from error


Build = Callable[[Any], Any]
"""Turns what was read and checked into a noun's part."""


@cache
def reader_of(noun: Any, schema: str) -> tuple[Decoder[Any], Build]:
    """Return what reads and checks the JSON of a noun, and what builds the noun of that."""
    return Decoder(struct_of(noun, schema)), noun_build(noun, schema)


@cache
def struct_of(noun: Any, schema: str = "") -> Any:
    """Return a noun as a structure: a field a key of its JSON, in the order of the keys; no other key may be there."""
    defaults = noun._field_defaults
    fields = [
        (name, type_of_field(noun.__name__, name, kind), *([defaults[name]] if name in defaults else []))
        for name, kind in hints_of(noun).items()
    ]
    fields += [("schema", Literal[schema])] if schema else []
    keys = {name: name.rstrip("_") for name, *_ in fields}
    ordered = sorted(fields, key=lambda field: keys[field[0]])
    return defstruct(noun.__name__, ordered, kw_only=True, rename=keys, forbid_unknown_fields=True, gc=False)


def type_of_field(noun: str, name: str, kind: Any) -> Any:
    """Return the type of a field: its numbers within their range, its values of any kind no deeper than usual ones."""
    origin, inner = get_origin(kind), get_args(kind)
    bounds = range_of(noun, name, kind)
    if bounds is not None:
        return one_of(part for each in inner or (kind,) for part in numbers_between(*bounds, each))
    if kind is Any:
        return any_within(NESTED)
    if kind in (str, bool, NoneType) or origin is Literal:
        return kind
    parts = tuple(each if each is ... else type_of_field("", "", each) for each in inner)
    if origin is tuple:
        return tuple[parts]  # type: ignore[valid-type]
    if is_mapping(kind):
        return dict[str, parts[1]]  # type: ignore[valid-type]
    return one_of(parts) if parts else struct_of(kind)


def one_of(kinds: Iterable[Any]) -> Any:
    """Return the type of what is of one of several types."""
    return reduce(or_, kinds)


def numbers_between(low: float, high: float, kind: Any) -> tuple[Any, ...]:
    """Return the types of a number in a range: one with a fraction may be written without."""
    if kind is NoneType:
        return (None,)
    whole = Annotated[int, Meta(ge=max(math.ceil(low), SMALLEST), le=min(math.floor(high), GREATEST))]
    return (whole,) if kind is int else (whole, Annotated[float, Meta(ge=low, le=high)])


@cache
def any_within(depth: int) -> Any:
    """Return the type of a value of any kind that nests no deeper: one with a name, which is never compared whole."""
    plain: Any = Annotated[int, Meta(ge=SMALLEST, le=GREATEST)] | float | bool | str | None
    if not depth:
        return plain
    inner = any_within(depth - 1)
    return NewType("Json", plain | list[inner] | dict[str, inner])  # type: ignore[valid-type]


def is_mapping(kind: Any) -> bool:
    """Say whether a type is that of an object with names of its own."""
    return isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Mapping)


@cache
def noun_build(noun: Any, schema: str = "") -> Build:
    """Return what makes a noun of its structure."""
    order = struct_of(noun, schema).__struct_fields__
    take = getter_of([order.index(name) for name in noun._fields])
    parts = [(place, build) for place, kind in enumerate(hints_of(noun).values()) if (build := build_of(kind))]
    if not parts:
        return lambda struct: tuple.__new__(noun, take(astuple(struct)))

    def made(struct: Any) -> Any:
        values = list(take(astuple(struct)))
        for place, build in parts:
            if values[place] is not None:  # most are
                values[place] = build(values[place])
        return tuple.__new__(noun, values)

    return made


def getter_of(places: list[int]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Return what takes the values of some places, in their order."""
    get = itemgetter(*places)
    return (lambda values: (get(values),)) if len(places) == 1 else get


def build_of(kind: Any) -> Build | None:
    """Return what builds a value of a type, None where it stays as it was read."""
    origin, inner = get_origin(kind), get_args(kind)
    if hasattr(kind, "_fields"):
        return noun_build(kind)
    if is_mapping(kind):
        return build_mapping(inner[0] is MetricKey, build_of(inner[1]))
    if origin is tuple and inner[-1] is ...:
        each = build_of(inner[0])
        return each and (lambda rows: tuple(map(each, rows)))
    builds = {get_origin(one) is tuple: build for one in inner if (build := build_of(one))}
    if not builds:
        return None
    assert origin is not tuple, f"{kind} holds a noun beside something else"
    return lambda value: None if value is None else builds[type(value) is tuple](value)


def build_mapping(keyed: bool, each: Build | None) -> Build | None:
    """Return what builds a mapping: its values, and where it is `keyed` the metrics that its names are."""
    if keyed:
        return lambda items: {MetricKey.parse(name): each(item) if each else item for name, item in items.items()}
    return each and (lambda items: {name: each(item) for name, item in items.items()})
