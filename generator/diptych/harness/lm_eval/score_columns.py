"""The columns of a row of scores: which are metrics, which are standard errors of one, which only accompany one.

A column belongs to a metric where the rest of its name, before or behind the metric's, says so: `acc_stderr_clustered`,
`stderr_acc`, `acc_ci95`, `acc_n`. Only a metric of the same row and filter counts, so that `bleu_max` is one itself.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from diptych.catalogue.measurements import words, words_of
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.lm_eval.generations import NOT_METRICS

Named = tuple[str, str]
"""A metric and its filter."""

Part = Literal["error", "companion"]

BETWEEN = re.compile(r"[_\-./ ]+")
ERROR_ALONE = r"(?P<metric>.+?)_(?:stderr|std_err)(?:_.+)?"
LONGEST_NAME = 1_000
"""Signs of a metric's name: a longer one is no name, and is not searched for the parts of one."""

SPREADS = words("std stdev stddev sd sem var variance ci conf confidence interval margin moe lower upper")
"""Words of how far a score spreads, whatever follows them."""

COUNTS = words("n nobs num count samples total df dof pvalue pval")
"""Words of how many a score is over, and of what was computed from it."""

BESIDE = words(
    "clustered cluster clt boot bootstrap bootstrapped robust sample population pop mean error low high bound of lo hi"
    " wilson exact normal p value items docs number"
)
"""Words that tell which error, interval or count it is."""


class Error(NamedTuple):
    """The column of a metric's standard error; `plain` where it claims to be the one of independent items."""

    key: str
    plain: bool


class Columns(NamedTuple):
    """What the columns of a row are: metrics by key, errors by metric and filter, and errors of metrics that are not
    there, by metric.
    """

    metrics: Mapping[str, Named]
    errors: Mapping[Named, Error]
    orphans: frozenset[str]


def read_columns(row: Mapping[str, Any]) -> Columns:
    """Return what the columns of a row are."""
    keys = {key: split_key(key, row) for key in row if key not in NOT_METRICS}
    names = set(keys.values())
    names |= {(metric.removesuffix("_avg"), name) for metric, name in names}
    metrics: dict[str, Named] = {}
    errors: dict[Named, Error] = {}
    orphans: set[str] = set()
    for key, (metric, name) in keys.items():
        base, part, plain = role_of(metric, name, names)
        if part == "error":
            known = errors.get((base, name))
            if known is None or (plain and not known.plain):
                errors[base, name] = Error(key, plain)
        elif part is None and (alone := re.fullmatch(ERROR_ALONE, metric[:LONGEST_NAME])):
            orphans.add(alone["metric"])
        elif part is None:
            metrics[key] = metric, name
    scored = {metric for metric, _ in metrics.values()}
    return Columns(metrics, errors, frozenset(orphans - scored - {metric.removesuffix("_avg") for metric in scored}))


def split_key(key: str, row: Mapping[str, Any]) -> Named:
    """Return metric and filter of a key; a bare key has the filter "none". The first comma parts them.

    A fork writes the error behind the filter: `acc,none_stderr` beside `acc,none`.
    """
    metric, _, name = key.partition(",")
    before = name.removesuffix("_stderr")
    if name != before and f"{metric},{before}" in row:
        return f"{metric}_stderr", before
    return metric, name or "none"


def role_of(metric: str, name: str, names: set[Named]) -> tuple[str, Part | None, bool]:
    """Return the metric that a column belongs to, as what, and whether it is that metric's plain error."""
    for base, rest in divisions(metric):
        if (base, name) in names and (part := part_of(rest)) is not None:
            return base, part, rest.lower() in ("stderr", "std_err", "se")
    return metric, None, False


def divisions(metric: str) -> Iterator[tuple[str, str]]:
    """Yield how a name may be a metric's with something behind or before it, the longest metric first."""
    found = [
        parts
        for cut in (BETWEEN.finditer(metric) if len(metric) <= LONGEST_NAME else ())
        for parts in ((metric[: cut.start()], metric[cut.end() :]), (metric[cut.end() :], metric[: cut.start()]))
        if all(parts)
    ]
    return iter(sorted(found, key=lambda parts: -len(parts[0])))


def part_of(rest: str) -> Part | None:
    """Return what the rest of a column's name makes it, None where it makes a metric of its own."""
    first, said = BETWEEN.split(rest)[0].lower(), words_of(rest)
    if "stderr" in said or {"std", "err"} <= said or first == "se":
        return "error"
    known = {word for word in said if not word.isdigit()}
    if first.rstrip("0123456789") in SPREADS:
        return "companion"
    anchored = not known.isdisjoint(SPREADS | COUNTS)
    return "companion" if anchored and known <= SPREADS | COUNTS | BESIDE else None
