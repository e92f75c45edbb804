"""Recorded objects taken apart: each value under its dotted key, so that the inner key can be named."""

from collections.abc import Iterator, Mapping

from diptych.bounded_json import parse_bounded
from diptych.catalogue.measurements import words, words_of
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.strict_values import finite, typed
from diptych.run import Json

DEPTH = 12
"""How deep objects are taken apart; what nests deeper stays one value."""

MOST_LEAVES = 2000
"""How many keys of one file are taken apart; more is a table, not settings."""

WIDEST = 500
"""How many keys of one object are taken for settings; a wider one is a table (of items, of tokens)."""

DIGESTS = words("hash sha commit digest checksum")
"""Words of keys whose value is made of what it stands for."""


class Recorded(NamedTuple):
    """One recorded value under its dotted key."""

    key: str
    value: Json


def leaves(key: str, value: Json, depth: int = DEPTH) -> Iterator[Recorded]:
    """Yield what an object holds, each value under its dotted key; lists of objects by their places.

    An empty digest was not found (of weights in a folder, say): it is not recorded, and no other one's value.
    """
    value = parsed_object(value)
    inner: Mapping[str, Json] | None = None
    if isinstance(value, dict) and value:
        inner = value
    elif isinstance(value, list) and value and all(isinstance(item, dict) and item for item in value):
        inner = {str(place): item for place, item in enumerate(value)}
    if value == "" and not words_of(key.rpartition(".")[2]).isdisjoint(DIGESTS):
        return
    if inner is None or not depth:
        yield Recorded(key, finite(value) if isinstance(value, str) and is_name(key) else typed(finite(value)))
        return
    for name, item in inner.items():
        yield from leaves(f"{key}.{name}" if key else str(name), item, depth - 1)


def is_name(key: str) -> bool:
    """Say whether a key's value is a name also where it is all digits: a commit, a digest."""
    return not words_of(key.rpartition(".")[2]).isdisjoint(DIGESTS | words("revision id"))


def parsed_object(value: Json) -> Json:
    """Return the object or the list that a text holds as JSON, or the value as it stands."""
    if isinstance(value, str) and value[:1] + value[-1:] in ("{}", "[]"):
        try:
            return parse_bounded(value)
        except (ValueError, RecursionError):
            return value
    return value
