"""Small students, verdicts and notebooks that the decision tests write, and decisions made from them."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from diptych.decision import StudentDecision
from diptych.labbook import Labbook, parse_labbook
from diptych.students.collect.student_results import Results, parse_results
from diptych.students.decide.decide import decide
from diptych.students.judge.judgements import Judgements, parse_judgements


def route(name: str, passed: Iterable[bool], **fields: Any) -> Results:
    rows = [
        {"id": f"t{n}", "prompt": f"p{n}", "response": f"{name} {n}", "checks": {"passed": bool(ok)}}
        for n, ok in enumerate(passed)
    ]
    body = {"model": f"local/{name}", "results": rows, **fields}
    return parse_results(json.dumps(body).encode(), name, source=f"{name}.json", where=f"{name}.json")


def two(both: int, first: int, second: int, neither: int) -> tuple[Results, Results]:
    one = [True] * both + [True] * first + [False] * (second + neither)
    other = [True] * both + [False] * first + [True] * second + [False] * neither
    return route("one", one), route("other", other)


def verdicts(
    said: Sequence[tuple[str | None, str | None]], judge: str = "j", names: tuple[str, str] = ("one", "other")
) -> Judgements:
    lines = []
    for n, pair in enumerate(said):
        for shown, winner in zip(names, pair, strict=True):
            lines.append(
                json.dumps(
                    {
                        "task": f"t{n}",
                        "student_a": names[0],
                        "student_b": names[1],
                        "shown_first": shown,
                        "winner": winner,
                        "judge": judge,
                        "raw": f"raw {winner}",
                    }
                )
            )
    return parse_judgements("\n".join(lines).encode(), f"{judge}.jsonl", f"{judge}.jsonl")


def notebook(**seconds: float) -> Labbook:
    return parse_labbook(
        "\n".join(
            json.dumps({"stage": stage, "run_id": "r", "cost": {"seconds": value}}) for stage, value in seconds.items()
        )
    )


STAGES = {"one": ("make-one",), "other": ("make-other",)}
COSTS = {"make-one": 100.0, "make-other": 400.0}
PREFER_ONE = [("one", "one")] * 20 + [("other", "other")] * 3 + [("tie", "tie")] * 2


def costed(routes: Sequence[Results], one: float = 100.0, other: float = 400.0, **options: Any) -> StudentDecision:
    return decide(routes, labbook=notebook(**{"make-one": one, "make-other": other}), stages=STAGES, **options)
