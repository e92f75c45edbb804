"""What an external judge wrote down about two students: counts under several names, or a note that it holds none."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diptych.comparison import Finding
from diptych.decision import ExternalStep
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import JudgeAudit
from diptych.students.judge.audit import audit_from_counts, bare_audit

Json = Any

MOST_TASKS = 1_000_000

NAMES: Mapping[str, tuple[str, ...]] = {
    "tasks": ("tasks", "n", "pairs", "total", "compared", "items", "questions"),
    "unreadable": ("unreadable", "invalid", "errors", "unparsed", "failed"),
    "ties": ("ties", "tie", "both_tie", "draws"),
    "flips": ("flips", "flipped", "inconsistent", "order_flips", "disagreements"),
    "half_changes": ("half_changes",),
    "first_place_wins": ("first_place_wins", "first_slot", "first_position_wins"),
    "second_place_wins": ("second_place_wins", "second_slot", "second_position_wins"),
}
"""The contract's names of counts, and others under which a judge may write them."""

SIDES = (("a", "b"), ("first", "second"), ("student_a", "student_b"), ("model_a", "model_b"))


class Sides(NamedTuple):
    """The two routes of a call, with the models they are served as."""

    first: str
    second: str
    first_model: str = ""
    second_model: str = ""


def audits_from(steps: Sequence[ExternalStep], pairs: Sequence[Sides], judge: str) -> tuple[JudgeAudit, ...]:
    """Return what the records of an external judge's calls say; a call without readable counts is said to have none."""
    found = []
    for step, sides in zip(steps, pairs, strict=True):
        bodies = [body for record in step.records for body in bodies_in(record)]
        read = next((audit for body in bodies if (audit := audit_of(body, sides, judge))), None)
        found.append(read or bare_audit(judge, sides.first, sides.second))
    return tuple(found)


def bodies_in(record: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Yield the objects of a record that may hold the counts, outermost last."""
    for value in record.values():
        if isinstance(value, dict):
            yield from bodies_in(value)
    yield record


def audit_of(body: Mapping[str, Json], sides: Sides, judge: str) -> JudgeAudit | None:
    """Return an audit from an object that holds counts, or None where it has not enough of them."""
    wins = wins_in(body, sides)
    counts = {name: count_in(body, names) for name, names in NAMES.items()}
    if wins is None or counts["tasks"] == 0 or any(number == -1 for number in counts.values()):
        return None
    known = {name: number or 0 for name, number in counts.items()}
    decided = wins[sides.first] + wins[sides.second] + known["ties"]
    if counts["flips"] is None:
        rate = body.get("flip_rate", body.get("inconsistency_rate"))
        tasks = counts["tasks"]
        if isinstance(rate, (int, float)) and not isinstance(rate, bool) and 0 <= rate <= 1 and tasks is not None:
            known["flips"] = round(rate * tasks)
        elif tasks is None or tasks < decided:
            return None
        else:
            known["flips"] = tasks - decided
    if counts["tasks"] is None:
        known["tasks"] = decided + known["flips"]
    placed = counts["first_place_wins"] is not None and counts["second_place_wins"] is not None
    name = next((body[key] for key in ("judge", "judge_model") if isinstance(body.get(key), str)), judge)
    return audit_from_counts(name, sides.first, sides.second, known, wins, placed)


def wins_in(body: Mapping[str, Json], sides: Sides) -> dict[str, int] | None:
    """Return how often each route won in both orders, from an object by name or from two counts."""
    names = [(sides.first, sides.second), (sides.first_model, sides.second_model), *SIDES]
    table = body.get("wins")
    if isinstance(table, dict):
        pairs: list[tuple[Json, Json]] = [(table.get(one), table.get(other)) for one, other in names]
    else:
        keys = [(form.format(one), form.format(other)) for one, other in names for form in ("{}_wins", "wins_{}")]
        pairs = [(body.get(one), body.get(other)) for one, other in keys]
    for one, other in pairs:
        if is_count(one) and is_count(other):
            return {sides.first: one, sides.second: other}
    return None


def count_in(body: Mapping[str, Json], names: Sequence[str]) -> int | None:
    """Return the count under the first of several names that is there, None without one, -1 where it is none."""
    value = next((body[name] for name in names if body.get(name) is not None), None)
    if isinstance(value, list):
        value = len(value)
    return None if value is None else value if is_count(value) else -1


def is_count(value: Json) -> bool:
    """Say whether a value is a count of ordinary size."""
    return type(value) is int and 0 <= value <= MOST_TASKS


def outside_findings(external: Sequence[ExternalStep], audits: Sequence[JudgeAudit]) -> list[Finding]:
    """Return which calls of an external judge left nothing that can be read, and where to look instead."""
    findings = []
    for audit in audits:
        if audit.gate == "not_readable":
            wrote = sum(len(step.records) for step in external if step.step.startswith("judge "))
            told = "wrote no record to the notebook" if not wrote else "wrote records without counts that can be read"
            text = (
                f"Judge {audit.judge} on {audit.first} and {audit.second}: it ran, and {told} (wins by student, ties,"
                " flips). What it printed is kept with the decision; it decides nothing."
            )
            findings.append(Finding("judge_not_read", "warning", text))
    return findings
