"""What may be said of scores: of one set of items, without samples, of the same file, and of many runs."""

import random
from pathlib import Path

from truth.changed import compared, named, shots, start
from truth.effects import move_answers
from truth.sides import Side, write

from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.report.documents.score_rows import row_word
from diptych.rules.rules import breaches


def test_a_results_file_without_samples_and_its_own_copy_are_identical(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    a.logged = b.logged = False
    assert compared(tmp_path, a, b).verdict.kind == "identical"


def test_one_file_as_both_sides_is_identical(tmp_path: Path) -> None:
    run = read_run(str(write(start("sums, few-shot")[0], tmp_path, "a")))
    assert compare_runs(run, run).verdict.kind == "identical"


def limited(number: int) -> Side:
    side = start("real few-shot, loaded")[0]
    for task in side.tasks.values():
        task.items = task.items[:number]
    side.config["limit"] = float(number)
    return side


def test_two_limits_have_one_row_of_one_set_of_items(tmp_path: Path) -> None:
    made = compared(tmp_path, start("real few-shot, loaded")[0], limited(50))
    assert [breach for breach in breaches(made) if breach.number in (4, 5, 8)] == []
    assert named(made) == ["limit"]
    assert (made.verdict.standing, made.verdict.isolating_run) == ("proven", None)


def test_two_limits_without_samples_have_no_word_and_no_gate_fires(tmp_path: Path) -> None:
    a, b = limited(150), limited(20)
    for item in b.tasks["dip_arith"].items:
        item.text = "nothing"
    a.logged = b.logged = False
    made = compared(tmp_path, a, b, Options(fail_on=("regression",)))
    assert made.verdict.kind == "not_comparable"
    assert not {metric.status for metric in made.metrics} & {"better", "worse"}
    assert not any(gate.fired for gate in made.gates)


def test_a_score_of_nothing_on_both_sides_is_called_at_the_floor_and_no_more_items_are_asked_for(
    tmp_path: Path,
) -> None:
    a, b = limited(40), limited(40)
    for side, text in ((a, "nothing"), (b, "no number")):
        for number, item in enumerate(side.tasks["dip_arith"].items):
            item.text = f"{text} {chr(97 + number % 26)}{chr(97 + number // 26)}"  # no constant answers
    made = compared(tmp_path, a, b)
    assert "dip_arith exact_match (strict-match) is at the floor: no item is right" in made.verdict.sentence
    assert "(the filter finds nothing in 40 of 40 responses of" in made.verdict.sentence
    assert "dip_arith would tell more" not in made.verdict.next_step
    assert row_word(next(row for row in made.metrics if row.task == "dip_arith" and row.primary)).word == "at the floor"


def test_a_log_of_a_list_of_samples_has_a_word_on_what_is_shared_or_none_at_all(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.tasks.values():
        task.items = random.Random(3).sample(task.items, 24)
    move_answers(b, random.Random(4), 0.9, -0.9)
    made = compared(tmp_path, a, b)
    said = f"{made.verdict.sentence} {' '.join(finding.text for finding in made.findings)}"
    assert not ("no word is given" in said and {metric.status for metric in made.metrics} & {"better", "worse"})
    assert [breach for breach in breaches(made) if breach.number in (4, 5)] == []


def test_of_seven_runs_the_examples_are_blamed_and_no_zero_has_a_word(tmp_path: Path) -> None:
    runs = []
    for place, (number, batch) in enumerate(
        [(4, "8"), (4, "16"), (4, "32"), (1, "8"), (1, "16"), (1, "32"), (1, "50")]
    ):
        side = start("sums, few-shot")[0]
        side.config["batch_size"] = batch
        if number == 1:
            shots(side, 1)
            move_answers(side, random.Random("one example"), 0.9, -0.9)
        runs.append(read_run(str(write(side, tmp_path / str(place), "a")))._replace(label=f"run{place}"))
    made = compare_many(runs)
    cells = [cell for row in made.rows for cell in row.cells]
    assert not [cell for cell in cells if abs(cell.difference or 0.0) < 1e-9 and cell.status in ("better", "worse")]
    told = [effect for effect in made.effects if effect.difference and effect.p_adjusted and effect.p_adjusted < 0.05]
    assert {effect.settings for effect in told} <= {("num_fewshot",)}
    assert made.next_run is None


def test_tasks_in_which_nothing_moved_are_the_same_and_not_inconclusive(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    b.argue(max_length=512)
    for task in b.texts:
        for item in task.items[::2]:
            item.text = "nothing"
    made = compared(tmp_path, a, b)
    names = {task.name for task in b.picks}
    said = next(part for part in made.verdict.sentence.split(". ") if "is the same on" in part)
    assert names <= set(said.replace(",", "").split())
    assert not any(
        name in part for name in names for part in made.verdict.sentence.split(". ") if "nconclusive" in part
    )


def test_one_task_of_empty_answers_beside_tasks_that_are_the_same_is_no_measurement(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    for task in b.texts:
        for item in task.items:
            item.text = ""
    made = compared(tmp_path, a, b)
    assert made.verdict.kind == "not_a_measurement"
    assert "empty" in made.verdict.sentence
    assert "is the same on" in made.verdict.sentence


def test_two_sides_of_empty_answers_are_both_named(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    for side in (a, b):
        for task in side.texts:
            for item in task.items:
                item.text = ""
    made = compared(tmp_path, a, b)
    assert made.verdict.kind == "not_a_measurement"
    assert made.verdict.sentence.startswith("Neither a nor b is usable")


def test_empty_answers_that_nothing_explains_are_read_first(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    a.argue(num_concurrent=1)
    b.argue(num_concurrent=64)
    for task in b.texts:
        for item in task.items[::3]:
            item.text = ""
    assert "empty" in compared(tmp_path, a, b).verdict.next_step


def test_undrawn_responses_to_equal_requests_that_differ_widely_show_that_something_else_answered(
    tmp_path: Path,
) -> None:
    a, b = start("sums, few-shot")
    move_answers(b, random.Random(2), 0.9)
    said = compared(tmp_path, a, b).verdict.sentence
    assert "responses to equal requests differ though none is drawn" in said


def test_a_fault_of_both_sides_is_counted_on_both_and_is_not_what_to_mend_first(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    for side, every in ((a, 3), (b, 4)):
        for task in side.texts:
            for item in task.items[::every]:
                item.text = ""
    made = compared(tmp_path, a, b)
    assert "responses of a and " in made.verdict.sentence
    assert not made.verdict.next_step.startswith("First read the")


def test_a_recorded_wording_that_the_logged_prompts_do_not_show_is_said(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.tasks.values():
        task.config["doc_to_text"] = "Sum: {{question}}\nA:"
    made = compared(tmp_path, a, b)
    assert made.verdict.kind == "identical"
    assert "doc_to_text" in made.verdict.sentence


def test_where_prompts_part_is_shown_where_no_setting_explains_it(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    a.lay(description="Today Date: 29 Nov\n\n")
    b.lay(description="Today Date: 30 Nov\n\n")
    move_answers(b, random.Random(2), 0.9)
    said = compared(tmp_path, a, b).verdict.sentence
    assert "29 Nov" in said
    assert "30 Nov" in said


def test_a_dummy_backend_is_said_to_measure_no_model(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    a.config["model"] = "dummy"
    move_answers(b, random.Random(2), 0.9)
    assert "dummy backend" in compared(tmp_path, a, b).verdict.sentence


def test_two_limits_without_samples_ask_for_the_same_items_with_their_samples(tmp_path: Path) -> None:
    a, b = limited(150), limited(50)
    a.logged = b.logged = False
    assert "No run is needed" not in compared(tmp_path, a, b).verdict.next_step
