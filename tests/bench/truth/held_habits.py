"""More mechanisms that are kept aside: what people do between two runs. Read by the final measurement alone."""

import random

from truth.effects import cut_at, move_answers, move_task, reworded, shortened
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
    rendered,
    served,
    some_choices,
    some_text,
)
from truth.prompts import moved
from truth.sides import Side
from truth.truths import ANY, CALM, SAME, SPOILT, SURE, WORDS, Effect, Stage, keys

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
    return Effect(keys("model_args.num_concurrent"), Stage.RESPONSE, silent=True, weak=2)


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


@HELD_HABITS.add("dataset_name", fits=only_choices, family="docs", alone=True)
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


@HELD_HABITS.add("process_docs", "dataset_kwargs.trust_remote_code", fits=greedy, family="docs", alone=True)
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


@HELD_HABITS.add("generation_kwargs.max_gen_toks", fits=both(long_answers, greedy), family="budget")
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
