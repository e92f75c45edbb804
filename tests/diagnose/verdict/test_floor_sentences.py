"""A noise floor that was given is in the sentence and in the next step, and is not asked for once more."""

from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.estimates import NoiseFloor
from diptych.harness.reader import read_run
from diptych.metric_key import MetricKey
from diptych.numbers import floor_text
from diptych.publish.comment import comment
from written_runs import LATER, STAMP, choice_record, results, write_run

ITEMS = 100


def compared(folder: Path, wrong_a: int, wrong_b: int, floor: float, **changed: object) -> Comparison:
    """Compare two runs of one configuration whose first items are wrong, beside a floor of three repeats."""
    runs = []
    for name, stamp, wrong, settings in (("a", STAMP, wrong_a, {}), ("b", LATER, wrong_b, changed)):
        score = 1 - wrong / ITEMS
        document = results()
        document["results"] = {"arith": {"alias": "arith", "acc,none": score, "acc_stderr,none": 0.03}}
        document["n-samples"] = {"arith": {"original": ITEMS, "effective": ITEMS}}
        document["config"] |= settings
        records = [choice_record(number, number >= wrong) for number in range(ITEMS)]
        runs.append(read_run(write_run(folder / name, document, {"arith": records}, stamp), name))
    noise = {MetricKey("arith", "acc", "none"): NoiseFloor(3, floor / 6, floor, None, 2.0, (), "")}
    return compare_runs(*runs, Options(noise=noise))


@pytest.mark.parametrize(
    ("wrong", "floor", "said", "then"),
    [
        (20, 0.02, "beyond what 3 repeats of one configuration do (noise floor 2.0 pp)", "unrecorded setting"),
        (12, 0.05, "within what 3 repeats of one configuration do (noise floor 5.0 pp)", "differ by as much"),
        (13, 0.0048, "beyond the noise floor of 3 repeats (0.48 pp), but not significant", "more"),
    ],
    ids=["beyond", "within", "open"],
)
def test_the_sentence_the_comment_and_the_next_step_know_the_floor(
    tmp_path: Path, wrong: int, floor: float, said: str, then: str
) -> None:
    made = compared(tmp_path, 10, wrong, floor)
    assert said in made.verdict.sentence
    assert then in (made.verdict.next_step or "")
    assert "diptych noise" not in (made.verdict.next_step or "")
    assert said.split(" (")[0] in " ".join(comment([made]).text.split())


@pytest.mark.parametrize(
    ("changed", "said"), [({}, True), ({"random_seed": 7, "numpy_seed": 7}, True), ({"batch_size": "64"}, False)]
)
def test_what_lies_beyond_a_floor_is_an_unrecorded_settings_doing_though_seeds_differ(
    tmp_path: Path, changed: dict[str, object], said: bool
) -> None:
    made = compared(tmp_path, 10, 30, 0.02, **changed)
    assert ("(noise floor 2.0 pp): an unrecorded setting changed." in made.verdict.sentence) is said


def test_without_a_floor_nothing_is_said_of_one(tmp_path: Path) -> None:
    made = compared(tmp_path, 10, 20, 0.02)
    bare = compare_runs(*(read_run(tmp_path / name, name) for name in "ab"), Options())
    assert "repeats" in made.verdict.sentence
    assert "repeats" not in bare.verdict.sentence


def test_a_floor_is_rounded_up_wherever_it_stands() -> None:
    assert [floor_text(value, True) for value in (0.00481, 0.0048, 0.08701)] == ["0.49 pp", "0.48 pp", "8.8 pp"]
