"""What a mechanism is: a change with what it leaves behind, the settings that it may stand for, and where it fits."""

import random
from collections.abc import Callable
from typing import NamedTuple

from truth.sides import Side
from truth.truths import Effect

Change = Callable[[Side, Side, random.Random, str], Effect]
Fits = Callable[[Side], bool]


class Mechanism(NamedTuple):
    """One way in which two runs come apart.

    `change` changes A and B (most only B) for one of `settings` and says what is true. Two of one `family` are never
    put together.
    """

    name: str
    change: Change
    settings: tuple[str, ...]
    fits: Fits
    family: str
    alone: bool


class Registry(list[Mechanism]):
    """Mechanisms in the order in which they were written."""

    def add(self, *settings: str, fits: Fits, family: str, alone: bool = False) -> Callable[[Change], Change]:
        """Return what enters a change under its function's name."""

        def enter(change: Change) -> Change:
            name = change.__name__.replace("_", " ")
            self.append(Mechanism(name, change, settings or ("",), fits, family, alone))
            return change

        return enter


def everywhere(side: Side) -> bool:
    """Fit any run."""
    return True


def asks_text(side: Side) -> bool:
    """Fit runs whose tasks all ask for text."""
    return not side.picks


def some_text(side: Side) -> bool:
    """Fit runs with a task that asks for text."""
    return bool(side.texts)


def only_choices(side: Side) -> bool:
    """Fit runs whose tasks all score choices."""
    return not side.texts


def some_choices(side: Side) -> bool:
    """Fit runs with a task of choices."""
    return bool(side.picks)


def long_answers(side: Side) -> bool:
    """Fit runs whose texts are some sentences long."""
    return bool(side.texts) and not side.picks and average_length(side) > 60


def average_length(side: Side) -> float:
    """Return how long answers are, in characters."""
    lengths = [len(item.text) for task in side.texts for item in task.items]
    return sum(lengths) / len(lengths)


def greedy(side: Side) -> bool:
    """Fit runs that take the likeliest answer."""
    return not sampled(side)


def sampled(side: Side) -> bool:
    """Fit runs that draw their answers."""
    return any(task.config["generation_kwargs"].get("do_sample") for task in side.texts)


def loaded(side: Side) -> bool:
    """Fit runs whose weights the harness holds."""
    return not served(side)


def served(side: Side) -> bool:
    """Fit runs that ask a server."""
    return "completions" in str(side.config["model"])


def plain(side: Side) -> bool:
    """Fit runs without a chat template."""
    return all(task.layout.template is None and not task.layout.messages for task in side.tasks.values())


def rendered(side: Side) -> bool:
    """Fit runs whose template stands in the logged prompts."""
    return all(task.layout.template is not None for task in side.tasks.values())


def shows_examples(side: Side) -> bool:
    """Fit runs with examples before every question."""
    return all(task.layout.shots > 0 for task in side.tasks.values())


def noted(side: Side) -> bool:
    """Fit runs with notes beside them."""
    return side.context is not None


def two_filters(side: Side) -> bool:
    """Fit runs of one task that is read by two filters."""
    return len(side.tasks) == 1 and all(len(task.config.get("filter_list", ())) == 2 for task in side.texts)


def both(*parts: Fits) -> Fits:
    """Fit where all parts do."""
    return lambda side: all(part(side) for part in parts)
