"""Runs of one configuration: what was asked for is equal (model, prompts, sampling, items), whatever it ran on.

Versions, seeds, machines and addresses may move inside a configuration: they are what a step in its history is held
against.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diptych import value_text
from diptych.catalogue.settings import rank_of
from diptych.fast_named_tuple import NamedTuple
from diptych.report.documents.summaries import RunSummary

ASKED_FOR = frozenset({"prompt", "sampling", "model", "data"})
"""Kinds of settings that somebody chose for a run; the others are where it ran."""

Configuration = tuple[tuple[str, str], ...]
"""(setting, value as JSON) of everything that was asked for, in the order of names; it is the key of a series."""


class Series(NamedTuple):
    """One configuration in a task's history: its number, what sets it apart from the others, its runs oldest first.

    `order` are the settings that tell the configurations apart, the most telling first; `nulls` those of them that a
    run of it recorded as null.
    """

    number: int
    key: Configuration
    apart: tuple[tuple[str, str], ...]
    folders: tuple[str, ...]
    order: tuple[str, ...] = ()
    nulls: frozenset[str] = frozenset()


def configuration_of(run: RunSummary) -> Configuration:
    """Return what a run was asked for; what is null or was not recorded says nothing."""
    asked = {key: value for key, value in run.settings.items() if value is not None and is_asked_for(key)}
    found = {"model name": run.model, **asked} if run.model else asked
    return tuple((key, SORTED.encode(value)) for key, value in sorted(found.items()))


SORTED = json.JSONEncoder(sort_keys=True)


def is_asked_for(key: str) -> bool:
    """Say whether a setting is part of what was asked for: ranked by its impact, and not a seed or a machine."""
    place, known = rank_of(key)
    return place is not None and known.kind in ASKED_FOR and "seed" not in known.acts


def series_of(runs: Iterable[tuple[str, Configuration]]) -> tuple[Series, ...]:
    """Return the configurations of some runs (folder, configuration), the one that began first as number 1."""
    folders: dict[Configuration, list[str]] = {}
    for folder, key in runs:
        folders.setdefault(key, []).append(folder)
    order = tuple(telling(list(map(dict, folders))))
    return tuple(
        Series(number, key, apart_from(dict(key), order), tuple(own), order)
        for number, (key, own) in enumerate(folders.items(), 1)
    )


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
