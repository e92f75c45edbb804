"""What would have turned a decision, as far as numbers say so: tasks, a steadier judge, costs in full."""

from diptych.comparison import ALPHA
from diptych.decision import COST_UNITS, PairedChecks, Route
from diptych.numbers import UNITS, counted, size
from diptych.stats.paired import mcnemar
from diptych.students.decide.decision_input import Preference, Standing, is_known, really_better


def would_change(standing: Standing, pick: Route | None) -> tuple[str, ...]:
    """Return what would have turned the decision for `pick` (None: no decision), as far as numbers say so."""
    texts = []
    for pair in standing.paired:
        texts += pair_changes(standing, pair)
    texts += [text for preference in standing.preferences if (text := judge_change(preference, pick))]
    texts += [text for route in standing.routes for text in cost_gaps(route)]
    if not any(is_known(standing.routes, unit) for unit in COST_UNITS):
        texts.append("What each route cost (--labbook, --stages): none is known.")
    return tuple(dict.fromkeys(texts))


def pair_changes(standing: Standing, pair: PairedChecks) -> list[str]:
    """Return how many more tasks would separate two routes, or show them equal within the margin."""
    if not pair.tasks:
        return []
    one, other = standing.route(pair.first), standing.route(pair.second)
    if really_better(standing, one, other) or really_better(standing, other, one):
        winner = pair.first if pair.only_first > pair.only_second else pair.second
        loser = pair.second if winner == pair.first else pair.first
        behind = counted(lost_lead(pair), "more task")
        return [f"{behind} that only {loser} passes would undo the lead of {winner}."]
    ahead = pair.second if pair.only_second > pair.only_first else pair.first
    ahead = "one of them" if pair.only_first == pair.only_second else ahead
    more = counted(tasks_to_separate(pair), "more task")
    texts = [f"{more} that only {ahead} passes would separate {pair.first} and {pair.second}."]
    if pair.needed is not None and pair.needed > pair.tasks:
        texts.append(
            f"About {pair.needed - pair.tasks:,} more tasks would show a difference of {size(standing.margin)} pp"
            f" between {pair.first} and {pair.second}."
        )
    return texts


def judge_change(preference: Preference, pick: Route | None) -> str | None:
    """Return what would let a judge speak where it does not."""
    if preference.route is not None:
        return f"A judge that does not prefer {preference.route}, asked in both orders."
    sides = [name for name in (preference.first, preference.second) if pick is None or name != pick.name]
    either = " or ".join(sides)
    return f"A judge that holds its verdict when the order is swapped and prefers {either}."


def tasks_to_separate(pair: PairedChecks) -> int:
    """Return how many more tasks, all passed by the route ahead alone, make the difference real (mid-p under 0.05)."""
    large, small = sorted((pair.only_first, pair.only_second), reverse=True)
    more = 1
    while mcnemar(large + more, small).mid >= ALPHA:
        more += 1
    return more


def lost_lead(pair: PairedChecks) -> int:
    """Return how many more tasks, all passed by the route behind alone, make the difference unclear again."""
    large, small = sorted((pair.only_first, pair.only_second), reverse=True)
    more = 1
    while small + more < large and mcnemar(large, small + more).mid < ALPHA:
        more += 1
    return more


def cost_gaps(route: Route) -> list[str]:
    """Return which costs of a route could be compared if they were recorded in full."""
    return [
        f"The {UNITS[unit]} of {route.name}, if recorded in full (now {total.measured} of {total.records}"
        " records): they could then be compared."
        for unit, total in route.cost.items()
        if total.measured and not total.whole
    ]
