"""Which run to make next, among many: one that is not there, and only where it can change what is known."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import setting_word
from diptych.comparison import IsolatingRun
from diptych.diagnose.doubles import Double, all_doubles
from diptych.diagnose.effects import FEWEST_ITEMS
from diptych.diagnose.odd_runs import Odd, values
from diptych.diagnose.settings.run_values import of_interface, takes_messages
from diptych.diagnose.unrecorded import Unrecorded
from diptych.diagnose.varied_settings import Factor, Step, factor_steps, own_pair
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.diagnose.verdict.more_items import items_words
from diptych.estimates import ALPHA
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import MatrixRow, SettingEffect
from diptych.numbers import listed, size
from diptych.run import Run
from diptych.stats.distributions import student_quantile
from diptych.stats.effects import most_telling_run, next_run_gains
from diptych.stats.power import detectable_t

SPREAD, ERROR = 0.05, 0.03
"""What a setting is thought to move a score by, and how well a run tells it: these rank next runs and nothing else."""


class Next(NamedTuple):
    """What to do next, in words; where that is a run, the run and the settings that it would tell apart."""

    text: str
    run: IsolatingRun | None = None
    settings: tuple[str, ...] = ()


class Known(NamedTuple):
    """What many runs have shown: their rows and effects on primary metrics, and rows that lead nowhere.

    `unrecorded` is that two runs differ though nothing on record that can act does; `odd` are the runs
    that alone depart from all others.
    """

    runs: Sequence[Run]
    factors: Sequence[Factor]
    rows: Sequence[MatrixRow]
    effects: Sequence[SettingEffect]
    subtasks: Sequence[MatrixRow] = ()
    """What stands behind a benchmark's own row."""
    filters: Sequence[MatrixRow] = ()
    """Other filters of the primary metrics."""
    unrecorded: Unrecorded | None = None
    odd: Sequence[Odd] = ()
    alike: Mapping[int, tuple[str, ...]] = {}
    """Runs (by place) whose every response and score is the first run's, with what they record otherwise."""
    doubles: Sequence[Double] = ()
    """Runs that say what an earlier one says."""


def run_to_make(known: Known, margin: float) -> Next:
    """Return what to do next: split what changed together and moved a score, fill a missing cell, or ask more items."""
    cells = [cell for row in known.rows for cell in row.cells]
    if cells and all(cell.status == "not_available" for cell in cells):
        return Next("Mend what keeps these runs from being compared, run those again, then compare.")
    if all_doubles(known.doubles, known.runs) and all(one.one_file for one in known.doubles):
        return Next("Give other runs: these are one file, so there is no gap to explain.")
    if known.unrecorded:
        return Next(unrecorded_step(known.unrecorded, known.runs))
    if known.odd:
        return made_alike(known)
    left = [step for step in factor_steps(known.factors) if could_tell_more(step, known)]
    if left:
        return splitting(left, known) or Next(
            f"Which of {listed([setting_word(key) for key in left[0].factor.keys])} acted is open, and no command "
            "changes one of them alone."
        )
    moved = [step for step in factor_steps(known.factors) if has_moved(step, known)]
    joint = [each for each in known.effects if each.settings in joint_keys(known) and is_significant(each)]
    if joint and not moved:
        return Next("No further run: what acts only where both are changed is shown by the run that has both.")
    if moved:
        done = "No further run: each setting that moved a score was changed alone."
        return missing_cell(moved, known) or Next(done)
    return Next(items_needed(known, margin) if known.effects else without_effects(known))


def unrecorded_step(found: Unrecorded, runs: Sequence[Run]) -> str:
    """Return how to tell what set two runs apart that are equal in all that can act."""
    if not found.sums:
        return "Look at what served each run, and write run-context.json beside it: an unrecorded setting changed."
    left, right = runs[found.a].label, runs[found.b].label
    named = listed([setting_word(key) for key in found.sums])
    return (
        f"Repeat {right} with {named} as in {left}: scores as {left}'s show that something is broken there; if they "
        f"stay, look at what served each run, and write run-context.json beside it."
    )


def made_alike(known: Known) -> Next:
    """Return that runs which alone depart from all others are to be repeated as those ran; a command for one run."""
    runs, odd = known.runs, known.odd
    told: dict[int, list[str]] = {}
    for one in odd:
        for place in one.runs:
            told.setdefault(place, []).append(values(one, runs, one.like, place))
    said = [f"{runs[place].label} with {listed(each)}" for place, each in told.items()]
    text = f"Repeat {listed(said)}, as the others ran."
    first = odd[0]
    command = None
    if len(told) == len(odd) == len(first.factor.keys) == 1:
        command = isolating_run(first.factor.keys[0], runs[first.runs[0]], runs[first.like])
    if command is None:
        return Next(text)
    key, beside = (setting_word(factor.keys[0]) for factor in (first.factor, first.beside))
    run = with_run_labels(command, runs[first.runs[0]], runs[first.like])._replace(
        if_closes=f"How far its scores move by it is the effect of {key} on this run.",
        if_stays=f"What still sets it apart from the others is not {key}, and may be {beside}.",
    )
    return Next(text, run, first.factor.keys)


def without_effects(known: Known) -> str:
    """Return what to do where the effect of no setting is known: nothing that can act differs, or items are missing."""
    if not known.factors:
        return "No recorded setting that can act differs: these are repeats, and diptych noise tells how far they move."
    if all(row.task in run.samples for row in known.rows for run in known.runs):
        return f"Effects need {FEWEST_ITEMS} items that all runs score: run all on the same, more items."
    return "Run all with --log_samples, on the same items: then these are paired, and effects can be told."


def joint_keys(known: Known) -> list[tuple[str, ...]]:
    """Return the settings of those effects that are of two factors at once."""
    alone = {factor.keys for factor in known.factors}
    return list(dict.fromkeys(each.settings for each in known.effects if each.settings not in alone))


def has_moved(step: Step, known: Known) -> bool:
    """Say whether a step's effect on some metric is significant, or, where none is known, two runs apart by it are."""
    own = effects_of_step(step, known.effects)
    if own:
        return any(is_significant(each) for each in own)
    levels = step.factor.levels
    return any(
        cell.is_apart and {levels[cell.a], levels[cell.b]} == {0, step.level}
        for row in known.rows
        for cell in row.cells
    )


def effects_of_step(step: Step, effects: Sequence[SettingEffect]) -> list[SettingEffect]:
    """Return the known effects of setting a step's factor to its level, one a metric."""
    factor = step.factor
    return [each for each in effects if each.settings == factor.keys and factor.levels[each.b] == step.level]


def is_significant(effect: SettingEffect) -> bool:
    """Say whether an effect is more than chance, whichever way its metric goes."""
    apart = effect.low is not None and effect.high is not None and not effect.low <= 0 <= effect.high
    return apart and effect.p_adjusted is not None and effect.p_adjusted < ALPHA


def could_tell_more(step: Step, known: Known) -> bool:
    """Say whether a further run could tell more of a step: it moved a score, or may have, and was not changed alone."""
    shown = len(step.factor.keys) == 1 and own_pair(known.factors, step.factor, step.level) is not None
    untold = any(each.difference is None for each in effects_of_step(step, known.effects))
    if step.factor.examples[step.level] in known.alike:
        return False  # a double of the first run shows that it does nothing
    return not shown and (untold or has_moved(step, known))


def splitting(left: Sequence[Step], known: Known) -> Next | None:
    """Return the run that repeats the first with one setting changed and tells most; None where no command does.

    The largest set of settings that no run tells apart is split first; of equal gains the first of the list wins.
    """
    runs = known.runs
    names = [f"{at:04d}|{key}" for at, key in enumerate(key for step in left for key in step.factor.keys)]
    owners = [step for step in left for _ in step.factor.keys]
    edges = [[float(one.factor.levels[place] == one.level) for one in owners] for place in range(1, len(runs))]
    candidates, commands = {}, {}
    for name, step in zip(names, owners, strict=True):
        key, there = name.partition("|")[2], runs[step.factor.examples[step.level]]
        if takes_messages(runs[0]) != takes_messages(there) and of_interface(key):
            continue  # template, backend and arguments come together: no run separates them
        command = isolating_run(key, runs[0], there)
        if command is not None:
            candidates[name], commands[name] = [float(name == other) for other in names], command
    if not candidates:
        return None
    sizes = {name: len(step.factor.keys) for name, step in zip(names, owners, strict=True) if name in candidates}
    kept = {name: row for name, row in candidates.items() if sizes[name] == max(sizes.values())}
    gains, _ = next_run_gains(edges, kept, SPREAD, ERROR)
    best = most_telling_run(gains) or ""
    step = owners[names.index(best)]
    there = runs[step.factor.examples[step.level]]
    others = [setting_word(key) for key in step.factor.keys if not commands[best].takes(key)]
    with_what = f": here it changed with {listed(others, 4)}" if others else ": no two runs differ in it alone"
    text = (
        f"Repeat {runs[0].label} with only {setting_word(commands[best].changes)} taken from {there.label}{with_what}."
    )
    return Next(text, with_run_labels(commands[best], runs[0], there), step.factor.keys)


def with_run_labels(run: IsolatingRun, a: Run, b: Run) -> IsolatingRun:
    """Return a run whose notes name the two runs that it is made of: a matrix has no A and B."""
    lines = [with_labels(line, a.label, b.label) if line.startswith("#") else line for line in run.command.split("\n")]
    return run._replace(command="\n".join(lines))


def missing_cell(moved: Sequence[Step], known: Known) -> Next | None:
    """Return the run that has two changes which each moved a score, where none has both; None where nothing lacks."""
    for one, other in combinations(moved, 2):
        if one.factor is other.factor or len(one.factor.keys) + len(other.factor.keys) > 2:
            continue
        levels = zip(one.factor.levels, other.factor.levels, strict=True)
        pairs = [own_pair(known.factors, step.factor, step.level) for step in (one, other)]
        if (one.level, other.level) in levels or not all(pairs):
            continue
        (_, first), (_, second) = (pair for pair in pairs if pair)
        key = other.factor.keys[0]
        command = isolating_run(key, known.runs[first], known.runs[second])
        if command is not None:
            text = (
                f"Repeat {known.runs[first].label} with only {setting_word(key)} taken from "
                f"{known.runs[second].label}: no run has both changes, so whether their effects add is not seen."
            )
            return Next(
                text,
                with_run_labels(command, known.runs[first], known.runs[second]),
                (*one.factor.keys, *other.factor.keys),
            )
    return None


def items_needed(known: Known, margin: float) -> str:
    """Return about how many items would show an effect of the margin, of the setting that needs most."""
    rows = {row.key: row for row in known.rows}
    found = [
        (math.ceil(row.pairs * (detectable_t(effect_error(each, row.pairs), row.pairs - 1, alpha) / margin) ** 2), row)
        for each in known.effects
        if (row := rows.get(each.key)) and row.pairs and each.low is not None and each.high is not None
        if row.in_points and margin and (alpha := 1.0 - each.confidence) > 0
    ]
    apart = any(cell.is_apart for row in known.rows for cell in row.cells)
    start = f"No single change is shown to {'have made that' if apart else 'move a score'}."
    if not found:
        return start
    needed, row = max(found, key=lambda one: (one[0], one[1].task))
    pairs, whole = row.pairs or 0, max(run.expected.get(row.task, 0) for run in known.runs)
    return f"{start} {items_words(row.task, pairs, max(needed, pairs + 1), whole, f'±{size(margin)} pp', 'all')}"


def effect_error(effect: SettingEffect, pairs: int) -> float:
    """Return the standard error behind an effect's range over some shared items."""
    half = ((effect.high or 0.0) - (effect.low or 0.0)) / 2.0
    return half / student_quantile(0.5 + effect.confidence / 2.0, pairs - 1)
