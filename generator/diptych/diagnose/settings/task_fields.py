"""Which fields of a task's definition differ: field by field, nested ones under a dotted name.

Absent, null and a field's usual value are one; what every run writes anew (paths, the model's own arguments) is none.
"""

from collections.abc import Mapping

from diptych.comparison import TaskDifference
from diptych.diagnose.settings.same_values import same_value
from diptych.run import Json, Run

USUAL: Mapping[str, Json] = {
    "description": "",
    "fewshot_delimiter": "\n\n",
    "gen_prefix": "",
    "num_fewshot": 0,
    "output_type": "generate_until",
    "repeats": 1,
    "should_decontaminate": False,
    "target_delimiter": " ",
    "unsafe_code": False,
}
"""The value of a field that nobody gave."""

NOT_THE_TASK = frozenset({"config_source", "metadata.config_source", "metadata.config", "task", "task_alias"})
"""Fields that name the task or say where its definition came from."""

NAMED_LISTS = {"metric_list": "metric", "filter_list": "name"}
"""Lists whose entries have a name: they are compared entry by entry."""


def task_differences(a: Run, b: Run) -> tuple[TaskDifference, ...]:
    """Return every field that differs in a task that both runs define, task by task, field by field."""
    groups = {*a.groups, *b.groups}
    arguments = {key.partition(".")[2] for run in (a, b) for key in run.settings if key.startswith("model_args.")}
    rows = []
    for task in sorted(set(a.configs) & set(b.configs) - groups):
        ours, theirs = flat(a.configs[task]), flat(b.configs[task])
        for field in sorted({*ours, *theirs} - NOT_THE_TASK):
            if is_argument(field, arguments):
                continue
            left, right = ours.get(field, USUAL.get(field)), theirs.get(field, USUAL.get(field))
            if not same_value(none_if_empty(left), none_if_empty(right)):
                rows.append(TaskDifference(task, field, left, right))
    return tuple(rows)


def is_argument(field: str, arguments: set[str]) -> bool:
    """Say whether a field is an argument of the model that some versions copy into every task's metadata."""
    family, _, name = field.partition(".")
    return family == "metadata" and name.partition(".")[0] in arguments


def flat(config: Mapping[str, Json], under: str = "") -> dict[str, Json]:
    """Return a definition with nested fields under dotted names; what is null is left out."""
    fields: dict[str, Json] = {}
    for name, value in config.items():
        field = f"{under}{name}"
        inner = entries(name, value)
        if inner is not None:
            fields |= flat(inner, f"{field}.")
        elif value is not None:
            fields[field] = value
    return fields


def entries(name: str, value: Json) -> Mapping[str, Json] | None:
    """Return the parts of a field that has named parts, else None."""
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    key = NAMED_LISTS.get(name)
    if key is None or not isinstance(value, (list, tuple)) or not all(isinstance(part, Mapping) for part in value):
        return None
    names = [str(part.get(key)) for part in value]
    if len(set(names)) < len(names):
        return None
    parts = dict(zip(names, value, strict=True))
    return (
        {name: without_name(part, key) for name, part in parts.items()} if key == "metric" else steps_by_filter(parts)
    )


def without_name(part: Mapping[str, Json], key: str) -> Json:
    """Return an entry without its own name; a bare one says that it is there."""
    return {name: value for name, value in part.items() if name != key} or True


def steps_by_filter(filters: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """Return each filter's steps by its name; what is no list of steps stays as it is."""
    return {name: each_step(part.get("filter")) or True for name, part in filters.items()}


def each_step(filters: Json) -> Json:
    """Return the steps of a filter, a bare one told from none."""
    if not isinstance(filters, (list, tuple)):
        return filters
    return [without_name(step, "") if isinstance(step, Mapping) else step for step in filters]


def none_if_empty(value: Json) -> Json:
    """Return a value, None where it is an empty text: both mean that nothing stands there."""
    return None if value == "" else value
