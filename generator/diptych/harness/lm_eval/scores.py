"""The score rows of a results document: each score once, what is no metric left out, what is no number said so."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from diptych.catalogue.metrics import metric_of
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.lm_eval.score_columns import Columns, read_columns
from diptych.harness.lm_eval.score_tables import items_of_group, task_groups, task_rows
from diptych.harness.plausible_scores import (
    NOT_RUN,
    implied_count,
    is_absent,
    is_mark_beside,
    is_sentinel,
    most_error,
    no_share,
    out_of_range,
    plausible_error,
    scale_shown,
)
from diptych.harness.strict_values import score_number, typed_text
from diptych.run import Remark, Score

HIGHER = """
    acc acc_norm acc_all acc_bytes acc_mutual_info exact_match exact em f1 micro_f1 macro_f1 mcc
    bleu sacrebleu chrf rouge1 rouge2 rougeL rougeLsum meteor bertscore precision recall pass@1
    pass_at_1 prompt_level_strict_acc inst_level_strict_acc prompt_level_loose_acc
    inst_level_loose_acc mc1 mc2 bleu_acc rouge1_acc rouge2_acc rougeL_acc bleurt_acc math_verify
    contains accuracy matthews_correlation pearson spearman r2 likelihood_diff
"""
LOWER = """
    perplexity word_perplexity byte_perplexity bits_per_byte ppl mae mse rmse mape wer cer ter loss
    nll brier_score ece edit_distance
"""
DIRECTIONS: Mapping[str, bool] = dict.fromkeys(HIGHER.split(), True) | dict.fromkeys(LOWER.split(), False)

NUMBER = re.compile(r"\d+")

PLACEHOLDER = "bypass"

PERCENTS = frozenset({"bleu", "sacrebleu", "chrf", "ter"})


class Scores(NamedTuple):
    """The scores of a run, with its groups and what there is to say of them; `unread` are the columns of which neither
    a score nor an error came.
    """

    rows: tuple[Score, ...]
    groups: Mapping[str, tuple[str, ...]]
    remarks: tuple[Remark, ...]
    unread: tuple[str, ...] = ()


def read_scores(document: Mapping[str, Any], items: Mapping[str, int], logged: Collection[str] = ()) -> Scores:
    """Return every score of a results document once, whether it stands in `results`, in `groups` or in both.

    Of `logged` tasks there are samples, which tell what they score: of the others only the reported number can.
    """
    rows = task_rows(document)
    groups = task_groups(document, rows)
    scores: list[Score] = []
    remarks: list[Remark] = []
    unread: dict[str, None] = {}
    for task, row in rows.items():
        of = items.get(task)
        if of is None and task in groups:
            of = items_of_group(task, row, groups, items)
        columns = read_columns(row)
        graded = task in logged or may_be_graded(document, task)
        found, notes = scores_of_row(task, row, columns, document, of, group=task in groups, graded=graded)
        scores += found
        remarks += notes
        unread |= dict.fromkeys(unread_columns(row, columns))
    for part in ("results", "groups"):
        table = document.get(part)
        for task, row in table.items() if isinstance(table, dict) else ():
            if not isinstance(row, dict):
                remarks.append(not_a_number(str(task), "row", "no row of scores"))
    said = (*remarks, *scale_remarks(scores), *sentinel_remarks(scores))
    return Scores(tuple(scores), groups, said, tuple(f"results.{column}" for column in unread))


OF_A_ROW = frozenset({"alias", "name", "sample_len", "sample_count", " "})
"""Columns that name a row or count its items."""


def unread_columns(row: Mapping[str, Any], columns: Columns) -> list[str]:
    """Return the columns of a row of which neither a score nor an error came: companions of a metric, words."""
    used = {key for key, (metric, _) in columns.metrics.items() if metric != PLACEHOLDER}
    used |= {error.key for error in columns.errors.values()} | OF_A_ROW
    return [key for key in row if key not in used]


def scores_of_row(
    task: str,
    row: Mapping[str, Any],
    columns: Columns,
    document: Mapping[str, Any],
    items: int | None,
    *,
    group: bool,
    graded: bool,
) -> tuple[list[Score], list[Remark]]:
    """Return the scores of one row and the remarks on it; an item that may be `graded` is not right or wrong alone."""
    scores: list[Score] = []
    remarks: list[Remark] = []
    marks = not_run_keys(row, columns)
    for key, (metric, name) in columns.metrics.items():
        if metric == PLACEHOLDER:
            continue
        value, reason = score_number(number_in_text(row[key]))
        if reason and not is_absent(row[key]):
            remarks.append(not_a_number(task, key, reason))
        found = columns.errors.get((metric, name)) or columns.errors.get((metric.removesuffix("_avg"), name))
        given = number_in_text(row[found.key]) if found else None
        if key in marks or is_absent(row[key]):
            value, reason = None, f"{NOT_RUN}: {row[key]!s:.20}"
        plain = found is not None and found.plain and not group
        scale = scale_shown(metric, value, given, items) if plain else None
        if scale is None and value is not None and (beyond := out_of_range(metric, value)):
            remarks.append(not_a_number(task, key, beyond))
            value, reason = None, beyond
        of = implied_count(metric, value, given, items) if not group and scale is None else None
        if of is not None and not any(remark.kind == "reported_disagrees" for remark in remarks):
            remarks.append(fewer_items(task, metric, of, items))
        of = of or items
        if not (group or graded or scale) and (doubt := no_share(metric, value, given, of)):
            remarks.append(not_a_number(task, key, doubt))
            value, reason = None, doubt
        most = most_error(metric, value, of) if plain and scale is None else None  # dependent items may err by more
        error, error_reason = plausible_error(given, value, found is not None, of, most)
        if value is None:
            error, error_reason = None, error_reason or NOT_RUN
        direction, formula = direction_of(document, task, metric), scale.formula(metric) if scale else ""
        scores.append(Score(task, metric, name, value, error, direction, reason, error_reason, group, of, formula))
    for base in sorted(columns.orphans - {PLACEHOLDER}):
        text = f"{task} holds a standard error of {base} but no score of that name."
        remarks.append(Remark("value_not_a_number", "warning", text, task=task))
    if not scores:
        placeholder = any(metric == PLACEHOLDER for metric, _ in columns.metrics.values())
        remarks.append(nothing_scored(task, group, placeholder))
    return scores, remarks


def not_run_keys(row: Mapping[str, Any], columns: Columns) -> frozenset[str]:
    """Return the keys of a row whose number is a mark for "not run": by the metric's range, or by what is beside it."""
    values = {key: score_number(number_in_text(row[key]))[0] for key in columns.metrics}
    beside: dict[str, dict[str, float | None]] = {}
    for key, (metric, name) in columns.metrics.items():
        beside.setdefault(name, {})[metric] = values[key]
    return frozenset(
        key
        for key, (metric, name) in columns.metrics.items()
        if is_sentinel(metric, values[key])
        or (
            metric not in DIRECTIONS
            and not has_error(row, columns, (metric, name))
            and is_mark_beside(metric, values[key], beside[name])
        )
    )


def has_error(row: Mapping[str, Any], columns: Columns, key: tuple[str, str]) -> bool:
    """Say whether a standard error stands beside a score."""
    error = columns.errors.get(key)
    return error is not None and score_number(number_in_text(row[error.key]))[0] is not None


def may_be_graded(document: Mapping[str, Any], task: str) -> bool:
    """Say whether a task's definition allows items between right and wrong: its own scorer, or several answers each."""
    configs = document.get("configs")
    config = configs.get(task) if isinstance(configs, dict) else None
    if not isinstance(config, dict):
        return False
    return config.get("process_results") is not None or config.get("repeats") not in (None, 1)


def number_in_text(value: Any) -> Any:
    """Return the number that a text holds: a float of another width than Python's is written as one ("0.5")."""
    read = typed_text(value) if isinstance(value, str) else value
    return read if isinstance(read, int | float) and not isinstance(read, bool) else value


def fewer_items(task: str, metric: str, items: int, said: int | None) -> Remark:
    """Remark on a score over fewer items than the file says."""
    text = (
        f"{task} says {said:,} items, but the standard error of its {metric} is that of {items:,}: the score counts "
        f"as over {items:,} items. (Up to 0.4.11 a list of --samples leaves the full count in the file.)"
    )
    return Remark("reported_disagrees", "note", text, task, items, said)


def direction_of(document: Mapping[str, Any], task: str, metric: str) -> bool | None:
    """Say whether more is better: as the file says, else as the task's definition says, else as the metric is known."""
    directions = document.get("higher_is_better")
    row = directions.get(task) if isinstance(directions, dict) else None
    if isinstance(row, dict) and isinstance(row.get(metric), bool):
        return bool(row[metric])
    configs = document.get("configs")
    config = configs.get(task) if isinstance(configs, dict) else None
    listed = config.get("metric_list") if isinstance(config, dict) else None
    for entry in listed if isinstance(listed, list) else ():
        if (
            isinstance(entry, dict)
            and entry.get("metric") == metric
            and isinstance(entry.get("higher_is_better"), bool)
        ):
            return bool(entry["higher_is_better"])
    known = DIRECTIONS.get(metric, DIRECTIONS.get(metric.removesuffix("_avg")))
    return known if known is not None else direction_of_kin(metric, row, listed)


def direction_of_kin(metric: str, row: Any, listed: Any) -> bool | None:
    """Return the one direction of the metrics that are called alike but for their numbers (`at_8`, `at_16`)."""
    entries = [(each.get("metric"), each.get("higher_is_better")) for each in listed or () if isinstance(each, dict)]
    said = [*(row.items() if isinstance(row, dict) else ()), *entries]
    kind = NUMBER.sub("0", metric)
    named = [(name, way) for name, way in said if isinstance(name, str) and isinstance(way, bool)]
    kin = {way for name, way in named if NUMBER.sub("0", name) == kind}
    return kin.pop() if len(kin) == 1 else None


def sentinel_remarks(scores: Sequence[Score]) -> list[Remark]:
    """Remark on the scores that are marks for "not run"."""
    found = [score for score in scores if (score.reason or "").startswith(NOT_RUN)]
    if not found:
        return []
    named = tuple(f"{score.task} {score.metric}{score.reason.removeprefix(NOT_RUN)}" for score in found if score.reason)
    some = ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")
    text = (
        f"{len(found)} of {len(scores)} scores are marks for *not run*, no measurements: {some}; they are not compared."
    )
    task = found[0].task if len({score.task for score in found}) == 1 else None
    return [Remark("score_sentinel", "warning", text, task, len(found), len(scores))]


def not_a_number(task: str, key: str, reason: str) -> Remark:
    """Remark on a score that is no number."""
    return Remark("value_not_a_number", "warning", f"{task} {key}: {reason}; read as not available.", task=task)


def nothing_scored(task: str, group: bool, placeholder: bool) -> Remark:
    """Remark on a row without any metric."""
    if group:
        text = f"The group {task} reports no score of its own; its tasks do."
        return Remark("group_without_metric", "note", text, task=task)
    why = "the run only predicted" if placeholder else "the row holds no metric"
    return Remark("no_item_scores", "warning", f"{task} was not scored: {why}.", task=task)


def scale_remarks(scores: list[Score]) -> list[Remark]:
    """Remark on metrics of one kind that stand on 0–1 here and on 0–100 there, and on metrics that are percentages."""
    shares = [score for score in scores if metric_of(score.metric).unit == "fraction"]
    known = [(score, score.value) for score in shares if score.value is not None]
    large = [score for score, value in known if value > 1]
    small = [score for score, value in known if 0 < value <= 1]
    remarks = []
    if large and small:
        names = ", ".join(sorted({f"{score.task} {score.metric}" for score in large})[:5])
        text = f"Scores on 0–100 ({names}) stand beside scores on 0–1; they are not brought to one scale."
        remarks.append(Remark("scale_mixed", "warning", text, count_=len(large), of=len(known)))
    percents = sorted({score.metric for score in scores if score.metric in PERCENTS and (score.value or 0) > 1})
    if percents and small:
        text = f"{', '.join(percents)} runs from 0 to 100, the other metrics of this run from 0 to 1."
        remarks.append(Remark("scale_mixed", "note", text))
    return [*remarks, *rescaled_remarks(scores)]


def rescaled_remarks(scores: Sequence[Score]) -> list[Remark]:
    """Remark on the scores that are on another scale than a share, as their standard errors show."""
    found = [score for score in scores if score.scale]
    if not found:
        return []
    named = ", ".join(dict.fromkeys(f"{score.task} {score.metric} is {score.scale}" for score in found[:5]))
    text = f"{len(found)} of {len(scores)} scores are on another scale than a share, as their errors show: {named}."
    return [Remark("scale_rescaled", "warning", text, count_=len(found), of=len(scores))]
