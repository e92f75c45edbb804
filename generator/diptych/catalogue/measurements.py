"""What a recorded key is, by its name and its value: a setting, a measurement, or a label that every run writes anew.

Whatever is not plainly one of the last two is a setting: a setting that is overlooked is a cause that nobody sees.
"""

import re
from typing import Any, Literal

Bearing = Literal["setting", "measurement", "label"]

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> frozenset[str]:
    """Return the words of lists that are written as text."""
    return frozenset(text.split())


QUANTITIES = words(
    "time times timing timings seconds secs sec ms millis milliseconds minutes hours duration durations elapsed"
    " latency latencies runtime walltime uptime ttft tpot itl energy joules joule wh kwh mwh watt watts power co2"
    " carbon emission emissions throughput tps qps rps memory mem vram rss utilisation usage footprint cost costs"
    " usd eur price billed clock kg grams gb gib mb mib kb kib bytes"
)
"""Words of what a meter, a clock or a bill reads, where the value is a number."""

COUNTED_TOKENS = words(
    "prompt completion input output total generated used count cached cache reasoning processed per num n number avg"
    " average mean"
)
"""Beside *tokens*: how many were used, not how many may be."""

BOUNDS = words(
    "max maximum min minimum limit limits budget timeout timeouts cap threshold target utilization fraction new size "
    "reserve reserved retry retries step steps interval delay scale format mode type policy window version versions"
)
"""Words of what somebody set, also where a unit follows."""

MOMENTS = words("date datetime timestamp created updated started finished ended modified when")
PLACES = words("host hostname node nodename machine user username pid ppid ip cwd pwd fqdn")
WHEN = MOMENTS, words("at on time utc start end run eval evaluation iso unix local creation first last")
WHERE = PLACES, words("name id address os system short full")
"""Moments and places, with the words that may stand beside theirs: `user_prompt` is no place."""

RATES = words("s sec second minute hour token tokens sample item request")
NUMBERS_OF_RUNS = words("run job task trace session eval experiment request process slurm wandb mlflow")
"""Beside *id*: what a run is filed under."""

SERVICES = words("uuid guid wandb mlflow")
LABELS = words(
    "tag tags comment comments note notes title nickname outputs logs log run experiment project job my user"
)
"""Words of which a name that is nothing but a name is made."""

WRITTEN_TO = words(
    "output out log logs logging result results save saved work working tmp temp artifact artifacts dump"
)
PATHS = words("path paths dir dirs directory folder file files filename location")
GIVEN = words("args kwargs arguments argument parameters cli")
"""Parts of a path that say that somebody gave what stands below: nothing there is a measurement."""


def words_of(key: str) -> frozenset[str]:
    """Return the words of a key in lower case: `maxGpuMemory_mb` is max, gpu, memory, mb."""
    return frozenset(word.lower() for word in WORD.findall(key))


def bearing_of(key: str, value: Any) -> Bearing:
    """Return what a recorded value is, by its dotted key and by itself."""
    parts = key.split(".")
    last, above = words_of(parts[-1]), words_of(".".join(parts[:-1]))
    if is_label(last, above, value):
        return "label"
    if not GIVEN.isdisjoint(above):
        return "setting"
    return "measurement" if is_measurement(parts[-1], last, above, value) else "setting"


def is_label(last: frozenset[str], above: frozenset[str], value: Any) -> bool:
    """Say whether a key names where or under which name a run was kept."""
    if "id" in last and not NUMBERS_OF_RUNS.isdisjoint(last):
        return True
    if isinstance(value, str) and not WRITTEN_TO.isdisjoint(last) and not PATHS.isdisjoint(last):
        return True
    if above <= LABELS and last in ({"id"}, {"name"}):
        return True
    named = {"name"} <= last and not words("run experiment job project").isdisjoint(last)
    return named or not SERVICES.isdisjoint(last) or last <= LABELS


def is_measurement(key: str, last: frozenset[str], above: frozenset[str], value: Any) -> bool:
    """Say whether a value was read off a clock, a meter, a counter or the machine, not chosen."""
    if isinstance(value, bool) or value is None:
        return False
    if not BOUNDS.isdisjoint(last):
        return False
    if "time" in last and isinstance(value, str) and re.search(r"\d[-:/]\d\d", value):
        return True
    if any(not names.isdisjoint(last) and last <= names | beside for names, beside in (WHEN, WHERE)):
        return isinstance(value, str | int | float)
    if not is_quantity(value):
        return False
    if "tokens" in last and (last == {"tokens"} or not COUNTED_TOKENS.isdisjoint(last)):
        return True
    if ("per" in last and not RATES.isdisjoint(last)) or "/s" in key:
        return True
    return not QUANTITIES.isdisjoint(last) or not (QUANTITIES - {"runtime", "power", "memory"}).isdisjoint(above)


def is_quantity(value: Any) -> bool:
    """Say whether a value is a number, the text of one, or a list of numbers."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, int | float) for item in value)
    if isinstance(value, str):
        return re.fullmatch(r"\s*[-+]?\d+(\.\d*)?([eE][-+]?\d+)?\s*", value) is not None
    return isinstance(value, int | float)
