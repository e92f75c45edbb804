"""What is decided from small students: a table of decisions, each in one row, and what holds for all of them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from diptych import artifact
from diptych.decision import PairedChecks, StudentDecision
from diptych.labbook import Labbook, parse_labbook
from diptych.report.documents.decision import CAVEATS, decision_document
from diptych.report.writers.terminal import document_text
from diptych.students.collect.student_results import Results, parse_results
from diptych.students.cost.prices import Prices
from diptych.students.decide.decide import decide
from diptych.students.judge.human_labels import Labels
from written_decisions import PREFER_ONE, STAGES, costed, route, two, verdicts


def without(results: Results, tasks: range) -> Results:
    """Return a student who never answered some of its tasks."""
    rows = {key: row for key, row in results.rows.items() if int(key[1:]) not in tasks}
    return results._replace(rows=rows, failed=tuple(f"t{n}" for n in tasks))


def answers(name: str, said: list[tuple[bool, str]], **fields: Any) -> Results:
    """Return a student with these answers; `fields` go into every row."""
    rows = [
        {"id": f"t{n}", "prompt": f"p{n}", "response": text, "checks": {"passed": ok}, **fields}
        for n, (ok, text) in enumerate(said)
    ]
    body = {"model": f"local/{name}", "results": rows}
    return parse_results(json.dumps(body).encode(), name, source=f"{name}.json", where=name)


def book(*records: tuple[str, dict[str, Any]]) -> Any:
    lines = [json.dumps({"stage": stage, "run_id": f"r{n}", "cost": cost}) for n, (stage, cost) in enumerate(records)]
    return parse_labbook("\n".join(lines))


def paid(routes: Any, one: dict[str, Any], other: dict[str, Any], **options: Any) -> StudentDecision:
    return decide(routes, labbook=book(("make-one", one), ("make-other", other)), stages=STAGES, **options)


def equal() -> tuple[Results, Results]:
    return two(380, 6, 6, 8)


def better() -> tuple[Results, Results]:
    return two(60, 25, 3, 12)


SWAPPED = [("one", "other")] * 30 + [("other", "one")] * 25
FIRST = [("one", "other")] * 40
AGAINST = [("other", "other")] * 60
MONEY = {"prompt_per_million": 10.0, "completion_per_million": 10.0, "per_hour": 2.0}
TOKENS_LESS = {"prompt_tokens": 1_000, "completion_tokens": 1_000, "seconds": 144_000}
TOKENS_MORE = {"prompt_tokens": 9_000, "completion_tokens": 9_000, "seconds": 7_200}


# name, how it is made, kind, kept, what its sentence says, kinds of findings that it has
def energies(*methods: str) -> Labbook:
    lines = [
        {"stage": f"make-{name}", "run_id": "r", "cost": {"seconds": 3600, "watt_hours": 100, "energy_method": method}}
        for name, method in zip(("one", "other"), methods, strict=True)
    ]
    return parse_labbook("\n".join(map(json.dumps, lines)))


Row = tuple[str, Callable[[], StudentDecision], str, str | None, str, set[str]]
TABLE: tuple[Row, ...] = (
    (
        "better and cheaper",
        lambda: costed(better()),
        "route",
        "one",
        r"\+22\.0 pp, 95 % CI .* costs less: 1 min 40 s",
        set(),
    ),
    ("better, costs unknown", lambda: decide(better()), "route", "one", "Costs cannot be compared", set()),
    ("better, costs tie", lambda: costed(better(), one=100, other=104), "route", "one", "the costs tie", set()),
    (
        "better and dearer",
        lambda: costed(two(60, 3, 25, 12)),
        "cannot_tell",
        None,
        "Trade-off, no pick.*14 s",
        set(),
    ),
    (
        "better, dearer and worth it",
        lambda: costed(two(60, 3, 25, 12), prices=Prices("EUR", per_hour=1.0, worth=10.0)),
        "route",
        "other",
        "less than the 10.00 EUR.*net benefit is 219.92 EUR",
        set(),
    ),
    (
        "better, dearer and not worth it",
        lambda: costed(two(60, 3, 25, 12), prices=Prices("EUR", per_hour=1.0, worth=0.001)),
        "route",
        "one",
        "more than the 0.001 EUR",
        set(),
    ),
    (
        "better, and dearer in hours of a name of their own",
        lambda: paid(two(60, 3, 25, 12), {"gpu_hours": 2}, {"gpu_hours": 40}),
        "cannot_tell",
        None,
        "What one more solved task costs is not known in full",
        set(),
    ),
    (
        "worth known, money not",
        lambda: costed(two(60, 3, 25, 12), prices=Prices("EUR", worth=10.0)),
        "cannot_tell",
        None,
        "Trade-off",
        set(),
    ),
    (
        "better by less than matters",
        lambda: costed(two(900, 2, 14, 84), margin=0.05),
        "route",
        "one",
        "less than",
        set(),
    ),
    ("no worse and cheaper", lambda: costed(equal(), margin=0.05), "equal_choose_on_cost", "one", "on cost", set()),
    (
        "no worse, passes more and cheaper",
        lambda: costed(two(380, 8, 4, 8), margin=0.05),
        "equal_choose_on_cost",
        "one",
        r"not worse than other .*one − other: \+1\.0 pp",
        set(),
    ),
    (
        "equal and costs tie",
        lambda: costed(equal(), one=100, other=103, margin=0.05),
        "equal_choose_on_cost",
        None,
        "A tie",
        set(),
    ),
    (
        "equal to the digits shown",
        lambda: paid(
            equal(), {"watt_hours": 123.41, "seconds": 90}, {"watt_hours": 123.44, "seconds": 90}, margin=0.05
        ),
        "equal_choose_on_cost",
        None,
        "cost the same within 5 %",
        set(),
    ),
    (
        "equal, costs unknown",
        lambda: decide(equal(), margin=0.05),
        "equal_choose_on_cost",
        None,
        "no cost that all",
        set(),
    ),
    ("few tasks", lambda: costed(two(7, 0, 0, 3)), "cannot_tell", None, "could be up to 21.3 pp worse", set()),
    (
        "nothing but checks",
        lambda: decide(two(10, 4, 4, 7)),
        "cannot_tell",
        None,
        "no cost of making is measured for both",
        set(),
    ),
    (
        "tokens and hours disagree",
        lambda: paid(equal(), TOKENS_LESS, TOKENS_MORE, margin=0.05),
        "equal_choose_on_cost",
        None,
        "costs point both ways.*40 h 00 min against 2 h 00 min",
        {"costs_disagree"},
    ),
    (
        "bases of money disagree",
        lambda: paid(equal(), TOKENS_LESS, TOKENS_MORE, margin=0.05, prices=Prices("EUR", **MONEY)),
        "equal_choose_on_cost",
        None,
        r"both ways.*\(by seconds\)",
        {"costs_disagree"},
    ),
    (
        "bases disagree, one is named",
        lambda: paid(
            equal(), TOKENS_LESS, TOKENS_MORE, margin=0.05, prices=Prices("EUR", **MONEY, basis={"*": "seconds"})
        ),
        "equal_choose_on_cost",
        "other",
        r"4\.00 EUR against 80\.00 EUR \(by seconds\)",
        {"costs_disagree"},
    ),
    (
        "hours under a name of their own speak against",
        lambda: paid(
            equal(), {"prompt_tokens": 10, "gpu_hours": 40.0}, {"prompt_tokens": 90, "gpu_hours": 2.0}, margin=0.05
        ),
        "equal_choose_on_cost",
        None,
        "both ways.*40 gpu_hours against 2 gpu_hours",
        {"costs_disagree", "cost_unread"},
    ),
    (
        "a lower bound is enough",
        lambda: decide(
            equal(),
            labbook=book(
                ("make-one", {"seconds": 10}), ("make-other", {"seconds": 400}), ("make-other", {"seconds": None})
            ),
            stages=STAGES,
            margin=0.05,
        ),
        "equal_choose_on_cost",
        "one",
        "10 s against at least 6 min 40 s",
        {"cost_incomplete"},
    ),
    (
        "a lower bound that the missing part could turn",
        lambda: decide(
            equal(),
            labbook=book(
                ("make-one", {"seconds": 500}), ("make-other", {"seconds": 400}), ("make-other", {"seconds": None})
            ),
            stages=STAGES,
            margin=0.05,
        ),
        "equal_choose_on_cost",
        None,
        "no cost that all record",
        {"cost_incomplete"},
    ),
    ("none passes", lambda: costed(two(0, 0, 0, 10)), "neither", None, "no student passed any", set()),
    (
        "all below the floor",
        lambda: decide(two(20, 3, 2, 75), floor=0.5),
        "neither",
        None,
        "less than the 50.0 %",
        set(),
    ),
    (
        "the floor inside the interval",
        lambda: decide(two(48, 4, 0, 48), floor=0.5),
        "cannot_tell",
        None,
        "no student is shown",
        set(),
    ),
    (
        "one surely above the floor",
        lambda: decide(two(52, 8, 2, 38), floor=0.5),
        "route",
        "one",
        "it alone is shown",
        set(),
    ),
    (
        "a quarter unanswered",
        lambda: costed((two(380, 6, 6, 8)[0], without(equal()[1], range(100)))),
        "cannot_tell",
        None,
        "other left 100 of 400 tasks unanswered.*−25.0 to 0.0 pp",
        {"unanswered"},
    ),
    (
        "a few unanswered, and they could turn it",
        lambda: costed((two(60, 12, 3, 25)[0], without(two(60, 12, 3, 25)[1], range(60, 69)))),
        "cannot_tell",
        None,
        "the checks do not show which of one and other is better",
        {"unanswered"},
    ),
    (
        "a few unanswered, and they turn nothing",
        lambda: costed((two(40, 45, 3, 12)[0], without(two(40, 45, 3, 12)[1], range(5)))),
        "route",
        "one",
        "passes significantly more",
        {"unanswered"},
    ),
    (
        "empty answers fail, whatever their checks say",
        lambda: costed((answers("one", [(True, "yes")] * 30), answers("other", [(True, " ")] * 30))),
        "route",
        "one",
        r"30 of 30 against 0 of 30",
        {"answers_empty"},
    ),
    (
        "truncated answers are named",
        lambda: costed(
            (answers("one", [(True, "y")] * 30), answers("other", [(False, "so")] * 30, finish_reason="length"))
        ),
        "route",
        "one",
        "passes significantly more.*answer format: 30 of 30 answers of other were cut off at max_tokens and failed",
        {"replies_truncated"},
    ),
    (
        "thoughts in the answers are named",
        lambda: costed((answers("one", [(True, "y")] * 30), answers("other", [(False, "<think>well")] * 30))),
        "route",
        "one",
        "passes significantly more.*answer format: 30 of 30 answers of other failed with thoughts left in them",
        {"answers_thinking_open"},
    ),
    (
        "one file twice",
        lambda: costed((equal()[0], equal()[0]._replace(name="other"))),
        "cannot_tell",
        None,
        "one and the same results file",
        {"answers_identical"},
    ),
    (
        "one text under two names",
        lambda: costed((answers("one", [(True, "y")] * 30), answers("other", [(True, "y")] * 30))),
        "cannot_tell",
        None,
        "inconclusive",
        {"answers_identical"},
    ),
    (
        "labels that contradict the judge",
        lambda: decide(
            two(30, 6, 6, 10),
            [verdicts([("one", "one")] * 44 + [("other", "other")] * 8)],
            labels=Labels({f"t{n}": "other" if n % 5 else "one" for n in range(40)}, {}),
        ),
        "route",
        "other",
        r"human labels beside judge j prefer it \(win rate 80",
        {"judge_against_labels"},
    ),
    (
        "measured energy beside estimated",
        lambda: decide(
            equal(),
            labbook=energies("nvml", "model:x"),
            stages=STAGES,
            margin=0.05,
        ),
        "equal_choose_on_cost",
        None,
        r"within 5 % \(seconds\)",
        {"cost_mixed"},
    ),
    (
        "better, dearer, and alone above the floor",
        lambda: costed(two(300, 2, 30, 10), floor=0.9),
        "route",
        "other",
        "it alone is shown to pass the 90.0 % asked for.*costs more: 6 min 40 s",
        set(),
    ),
    (
        "a judge decides",
        lambda: decide(two(10, 4, 4, 7), [verdicts(PREFER_ONE)]),
        "route",
        "one",
        "by the judge j",
        set(),
    ),
    (
        "a judge against the cheaper one",
        lambda: costed(equal(), margin=0.05, judgements=[verdicts(AGAINST)]),
        "equal_choose_on_cost",
        "one",
        r"But the judge j prefers other to one \(60 : 0",
        set(),
    ),
    (
        "a judge against the better one",
        lambda: costed(better(), judgements=[verdicts(AGAINST)]),
        "route",
        "one",
        r"But the judge j prefers other to one \(60 : 0",
        set(),
    ),
    (
        "a judge of the first place",
        lambda: decide(two(20, 8, 8, 14), [verdicts(FIRST)]),
        "cannot_tell",
        None,
        "no cost of making is measured.*no judge's preference can be used",
        {"judge_flips", "judge_place"},
    ),
    (
        "labels swapped in the second game",
        lambda: decide(two(30, 9, 9, 14), [verdicts(SWAPPED)]),
        "cannot_tell",
        None,
        "no cost",
        {"judge_labels_swapped"},
    ),
    (
        "of three judges one survives",
        lambda: decide(
            two(10, 4, 4, 27), [verdicts(PREFER_ONE, "k"), verdicts(FIRST, "l"), verdicts([("other", "one")] * 40, "m")]
        ),
        "route",
        "one",
        r"the judge k \(of 3 judges the only one that may speak\)",
        {"judge_flips"},
    ),
    (
        "two judges of two minds",
        lambda: decide(two(20, 8, 8, 30), [verdicts(PREFER_ONE, "k"), verdicts(AGAINST, "l")]),
        "cannot_tell",
        None,
        "the judges do not agree.*judge k prefers one.*judge l prefers other",
        set(),
    ),
    (
        "more passed by one of three",
        lambda: decide(
            [
                route("a", [True] * 70 + [False] * 30),
                route("b", [True] * 40 + [False] * 60),
                route("c", [False] * 10 + [True] * 30 + [False] * 60),
            ]
        ),
        "route",
        "a",
        r"closest \(\+30\.0 pp",
        set(),
    ),
)


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_a_decision_keeps_what_its_row_says(row: Row) -> None:
    _, make, kind, kept, says, kinds = row
    decision = make()
    verdict = decision.verdict
    assert (verdict.kind, verdict.route) == (kind, kept), verdict.sentence
    assert re.search(says, verdict.sentence, re.IGNORECASE), verdict.sentence
    assert kinds <= {finding.kind for finding in decision.findings}
    holds(decision)


def holds(decision: StudentDecision) -> None:
    """Check what holds for any decision: no empty words, caveats are the errors and warnings, the artifact is whole."""
    verdict = decision.verdict
    texts = (verdict.sentence, *verdict.rule, *verdict.would_change, *(finding.text for finding in decision.findings))
    assert not [text for text in texts if re.search(r"None|\(\)|\bnan\b|\{", text)]
    assert set(verdict.caveats) == {f.text for f in decision.findings if f.severity != "note"}
    assert artifact.loads(artifact.dumps(decision)) == decision
    for pair in [decision.paired] if isinstance(decision.paired, PairedChecks) else decision.paired or ():
        if pair.low is not None and pair.high is not None:
            moved = (pair.only_second - pair.only_first) / pair.tasks
            assert pair.low <= moved <= pair.high
    report = document_text(decision_document(decision), 100, full=True)
    told = " ".join(report.split())
    assert " ".join(verdict.sentence.split()) in told
    assert all(" ".join(text.split()) in told for text in verdict.caveats[:CAVEATS])
    assert not re.search(r"[Cc]annot tell|90 % CI|\b[Rr]outes?\b|\bNone\b", told.partition("PROVENANCE")[0])


ADDED = re.compile(
    r"^([\d,]+) more tasks? that only (\S+) passes(?:: then it would be “keep (\S+)”| would (undo|make))"
)


@pytest.mark.parametrize("seed", range(6))
def test_tasks_that_would_change_it_do_change_it_and_one_fewer_does_not(seed: int) -> None:
    import random

    rng = random.Random(seed)
    n, rates = rng.choice((30, 120)), (0.8, 0.65, rng.choice((0.5, 0.75)))
    passed = {name: [rng.random() < rate for _ in range(n)] for name, rate in zip("abc", rates, strict=True)}

    def made(winner: str = "", more: int = 0) -> StudentDecision:
        return decide([route(name, [*ok, *[name == winner] * more]) for name, ok in passed.items()])

    verdict = made().verdict
    told = [match for text in verdict.would_change if (match := ADDED.match(text))]
    assert told
    for match in told:
        more, winner, keeps = int(match[1].replace(",", "")), match[2], match[3]
        turned, short = made(winner, more).verdict, made(winner, more - 1).verdict
        assert turned.route == keeps
        assert turned.route != verdict.route
        assert short.route == verdict.route
