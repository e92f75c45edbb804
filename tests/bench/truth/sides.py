"""One side of a situation: a run that can still be changed, and the files that the harness would have written of it."""

import copy
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from truth import scoring
from truth.layouts import Layout, Shot, prompt, sent, text_of

Json = Any
STAMPS = {"a": "2025-11-01T10-00-00.000001", "b": "2025-11-02T09-30-00.000002"}


@dataclass
class Item:
    """One question with its answer: texts (one a repeat), or a log-likelihood a choice.

    `question` and `target` make the prompt and the score; `doc` is the row of the data set. `pool` is the number of
    this item in its task's pool of examples. `verdict` overrides the score where a scorer is not a plain one.
    """

    number: int
    doc: dict[str, Json]
    question: str
    target: str
    response: list[Json]
    choices: list[str] = field(default_factory=list)
    shots: tuple[Shot, ...] = ()
    verdict: float | None = None
    asked: Json = None

    @property
    def text(self) -> str:
        """The answer of a task that asks for text."""
        return str(self.response[0])

    @text.setter
    def text(self, value: str) -> None:
        self.response = [value]


@dataclass
class Task:
    """One task: its definition as the results file has it, its layout of prompts, a pool of examples and its items."""

    name: str
    config: dict[str, Json]
    layout: Layout
    pool: list[Shot]
    items: list[Item]
    original: int
    version: Json = 1.0

    @property
    def generates(self) -> bool:
        """Whether it asks for text."""
        return bool(self.config["output_type"] == "generate_until")

    @property
    def metrics(self) -> list[dict[str, Json]]:
        """Its metrics with their arguments."""
        return list(self.config["metric_list"])

    def define(self, field: str, value: Json) -> None:
        """Change a field of the definition, and its copy for the examples where newer harnesses write one."""
        copied = self.config.get("fewshot_config")
        if copied and field in copied and copied[field] == self.config.get(field):
            self.config["fewshot_config"] = {**copied, field: value}
        self.config[field] = value

    def examples(self, item: Item) -> tuple[Shot, ...]:
        """Return the examples before an item's question: the logged ones, or another draw from the pool."""
        layout = self.layout
        if layout.draw == 0 and layout.shots <= len(item.shots):
            return item.shots[: layout.shots]
        known = item.shots if layout.draw == 0 else ()
        start = item.number * 7 + layout.draw * 31
        count = len(self.pool)
        drawn = [self.pool[(start + step * (3 + layout.draw)) % count] for step in range(4 * count)]
        more = [shot for shot in dict.fromkeys([*drawn, *self.pool]) if shot[0] != item.question and shot not in known]
        return (*known, *more)[: layout.shots]

    def asked(self, item: Item) -> Json:
        """Return the prompt that is sent for an item."""
        return prompt(self.layout, item.question, self.examples(item)) if item.asked is None else item.asked

    def scores(self, item: Item, steps: Json) -> dict[str, float]:
        """Return an item's score by metric under a filter's steps."""
        if not self.generates:
            gold = int(item.target)
            found = {
                m["metric"]: scoring.choice_score(m["metric"], item.response, item.choices, gold) for m in self.metrics
            }
        else:
            kept = scoring.extracted(steps, item.text)
            found = {m["metric"]: scoring.text_score(m, kept, item.target) for m in self.metrics}
        return found if item.verdict is None else dict.fromkeys(found, item.verdict)


@dataclass
class Side:
    """A run: the top of its results file, its tasks, its groups and what was written down beside it.

    `logged` are the tasks whose samples are written (None: all). `scale` multiplies reported scores. `by_items`: a
    group's scores are means over items, not over tasks.
    """

    top: dict[str, Json]
    tasks: dict[str, Task]
    groups: dict[str, list[str]] = field(default_factory=dict)
    context: dict[str, Json] | None = None
    logged: bool = True
    scale: float = 1.0
    by_items: bool = True

    def copy(self) -> "Side":
        """Return a side that can be changed without this one."""
        return copy.deepcopy(self)

    @property
    def config(self) -> dict[str, Json]:
        """The run-wide settings of the results file."""
        return self.top["config"]  # type: ignore[no-any-return]

    @property
    def arguments(self) -> dict[str, Json]:
        """The model's arguments."""
        return self.config["model_args"]  # type: ignore[no-any-return]

    @property
    def texts(self) -> list[Task]:
        """The tasks that ask for text."""
        return [task for task in self.tasks.values() if task.generates]

    @property
    def picks(self) -> list[Task]:
        """The tasks of choices."""
        return [task for task in self.tasks.values() if not task.generates]

    def lay(self, **changes: Json) -> None:
        """Change the layout of every task's prompts."""
        for task in self.tasks.values():
            task.layout = task.layout._replace(**changes)

    def argue(self, **arguments: Json) -> None:
        """Give model arguments, which newer harnesses also copy into each task's metadata."""
        self.arguments.update(arguments)
        for task in self.tasks.values():
            task.config.setdefault("metadata", {}).update(arguments)


def write(side: Side, folder: Path, letter: str) -> Path:
    """Write a side's files into a folder, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    records = {name: records_of(task) for name, task in side.tasks.items()}
    stamp = STAMPS[letter]
    text = json.dumps(document(side, records), indent=2, ensure_ascii=False)
    (folder / f"results_{stamp}.json").write_text(text, encoding="utf-8")
    if side.logged:
        for name, rows in records.items():
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (folder / f"samples_{name}_{stamp}.jsonl").write_text(lines, encoding="utf-8")
    if side.context is not None:
        (folder / "run-context.json").write_text(json.dumps(side.context, ensure_ascii=False), encoding="utf-8")
    return folder


def records_of(task: Task) -> list[dict[str, Json]]:
    """Return a task's rows, filter by filter."""
    return [record(task, item, name, steps) for name, steps in scoring.filters_of(task.config) for item in task.items]


def record(task: Task, item: Item, name: str, steps: Json) -> dict[str, Json]:
    """Return one logged row."""
    asked = task.asked(item)
    if task.generates:
        arguments = {"gen_args_0": {"arg_0": sent(asked), "arg_1": task.config.get("generation_kwargs", {})}}
        responses: list[Json] = [list(item.response)]
        kept: list[Json] = [scoring.extracted(steps, item.text)]
    else:
        best = max(item.response)
        pairs = [[str(value), str(value == best and value > -1.1)] for value in item.response]
        arguments = {
            f"gen_args_{place}": {"arg_0": sent(asked), "arg_1": choice} for place, choice in enumerate(item.choices)
        }
        responses, kept = [[pair] for pair in pairs], list(pairs)
    scores = task.scores(item, steps)
    return {
        "doc_id": item.number,
        "doc": item.doc,
        "target": item.target,
        "arguments": arguments,
        "resps": responses,
        "filtered_resps": kept,
        "filter": name,
        "metrics": list(scores),
        "doc_hash": sha(json.dumps(item.doc, indent=2, ensure_ascii=False)),
        "prompt_hash": sha(text_of(asked)),
        "target_hash": sha(item.target),
        **scores,
    }


def sha(text: str) -> str:
    """Return the hex sha256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def document(side: Side, records: dict[str, list[dict[str, Json]]]) -> dict[str, Json]:
    """Return the results file of a side."""
    made = copy.deepcopy(side.top)
    made["results"] = {name: row_of(task, records[name], side.scale) for name, task in side.tasks.items()}
    made["configs"] = {name: task.config for name, task in side.tasks.items()}
    made["versions"] = {name: task.version for name, task in side.tasks.items()}
    made["n-shot"] = {name: task.config.get("num_fewshot", 0) for name, task in side.tasks.items()}
    made["higher_is_better"] = {
        name: {metric["metric"]: metric.get("higher_is_better", True) for metric in task.metrics}
        for name, task in side.tasks.items()
    }
    made["n-samples"] = {
        name: {"original": task.original, "effective": len(task.items)} for name, task in side.tasks.items()
    }
    made["task_hashes"] = {name: hash_of(rows) for name, rows in records.items()} if side.logged else {}
    made["group_subtasks"] = dict(side.groups)
    if side.groups:
        made["groups"] = {name: group_row(side, made["results"], parts) for name, parts in side.groups.items()}
        made["results"] |= made["groups"]
        made["versions"] |= dict.fromkeys(side.groups, "1.0")
    return made


def hash_of(rows: list[dict[str, Json]]) -> str:
    """Return a task's hash, over the hashes of its rows."""
    return sha("".join(row["doc_hash"] + row["prompt_hash"] + row["target_hash"] for row in rows))


def row_of(task: Task, records: list[dict[str, Json]], scale: float) -> dict[str, Json]:
    """Return a task's scores with their errors, by metric and filter."""
    row: dict[str, Json] = {"alias": task.name, "sample_len": len(task.items)}
    for name, _ in scoring.filters_of(task.config):
        mine = [record for record in records if record["filter"] == name]
        for metric in (metric["metric"] for metric in task.metrics):
            values = [record[metric] * scale for record in mine]
            row[f"{metric},{name}"] = sum(values) / len(values)
            row[f"{metric}_stderr,{name}"] = scoring.standard_error(values)
    return row


def group_row(side: Side, results: dict[str, Json], parts: list[str]) -> dict[str, Json]:
    """Return a group's scores: the mean over the items of its tasks, or over the tasks."""
    row: dict[str, Json] = {"alias": "group"}
    sizes = {part: len(side.tasks[part].items) if side.by_items else 1 for part in parts}
    total = sum(sizes.values())
    for key in results[parts[0]]:
        if "," not in key or any(key not in results[part] for part in parts):
            continue
        if "_stderr," in key:
            errors = [results[part][key] for part in parts]
            row[key] = sum((sizes[p] / total * e) ** 2 for p, e in zip(parts, errors, strict=True)) ** 0.5
        else:
            row[key] = sum(results[part][key] * sizes[part] for part in parts) / total
    return row
