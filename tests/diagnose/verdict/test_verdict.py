"""What may be concluded from two runs: who leads, how surely, and what is said, on small runs written as files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.verdict.rows_apart import filters_apart
from diptych.estimates import Estimate, MetricComparison
from diptych.harness.reader import read_run
from diptych.metric_key import MetricKey
from diptych.report.documents.headline import headline
from verdict_runs import ITEMS, Records, answers, asking, compared, document, prompted
from written_runs import ABSENT, Json, choice_record, sha, write_run

LONG = "First I add the tens of the two numbers and then I add their ones, and so the sum of both of them is"
SAME_MODEL = {"pretrained": "org/base-1b", "dtype": "float32"}


def leads(made: Comparison) -> tuple[list[str], str]:
    """Return who leads, alone or together, and how surely."""
    verdict = made.verdict
    alone = [verdict.leading_cause] if verdict.leading_cause else []
    return alone or [one.key for one in verdict.suspects], verdict.standing


def shots(number: int) -> Callable[[str], str]:
    """Return what puts so many worked examples before a question."""
    return lambda prompt: "".join(f"Q{100 + place}\nA: 4\n\n" for place in range(number)) + prompt


def test_a_text_that_is_recorded_nowhere_is_no_system_instruction(tmp_path: Path) -> None:
    dated = prompted(answers(range(20)), lambda prompt: f"Today is the first of May.\n\n{prompt}")
    made = compared(tmp_path, answers(), dated)
    assert leads(made) == ([], "none")
    assert "system_instruction" not in made.ranking
    assert "no recorded setting explains that" in made.verdict.sentence


def test_a_description_whose_text_stands_in_the_prompts_leads(tmp_path: Path) -> None:
    text = "Give the number alone. "
    told = prompted(answers(range(20)), lambda prompt: text + prompt)
    made = compared(tmp_path, answers(), told, configs__arith__description=text)
    assert leads(made) == (["arith.description"], "supported")
    other = compared(tmp_path / "other", answers(), told, configs__arith__description="Answer in one word only. ")
    assert leads(other)[0] == []


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"num_experts_to_prune": 2}, "num_experts_to_prune"),
        ({"git_hash": "fff0000"}, "git_hash"),
        ({"configs__arith__doc_to_text": "Q: {{question}}"}, "arith.doc_to_text"),
        ({"configs__arith__metadata": {"version": 1.0, "max_seq_lengths": [4096]}}, "arith.metadata.max_seq_lengths"),
        (
            {"config__model_args": SAME_MODEL | {"more": {"x": 1}}},
            "model_args.more.x",
        ),
    ],
)
def test_whatever_differs_without_samples_may_be_the_cause(tmp_path: Path, changes: dict[str, Json], key: str) -> None:
    assert leads(compared(tmp_path, answers(), answers(range(20)), logged=False, **changes)) == ([key], "possible")


def test_a_side_without_a_config_has_unknown_settings(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(range(20)), config=ABSENT)
    assert "config is missing" in made.verdict.sentence
    assert "settings_unknown" in {finding.kind for finding in made.findings}


def test_shots_lead_alone_and_are_never_proven_for_the_gap(tmp_path: Path) -> None:
    fewer = prompted(answers(range(20)), shots(2))
    made = compared(tmp_path, prompted(answers(), shots(3)), fewer,
                    before={"n_shot": {"arith": 3}}, n_shot={"arith": 2}, config__batch_size="1")  # fmt: skip
    assert leads(made) == (["num_fewshot"], "supported")


@pytest.mark.parametrize(
    "changes",
    [
        {"config__model_sha": "b" * 40},
        {"config__model_num_parameters": 2},
        {"config__peft_sha": "b" * 40},
        {"config__model_args": "pretrained=org/other-7b,dtype=float32"},
    ],
)
def test_a_recorded_other_model_is_a_rival_of_the_shots_and_is_said_first(
    tmp_path: Path, changes: dict[str, Json]
) -> None:
    key = next(iter(changes)).partition("__")[2]
    before: dict[str, Json] = {"n_shot": {"arith": 3}}
    if key != "model_args":
        before[f"config__{key}"] = "a" * 40 if isinstance(changes[f"config__{key}"], str) else 1
    made = compared(
        tmp_path, prompted(answers(), shots(3)), prompted(answers(range(20)), shots(2)), before=before,
        n_shot={"arith": 2}, **changes,
    )  # fmt: skip
    found, sure = leads(made)
    assert sure == "supported"
    assert {"num_fewshot", "model_args.pretrained" if key == "model_args" else key} == set(found)
    assert made.verdict.models_differ
    assert made.verdict.sentence.startswith(
        ("Two models", "One model with another adapter", "Two commits of one model")
    )


def test_a_commit_of_one_model_leads_alone_where_no_version_may_have_acted_beside_it(tmp_path: Path) -> None:
    moved = answers(range(20), lambda number: f"I say {number}.")
    before = {"config__model_sha": "a" * 40}
    alone = compared(tmp_path / "alone", answers(), moved, before=before, config__model_sha="b" * 40)
    assert leads(alone) == (["model_sha"], "supported")
    assert alone.verdict.sentence.startswith("Two commits of one model on record (model_sha aaaaaaa → bbbbbbb): ")
    for place, change in enumerate(({"transformers_version": "4.58.0"}, {"lm_eval_version": "0.4.11"})):
        beside = compared(tmp_path / str(place), answers(), moved, before=before, config__model_sha="b" * 40, **change)
        assert leads(beside) == (["model_sha", f"versions.{next(iter(change)).removesuffix('_version')}"], "possible")
        assert "nothing in the files shows which of them acted; model_sha is the likelier" in beside.verdict.sentence
    sizes = {"config__model_num_parameters": 1}
    other = compared(
        tmp_path / "size", answers(), moved, before=before | sizes, config__model_sha="b" * 40,
        config__model_num_parameters=2, transformers_version="4.58.0",
    )  # fmt: skip
    assert leads(other) == (["model_num_parameters"], "supported")


def test_a_checkpoint_written_beside_the_run_is_a_model(tmp_path: Path) -> None:
    contexts = {"checkpoint": "step-100"}, {"checkpoint": "step-900"}
    made = compared(tmp_path, answers(), answers(range(20), lambda number: f"I say {number}."), contexts=contexts)
    assert leads(made) == (["context.checkpoint"], "supported")


def test_a_dtype_and_a_version_are_no_rivals_of_what_changed_the_prompts(tmp_path: Path) -> None:
    a, b = prompted(answers(), shots(3)), prompted(answers(range(20)), shots(2))
    made = compared(
        tmp_path, a, b, before={"n_shot": {"arith": 3}}, n_shot={"arith": 2},
        config__model_args="pretrained=org/base-1b,dtype=bfloat16", lm_eval_version="0.4.9",
    )  # fmt: skip
    assert leads(made) == (["num_fewshot"], "supported")


def cut_at(tokens: int) -> Callable[[int], str]:
    """Return what writes long answers, cut after so many words."""
    return lambda number: " ".join(f"{number} and {LONG}".split()[:tokens])


def test_a_budget_is_not_proven_where_equal_answers_were_scored_otherwise(tmp_path: Path) -> None:
    def twenty_long(tokens: int) -> Callable[[int], str]:
        return lambda number: cut_at(tokens)(number) if number < 20 else "The answer is 4."

    a = asking(answers(range(0), twenty_long(99)), max_gen_toks=512)
    b = asking(answers(range(20), twenty_long(12)), max_gen_toks=14)
    assert leads(compared(tmp_path / "cut", a, b))[1] == "proven"
    for record in b[30:45]:
        record["exact_match"] = 0.0
    assert leads(compared(tmp_path / "scored", a, b))[1] != "proven"


def test_answers_that_are_the_other_side_s_cut_at_the_budget_prove_it(tmp_path: Path) -> None:
    a = asking(answers(range(0), cut_at(99)), max_gen_toks=512)
    b = asking(answers(range(20), cut_at(12)), max_gen_toks=14)
    made = compared(tmp_path, a, b)
    assert leads(made) == (["gen_kwargs.max_gen_toks"], "proven")
    assert made.verdict.mechanism == "cut_at_budget"


@pytest.mark.parametrize(
    "text", [lambda number: f"It is {number}.", cut_at(99), lambda number: cut_at(12)(59 - number)],
    ids=["short", "longer than its budget", "of other items"],
)  # fmt: skip
def test_a_budget_that_cut_nothing_never_leads(tmp_path: Path, text: Callable[[int], str]) -> None:
    a = asking(answers(range(0), lambda number: f"So {number} and {LONG} {number}."), max_gen_toks=512)
    made = compared(tmp_path, a, asking(answers(range(20), text), max_gen_toks=14))
    assert "gen_kwargs.max_gen_toks" not in leads(made)[0]
    assert "Nothing recorded differs" not in made.verdict.sentence


def test_answers_cut_at_a_stop_string_prove_it(tmp_path: Path) -> None:
    a = asking(answers(range(0), lambda number: f"So {number}.\n\nThe answer is 4."), until=["</s>"])
    b = asking(answers(range(20), lambda number: f"So {number}."), until=["\n\n"])
    assert leads(compared(tmp_path, a, b)) == (["gen_kwargs.until"], "proven")


def test_a_filter_that_changed_on_equal_responses_is_proven(tmp_path: Path) -> None:
    b = [record | {"filtered_resps": ["[invalid]"]} if record["doc_id"] < 20 else record for record in answers()]
    for record in b[:20]:
        record["exact_match"] = 0.0
    steps = [{"name": "none", "filter": [{"function": "regex", "regex_pattern": "x"}]}]
    made = compared(tmp_path, answers(), b, configs__arith__filter_list=steps)
    assert (leads(made)[1], made.verdict.mechanism) == ("proven", "extraction_only")
    assert (made.verdict.leading_cause or "").startswith("arith.filter_list")


def test_a_scorer_that_changed_on_equal_responses_leads_and_says_so(tmp_path: Path) -> None:
    b = [record | {"exact_match": 0.0} if record["doc_id"] < 20 else record for record in answers()]
    made = compared(tmp_path, answers(), b, configs__arith__process_results="def f(doc, results): ...")
    assert (leads(made), made.verdict.mechanism) == ((["arith.process_results"], "proven"), "scoring_only")
    assert "the scoring changed, not the model" in made.verdict.sentence
    assert "scorer_changed" in {finding.kind for finding in made.findings}
    other = compared(tmp_path / "commit", answers(), b, git_hash="fff0000")
    assert leads(other) == (["git_hash"], "possible")


@pytest.mark.parametrize(("moved", "first"), [(range(20), "b is worse than a"), (range(1), "inconclusive whether b")])
def test_what_is_made_of_equal_responses_is_told_before_any_word_on_the_scores(
    tmp_path: Path, moved: range, first: str
) -> None:
    for place, given in enumerate(({"exact_match": 0.0}, {"exact_match": 0.0, "filtered_resps": ["[invalid]"]})):
        b = [record | given if record["doc_id"] in moved else record for record in answers()]
        verdict = compared(tmp_path / str(place), answers(), b, lm_eval_version="0.4.11").verdict
        what = ("the scoring changed", "what the filters find in them changed")[place]
        number = f"{len(moved)} of them {'is' if len(moved) == 1 else 'are'} scored otherwise"
        same = "Every response of b and a (baseline) is the same on 60 shared items of arith"
        start = f"{same}, and {number}: {what}, not the"
        assert verdict.sentence.startswith(f"{start} model; as scored, {first}")
        turned = compared(tmp_path / f"turned {place}", b, answers(), lm_eval_version="0.4.11").verdict
        assert turned.sentence.startswith(f"{start} model; as scored, ")


def test_a_rule_that_scores_alike_asks_for_no_judge(tmp_path: Path) -> None:
    b = [record | {"exact_match": 0.0} if record["doc_id"] < 20 else record for record in answers()]
    made = compared(tmp_path / "rule", answers(), b, lm_eval_version="0.4.11")
    assert "with one version of the harness" in made.verdict.next_step
    assert "judge" not in made.verdict.next_step
    assert headline(made)[:2] == ("≠", "scored otherwise on arith, every response the same")
    sides = [
        [{**record, "graded": record["exact_match"], "metrics": ["graded"]} for record in one] for one in (answers(), b)
    ]
    for record in (*sides[0], *sides[1]):
        del record["exact_match"]
    judged = compared(tmp_path / "judged", *sides, metric="graded", lm_eval_version="0.4.11")
    assert "one judge" in judged.verdict.next_step


def test_one_word_in_a_budget_of_one_token_is_whole(tmp_path: Path) -> None:
    a = asking(answers(range(0), lambda number: "No"), max_gen_toks=1)
    b = asking(answers(range(20), lambda number: "Yes" if number < 20 else "No"), max_gen_toks=1)
    made = compared(tmp_path, a, b)
    assert made.verdict.kind == "different"
    assert not {finding.kind for finding in made.findings} & {"answers_cut", "answers_broken"}


def test_a_part_of_cut_answers_is_said_with_the_score_of_the_others(tmp_path: Path) -> None:
    b = answers(range(25), lambda number: f"{number} and {LONG}" if number < 21 else "The answer is 4.")
    made = compared(tmp_path, asking(answers(), max_gen_toks=24), asking(b, max_gen_toks=24))
    assert "21 of 60 responses of b in arith appear truncated at max_gen_toks" in made.verdict.sentence
    assert "over the 39 items that both sides completed" in made.verdict.sentence


@pytest.mark.parametrize(
    ("name", "value"),
    [("lora_local_path", "adapters/x"), ("revision", "v2"), ("gguf_file", "x.gguf"), ("load_in_4bit", True)],
)
def test_another_model_with_equal_long_answers_was_not_applied(tmp_path: Path, name: str, value: Json) -> None:
    long = answers(range(9), lambda number: f"{number}: {LONG} {number + 1}.")
    changed = {"pretrained": "org/base-1b", "dtype": "float32", name: value}
    made = compared(tmp_path, long, long, config__model_args=changed)
    assert made.verdict.kind == "not_a_measurement"
    assert "adapter_not_applied" in {finding.kind for finding in made.findings}
    assert name in made.verdict.next_step
    assert made.verdict.models_differ


def test_log_likelihoods_that_agree_to_the_last_digit_speak_for_the_short_answers_beside_them(tmp_path: Path) -> None:
    leads = [[[[str(-0.5 - number / 64), "True"]], [["-3.25", "False"]]] for number in range(ITEMS)]
    short, choices = answers(), [choice_record(number, number % 3 > 0, resps=leads[number]) for number in range(ITEMS)]
    paths = []
    for name, more in (("a", {}), ("b", {"peft": "org/lora"})):
        made = document(short, config__model_args=SAME_MODEL | more)
        made["results"]["facts"] = {"alias": "facts", "acc,none": 2 / 3, "acc_stderr,none": 0.061}
        made["configs"]["facts"] = {
            "task": "facts",
            "output_type": "multiple_choice",
            "metric_list": [{"metric": "acc"}],
        }
        made["n-samples"]["facts"] = {"original": ITEMS, "effective": ITEMS}
        made["higher_is_better"]["facts"] = {"acc": True}
        paths.append(write_run(tmp_path / name, made, {"arith": short, "facts": choices}))
    verdict = compare_runs(*(read_run(str(path)) for path in paths)).verdict
    assert verdict.kind == "not_a_measurement"
    assert "One model, in b with an adapter (model_args.peft lora): " in verdict.sentence


def test_short_equal_answers_do_not_show_whether_another_model_was_applied(tmp_path: Path) -> None:
    changed = {"pretrained": "org/base-1b", "dtype": "float32", "revision": "v2"}
    made = compared(tmp_path, answers(), answers(), config__model_args=changed)
    assert made.verdict.kind == "identical"
    assert "whether model_args.revision was applied cannot be seen" in made.verdict.sentence


def test_one_file_on_both_sides_is_identical_with_and_without_samples(tmp_path: Path) -> None:
    for logged in (True, False):
        path = write_run(tmp_path / str(logged), document(answers()), {"arith": answers()} if logged else None)
        one = read_run(str(path))
        assert compare_runs(one, one).verdict.kind == "identical"


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ({"config__model_args": "base_url=http://u:one@host:8000/v1"}, {"config__model_args": "base_url=http://u:two@host:8000/v1"}),
        ({"config__model_args": "base_url=http://localhost:1/v1"}, {"config__model_args": "base_url=http://127.0.0.1:1/v1"}),
        ({}, {"config__total_energy_joules": 3.5}),
        ({}, {"config__random_seed": 7}),
        ({}, {"config__bootstrap_iters": 10}),
    ],
    ids=["credentials", "alias", "energy", "seed", "draws of the error"],
)  # fmt: skip
def test_what_cannot_act_never_leads(tmp_path: Path, before: dict[str, Json], changes: dict[str, Json]) -> None:
    for logged in (True, False):
        made = compared(tmp_path / str(logged), answers(), answers(range(20)), logged=logged, before=before, **changes)
        assert leads(made) == ([], "none")


def test_a_temperature_that_a_local_backend_ignores_never_leads(tmp_path: Path) -> None:
    a = asking(answers(), do_sample=False, temperature=0.0)
    b = asking(answers(range(20)), do_sample=False, temperature=0.9)
    assert leads(compared(tmp_path, a, b))[0] == []


def test_batching_moves_answers_one_way_by_much_only_where_something_is_broken(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(range(20)), config__batch_size="1")
    assert leads(made) == ([], "none")
    assert "only where something is broken" in made.verdict.sentence
    assert [row.standing for row in made.settings] == ["can"]


def test_two_that_fit_alike_are_named_together(tmp_path: Path) -> None:
    args = "pretrained=org/other-7b,dtype=float32,add_bos_token=True"
    made = compared(tmp_path, answers(), answers(range(20), lambda number: f"Hm, {number}."), config__model_args=args)
    assert leads(made) == (["model_args.add_bos_token", "model_args.pretrained"], "supported")
    assert made.verdict.leading_cause is None
    assert made.verdict.isolating_run is not None
    assert {row.standing for row in made.settings} == {"explains"}


def test_cut_answers_and_other_shots_left_their_marks_together(tmp_path: Path) -> None:
    a = asking(prompted(answers(), shots(3)), max_gen_toks=512)
    b = asking(prompted(answers(range(60), lambda number: f"{number} and {LONG}"), shots(2)), max_gen_toks=24)
    made = compared(tmp_path, a, b, before={"n_shot": {"arith": 3}}, n_shot={"arith": 2})
    assert made.verdict.kind == "not_a_measurement"
    assert set(leads(made)[0]) == {"num_fewshot", "gen_kwargs.max_gen_toks"}


def test_other_examples_lead_over_a_temperature(tmp_path: Path) -> None:
    a = asking(prompted(answers(), lambda prompt: f"Q7\nA: 4\n\n{prompt}"), temperature=0.0)
    b = asking(prompted(answers(range(20)), lambda prompt: f"Q8\nA: 5\n\n{prompt}"), temperature=0.8)
    one = {"n_shot": {"arith": 1}}
    made = compared(tmp_path, a, b, before=one, n_shot={"arith": 1}, config__fewshot_seed=9)
    assert leads(made) == (["fewshot_seed"], "supported")


@pytest.mark.parametrize("ahead", ["Be brief.\n\n", "Be brief.\n\nGive a number.\n\n", "Be brief.\n\nGive a number. "])
def test_a_text_in_front_of_the_same_examples_is_no_example(tmp_path: Path, ahead: str) -> None:
    a, b = prompted(answers(), shots(3)), prompted(answers(range(20)), lambda prompt: f"{ahead}{shots(3)(prompt)}")
    three = {"n_shot": {"arith": 3}}
    made = compared(tmp_path, a, b, before=three, n_shot={"arith": 3}, system_instruction=ahead)
    assert leads(made) == (["system_instruction"], "supported")
    assert "example" not in " ".join((made.verdict.sentence, made.verdict.next_step))
    assert {"prompt_system_text", "prompt_examples"} & {one.kind for one in made.findings} == {"prompt_system_text"}


def test_two_seeds_of_one_configuration_are_repeats(tmp_path: Path) -> None:
    a = asking(answers(range(5)), temperature=0.8, seed=1, do_sample=True)
    b = asking(answers(range(5, 9)), temperature=0.8, seed=2, do_sample=True)
    made = compared(tmp_path, a, b)
    assert leads(made) == ([], "none")
    assert "noise" in made.verdict.next_step
    assert made.verdict.isolating_run is None


def test_where_both_sides_draw_another_engine_is_at_most_possible(tmp_path: Path) -> None:
    a, b = (asking(answers(wrong), temperature=0.8, do_sample=True) for wrong in (range(5), range(5, 9)))
    made = compared(tmp_path, a, b, contexts=({"engine": "x"}, {"engine": "y"}))
    assert leads(made) == (["context.engine"], "possible")


def test_a_run_that_is_b_is_not_asked_for(tmp_path: Path) -> None:
    made = compared(tmp_path, prompted(answers(), shots(3)), answers(range(20)), before={"n_shot": {"arith": 3}})
    assert leads(made) == (["num_fewshot"], "supported")
    assert made.verdict.isolating_run is None
    assert made.verdict.next_run_exists
    assert "no further run is needed to isolate it" in made.verdict.next_step


def test_a_limit_is_proven_by_equal_shared_items_and_needs_no_run(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(range(9)), answers(range(9))[:30], config__limit=30)
    assert (leads(made), made.verdict.mechanism) == ((["limit"], "proven"), "item_sets")
    assert made.verdict.isolating_run is None


def test_choices_in_another_order_are_named(tmp_path: Path) -> None:
    a = [choice_record(number, True) for number in range(ITEMS)]
    b = [choice_record(number, number > 20) for number in range(ITEMS)]
    for record in b:
        first, second = record["arguments"]["gen_args_0"]["arg_1"], record["arguments"]["gen_args_1"]["arg_1"]
        record["arguments"]["gen_args_0"]["arg_1"], record["arguments"]["gen_args_1"]["arg_1"] = second, first
    made = compared(tmp_path, a, b, metric="acc", configs__arith__doc_to_choice="{{reversed}}")
    assert leads(made) == (["arith.doc_to_choice"], "supported")
    assert "choices_reordered" in {finding.kind for finding in made.findings}


def test_the_sentence_names_labels_metric_interval_and_counts(tmp_path: Path) -> None:
    sentence = compared(tmp_path, answers(), answers(range(20))).verdict.sentence
    assert sentence.startswith("b is worse than a (baseline) on arith: exact_match −33.3 pp (95 % CI −45.9 to −22.7)")
    assert "20 regressed, 0 fixed of 60" in sentence


def test_scores_of_other_items_without_samples_get_no_word_and_fire_no_gate(tmp_path: Path) -> None:
    fewer = answers(range(25))[:40]
    a = write_run(tmp_path / "a", document(answers(range(3))), None)
    b = write_run(tmp_path / "b", document(fewer, config__limit=40), None)
    made = compare_runs(*(read_run(str(path)) for path in (a, b)), Options(fail_on=("regression",)))
    assert (made.verdict.kind, leads(made)) == ("not_comparable", (["limit"], "supported"))
    assert {row.status for row in made.metrics} == {"unclear"}
    assert not any(gate.fired for gate in made.gates)


def test_targets_that_changed_on_equal_responses_prove_their_field(tmp_path: Path) -> None:
    b = [record | {"target": "9", "target_hash": sha("9"), "exact_match": 0.0} for record in answers()]
    made = compared(tmp_path, answers(), b, configs__arith__doc_to_target="{{other}}")
    assert (leads(made), made.verdict.mechanism) == ((["arith.doc_to_target"], "proven"), "target_only")


def test_a_stop_string_beside_a_filter_that_may_have_acted_is_not_proven(tmp_path: Path) -> None:
    a = asking(answers(range(0), lambda number: f"So {number}.\n\nThe answer is 4."), until=["</s>"])
    b = asking(answers(range(20), lambda number: f"So {number}."), until=["\n\n"])
    steps = [{"name": "none", "filter": [{"function": "regex", "regex_pattern": "x"}]}]
    assert leads(compared(tmp_path, a, b, configs__arith__filter_list=steps)) == (["gen_kwargs.until"], "supported")


def test_flips_are_those_of_the_metric_behind_the_headline(tmp_path: Path) -> None:
    a = [choice_record(number, True) | {"acc_norm": 1.0, "metrics": ["acc", "acc_norm"]} for number in range(ITEMS)]
    b = [
        choice_record(number, True) | {"acc_norm": float(number > 20), "metrics": ["acc", "acc_norm"]}
        for number in range(ITEMS)
    ]
    for record in b:
        record["resps"] = [[["-0.6", "True"]], [["-1.35", "False"]]]
    made = compared(tmp_path, a, b, metric="acc_norm")
    assert {row.metric for row in made.flip_counts} == {"acc_norm"}


def test_two_long_values_are_told_apart_by_the_part_that_differs(tmp_path: Path) -> None:
    template = "Answer the question below with one number and nothing else, please.\n{{question}}"
    made = compared(
        tmp_path,
        prompted(answers(), lambda text: f"{text} "),
        answers(range(20)),
        before={"configs__arith__doc_to_text": f"{template} "},
        configs__arith__doc_to_text=template,
    )
    assert leads(made)[0] == ["arith.doc_to_text"]
    assert '{{question}} "' in made.verdict.sentence
    assert '{{question}}"' in made.verdict.sentence


def test_filters_over_other_items_do_not_disagree() -> None:
    def row(name: str, difference: float, pairs: int) -> MetricComparison:
        found = Estimate("mcnemar_midp_tango", 0.95, difference, margin=0.01, pairs=pairs)
        key = MetricKey("arith", "exact_match", name)
        return MetricComparison(*key, True, 0.3, 0.3 + difference, difference, "unclear", None, estimate=found)

    assert filters_apart([row("strict", 0.0, 150), row("loose", 0.2, 60)]) is None
    assert filters_apart([row("strict", 0.0, 150), row("loose", 0.2, 150)]) is not None


def retargeted(records: Records, number: int) -> Records:
    """Return records of which the first ones have another right answer, which their responses do not give."""
    other = {"target": "9", "target_hash": sha("9"), "exact_match": 0.0}
    return [record | other if place < number else record for place, record in enumerate(records)]


def test_some_changed_right_answers_are_named_as_what_sets_the_reported_scores_apart(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(), 10))
    assert made.verdict.sentence.startswith("10 of 60 items of arith have another right answer in b")
    assert "not the model" in made.verdict.sentence
    assert "added up" not in made.verdict.sentence
    assert "one version of arith" in made.verdict.next_step
    assert made.verdict.leading_cause is None
    assert not any("without a score" in one.what for one in made.left_out)


def test_one_changed_right_answer_is_one(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(), 1))
    assert made.verdict.sentence.startswith("1 of 60 items of arith has another right answer in b")


def test_a_recorded_target_is_the_cause_where_some_right_answers_changed(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(), 10), configs__arith__doc_to_target="{{other}}")
    assert (leads(made), made.verdict.mechanism) == ((["arith.doc_to_target"], "proven"), "target_only")


def test_the_version_of_a_task_is_suspected_of_changed_right_answers(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(), 10), versions__arith=3, config__batch_size=8)
    assert (leads(made)) == (["versions.arith"], "supported")


def test_changed_right_answers_are_said_first_where_other_items_moved_too(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(range(10, 40)), 10))
    assert made.verdict.sentence.startswith("10 of 60 items of arith have another right answer in b")
    assert "have no score" not in made.verdict.sentence
    assert "b is worse" in made.verdict.sentence


def test_a_log_cut_under_one_filter_is_named_before_its_sums(tmp_path: Path) -> None:
    both = [record | {"filter": name} for name in ("none", "loose") for record in answers()]
    runs = []
    for name, records, score in (("a", both, 1.0), ("b", both[:80], 0.5)):
        made = document(answers())
        made["results"]["arith"] |= {"exact_match,none": score, "exact_match,loose": score}
        runs.append(read_run(str(write_run(tmp_path / name, made, {"arith": records}))))
    verdict = compare_runs(*runs).verdict
    assert verdict.sentence.startswith("The log of b is incomplete (40 rows of arith missing)")
    assert "added up" not in verdict.sentence
    assert "whole log" in verdict.next_step


def test_what_one_side_alone_wrote_down_is_not_recorded_for_the_other_and_no_difference(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(range(30)), contexts=({"quant": "Q4", "engine": "x"}, None))
    assert "differ;" not in made.verdict.sentence
    assert "differs on record" not in made.verdict.sentence
    assert "not recorded for b" in made.verdict.sentence


def test_equal_runs_do_not_name_what_one_side_alone_wrote_down(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), retargeted(answers(), 10), contexts=({"quant": "Q4", "engine": "x"}, None))
    assert "context." not in made.verdict.sentence
    assert "Nothing recorded differs." in made.verdict.sentence


def test_a_filter_is_not_proven_beside_an_unknown_key_that_may_have_scored(tmp_path: Path) -> None:
    lists = [[{"name": "none", "filter": [{"function": name}]}] for name in ("take_first", "lowercase")]
    b = answers()
    for number, record in enumerate(b):
        record["filtered_resps"] = [str(record["filtered_resps"][0]).upper()]
        record["exact_match"] = float(number >= 20)
    made = compared(
        tmp_path, answers(), b, before={"configs__arith__filter_list": lists[0]}, configs__arith__filter_list=lists[1],
        contexts=({"judge": "one"}, {"judge": "another"}),
    )  # fmt: skip
    assert made.verdict.standing != "proven"


def told(number: int) -> str:
    return f"Take {number} and {number} of them and then add the rest."


def test_what_a_budget_cut_at_a_full_stop_is_not_called_completed(tmp_path: Path) -> None:
    whole = answers(text=lambda number: f"{told(number)} So we get the sum at last: #### 4")
    cut = answers(range(60), lambda number: told(number) + (" So we get" if number % 3 else ""))
    for number in range(0, 60, 6):  # these say otherwise from the start, so that nothing shows them to be cut
        cut[number]["resps"] = [[f"Then take {number} and {number} of them and then add all."]]
    made = compared(
        tmp_path, asking(cut, max_gen_toks=14), asking(whole, max_gen_toks=256), before={"config__gen_kwargs": None}
    )
    assert "At least 50 of 60 responses of a in arith appear truncated at max_gen_toks." in made.verdict.sentence
    assert "both sides completed" not in made.verdict.sentence
    (found,) = [one for one in made.findings if one.kind == "answers_cut"]
    assert (found.count_, found.text.startswith("At least 50 of 60 answers of A")) == (50, True)
    assert not [one for one in made.findings if one.kind == "answer_format_changed"]


def test_a_response_that_a_larger_budget_left_alone_is_completed(tmp_path: Path) -> None:
    whole = answers(
        text=lambda number: f"{told(number)} So we get the sum at last: #### 4" if number % 3 else told(number)
    )
    cut = answers(range(60), lambda number: told(number) + (" So we get" if number % 3 else ""))
    made = compared(tmp_path, asking(cut, max_gen_toks=14), asking(whole, max_gen_toks=256))
    assert "40 of 60 responses of a in arith appear truncated at max_gen_toks" in made.verdict.sentence
    assert "over the 20 items that both sides completed" in made.verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_a_count_of_truncated_answers_that_may_be_more_is_a_lower_bound_where_nothing_was_measured(
    tmp_path: Path, turned: bool
) -> None:
    whole = answers(text=lambda number: f"{told(number)} So we get the sum at last: #### 4")
    cut = answers(range(60), lambda number: told(number) + " So we get")
    for number in range(0, 60, 15):  # these say otherwise from the start, so that nothing shows them to be cut
        cut[number]["resps"] = [[f"Then take {number} and {number} of them and then add all."]]
    sides = asking(cut, max_gen_toks=14), asking(whole, max_gen_toks=256)
    made = compared(tmp_path, *(sides[::-1] if turned else sides))
    assert made.verdict.kind == "not_a_measurement"
    assert f"at least 56 of 60 answers of {'b' if turned else 'a'} appear truncated" in made.verdict.sentence
    assert (made.metrics[0].reason or "").startswith("at least 56 of 60 ")


def test_two_versions_of_a_task_qualify_what_is_worse_and_an_unknown_harness_is_said(tmp_path: Path) -> None:
    for place, (a, b) in enumerate(((answers(), answers(range(20))), (answers(range(20)), answers()))):
        made = compared(tmp_path / str(place), a, b, logged=False, versions__arith=3, lm_eval_version=ABSENT)
        first = made.verdict.sentence.partition(". ")[0]
        assert "; these are two versions of arith (1 → 3); b records no version of the harness" in first
    same = compared(tmp_path / "same", answers(), answers(range(20)), logged=False)
    assert "two versions" not in same.verdict.sentence


def test_what_is_left_of_cut_responses_is_called_a_selection_where_it_is_the_smaller_part(tmp_path: Path) -> None:
    cut = answers(range(40), lambda number: f"{number} and {LONG}" if number < 40 else "The answer is 4.")
    for place, sides in enumerate(((answers(), cut), (cut, answers()))):
        copies = [asking([{**record} for record in side], max_gen_toks=24) for side in sides]
        sentence = compared(tmp_path / str(place), *copies).verdict.sentence
        assert f"a selection: those that {'ba'[place]} got done" in sentence
