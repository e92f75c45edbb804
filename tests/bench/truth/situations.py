"""Situations from a seed: a base, one to three mechanisms, decoys beside them, with and without samples."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from truth import answers, bases, decoys, prompts, readings
from truth.decoys import Decoy
from truth.mechanism import Mechanism
from truth.sides import Side
from truth.truths import Effect, Stage, Truth, truth_of

UNLOGGED = 0.15
TWO = 0.28
THREE = 0.04
DECOYED = 0.6


class Situation(NamedTuple):
    """Two sides with what was done to them, and what is true of them."""

    number: int
    base: str
    mechanisms: tuple[str, ...]
    settings: tuple[str, ...]
    decoys: tuple[str, ...]
    logged: bool
    swapped: bool
    a: Side
    b: Side
    truth: Truth

    @property
    def label(self) -> str:
        """A line that names it."""
        parts = [f"{name} [{setting}]" for name, setting in zip(self.mechanisms, self.settings, strict=True)]
        beside = f" beside {', '.join(self.decoys)}" if self.decoys else ""
        logs = "" if self.logged else ", no samples"
        turned = ", swapped" if self.swapped else ""
        return f"{self.number}: {self.base}: {' + '.join(parts)}{beside}{logs}{turned}"


def open_mechanisms() -> list[Mechanism]:
    """Return the mechanisms that anyone may look at while rules are written."""
    return [*prompts.OPEN, *answers.OPEN, *readings.OPEN]


def situation(number: int, seed: int, pool: Sequence[Mechanism], beside: Sequence[Decoy] = decoys.OPEN) -> Situation:
    """Return one situation: every mechanism of the pool is the first of as many situations as the others."""
    chance = random.Random(f"situation {seed} {number}")
    first = pool[number % len(pool)]
    fitting = [name for name in bases.BASES if first.fits(bases.prepared(name))]
    base = chance.choice(fitting)
    chosen = [(first, chance.choice(first.settings))]
    draw = chance.random()
    wanted = 3 if draw < THREE else 2 if draw < THREE + TWO else 1
    a, b = bases.prepared(base).copy(), bases.prepared(base).copy()
    for _ in range(wanted - 1 if not first.alone else 0):
        families = {mechanism.family for mechanism, _ in chosen}
        others = [m for m in pool if m.family not in families and not m.alone and m.fits(a)]
        if others:
            other = chance.choice(others)
            chosen.append((other, chance.choice(other.settings)))
    logged = chance.random() >= UNLOGGED
    effects: list[Effect] = []
    for mechanism, setting in chosen:
        effects.append(mechanism.change(a, b, chance, setting))
    effects = as_seen(effects, a, b, logged)
    planted, soft, hard = plant(a, b, effects, chance, beside)
    a.logged = b.logged = logged
    swapped = chance.random() < 0.5
    a, b = (b, a) if swapped else (a, b)
    return Situation(
        number,
        base,
        tuple(mechanism.name for mechanism, _ in chosen),
        tuple(setting for _, setting in chosen),
        tuple(planted),
        logged,
        swapped,
        a,
        b,
        truth_of(effects, logged, soft, hard),
    )


def as_seen(effects: list[Effect], a: Side, b: Side, logged: bool) -> list[Effect]:
    """Return effects with what others hide of them: proof needs answers that nothing else changed."""
    earlier = min(effect.stage for effect in effects)
    seen = []
    for effect in effects:
        if effect.stage > earlier and effect.provable:
            effect = effect._replace(provable=False, standings=frozenset({"supported", "possible"}))
        if len(effects) > 1 and effect.provable and effect.stage > Stage.ITEMS:
            later = [other for other in effects if other is not effect and other.stage <= effect.stage]
            if later:
                effect = effect._replace(provable=False, standings=frozenset({"supported", "possible"}))
        if not logged:
            effect = effect._replace(provable=False, standings=frozenset({"supported", "possible"}))
        seen.append(effect)
    return seen


def plant(
    a: Side, b: Side, effects: list[Effect], chance: random.Random, beside: Sequence[Decoy]
) -> tuple[list[str], frozenset[str], frozenset[str]]:
    """Put decoys beside the causes; return their names, the keys that may be suspects and those that may not."""
    names: list[str] = []
    soft: set[str] = set()
    hard: set[str] = set()
    taken = frozenset().union(*(effect.causes | effect.related | effect.never for effect in effects))
    if chance.random() >= DECOYED or not (a.config and b.config):
        return names, frozenset(), frozenset()
    for decoy in chance.sample(list(beside), chance.randint(1, 3)):
        if not (decoy.fits(a) and decoy.fits(b)):
            continue
        keys = decoy.plant(a.copy(), b.copy(), random.Random(0))
        if any(
            key == other or key.endswith(f".{other}") or other.endswith(f".{key}") for key in keys for other in taken
        ):
            continue
        decoy.plant(a, b, chance)
        names.append(decoy.name)
        (soft if decoy.soft else hard).update(keys)
    return names, frozenset(soft), frozenset(hard)
