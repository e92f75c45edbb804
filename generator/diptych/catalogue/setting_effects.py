"""How settings can move a score: each way of acting with what it leaves behind, and what a row of a table knows."""

from collections.abc import Mapping
from typing import Literal

from diptych.fast_named_tuple import NamedTuple

Act = Literal[
    "items",
    "documents",
    "template",
    "text",
    "thought",
    "strip",
    "examples",
    "layout",
    "frame",
    "messages",
    "choices",
    "target",
    "budget",
    "stop",
    "drawing",
    "ballots",
    "seed",
    "shuffle",
    "decoding",
    "weights",
    "engine",
    "server",
    "tokens",
    "window",
    "arithmetic",
    "transport",
    "cache",
    "extraction",
    "scoring",
    "judging",
    "version",
    "any",
    "nothing",
]
"""A way in which a setting can move a score."""

Step = Literal[
    "items", "documents", "prompts", "choices", "generation_arguments", "responses", "filtered", "scores", "none"
]
Needs = Literal["examples", "drawing", "text", "weights", ""]
Change = Literal[
    "template", "multiturn", "system", "shots", "generation", "backend", "argument", "limit", "batch", "device",
    "seed", "cache", "package", "outside", "",
]  # fmt: skip


class How(NamedTuple):
    """A way of acting: the step where it shows first, what it leaves behind, and the check that proves it ("": none).

    `weak`: it can move a score by little only; it yields to what can do more.
    """

    step: Step
    leaves: str
    proof: str = ""
    weak: bool = False


ACTS: Mapping[Act, How] = {
    "items": How("items", "other items are scored; the shared ones are equal", "item_sets"),
    "documents": How("documents", "the documents themselves differ"),
    "template": How("prompts", "the same words between the marks of a template, or as a list of messages"),
    "text": How("prompts", "the recorded text stands in the prompts of one side only"),
    "thought": How("prompts", "an empty thought block in the prompt, or thoughts in the answers"),
    "strip": How("responses", "responses are without the thoughts that the other side's hold"),
    "examples": How("prompts", "more, fewer or other examples before an equal question"),
    "layout": How("prompts", "examples as turns or in one piece"),
    "frame": How("prompts", "the frame of every question changes alike"),
    "messages": How("prompts", "a list of messages instead of a text"),
    "choices": How("choices", "the scored continuations differ"),
    "target": How("documents", "the right answer is another one, the response is the same", "target_only"),
    "budget": How("responses", "the shorter answer is the longer one, cut at its budget", "cut_at_budget"),
    "stop": How("responses", "the shorter answer is the longer one, cut at its stop string", "cut_at_stop"),
    "drawing": How("responses", "answers differ both ways on equal prompts"),
    "ballots": How("responses", "items have more responses, of which a filter makes one answer"),
    "seed": How("responses", "other draws: a repeat"),
    "shuffle": How("documents", "the same choices in another order, or other examples: what the task itself draws"),
    "decoding": How("responses", "answers differ on equal prompts"),
    "weights": How("responses", "answers and log-likelihoods move broadly"),
    "engine": How("responses", "answers and log-likelihoods move broadly"),
    "server": How("responses", "answers differ on equal requests"),
    "tokens": How("responses", "equal text, and log-likelihoods move on nearly all items, or on few by much"),
    "window": How("responses", "long prompts lose their beginning"),
    "arithmetic": How("responses", "small moves both ways, flips at small margins", weak=True),
    "transport": How("responses", "nothing, or another server's weights", weak=True),
    "cache": How("responses", "answers that were not measured in this run"),
    "extraction": How("filtered", "responses are equal, what the filter kept is not", "extraction_only"),
    "scoring": How("scores", "filtered responses are equal, scores are not", "scoring_only"),
    "judging": How("scores", "filtered responses are equal, scores are not; a judge may say otherwise twice"),
    "version": How("none", "anything, at any step", weak=True),
    "any": How("none", "anything, at any step"),
    "nothing": How("none", "nothing"),
}


class Known(NamedTuple):
    """What is known of some settings that share a place.

    `needs`: they act only where examples are shown, answers are drawn, text is asked for, or weights are held.
    `model`: they name the model; all of them together are one suspect. `told` says how a harness is told it.
    """

    keys: tuple[str, ...]
    kind: str
    why: str
    acts: tuple[Act, ...]
    needs: Needs = ""
    model: bool = False
    told: Change = ""


def model_args(names: str) -> tuple[str, ...]:
    """Return the dotted keys of arguments that are given inside model_args."""
    return tuple(f"model_args.{name}" for name in names.split())


def gen_kwargs(names: str) -> tuple[str, ...]:
    """Return the dotted keys of generation arguments."""
    return tuple(f"gen_kwargs.{name}" for name in names.split())
