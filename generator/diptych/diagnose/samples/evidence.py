"""What the samples of two runs show, task by task: the input of the ranking and of the verdict.

These nouns live and die in diagnose/; the artifact keeps what a reader needs of them.
"""

from collections.abc import Mapping
from typing import Literal

from diptych.closed_names import FindingKind
from diptych.comparison import AnswerChange, Finding, Flip, FlipCount, Ladder, LeftOut, PromptPair
from diptych.diagnose.samples.answer_facts import (
    AnswerShape,
    AnswersParted,
    BrokenFacts,
    CompletedFacts,
    Constant,
    CutFacts,
    OneText,
    Recited,
    SharedPhrases,
    StoppedThoughts,
)
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.prompt_facts import HeldAnswers, PromptEvidence, StartTokens, TextFact
from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Side, Sided, Whose

DEFAULT_BUDGET = 256
"""Tokens of an answer where nothing says how many: the harness's own."""


class ReplayFacts(NamedTuple):
    """What a changed filter does by itself: B's steps run over A's logged responses, and A's over B's.

    `apart`: so many of a side's responses the other side's steps read otherwise. Of the `moved` items `explained` have
    B's score where B's steps read A's response, and A's where A's read B's; `touched` score otherwise on one side at
    least, or may. `scores` are a side's mean as the other side's steps read it, `own` as its own steps do; None where
    no file tells.
    Where one side holds more responses to an item (`more`), its filter can do nothing to the other's: `touched` counts
    the items of that side alone, and `rest` those that then are worse, and better, than the other side's.
    """

    apart: Sided[int]
    moved: int = 0
    explained: int = 0
    touched: int = 0
    scores: Sided[float | None] = Sided(None, None)
    more: Side | None = None
    rest: Sided[int] = Sided(0, 0)
    own: Sided[float | None] = Sided(None, None)


class FilterFacts(NamedTuple):
    """What one filter shows of the shared items: at which of the last steps they part.

    `extraction_only`: the responses are equal, what the filter kept is not. `scoring_only`: what it kept is equal
    too, the score is not; `unscored_only`: one side has none. `nothing`: in so many responses that are not empty the
    filter finds nothing.
    `replay` tells what its changed definition does, where that can be run again.
    """

    filter: str
    compared: int
    raw_apart: int
    filtered_apart: int
    scores_apart: int
    extraction_only: int
    scoring_only: int
    unscored_only: int = 0
    nothing: Sided[int] = Sided(0, 0)
    replay: ReplayFacts | None = None


class MoveFacts(NamedTuple):
    """How log-likelihoods moved: all of an item's up or down, or by more than arithmetic moves them (`beyond`).

    `boundless` of these moved from or to what is no finite number; `wide` moved by more than half of all may.
    """

    items: int
    moved: int
    raised: int
    lowered: int
    beyond: int
    boundless: int = 0
    wide: int = 0


class RetargetedFacts(NamedTuple):
    """How many items have another right answer in B than in A, and how many of those the same response."""

    items: int = 0
    same_responses: int = 0


class SharedIds(NamedTuple):
    """How many ids both logs hold, and how many of them name another document in B than in A (`other`).

    Of these `same_target` have the same right answer; `elsewhere` counts documents that are paired under two ids.
    """

    both: int = 0
    other: int = 0
    same_target: int = 0
    elsewhere: int = 0


class Contradicted(NamedTuple):
    """A reported mean that is not the mean of the side's own log."""

    task: str
    side: Side
    metric: str
    reported: float
    logged: float


class Invalid(NamedTuple):
    """That a task's answers measure nothing (or its log lacks too much): what, on which side, in how many.

    `parts` are the faults that several answers have, with how many have each, where no one of them is in nearly all;
    `values` is what stands instead of numbers, the most frequent first, `other` counts such items of the other side,
    and `sums` says that their scores are sums over all items, of which one voids the whole.
    `constant` are the few texts that they are; `least`: there may be more of them.
    """

    kind: FindingKind
    side: Whose
    task: str | None
    count_: int
    of: int
    parts: tuple[tuple[FindingKind, int], ...] = ()
    values: tuple[str, ...] = ()
    other: int = 0
    sums: bool = False
    constant: Constant | None = None
    least: bool = False

    @property
    def number(self) -> str:
        """How many they are, as a sentence says it."""
        return f"at least {self.count_}" if self.least else f"{self.count_}"


class Chance(NamedTuple):
    """How many choices the items of a task have: `chance` is the mean of 1/choices."""

    items: int
    chance: float


Place = Literal["beginning", "end", "both", ""]
"""Where texts have other white space; "" where they differ otherwise."""


class TaskEvidence(NamedTuple):
    """Everything that the samples of both sides show about one task.

    `arguments` counts items by generation argument whose effective value differs; `choices` items whose scored
    continuations differ, `spaced_choices` those that differ by white space around them alone, by its place. `kind` says
    what was asked for: "generation", "choices" or "likelihood" (of whole texts).
    `messages_a`, `messages_b` count the prompts that were sent as a list of chat messages. `lost`, `gained` count
    the items that are right on one side only, under the filter that shows most of them. `reordered` counts items
    whose choices are the same ones in another order, `telling` equal responses that no two models give by chance,
    `distinct` how many different ones there are among the equal. `missing` counts rows that a log lacks, `drawn`
    says that the requests ask for drawn answers; no request with its answer is longer than `most_tokens`;
    `guessing` names the sides whose accuracy cannot be told from chance. `items` counts the different items among
    the pairs: fewer than these where an item was asked several times. `copies` counts items of one side alone whose
    document is that of a pair. `ballots` is how many responses each side has to an item.
    `misplaced` counts responses that are, to the letter, the other side's to another item,
    `unfinished` changed pairs that tell nothing of what answered: one is the other's beginning (or empty), or a thought
    that one side alone leaves open or shows. `one_text` counts those that hold one text all the same; `stopped` are
    each side's thoughts that no budget ended, `constant` the few texts that
    nearly all answers of a side are; `unmeasured` counts a side's items by what stands
    instead of their log-likelihoods, `unlogged` names metrics of another score whose items' scores are in no log;
    `held` says that one side's prompts give the right answers away, `phrases` that its responses begin or end with the
    same words, `recited` that they are the targets to the letter.
    """

    task: str
    pairs: int
    only_a: int
    only_b: int
    ladder: Ladder
    prompts: PromptEvidence | None
    choices: int
    arguments: Mapping[str, int]
    responses: int
    responses_compared: int
    answers_a: AnswerShape | None
    answers_b: AnswerShape | None
    change: AnswerChange | None
    lost: int
    gained: int
    kind: str = "generation"
    parted: AnswersParted | None = None
    starts_a: StartTokens | None = None
    starts_b: StartTokens | None = None
    messages_a: int = 0
    messages_b: int = 0
    chance: Chance | None = None
    filters: tuple[FilterFacts, ...] = ()
    cuts: CutFacts = CutFacts()
    moves: MoveFacts | None = None
    completed: tuple[CompletedFacts, ...] = ()
    broken: tuple[BrokenFacts, ...] = ()
    texts: tuple[TextFact, ...] = ()
    reordered: int = 0
    long_prompts: Sided[int] = Sided(0, 0)
    telling: int = 0
    distinct: int = 0
    retargeted: RetargetedFacts = RetargetedFacts()
    missing: Sided[int] = Sided(0, 0)
    guessing: tuple[Side, ...] = ()
    drawn: bool = False
    items: int = 0
    contradicted: tuple[Contradicted, ...] = ()
    most_tokens: int = 0
    spaced_choices: Mapping[Place, int] = {}
    copies: Sided[int] = Sided(0, 0)
    ids: SharedIds = SharedIds()
    ballots: Sided[int] = Sided(1, 1)
    misplaced: int = 0
    unfinished: int = 0
    one_text: OneText = OneText()
    stopped: Sided[StoppedThoughts] = Sided(StoppedThoughts(), StoppedThoughts())
    unmeasured: Sided[Mapping[str, int]] = Sided({}, {})
    constant: Sided[Constant | None] = Sided(None, None)
    unlogged: tuple[str, ...] = ()
    held: HeldAnswers | None = None
    phrases: SharedPhrases | None = None
    recited: Recited | None = None

    @property
    def requests_equal(self) -> bool:
        """Whether all that was sent is equal, as far as the log tells."""
        sent = ("prompts", "choices", "generation_arguments")
        return all(rung.equal == rung.compared for rung in self.ladder.rungs if rung.rung in sent)


class Recorded(NamedTuple):
    """What is recorded that samples are held against: texts that may stand in prompts, and which keys name two models.

    `texts` are by key of a recorded difference, task by task under `task` (""  for all tasks). `model_key` is the most
    telling key by which the models differ, "" where none does; `applied`: it is laid over one and the same model (an
    adapter, a quantisation, a revision).
    """

    texts: tuple[tuple[str, str, Sided[str | None]], ...] = ()
    model_key: str = ""
    applied: bool = False


class Renamed(NamedTuple):
    """A task of A and one of B, each on its side alone, that hold the same documents: `shared` of `of`."""

    a: str
    b: str
    shared: int
    of: int


class Evidence(NamedTuple):
    """What the samples show, over all tasks that both sides logged.

    `invalid_tasks` are those whose answers measure nothing, `incomplete_tasks` those of which a log lacks too many
    rows, each with what shows it.
    """

    tasks: tuple[TaskEvidence, ...]
    findings: tuple[Finding, ...]
    flips: tuple[Flip, ...]
    flip_counts: tuple[FlipCount, ...]
    prompts: tuple[PromptPair, ...]
    left_out: tuple[LeftOut, ...]
    paired: Mapping[str, PairedScores]
    invalid_tasks: Mapping[str | None, Invalid] = {}
    incomplete_tasks: Mapping[str | None, Invalid] = {}
    renamed: tuple[Renamed, ...] = ()
