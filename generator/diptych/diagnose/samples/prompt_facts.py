"""How the prompts of one task differ, as counts: by kind, by a recorded text that stands in them, by start tokens."""

from collections.abc import Mapping

from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Side, Sided

PROMPT_KINDS = (
    "role_markers",
    "examples",
    "example_layout",
    "system_text",
    "white_space",
    "start_token",
    "thought",
    "same_words",
    "order",
    "other",
    "messages",
)
"""How two prompts for one item can differ; `same_words` is a message list against a text of the same words,
`messages` one against a text of other words, `order` the same words in another order."""


class PromptEvidence(NamedTuple):
    """How the prompts of one task differ: `kinds` counts items by kind (an item may show several).

    `other_number` counts those with another number of examples, `other_order` those with the same ones, reordered,
    `nested` those in which a chat template is laid over a chat template on that side alone.
    """

    compared: int
    equal: int
    kinds: Mapping[str, int]
    first: Mapping[str, str]
    sentence: str
    other_number: int = 0
    other_order: int = 0
    nested: Sided[int] = Sided(0, 0)


class HeldAnswers(NamedTuple):
    """That `number` of `of` differing prompts of a side hold the right answer in what they have more than the other's.

    The wrong ones of up to `choices` + 1 choices stand there in `others` of them each, on the mean.
    """

    side: Side
    number: int
    of: int
    others: int = 0
    choices: int = 0


class StartTokens(NamedTuple):
    """How many of one side's `of` prompts begin with a literal start token, `once` or `twice` (or more often)."""

    of: int
    once: int
    twice: int
    token: str


class TextFact(NamedTuple):
    """In how many of some differing prompts a recorded text stands, by side; `recorded` says which side has one.

    In `exchanged` of them one side's text in the place of the other's makes the prompts equal.
    """

    key: str
    of: int
    a: int
    b: int
    recorded: Sided[bool]
    exchanged: int = 0
