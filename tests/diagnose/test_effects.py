"""Which setting did it, among many runs: effects only where the runs tell them apart, and the run that would."""

from pathlib import Path

import pytest

from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.effects import judged_effects, setting_effects
from diptych.diagnose.varied_settings import factors_of
from diptych.harness.reader import read_run
from diptych.matrix import Matrix, SettingEffect
from diptych.report.documents.matrix import matrix_document
from diptych.report.writers.terminal import document_text
from diptych.run import Run, Score
from examples_runs import TASK, as_settings, run
from many_runs import CHAT, ITEMS, KEY, OTHER, PLACE, blind, scored
from sample_logs import answer, log

RUNS = Path(__file__).resolve().parents[2] / "site" / "runs"
CHATS = ("chat-3shot-multiturn", "chat-3shot-lmeval0.4.9.2")


def effects(runs: list[Run], **values: list[object]) -> dict[tuple[str, ...], SettingEffect]:
    found = setting_effects(KEY, runs, factors_of(values))
    return {row.settings: row for row in judged_effects(found, {KEY: True})}


def test_settings_changed_one_at_a_time_have_the_difference_of_their_own_pair() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.6)]
    found = effects(runs, x=[0, 1, 0], y=["p", "p", "q"])
    gap = (runs[1].scores[0].value or 0) - (runs[0].scores[0].value or 0)
    assert found["x",].difference == pytest.approx(gap)
    assert (found["x",].low or 0) < gap < (found["x",].high or 0) < 0
    assert (found["x",].note, found["x",].a, found["x",].b) == ("", 0, 1)
    assert (found["y",].p_adjusted or 0) > 0.05 > (found["x",].p_adjusted or 1)


def test_an_effect_carries_its_own_word_and_its_range_has_the_level_of_its_test() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.6)]
    found = effects(runs, x=[0, 1, 0], y=["p", "p", "q"])
    assert [found[key].status for key in (("x",), ("y",))] == ["worse", "unclear"]
    assert found["x",].confidence == pytest.approx(0.975)


def test_runs_that_score_alike_to_the_last_digit_have_no_sign() -> None:
    base = scored("base", 0.6)
    found = effects([base, base._replace(label="same"), scored("y", 0.3)], x=[0, 1, 0], y=[0, 0, 1])
    assert (found["x",].difference, found["x",].low, found["x",].status) == (0.0, None, "unclear")


def test_a_pair_that_differs_in_one_setting_alone_speaks_for_itself_wherever_it_stands() -> None:
    runs = [scored("base", 0.6), scored("y", 0.5), scored("both", 0.3), scored("z", 0.55)]
    found = effects(runs, x=[0, 0, 1, 0], y=[0, 1, 1, 0], z=[0, 0, 0, 1])
    own = (runs[2].scores[0].value or 0) - (runs[1].scores[0].value or 0)
    assert found["x",].difference == pytest.approx(own)
    assert (found["x",].a, found["x",].b) == (1, 2)
    assert found["x",].note.endswith(", which differ in this alone")


def test_what_comes_with_another_setting_here_is_named_where_it_changes_without_it_there() -> None:
    made = compare_many([read_run(str(RUNS / f"api-{name}")) for name in ("completions-3shot", *CHATS)])
    found = {each.settings: each for each in made.effects}
    assert set(found) == {("chat_template", "model"), ("fewshot_as_multiturn", "versions.lm_eval")}
    both = found["fewshot_as_multiturn", "versions.lm_eval"]
    assert both.note == f"by {' → '.join(f'api-{name}' for name in CHATS)}, which differ in these together"
    assert made.verdict is not None
    assert "fewshot_as_multiturn (true → false) and versions.lm_eval" in made.verdict.sentence
    assert "alone" not in made.verdict.sentence.partition("versions.lm_eval")[2].partition(";")[0]


def test_runs_of_equal_settings_that_differ_say_that_something_unrecorded_changed() -> None:
    made = compare_many([scored("base", 0.6), scored("again", 0.3), scored("batch", 0.6, batch_size=64)])
    assert any("an unrecorded setting changed" in finding.text for finding in made.findings)


def test_a_matrix_carries_its_own_verdict() -> None:
    made = compare_many([scored("base", 0.6), scored("x", 0.3, batch_size=64), scored("y", 0.6, device="cpu")])
    assert made.verdict is not None
    assert made.verdict.kind == "different"
    assert made.verdict.sentence == (
        "x is worse than base on arith: exact_match −30.0 pp (98.3 % CI −38.5 to −22.3); y is better than x on arith: "
        "exact_match +28.0 pp (97.5 % CI +20.9 to +35.8). base and x are equal in every recorded setting "
        "but batch_size, and yet differ in arith exact_match: batch_size moves scores that far only where something is "
        "broken (padding, a kernel), else an unrecorded setting changed. Best on arith by estimate: "
        "base, not separable from y. 2 of 3 pairs on 1 metric (Holm over all) differ significantly."
    )
    assert made.verdict.next_step.startswith(
        "Repeat x with batch_size as in base: scores as base's show that something"
    )
    assert made.next_run is None


def test_settings_that_always_change_together_are_one() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.5)]
    assert list(effects(runs, x=[0, 1, 1], y=[0, 1, 1])) == [("x", "y")]


def test_what_the_runs_do_not_tell_apart_gets_no_number() -> None:
    runs = [scored("base", 0.6), scored("both", 0.3), scored("one", 0.5), scored("other", 0.4)]
    found = effects(runs, x=[0, 1, 1, 0], y=[0, 1, 0, 1], z=[0, 0, 1, 1])
    assert all(row.difference is not None for row in found.values())
    assert {row.note for row in found.values()} == {"assuming additive effects"}
    found = effects(runs[:3], x=[0, 1, 1], y=[0, 1, 0], z=[0, 0, 1])
    assert [(row.difference, row.note) for row in found.values()] == [(None, "confounded with other settings")] * 3


def test_effects_that_do_not_add_are_told_at_the_first_runs_other_settings() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.5), scored("both", 0.6)]
    found = effects(runs, x=[0, 1, 0, 1], y=[0, 0, 1, 1])
    gap = (runs[1].scores[0].value or 0) - (runs[0].scores[0].value or 0)
    assert found["x",].difference == pytest.approx(gap)
    assert found["x",].note.startswith("at the first run's other settings")
    added = effects([*runs[:3], scored("sum", 0.2)], x=[0, 1, 0, 1], y=[0, 0, 1, 1])
    assert {row.note for row in added.values()} == {""}, "a pair's own difference needs no fit"


def test_too_few_shared_items_give_no_effects() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3)]
    few = runs[1]._replace(samples={"arith": log([answer(item, right=1.0) for item in range(9)])})
    assert setting_effects(KEY, [runs[0], few, few], factors_of({"x": [0, 1, 1]})) == []


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


def test_a_step_that_two_runs_show_alone_is_no_next_run_also_where_many_keys_name_its_model() -> None:
    tokens = {"model_args.add_bos_token": True, "model_args.max_length": 64}
    runs = [
        scored("base", 0.3),
        scored("tokens", 0.6, **tokens),
        scored("other", 0.5, **tokens, **{"model_args.pretrained": "org/other-1b"}),
        scored("short", 0.6, limit=100, **tokens),
    ]
    runs = [one._replace(context={"model_file": "y" if one.label == "other" else "x"}) for one in runs]
    made = compare_many(runs)
    assert not any("limit" in row.settings for row in made.effects)
    assert set(made.next_settings) == set(tokens)


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


def test_an_effect_is_better_where_it_goes_the_metrics_way() -> None:
    for higher, word in ((True, "better"), (False, "worse")):
        runs = [scored("base", 0.2), scored("more", 0.8)]
        found = setting_effects(KEY, runs, factors_of({"x": [0, 1]}))
        assert [row.status for row in judged_effects(found, {KEY: higher})] == [word]


def design(*cells: tuple[str, float, dict[str, object]]) -> Matrix:
    return compare_many([scored(label, share, **settings) for label, share, settings in cells])


def parts_of(made: Matrix) -> tuple[tuple[str, ...], str]:
    assert made.verdict is not None
    assert made.verdict.sentence == " ".join(made.verdict.parts)
    return made.verdict.parts, made.verdict.next_step


def test_a_full_design_names_the_setting_that_moved_the_score_and_the_one_that_did_not_and_asks_for_no_run() -> None:
    made = design(("base", 0.7, {}), ("a", 0.3, CHAT), ("b", 0.7, OTHER), ("both", 0.3, {**CHAT, **OTHER}))
    parts, then = parts_of(made)
    assert parts[0].startswith("chat_template (off → on) moves arith exact_match −")
    assert parts[0].endswith("), worse.")
    assert "CI −" in parts[0]
    assert parts[1] == "Best on arith by estimate: base, not separable from b."
    assert parts[2].startswith("No significant effect: ")
    assert "model_args.pretrained (org/base-1b → org/other-1b): " in parts[2]
    assert " % CI " in parts[2]
    assert made.next_run is None
    assert then == "No further run: each setting that moved a score was changed alone."


def test_a_null_effect_of_settings_that_changed_together_asks_for_no_run_and_one_that_moved_does() -> None:
    together = {**OTHER, "model_args.add_bos_token": True}
    still = design(("base", 0.7, {}), ("a", 0.3, CHAT), ("b", 0.7, together))
    assert still.next_run is None
    moved = design(("base", 0.7, {}), ("a", 0.7, CHAT), ("b", 0.3, together))
    assert moved.next_run is not None
    assert moved.next_run.changes in moved.next_settings
    assert "here it changed with" in parts_of(moved)[1]


def test_two_settings_that_each_moved_a_score_ask_for_the_run_that_has_both() -> None:
    made = design(("base", 0.7, {}), ("a", 0.3, CHAT), ("b", 0.45, OTHER))
    assert made.next_run is not None
    assert "no run has both changes, so whether their effects add is not seen" in parts_of(made)[1]
    assert "--apply_chat_template" in made.next_run.command
    assert "org/other-1b" in made.next_run.command


def test_where_nothing_moved_the_next_step_is_more_items_and_no_run() -> None:
    made = design(("base", 0.6, {}), ("a", 0.6, CHAT), ("b", 0.6, OTHER))
    assert made.next_run is None
    assert parts_of(made)[1].startswith("No single change is shown to move a score. ")
    assert "would be needed to see a difference of ±1.0 pp, the equivalence margin" in parts_of(made)[1]
    assert "arith has no more items" in parts_of(made)[1]


def test_a_field_of_a_task_is_one_of_the_settings_of_many_runs() -> None:
    runs = [scored("base", 0.7), scored("a", 0.3, "Now this question"), scored("b", 0.7, **OTHER)]
    texts = ("{{question}}", "{{question}} now", "{{question}}")
    runs = [one._replace(configs={"arith": {"doc_to_text": text}}) for one, text in zip(runs, texts, strict=True)]
    made = compare_many(runs)
    assert parts_of(made)[0][0].startswith("arith.doc_to_text ({{question}} → {{question}} now) moves arith")


def test_without_samples_what_is_confounded_is_named_by_its_runs_and_samples_are_asked_for() -> None:
    cells = (("base", 0.6, {}), ("a", 0.6, {**CHAT, **OTHER}), ("b", 0.6, {**CHAT, "model_args.max_length": 64}))
    made = compare_many([scored(label, share, **settings)._replace(samples={}) for label, share, settings in cells])
    parts, then = parts_of(made)
    assert made.effects == ()
    assert parts[0] == "Inconclusive: no two runs differ significantly, 3 pairs on 1 metric (Holm over all)."
    assert then.startswith("Run all with --log_samples")


def test_the_effects_of_primary_metrics_are_a_family_of_their_own() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3), scored("y", 0.6)]
    found = setting_effects(KEY, runs, factors_of({"x": [0, 1, 0]}))
    again = [each._replace(effect=each.effect._replace(filter="strict")) for each in found]
    one, other = judged_effects([*found, *again], {KEY: True}, {KEY})
    assert (one.confidence, other.confidence) == (0.95, 0.95)


def test_an_effect_of_exactly_nought_has_its_range_and_no_sign() -> None:
    base, moved = [1.0] * 100 + [0.0] * 100, [1.0] * 95 + [0.0] * 100 + [1.0] * 5
    runs = [of_items("base", base), of_items("x", moved), of_items("y", base, **OTHER)]
    found = effects(runs, x=[0, 1, 0], y=[0, 0, 1])["x",]
    assert (found.difference, found.status, found.p_value) == (0.0, "unclear", 1.0)
    assert (found.low or 0.0) < 0 < (found.high or 0.0)


def of_items(label: str, right: list[float], **settings: object) -> Run:
    """A run with the given item scores."""
    records = [answer(item, f"{label} says {item}", right=bit) for item, bit in enumerate(right)]
    scores = (Score(*KEY, sum(right) / len(right), 0.03, True, items=len(right)),)
    return run(settings, label=label, scores=scores, samples={"arith": log(records)})


def test_settings_that_act_only_together_are_said_to_and_no_more_items_are_asked_for() -> None:
    tokens = {"model_args.add_bos_token": True}
    made = design(("base", 0.5, {}), ("a", 0.5, tokens), ("b", 0.5, OTHER), ("both", 0.8, {**tokens, **OTHER}))
    parts, then = parts_of(made)
    assert "together move arith exact_match +" in parts[0]
    assert "their effects do not add" in parts[0]
    assert parts[1] == "Best on arith: both, significantly ahead of every other."
    assert parts[2].startswith("No significant effect: ")
    assert then == "No further run: what acts only where both are changed is shown by the run that has both."


def test_where_no_contrast_can_be_made_two_runs_that_differ_in_one_setting_speak_for_it() -> None:
    cells = (("base", 0.7, {}), ("a", 0.3, CHAT), ("b", 0.7, OTHER))
    bare = [scored(label, share, **settings) for label, share, settings in cells]
    made = compare_many([bare[0], bare[1]._replace(samples={}), bare[2]])
    found = {row.settings: row for row in made.effects}
    assert (found["chat_template",].status, found["chat_template",].a, found["chat_template",].b) == ("worse", 0, 1)
    cell = next(cell for cell in made.rows[0].cells if (cell.a, cell.b) == (0, 1))
    assert (found["chat_template",].low, found["chat_template",].high) == (cell.low, cell.high)
    assert parts_of(made)[0][0].startswith("chat_template (off → on) moves arith")


def test_a_pair_that_stands_the_other_way_round_is_turned() -> None:
    runs = [scored("base", 0.7), scored("both", 0.3, **CHAT, **OTHER), scored("b", 0.7, **OTHER)]
    made = compare_many([one._replace(samples={}) if one.label == "both" else one for one in runs])
    found = {row.settings: row for row in made.effects}["chat_template",]
    assert (found.a, found.b, found.status) == (2, 1, "worse")
    assert (found.low or 0) < (found.difference or 0) < (found.high or 0) < 0


def bench(label: str, shares: tuple[float, ...], **settings: object) -> Run:
    """A run of a benchmark of several parts."""
    parts = [scored(f"{label}{at}", share, **settings) for at, share in enumerate(shares)]
    names = [f"part_{at}" for at in range(len(parts))]
    scores = [part.scores[0]._replace(task=name) for name, part in zip(names, parts, strict=True)]
    whole = sum(score.value or 0 for score in scores) / len(scores)
    logs = {name: log([*part.samples["arith"].records], task=name) for name, part in zip(names, parts, strict=True)}
    one = run(settings, {name: {} for name in names}, label=label)
    head = Score("bench", "exact_match", "none", whole, 0.02, True, group=True, items=ITEMS * len(parts))
    return one._replace(scores=(head, *scores), samples=logs, groups={"bench": tuple(names)})


def test_subtasks_that_fall_and_rise_behind_an_equal_benchmark_are_said() -> None:
    equal = (0.6, 0.6, 0.6)
    parts, _ = parts_of(compare_many([bench("base", equal), bench("a", (0.4, 0.8, 0.6), **OTHER), bench("b", equal)]))
    said = next(part for part in parts if part.startswith("Behind the benchmark's own row: "))
    assert "a is worse than base on part_0" in said
    assert "a is better than base on part_1" in said
    assert not any("part_2" in part for part in parts)


def test_a_benchmarks_own_row_leads_many_runs_and_its_subtasks_stand_behind_it() -> None:
    made = compare_many(
        [bench("base", (0.6, 0.6, 0.6)), bench("a", (0.5, 0.5, 0.5), **OTHER), bench("b", (0.6, 0.6, 0.6))]
    )
    assert [(row.task, row.primary, row.group) for row in made.rows if row.primary] == [("bench", True, True)]
    assert len(made.rows) == 4
    assert parts_of(made)[0][0].startswith("model_args.pretrained (org/base-1b → org/other-1b) moves bench exact_match")


def test_a_run_that_stands_in_no_pair_is_named_with_the_reason() -> None:
    silent = [answer(item, "", right=0.0, filtered="") for item in range(ITEMS)]
    empty = scored("silent", 0.3)._replace(samples={"arith": log(silent)})
    parts, _ = parts_of(compare_many([scored("base", 0.7), scored("a", 0.3, **CHAT), empty]))
    assert "silent stands in no pair on arith: 200 of 200 of silent's answers are empty: not a measurement." in parts


def test_a_metric_of_no_known_direction_is_moved_and_no_run_is_called_better() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3, **CHAT), scored("y", 0.6, **OTHER)]
    made = compare_many([blind(one) for one in runs])
    parts, _ = parts_of(made)
    assert parts[0].startswith("chat_template (off → on) moves arith oddity −")
    assert not parts[0].endswith(("worse.", "better."))
    assert parts[-1].endswith("no file says which way oddity goes.")


def test_a_setting_with_a_value_for_each_of_many_runs_names_the_runs() -> None:
    runs = [scored(f"r{at}", 0.6 - 0.4 * (at == 3), **{"model_args.revision": f"step{at}"}) for at in range(14)]
    made = compare_many(runs)
    assert made.effects == ()
    assert parts_of(made)[0][0].startswith("r3 is worse than r0 on arith")
    assert made.next_run is None


def test_a_run_that_answers_as_the_first_to_the_last_digit_tests_nothing_and_is_said_to() -> None:
    base = scored("base", 0.7)
    moved = base._replace(label="moved", settings=scored("moved", 0.7, **PLACE).settings)
    alone = compare_many([base, moved, scored("x", 0.3, **OTHER)])
    assert [(each.settings, each.b) for each in alone.effects] == [(("model_args.pretrained",), 2)]
    said = [part for part in parts_of(alone)[0] if "/mnt/org/base-1b" in part]
    assert said == [
        "Every response and score of moved is that of base on all shared items: "
        "model_args.pretrained (org/base-1b → /mnt/org/base-1b) cannot have acted."
    ]
    text = document_text(matrix_document(alone), full=True)
    shown = text.split("DIFFERENCES FROM BASE")[1].split("VERDICT")[0]
    assert [" ".join(line.split()[-3:]) for line in shown.splitlines() if "moved" in line] == ["no item changed"]


def test_another_run_at_the_place_of_the_first_runs_double_shows_its_own_setting_alone() -> None:
    base = scored("base", 0.7)
    moved = base._replace(label="moved", settings=scored("moved", 0.7, **PLACE).settings)
    made = compare_many([base, moved, scored("x", 0.3, **PLACE, **CHAT)])
    assert [(each.settings, each.a, each.b) for each in made.effects] == [(("chat_template",), 1, 2)]
    assert not any(part.startswith("No significant effect") for part in parts_of(made)[0])


def served(label: str, share: float, heat: float, seed: int | None = None, **settings: object) -> Run:
    """A run of a server, at a temperature and with a seed."""
    made = scored(label, share, **{"model": "local-completions", **settings})
    asked = as_settings({**TASK, "gen_kwargs.temperature": heat, **({} if seed is None else {"gen_kwargs.seed": seed})})
    return made._replace(task_settings={"arith": asked})


def test_a_step_to_drawing_names_its_seed_and_is_told_by_the_mean_of_runs_with_other_seeds() -> None:
    base, other = served("base", 0.7, 0.0), served("x", 0.7, 0.0, **OTHER)
    drawn = [served("s1", 0.4, 0.8, 1), served("s2", 0.5, 0.8, 2)]
    one, both = (
        next(row for row in compare_many(runs).effects if row.settings == ("gen_kwargs.temperature",))
        for runs in ([base, drawn[0], other], [base, *drawn, other])
    )
    assert one.note == "by base → s1, which differ in this and in gen_kwargs.seed (not given → 1)"
    assert both.note == "by base → the mean of s1 and s2, which differ in this and in seeds"
    scores = [each.scores[0].value or 0 for each in (base, *drawn)]
    assert both.difference == pytest.approx((scores[1] + scores[2]) / 2 - scores[0])


def test_an_effect_that_is_not_significant_says_by_which_runs_it_is_estimated() -> None:
    runs = [
        scored("base", 0.7, **{"model_args.max_length": 64, "num_fewshot": 0}),
        scored("y", 0.7, **OTHER),
        scored("both", 0.7, **OTHER, **CHAT),
    ]
    said = next(part for part in parts_of(compare_many(runs))[0] if "chat_template" in part)
    assert ", by y → both" in said


def test_what_two_runs_show_by_themselves_has_the_range_and_the_word_of_that_pair_among_all_pairs() -> None:
    shares = (0.5, 0.52, 0.54, 0.62, 0.68)
    named = [{"model_args.revision": f"step{at}"} for at in range(len(shares))]
    made = compare_many([scored(f"s{at}", share, **named[at]) for at, share in enumerate(shares)])
    cells = {(cell.a, cell.b): cell for cell in made.rows[0].cells}
    words = {each.b: each.status for each in made.effects}
    assert words == {1: "unclear", 2: "unclear", 3: "better", 4: "better"}
    assert words == {place: cells[0, place].status for place in words}
    assert all((each.low, each.high) == (cells[0, each.b].low, cells[0, each.b].high) for each in made.effects)
    told = parts_of(made)[0]
    assert [f"step{place}" in part for place, part in zip((4, 3), told, strict=False)] == [True, True]
    assert [part for part in told if "step1" in part or "step2" in part] == [
        part for part in told if part.startswith("No significant effect")
    ]


def test_a_sign_of_the_answer_stands_before_no_sentence_on_something_else() -> None:
    stages: list[dict[str, object]] = [{"model_args.revision": f"step{at}"} for at in range(5)]
    stages[2] |= CHAT
    runs = [scored(f"s{at}", share, **stages[at]) for at, share in enumerate((0.4, 0.5, 0.4, 0.6, 0.7))]
    made = compare_many(runs)
    first = parts_of(made)[0][0]
    assert first.startswith("s2 ran with")
    lines = document_text(matrix_document(made)).splitlines()
    assert lines[0].startswith("▲")
    assert "better than s0 (baseline)" in lines[0]
    assert first[:20] in lines[1]
