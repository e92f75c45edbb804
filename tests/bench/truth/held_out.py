"""Mechanisms kept aside: only the final measurement reads this file, and no rule is written by looking at it."""

import random

from truth.effects import budget_for, cut_item, move_a_little, move_answers, reworded, shortened
from truth.layouts import CHATML, HEADERS
from truth.mechanism import (
    Registry,
    asks_text,
    both,
    everywhere,
    greedy,
    loaded,
    long_answers,
    only_choices,
    plain,
    sampled,
    served,
    some_choices,
    two_filters,
)
from truth.sides import Side
from truth.truths import ANY, CALM, SAME, SPOILT, SURE, WORDS, Effect, Stage, keys

HELD_OUT = Registry()
PROVEN = frozenset({"proven"})
ASIDE: frozenset[str] = frozenset()


def moved(b: Side, chance: random.Random, share: float = 0.8) -> None:
    """Move B's answers broadly."""
    move_answers(b, chance, share, chance.choice((-0.7, -0.3, 0.0, 0.4)))


@HELD_OUT.add("a list of samples", fits=everywhere, family="items", alone=True)
def chosen_items(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B scored a list of chosen items, which leaves no trace among the settings; the shared ones are answered alike."""
    for task in b.tasks.values():
        task.items = sorted(chance.sample(task.items, 22), key=lambda item: item.number)
    return Effect(ASIDE, Stage.ITEMS, kinds=ANY - SPOILT)


@HELD_OUT.add("process_docs", "dataset_kwargs.shuffle", fits=only_choices, family="docs")
def choices_in_another_order(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's documents hold the same choices in another order, and the right one moves with them."""
    for task in b.picks:
        if setting == "process_docs":
            task.define("process_docs", "def turn(rows):\n    return rows.map(rotate_choices)\n")
        else:
            task.config["dataset_kwargs"] = {**task.config.get("dataset_kwargs", {}), "shuffle": True}
        for item in task.items:
            size = len(item.choices)
            item.choices = item.choices[1:] + item.choices[:1]
            item.response = [round(v + chance.gauss(0, 0.6), 6) for v in item.response[1:] + item.response[:1]]
            item.target = str((int(item.target) - 1) % size)
            item.doc = {**item.doc, "choices": [choice.strip() for choice in item.choices], "label": int(item.target)}
    return Effect(keys(setting, setting.partition(".")[0]), Stage.DOCS, kinds=ANY - SPOILT)


@HELD_OUT.add("nothing recorded", fits=both(long_answers, greedy), family="budget", alone=True)
def server_that_cuts_by_itself(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's server ends every answer early; no file says so."""
    for task in b.texts:
        for item in task.items:
            cut_item(task, item, shortened(item.text, 20))
    return Effect(ASIDE, Stage.RESPONSE, kinds=WORDS | SPOILT)


@HELD_OUT.add("generation_kwargs.max_gen_toks", fits=both(long_answers, greedy), family="budget")
def budget_that_cuts_a_third(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's budget ends the longest third of its answers."""
    budget = budget_for(b, 0.35)
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "max_gen_toks": budget}
        for item in task.items:
            cut_item(task, item, shortened(item.text, budget))
    return Effect(
        keys("gen_kwargs.max_gen_toks", "generation_kwargs.max_gen_toks", "generation_kwargs"),
        Stage.RESPONSE,
        marked=True,
        provable=True,
        standings=PROVEN,
    )


@HELD_OUT.add(
    "budget below its answers", "budget beside other answers", fits=both(long_answers, greedy), family="budget"
)
def budget_that_cannot_have_done_it(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Budgets differ; B's answers are longer than its own, or are no beginnings of A's: something unknown did it."""
    for side, budget in ((a, 400), (b, 16 if setting == "budget below its answers" else 300)):
        for task in side.texts:
            task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "max_gen_toks": budget}
    for task in b.texts:
        texts = [item.text for item in task.items]
        chance.shuffle(texts)
        for item, text in zip(task.items, texts, strict=True):
            item.text = text if setting != "budget below its answers" else reworded(item.text, chance)
    return Effect(
        keys("gen_kwargs.max_gen_toks", "generation_kwargs.max_gen_toks", "generation_kwargs"),
        Stage.RESPONSE,
        standings=frozenset({"possible"}),
        silent=True,
        weak=3,
    )


@HELD_OUT.add(
    "gen_kwargs.repetition_penalty", "gen_kwargs.num_beams", fits=both(asks_text, greedy, loaded), family="search"
)
def another_search(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B searches its answers otherwise, without drawing."""
    name = setting.partition(".")[2]
    value = {"repetition_penalty": 1.3, "num_beams": 4}[name]
    b.config["gen_kwargs"] = {**b.config["gen_kwargs"], name: value}
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], name: value}
    moved(b, chance, 0.5)
    return Effect(keys(setting, f"generation_kwargs.{name}"), Stage.RESPONSE)


@HELD_OUT.add("model_args.max_length", "model_args.max_model_len", fits=both(loaded, greedy, plain), family="window")
def shorter_window(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's window is shorter than its prompts, whose beginning is lost after they are logged."""
    name = setting.partition(".")[2]
    b.argue(**{name: 64})
    moved(b, chance, 0.6)
    return Effect(keys(setting, name), Stage.RESPONSE)


@HELD_OUT.add("filter_list", fits=both(asks_text, two_filters), family="filters", alone=True)
def filter_more(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B reads the same answers by one more filter; the shared filters read alike."""
    for task in b.texts:
        more = {"name": "first-number", "filter": [{"function": "regex", "regex_pattern": "([0-9]+)"}]}
        task.config["filter_list"] = [*task.config["filter_list"], more]
    return Effect(
        keys("filter_list"), Stage.NOWHERE, seen=False, silent=True, kinds=SAME, standings=frozenset({"possible"})
    )


@HELD_OUT.add("filter_list", fits=both(asks_text, lambda side: "claims" in side.tasks), family="filters")
def filter_step_left_out(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's filter does not strip the answer: the same text is read with its blank."""
    for task in b.texts:
        task.config["filter_list"] = [{"name": "none", "filter": [{"function": "take_first"}]}]
    return Effect(keys("filter_list"), Stage.EXTRACTION, provable=True, standings=PROVEN)


@HELD_OUT.add("metric_list", fits=everywhere, family="scorer", alone=True)
def metric_more(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B computes one more metric; the shared ones score alike."""
    for task in b.tasks.values():
        name = "contains" if task.generates else "acc_norm" if len(task.metrics) == 1 else "acc_bytes"
        task.config["metric_list"] = [*task.metrics, {"metric": name, "aggregation": "mean", "higher_is_better": True}]
    return Effect(
        keys("metric_list"), Stage.NOWHERE, seen=False, silent=True, kinds=SAME, standings=frozenset({"possible"})
    )


@HELD_OUT.add(
    "model_args.pretrained", fits=both(loaded, greedy, lambda side: list(side.tasks) == ["sums"]), family="model"
)
def other_form_of_the_answer(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is another model that says the same results in another form: one filter finds nothing, the other all."""
    b.argue(pretrained="org/terse-1.5b")
    b.top |= {"model_name": "org/terse-1.5b"}
    for task in b.texts:
        for item in task.items:
            item.text = item.text.replace("The answer is ", "So we get ")
    return Effect(keys("model_args.pretrained", "model_name"), Stage.RESPONSE, model=True)


@HELD_OUT.add("model_args.enable_thinking", fits=both(served, greedy, asks_text), family="template")
def thoughts_before_the_answer(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's server lets the model think: its answers begin with a thought that ends, prompts are logged alike."""
    a.argue(enable_thinking=False)
    b.argue(enable_thinking=True)
    moved(b, chance, 0.5)
    for task in b.texts:
        for item in task.items:
            item.text = f"<think>\nLet me see what is asked.\n</think>\n\n{item.text.strip()}"
    return Effect(keys("model_args.enable_thinking"), Stage.RESPONSE)


@HELD_OUT.add("model_args.system_prompt", fits=both(greedy, lambda side: not plain(side)), family="system")
def system_text_by_the_backend(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's backend puts a system text before every prompt, which one of its arguments holds."""
    text = "You never explain anything."
    b.argue(system_prompt=text)
    b.lay(system=text)
    moved(b, chance)
    return Effect(keys("model_args.system_prompt"), Stage.PROMPT, never=keys("system_instruction"))


@HELD_OUT.add("use_cache", fits=sampled, family="cache", alone=True)
def drawn_answers_that_are_all_equal(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both sides draw, B with a cache of A's answers and another seed, and every answer is the same."""
    b.config["use_cache"] = "cache/run"
    b.config["torch_seed"] = 99
    return Effect(
        keys("use_cache"),
        Stage.NOWHERE,
        seen=False,
        silent=True,
        kinds=SAME | SPOILT,
        standings=SURE,
        never=keys("torch_seed"),
    )


@HELD_OUT.add(
    "model_args.gpu_memory_utilization",
    "model_args.max_num_seqs",
    fits=both(loaded, greedy, some_choices),
    family="arithmetic",
)
def other_batches_by_the_engine(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's engine forms other batches: small moves both ways."""
    name = setting.partition(".")[2]
    b.argue(**{name: {"gpu_memory_utilization": 0.6, "max_num_seqs": 4}[name]})
    move_a_little(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, weak=3, kinds=WORDS | CALM)


@HELD_OUT.add(
    "model_args.dtype", "batch_size", fits=both(loaded, greedy, only_choices), family="arithmetic", alone=True
)
def more_than_arithmetic_can(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A numerical setting differs, and log-likelihoods moved one way by whole units: something unknown did it."""
    if setting == "batch_size":
        b.config["batch_size"] = "64"
    else:
        b.argue(dtype="float16")
    for task in b.picks:
        for item in task.items:
            item.response = [round(value - abs(chance.gauss(3.0, 1.5)), 6) for value in item.response]
    return Effect(keys(setting), Stage.RESPONSE, weak=3, silent=True, standings=frozenset({"possible"}))


@HELD_OUT.add("versions.lm_eval", fits=both(served, greedy), family="version", alone=True)
def release_that_sends_other_tokens(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Only the release differs, token ids are sent, and few answers changed on equal text."""
    for side in (a, b):
        side.argue(tokenized_requests=True)
    b.top["lm_eval_version"] = "0.4.12"
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.15:
                item.text = reworded(item.text, chance)
    return Effect(
        keys("versions.lm_eval", "lm_eval_version"),
        Stage.RESPONSE,
        yields=True,
        standings=frozenset({"possible"}),
        kinds=WORDS,
    )


@HELD_OUT.add("git_hash and version", fits=both(loaded, greedy), family="version")
def fork_of_the_harness(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A fork's hash and version differ, and answers do."""
    b.top |= {"git_hash": "feedbee", "lm_eval_version": "0.4.13.dev7"}
    moved(b, chance, 0.4)
    return Effect(
        keys("versions.lm_eval", "lm_eval_version", "git_hash"),
        Stage.RESPONSE,
        weak=1,
        yields=True,
        standings=frozenset({"possible"}),
    )


@HELD_OUT.add("two names", fits=both(plain, loaded, greedy), family="model")
def another_model_with_its_template(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Two models, each in its own chat template: nothing tells which of the two did it."""
    for side, name, template in ((a, "org/left-1b-it", CHATML), (b, "lab/right-2b-it", HEADERS)):
        side.argue(pretrained=name)
        side.lay(template=template, turns=True)
        side.top |= {"model_name": name, "chat_template": template.text, "fewshot_as_multiturn": True}
    moved(b, chance)
    return Effect(
        keys("model_args.pretrained", "model_name"),
        Stage.RESPONSE,
        model=True,
        with_=keys("chat_template"),
    )


@HELD_OUT.add("model_args.pretrained", fits=both(loaded, greedy), family="model", alone=True)
def one_model_in_another_folder(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B loaded the same weights from another folder: every answer is the same."""
    b.argue(pretrained=f"/data/copies/{str(b.arguments['pretrained']).rpartition('/')[2]}")
    return Effect(
        keys("model_args.pretrained"),
        Stage.NOWHERE,
        seen=False,
        silent=True,
        model=None,
        kinds=SAME | SPOILT,
        standings=SURE,
    )


@HELD_OUT.add(
    "dataset_kwargs.revision", "model_args.trust_remote_code", "dataset_path", fits=greedy, family="nothing", alone=True
)
def name_of_the_data_that_changed_nothing(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B names its data or its loader otherwise, and documents and answers are the same."""
    if setting.startswith("model_args."):
        b.argue(trust_remote_code=True)
    for task in b.tasks.values():
        if setting == "dataset_path":
            task.config["dataset_path"] = "mirror/copy"
        elif setting.startswith("dataset_kwargs"):
            task.config["dataset_kwargs"] = {**task.config.get("dataset_kwargs", {}), "revision": "abc"}
    return Effect(keys(setting), Stage.NOWHERE, seen=False, silent=True, kinds=SAME, standings=frozenset({"possible"}))


@HELD_OUT.add("num_fewshot", fits=both(loaded, greedy), family="shots")
def examples_on_record_only(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B records other examples than its prompts hold: the prompts are equal, something unknown moved the answers."""
    for task in b.tasks.values():
        task.config["num_fewshot"] = task.layout.shots + 1
    move_answers(b, chance, 0.5, -0.3)
    return Effect(keys("num_fewshot"), Stage.RESPONSE, silent=True, weak=3, standings=frozenset({"possible"}))


@HELD_OUT.add("model", fits=both(loaded, greedy, asks_text), family="backend")
def backend_that_strips_blanks(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's backend strips the blank before every answer; nothing is read or scored otherwise."""
    b.config["model"] = b.top["model_source"] = "sglang"
    for task in b.texts:
        for item in task.items:
            item.text = item.text.strip()
    return Effect(keys("model", "model_source"), Stage.RESPONSE, kinds=WORDS | CALM, slight=True)


@HELD_OUT.add("description", "system_instruction", fits=plain, family="system", alone=True)
def text_before_that_moves_nothing(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts begin with a recorded text, and every answer is the same all the same."""
    text = "Answer the question.\n\n"
    if setting == "description":
        for task in b.tasks.values():
            task.config["description"] = text + task.config.get("description", "")
            task.layout = task.layout._replace(description=task.config["description"])
    else:
        b.lay(system=text)
        b.top |= {"system_instruction": text}
    return Effect(keys(setting), Stage.PROMPT, seen=False, silent=True, kinds=SAME | CALM, standings=SURE)
