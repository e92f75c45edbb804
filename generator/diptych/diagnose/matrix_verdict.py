"""What many runs say together, in words: which setting moved the scores and which did not, who leads, what to do next.

The setting comes first where effects are known; else the pairs of runs that differ do.
"""

from collections.abc import Mapping, Sequence

from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import STATUSES, setting_word
from diptych.closed_names import VerdictKind
from diptych.diagnose.best_run import best_sentence
from diptych.diagnose.doubles import all_doubles, doubles_sentences
from diptych.diagnose.effect_notes import ALONE, IN_THESE
from diptych.diagnose.next_run import Known, Next, effects_of_step, is_significant, joint_keys
from diptych.diagnose.odd_runs import Odd, differences_between, odd_sentence
from diptych.diagnose.varied_settings import Factor, Step, factor_steps
from diptych.diagnose.verdict.value_words import both_values
from diptych.matrix import MatrixCell, MatrixRow, MatrixVerdict, SettingEffect
from diptych.metric_key import MetricKey
from diptych.numbers import amount_beside, between, counted, interval, level, listed
from diptych.run import Run
from diptych.value_text import metric_name

NAMED = 3
"""Pairs, steps or settings that a sentence names."""

METRICS = 2
"""Metrics that one step's sentence names."""


def matrix_verdict(known: Known, then: Next) -> MatrixVerdict:
    """Return what the primary metrics of many runs say together, in parts: effects first, then who differs."""
    cells = [cell for row in known.rows for cell in row.cells if cell.status != "not_available"]
    if not cells:
        none = "No two of these runs can be compared on any metric."
        return verdict("not_comparable", [none, *unpaired(known)], then)
    if all_doubles(known.doubles, known.runs):
        return verdict("identical", doubles_sentences(known.doubles, known.runs), then)
    apart = [cell for cell in cells if cell.is_apart]
    same = all(cell.status == "same" for cell in cells)
    kind: VerdictKind = "different" if apart else "equivalent" if same else "unclear"
    moved, others = effect_parts(known)
    named = [pairs_named(known.rows, known.runs)] if apart and not moved else []
    named += [known.unrecorded.finding.text] if known.unrecorded else []
    pairs = pair_sentence(known.rows, known.runs, cells, apart)
    odd = [odd_sentence(one, known.runs, known.rows) for one in known.odd]
    rest = [
        *against_benchmark(known),
        *against_filters(known),
        *others,
        *doubles_sentences(known.doubles, known.runs),
        *unpaired(known),
    ]
    best = [said] if (said := best_sentence(known.rows, known.runs)) else []
    ranked = [*best, *rest, pairs] if apart else [*rest, pairs, *best]
    return verdict(kind, [*odd[:NAMED], *moved, *named, *ranked], then)


def against_benchmark(known: Known) -> list[str]:
    """Return the subtasks on which two runs differ as no benchmark of theirs does: none hides behind a mean."""
    heads = {(row.metric, cell.a, cell.b, cell.status) for row in known.rows if row.group for cell in row.cells}
    odd = [
        row._replace(cells=kept)
        for row in known.subtasks
        if (kept := tuple(cell for cell in row.cells if (row.metric, cell.a, cell.b, cell.status) not in heads))
    ]
    return [f"Behind the benchmark's own row: {told}"] if (told := pairs_named(odd, known.runs)) != "." else []


def against_filters(known: Known) -> list[str]:
    """Return of which two runs another filter says otherwise by most, and of how many more pairs one does."""
    denied = [
        (row, cell, other, theirs)
        for row in known.rows
        for other in known.filters
        for cell, theirs in row.denied_by(other)
    ]
    if not denied:
        return []
    row, cell, other, theirs = max(denied, key=lambda one: abs((one[1].difference or 0.0) - (one[3].difference or 0.0)))
    told = [
        f"{each.filter} {amount_beside(at.difference, at.low, at.high, each.in_points)} ({STATUSES[at.status].word})"
        for each, at in ((row, cell), (other, theirs))
    ]
    pairs = len({(one.key, at.a, at.b) for one, at, _, _ in denied})
    more = f", and so on {counted(pairs - 1, 'more pair')}" if pairs > 1 else ""
    return [
        f"Filters of {row.task} {row.metric} disagree on the same responses of {known.runs[cell.a].label} and "
        f"{known.runs[cell.b].label}: {' and '.join(told)}{more}; what a filter finds changed, not accuracy alone."
    ]


def unpaired(known: Known) -> list[str]:
    """Return which runs stand in no pair on a metric, and why."""
    said: dict[str, None] = {}
    for row in known.rows:
        for place, run in enumerate(known.runs):
            own = [cell for cell in row.cells if place in (cell.a, cell.b)]
            reason = next((cell.reason for cell in own if cell.reason), None)
            if own and reason and all(cell.status == "not_available" for cell in own):
                told = with_labels(reason, known.runs[own[0].a].label, known.runs[own[0].b].label)
                said[f"{run.label} stands in no pair on {row.task}: {told}."] = None
    return list(said)[:NAMED]


def verdict(kind: VerdictKind, parts: Sequence[str], then: Next) -> MatrixVerdict:
    """Return a verdict whose sentence is its parts."""
    return MatrixVerdict(kind, " ".join(parts), tuple(parts), then.text)


def pair_sentence(
    rows: Sequence[MatrixRow], runs: Sequence[Run], cells: Sequence[MatrixCell], apart: Sequence[MatrixCell]
) -> str:
    """Return how many pairs of runs differ."""
    tests = f"{counted(len(cells), 'pair')} on {counted(len(rows), 'metric')} (Holm over all)"
    if not apart:
        if all(cell.status == "same" for cell in cells):
            return f"All are equivalent within the margin, {tests}."
        blind = [row.metric for row in rows if row.higher_is_better is None]
        if blind:
            return f"No two runs differ for better or worse, {tests}: no file says which way {listed(blind)} goes."
        return f"Inconclusive: no two runs differ significantly, {tests}."
    return f"{len(apart)} of {tests} {'differs' if len(apart) == 1 else 'differ'} significantly."


def pairs_named(rows: Sequence[MatrixRow], runs: Sequence[Run]) -> str:
    """Return the first pairs of runs that differ significantly, each with its number and range."""
    told = [
        f"{runs[cell.b].label} is {STATUSES[cell.status].word} than {runs[cell.a].label} on {gap_words(row, cell)}"
        for row in rows
        for cell in row.cells
        if cell.is_apart
    ]
    more = f", and {counted(len(told) - NAMED, 'more pair')}" if len(told) > NAMED else ""
    return f"{'; '.join(told[:NAMED])}{more}."


def gap_words(row: MatrixRow, cell: MatrixCell) -> str:
    """Return where two runs differ, by how much, and the range of that."""
    reach = interval(cell.low, cell.high, row.in_points, cell.confidence)
    gap = amount_beside(cell.difference, cell.low, cell.high, row.in_points)
    return f"{row.task}: {metric_name(row.metric, row.filter)} {gap}{f' ({reach})' if reach else ''}"


def effect_parts(known: Known) -> tuple[list[str], list[str]]:
    """Return which settings moved a score, and which did not or are told apart by no run."""
    rows = {row.key: row for row in known.rows}
    moved, still, untold = [], [], []
    for step in factor_steps(known.factors):
        own = effects_of_step(step, known.effects)
        told = [each for each in own if each.difference is not None]
        if any(is_significant(each) for each in told):
            moved.append((step.factor.keys, told))
        elif told:
            still.append((step.factor.keys, told))
        elif own and not any(is_of(step, one) for one in known.odd):
            untold.append(step)
    for keys in joint_keys(known):
        told = [each for each in known.effects if each.settings == keys]
        if any(map(is_significant, told)):
            moved.append((keys, told))
    moved.sort(key=lambda one: (not is_of_first(one[1]), -max(abs(each.difference or 0.0) for each in one[1])))
    parts = [effects_sentence(keys, told, rows, known.runs) for keys, told in moved[:NAMED]]
    if len(moved) > NAMED:
        rest = [changed_values_words(keys, told[0], known.runs) for keys, told in moved[NAMED:]]
        parts.append(f"{listed(rest)} moved a score, too.")
    others = []
    if still:
        others.append(still_sentence(still, rows, known.runs, lead=still_lead(known, bool(moved))))
    if untold:
        names = list(dict.fromkeys(settings_of_factor(step.factor) for step in untold))
        others.append(f"No run tells apart what each of these did: {listed(names, NAMED)}.")
    return parts, others


def is_of_first(told: Sequence[SettingEffect]) -> bool:
    """Say whether a significant effect is told by the first run and another: what the answer is about."""
    return any(each.a == 0 and not each.note for each in told if is_significant(each))


def is_of(step: Step, odd: Odd) -> bool:
    """Say whether a step is the one by which odd runs depart, or the other one that came with it."""
    return step.factor == odd.factor or (
        step.factor == odd.beside and step.level in {odd.beside.levels[place] for place in odd.runs}
    )


Told = tuple[tuple[str, ...], list[SettingEffect]]
"""Settings that changed together, and their effects."""


def effects_sentence(
    keys: Sequence[str], told: Sequence[SettingEffect], rows: Mapping[MetricKey, MatrixRow], runs: Sequence[Run]
) -> str:
    """Return what settings moved, the largest effects first, with their ranges."""
    moved = sorted(filter(is_significant, told), key=lambda each: -abs(each.difference or 0.0))
    first = moved[0]
    alone = len(told) == 1
    said = [
        f"{clause(each, rows[each.key], alone=alone)}{', ' + word if (word := way(each)) else ''}"
        for each in moved[:METRICS]
    ]
    more = f"; and {counted(len(moved) - METRICS, 'more metric')}" if len(moved) > METRICS else ""
    of = f" of {len(told)} metrics" if len(told) > 1 else ""
    note = f" ({first.note})" if first.note else ""
    verb = "move" if len(keys) > 1 else "moves"
    together = "together " if len(keys) > 1 else ""
    count = f"{len(moved)}{of}: " if of else ""
    return f"{changed_values_words(keys, first, runs)} {together}{verb} {count}{'; '.join(said)}{more}{note}."


def way(effect: SettingEffect) -> str:
    """Return whether an effect is for the better, "" where no file says which way is."""
    return STATUSES[effect.status].word if effect.status in ("better", "worse") else ""


def clause(effect: SettingEffect, row: MatrixRow, *, alone: bool) -> str:
    """Return an effect on one metric with its range, the number first where other metrics are beside it."""
    reach = f"{level(effect.confidence)} CI {between(effect.low, effect.high, row.in_points)}"
    gap, place = (
        f"{amount_beside(effect.difference, effect.low, effect.high, row.in_points)} ({reach})",
        effect_place(effect),
    )
    return f"{place} {gap}" if alone else f"{gap} on {place}"


def still_sentence(
    still: Sequence[Told], rows: Mapping[MetricKey, MatrixRow], runs: Sequence[Run], *, lead: str
) -> str:
    """Return which steps have no significant effect, each with its largest one."""
    said = []
    for keys, told in still[:NAMED]:
        largest = max(told, key=lambda each: abs(each.difference or 0.0))
        row = rows[largest.key]
        place = f" on {effect_place(largest)}" if len(rows) > 1 else ""
        most = "largest estimate " if len(told) > 1 else ""
        reach = interval(largest.low, largest.high, row.in_points, largest.confidence)
        gap = amount_beside(largest.difference, largest.low, largest.high, row.in_points)
        gap = f"{gap}{f' ({reach})' if reach else ''}"
        by = largest.note
        for plain in (ALONE, IN_THESE):  # what a pair is mostly: the table says it in full
            by = by.removesuffix(plain)
        said.append(f"{changed_values_words(keys, largest, runs)}: {most}{gap}{place}{f', {by}' if by else ''}")
    more = f"; and {counted(len(still) - NAMED, 'more')}" if len(still) > NAMED else ""
    return f"{lead}: {'; '.join(said)}{more}."


def still_lead(known: Known, moved: bool) -> str:
    """Return what steps without a significant effect mean: beside others that moved a score, or runs that differ."""
    if moved:
        return "No significant effect"
    apart = any(cell.is_apart for row in known.rows for cell in row.cells)
    return "No single change among the runs is significant" if apart else "No change has a significant effect"


def effect_place(effect: SettingEffect) -> str:
    """Return the task and metric of an effect."""
    return f"{effect.task} {metric_name(effect.metric, effect.filter)}"


def settings_of_factor(factor: Factor) -> str:
    """Return the settings that always changed together, as a phrase."""
    return listed([setting_word(key) for key in factor.keys])


def changed_values_words(keys: Sequence[str], effect: SettingEffect, runs: Sequence[Run]) -> str:
    """Return settings with their values before and after, the first few of many."""
    found = {one.key: one for one in differences_between(runs[effect.a], runs[effect.b])}
    said = [f"{setting_word(key)}{f' ({both_values(found[key])})' if key in found else ''}" for key in keys]
    return listed(said, NAMED - 1) if len(said) > NAMED else listed(said)
