"""What answers that repeat one phrase to the end ask for, where the cause of what changed may itself make them loop."""

from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.model_clause import one_quantized
from diptych.diagnose.verdict.step_facts import Case
from diptych.numbers import counted


def looping_cause(case: Case) -> Hypothesis | None:
    """Return what leads alone and may itself make answers loop: other bits of one model, or another way to decode."""
    one, broken = case.conclusion.alone, case.beside.broken
    if one is None or broken is None or broken.fault != "looping" or case.conclusion.certainty == "possible":
        return None
    decodes = {"decoding", "drawing"} & set(one.difference.known.acts) and one.key.startswith(("gen_kw", "model_args."))
    return one if decodes or (one.difference.known.model and one_quantized(one.difference, case.a, case.b)) else None


def about_loops(case: Case) -> str:
    """Return what looping responses say of the cause that may make them, with what to try; "" where none may."""
    one, broken = looping_cause(case), case.beside.broken
    if one is None or broken is None:
        return ""
    why = "weights in few bits" if one.difference.known.model else "answers that are decoded so"
    return (
        f"The {counted(broken.number, 'response')} of {case.labels.of(broken.side)} that repeat one phrase fit that: "
        f"{why} may loop. A penalty on repetition, the same on both sides, would show it."
    )
