"""Mechanisms after what people met who had not read the rules: messages for answers, texts replaced, tasks counted."""

import random

from truth.effects import move_answers, move_task, reworded
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
    some_choices,
    some_text,
)
from truth.prompts import moved
from truth.sides import Side
from truth.truths import CALM, SAME, SURE, WORDS, Effect, Stage, keys

OPEN = Registry()
NOTHING: frozenset[str] = frozenset()
MESSAGE = "Error 503: the upstream server is busy, please retry your request later."
MODEL = keys("model_args.pretrained", "model_name")


@OPEN.add("nothing recorded", "model_args.num_concurrent", fits=both(long_answers, greedy), family="items")
def message_in_the_place_of_answers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A third of B's answers are what a server said instead."""
    if setting != "nothing recorded":
        for side, number in ((a, 2), (b, 48)):
            side.argue(num_concurrent=number)
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.34:
                item.text = MESSAGE
    causes = NOTHING if setting == "nothing recorded" else keys(setting)
    return Effect(causes, Stage.RESPONSE, kinds=WORDS, silent=True, weak=3)


@OPEN.add("model_args.pretrained", fits=both(loaded, long_answers, greedy), family="model")
def another_model_behind_a_busy_server(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is another model, of which a fourth of the answers are a server's message."""
    b.argue(pretrained="lab/right-2b")
    b.top |= {"model_name": "lab/right-2b"}
    move_answers(b, chance, 0.7, 0.2)
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.25:
                item.text = MESSAGE
    return Effect(MODEL, Stage.RESPONSE, model=True)


@OPEN.add("system_instruction", fits=both(rendered, long_answers, greedy), family="system")
def refusals_that_a_system_text_asks_for(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's system turn makes the model refuse a third of the questions."""
    text = "You are careful. Decline whatever you are not sure of."
    b.lay(system=text)
    b.top |= {"system_instruction": text}
    for task in b.texts:
        for item in task.items:
            refuses = chance.random() < 0.34
            item.text = "I'm sorry, but I can't help with that." if refuses else reworded(item.text, chance)
    return Effect(keys("system_instruction"), Stage.PROMPT)


@OPEN.add("description", fits=both(plain, greedy), family="system")
def description_in_the_place_of_another(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both tasks have a text in front, and not the same one."""
    for side, text in ((a, "Think first, then answer. "), (b, "Answer with one word only.\n\n")):
        for task in side.tasks.values():
            task.define("description", text)
            task.layout = task.layout._replace(description=text)
    moved(b, chance)
    return Effect(keys("description"), Stage.PROMPT)


@OPEN.add("description and frame", fits=both(plain, greedy), family="system", alone=True)
def description_and_question_written_anew(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task writes another text in front and its questions otherwise."""
    for task in b.tasks.values():
        task.define("description", "Please be brief. ")
        task.define("doc_to_text", "Now: {{question}}")
        task.layout = task.layout._replace(description="Please be brief. ", before="Now: ")
    moved(b, chance)
    return Effect(keys("description"), Stage.PROMPT, with_=keys("doc_to_text"))


@OPEN.add("gen_prefix", fits=both(rendered, asks_text, greedy), family="frame")
def beginning_of_the_answer_in_its_turn(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's template opens the answer with words of the task's."""
    for task in b.tasks.values():
        task.layout = task.layout._replace(prefix="The answer is")
        task.define("gen_prefix", "The answer is")
    moved(b, chance)
    return Effect(keys("gen_prefix"), Stage.PROMPT)


@OPEN.add("task version", fits=both(plain, greedy), family="frame")
def question_that_a_newer_task_writes_by_code(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task is a newer version whose code, which no file holds, writes the questions otherwise."""
    for task in b.tasks.values():
        task.version = float(task.version) + 1.0
        task.config["metadata"] = {**task.config["metadata"], "version": task.version}
        task.layout = task.layout._replace(before="Consider this. ")
    moved(b, chance)
    versions = keys(*(f"versions.{name}" for name in b.tasks), "metadata.version")
    return Effect(versions, Stage.PROMPT, silent=True, yields=True)


@OPEN.add("ignore_case", "ignore_punctuation", fits=both(asks_text, greedy), family="scorer")
def scorer_that_takes_less_exactly(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's metric forgives what A's does not: the same kept answers score otherwise."""
    for task in b.texts:
        task.config["metric_list"] = [
            {**metric, setting: not metric.get(setting, False)} for metric in task.config["metric_list"]
        ]
        for item in task.items:
            if chance.random() < 0.25:
                item.verdict = 1.0
    return Effect(
        keys("metric_list"), Stage.SCORING, provable=True, standings=frozenset({"proven", "supported"}), kinds=WORDS
    )


@OPEN.add("nothing recorded", fits=both(long_answers, greedy), family="answers", alone=True)
def cap_of_the_server_on_all_answers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's server ends every answer after some characters, as no file records."""
    for task in b.texts:
        for item in task.items:
            item.text = item.text[:24]
    return Effect(NOTHING, Stage.RESPONSE, kinds=WORDS | CALM | {"not_a_measurement"})


@OPEN.add("model_args.load_in_8bit", "context.kv_cache", fits=both(loaded, greedy), family="arithmetic")
def fewer_bits_that_move_some_answers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B keeps its weights, or its memory of the prompt, in fewer bits: some answers change by much."""
    if setting.startswith("context."):
        a.context, b.context = {**(a.context or {}), "kv_cache": "f16"}, {**(b.context or {}), "kv_cache": "q4_0"}
    else:
        b.argue(load_in_8bit=True)
    move_answers(b, chance, 0.45, -0.2)
    return Effect(
        keys(setting),
        Stage.RESPONSE,
        model=None if setting.startswith("context.") else True,
        silent=setting.startswith("context."),
        weak=1,
    )


@OPEN.add(
    "doc_to_text and filter_list", fits=lambda side: len(side.tasks) > 1 and greedy(side), family="frame", alone=True
)
def one_task_of_several_asked_otherwise(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """One task of B's writes its questions otherwise; the others are the same to the letter."""
    task = next(iter(b.tasks.values()))
    task.define("doc_to_text", "Well: {{question}}")
    task.layout = task.layout._replace(before="Well: ")
    move_task(task, chance, 0.9, -0.6)
    return Effect(keys("doc_to_text"), Stage.PROMPT)


@OPEN.add("use_cache", fits=both(plain, greedy, loaded), family="nothing", alone=True)
def responses_of_a_cache_under_another_template(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B asks with another system text, as its prompts show, and all responses are those of the cache."""
    b.config["use_cache"] = "cache/answers"
    b.lay(system="Answer at once. ")
    b.top |= {"system_instruction": "Answer at once. "}
    return Effect(
        keys("system_instruction"),
        Stage.NOWHERE,
        related=keys("use_cache"),
        seen=False,
        silent=True,
        kinds=SAME | CALM,
        standings=SURE,
    )


@OPEN.add("nothing recorded", "transformers_version", fits=both(asks_text, greedy), family="answers", alone=True)
def white_space_beside_a_few_other_answers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's answers have a blank that A's have not, and three say something else."""
    if setting != "nothing recorded":
        b.top[setting] = "4.60.0"
    for task in b.texts:
        for place, item in enumerate(task.items):
            item.text = reworded(item.text, chance) if place < 3 else f" {item.text} "
    causes = NOTHING if setting == "nothing recorded" else keys("versions.transformers", setting)
    return Effect(causes, Stage.RESPONSE, kinds=WORDS | CALM, silent=True, weak=3, standings=frozenset({"possible"}))


@OPEN.add("target_delimiter", fits=both(only_choices, plain, greedy), family="choices")
def blank_taken_from_before_the_choices(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task puts nothing between a question and its choices."""
    for task in b.picks:
        task.define("target_delimiter", "")
        for item in task.items:
            item.choices = [choice.strip() for choice in item.choices]
    moved(b, chance)
    return Effect(keys("target_delimiter"), Stage.PROMPT)


@OPEN.add("model_args.device_map", fits=both(loaded, some_choices, greedy), family="arithmetic")
def weights_spread_over_two_cards(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's weights lie on two cards: log-likelihoods move by a trifle."""
    b.argue(device_map="auto", parallelize=True)
    for task in b.picks:
        for item in task.items:
            item.response = [round(value + chance.gauss(0.0, 0.004), 6) for value in item.response]
    return Effect(
        keys("model_args.device_map", "model_args.parallelize"),
        Stage.RESPONSE,
        weak=3,
        silent=True,
        kinds=WORDS | CALM | SAME,
    )


@OPEN.add("model_args.revision", fits=both(loaded, some_text, greedy), family="model")
def later_step_of_one_training(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is a later checkpoint of the same repository."""
    for side, step in ((a, "step2000"), (b, "step4000")):
        side.argue(revision=step)
    move_answers(b, chance, 0.6, 0.3)
    return Effect(keys("model_args.revision"), Stage.RESPONSE, model=True)
