"""Mechanisms that act on answers: the model, how it answers, how long, and what only moves the last digits."""

import random

from truth.effects import average_kept, cut_at, draw_answers, move_a_little, move_answers, pieces, stop_at
from truth.mechanism import (
    Registry,
    asks_text,
    both,
    everywhere,
    greedy,
    loaded,
    long_answers,
    noted,
    only_choices,
    sampled,
    served,
    some_choices,
)
from truth.sides import Side
from truth.truths import CALM, SAME, WORDS, Effect, Stage, keys

OPEN = Registry()
TILTS = (-0.9, -0.4, 0.0, 0.4)

MODEL = keys(
    *("model_args.pretrained", "model_args.model", "model_name", "model_sha", "model_num_parameters"),
    *("model_args.path", "context.model_file", "context.alias", "model_source", "model_revision"),
)


def moved(b: Side, chance: random.Random) -> None:
    """Move B's answers as another model does."""
    move_answers(b, chance, 0.8, chance.choice(TILTS))


def renamed(side: Side, name: str) -> None:
    """Give a side another model by name."""
    key = "pretrained" if "pretrained" in side.arguments else "model"
    side.argue(**{key: name})
    side.top |= {"model_name": name, "model_name_sanitized": name.replace("/", "__")}


@OPEN.add("name", "name and size", fits=greedy, family="model")
def another_model(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is another model."""
    renamed(b, "org/other-3b")
    if setting == "name and size" and "model_num_parameters" in b.config:
        b.config.update(model_num_parameters=3_090_000_000, model_sha="77aa00bb")
    moved(b, chance)
    return Effect(MODEL, Stage.RESPONSE, model=True)


@OPEN.add(
    "model_args.revision",
    "model_sha",
    "model_num_parameters",
    "model_revision",
    fits=both(loaded, greedy),
    family="model",
)
def other_weights_of_one_name(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's weights are another revision, which one key alone tells."""
    if setting == "model_args.revision":
        b.argue(revision="step2000")
    else:
        a.config[setting] = a.config.get(setting) or "step1000"  # what one side leaves empty tells of no other weights
        b.config[setting] = {
            "model_sha": "0e0e0e0e",
            "model_num_parameters": 1_777_000_000,
            "model_revision": "step2000",
        }[setting]
    moved(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, model=True)


@OPEN.add("model_args.peft", "model_args.lora_local_path", "peft_sha", fits=both(loaded, greedy), family="model")
def adapter_in_b(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B carries an adapter that changes its answers."""
    if setting == "peft_sha":
        a.config["peft_sha"], b.config["peft_sha"] = "1111aaaa", "2222bbbb"
    else:
        b.argue(**{setting.partition(".")[2]: "adapters/helpful"})
    moved(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, model=True)


@OPEN.add(
    "model_args.load_in_4bit",
    "model_args.quantization",
    "model_args.gguf_file",
    fits=both(loaded, greedy),
    family="model",
)
def quantised_weights(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's weights have fewer bits."""
    value = {"load_in_4bit": True, "quantization": "awq", "gguf_file": "base-1.5b.Q4_0.gguf"}[setting.partition(".")[2]]
    b.argue(**{setting.partition(".")[2]: value})
    move_answers(b, chance, 0.6, chance.choice((-0.6, -0.2)))
    return Effect(keys(setting), Stage.RESPONSE, model=True)


@OPEN.add("context.quant", "context.model_file", "context.checkpoint", fits=both(noted, greedy), family="model")
def other_weights_behind_a_server(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Only the notes beside the runs tell that other weights were served."""
    name = setting.partition(".")[2]
    for side, value in (
        (a, {"quant": "Q8_0", "model_file": "m.Q8_0.gguf", "checkpoint": "step-100"}),
        (b, {"quant": "Q4_0", "model_file": "m.Q4_0.gguf", "checkpoint": "step-900"}),
    ):
        assert side.context is not None
        side.context = {**side.context, name: value[name]}
    moved(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, model=None if name == "checkpoint" else True)


@OPEN.add(
    "model_args.revision",
    "model_args.peft",
    "model_args.load_in_4bit",
    "model_sha",
    fits=both(loaded, greedy, lambda side: long_answers(side) or only_choices(side)),
    family="model",
    alone=True,
)
def change_of_weights_that_was_not_applied(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B names other weights, and every long answer and log-likelihood is the same to the last digit."""
    if setting == "model_sha":
        b.config["model_sha"] = "0e0e0e0e"
    else:
        name = setting.partition(".")[2]
        b.argue(**{name: {"revision": "step2000", "peft": "adapters/helpful", "load_in_4bit": True}[name]})
    return Effect(
        keys(setting),
        Stage.RESPONSE,
        kinds=frozenset({"not_a_measurement"}) | (SAME if setting == "model_args.load_in_4bit" else frozenset()),
        model=None,
        seen=False,
        silent=True,
        standings=frozenset({"possible", "supported"}),
    )


@OPEN.add("model", fits=both(loaded, greedy), family="backend")
def another_backend(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's backend computes, tokenises and stops in its own way."""
    b.config["model"] = b.top["model_source"] = "sglang"
    move_answers(b, chance, 0.4, chance.choice((-0.4, 0.0)))
    return Effect(keys("model", "model_source"), Stage.RESPONSE)


@OPEN.add("context.engine", "context.engine_version", "context.endpoint", fits=both(noted, greedy), family="backend")
def another_engine(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Only the notes tell that another engine served the model."""
    name = setting.partition(".")[2]
    for side, value in ((a, "first"), (b, "second")):
        assert side.context is not None
        side.context = {**side.context, name: f"{value} engine 1.2"}
    move_answers(b, chance, 0.4, chance.choice((-0.4, 0.0)))
    return Effect(keys(setting), Stage.RESPONSE)


@OPEN.add("gen_kwargs.temperature", fits=both(asks_text, greedy), family="sampling")
def sampling_turned_on(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B draws its answers."""
    b.config["gen_kwargs"] = {**b.config["gen_kwargs"], "temperature": 0.8, "do_sample": True}
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "temperature": 0.8, "do_sample": True}
    draw_answers(b, chance)
    return Effect(keys("gen_kwargs.temperature", "gen_kwargs.do_sample"), Stage.RESPONSE, weak=1)


@OPEN.add(
    "random_seed", "torch_seed", "gen_kwargs.seed", "model_args.seed", fits=sampled, family="sampling", alone=True
)
def two_seeds_of_one_sampling(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both sides draw at one temperature; only a seed differs."""
    family, _, name = setting.partition(".")
    for side, seed in ((a, 1), (b, 2)):
        if family == "gen_kwargs":
            side.config["gen_kwargs"] = {**side.config["gen_kwargs"], "seed": seed}
            for task in side.texts:
                task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "seed": seed}
        elif family == "model_args":
            side.argue(seed=seed)
        else:
            side.config[name or family] = seed
    draw_answers(b, chance)
    return Effect(frozenset(), Stage.RESPONSE, never=keys(setting))


@OPEN.add(
    "model_args.dtype",
    "context.engine_version",
    "model",
    "versions.lm_eval",
    fits=sampled,
    family="sampling",
    alone=True,
)
def both_sides_draw_and_something_differs(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both sides draw: changed answers are evidence of nothing, what differs is at most possible."""
    if setting == "model_args.dtype":
        b.argue(dtype="float16")
    elif setting == "model":
        b.config["model"] = b.top["model_source"] = "sglang"
    elif setting == "versions.lm_eval":
        b.top["lm_eval_version"] = "0.4.12"
    else:
        a.context, b.context = {"engine_version": "1.0"}, {"engine_version": "2.0"}
    draw_answers(b, chance)
    return Effect(keys(setting, "model_source"), Stage.RESPONSE, standings=frozenset({"possible"}), silent=True)


@OPEN.add(
    "generation_kwargs.max_gen_toks",
    "gen_kwargs.max_gen_toks",
    "model_args.max_gen_toks",
    "model_args.max_new_tokens",
    fits=both(long_answers, greedy),
    family="budget",
)
def budget_that_cuts(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's budget ends most answers before their result."""
    lengths = sorted(len(pieces(item.text)) for task in b.texts for item in task.items)
    budget = int(lengths[len(lengths) // 2] * chance.choice((0.35, 0.5, 0.7)))
    give_budget(a, b, setting, budget)
    cut = cut_at(b, budget)
    whole = cut >= 0.85 * len(lengths)
    return Effect(
        BUDGETS,
        Stage.RESPONSE,
        marked=True,
        provable=True,
        standings=frozenset({"proven"}),
        kinds=(WORDS | {"not_a_measurement"}) if whole or average_kept(a, b) < 0.5 else WORDS,
    )


BUDGETS = keys(
    *("gen_kwargs.max_gen_toks", "model_args.max_gen_toks", "model_args.max_new_tokens"),
    *("generation_kwargs.max_gen_toks", "generation_kwargs"),
)


def give_budget(a: Side, b: Side, setting: str, budget: int) -> None:
    """Give B a budget in one of the places where budgets stand; A keeps a larger one."""
    family, _, name = setting.partition(".")
    if family == "model_args":
        for side, value in ((a, 512), (b, budget)):
            side.argue(**{name: value})
            for task in side.texts:
                task.config["generation_kwargs"] = {
                    k: v for k, v in task.config["generation_kwargs"].items() if k != "max_gen_toks"
                }
        return
    if family == "gen_kwargs":
        b.config["gen_kwargs"] = {**b.config["gen_kwargs"], name: budget}
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], name: budget}


@OPEN.add("generation_kwargs.max_gen_toks", "gen_kwargs.max_gen_toks", fits=both(asks_text, greedy), family="budget")
def budget_that_nobody_needs(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's budget is larger, and no answer of either side came near A's."""
    largest = max(len(item.text) for task in a.texts for item in task.items)
    for side, value in ((a, largest * 2 + 8), (b, largest * 4 + 64)):
        give_budget(side, side, setting, value)
    return Effect(
        BUDGETS, Stage.NOWHERE, seen=False, kinds=SAME, silent=True, standings=frozenset({"possible"}), never=NOTHING
    )


NOTHING: frozenset[str] = frozenset()


@OPEN.add("generation_kwargs.until", "gen_kwargs.until", fits=both(long_answers, greedy), family="budget")
def stop_text_that_cuts(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B stops at a text that A wrote on after."""
    stop = ". Then" if any(". Then" in item.text for task in a.texts for item in task.items) else " the"
    for task in b.texts:
        until = [*task.config["generation_kwargs"]["until"], stop]
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "until": until}
    if setting == "gen_kwargs.until":
        b.config["gen_kwargs"] = {**b.config["gen_kwargs"], "until": until}
    stop_at(b, stop)
    return Effect(
        keys("gen_kwargs.until", "generation_kwargs.until", "generation_kwargs"),
        Stage.RESPONSE,
        marked=True,
        faint=True,
        provable=True,
        standings=frozenset({"proven"}),
        kinds=WORDS | {"not_a_measurement"},
    )


@OPEN.add("model_args.add_bos_token", "model_args.prefix_token_id", fits=both(only_choices, loaded), family="tokens")
def start_token(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B puts a start token before every prompt: equal texts, all log-likelihoods move by much."""
    b.argue(**{setting.partition(".")[2]: True if setting.endswith("token") else 1})
    moved(b, chance)
    return Effect(keys(setting), Stage.RESPONSE)


@OPEN.add(
    "model_args.tokenizer", "model_args.use_fast_tokenizer", fits=both(some_choices, loaded, greedy), family="tokens"
)
def other_tokens_on_some_items(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's tokenizer splits some texts otherwise: few items move, by much."""
    b.argue(**{setting.partition(".")[2]: "org/other-tokenizer" if setting.endswith(".tokenizer") else False})
    for task in b.picks:
        for item in task.items:
            if chance.random() < 0.2:
                item.response = [round(value + chance.gauss(0, 3.0), 6) for value in item.response]
    return Effect(keys(setting), Stage.RESPONSE, kinds=WORDS)


@OPEN.add(
    "model_args.dtype",
    "batch_size",
    "device",
    "model_args.attn_implementation",
    "model_args.tensor_parallel_size",
    "context.gpu",
    fits=both(some_choices, loaded, greedy),
    family="arithmetic",
)
def another_order_of_sums(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B computes in another precision or order: small moves both ways."""
    family, _, name = setting.partition(".")
    value = {
        "dtype": "float16",
        "batch_size": "64",
        "device": "cuda:1",
        "attn_implementation": "sdpa",
        "tensor_parallel_size": 2,
    }.get(name or family)
    if family == "model_args":
        b.argue(**{name: value})
    elif family == "context":
        a.context, b.context = {**(a.context or {}), "gpu": "L4"}, {**(b.context or {}), "gpu": "A100"}
    else:
        b.config[setting] = value
    move_a_little(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, weak=3, kinds=WORDS | CALM)


@OPEN.add("versions.lm_eval", "versions.transformers", "git_hash", fits=both(greedy, loaded), family="version")
def another_release(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Only a release differs, and answers do."""
    place = {"versions.lm_eval": "lm_eval_version", "versions.transformers": "transformers_version"}.get(
        setting, setting
    )
    b.top[place] = {"lm_eval_version": "0.4.12", "transformers_version": "4.51.0", "git_hash": "00ff00f"}[place]
    move_answers(b, chance, 0.3, chance.choice((-0.5, 0.0)))
    return Effect(
        keys(setting, place),
        Stage.RESPONSE,
        weak=1,
        yields=True,
        standings=frozenset({"possible"}),
        silent=setting == "git_hash",
    )


@OPEN.add("model_args.base_url", fits=both(served, greedy), family="address")
def another_address(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B asked another server, which may hold other weights."""
    b.argue(base_url="http://10.0.0.7:9000/v1/chat/completions")
    move_answers(b, chance, 0.5, chance.choice((-0.5, 0.0)))
    return Effect(keys(setting), Stage.RESPONSE)


@OPEN.add("nothing recorded", fits=both(greedy, everywhere), family="nothing", alone=True)
def answers_differ_and_nothing_recorded_does(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's answers differ broadly, and the files say the same of both runs."""
    moved(b, chance)
    return Effect(frozenset(), Stage.RESPONSE)


@OPEN.add(
    "num_experts_to_prune",
    "config.steering_vector",
    "metadata.max_seq_lengths",
    "model_args.additional_config.rope_theta",
    fits=greedy,
    family="unknown",
)
def key_that_nobody_knows(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A key that no table holds is all that differs, and answers do."""
    if setting == "num_experts_to_prune":
        b.top[setting] = 2
    elif setting.startswith("config."):
        b.config["steering_vector"] = "layer12/kindness"
    elif setting.startswith("metadata."):
        for task in b.tasks.values():
            task.config["metadata"] = {**task.config["metadata"], "max_seq_lengths": [4096]}
    else:
        a.argue(additional_config={"rope_theta": 10000, "seed": 1})
        b.argue(additional_config={"rope_theta": 50000, "seed": 1})
    moved(b, chance)
    return Effect(
        keys(setting, setting.removeprefix("config."), setting.rpartition(".")[2]),
        Stage.RESPONSE,
        weak=2,
        standings=frozenset({"possible", "supported"}),
    )
