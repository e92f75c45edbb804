"""Answers that are the same to the last digit though two models, or one with something laid over it, are on record."""

from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Invalid, Recorded
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.responses import NEARLY_ALL
from diptych.diagnose.samples.score_checks import FEWEST_LIKELIHOODS, FEWEST_TEXTS, SAME_PART, all_binary
from diptych.diagnose.samples.task_walk import Walk
from diptych.run import Run


def identical(walk: Walk, paired: PairedScores, recorded: Recorded) -> Invalid | None:
    """Return that two models on record gave the same answers to the last digit: a cache, or nothing was applied.

    Texts must all be the same; of log-likelihoods a part is enough for two models by name, since no two models share
    one by chance. Short texts alone say nothing: both models may be right.
    """
    compared = walk.compared["responses"]
    same = compared - walk.different["responses"]
    text = walk.kind == "generation"
    least = FEWEST_TEXTS if text else FEWEST_LIKELIHOODS
    part = 1.0 if text or recorded.applied else SAME_PART
    if not recorded.model_key or same < max(least, compared * part) or walk.distinct < least:
        return None
    if text and max(walk.texts.telling, 0 if recorded.applied else shared_errors(paired)) < FEWEST_LIKELIHOODS:
        return None
    return Invalid(
        "adapter_not_applied" if recorded.applied else "answers_identical", "both", walk.a.task, same, compared
    )


def identical_answers(a: Run, b: Run, walk: Walk, found: Invalid | None) -> list[Finding]:
    """Return the finding that two models on record are no two measurements."""
    if found is None:
        return []
    cached = [side for side, run in (("A", a), ("B", b)) if run.recorded("use_cache")]
    cache = f" (use_cache is set in {' and '.join(cached)})" if cached else ""
    whole = found.count_ >= NEARLY_ALL * found.of
    counts = f"All {found.of}" if found.count_ == found.of else f"{found.count_} of {found.of}"
    if found.kind == "adapter_not_applied":
        said = (
            f"{counts} answers in {walk.a.task} are the same to the last digit though an adapter, a revision or a "
            f"quantization differs on record: most likely it was not applied, or a cache answered{cache}."
        )
    else:
        said = (
            f"{counts} answers in {walk.a.task} are the same to the last digit though the models are not: most likely "
            f"one run was served from the other's response cache{cache}. These are not two measurements"
            f"{'' if whole else ' on those items'}."
        )
    severity: Severity = "error" if whole else "warning"
    return [Finding(found.kind, severity, said, "both", walk.a.task, found.count_, found.of)]


def shared_errors(paired: PairedScores) -> int:
    """Return the most items that any metric calls wrong on both sides: two models seldom err in the same words."""
    columns = [values for values in paired.values.values() if all_binary(values[0]) and all_binary(values[1])]
    return max((sum(not (one or other) for one, other in zip(*values, strict=True)) for values in columns), default=0)
