"""Whether a verdict is right of a situation: what leads, how surely, of which kind, and what its sentence claims."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from diptych.comparison import Comparison
from truth.truths import Answer, Truth

Json = Any


class Judgement(NamedTuple):
    """What is right and wrong of one verdict, each fault in a few words."""

    lead: bool
    kind: bool
    models: bool
    together: bool
    false_proof: bool
    missed_proof: bool
    false_clauses: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether all that a reader reads first is right."""
        return self.lead and self.kind and self.models and not self.false_proof and not self.false_clauses


def among(name: str, keys: Iterable[str], tasks: Iterable[str] = ()) -> bool:
    """Say whether a name means one of some keys: a task may stand before it, and a part of its value after it."""
    bare = next((name[len(task) + 1 :] for task in tasks if name.startswith(f"{task}.")), name)
    return any(key in (name, bare) or bare.startswith(f"{key}.") for key in keys)


def tasks_of(made: Comparison) -> tuple[str, ...]:
    """Return the tasks of both sides, the longest name first."""
    names = {row.task for row in made.metrics} | {row.task for row in made.task_settings}
    return tuple(sorted(names, key=len, reverse=True))


def judge(made: Comparison, truth: Truth) -> Judgement:
    """Return the judgement of a verdict."""
    verdict = made.verdict
    lead, tasks = verdict.leading_cause, tasks_of(made)
    suspects = tuple(suspect.key for suspect in getattr(verdict, "suspects", ()) or ())
    accepted = [
        answer for answer in truth.answers if verdict.kind in answer.kinds and agrees(answer, lead, suspects, tasks)
    ]
    sure = any(verdict.standing in answer.standings for answer in accepted)
    unknown = truth.unknown and re.search(r"unknown|missing", verdict.sentence) is not None
    if unknown and verdict.standing in ("possible", "none"):
        accepted = [Answer(None, (), frozenset({"possible", "none"}))]
    known = causes_of(truth)
    decoy = [
        key for key in (lead, *suspects) if key and among(key, truth.never, tasks) and not among(key, known, tasks)
    ]
    strange = (
        [] if unknown else [key for key in suspects if not among(key, (*known, *truth.beside, *truth.never), tasks)]
    )
    false_proof = verdict.standing == "proven" and not (truth.proof and accepted)
    missed = bool(accepted) and not sure and truth.proof
    clauses = tuple(false_clauses(made, truth, decoy, strange))
    models = truth.models_differ is None or bool(getattr(verdict, "models_differ", False)) == truth.models_differ
    faults = []
    if not accepted:
        faults.append(f"lead {lead}, suspects {', '.join(suspects) or '-'}, not {wanted(truth)}")
    elif not sure and not false_proof:
        faults.append(f"{verdict.standing}, not {' or '.join(sorted(set().union(*(a.standings for a in accepted))))}")
    if verdict.kind not in truth.kinds:
        faults.append(f"{verdict.kind}, not {' or '.join(sorted(truth.kinds))}")
    if not models:
        faults.append("two models, not said" if truth.models_differ else "one model, said to be two")
    if false_proof:
        faults.append("proven falsely")
    return Judgement(
        lead=bool(accepted) and sure and not decoy,
        kind=verdict.kind in truth.kinds,
        models=models,
        together=bool(accepted) and not accepted[0].lead and bool(suspects),
        false_proof=false_proof,
        missed_proof=missed,
        false_clauses=clauses,
        faults=(*faults, *clauses),
    )


def agrees(answer: Answer, lead: str | None, suspects: tuple[str, ...], tasks: tuple[str, ...]) -> bool:
    """Say whether a verdict names what an answer names."""
    if answer.lead is not None:
        return lead is not None and among(lead, answer.lead, tasks)
    if lead is not None:
        return False
    if not answer.together:
        return not suspects
    return bool(suspects) and all(any(among(key, group, tasks) for key in suspects) for group in answer.together)


def causes_of(truth: Truth) -> frozenset[str]:
    """Return every key that some right answer names."""
    return frozenset().union(*((answer.lead or frozenset()).union(*answer.together) for answer in truth.answers))


def wanted(truth: Truth) -> str:
    """Return the first right answer in words."""
    answer = truth.answers[0]
    if answer.lead:
        return min(answer.lead)
    if answer.together:
        return "together " + " and ".join(min(group) for group in answer.together)
    return "none"


DENIAL = re.compile(
    r"\bno(?:thing)? (?:recorded |setting |recorded setting )?(?:that is recorded )?differs", re.IGNORECASE
)
PROOF = re.compile(r"\b(?:proves?|proven)\b(?! not)", re.IGNORECASE)
NAMED = re.compile(r"(?<![\w.])(?:[a-z_]+\.)*[a-z]+_[a-z_]+(?![\w(])")


def false_clauses(made: Comparison, truth: Truth, decoy: list[str], strange: list[str]) -> Iterable[str]:
    """Yield what a verdict's sentence or its list of suspects claims against the truth."""
    sentence = made.verdict.sentence
    if DENIAL.search(sentence) and truth.differs:
        yield "says that nothing differs"
    if decoy:
        yield f"{', '.join(decoy)} cannot have acted and is named"
    if strange:
        yield f"{', '.join(strange)} is no difference that was made, and is named"
    if PROOF.search(sentence) and "not proven" not in sentence and made.verdict.standing != "proven":
        yield "says proven, and is not so sure"
    equal = [name for name in NAMED.findall(sentence) if names_an_equal_setting(name, made)]
    if equal:
        yield f"names {', '.join(dict.fromkeys(equal))}, which is equal on both sides"


SETTINGS = re.compile(
    r"^(?:chat_template|system_instruction|fewshot_as_multiturn|num_fewshot|fewshot_seed|gen_kwargs\.\w+|model_args\.\w+"
    r"|batch_size|random_seed|numpy_seed|torch_seed)$"
)


def names_an_equal_setting(name: str, made: Comparison) -> bool:
    """Say whether a word of a sentence is the key of a setting that is no listed difference."""
    listed = [row.key for row in made.settings] + [f"context.{row.setting}" for row in made.context]
    listed += [f"{row.task}.{row.field}" for row in made.task_settings]
    known = any(name == key or key.endswith(f".{name}") or key.startswith(f"{name}.") for key in listed)
    return bool(SETTINGS.match(name)) and not known
