"""How a prompt falls apart along the marks of its chat template: start tokens, turns, speakers."""

from functools import cache, cached_property
from re import Match, Pattern

from diptych.catalogue.chat_templates import GRAMMARS, HINTS, ROLES, SPEAKERS, START_TOKENS
from diptych.diagnose.samples.white_space import squeezed
from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Request


class Turn(NamedTuple):
    """A stretch of a prompt by one speaker; role None stands before the first mark or in a plain text."""

    role: str | None
    text: str


class Prompt:
    """A prompt taken apart: `starts` literal start tokens in front, the marks used, the turns.

    `listed` says that it was logged as a list of messages, so that a server adds marks which no file shows. What is
    made of the turns is made once, since each way in which two prompts may differ looks at it.
    """

    def __init__(self, starts: tuple[str, ...], marks: frozenset[str], turns: tuple[Turn, ...], listed: bool) -> None:
        self.starts, self.marks, self.turns, self.listed = starts, marks, turns, listed

    @cached_property
    def system(self) -> str:
        """The text of the system's turns."""
        return "\n\n".join(turn.text for turn in self.turns if turn.role == "system")

    @cached_property
    def body(self) -> str:
        """The text of all other turns."""
        return "\n\n".join(turn.text for turn in self.turns if turn.role != "system" and turn.text)

    @cached_property
    def bare_body(self) -> str:
        """The text of all other turns without white space."""
        return squeezed(self.body)

    @cached_property
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
    place = 0
    while (token := next((token for token in START_TOKENS if text.startswith(token, place)), None)) is not None:
        starts.append(token)
        place += len(token)
    return tuple(starts), text[place:]


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
