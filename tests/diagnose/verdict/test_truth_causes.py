"""Who may be the cause: what is equal never is, what is recorded always may be, and another model is said first."""

import random
from pathlib import Path

import pytest
from truth.changed import compared, finding, generation, kinds, listed, named, shots, start
from truth.effects import draw_answers, move_answers, stop_at
from truth.layouts import CHATML, DATED, HEADERS
from truth.sides import Json, Side

from diptych.rules.texts import DENIAL

BROAD = random.Random


def moved(side: Side, tilt: float = -0.6) -> None:
    move_answers(side, random.Random("moved"), 0.8, tilt)


def test_a_description_that_one_task_begins_with_is_not_a_system_instruction(tmp_path: Path) -> None:
    a, b = start("sums, chat")
    b.lay(description="Solve it and end with the number.\n\n")
    for task in b.tasks.values():
        task.config["description"] = "Solve it and end with the number.\n\n"
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["description"]
    assert made.verdict.standing == "supported"
    assert "system_instruction" not in listed(made)


def test_a_template_that_writes_a_system_block_of_its_own_is_the_template(tmp_path: Path) -> None:
    a, b = start("sums, chat")
    b.lay(template=DATED)
    b.top |= {"chat_template": DATED.text, "chat_template_sha": "e5"}
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["chat_template"]
    assert "system_instruction" not in listed(made)
    assert made.verdict.standing != "proven"


@pytest.mark.parametrize("logged", [True, False], ids=["samples", "no samples"])
@pytest.mark.parametrize("place", ["top", "config", "doc_to_text", "metadata"])
def test_a_key_that_nobody_knows_is_named_and_nothing_is_denied(tmp_path: Path, place: str, logged: bool) -> None:
    a, b = start("sums, few-shot")
    key = {"top": "num_experts_to_prune", "config": "steering", "metadata": "max_seq_lengths"}.get(place, place)
    for task in b.tasks.values():
        if place == "metadata":
            task.config["metadata"] = {**task.config["metadata"], key: [4096]}
        elif place == "doc_to_text":
            task.config[key] = "Sum: {{question}}\nA:"
            task.layout = task.layout._replace(before="Sum: ")
    if place in ("top", "config"):
        (b.top if place == "top" else b.config)[key] = 2
    moved(b)
    a.logged = b.logged = logged
    made = compared(tmp_path, a, b)
    assert [name.rpartition(".")[2] for name in named(made)] == [key]
    assert not DENIAL.search(made.verdict.sentence)


def test_a_side_without_its_configuration_has_unknown_settings_not_equal_ones(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    del a.top["config"]
    moved(b)
    made = compared(tmp_path, a, b)
    assert "settings_unknown" in kinds(made)
    assert not DENIAL.search(made.verdict.sentence)
    assert made.verdict.standing in ("possible", "none")


RIVALS: dict[str, Json] = {
    "model_sha": "0e0e",
    "model_num_parameters": 3_000_000_000,
    "peft_sha": "2222",
    "model_args.dtype": "float16",
    "lm_eval_version": "0.4.12",
    "context.checkpoint": "step-900",
}


@pytest.mark.parametrize("rival", RIVALS)
def test_examples_are_never_proven_beside_a_rival_and_another_model_is_named_with_them(
    tmp_path: Path, rival: str
) -> None:
    a, b = start("sums, few-shot")
    shots(b, 2)
    value = RIVALS[rival]
    if rival.startswith("model_args."):
        b.argue(dtype=value)
    elif rival == "lm_eval_version":
        b.top[rival] = value
    elif rival.startswith("context."):
        a.context, b.context = {"checkpoint": "step-100"}, {"checkpoint": value}
    else:
        a.config.setdefault(rival, "1111")
        b.config[rival] = value
    moved(b)
    made = compared(tmp_path, a, b)
    assert made.verdict.standing != "proven"
    assert "num_fewshot" in named(made)
    another_model = rival in ("model_sha", "model_num_parameters", "peft_sha", "context.checkpoint")
    assert (rival in named(made)) == another_model


def test_two_models_are_said_to_be_two_in_the_first_words(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, name, template in ((a, "org/smol-135m", CHATML), (b, "lab/gemma-270m", HEADERS)):
        side.argue(pretrained=name)
        side.top |= {"model_name": name, "chat_template": template.text, "fewshot_as_multiturn": True}
        side.lay(template=template, turns=True)
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.models_differ
    assert verdict.leading_cause is None
    assert {"model_args.pretrained", "chat_template"} <= {suspect.key for suspect in verdict.suspects}
    assert "smol-135m" in verdict.sentence
    assert "gemma-270m" in verdict.sentence


@pytest.mark.parametrize("key", ["peft", "revision", "gguf_file", "load_in_4bit"])
def test_weights_that_changed_no_long_answer_were_not_measured(tmp_path: Path, key: str) -> None:
    a, b = start("sums, few-shot")
    b.argue(**{key: {"peft": "adapters/x", "revision": "v2", "gguf_file": "m.gguf", "load_in_4bit": True}[key]})
    made = compared(tmp_path, a, b)
    assert "no gap to explain" not in made.verdict.next_step
    assert key in made.verdict.sentence + " ".join(each.text for each in made.findings)
    if key in ("peft", "revision"):
        assert made.verdict.kind == "not_a_measurement"


def test_a_temperature_without_sampling_never_leads(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(a, temperature=1.0)
    generation(b, temperature=0.6)
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == []


def test_an_address_that_differs_in_its_credentials_never_leads(tmp_path: Path) -> None:
    a, b = start("claims, served")
    for side, secret in ((a, "word-one-word-one"), (b, "word-two-word-two")):
        side.argue(base_url=f"http://user:{secret}@127.0.0.1:8000/v1/chat/completions")
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == []
    assert "word-one" not in str(made)


def test_energy_in_the_configuration_is_a_measurement_and_no_cause(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    a.config["total_energy_joules"], b.config["total_energy_joules"] = 81250.5, 9011.25
    moved(b)
    assert named(compared(tmp_path, a, b)) == []


def test_a_batch_size_never_leads_where_the_move_is_larger_than_batching_makes(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    b.config["batch_size"] = "64"
    for task in b.picks:
        for item in task.items:
            item.response = [value - 3.0 for value in item.response]
    made = compared(tmp_path, a, b)
    assert made.verdict.standing in ("possible", "none")
    assert named(made) == [] or made.verdict.standing == "possible"


def test_seed_and_temperature_with_other_examples_is_the_seed(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.lay(draw=2)
    b.config["fewshot_seed"] = 7
    generation(b, temperature=0.8, do_sample=True)
    moved(b)
    assert named(compared(tmp_path, a, b))[0] == "fewshot_seed"


def test_a_model_and_a_budget_that_both_left_their_mark_are_named_together(tmp_path: Path) -> None:
    from truth.effects import cut_at

    a, b = start("sums, few-shot")
    b.argue(pretrained="org/other-3b")
    generation(b, max_gen_toks=24)
    moved(b)
    cut_at(b, 24)
    made = compared(tmp_path, a, b)
    assert "gen_kwargs.max_gen_toks" in named(made)
    assert "model_args.pretrained" in named(made) or made.verdict.kind == "not_a_measurement"


def test_where_only_the_version_differs_and_token_ids_are_sent_unseen_tokens_are_said(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    for side in (a, b):
        side.config["model"] = "local-completions"
        side.argue(tokenized_requests=True)
    b.top["lm_eval_version"] = "0.4.12"
    for item in b.tasks["quiz_geography"].items[::6]:
        item.response = [value + 2.5 * (-1) ** place for place, value in enumerate(item.response)]
    made = compared(tmp_path, a, b)
    assert named(made) == ["versions.lm_eval"]
    assert made.verdict.standing == "possible"
    assert "tokens_unseen" in kinds(made)
    assert finding(made, "tokens_unseen").count_ == len(b.tasks["quiz_geography"].items[::6])


def test_a_recorded_text_of_one_word_is_found_where_taking_it_away_makes_the_prompts_equal(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.tasks.values():
        task.config["description"] = "Count!\n\n"
    b.lay(description="Count!\n\n")
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["description"]
    assert made.verdict.standing == "supported"


def test_two_recorded_texts_that_differ_by_white_space_explain_prompts_that_do(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, text in ((a, "Be brief and exact."), (b, "Be brief and exact. ")):
        side.top["system_instruction"] = text
        side.lay(description=f"{text}\n\n")
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["system_instruction"]


def test_what_limits_the_items_is_no_rival_of_what_moved_the_shared_ones(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in a.tasks.values():
        task.items = task.items[:40]
    a.config["limit"] = 40.0
    b.argue(pretrained="lab/other-3b")
    moved(b)
    made = compared(tmp_path, a, b)
    assert "limit" not in named(made)


def test_a_version_of_a_task_alone_moves_no_log_likelihood_of_equal_requests(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    for task in b.tasks.values():
        task.config["metadata"] = {**task.config["metadata"], "version": 9.0}
    move_answers(b, BROAD("quiz"), 0.8, -0.6)
    made = compared(tmp_path, a, b)
    assert made.verdict.standing in ("possible", "none")


def test_beside_other_seeds_of_drawn_answers_a_batch_size_does_not_lead(tmp_path: Path) -> None:
    a, b = start("sums, sampled")
    for side, seed, size in ((a, 1234, "auto"), (b, 77, 64)):
        side.config["torch_seed"], side.config["batch_size"] = seed, size
    draw_answers(b, BROAD("drawn"))
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.leading_cause is None
    assert not verdict.suspects
    assert "The draws have other seeds: torch_seed (1234 → 77)" in verdict.sentence
    assert "noise floor" in verdict.next_step
    assert verdict.isolating_run is None


@pytest.mark.parametrize("turned", [False, True])
def test_a_limit_that_cannot_have_left_items_out_is_no_cause_of_other_items(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    for task in a.tasks.values():
        task.items = task.items[:40]
    for task in b.tasks.values():
        task.items = task.items[40:]
    a.config["limit"] = 40.0
    a.argue(tensor_parallel_size=1)
    b.argue(tensor_parallel_size=2)
    made = compared(tmp_path, *((b, a) if turned else (a, b)))
    assert named(made) == []
    assert "share no item" in made.verdict.sentence
    assert "No recorded setting says why" in made.verdict.sentence
    assert "no_item_scores" not in kinds(made)


def test_a_proven_cause_asks_for_no_run(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(b, until=["\n\n", ". Then"])
    stop_at(b, ". Then")
    a.top["transformers_version"], b.top["transformers_version"] = "4.46.3", "4.47.1"
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.standing == "proven"
    assert verdict.isolating_run is None
    assert verdict.next_step.startswith("Give both runs the same gen_kwargs.until")


def test_a_recorded_hash_is_told_by_its_first_digits(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    a.config["model_sha"], b.config["model_sha"] = "9c2e41d7" * 5, "e07714ab" * 5
    moved(b)
    sentence = compared(tmp_path, a, b).verdict.sentence
    assert "9c2e41d → e07714a" in sentence
    assert "9c2e41d7" not in sentence


def test_what_a_backend_alone_records_of_its_weights_is_no_suspect_beside_another_backend(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.config["model"] = b.top["model_source"] = "vllm"
    a.config["model_num_parameters"] = 7615616512
    b.config.pop("model_num_parameters", None)
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["model"]
    assert next(row.follows for row in made.settings if row.key == "model_num_parameters") == "model"
    assert made.verdict.next_run_exists


def test_a_cache_of_fewer_bits_makes_no_other_model(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(kv_cache_dtype="fp8")
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["model_args.kv_cache_dtype"]
    assert not made.verdict.models_differ


def test_a_difference_that_nothing_shows_to_have_acted_asks_for_a_repeat(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(hf_overrides={"rope_scaling": {"factor": 4.0}})
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.standing == "possible"
    assert "Repeat a as it was" in verdict.next_step
    assert "if that did not make them, what answered" in verdict.sentence


def test_a_difference_between_two_draws_asks_for_their_noise(tmp_path: Path) -> None:
    a, b = start("sums, sampled")
    for side, top in ((a, 0.95), (b, 0.8)):
        side.config["gen_kwargs"] = {**side.config["gen_kwargs"], "top_p": top}
        generation(side, top_p=top)
    draw_answers(b, BROAD("drawn"))
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.standing == "possible"
    assert "noise floor" in verdict.next_step
    assert "isolates" not in verdict.next_step


def test_a_connection_beside_answers_that_fell_asks_for_a_repeat_of_the_baseline(tmp_path: Path) -> None:
    a, b = start("claims, served")
    for side, number in ((a, 1), (b, 32)):
        side.argue(num_concurrent=number)
    moved(b, -0.9)
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.kind == "different"
    assert verdict.leading_cause == "model_args.num_concurrent"
    assert verdict.next_step.startswith("Repeat a as it was: if its scores come out as b's now, what answered changed")
