"""What the judges may be said to prefer: each one gated first, those that may speak taken together item by item."""

from collections.abc import Sequence

from diptych.comparison import ALPHA
from diptych.decision import JudgeAudit
from diptych.numbers import counted
from diptych.stats.graded import lattice_signflip
from diptych.stats.judge import DIRECTIONAL
from diptych.students.decide.decision_input import Preference
from diptych.students.decide.words import chance
from diptych.students.judge.audit import Audited


def preferences_of(audited: Sequence[Audited], outside: Sequence[JudgeAudit] = ()) -> tuple[Preference, ...]:
    """Return what the judges say of each pair: each gated first, those that may speak averaged item by item."""
    pairs = dict.fromkeys((one.noun.first, one.noun.second) for one in audited)
    found = [of_pair([one for one in audited if (one.noun.first, one.noun.second) == pair], *pair) for pair in pairs]
    return (*found, *(from_noun(noun) for noun in outside if (noun.first, noun.second) not in pairs))


def of_pair(audited: Sequence[Audited], first: str, second: str) -> Preference:
    """Return what the judges of one pair say together."""
    may = [one for one in audited if one.noun.gate in ("usable", "directional_only")]
    if len(may) < 2:
        return from_noun((may or list(audited))[0].noun)
    sums = []
    for task in may[0].verdicts:
        said = [one.verdicts.get(task, (None, None)) for one in may]
        if all(a is not None and b is not None for a, b in said):
            sums.append(sum((a or 0) + (b or 0) for a, b in said))
    p = lattice_signflip(sums) if sums else None
    route = None
    if p is not None and p < ALPHA and not any(length_turns(one.noun) for one in may):
        route = second if sum(sums) > 0 else first
    which = f"prefer {route}" if route else "prefer neither"
    judges = " and ".join(one.noun.judge for one in may)
    return Preference(first, second, route, f"Judges {judges} together {which} over {len(sums)} tasks ({chance(p)}).")


def from_noun(noun: JudgeAudit) -> Preference:
    """Return what one judge says of a pair, in a sentence."""
    route = preferred(noun)
    who = f"Judge {noun.judge} on {noun.first} and {noun.second}"
    wins = f"{noun.wins.get(noun.first, 0)} : {noun.wins.get(noun.second, 0)} won in both orders"
    if noun.gate == "order_unknown":
        text = f"{who}: the order shown is unknown, so its preference is not used."
    elif noun.gate == "unusable" and noun.flips + noun.half_changes <= DIRECTIONAL * noun.tasks:
        text = f"{who}: it contradicted itself when asked the same once more; its preference is not used."
    elif noun.gate == "unusable":
        text = (
            f"{who}: it contradicted itself on {counted(noun.flips + noun.half_changes, 'task')} of {noun.tasks}"
            " when the order was swapped; its preference is not used."
        )
    elif noun.gate == "too_few":
        text = f"{who}: {wins} of {noun.tasks} tasks ({chance(noun.p_value)}); too few for a verdict."
    elif noun.gate == "mostly_ties":
        text = f"{who}: {wins} of {noun.tasks} tasks; it mostly calls ties."
    elif route:
        text = f"{who}: it prefers {route}, {wins} of {noun.tasks} tasks ({chance(noun.p_value)})."
    elif length_turns(noun):
        text = f"{who}: held at equal length its preference turns, so it is not used."
    else:
        text = f"{who}: {wins} of {noun.tasks} tasks ({chance(noun.p_value)}): no preference."
    return Preference(noun.first, noun.second, route, text)


def preferred(noun: JudgeAudit) -> str | None:
    """Return the route that one judge may be said to prefer, or None."""
    may = noun.gate in ("usable", "directional_only")
    rate = noun.win_rate.get(noun.second)
    if not may or noun.p_value is None or noun.p_value >= ALPHA or rate is None or length_turns(noun):
        return None
    route, other = (noun.second, noun.first) if rate > 0.5 else (noun.first, noun.second)
    return route if noun.gate == "usable" or noun.wins[route] > noun.wins[other] else None


def length_turns(noun: JudgeAudit) -> bool:
    """Say whether the preference lies on the other side once answers are held at equal length."""
    raw, even = noun.win_rate.get(noun.second), noun.length_controlled
    return raw is not None and even is not None and (raw - 0.5) * (even - 0.5) < 0
