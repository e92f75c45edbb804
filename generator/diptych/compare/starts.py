"""Literal start tokens at the beginning of logged prompts, counted from the raw bytes."""

from functools import cache
from re import Pattern

from diptych.compare.evidence import StartTokens
from diptych.compare.templates import START_TOKENS


class StartCounter:
    """Counts the prompts of one side that begin with a literal start token, from the raw bytes."""

    def __init__(self) -> None:
        self.of = self.once = self.twice = 0
        self.token = ""

    def add(self, raw: bytes) -> None:
        """Count one prompt."""
        self.of += 1
        match = start_pattern().match(raw)
        if match is None:
            return
        tokens = match[1].decode("utf-8", "replace")
        self.token = self.token or next(token for token in START_TOKENS if tokens.startswith(token))
        twice = tokens.count(self.token) > 1
        self.twice += twice
        self.once += not twice

    def evidence(self) -> StartTokens | None:
        """Return the counts, None where no prompt begins with one."""
        return StartTokens(self.of, self.once, self.twice, self.token) if self.token else None


@cache
def start_pattern() -> Pattern[bytes]:
    """Return the expression for start tokens at the beginning of the first text in a JSON value."""
    import re

    tokens = b"|".join(re.escape(token.encode("utf-8")) for token in START_TOKENS)
    return re.compile(rb'[\s\[{]*(?:"\w*":[\s\[{]*)*"((?:' + tokens + rb")+)")
