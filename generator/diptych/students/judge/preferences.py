"""What the judges may be said to prefer: each one gated first, those that may speak taken together item by item."""

from collections.abc import Sequence

from diptych.estimates import ALPHA
from diptych.judge_audit import Corrected, JudgeAudit
from diptych.numbers import counted, size
from diptych.stats.graded import lattice_signflip
from diptych.stats.judge import DIRECTIONAL
from diptych.students.decide.decision_input import Preference, Said
from diptych.students.decide.phrases import chance, route_names
from diptych.students.judge.audit import Audited
from diptych.students.judge.judge_findings import counts_in_orders

SPEAKING = ("usable", "directional_only")


def preferences_of(audited: Sequence[Audited], outside: Sequence[JudgeAudit] = ()) -> tuple[Preference, ...]:
    """Return what the judges say of each pair: each gated first, those that may speak averaged item by item."""
    nouns = (*(one.noun for one in audited), *outside)
    pairs = dict.fromkeys((noun.first, noun.second) for noun in nouns)
    return tuple(
        of_pair(
            [one for one in audited if (one.noun.first, one.noun.second) == pair],
            [noun for noun in nouns if (noun.first, noun.second) == pair],
        )
        for pair in pairs
    )


def of_pair(audited: Sequence[Audited], nouns: Sequence[JudgeAudit]) -> Preference:
    """Return what the judges of one pair say together, and which of them may speak."""
    may = [noun for noun in nouns if may_speak(noun)]
    said = tuple(said_by(noun) for noun in may)
    if len(nouns) == 1 or not may:
        alone = from_noun(nouns[0])
        rest = " ".join(from_noun(noun).sentence for noun in nouns[1:])
        sentence = f"{alone.sentence} {rest}".strip()
        return alone._replace(sentence=sentence, speaking=said, judges=len(nouns))
    silent = " ".join(from_noun(noun).sentence for noun in nouns if noun not in may)
    if len(may) == 1:
        alone = from_noun(may[0])
        only = f"Of {len(nouns)} judges only {may[0].judge} may speak."
        return alone._replace(sentence=f"{only} {alone.sentence} {silent}".strip(), speaking=said, judges=len(nouns))
    together = joint(audited, may)
    silent = f" {silent}" if silent else ""
    return together._replace(sentence=together.sentence + silent, speaking=said, judges=len(nouns))


def joint(audited: Sequence[Audited], may: Sequence[JudgeAudit]) -> Preference:
    """Return what several judges that may speak prefer together; each gives one score an item, the item is the unit."""
    first, second = may[0].first, may[0].second
    by_judge = [one.verdicts for one in audited if one.noun in may]
    sums = []
    for task in by_judge[0] if by_judge else ():
        said = [verdicts.get(task, (None, None)) for verdicts in by_judge]
        if all(a is not None and b is not None for a, b in said):
            sums.append(sum((a or 0) + (b or 0) for a, b in said))
    p = lattice_signflip(sums) if sums else None
    liked = {noun.judge: preferred(noun) for noun in may}
    apart = len({route for route in liked.values() if route}) > 1
    route = None
    if p is not None and p < ALPHA and not apart and not any(length_turns(noun) for noun in may):
        route = second if sum(sums) > 0 else first
    route = route if route in liked.values() else None  # people's labels may turn what the verdicts say
    which = f"prefer {route}" if route else "prefer neither"
    each = "; ".join(f"{judge}: {name or 'no preference'}" for judge, name in liked.items())
    text = (
        f"Judges {route_names([noun.judge for noun in may])} together {which} over {counted(len(sums), 'task')}"
        f" ({chance(p)}; {each})."
    )
    return Preference(first, second, route, text)


def said_by(noun: JudgeAudit) -> Said:
    """Return whom one judge that may speak prefers."""
    route = preferred(noun)
    wins, losses = noun.wins.get(noun.first, 0), noun.wins.get(noun.second, 0)
    won = (losses, wins) if route == noun.second else (wins, losses)
    fixed = corrected(noun)
    if fixed is None or route is None:
        return Said(noun.judge, route, *won, f"{won[0]} : {won[1]} in both orders")
    return Said(noun.judge, route, *won, corrected_rate(noun, fixed, route), True)


def corrected_rate(noun: JudgeAudit, fixed: Corrected, route: str) -> str:
    """Return a route's win rate as people's labels correct it, with its interval."""
    rate, low, high = fixed.rate or 0.0, fixed.low or 0.0, 1.0 if fixed.high is None else fixed.high
    if route == noun.first:
        rate, low, high = 1.0 - rate, 1.0 - high, 1.0 - low
    labels = noun.labels.labelled if noun.labels else 0
    return f"win rate {size(rate)} %, 95 % CI {size(low)} to {size(high)} %, corrected by {labels} human labels"


def may_speak(noun: JudgeAudit) -> bool:
    """Say whether a judge's preference may be used: its own gate comes first, whatever labels say beside it."""
    return noun.gate in SPEAKING


def corrected(noun: JudgeAudit) -> Corrected | None:
    """Return the win rate that human labels correct, where there are enough of them."""
    found = (
        next((one for one in noun.labels.corrected if one.method == "prediction_powered"), None)
        if noun.labels
        else None
    )
    return found if found is not None and found.rate is not None and noun.gate in SPEAKING else None


def from_noun(noun: JudgeAudit) -> Preference:
    """Return what one judge says of a pair, in a sentence, and where it may not speak what would help."""
    route = preferred(noun) if may_speak(noun) else None
    who = f"Judge {noun.judge} on {noun.first} and {noun.second}"
    return Preference(noun.first, noun.second, route, f"{who}: {saying(noun, route)}", help=help_for(noun))


def saying(noun: JudgeAudit, route: str | None) -> str:
    """Return the part of a judge's sentence that follows its name."""
    wins = f"{noun.wins.get(noun.first, 0)} : {noun.wins.get(noun.second, 0)} won in both orders"
    of = f"of {counted(noun.tasks, 'task')}"
    turned = noun.flips + noun.half_changes
    fixed = corrected(noun)
    if fixed is not None:
        which = f"people's labels prefer {route}" if route else "no preference"
        return f"{wins} {of}; {noun.second}: {corrected_rate(noun, fixed, noun.second)}: {which}."
    if noun.gate == "unusable" and turned <= DIRECTIONAL * noun.tasks:
        return "it contradicted itself when asked the same once more; its preference is not used."
    texts = {
        "order_unknown": f"the order shown is not recorded ({counts_in_orders(noun)}); that decides nothing.",
        "one_order": f"asked in one order only ({counts_in_orders(noun)}); that decides nothing.",
        "labels_swapped": "the labels of its second game look swapped; its preference is not used.",
        "not_readable": "what it wrote holds no counts that can be read; it decides nothing.",
        "unusable": (
            f"it contradicted itself on {turned} of {counted(noun.tasks, 'task')} when the order was swapped; its"
            " preference is not used."
        ),
        "too_few": f"{wins} {of} ({chance(noun.p_value)}); too few for a verdict.",
        "mostly_ties": f"{wins} {of}; it mostly calls ties.",
    }
    if noun.gate in texts:
        return texts[noun.gate]
    if route:
        return f"it prefers {route}, {wins} {of} ({chance(noun.p_value)})."
    if length_turns(noun):
        return "held at equal length its preference turns, so it is not used."
    return f"{wins} {of} ({chance(noun.p_value)}): no preference."


def help_for(noun: JudgeAudit) -> str:
    """Return what would let a judge speak that may not."""
    helps = {
        "order_unknown": f"Verdicts of {noun.judge} that say which answer was shown first, in both orders.",
        "one_order": f"Verdicts of {noun.judge} in the other order too (ask each task in both orders).",
        "labels_swapped": f"The labels of the second game of {noun.judge}, turned back with the order.",
        "not_readable": f"Counts of {noun.judge} under known names (see the manual), or its verdicts one a line.",
        "too_few": f"More tasks judged by {noun.judge} in both orders (it has {noun.tasks} of 20).",
    }
    return helps.get(noun.gate, "")


def preferred(noun: JudgeAudit) -> str | None:
    """Return the route that one judge may be said to prefer, or None."""
    fixed = corrected(noun)
    if fixed is not None and fixed.low is not None and fixed.high is not None:
        return noun.second if fixed.low > 0.5 else noun.first if fixed.high < 0.5 else None
    rate = noun.win_rate.get(noun.second)
    if noun.gate not in SPEAKING or noun.p_value is None or noun.p_value >= ALPHA or rate is None or length_turns(noun):
        return None
    route, other = (noun.second, noun.first) if rate > 0.5 else (noun.first, noun.second)
    return route if noun.gate == "usable" or noun.wins[route] > noun.wins[other] else None


def length_turns(noun: JudgeAudit) -> bool:
    """Say whether the preference lies on the other side once answers are held at equal length."""
    raw, even = noun.win_rate.get(noun.second), noun.length_controlled
    return raw is not None and even is not None and (raw - 0.5) * (even - 0.5) < 0
