"""Which tasks two routes are held to, and what the checks say over them, with unanswered tasks bounded both ways."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from diptych.comparison import Finding, LeftOut
from diptych.decision import CheckBound, PairedChecks
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import counted
from diptych.stats.multiple import holm_levels
from diptych.stats.paired import agreeing_interval, mcnemar
from diptych.stats.power import detectable_share, detectable_share_at_best, needed_for_shares
from diptych.students.collect.student_results import Results, some

Names = tuple[str, str]
Outcomes = tuple[frozenset[str], frozenset[str]]


class Shared(NamedTuple):
    """The tasks that routes are held to, answered or not, and what was left out.

    `all` holds those of every route, in file order; `asked` those of each pair; `answered` those that both of a pair
    answered. `unknown_questions` says that tasks of different files are held against each other by their ids alone.
    """

    all: tuple[str, ...]
    asked: Mapping[Names, frozenset[str]]
    answered: Mapping[Names, frozenset[str]]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    unknown_questions: bool = False


def comparable_tasks(routes: Sequence[Results]) -> Shared:
    """Return the tasks that can be compared, asked in the same words.

    Routes of one tasks file (or of none that is recorded) are held to every task that any of them was asked: one that
    a route did not answer is unanswered. Of different tasks files only what both were asked counts.
    """
    checked = {task for route in routes for task in (*route.rows, *route.failed)}
    asked_by = {
        route.name: route.rows.keys() | {*route.failed, *checked.intersection(route.unchecked)} for route in routes
    }
    unlike = {(a.name, b.name) for a, b in combinations(routes, 2) if different_files(a, b)}
    asked: dict[Names, frozenset[str]] = {}
    other_words: set[str] = set()
    for one, other in combinations(routes, 2):
        if (one.name, other.name) in unlike:
            held = asked_by[one.name] & asked_by[other.name]
        else:
            alike = [r for r in routes if not any({r.name, each.name} in map(set, unlike) for each in (one, other))]
            held = set().union(*(asked_by[route.name] for route in alike))
        strange = other_questions(one, other)
        other_words |= strange
        asked[one.name, other.name] = frozenset(held - strange)
    common = frozenset.intersection(*asked.values())
    order = dict.fromkeys(task for route in routes for task in (*route.rows, *route.failed))
    answered = {
        (one.name, other.name): asked[one.name, other.name] & one.rows.keys() & other.rows.keys()
        for one, other in combinations(routes, 2)
    }
    blind = any(
        one.rows[task].prompt is None or other.rows[task].prompt is None
        for one, other in combinations(routes, 2)
        if (one.name, other.name) in unlike
        for task in answered[one.name, other.name]
    )
    findings, left_out = file_differences(routes, other_words, bool(unlike), blind)
    if unlike:
        findings += set_findings(routes, asked_by, common)
    left_out += lonely(routes, asked_by, common | other_words)
    return Shared(
        tuple(task for task in order if task in common), asked, answered, tuple(findings), tuple(left_out), blind
    )


def different_files(one: Results, other: Results) -> bool:
    """Say whether both routes recorded which tasks file they answered, and it is not the same."""
    return bool(one.tasks_sha256 and other.tasks_sha256 and one.tasks_sha256 != other.tasks_sha256)


def other_questions(one: Results, other: Results) -> set[str]:
    """Return the ids under which two routes were asked something else, as far as prompts are recorded."""
    if one.tasks_sha256 and one.tasks_sha256 == other.tasks_sha256:
        return set()
    found = set()
    for task, row in one.rows.items():
        twin = other.rows.get(task)
        if twin is not None and row.prompt != twin.prompt and None not in (row.prompt, twin.prompt):
            found.add(task)
    return found


def file_differences(
    routes: Sequence[Results], other_words: set[str], unlike: bool, blind: bool
) -> tuple[list[Finding], list[LeftOut]]:
    """Return what to say where routes answered different tasks files, or other questions under one id."""
    findings, left_out = [], []
    if unlike:
        who = ", ".join(f"{route.name} {(route.tasks_sha256 or 'not recorded')[:12]}" for route in routes)
        text = f"The students answered different tasks files (sha256: {who}); only equal questions are compared."
        text += " Prompts are not recorded: whether equal ids are equal questions is not known." if blind else ""
        findings.append(Finding("tasks_differ", "warning", text))
    if other_words:
        named = tuple(sorted(other_words))
        text = f"{counted(len(named), 'task')} with the same id and another question: not compared."
        findings.append(Finding("ids_disagree", "warning", text, None, None, len(named), None, named[:10]))
        left_out.append(LeftOut(f"tasks asked in other words: {some(named)}", len(named), "not the same question"))
    return findings, left_out


def set_findings(routes: Sequence[Results], asked_by: Mapping[str, set[str]], common: frozenset[str]) -> list[Finding]:
    """Return that pass rates over different sets of tasks cannot be held against each other, with each of them."""
    own = [
        f"{route.name} passed {sum(row.passed for row in route.rows.values())} of its {len(asked_by[route.name])}"
        for route in routes
        if asked_by[route.name] - common
    ]
    if not own:
        return []
    text = (
        f"Not the same set of tasks: {', '.join(own)}. Those pass rates cannot be compared; what stands here is over"
        f" the {counted(len(common), 'task')} that all were asked."
    )
    return [Finding("items_differ", "warning", text, count_=len(common))]


def lonely(routes: Sequence[Results], asked_by: Mapping[str, set[str]], known: frozenset[str]) -> list[LeftOut]:
    """Return the tasks that only some routes were asked, route by route."""
    left_out = []
    for route in routes:
        alone = sorted(asked_by[route.name] - known)
        if alone:
            what = f"tasks of {route.name} that another student was not asked: {some(alone)}"
            left_out.append(LeftOut(what, len(alone), "checks are compared on shared tasks only"))
    return left_out


def paired_checks(routes: Sequence[Results], shared: Shared, margin: float) -> tuple[PairedChecks, ...]:
    """Return the paired table and its test for each two routes; p-values are adjusted over all pairs (Holm)."""
    outcomes = {route.name: outcome_sets(route) for route in routes}
    pairs = [
        counted_pair(one, other, outcomes[one], outcomes[other], asked) for (one, other), asked in shared.asked.items()
    ]
    return tested(pairs, margin)


def counted_pair(one: str, other: str, first: Outcomes, second: Outcomes, asked: frozenset[str]) -> PairedChecks:
    """Return the counts of two routes, and where tasks are unanswered those at both bounds."""
    won, lost, first_open = held_to(first, asked)
    gained, failed, second_open = held_to(second, asked)
    both, neither = len(won & gained), len(lost & failed)
    only_first, only_second = len(won & failed), len(lost & gained)
    pair = PairedChecks(
        one,
        other,
        both + only_first + only_second + neither,
        both,
        only_first,
        only_second,
        neither,
        None,
        None,
        None,
        None,
        "mcnemar_midp_tango",
        unanswered_first=len(first_open),
        unanswered_second=len(second_open),
    )
    if not first_open and not second_open:
        return pair
    passed, missed = len(first_open & gained), len(first_open & failed)
    had, lacked = len(won & second_open), len(lost & second_open)
    open_ = len(first_open & second_open)
    for_first = (both + passed, only_first + missed + had + open_, only_second, neither + lacked)
    for_second = (both + had, only_first, only_second + passed + lacked + open_, neither + missed)
    return pair._replace(
        bounds=(
            CheckBound(one, *for_first, 1.0, -1.0, 1.0, -1.0, 1.0),
            CheckBound(other, *for_second, 1.0, -1.0, 1.0, -1.0, 1.0),
        )
    )


def outcome_sets(route: Results) -> Outcomes:
    """Return the tasks that a route passed, and those it failed."""
    passed = frozenset(task for task, row in route.rows.items() if row.passed)
    return passed, frozenset(route.rows.keys() - passed)


def held_to(outcomes: Outcomes, asked: frozenset[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return of the tasks asked those that a route passed, those it failed, and those whose outcome is not known."""
    passed, failed = outcomes[0] & asked, outcomes[1] & asked
    return passed, failed, asked - passed - failed


def tested(pairs: Sequence[PairedChecks], margin: float, *, brief: bool = False) -> tuple[PairedChecks, ...]:
    """Return pairs with their tests worked out from their counts: McNemar's mid-p, Tango's interval.

    Second minus first. The adjusted p is Holm's over each pair's weakest table; `low`, `high` carry its level. `brief`
    leaves out what no rule looks at: what so many tasks could show.
    """
    tests = holm_levels([weakest_p(pair) for pair in pairs])
    return tuple(
        with_test(pair, margin, 1.0 - test.alpha, brief)._replace(p_adjusted=test.p)
        for pair, test in zip(pairs, tests, strict=True)
    )


def weakest_p(pair: PairedChecks) -> float | None:
    """Return the p-value of the table that says least; 1 where the tables at the bounds point different ways."""
    if not pair.tasks:
        return None
    counts = [(pair.only_first, pair.only_second), *((b.only_first, b.only_second) for b in pair.bounds)]
    if any(a > b for a, b in counts) and any(a < b for a, b in counts):
        return 1.0
    return max(mcnemar(second, first).mid for first, second in counts)


def with_test(pair: PairedChecks, margin: float, level: float, brief: bool) -> PairedChecks:
    """Return one pair with its own p-values, its intervals and what so many tasks could show."""
    n = pair.tasks
    if not n:
        return pair
    test = mcnemar(pair.only_second, pair.only_first)
    low, high = agreeing_interval(pair.only_second, pair.only_first, n, level)
    low_90, high_90 = agreeing_interval(pair.only_second, pair.only_first, n, 0.90)
    made = pair._replace(
        p_value=test.mid,
        p_exact=test.exact,
        low=low,
        high=high,
        low_90=low_90,
        high_90=high_90,
        margin=margin,
        confidence=level,
        bounds=tuple(bound_test(bound, level) for bound in pair.bounds),
    )
    if brief:
        return made
    changed = (pair.only_first + pair.only_second) / n
    alpha = 1.0 - level
    return made._replace(
        detectable=detectable_share(changed, n, alpha) if changed else detectable_share_at_best(n, alpha),
        needed=-int(-needed_for_shares(max(changed, margin), margin, alpha) // 1) if margin > 0 else None,
    )


def bound_test(bound: CheckBound, level: float) -> CheckBound:
    """Return the table at one bound with its test."""
    n = bound.both + bound.only_first + bound.only_second + bound.neither
    low, high = agreeing_interval(bound.only_second, bound.only_first, n, level)
    low_90, high_90 = agreeing_interval(bound.only_second, bound.only_first, n, 0.90)
    p = mcnemar(bound.only_second, bound.only_first).mid
    return bound._replace(p_value=p, low=low, high=high, low_90=low_90, high_90=high_90)


def with_more_passed(pair: PairedChecks, winner: str, more: int) -> PairedChecks:
    """Return a pair's counts with `more` tasks added that only `winner` of all routes passes; tests are not renewed."""
    first, second = (more if name == winner else 0 for name in (pair.first, pair.second))
    neither = more - first - second
    return pair._replace(
        tasks=pair.tasks + more,
        only_first=pair.only_first + first,
        only_second=pair.only_second + second,
        neither=pair.neither + neither,
        bounds=tuple(
            bound._replace(
                only_first=bound.only_first + first,
                only_second=bound.only_second + second,
                neither=bound.neither + neither,
            )
            for bound in pair.bounds
        ),
    )
