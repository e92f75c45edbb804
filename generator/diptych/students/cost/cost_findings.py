"""What a reader of one student's costs must not miss: gaps, values left out, amounts under names that nobody reads."""

import re
from collections.abc import Mapping, Sequence

from diptych.comparison import Finding
from diptych.decision import COST_UNITS, CostTotal, StageCost
from diptych.labbook import Record
from diptych.numbers import UNITS, counted, listed

READ_BESIDE = frozenset({*COST_UNITS, "energy_method"})
AMOUNT = re.compile(
    r"(?:^|_)(?:hours?|minutes?|mins?|secs?|days?|kwh|joules?|usd|eur|gbp|dollars?|euros?)$", re.IGNORECASE
)
"""Names of the notebook's own that end in a unit of time, energy or money; `..._per_...` is a rate and no amount."""


def amounts_named(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the names under which records hold amounts that are none of the four units, but say their own."""
    costs = [cost for record in records if isinstance(cost := record.fields.get("cost"), dict)]
    names = dict.fromkeys(
        key
        for cost in costs
        for key, value in cost.items()
        if isinstance(value, (int, float)) and key not in READ_BESIDE and AMOUNT.search(key)
    )
    return tuple(name for name in names if "per" not in name.lower().split("_"))


def answering_findings(name: str, stages: Sequence[str]) -> list[Finding]:
    """Return which stages are no cost of making a student, since they are its answers to these very tasks."""
    return [
        Finding(
            "cost_answering",
            "note",
            f"{name}: the tokens of the stage {stage} are those of its answers here, so it is answering cost and not"
            " counted as a cost of making the student.",
        )
        for stage in stages
    ]


def cost_findings(
    name: str, cost: Mapping[str, CostTotal], by_stage: Sequence[StageCost], attempts: str
) -> list[Finding]:
    """Return what a reader of one route's costs must not miss."""
    findings = []
    for unit, total in cost.items():
        word = UNITS[unit]
        if total.unusable:
            worst = "; ".join(f"{bad.value!r} in {bad.record}: {bad.why}" for bad in total.unusable[:5])
            text = f"{name}: {len(total.unusable)} recorded values of {word} cannot be used: {worst}."
            findings.append(Finding("cost_unusable", "warning", text, None, None, len(total.unusable), total.records))
        if total.kind == "mixed":
            text = f"{name}: measured and modelled {word} stand side by side; they are not added."
            findings.append(Finding("cost_mixed", "warning", text, None, None, None, total.records))
        elif total.measured and not total.whole:
            gaps = f" (missing: {listed(total.missing)})" if total.missing else ""
            text = (
                f"{name}: {word} are measured in {total.measured} of {total.records} records; the total is not "
                f"whole{gaps}."
            )
            findings.append(Finding("cost_incomplete", "warning", text, None, None, total.measured, total.records))
    repeated = [stage for stage in by_stage if stage.attempts > 1]
    if repeated:
        which = ", ".join(f"{stage.stage} ({stage.attempts})" for stage in repeated)
        words = (
            "all are counted: what the student cost"
            if attempts == "all"
            else "the last is counted: what it would cost again"
        )
        findings.append(Finding("cost_attempts", "note", f"{name}: several attempts of {which}; {words}."))
    return findings


def unread_findings(name: str, records: Sequence[Record]) -> list[Finding]:
    """Return that records hold amounts under names, or in units, that nothing is added up from."""
    costs = [record.fields.get("cost") for record in records]
    numbers = (int, float)
    unread = [
        sorted(key for key, value in cost.items() if key not in READ_BESIDE and isinstance(value, numbers))
        for cost in costs
        if isinstance(cost, dict)
    ]
    names = list(dict.fromkeys(key for keys in unread for key in keys))
    if not names:
        return []
    count = sum(bool(keys) for keys in unread)
    text = (
        f"{name}: {counted(count, 'record')} of {len(records)} hold {listed(names)}, which is none of "
        f"{listed(COST_UNITS, len(COST_UNITS))}: no unit is guessed, and it decides nothing by itself."
    )
    return [Finding("cost_unread", "note", text, None, None, count, len(records), tuple(names[:3]))]
