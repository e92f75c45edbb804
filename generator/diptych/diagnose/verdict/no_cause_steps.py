"""The step where no run has to settle a cause: nothing leads, or only what the files answer or a repeat does."""

from diptych.diagnose.samples.sample_counts import still_tasks
from diptych.diagnose.scores.floors import farthest
from diptych.diagnose.settings.no_effect_rules import draws
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.verdict.cause_sentences import words_prompts
from diptych.diagnose.verdict.floor_sentences import floor_step
from diptych.diagnose.verdict.item_set_sentences import drawing_fields, resized, widest_uneven
from diptych.diagnose.verdict.more_items import more_items
from diptych.diagnose.verdict.moved_sentences import served_sentence
from diptych.diagnose.verdict.no_cause_sentences import MOST_NAMED, broken_by, records_settings, strained
from diptych.diagnose.verdict.other_documents import holds_other_documents, other_documents_step
from diptych.diagnose.verdict.step_facts import Case
from diptych.diagnose.verdict.verdict_kind import leading, set_differs
from diptych.estimates import best_estimate, no_item_changed
from diptych.numbers import between, listed


def no_run_step(case: Case) -> str:
    """Return the step where the cause needs no run: a set of items, a seed, a connection."""
    acts = set(case.conclusion.leading[0].difference.known.acts)
    if "items" in acts and not any(task.pairs for task in case.evidence.tasks):
        return "Score the same items on both sides with --log_samples (one --limit, or none), then compare."
    if "items" in acts and (open_ := shared_step(case)):
        return open_
    if "items" in acts:
        return "No run is needed: the shared items already answer. Compare the scores over those only."
    if farthest(case.ruling.rows):
        return floor_step(case.ruling.rows, more_items(case))
    if "seed" in acts or case.ruling.kind != "different":
        return "Run one configuration three times and take the noise floor of it: `diptych noise RUN RUN RUN`."
    names = listed([one.name for one in case.conclusion.leading])
    return (
        f"Repeat {case.labels.a} as it was: if its scores come out as {case.labels.b}'s now, what answered changed, "
        f"and no file tells it; if they stay, {names} made the difference."
    )


def shared_step(case: Case) -> str:
    """Return what the shared items leave open, and the run that would pair all; "" where they answer."""
    row = leading(case.ruling.rows, still_tasks(case.evidence)) if case.ruling.kind == "unclear" else None
    found = best_estimate(row) if row is not None else None
    if row is None or found is None or not found.pairs or found.low is None or found.high is None:
        return ""
    counts = [run.items.get(row.task, 0) for run in (case.a, case.b)]
    if counts[0] == counts[1] or found.pairs != min(counts):
        return ""
    fewer, other = (case.a, case.b) if counts[0] < counts[1] else (case.b, case.a)
    label = case.labels.a if fewer is case.a else case.labels.b
    points = row.in_points
    reach = f"{between(found.low, found.high, points)}{' pp' if points else ''}"
    show = "show no change" if no_item_changed(row) else "do not tell"
    limit = run_value(other, "limit")
    how = (
        ""
        if run_value(fewer, "limit") is None
        else f" {'without --limit' if limit is None else f'with --limit {limit:g}'}"
    )
    return (
        f"The {found.pairs} shared items of {row.task} {show} and leave a difference of {reach} open: run {label} "
        f"again{how}, which pairs all {max(counts)}."
    )


def match_step(case: Case) -> str:
    """Return how tasks under two names are compared: each of A's with the first of B's that holds its documents."""
    names = {one.a: one.b for one in reversed(case.evidence.renamed)}
    asked = " ".join(f"--match-tasks {ours}={names[ours]}" for ours in sorted(names)[:3])
    others = [one.b for one in case.evidence.renamed if names[one.a] != one.b]
    more = f" (also those of {listed(others)} in {case.labels.b})" if others else ""
    return f"Compare again with {asked}: their documents are the same{more}."


def no_cause_step(case: Case) -> str:
    """Return the step where nothing that differs can have acted."""
    if case.evidence.renamed:
        return match_step(case)
    if set_differs(case.evidence):
        return other_sets_step(case)
    if case.ruling.kind in ("identical", "equivalent") and case.conclusion.model is None:
        return no_gap_step(case)
    if case.conclusion.model is not None and case.ruling.kind == "identical":
        return (
            f"Look whether {case.conclusion.model.name} was applied: send one request of which the two models' answers "
            "are known to differ, and read the server's log."
        )
    return open_step(case)


def other_sets_step(case: Case) -> str:
    """Return how to score the same items on both sides, by what chose them, where the record tells."""
    one = widest_uneven(case.evidence)
    if one is not None and holds_other_documents(one) and not resized(one.task, case.a, case.b):
        return other_documents_step(one)
    task = one.task if one else ""
    if resized(task, case.a, case.b):
        return (
            f"Run both on one version of the data of {task} (pin its revision), or keep to the shared items, which "
            "this comparison already holds together."
        )
    if fields := drawing_fields(task, case.a, case.b):
        return (
            f"Seed what draws the items of {task} ({listed(fields)}), or run both without --limit, so that all are "
            "asked; then compare."
        )
    return (
        "Score the same items on both sides (one --limit and one list of --samples for both, or none, and the same "
        "version of the data), and compare those."
    )


def no_gap_step(case: Case) -> str:
    """Return that there is no gap; which cache may have answered for a model, or what a group lacks on a side."""
    if run_value(case.a, "use_cache") or run_value(case.b, "use_cache"):
        return "A response cache was in use (use_cache): run both without it before taking this for a repeat."
    if case.ruling.ground == "items_equal" and any(one.idle is None and words_prompts(one) for one in case.held):
        return (
            f"Run {case.labels.b} again without a cache of requests (no --cache_requests, or with refresh): if the "
            "logged prompts change then, this run asked the old ones."
        )
    if text := members_step(case):
        return text
    names = [one.name for one in case.held if one.idle and one.difference.both_recorded and not one.follows]
    if not names:
        return "There is no gap to explain on these items."
    differs = "differs" if len(names) == 1 else "differ"
    return f"There is no gap to explain on these items: {listed(names, MOST_NAMED)} {differs}, and changed nothing."


def members_step(case: Case) -> str:
    """Return which tasks of a group one side lacks, which sets the group's scores apart; "" where none does.

    Until both are made of the same tasks no setting has to explain the group.
    """
    a, b = case.a, case.b
    scored = [{score.task for score in run.scores} for run in (a, b)]
    for group in sorted({*a.groups} & {*b.groups}):
        lacking = [
            f"{listed(tasks)} in {label}"
            for label, own, other in ((case.labels.a, scored[0], b), (case.labels.b, scored[1], a))
            if (tasks := [task for task in other.groups[group] if task not in own])
        ]
        if lacking:
            what = listed([task for run in (a, b) for task in run.groups[group] if task not in scored[run is a]])
            if case.ruling.kind in ("identical", "equivalent"):
                why = "what both scored is the same, so it differs only by what it is made of"
            else:
                why = "until then its two scores are of other tasks"
            return f"Run {listed(lacking)}, too, and compare {group} then (or leave {what} out on both sides): {why}."
    return ""


def members_first(case: Case) -> str:
    """Return which tasks of a group one side lacks, where the group has a score on both sides."""
    told = {row.task for row in case.ruling.rows if row.group and row.a is not None and row.b is not None}
    if case.ruling.ground != "statuses" or not told & {*case.a.groups} & {*case.b.groups} or case.evidence.renamed:
        return ""
    return members_step(case)


def open_step(case: Case) -> str:
    """Return what would tell more where nothing is known to have acted: repeats, samples, items, or what was served."""
    more = more_items(case)
    if farthest(case.ruling.rows):
        return floor_step(case.ruling.rows, more)
    if draws(case.a) and draws(case.b):
        step = "run one configuration three times and take its noise floor (diptych noise)."
        return f"{step[:1].upper()}{step[1:]}" if case.said_drawn else f"Both sides draw their answers: {step}"
    if not (case.a.samples or case.b.samples):
        return (
            "Run both once more with --log_samples: then items can be paired, and prompts and responses show at which "
            "step the runs first diverge."
        )
    bare = [at for at, run in enumerate((case.a, case.b)) if not records_settings(run)]
    if len(bare) == 1:
        label, other = case.labels[bare[0]], case.labels[1 - bare[0]]
        return (
            f"Find the results file of {label} as the harness wrote it, with its config, or run {label} again with the "
            f"settings of {other}: without them nothing that differs can be named."
        )
    if broken := strained(case.held):
        names = listed([one.name for one in broken])
        return (
            f"Repeat {case.labels.a} as it was: if its scores stay, {names} did it, by something that is broken there "
            f"({broken_by(broken)}); if they come out as {case.labels.b}'s, what answered changed and no file tells it."
        )
    if (
        more
        and case.ruling.kind == "unclear"
        and not served_sentence(case.evidence, case.conclusion.tasks, case.a, case.b)
    ):
        return more
    return context_step(case)


def context_step(case: Case) -> str:
    """Return to write down what was served, and to repeat one configuration."""
    silent = [label for label, run in zip(case.labels, (case.a, case.b), strict=True) if not run.context]
    beside = silent[0] if len(silent) == 1 else "each run"
    context = f"Write a run-context.json beside {beside} (quant, engine, engine_version, endpoint, alias), and run "
    written = context if silent else "Run "
    return f"{written}one configuration three times: what those differ by is the noise floor (`diptych noise`)."
