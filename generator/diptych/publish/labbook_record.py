"""The record of a comparison in the lab notebook: the fields that its readers know, and ours beside them."""

from typing import Any

from diptych.comparison import Comparison, ContextDifference, SettingDifference
from diptych.estimates import MetricComparison

LAB = "diptych/compare"


def comparison_record(
    comparison: Comparison, *, digest: str, link: str | None, host: str, run_id: str, date: str
) -> dict[str, Any]:
    """Return one notebook record; `digest` is the artifact's sha256, `link` its place seen from the notebook.

    The clock and the machine's name come from the caller, so that the same input gives the same record.
    """
    return {
        "lab": LAB,
        "run_id": run_id,
        "a": results_path(comparison.a.source, comparison.a.results_file),
        "b": results_path(comparison.b.source, comparison.b.results_file),
        "score_differences": [labbook_score(metric) for metric in comparison.metrics if metric.difference is not None],
        "setting_differences": [
            {"setting": row.key, "a": row.a, "b": row.b, "why": row.why} | sides_unrecorded(row)
            for row in comparison.settings
        ],
        "task_differences": [
            {"task": row.task, "field": row.field, "a": row.a, "b": row.b} for row in comparison.task_settings
        ],
        "context_differences": [
            {"setting": row.setting, "a": row.a, "b": row.b, "why": row.why} | sides_unrecorded(row)
            for row in comparison.context
        ],
        "host": host,
        "date": date,
        "artifact": {"sha256": digest, "link": link},
        "verdict": {
            "kind": comparison.verdict.kind,
            "sentence": comparison.verdict.sentence,
            "leading_cause": comparison.verdict.leading_cause,
        },
    }


def sides_unrecorded(row: SettingDifference | ContextDifference) -> dict[str, bool]:
    """Return which side does not record a setting: its null is no value that the run had."""
    sides = {"a_recorded": row.a_recorded, "b_recorded": row.b_recorded}
    return {name: recorded for name, recorded in sides.items() if not recorded}


def labbook_score(metric: MetricComparison) -> dict[str, Any]:
    """Return one score difference under the name that older records use: task/metric,filter."""
    name = f"{metric.task}/{metric.metric}" + (f",{metric.filter}" if metric.filter else "")
    delta = None if metric.difference is None else round(metric.difference, 4)
    return {"metric": name, "a": metric.a, "b": metric.b, "delta": delta}


def results_path(source: str, results_file: str) -> str:
    """Return the results file as the run's location names it."""
    return source if source.endswith(results_file) else f"{source.rstrip('/')}/{results_file}"
