"""The score rows of a results document: each score once, what is no metric left out, what is no number said so."""

import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf, nan
from typing import Any

from diptych.catalogue.metrics import metric_of
from diptych.harness.lm_eval.formats import NOT_METRICS
from diptych.harness.values import number, standard_error
from diptych.keys import MetricKey
from diptych.nouns import NamedTuple
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

ERROR_OF = re.compile(r"(?P<metric>.+?)_(?:stderr|std_err|se)(?P<kind>_[A-Za-z0-9_]+)?")
COMPANION_OF = re.compile(
    r"(?P<metric>.+?)_(?:std|stdev|stddev|sem|var|variance|ci|ci\d+|conf(?:idence)?(?:_interval)?|interval|margin_of_error"
    r"|lower|upper)(?:_[A-Za-z0-9_]+)?"
)
"""Columns that a fork adds beside a metric of that name: its spread, its interval, its count."""
LONGEST_NAME = 1_000
"""Signs of a metric's name: a longer one is no name, and is not searched for the parts of one."""

PLACEHOLDER = "bypass"
NOT_RUN = "not run"
"""How the reason of a score begins that is a mark for "not run", not a measurement."""

SENTINELS = frozenset({-1.0, -100.0, -999.0, -9999.0, 999.0, 9999.0, 99999.0})
"""Numbers that people write where there is none."""

FRACTIONS = frozenset(
    {"acc", "acc_norm", "exact_match", "em", "f1", "acc_mutual_info", "accuracy", "mc1", "mc2", "mcc"}
)
PERCENTS = frozenset({"bleu", "sacrebleu", "chrf", "ter"})


class Scores(NamedTuple):
    """The scores of a run, with its groups and what there is to say of them."""

    rows: tuple[Score, ...]
    groups: Mapping[str, tuple[str, ...]]
    remarks: tuple[Remark, ...]


def read_scores(document: Mapping[str, Any], items: Mapping[str, int]) -> Scores:
    """Return every score of a results document once, whether it stands in `results`, in `groups` or in both."""
    rows = rows_of(document)
    groups = groups_of(document, rows)
    scores: list[Score] = []
    remarks: list[Remark] = []
    for task, row in rows.items():
        of = items.get(task)
        if of is None and task in groups:
            of = items_of_group(task, row, groups, items)
        found, notes = scores_of_row(task, row, document, of, task in groups)
        scores += found
        remarks += notes
    for part in ("results", "groups"):
        table = document.get(part)
        for task, row in table.items() if isinstance(table, dict) else ():
            if not isinstance(row, dict):
                remarks.append(not_a_number(str(task), "row", "no row of scores"))
    return Scores(tuple(scores), groups, (*remarks, *scale_remarks(scores), *sentinel_remarks(scores)))


OF_A_ROW = frozenset({"alias", "name", "sample_len", "sample_count", " "})
"""Columns that name a row or count its items."""


def unread_columns(document: Mapping[str, Any], scores: Collection[Score]) -> tuple[str, ...]:
    """Return the columns of which no score and no standard error came, each once: companions of a metric, words."""
    used = {score.key for score in scores}
    unread: dict[str, None] = {}
    for task, row in rows_of(document).items():
        for column in row:
            metric, _, name = column.partition(",")
            base = error_base(metric)
            keys = (MetricKey(task, each, name or "none") for each in (metric, base[0] if base else metric))
            if column not in OF_A_ROW and used.isdisjoint(keys):
                unread[f"results.{column}"] = None
    return tuple(unread)


def items_of_group(
    group: str, row: Mapping[str, Any], groups: Mapping[str, tuple[str, ...]], items: Mapping[str, int], depth: int = 8
) -> int | None:
    """Return over how many items a group is scored: as its row says, else the sum over its tasks."""
    length = row.get("sample_len")
    if isinstance(length, int) and not isinstance(length, bool):
        return length
    children = [
        items.get(child, items_of_group(child, {}, groups, items, depth - 1) if child in groups and depth else None)
        for child in groups.get(group, ())
    ]
    known = [child for child in children if child is not None]
    return sum(known) if known and len(known) == len(children) else None


def rows_of(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows by task, those nested below a task and those that stand in `groups` alone included."""
    rows: dict[str, Mapping[str, Any]] = {}
    for part in ("results", "groups"):
        table = document.get(part)
        for task, row in table.items() if isinstance(table, dict) else ():
            if isinstance(row, dict):
                for name, flat in flattened(str(task), row):
                    rows.setdefault(name, flat)
    return rows


def flattened(task: str, row: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a row, or the rows that a fork of the harness nests below it."""
    nested = {
        name: value
        for name, value in row.items()
        if isinstance(value, dict) and name not in NOT_METRICS and any("," in key or key == "alias" for key in value)
    }
    own = {name: value for name, value in row.items() if name not in nested}
    if own or task not in nested:
        yield task, own
    for name, value in nested.items():
        yield from flattened(name, value)


def groups_of(document: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the groups with the tasks directly below each."""
    groups: dict[str, tuple[str, ...]] = {}
    subtasks = document.get("group_subtasks")
    for group, children in subtasks.items() if isinstance(subtasks, dict) else ():
        if isinstance(children, list) and children:
            groups[str(group)] = tuple(str(child) for child in children)
    for group, children in () if groups else groups_by_indent(rows).items():
        groups[group] = children
    table = document.get("groups")
    for group in table if isinstance(table, dict) else ():
        groups.setdefault(str(group), ())
    results = document.get("results")
    for task, row in results.items() if isinstance(results, dict) else ():
        if isinstance(row, dict) and task in row and isinstance(row[task], dict):
            groups.setdefault(str(task), tuple(name for name, _ in flattened(task, row) if name != task))
    return groups


def groups_by_indent(rows: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the groups that the aliases' indentation shows (up to 0.4.11), for files that name none."""
    groups: dict[str, tuple[str, ...]] = {}
    above: list[str] = []
    for task, row in rows.items():
        alias = row.get("alias")
        plain = alias.lstrip(" ") if isinstance(alias, str) else ""
        depth = len(alias) - len(plain) if isinstance(alias, str) and plain.startswith("- ") else 0
        del above[depth:]
        if depth and len(above) == depth:
            groups[above[-1]] = (*groups.get(above[-1], ()), task)
        above.append(task)
    return groups


def scores_of_row(
    task: str, row: Mapping[str, Any], document: Mapping[str, Any], items: int | None, group: bool
) -> tuple[list[Score], list[Remark]]:
    """Return the scores of one row and the remarks on it."""
    keys = {key: split_key(key) for key in row if key not in NOT_METRICS}
    errors = errors_of(keys)
    belong = set(errors.values()) | {key for key in keys if error_base(keys[key][0]) or is_companion(key, keys)}
    scores: list[Score] = []
    remarks: list[Remark] = []
    for key, (metric, name) in keys.items():
        if key in belong or metric == PLACEHOLDER:
            continue
        value, reason = number(row[key])
        if reason and not is_absent(row[key]):
            remarks.append(not_a_number(task, key, reason))
        if (reason is None and is_sentinel(metric, value)) or is_absent(row[key]):
            value, reason = None, f"{NOT_RUN}: {row[key]!s:.20}"
        spot = next((s for s in ((metric, name), (metric.removesuffix("_avg"), name)) if s in errors), None)
        given = row[errors[spot]] if spot else None
        of = implied_items(metric, value, given, items) if not group else None
        if of is not None and not any(remark.kind == "reported_disagrees" for remark in remarks):
            remarks.append(fewer_items(task, metric, of, items))
        of = of or items
        plain = spot is not None and errors[spot].partition(",")[0].endswith("_stderr")
        most = most_error(metric, value, of) if plain and not group else None  # dependent items may err by more
        error, error_reason = standard_error(given, value, spot is not None, of, most)
        if value is None:
            error, error_reason = None, error_reason or NOT_RUN
        direction = direction_of(document, task, metric)
        scores.append(Score(task, metric, name, value, error, direction, reason, error_reason, group, of))
    metrics = {(metric, name) for key, (metric, name) in keys.items() if key not in belong}
    named = {metric for metric, _ in metrics} | {metric.removesuffix("_avg") for metric, _ in metrics}
    for base in sorted({base for base, _ in errors} - named - {PLACEHOLDER}):
        text = f"{task} holds a standard error of {base} but no score of that name."
        remarks.append(Remark("value_not_a_number", "warning", text, task=task))
    if not scores:
        remarks.append(nothing_scored(task, group, any(metric == PLACEHOLDER for metric, _ in keys.values())))
    return scores, remarks


def errors_of(keys: Mapping[str, tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return by metric and filter the key of its standard error: the plain one, else the first of a fork's kinds."""
    found: dict[tuple[str, str], str] = {}
    for plain in (True, False):
        for key, (metric, name) in keys.items():
            base = error_base(metric)
            if base and (base[1] == "") == plain:
                found.setdefault((base[0], name), key)
    return found


def error_base(metric: str) -> tuple[str, str] | None:
    """Return the metric that a standard error is of, and the error's kind ("" or "_clustered"); None for a metric."""
    match = ERROR_OF.fullmatch(metric) if len(metric) <= LONGEST_NAME else None
    if match is None or (match["kind"] and "_se_" in metric):
        return None
    return match["metric"], match["kind"] or ""


def is_companion(key: str, keys: Mapping[str, tuple[str, str]]) -> bool:
    """Say whether a column only accompanies a metric of the same row and filter."""
    metric, name = keys[key]
    match = COMPANION_OF.fullmatch(metric) if len(metric) <= LONGEST_NAME else None
    return match is not None and (match["metric"], name) in keys.values()


def is_absent(value: Any) -> bool:
    """Say whether a value is the words for none."""
    return isinstance(value, str) and value.strip().lower() in {"n/a", "na", "not run", "skipped"}


def is_sentinel(metric: str, value: float | None) -> bool:
    """Say whether a number stands for "not run": one of the usual ones, where the metric cannot have it."""
    low, high = range_of(metric)
    return value is not None and value in SENTINELS and not low <= value <= high


def range_of(metric: str) -> tuple[float, float]:
    """Return between which numbers a metric lies, be it stated as a share or from 0 to 100."""
    known = metric_of(metric.removesuffix("_avg"))
    low = -inf if known.low is None or (known.low == 0 and known.unit == "") else known.low
    if known.low is None or known.high is None:
        return low, inf
    return low, known.high * (100.0 if known.unit == "fraction" else 1.0)


def without_sentinels(metric: str, column: "array[float]") -> int:
    """Put NaN in the place of each item's mark for "not run", and return how many there were."""
    low, high = range_of(metric)
    if (low == -inf and high == inf) or not column:
        return 0
    least, most = min(column), max(column)
    if least == least and most == most and low <= least and most <= high:
        return 0
    marks = [place for place, value in enumerate(column) if value in SENTINELS and not low <= value <= high]
    for place in marks:
        column[place] = nan
    return len(marks)


def most_error(metric: str, score: float | None, items: int | None) -> float | None:
    """Return the largest standard error that a mean over so many items can have; None where nothing bounds it."""
    known = metric_of(metric.removesuffix("_avg"))
    if score is None or items is None or items < 2 or known.low != 0 or not known.high or known.aggregation != "mean":
        return None
    whole = known.high if score <= known.high else 100.0
    return float((score * (whole - score) / (items - 1)) ** 0.5) if 0 <= score <= whole else None


def implied_items(metric: str, score: float | None, error: Any, items: int | None) -> int | None:
    """Return over how many items a share of right answers is by its own standard error, where that is fewer than said.

    The error of k right of n is sqrt(p(1 - p)/(n - 1)): from p and the error n comes out whole, and so does k.
    """
    if not metric_of(metric).binary or score is None or not 0 < score < 1:
        return None
    if not isinstance(error, float) or not 1e-6 < error < 1:
        return None
    count = score * (1 - score) / error**2 + 1
    whole = round(count)
    fits = abs(count - whole) < 0.01 and abs(score * whole - round(score * whole)) < 1e-3
    return whole if fits and items is not None and 2 <= whole < items else None


def fewer_items(task: str, metric: str, items: int, said: int | None) -> Remark:
    """Remark on a score over fewer items than the file says."""
    text = (
        f"{task} says {said:,} items, but the standard error of its {metric} is that of {items:,}: "
        f"a list of samples leaves the full count in the file. The score counts as over {items:,} items."
    )
    return Remark("reported_disagrees", "note", text, task, items, said)


def split_key(key: str) -> tuple[str, str]:
    """Return metric and filter of a key; a bare key has the filter "none". The first comma parts them."""
    metric, _, name = key.partition(",")
    return metric, name or "none"


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
    return DIRECTIONS.get(metric, DIRECTIONS.get(metric.removesuffix("_avg")))


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
    known = [(score, score.value) for score in scores if score.metric in FRACTIONS and score.value is not None]
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
    return remarks
