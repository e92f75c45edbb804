"""Repeats of one configuration: that they are one, and by how much two fresh runs of it may differ."""

import json
import math
from collections.abc import Mapping, Sequence

from diptych.catalogue.settings import rank_of
from diptych.comparison import Finding
from diptych.diagnose.damage import damage_in
from diptych.diagnose.false_repeats import refuse_without_repeats, replay_finding, replay_left_out, replays_in
from diptych.diagnose.run_headers import header
from diptych.diagnose.samples.row_pairs import WIDTH, filter_rows
from diptych.diagnose.scores.sentences import noise_sentence
from diptych.diagnose.settings.differences import setting_differences
from diptych.errors import RunError
from diptych.estimates import NoiseFloor
from diptych.metric_key import MetricKey
from diptych.numbers import all_in_points, floor_text, listed
from diptych.provenance import Input, Provenance
from diptych.repeats import Repeats
from diptych.run import Run
from diptych.stats.distributions import normal_quantile, student_quantile
from diptych.stats.rerun_noise import RepeatsSummary, items_or_repeats, summarize_repeats
from diptych.value_text import metric_name, rule_name
from diptych.version import VERSION

SEEDS = ("random_seed", "numpy_seed", "torch_seed", "gen_kwargs.seed", "model_args.seed")
"""What repeats of one configuration may differ in (not the seed that draws examples: it changes prompts)."""


def repeats_of(given: Sequence[Run], title: str) -> Repeats:
    """Return the noise floor of every metric from k >= 2 runs of one configuration; what replays another is left out.

    A `RunError` names the first setting that makes them more than one configuration, or why too few are repeats.
    """
    for other in given[1:]:
        refuse_another_configuration(given[0], other)
    replays = replays_in(given, SEEDS)
    refuse_without_repeats(replays, given)
    gone = {each.run for each in replays}
    runs = [run for place, run in enumerate(given) if place not in gone]
    keys = [score.key for score in runs[0].scores if all(reported_value(run, score.key) is not None for run in runs)]
    scores = {key: tuple(reported_value(run, key) for run in runs) for key in keys}
    summaries = {key: scores_of_repeats(runs, key) for key in keys}
    labels = tuple(run.label for run in runs)
    floors = {key: noise_floor_of(summary, labels, all_in_points(scores[key])) for key, summary in summaries.items()}
    parted = any(summary.sigma_run is not None for summary in summaries.values())
    return Repeats(
        id=configuration_digest(runs[0]),
        title=title or f"{len(runs)} runs of one configuration",
        configuration=configuration_digest(runs[0]),
        runs=tuple(header(run) for run in runs),
        scores=scores,
        floors=floors,
        findings=(
            *damage_in(given),
            *(replay_finding(each, given) for each in replays),
            *repeats_findings(summaries, floors),
        ),
        left_out=tuple(replay_left_out(each, given) for each in replays),
        provenance=Provenance(
            diptych_version=VERSION,
            methods=("noise_floor", "run_item_parts") if parted else ("noise_floor",),
            inputs=tuple(Input(source.name, source.sha256) for run in runs for source in run.inputs),
        ),
        floor_basis=basis_of(list(floors.values())),
        next_step=repeats_step(floors, scores),
    )


MANY = 6
"""Repeats from which a floor is little wider than their spread makes it."""


def basis_of(floors: Sequence[NoiseFloor]) -> str:
    """Return why floors are so much wider than the scores' spread; "" where none rests on a spread."""
    known = [floor for floor in floors if floor.floor and floor.spread]
    if not known:
        return ""
    one = max(known, key=lambda floor: floor.runs)
    times, of_many = (one.floor or 0.0) / one.spread, normal_quantile(0.975) * math.sqrt(2.0)
    return (
        f"The floor is {times:.1f} times the standard deviation of the scores: with no more than {one.runs} repeats "
        f"that itself is hardly known (with many the floor would be {of_many:.1f} times it)."
    )


def repeats_step(floors: Mapping[MetricKey, NoiseFloor], scores: Mapping[MetricKey, Sequence[float | None]]) -> str:
    """Return what to do with some floors: make more repeats while the widest is wide for their number alone, or use."""
    moved = [key for key in floors if floors[key].floor and floors[key].spread]
    use = "hold other runs of this configuration against the floor (diptych compare --noise FILE)."
    if not moved:
        return f"Keep this as a file (--out FILE) and {use}"
    widest = max(moved, key=lambda key: floors[key].floor or 0.0)
    one = floors[widest]
    if one.runs >= MANY:
        return f"Keep this as a file (--out FILE) and {use}"
    fewer = one.spread * student_quantile(0.975, MANY - 1) * math.sqrt(2.0)
    share = all_in_points(scores[widest])
    return (
        f"Run {MANY - one.runs} more repeats with other seeds: from {MANY} runs that spread as these do, the floor "
        f"would be about {floor_text(fewer, share)} and not {floor_text(one.floor or 0.0, share)}. Then {use}"
    )


def refuse_another_configuration(first: Run, other: Run) -> None:
    """Raise a `RunError` where two runs differ in more than their seeds and what answered in a model's place."""
    for row in setting_differences(first, other):
        if row.key not in seeds_of_repeats(first) and not of_cache(row.key) and row.a_recorded and row.b_recorded:
            raise RunError(
                f"{first.label} and {other.label} are not one configuration: {row.key} differs ({row.a!r}, {row.b!r})",
                where=other.source,
                hint="a noise floor needs runs that differ in nothing but their seeds",
            )


def seeds_of_repeats(run: Run) -> tuple[str, ...]:
    """Return the seeds that repeats of a run may differ in; that of the examples where no task has any."""
    shots = [settings["num_fewshot"] for settings in run.task_settings.values() if "num_fewshot" in settings]
    none = bool(shots) and all(each.recorded and each.value in (0, None) for each in shots)
    return (*SEEDS, "fewshot_seed") if none else SEEDS


def of_cache(key: str) -> bool:
    """Say whether a setting keeps answers of an earlier run: it makes no other configuration, but perhaps no run."""
    return rank_of(key)[1].acts == ("cache",)


def configuration_digest(run: Run) -> str:
    """Return a digest of all recorded settings but seeds and caches: runs of one configuration share it."""
    import hashlib  # not for who compares without repeats

    seeds = seeds_of_repeats(run)
    body = {
        "settings": {
            key: None if of_cache(key) else each.value
            for key, each in run.settings.items()
            if each.recorded and key not in seeds
        },
        "tasks": {
            task: {key: each.value for key, each in settings.items() if each.recorded and key not in seeds}
            for task, settings in run.task_settings.items()
        },
        "context": run.context,
        "model": run.model,
    }
    return hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode("utf-8")).hexdigest()[:12]


def reported_value(run: Run, key: MetricKey) -> float | None:
    """Return the reported score of a metric, or None."""
    for score in run.scores:
        if score.key == key:
            return score.value
    return None


def scores_of_repeats(runs: Sequence[Run], key: MetricKey) -> RepeatsSummary:
    """Return what k scores of one metric say, split into items and reruns where all runs log the same items."""
    scores = [value for run in runs if (value := reported_value(run, key)) is not None]
    columns = [column_of(run, key) for run in runs]
    if any(column is None for column in columns):
        return summarize_repeats(scores)
    shared = [item for item in columns[0] or {} if all(item in (column or {}) for column in columns)]
    items = [[(column or {})[item] for item in shared] for column in columns]
    return summarize_repeats(scores, items) if len(shared) >= 2 else summarize_repeats(scores)


def column_of(run: Run, key: MetricKey) -> Mapping[object, float] | None:
    """Return item -> value of one metric as logged; None where the run has no samples of it."""
    task, metric, filter_name = key
    log = run.samples.get(task)
    if log is None or filter_name not in log.columns.filter_names or metric not in log.columns.values:
        return None
    columns = log.columns
    values = columns.values[metric]
    return {
        (columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH], str(columns.doc_ids[row])): float(values[row])
        for row in filter_rows(columns, filter_name)
        if math.isfinite(values[row]) and not columns.repeats[row]
    }


def noise_floor_of(summary: RepeatsSummary, labels: tuple[str, ...], share: bool) -> NoiseFloor:
    """Return the noun that a comparison of this configuration carries; `share`: its scores are told in points."""
    return NoiseFloor(
        runs=summary.runs,
        spread=summary.spread or 0.0,
        floor=summary.floor,
        sigma_run=summary.sigma_run,
        degrees_of_freedom=float(summary.df),
        labels=labels,
        sentence=noise_sentence(
            summary.runs,
            summary.floor,
            summary.changed_items,
            summary.changed_bound,
            share=share,
            items=summary.items,
        ),
        residual_error=summary.residual_error,
    )


def advice_of(summary: RepeatsSummary) -> str:
    """Return whether more items or more repeats halve the range of this score at less cost."""
    item, residual, run = (
        (each or 0.0) ** 2 for each in (summary.sigma_item, summary.sigma_residual, summary.sigma_run)
    )
    found = items_or_repeats(item, residual, run, summary.items or 1)
    if found.cheaper == "items":
        times = math.ceil((found.items or 0.0) * 10) / 10
        return f"to halve the range of this score, {times:g} times the items cost least."
    if found.cheaper == "repeats":
        return f"to halve the range of this score, {found.repeats} repeats cost least: which answers come varies most."
    return "neither more items nor more repeats alone halve the range of this score: it takes both."


def proposed_thresholds(repeats: Repeats) -> tuple[str, ...]:
    """Return a threshold a metric whose limit is the noise floor, rounded up; none where nothing moved."""
    return tuple(
        f"{rule_name(*key)}={math.ceil(floor.floor * 1e4) / 1e4:g}"
        for key, floor in repeats.floors.items()
        if floor.floor
    )


def repeats_findings(
    summaries: Mapping[MetricKey, RepeatsSummary], floors: Mapping[MetricKey, NoiseFloor]
) -> list[Finding]:
    """Return what a reader must know of the repeats, a sentence that holds for several metrics once."""
    said: dict[Finding, list[MetricKey]] = {}
    for key, summary in summaries.items():
        for finding in metric_findings(summary, floors[key].sentence):
            said.setdefault(finding, []).append(key)
    return [
        finding._replace(text=f"{metric_places(keys)}: {finding.text}", task=keys[0].task if same_task(keys) else None)
        for finding, keys in said.items()
    ]


def metric_places(keys: Sequence[MetricKey]) -> str:
    """Return the metrics that a sentence holds for."""
    return listed([f"{key.task} {metric_name(key.metric, key.filter)}" for key in keys], 3)


def same_task(keys: Sequence[MetricKey]) -> bool:
    """Say whether all metrics are of one task."""
    return len({key.task for key in keys}) == 1


def metric_findings(summary: RepeatsSummary, sentence: str) -> list[Finding]:
    """Return what a reader must know of one metric's repeats; which metric it is, is said by who gathers them."""
    found = [Finding("noise_floor", "note", sentence, None, None, summary.changed_items, summary.comparisons)]
    if summary.runs == 2:
        text = "two repeats hardly tell a floor (18 times their spread): three or more are worth it."
        found.append(Finding("noise_floor", "warning", text))
    if summary.sigma_item is not None and summary.items and (advice := advice_of(summary)):
        found.append(Finding("noise_floor", "note", advice))
    return found
