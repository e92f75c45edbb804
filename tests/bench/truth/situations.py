"""Situations from a seed: a base, one to three mechanisms, decoys beside them, with and without samples."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from truth import abroad, answers, bases, broken, decoys, looked_at, prompts, readings
from truth.decoys import Decoy
from truth.mechanism import Mechanism, sampled
from truth.sides import Json, Side, records_of
from truth.truths import SAME, Effect, Truth, truth_of

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
    return [*prompts.OPEN, *answers.OPEN, *readings.OPEN, *looked_at.OPEN, *broken.OPEN, *abroad.OPEN]


def situation(number: int, seed: int, pool: Sequence[Mechanism], beside: Sequence[Decoy] = decoys.OPEN) -> Situation:
    """Return one situation: each mechanism of the pool, and each setting of it, comes first in its turn."""
    chance = random.Random(f"situation {seed} {number}")
    first = pool[number % len(pool)]
    fitting = [name for name in bases.BASES if first.fits(bases.prepared(name))]
    base = chance.choice(fitting)
    chosen = [(first, first.settings[number // len(pool) % len(first.settings)])]
    draw = chance.random()
    wanted = 3 if draw < THREE else 2 if draw < THREE + TWO else 1
    a, b = bases.prepared(base).copy(), bases.prepared(base).copy()
    b.top |= {"date": float(b.top["date"]) + 86_400.0, "total_evaluation_time_seconds": "305.75"}
    for _ in range(wanted - 1 if not first.alone else 0):
        families = {mechanism.family for mechanism, _ in chosen}
        others = [m for m in pool if m.family not in families and not m.alone and m.fits(a)]
        if others:
            other = chance.choice(others)
            chosen.append((other, chance.choice(other.settings)))
    logged = chance.random() >= UNLOGGED
    effects: list[Effect] = []
    for mechanism, setting in sorted(chosen, key=lambda pair: (pair[0].family in LAST, pair[0].family not in FIRST)):
        effects.append(mechanism.change(a, b, chance, setting))
    if all_equal(a, b):  # a change that happened to move nothing cannot be seen to have acted
        effects = [effect._replace(seen=False, silent=True, kinds=effect.kinds | SAME) for effect in effects]
    if sampled(a) and sampled(b):  # drawn answers change by themselves: less may be said of what else could change them
        effects = [effect._replace(standings=effect.standings | {"possible"}) for effect in effects]
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


FIRST = ("template", "turns", "model")
"""Families that lay out prompts anew: before what then shows in them, or does not."""

LAST = ("budget",)
"""Families that act on answers as they are written: after all else that changes answers."""


def all_equal(a: Side, b: Side) -> bool:
    """Say whether both sides have the same items, answered, read and scored alike."""
    for name, task in a.tasks.items():
        ours = {(row["doc_hash"], row["filter"]): outcome(row) for row in records_of(task)}
        theirs = {(row["doc_hash"], row["filter"]): outcome(row) for row in records_of(b.tasks[name])}
        if ours != theirs:
            return False
    return True


def outcome(row: dict[str, Json]) -> tuple[Json, ...]:
    """Return what was answered, read and scored in one logged row."""
    return row["resps"], row["filtered_resps"], tuple(row[metric] for metric in row["metrics"])


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
