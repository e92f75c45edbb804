"""A student decision of the size of a real one, whose parts a test may replace."""

from typing import Any

from diptych.comparison import Finding, LeftOut
from diptych.decision import (
    Check,
    CostPlot,
    CostTotal,
    DecisionVerdict,
    PairedChecks,
    PlotPoint,
    Route,
    StageCost,
    StudentDecision,
    TaskOutcome,
    Trade,
    Unusable,
)
from diptych.judge_audit import Disagreement, JudgeAgreement, JudgeAudit
from diptych.provenance import Input, Provenance

WHOLE = {
    "prompt_tokens": CostTotal(48_200, 1, 1),
    "completion_tokens": CostTotal(96_400, 1, 1),
    "seconds": CostTotal(5_400.0, 1, 1),
    "watt_hours": CostTotal(310.5, 1, 1),
}
NOTHING = {"prompt_tokens": None, "completion_tokens": None, "seconds": None, "watt_hours": None}
GENERATE = {
    "prompt_tokens": CostTotal(210_000, 2, 2),
    "completion_tokens": CostTotal(1_240_000, 2, 2),
    "seconds": CostTotal(9_800.0, 2, 2),
    "watt_hours": CostTotal(
        612.0, 1, 2, (Unusable("20260108T091500 generate", -3.0, "a counter that was reset"),), ("20260108T091500",)
    ),
}
TRAIN = {
    "prompt_tokens": CostTotal(None, 0, 1, (), ("20260109T180000",)),
    "completion_tokens": CostTotal(None, 0, 1, (), ("20260109T180000",)),
    "seconds": CostTotal(7_100.0, 1, 1),
    "watt_hours": CostTotal(402.0, 1, 1),
}


def sequence_route(**changes: Any) -> Route:
    """Return the route that was trained on the teacher's texts; its costs have gaps."""
    route = Route(
        name="sequence",
        model="local/student-seq",
        passed=31,
        total=48,
        stages=("generate", "train"),
        cost={
            "prompt_tokens": CostTotal(210_000, 2, 3, (), ("20260109T180000",)),
            "completion_tokens": CostTotal(1_240_000, 2, 3, (), ("20260109T180000",)),
            "seconds": CostTotal(16_900.0, 3, 3),
            "watt_hours": CostTotal(
                1_014.0, 2, 3, (Unusable("20260108T091500 generate", -3.0, "a counter that was reset"),)
            ),
        },
        cost_per_passed={**NOTHING, "seconds": 16_900.0 / 31},
        by_stage=(
            StageCost("generate", ("20260108T091500", "20260108T140000"), 2, GENERATE),
            StageCost("train", ("20260109T180000",), 1, TRAIN),
        ),
        checks=(Check("contains", 14, 18), Check("number", 9, 16), Check("json_schema", 8, 14)),
        low=0.504,
        high=0.766,
        answering={"seconds": 96.5, "completion_tokens": 12_400},
    )
    return route._replace(**changes)


def logit_route(**changes: Any) -> Route:
    """Return the route that was trained against the teacher's logits; its costs are whole."""
    route = Route(
        name="logit",
        model="local/student-logit",
        passed=36,
        total=48,
        stages=("train-logit",),
        cost=WHOLE,
        cost_per_passed={name: (total.total or 0) / 36 for name, total in WHOLE.items()},
        by_stage=(StageCost("train-logit", ("20260110T080000",), 1, WHOLE),),
        checks=(Check("contains", 16, 18), Check("number", 11, 16), Check("json_schema", 9, 14)),
        low=0.612,
        high=0.851,
        answering={"seconds": 88.0, "completion_tokens": 11_900},
    )
    return route._replace(**changes)


def outcomes() -> tuple[TaskOutcome, ...]:
    """Return 48 tasks: 28 solved by both, 3 by the first alone, 8 by the second alone, 9 by neither."""
    kinds = [(True, True)] * 28 + [(True, False)] * 3 + [(False, True)] * 8 + [(False, False)] * 9
    return tuple(
        TaskOutcome(
            id=f"task-{number:02d}",
            passed={"sequence": first, "logit": second},
            prompt=f"Question {number}: how many crates of 12 are needed for {number * 12 + 5} bottles?",
            responses={
                "sequence": f"It takes {number + 1} crates." if first else f"About {number} crates.",
                "logit": f"{number + 1}" if second else "I would need to know the size of a bottle.",
            },
        )
        for number, (first, second) in enumerate(kinds, 1)
    )


def paired(**changes: Any) -> PairedChecks:
    """Return the paired table of both routes."""
    table = PairedChecks(
        first="sequence",
        second="logit",
        tasks=48,
        both=28,
        only_first=3,
        only_second=8,
        neither=9,
        p_value=0.1460,
        p_exact=0.2266,
        low=-0.036,
        high=0.245,
        method="mcnemar_midp_tango",
        low_90=-0.012,
        high_90=0.222,
        margin=0.01,
        detectable=0.18,
        needed=89,
    )
    return table._replace(**changes)


def audit(**changes: Any) -> JudgeAudit:
    """Return what one judge said: 11 of 46 tasks flipped with the order."""
    card = JudgeAudit(
        judge="local/judge",
        first="sequence",
        second="logit",
        tasks=46,
        unreadable=2,
        wins={"sequence": 9, "logit": 17},
        once={"sequence": 2, "logit": 3},
        ties=4,
        flips=11,
        half_changes=5,
        flip_rate=11 / 46,
        flip_low=0.139,
        flip_high=0.379,
        first_place_wins=9,
        second_place_wins=2,
        position_p=0.0654,
        win_rate={"sequence": 0.408, "logit": 0.592},
        win_low=0.489,
        win_high=0.695,
        p_value=0.091,
        gate="directional_only",
        kappa=0.41,
        length_controlled=0.561,
        longer_wins=24,
        longer_of=42,
        orders={
            "sequence first": {"sequence": 20, "tie": 7, "logit": 19, "unreadable": 1},
            "logit first": {"sequence": 13, "tie": 6, "logit": 27, "unreadable": 1},
        },
        disagreements=tuple(
            Disagreement(
                task,
                "local/judge",
                "sequence",
                "logit",
                "Answer 1 names the number and shows the step. [[1]]",
                "Answer 1 is shorter and correct. [[1]]",
            )
            for task in ("task-04", "task-19", "task-33")
        ),
    )
    return card._replace(**changes)


def plots() -> tuple[CostPlot, ...]:
    """Return one plot a unit; a cost with gaps is not placed."""
    return (
        CostPlot(
            "seconds",
            (PlotPoint("logit", 5_400.0, 36, 48, True, True), PlotPoint("sequence", 16_900.0, 31, 48, True, False)),
        ),
        CostPlot(
            "watt_hours",
            (PlotPoint("logit", 310.5, 36, 48, True, True), PlotPoint("sequence", 1_014.0, 31, 48, False, False)),
        ),
        CostPlot(
            "completion_tokens",
            (PlotPoint("logit", 96_400, 36, 48, True, True),),
            (("sequence", "measured in 2 of 3 records"),),
        ),
    )


def decision(**changes: Any) -> StudentDecision:
    """Return a decision of two routes over 48 tasks, with `changes` put in place of its fields."""
    whole = StudentDecision(
        id="5d1c0ffee0a14b2d8e7f6a5b4c3d2e1f",
        title="",
        routes=(sequence_route(), logit_route(dominated_by=None)),
        paired=paired(),
        judge=audit(),
        judges=(audit(),),
        agreement=(JudgeAgreement(("local/judge", "local/second"), 40, "fleiss", 0.52),),
        trades=(Trade("seconds", "logit", "sequence", 11_500.0, -5, None, None, "dear_not_better"),),
        plots=plots(),
        tasks=outcomes(),
        tasks_sha256="9f2c" * 16,
        verdict=DecisionVerdict(
            kind="equal_choose_on_cost",
            route="logit",
            sentence="The checks do not separate the two students; logit costs a third of the time. Keep logit.",
            rule=(
                "Checks: logit passed 36 of 48, sequence 31; by luck alone a gap this large appears 1 time in 7.",
                "Judge: contradicted itself on 24 % of tasks; it may say a direction, not a size. It leans to logit.",
                "Cost: logit needed 1 h 30 min, sequence 4 h 42 min. Watt-hours are incomplete and not compared.",
                "Keep logit: not worse on checks, cheaper, and preferred.",
            ),
            would_change=(
                "41 more tasks with the same rates would separate the two on checks.",
                "sequence wins if the 8 tasks that only logit solves do not matter to you.",
            ),
        ),
        findings=(
            Finding("cost_incomplete", "warning", "sequence: watt-hours measured in 2 of 3 records", count_=2, of=3),
            Finding("judge_flips", "warning", "the judge contradicted itself on 11 of 46 tasks", count_=11, of=46),
        ),
        left_out=(LeftOut("tasks that only one route answered", 2, "a pair needs both answers"),),
        provenance=Provenance(
            "0.1.0",
            ("mcnemar_midp_tango", "wilson", "judge_swap_signflip"),
            (Input("results-sequence.json", "ab" * 32), Input("results-logit.json", "cd" * 32)),
            {"margin": 0.01, "attempts": "all"},
        ),
    )
    return whole._replace(**changes)
