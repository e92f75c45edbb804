"""Whatever students, verdicts, costs, prices and labels come in, a decision is whole and keeps its own rules."""

import json
import random
import re

import pytest

from diptych import artifact
from diptych.decision import StudentDecision
from diptych.labbook import parse_labbook
from diptych.report.documents.decision import decision_document
from diptych.report.writers.terminal import document_text
from diptych.students.collect.student_results import Results
from diptych.students.cost.prices import Prices
from diptych.students.decide.decide import decide
from diptych.students.judge.human_labels import NO_LABELS, Labels
from diptych.students.judge.judgements import Judgements
from written_decisions import route, verdicts

Pair = tuple[str | None, str | None]


def student(rng: random.Random, name: str, n: int) -> Results:
    share = rng.choice((0.0, 0.3, 0.55, 0.7, 0.7, 1.0))
    made = route(name, [rng.random() < share for _ in range(n)])
    if rng.random() < 0.3:
        gone = {f"t{task}" for task in rng.sample(range(n), max(1, n // rng.choice((4, 15))))}
        kept = {task: row for task, row in made.rows.items() if task not in gone}
        made = made._replace(rows=kept, failed=tuple(sorted(gone)) if rng.random() < 0.5 else ())
    return made


def judged(rng: random.Random, judge: str, names: list[str], n: int) -> Judgements:
    first, second = sorted(rng.sample(names, 2))
    leaning, flipping = rng.random(), rng.choice((0.0, 0.1, 0.3, 1.0))
    said: list[Pair] = []
    for _ in range(n):
        turned = (first, second) if rng.random() < 0.7 else (second, first)
        winner = first if rng.random() < leaning else rng.choice((second, "tie", None))
        said.append(turned if rng.random() < flipping else (winner, winner))
    made = verdicts(said, judge, (first, second))
    once = tuple(row for row in made.rows if row.shown_first == first)
    return made._replace(rows=once) if rng.random() < 0.2 else made


def any_decision(seed: int) -> StudentDecision:
    rng = random.Random(seed)
    names, n = list("abcd")[: rng.choice((2, 2, 3, 4))], rng.choice((5, 12, 30, 80))
    lines = [
        {
            "stage": f"make-{name}",
            "run_id": f"r{run}",
            "cost": {unit: rng.choice((None, 0, 100, 103, 144_000)) for unit in UNITS},
        }
        for name in names
        for run in range(rng.choice((0, 1, 1, 2)))
    ]
    prices = Prices("EUR", *(rng.choice((None, 1.0, 20.0)) for _ in range(4)), worth=rng.choice((None, 0.01, 5.0)))
    labels = Labels({f"t{task}": rng.choice((*names[:2], "tie")) for task in range(25)}, {})
    return decide(
        [student(rng, name, n) for name in names],
        [judged(rng, f"judge-{number}", names, n) for number in range(rng.choice((0, 1, 2)))],
        parse_labbook("\n".join(map(json.dumps, lines))),
        {name: (f"make-{name}",) for name in names},
        prices._replace(basis=rng.choice(({}, {"*": "seconds"}))),
        rng.choice((0.01, 0.2)),
        floor=rng.choice((None, None, 0.6)),
        labels=labels if rng.random() < 0.3 else NO_LABELS,
    )


UNITS = ("prompt_tokens", "completion_tokens", "seconds", "watt_hours", "gpu_hours")


@pytest.mark.parametrize("seed", range(24))
def test_any_decision_is_whole_and_keeps_its_rules(seed: int) -> None:
    decision = any_decision(seed)
    verdict = decision.verdict
    assert artifact.loads(artifact.dumps(decision)) == decision
    assert document_text(decision_document(decision), full=True)
    for text in (verdict.sentence, *verdict.rule, *verdict.would_change, *verdict.caveats):
        assert not re.search(r"\bNone\b|\(\)|\bnan\b|\binf\b|  |: \.", text), text
    kept = verdict.route
    assert (verdict.kind == "route") <= (kept is not None)
    if "trade_off" in verdict.flags or any(each.unanswered > 0.1 * each.total for each in decision.routes):
        assert kept is None
    for pair in decision.judges:
        if kept in (pair.first, pair.second) and pair.gate not in ("usable", "directional_only"):
            assert not re.search(rf"preferred in both orders by [^.]*\b{pair.judge}\b", verdict.sentence)
