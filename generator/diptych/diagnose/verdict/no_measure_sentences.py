"""In words: a side that measured nothing, or whose responses no scorer has seen."""

from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.invalid_tasks import FAULTS, constant_clause, count_clause, is_too_much, stopped_clause
from diptych.diagnose.samples.sample_counts import sample_counts, still_tasks
from diptych.diagnose.settings.model_parts import names_two_commits
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.score_sentences import same_on
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.numbers import counted
from diptych.run import Run


def no_scores(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which side holds no score at all, that it was not to be scored, and whether its responses are known."""
    bare = [
        label
        for label, has in zip(labels, ("a_present", "b_present"), strict=True)
        if not any(getattr(row, has) for row in ruling.rows)
    ]
    who = f"Neither {labels.a} nor {labels.b} holds" if len(bare) == 2 else f"{bare[0]} does not hold"
    meant = all(only_predicted(run) for label, run in zip(labels, (a, b), strict=True) if label in bare)
    why = "it was run without scoring (--predict_only)" if meant else "nothing was scored there"
    return f"{who} a score: {why}{same_responses(evidence, labels)}"


def only_predicted(run: Run) -> bool:
    """Say whether a run was told to log responses without scoring them."""
    listed_metrics = [config.get("metric_list") for config in run.configs.values()]
    metrics = [one.get("metric") for each in listed_metrics if isinstance(each, list) for one in each if is_table(one)]
    return run_value(run, "predict_only") is True or (bool(metrics) and all(one == "bypass" for one in metrics))


def is_table(value: object) -> bool:
    """Say whether a value is an entry with names."""
    return isinstance(value, dict)


def same_responses(evidence: Evidence, labels: Labels) -> str:
    """Return as a sentence more how many logged responses are the same on both sides; "" where none can be held."""
    seen = sample_counts(evidence).responses
    if not seen.compared:
        return ""
    whose = f"responses of {labels.b} are those of {labels.a}"
    if seen.all_equal:
        return f". All {seen.compared:,} {whose}"
    return f". {seen.equal:,} of {seen.compared:,} {whose}"


def invalid(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that a side measured nothing."""
    one = next(iter(ruling.invalid.values()))
    rest = len(ruling.invalid) - 1
    more = f" (in {one.task}; so in {counted(rest, 'task')} more)" if rest else ""
    label = labels.a if one.side == "a" else labels.b
    others = [row for row in ruling.rows if not row.group and row.task not in ruling.invalid]
    where = f" in {one.task}" if others and not more else ""
    same = "".join(f". {text}" for text in same_on(others, still_tasks(evidence)))
    if both_invalid(one, evidence):
        said = counts_of_both_sides(one)
        where = f" in {one.task}" if others else ""
        return f"Neither {labels.a} nor {labels.b} is usable as a measurement{where}: {said}{same}"
    ends = stopped_at(one, evidence)
    return f"{label} is not usable as a measurement{where}: {count_clause(one, label)}{more}{ends}{same}"


def counts_of_both_sides(one: Invalid) -> str:
    """Return how many answers of each side have a fault that both sides' have."""
    clause = count_clause(one._replace(side="both"))
    if one.other in (0, one.count_):
        return f"{clause} on each side"
    first, second = (one.count_, one.other) if one.side == "a" else (one.other, one.count_)
    least = "at least " if one.least else ""
    return f"{least}{first} and {second} of {one.of}" + clause.removeprefix(f"{one.number} of {one.of}")


def stopped_at(one: Invalid, evidence: Evidence) -> str:
    """Return as a sentence more where a side's open thoughts end that no budget ended."""
    if one.constant is not None:
        return f" ({constant_clause(one.constant)})"
    found = next((task.stopped for task in evidence.tasks if task.task == one.task), None)
    text = stopped_clause(found.a if one.side == "a" else found.b) if found and one.kind in OPEN_THOUGHTS else ""
    return f". {text}" if text else ""


OPEN_THOUGHTS = ("answers_thinking_open", "answers_broken")
"""What may be wrong with answers that end inside a thought."""


def both_invalid(one: Invalid, evidence: Evidence) -> bool:
    """Say whether as many of the other side's answers have the same fault."""
    task = next((task for task in evidence.tasks if task.task == one.task), None)
    if one.kind == "likelihoods_not_numbers":
        return is_too_much(one.other, one)
    fault = dict(FAULTS).get(one.kind, "")
    shapes = (task.answers_a, task.answers_b) if task and fault else ()
    return bool(shapes) and all(shape and shape._asdict()[fault] >= one.count_ for shape in shapes)


def not_applied(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that two models on record answered alike to the last digit."""
    one = next(iter(ruling.invalid.values()))
    if one.kind == "adapter_not_applied":
        why = "it was not applied"
        if names_two_commits(a, b):
            why = "both commits hold the same weights (a README, too, makes a new commit)"
        return (
            f"{labels.a} and {labels.b} are not two measurements, since {one.count_} of {one.of} responses in "
            f"{one.task} are the same to the last digit; most likely {why}, or a cache answered"
        )
    cached = run_value(a, "use_cache") or run_value(b, "use_cache")
    known = "most likely from one response cache (use_cache)" if cached else "most likely one model under two names"
    return f"{labels.a} and {labels.b} are not two measurements, since {count_clause(one)} in {one.task}: {known}"
