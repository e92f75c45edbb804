"""Literal start tokens at the beginning of logged prompts, read from the raw bytes."""

from functools import cache
from re import Pattern

from diptych.catalogue.chat_templates import START_TOKENS
from diptych.diagnose.samples.evidence import StartTokens


class StartCounter:
    """Counts the prompts of one side that begin with a literal start token."""

    def __init__(self) -> None:
        self.of = self.once = self.twice = 0
        self.token = ""

    def add(self, tokens: str) -> None:
        """Count one prompt by the start tokens that it begins with."""
        self.of += 1
        if tokens:
            self.token = self.token or next(token for token in START_TOKENS if tokens.startswith(token))
            twice = tokens.count(self.token) > 1
            self.twice += twice
            self.once += not twice

    def evidence(self) -> StartTokens | None:
        """Return the counts, None where no prompt begins with one."""
        return StartTokens(self.of, self.once, self.twice, self.token) if self.token else None


def start_of(raw: bytes) -> str:
    """Return the start tokens at the beginning of the first text in a raw JSON value."""
    match = start_pattern().match(raw)
    return match[1].decode("utf-8", "replace") if match else ""


@cache
def start_pattern() -> Pattern[bytes]:
    """Return the expression for start tokens at the beginning of the first text in a JSON value."""
    import re

    tokens = b"|".join(re.escape(token.encode("utf-8")) for token in START_TOKENS)
    return re.compile(rb'[\s\[{]*(?:"\w*":[\s\[{]*)*"((?:' + tokens + rb")+)")
