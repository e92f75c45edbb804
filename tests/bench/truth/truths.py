"""What is true of a situation by its making, and which verdicts are right of it: several where TRUTH allows several."""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple


class Stage(IntEnum):
    """Where a change acts, in the order of the steps of a run."""

    ITEMS = 0
    DOCS = 1
    PROMPT = 2
    RESPONSE = 3
    EXTRACTION = 4
    SCORING = 5
    NOWHERE = 6


WORDS = frozenset({"different", "unclear", "equivalent"})
"""Kinds of a verdict on runs that measured the same thing and do not agree to the last answer."""

SAME = frozenset({"identical"})
CALM = frozenset({"identical", "equivalent", "unclear"})
SPOILT = frozenset({"not_a_measurement"})
ANY = WORDS | SAME | SPOILT | {"not_comparable"}
NO_KEYS: frozenset[str] = frozenset()
SURE = frozenset({"supported", "possible"})


class Effect(NamedTuple):
    """What one mechanism did, as its author knows it.

    `causes` are the keys of recorded differences that it may be called by (empty: no file records it), `related`
    others that come with it and may be named beside it. `marked`: it left a mark that is its own (a prefix at a
    budget). `provable`: a check of the files shows that it acted and nothing else. `seen`: whether samples differ.
    `with_`: a second cause by its making, of which the first cannot be told.
    `standings` are the certainties that are right where it leads; `silent`: to name no cause is right as well. `weak`:
    it gives way to causes that are less so (1: drawing, releases; 2: keys that nobody knows; 3: arithmetic). `yields`:
    it leads only where nothing else can have acted, so that any other recorded difference may be suspected instead.
    `faint`: its mark is hidden on most items once answers changed before it. `slight`: it changes white space around
    responses alone, which is no rival of what changed them, and need not be told beside it.
    """

    causes: frozenset[str]
    stage: Stage
    related: frozenset[str] = frozenset()
    marked: bool = False
    model: bool | None = False
    provable: bool = False
    seen: bool = True
    kinds: frozenset[str] = WORDS
    standings: frozenset[str] = SURE
    silent: bool = False
    weak: int = 0
    never: frozenset[str] = frozenset()
    unknown: bool = False
    with_: frozenset[str] = frozenset()
    yields: bool = False
    faint: bool = False
    slight: bool = False


class Answer(NamedTuple):
    """One verdict that is right: what leads (None: nothing), which groups are all named together, of which kinds."""

    lead: frozenset[str] | None
    together: tuple[frozenset[str], ...] = ()
    standings: frozenset[str] = SURE
    kinds: frozenset[str] = ANY


class Truth(NamedTuple):
    """All that is right to say of a situation.

    `never` may not be named as the cause, `beside` may stand among suspects. `proof`: whether *proven* may be said.
    `unknown`: a side records no settings, which the sentence must say; then its settings may be suspects.
    """

    answers: tuple[Answer, ...]
    kinds: frozenset[str]
    models_differ: bool | None
    proof: bool
    decidable: bool
    never: frozenset[str]
    beside: frozenset[str]
    differs: bool
    unknown: bool


def keys(*names: str) -> frozenset[str]:
    """Return some keys as one cause."""
    return frozenset(names)


MAY = frozenset({"possible", "none"})


def truth_of(effects: Iterable[Effect], logged: bool, soft: frozenset[str], hard: frozenset[str]) -> Truth:
    """Return what is right of one or more effects together, with decoys that may (`soft`) or must not be named."""
    found = as_seen(sorted(effects, key=lambda effect: effect.stage), logged, bool(soft))
    acted = [effect for effect in found if effect.causes or effect.stage is not Stage.NOWHERE]
    named = [effect for effect in acted if effect.causes]
    answers = answers_of(named, logged) if named else [Answer(None, (), MAY)]
    if any(effect.silent for effect in acted) or not named:
        answers = [*answers, Answer(None, (), MAY)]
    if (
        not named or all(effect.yields or (effect.silent and effect.weak > 1) for effect in named)
    ) and soft:  # a recorded difference that nothing shows to have acted may still be said to be possible
        answers += [Answer(soft, (), frozenset({"possible"})), Answer(None, (soft,), MAY | {"possible"})]
    hidden = [effect for effect in named if logged and not effect.seen]
    if len(hidden) < len(named):
        hard = hard.union(*(effect.causes for effect in hidden))
    return Truth(
        answers=tuple(answers),
        kinds=kinds_of(acted or found, logged),
        models_differ=models_of(found),
        proof=any(effect.provable for effect in found),
        decidable=not answers[0].together,
        never=hard.union(*(effect.never for effect in found)) if found else hard,
        beside=soft.union(*(effect.related | effect.causes for effect in found)) if found else soft,
        differs=bool(named) or bool(soft) or any(effect.unknown for effect in found),
        unknown=any(effect.unknown for effect in found),
    )


def as_seen(effects: list[Effect], logged: bool, soft: bool) -> list[Effect]:
    """Return effects with what others hide of them: proof needs logged answers that nothing else changed."""
    acting = [effect for effect in effects if effect.seen]
    found = []
    for effect in effects:
        # on the items that are shared, another set of items or documents did nothing
        shared = effect.stage > Stage.DOCS
        rivals = [
            one for one in acting if one is not effect and not one.slight and not (shared and one.stage <= Stage.DOCS)
        ]
        if effect.stage is Stage.EXTRACTION and effect.provable and logged and effect.seen and rivals:
            effect = effect._replace(standings=SURE | {"proven"})  # its steps can be run over the logged responses
        elif effect.provable and (not logged or rivals or not effect.seen):
            effect = effect._replace(provable=False, standings=SURE)
        elif effect.provable and (soft or len(acting) > 1):  # what nobody knows may be thought to do anything
            effect = effect._replace(standings=effect.standings | {"supported"})
        found.append(effect)
    return found


def models_of(effects: list[Effect]) -> bool | None:
    """Return whether two models were run; None where it is right to say so and right not to."""
    said = [effect.model for effect in effects]
    return True if True in said else None if None in said else False


def kinds_of(effects: list[Effect], logged: bool) -> frozenset[str]:
    """Return the kinds of verdict that are right: those of the effect that weighs most."""
    if not logged:
        kinds = frozenset().union(*(effect.kinds for effect in effects)) | CALM
        return kinds | WORDS if kinds & SPOILT else kinds
    strict = [effect.kinds for effect in effects if not effect.kinds & (WORDS | SAME)]
    if strict:
        return strict[0]
    if any(effect.seen and effect.kinds == WORDS for effect in effects) and len(effects) > 1:
        return WORDS | frozenset().union(*(effect.kinds - SAME for effect in effects))
    return frozenset().union(*(effect.kinds for effect in effects))


def answers_of(named: list[Effect], logged: bool) -> list[Answer]:
    """Return the right verdicts of effects that files record, in the order of their stages."""
    if not logged:
        return without_samples(named)
    bare = [one for one in named if not any(one.causes & other.related for other in named if other is not one)]
    if bare and len(bare) < len(named):  # what comes with another change need not be told beside it
        return [*answers_of(bare, logged), *answers_of([one._replace(related=NO_KEYS) for one in named], logged)]
    loud = [effect for effect in named if not effect.slight]
    if loud and len(loud) < len(named):
        return [*answers_of(loud, logged), *answers_of([effect._replace(slight=False) for effect in named], logged)]
    live = [effect for effect in named if effect.seen] or named
    live += [
        effect._replace(causes=effect.with_, model=False, with_=NO_KEYS, stage=Stage.PROMPT)
        for effect in live
        if effect.with_
    ]
    live.sort(key=lambda effect: effect.stage)
    if len(live) == 1:
        return one_cause(live[0])
    if live[0].stage < Stage.PROMPT:  # on the items that are shared it did nothing, the others did
        return [*answers_of(live[1:], logged), all_of(live), *answers_of(live[:1], logged)[:1]]
    models = [effect for effect in live if effect.model]
    if models:
        return with_model(models, [effect for effect in live if not effect.model])
    perhaps = [effect for effect in live if effect.model is None]
    told = with_model(perhaps, [effect for effect in live if effect.model is False]) if perhaps else []
    read = [Answer(effect.causes, (), frozenset({"proven"})) for effect in live if effect.provable]
    return [*by_stage(live), *told, *read]


def by_stage(live: list[Effect]) -> list[Answer]:
    """Return the right verdicts of several causes of one model: the earliest leads, marks of later ones stay."""
    first = [effect for effect in live if effect.stage == live[0].stage]
    rest = [effect for effect in live if effect not in first]
    if rest and all(effect.silent and effect.weak > 1 for effect in first):
        return [*staged(first, live), *by_stage(rest)]  # another order of sums need not be told beside what did more
    return staged(first, live)


def staged(first: list[Effect], live: list[Effect]) -> list[Answer]:
    """Return the right verdicts where some causes are the earliest of all that acted."""
    marked = [effect for effect in live if effect.marked and effect not in first]
    if len(first) == 1 and not marked:
        return [*one_cause(first[0]), all_of(live)]
    cut = [Answer(effect.causes, (), SURE, SPOILT) for effect in marked]
    if len(first) == 1:
        alone = one_cause(first[0]) if all(effect.faint for effect in marked) else []
        return [all_of([*first, *marked]), *cut, *alone]
    strong = strongest(first)
    if len(strong) == 1 and not marked:
        return [*one_cause(strong[0]), all_of(first)]
    return [all_of([*strong, *marked]), *cut]


def strongest(effects: list[Effect]) -> list[Effect]:
    """Return those effects of which most may be expected; what leads only where nothing else can gives way first."""
    effects = [effect for effect in effects if not effect.yields] or effects
    least = min(effect.weak for effect in effects)
    return [effect for effect in effects if effect.weak == least]


def with_model(models: list[Effect], others: list[Effect]) -> list[Answer]:
    """Return the right verdicts where the model is another one and something else differs too.

    What changed the prompts is a rival that must be named; what would act later may be left to the model.
    """
    before = [effect for effect in others if effect.stage < Stage.RESPONSE or effect.marked]
    if before:
        cut = [Answer(effect.causes, (), SURE, SPOILT) for effect in before if effect.marked]
        loud = [effect for effect in before if not effect.faint]
        return [all_of([*models, *before]), *cut, *(with_model(models, loud) if len(loud) < len(before) else [])]
    merged = frozenset().union(*(model.causes for model in models))
    return [Answer(merged, (), SURE), Answer(None, (merged,), SURE)]


def one_cause(effect: Effect) -> list[Answer]:
    """Return the right verdicts of one cause: it leads, or it stands first among what came with it."""
    return [Answer(effect.causes, (), effect.standings), Answer(None, (effect.causes,), SURE | {"none"})]


def all_of(effects: list[Effect]) -> Answer:
    """Return the verdict that names all causes together."""
    return Answer(None, tuple(effect.causes for effect in effects), SURE | {"none"})


def without_samples(named: list[Effect]) -> list[Answer]:
    """Return the right verdicts where no answer was logged: what differs is possible, several are named together."""
    possible = frozenset({"possible", "none"})
    named = [*named, *(effect._replace(causes=effect.with_, model=False) for effect in named if effect.with_)]
    strong = strongest(named)
    models = [effect for effect in strong if effect.model]
    if len(strong) == 1 or (models and len(strong) == len(models)):
        merged = frozenset().union(*(effect.causes for effect in strong))
        return [Answer(merged, (), possible | {"supported"}), Answer(None, (merged,), possible)]
    return [Answer(None, tuple(effect.causes for effect in strong), possible)]
