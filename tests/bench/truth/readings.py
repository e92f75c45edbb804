"""Mechanisms that act on what is made of answers, on no answers at all, and on nothing."""

import random

from truth.effects import move_answers, reworded, right
from truth.mechanism import Registry, asks_text, both, everywhere, greedy, long_answers, some_choices, two_filters
from truth.sides import Side
from truth.truths import ANY, CALM, SAME, SPOILT, WORDS, Effect, Stage, keys

OPEN = Registry()
PROVEN = frozenset({"proven"})


@OPEN.add("filter_list", fits=both(asks_text, two_filters), family="filters")
def filter_that_reads_otherwise(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's filters keep the first number's last digit where A's keep the last number; every raw answer is the same."""
    for task in b.texts:
        task.config["filter_list"] = [
            {
                "name": each["name"],
                "filter": [{"function": "regex", "regex_pattern": "([0-9])(?![0-9])", "group_select": 0}],
            }
            for each in task.config["filter_list"]
        ]
    return Effect(keys("filter_list"), Stage.EXTRACTION, provable=True, standings=PROVEN, kinds=WORDS)


@OPEN.add("metric_list", fits=asks_text, family="scorer")
def metric_with_other_arguments(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's metric ignores numbers or case where A's does not; every extracted answer is the same."""
    for side in (a, b):
        for task in side.texts:
            metric = dict(task.config["metric_list"][0])
            words = not any(character.isdigit() for item in task.items for character in item.target)
            if side is b:
                metric |= {"ignore_case": False} if words else {"ignore_numbers": True}
            task.config["metric_list"] = [metric]
    return Effect(keys("metric_list"), Stage.SCORING, provable=True, standings=PROVEN, kinds=WORDS)


@OPEN.add("process_results", "task version", fits=everywhere, family="scorer")
def scorer_that_changed(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's scoring function gives other scores for the same extracted answers."""
    for task in b.tasks.values():
        for item in task.items:
            if chance.random() < 0.3:
                item.verdict = 0.0 if right(task, item) else 1.0 if chance.random() < 0.4 else None
        task.config["process_results"] = "def score(doc, results):\n    return lenient(doc, results)\n"
        if setting == "task version":
            task.version = task.config["metadata"]["version"] = 9.0
    return Effect(
        keys("process_results", *(f"versions.{name}" for name in b.tasks)),
        Stage.SCORING,
        provable=True,
        standings=PROVEN,
        kinds=WORDS,
    )


@OPEN.add("nothing recorded", fits=asks_text, family="scorer", alone=True)
def scorer_that_is_not_deterministic(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A judge scores the same texts otherwise on two days; the files say the same of both runs."""
    for task in b.texts:
        for item in task.items:
            if chance.random() < 0.25:
                item.verdict = 0.0 if right(task, item) else 1.0
    return Effect(frozenset(), Stage.SCORING)


@OPEN.add("doc_to_target", fits=some_choices, family="target")
def other_targets(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's task takes another choice for the right one; documents, prompts and log-likelihoods are the same."""
    for task in b.picks:
        task.define("doc_to_target", "{{(label + 1) % 3}}")
        for item in task.items:
            item.target = str((int(item.target) + 1) % len(item.choices))
    return Effect(
        keys("doc_to_target"),
        Stage.SCORING,
        marked=True,
        standings=frozenset({"proven", "supported"}),
        provable=True,
        kinds=ANY - SAME,
    )


@OPEN.add("copy", "other date and time", fits=everywhere, family="nothing", alone=True)
def one_run_twice(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B is A again."""
    if setting == "copy":
        b.top = dict(a.top)
    return Effect(frozenset(), Stage.NOWHERE, seen=False, kinds=SAME)


@OPEN.add("batch_size", "model_args.dtype", "versions.lm_eval", "device", fits=greedy, family="nothing", alone=True)
def difference_that_moved_nothing(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """Something that could move answers differs, and all answers are the same."""
    if setting == "model_args.dtype":
        b.argue(dtype="float16")
    elif setting == "versions.lm_eval":
        b.top["lm_eval_version"] = "0.4.12"
    else:
        b.config[setting] = {"batch_size": "64", "device": "cuda:1"}[setting]
    return Effect(
        keys(setting),
        Stage.NOWHERE,
        seen=False,
        kinds=SAME,
        silent=True,
        yields=True,
        standings=frozenset({"possible"}),
    )


@OPEN.add("A's config is missing", fits=greedy, family="nothing", alone=True)
def settings_that_one_side_does_not_record(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """A's file lacks its configuration, and B's answers differ."""
    move_answers(b, chance, 0.8, -0.4)
    a.top["config"] = {}
    return Effect(frozenset(), Stage.RESPONSE, silent=True, kinds=WORDS, unknown=True)


@OPEN.add("server", fits=asks_text, family="spoilt", alone=True)
def answers_that_are_empty(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's server answered nothing."""
    for task in b.texts:
        for item in task.items:
            item.text = ""
    return Effect(frozenset(), Stage.RESPONSE, kinds=SPOILT)


@OPEN.add("thought", fits=long_answers, family="spoilt", alone=True)
def thoughts_that_never_end(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B opens a thought in every answer and never closes it."""
    for task in b.texts:
        for item in task.items:
            item.text = f"<think>\nOkay, {reworded(item.text, chance).strip()[:70]}"
    return Effect(frozenset(), Stage.RESPONSE, kinds=SPOILT)


@OPEN.add("fraction against percent", fits=everywhere, family="scale", alone=True)
def scores_on_two_scales(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's file reports percent."""
    b.scale = 100.0
    return Effect(frozenset(), Stage.NOWHERE, seen=False, kinds=frozenset({"not_comparable"}) | CALM, silent=True)
