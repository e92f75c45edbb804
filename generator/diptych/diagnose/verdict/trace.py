"""How one difference fits one task: the mark that it left, and the facts of the task that it is held against."""

from typing import Literal

from diptych.catalogue.setting_effects import Act
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.sample_counts import Count, count_at_step
from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Sided

NEARLY_ALL = 0.9


FEW = 0.1


FEWEST = 3


Mark = Literal["proof", "own", "broad", "open", "later", "silent"]
"""How a difference fits a task: a mechanism check passes; its own mark is there; all responses moved as it would move
them; nothing tells; it acts only after the step where the task parts; it cannot have acted."""


MARKS: tuple[Mark, ...] = ("proof", "own", "broad", "open", "later", "silent")


class Trace(NamedTuple):
    """How one difference fits one task: `count` of `of` items, what they do, and the check that proves it ("": none).

    `act` is the way of acting; `weak`: it moves little; `after`: it acts only after the step where the task parts.
    `sampled_from`: the `of` items are a sample of so many (0: they are all). `little`: what moved moved no further than
    a plain repeat may; `beyond`: it moved further than this can move it while nothing in it is broken.
    """

    mark: Mark
    act: Act
    number: int = 0
    of: int = 0
    clause: str = ""
    proof: str = ""
    weak: bool = False
    after: bool = False
    sampled_from: int = 0
    little: bool = False
    beyond: bool = False


class Task(NamedTuple):
    """A task's facts with the counts that traces ask for most; `draws` says which sides draw their answers.

    `drawn_with` are the seeds of the run by which the task's own code draws, as far as it is recorded.
    """

    facts: TaskEvidence
    prompts: Count
    choices: Count
    responses: Count
    filtered: Count
    scores: Count
    draws: Sided[bool | None]
    drawn_with: frozenset[str] = frozenset()

    @property
    def still(self) -> bool:
        """Whether every shared response and score is the same."""
        return self.responses.differ == 0 and self.filtered.differ == 0 and self.scores.differ == 0

    @property
    def moved(self) -> str:
        """What is said of what changed: log-likelihoods of choices are no responses."""
        return "responses differ" if self.facts.kind == "generation" else "log-likelihoods moved"

    @property
    def asked_alike(self) -> bool:
        """Whether prompts and scored continuations are equal."""
        return self.prompts.differ == 0 and self.choices.differ == 0

    @property
    def shuffled(self) -> int:
        """How many items hold the same choices, or other words of their prompts, in another order."""
        return max(self.facts.reordered, self.kind("order"))

    def kind(self, *kinds: str) -> int:
        """Return the most prompts that differ in one of some ways."""
        found = self.facts.prompts.kinds if self.facts.prompts else {}
        return max((found.get(kind, 0) for kind in kinds), default=0)


def facts_with_counts(facts: TaskEvidence, draws: Sided[bool | None], drawn_with: frozenset[str] = frozenset()) -> Task:
    """Return a task's facts with their counts."""
    one = [facts]
    steps = (count_at_step(one, "prompts"), count_at_step(one, "choices"), count_at_step(one, "responses"))
    return Task(facts, *steps, count_at_step(one, "filtered"), count_at_step(one, "scores"), draws, drawn_with)


def silent(number: int, of: int, clause: str) -> Trace:
    """Return that a way of acting left nothing."""
    return Trace("silent", "nothing", number, of, clause)
