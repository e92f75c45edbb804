"""What to mend where a side measured nothing: what the report has just named, not all that could be wrong."""

from diptych.diagnose.samples.answer_facts import StoppedThoughts
from diptych.diagnose.samples.evidence import Invalid
from diptych.diagnose.settings.run_values import served
from diptych.diagnose.verdict.ground_steps import without_numbers
from diptych.diagnose.verdict.no_cause_sentences import strained
from diptych.diagnose.verdict.step_facts import Case
from diptych.numbers import listed
from diptych.run import Run
from diptych.sides import Side


def invalid_step(case: Case) -> str:
    """Return what to read and mend first where a side measured nothing."""
    one = next(iter(case.ruling.invalid.values()))
    if one.kind == "likelihoods_not_numbers":
        return without_numbers(one, case.labels, case.a, case.b)
    side: Side = "b" if one.side == "b" else "a"
    label, run = case.labels.of(side), case.a if side == "a" else case.b
    known = next((task.stopped.of(side) for task in case.evidence.tasks if task.task == one.task), StoppedThoughts())
    mend = mend_of(one, run, known, case)
    if not mend:
        return (
            f"Read the raw responses of {label} first: text may go into a reasoning channel that the harness does not "
            "read, or the budget (max_gen_toks) or a stop string may end them before the answer. Mend that, run again, "
            "then compare."
        )
    return f"{mend}, run {label} again, then compare."


def mend_of(one: Invalid, run: Run, stopped: StoppedThoughts, case: Case) -> str:
    """Return what mends the fault of nearly all answers; "" where it is none alone."""
    if one.kind == "answers_cut":
        return f"Give a larger max_gen_toks{budget_in_brackets(one, run)}"
    if one.kind == "answers_thinking_open" and not stopped.stops:
        return f"Give a larger max_gen_toks{budget_in_brackets(one, run)}, or switch thinking off"
    if one.kind == "answers_thinking_open" or (one.constant is not None and one.constant.stops):
        return "Give stop strings (until) that no thought and no opening words hold, or switch thinking off"
    if one.kind == "answers_loop":
        return mend_of_loops(case)
    if one.kind == "answers_empty" and served(run):
        return "Read the server's log: whether it refused, timed out or wrote into a reasoning channel; mend that"
    return ""


def mend_of_loops(case: Case) -> str:
    """Return how endless repeats end: without what changes sums and differs, else by the template or a stop string."""
    doubted = [one.name for one in strained(case.held) if not one.follows]
    if doubted:
        return f"Give both sides the same {listed(doubted)} (endless repeats are what broken arithmetic writes)"
    return (
        "Look at the chat template and the stop strings, then at dtype, quantization and engine: endless repeats come "
        "of any of them; mend that"
    )


def budget_in_brackets(one: Invalid, run: Run) -> str:
    """Return the budget that was too small, in brackets; "" where it is not recorded."""
    found = run.task_settings.get(one.task or "", {}).get("gen_kwargs.max_gen_toks")
    return f" (it was {found.value})" if found is not None and isinstance(found.value, int) else ""
