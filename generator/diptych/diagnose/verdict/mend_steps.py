"""What to mend, to find or to read before any other run is worth its time; "" where nothing stands in the way."""

from diptych.catalogue.metrics import scores_by_rule
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.scores.floors import farthest
from diptych.diagnose.settings.run_values import run_value, served
from diptych.diagnose.verdict.conclusion import repeatable
from diptych.diagnose.verdict.dated_prompts import clock_of
from diptych.diagnose.verdict.doubled_starts import doubled_starts
from diptych.diagnose.verdict.ground_steps import BY_GROUND, one_version
from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.item_set_sentences import chosen_by_record, widest_uneven
from diptych.diagnose.verdict.leaked_examples import given_away_step
from diptych.diagnose.verdict.mend_response_steps import (
    blind_filter,
    broken_answers,
    early_ends,
    rewriting,
    stop_strings,
)
from diptych.diagnose.verdict.nested_templates import nested_template
from diptych.diagnose.verdict.other_documents import holds_other_documents
from diptych.diagnose.verdict.step_facts import Case, runs_code
from diptych.diagnose.verdict.telling_texts import memory_step, phrased_step
from diptych.diagnose.verdict.verdict_kind import reports_apart
from diptych.estimates import gap_of
from diptych.numbers import listed
from diptych.run import Run

REQUESTS_FIRST = (
    "First read the requests side by side and make them equal (the task's definition and the harness that ran it build "
    "them), then compare again."
)


def to_mend(case: Case) -> str:
    """Return the first of all that stands in the way of an answer."""
    asked = (
        doubled_start,
        nested_template,
        answers_in_prompts,
        by_ground,
        requests,
        seeds_step,
        wrong_items,
        stop_strings,
        early_ends,
        rewriting,
        broken_answers,
        telling_texts,
        missing_scores,
        other_items,
        blind_filter,
        log_wanted,
        lone_scorer,
    )
    return next((text for ask in asked if (text := ask(case))), "")


def doubled_start(case: Case) -> str:
    """Return that a start token may be there twice, where a version is known to add it so."""
    side = next((one.side for one in doubled_starts(case.a, case.b, case.evidence) if one.known), None)
    if side is None or case.ruling.ground != "statuses":
        return ""
    label = case.labels.of(side)
    return f"First look at the start token: it may be there twice in {label}; run it without adding one."


def answers_in_prompts(case: Case) -> str:
    """Return that what gives the answers away is to go."""
    if case.ruling.ground != "statuses":
        return ""
    return given_away_step(case.evidence, case.conclusion.tasks, case.labels)


def by_ground(case: Case) -> str:
    """Return what the ground of the verdict says by itself."""
    if case.ruling.ground == "nothing_shared" and case.evidence.renamed:
        from diptych.diagnose.verdict.no_cause_steps import match_step

        return match_step(case)
    if case.ruling.ground == "invalid":
        from diptych.diagnose.verdict.invalid_steps import invalid_step

        return invalid_step(case)
    alone = case.ruling.ground in ("unpaired_apart", "no_shared_items")
    if alone and any(not task.pairs and holds_other_documents(task) for task in case.evidence.tasks):
        from diptych.diagnose.verdict.no_cause_steps import other_sets_step

        return other_sets_step(case)
    fixed = BY_GROUND.get(case.ruling.ground, "")
    return fixed if isinstance(fixed, str) else fixed(case.ruling, case.conclusion, case.labels, case.a, case.b)


def requests(case: Case) -> str:
    """Return that requests come first, where they differ and nothing leads."""
    if not case.sent or case.conclusion.leading:
        return ""
    if clock_of(case.evidence, case.conclusion.tasks, case.a, case.b):
        return "Run both sides on one day, or give the chat template a fixed date, and compare those."
    return REQUESTS_FIRST


def seeds_step(case: Case) -> str:
    """Return that both sides are to be asked the same, where a seed by which a task draws what it asks leads."""
    leading, labels, tasks = case.conclusion.leading, case.labels, case.conclusion.tasks
    marks = [[trace.act for trace in one.over(one.marked(tasks))] for one in leading]
    if not marks or not all(acts and set(acts) == {"shuffle"} for acts in marks):
        return ""
    given = [run_value(case.a, key) for key in ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")]
    told = "" if None in given else f" (--seed {','.join(map(str, given))})"
    return (
        f"Repeat {labels.b} with the seeds of {labels.a}{told}: then both are asked the same in the same order. "
        f"Compare that run."
    )


def wrong_items(case: Case) -> str:
    """Return how to see in which run answers stand under the wrong items."""
    if case.beside.misplaced is None or not case.unexplained:
        return ""
    return (
        "Run one side again with one request at a time (batch_size 1, num_concurrent 1), and compare again: where "
        "answers are matched to items in the order in which they come back, they then stand where they belong."
    )


def telling_texts(case: Case) -> str:
    """Return how to compare all the same where phrases, or targets that a side knows, stand in the responses."""
    if case.ruling.ground != "statuses":
        return ""
    return phrased_step(case.beside.phrased) or memory_step(case.beside.memory, case.labels)


def other_items(case: Case) -> str:
    """Return how to ask the same items, where the reported scores are of others and shared ones tell nothing apart."""
    first = widest_uneven(case.evidence)
    if first is None or not case.unexplained or case.ruling.kind == "different" or chosen_by_record(case.held):
        return ""
    if not any(row.task == first.task and row.primary and reports_apart(row) for row in case.ruling.rows):
        return ""
    from diptych.diagnose.verdict.no_cause_steps import other_sets_step

    return other_sets_step(case)


def missing_scores(case: Case) -> str:
    """Return where to look for a score, where no task has one on both sides and one is no number."""
    rows = [row for row in case.ruling.rows if row.a_present and row.b_present]
    lacking = [row for row in rows if not row.group and None in (row.a, row.b)]
    if case.ruling.ground != "statuses" or not lacking or any(gap_of(row) is not None for row in rows):
        return ""
    row, label = lacking[0], case.labels.of("b" if lacking[0].b is None else "a")
    if not any(task.task == row.task and task.pairs for task in case.evidence.tasks):
        return (
            f"Look why {label} has no usable score of {row.task}: run it again with --log_samples and read which items "
            "have none (one is enough to leave a mean without)."
        )
    return (
        f"Read the items of {row.task} without a score in {label}: an empty reference, a division by zero or a scorer "
        f"that failed leaves none. Mend that, score {label} again, then compare."
    )


def log_wanted(case: Case) -> str:
    """Return which log is wanted where nothing is settled without it."""
    settled = case.conclusion.certainty not in ("none", "possible") and case.ruling.kind != "unclear"
    return "" if settled else log_first(case)


def log_first(case: Case) -> str:
    """Return which log is wanted before anything else: one that is cut, or that of a task which one side lacks."""
    evidence, labels = case.evidence, case.labels
    short = [one for one in evidence.incomplete_tasks.values() if one.task]
    if short:
        return f"Get the whole log of {short[0].task} (copy it again, or run with --log_samples), then compare."
    changed = other_targets(evidence)
    if changed is not None:
        return one_version(changed)
    odd = next((one for task in evidence.tasks for one in task.contradicted), None)
    if odd is not None:
        label = labels.of(odd.side)
        return f"Find the sample log of {odd.task} that belongs to the results file of {label}, or run {label} again."
    open_tasks = [row.task for row in case.ruling.rows if not row.group]
    for label, run, other in ((labels.a, case.a, case.b), (labels.b, case.b, case.a)):
        lacking = [task for task in open_tasks if task in other.samples and task not in run.samples]
        if lacking:
            names = listed(list(dict.fromkeys(lacking)))
            return (
                f"Get the sample log of {names} in {label} (copy it beside its results file, or run that side with "
                "--log_samples): without it no item can be paired there."
            )
    return ""


def other_targets(evidence: Evidence) -> str | None:
    """Return a task whose right answers changed, which no recorded setting need have done; None where none did."""
    return next((task.task for task in evidence.tasks if task.retargeted.items), None)


def lone_scorer(case: Case) -> str:
    """Return how to look at a scorer that changed, where nothing leads and no noise floor says more."""
    scorer = case.beside.scorer
    if scorer is None or case.conclusion.leading or farthest(case.ruling.rows):
        return ""
    return scorer_step(scorer.task, case)


def unsure_scorer(case: Case) -> str:
    """Return how to look at a scorer that changed, where what leads is not proven to have done it."""
    scorer, conclusion = case.beside.scorer, case.conclusion
    if scorer is None or scorer.task not in conclusion.tasks or conclusion.certainty == "proven":
        return ""
    return scorer_step(scorer.task, case)


def scorer_step(task: str, case: Case) -> str:
    """Return how to tell another scorer from one that is not deterministic, which a metric that counts alone is not."""
    names = [row.metric for row in case.ruling.rows if row.task == task]
    judged = any("judging" in one.difference.known.acts for one in case.held)
    if runs_code(task, case) and not judged:
        return (
            f"Run the tests of the logged programs of {task} of both sides on one machine that is idle (a time-out, "
            f"load or another version of a library fails some), and those of {case.labels.a} twice: what these two "
            "differ by is the tests' own noise."
        )
    if case.conclusion.leading and names and all(map(scores_by_rule, names)) and not judged:
        return (
            f"Score the logged responses of {task} of both sides once more with one version of the harness (one "
            "metric, one filter, one list of what it ignores): no model has to run again."
        )
    return (
        f"Score the logged responses of {task} of both sides with one scorer (one judge, one version of it), and those "
        f"of {case.labels.a} twice: what these two differ by is the scorer's own noise."
    )


def unknown_server(case: Case, one: Hypothesis) -> str:
    """Return that what a server loaded must be found out first, where an address or a backend leads."""
    if not serves_unknown(one, case.a, case.b) or repeatable(one, case.conclusion.tasks):
        return ""
    labels = case.labels
    both_served = served(case.a) and served(case.b)
    who = "each server" if both_served else f"the server of {labels.a if served(case.a) else labels.b}"
    names = listed([one.name, *(other.name for other in case.conclusion.leading if other is not one)])
    return (
        f"Find out what {who} loaded (file, quantization, engine, template) and write it into a run-context.json "
        f"beside its run: {names} alone does not tell, and no command isolates it. With the same weights on both "
        "sides, compare again."
    )


def serves_unknown(one: Hypothesis, a: Run, b: Run) -> bool:
    """Say whether a cause is an address, or a backend of which one alone asks a server: what it loaded is unknown."""
    return (one.difference.known.acts == ("server",) and one.difference.both_recorded) or (
        one.key == "model" and served(a) != served(b)
    )
