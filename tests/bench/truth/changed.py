"""Two runs that differ in what a test changes: small written runs, their files, and the comparison of them."""

from collections.abc import Callable, Iterable
from pathlib import Path

from diptych.comparison import Comparison, Finding
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from truth.bases import prepared
from truth.sides import Json, Side, write

Change = Callable[[Side], None]


def start(base: str) -> tuple[Side, Side]:
    """Return two equal sides of a base (truth/bases.py) to be changed."""
    return prepared(base).copy(), prepared(base).copy()


def compared(folder: Path, a: Side, b: Side, options: Options | None = None) -> Comparison:
    """Return the comparison of two sides, by way of their files."""
    one, other = (read_run(str(write(side, folder / name, name))) for name, side in (("a", a), ("b", b)))
    return compare_runs(one, other, options)


def kinds(made: Comparison) -> set[str]:
    """Return the kinds of a comparison's findings."""
    return {finding.kind for finding in made.findings}


def finding(made: Comparison, kind: str) -> Finding:
    """Return the first finding of a kind."""
    return next(each for each in made.findings if each.kind == kind)


def listed(made: Comparison) -> set[str]:
    """Return the keys of everything that is listed as different."""
    fields = {f"{row.task}.{row.field}" for row in made.task_settings}
    return {row.key for row in made.settings} | fields | {f"context.{row.setting}" for row in made.context}


def named(made: Comparison) -> list[str]:
    """Return the cause that leads, or those that are named together; a task's name is left out."""
    verdict = made.verdict
    keys = [verdict.leading_cause] if verdict.leading_cause else [suspect.key for suspect in verdict.suspects]
    return [without_task(key, {row.task for row in made.metrics}) for key in keys]


def without_task(key: str, tasks: Iterable[str]) -> str:
    """Return a field's key without the name of its task."""
    return next((key.removeprefix(f"{task}.") for task in tasks if key.startswith(f"{task}.")), key)


def generation(side: Side, **changes: Json) -> None:
    """Change the generation arguments of every task that asks for text."""
    for task in side.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], **changes}


def answers(side: Side, change: Callable[[str], str], every: int = 1) -> None:
    """Change the answers to every so-many-th item."""
    for task in side.texts:
        for item in task.items[::every]:
            item.text = change(item.text)


def shots(side: Side, number: int) -> None:
    """Show another number of examples."""
    for task in side.tasks.values():
        task.config["num_fewshot"] = number
        task.layout = task.layout._replace(shots=number)
