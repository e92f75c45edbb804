"""Every recorded difference as a suspect, whatever place records it: settings, task fields, context, versions."""

from collections.abc import Mapping, Sequence, Set

from diptych.catalogue.setting_effects import Known
from diptych.catalogue.settings import context_rank, field_rank, rank_of
from diptych.catalogue.words import setting_word
from diptych.comparison import ContextDifference, SettingDifference, TaskDifference
from diptych.diagnose.samples.evidence import Recorded
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.merged_tasks import merge_tasks, text_value
from diptych.diagnose.settings.run_values import named_by_quant
from diptych.diagnose.settings.same_values import only_case_differs, only_folder_differs
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import listed
from diptych.run import Json, Run
from diptych.sides import Sided

OUTSIDE, DEFINITION, UNRANKED = 1_000, 2_000, 10_000
"""Where the usual order goes on after the ranked settings: what stands beside the run, task fields, the rest."""


class Difference(NamedTuple):
    """One recorded difference. `tasks` are those in which it differs (empty: all); `place` is its usual impact.

    `part_of` is the key of another part of the same field, which speaks for all of them; `parts` are those it speaks
    for.
    """

    key: str
    a: Json
    b: Json
    recorded: Sided[bool]
    default: Sided[bool]
    tasks: tuple[str, ...]
    place: int
    known: Known
    field: str = ""
    part_of: str = ""
    parts: tuple["Difference", ...] = ()

    @property
    def name(self) -> str:
        """What a sentence calls it, with the parts that it speaks for."""
        rest = [one.key.rpartition(".")[2] for one in self.parts]
        return listed([setting_word(self.key), *rest])

    @property
    def general_version(self) -> bool:
        """Whether it is the version of the harness or of a library, which may do anything."""
        return "version" in self.known.acts

    @property
    def task_version(self) -> bool:
        """Whether it is the version of a task, which acts only by what the task then asks."""
        own = self.field == "metadata.version" or self.key.startswith("versions.")
        return own and not self.general_version

    @property
    def both_recorded(self) -> bool:
        """Whether both sides say what they had."""
        return self.recorded.a and self.recorded.b


def differences(
    settings: tuple[SettingDifference, ...],
    fields: tuple[TaskDifference, ...],
    context: tuple[ContextDifference, ...],
) -> tuple[Difference, ...]:
    """Return all recorded differences, in the usual order; a field that differs alike in many tasks is one."""
    found = of_settings(settings) + [of_context(row) for row in context] + of_fields(fields)
    return tuple(sorted(found, key=lambda one: (one.place, one.key)))


def of_settings(settings: tuple[SettingDifference, ...]) -> list[Difference]:
    """Return the settings as suspects; the parts of one argument that are not known apart are one."""
    heads: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}
    found = []
    for one in map(of_setting, settings):
        argument = ".".join(one.key.split(".")[:2])
        nested = argument.startswith("model_args.") and argument != one.key
        head = heads.setdefault((argument, one.tasks, one.known.keys), one.key) if nested else one.key
        found.append(one if head == one.key else one._replace(part_of=head))
    return found


def of_setting(row: SettingDifference) -> Difference:
    """Return a setting as a suspect."""
    rank, known = rank_of(row.key)
    place = UNRANKED if rank is None else rank
    recorded, default = Sided(row.a_recorded, row.b_recorded), Sided(row.a_default, row.b_default)
    return Difference(row.key, row.a, row.b, recorded, default, row.tasks, place, known)


def of_context(row: ContextDifference) -> Difference:
    """Return something recorded beside the run as a suspect."""
    rank, known = context_rank(row.setting)
    recorded = Sided(row.a_recorded, row.b_recorded)
    return Difference(f"context.{row.setting}", row.a, row.b, recorded, Sided(False, False), (), OUTSIDE + rank, known)


def of_fields(fields: tuple[TaskDifference, ...]) -> list[Difference]:
    """Return the fields of task definitions, one a field, with the tasks in which it differs."""
    alike: dict[str, list[TaskDifference]] = {}
    for row in fields:
        alike.setdefault(row.field, []).append(row)
    made = [field_suspect(rows) for rows in alike.values()]
    heads: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}
    found = []
    for one in made:
        family, dot, _ = one.field.partition(".")
        head = heads.setdefault((family, one.tasks, one.known.keys), one.key) if dot else one.key
        found.append(one if head == one.key else one._replace(part_of=head))
    return found


def field_suspect(rows: list[TaskDifference]) -> Difference:
    """Return one field as a suspect, named by its first task."""
    first = rows[0]
    rank, known = field_rank(first.field)
    tasks = tuple(row.task for row in rows)
    sure, given = Sided(True, True), Sided(False, False)
    key = f"{first.task}.{first.field}"
    a, b = merge_tasks((row.task, row.a) for row in rows), merge_tasks((row.task, row.b) for row in rows)
    return Difference(key, a, b, sure, given, tasks, DEFINITION + rank, known, first.field)


def led_by_filters(found: tuple[Difference, ...], filters: Set[tuple[str, str]]) -> tuple[Difference, ...]:
    """Return the differences, of several filters of a task the one speaking for all that a verdict rests on.

    `filters` holds (task, filter) of the primary metrics.
    """
    heads = {}
    for one in found:
        family, _, name = one.field.partition(".")
        if one.part_of and family == "filter_list" and any((task, name) in filters for task in one.tasks):
            head = next(other for other in found if other.key == one.part_of)
            if not any((task, head.field.partition(".")[2]) in filters for task in head.tasks):
                heads[one.part_of] = one.key
    led = with_repeats([spoken_for(one, heads) for one in found])
    parts: dict[str, list[Difference]] = {}
    for one in led:
        parts.setdefault(one.part_of, []).append(one)
    return tuple(one._replace(parts=tuple(parts.get(one.key, ()))) for one in led)


def with_repeats(found: Sequence[Difference]) -> list[Difference]:
    """Return the differences with a task's repeats as a part of its filters, which alone make one answer of several."""
    heads = {one.tasks: one.key for one in found if one.field.partition(".")[0] == "filter_list" and not one.part_of}
    return [one._replace(part_of=heads.get(one.tasks, "")) if one.field == "repeats" else one for one in found]


def spoken_for(one: Difference, heads: Mapping[str, str]) -> Difference:
    """Return a part of a field under its new head; the old head becomes a part."""
    new = heads.get(one.part_of or one.key, one.part_of)
    return one._replace(part_of="" if new == one.key else new)


def telling_model(found: tuple[Difference, ...], a: Run, b: Run) -> Difference | None:
    """Return the most telling of the differences that name two models; None where they name one."""
    named = [one for one in found if one.known.model and is_other_model(one, a, b)]
    return min(named, key=lambda one: (how_telling(one, a, b), one.place, one.key), default=None)


def is_other_model(one: Difference, a: Run, b: Run) -> bool:
    """Say whether a difference of a model's key means other weights: not a folder, letter case, or a silent side."""
    if not one.both_recorded or (names_nothing(one.a) and names_nothing(one.b)):
        return False
    if one.key in MODEL_NAMES and (names_nothing(one.a) or names_nothing(one.b)):
        return False
    return not (only_case_differs(one.a, one.b) or only_folder_differs(one.a, one.b))


def names_nothing(value: Json) -> bool:
    return value in (None, "", False)


TELLING = (
    *("lora_local_path", "peft", "adapter_path", "lora_path", "delta", "adapter", "lora", "revision", "gguf_file"),
    *("load_in_4bit", "load_in_8bit", "quantization", "quant"),
)
"""What is laid over a model, which of its files is loaded, or in how many bits: keys that tell by themselves."""


def how_telling(one: Difference, a: Run, b: Run) -> int:
    """Return how little a model's key tells of what differs: another name most, a mere count least."""
    if one.key in MODEL_NAMES:
        return 5 if named_by_quant(a, b) else 0
    return how_telling_part(one)


def how_telling_part(one: Difference) -> int:
    """Return how little a key tells of what differs in a model, beside its name."""
    if one.key.rpartition(".")[2] in TELLING:
        return 1
    if one.key.startswith("context."):
        return 2
    return 3 if one.key.startswith("model_args.") else 4


def recorded_facts(found: tuple[Difference, ...], a: Run, b: Run) -> Recorded:
    """Return what the samples are to be held against: texts that may stand in prompts, and whether models differ."""
    texts = [
        (one.key, task, pair)
        for one in found
        for task in (one.tasks or ("",))
        if any(pair := Sided(text_value(one.a, task), text_value(one.b, task)))
    ]
    model = telling_model(found, a, b)
    applied = model is not None and (model.key not in MODEL_NAMES or named_by_quant(a, b))
    return Recorded(tuple(texts), model.key if model else "", applied)
