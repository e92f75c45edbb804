"""Examples out of the split that is scored: what is asked may stand among them, and a score rises by that."""

from collections.abc import Sequence

from diptych.diagnose.settings.no_effect_rules import most_shots
from diptych.diagnose.verdict.run_labels import Labels
from diptych.numbers import counted
from diptych.run import Run
from diptych.sides import Side, Sided


def leaked_sentence(tasks: Sequence[str], labels: Labels, a: Run, b: Run) -> str:
    """Return that one side alone draws its examples from the split that it scores, with its name; "" elsewhere."""
    found = Sided(*({task for task in tasks if leaks(task, run)} for run in (a, b)))
    alone = Sided(sorted(found.a - found.b), sorted(found.b - found.a))
    side: Side = "a" if len(alone.a) > len(alone.b) else "b"
    own = alone.of(side)
    if not own:
        return ""
    task, run = own[0], a if side == "a" else b
    more = f" (so in {counted(len(own) - 1, 'task')} more)" if len(own) > 1 else ""
    return (
        f"{labels.of(side)} takes its examples for {task} from the split that it scores "
        f"({run.configs[task]['fewshot_split']}){more}: answers may leak into its prompts."
    )


def leaks(task: str, run: Run) -> bool:
    """Say whether a task shows examples, and takes them from the split of which its items are."""
    config = run.configs.get(task, {})
    scored = config.get("test_split") or config.get("validation_split")
    return bool(scored) and config.get("fewshot_split") == scored and bool(most_shots(run, (task,)))
