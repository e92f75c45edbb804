"""Runs among many that say what an earlier one says, to the last digit: no second measurement, wherever they stand."""

from array import array
from collections.abc import Callable, Mapping, Sequence

from diptych.catalogue.words import setting_word
from diptych.comparison import Comparison
from diptych.diagnose.odd_runs import differences_between
from diptych.diagnose.varied_settings import keys_if_alike
from diptych.diagnose.verdict.value_words import both_values
from diptych.diagnose.verdict.verdict_kind import one_file
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import listed
from diptych.run import Run

NAMED = 3
"""Runs or settings that a sentence names."""


class Double(NamedTuple):
    """A run (by place) whose every response and score is an earlier one's; `keys` is what they record otherwise.

    `one_file`: both were read from one results file.
    """

    of: int
    run: int
    keys: tuple[str, ...] = ()
    one_file: bool = False


def doubles_of(
    runs: Sequence[Run], alike: Mapping[int, tuple[str, ...]], compare: Callable[[Run, Run], Comparison]
) -> tuple[Double, ...]:
    """Return each run that is an earlier one's double; those of the first run are known (`alike`), files apart."""
    prints = [item_scores(run) for run in runs]
    found: list[Double] = []
    for place, run in enumerate(runs):
        heads = [at for at in range(place) if all(at != one.run for one in found)]
        for head in heads:
            keys = alike.get(place) if head == 0 else None
            if head and prints[head] == prints[place] is not None:
                keys = keys_if_alike(compare(runs[head], run), runs[head], run)
            if one_file(runs[head], run) or keys is not None:
                found.append(Double(head, place, keys or (), one_file(runs[head], run)))
                break
    return tuple(found)


def item_scores(run: Run) -> Mapping[str, tuple[bytes, ...]] | None:
    """Return what the logs of two doubles have in common at least, None without logs: their items and the scores."""
    logs = {task: log.columns for task, log in run.samples.items()}
    made = {
        task: (columns.doc_hashes, *(array("d", columns.values[name]).tobytes() for name in sorted(columns.values)))
        for task, columns in logs.items()
    }
    return made or None


def doubles_sentences(found: Sequence[Double], runs: Sequence[Run]) -> list[str]:
    """Return which runs are doubles of which, and that what differs there cannot have acted."""
    files: dict[int, list[str]] = {}
    others: dict[tuple[int, str], list[str]] = {}
    for one in found:
        if one.one_file:
            files.setdefault(one.of, []).append(runs[one.run].label)
        else:
            others.setdefault((one.of, idle_clause(one, runs)), []).append(runs[one.run].label)
    said = [
        f"{listed([runs[of].label, *names], NAMED + 1)} are one and the same results file: one measurement, not "
        f"{len(names) + 1}."
        for of, names in files.items()
    ]
    said += [
        f"Every response and score of {listed(names, NAMED)} is that of {runs[of].label} on all shared items{idle}."
        for (of, idle), names in others.items()
    ]
    return said[:NAMED]


def idle_clause(one: Double, runs: Sequence[Run]) -> str:
    """Return that what a double records otherwise cannot have acted, "" where that is nothing."""
    found = {each.key: each for each in differences_between(runs[one.of], runs[one.run])}
    named = [f"{setting_word(key)} ({both_values(found[key])})" for key in one.keys if key in found]
    return f": {listed(named, NAMED)} cannot have acted" if named else ""


def all_doubles(found: Sequence[Double], runs: Sequence[Run]) -> bool:
    """Say whether all runs are one and the same measurement."""
    return len([one for one in found if one.of == 0]) == len(runs) - 1
