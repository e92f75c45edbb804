"""What the generated answers of one task show, as counts: what is wrong with them, how two sides' answers differ."""

from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Side, Sided


class AnswerShape(NamedTuple):
    """What is wrong with one side's answers in one task, as counts of `of` items.

    `repeated` changed ones are one long text, given to so many items; the `last_empty` last answers are empty.
    """

    of: int
    empty: int
    cut: int
    looping: int
    thinking_open: int
    refused: int
    extracted_nothing: int
    right_but_not_extracted: int = 0
    thinking: int = 0
    repeated: int = 0
    last_empty: int = 0
    truncated: int = 0
    doubtful: int = 0


class Constant(NamedTuple):
    """That `number` of a side's `of` answers are a few texts; `no_answer`: none of these can be an answer.

    `stops` are the stop strings that the first of them asks for.
    """

    number: int
    of: int
    texts: tuple[str, ...]
    no_answer: bool
    stops: tuple[str, ...] = ()


class StoppedThoughts(NamedTuple):
    """How many responses end in an open thought long before their budget, and the stop strings that all ask for."""

    number: int = 0
    stops: tuple[str, ...] = ()


class AnswersParted(NamedTuple):
    """Where generated answers part: `equal` of `of` are the same, the others share `median` characters first.

    Of the others, `at_once` are long texts that share not even their first sign.
    """

    of: int
    equal: int
    median: int
    at_once: int = 0

    @property
    def are_other_texts(self) -> bool:
        """Whether most that changed are other texts from their first sign on: arithmetic turns a later word."""
        return 2 * self.at_once > self.of - self.equal


class CutFacts(NamedTuple):
    """How far changed responses are the other side's, cut. All counts by the side whose response is the shorter.

    `at_budget`: as long as its budget, which is the smaller one; `at_stop`: where it goes on, one of its stop strings
    stands. `beyond` counts responses longer than their own budget, `reaching` those that may reach the smaller one,
    `ran_on`, by the longer side, those that are the other's and go on behind a stop string of both requests; `ended`
    those that stop where neither a budget nor a stop string of their request tells why.
    """

    changed: int = 0
    at_budget: Sided[int] = Sided(0, 0)
    at_stop: Sided[int] = Sided(0, 0)
    beyond: Sided[int] = Sided(0, 0)
    reaching: Sided[int] = Sided(0, 0)
    ran_on: Sided[int] = Sided(0, 0)
    ended: Sided[int] = Sided(0, 0)


class Framed(NamedTuple):
    """That `number` changed responses of a side are the other's with the same words around each.

    Of `telling` pairs the shorter is too long to agree by chance.
    """

    side: Side
    before: str
    behind: str
    number: int
    telling: int


class OneText(NamedTuple):
    """How many changed responses hold one text: apart by `white_space` alone, the other's without thoughts, framed."""

    white_space: int = 0
    bare: Sided[int] = Sided(0, 0)
    framed: Framed | None = None


class SharedPhrases(NamedTuple):
    """That `number` of a side's `of` responses begin (`at_end`: end) with one of a few phrases, around other words.

    `other` responses of the other side do. `read`: the filters and metrics that read the text as a whole, with them.
    """

    side: Side
    at_end: bool
    phrases: tuple[str, ...]
    number: int
    of: int
    other: int
    read: tuple[tuple[str, str], ...] = ()


class Recited(NamedTuple):
    """That `number` of a side's `of` responses are their item's long target to the letter, `other` of the other side's.

    `in_prompt`: it stands in that side's prompts; `prompts` says that these were logged.
    """

    side: Side
    number: int
    of: int
    other: int
    in_prompt: bool
    prompts: bool


class BrokenFacts(NamedTuple):
    """How many items' responses have a fault on a side alone, and how far they carry a metric under a filter.

    Of the items that score lower on this side than on the other (`lower`), or higher, so many are among them.
    """

    side: Side
    fault: str
    filter: str
    metric: str
    items: int
    lower: int
    lower_among: int
    higher: int
    higher_among: int


class CompletedFacts(NamedTuple):
    """The mean scores over the items that neither side cut or left empty, under one filter and metric."""

    filter: str
    metric: str
    items: int
    a: float
    b: float
