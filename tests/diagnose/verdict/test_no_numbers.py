"""Log-likelihoods that are no numbers: when they void a run, when they are counted, and when they are a measurement."""

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
