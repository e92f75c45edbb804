"""Mechanisms that leave no numbers or no answers, and one by which a task itself draws what it asks."""

import random

from truth.mechanism import Registry, asks_text, both, greedy, loaded, long_answers, only_choices
from truth.sides import Side
from truth.truths import ANY, SAME, SPOILT, WORDS, Effect, Stage, keys

OPEN = Registry()
NOTHING: frozenset[str] = frozenset()
NAN = float("nan")


@OPEN.add(
    "model_args.dtype", "batch_size", "nothing recorded", fits=both(only_choices, loaded, greedy), family="arithmetic"
)
def log_likelihoods_that_are_no_numbers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's sums overflow on two items of five."""
    if setting == "model_args.dtype":
        b.argue(dtype="float16")
    elif setting == "batch_size":
        b.config["batch_size"] = "64"
    for task in b.picks:
        for item in task.items:
            if chance.random() < 0.4:
                item.response = [NAN for _ in item.response]
    causes = NOTHING if setting == "nothing recorded" else keys(setting)
    return Effect(causes, Stage.RESPONSE, kinds=SPOILT, silent=True, weak=3)


@OPEN.add("nothing recorded", "process_results", fits=greedy, family="scorer")
def scores_that_are_no_numbers(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's scorer gives no number for one item of five, of the same responses."""
    for task in b.tasks.values():
        for item in task.items:
            if chance.random() < 0.2:
                item.verdict = NAN
        if setting == "process_results":
            task.define("process_results", "def score(doc, results):\n    return ratio(doc, results)\n")
    causes = NOTHING if setting == "nothing recorded" else keys(setting)
    return Effect(causes, Stage.SCORING, kinds=frozenset({"unclear"}), silent=True)


@OPEN.add("random_seed", "numpy_seed", fits=both(only_choices, greedy), family="docs")
def seed_of_the_code_of_a_task(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """The task's own code shuffles its choices by a seed of the run, which is another in B."""
    drawing = {"random_seed": "random.shuffle(row)", "numpy_seed": "np.random.shuffle(row)"}[setting]
    for side, seed in ((a, 1), (b, 2)):
        side.config[setting] = seed
        for task in side.picks:
            task.define("process_docs", f"def mix(rows):\n    for row in rows:\n        {drawing}\n    return rows\n")
    for task in b.picks:
        for item in task.items:
            order = chance.sample(range(len(item.choices)), len(item.choices))
            item.choices = [item.choices[place] for place in order]
            item.response = [round(item.response[place] + chance.gauss(0, 0.6), 6) for place in order]
            item.target = str(order.index(int(item.target)))
            item.doc = {**item.doc, "choices": [choice.strip() for choice in item.choices], "label": int(item.target)}
    return Effect(keys(setting), Stage.DOCS, kinds=ANY - SPOILT)


@OPEN.add("nothing recorded", fits=both(asks_text, greedy), family="answers", alone=True)
def one_answer_whatever_is_asked(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B says one and the same opening to every question."""
    for task in b.texts:
        for item in task.items:
            item.text = " Certainly, with pleasure"
    return Effect(NOTHING, Stage.RESPONSE, kinds=SPOILT)


@OPEN.add("nothing recorded", "model_args.num_concurrent", fits=both(asks_text, greedy), family="items")
def server_that_died_while_it_ran(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's last answers are empty, all of them from some item on."""
    if setting != "nothing recorded":
        for side, number in ((a, 4), (b, 32)):
            side.argue(num_concurrent=number)
    for task in b.texts:
        for item in task.items[-max(4, len(task.items) // 3) :]:
            item.text = ""
    causes = NOTHING if setting == "nothing recorded" else keys(setting)
    return Effect(causes, Stage.RESPONSE, kinds=WORDS, silent=True, weak=3)


@OPEN.add("nothing recorded", "model", fits=both(asks_text, greedy), family="answers", alone=True)
def white_space_around_each_answer(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B keeps a blank around each answer that A strips: nothing that a model did."""
    if setting == "model":
        b.config["model"] = b.top["model_source"] = "vllm"
    for task in b.texts:
        for item in task.items:
            item.text = f"\n{item.text} "
    causes = NOTHING if setting == "nothing recorded" else keys("model", "model_source")
    return Effect(causes, Stage.RESPONSE, kinds=SAME | WORDS, silent=True, weak=3, slight=True)


@OPEN.add("nothing recorded", fits=both(long_answers, greedy), family="answers", alone=True)
def role_header_before_each_answer(a: Side, b: Side, chance: random.Random, setting: str) -> Effect:
    """B's server leaves the words of its template before each answer."""
    for task in b.texts:
        for item in task.items:
            item.text = f"assistant: {item.text.strip()}"
    return Effect(NOTHING, Stage.RESPONSE, kinds=SAME | WORDS, silent=True)
