"""Runs that alone depart from all others in a setting beside what a matrix varies: two things set them apart."""

from collections import Counter
from collections.abc import Sequence

from diptych.catalogue.words import setting_word
from diptych.diagnose.settings.differences import context_differences, setting_differences
from diptych.diagnose.settings.suspects import Difference, differences
from diptych.diagnose.settings.task_fields import task_differences
from diptych.diagnose.varied_settings import Factor, known_setting
from diptych.diagnose.verdict.value_words import spoken
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import MatrixRow
from diptych.numbers import listed
from diptych.run import Run

EITHER = "difference"

MOST_KEYS = 3
"""Settings of one odd run that a sentence names with their values."""


class Odd(NamedTuple):
    """Runs (by place) that depart from all others in the settings of `factor`, and from each of them in `beside`, too.

    `like` is one of the others. No two runs differ in the factor alone, so no effect of it is told.
    """

    factor: Factor
    runs: tuple[int, ...]
    like: int
    beside: Factor


def odd_runs(factors: Sequence[Factor]) -> list[Odd]:
    """Return the few that stand against the many in a setting while another one varies among the many, too.

    Where a run of the few and one of the many are alike in all else, they show what the setting does: a design.
    """
    found = []
    for factor in factors:
        level, count = Counter(factor.levels).most_common(1)[0]
        few = tuple(place for place, own in enumerate(factor.levels) if own != level)
        many = [place for place, own in enumerate(factor.levels) if own == level]
        beside = [other for other in factors if other is not factor and parts(other, few, many)]
        if count > len(few) and beside:
            found.append(Odd(factor, few, many[0], max(beside, key=names_a_model)))
    return found


def broken_sums(sums: Sequence[Factor], factors: Sequence[Factor], rows: Sequence[MatrixRow]) -> list[Factor]:
    """Return the settings of sums that acted by what several runs of each value score: something is broken there.

    Either runs that are equal in all factors differ just where these values do, or a few with one other value drop
    below the runs listed before and behind each of them, or rise above.
    """
    known = {factor.levels for factor in factors}
    return [
        one
        for one in sums
        if one.levels not in known and (tells_apart(one, factors, rows) or breaks_off(one, factors, rows))
    ]


def tells_apart(one: Factor, factors: Sequence[Factor], rows: Sequence[MatrixRow]) -> bool:
    """Say whether runs that are equal in all factors differ on a metric just where they differ in one setting more."""
    rest = list(zip(*(factor.levels for factor in factors), strict=True)) or [()] * len(one.levels)
    for row in rows:
        alike = [cell for cell in row.cells if rest[cell.a] == rest[cell.b]]
        same = [cell for cell in alike if one.levels[cell.a] == one.levels[cell.b]]
        other = [cell for cell in alike if one.levels[cell.a] != one.levels[cell.b]]
        repeated = {one.levels[cell.a] for cell in same}
        if not other or not all({one.levels[cell.a], one.levels[cell.b]} <= repeated for cell in other):
            continue
        if all(cell.is_apart for cell in other) and not any(cell.is_apart for cell in same):
            return True
    return False


def breaks_off(one: Factor, factors: Sequence[Factor], rows: Sequence[MatrixRow]) -> bool:
    """Say whether several runs with one other value all break off a row of runs, to one side of it."""
    for odd in odd_runs([*factors, one]):
        several = len(odd.runs) > 1 and len({one.levels[place] for place in odd.runs}) == 1
        if odd.factor is one and several and drop_or_gain(odd, rows) != EITHER:
            return any(all(off_neighbours(place, odd, row) for place in odd.runs) for row in rows)
    return False


def off_neighbours(place: int, odd: Odd, row: MatrixRow) -> bool:
    """Say whether an odd run differs significantly from the nearest other runs before and behind it."""
    others = [other for other in range(len(row.scores)) if other not in odd.runs]
    near = {
        max((other for other in others if other < place), default=-1),
        min((o for o in others if o > place), default=-1),
    }
    apart = {cell.a + cell.b - place for cell in row.cells if place in (cell.a, cell.b) and cell.is_apart}
    return -1 not in near and near <= apart


def parts(other: Factor, few: Sequence[int], many: Sequence[int]) -> bool:
    """Say whether a factor varies among the many, and no run of the few has a level of theirs."""
    theirs = {other.levels[place] for place in many}
    return len(theirs) > 1 and not theirs & {other.levels[place] for place in few}


def names_a_model(factor: Factor) -> bool:
    return any(known_setting(key).model for key in factor.keys)


def odd_sentence(odd: Odd, runs: Sequence[Run], rows: Sequence[MatrixRow]) -> str:
    """Return in what some runs depart from all others, and that therefore nothing is told of what they score."""
    kept = values(odd, runs, odd.like, odd.runs[0])
    by_value: dict[str, list[str]] = {}
    for place in odd.runs:
        by_value.setdefault(values(odd, runs, place, odd.like), []).append(runs[place].label)
    ran = [f"{listed(labels)} ran with {value}" for value, labels in by_value.items()]
    whose = "its" if len(odd.runs) == 1 else "their"
    what = f"the model ({setting_word(odd.beside.keys[0])})" if names_a_model(odd.beside) else factor_names(odd.beside)
    return f"{listed(ran)}, the others with {kept}: {whose} {drop_or_gain(odd, rows)} cannot be laid to {what} alone."


def factor_names(factor: Factor) -> str:
    """Return the settings of a factor, the first few of many."""
    return listed([setting_word(key) for key in factor.keys], MOST_KEYS)


def drop_or_gain(odd: Odd, rows: Sequence[MatrixRow]) -> str:
    """Return in a word how runs stand against the others: a drop, a gain, or either."""
    words = set()
    for row in rows:
        for cell in row.cells:
            if cell.is_apart and (cell.a in odd.runs) != (cell.b in odd.runs):
                words.add((cell.status == "worse") == (cell.b in odd.runs))
    return "drop" if words == {True} else "gain" if words == {False} else EITHER


def values(odd: Odd, runs: Sequence[Run], place: int, other: int) -> str:
    """Return the odd settings of one run with their values, as they differ from another run's."""
    found = {one.key: one for one in differences_between(runs[place], runs[other])}
    said = [with_value(key, found[key]) for key in odd.factor.keys if key in found]
    return listed(said, MOST_KEYS) or f"other {factor_names(odd.factor)}"


def with_value(key: str, one: Difference) -> str:
    """Return a setting with the first side's value of a difference; where both are said alike, that it is its own."""
    if one.a is None and one.recorded.a and "template" not in key:
        return f"no {setting_word(key)}"
    own, other = (spoken(one, *side) for side in ((one.a, one.recorded.a), (one.b, one.recorded.b)))
    return f"{setting_word(key)} {own if own != other else 'of its own'}"


def differences_between(a: Run, b: Run) -> tuple[Difference, ...]:
    """Return all that is recorded differently of two runs."""
    return differences(setting_differences(a, b), task_differences(a, b), context_differences(a, b))
