"""What lies beside a run and belongs to it: run-context.json, written down by hand; and what was masked in either."""

import os
from collections.abc import Mapping
from itertools import islice

from diptych.catalogue.measurements import bearing_of, words, words_of
from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.dotted_keys import MOST_LEAVES, leaves
from diptych.harness.locate import context_file, portable_path
from diptych.harness.strict_values import finite, parse_harness_json
from diptych.run import Json, Remark, Source
from diptych.secrets import mask
from diptych.storage import read_bytes, sha256

LARGEST = 1 << 20
"""Bytes of a run-context.json: a person wrote it, or a script of theirs."""


NUMBERED = words("id uuid")
SPOKEN = words("note notes comment comments")
"""Words of what a person says of a run: a sentence is no setting."""


class Context(NamedTuple):
    """What stands in run-context.json, nested objects key by key: what was set or noted, what was measured, names."""

    settings: Mapping[str, Json]
    measurements: Mapping[str, Json]
    unused: tuple[str, ...]


def read_context(path: str, near: str) -> tuple[Context | None, tuple[Source, ...], int]:
    """Return the run's context, its source and the number of secrets masked; None where there is none."""
    place = context_file(path, near)
    if place is None:
        return None, (), 0
    data = read_bytes(place)
    if len(data) > LARGEST:
        raise RunError(
            f"of more than {LARGEST >> 20} MB",
            where=portable_path(place),
            hint="keep in it what was set beside the harness",
        )
    try:
        value = parse_harness_json(data)
    except (ValueError, RecursionError) as error:
        raise RunError(
            "not JSON",
            where=f"{portable_path(place)}:{getattr(error, 'lineno', 1)}",
            hint="mend the file or take it away",
        ) from error
    if not isinstance(value, dict):
        raise RunError("must hold one JSON object", where=portable_path(place), hint='such as {"quant": "Q4_K_M"}')
    masked, count = mask(finite(value))
    return context_of(masked), (Source(os.path.basename(place), sha256(data)),), count


def context_of(value: Mapping[str, Json]) -> Context:
    """Return a context's keys by what they are."""
    settings, measured, unused = {}, {}, []
    for key, inner in islice(leaves("", value), MOST_LEAVES):
        bearing = bearing_of(key, inner)
        if bearing == "measurement":
            measured[f"context.{key}"] = inner
        elif words_of(key) & (NUMBERED | (SPOKEN if isinstance(inner, str) else frozenset())) or (
            bearing == "label" and not isinstance(inner, str | int)
        ):
            unused.append(f"context.{key}")
        else:
            settings[key] = inner
    return Context(settings, measured, tuple(unused))


def secret_remarks(count: int) -> tuple[Remark, ...]:
    """Remark on how many secrets were masked."""
    if not count:
        return ()
    things = (
        "A value that looks like a token or key was"
        if count == 1
        else f"{count} values that look like tokens or keys were"
    )
    return (Remark("secret_masked", "warning", f"{things} masked; do not publish the run's own files.", count_=count),)
