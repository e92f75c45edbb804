"""How far responses and log-likelihoods moved on equal requests, in words, and what that says of who answered."""

from collections.abc import Sequence

from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.framed_responses import framed_in
from diptych.diagnose.samples.misplaced_responses import is_canned, is_misplaced
from diptych.diagnose.samples.numerical_noise import SMALL_SHARE
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.verdict.broken_responses import shapes_by_side
from diptych.diagnose.verdict.caveats import ended, ran_on
from diptych.diagnose.verdict.response_traces import lost_alone
from diptych.diagnose.verdict.trace import FEW
from diptych.run import Run


def moved_sentence(evidence: Evidence, tasks: Sequence[str]) -> str:
    """Return how far log-likelihoods moved on equal prompts, where that is more than arithmetic moves them.

    Equal prompts are equal text: which tokens were scored is in no log.
    """
    found = [
        (task.moves, task.change.largest if task.change else 0.0)
        for task in evidence.tasks
        if task.task in tasks and task.moves and task.moves.beyond and not any(task.unmeasured) and task.requests_equal
    ]
    if not found:
        return ""
    beyond, moved, of = (sum(values) for values in zip(*((m.beyond, m.moved, m.items) for m, _ in found), strict=True))
    boundless = sum(moves.boundless for moves, _ in found)
    reach = f"by up to {max(largest for _, largest in found):.2g}"
    if boundless:
        reach = f"{boundless:,} from or to what is no finite number"
    return (
        f" Log-likelihoods of {of:,} items with equal prompts moved on {moved:,}, on {beyond:,} by more than batching "
        f"and precision move them ({reach}): equal text does not show that the tokens are equal."
    )


def served_sentence(evidence: Evidence, tasks: Sequence[str], a: Run, b: Run, otherwise: bool = False) -> str:
    """Return that undrawn responses to equal requests differ more than batching makes: what answered is another.

    Those that only end elsewhere tell nothing of what answered, nor do recorded weights that are the same; white space
    around a response is no other one. `otherwise`: something on record may have done it instead.
    """
    found = [
        (
            task.responses - task.one_text.white_space,
            task.responses_compared,
            task.unfinished + canned(task),
            lost_alone(task),
        )
        for task in evidence.tasks
        if task.task in tasks and task.kind == "generation" and not task.drawn and task.requests_equal
        if ran_on([task]) is None and ended([task]) is None and not is_misplaced(task) and framed_in(task) is None
    ]
    differ, compared, ends, lost = (sum(each[at] for each in found) for at in range(4))
    if differ - ends <= SMALL_SHARE * (compared - ends):
        return ""
    where = f"no answer on one side in {lost:,} of them" if 2 * lost > ends else f"{ends:,} of them only where they end"
    some = f" ({where})" if ends > FEW * differ else ""
    said = (
        f" {differ:,} of {compared:,} responses to equal requests differ{some} though none is drawn, more than "
        "batching and"
    )
    sha = run_value(a, "model_sha")
    if sha and sha == run_value(b, "model_sha"):
        what, rest = "quantization, engine or its version", "; the weights are, by their model_sha"
    else:
        what, rest = "weights, quantization, engine or its version", ""
    if otherwise:
        return f"{said} precision make: if that did not make them, what answered ({what}) is not the same{rest}."
    return f"{said} precision make: what answered ({what}) is most likely not the same{rest}."


def canned(task: TaskEvidence) -> int:
    """Return how many changed responses are one text that a side gives to many items, and the other side never."""
    return sum(
        own.repeated for _, own, other in shapes_by_side(task) if is_canned(own.repeated, own.of, other.repeated)
    )
