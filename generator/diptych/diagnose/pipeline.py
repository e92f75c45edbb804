"""Two runs in, one comparison out: the order of the steps, and nothing else.

Pure: no file is opened here but the samples that the runs themselves carry, no clock, no chance.
"""

from collections.abc import Iterable

from diptych.catalogue.side_labels import versus
from diptych.closed_names import FlipClass, VerdictKind
from diptych.comparison import Comparison, Finding, FlipCount, Gate
from diptych.diagnose.comparison_id import comparison_id
from diptych.diagnose.damage import without_changed_logs
from diptych.diagnose.options import Options
from diptych.diagnose.run_headers import header
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.same_filters import one_filter_each
from diptych.diagnose.samples.task_evidence import gather
from diptych.diagnose.scores.rows import metric_comparisons
from diptych.diagnose.settings.differences import context_differences, equal_count, setting_differences
from diptych.diagnose.settings.suspects import differences, led_by_filters, recorded_facts
from diptych.diagnose.settings.task_fields import task_differences
from diptych.diagnose.verdict.not_in_files import not_in_files
from diptych.diagnose.verdict.setting_findings import setting_findings
from diptych.diagnose.verdict.verdict import judge
from diptych.diagnose.verdict.verdict_findings import verdict_findings
from diptych.estimates import MetricComparison, best_estimate
from diptych.provenance import Input, Provenance
from diptych.run import Run
from diptych.sides import Side
from diptych.version import VERSION

SEVERITY_ORDER = {"error": 0, "warning": 1, "note": 2}


def compare_runs(a: Run, b: Run, options: Options | None = None) -> Comparison:
    """Return everything that the files of two runs tell about why their scores differ."""
    return without_changed_logs(lambda runs: compare_with_evidence(runs[0], runs[1], options)[0], (a, b))


def compare_with_evidence(a: Run, b: Run, options: Options | None = None) -> tuple[Comparison, Evidence]:
    """Return a comparison with what the samples showed: a matrix asks for both."""
    options = options or Options()
    a, b, name_findings = with_tasks_matched(a, b, options)
    a, b, filter_findings = one_filter_each(a, b)
    settings, fields, context = setting_differences(a, b), task_differences(a, b), context_differences(a, b)
    found = differences(settings, fields, context)
    evidence = gather(a, b, options, recorded_facts(found, a, b))
    metrics, score_findings = metric_comparisons(a, b, evidence, options)
    found = led_by_filters(found, {(row.task, row.filter) for row in metrics if row.primary})
    judged = judge(metrics, settings, fields, context, found, evidence, a, b, options.primary)
    findings = worst_first(
        (
            *remarks_of(a, "a"),
            *remarks_of(b, "b"),
            *evidence.findings,
            *score_findings,
            *name_findings,
            *filter_findings,
            *setting_findings(a, b, evidence, judged),
            *verdict_findings(evidence, judged, a, b),
            *not_in_files(metrics, evidence, a, b),
        )
    )
    made = Comparison(
        id=comparison_id(a, b),
        a=header(a),
        b=header(b),
        verdict=judged.verdict,
        metrics=metrics,
        settings=judged.settings,
        settings_equal=equal_count(a, b),
        task_settings=judged.task_settings,
        context=judged.context,
        context_recorded=(a.context is not None, b.context is not None),
        ladder=tuple(task.ladder for task in evidence.tasks),
        findings=findings,
        flips=evidence.flips,
        flip_counts=(*evidence.flip_counts, *group_counts(metrics, evidence.flip_counts)),
        prompts=evidence.prompts,
        answer_changes=tuple(task.change for task in evidence.tasks if task.change is not None),
        left_out=(*evidence.left_out, *judged.left_out),
        gates=gates_of(options, metrics, evidence, judged.verdict.kind),
        provenance=provenance(a, b, metrics, options),
        title=options.title or versus(a.label, b.label),
        ranking=judged.ranking,
        configs_recorded=(bool(a.configs), bool(b.configs)),
    )
    return made, evidence


def with_tasks_matched(a: Run, b: Run, options: Options) -> tuple[Run, Run, tuple[Finding, ...]]:
    """Return both runs with B's tasks under A's names where that was asked for, and what is to be said of it."""
    if not options.match_tasks and a.samples.keys() == b.samples.keys():
        return a, b, ()
    from diptych.diagnose.samples.renamed_tasks import matched  # most runs name their tasks alike

    return matched(a, b, options.match_tasks)


def gates_of(
    options: Options, metrics: tuple[MetricComparison, ...], evidence: Evidence, kind: VerdictKind
) -> tuple[Gate, ...]:
    """Return every rule that was asked for with its outcome."""
    if not (options.fail_on or options.require or options.thresholds or options.policy):
        return ()
    from diptych.diagnose.policy_gates import all_gates

    return all_gates(options, metrics, evidence, kind)


def group_counts(metrics: tuple[MetricComparison, ...], counts: tuple[FlipCount, ...]) -> tuple[FlipCount, ...]:
    """Return the changed items behind each benchmark's own number: those of its subtasks, added up."""
    found: dict[tuple[str, str, FlipClass, str], int] = {}
    for row in metrics:
        for one in counts if row.group and row.primary else ():
            if one.task in row.subtasks and (one.filter, one.metric) == (row.filter, row.metric):
                key = row.task, one.filter, one.class_, one.metric
                found[key] = found.get(key, 0) + one.count_
    return tuple(
        FlipCount(task, name, class_, number, metric) for (task, name, class_, metric), number in found.items()
    )


def remarks_of(run: Run, side: Side) -> tuple[Finding, ...]:
    """Return what the reader noticed in one run, as findings of its side."""
    return tuple(
        Finding(
            kind=remark.kind,
            severity=remark.severity,
            text=f"{side.upper()}: {remark.text}",
            side=side,
            task=remark.task,
            count_=remark.count_,
            of=remark.of,
            evidence=remark.evidence,
        )
        for remark in run.remarks
    )


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings worst first; inside a severity they keep the order in which they were made."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: SEVERITY_ORDER[finding.severity]))


def provenance(a: Run, b: Run, metrics: tuple[MetricComparison, ...], options: Options) -> Provenance:
    """Return what made this comparison: the version, the methods that were used, the files and the options."""
    asked = {
        "primary": dict(options.primary),
        "clusters": dict(options.clusters),
        "match_tasks": dict(options.match_tasks),
        "fail_on": list(options.fail_on),
        "require": list(options.require),
        "thresholds": list(options.thresholds),
    }
    return Provenance(
        diptych_version=VERSION,
        methods=tuple(sorted({name for metric in metrics for name in row_methods(metric, a, b)})),
        inputs=tuple(Input(source.name, source.sha256) for source in (*a.inputs, *b.inputs)),
        options={
            "margin": options.margin,
            "flips": options.flips,
            "samples": options.samples,
            **{name: given for name, given in asked.items() if given},
        },
    )


def row_methods(metric: MetricComparison, a: Run, b: Run) -> set[str]:
    """Return the methods behind every number of one metric's row."""
    used = {each.method for each in (metric.a_interval, metric.b_interval) if each}
    for run, error in ((a, metric.a_recomputed_stderr), (b, metric.b_recomputed_stderr)):
        if error is not None:
            used.add("stderr_recomputed" if metric.task in run.samples else "stderr_inferred")
    if metric.noise_floor is not None:
        used.add("noise_floor")
        if metric.noise_floor.sigma_run is not None:
            used.add("run_item_parts")
    estimate = best_estimate(metric)
    if estimate is None:
        return used
    carried = (("holm", estimate.p_adjusted), ("equivalence", estimate.low_90), ("detectable", estimate.detectable))
    return used | {estimate.method} | {name for name, number in carried if number is not None}
