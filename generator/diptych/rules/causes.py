"""Rules about the cause: what may lead, what may be called proven, and which run may be asked for next."""

from collections.abc import Iterator

from diptych.comparison import Comparison
from diptych.rules.differences import Difference, listed_differences, named_difference

SEEDS = ("random_seed", "numpy_seed", "torch_seed", "gen_kwargs.seed", "model_args.seed", "seed")
"""Seeds of sampling: no cause to chase."""


def leading_cause(made: Comparison) -> Iterator[str]:
    """The leading cause is a listed difference that can act, and its row agrees with how sure the verdict is."""
    verdict = made.verdict
    if verdict.leading_cause is None:
        if verdict.standing != "none" and not verdict.suspects:
            yield f"{verdict.standing}, and no cause is named"
    else:
        yield from agreeing(verdict.leading_cause, named_difference(verdict.leading_cause, made), made)
        if verdict.suspects:
            yield f"{verdict.leading_cause} leads, and suspects are named together beside it"
    for suspect in verdict.suspects:
        row = named_difference(suspect.key, made)
        if row is None:
            yield f"{suspect.key} is a suspect and is no listed difference"
        elif row.bearing == "cannot":
            yield f"{suspect.key} is a suspect, and its row says that it cannot have acted"
    for row in listed_differences(made):
        if equal_on_both(row):
            yield f"{row.key} is listed as a difference and is {row.a!r} on both sides"


def agreeing(key: str, row: Difference | None, made: Comparison) -> Iterator[str]:
    """Yield where a leading cause and its row disagree."""
    standing = made.verdict.standing
    if row is None:
        yield f"{key} leads and is no listed difference"
    elif row.bearing == "cannot":
        yield f"{key} leads, and its row says that it cannot have acted"
    elif standing in ("proven", "supported") and row.bearing != "explains":
        yield f"{key} is {standing}, and its row says {row.bearing}"
    elif standing == "possible" and row.bearing == "explains":
        yield f"{key} is only possible, and its row says that it explains"
    if standing == "none":
        yield f"{key} leads, and how sure that is reads none"


def equal_on_both(row: Difference) -> bool:
    """Say whether a listed difference is none: the same value, recorded alike, and not a masked secret."""
    same = row.a == row.b and type(row.a) is type(row.b)
    return same and row.a_recorded == row.b_recorded and "***" not in str(row.a)


def proof(made: Comparison) -> Iterator[str]:
    """Proven has its mechanism check by name, and no rival that explains the same."""
    verdict = made.verdict
    if verdict.standing != "proven":
        if verdict.mechanism is not None:
            yield f"the check {verdict.mechanism} passed, and the verdict reads {verdict.standing}"
        return
    if verdict.mechanism is None:
        yield f"{verdict.leading_cause} is proven by no named check"
    lead = named_difference(verdict.leading_cause or "", made)
    rivals = [row.key for row in listed_differences(made) if row.bearing == "explains" and row != lead]
    if lead is not None and any(same_field(lead.key, rival) for rival in rivals):
        rivals = [rival for rival in rivals if not same_field(lead.key, rival)]
    if rivals or verdict.suspects:
        yield f"{verdict.leading_cause} is proven, and {', '.join(rivals[:3]) or 'its suspects'} explain it as well"
    if lead is not None and not (lead.a_recorded and lead.b_recorded):
        yield f"{lead.key} is proven, and one side does not record it"


def same_field(one: str, other: str) -> bool:
    """Say whether two keys are one setting seen in several tasks, or in its own table and a task's."""
    return one.rpartition(".")[2] == other.rpartition(".")[2] or one.partition(".")[2] == other.partition(".")[2] != ""


def next_run(made: Comparison) -> Iterator[str]:
    """The run that is asked for is not run B, takes no seed from it, and does not ask for what shared items tell."""
    run = made.verdict.isolating_run
    if run is None:
        return
    acting = {row.key for row in listed_differences(made) if row.bearing != "cannot"}
    if made.verdict.next_run_exists:
        yield f"the run that changes {run.changes} is run B, and is asked for all the same"
    elif acting and all(map(run.takes, acting)):
        yield f"the run that changes {run.changes} is run B: nothing else that differs can act"
    if run.changes in SEEDS:
        yield f"a run is asked for that takes {run.changes} from B"
    if run.changes in ("limit", "samples"):
        yield f"a run is asked for that settles {run.changes}, which the shared items already do"
    taken = any(run.takes(row.key) for row in listed_differences(made))
    if not taken and named_difference(run.changes, made) is None:
        yield f"a run is asked for that changes {run.changes}, which does not differ"
