"""What a run would be started with again: its recorded settings as plans, one for each number of examples."""

from diptych.diagnose.settings.run_values import run_value
from diptych.plan import Plan
from diptych.run import LM_EVAL, Json, Run, version_of

SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
DEFAULT_SEEDS = (0, 1234, 1234, 1234)
DEEPEST = 20
"""Groups within one another that are looked through: no harness has more, and some list themselves."""

LOCAL_DATA = ("json", "csv", "parquet", "text", "arrow")


def plans_of(run: Run, other: Run, key: str) -> list[Plan]:
    """Return what to run again of the tasks that the other side ran too, one plan for tasks that are set alike.

    A command line knows one number of examples and one value of `key` for all its tasks.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for task in tasks_of_both(run, other):
        place = str(shots(run, task)), str(task_value(other, task, key))
        alike.setdefault(place, []).append(task)
    return [plan_of(run, shots(run, tasks[0]), tasks) for _, tasks in sorted(alike.items())]


def task_value(run: Run, task: str, key: str) -> Json:
    """Return a setting of one task; None where it is not recorded or not kept task by task."""
    setting = run.task_settings.get(task, {}).get(key)
    return setting.value if setting is not None and setting.recorded else None


def tasks_of_both(run: Run, other: Run) -> list[str]:
    """Return the tasks of a run, no groups, that the other side ran too; all of them where there is none."""
    own = set(run.task_settings) - set(run.groups)
    return sorted(own & set(other.task_settings) or own)


def plan_of(run: Run, number: Json, tasks: list[str]) -> Plan:
    """Return one command's worth of a run: the settings that it records, for tasks with the same number of examples."""
    notes = []
    if any(reads_own_data(run, task) for task in tasks):
        notes.append("add --include_path DIR where the task files lie; the harness does not record it")
    if run_value(run, "use_cache"):
        notes.append("without the cache of A: cached answers are no new measurement")
    return Plan(
        version=(version_of(run.harness_version) or version_of(run.generation)) if run.harness == LM_EVAL else None,
        model=backend_of(run),
        model_args=family(run, "model_args"),
        tasks=tuple(whole_groups(run, tasks)),
        members=tuple(tasks),
        shots=number,
        gen_kwargs=family(run, "gen_kwargs"),
        template=run_value(run, "chat_template") is not None,
        multiturn=run_value(run, "fewshot_as_multiturn"),
        system=run_value(run, "system_instruction"),
        limit=run_value(run, "limit"),
        batch_size=run_value(run, "batch_size"),
        device=given(run, "device"),
        seeds=seeds_of(run),
        notes=tuple(notes),
    )


def backend_of(run: Run) -> str:
    """Return the backend's name as the harness was given it; `hf` where none is recorded."""
    return str(run_value(run, "model") or "hf")


def whole_groups(run: Run, tasks: list[str]) -> list[str]:
    """Return tasks by the names of their groups where whole groups are there: their aggregates come with them."""
    names = set(tasks)
    for _ in range(DEEPEST):  # a group of groups is whole once its groups are
        before = set(names)
        for group, members in sorted(run.groups.items()):
            if members and group not in members and names.issuperset(members):
                names = (names - set(members)) | {group}
        if names == before:
            break
    return sorted(names)


def family(run: Run, name: str) -> dict[str, Json]:
    """Return the arguments of one family as A gave them, nested ones under their dotted keys."""
    return {
        key.partition(".")[2]: setting.value
        for key, setting in run.settings.items()
        if key.startswith(f"{name}.") and setting.recorded
    }


def given(run: Run, key: str) -> Json:
    """Return a setting that somebody gave; None for a default and for what is not recorded."""
    setting = run.settings.get(key)
    return setting.value if setting is not None and setting.recorded and not setting.default else None


def shots(run: Run, task: str) -> Json:
    """Return the number of examples of a task; None where it is not recorded."""
    return task_value(run, task, "num_fewshot")


def seeds_of(run: Run) -> tuple[Json, ...] | None:
    """Return the four seeds; None where they are the usual ones or not recorded."""
    settings = [run.settings.get(key) for key in SEEDS]
    if any(setting is None or not setting.recorded for setting in settings):
        return None
    values = tuple(setting.value for setting in settings if setting is not None)
    return None if values == DEFAULT_SEEDS else values


def reads_own_data(run: Run, task: str) -> bool:
    """Say whether a task reads data files of one's own, so that its definition is one's own too."""
    path = str(run.configs.get(task, {}).get("dataset_path", ""))
    return path in LOCAL_DATA or path.startswith((".", "/", "~"))
