"""What to do next, and what a sentence says of logs and tasks that are not there, on small runs written as files."""

from pathlib import Path
from typing import Any

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from verdict_runs import ITEMS, Records, answers, asking, compared, document, prompted
from written_runs import answer_record, choice_record, write_run

WRONG = range(25)


def written(folder: Path, name: str, records: Records, log: Records | None, **changes: Any) -> Any:
    """Return a run of one task with a log of its own choice, None for none."""
    samples = {} if log is None else {"arith": log}
    return read_run(str(write_run(folder / name, document(records, **changes), samples)))


def held(a: Any, b: Any) -> Comparison:
    """Return the comparison of two runs."""
    return compare_runs(a, b)


def test_without_samples_the_next_step_is_to_log_them(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), logged=False)
    assert "--log_samples" in made.verdict.next_step


def test_where_b_is_the_isolating_run_without_samples_the_logs_are_asked_for(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), logged=False, config__batch_size="1")
    assert made.verdict.next_run_exists
    assert "--log_samples" in made.verdict.next_step


def test_a_log_that_one_side_lacks_is_named_and_asked_for(tmp_path: Path) -> None:
    a = written(tmp_path, "a", answers(), answers())
    made = held(a, written(tmp_path, "b", answers(WRONG), None))
    assert "sample log of arith in b" in made.verdict.next_step


def test_a_run_with_another_difference_that_cannot_act_is_not_said_to_differ_in_one_setting_only(
    tmp_path: Path,
) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), config__bootstrap_iters=500, lm_eval_version="0.4.8")
    assert made.verdict.leading_cause == "versions.lm_eval"
    assert "with only" not in made.verdict.next_step
    assert "bootstrap_iters differs, too" in made.verdict.next_step


def test_a_results_file_whose_log_gives_another_score_is_said_to_be_of_another_run(tmp_path: Path) -> None:
    a = written(tmp_path, "a", answers(), answers())
    made = held(a, written(tmp_path, "b", answers(), answers(WRONG)))
    assert "is not what its log gives" in made.verdict.sentence
    assert "belongs to the results file of b" in made.verdict.next_step


def test_the_same_examples_in_another_order_are_called_so(tmp_path: Path) -> None:
    shots = ["Q901\nA: 1", "Q902\nA: 2"]

    def ahead(order: int) -> Records:
        return prompted(answers(range(20 * (order < 0))), lambda text: "\n\n".join([*shots[::order], text]))

    seeds = {"config__fewshot_seed": 9, "n_shot__arith": 2, "configs__arith__num_fewshot": 2}
    made = compared(tmp_path, ahead(1), ahead(-1), **seeds)
    assert "in another order" in made.verdict.sentence or made.verdict.leading_cause != "fewshot_seed"
    assert any("in another order" in each.text for each in made.findings)


def test_a_task_of_one_side_alone_is_in_the_sentence(tmp_path: Path) -> None:
    both = document(answers())
    both["results"]["extra"] = {"alias": "extra", "acc,none": 0.5, "acc_stderr,none": 0.1}
    a = read_run(str(write_run(tmp_path / "a", both, {"arith": answers()})))
    made = held(a, written(tmp_path, "b", answers(), answers()))
    assert "extra is in a alone" in made.verdict.sentence


def test_a_budget_beside_another_backend_is_named_where_answers_look_truncated(tmp_path: Path) -> None:
    words = "first we add the tens, then we add the ones, and then we have the sum of both which is"
    whole = answers(text=lambda number: f"Well {number}: {words} {number}.")
    short = answers(range(ITEMS // 2), text=lambda number: f"So {number}, {words}"[:40])
    made = compared(tmp_path, asking(whole, max_gen_toks=256), asking(short, max_gen_toks=10), config__model="vllm")
    keys = {made.verdict.leading_cause, *(one.key for one in made.verdict.suspects)}
    assert keys & {"gen_kwargs.max_gen_toks"} or made.verdict.kind == "not_a_measurement"


def test_how_far_log_likelihoods_moved_stands_beside_a_version_that_alone_differs(tmp_path: Path) -> None:
    a = [choice_record(number) for number in range(ITEMS)]
    b = [choice_record(number) for number in range(ITEMS)]
    for record in b[:6]:
        record["resps"] = [[["-0.5", "True"]], [["-6.25", "False"]]]
        record["filtered_resps"] = [["-0.5", "True"], ["-6.25", "False"]]
    made = compared(tmp_path, a, b, metric="acc", lm_eval_version="0.4.8")
    assert "moved on 6" in made.verdict.sentence
    assert "equal text does not show" in made.verdict.sentence


def test_a_score_in_percent_is_called_one(tmp_path: Path) -> None:
    records = [answer_record(number, score=float(number > 9)) for number in range(ITEMS)]
    percent = document(records)
    percent["results"]["arith"]["exact_match,none"] *= 100
    a = written(tmp_path, "a", records, records)
    made = held(a, read_run(str(write_run(tmp_path / "b", percent, {"arith": records}))))
    assert "percent" in made.verdict.sentence or "scale" in made.verdict.sentence
