"""What must be said in a verdict's own sentence beside its kind: what was left out, broken, or a matter of form."""

from collections.abc import Mapping

from diptych.comparison import Finding
from diptych.diagnose.samples.invalid_tasks import count_clause
from diptych.numbers import listed

BROKEN = frozenset({"answers_empty", "answers_loop", "answers_thinking_open"})
"""Findings that make a fall a matter of a broken run, where one side alone shows them in many answers."""


def notes(kind: str, findings: tuple[Finding, ...], spoilt: Mapping[str | None, Finding]) -> str:
    """Return the clauses that follow a verdict of some kind, "" where nothing is to be added."""
    broken = broken_note(findings, kind) or chance_note(findings, kind)
    return spoilt_note(spoilt) + format_note(findings, kind) + broken + scoreless_note(findings)


def spoilt_note(spoilt: Mapping[str | None, Finding]) -> str:
    """Return which tasks are left out because they measured nothing, and why the first did."""
    if not spoilt:
        return ""
    verb = "is" if len(spoilt) == 1 else "are"
    names = listed(sorted(task for task in spoilt if task))
    return f"; {names} {verb} left out ({count_clause(spoilt[next(iter(spoilt))])}: no measurement)"


def format_note(findings: tuple[Finding, ...], kind: str) -> str:
    """Return that a fall is one of form where the answers say so."""
    changed = [finding for finding in findings if finding.kind == "answer_format_changed" and finding.side]
    if not changed or kind not in ("different", "unclear"):
        return ""
    side = str(changed[0].side).upper()
    return f"; {side} writes answers in a form that a filter does not find: that part of a gap is form, not ability"


def broken_note(findings: tuple[Finding, ...], kind: str) -> str:
    """Return that many answers of one side alone are broken, where a real difference rests on it."""
    broken = [finding for finding in findings if finding.kind in BROKEN and finding.severity == "warning"]
    sides = {finding.side for finding in broken}
    if kind != "different" or len(sides) != 1:
        return ""
    worst = max(broken, key=lambda finding: (finding.count_ or 0) / (finding.of or 1))
    return f"; {count_clause(worst)}: rather a broken run than a weak model"


def chance_note(findings: tuple[Finding, ...], kind: str) -> str:
    """Return that one side alone guesses, where a real difference rests on it."""
    sides = {finding.side for finding in findings if finding.kind == "near_chance"}
    if kind != "different" or len(sides) != 1:
        return ""
    return f"; {str(sides.pop()).upper()} is near chance, rather a broken run than a weak model"


def scoreless_note(findings: tuple[Finding, ...]) -> str:
    """Return that a side has items without a score: they leave its denominator, which makes it look better."""
    bare = [finding for finding in findings if finding.kind == "value_not_a_number" and finding.count_ and finding.of]
    if not bare:
        return ""
    worst = max(bare, key=lambda finding: (finding.count_ or 0) / (finding.of or 1))
    verb = "has" if worst.count_ == 1 else "have"
    return f"; {worst.count_} of {worst.of} items of {str(worst.side).upper()} {verb} no score and are left out"
