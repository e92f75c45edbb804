"""Nearly all answers of a side are a few texts: no measurement where none can be one, a poor model's elsewhere."""

from pathlib import Path
from typing import Any

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import answer_record, results, write_run

RIVERS = ("Rhine", "Danube", "Loire", "Ebro", "Oder", "Tagus", "Thames", "Volga")
LETTERS = ("A", "B", "C", "D")


def made_of(tmp_path: Path, targets: tuple[str, ...], said: tuple[str, ...], right: float = 0.0) -> Comparison:
    runs = []
    for name in ("a", "b"):
        records: list[dict[str, Any]] = []
        for number in range(80):
            target = targets[number % len(targets)]
            text = targets[(number + number % 3) % len(targets)] if name == "a" else said[number % len(said)]
            score = float(text == target) if name == "a" else right * (text == target)
            records.append({**answer_record(number, f" {text}", score=score), "target": target})
        document = results(configs__arith__output_type="generate_until")
        document["results"]["arith"] = {"exact_match,none": sum(one["exact_match"] for one in records) / 80}
        runs.append(read_run(write_run(tmp_path / name, document, {"arith": records})))
    return compare_runs(*runs)


@pytest.mark.parametrize("said", [("Well",), ("Well", "Well", "So")])
def test_a_few_words_that_open_an_answer_are_no_measurement(tmp_path: Path, said: tuple[str, ...]) -> None:
    verdict = made_of(tmp_path, RIVERS, said).verdict
    assert verdict.kind == "not_a_measurement"
    assert 'are the same few words, whatever is asked ("Well"' in verdict.sentence
    assert r'a stop string of their requests ("\n")' in verdict.sentence
    assert verdict.next_step.startswith("Give stop strings (until)")


def test_a_model_that_always_answers_one_letter_is_measured_and_said_to_do_so(tmp_path: Path) -> None:
    verdict = made_of(tmp_path, LETTERS, ("B",), right=1.0).verdict
    assert verdict.kind != "not_a_measurement"
    assert 'responses of b in arith are the same few words ("B"' in verdict.sentence


def test_two_sides_that_answer_yes_and_no_are_no_constant_ones(tmp_path: Path) -> None:
    made = made_of(tmp_path, ("yes", "no"), ("yes", "no", "no"), right=1.0)
    assert "answers_constant" not in {one.kind for one in made.findings}
