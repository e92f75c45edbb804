"""A run that alone departs from all others beside what a matrix varies: named first, and to be made like the others."""

import random

import pytest

from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.odd_runs import odd_runs
from diptych.diagnose.varied_settings import Factor, factors_of
from diptych.matrix import MatrixVerdict
from diptych.metric_key import MetricKey
from diptych.run import Run, Score
from examples_runs import as_settings, run
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


def series(odd: dict[str, float], scores: dict[str, float], **settings: object) -> MatrixVerdict:
    """The verdict of a row of runs, of which the odd ones have other settings of sums."""
    made = [scored(name, share) for name, share in scores.items()]
    bare = {"model_args.dtype": "bfloat16", "batch_size": 16}
    given = [one._replace(settings=one.settings | as_settings(bare)) for one in made]
    return verdict(
        *(one._replace(settings=one.settings | as_settings(settings)) if one.label in odd else one for one in given)
    )


ROW = {"one": 0.3, "two": 0.1, "three": 0.45, "four": 0.5, "five": 0.2, "six": 0.6, "seven": 0.7}


def test_several_runs_that_drop_out_of_a_row_with_one_other_precision_are_named() -> None:
    made = series({"two": 0, "five": 0}, ROW, **{"model_args.dtype": "float32"})
    assert made.parts[0].startswith("two and five ran with model_args.dtype float32, the others with model_args.dtype")
    assert made.next_step.startswith("Repeat two with model_args.dtype bfloat16 and five with")


@pytest.mark.parametrize("odd", [{"two": 0}, {"one": 0, "two": 0}, {"three": 0, "four": 0}])
def test_a_batch_size_of_its_own_makes_no_run_odd_where_the_scores_go_on_as_before(odd: dict[str, float]) -> None:
    made = series(odd, ROW, batch_size=64)
    assert not any("ran with" in part for part in made.parts)


def test_a_precision_is_told_by_repeats_on_either_side() -> None:
    scores = {"one": 0.6, "two": 0.2, "three": 0.6, "four": 0.2, "five": 0.6}
    runs = [
        scored(name, share)._replace(settings=as_settings({"model_args.dtype": "x"})) for name, share in scores.items()
    ]
    other = as_settings({"model_args.dtype": "y"})
    made = verdict(*(one._replace(settings=other) if one.label in ("two", "four") else one for one in runs))
    assert made.parts[0].startswith("model_args.dtype (x → y) moves arith exact_match −40.0 pp")
