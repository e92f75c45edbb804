"""JSON in a fraction of the time that Python's own takes, for who reads or writes hundreds of texts."""

import json

from diptych.bounded_json import Json, NotJson


def load_many(data: bytes) -> Json:
    """Return the value of a JSON text in a third of the time that `load_json` takes, for who reads hundreds.

    A `NotJson` says only that there is something at which `load_json` has to look: it knows what is allowed, and says
    what is wrong. The depth of what is returned is not bounded yet.
    """
    import orjson  # what it costs to import is had back after some ten texts

    if has_long_number(data):
        raise NotJson("a whole number that may be cut")
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise NotJson("not JSON") from error


def dump_many(value: Json) -> bytes:
    """Return a value as JSON of the fewest bytes, keys sorted, in a fifth of the time that `json` takes."""
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # half a pair, or a whole number of many digits: rare, and known to json
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii")


SAFE_DIGITS = 18
"""Digits of a whole number that every reader of JSON keeps."""

SHAPES = bytes(ord("0") if 48 <= code < 58 else code if code == ord(".") else ord(" ") for code in range(256))
"""What each byte counts as: a digit, a point, anything else."""


def has_long_number(data: bytes) -> bool:
    """Say whether more digits than are safe stand together anywhere but behind a point."""
    shapes = data.translate(SHAPES)
    place = shapes.find(b"0" * (SAFE_DIGITS + 1))
    while place >= 0:
        end = shapes.find(b" ", place)
        if end < 0 or shapes[place - 1 : place] != b".":
            return True
        place = shapes.find(b"0" * (SAFE_DIGITS + 1), end)
    return False
