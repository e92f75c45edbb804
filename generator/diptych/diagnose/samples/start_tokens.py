"""Literal start tokens at the beginning of logged prompts."""

from diptych.catalogue.chat_templates import START_TOKENS
from diptych.diagnose.samples.prompt_facts import StartTokens


class StartCounter:
    """Counts the prompts of one side that begin with a literal start token."""

    def __init__(self) -> None:
        self.once = self.twice = 0
        self.token = ""

    def add(self, tokens: str) -> None:
        """Count one prompt by the start tokens that it begins with."""
        self.token = self.token or next(token for token in START_TOKENS if tokens.startswith(token))
        twice = tokens.count(self.token) > 1
        self.twice += twice
        self.once += not twice

    def evidence(self, prompts: int) -> StartTokens | None:
        """Return the counts among so many prompts, None where none begins with one."""
        return StartTokens(prompts, self.once, self.twice, self.token) if self.token else None
