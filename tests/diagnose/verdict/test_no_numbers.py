"""Log-likelihoods that are no numbers: when they void a run, when they are counted, and when they are a measurement."""

import math
import re
from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.inspection import inspect
from diptych.harness.reader import read_run
from written_runs import Json, choice_record, results, write_run

ITEMS = 40
Records = list[dict[str, Json]]


def rows(*values: str, broken: int = 0) -> Records:
    """Return rows of two choices, right but for every fourth; the first `broken` hold these values instead."""
    made = [choice_record(number, right=number % 4 != 3) for number in range(ITEMS)]
    for number, record in enumerate(made):
        record["resps"] = [[[f"-{number}.5", "True"]], [[f"-{number + 1}.25", "False"]]]
        if number < broken:
            record["resps"] = [[[value, "False"]] for value in values]
            record["acc"] = float(number % 2 == 0)
        record["filtered_resps"] = [entry[0] for entry in record["resps"]]
    return made


def written(folder: Path, records: Records, **changes: Json) -> str:
    """Write a run of these rows."""
    score = sum(record["acc"] for record in records) / ITEMS
    document = results(results={"choice": {"alias": "choice", "acc,none": score}}, config__limit=None, **changes)
    document["higher_is_better"] = {"choice": {"acc": True}}
    document["n-samples"] = {"choice": {"original": ITEMS, "effective": ITEMS}}
    document["configs"]["choice"] = {"task": "choice", "output_type": "multiple_choice"}
    return str(write_run(folder, document, {"choice": records}))


def compared(folder: Path, a: Records, b: Records, **changes: Json) -> Comparison:
    """Return the comparison of two such runs, B with other settings."""
    return compare_runs(
        read_run(written(folder / "a", a, config__batch_size=1)),
        read_run(written(folder / "b", b, **{"config__batch_size": 1, **changes})),
    )


def numbers_in(made: Comparison) -> list[float]:
    """Return every number that the verdict and the findings print."""
    texts = [made.verdict.sentence, *(finding.text for finding in made.findings)]
    return [float(found) for text in texts for found in re.findall(r"\d[\d.]*e[+-]?\d+", text)]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (("nan", "nan"), "NaN"),
        (("-1.0", "NaN"), "NaN"),
        (("inf", "-2.0"), "infinity"),
        (("-inf", "-Infinity"), "minus infinity for every choice"),
    ],
)
def test_log_likelihoods_that_are_no_numbers_in_many_items_make_no_measurement(
    tmp_path: Path, values: tuple[str, ...], shown: str
) -> None:
    made = compared(tmp_path, rows(), rows(*values, broken=30), config__batch_size=8)
    said = f"b is not usable as a measurement: 30 of 40 items have log-likelihoods that are no numbers ({shown})"
    assert made.verdict.kind == "not_a_measurement"
    assert said in made.verdict.sentence
    assert "Run b again with batch_size 1, as a" in made.verdict.next_step
    assert made.metrics[0].status == "not_available"
    assert not numbers_in(made)
    assert "near_chance" not in {finding.kind for finding in made.findings}


def test_the_side_that_has_no_numbers_is_the_one_that_is_named(tmp_path: Path) -> None:
    made = compared(tmp_path, rows("nan", "nan", broken=30), rows(), config__batch_size=8)
    assert made.verdict.sentence.startswith("a is not usable as a measurement: 30 of 40 items")
    assert "Run a again with batch_size 8, as b" in made.verdict.next_step


def test_no_numbers_on_both_sides_are_said_of_both(tmp_path: Path) -> None:
    made = compared(tmp_path, rows("nan", "nan", broken=30), rows("nan", "nan", broken=20))
    assert "Neither a nor b is usable as a measurement: 30 and 20 of 40 items have" in made.verdict.sentence
    assert "Run each again with batch_size 1" in made.verdict.next_step


def test_no_numbers_in_a_few_items_are_counted_beside_the_verdict(tmp_path: Path) -> None:
    made = compared(tmp_path, rows(), rows("nan", "nan", broken=3), config__batch_size=8)
    assert made.verdict.kind != "not_a_measurement"
    assert "3 of 40 items of choice have log-likelihoods that are no numbers (NaN) in b" in made.verdict.sentence


def test_one_choice_that_cannot_be_is_a_measurement(tmp_path: Path) -> None:
    made = compared(tmp_path, rows(), rows("-inf", "-2.0", broken=30), config__batch_size=8)
    assert made.verdict.kind != "not_a_measurement"
    assert not numbers_in(made)
    assert "likelihoods_not_numbers" not in {finding.kind for finding in made.findings}


def test_a_check_of_one_run_names_its_log_likelihoods_that_are_no_numbers(tmp_path: Path) -> None:
    sound, broken = written(tmp_path / "a", rows()), written(tmp_path / "b", rows("nan", "nan", broken=30))
    assert not [one for one in inspect(sound).remarks if one.kind == "likelihoods_not_numbers"]
    remark = next(one for one in inspect(broken).remarks if one.kind == "likelihoods_not_numbers")
    assert remark.text.startswith("30 of 40 items of choice have log-likelihoods that are no numbers (NaN)")


def texts(broken: int = 0) -> Records:
    """Return rows of whole texts with their summed log-likelihoods, the first `broken` of which are no numbers."""
    sums = [math.nan if number < broken else -20.0 - number / 7 for number in range(ITEMS)]
    return [
        choice_record(
            number,
            arguments={"gen_args_0": {"arg_0": f"text {number}"}},
            resps=[[value]],
            filtered_resps=[value],
            metrics=["word_perplexity"],
            word_perplexity=[value, 12],
        )
        for number, value in enumerate(sums)
    ]


def test_one_text_without_a_number_voids_a_perplexity_over_all(tmp_path: Path) -> None:
    runs = []
    for name, records in (("a", texts()), ("b", texts(broken=1))):
        total = sum(record["word_perplexity"][0] for record in records)
        row = {"alias": "choice", "word_perplexity,none": math.exp(-total / (12 * ITEMS))}
        document = results(results={"choice": row}, config__limit=None)
        document["higher_is_better"] = {"choice": {"word_perplexity": False}}
        document["configs"]["choice"] = {"task": "choice", "output_type": "loglikelihood_rolling"}
        runs.append(read_run(str(write_run(tmp_path / name, document, {"choice": records}))))
    made = compare_runs(*runs)
    assert made.verdict.kind == "not_a_measurement"
    assert "b is not usable as a measurement: 1 of 40 items" in made.verdict.sentence
    assert "no choice" not in " ".join(finding.text for finding in made.findings)


def unscored(folder: Path, number: int, logged: bool = True, **changes: Json) -> Comparison:
    """Return the comparison of two runs of which B has no number for the score of some items."""
    runs = []
    for name, given in (("a", {}), ("b", changes)):
        records = rows()
        for record in records[:number] if name == "b" else ():
            record["acc"] = math.nan
        score = sum(record["acc"] for record in records) / ITEMS
        document = results(results={"choice": {"alias": "choice", "acc,none": score}}, config__limit=None)
        document["configs"]["choice"] = {"task": "choice", "output_type": "multiple_choice", **given}
        runs.append(read_run(str(write_run(folder / name, document, {"choice": records} if logged else None))))
    return compare_runs(*runs)


def test_scores_that_are_no_numbers_are_looked_for_where_they_are_made(tmp_path: Path) -> None:
    verdict = unscored(tmp_path, 5).verdict
    assert "no score can be compared (b: NaN)" in verdict.sentence
    assert verdict.next_step.startswith("Read the items of choice without a score in b: an empty reference")
    bare = unscored(tmp_path / "bare", 5, logged=False).verdict
    assert bare.next_step.startswith("Look why b has no usable score of choice: run it again with --log_samples")


def test_a_scorer_that_differs_is_the_cause_of_scores_that_equal_responses_lack(tmp_path: Path) -> None:
    verdict = unscored(tmp_path, 5, process_results="def score(doc, results):\n    return ratio(doc)\n").verdict
    assert (verdict.leading_cause, verdict.standing) == ("choice.process_results", "supported")


def test_a_precision_that_is_recorded_twice_is_told_once(tmp_path: Path) -> None:
    changes = {"config__model_args": "pretrained=org/base-1b,dtype=float16", "config__model_dtype": "torch.float16"}
    made = compared(tmp_path, rows(), rows("nan", "nan", broken=ITEMS), **changes)
    assert "float16 overflows" in made.verdict.sentence
    assert "The first divergence is at the picked choices of choice." in made.verdict.sentence
    assert "model_dtype" not in made.verdict.sentence


def test_a_run_that_left_nothing_is_an_empty_one_and_is_to_be_made_again(tmp_path: Path) -> None:
    empty = write_run(tmp_path / "b", results(results={}, versions={}, configs={}))
    assert inspect(str(empty)).what == "an empty run of lm-evaluation-harness"
    verdict = compare_runs(read_run(written(tmp_path / "a", rows())), read_run(str(empty))).verdict
    assert verdict.sentence.startswith("b does not hold a score")
    assert verdict.next_step.startswith("Run b again: nothing was scored or logged there")


def test_what_is_broken_is_told_by_the_setting_that_may_break_it(tmp_path: Path) -> None:
    whole, broken = rows(), rows("nan", "nan", broken=ITEMS)
    for place, sides in enumerate(((whole, broken), (broken, whole))):
        made = compared(tmp_path / str(place), *sides, config__batch_size=32)
        assert "something is broken (padding in a batch)" in made.verdict.sentence
        assert "float16" not in made.verdict.sentence
