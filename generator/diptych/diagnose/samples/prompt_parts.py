"""How a prompt falls apart along the marks of its chat template: start tokens, turns, speakers."""

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import pairwise
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
    """A prompt taken apart: `starts` literal start tokens in front, the marks used in their order, the turns.

    `nested` says that a turn of the user begins with the mark of one more turn: a template was laid over a template.
    `listed` says that it was logged as a list of messages, so that a server adds marks which no file shows. What is
    made of the turns is made once, since each way in which two prompts may differ looks at it.
    """

    def __init__(
        self, starts: tuple[str, ...], used: tuple[str, ...], turns: tuple[Turn, ...], listed: bool, nested: bool
    ) -> None:
        self.starts, self.used, self.turns, self.listed, self.nested = starts, used, turns, listed, nested

    @cached_property
    def marks(self) -> frozenset[str]:
        """The different marks used."""
        return frozenset(self.used)

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
        roles = [(ROLES.get(message.role.lower(), message.role), message.content) for message in request.messages]
        nested = any(role == "user" and begins_with_turn(text) for role, text in roles)
        return Prompt((), (), tuple(Turn(role, text) for role, text in roles), True, nested)
    starts, rest = leading_starts(request.context)
    if not may_hold_marks(rest):
        return Prompt(starts, (), (Turn(None, rest),), False, False)
    found = list(pattern().finditer(rest))
    used = tuple(match[0].strip() for match in found)
    return Prompt(starts, used, turns_between(rest, found), False, is_nested(rest, found))


def begins_with_turn(text: str) -> bool:
    """Say whether a text begins with a token by which templates open a turn."""
    found = pattern().match(text.lstrip()) if may_hold_marks(text) else None
    return found is not None and opens_turn(found[0])


def is_nested(text: str, found: Sequence[Match[str]]) -> bool:
    """Say whether a turn of the user begins with the token of one more turn."""
    return any(
        opens_turn(inner[0]) and speaker(outer[0], None) == "user" and not text[outer.end() : inner.start()].strip()
        for outer, inner in pairwise(found)
    )


def opens_turn(mark: str) -> bool:
    """Say whether a mark is a token that opens a turn of the user or the system; words as "Human:" are none.

    A system text in brackets of its own stands inside the user's turn by right.
    """
    own = mark.strip()
    return (
        own[:1] in "<["
        and own != "<<SYS>>"
        and not own.startswith(("</", "[/", "<</"))
        and speaker(own, None) in ("user", "system")
    )


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
