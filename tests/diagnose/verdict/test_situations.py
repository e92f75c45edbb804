"""Whole situations: two runs written as files in the harness' shape, read and compared; what a careful reader says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diptych.comparison import Comparison, Finding
from diptych.diagnose.pipeline import compare_runs
from diptych.estimates import gap_of
from diptych.harness.reader import read_run
from diptych.numbers import amount
from diptych.rules.rules import breaches
from written_runs import Json, answer_record, choice_record, results, sha, write_run

ITEMS = 60
Records = list[dict[str, Json]]


def answers(wrong: range | tuple[int, ...] = (), count: int = ITEMS) -> Records:
    """Return written answers, right but for the items named."""
    return [
        answer_record(number, f"{4 + (number in wrong)}", score=float(number not in wrong)) for number in range(count)
    ]


def document(records: Records, **changes: Json) -> dict[str, Json]:
    """Return the results of one task of written answers."""
    score = sum(record["exact_match"] for record in records) / len(records)
    error = (score * (1 - score) / max(len(records) - 1, 1)) ** 0.5
    row = {"alias": "arith", "exact_match,none": score, "exact_match_stderr,none": error}
    made = results(results={"arith": row}, config__limit=None, **changes)
    made["higher_is_better"] = {"arith": {"exact_match": True}}
    made["n-samples"] = {"arith": {"original": len(records), "effective": len(records)}}
    made["configs"]["arith"] |= {"output_type": "generate_until", "metric_list": [{"metric": "exact_match"}]}
    return made


def compared(folder: Path, a: Records, b: Records, only: Json = None, **changes: Json) -> Comparison:
    """Return the comparison of two runs, B with other settings; `only` cuts B's log to its first rows."""
    one = write_run(folder / "a", document(a), {"arith": a})
    other = write_run(folder / "b", document(b, **changes), {"arith": b[:only]})
    return compare_runs(read_run(str(one)), read_run(str(other)))


def asked(records: Records, change: Callable[[str], str]) -> Records:
    """Return the records with other prompts."""
    for record in records:
        prompt = change(record["arguments"]["gen_args_0"]["arg_0"])
        record["arguments"]["gen_args_0"]["arg_0"] = prompt
        record["prompt_hash"] = sha(prompt)
    return records


def found(comparison: Comparison, kind: str) -> Finding:
    return next(finding for finding in comparison.findings if finding.kind == kind)


@pytest.mark.parametrize("change", [lambda p: p + " ", lambda p: p.replace("\n", "\r\n"), lambda p: "\ufeff" + p])
@pytest.mark.parametrize("settings", [{}, {"config__model": "vllm"}], ids=["nothing", "backend"])
def test_prompts_that_differ_by_white_space_are_said_before_a_setting_that_cannot_make_them(
    tmp_path: Path, change: Callable[[str], str], settings: dict[str, Json]
) -> None:
    verdict = compared(tmp_path, answers(), asked(answers(range(20)), change), **settings).verdict
    assert verdict.kind == "different"
    assert "The prompts themselves differ (60 of 60, only by white space)" in verdict.sentence
    assert verdict.next_step.startswith("First read the requests side by side")
    assert verdict.standing == "none"
    assert ("model differs; nothing shows that it acted" in verdict.sentence) == bool(settings)


def test_other_words_that_a_definition_makes_are_its_own_and_not_unexplained(tmp_path: Path) -> None:
    other = asked(answers(range(20)), lambda prompt: prompt.replace("Q", "Frage "))
    verdict = compared(tmp_path, answers(), other, configs__arith__doc_to_text="Frage {{question}}").verdict
    assert verdict.leading_cause == "arith.doc_to_text"
    assert "the prompts themselves" not in verdict.sentence


def test_thoughts_that_never_end_on_nearly_all_items_are_no_measurement(tmp_path: Path) -> None:
    open_thoughts = [
        record | {"resps": [[f"<think>Let me see {number}"]], "filtered_resps": ["[invalid]"]}
        for number, record in enumerate(answers(range(ITEMS)))
    ]
    made = compared(tmp_path, answers(), open_thoughts)
    assert made.verdict.kind == "not_a_measurement"
    assert "open a thought and never close it" in made.verdict.sentence
    assert found(made, "answers_thinking_open").severity == "error"
    assert made.metrics[0].status == "not_available"
    assert "not a measurement" in (made.metrics[0].reason or "")


def test_scores_on_two_scales_cannot_be_compared(tmp_path: Path) -> None:
    one, other = document(answers(range(20))), document(answers(range(20)))
    other["results"]["arith"] |= {"exact_match,none": 66.7, "exact_match_stderr,none": 5.0}
    a, b = write_run(tmp_path / "a", one), write_run(tmp_path / "b", other)
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert made.verdict.kind == "not_comparable"
    assert "scale of 0 to 1" in made.verdict.sentence
    assert made.metrics[0].difference is None


@pytest.mark.parametrize(("factor", "told"), [(100, True), (100 * 0.9, False)])
def test_percent_on_one_side_is_compared_only_where_the_items_tell_that_it_is(
    tmp_path: Path, factor: float, told: bool
) -> None:
    made = percent_in_b(tmp_path, factor)
    row = made.metrics[0]
    if told:
        assert (row.status, row.unit, row.b_paired) == ("worse", "fraction", pytest.approx(40 / 60))
        assert row.difference == pytest.approx(-20 / 60)
        assert "B reports 100 × exact_match" in found(made, "scale_rescaled").text
        assert "scale_mixed" not in [one.kind for one in made.findings]
        assert "−33.3 pp" in made.verdict.sentence
        assert amount(gap_of(row), row.in_points) == "−33.3 pp"  # as every table words it
    else:
        assert (row.status, row.difference, made.verdict.kind) == ("not_available", None, "not_comparable")
    assert not breaches(made)


def percent_in_b(folder: Path, factor: float) -> Comparison:
    """Return the comparison of a faultless run and one of forty right answers that reports its share times a factor."""
    records = answers(), answers(range(20))
    one, other = map(document, records)
    row = other["results"]["arith"]
    other["results"]["arith"] = {"exact_match,none": row["exact_match,none"] * factor}
    a = write_run(folder / "a", one, {"arith": records[0]})
    b = write_run(folder / "b", other, {"arith": records[1]})
    return compare_runs(read_run(str(a)), read_run(str(b)))


def test_tasks_that_were_not_run_are_no_inconclusive_ones_and_are_named_apart(tmp_path: Path) -> None:
    records = answers(), answers(range(30))
    sides = [document(each) for each in records]
    for made, missing in zip(sides, (0.5, -1), strict=True):
        made["results"] |= {"gone": {"exact_match,none": missing}, "open": {"exact_match,none": 0.5}}
    a, b = (
        write_run(tmp_path / name, made, {"arith": each}) for name, made, each in zip("ab", sides, records, strict=True)
    )
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert "Inconclusive on 1 of 3 tasks (open)" in made.verdict.sentence
    assert "Not compared: 1 task without a score in b (gone)." in made.verdict.sentence
    assert not breaches(made)


def test_a_file_held_against_itself_is_said_to_be_one_also_where_it_measured_nothing(tmp_path: Path) -> None:
    empty = [answer_record(number, "", score=0.0) for number in range(ITEMS)]
    folder = write_run(tmp_path / "a", document(empty), {"arith": empty})
    made = compare_runs(read_run(str(folder)), read_run(str(next(folder.rglob("results*.json")))))
    assert made.verdict.kind == "not_a_measurement"
    assert "Both are one and the same results file." in made.verdict.sentence
    unsaid = [answer_record(number, " ", score=0.0) for number in range(ITEMS)]
    other = write_run(tmp_path / "b", document(unsaid), {"arith": unsaid})
    assert "one and the same" not in compare_runs(read_run(str(folder)), read_run(str(other))).verdict.sentence


@pytest.mark.parametrize(
    ("metric", "output_type", "version", "word"),
    [
        ("perplexity", "loglikelihood", "0.4.9.2", True),
        ("perplexity", "loglikelihood_rolling", "0.4.9.2", False),
        ("word_perplexity", "loglikelihood_rolling", "0.4.9.2", True),
        ("ppl", "loglikelihood", "0.4.9.2", False),
        ("ppl", None, None, True),
    ],
)
def test_a_perplexity_of_whole_targets_is_compared_whatever_the_tokenisers(
    tmp_path: Path, metric: str, output_type: str | None, version: str | None, word: bool
) -> None:
    made = [document(answers(), config__model_args=f"pretrained=org/{name}") for name in ("base-1b", "other-7b")]
    for each, value in zip(made, (9.0, 7.0), strict=True):
        tail = ",none" if version else ""
        each["results"]["arith"] = {f"{metric}{tail}": value, f"{metric}_stderr{tail}": 0.1}
        each["higher_is_better"]["arith"] = {metric: False}
        each["configs"]["arith"]["output_type"] = output_type
        if version is None:
            kept = {key: each[key] for key in ("results", "versions", "config")}
            each.clear()
            each.update(kept, config=kept["config"] | {"no_cache": True, "description_dict": None})
    a, b = (write_run(tmp_path / name, each) for name, each in zip("ab", made, strict=True))
    row = compare_runs(read_run(str(a)), read_run(str(b))).metrics[0]
    assert row.status == ("better" if word else "not_available")
    assert word or "token" in (row.reason or "")


@pytest.mark.parametrize(
    ("model_args", "word"),
    [
        ("pretrained=other/base-7b,dtype=float32", False),
        ("pretrained=org/base-1b,dtype=bfloat16", True),
        ("pretrained=other/base-7b,tokenizer=org/base-1b", True),
    ],
)
def test_perplexities_per_token_get_a_word_only_with_one_tokeniser(tmp_path: Path, model_args: str, word: bool) -> None:
    rows = {"ppl,none": 9.0, "ppl_stderr,none": 0.1}
    one = document(
        answers(),
        config__model_args="pretrained=org/base-1b,tokenizer=org/base-1b" if word else "pretrained=org/base-1b",
    )
    other = document(answers(), config__model_args=model_args)
    for made, value in ((one, 9.0), (other, 7.0)):
        made["results"]["arith"] = {**rows, "ppl,none": value}
        made["higher_is_better"]["arith"] = {"ppl": False}
    a, b = write_run(tmp_path / "a", one), write_run(tmp_path / "b", other)
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    if word:
        assert (made.verdict.kind, made.metrics[0].status) == ("different", "better")
    else:
        assert (made.verdict.kind, made.metrics[0].status) == ("not_comparable", "not_available")
        assert "token" in made.verdict.sentence


@pytest.mark.parametrize(("kept", "kind"), [(57, "different"), (40, "unclear")])
def test_a_word_is_withheld_where_a_log_lacks_more_than_a_tenth_of_its_rows(
    tmp_path: Path, kept: int, kind: str
) -> None:
    made = compared(tmp_path, answers(), answers(range(30)), only=kept, config__batch_size="1")
    assert (found(made, "rows_missing").side, found(made, "rows_missing").count_) == ("b", ITEMS - kept)
    assert made.verdict.kind == kind
    if kind == "unclear":
        assert made.verdict.sentence.startswith("The log of b lacks 20 of 60 items of arith: no word is given there (")
        assert "lacks 20 of 60 items" in (made.metrics[0].reason or "")


def test_a_word_that_rests_on_reported_totals_is_said_to_where_the_log_is_thin(tmp_path: Path) -> None:
    """The samples hold no value of the metric: the reported scores alone are compared, whatever rows are missing."""
    folders = []
    for name, records, kept in (("a", answers(), 60), ("b", answers(range(45)), 40)):
        reported = document(records)
        logged = [{**record, "metrics": ["other"], "other": record["exact_match"]} for record in records[:kept]]
        for record in logged:
            del record["exact_match"]
        folders.append(write_run(tmp_path / name, reported, {"arith": logged}))
    made = compare_runs(*(read_run(str(folder)) for folder in folders))
    assert made.metrics[0].status == "worse"
    assert "lacks 20 of 60 items of arith: its word rests on the reported totals alone." in made.verdict.sentence


def test_requests_that_differ_though_no_setting_does_are_said(tmp_path: Path) -> None:
    other = answers(range(20))
    for record in other:
        record["arguments"]["gen_args_0"]["arg_1"] = {"until": ["."], "temperature": 0.0}
    verdict = compared(tmp_path, answers(), other).verdict
    assert "The gen_kwargs of the requests differ (until in 60 of 60)" in verdict.sentence


def test_a_stop_string_that_cut_no_response_is_not_the_cause(tmp_path: Path) -> None:
    other = answers(range(20))
    for record in other:
        record["arguments"]["gen_args_0"]["arg_1"] = {"until": ["."], "temperature": 0.0}
    one, two = document(answers()), document(other)
    for made, until in ((one, "\n"), (two, ".")):
        made["configs"]["arith"]["generation_kwargs"] = {"until": [until]}
    a = write_run(tmp_path / "a", one, {"arith": answers()})
    b = write_run(tmp_path / "b", two, {"arith": other})
    verdict = compare_runs(read_run(str(a)), read_run(str(b))).verdict
    assert (verdict.leading_cause, verdict.standing) == (None, "none")


def test_one_filter_at_each_bound_is_said_of_each_side(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(range(ITEMS)))
    bounds = {(finding.side, finding.count_) for finding in made.findings if finding.kind == "score_at_bound"}
    assert bounds == {("a", ITEMS), ("b", 0)}


def test_two_sides_at_one_bound_over_unlike_numbers_of_items_are_said_apart(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(range(ITEMS)), answers(range(20), count=20))
    bounds = {(finding.side, finding.of) for finding in made.findings if finding.kind == "score_at_bound"}
    assert bounds == {("a", ITEMS), ("b", 20)}


def test_another_processor_is_named_where_the_environment_names_it(tmp_path: Path) -> None:
    a, b = (
        write_run(
            tmp_path / name,
            document(answers(wrong), pretty_env_info=f"GPU models and configuration: \nGPU 0: {gpu}\nGPU 1: {gpu}"),
            {"arith": answers(wrong)},
        )
        for name, gpu, wrong in (("a", "NVIDIA L4", ()), ("b", "NVIDIA H100", (7,)))
    )
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert (made.verdict.leading_cause, made.verdict.standing) == ("environment.gpu", "possible")
    assert "2 × NVIDIA L4 → 2 × NVIDIA H100" in made.verdict.sentence


def test_a_perplexity_above_even_guessing_is_a_broken_run(tmp_path: Path) -> None:
    one, other = (
        document(answers()),
        document(answers(), config__model_args="pretrained=org/base-1b,add_bos_token=True"),
    )
    for made, value in ((one, 3.2e9), (other, 11.0)):
        made["results"]["arith"] = {"word_perplexity,none": value, "word_perplexity_stderr,none": "N/A"}
        made["higher_is_better"]["arith"] = {"word_perplexity": False}
    a, b = write_run(tmp_path / "a", one), write_run(tmp_path / "b", other)
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert found(made, "near_chance").side == "a"
    assert made.verdict.leading_cause == "model_args.add_bos_token"


def test_items_without_a_score_are_counted_in_the_verdict_and_as_wrong_beside_it(tmp_path: Path) -> None:
    other = answers(range(10))
    for record in other[-15:]:
        record["exact_match"] = None
    known = [record for record in other if record["exact_match"] is not None]
    a = write_run(tmp_path / "a", document(answers()), {"arith": answers()})
    b = write_run(tmp_path / "b", document(known), {"arith": other})
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert "15 of 60 items of arith have no score in b and are left out" in made.verdict.sentence
    assert "Counted as wrong, they would make 0.5833." in found(made, "value_not_a_number").text


def test_equal_items_under_other_reported_scores_are_not_called_identical(tmp_path: Path) -> None:
    one, other = document(answers()), document(answers())
    for made, value in ((one, 0.6), (other, 0.5)):
        made["results"]["arith"] = {"acc_avg,none": value, "acc_std_err,none": 0.05}
    a = write_run(tmp_path / "a", one, {"arith": answers()})
    b = write_run(tmp_path / "b", other, {"arith": answers()})
    verdict = compare_runs(read_run(str(a)), read_run(str(b))).verdict
    assert verdict.kind == "unclear"
    assert "yet the reported scores are not (arith acc_avg 0.6 against 0.5)" in verdict.sentence


def test_a_standard_error_of_zero_inside_is_impossible_as_read_from_a_file(tmp_path: Path) -> None:
    one, other = document(answers(range(9))), document(answers(range(9)))
    other["results"]["arith"]["exact_match_stderr,none"] = 0.0
    a, b = write_run(tmp_path / "a", one), write_run(tmp_path / "b", other)
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert found(made, "stderr_impossible").side == "b"
    assert made.metrics[0].b_recomputed_stderr == pytest.approx((0.85 * 0.15 / 59) ** 0.5)


def grouped(error: float, score: float) -> dict[str, Json]:
    made = results()
    rows = {"s1": {"acc,none": 0.5, "acc_stderr,none": 0.0288}, "s2": {"acc,none": 0.8, "acc_stderr,none": 0.04}}
    made["results"] = rows | {"grp": {"acc,none": score, "acc_stderr,none": error}}
    made["groups"] = {"grp": made["results"]["grp"]}
    made["group_subtasks"] = {"grp": ["s1", "s2"]}
    made["n-samples"] = {"s1": {"original": 300, "effective": 300}, "s2": {"original": 100, "effective": 100}}
    made["configs"] = {task: made["configs"]["arith"] | {"task": task} for task in rows}
    made["config"]["limit"] = None
    return made


def test_a_groups_error_that_its_subtasks_do_not_give_is_called_impossible(tmp_path: Path) -> None:
    a, b = write_run(tmp_path / "a", grouped(0.1186, 0.575)), write_run(tmp_path / "b", grouped(0.0238, 0.575))
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert (found(made, "stderr_impossible").side, found(made, "stderr_impossible").task) == ("a", "grp")
    row = next(row for row in made.metrics if row.group)
    assert row.a_recomputed_stderr == pytest.approx(0.02381, abs=1e-4)
    assert row.b_recomputed_stderr is None


def test_a_group_is_not_judged_by_a_subtasks_impossible_error(tmp_path: Path) -> None:
    one, other = grouped(0.005, 0.575), grouped(0.0246, 0.575)
    one["results"]["s1"]["acc_stderr,none"] = 0.0
    a, b = write_run(tmp_path / "a", one), write_run(tmp_path / "b", other)
    row = next(row for row in compare_runs(read_run(str(a)), read_run(str(b))).metrics if row.group)
    assert row.a_recomputed_stderr == pytest.approx(0.0239, abs=1e-3)


def test_a_group_that_is_weighted_otherwise_on_each_side_is_said_so(tmp_path: Path) -> None:
    a, b = write_run(tmp_path / "a", grouped(0.0238, 0.575)), write_run(tmp_path / "b", grouped(0.025, 0.65))
    made = compare_runs(read_run(str(a)), read_run(str(b)))
    assert any(one.kind == "group_weighting" and one.side == "both" for one in made.findings)


def test_two_models_that_are_both_right_in_one_word_share_no_cache(tmp_path: Path) -> None:
    def right(count: int, wrong: int = 0) -> Records:
        made = answers(range(wrong), count)
        for number, record in enumerate(made):
            record["resps"] = [[f"{number}"]]
        return made

    other = {"config__model_args": "pretrained=other/model-9b"}
    assert compared(tmp_path / "right", right(60), right(60), **other).verdict.kind == "identical"
    shared = compared(tmp_path / "errors", right(60, 20), right(60, 20), **other)
    assert shared.verdict.kind == "not_a_measurement"
    assert found(shared, "answers_identical").count_ == 60


def test_answers_that_are_broken_in_several_ways_are_no_measurement_together(tmp_path: Path) -> None:
    broken = answers(range(ITEMS))
    for number, record in enumerate(broken):
        text = "" if number % 2 else "the cat " + "sat on the mat " * 40
        record |= {"resps": [[text]], "filtered_resps": ["[invalid]"]}
    made = compared(tmp_path, answers(), broken)
    assert made.verdict.kind == "not_a_measurement"
    assert (found(made, "answers_broken").side, found(made, "answers_broken").count_) == ("b", ITEMS)


def test_a_limit_that_cuts_prompts_explains_what_it_does(tmp_path: Path) -> None:
    one, other = (asked(answers(wrong), lambda prompt: "word " * 300 + prompt) for wrong in ((), range(20)))
    args = {"config__model_args": "pretrained=org/base-1b,dtype=float32,max_length=64"}
    verdict = compared(tmp_path, one, other, **args).verdict
    assert (verdict.leading_cause, verdict.standing) == ("model_args.max_length", "supported")


def test_a_task_counted_on_one_side_only_is_no_other_question_set(tmp_path: Path) -> None:
    bare = document(answers(range(20)))
    del bare["n-samples"]
    a = write_run(tmp_path / "a", document(answers()), {"arith": answers()})
    b = write_run(tmp_path / "b", bare)
    assert "question sets" not in compare_runs(read_run(str(a)), read_run(str(b))).verdict.sentence


def test_a_model_and_its_quantisation_share_their_tokeniser(tmp_path: Path) -> None:
    rows = []
    for name, value in (("base-1b", 9.0), ("base-1b-Q4_K_M", 9.9)):
        made = document(answers(), config__model_args=f"pretrained=org/{name}")
        made["results"]["arith"] = {"perplexity,none": value, "perplexity_stderr,none": 0.1}
        made["higher_is_better"]["arith"] = {"perplexity": False}
        rows.append(read_run(str(write_run(tmp_path / name, made))))
    assert compare_runs(*rows).metrics[0].status == "worse"


def test_a_part_of_the_log_likelihoods_shared_by_two_models_is_a_cache(tmp_path: Path) -> None:
    def run(name: str, model: str, shift: int) -> str:
        rows = [choice_record(number) for number in range(ITEMS)]
        for number, row in enumerate(rows):
            moved = 0.01 if number < shift else 0.0
            row["resps"] = [[[str(-0.5 - number / 100 - moved), "True"]], [[str(-2.5 - number / 100), "False"]]]
            row["filtered_resps"] = [one[0] for one in row["resps"]]
        made = results(config__model_args=f"pretrained={model}", config__limit=None)
        made["n-samples"] = {"arith": {"original": ITEMS, "effective": ITEMS}}
        made["results"]["arith"] = {"acc,none": 1.0, "acc_stderr,none": 0.0}
        return str(write_run(tmp_path / name, made, {"arith": rows}))

    a = read_run(run("a", "org/alpha", 0))
    most, some = (read_run(run(str(shift), "org/beta", shift)) for shift in (3, 40))
    assert found(compare_runs(a, most), "answers_identical").count_ == 57
    assert compare_runs(a, most).verdict.kind == "not_a_measurement"
    assert compare_runs(a, most).verdict.leading_cause is None
    assert found(compare_runs(a, some), "answers_identical").severity == "warning"
    assert compare_runs(a, some).verdict.kind != "not_a_measurement"


def test_runs_that_only_predicted_hold_no_score(tmp_path: Path) -> None:
    runs = []
    for name in "ab":
        made = document(answers())
        made["results"]["arith"] = {"bypass,none": 999, "bypass_stderr,none": "N/A"}
        runs.append(read_run(str(write_run(tmp_path / name, made, {"arith": answers()}))))
    verdict = compare_runs(*runs).verdict
    assert verdict.kind == "not_comparable"
    assert verdict.sentence.startswith("Neither a nor b holds a score")


def test_no_word_is_given_where_the_sides_disagree_on_what_is_better(tmp_path: Path) -> None:
    one, other = document(answers()), document(answers(range(30)))
    other["higher_is_better"]["arith"] = {"exact_match": False}
    a, b = write_run(tmp_path / "a", one, {"arith": answers()}), write_run(tmp_path / "b", other, {"arith": answers()})
    for left, right in ((a, b), (b, a)):
        made = compare_runs(read_run(str(left)), read_run(str(right)))
        assert made.metrics[0].higher_is_better is None
        assert made.metrics[0].status not in ("better", "worse")


def test_a_reported_score_that_is_rounded_is_the_same_score(tmp_path: Path) -> None:
    one, other = document(answers(range(7))), document(answers(range(7)))
    other["results"]["arith"]["exact_match,none"] = round(53 / 60, 4)
    a = write_run(tmp_path / "a", one, {"arith": answers(range(7))})
    b = write_run(tmp_path / "b", other, {"arith": answers(range(7))})
    assert compare_runs(read_run(str(a)), read_run(str(b))).verdict.kind == "identical"


def test_what_is_left_of_a_log_with_many_gaps_is_not_called_identical(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(range(7)), answers(range(7)), only=30)
    assert made.verdict.kind == "unclear"
    assert made.verdict.sentence.startswith("The log of b lacks 30 of 60 items")


@pytest.mark.parametrize(
    ("wrong_a", "wrong_b", "standing"), [((), range(12), "none"), (range(4), range(4, 9), "possible")]
)
def test_arithmetic_moves_outcomes_both_ways_or_hardly_at_all(
    tmp_path: Path, wrong_a: range, wrong_b: range, standing: str
) -> None:
    verdict = compared(tmp_path, answers(wrong_a), answers(wrong_b), config__batch_size="1").verdict
    assert (verdict.leading_cause, verdict.standing) == (None if standing == "none" else "batch_size", standing)
