"""A run that alone departs from all others beside what a matrix varies: named first, and to be made like the others."""

import random

from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.odd_runs import odd_runs
from diptych.diagnose.varied_settings import Factor, factors_of
from diptych.keys import MetricKey
from diptych.matrix import MatrixVerdict
from diptych.run import Run, Score
from examples_runs import run
from sample_logs import answer, log

KEY = MetricKey("arith", "exact_match", "none")
ITEMS = 100
SHOTS = "".join(f"Question {number}?\nAnswer: {number}\n\n" for number in (901, 902, 903))


def scored(label: str, share: float, prompt: str = SHOTS, shots: int = 3, **settings: object) -> Run:
    """A run of a model of its own that is right on so many items."""
    hard = random.Random(1).sample(range(ITEMS), ITEMS)
    right = [float(place < share * ITEMS) for place in hard]
    records = [
        answer(item, f"{label} says {item}", right=bit, prompt=f"{prompt}Question {item}?\nAnswer:")
        for item, bit in enumerate(right)
    ]
    model = {"model_args.pretrained": f"org/{label}"}
    scores = (Score(*KEY, sum(right) / ITEMS, 0.03, True, items=ITEMS),)
    tasks = {"arith": {"num_fewshot": shots}}
    return run(model | settings, tasks, label=label, scores=scores, samples={"arith": log(records)})


def verdict(*runs: Run) -> MatrixVerdict:
    made = compare_many(runs).verdict
    assert made is not None
    return made


def odd_in(**values: list[object]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    return [(one.factor.keys, one.runs) for one in odd_runs(factors_of(values))]


def test_the_run_with_other_shots_is_named_first_and_made_like_the_others() -> None:
    made = verdict(
        scored("one", 0.3),
        scored("two", 0.5),
        scored("three", 0.1, "", shots=0),
        scored("four", 0.7),
    )
    assert made.parts[0] == (
        "three ran with num_fewshot 0, the others with num_fewshot 3: its drop cannot be laid to the model "
        "(model_args.pretrained) alone."
    )
    assert made.next_step == "Repeat three with num_fewshot 3, as the others ran."
    assert not any("tells apart" in part for part in made.parts)


def test_a_first_run_may_be_the_odd_one() -> None:
    made = verdict(
        scored("one", 0.7, "", shots=0),
        scored("two", 0.5),
        scored("three", 0.3),
    )
    assert made.parts[0].startswith("one ran with num_fewshot 0, the others with num_fewshot 3: its gain")
    assert made.next_step == "Repeat one with num_fewshot 3, as the others ran."


def test_two_odd_runs_are_both_named_each_with_its_own_setting() -> None:
    made = verdict(
        scored("one", 0.3),
        scored("two", 0.2, "", shots=0),
        scored("three", 0.5),
        scored("four", 0.6, "Be brief.\n\n" + SHOTS, system_instruction="Be brief."),
    )
    assert {part.partition(" ran with ")[0] for part in made.parts[:2]} == {"two", "four"}
    assert made.next_step.startswith("Repeat ")
    assert "two with num_fewshot 3" in made.next_step
    assert "four with " in made.next_step


def test_a_design_of_one_change_at_a_time_has_no_odd_run() -> None:
    assert not odd_in(x=[0, 1, 0, 0], y=["p", "p", "q", "p"])
    assert not odd_in(model=[0, 0, 1, 1], shots=[3, 3, 3, 0])


def test_a_setting_that_stands_half_against_half_makes_no_run_odd() -> None:
    assert not odd_in(model=[0, 1, 2, 3], shots=[3, 3, 0, 0])
    assert odd_in(model=[0, 1, 2, 3, 4], shots=[3, 3, 0, 3, 0]) == [(("shots",), (2, 4))]


def test_without_anything_that_varies_beside_it_a_setting_is_what_the_matrix_varies() -> None:
    assert odd_runs([Factor(("shots",), (0, 0, 1), (0, 2))]) == []
