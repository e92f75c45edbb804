"""More mechanisms that are kept aside: what people do between two runs. Read by the final measurement alone."""

import random

from truth.effects import draw_answers, move_answers, move_task, reworded
from truth.mechanism import (
    Registry,
    asks_text,
    both,
    everywhere,
    greedy,
    loaded,
    long_answers,
    plain,
    rendered,
    sampled,
    served,
    some_choices,
    some_text,
)
from truth.prompts import moved
from truth.sides import Side
from truth.truths import ANY, CALM, SPOILT, SURE, WORDS, Effect, Stage, keys

HELD_HABITS = Registry()


@HELD_HABITS.add("model_args.num_concurrent", fits=both(served, greedy, asks_text), family="transport", alone=True)
def so_many_requests_that_some_fail(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B asks so many at once that the server leaves a fifth of the answers empty."""
    a.argue(num_concurrent=1)
    b.argue(num_concurrent=64)
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.2:
                item.text = ""
    return Effect(keys("model_args.num_concurrent"), Stage.RESPONSE, silent=True, weak=3)


@HELD_HABITS.add("model_args.reasoning_parser", fits=both(greedy, long_answers), family="template")
def thoughts_taken_out_by_the_server(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A logs thoughts before its answers; B's server takes them out, and answers are the same else."""
    b.argue(reasoning_parser="deepseek_r1")
    for task in a.texts:
        for item in task.items:
            item.text = f"<think>\nOne moment, I count. That is all.\n</think>{item.text}"
    return Effect(keys(setting), Stage.RESPONSE, standings=SURE, kinds=WORDS | CALM, silent=True, weak=1)


@HELD_HABITS.add(
    "model_args.tokenizer", "model_args.use_fast_tokenizer", fits=both(loaded, some_choices), family="tokens"
)
def another_tokenizer(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B cuts the same texts into other tokens: a part of the log-likelihoods moves by much."""
    b.argue(**{setting.partition(".")[2]: "org/tokenizer-v2" if setting.endswith("tokenizer") else False})
    for task in b.picks:
        for item in task.items:
            if chance.random() < 0.4:
                item.response = [round(value - abs(chance.gauss(0.0, 2.0)), 6) for value in item.response]
    for task in b.texts:
        move_task(task, chance, 0.4)
    return Effect(keys(setting), Stage.RESPONSE)


@HELD_HABITS.add("config.limit", fits=everywhere, family="items")
def a_fraction_of_the_items(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B scores the first half of each task, by a fraction as its limit."""
    for task in b.tasks.values():
        task.items = task.items[: -(-len(task.items) // 2)]
    b.config["limit"] = 0.5
    return Effect(
        keys("limit", "samples"),
        Stage.ITEMS,
        provable=True,
        standings=frozenset({"proven"}),
        kinds=ANY - SPOILT,
    )


@HELD_HABITS.add("doc_to_text", fits=both(plain, greedy), family="frame")
def blank_behind_the_question(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts end in a blank that A's do not."""
    for task in b.tasks.values():
        task.define("doc_to_text", f"{task.config.get('doc_to_text', '{{question}}')} ")
        task.layout = task.layout._replace(after=" ")
    moved(b, chance)
    return Effect(keys("doc_to_text"), Stage.PROMPT)


@HELD_HABITS.add("model_args.peft", "model_args.lora_local_path", fits=both(loaded, greedy), family="model")
def adapter_laid_over(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B lays an adapter over the model."""
    b.argue(**{setting.partition(".")[2]: "out/checkpoint-400"})
    moved(b, chance)
    return Effect(keys(setting), Stage.RESPONSE, model=True)


@HELD_HABITS.add("system_instruction", fits=both(rendered, greedy, some_text), family="system")
def form_asked_for_in_a_system_turn(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's system turn asks for JSON, and gets it."""
    text = 'Reply in JSON: {"answer": …}.'
    b.lay(system=text)
    b.top |= {"system_instruction": text}
    for task in b.texts:
        for item in task.items:
            item.text = f'{{"answer": "{item.text.strip()}"}}'
    for task in b.picks:
        move_task(task, chance)
    return Effect(keys("system_instruction"), Stage.PROMPT)


@HELD_HABITS.add("context.engine", fits=both(served, greedy), family="server")
def another_server_under_the_same_address(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """The same address is answered by another engine, as somebody noted beside the runs."""
    a.context = {**(a.context or {}), "engine": "llama.cpp"}
    b.context = {**(b.context or {}), "engine": "ollama"}
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.5:
                item.text = reworded(item.text, chance)
    move_answers(b, chance, 0.3)
    return Effect(keys("context.engine"), Stage.RESPONSE)


@HELD_HABITS.add("model_args.gguf_file", "context.model_file", fits=both(loaded, greedy), family="model")
def file_of_other_bits(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B loads another file of the same repository: fewer bits a weight."""
    names = "base-Q8_0.gguf", "base-Q3_K_M.gguf"
    for side, name in zip((a, b), names, strict=True):
        if setting.startswith("context."):
            side.context = {**(side.context or {}), "model_file": name}
        else:
            side.argue(gguf_file=name)
    moved(b, chance, 0.6)
    return Effect(keys(setting), Stage.RESPONSE, model=None if setting.startswith("context.") else True)


@HELD_HABITS.add("temperature", fits=sampled, family="drawing", alone=True)
def warmer_draws(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both draw their answers, B at a higher temperature."""
    for side, heat in ((a, 0.5), (b, 1.1)):
        if side.config.get("gen_kwargs"):
            side.config["gen_kwargs"] = {**side.config["gen_kwargs"], "temperature": heat}
        for task in side.texts:
            task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "temperature": heat}
    draw_answers(b, chance)
    return Effect(
        keys("gen_kwargs.temperature", "generation_kwargs.temperature"), Stage.RESPONSE, silent=True, standings=SURE
    )


@HELD_HABITS.add("system_instruction", fits=both(plain, greedy, asks_text), family="system")
def answers_in_capitals_as_asked(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts ask for capitals, and every answer is written so; nothing is right or wrong otherwise."""
    text = "WRITE IN CAPITALS ONLY. "
    b.lay(system=text)
    b.top |= {"system_instruction": text}
    for task in b.texts:
        for item in task.items:
            item.text = item.text.upper()
    return Effect(keys("system_instruction"), Stage.PROMPT, kinds=WORDS | CALM)


@HELD_HABITS.add("context.quant", fits=both(served, greedy), family="model", alone=True)
def weights_and_engine_noted_together(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Another engine serves other bits of the model, as is noted beside both runs: nothing tells the two apart."""
    a.context = {**(a.context or {}), "quant": "Q8_0", "engine": "llama.cpp"}
    b.context = {**(b.context or {}), "quant": "AWQ", "engine": "vllm"}
    moved(b, chance)
    return Effect(keys("context.quant"), Stage.RESPONSE, related=keys("context.engine"), model=True)
