"""What a row of the table of findings says, and the words that many rows share."""

from collections.abc import Mapping
from typing import Literal

from diptych.closed_names import Severity
from diptych.fast_named_tuple import NamedTuple

Effect = Literal["voids", "withholds", "qualifies", "none"]

EFFECTS: Mapping[Effect, str] = {
    "voids": "Where nearly all answers show it, the scores are no measurement and no verdict rests on them.",
    "withholds": "Where too many items show it, no word is given for that task.",
    "qualifies": "It is said together with the verdict.",
    "none": "The verdict stays as it is.",
}


class FindingRow(NamedTuple):
    """One kind of finding. `about` is its chapter; `severities` says for each severity it may have when that is."""

    about: str
    title: str
    severities: Mapping[Severity, str]
    meaning: str
    advice: str
    effect: Effect = "none"


ALWAYS_WARNING: Mapping[Severity, str] = {"warning": "always"}
ALWAYS_NOTE: Mapping[Severity, str] = {"note": "always"}
ALWAYS_ERROR: Mapping[Severity, str] = {"error": "always"}
BY_SHARE: Mapping[Severity, str] = {
    "note": "in some answers",
    "warning": "in many answers",
    "error": "in nearly all answers",
}
