"""Scores side by side: the method follows from what is there, the word from adjusted p-values."""

import math
import random
from typing import Any

import pytest

from diptych.comparison import Finding
from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.same_filters import one_filter_each
from diptych.diagnose.scores.families import benchmark_rows
from diptych.diagnose.scores.groups import group_score, leaf_tasks
from diptych.diagnose.scores.rows import metric_comparisons
from diptych.estimates import MetricComparison, NoiseFloor
from diptych.metric_key import MetricKey
from diptych.run import Run, Score
from examples_runs import NOTHING, run
from sample_logs import answer, log

Columns = tuple[list[float], list[float]]


def scored(*scores: Score, **fields: object) -> Run:
    return run(scores=scores, **fields)


def score(value: float | None, *, task: str = "arith", metric: str = "acc", **fields: object) -> Score:
    given: dict[str, object] = {"stderr": 0.05, "higher_is_better": True, "items": 100, "filter": "none", **fields}
    return Score(task=task, metric=metric, value=value, **given)  # type: ignore[arg-type]


def paired(
    task: str, a: list[float], b: list[float], metric: str = "acc", clusters: tuple[int, ...] | None = None
) -> PairedScores:
    key = ("none", metric)
    items = {"none": tuple(str(number) for number in range(len(a)))}
    columns = {key: (tuple(a), tuple(b))}
    return PairedScores(items, columns, {key: clusters}, {key: tuple(a)}, {key: tuple(b)}, {key: 0}, {})


def compared(
    a: Run, b: Run, evidence: Evidence = NOTHING, **options: object
) -> tuple[list[MetricComparison], list[Finding]]:
    rows, findings = metric_comparisons(a, b, evidence, Options(**options))  # type: ignore[arg-type]
    return list(rows), list(findings)


def with_pairs(*columns: PairedScores) -> Evidence:
    return NOTHING._replace(paired={f"{'arith' if at == 0 else f'task{at}'}": each for at, each in enumerate(columns)})


def binary(both: int, lost: int, gained: int, neither: int) -> Columns:
    rows = [(1.0, 1.0)] * both + [(1.0, 0.0)] * lost + [(0.0, 1.0)] * gained + [(0.0, 0.0)] * neither
    return [a for a, _ in rows], [b for _, b in rows]


def of_table(both: int, lost: int, gained: int, neither: int) -> MetricComparison:
    a, b = binary(both, lost, gained, neither)
    runs = scored(score(sum(a) / len(a))), scored(score(sum(b) / len(b)))
    rows, _ = compared(*runs, with_pairs(paired("arith", a, b)))
    return rows[0]


def test_paired_zeros_and_ones_are_tested_by_mid_p_mcnemar_with_the_exact_p_beside_it() -> None:
    row = of_table(40, 7, 97, 56)
    assert row.estimate is not None
    assert row.estimate.method == "mcnemar_midp_tango"
    assert (row.estimate.both, row.estimate.only_a, row.estimate.only_b, row.estimate.neither) == (40, 7, 97, 56)
    assert row.estimate.p_exact == pytest.approx(2.2536e-21, rel=1e-3)
    assert row.status == "better"
    assert row.sentence.startswith("B is better than A: +45.0 pp (95 % CI +37.0 to +52.6)")


@pytest.mark.parametrize("seed", range(10))
def test_swapping_the_sides_mirrors_difference_range_and_word(seed: int) -> None:
    chance = random.Random(seed)
    table = [chance.randint(0, 40) for _ in range(3)] + [chance.randint(1, 40)]
    there, back = of_table(*table), of_table(table[0], table[2], table[1], table[3])
    assert there.estimate is not None
    assert back.estimate is not None
    assert there.estimate.difference == pytest.approx(-(back.estimate.difference or 0), abs=1e-12)
    assert there.estimate.low == pytest.approx(-(back.estimate.high or 0), abs=1e-9)
    assert there.estimate.p_value == pytest.approx(back.estimate.p_value)
    assert {there.status, back.status} in ({"better", "worse"}, {"same"}, {"unclear"})


def test_an_item_that_both_get_right_leaves_mcnemar_as_it_was() -> None:
    first, second = of_table(10, 3, 9, 5), of_table(11, 3, 9, 5)
    assert first.estimate is not None
    assert second.estimate is not None
    assert first.estimate.p_value == second.estimate.p_value


def test_without_samples_the_reported_errors_give_a_cautious_test_that_says_so() -> None:
    a, b = scored(score(0.5)), scored(score(0.9))
    rows, _ = compared(a, b)
    assert rows[0].estimate is None
    assert rows[0].unpaired is not None
    assert "no samples in A and B" in (rows[0].unpaired.why or "")
    assert rows[0].status == "better"
    assert "it may miss a diff" in rows[0].sentence


def test_without_an_error_bar_nothing_is_tested() -> None:
    mae = {"metric": "mae", "higher_is_better": False}
    rows, findings = compared(scored(score(12.0, stderr=1.1, **mae)), scored(score(9.5, stderr=None, **mae)))
    assert rows[0].status == "unclear"
    assert rows[0].difference == -2.5
    assert [finding.kind for finding in findings] == ["stderr_missing"]


def test_a_score_on_one_side_only_is_not_a_difference() -> None:
    rows, _ = compared(scored(score(0.5)), scored(score(0.5, metric="f1")))
    assert [(row.metric, row.status, row.reason) for row in rows] == [
        ("acc", "not_available", "only in A"),
        ("f1", "not_available", "only in B"),
    ]


def test_a_value_that_is_no_number_gives_its_reason() -> None:
    rows, _ = compared(scored(score(0.5)), scored(score(None, reason="infinite")))
    assert (rows[0].b, rows[0].difference, rows[0].status, rows[0].reason) == (
        None,
        None,
        "not_available",
        "B: infinite",
    )


@pytest.mark.parametrize("kind", ["answers_empty", "answers_loop", "answers_cut"])
def test_answers_that_measure_nothing_give_no_word_and_no_p(kind: str) -> None:
    broken = Invalid(kind, "b", "arith", 95, 100)
    rows, _ = compared(scored(score(0.9)), scored(score(0.0)), NOTHING._replace(invalid_tasks={"arith": broken}))
    assert (rows[0].status, rows[0].estimate, rows[0].unpaired) == ("not_available", None, None)
    assert "not a measurement" in (rows[0].reason or "")


def test_a_few_empty_answers_do_not_spoil_a_score() -> None:
    some = Finding("answers_empty", "note", "", "b", "arith", 5, 100)
    rows, _ = compared(scored(score(0.9)), scored(score(0.5)), NOTHING._replace(findings=(some,)))
    assert rows[0].status == "worse"


def test_lower_is_better_turns_the_word_and_not_the_sign() -> None:
    a, b = [3.0 + number % 3 for number in range(60)], [2.0 + number % 3 + number % 2 / 4 for number in range(60)]
    sides = (scored(score(sum(each) / 60, metric="mae", higher_is_better=False)) for each in (a, b))
    rows, _ = compared(*sides, with_pairs(paired("arith", a, b, "mae")))
    assert rows[0].status == "better"
    assert (rows[0].difference or 0) < 0


def test_an_unknown_direction_is_said_and_gets_no_word() -> None:
    sides = (scored(score(value, metric="strange", higher_is_better=None)) for value in (0.1, 0.9))
    rows, findings = compared(*sides)
    assert rows[0].status == "unclear"
    assert "direction_unknown" in [finding.kind for finding in findings]


def test_words_rest_on_adjusted_p_values_of_the_primary_family() -> None:
    chance = random.Random(7)
    columns = []
    for _ in range(40):
        flips = [chance.random() for _ in range(200)]
        columns.append(([float(flip < 0.6) for flip in flips], [float(chance.random() < 0.5) for _ in flips]))
    tasks = ["arith", *(f"task{number}" for number in range(1, 40))]
    runs = [
        run(scores=tuple(score(sum(pair[side]) / 200, task=task) for task, pair in zip(tasks, columns, strict=True)))
        for side in (0, 1)
    ]
    rows, findings = compared(
        *runs, with_pairs(*(paired(task, *pair) for task, pair in zip(tasks, columns, strict=True)))
    )
    raw = [row.estimate.p_value for row in rows if row.estimate]
    adjusted = [row.estimate.p_adjusted for row in rows if row.estimate]
    assert all((p or 0) <= (q or 0) for p, q in zip(raw, adjusted, strict=True))
    assert sum(row.is_apart for row in rows) < sum((p or 1) < 0.05 for p in raw)
    (many,) = [finding for finding in findings if finding.kind == "many_tests"]
    assert "chance alone would make about 2 of them" in many.text


def test_one_metric_of_each_task_is_primary_and_the_caller_may_name_it() -> None:
    scores = (score(0.5), score(0.6, metric="acc_norm"), score(0.4, metric="zz"))
    rows, _ = compared(scored(*scores), scored(*scores))
    assert [row.metric for row in rows if row.primary] == ["acc_norm"]
    rows, _ = compared(scored(*scores), scored(*scores), primary={"arith": "zz"})
    assert [row.metric for row in rows if row.primary] == ["zz"]


def test_a_score_of_nought_or_one_gets_a_wilson_interval_instead_of_certainty() -> None:
    rows, _ = compared(scored(score(0.0, stderr=0.0, items=50)), scored(score(1.0, stderr=0.0, items=50)))
    assert rows[0].a_interval is not None
    assert rows[0].b_interval is not None
    assert rows[0].a_interval.high == pytest.approx(0.0713, abs=1e-4)
    assert rows[0].b_interval.low == pytest.approx(1 - 0.0713, abs=1e-4)


def test_an_impossible_error_is_recomputed_and_marked_as_ours() -> None:
    impossible = score(0.4, stderr=None, stderr_reason="impossible: 0.0 at 0.4", items=101)
    rows, findings = compared(scored(impossible), scored(score(0.5)))
    assert (
        rows[0].a_recomputed_stderr == pytest.approx(math.sqrt(0.4 * 0.6 / 100)) or rows[0].a_recomputed_stderr is None
    )
    assert (findings[0].kind, findings[0].severity, findings[0].side) == ("stderr_impossible", "warning", "a")
    assert (findings[0].count_, findings[0].of, findings[0].evidence) == (1, 1, ("arith acc,none",))


def test_a_missing_error_is_no_more_than_a_note() -> None:
    _, findings = compared(scored(score(0.4, stderr=None, stderr_reason="missing")), scored(score(0.5)))
    assert (findings[0].kind, findings[0].severity) == ("stderr_missing", "note")


def test_a_difference_between_a_share_of_one_and_one_of_a_hundred_is_refused() -> None:
    rows, findings = compared(scored(score(0.68)), scored(score(68.3)))
    assert (rows[0].status, rows[0].difference) == ("not_available", None)
    assert "scale_mixed" in [finding.kind for finding in findings]


def test_a_gap_inside_the_noise_floor_is_not_called_real() -> None:
    a, b = binary(50, 2, 14, 34)
    floor = NoiseFloor(3, 0.03, 0.2, None, 2.0, ("x", "y", "z"), "Two runs can differ by up to 20.0 pp.")
    sides = scored(score(sum(a) / 100)), scored(score(sum(b) / 100))
    evidence = with_pairs(paired("arith", a, b))
    assert compared(*sides, evidence)[0][0].status == "better"
    row = compared(*sides, evidence, noise={MetricKey("arith", "acc", "none"): floor})[0][0]
    assert row.status == "unclear"
    assert row.noise_floor == floor
    assert floor.sentence in row.sentence


def group_runs(reported: float) -> Run:
    return run(
        tasks={"g_a": {}, "g_b": {}},
        groups={"grp": ("g_a", "g_b")},
        items={"g_a": 10, "g_b": 90, "grp": 100},
        scores=(
            score(0.9, task="g_a", items=10),
            score(0.5, task="g_b", items=90),
            score(reported, task="grp", group=True),
        ),
    )


@pytest.mark.parametrize(("reported", "way"), [(0.54, "items"), (0.7, "equal"), (0.6, None)])
def test_a_group_is_recomputed_by_both_weightings_and_the_reported_one_is_named(
    reported: float, way: str | None
) -> None:
    made = group_score(group_runs(reported), group_runs(reported).scores[-1])
    assert made is not None
    assert (made.by_items, made.plain_mean, made.weighting) == (pytest.approx(0.54), pytest.approx(0.7), way)


def test_a_group_row_leads_its_subtasks() -> None:
    rows, findings = compared(group_runs(0.54), group_runs(0.54))
    assert [(row.primary, row.headline) for row in rows] == [(True, False), (True, False), (True, True)]
    assert [finding.kind for finding in findings].count("group_weighting") == 2


def grouped_pairs(clusters: tuple[int, ...] | None) -> MetricComparison:
    draw = random.Random(5)
    a = [float(draw.random() < 0.5) for _ in range(100)]
    b = [float(draw.random() < 0.6) for _ in range(100)]
    parts = {
        "g_a": paired("g_a", a[:10], b[:10]),
        "g_b": paired("g_b", a[10:], b[10:], clusters=clusters),
    }
    rows, _ = compared(*(group_of(side) for side in (a, b)), NOTHING._replace(paired=parts))
    return next(row for row in rows if row.group)


def group_of(values: list[float]) -> Run:
    own = {"g_a": sum(values[:10]) / 10, "g_b": sum(values[10:]) / 90, "grp": sum(values) / 100}
    scores = (
        score(own["g_a"], task="g_a", items=10),
        score(own["g_b"], task="g_b", items=90),
        score(0.1, task="g_other", metric="f1", items=5),
        score(own["grp"], task="grp", group=True),
    )
    items = {"g_a": 10, "g_b": 90, "grp": 100, "g_other": 5}
    tasks = {name: {} for name in items}
    return run(tasks=tasks, groups={"grp": ("g_a", "g_b", "g_other")}, items=items, scores=scores)


def test_repeats_inside_a_subtask_are_one_unit_of_its_group_too() -> None:
    whole, repeated = grouped_pairs(None), grouped_pairs(tuple(place // 3 for place in range(90)))
    assert whole.estimate is not None
    assert repeated.estimate is not None
    assert (whole.estimate.method, repeated.estimate.method) == ("stratified_paired", "stratified_paired")
    assert (whole.estimate.clusters, repeated.estimate.clusters) == (None, 40)
    assert whole.estimate.difference == pytest.approx(repeated.estimate.difference)
    assert whole.estimate.standard_error != pytest.approx(repeated.estimate.standard_error)


def test_a_group_is_made_of_the_subtasks_that_have_the_metric() -> None:
    row = grouped_pairs(None)
    assert row.estimate is not None
    assert (row.estimate.pairs, row.estimate.parameters["strata"]) == (100, 2)


def test_groups_of_other_subtasks_are_not_compared() -> None:
    a = group_of([1.0, 0.0] * 50)
    b = a._replace(groups={"grp": ("g_a",)})
    row = next(row for row in compared(a, b)[0] if row.group)
    assert (row.estimate, row.unpaired, row.status) == (None, None, "not_available")
    assert "made of other tasks: g_b" in (row.reason or "")


def test_a_function_of_the_tasks_own_is_named_and_never_taken_for_a_known_metric() -> None:
    source = 'def f1(items):\n    """Its own."""\n    return 0.5\n'
    config = {"metric_list": [{"metric": "f1", "aggregation": source}]}
    sides = [scored(score(value, metric="f1", stderr=None), configs={"arith": config}) for value in (0.2, 0.3)]
    pairs = tuple([["PER: Ann"], ["PER: Ben"]] for _ in range(60))
    items = PairedScores({"none": ()}, {}, {}, {}, {}, {}, {("none", "f1"): (pairs, pairs)})
    row = compared(*sides, with_pairs(items))[0][0]
    assert row.reason is not None
    assert "the task's own function f1 is not recomputed from items" in row.reason
    assert "return" not in row.reason


@pytest.mark.parametrize(("reported", "said"), [(0.5, 0), (0.7, 1)])
def test_a_corpus_score_that_its_own_items_do_not_give_is_named(reported: float, said: int) -> None:
    pairs = tuple([item % 2, int(item % 4 == 1)] for item in range(60)), tuple([item % 2, 1] for item in range(60))
    ours = 2 / 3
    items = PairedScores({"none": ()}, {}, {}, {}, {}, {}, {("none", "f1"): pairs})
    sides = [
        scored(score(value, metric="f1", stderr=None, items=60))
        for value in (ours if reported == 0.5 else reported, ours)
    ]
    rows, findings = compared(*sides, with_pairs(items))
    assert rows[0].estimate is not None
    assert rows[0].estimate.parameters["score_a"] == pytest.approx(ours)
    named = [finding for finding in findings if finding.kind == "reported_disagrees"]
    assert [finding.side for finding in named] == ["a"] * said
    assert rows[0].b == pytest.approx(ours)


def test_nested_groups_are_opened_and_a_group_that_holds_itself_ends() -> None:
    nested = run(groups={"all": ("one", "two"), "one": ("t1", "t2"), "two": ("t3", "all")})
    assert leaf_tasks(nested, "all") == ("t1", "t2", "t3")


class CountedGroups(dict[str, tuple[str, ...]]):
    """Groups that count how often they are asked."""

    asked = 0

    def get(self, *key: Any) -> Any:
        self.asked += 1
        return super().get(*key)


def test_groups_that_list_one_another_many_times_are_each_opened_once() -> None:
    names = [f"g{number}" for number in range(24)]
    groups = CountedGroups(dict.fromkeys(names, (*(names * 30), "t")))
    assert members_of("g0", groups) == [*names[1:], "t"]
    assert groups.asked == len(names) + 1
    made = run(groups=groups)
    assert {leaf_tasks(made, name) for name in names * 10} == {("t",)}
    assert groups.asked <= 3 * (len(names) + 1) ** 2


def test_outermost_groups_without_a_test_open_what_they_share_once() -> None:
    names = [f"g{number}" for number in range(24)]
    groups = CountedGroups({"top": tuple(names), **dict.fromkeys(names, (*names, "t"))})
    assert list(benchmark_rows(["top"], (), {}, groups, set())) == []
    assert groups.asked == len(names) + 1


def two_filters(values: tuple[float, float], steps: str = "take_first") -> Run:
    filters = [{"name": name, "filter": [{"function": steps}]} for name in ("strict", "flexible")]
    records = [answer(item, filter=name) for name in ("strict", "flexible") for item in range(3)]
    return run(
        configs={"arith": {"filter_list": filters}},
        scores=tuple(
            score(value, metric="exact_match", filter=name)
            for name, value in zip(("strict", "flexible"), values, strict=True)
        ),
        samples={"arith": log(records, filters=("strict", "flexible"))},
    )


def test_two_filters_of_the_same_steps_and_scores_are_one_measurement() -> None:
    a, b, findings = one_filter_each(two_filters((0.9, 0.9)), two_filters((0.1, 0.1)))
    assert [(each.filter, each.value) for each in a.scores] == [("none", 0.9)]
    assert len(b.samples["arith"]) == 3
    assert b.samples["arith"].columns.filter_names == ("none",)
    assert [line.sample().item for line in b.samples["arith"].lines([2, 0])] == ["2", "0"]
    assert [finding.kind for finding in findings] == ["filters_doubled"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (two_filters((0.9, 0.9)), two_filters((0.1, 0.2))),
        (two_filters((0.9, 0.9)), two_filters((0.1, 0.1), "regex")),
    ],
)
def test_filters_that_differ_on_either_side_stay_apart(a: Run, b: Run) -> None:
    assert one_filter_each(a, b) == (a, b, ())


def test_two_filters_of_the_same_other_steps_keep_the_first_name() -> None:
    a, _, _ = one_filter_each(two_filters((0.9, 0.9), "regex"), two_filters((0.1, 0.1), "regex"))
    assert [each.filter for each in a.scores] == ["strict"]


def test_an_artifact_names_the_method_of_every_number_in_it() -> None:
    from diptych.catalogue.methods import METHODS
    from diptych.diagnose.pipeline import compare_runs

    right = [float(item % 3 > 0) for item in range(40)]
    records = [answer(item, f"says {item}", right=bit) for item, bit in enumerate(right)]
    sure = Score("arith", "exact_match", "none", sum(right) / 40, None, True, items=40)
    side = run(scores=(sure,), samples={"arith": log(records)})
    floor = NoiseFloor(3, 0.01, 0.06, 0.005, 2.0, ("x", "y", "z"), "Two runs can differ by up to 6.1 pp.")
    options = Options(noise={MetricKey("arith", "exact_match", "none"): floor}, clusters={"other": "passage"})
    made = compare_runs(side, side._replace(label="other"), options)
    assert set(made.provenance.methods) == {
        "detectable",
        "equivalence",
        "holm",
        "mcnemar_midp_tango",
        "noise_floor",
        "run_item_parts",
        "stderr_recomputed",
        "wilson",
    }
    assert set(made.provenance.methods) <= set(METHODS)
    assert made.provenance.options["clusters"] == {"other": "passage"}


def test_tasks_that_one_run_alone_measured_are_named() -> None:
    a = scored(score(0.5), score(0.4, task="old"))
    b = scored(score(0.5), score(0.4, task="new"), score(0.4, task="newer"))
    (finding,) = [each for each in compared(a, b)[1] if each.kind == "tasks_differ"]
    assert (finding.count_, finding.of) == (3, 4)
    assert "1 task only in A (old) and 2 tasks only in B (new and newer)" in finding.text


def test_runs_that_share_no_task_have_a_verdict_and_no_list_of_tasks() -> None:
    _, findings = compared(scored(score(0.5, task="old")), scored(score(0.5, task="new")))
    assert "tasks_differ" not in [each.kind for each in findings]


def of_passages(label: str, seed: int, *, together: bool) -> Run:
    chance = random.Random(seed)
    moods = [chance.random() < 0.5 for _ in range(100)]
    right = [float(moods[item // 5] if together else chance.random() < 0.5) for item in range(500)]
    records = [
        answer(item, f"{label} {item}", right=bit, doc={"question": f"item {item}", "passage": f"text {item // 5}"})
        for item, bit in enumerate(right)
    ]
    scores = (Score("arith", "exact_match", "none", sum(right) / 500, None, True, items=500),)
    return run(label=label, scores=scores, samples={"arith": log(records)}, items={"arith": 500})


def test_items_that_fall_together_are_found_named_and_counted_as_clusters() -> None:
    from diptych.diagnose.pipeline import compare_runs

    a, b = of_passages("a", 1, together=True), of_passages("b", 2, together=True)
    made = compare_runs(a, b)
    found = made.metrics[0].estimate
    assert found is not None
    assert (found.clusters, found.parameters["cluster_field"]) == (100, "passage")
    assert any(each.kind == "items_depend" and "passage" in each.text for each in made.findings)
    free = compare_runs(a, b, Options(clusters={"arith": "none"})).metrics[0].estimate
    assert free is not None
    assert free.clusters is None


def test_items_that_share_a_passage_and_nothing_else_stay_independent() -> None:
    from diptych.diagnose.pipeline import compare_runs

    a, b = of_passages("a", 1, together=False), of_passages("b", 2, together=False)
    found = compare_runs(a, b).metrics[0].estimate
    assert found is not None
    assert found.clusters is None


def test_a_group_without_samples_is_no_surer_than_its_subtasks_that_were_all_right() -> None:
    def group(error: float) -> Run:
        parts = (score(33 / 34, task="g_a", items=34, stderr=0.0294), score(1.0, task="g_b", items=30, stderr=0.0))
        whole = score(63 / 64, task="grp", group=True, items=64, stderr=error)
        tasks = {"g_a": {}, "g_b": {}, "grp": {}}
        items = {"g_a": 34, "g_b": 30, "grp": 64}
        return run(tasks=tasks, groups={"grp": ("g_a", "g_b")}, items=items, scores=(*parts, whole))

    rows, _ = compared(group(0.0156), group(0.0156))
    (row,) = [row for row in rows if row.group]
    assert row.unpaired is not None
    assert (row.unpaired.high or 0) > 0.08


def test_the_level_of_a_group_is_told_with_why_it_is_not_95() -> None:
    row = grouped_pairs(None)
    assert row.estimate is not None
    assert row.estimate.confidence == pytest.approx(0.96)
    assert "(96 % CI " in row.sentence
    assert "adjusted for its tasks)" in row.sentence


def test_what_equal_items_leave_open_is_the_range_of_the_row_and_names_its_level() -> None:
    row = of_table(30, 0, 0, 4)
    assert row.estimate
    assert row.estimate.high
    assert f"up to {100 * row.estimate.high:.1f} pp either way (95 % CI)" in row.sentence


@pytest.mark.parametrize(
    ("model", "arguments", "drawn"),
    [
        ("hf", {"do_sample": True, "temperature": 0.8}, True),
        ("hf", {"do_sample": True, "temperature": 0.0}, False),
        ("hf", {"do_sample": False, "temperature": 0.8}, False),
        ("local-completions", {"do_sample": False, "temperature": 0.8}, True),
        ("local-completions", {"do_sample": False, "temperature": 0.0}, False),
    ],
)
def test_a_row_says_that_reruns_are_unknown_where_its_answers_are_drawn(
    model: str, arguments: dict[str, object], drawn: bool
) -> None:
    settings = {f"gen_kwargs.{name}": value for name, value in arguments.items()}
    given = scored(score(0.5), settings={"model": model}, tasks={"arith": settings})
    (row, *_), _ = compared(given, given, with_pairs(paired("arith", *binary(40, 3, 5, 40))))
    assert ("how far a rerun moves this score is not known" in row.sentence) is drawn


@pytest.mark.parametrize(("scale", "margin"), [(1.0, 0.01), (100.0, 1.0), (5.0, 0.01)])
def test_an_unknown_metric_that_is_stated_from_0_to_100_has_a_margin_of_one(scale: float, margin: float) -> None:
    chance = random.Random(3)
    a = [scale * chance.random() for _ in range(60)]
    given = scored(score(sum(a) / 60, metric="preference"))
    (row, *_), _ = compared(given, given, with_pairs(paired("arith", a, [x * 0.99 for x in a], "preference")))
    assert row.estimate
    assert row.estimate.margin == pytest.approx(margin)
