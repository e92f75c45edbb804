"""What may go out, as a manifest's [gate] says it: tiers of tasks with margins, missing benchmarks, one suite test.

A critical task must be shown to be no worse than its margin; a default task must not be shown to be worse; an
informational one is told and stops nothing.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from diptych.closed_names import Outcome, VerdictKind
from diptych.comparison import Gate
from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.gates import INCOMPARABLE, gates, judged_rows, no_worse_than, worst_outcome
from diptych.diagnose.options import TIERS, Options, Policy, Tier, TierName
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.scores.test_inputs import units_of
from diptych.diagnose.thresholds import gate, least_fall, metric_place
from diptych.estimates import MetricComparison
from diptych.numbers import counted
from diptych.stats.clusters import cluster_sums
from diptych.stats.resampling import seed_of
from diptych.stats.suite import suite_test

SUITE_ALPHA = 0.05


def all_gates(
    options: Options, metrics: tuple[MetricComparison, ...], evidence: Evidence, kind: VerdictKind
) -> tuple[Gate, ...]:
    """Return every rule that was asked for, the policy's last."""
    found = gates(options, metrics, evidence.flip_counts, kind)
    return found if options.policy is None else (*found, *policy_gates(options.policy, metrics, evidence, kind))


def policy_gates(
    policy: Policy, metrics: Sequence[MetricComparison], evidence: Evidence, kind: VerdictKind
) -> tuple[Gate, ...]:
    """Return one gate a judged task, one for the suite, and last the one that says whether B may go."""
    if kind in INCOMPARABLE:
        return (gate("policy", "inconclusive", "UNDECIDED: the runs are not comparable"),)
    rows = [row for row in judged_rows(metrics) if row.headline or lacking(row) or tier_of(row, policy, named=True)]
    found = [tier_gate(row, policy) for row in rows]
    if policy.suite:
        told_only = informational(metrics, policy)
        found += suite_gates([row for row in metrics if row.task not in told_only], evidence)
    return (*found, go_or_not(found))


def lacking(row: MetricComparison) -> bool:
    """Say whether one run lacks a benchmark: it leads no verdict, and is judged all the same."""
    return row.a_present != row.b_present


def tier_of(row: MetricComparison, policy: Policy, *, named: bool = False) -> TierName | None:
    """Return a task's tier: the first whose patterns match; `default` for what none names (None where `named`)."""
    for name in TIERS:
        tier = policy.tiers.get(name)
        if tier and any(fnmatchcase(row.task, pattern) for pattern in tier.tasks):
            return name
    return None if named else "default"


def tier_gate(row: MetricComparison, policy: Policy) -> Gate:
    """Return the gate of one task by its tier."""
    name = tier_of(row, policy) or "default"
    margin = policy.tiers.get(name, Tier()).margin
    rule, place = f"policy:{name}", metric_place(row)
    if row.status == "not_available":
        outcome: Outcome = "pass" if name == "informational" else policy.missing
        return gate(rule, outcome, f"{place}: missing ({row.reason or 'no difference'})")
    outcome, text = no_worse_than(row, margin)
    if name == "informational":
        return gate(rule, "pass", f"{place}, told only: {text}")
    if name == "default" and outcome == "inconclusive":
        # not shown to be worse is enough here: only a significant fall that may exceed the margin stops
        worse = row.status == "worse" and (margin is None or (least_fall(row) or 0.0) > 0)
        outcome, text = ("fail", text) if worse else ("pass", f"no significant fall; {text}")
    return gate(rule, outcome, f"{place}: {text}")


def informational(metrics: Sequence[MetricComparison], policy: Policy) -> frozenset[str]:
    """Return the tasks that stop nothing: those of that tier, and what no other tier names below its benchmarks."""
    groups = {row.task: row.subtasks for row in metrics if row.group}
    named = {row.task: tier_of(row, policy, named=True) for row in metrics}
    own = [task for task, name in named.items() if name == "informational"]
    return frozenset((*own, *(each for task in own for each in members_of(task, groups) if not named.get(each))))


def suite_gates(metrics: Sequence[MetricComparison], evidence: Evidence) -> list[Gate]:
    """Return the one test over all tasks with paired items; without any it cannot be told."""
    rows = [row for row in metrics if row.primary and not row.group and row.higher_is_better is not None]
    columns, names = [], []
    for row in rows:
        scores = evidence.paired.get(row.task)
        pair = scores.values.get((row.filter, row.metric)) if scores else None
        if scores is None or not pair or not pair[0]:
            continue
        sign = 1.0 if row.higher_is_better else -1.0
        column: Sequence[float] = [sign * (y - x) for x, y in zip(*pair, strict=True)]
        units, _ = units_of(row.key, scores, *pair)
        columns.append(cluster_sums(column, units) if units else column)
        names.append(metric_place(row))
    found = suite_test(columns, seed_of("suite", "|".join(names), sum(map(len, columns))))
    if found is None:
        why = "no task has items of both runs: not tested (suite = false asks for none)"
        return [gate("policy:suite", "inconclusive", why)] if rows else []
    outcome: Outcome = "fail" if found.p < SUITE_ALPHA else "pass"
    where = f"worst of {counted(len(columns), 'task')} is {names[found.worst]}"
    text = f"{where} (max-T by sign flips, one-sided p = {found.p:.3g})"
    return [gate("policy:suite", outcome, text)]


def go_or_not(found: Sequence[Gate]) -> Gate:
    """Return the one line: GO, NO-GO with what stops it, or UNDECIDED with what is open."""
    outcome = worst_outcome(each.result for each in found)
    if outcome == "pass":
        return gate("policy", outcome, f"GO: {len(found)} rules pass")
    word = "NO-GO" if outcome == "fail" else "UNDECIDED"
    told = [f"{each.rule.removeprefix('policy:')} {each.text}" for each in found if each.result == outcome]
    more = f"; and {len(told) - 1} more" if len(told) > 1 else ""
    return gate("policy", outcome, f"{word}: {told[0]}{more}")
