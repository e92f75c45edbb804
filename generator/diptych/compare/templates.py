"""The marks by which chat templates tell who speaks: data, so that a new template is one line, and how a prompt falls
apart along them."""

from functools import cache
from re import Match, Pattern
from typing import NamedTuple

from diptych.runs import Request

START_TOKENS = (
    "<bos>",
    "<s>",
    "<|begin_of_text|>",
    "<｜begin▁of▁sentence｜>",
    "<|startoftext|>",
    "<BOS_TOKEN>",
    "<|endoftext|>",
    "<|bos|>",
    "[BOS]",
    "[gMASK]",
    "<sop>",
)
"""Texts that a tokenizer reads as the start of a sequence."""

ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "chatbot": "assistant",
    "tool": "tool",
}
"""The names that templates give to a speaker."""

NAMES = "|".join(ROLES)

GRAMMARS: tuple[tuple[str, str], ...] = (
    ("ChatML", rf"<\|im_start\|>(?:{NAMES})[ ]?\n?|<\|im_end\|>\n?"),
    ("Gemma", rf"<start_of_turn>(?:{NAMES})\n?|<end_of_turn>\n?"),
    ("Llama 3", rf"<\|start_header_id\|>(?:{NAMES}|ipython)<\|end_header_id\|>(?:\n\n)?|<\|eot_id\|>"),
    ("Llama 4", rf"<\|header_start\|>(?:{NAMES})<\|header_end\|>(?:\n\n)?|<\|eot\|>"),
    ("Llama 2", r"<<SYS>>\n?|\n?<</SYS>>(?:\n\n)?|\[INST\] ?| ?\[/INST\]"),
    ("Mistral", r"\[SYSTEM_PROMPT\]|\[/SYSTEM_PROMPT\]|\[AVAILABLE_TOOLS\]|\[/AVAILABLE_TOOLS\]"),
    ("Zephyr and Phi", rf"<\|(?:{NAMES})\|>\n?|<\|end\|>\n?"),
    ("Harmony", rf"<\|start\|>(?:{NAMES})(?:<\|channel\|>\w+)?<\|message\|>|<\|return\|>"),
    ("Cohere", r"<\|START_OF_TURN_TOKEN\|><\|(?:SYSTEM|USER|CHATBOT)_TOKEN\|>|<\|END_OF_TURN_TOKEN\|>"),
    ("DeepSeek", r"<｜(?:User|Assistant)｜>|<｜end▁of▁sentence｜>"),
    ("turn tags", rf"<\|?turn\|?>(?:{NAMES})\n?|</turn>\n?|<turn\|>\n?"),
    ("Alpaca", r"(?m:^### (?:Instruction|Response|Input|Human|User|Assistant|System):?)[ ]?\n?"),
    ("Vicuna", r"(?m:^(?:USER|ASSISTANT|SYSTEM|Human|Assistant): )|(?m:^ASSISTANT:$)"),
    ("closed thinking", r"<think>\s*</think>(?:\n\n)?"),
    ("end of sequence", r"</s>\n?|<eos>\n?"),
)
"""Template families and the marks of each, as regular expressions."""

HINTS = (
    "<|",
    "<｜",
    "INST]",
    "turn>",
    "### ",
    "USER: ",
    "ASSISTANT:",
    "Human: ",
    "</s>",
    "<eos>",
    "_PROMPT]",
    "<think>",
)
"""A text without any of these holds no mark."""

SPEAKERS = {
    "[inst]": "user",
    "[/inst]": "assistant",
    "<<sys>>": "system",
    "<</sys>>": "user",
    "[system_prompt]": "system",
    "[/system_prompt]": "user",
    "instruction": "user",
    "input": "user",
    "response": "assistant",
}
"""Marks that name no speaker of `ROLES`, and who speaks after them."""


class Turn(NamedTuple):
    """A stretch of a prompt by one speaker; role None stands before the first mark or in a plain text."""

    role: str | None
    text: str


class Prompt(NamedTuple):
    """A prompt taken apart: `starts` literal start tokens in front, the marks used, the turns.

    `listed` says that it was logged as a list of messages, so that a server adds marks which no file shows.
    """

    starts: tuple[str, ...]
    marks: frozenset[str]
    turns: tuple[Turn, ...]
    listed: bool

    @property
    def system(self) -> str:
        return "\n\n".join(turn.text for turn in self.turns if turn.role == "system")

    @property
    def body(self) -> str:
        return "\n\n".join(turn.text for turn in self.turns if turn.role != "system" and turn.text)

    @property
    def answers(self) -> int:
        """The number of answers shown as turns of the assistant."""
        return sum(turn.role == "assistant" and bool(turn.text.strip()) for turn in self.turns)


def take_apart(request: Request) -> Prompt:
    """Return the prompt of a request as turns, whether it was logged as messages, as a filled template or as text."""
    if request.messages is not None:
        roles = ((ROLES.get(message.role.lower(), message.role), message.content) for message in request.messages)
        return Prompt((), frozenset(), tuple(Turn(role, text) for role, text in roles), True)
    starts, rest = leading_starts(request.context)
    if not may_hold_marks(rest):
        return Prompt(starts, frozenset(), (Turn(None, rest),), False)
    found = list(pattern().finditer(rest))
    return Prompt(starts, frozenset(match[0].strip() for match in found), turns_between(rest, found), False)


def leading_starts(text: str) -> tuple[tuple[str, ...], str]:
    """Return the literal start tokens that a text begins with, and the rest."""
    starts: list[str] = []
    while True:
        token = next((token for token in START_TOKENS if text.startswith(token)), None)
        if token is None:
            return tuple(starts), text
        starts.append(token)
        text = text[len(token) :]


def may_hold_marks(text: str) -> bool:
    """Say cheaply whether a text can hold a mark at all."""
    return any(hint in text for hint in HINTS)


@cache
def pattern() -> Pattern[str]:
    """Return one expression for all marks (compiled on first use: a run without templates never pays for it)."""
    import re

    return re.compile("|".join(f"(?:{grammar})" for _, grammar in GRAMMARS))


def turns_between(text: str, found: list[Match[str]]) -> tuple[Turn, ...]:
    """Return the stretches between marks with their speakers; empty ones between two marks fall away."""
    turns = [Turn(None, text[: found[0].start()] if found else text)]
    role: str | None = None
    for place, match in enumerate(found):
        role = speaker(match[0], role)
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        turns.append(Turn(role, text[match.end() : end]))
    last = len(turns) - 1
    return tuple(turn for place, turn in enumerate(turns) if turn.text or (place == last and turn.role))


def speaker(mark: str, before: str | None) -> str | None:
    """Return who speaks after a mark; a mark that only closes a turn leaves nobody."""
    words = mark.lower()
    for sign, role in SPEAKERS.items():
        if sign in words:
            return role
    if words.startswith("</") or "end" in words.split("header")[0] or "eot" in words:
        return None
    return next((role for name, role in ROLES.items() if name in words), before if "think" in words else None)
