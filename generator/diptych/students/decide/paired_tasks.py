"""Which tasks are shared, and what the checks of two routes say over them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from diptych.comparison import Finding, LeftOut
from diptych.decision import PairedChecks
from diptych.stats.multiple import holm
from diptych.stats.paired import mcnemar, tango_interval
from diptych.stats.power import detectable_share, detectable_share_at_best, needed_for_shares
from diptych.students.collect.results import Results, some


class Shared(NamedTuple):
    """The tasks that every route answered, those of each pair, and what was left out."""

    all: tuple[str, ...]
    by_pair: Mapping[tuple[str, str], frozenset[str]]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]


def shared_tasks(routes: Sequence[Results]) -> Shared:
    """Return the tasks that can be compared: answered by both, and asked in the same words."""
    by_pair: dict[tuple[str, str], frozenset[str]] = {}
    other_words: set[str] = set()
    for one, other in combinations(routes, 2):
        both = one.rows.keys() & other.rows.keys()
        same = frozenset(task for task in both if same_question(one, other, task))
        other_words |= both - same
        by_pair[one.name, other.name] = same
    shared = [task for task in routes[0].rows if all(task in tasks for tasks in by_pair.values())]
    findings, left_out = different_files(routes, other_words)
    left_out += lonely(routes, set(shared) | other_words)
    return Shared(tuple(shared), by_pair, tuple(findings), tuple(left_out))


def same_question(one: Results, other: Results, task: str) -> bool:
    """Say whether both routes were asked the same: the same tasks file, or the same words as far as recorded."""
    if one.tasks_sha256 and other.tasks_sha256 and one.tasks_sha256 == other.tasks_sha256:
        return True
    a, b = one.rows[task].prompt, other.rows[task].prompt
    if a is None or b is None:
        return not (one.tasks_sha256 and other.tasks_sha256)
    return a == b


def different_files(routes: Sequence[Results], other_words: set[str]) -> tuple[list[Finding], list[LeftOut]]:
    """Return what to say where routes answered different tasks files."""
    findings, left_out = [], []
    hashes = {route.tasks_sha256 for route in routes if route.tasks_sha256}
    if len(hashes) > 1:
        who = ", ".join(f"{route.name} {(route.tasks_sha256 or 'not recorded')[:12]}" for route in routes)
        text = f"The routes answered different tasks files (sha256: {who}); only equal questions are compared."
        findings.append(Finding("tasks_differ", "warning", text))
    if other_words:
        named = tuple(sorted(other_words))
        text = f"{len(named)} tasks have the same id and another question; they are not compared."
        findings.append(Finding("ids_disagree", "warning", text, None, None, len(named), None, named[:10]))
        left_out.append(LeftOut(f"tasks asked in other words: {some(named)}", len(named), "not the same question"))
    return findings, left_out


def lonely(routes: Sequence[Results], known: set[str]) -> list[LeftOut]:
    """Return the tasks that not every route answered, route by route."""
    left_out = []
    for route in routes:
        alone = [task for task in route.rows if task not in known]
        if alone:
            what = f"tasks of {route.name} that another route did not answer: {some(alone)}"
            left_out.append(LeftOut(what, len(alone), "checks are compared on shared tasks only"))
        if route.failed:
            what = f"tasks that {route.name} never answered: {some(route.failed)}"
            left_out.append(LeftOut(what, len(route.failed), "the endpoint failed; evaluate again to ask them"))
    return left_out


def paired_checks(routes: Sequence[Results], shared: Shared, margin: float) -> tuple[PairedChecks, ...]:
    """Return the paired table and its test for each two routes; p-values are adjusted over all pairs (Holm)."""
    pairs = [
        one_pair(one, other, shared.by_pair[one.name, other.name], margin) for one, other in combinations(routes, 2)
    ]
    adjusted = holm([pair.p_value for pair in pairs])
    return tuple(pair._replace(p_adjusted=p) for pair, p in zip(pairs, adjusted, strict=True))


def one_pair(one: Results, other: Results, tasks: Iterable[str], margin: float) -> PairedChecks:
    """Return the table of two routes: second minus first, McNemar's mid-p and Tango's interval."""
    both = first = second = neither = 0
    for task in tasks:
        a, b = one.rows[task].passed, other.rows[task].passed
        both += a and b
        first += a and not b
        second += b and not a
        neither += not a and not b
    n = both + first + second + neither
    table = PairedChecks(
        one.name, other.name, n, both, first, second, neither, None, None, None, None, "mcnemar_midp_tango"
    )
    if n == 0:
        return table
    test = mcnemar(second, first)
    low, high = tango_interval(second, first, n, 0.95)
    low_90, high_90 = tango_interval(second, first, n, 0.90)
    changed = (first + second) / n
    return table._replace(
        p_value=test.mid,
        p_exact=test.exact,
        low=low,
        high=high,
        low_90=low_90,
        high_90=high_90,
        margin=margin,
        detectable=detectable_share(changed, n) if changed else detectable_share_at_best(n),
        needed=-int(-needed_for_shares(max(changed, margin), margin) // 1) if margin > 0 else None,
    )
