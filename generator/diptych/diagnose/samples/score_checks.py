"""Whether a score can be a measurement: near chance, at a bound, at odds with its own samples, the same twice."""

import math
from collections.abc import Mapping, Sequence

from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Contradicted
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.rescaled_scores import fitting_scale
from diptych.diagnose.samples.row_pairs import filter_rows
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_slices import Slice
from diptych.run import Run, Score
from diptych.sides import Side, each_side
from diptych.stats.paired import wilson

MEANS = frozenset({"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match", "em", "pass@1", "contains"})
"""Metrics that are means of their items where a task's definition does not say how they are made."""

ROUNDING = 5.1e-5
"""A reported mean may be rounded to four digits."""

FEWEST_FOR_CHANCE = 20
ABOVE_CHANCE = 0.1
"""A score is near chance where its 95 % interval holds chance, over so many items, and it is at most this far above."""


def near_chance(walk: Walk, paired: PairedScores) -> list[Finding]:
    """Return the sides whose accuracy over choices cannot be told from guessing."""
    found = []
    for guess in guesses(walk, paired):
        text = (
            f"{guess.side.upper()} scores {guess.score:.4f} in {walk.a.task} ({guess.metric}), near the "
            f"{guess.chance:.4f} that guessing among the choices would give: a broken run scores so, or a model that "
            "cannot answer questions of this form."
        )
        found.append(Finding("near_chance", "warning", text, guess.side, walk.a.task, None, guess.items))
    return found


class Guess(NamedTuple):
    """A side's accuracy over choices that cannot be told from guessing."""

    side: Side
    metric: str
    score: float
    chance: float
    items: int


def guesses(walk: Walk, paired: PairedScores) -> list[Guess]:
    """Return the sides whose accuracy over choices cannot be told from guessing, with their scores."""
    compared = walk.compared["responses"]
    if walk.kind != "choices" or not walk.numbers.chance or not compared:
        return []
    chance = walk.numbers.chance / compared
    found = []
    for side, columns in each_side(paired.all_a, paired.all_b):
        key = next((key for key in columns if key[1] in ("acc", "acc_norm") and all_binary(columns[key])), None)
        values = columns[key] if key else ()
        if len(values) < FEWEST_FOR_CHANCE or not key or walk.numbers.unmeasured.of(side):
            continue
        score = sum(values) / len(values)
        low, _ = wilson(sum(values), len(values), 0.95)
        if low <= chance and score <= chance + ABOVE_CHANCE:
            found.append(Guess(side, key[1], score, chance, len(values)))
    return found


GUESSES = {"perplexity": 1e6, "word_perplexity": 1e7, "byte_perplexity": 256.0, "bits_per_byte": 8.0}
"""What guessing evenly among all tokens, words or bytes would give; a model that reads its text stays far below."""


def worse_than_guessing(a: Run, b: Run) -> list[Finding]:
    """Return the sides whose perplexity is above what even guesses would give, once a task."""
    found: dict[tuple[str, str], Finding] = {}
    for side, run in each_side(a, b):
        for score in run.scores:
            bound = GUESSES.get(score.metric)
            if bound is None or score.value is None or score.group or score.value < bound:
                continue
            text = (
                f"{side.upper()} has {score.metric} {score.value:.4g} in {score.task}, above the {bound:.4g} that even "
                "guessing would give: rather a sign of a broken run (a missing start token, another text) than of a "
                "weak model."
            )
            finding = Finding("near_chance", "warning", text, side, score.task, None, run.items_of(score))
            found.setdefault((side, score.task), finding)
    return list(found.values())


def all_binary(values: Sequence[float]) -> bool:
    """Say whether values are all 0 or 1."""
    return bool(values) and set(values) <= {0.0, 1.0}


def at_bound(a: Run, b: Run) -> list[Finding]:
    """Return the scores of exactly 0 or 1, with what the number of items lets one say of them."""
    found: dict[tuple[str, str, float | None, int | None], list[tuple[Side, Score]]] = {}
    for side, run in each_side(a, b):
        for score in run.scores:
            if not score.group and score.value in (0.0, 1.0) and score.metric in MEANS and run.items_of(score):
                key = (score.task, f"{score.filter},{score.metric}", score.value, run.items_of(score))
                found.setdefault(key, []).append((side, score))
    together: dict[tuple[str, tuple[tuple[Side, float | None], ...]], list[tuple[Side, Score]]] = {}
    for (task, *_), scores in found.items():
        same = tuple((side, score.value) for side, score in scores)
        together.setdefault((task, same), []).extend(scores)
    return [bound_finding(task, scores, a, b) for (task, _), scores in together.items()]


def bound_finding(task: str, scores: list[tuple[Side, Score]], a: Run, b: Run) -> Finding:
    """Return one finding for the scores of a task at one bound on the same sides."""
    sides = sorted({side for side, _ in scores})
    side, score = scores[0]
    count = (a if side == "a" else b).items_of(score) or 1
    right = count if score.value == 1.0 else 0
    low, high = wilson(right, count, 0.95)
    items = "item" if count == 1 else "items"
    limit = f"at most {high:.4f}" if right == 0 else f"at least {low:.4f}"
    whose = "Both sides" if len(sides) == 2 else side.upper()
    verb = "score" if len(sides) == 2 else "scores"
    named = ", ".join(dict.fromkeys(f"{one.metric} {one.filter}" for _, one in scores))
    text = (
        f"{whose} {verb} exactly {score.value:.0f} in {task} ({named}): over {count} {items} that says {limit} "
        "(95 % Wilson), not certainty."
    )
    return Finding("score_at_bound", "note", text, "both" if len(sides) == 2 else side, task, right, count)


def reported_disagrees(a: Run, b: Run, walk: Walk, paired: PairedScores) -> list[Finding]:
    """Return for each side that a reported mean is not the mean of the samples' own values; the first, and how many."""
    found = []
    for side, (run, columns) in each_side((a, paired.all_a), (b, paired.all_b)):
        texts, first = [], None
        for score in run.scores:
            if score.task == walk.a.task and score.value is not None and is_mean(run, score):
                values = columns.get((score.filter, score.metric), ())
                rescaled = bool(values) and fitting_scale(score, values, None) is not None
                text = contradiction(score, values) if values else other_metric(run, score, columns)
                text = "" if rescaled else text
                texts += [text] if text else []
                first = first or (score if text else None)
        if first is not None:
            said = run.items_of(first)
            logged = len(columns.get((first.filter, first.metric), ())) or None
            over = f" over {said} items" if said else ""
            more = f" (and so for {len(texts) - 1} more metrics)" if len(texts) > 1 else ""
            text = (
                f"{side.upper()} reports {first.metric} {first.value:.4f} in {first.task}{over}, but its samples "
                f"{texts[0]}: the reported score and the log do not agree{more}."
            )
            found.append(Finding("reported_disagrees", "warning", text, side, first.task, logged, said))
    return found


def contradicted_report(a: Run, b: Run, walk: Walk, paired: PairedScores) -> tuple[Contradicted, ...]:
    """Return the first reported mean of each side that is not the mean of its own samples."""
    found = []
    for side, (run, columns) in each_side((a, paired.all_a), (b, paired.all_b)):
        for score in run.scores:
            values = columns.get((score.filter, score.metric), ())
            if score.task != walk.a.task or score.value is None or not values or not is_mean(run, score):
                continue
            if contradiction(score, values) and fitting_scale(score, values, None) is None:
                mean = sum(values) / len(values)
                found.append(Contradicted(walk.a.task, side, score.metric, score.value, mean))
                break
    return tuple(found)


def unlogged_scores(task: str, a: Run, b: Run, paired: PairedScores) -> tuple[str, ...]:
    """Return the metrics of which both sides report another score, and of which no log holds the items' scores."""
    theirs = {score.key: score.value for score in b.scores if score.task == task}
    return tuple(
        score.metric
        for score in a.scores
        if score.task == task and (score.filter, score.metric) not in paired.all_a and score.value is not None
        if (other := theirs.get(score.key)) is not None and not agrees(score.value, other)
    )


def contradiction(score: Score, values: Sequence[float]) -> str:
    """Return what the samples give in place of a reported mean, "" where they agree."""
    mean = sum(values) / len(values)
    agreed = score.value is None or agrees(score.value, mean)
    return "" if agreed else f"give {mean:.4f} over {len(values)}"


def other_metric(run: Run, score: Score, columns: Mapping[tuple[str, str], Sequence[float]]) -> str:
    """Return which other metric than the reported one the samples score, where it gives another value."""
    reported = {(one.filter, one.metric) for one in run.scores if one.task == score.task}
    for (filter_, metric), values in columns.items():
        if filter_ == score.filter and (filter_, metric) not in reported and all_binary(values):
            mean = sum(values) / len(values)
            if score.value is not None and not agrees(score.value, mean):
                return f"hold {metric} instead, {mean:.4f} over {len(values)}"
    return ""


def agrees(reported: float, mean: float) -> bool:
    """Say whether a reported mean is the samples' mean, but for rounding and a scale of 100."""
    near = max(ROUNDING, 1e-6 * abs(reported))
    return abs(reported - mean) <= near or (abs(mean) <= 1 < abs(reported) and abs(reported - 100 * mean) <= 100 * near)


def is_mean(run: Run, score: Score) -> bool:
    """Say whether a metric is the mean of its items, by the task's definition, else by its name."""
    listed = run.configs.get(score.task, {}).get("metric_list")
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict) and entry.get("metric") == score.metric and "aggregation" in entry:
            return bool(entry["aggregation"] == "mean")
    return score.metric in MEANS


def item_values(a: Run, b: Run, walk: Walk, paired: PairedScores) -> list[Finding]:
    """Return reported scores whose items carry no value, and item values that are no numbers."""
    found = []
    task = walk.a.task
    shared = {(score.filter, score.metric) for score in b.scores if score.task == task}
    named = [(score.filter, score.metric) for score in a.scores if score.task == task and score.value is not None]
    known = {key for key, columns in paired.values.items() if columns[0]} | set(paired.lists)
    if not any(len(found.items) for found in walk.filters.values()):  # what is in no pair may have a value all the same
        known |= {key for key in named if key[1] in walk.a.columns.values and key[1] in walk.b.columns.values}
    bare = [key for key in named if key in shared and key not in known]
    if bare:
        names = tuple(f"{metric},{filter_}" for filter_, metric in bare)
        text = (
            f"The samples of {task} hold no value per item for {', '.join(names[:3])}: there only the reported totals "
            "can be compared."
        )
        found.append(Finding("no_item_scores", "note", text, None, task, len(bare), len(named), names[:3]))
    for side, run in each_side(a, b):
        if not any(remark.kind == "score_sentinel" and remark.task == task for remark in run.remarks):
            found += not_numbers(walk, paired, side, run.samples[task])
    return found


def not_numbers(walk: Walk, paired: PairedScores, side: Side, log: object) -> list[Finding]:
    """Return the metrics of one side some of whose item values are no numbers."""
    columns = (walk.a if side == "a" else walk.b).columns
    found = []
    for name in walk.filters:
        rows = filter_rows(columns, name)
        for metric, column in columns.values.items():
            if (name, metric) in paired.lists:
                continue
            own = own_rows(rows, metric, columns.values, paired.slices.get(name, ()))
            bad = [row for row in own if not math.isfinite(column[row])]
            if bad and len(bad) < len(own):
                items = tuple(str(columns.doc_ids[row]) for row in bad[:3])
                good = [column[row] for row in own if math.isfinite(column[row])]
                wrong = f" Counted as wrong, they would make {sum(good) / len(own):.4f}." if all_binary(good) else ""
                text = (
                    f"{len(bad)} of {len(own)} item values of {metric} in {walk.a.task} are no numbers in "
                    f"{side.upper()}; those items are left out.{wrong}"
                )
                task = walk.a.task
                found.append(Finding("value_not_a_number", "warning", text, side, task, len(bad), len(own), items))
    return found


def own_rows(
    rows: Sequence[int], metric: str, values: Mapping[str, Sequence[float]], slices: Sequence[Slice]
) -> Sequence[int]:
    """Return the rows that a metric is over: all, or those of its slice, which no metric of another slice scores."""
    if not any(metric in one.metrics for one in slices):
        return rows
    others = [values[other] for one in slices if metric not in one.metrics for other in one.metrics if other in values]
    return [row for row in rows if not any(math.isfinite(column[row]) for column in others)]


FEWEST_LIKELIHOODS = 5
FEWEST_TEXTS = 20
SAME_PART = 0.1
"""Items whose answers must agree to the last digit before it is no chance: log-likelihoods have many digits."""
