"""Which keys name what a run consumed or when and where it ran: written anew by every run, never a setting."""

import re
from functools import cache

ENERGY = {"energy", "joule", "joules", "watt", "watts", "wh", "kwh", "co2", "co2eq", "emissions", "carbon", "power"}
TIME = {"duration", "durations", "elapsed", "runtime", "walltime", "latency", "throughput", "timestamp", "datetime"}
MOMENTS = {"date", "started", "finished", "created", "ended"}
PLACES = {"hostname", "host", "username", "pid", "uuid", "cwd", "ip"}
CLOCKS = {"time", "times", "seconds", "secs", "sec", "ms", "hours", "minutes"}
BOUNDS = {"max", "min", "limit", "timeout", "maximum", "minimum", "budget", "track", "stop"}
TOKENS = {"tokens", "toks"}
SPENT = {"total", "prompt", "completion", "generated", "input", "output", "processed", "per", "consumed", "used"}
MEMORY = {"memory", "mem", "vram", "ram"}
HELD = {"peak", "used", "allocated", "reserved", "usage", "footprint", "bytes", "mb", "gb", "mib", "gib"}
OUTPUTS = {"output", "outputs", "results", "result", "log", "logs", "logging", "save", "cache"}
WHERE = {"path", "dir", "directory", "folder", "file", "filename", "url", "uri"}
IDENTITIES = {"run", "job", "process", "session", "request", "trace", "experiment"}


def is_measurement(key: str) -> bool:
    """Say whether the last part of a dotted key names a measurement, a moment or a place of a run."""
    words = set(words_of(key.rpartition(".")[2]))
    if words & BOUNDS:
        return False
    return (
        bool(words & (ENERGY | TIME | MOMENTS | PLACES))
        or bool(words & CLOCKS)
        or bool(words & TOKENS and words & SPENT)
        or bool(words & MEMORY and words & HELD)
        or bool(words & OUTPUTS and words & WHERE)
        or ("id" in words and bool(words & IDENTITIES))
    )


def words_of(name: str) -> list[str]:
    """Return the words of a name in snake case, kebab case or camel case, in lower case."""
    return [word.lower() for word in word_pattern().findall(name)]


@cache
def word_pattern() -> re.Pattern[str]:
    """Return the expression for one word of a name."""
    return re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|\d+")
