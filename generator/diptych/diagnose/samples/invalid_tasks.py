"""Which tasks' scores measure nothing, or too little, by what their answers and logs show: one table for all rooms."""

from collections.abc import Iterable, Mapping

from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Evidence

NEARLY_ALL = 0.9
"""The share of a task's answers from which they are no measurement."""

SPOILT = {
    "answers_empty": "are empty",
    "answers_cut": "are cut at the budget",
    "answers_loop": "repeat one phrase without end",
    "answers_thinking_open": "open a thought and never close it",
    "answers_broken": "are empty, cut, endless or unfinished",
    "answers_identical": "are the same to the last digit for two different models",
}
"""Findings after which a task's score measures nothing, where they hold for nearly all of its answers."""

MOST_MISSING = 0.1
"""The share of a task's rows that a log may lack before no word is given on what is left."""


def spoilt_tasks(findings: Iterable[Finding]) -> dict[str | None, Finding]:
    """Return the tasks whose answers measure nothing, with the finding that says so (None: all tasks)."""
    found: dict[str | None, Finding] = {}
    for finding in findings:
        if finding.kind in SPOILT and share(finding) >= NEARLY_ALL:
            found.setdefault(finding.task, finding)
    return found


def count_clause(finding: Finding) -> str:
    """Return how many answers of a side are what, as a clause."""
    whose = f" of {finding.side.upper()}" if finding.side in ("a", "b") else ""
    return f"{finding.count_} of {finding.of} answers{whose} {SPOILT[finding.kind]}"


def spoilt_in(evidence: Evidence) -> dict[str | None, Finding]:
    """Return the tasks of all evidence whose answers measure nothing."""
    return dict(evidence.spoilt) or spoilt_tasks(evidence.findings)


def thin_tasks(findings: Iterable[Finding]) -> dict[str | None, Finding]:
    """Return the tasks of which a log lacks so many rows that the rest says nothing of the whole, the worst first."""
    found: dict[str | None, Finding] = {}
    for finding in sorted(findings, key=share, reverse=True):
        if finding.kind == "rows_missing" and share(finding) > MOST_MISSING:
            found.setdefault(finding.task, finding)
    return found


def share(finding: Finding) -> float:
    """Return for what share of its items a finding holds; 0 where it does not count."""
    return finding.count_ / finding.of if finding.count_ and finding.of else 0.0


def reasons(spoilt: Mapping[str | None, Finding]) -> dict[str | None, str]:
    """Return task -> why its scores are not compared, as a row of the table says it."""
    told: dict[str | None, str] = {}
    for task, finding in spoilt.items():
        if finding.kind == "answers_identical":
            told[task] = "the same answers to the last digit from two models: not two measurements"
        else:
            side = (finding.side or "a").upper()
            told[task] = (
                f"{finding.count_} of {finding.of} of {side}'s answers {SPOILT[finding.kind]}: not a measurement"
            )
    return told


def missing_reason(finding: Finding) -> str:
    """Return why no word is given where rows are missing."""
    return (
        f"the log of {(finding.side or 'a').upper()} lacks {finding.count_} of {finding.of} items: no word on the rest"
    )
