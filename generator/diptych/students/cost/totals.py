"""Add up what each route cost, from the notebook's stage records, with every gap and every impossible value named."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.comparison import Finding, LeftOut
from diptych.decision import COST_UNITS, CostTotal, StageCost, Unusable
from diptych.errors import StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.labbook import Labbook, Record
from diptych.students.cost.cost_faults import fault
from diptych.students.cost.cost_findings import amounts_named, answering_findings, cost_findings, unread_findings
from diptych.students.number_limits import strict

ROUTE_STAGES: Mapping[str, tuple[str, ...]] = {
    "sequence": ("generate", "filter", "train"),
    "logit": ("train-logit",),
}
"""Which stages paid for the two routes that are known by name; others are named with --stages."""


class RouteCost(NamedTuple):
    """What one route cost: over all its stages, and stage by stage."""

    stages: tuple[str, ...]
    cost: Mapping[str, CostTotal]
    by_stage: tuple[StageCost, ...]
    records: tuple[Record, ...]
    findings: tuple[Finding, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    other: Mapping[str, CostTotal] = {}


def paying_stages(name: str, given: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the stages that paid for a route: as given, or as known by its name, or none."""
    return tuple(given.get(name, ROUTE_STAGES.get(name, ())))


def route_cost(
    name: str,
    stages: tuple[str, ...],
    labbook: Labbook | None,
    *,
    attempts: str = "all",
    model: str | None = None,
    other_models: frozenset[str] = frozenset(),
    answered: Mapping[str, float | None] | None = None,
) -> RouteCost:
    """Return a route's costs. `attempts` "all": what it cost; "last": what it would cost again.

    A record that names another route's model as its student belongs to that route alone. `answered` holds the tokens
    of the route's own answers: a stage that took just these is their answering, not a part of making the student.
    """
    if attempts not in ("all", "last"):
        raise StudentsError(
            f"attempts are 'all' or 'last', not {attempts!r}", hint="use --attempts all or --attempts last"
        )
    mine, left_out = records_for(stages, labbook, other_models - {model})
    answering = [stage for stage in stages if is_answering(mine, stage, answered or {})]
    stages = tuple(stage for stage in stages if stage not in answering)
    parts = [attempts_of([record for record in mine if record.fields["stage"] == stage], attempts) for stage in stages]
    by_stage = tuple(stage_cost(stage, tries, kept) for stage, (tries, kept) in zip(stages, parts, strict=True))
    used = tuple(record for _, kept in parts for record in kept)
    absent = absent_stages(stages, parts, labbook)
    kept = [records for _, records in parts]
    cost = {unit: total_of(unit, used, absent)._replace(spread=deviation_of_total(unit, kept)) for unit in COST_UNITS}
    findings = [
        *answering_findings(name, answering),
        *cost_findings(name, cost, by_stage, attempts),
        *unread_findings(name, used),
    ]
    other = {key: total_of(key, used, absent) for key in amounts_named(used)}
    return RouteCost(stages, cost, by_stage, used, tuple(findings), tuple(left_out), other)


def is_answering(records: Sequence[Record], stage: str, answered: Mapping[str, float | None]) -> bool:
    """Say whether a stage's records are the answering of the tasks at hand: token for token what the answers took."""
    costs = [record.fields.get("cost") for record in records if record.fields["stage"] == stage]
    taken = [answered.get(f"{unit}_sum") for unit in ("prompt_tokens", "completion_tokens")]
    return bool(costs) and all(
        isinstance(cost, dict) and taken[1] and [cost.get("prompt_tokens"), cost.get("completion_tokens")] == taken
        for cost in costs
    )


def deviation_of_total(unit: str, stages: Sequence[Sequence[Record]]) -> float | None:
    """Return the standard deviation of a total, from stages that ran more than once in one configuration."""
    variance, repeated = 0.0, False
    for records in stages:
        alike: dict[str, list[float]] = {}
        for record in records:
            cost = record.fields.get("cost")
            cost = cost if isinstance(cost, dict) else {}
            value = cost.get(unit)
            if value is not None and fault(unit, value, cost) is None:
                setting = [record.fields.get(key) for key in ("teacher", "student", "dataset", "hyperparameters")]
                alike.setdefault(json.dumps(setting, sort_keys=True, default=str), []).append(float(value))
        for values in alike.values():
            if len(values) > 1:
                repeated = True
                mean = math.fsum(values) / len(values)
                variance += len(values) * math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return math.sqrt(variance) if repeated else None


def records_for(
    stages: tuple[str, ...], labbook: Labbook | None, others: frozenset[str | None]
) -> tuple[list[Record], list[LeftOut]]:
    """Return the records of a route's stages, without doubled ones and those of another route's student."""
    mine: list[Record] = []
    left_out = []
    for record in labbook.records if labbook else ():
        stage = record.fields.get("stage")
        if not isinstance(stage, str) or stage not in stages:
            continue
        student = record.fields.get("student")
        if isinstance(student, str) and student in others:
            continue
        twin = next((r for r in mine if r.fields == record.fields and record.fields.get("run_id")), None)
        if twin:
            left_out.append(LeftOut(f"line {record.line} of the notebook", 1, f"the same record as line {twin.line}"))
            continue
        mine.append(record)
    return mine, left_out


def attempts_of(records: list[Record], attempts: str) -> tuple[tuple[str, ...], list[Record]]:
    """Return the run_ids of one stage, oldest first, and the records to count."""
    order = sorted(enumerate(records), key=lambda item: (run_id(item[1]), item[0]))
    ids = tuple(dict.fromkeys(run_id(record) for _, record in order))
    if attempts == "last" and ids:
        return ids, [record for record in records if run_id(record) == ids[-1]]
    return ids, records


def run_id(record: Record) -> str:
    """Return a record's run_id as text; one without is known by its line."""
    value = record.fields.get("run_id")
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else f"line {record.line}"


def record_label(record: Record) -> str:
    """Return how a record is named in texts: its line, stage and run."""
    return f"line {record.line} ({record.fields.get('stage')} {run_id(record)})"


def absent_stages(stages: tuple[str, ...], parts: list[Any], labbook: Labbook | None) -> tuple[str, ...]:
    """Return a phrase for each stage that the notebook holds no record of."""
    if labbook is None:
        return tuple(f"{stage}: no notebook" for stage in stages)
    return tuple(f"{stage}: no record" for stage, (_, kept) in zip(stages, parts, strict=True) if not kept)


def stage_cost(stage: str, run_ids: tuple[str, ...], kept: list[Record]) -> StageCost:
    """Return the cost of one stage over the records that count."""
    return StageCost(stage, run_ids, len(run_ids), {unit: total_of(unit, kept, ()) for unit in COST_UNITS})


def total_of(unit: str, records: Sequence[Record], absent: tuple[str, ...]) -> CostTotal:
    """Return the sum of one unit over records: what was measured, what is unusable, what is missing."""
    values: list[float] = []
    unusable, missing, methods = [], [], set()
    for record in records:
        cost = record.fields.get("cost")
        if not isinstance(cost, dict):
            cost = {}
        value = cost.get(unit)
        if value is None:
            missing.append(record_label(record))
            continue
        why = fault(unit, value, cost)
        if why:
            unusable.append(Unusable(record_label(record), strict(value), why))
            continue
        values.append(value)
        if unit == "watt_hours":
            methods.add(energy_method(record))
    if modelled(methods) and not all(map(is_model, methods)):
        return CostTotal(
            None, 0, len(records), tuple(unusable), (*missing, *absent), "mixed", named_methods(methods), False
        )
    return CostTotal(
        exact_sum(unit, values),
        len(values),
        len(records),
        tuple(unusable),
        (*missing, *absent),
        "estimated" if modelled(methods) else "measured",
        named_methods(methods),
        bool(values) and len(values) == len(records) and not absent,
    )


def exact_sum(unit: str, values: list[float]) -> float | None:
    """Return the exact sum of values (tokens as a whole number), or None where there are none."""
    if not values:
        return None
    total = math.fsum(values)
    return int(total) if unit.endswith("tokens") else total


def energy_method(record: Record) -> str:
    """Return how a record's energy came about ("nvml", "rapl", "model:..."), or "" where it does not say."""
    cost = record.fields.get("cost")
    value = (cost.get("energy_method") if isinstance(cost, dict) else None) or record.fields.get("energy_method")
    return value if isinstance(value, str) else ""


def is_model(method: str) -> bool:
    """Say whether an energy method reckons instead of measuring."""
    return method.startswith("model")


def modelled(methods: set[str]) -> bool:
    """Say whether any of the methods reckons instead of measuring."""
    return any(map(is_model, methods))


def named_methods(methods: set[str]) -> tuple[str, ...]:
    """Return the named methods, sorted."""
    return tuple(sorted(methods - {""}))
