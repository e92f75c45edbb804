"""Hold each judge to its own word: verdicts in both orders, flips, place, length, family, repeats, other judges.

The numbers come from stats/; here they get routes' names and the sentences that a reader must not miss.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from diptych.comparison import Finding
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import Disagreement, JudgeAgreement, JudgeAudit, JudgeGate, LengthBin
from diptych.stats import judge as agreement
from diptych.students.collect.student_results import Results
from diptych.students.judge.human_labels import NO_LABELS, Labels, label_audit
from diptych.students.judge.judge_findings import judge_findings
from diptych.students.judge.judgements import Pair, Verdict
from diptych.students.judge.model_families import family_note
from diptych.students.judge.swapped_labels import swapped_labels

MOST_DISAGREEMENTS = 50

Order = dict[str, list[Verdict]]


class Audited(NamedTuple):
    """One judge on one pair: the noun, its numbers, and by task the verdicts in both orders."""

    noun: JudgeAudit
    numbers: agreement.Audit
    verdicts: Mapping[str, tuple[int | None, int | None]]
    pair: Pair


def audits_of(
    pairs: Sequence[Pair], routes: Sequence[Results], labels: Labels = NO_LABELS
) -> tuple[tuple[Audited, ...], tuple[Finding, ...]]:
    """Return the audit of each judge on each pair, and what a reader must not miss about them."""
    by_name = {route.name: route for route in routes}
    audited = tuple(one_audit(pair, by_name, labels) for pair in pairs)
    findings = [finding for one in audited for finding in judge_findings(one.noun, one.pair)]
    return audited, tuple(dict.fromkeys(findings))


def one_audit(pair: Pair, routes: Mapping[str, Results], labels: Labels = NO_LABELS) -> Audited:
    """Return the audit of one judge on one pair; several verdicts in one order count as their majority."""
    asked = [task for task in pair.first_shown if task in pair.second_shown]
    verdicts = {task: (majority(pair.first_shown[task]), majority(pair.second_shown[task])) for task in asked}
    numbers = agreement.audit(list(verdicts.values()))
    noun = named_audit(pair.judge, pair.first, pair.second, numbers)
    first, second = routes[pair.first], routes[pair.second]
    noun = with_length(noun, verdicts, first, second)
    repeats, agreeing = self_agreement(pair)
    once = one_order(pair)
    noun = noun._replace(
        gate=gate_by_repeats(noun.gate, agreeing),
        orders=orders_of(pair),
        repeats=repeats,
        self_agreement=agreeing,
        family_note=family_note(pair.judge, {pair.first: first.model, pair.second: second.model}),
        disagreements=tuple(disagreements(pair, verdicts)),
        one_order=len(once),
        served_as=served_as(pair),
        labels=label_audit(verdicts, labels, first, second),
    )
    if swapped_labels(pair, verdicts, numbers):
        noun = noun._replace(gate="labels_swapped")
    if not asked:
        noun = noun._replace(**without_both_orders(pair, once))
    return Audited(noun, numbers, verdicts, pair)


def one_order(pair: Pair) -> dict[str, list[Verdict]]:
    """Return the tasks that were judged in one order alone."""
    return {
        task: said
        for shown, other in ((pair.first_shown, pair.second_shown), (pair.second_shown, pair.first_shown))
        for task, said in shown.items()
        if task not in other
    }


def without_both_orders(pair: Pair, once: Mapping[str, Sequence[Verdict]]) -> dict[str, Any]:
    """Return how many tasks a judge has that never saw both orders, and why it may not speak."""
    said = once or pair.unordered
    readable = sum(majority(verdicts) is not None for verdicts in said.values())
    gate = "one_order" if once else "order_unknown" if pair.unordered else "too_few"
    return {"tasks": readable, "unreadable": len(said) - readable, "gate": gate, "position_p": None}


def served_as(pair: Pair) -> dict[str, int]:
    """Return how many verdicts came from which model, by the server's word."""
    names = Counter(verdict.served_as for verdict in every_verdict(pair) if verdict.served_as)
    return dict(sorted(names.items()))


def every_verdict(pair: Pair) -> Iterator[Verdict]:
    """Yield all verdicts of one judge on one pair."""
    for said in (pair.first_shown, pair.second_shown, pair.unordered):
        for verdicts in said.values():
            yield from verdicts


def majority(verdicts: Sequence[Verdict]) -> int | None:
    """Return what most readable verdicts of one order say, a tie where none leads, None where none is readable."""
    values = [verdict.value for verdict in verdicts if verdict.value is not None]
    if not values:
        return None
    if len(values) == 1:
        return values[0]
    counts = sorted(((values.count(value), value) for value in (-1, 0, 1)), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else 0


def named_audit(judge: str, first: str, second: str, numbers: agreement.Audit) -> JudgeAudit:
    """Return the audit with routes' names; B of the numbers is the second route."""
    rate = numbers.win_rate
    return JudgeAudit(
        judge=judge,
        first=first,
        second=second,
        tasks=numbers.items,
        unreadable=numbers.invalid,
        wins={first: numbers.both_a, second: numbers.both_b},
        once={first: numbers.half_a, second: numbers.half_b},
        ties=numbers.both_tie,
        flips=numbers.flips,
        half_changes=numbers.half_a + numbers.half_b,
        flip_rate=numbers.flip_rate,
        flip_low=numbers.flip_low,
        flip_high=numbers.flip_high,
        first_place_wins=numbers.first_slot,
        second_place_wins=numbers.second_slot,
        position_p=numbers.p_position if numbers.items else None,
        win_rate={first: None if rate is None else 1.0 - rate, second: rate},
        win_low=numbers.low,
        win_high=numbers.high,
        p_value=numbers.p_value,
        gate=numbers.gate,
        kappa=numbers.kappa,
    )


def audit_from_counts(
    judge: str, first: str, second: str, counts: Mapping[str, int], wins: Mapping[str, int], placed: bool = True
) -> JudgeAudit | None:
    """Return the audit behind an external judge's counts, or None where they do not add up (or hide directions).

    `placed` says that the counts tell which place the flips went to; without it no position bias is known.
    """
    both = wins[first] + wins[second] + counts["ties"] + counts["flips"]
    if counts["half_changes"] or both != counts["tasks"] or not counts["tasks"]:
        return None
    if placed and counts["first_place_wins"] + counts["second_place_wins"] != counts["flips"]:
        return None
    turned = (counts["first_place_wins"], counts["second_place_wins"]) if placed else (counts["flips"], 0)
    verdicts: list[agreement.Verdicts] = []
    verdicts += [(-1, -1)] * wins[first] + [(1, 1)] * wins[second] + [(0, 0)] * counts["ties"]
    verdicts += [(-1, 1)] * turned[0] + [(1, -1)] * turned[1]
    verdicts += [(None, None)] * counts["unreadable"]
    noun = named_audit(judge, first, second, agreement.audit(verdicts))
    return noun if placed else noun._replace(first_place_wins=0, second_place_wins=0, position_p=None)


def bare_audit(judge: str, first: str, second: str) -> JudgeAudit:
    """Return the audit of a judge that ran and left nothing that can be read."""
    noun = named_audit(judge, first, second, agreement.audit([]))
    return noun._replace(gate="not_readable")


def with_length(
    noun: JudgeAudit, verdicts: Mapping[str, tuple[int | None, int | None]], first: Results, second: Results
) -> JudgeAudit:
    """Return the audit with how far length goes with winning, where the answers are at hand."""
    scores, longer = [], []
    for task, (one, other) in verdicts.items():
        a, b = first.rows[task].response, second.rows[task].response
        if one is not None and other is not None and a is not None and b is not None:
            scores.append(0.5 + (one + other) / 4.0)
            longer.append(float(len(b) - len(a)))
    if not scores:
        return noun._replace(length_note="the answers are not at hand: length cannot be held against preference")
    decided = [(score, length) for score, length in zip(scores, longer, strict=True) if score != 0.5 and length]
    control = agreement.length_controlled(scores, longer)
    return noun._replace(
        longer_wins=sum((score > 0.5) == (length > 0) for score, length in decided),
        longer_of=len(decided),
        length_controlled=control.rate,
        length_note=control.note,
        length_bins=length_bins(scores, longer),
    )


def length_bins(scores: Sequence[float], longer: Sequence[float]) -> tuple[LengthBin, ...]:
    """Return five bins of tasks by how much longer the second answer is, with who won in each."""
    ranked = sorted(zip(longer, scores, strict=True))
    edges = [round(len(ranked) * part / 5) for part in range(6)]
    return tuple(
        LengthBin(
            ranked[low][0],
            ranked[high - 1][0],
            sum(score < 0.5 for _, score in ranked[low:high]),
            sum(score == 0.5 for _, score in ranked[low:high]),
            sum(score > 0.5 for _, score in ranked[low:high]),
        )
        for low, high in pairwise(edges)
        if high > low
    )


def orders_of(pair: Pair) -> dict[str, dict[str, int]]:
    """Return wins, ties and unreadable verdicts in each order, by the route shown first; "unknown" where none says."""
    orders = {pair.first: pair.first_shown, pair.second: pair.second_shown, "unknown": pair.unordered}
    return {name: tally(verdicts, pair) for name, verdicts in orders.items() if verdicts}


def tally(verdicts: Order, pair: Pair) -> dict[str, int]:
    """Return how the verdicts of one order fell."""
    words = {-1: pair.first, 1: pair.second, 0: "tie", None: "unreadable"}
    counts = dict.fromkeys(words.values(), 0)
    for said in verdicts.values():
        for verdict in said:
            counts[words[verdict.value]] += 1
    return counts


def self_agreement(pair: Pair) -> tuple[int, float | None]:
    """Return how often one order was asked at most, and how often two such verdicts agree."""
    most, same, of = 1, 0, 0
    for said in (*pair.first_shown.values(), *pair.second_shown.values()):
        if len(said) < 2:
            continue
        most = max(most, len(said))
        values = [verdict.value for verdict in said if verdict.value is not None]
        for place, one in enumerate(values):
            same += values[place + 1 :].count(one)
            of += len(values) - place - 1
    return most, same / of if of else None


def gate_by_repeats(gate: JudgeGate, agreeing: float | None) -> JudgeGate:
    """Return a judge's gate, lowered where it contradicts itself on being asked the same once more in one order."""
    apart = 0.0 if agreeing is None else 1.0 - agreeing
    if gate in ("usable", "directional_only") and apart > agreement.DIRECTIONAL:
        return "unusable"
    return "directional_only" if gate == "usable" and apart > agreement.USABLE else gate


def disagreements(pair: Pair, verdicts: Mapping[str, tuple[int | None, int | None]]) -> Iterator[Disagreement]:
    """Yield the first tasks on which the verdict turned with the order."""
    words = {-1: pair.first, 1: pair.second}
    turned = [task for task, (one, other) in verdicts.items() if one is not None and one and one == -(other or 0)]
    for task in turned[:MOST_DISAGREEMENTS]:
        one, other = verdicts[task]
        yield Disagreement(
            task,
            pair.judge,
            words[one or 0],
            words[other or 0],
            raw_of(pair.first_shown[task], one),
            raw_of(pair.second_shown[task], other),
        )


def raw_of(verdicts: Sequence[Verdict], value: int | None) -> str | None:
    """Return the raw text of the first verdict that says what the order says."""
    return next((verdict.raw for verdict in verdicts if verdict.value == value), None)


def judge_agreement(audited: Sequence[Audited]) -> tuple[JudgeAgreement, ...]:
    """Return how far several judges of one pair agree over tasks: Fleiss' kappa, Krippendorff's alpha with gaps."""
    found = []
    for pair in dict.fromkeys((one.noun.first, one.noun.second) for one in audited):
        mine = [one for one in audited if (one.noun.first, one.noun.second) == pair]
        if len(mine) < 2:
            continue
        tasks = list(dict.fromkeys(task for one in mine for task in one.verdicts))
        ratings = [[leaning_of(*one.verdicts.get(task, (None, None))) for task in tasks] for one in mine]
        shared = sum(1 for item in zip(*ratings, strict=True) if sum(side is not None for side in item) > 1)
        whole = all(side is not None for row in ratings for side in row)
        if whole and tasks:
            table = [[item.count(side) for side in (-1, 0, 1)] for item in zip(*ratings, strict=True)]
            method, value = "fleiss_kappa", agreement.fleiss_kappa(table)
        else:
            method, value = "krippendorff_alpha", agreement.krippendorff_alpha(ratings) if shared else None
        found.append(JudgeAgreement(tuple(one.noun.judge for one in mine), shared, method, value, pair))
    return tuple(found)


def leaning_of(one: int | None, other: int | None) -> int | None:
    """Return which side both verdicts of one task lean to: 1 the second route, -1 the first, 0 neither."""
    if one is None or other is None:
        return None
    return (one + other > 0) - (one + other < 0)
