"""What is wrong with generated answers: empty, cut at the budget, an open thought, a loop, a refusal, no extract.

Every rule is cautious: an answer is counted only where its text alone shows the fault.
"""

from collections.abc import Callable, Sequence
from functools import cache
from re import Pattern

from diptych.diagnose.samples.answer_facts import AnswerShape
from diptych.diagnose.samples.evidence import DEFAULT_BUDGET
from diptych.diagnose.samples.white_space import ZERO_WIDTH

FAULTS = ("empty", "cut", "looping", "thinking_open", "refused")


def shown_anyway() -> bool:
    """Say that a text without an end shows by itself that it was cut: where nothing else is known of its item."""
    return True


SAME_TEXT = 300
"""Answers that share so many characters are one text."""

MOST_TEXTS = 64
"""Different texts whose number is kept: nearly all answers are a few texts where these are among the first."""

NEARLY_ALL = 0.9
"""The share of a task's answers from which they are no measurement."""

BUDGET_SHARE = 0.75
"""An answer reaches its budget with this share of it in words, numerals and signs: a piece is one token or more."""

ENDINGS = frozenset(".!?…。！？;\"'”’»)]}>|`*_~$")
"""An answer that ends with one of these ended by itself, as far as its text can tell."""

THOUGHTS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis", "<|channel|>final"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
"""Marks that open and close a thought."""

REFUSALS = (
    "i'm sorry, but i can",
    "i am sorry, but i can",
    "sorry, but i can",
    "i'm sorry, i can",
    "i cannot ",
    "i can't assist",
    "i can't help",
    "i can't provide",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i won't be able to",
    "as an ai",
    "as a language model",
    "i must decline",
)
"""How refusals begin (compared in lower case, with a straight apostrophe)."""


class AnswerLedger:
    """Collects one side's generated answers of one task, item by item; `evidence` names the first items by fault.

    `texts` counts the first different answers, `last_empty` the empty ones since the last that is not.
    """

    def __init__(self) -> None:
        self.of = 0
        self.broken = 0
        self.thinking = 0
        self.counts = dict.fromkeys(FAULTS, 0)
        self.evidence: dict[str, list[str]] = {fault: [] for fault in FAULTS}
        self.texts: dict[str, int] = {}
        self.last_empty = 0

    def add(self, item: str, text: str, faults: Sequence[str]) -> None:
        """Count one answer with its faults."""
        self.of += 1
        self.thinking += bool(thoughts_in(text))
        self.last_empty = self.last_empty + 1 if "empty" in faults else 0
        bare = text.strip()[:SAME_TEXT]
        if bare in self.texts or (bare and len(self.texts) < MOST_TEXTS):
            self.texts[bare] = self.texts.get(bare, 0) + 1
        if not faults:
            return
        self.broken += any(fault != "refused" for fault in faults)
        for fault in faults:
            self.counts[fault] += 1
            if len(self.evidence[fault]) < 3:
                self.evidence[fault].append(item)

    def shape(self, extracted_nothing: int, right_but_not_extracted: int, repeated: int) -> AnswerShape:
        """Return the counts as evidence; `repeated` responses are one text."""
        counts = self.counts
        return AnswerShape(
            of=self.of,
            empty=counts["empty"],
            cut=counts["cut"],
            looping=counts["looping"],
            thinking_open=counts["thinking_open"],
            refused=counts["refused"],
            extracted_nothing=extracted_nothing,
            right_but_not_extracted=right_but_not_extracted,
            thinking=self.thinking,
            repeated=repeated,
            last_empty=self.last_empty,
        )


def shown_faults(text: str, budget: int | None, cut_is_shown: Callable[[], bool] = shown_anyway) -> tuple[str, ...]:
    """Return the faults of an answer. A cut that its text suggests counts where its item shows it too."""
    faults = faults_of(text, budget)
    if "cut" in faults and not cut_is_shown():
        return tuple(fault for fault in faults if fault != "cut")
    return faults


def faults_of(text: str, budget: int | None) -> tuple[str, ...]:
    """Return what is wrong with one answer; an empty one has no other fault."""
    if is_empty(text):
        return ("empty",)
    loops = is_loop(text)
    found = (
        ("cut", not loops and is_cut(text, budget)),
        ("looping", loops),
        ("thinking_open", is_open_thought(text)),
        ("refused", is_refusal(text)),
    )
    return tuple(fault for fault, holds in found if holds)


def is_empty(text: str) -> bool:
    """Say whether an answer holds nothing but white space."""
    return not text or not text.strip(" \t\r\n\u00a0" + ZERO_WIDTH)


def is_cut(text: str, budget: int | None) -> bool:
    """Say whether an answer stops without an end where its budget of tokens must be spent."""
    end = text.rstrip()
    limit = BUDGET_SHARE * (budget or DEFAULT_BUDGET)
    # a token is seldom shorter than one character, so a short text cannot have spent its budget
    if len(end) < limit or end[-1] in ENDINGS or conclusion_pattern().search(end, max(len(end) - 60, 0)):
        return False
    return sum(1 for _ in pieces().finditer(end)) >= limit


@cache
def conclusion_pattern() -> Pattern[str]:
    """Return the expression for an answer that ends with its result: "#### 18", "the answer is 18", "8 + 9 = 17"."""
    import re

    return re.compile(r"(?:####|answer(?: is)?:?|=)\s*\$?-?\w[\w,.]*$")


@cache
def pieces() -> Pattern[str]:
    """Return the expression for words, single numerals and signs."""
    import re

    return re.compile(r"\d|[^\W\d]+|[^\w\s]")


def is_loop(text: str) -> bool:
    """Say whether the second half of an answer repeats one phrase, or most of its lines are one line."""
    end = text.rstrip()
    if len(end) < 60:
        return False
    sign = end[-16:]
    before = end.rfind(sign, 0, len(end) - 1)
    if before >= 0:
        period = len(end) - 16 - before
        if period * 3 <= len(end) and repeated_tail(end, period) * 2 >= len(end):
            return True
    lines = [line.strip() for line in end.split("\n") if len(line.strip()) >= 8]
    return len(lines) >= 6 and max(map(lines.count, set(lines[-6:]))) * 2 > len(lines)


def repeated_tail(text: str, period: int) -> int:
    """Return how many characters at the end repeat with the given period."""
    unit, length = text[-period:], period
    while length + period <= len(text) and text[-length - period : -length] == unit:
        length += period
    return length if length > 2 * period else 0


def thoughts_in(text: str) -> list[tuple[str, str]]:
    """Return the marks of the thoughts that a text opens."""
    if "<" not in text and "[" not in text:
        return []  # every mark begins with one of them
    return [marks for marks in THOUGHTS if marks[0] in text]


def is_open_thought(text: str) -> bool:
    """Say whether a thought begins and never ends."""
    return any(text.rfind(opening) > text.rfind(closing) for opening, closing in thoughts_in(text))


def is_refusal(text: str) -> bool:
    """Say whether an answer begins with one of the sentences by which models refuse."""
    head = text[:120].lstrip().lower().replace("’", "'")
    return head.startswith(REFUSALS)
