"""What to do next where the ground of a verdict says it by itself."""

from collections.abc import Callable, Mapping, Sequence

from diptych.catalogue.words import setting_word
from diptych.diagnose.samples.evidence import Invalid
from diptych.diagnose.samples.invalid_tasks import is_too_much
from diptych.diagnose.settings.differences import setting_differences
from diptych.diagnose.settings.model_parts import COMMIT
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.settings.suspects import Difference, differences
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.verdict_kind import Ground, Ruling
from diptych.numbers import listed
from diptych.run import Run


def without_numbers(one: Invalid, labels: Labels, a: Run, b: Run) -> str:
    """Return how to run a side again whose log-likelihoods are no numbers."""
    if is_too_much(one.other, one):
        return without_overflow("each", (), "")
    if one.side == "b":
        return without_overflow(labels.b, (a, b), labels.a)
    return without_overflow(labels.a, (b, a), labels.b)


def without_overflow(label: str, runs: Sequence[Run], other: str) -> str:
    """Return how to run a side whose log-likelihoods are no numbers: with what the other one counts in.

    `runs` are the sound one and the broken one, nothing where neither is sound.
    """
    if found := arithmetic_apart(*runs) if runs else []:
        named = listed([f"{setting_word(one.key)} {one.a}" for one in found])
        return (
            f"Run {label} again with {named}, as {other}: if it gives numbers then, that is what broke it (an overflow "
            "of the precision, padding, a kernel). Then compare."
        )
    return (
        f"Run {label} again with batch_size 1, and if that gives no numbers either in another dtype (float16 "
        "overflows): padding, a kernel or the precision most likely broke it. Then compare."
    )


def arithmetic_apart(a: Run, b: Run) -> list[Difference]:
    """Return what two runs count in that is not the same, where a command gives B what A has."""
    from diptych.diagnose.verdict.isolating_run import isolating_run  # few grounds need a command

    return [
        one
        for one in differences(setting_differences(a, b), (), ())
        if "arithmetic" in one.known.acts and one.both_recorded and isolating_run(one.key, b, a)
    ]


def not_applied_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return how to see whether the other model answered at all."""
    key = conclusion.model.key if conclusion.model else "the model"
    if cached := cached_side(labels, a, b):
        return (
            f"First run {cached} again without its response cache (no --use_cache, or another path): its answers "
            f"are most likely those of an earlier run, and say nothing of {key}. Then compare."
        )
    if key == COMMIT or next(iter(ruling.invalid.values())).kind != "adapter_not_applied":
        return (
            f"Compare the checksums of what {key} names on both sides: where they are the same, this is one model "
            f"under two {'commits' if key == COMMIT else 'names'} and there is no gap. Else read the server's log and "
            "send one request to each."
        )
    return (
        f"Look whether {key} (adapter, revision, quantization or weights) is applied: send one request with it and one "
        "without, read the server's log, and run again without a response cache (no --use_cache); then compare."
    )


def cached_side(labels: Labels, a: Run, b: Run) -> str:
    """Return the side that a response cache most likely answered: of two the later one; "" where none had a cache."""
    cached = [label for label, run in zip(labels, (a, b), strict=True) if run_value(run, "use_cache")]
    if len(cached) < 2:
        return "".join(cached)
    if a.date and b.date and a.date != b.date:
        return labels.a if a.date > b.date else labels.b
    return f"the later one of {listed(sorted(cached))}"


def one_weight_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that a benchmark must be added up in one way."""
    return (
        f"Add {ruling.rows[0].task} up in one way (weight_by_size in its group's definition, one version of the "
        "harness); nothing has to be run again."
    )


def one_task_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that one version of a task must be scored on both sides."""
    return one_version(ruling.rows[0].task)


def one_version(task: str) -> str:
    """Return that both runs are to be made of one version of a task."""
    return f"Make both runs of one version of {task} (the same data set, the same targets), and compare those."


def whole_log_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that an incomplete log must be made whole."""
    return f"Get the whole log of {ruling.rows[0].task} (copy it again, or run with --log_samples), then compare."


def unpaired_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that the items in no pair are to be read."""
    return f"Read the items of {ruling.rows[0].task} that are in no pair, and score the same ones on both sides."


def no_scores_step(ruling: Ruling, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that answers are to be scored, or that a run has to be made again which left none."""
    empty = [label for label, run in zip(labels, (a, b), strict=True) if not run.scores and not run.samples]
    if empty:
        return f"Run {listed(empty)} again: nothing was scored or logged there before the run ended. Then compare."
    bare = [label for label, run in zip(labels, (a, b), strict=True) if not run.scores] or [*labels]
    return (
        f"Score the logged responses of {listed(bare)}, or run {'it' if len(bare) == 1 else 'them'} again without "
        "--predict_only; then compare."
    )


Step = Callable[[Ruling, Conclusion, Labels, Run, Run], str]

BY_GROUND: Mapping[Ground, str | Step] = {
    "no_scores": no_scores_step,
    "nothing_shared": "Run the same tasks on both sides, with one version of their definition, and compare those.",
    "not_applied": not_applied_step,
    "no_shared_items": (
        "Score the same items on both sides (the same limit, the same version of the data), and compare those."
    ),
    "other_items": "Run both with --log_samples; then the shared items can be compared.",
    "no_common_unit": "Bring both runs to one scale and one unit first: the same metric definition on both sides.",
    "file_twice": "Give two runs: these are one file, so there is no gap to explain.",
    "reported_apart": "Score both logs once more with one version of the harness.",
    "weighed_apart": one_weight_step,
    "retargeted": one_task_step,
    "log_cut": whole_log_step,
    "unpaired_apart": unpaired_step,
}
"""Grounds that say by themselves what comes next."""
