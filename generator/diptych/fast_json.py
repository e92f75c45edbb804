"""JSON in a fraction of the time that Python's own takes, for who reads or writes hundreds of texts."""

import json

from diptych.bounded_json import Json, NotJson


def load_many(data: bytes) -> Json:
    """Return the value of a JSON text that we wrote in a third of the time that `load_json` takes.

    A `NotJson` says only that there is something at which `load_json` has to look: it knows what is allowed, and says
    what is wrong. The depth of what is returned is not bounded yet.
    """
    import msgspec  # what it costs to import is had back after some ten texts

    try:
        return msgspec.json.decode(data)
    except msgspec.MsgspecError as error:
        raise NotJson("not JSON") from error


def dump_many(value: Json) -> bytes:
    """Return a value as JSON of the fewest bytes, keys sorted, in a fifth of the time that `json` takes."""
    import msgspec

    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:  # half a pair: rare, and known to json
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii")


def load_own(data: bytes) -> Json:
    """Return the value of a JSON text that we wrote ourselves."""
    try:
        return load_many(data)
    except NotJson:
        return json.loads(data)  # half a pair
