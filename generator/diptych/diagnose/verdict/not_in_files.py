"""What no file of two runs can tell, said once and plainly: a verdict is drawn without it."""

from collections.abc import Sequence

from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import sample_counts
from diptych.diagnose.settings.run_values import served
from diptych.estimates import MetricComparison
from diptych.run import LM_EVAL, Run


def not_in_files(metrics: Sequence[MetricComparison], evidence: Evidence, a: Run, b: Run) -> list[Finding]:
    """Return the one note that names what these files do not hold; none where they hold all of it."""
    found = [
        *served_unseen(a, b),
        *tokens_unseen(evidence),
        *(() if evidence.tasks else ("what was asked and answered, item by item",)),
        *repeats_unseen(metrics),
        *options_unseen(a, b),
    ]
    if not found:
        return []
    text = f"No file of these runs tells: {'; '.join(found)}."
    return [Finding("not_in_files", "note", text, count_=len(found))]


def served_unseen(a: Run, b: Run) -> list[str]:
    """Return whose answers came from a server of which nobody wrote down what it had loaded."""
    bare = [side for side, run in (("A", a), ("B", b)) if served(run) and not run.context]
    return [f"what answered {' and '.join(bare)} (weights, quantization, engine, template)"] if bare else []


def tokens_unseen(evidence: Evidence) -> list[str]:
    """Return that tokens are in no log, where prompts are equal as text and answers differ."""
    return ["which tokens were made of equal prompts"] if sample_counts(evidence).quiet.differ else []


def repeats_unseen(metrics: Sequence[MetricComparison]) -> list[str]:
    """Return that no noise floor was given, so that nothing says how far a plain repeat moves a score."""
    known = any(row.noise_floor is not None for row in metrics)
    return [] if known else ["how far a plain repeat of either moves its scores"]


def options_unseen(a: Run, b: Run) -> list[str]:
    """Return what the harness's own command line knows and its files do not."""
    bare = LM_EVAL in (a.harness, b.harness)
    return ["whether a list of --samples or a cache of requests (--cache_requests) was used"] if bare else []
