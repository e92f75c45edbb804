"""A seed by which a task's own code draws: it orders choices, so it may be the cause although no answer is drawn."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from diptych.closed_names import Bearing
from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.rules.rules import mirror_breaches
from written_runs import choice_record, results, sha, write_run

PYTHON = "def process_docs(rows):\n    random.shuffle(rows)\n    return rows\n"
NUMPY = "def process_docs(rows):\n    return rows.map(lambda row: row[np.random.permutation(4)])\n"
OWN = "def process_docs(rows):\n    random.Random(7).shuffle(rows)\n    return rows\n"


def asked(number: int, order: list[int]) -> dict[str, Any]:
    texts = [f"{word} {number}" for word in ("oak", "elm", "fir", "ash")]
    shown = [texts[place] for place in order]
    right = "ABCD"[shown.index(texts[0])]
    lines = "\n".join(f"({letter}) {text}" for letter, text in zip("ABCD", shown, strict=True))
    prompt = f"Which tree is {number}?\n{lines}\nAnswer:"
    doc = {"question": f"Which tree is {number}?", "choices": shown, "answer": right}
    arguments = {f"gen_args_{place}": {"arg_0": prompt, "arg_1": f" {letter}"} for place, letter in enumerate("ABCD")}
    pull = random.Random(prompt).random
    values = [[str(-1 - pull()), "False"] for _ in order]
    picked = max(range(4), key=lambda place: float(values[place][0]))
    score = float("ABCD"[picked] == right)
    return choice_record(
        number, doc=doc, target=right, arguments=arguments, acc=score, prompt_hash=sha(prompt),
        doc_hash=sha(json.dumps(doc, indent=2)), target_hash=sha(right),
        resps=[[value] for value in values], filtered_resps=values,
    )  # fmt: skip


def pair(tmp_path: Path, code: str, same: bool = False, logged: bool = True, **seeds: int) -> Comparison:
    runs = []
    for name, given in (("a", {}), ("b", seeds)):
        pull = random.Random("a" if same else name)
        records = [asked(number, pull.sample(range(4), 4)) for number in range(40)]
        document = results()
        (task,) = document["configs"]
        document["configs"][task]["process_docs"] = code
        document["config"] |= {"random_seed": 0, "numpy_seed": 1234, "torch_seed": 1234, **given}
        runs.append(read_run(write_run(tmp_path / name, document, {task: records} if logged else None)))
    return compare_runs(*runs)


def bearing(made: Comparison, key: str) -> Bearing:
    return next(row.standing for row in made.settings if row.key == key)


@pytest.mark.parametrize(("code", "key"), [(PYTHON, "random_seed"), (NUMPY, "numpy_seed")])
def test_the_seed_by_which_the_source_draws_leads_where_choices_stand_in_another_order(
    tmp_path: Path, code: str, key: str
) -> None:
    made = pair(tmp_path, code, random_seed=7, numpy_seed=7, torch_seed=7)
    assert made.verdict.leading_cause == key
    assert "hold the same choices in another order" in made.verdict.sentence
    assert "other words" not in made.verdict.sentence
    assert "Repeat b with the seeds of a (--seed 0,1234,1234," in made.verdict.next_step
    assert {bearing(made, other) for other in ("random_seed", "numpy_seed", "torch_seed")} == {"explains", "can"}


def test_without_a_source_that_draws_every_seed_that_differs_is_named(tmp_path: Path) -> None:
    made = pair(tmp_path, OWN, random_seed=7, numpy_seed=7)
    assert {one.key for one in made.verdict.suspects} == {"random_seed", "numpy_seed"}


def test_a_seed_is_idle_where_the_order_of_choices_is_equal_and_nothing_is_drawn(tmp_path: Path) -> None:
    made = pair(tmp_path, OWN, same=True, random_seed=7)
    assert bearing(made, "random_seed") == "cannot"


def test_choices_in_another_order_are_said_as_such_where_no_seed_differs(tmp_path: Path) -> None:
    made = pair(tmp_path, PYTHON)
    assert "by the order of the same choices" in made.verdict.sentence
    assert made.verdict.leading_cause is None


def test_without_samples_a_seed_by_which_the_source_draws_may_have_acted(tmp_path: Path) -> None:
    made = pair(tmp_path, NUMPY, logged=False, random_seed=7, numpy_seed=7)
    assert (made.verdict.leading_cause, made.verdict.standing) == ("numpy_seed", "possible")


def test_a_pick_among_no_numbers_is_the_same_with_the_sides_swapped(tmp_path: Path) -> None:
    runs = []
    for name in "ab":
        pull = random.Random(name)
        records = [asked(number, pull.sample(range(4), 4)) for number in range(40)]
        for number, record in enumerate(records):
            shown = record["doc"]["choices"]
            asks = {f"gen_args_{place}": {"arg_0": "Which?", "arg_1": f" {text}"} for place, text in enumerate(shown)}
            record |= {"arguments": asks, "prompt_hash": sha("Which?"), "target": f"oak {number}"}
            if name == "b":
                record["resps"] = [[["nan", "False"]]] * 4
                record["filtered_resps"] = [["nan", "False"]] * 4
                record["acc"] = float(shown[0] == f"oak {number}")
        document = results()
        (task,) = document["configs"]
        runs.append(read_run(write_run(tmp_path / name, document, {task: records})))
    there, back = compare_runs(*runs), compare_runs(*runs[::-1])
    assert any(one.class_ == "both_wrong_changed" for one in there.flips)
    assert not mirror_breaches(there, back)
