"""Findings over many tasks: what no log shows, and one finding in the place of many that say the same."""

from diptych.comparison import Finding
from diptych.run import Run
from diptych.sides import each_side

MANY_TASKS = 10
"""Where more tasks than this show one kind of finding on one side, they share one finding."""


def without_samples(a: Run, b: Run) -> list[Finding]:
    """Return that a side logged no samples, or none of some tasks that the other logged."""
    if not a.samples and not b.samples:
        text = "Neither run has samples, so items cannot be paired and prompts and answers cannot be compared."
        return [Finding("no_samples", "warning", text, "both")]
    found = []
    for side, (run, other) in each_side((a, b), (b, a)):
        scored = {score.task for score in run.scores if not score.group}
        lacking = [task for task in other.samples if task not in run.samples and task in scored]
        counts = (len(lacking), len(scored), tuple(lacking[:3]))
        if lacking and not run.samples:
            text = f"{side.upper()} has no samples, so its items cannot be paired with those of the other run."
            found.append(Finding("no_samples", "warning", text, side, None, *counts))
        elif lacking:
            names = ", ".join(lacking[:3]) + (", …" if len(lacking) > 3 else "")
            text = f"{side.upper()} has no samples of {len(lacking)} of {len(scored)} tasks ({names})."
            task = lacking[0] if len(lacking) == 1 else None
            found.append(Finding("no_samples", "warning", text, side, task, *counts))
    return found


def join_findings(findings: list[Finding]) -> list[Finding]:
    """Return the findings, one for many tasks where more than ten show the same."""
    groups: dict[tuple[str, str | None, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind, finding.side, finding.severity), []).append(finding)
    found = []
    for group in groups.values():
        several = len({finding.task for finding in group}) > MANY_TASKS
        found += [over_tasks(group)] if several else group
    return found


def over_tasks(group: list[Finding]) -> Finding:
    """Return one finding for many tasks: the first one's words, and how many tasks more."""
    first = group[0]
    tasks = list(dict.fromkeys(finding.task for finding in group if finding.task))
    counts = [finding.count_ for finding in group if finding.count_ is not None]
    totals = [finding.of for finding in group if finding.of is not None]
    text = f"In {len(tasks)} tasks ({', '.join(tasks[:3])}, …), the first of them: {first.text}"
    return Finding(
        first.kind, first.severity, text, first.side, None, sum(counts) or None, sum(totals) or None, tuple(tasks[:3])
    )
