"""Every pair of many runs on every metric: what each run holds is made once, and why no word is given where none is."""

from collections.abc import Mapping, Sequence

from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.invalid_tasks import missing_reason, reasons
from diptych.diagnose.samples.paired_scores import Dependence, PairedScores
from diptych.diagnose.scores.groups import group_input
from diptych.diagnose.scores.indexed_scores import PairScores
from diptych.diagnose.scores.reported_scales import Sides, item_scores
from diptych.diagnose.scores.rows import why_no_difference
from diptych.diagnose.scores.test_inputs import test_input_of
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.run import Run
from diptych.sides import Sided, Whose, each_side
from diptych.stats.estimate_by_level import Measured
from diptych.stats.select import measure

Pair = tuple[int, int]
"""Two runs by place, the earlier first."""


class PairFind(NamedTuple):
    """Two runs on one metric: what was measured or why nothing was; with a measurement, why no word is given on it."""

    measured: Measured | None
    reason: str | None


class Whys(NamedTuple):
    """Task -> why a run's scores measure nothing (None: all of them), and why its log is too short for a word."""

    invalid: dict[str | None, str]
    incomplete: dict[str | None, str]


def all_pairs(
    runs: Sequence[Run],
    whys: Sequence[Whys],
    options: Options,
    ties: Mapping[str, Mapping[str, Dependence]],
) -> dict[MetricKey, dict[Pair, PairFind]]:
    """Return every pair of runs on every metric that both have as a number; what each run holds is made once."""
    keys, scores = shared_keys(runs), PairScores(options, ties)
    by_key = [{score.key: score for score in run.scores if score.value is not None} for run in runs]
    found: dict[MetricKey, dict[Pair, PairFind]] = {key: {} for key in keys}
    for one, a in enumerate(runs):
        for other in range(one + 1, len(runs)):
            b, paired = runs[other], scores.of(a, runs[other])
            for key in keys:
                sides = Sided(by_key[one].get(key), by_key[other].get(key))
                if sides.a is not None and sides.b is not None:
                    found[key][one, other] = pair_find(key, sides, a, b, paired, (whys[one], whys[other]), options)
    return found


def pair_find(
    key: MetricKey,
    sides: Sides,
    a: Run,
    b: Run,
    paired: Mapping[str, PairedScores],
    whys: tuple[Whys, Whys],
    options: Options,
) -> PairFind:
    """Return two of the runs on one metric, its level still open."""
    group = any(side is not None and side.group for side in sides)
    inside = members_of(key.task, {**b.groups, **a.groups}) if group else []
    invalid = next(
        (why for each in whys for task in (*inside, key.task, None) if (why := each.invalid.get(task))), None
    )
    why = why_no_difference(key, sides, item_scores(paired, key), a, b) or invalid
    if why:
        return PairFind(None, why)
    incomplete = next(
        (why for each in whys for task in (*inside, key.task) if (why := each.incomplete.get(task))), None
    )
    made = group_input if group else test_input_of
    return PairFind(measure(made(key, sides, a, b, paired, options)), incomplete)


def shared_keys(runs: Sequence[Run]) -> list[MetricKey]:
    """Return the metrics that at least two runs have as a number, in the order they appear; inner groups left out."""
    seen: dict[MetricKey, int] = {}
    for run in runs:
        inner = {name for tasks in run.groups.values() for name in tasks}
        for score in run.scores:
            if score.value is not None and not (score.group and score.task in inner):
                seen[score.key] = seen.get(score.key, 0) + 1
    return [key for key, count in seen.items() if count >= 2]


def whys_of(evidence: Sequence[Evidence]) -> list[Whys]:
    """Return for each run why its tasks measure nothing or too little, from the comparisons with the first."""
    first, others = Whys({}, {}), []
    for each in evidence:
        own = Whys(reasons(on_side(each.invalid_tasks, "both")), {})
        for side, whys in each_side(first, own):
            whys.invalid.update(reasons(on_side(each.invalid_tasks, side)))
            lacking = on_side(each.incomplete_tasks, side)
            whys.incomplete.update({task: missing_reason(found) for task, found in lacking.items()})
        others.append(own)
    return [first, *others]


def on_side(found: Mapping[str | None, Invalid], side: Whose) -> dict[str | None, Invalid]:
    """Return what was found of one side, or of both together."""
    return {task: one for task, one in found.items() if one.side == side}
