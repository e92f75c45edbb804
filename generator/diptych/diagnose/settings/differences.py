"""Which settings of two runs differ, in the prior order: what was set, not yet what it did.

*Not recorded* is a value of its own: it equals nothing, and it proves nothing.
"""

from collections.abc import Iterator, Mapping

from diptych.catalogue.setting_effects import Known
from diptych.catalogue.settings import context_rank, rank_of
from diptych.comparison import ContextDifference, SettingDifference
from diptych.diagnose.settings.merged_tasks import merge_tasks
from diptych.diagnose.settings.same_values import (
    only_case_differs,
    only_folder_differs,
    same_effect,
    same_text,
    same_value,
)
from diptych.fast_named_tuple import NamedTuple
from diptych.run import NOT_RECORDED, Run, Setting
from diptych.sides import Sided, each_side

NOT_GIVEN = Setting(None, recorded=True, default=True)
"""An argument that nobody gave: the backend's own default holds."""


MODEL_NAMES = ("model_args.pretrained", "model_args.model", "model_args.path", "model_args.engine")
"""The arguments by which backends name the weights: one question under several names."""

NOT_SETTINGS = frozenset(
    {
        "task_hashes",
        "date",
        "start_time",
        "end_time",
        "total_evaluation_time_seconds",
        "name",
        "model_name_sanitized",
        "chat_template_sha",
        "system_instruction_sha",
        "pretty_env_info",
        "output_path",
        "results_file",
        "n-shot",
        "include_path",
        "config_source",
    }
)
"""Keys that differ between any two runs, or repeat another key: never listed as a cause."""

TOGETHER = ("model_args", "gen_kwargs")
"""Settings that come as a blob: each of their keys is compared on its own, the blob is not."""

WHOLE = (*TOGETHER, "task_args", "solver")
"""Families that a harness records whole: a key that is absent from one was not given."""


class Sides(NamedTuple):
    """One setting as both sides have it, for the tasks in which it is so (empty: run-wide)."""

    key: str
    a: Setting
    b: Setting
    task: str | None = None


def setting_differences(a: Run, b: Run) -> tuple[SettingDifference, ...]:
    """Return every setting that differs, in the prior order; what is not recorded on one side comes last."""
    rows = [difference_row(key, sides) for key, sides in differing(a, b).items()]
    if names := own_names(a.settings, b.settings):
        told = f" A names the model by {names.a}, B by {names.b}."
        rows = [row._replace(why=row.why + told) if row.key == MODEL_NAMES[0] else row for row in rows]
    return tuple(sorted(rows, key=prior_order))


def prior_order(row: SettingDifference) -> tuple[bool, int, str]:
    """Return where a row belongs before the samples are asked: recorded before not recorded, ranked before unranked."""
    return (not (row.a_recorded and row.b_recorded), 10_000 if row.rank is None else row.rank, row.key)


def equal_count(a: Run, b: Run) -> int:
    """Return how many settings are recorded on both sides and the same there."""
    unequal = set(differing(a, b))
    return len({sides.key for sides in settings_of_both(a, b) if sides.a.recorded and sides.b.recorded} - unequal)


def differing(a: Run, b: Run) -> dict[str, list[Sides]]:
    """Return by key where a setting differs, in which tasks."""
    found: dict[str, list[Sides]] = {}
    for sides in settings_of_both(a, b):
        if differs(sides):
            found.setdefault(sides.key, []).append(sides)
    for sides in settings_of_both(a, b):  # tasks in which a differing setting is the same: they tell "all" from "some"
        if sides.key in found and sides.task is not None and not differs(sides):
            found[sides.key].append(sides)
    return found


def differs(sides: Sides) -> bool:
    """Say whether a setting differs; two sides that are both silent do not."""
    if not sides.a.recorded or not sides.b.recorded:
        return sides.a.recorded != sides.b.recorded
    return not same_effect(sides.key, sides.a.value, sides.b.value)


def settings_of_both(a: Run, b: Run) -> Iterator[Sides]:
    """Yield every setting of both sides: task by task where it is kept so, else run-wide."""
    by_task = list(task_sides(a, b))
    covered = {sides.key for sides in by_task}
    yield from by_task
    wide_a, wide_b = named_alike(a.settings, b.settings)
    keys = dict.fromkeys((*wide_a, *wide_b))
    for key in sorted(keys):
        blob = key in TOGETHER and any(other.startswith(f"{key}.") for other in keys)
        if key not in NOT_SETTINGS and key not in covered and not blob:
            yield Sides(key, wide_value(wide_a, key), wide_value(wide_b, key))


def task_sides(a: Run, b: Run) -> Iterator[Sides]:
    """Yield the settings that are kept task by task, over the tasks that both sides ran; a group's row is none."""
    groups = {*a.groups, *b.groups}
    for task in sorted(set(a.task_settings) & set(b.task_settings) - groups):
        in_a, in_b = a.task_settings[task], b.task_settings[task]
        for key in sorted({*in_a, *in_b} - NOT_SETTINGS):
            yield Sides(key, task_or_run_value(in_a, key, a.settings), task_or_run_value(in_b, key, b.settings), task)


def task_or_run_value(settings: Mapping[str, Setting], key: str, wide: Mapping[str, Setting]) -> Setting:
    """Return a task's setting, where it has none the run's. An argument that is absent beside others was not given."""
    if key in settings:
        return settings[key]
    family, dot, _ = key.partition(".")
    if family in WHOLE and any(name == family or name.startswith(family + dot) for name in settings):
        return NOT_GIVEN
    return wide_value(wide, key) if family in WHOLE[2:] else wide.get(key, NOT_RECORDED)


def wide_value(settings: Mapping[str, Setting], key: str) -> Setting:
    """Return a run-wide setting. An argument that is absent from a recorded model_args or gen_kwargs was not given."""
    if key in settings:
        return settings[key]
    family, _, _ = key.partition(".")
    if is_own(key) and any(one.recorded for name, one in settings.items() if name.startswith("model")):
        return NOT_GIVEN
    if family not in WHOLE or key == family:
        return NOT_RECORDED
    blob = settings.get(family)
    known = blob.recorded if blob is not None else any(name.startswith(f"{family}.") for name in settings)
    known = known or (blob is None and "model" in settings and settings["model"].recorded)
    return NOT_GIVEN if known else NOT_RECORDED


def is_own(key: str) -> bool:
    """Say whether a key is of somebody's own making: where another file lacks it, it was not given there."""
    _, known = rank_of(key)
    return known.keys == ("*",)


def named_alike(a: Mapping[str, Setting], b: Mapping[str, Setting]) -> tuple[dict[str, Setting], dict[str, Setting]]:
    """Return both sides' settings with the model's name under one key where backends call it differently."""
    ours, theirs = dict(a), dict(b)
    if names := own_names(a, b):
        ours[MODEL_NAMES[0]] = ours.pop(names.a)
        theirs[MODEL_NAMES[0]] = theirs.pop(names.b)
    return ours, theirs


def own_names(a: Mapping[str, Setting], b: Mapping[str, Setting]) -> Sided[str] | None:
    """Return by which argument each side names its model, where these are two; None where they are one."""
    name_a = next((name for name in MODEL_NAMES if name in a), None)
    name_b = next((name for name in MODEL_NAMES if name in b), None)
    if not name_a or not name_b or name_a == name_b or name_a in b or name_b in a:
        return None
    return Sided(name_a, name_b)


def difference_row(key: str, sides: list[Sides]) -> SettingDifference:
    """Return one row for a setting that differs somewhere: its common values, or a value a task where they vary."""
    unlike = [one for one in sides if differs(one)]
    rank, row = rank_of(key)
    some = len(unlike) < len(sides)
    return SettingDifference(
        key=key,
        a=merge_tasks((one.task, one.a.value) for one in unlike),
        b=merge_tasks((one.task, one.b.value) for one in unlike),
        a_recorded=all(one.a.recorded for one in unlike),
        b_recorded=all(one.b.recorded for one in unlike),
        rank=rank,
        kind=row.kind,
        tasks=tuple(one.task for one in unlike if one.task is not None) if some or key.startswith("versions.") else (),
        why=why(row, key, unlike),
        a_default=all(one.a.default for one in unlike),
        b_default=all(one.b.default for one in unlike),
    )


def why(row: Known, key: str, unlike: list[Sides]) -> str:
    """Return the sentence that says why a setting can move a score, and what is odd about this difference."""
    notes = [row.why]
    silent = [
        side.upper()
        for side, settings in each_side([one.a for one in unlike], [one.b for one in unlike])
        if not all(setting.recorded for setting in settings)
    ]
    if silent:
        notes.append(f"Not recorded in {' and '.join(silent)}: by itself that shows no difference.")
    elif all(only_case_differs(one.a.value, one.b.value) for one in unlike):
        notes.append("The two values differ only in letter case.")
    elif key in MODEL_NAMES and all(only_folder_differs(one.a.value, one.b.value) for one in unlike):
        notes.append("The last part of the two names is the same.")
    return " ".join(notes)


def context_differences(a: Run, b: Run) -> tuple[ContextDifference, ...]:
    """Return what differs outside the harness, in the order in which it is known to move a score.

    A key that only one side wrote down is listed as not recorded on the other; null says nothing.
    """
    ours, theirs = a.context or {}, b.context or {}
    rows = []
    for key in {*ours, *theirs}:
        left, right = ours.get(key), theirs.get(key)
        if same_value(left, right) or same_text(left, right):
            continue
        place, row = context_rank(key)
        silent = [side for side, value in (("A", left), ("B", right)) if value is None]
        note = f" Not recorded in {silent[0]}: by itself that shows no difference." if silent else ""
        rows.append(
            (
                (bool(silent), place, key),
                ContextDifference(
                    setting=key,
                    a=left,
                    b=right,
                    why=row.why + note,
                    a_recorded=left is not None,
                    b_recorded=right is not None,
                ),
            )
        )
    return tuple(row for _, row in sorted(rows, key=lambda pair: pair[0]))
