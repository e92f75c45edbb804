"""A policy says in one line whether B may go: by tiers, by what is missing, and by one test over all tasks."""

import random
from pathlib import Path

import pytest

from diptych.batch.policy import policy_from, read_policy
from diptych.diagnose.options import Options, Policy, Tier
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.policy_gates import informational, policy_gates
from diptych.errors import ManifestError
from diptych.estimates import Estimate, MetricComparison
from diptych.run import Run, Score
from diptych.stats.suite import suite_test
from examples_runs import NOTHING, run
from sample_logs import answer, log


def row(task: str, low: float, high: float, status: str = "unclear") -> MetricComparison:
    found = Estimate("paired_t", 0.95, (low + high) / 2, low, high, low_90=low, high_90=high, margin=0.01, pairs=500)
    return MetricComparison(
        task,
        "acc",
        "none",
        True,
        0.5,
        0.5,
        0.0,
        status,
        None,
        primary=True,
        headline=True,
        estimate=found,  # type: ignore[arg-type]
    )


POLICY = Policy({"critical": Tier(("gsm*",), 0.02), "informational": Tier(("toy",))}, "fail", suite=False)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([row("gsm8k", -0.01, 0.03), row("arc", -0.04, 0.03)], "GO: 2 rules pass"),
        ([row("gsm8k", -0.03, 0.03), row("arc", -0.04, 0.03)], "UNDECIDED: critical gsm8k"),
        ([row("gsm8k", -0.09, -0.05, "worse")], "NO-GO: critical gsm8k"),
        ([row("gsm8k", -0.01, 0.03), row("arc", -0.09, -0.02, "worse")], "NO-GO: default arc"),
        ([row("gsm8k", -0.01, 0.03), row("toy", -0.9, -0.5, "worse")], "GO: 2 rules pass"),
    ],
)
def test_the_last_gate_is_the_answer(rows: list[MetricComparison], line: str) -> None:
    last = policy_gates(POLICY, rows, NOTHING, "different")[-1]
    assert last.rule == "policy"
    assert last.text.startswith(line)


def test_a_missing_benchmark_does_what_the_policy_says() -> None:
    missing = row("arc", 0, 0, "not_available")._replace(
        estimate=None, difference=None, reason="only in A", headline=False, b_present=False
    )
    for said, result in (("fail", "fail"), ("inconclusive", "inconclusive"), ("pass", "pass")):
        policy = POLICY._replace(missing=said)  # type: ignore[arg-type]
        assert policy_gates(policy, [row("gsm8k", -0.01, 0.03), missing], NOTHING, "different")[-1].result == result


def test_incomparable_runs_are_undecided() -> None:
    (gate,) = policy_gates(POLICY, [row("gsm8k", -0.09, -0.05, "worse")], NOTHING, "not_comparable")
    assert gate.result == "inconclusive"


@pytest.mark.parametrize(
    "table",
    [3, {"tiers": 1}, {"missing": "no"}, {"suite": 1}, {"critical": {"margin": 0}}, {"default": {"tasks": "x"}}],
)
def test_a_policy_that_cannot_be_read_is_refused(table: object) -> None:
    with pytest.raises(ManifestError):
        policy_from(table, "here")


def test_the_suite_test_finds_one_broken_task_among_many_and_names_it() -> None:
    chance = random.Random(4)
    columns = [[chance.choice((-1.0, 0.0, 0.0, 0.0, 1.0)) for _ in range(300)] for _ in range(12)]
    columns[7] = [chance.choice((-1.0, -1.0, 0.0, 0.0, 1.0)) for _ in range(300)]
    found = suite_test(columns, 1)
    assert found is not None
    assert found.worst == 7
    assert found.p < 0.01
    assert suite_test([], 1) is None
    equal = suite_test([[0.0, 0.0]], 1)
    assert equal is not None
    assert equal.p == 1.0


def test_the_suite_test_cries_wolf_no_more_than_one_time_in_twenty() -> None:
    chance = random.Random(5)
    alarms = 0
    for seed in range(200):
        columns = [[chance.choice((-1.0, 0.0, 0.0, 0.0, 1.0)) for _ in range(60)] for _ in range(8)]
        found = suite_test(columns, seed, draws=499)
        alarms += found is not None and found.p < 0.05
    assert alarms <= 20


def two_tasks(toy: float, *, logged: bool = True) -> Run:
    """A run whose arith is all right and whose toy has this share of right answers."""
    columns = {"arith": [1.0] * 60, "toy": [float(at < toy * 60) for at in range(60)]}
    scores = tuple(Score(task, "exact_match", "none", sum(c) / 60, None, True, items=60) for task, c in columns.items())
    samples = {
        task: log([answer(at, str(value), right=value) for at, value in enumerate(column)], task)
        for task, column in columns.items()
    }
    items = dict.fromkeys(columns, 60)
    return run(tasks={task: {} for task in columns}, scores=scores, items=items, samples=samples if logged else {})


@pytest.mark.parametrize(("tier", "result"), [("informational", "pass"), ("default", "fail")])
def test_the_suite_test_leaves_out_what_is_told_only(tier: str, result: str) -> None:
    policy = policy_from({tier: {"tasks": ["toy"]}}, "here")
    made = compare_runs(two_tasks(0.9), two_tasks(0.2), Options(policy=policy))
    assert {gate.rule: gate.result for gate in made.gates}["policy:suite"] == result
    assert made.gates[-1].result == result


def test_what_is_below_a_benchmark_that_is_told_only_is_told_only() -> None:
    policy = Policy({"informational": Tier(("words",)), "critical": Tier(("plurals",), 0.02)}, "fail")
    benchmark = row("words", 0, 0)._replace(group=True, subtasks=("opposites", "plurals"))
    rows = [benchmark, row("opposites", 0, 0), row("plurals", 0, 0), row("arith", 0, 0)]
    assert informational(rows, policy) == {"words", "opposites"}


def test_a_suite_test_without_items_of_both_runs_cannot_be_told() -> None:
    policy = policy_from({"suite": True}, "here")
    made = compare_runs(two_tasks(0.9), two_tasks(0.9, logged=False), Options(policy=policy))
    assert {gate.rule: gate.result for gate in made.gates}["policy:suite"] == "inconclusive"
    assert "UNDECIDED: suite no task has items of both runs" in made.gates[-1].text


def test_a_manifest_without_a_gate_has_no_policy(tmp_path: Path) -> None:
    manifest = tmp_path / "diptych.toml"
    manifest.write_text('[[comparison]]\na = "one"\nb = "two"\n')
    assert read_policy(str(manifest)) is None
    manifest.write_text("[gate]\nsuite = false\n")
    assert read_policy(str(manifest)) == policy_from({"suite": False}, "here")
