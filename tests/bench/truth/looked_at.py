"""Mechanisms that were kept aside until somebody looked at one while rules were written."""

import random

from truth.effects import cut_at, move_a_little, move_answers, right, shortened, stop_at
from truth.mechanism import (
    Registry,
    asks_text,
    both,
    greedy,
    loaded,
    long_answers,
    only_choices,
    plain,
    rendered,
    served,
    shows_examples,
)
from truth.prompts import moved
from truth.sides import Side
from truth.truths import SAME, SPOILT, SURE, WORDS, Effect, Stage, keys

OPEN = Registry()


def by_transformers(side: Side) -> bool:
    """Fit runs of the harness's own backend."""
    return side.config["model"] == "hf"


@OPEN.add("gen_prefix", fits=both(asks_text, plain), family="frame")
def beginning_of_the_answer_given(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task begins the answer itself."""
    for task in b.tasks.values():
        task.layout = task.layout._replace(prefix="Let us count:")
        task.define("gen_prefix", "Let us count:")
    moved(b, chance)
    return Effect(keys("gen_prefix"), Stage.PROMPT)


@OPEN.add("chat interface", fits=both(served, greedy, plain), family="template")
def chat_interface_of_the_same_server(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B asks the chat interface: messages instead of text, and the server's template."""
    b.config["model"] = b.top["model_source"] = "local-chat-completions"
    b.argue(base_url=str(b.arguments["base_url"]).replace("/completions", "/chat/completions"))
    b.lay(messages=True, turns=True)
    b.top |= {"chat_template": "", "fewshot_as_multiturn": True}
    moved(b, chance)
    return Effect(
        keys("chat_template", "model", "model_source"),
        Stage.PROMPT,
        related=keys("fewshot_as_multiturn", "model_args.base_url"),
    )


@OPEN.add("context.judge", fits=asks_text, family="scorer")
def another_judge(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Another judge, noted beside the runs, scores the same texts otherwise."""
    a.context, b.context = {**(a.context or {}), "judge": "judge-a"}, {**(b.context or {}), "judge": "judge-b"}
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.3:
                item.verdict = 0.0 if right(task, item) else 1.0
    return Effect(keys("context.judge"), Stage.SCORING, silent=True, standings=SURE)


@OPEN.add("model_args.add_bos_token", fits=both(rendered, loaded, greedy), family="tokens")
def start_token_in_the_text(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts begin with a start token that one of its arguments asks for."""
    b.argue(add_bos_token=True)
    for task in b.tasks.values():
        template = task.layout.template
        assert template is not None
        task.layout = task.layout._replace(template=template._replace(preamble=f"<s>{template.preamble}"))
    moved(b, chance, 0.5)
    return Effect(keys("model_args.add_bos_token"), Stage.PROMPT)


@OPEN.add("fewshot_seed", "fewshot_config.sampler", fits=both(shows_examples, plain), family="shots")
def same_examples_in_another_order(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B sees the same examples, the last one first."""
    if setting == "fewshot_seed":
        b.config["fewshot_seed"] = 42
    for task in b.tasks.values():
        if setting != "fewshot_seed":
            task.config["fewshot_config"] = {**task.config.get("fewshot_config", {}), "sampler": "reversed"}
        for item in task.items:
            item.shots = task.examples(item)[::-1]
    moved(b, chance)
    return Effect(keys(setting), Stage.PROMPT)


@OPEN.add("model_args.enable_prefix_caching", "context.engine_flags", fits=greedy, family="arithmetic")
def cache_of_prefixes(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's engine keeps the beginnings of prompts: sums run in another order."""
    if setting.startswith("context."):
        a.context, b.context = (
            {**(a.context or {}), "engine_flags": "-b"},
            {**(b.context or {}), "engine_flags": "-c"},
        )
    else:
        b.argue(enable_prefix_caching=True)
    move_a_little(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, weak=3, kinds=WORDS, silent=True)


@OPEN.add("model_args.speculative_config", fits=both(loaded, greedy, asks_text), family="arithmetic")
def draft_by_a_smaller_model(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B drafts its answers by a smaller model, which changes more of them than it should."""
    b.argue(speculative_config={"method": "ngram", "num_speculative_tokens": 5})
    moved(b, chance, 0.4)
    return Effect(keys(setting), Stage.RESPONSE, standings=frozenset({"possible"}), weak=1)


@OPEN.add("stop_token_ids", fits=both(long_answers, greedy), family="budget")
def token_that_stops(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B also stops at a token given by its number, which most of its answers hold."""
    for side, stops in ((a, []), (b, [13])):
        side.config["gen_kwargs"] = {**side.config["gen_kwargs"], "stop_token_ids": stops}
        for task in side.texts:
            task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "stop_token_ids": stops}
    stop_at(b, ", so there")
    return Effect(
        keys("gen_kwargs.stop_token_ids", "generation_kwargs.stop_token_ids"),
        Stage.RESPONSE,
        standings=SURE,
        kinds=WORDS | SPOILT,
        silent=True,
    )


@OPEN.add("model_args.chat_template_args.reasoning_effort", fits=both(rendered, greedy, loaded), family="template")
def effort_that_the_template_writes_out(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's template writes the effort that its arguments ask for into a system turn."""
    b.argue(chat_template_args={"reasoning_effort": "high"})
    for task in b.tasks.values():
        template = task.layout.template
        assert template is not None
        asked = f"{template.preamble}<|im_start|>system\nReasoning: high<|im_end|>\n"
        task.layout = task.layout._replace(template=template._replace(preamble=asked))
    moved(b, chance)
    return Effect(keys(setting, "model_args.chat_template_args"), Stage.PROMPT)


@OPEN.add("model", fits=both(by_transformers, greedy), family="backend")
def another_engine_in_its_own_precision(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is run by another engine with arguments of its own, and answers otherwise."""
    b.config["model"] = b.top["model_source"] = "vllm"
    b.argue(gpu_memory_utilization=0.85, max_model_len=b.arguments.get("max_model_len", 4096), dtype="auto")
    moved(b, chance)
    return Effect(
        keys("model", "model_source"),
        Stage.RESPONSE,
        related=keys(
            *(f"model_args.{name}" for name in ("dtype", "max_length", "max_model_len", "gpu_memory_utilization"))
        ),
    )


@OPEN.add("dataset_name", fits=only_choices, family="docs", alone=True)
def another_language(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B asks the same task in another language: no document is shared."""
    for task in b.tasks.values():
        task.config["dataset_name"] = "fr"
        for item in task.items:
            item.question = f"Question numéro {item.number} : {item.question[::-1]}"
            item.doc = {**item.doc, "question": item.question, "words": f"mot {item.number}"}
            item.doc = {name: f"fr {value}" if isinstance(value, str) else value for name, value in item.doc.items()}
    move_answers(b, chance, 0.9)
    return Effect(
        keys("dataset_name"), Stage.DOCS, kinds=frozenset({"not_comparable"}) | WORDS, standings=SURE, silent=True
    )


@OPEN.add("process_docs", "dataset_kwargs.trust_remote_code", fits=greedy, family="docs", alone=True)
def documents_with_one_field_more(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's documents have a field more, and nothing else is another."""
    for task in b.tasks.values():
        if setting == "process_docs":
            task.define("process_docs", "def add_source(rows):\n    return rows.map(with_source)\n")
        else:
            task.config["dataset_kwargs"] = {**task.config.get("dataset_kwargs", {}), "trust_remote_code": True}
        for item in task.items:
            item.doc = {**item.doc, "source": f"row {item.number}"}
    return Effect(keys(setting), Stage.DOCS, seen=False, silent=True, kinds=SAME, standings=SURE)


@OPEN.add("generation_kwargs.max_gen_toks", fits=both(long_answers, greedy), family="budget")
def budget_of_a_few_tokens(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B gives nearly every answer too few tokens, as for a task of single words."""
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "max_gen_toks": 10}
        for item in task.items:
            item.text = shortened(item.text, 10)
    cut_at(b, 10)
    return Effect(
        keys("gen_kwargs.max_gen_toks", "generation_kwargs.max_gen_toks", "generation_kwargs"),
        Stage.RESPONSE,
        marked=True,
        provable=True,
        standings=SURE | {"proven"},
        kinds=SPOILT | WORDS,
    )
