"""Runs that are given as repeats and are none: their responses are another run's, from a cache, a seed or a copy.

Equal responses alone show nothing where the likeliest answer is taken; they do where answers are drawn, and where the
run had a response cache to answer from.
"""

from collections.abc import Sequence
from typing import Literal

from diptych.comparison import Finding, LeftOut
from diptych.diagnose.samples.misplaced_responses import TELLING
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.score_checks import FEWEST_LIKELIHOODS
from diptych.diagnose.settings.no_effect_rules import draws, given_values
from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import counted
from diptych.run import Run
from diptych.sample_log import SampleLog

COOL = 0.1
"""Below this temperature drawing is nearly taking the likeliest answer."""

Source = Literal["copy", "cache", "seeds", "unknown"]


class Replay(NamedTuple):
    """A run (by place) that holds the responses of an `original`, how many of them, and where they come from.

    `items` is None where no samples show them: then the scores are equal.
    """

    run: int
    original: int
    source: Source
    items: int | None
    drawn: bool


class Equal(NamedTuple):
    """How many responses of one task are all equal, and how many of those are too long for chance."""

    items: int
    telling: int


def replays_in(runs: Sequence[Run], seeds: Sequence[str]) -> tuple[Replay, ...]:
    """Return the runs that replay an earlier one, the earliest by date being the original; `seeds` are keys."""
    order = sorted(range(len(runs)), key=lambda place: runs[place].date or "")
    found: dict[int, Replay] = {}
    for at, late in enumerate(order):
        originals = (early for early in order[:at] if early not in found)
        replayed = (replay_of(runs, early, late, seeds) for early in originals)
        if one := next((each for each in replayed if each), None):
            found[late] = one
    return tuple(found[place] for place in sorted(found))


def replay_of(runs: Sequence[Run], early: int, late: int, seeds: Sequence[str]) -> Replay | None:
    """Return that the later of two runs holds the responses of the earlier one, None where it may have made its own."""
    one, other = runs[early], runs[late]
    if is_copy(one, other):
        return Replay(late, early, "copy", None, drawn=False)
    cached = bool(other.recorded("use_cache"))
    tasks = [task for task in other.samples if task in one.samples]
    drawn = [task for task in tasks if is_drawn(other, task)]
    if not drawn and not cached:
        return None
    found = {task: equal_responses(one.samples[task], other.samples[task]) for task in (tasks if cached else drawn)}
    shown = [each for task in drawn if (each := found[task]) and each.telling >= FEWEST_LIKELIHOODS]
    if shown:
        source: Source = "cache" if cached else "seeds" if same_seeds(one, other, seeds) else "unknown"
        return Replay(late, early, source, sum(each.items for each in shown), drawn=True)
    whole = [each.items for each in found.values() if each]
    if cached and len(whole) == len(tasks) and (whole or same_scores(one, other)):
        return Replay(late, early, "cache", sum(whole) if whole else None, drawn=False)
    return None


def is_copy(one: Run, other: Run) -> bool:
    """Say whether both were read from the same results: no two runs write the same dates and durations."""
    digests = [{each.sha256 for each in run.inputs if each.name.endswith(run.results_file)} for run in (one, other)]
    return bool(digests[0]) and digests[0] == digests[1]


def is_drawn(run: Run, task: str) -> bool:
    """Say whether a task's responses are drawn so that two runs of some length cannot agree by chance."""
    alone = run._replace(task_settings={task: run.task_settings.get(task, {})})
    heat = [value for value in given_values(alone, "temperature") if isinstance(value, (int, float))]
    return bool(draws(alone)) and max(heat, default=1.0) >= COOL and 1 not in given_values(alone, "top_k")


def same_seeds(one: Run, other: Run, seeds: Sequence[str]) -> bool:
    """Say whether two runs record seeds, and the same ones."""
    values = [[run.recorded(key) for key in seeds] for run in (one, other)]
    return values[0] == values[1] and any(value is not None for value in values[0])


def same_scores(one: Run, other: Run) -> bool:
    """Say whether all scores that two runs share are equal to the last digit."""
    values = [{score.key: score.value for score in run.scores if score.value is not None} for run in (one, other)]
    shared = values[0].keys() & values[1].keys()
    return bool(shared) and all(values[0][key] == values[1][key] for key in shared)


def equal_responses(a: SampleLog, b: SampleLog) -> Equal | None:
    """Return how many shared items have the same responses letter for letter; None where one has not."""
    filters = align(a, b).filters
    if not filters or not filters[0].rows_a:
        return None
    telling = 0
    for left, right in zip(a.lines(filters[0].rows_a), b.lines(filters[0].rows_b), strict=True):
        if not left.same_responses(right):
            return None
        telling += left.response_size() >= TELLING
    return Equal(len(filters[0].rows_a), telling)


def why_no_repeat(replay: Replay, runs: Sequence[Run]) -> str:
    late, early = runs[replay.run].label, runs[replay.original].label
    if replay.source == "copy":
        return f"{late} is a copy of {early}: both were read from the same results."
    equal = "all scores are equal to the last digit"
    if replay.items:
        equal = f"all {counted(replay.items, 'response')} are equal letter for letter"
    drawn = " though answers are drawn" if replay.drawn else ""
    return f"{late} replays {early}: {equal}{drawn}{SHOWN[replay.source].format(late=late)}."


SHOWN = {
    "cache": ", and {late} ran with a response cache (use_cache)",
    "seeds": "; both runs have the same seeds",
    "unknown": ", so a cache or the server answered with what it had kept",
}
"""What else stands in the files of a replay."""

ADVICE = {
    "copy": "name each run once",
    "cache": "run it again without --use_cache, each run with its own seed",
    "seeds": "give each run its own seed (--seed; a server takes it as gen_kwargs seed=N)",
    "unknown": "run it again past every cache, each run with its own seed",
}
"""What to do about a replay, by where its responses come from."""


def replay_finding(replay: Replay, runs: Sequence[Run]) -> Finding:
    """Return what a reader must know of a run that is not counted."""
    text = f"{why_no_repeat(replay, runs)} It is not counted as a repeat: {ADVICE[replay.source]}."
    return Finding("cache_suspected", "warning", text, None, None, replay.items, replay.items)


def replay_left_out(replay: Replay, runs: Sequence[Run]) -> LeftOut:
    """Return the entry of what is left out."""
    why = "a copy of" if replay.source == "copy" else "it replays"
    return LeftOut(f"the run {runs[replay.run].label}", 1, f"{why} {runs[replay.original].label}")


def refuse_without_repeats(replays: Sequence[Replay], runs: Sequence[Run]) -> None:
    """Raise a `RunError` where less than two runs are left that are no replays."""
    if len(runs) - len(replays) < 2:
        raise RunError(
            " ".join(why_no_repeat(each, runs) for each in replays) + " One run is no repeat of itself.",
            where=runs[replays[0].run].source,
            hint=ADVICE[replays[0].source],
        )
