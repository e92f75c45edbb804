"""What situations start from: small real runs of the archive, and written ones of the kinds that these lack."""

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from truth.layouts import CHATML, Layout, Shot
from truth.sides import Item, Side, Task

Json = Any
RUNS = Path(__file__).parents[3] / "site" / "runs"

DERIVED = (
    *("results", "groups", "group_subtasks", "configs", "versions", "n-shot", "higher_is_better", "n-samples"),
    "task_hashes",
)
"""Keys of a results file that are made anew when a side is written."""


def real(folder: str) -> Side:
    """Return a run of the archive as a side: its prompts are taken apart, its answers stay as they are."""
    place = RUNS / folder
    path = next(place.rglob("results_*.json"))
    document = json.loads(path.read_text(encoding="utf-8"))
    tasks = {}
    for log in sorted(path.parent.glob("samples_*.jsonl")):
        name = log.name.removeprefix("samples_").rsplit("_", 1)[0]
        rows = [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n") if line]
        tasks[name] = real_task(name, document, rows)
    context = json.loads((place / "run-context.json").read_text(encoding="utf-8"))
    top = {key: value for key, value in document.items() if key not in DERIVED}
    return Side(top, tasks, dict(document.get("group_subtasks", {})), context)


def real_task(name: str, document: Mapping[str, Json], rows: list[dict[str, Json]]) -> Task:
    """Return a task of a real run from its definition and its rows."""
    config = document["configs"][name]
    first = {row["doc_id"]: row for row in reversed(rows)}
    items = [real_item(config, first[number]) for number in sorted(first)]
    pool = list(dict.fromkeys(shot for item in items for shot in item.shots)) or examples_of(items)
    layout = Layout(
        messages=isinstance(rows[0]["arguments"]["gen_args_0"]["arg_0"], list),
        turns=bool(document.get("fewshot_as_multiturn")),
        shots=config["num_fewshot"],
        description=config.get("description", ""),
    )
    return Task(name, config, layout, pool, items, document["n-samples"][name]["original"])


def examples_of(items: list[Item]) -> list[Shot]:
    """Return a pool of examples where no prompt shows any: the questions themselves with their targets."""
    return [
        (item.question, item.target if not item.choices else item.choices[int(item.target)].strip()) for item in items
    ]


def real_item(config: Mapping[str, Json], row: dict[str, Json]) -> Item:
    """Return an item of a real log: the question and the examples of its prompt, and what was answered."""
    asked = row["arguments"]["gen_args_0"]["arg_0"]
    if isinstance(asked, list):
        turns = [message["content"] for message in json.loads(asked[0])]
        shots = tuple(zip(turns[:-1:2], turns[1::2], strict=True))
        question = turns[-1]
    else:
        blocks = asked.removeprefix(config.get("description", "")).split("\n\n")
        shots, question = tuple(map(taken_apart, blocks[:-1])), blocks[-1]
    choices = (
        [request["arg_1"] for request in row["arguments"].values()] if "until" not in str(row["arguments"]) else []
    )
    responses = [float(pair[0][0]) for pair in row["resps"]] if choices else list(row["resps"][0])
    return Item(row["doc_id"], row["doc"], question, row["target"], responses, choices, shots)


def taken_apart(block: str) -> Shot:
    """Return an example's question and answer."""
    if "Answer: " in block:
        asked, _, told = block.partition("Answer: ")
        return f"{asked}Answer:", told
    asked, _, told = block.rpartition(" ")
    return asked, told


NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ines", "Jon", "Kim", "Lea")
THINGS = ("apples", "pencils", "stamps", "coins", "books", "shells", "cards", "eggs")


def story(number: int) -> tuple[str, str, int]:
    """Return a little sum as a question, the way to its answer, and the answer."""
    chance = random.Random(f"story {number}")
    name, thing = chance.choice(NAMES), chance.choice(THINGS)
    have, more, less = chance.randint(11, 60), chance.randint(5, 40), chance.randint(2, 10)
    question = (
        f"{name} has {have} {thing} and buys {more} more. Then {name} gives {less} away. How many {thing} are left?"
    )
    way = (
        f"{name} starts with {have} {thing} and buys {more}, so there are {have} + {more} = {have + more} {thing}. "
        f"Then {less} are given away, which leaves {have + more} - {less} = {have + more - less} {thing}."
    )
    return question, way, have + more - less


def thing_in(question: str) -> str:
    """Return what a story counts."""
    return next(thing for thing in THINGS if thing in question)


STORY_FILTERS = [
    {
        "name": "strict-match",
        "filter": [{"function": "regex", "regex_pattern": "The answer is (\\-?[0-9]+)"}, {"function": "take_first"}],
    },
    {
        "name": "flexible-extract",
        "filter": [
            {"function": "regex", "regex_pattern": "(\\-?[0-9]+)", "group_select": -1},
            {"function": "take_first"},
        ],
    },
]


def stories(name: str = "sums", count: int = 90, **layout: Json) -> Task:
    """Return a task of little sums that are answered in sentences, with two filters."""
    config = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": "data/sums_test.jsonl", "train": "data/sums_train.jsonl"}},
        "test_split": "test",
        "fewshot_split": "train",
        "doc_to_text": "Q: {{question}}\nA:",
        "doc_to_target": "{{answer}}",
        "description": "",
        "target_delimiter": " ",
        "fewshot_delimiter": "\n\n",
        "num_fewshot": layout.get("shots", 0),
        "output_type": "generate_until",
        "generation_kwargs": {"until": ["Q:", "</s>"], "do_sample": False, "temperature": 0.0, "max_gen_toks": 160},
        "metric_list": [
            {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True, "ignore_case": True}
        ],
        "filter_list": STORY_FILTERS,
        "repeats": 1,
        "metadata": {"version": 2.0},
    }
    items, pool = [], []
    for number in range(count):
        question, way, answer = story(number)
        chance = random.Random(f"answer {number}")
        said = answer if chance.random() < 0.62 else answer + chance.choice((-10, -2, 1, 3, 7))
        aside = f" Every one of the {thing_in(question)} counts once." if chance.random() < 0.45 else ""
        text = f"{aside} {way.replace(f'= {answer} ', f'= {said} ')} The answer is {said}."
        doc = {"question": question, "answer": str(answer)}
        items.append(Item(number, doc, f"Q: {question}\nA:", str(answer), [text]))
    for number in range(1000, 1030):
        question, way, answer = story(number)
        pool.append((f"Q: {question}\nA:", f"{way} The answer is {answer}."))
    return Task(name, config, Layout(**layout), pool, items, 500, 2.0)


SUBJECTS = ("geography", "chemistry", "music")


def quiz(subject: str, count: int = 50, **layout: Json) -> Task:
    """Return a task of four choices with made-up facts."""
    name = f"quiz_{subject}"
    config = {
        "task": name,
        "dataset_path": "org/quiz",
        "dataset_name": subject,
        "test_split": "test",
        "fewshot_split": "dev",
        "doc_to_text": "{{question.strip()}}\nAnswer:",
        "doc_to_target": "{{label}}",
        "doc_to_choice": "{{choices}}",
        "description": f"The following are questions about {subject}.\n\n",
        "target_delimiter": " ",
        "fewshot_delimiter": "\n\n",
        "num_fewshot": layout.get("shots", 0),
        "output_type": "multiple_choice",
        "metric_list": [
            {"metric": "acc", "aggregation": "mean", "higher_is_better": True},
            {"metric": "acc_norm", "aggregation": "mean", "higher_is_better": True},
        ],
        "repeats": 1,
        "metadata": {"version": 1.0},
    }
    chance = random.Random(f"quiz {subject}")
    words = ["basalt", "cobalt", "delta", "ember", "fjord", "garnet", "harbor", "iodine", "jasper", "krypton", "lagoon"]
    items, pool = [], []
    for number in range(count + 12):
        choices = chance.sample(words, 4)
        gold = chance.randrange(4)
        question = f"Which word is number {number} in the list of {subject}, after {chance.choice(words)}?"
        if number >= count:
            pool.append((f"{question}\nAnswer:", choices[gold]))
            continue
        values = [round(chance.gauss(-9.0, 2.2), 6) for _ in choices]
        values[gold] += round(chance.uniform(0.5, 4.0), 6)
        doc = {"question": question, "choices": choices, "label": gold}
        items.append(Item(number, doc, f"{question}\nAnswer:", str(gold), values, [f" {c}" for c in choices]))
    return Task(name, config, Layout(description=config["description"], **layout), pool, items, 400, 1.0)


def verdicts(count: int = 80, budget: int = 4) -> Task:
    """Return a task that is answered in one word."""
    config = {
        "task": "claims",
        "dataset_path": "org/claims",
        "test_split": "test",
        "doc_to_text": "Claim: {{claim}}\nTrue or false?",
        "doc_to_target": "{{label}}",
        "description": "",
        "target_delimiter": " ",
        "fewshot_delimiter": "\n\n",
        "num_fewshot": 0,
        "output_type": "generate_until",
        "generation_kwargs": {"until": ["\n"], "do_sample": False, "temperature": 0.0, "max_gen_toks": budget},
        "metric_list": [
            {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True, "ignore_case": True}
        ],
        "filter_list": [{"name": "none", "filter": [{"function": "take_first"}, {"function": "remove_whitespace"}]}],
        "repeats": 1,
        "metadata": {"version": 1.0},
    }
    items = []
    for number in range(count):
        chance = random.Random(f"claim {number}")
        first, second = chance.randint(10, 99), chance.randint(10, 99)
        claim = f"{first} is larger than {second}."
        target = "true" if first > second else "false"
        said = target if chance.random() < 0.7 else ("false" if target == "true" else "true")
        doc = {"claim": claim, "label": target}
        items.append(Item(number, doc, f"Claim: {claim}\nTrue or false?", target, [f" {said.title()}"]))
    pool = [(item.question, item.target.title()) for item in items[::5]]
    return Task("claims", config, Layout(), pool, items, 300, 1.0)


def top(version: str = "0.4.13", backend: str = "hf", **arguments: Json) -> dict[str, Json]:
    """Return the top of a results file of a backend that holds its weights, or asks a server."""
    served = "completions" in backend
    loaded = {
        "model_num_parameters": 1_540_000_000,
        "model_dtype": "torch.bfloat16",
        "model_revision": "main",
        "model_sha": "4f1d2c3b5a6978",
    }
    name = arguments.get("pretrained") or arguments.get("model")
    return {
        "config": {
            "model": backend,
            "model_args": dict(arguments),
            **({} if served else loaded),
            "batch_size": 1 if served else "16",
            "batch_sizes": [],
            "device": "cuda:0",
            "use_cache": None,
            "limit": None,
            "bootstrap_iters": 100000,
            "gen_kwargs": {},
            "random_seed": 0,
            "numpy_seed": 1234,
            "torch_seed": 1234,
            "fewshot_seed": 1234,
        },
        "git_hash": "9b1c7e2",
        "date": 1761991200.5,
        "pretty_env_info": "PyTorch version: 2.8.0\nGPU models and configuration: GPU 0: NVIDIA L4",
        "transformers_version": "N/A" if served else "4.57.1",
        "lm_eval_version": version,
        "upper_git_hash": None,
        "model_source": backend,
        "model_name": name,
        "model_name_sanitized": str(name).replace("/", "__"),
        "system_instruction": None,
        "system_instruction_sha": None,
        "fewshot_as_multiturn": None,
        "chat_template": None,
        "chat_template_sha": None,
        "total_evaluation_time_seconds": "212.25",
        **({} if served else {"tokenizer_eos_token": ["</s>", "2"], "eot_token_id": 2, "max_length": 8192}),
    }


LOADED = {"pretrained": "org/base-1.5b", "dtype": "bfloat16"}
SERVED = {"model": "served-1.5b", "base_url": "http://127.0.0.1:8000/v1/chat/completions", "num_concurrent": 4}


def written(tasks: list[Task], head: dict[str, Json], groups: dict[str, list[str]] | None = None, **rest: Json) -> Side:
    """Return a written side; the model's arguments are copied into each task's metadata, as the harness does."""
    side = Side(head, {task.name: task for task in tasks}, groups or {}, **rest)
    side.argue(**side.arguments)
    return side


def sums_few_shot() -> Side:
    """Long answers after four examples, loaded by the harness."""
    return written([stories(shots=4)], top(**LOADED))


def sums_chat() -> Side:
    """Long answers without examples in a chat template's marks, on another backend."""
    side = written([stories(template=CHATML, turns=True)], top(backend="vllm", **LOADED))
    side.top |= {"chat_template": CHATML.text, "chat_template_sha": "c1", "fewshot_as_multiturn": True}
    return side


def sums_sampled() -> Side:
    """Long answers that are drawn at a temperature."""
    side = written([stories(shots=2)], top(**LOADED))
    drawn = {"temperature": 0.7, "do_sample": True}
    side.config["gen_kwargs"] = dict(drawn)
    side.tasks["sums"].config["generation_kwargs"] |= drawn
    return side


def quiz_group() -> Side:
    """Three subjects of four choices with a group's row, without examples."""
    tasks = [quiz(subject) for subject in SUBJECTS]
    return written(tasks, top(**LOADED), {"quiz": [task.name for task in tasks]})


def quiz_few_shot() -> Side:
    """One subject of four choices after five examples."""
    return written([quiz("geography", 110, shots=5)], top(version="0.4.9.2", **LOADED))


def claims_served() -> Side:
    """One-word answers of a chat server, with notes beside the run."""
    task = verdicts()
    task.layout = task.layout._replace(messages=True, turns=True)
    notes = {"engine": "vllm", "engine_version": "0.11.0", "quant": "bf16", "alias": "served-1.5b"}
    side = written([task], top(backend="local-chat-completions", **SERVED), context=notes)
    side.top |= {"chat_template": "", "fewshot_as_multiturn": True}
    return side


def mixed_tasks() -> Side:
    """Long answers and choices in one run."""
    return written([stories(shots=3), quiz("music", 60, shots=3)], top(**LOADED))


BASES: Mapping[str, Callable[[], Side]] = {
    "real few-shot, loaded": lambda: real("smol-3shot"),
    "real few-shot, served": lambda: real("api-completions-3shot"),
    "real chat, turns": lambda: real("api-chat-3shot-multiturn"),
    "real chat, no examples": lambda: real("api-chat-0shot"),
    "sums, few-shot": sums_few_shot,
    "sums, chat": sums_chat,
    "sums, sampled": sums_sampled,
    "quiz, group": quiz_group,
    "quiz, few-shot": quiz_few_shot,
    "claims, served": claims_served,
    "sums and quiz": mixed_tasks,
}


@cache
def prepared(name: str) -> Side:
    """Return a base by name; copy it before it is changed."""
    return BASES[name]()
