"""Mechanisms that act on documents, items and prompts."""

import random

from truth.effects import move_answers
from truth.layouts import CHATML, DATED, HEADERS, NO_THOUGHT
from truth.mechanism import (
    Registry,
    both,
    everywhere,
    greedy,
    loaded,
    plain,
    rendered,
    shows_examples,
    some_choices,
)
from truth.sides import Side
from truth.truths import ANY, SAME, SPOILT, SURE, WORDS, Effect, Stage, keys

OPEN = Registry()
TILTS = (-0.8, -0.4, 0.0, 0.5)


def moved(b: Side, chance: random.Random, share: float = 0.8) -> None:
    """Move B's answers as other prompts do."""
    move_answers(b, chance, share, chance.choice(TILTS))


@OPEN.add("config.limit", fits=everywhere, family="items")
def fewer_items(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B scores the first part of the items; the shared ones are answered alike."""
    size = chance.choice((20, 25, 30))
    for task in b.tasks.values():
        task.items = task.items[:size]
    b.config["limit"] = float(size)
    return Effect(
        keys("limit", "samples"),
        Stage.ITEMS,
        provable=True,
        standings=frozenset({"proven"}),
        kinds=ANY - {"not_a_measurement"},
    )


@OPEN.add(
    "dataset_path",
    "dataset_name",
    "dataset_kwargs.revision",
    "process_docs",
    "test_split",
    fits=everywhere,
    family="docs",
)
def other_documents(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Another edition of the data: some questions are put otherwise, and are answered otherwise."""
    for task in b.tasks.values():
        definition = task.config
        if setting == "dataset_kwargs.revision":
            definition["dataset_kwargs"] = {**definition.get("dataset_kwargs", {}), "revision": "v2"}
        elif setting == "process_docs":
            definition["process_docs"] = "def clean(rows):\n    return rows.map(strip_markup)\n"
        else:
            definition[setting] = {
                "dataset_path": "org/other-edition",
                "dataset_name": "second",
                "test_split": "validation",
            }[setting]
        for item in task.items:
            if chance.random() < 0.7:
                changed = item.question.replace("?", ", would you say?", 1).replace(" is", " now is", 1)
                item.question = changed if changed != item.question else f"{item.question} "
                item.doc = {**item.doc, "edition": 2}
    part = b.copy()
    for task in part.tasks.values():
        task.items = [item for item in task.items if "edition" in item.doc]
    moved(part, chance)
    for name, task in b.tasks.items():
        told = {item.number: item for item in part.tasks[name].items}
        task.items = [told.get(item.number, item) for item in task.items]
    return Effect(
        keys(setting, setting.partition(".")[0]),
        Stage.DOCS,
        kinds=ANY - SPOILT,
        provable=True,
        standings=SURE | {"proven"},
    )


@OPEN.add("fewer", "more", fits=shows_examples, family="shots")
def number_of_examples(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B sees another number of examples before the same questions."""
    for task in b.tasks.values():
        count = task.layout.shots + (2 if setting == "more" else -min(task.layout.shots, 2))
        task.layout = task.layout._replace(shots=count)
        task.config["num_fewshot"] = count
    moved(b, chance)
    return Effect(keys("num_fewshot"), Stage.PROMPT, standings=frozenset({"supported"}))


@OPEN.add("none to some", fits=both(plain, lambda side: not shows_examples(side)), family="shots")
def examples_at_all(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B sees examples where A sees none."""
    for task in b.tasks.values():
        task.layout = task.layout._replace(shots=3)
        task.config["num_fewshot"] = 3
    moved(b, chance)
    return Effect(keys("num_fewshot"), Stage.PROMPT, standings=frozenset({"supported"}))


@OPEN.add("fewshot_seed", "fewshot_split", fits=shows_examples, family="shots")
def other_examples(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B sees as many examples, but others."""
    b.lay(draw=2)
    if setting == "fewshot_seed":
        b.config["fewshot_seed"] = 42
    for task in b.tasks.values():
        if setting == "fewshot_split":
            task.config["fewshot_split"] = "validation"
    moved(b, chance)
    return Effect(keys(setting, "fewshot_config.split"), Stage.PROMPT)


@OPEN.add("chatml", "headers", fits=both(plain, loaded), family="template")
def chat_template_turned_on(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts stand in a chat template's marks, its examples in turns, as newer harnesses do by themselves."""
    template = CHATML if setting == "chatml" else HEADERS
    b.lay(template=template, turns=True)
    b.top |= {"chat_template": template.text, "chat_template_sha": "d0", "fewshot_as_multiturn": True}
    moved(b, chance)
    return Effect(
        keys("chat_template"), Stage.PROMPT, related=keys("fewshot_as_multiturn"), standings=frozenset({"supported"})
    )


@OPEN.add("headers", "dated", fits=rendered, family="template")
def another_chat_template(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Both sides use a chat template, B another one; one of them writes a date into a system turn."""
    template = HEADERS if setting == "headers" else DATED
    b.lay(template=template)
    b.top |= {"chat_template": template.text, "chat_template_sha": "e5"}
    moved(b, chance)
    return Effect(keys("chat_template"), Stage.PROMPT, never=keys("system_instruction"))


@OPEN.add("fewshot_as_multiturn", fits=both(shows_examples, lambda side: not plain(side)), family="turns")
def examples_in_one_turn(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B writes the same examples into one turn."""
    b.lay(turns=False)
    b.top["fewshot_as_multiturn"] = False
    moved(b, chance)
    return Effect(keys("fewshot_as_multiturn"), Stage.PROMPT)


@OPEN.add("system_instruction", fits=everywhere, family="system")
def system_text_added(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is given a system text."""
    text = chance.choice(("You are a careful assistant.", "Answer briefly. ", "Think before you answer."))
    b.lay(system=text)
    b.top |= {"system_instruction": text, "system_instruction_sha": "ab12"}
    moved(b, chance)
    return Effect(keys("system_instruction"), Stage.PROMPT)


@OPEN.add(
    "description",
    fits=lambda side: not any(task.config.get("description") for task in side.tasks.values()),
    family="system",
)
def description_added(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task begins every prompt with a description; no system text is recorded on either side."""
    describe(b, chance.choice(("Solve the problem and end with the number.\n\n", "Read carefully.\n\n")))
    moved(b, chance)
    return Effect(keys("description"), Stage.PROMPT, never=keys("system_instruction"))


@OPEN.add("description", fits=shows_examples, family="system")
def description_of_two_paragraphs(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's description has paragraphs as examples have them, and is none."""
    describe(b, "Solve each problem.\n\nState the answer only.\n\n")
    moved(b, chance)
    return Effect(keys("description"), Stage.PROMPT, never=keys("fewshot_seed", "num_fewshot", "system_instruction"))


def describe(side: Side, text: str) -> None:
    """Begin every prompt of a side with this description."""
    for task in side.tasks.values():
        task.config["description"] = text
        task.layout = task.layout._replace(description=text)


@OPEN.add("doc_to_text", fits=everywhere, family="frame")
def other_frame_of_the_question(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task asks every question in another frame."""
    for task in b.tasks.values():
        task.layout = task.layout._replace(before="Exercise. ", after=" (short)")
        task.define("doc_to_text", f"Exercise. {task.config['doc_to_text']} (short)")
    moved(b, chance)
    return Effect(keys("doc_to_text"), Stage.PROMPT)


@OPEN.add("fewshot_delimiter", fits=both(plain, shows_examples), family="frame")
def other_gap_between_examples(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B parts its examples by other signs."""
    hidden = all(task.layout.turns for task in b.tasks.values())  # no gap stands between turns
    for task in b.tasks.values():
        task.layout = task.layout._replace(gap="\n###\n")
        task.define("fewshot_delimiter", "\n###\n")
    if hidden:
        return Effect(keys("fewshot_delimiter"), Stage.NOWHERE, seen=False, silent=True, kinds=WORDS | SAME)
    moved(b, chance)
    return Effect(keys("fewshot_delimiter"), Stage.PROMPT)


@OPEN.add(
    "model_args.enable_thinking",
    "model_args.chat_template_args.enable_thinking",
    fits=both(rendered, greedy),
    family="template",
)
def thinking_turned_off(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's prompts end in an empty thought, which its arguments ask for."""
    b.lay(template=NO_THOUGHT)
    for side, value in ((a, True), (b, False)):
        if setting.endswith("_args.enable_thinking"):
            side.argue(chat_template_args={"enable_thinking": value})
        else:
            side.argue(enable_thinking=value)
    moved(b, chance)
    return Effect(
        keys(setting, "enable_thinking", "model_args.chat_template_args"),
        Stage.PROMPT,
    )


@OPEN.add("doc_to_choice", "target_delimiter", fits=some_choices, family="choices")
def other_texts_of_the_choices(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B scores other texts for the same choices."""
    for task in b.picks:
        for item in task.items:
            item.choices = [
                choice.strip() if setting == "target_delimiter" else f" the {choice.strip()}" for choice in item.choices
            ]
        task.define(setting, "" if setting == "target_delimiter" else "{{choices | map('article')}}")
        task.layout = task.layout._replace(delimiter="") if setting == "target_delimiter" else task.layout
    part = Side(b.top, {task.name: task for task in b.picks})
    moved(part, chance)
    return Effect(keys(setting), Stage.PROMPT)
