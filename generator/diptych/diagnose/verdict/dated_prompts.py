"""Prompts that differ by the day on which they were made, as a recorded chat template writes it into them."""

import re
from collections.abc import Sequence

from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.settings.run_values import run_value
from diptych.run import Run

CLOCKS = r"strftime_now|\b(?:now|today|utcnow)\s*\(|\bstrftime\b"
"""What a template calls to learn the date."""

DATES = (
    r"(?i)\b(?:\d{1,4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?)\b[,.]?"
)
"""Parts of a date: numbers, months, days of the week."""


def clock_of(evidence: Evidence, tasks: Sequence[str], a: Run, b: Run) -> str:
    """Return the function by which both recorded templates write the date, where prompts differ by that alone."""
    pairs = [(one.a, one.b) for one in evidence.prompts if (not tasks or one.task in tasks) and one.a != one.b]
    if not pairs or not all(ours and theirs and undated(ours) == undated(theirs) for ours, theirs in pairs):
        return ""
    found = [re.search(CLOCKS, str(run_value(run, "chat_template") or "")) for run in (a, b)]
    return found[0].group().rstrip("( ") if all(found) and found[0] else ""


def undated(text: str) -> str:
    """Return a text without the parts of dates."""
    return re.sub(DATES, "", text)
