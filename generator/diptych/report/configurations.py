"""Runs of one configuration: what was asked for is equal (model, prompts, sampling, items), whatever it ran on.

Versions, seeds, machines and addresses may move inside a configuration: they are what a step in its history is held
against.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from diptych import value_text
from diptych.catalogue.settings import rank_of
from diptych.fast_named_tuple import NamedTuple
from diptych.report.documents.summaries import ScoreRow

ASKED_FOR = frozenset({"prompt", "sampling", "model", "data"})
"""Kinds of settings that somebody chose for a run; the others are where it ran."""

Configuration = tuple[tuple[str, str], ...]
"""(setting, value as JSON) of everything that was asked for, in the order of names; it is the key of a series."""


class Series(NamedTuple):
    """One configuration in a task's history: its number, and what sets it apart from the others.

    `order` are the settings that tell the configurations apart, the most telling first; `nulls` those of them that a
    run of it recorded as null. `runs` counts its runs; `versions` are those of the harness that made the ones with the
    task's first metric, the latest first, `latest` the scores of the youngest of these, over so many `items`.
    """

    number: int
    key: Configuration
    apart: tuple[tuple[str, str], ...]
    order: tuple[str, ...] = ()
    nulls: frozenset[str] = frozenset()
    runs: int = 0
    versions: tuple[str | None, ...] = ()
    latest: tuple[ScoreRow, ...] = ()
    items: int | None = None


def configuration_of(model: str | None, settings: Mapping[str, Any]) -> Configuration:
    """Return what a run was asked for; what is null or was not recorded says nothing."""
    asked = {key: value for key, value in settings.items() if value is not None and is_asked_for(key)}
    found = {"model name": model, **asked} if model else asked
    return tuple((key, SORTED.encode(value)) for key, value in sorted(found.items()))


SORTED = json.JSONEncoder(sort_keys=True)


def is_asked_for(key: str) -> bool:
    """Say whether a setting is part of what was asked for: ranked by its impact, and not a seed or a machine."""
    place, known = rank_of(key)
    return place is not None and known.kind in ASKED_FOR and "seed" not in known.acts


def series_of(keys: Sequence[Configuration]) -> tuple[Series, ...]:
    """Return configurations numbered in their order."""
    order = tuple(telling(list(map(dict, keys))))
    return tuple(Series(number, key, apart_from(dict(key), order), order) for number, key in enumerate(keys, 1))


def telling(given: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the keys in which configurations differ: first, one by one, that which parts most of what is still one."""
    left = [key for key in sorted({key for own in given for key in own}) if len({own.get(key) for own in given}) > 1]
    order: list[str] = []
    while left:
        best = max(left, key=lambda key: len({tuple(own.get(each) for each in (*order, key)) for own in given}))
        order.append(best)
        left.remove(best)
    return order


def apart_from(own: Mapping[str, str], order: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the settings of one configuration that not all share, in words, the most telling first."""
    return tuple((key, value_text.setting(key, json_value(own[key]))) for key in order if key in own)


def json_value(text: str) -> Any:
    """Return a value that stands as JSON."""
    return json.loads(text)
