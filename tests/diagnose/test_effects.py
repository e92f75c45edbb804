"""Which setting did it, among many runs: effects only where the runs tell them apart, and the run that would."""

import random

import pytest

from diptych.diagnose.effects import factors_of, setting_effects
from diptych.diagnose.matrix import compare_many
from diptych.matrix import SettingEffect
from diptych.run import Run, Score
from examples_runs import run
from sample_logs import answer, log

KEY = ("arith", "exact_match", "none")
ITEMS = 200


def scored(label: str, share: float, **settings: object) -> Run:
    """A run that is right on so many items; the same items are the easy ones in every run."""
    right = [float(place < share * ITEMS) for place in random.Random(1).sample(range(ITEMS), ITEMS)]
    noise = random.Random(label)
    right = [1.0 - bit if noise.random() < 0.03 else bit for bit in right]
    records = [answer(item, f"{label} says {item}", right=bit) for item, bit in enumerate(right)]
    scores = (Score(*KEY, sum(right) / ITEMS, 0.03, True, items=ITEMS),)
    return run(settings, label=label, scores=scores, samples={"arith": log(records)})


def effects(runs: list[Run], **values: list[object]) -> dict[tuple[str, ...], SettingEffect]:
    return {row.settings: row for row in setting_effects(KEY, runs, factors_of(values))}


def test_settings_changed_one_at_a_time_have_the_difference_of_their_own_pair() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.6)]
    found = effects(runs, x=[0, 1, 0], y=["p", "p", "q"])
    gap = (runs[1].scores[0].value or 0) - (runs[0].scores[0].value or 0)
    assert found["x",].difference == pytest.approx(gap)
    assert (found["x",].low or 0) < gap < (found["x",].high or 0) < 0
    assert (found["x",].note, found["x",].a, found["x",].b) == ("", 0, 1)
    assert (found["y",].p_adjusted or 0) > 0.05 > (found["x",].p_adjusted or 1)


def test_settings_that_always_change_together_are_one() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.5)]
    assert list(effects(runs, x=[0, 1, 1], y=[0, 1, 1])) == [("x", "y")]


def test_what_the_runs_do_not_tell_apart_gets_no_number() -> None:
    runs = [scored("base", 0.6), scored("both", 0.3), scored("one", 0.5), scored("other", 0.4)]
    found = effects(runs, x=[0, 1, 1, 0], y=[0, 1, 0, 1], z=[0, 0, 1, 1])
    assert all(row.difference is not None for row in found.values())
    assert {row.note for row in found.values()} == {"if effects add"}
    found = effects(runs[:3], x=[0, 1, 1], y=[0, 1, 0], z=[0, 0, 1])
    assert [(row.difference, row.note) for row in found.values()] == [
        (None, "these runs do not tell it apart from other settings")
    ] * 3


def test_effects_that_do_not_add_are_told_at_the_first_runs_other_settings() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.5), scored("both", 0.6)]
    found = effects(runs, x=[0, 1, 0, 1], y=[0, 0, 1, 1])
    gap = (runs[1].scores[0].value or 0) - (runs[0].scores[0].value or 0)
    assert found["x",].difference == pytest.approx(gap)
    assert found["x",].note.startswith("at the first run's other settings")
    added = effects([*runs[:3], scored("sum", 0.2)], x=[0, 1, 0, 1], y=[0, 0, 1, 1])
    assert {row.note for row in added.values()} == {"if effects add"}


def test_too_few_shared_items_give_no_effects() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3)]
    few = runs[1]._replace(samples={"arith": log([answer(item, right=1.0) for item in range(9)])})
    assert setting_effects(KEY, [runs[0], few, few], factors_of({"x": [0, 1, 1]})) == ()


def test_a_matrix_says_which_setting_did_it_and_which_run_to_make_next() -> None:
    runs = [
        scored("base", 0.6),
        scored("both", 0.3, **{"model_args.add_bos_token": True, "model_args.pretrained": "org/other-1b"}),
        scored("window", 0.6, **{"model_args.max_length": 64}),
    ]
    made = compare_many(runs)
    assert {row.settings for row in made.effects} == {
        ("model_args.add_bos_token", "model_args.pretrained"),
        ("model_args.max_length",),
    }
    assert set(made.next_settings) == {"model_args.add_bos_token", "model_args.pretrained"}
    assert made.next_run is not None
    assert made.next_run.changes == made.next_settings[0]
    assert ("add_bos_token=True" in made.next_run.command) != ("org/other-1b" in made.next_run.command)
    assert "attribution" in made.provenance.methods


def test_runs_that_differ_in_their_seeds_alone_repeat_each_other() -> None:
    runs = [
        scored("base", 0.6),
        scored("again", 0.6, random_seed=9),
        scored("window", 0.3, **{"model_args.max_length": 64}),
    ]
    assert [row.settings for row in compare_many(runs).effects] == [("model_args.max_length",)]


def test_a_setting_outside_the_harness_is_one_of_the_settings_of_many_runs() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3)._replace(context={"quant": "q4"}), scored("y", 0.6)]
    runs[0] = runs[0]._replace(context={"quant": "q8"})
    assert dict(compare_many(runs).settings)["context.quant"][:2] == ("q8", "q4")
