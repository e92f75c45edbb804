"""What a reader must not miss about a judge: one order, labels, unreadable replies, position, length, family, drift."""

import math
from collections.abc import Iterator

from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.estimates import ALPHA
from diptych.judge_audit import JudgeAudit
from diptych.numbers import counted, size
from diptych.stats import judge as agreement
from diptych.stats.distributions import normal_two_sided
from diptych.students.decide.phrases import chance
from diptych.students.judge.judgements import Pair, Verdict
from diptych.students.judge.model_names import other_names

DRIFT = 0.01
FEWEST_DRIFT = 40
FEWEST_DECIDED = 10


def judge_findings(noun: JudgeAudit, pair: Pair) -> Iterator[Finding]:
    """Yield what a reader must not miss about one judge on one pair."""
    who = f"Judge {noun.judge} on {noun.first} and {noun.second}"
    yield from order_findings(noun, who)
    yield from reply_findings(noun, pair, who)
    yield from consistency_findings(noun, who)
    if noun.gate != "labels_swapped":
        yield from drift_findings(pair, who)
    strange = other_names(noun.judge, noun.served_as)
    if strange:
        told = ", ".join(f"{name} ({count})" for name, count in strange.items())
        text = f"Judge {noun.judge}: the server says that {told} gave its verdicts; another model may have judged."
        yield Finding("model_mismatch", "warning", text, count_=sum(strange.values()), of=sum(noun.served_as.values()))
    if noun.longer_of and noun.longer_wins is not None and noun.longer_wins > noun.longer_of / 2:
        text = f"{who}: the longer answer won {noun.longer_wins} of {noun.longer_of} decided tasks."
        yield Finding("judge_length", "note", text, None, None, noun.longer_wins, noun.longer_of)
    yield from label_findings(noun, who)
    if noun.family_note:
        yield Finding("judge_family", "warning", f"Judge {noun.judge}, self-preference: {noun.family_note}")


def label_findings(noun: JudgeAudit, who: str) -> Iterator[Finding]:
    """Yield that a judge agrees with people no better than luck would."""
    labels = noun.labels
    if labels is None or labels.accuracy is None or labels.low is None or labels.decided < FEWEST_DECIDED:
        return
    if labels.low <= 0.5:
        text = (
            f"{who}: it agrees with people on {labels.agreed} of the {labels.decided} tasks that both decide (accuracy"
            f" {size(labels.accuracy)} %), no better than luck; what it prefers is not what people prefer."
        )
        yield Finding("judge_against_labels", "warning", text, None, None, labels.agreed, labels.decided)


def counts_in_orders(noun: JudgeAudit) -> str:
    """Return the verdicts of each order as counts."""
    told = []
    for shown, counts in noun.orders.items():
        wins = ", ".join(f"{name} {counts.get(name, 0)}" for name in (noun.first, noun.second))
        place = "order not recorded" if shown == "unknown" else f"{shown} shown first"
        told.append(f"{place}: {wins}, tie {counts.get('tie', 0)}")
    return "; ".join(told)


def order_findings(noun: JudgeAudit, who: str) -> Iterator[Finding]:
    """Yield what is wrong with the orders in which a judge was asked."""
    if noun.gate == "order_unknown":
        text = (
            f"{who}: the order in which answers were shown is not recorded ({counts_in_orders(noun)}); position bias"
            " cannot be measured, so it decides nothing."
        )
        yield Finding("judge_order_unknown", "warning", text, count_=noun.tasks)
    elif noun.gate == "one_order":
        text = (
            f"{who}: asked in one order only ({counts_in_orders(noun)}). How far the place decides cannot be measured,"
            " so it decides nothing; ask in the other order too."
        )
        yield Finding("judge_one_order", "warning", text, count_=noun.tasks)
    elif noun.one_order:
        text = f"{who}: {counted(noun.one_order, 'task')} judged in one order only; they count neither way."
        yield Finding("judge_one_order", "note", text, count_=noun.one_order)
    if noun.gate == "labels_swapped":
        text = (
            f"{who}: its winners turn with the order on {noun.flips} of {counted(noun.tasks, 'task')}, in a way that no"
            " preference for a place explains: the labels of the second game look swapped (the winner was not turned"
            " back with the order). Mend them; until then it decides nothing."
        )
        yield Finding("judge_labels_swapped", "warning", text, None, None, noun.flips, noun.tasks)


def reply_findings(noun: JudgeAudit, pair: Pair, who: str) -> Iterator[Finding]:
    """Yield how many replies of a judge are unreadable or were cut off."""
    asked = noun.tasks + noun.unreadable
    if noun.unreadable:
        bad = noun.unreadable / asked > agreement.INVALID_SHARE
        text = f"{who}: {noun.unreadable} of {asked} tasks have an unreadable verdict; they count neither way."
        if bad:
            text += (
                " What it wrote is in `raw`; a judge whose replies are constrained (JSON schema, grammar) is readable."
            )
        yield Finding("judge_unreadable", "warning" if bad else "note", text, None, None, noun.unreadable, asked)
    said = [
        verdict
        for game in (pair.first_shown, pair.second_shown, pair.unordered)
        for v in game.values()
        for verdict in v
    ]
    cut = sum(verdict.cut and verdict.value is None for verdict in said)
    if cut:
        text = f"{who}: {cut} of {len(said)} replies were truncated before a verdict; raise its token budget."
        yield Finding("replies_truncated", "warning", text, None, None, cut, len(said))


def consistency_findings(noun: JudgeAudit, who: str) -> Iterator[Finding]:
    """Yield how often a judge contradicts itself, and whether it follows a place."""
    if noun.self_agreement is not None and 1.0 - noun.self_agreement > agreement.USABLE:
        text = f"{who}: asked the same again in the same order, it agrees with itself {size(noun.self_agreement)} %."
        yield Finding("judge_repeats", "warning", text)
    if not noun.flips or noun.gate == "labels_swapped":
        return
    unusable = f"{followed_place(noun)}; its preference is not used" if noun.gate == "unusable" else ""
    text = f"{who}: {noun.flips} of {noun.tasks} verdicts turn when the order is swapped{unusable}."
    yield Finding("judge_flips", "warning", text, None, None, noun.flips, noun.tasks)
    if noun.position_p is not None and noun.first_place_wins != noun.second_place_wins:
        place = "first" if noun.first_place_wins > noun.second_place_wins else "second"
        most = max(noun.first_place_wins, noun.second_place_wins)
        sure = noun.position_p < ALPHA
        text = (
            f"{who}: {most} of {noun.flips} turned verdicts go to whoever is shown {place}"
            f" ({'position bias, ' if sure else ''}{chance(noun.position_p)})."
        )
        # where the judge is not used at all, its place sways nothing
        grave: Severity = "warning" if sure and noun.gate != "unusable" else "note"
        yield Finding("judge_place", grave, text, None, None, most, noun.flips)


def followed_place(noun: JudgeAudit) -> str:
    """Return which place a judge follows, where it surely follows one."""
    if noun.position_p is None or noun.position_p >= ALPHA:
        return ""
    place = "first" if noun.first_place_wins > noun.second_place_wins else "second"
    most = max(noun.first_place_wins, noun.second_place_wins)
    return f", {'all' if most == noun.flips else most} for whoever is shown {place} (position bias)"


def drift_findings(pair: Pair, who: str) -> Iterator[Finding]:
    """Yield where a judge's habit changes over the file: how often the first place wins, how often it is unreadable."""
    said = sorted(
        (verdict.line, place_won(verdict, place), verdict.value is None)
        for game, place in ((pair.first_shown, -1), (pair.second_shown, 1))
        for verdicts in game.values()
        for verdict in verdicts
    )
    decided = [first for _, first, _ in said if first is not None]
    for name, values in (("the first place wins", decided), ("replies are unreadable", [bad for _, _, bad in said])):
        half = len(values) // 2
        if half < FEWEST_DRIFT:
            continue
        early, late = sum(values[:half]), sum(values[half:])
        p = two_shares(early, half, late, len(values) - half)
        if p < DRIFT:
            text = (
                f"{who}, drift over the file: {name} in {size(early / half)} % of the first half and"
                f" {size(late / (len(values) - half))} % of the second ({chance(p)})."
            )
            yield Finding("judge_drift", "warning", text, None, None, late, len(values) - half)


def place_won(verdict: Verdict, first: int) -> bool | None:
    """Say whether the answer shown first won; None for a tie or no verdict."""
    return verdict.value == first if verdict.value else None


def two_shares(one: int, of_one: int, other: int, of_other: int) -> float:
    """Return the p-value of two shares being one (normal approximation, pooled)."""
    pooled = (one + other) / (of_one + of_other)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / of_one + 1 / of_other))
    return normal_two_sided((one / of_one - other / of_other) / spread) if spread else 1.0
