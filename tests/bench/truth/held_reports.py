"""Mechanisms that are kept aside, after what users of the harness report. Read by the final measurement alone."""

import random

from truth.effects import move_answers, move_task, reworded
from truth.layouts import CHATML
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
    shows_examples,
    some_choices,
)
from truth.prompts import moved
from truth.sides import Item, Side
from truth.truths import ANY, CALM, SAME, SPOILT, SURE, WORDS, Effect, Stage, keys

HELD_REPORTS = Registry()
ASIDE: frozenset[str] = frozenset()
VERSION = keys("versions.lm_eval", "lm_eval_version")
PROVEN = frozenset({"proven"})


@HELD_REPORTS.add(
    "versions.lm_eval", fits=both(shows_examples, plain, only_choices, greedy), family="shots", alone=True
)
def blank_lost_before_the_first_choice(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's release writes some examples without the blank before their answer."""
    b.top["lm_eval_version"] = "0.4.9.2"
    a.top["lm_eval_version"] = "0.4.13"
    for task in b.tasks.values():
        for item in task.items:
            shots = task.examples(item)
            item.asked = "".join(
                f"{asked}{'' if place % 2 else ' '}{told}\n\n" for place, (asked, told) in enumerate(shots)
            )
            item.asked = f"{task.layout.description}{item.asked}{item.question}"
    move_answers(b, chance, 0.5, -0.3)
    return Effect(VERSION, Stage.PROMPT, yields=True, silent=True, standings=frozenset({"possible"}))


@HELD_REPORTS.add("until", fits=both(long_answers, greedy, loaded), family="budget")
def stop_string_written_with_its_backslash(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A stops at a line's end, B at a backslash and an n, which no answer holds: B's answers run on."""
    for side, stop in ((a, "\n"), (b, "\\n")):
        for task in side.texts:
            task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "until": [stop]}
    for task in b.texts:
        for item in task.items:
            item.text = f"{item.text}\nQ: And how many is {chance.randint(3, 90)} then?"
    return Effect(
        keys("gen_kwargs.until", "generation_kwargs.until"),
        Stage.RESPONSE,
        marked=True,
        faint=True,
        provable=True,
        standings=PROVEN,
        kinds=WORDS | CALM,
    )


@HELD_REPORTS.add("model_args.think_end_token", fits=both(long_answers, greedy, loaded), family="template")
def thoughts_cut_off_at_their_end(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both think; B's answers are logged from the end of the thought on."""
    b.argue(think_end_token="</think>")
    for task in a.texts:
        for item in task.items:
            item.text = f"<think>\nI count {chance.randint(2, 9)} of them first.\n</think>{item.text}"
    return Effect(keys(setting), Stage.RESPONSE, standings=SURE, kinds=WORDS | CALM)


@HELD_REPORTS.add("duplicates", fits=both(everywhere, plain), family="items", alone=True)
def documents_that_stand_twice(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A third of B's data set stands in it twice, under other numbers; every answer is the same."""
    for task in b.tasks.values():
        again = task.items[: len(task.items) // 3]
        task.items = task.items + [
            Item(1000 + one.number, one.doc, one.question, one.target, list(one.response), list(one.choices), one.shots)
            for one in again
        ]
    return Effect(ASIDE, Stage.ITEMS, seen=False, kinds=ANY - SPOILT)


@HELD_REPORTS.add(
    "weights of a group", fits=both(only_choices, lambda side: bool(side.groups)), family="groups", alone=True
)
def benchmark_by_its_plain_mean(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B adds its benchmark up by the plain mean of its tasks, which are of unequal size; every item is the same."""
    first = next(iter(a.tasks))
    for side in (a, b):
        side.tasks[first].items = side.tasks[first].items[:15]
    b.by_items = False
    return Effect(ASIDE, Stage.NOWHERE, kinds=CALM)


@HELD_REPORTS.add("model_args.pretrained", fits=both(loaded, long_answers, greedy), family="model")
def model_that_refuses(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is tuned to refuse, and does so for a third of the questions."""
    b.argue(pretrained="org/careful-1.5b")
    b.top |= {"model_name": "org/careful-1.5b"}
    for task in b.texts:
        for item in task.items:
            item.text = (
                " I'm sorry, but I can't help with that." if chance.random() < 0.34 else reworded(item.text, chance)
            )
    return Effect(keys("model_args.pretrained", "model_name"), Stage.RESPONSE, model=True)


@HELD_REPORTS.add("filter_list", fits=both(asks_text, lambda side: list(side.tasks) == ["sums"]), family="filters")
def filter_that_takes_the_first_number(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's filters take the first number of an answer."""
    for task in b.texts:
        first = {"function": "regex", "regex_pattern": "(\\-?[0-9]+)", "group_select": 0}
        task.config["filter_list"] = [
            {**each, "filter": [first, {"function": "take_first"}]} for each in task.config["filter_list"]
        ]
    return Effect(keys("filter_list"), Stage.EXTRACTION, provable=True, standings=PROVEN)


@HELD_REPORTS.add("fewshot_split", fits=both(shows_examples, plain, greedy), family="shots")
def examples_from_the_questions_themselves(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B takes its examples from the test split, so that the questions stand in one another's prompts."""
    for task in b.tasks.values():
        task.config["fewshot_split"] = "test"
        told = [
            (one.question, one.choices[int(one.target)].strip() if one.choices else one.target) for one in task.items
        ]
        for place, item in enumerate(task.items):
            item.shots = tuple(told[(place + step) % len(told)] for step in range(1, task.layout.shots + 1))
    moved(b, chance)
    return Effect(keys("fewshot_split", "fewshot_config.split"), Stage.PROMPT)


@HELD_REPORTS.add("versions.lm_eval", fits=both(only_choices, greedy), family="choices", alone=True)
def delimiter_dropped_by_a_release(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's release scores the choices without the blank in front of them."""
    a.top["lm_eval_version"], b.top["lm_eval_version"] = "0.4.5", "0.4.13"
    for task in b.picks:
        for item in task.items:
            item.choices = [choice.strip() for choice in item.choices]
    moved(b, chance)
    return Effect(VERSION, Stage.PROMPT, yields=True, silent=True, standings=frozenset({"possible"}))


@HELD_REPORTS.add("nothing recorded", fits=both(rendered, greedy), family="template", alone=True)
def date_that_the_template_writes(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """The template writes the day of the run into every prompt; no setting differs."""
    for side, day in ((a, "12 May 2026"), (b, "13 May 2026")):
        side.lay(template=CHATML._replace(preamble=f"<|im_start|>system\nToday: {day}<|im_end|>\n"))
        side.top["chat_template"] = CHATML.text + "{{ strftime_now('%d %B %Y') }}"
    move_answers(b, chance, 0.15, 0.0)
    return Effect(ASIDE, Stage.PROMPT, kinds=WORDS)


@HELD_REPORTS.add("ids", fits=everywhere, family="items", alone=True)
def items_counted_from_one(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B numbers the same documents from one on; every answer is the same."""
    for task in b.tasks.values():
        for item in task.items:
            item.shots = task.examples(item)
        for item in task.items:
            item.number += 1
    return Effect(ASIDE, Stage.NOWHERE, seen=False, kinds=SAME)


@HELD_REPORTS.add("model_args.max_gen_toks", fits=both(asks_text, greedy, loaded), family="budget", alone=True)
def one_budget_told_in_two_places(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B gives the model's argument the budget that the task has anyway."""
    task = b.texts[0]
    b.argue(max_gen_toks=task.config["generation_kwargs"].get("max_gen_toks", 256))
    return Effect(keys(setting), Stage.NOWHERE, seen=False, silent=True, kinds=SAME, standings=SURE)


@HELD_REPORTS.add("model_args.tokenizer_backend", fits=both(served, plain, greedy), family="tokens")
def tokens_made_by_the_server(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A sends token ids of its own tokenizer, B text that the server cuts: some answers change by much."""
    a.argue(tokenizer_backend="huggingface")
    b.argue(tokenizer_backend=None)
    for task in b.texts:
        move_task(task, chance, 0.3)
    return Effect(keys(setting), Stage.RESPONSE, standings=SURE)


@HELD_REPORTS.add("metadata.version", fits=both(some_choices, greedy), family="nothing", alone=True)
def version_counted_up_without_a_change(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's tasks carry a newer version for a change of what describes them; nothing else differs."""
    for task in b.tasks.values():
        task.version = 2.0 if task.version == 1.0 else 3.0
        task.config["metadata"] = {**task.config["metadata"], "version": task.version}
    return Effect(
        keys(*(f"versions.{name}" for name in b.tasks), "metadata.version"),
        Stage.NOWHERE,
        seen=False,
        silent=True,
        kinds=SAME,
        standings=frozenset({"possible"}),
    )
