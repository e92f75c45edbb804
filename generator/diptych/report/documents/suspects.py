"""Why scores may differ: one ranking of all that was recorded and differs, the leading one first."""

from collections.abc import Sequence
from typing import Any

from diptych import value_text
from diptych.catalogue.settings import context_rank, rank_of
from diptych.catalogue.words import impact
from diptych.closed_names import BEARINGS as BEARING_ORDER
from diptych.closed_names import Bearing
from diptych.comparison import Comparison, SettingDifference, TaskDifference, Verdict
from diptych.fast_named_tuple import NamedTuple
from diptych.report.artifact_cache import of_last
from diptych.report.writers.harmless import shorten

BRIEF = 40
"""Characters of a value that is told in a sentence."""


class Suspect(NamedTuple):
    """One recorded difference, wherever it was recorded; `where` says so in words.

    `recorded`: both sides say what they had. `follows` names the one that it comes with or repeats.
    """

    key: str
    where: str
    a: Any
    b: Any
    a_text: str
    b_text: str
    bearing: Bearing
    why: str
    evidence: str
    place: str
    tasks: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    recorded: bool = True
    follows: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What a verdict's ranking calls it: a field of tasks by each of them."""
        return (self.key, *(f"{task}.{self.key.removeprefix(f'{task}.')}" for task in self.tasks), *self.fields)


@of_last
def suspects_of(comparison: Comparison) -> tuple[Suspect, ...]:
    """Return all recorded differences in one ranking: the verdict's, then what fits, what may be, what cannot."""
    found = [*setting_suspects(comparison), *context_suspects(comparison), *task_suspects(comparison)]
    named = dict.fromkeys((*verdict_keys(comparison.verdict), *comparison.ranking))
    places = {key: place for place, key in enumerate(named)}

    def order(suspect: Suspect) -> tuple[int, int]:
        return min(places.get(key, len(places)) for key in suspect.keys), bearing_rank(suspect.bearing)

    return of_one_model(sorted(found, key=order))


def of_one_model(found: Sequence[Suspect]) -> tuple[Suspect, ...]:
    """Return a ranking in which all keys of a model that may have acted are one row, the first of them."""
    keys = [each for each in found if is_model_key(each) and each.bearing != "cannot"]
    if len(keys) < 2:
        return tuple(found)
    first, *others = keys
    told = "; ".join(f"{each.key} {shorten(each.a_text, BRIEF)} → {shorten(each.b_text, BRIEF)}" for each in others)
    whole = first._replace(
        why=f"{first.why} Recorded of the same model: {told}.".lstrip(),
        fields=(*first.fields, *(name for each in others for name in (each.key, *each.fields))),
    )
    told_there = {id(each) for each in others}
    return tuple(whole if each is first else each for each in found if id(each) not in told_there)


def is_model_key(suspect: Suspect) -> bool:
    """Say whether a suspect is a key of the model itself: its name, hash, revision, adapter or quantization."""
    if suspect.key.startswith("context."):
        return context_rank(suspect.key.removeprefix("context."))[1].model
    return not suspect.tasks and rank_of(suspect.key)[1].model


def bearing_rank(bearing: Bearing) -> int:
    """Return how far down a bearing stands, one that is not known last."""
    return BEARING_ORDER.index(bearing) if bearing in BEARING_ORDER else len(BEARING_ORDER)


def verdict_keys(verdict: Verdict) -> tuple[str, ...]:
    """Return the keys that a verdict names, the leading one first."""
    leading = (verdict.leading_cause,) if verdict.leading_cause else ()
    return (*leading, *(suspect.key for suspect in verdict.suspects))


def setting_suspects(comparison: Comparison) -> list[Suspect]:
    """Return the settings that differ, in the artifact's order, each with the fields of tasks that say the same."""
    known = len(comparison.settings) + comparison.settings_equal
    fields: dict[str, list[TaskDifference]] = {}
    for field in comparison.task_settings:
        fields.setdefault(setting_of(field), []).append(field)
    return [setting_suspect(row, fields.get(row.key, ()), known) for row in comparison.settings]


def setting_suspect(row: SettingDifference, fields: Sequence[TaskDifference], known: int) -> Suspect:
    """Return one setting, one of so many known; of it and its fields the one that may have acted most is told."""
    same = [field for field in fields if says_the_same(field, row)]
    standings = ((row.standing, row.evidence), *((field.standing, field.evidence) for field in same))
    standing, evidence = min(standings, key=lambda one: bearing_rank(one[0]))
    return Suspect(
        row.key,
        "",
        row.a,
        row.b,
        value_of_side(row.key, row.a, row.a_recorded, row.a_default),
        value_of_side(row.key, row.b, row.b_recorded, row.b_default),
        standing,
        row.why,
        evidence or "",
        impact(row.rank, known) if row.rank is not None and row.rank <= known else "",
        row.tasks,
        tuple(f"{field.task}.{field.field}" for field in same),
        row.a_recorded and row.b_recorded,
        row.follows,
    )


def says_the_same(field: TaskDifference, row: SettingDifference) -> bool:
    """Say whether a field of a task is a setting once more, with its values or with fewer of them recorded."""
    if row.key != setting_of(field) or (row.tasks and field.task not in row.tasks):
        return False
    return all(
        None in pair or pair[0] == pair[1] or value_text.value(pair[0]) == value_text.value(pair[1])
        for pair in ((field.a, row.a), (field.b, row.b))
    )


def setting_of(field: TaskDifference) -> str:
    """Return what a field of a task is called among the settings: the harness records some things twice."""
    family, _, name = field.field.partition(".")
    if field.field == "metadata.version":
        return f"versions.{field.task}"
    return f"gen_kwargs.{name}" if family == "generation_kwargs" and name else field.field


def context_suspects(comparison: Comparison) -> list[Suspect]:
    """Return what differs beside the runs."""
    return [
        Suspect(
            f"context.{row.setting}",
            "recorded beside the run",
            row.a,
            row.b,
            value_text.setting(row.setting, row.a, row.a_recorded),
            value_text.setting(row.setting, row.b, row.b_recorded),
            row.standing,
            row.why,
            row.evidence or "",
            "",
        )
        for row in comparison.context
    ]


def task_suspects(comparison: Comparison) -> list[Suspect]:
    """Return the fields of tasks' definitions that differ and are no setting; one that changes alike is one row."""
    alike: dict[tuple[str, str, str], list[Any]] = {}
    settings: dict[str, list[SettingDifference]] = {}
    for setting in comparison.settings:
        settings.setdefault(setting.key, []).append(setting)
    for row in comparison.task_settings:
        if any(says_the_same(row, setting) for setting in settings.get(setting_of(row), ())):
            continue
        alike.setdefault((row.field, value_text.value(row.a), value_text.value(row.b)), []).append(row)
    return [
        Suspect(
            f"{rows[0].task}.{field}" if len(rows) == 1 else field,
            "task configuration",
            rows[0].a,
            rows[0].b,
            a,
            b,
            rows[0].standing,
            "A field of the task's own definition.",
            rows[0].evidence or "",
            "",
            tuple(row.task for row in rows),
        )
        for (field, a, b), rows in alike.items()
    ]


def value_of_side(key: str, value: Any, recorded: bool, default: bool) -> str:
    """Return a setting's value with what it means where it does not say so itself.

    What nobody gave has the default of whatever takes it, which no file names.
    """
    own = "the task's own" if key.startswith("gen_kwargs.") else "default"
    return value_text.setting(key, value, recorded) + (f" ({own})" if default and value is not None else "")
