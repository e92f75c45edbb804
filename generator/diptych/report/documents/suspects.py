"""Why scores may differ: one ranking of all that was recorded and differs, the leading one first."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from diptych import numbers
from diptych.catalogue.words import BEARINGS, CERTAINTIES, impact, setting_word, with_labels, word_of
from diptych.comparison import BEARINGS as BEARING_ORDER
from diptych.comparison import Bearing, Comparison, SettingDifference, TaskDifference, Verdict
from diptych.report.blocks import (
    Block,
    Code,
    Column,
    Diff,
    Entry,
    Folded,
    Inline,
    Line,
    Listing,
    Name,
    Row,
    Table,
    Toned,
)
from diptych.report.documents.labels import labels_of
from diptych.report.writers.diffs import parting
from diptych.report.writers.harmless import shorten

LONG = 120
"""Characters from which on a value is told by where it first differs."""

BRIEF = 30
"""Characters of a value in the short report."""

BEFORE, AFTER = 20, 60
"""Characters that stay in sight around the place where two long values part."""


class Suspect(NamedTuple):
    """One recorded difference, wherever it was recorded; `where` says so in words."""

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

    @property
    def keys(self) -> tuple[str, ...]:
        """What a verdict's ranking calls it: a field of tasks by each of them."""
        return (self.key, *(f"{task}.{self.key.removeprefix(f'{task}.')}" for task in self.tasks), *self.fields)


def suspects_of(comparison: Comparison) -> tuple[Suspect, ...]:
    """Return all recorded differences in one ranking: the verdict's, then what fits, what may be, what cannot."""
    found = [*setting_suspects(comparison), *context_suspects(comparison), *task_suspects(comparison)]
    named = [*keys_of(comparison.verdict), *comparison.ranking]

    def order(suspect: Suspect) -> tuple[int, int]:
        places = [place for place, key in enumerate(named) if key in suspect.keys]
        return min(places, default=len(named)), place_of(suspect.bearing)

    return tuple(sorted(found, key=order))


def place_of(bearing: Bearing) -> int:
    """Return how far down a bearing stands, one that is not known last."""
    return BEARING_ORDER.index(bearing) if bearing in BEARING_ORDER else len(BEARING_ORDER)


def keys_of(verdict: Verdict) -> tuple[str, ...]:
    """Return the keys that a verdict names, the leading one first."""
    leading = (verdict.leading_cause,) if verdict.leading_cause else ()
    return (*leading, *(suspect.key for suspect in verdict.suspects))


def setting_suspects(comparison: Comparison) -> list[Suspect]:
    """Return the settings that differ, in the artifact's order, each with the fields of tasks that say the same."""
    known = len(comparison.settings) + comparison.settings_equal
    return [setting_suspect(row, comparison.task_settings, known) for row in comparison.settings]


def setting_suspect(row: SettingDifference, fields: Sequence[TaskDifference], known: int) -> Suspect:
    """Return one setting, one of so many known; of it and its fields the one that may have acted most is told."""
    same = [field for field in fields if says_the_same(field, row)]
    standings = ((row.standing, row.evidence), *((field.standing, field.evidence) for field in same))
    standing, evidence = min(standings, key=lambda one: place_of(one[0]))
    return Suspect(
        row.key,
        "",
        row.a,
        row.b,
        side_text(row.key, row.a, row.a_recorded, row.a_default),
        side_text(row.key, row.b, row.b_recorded, row.b_default),
        standing,
        row.why,
        evidence or "",
        impact(row.rank, known) if row.rank is not None and row.rank <= known else "",
        row.tasks,
        tuple(f"{field.task}.{field.field}" for field in same),
    )


def says_the_same(field: TaskDifference, row: SettingDifference) -> bool:
    """Say whether a field of a task is a setting once more, with its values or with fewer of them recorded."""
    if row.key != setting_of(field) or (row.tasks and field.task not in row.tasks):
        return False
    return all(
        None in pair or numbers.value(pair[0]) == numbers.value(pair[1])
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
            numbers.value(row.a, row.a_recorded),
            numbers.value(row.b, row.b_recorded),
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
    for row in comparison.task_settings:
        if any(says_the_same(row, setting) for setting in comparison.settings):
            continue
        alike.setdefault((row.field, numbers.value(row.a), numbers.value(row.b)), []).append(row)
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


def side_text(key: str, value: Any, recorded: bool, default: bool) -> str:
    """Return a setting's value with what it means where it does not say so itself."""
    note = "default" if default else value_note(key, value)
    return numbers.value(value, recorded) + (f" ({note})" if note else "")


def value_note(key: str, value: object) -> str:
    """Return what a value means that does not say so itself."""
    return "on, applied by the server" if key == "chat_template" and value == "" else ""


def name_of(key: str) -> Inline:
    """Return what a suspect is called."""
    return Name(setting_word(key)) if key.startswith("context.") else Code(key)


def short_values(suspect: Suspect) -> tuple[str, str]:
    """Return both values on a line each: long ones by where they first differ, or by their hash."""
    a, b = suspect.a_text, suspect.b_text
    if max(len(a), len(b)) <= LONG:
        return a, b
    if isinstance(suspect.a, str) and isinstance(suspect.b, str) and min(len(a), len(b)) > LONG // 2:
        place = parting(a, b)
        if place is not None:
            return around(a, place), around(b, place)
    return hashed(a), hashed(b)


def around(text: str, place: int) -> str:
    """Return a text near a place, and how much of it is elsewhere."""
    start = max(0, place - BEFORE)
    cut = text[start : place + AFTER]
    return f"{'…' if start else ''}{cut}{'…' if place + AFTER < len(text) else ''}"


def hashed(text: str) -> str:
    """Return a short text whole, a long one by its length and its hash."""
    if len(text) <= LONG:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{numbers.count(len(text))} characters, sha256 {digest}"


def suspect_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """Return the ranking as a table, long values below it, and what cannot have acted folded."""
    found = suspects_of(comparison)
    may = [suspect for suspect in found if suspect.bearing != "cannot"]
    cannot = [suspect for suspect in found if suspect.bearing == "cannot"]
    blocks: list[Block] = []
    if may:
        blocks.append(suspect_table(may, comparison, "settings that may have acted"))
        blocks += long_values(may, comparison)
    elif not found:
        blocks.append((nothing_differs(comparison),))
    if cannot:
        word = BEARINGS["cannot"].word
        table = suspect_table(cannot, comparison, "settings that cannot have acted")
        blocks.append(Folded((f"{word[0].upper()}{word[1:]} ({len(cannot)})",), (table,)))
    note = context_note(comparison)
    return (*blocks, *([(note,)] if note else []))


SHOWN = 5
"""Suspects that the short report names."""


def suspect_lines(comparison: Comparison) -> tuple[Block, ...]:
    """Return the first suspects, a line each, and how many more there are."""
    may = [suspect for suspect in suspects_of(comparison) if suspect.bearing != "cannot"]
    if not may:
        return ((nothing_acted(comparison),),)
    entries = []
    for suspect in may:
        a, b = (shorten(text, BRIEF) for text in short_values(suspect))
        bearing = word_of(BEARINGS, suspect.bearing)
        line: Line = (name_of(suspect.key), f": {a} → {b}, {standing_of(suspect, comparison.verdict)}")
        entries.append(Entry(line, bearing.sign, tone=bearing.tone))
    return (Listing(tuple(entries), "settings that may have acted", brief=SHOWN),)


def nothing_acted(comparison: Comparison) -> str:
    """Return which recorded differences cannot have acted, or that nothing recorded differs."""
    names = [suspect.key for suspect in suspects_of(comparison)]
    if not names:
        return nothing_differs(comparison)
    differ = f"{numbers.counted(len(names), 'recorded setting')} {'differs' if len(names) == 1 else 'differ'}"
    return f"{differ} ({numbers.listed(names)}); none can have acted."


def nothing_differs(comparison: Comparison) -> str:
    """Return that nothing recorded differs."""
    return f"None of {numbers.counted(comparison.settings_equal, 'recorded setting')} differs."


def suspect_table(suspects: Sequence[Suspect], comparison: Comparison, what: str) -> Table:
    """Return suspects as a table; below each what the samples say, and why it can move a score."""
    labels = labels_of(comparison)
    columns = (
        Column("Setting"),
        Column(labels[0]),
        Column(labels[1]),
        Column("Standing", leaves=1),
    )
    rows = tuple(
        suspect_row(suspect, comparison.verdict, (comparison.a.label, comparison.b.label)) for suspect in suspects
    )
    return Table(columns, rows, what, least=1, brief=5)


def suspect_row(suspect: Suspect, verdict: Verdict, labels: tuple[str, str]) -> Row:
    """Return one suspect; the verdict's own carries how sure it is."""
    a, b = short_values(suspect)
    bearing = word_of(BEARINGS, suspect.bearing)
    told = standing_of(suspect, verdict)
    where = f" in {numbers.listed(suspect.tasks)}" if suspect.tasks and suspect.where == "" else ""
    beside = f" ({suspect.where})" if suspect.where else where
    name: Line = (name_of(suspect.key), *([beside] if beside else []))
    said = [with_labels(suspect.evidence, *labels), suspect.why, suspect.place]
    note = " ".join(f"{text.rstrip('.')}." for text in said if text)
    shown: Line = (Toned(f"{bearing.sign} {told}", bearing.tone),)
    return Row((name, (Code(a),), (Code(b),), shown), (note,), tone=bearing.tone)


def standing_of(suspect: Suspect, verdict: Verdict) -> str:
    """Return what a suspect has to do with the difference; the verdict's own carries how sure it is."""
    if verdict.leading_cause in suspect.keys:
        return word_of(CERTAINTIES, verdict.standing).word
    return "one of" if set(suspect.keys) & set(keys_of(verdict)) else word_of(BEARINGS, suspect.bearing).word


def long_values(suspects: Iterable[Suspect], comparison: Comparison) -> list[Block]:
    """Return what two long values share and where they differ, each behind a fold."""
    labels = labels_of(comparison)
    return [
        Folded(
            (name_of(suspect.key), ": both values side by side"),
            (Diff("", (), suspect.a_text, suspect.b_text, labels, whole=False),),
        )
        for suspect in suspects
        if isinstance(suspect.a, str) and isinstance(suspect.b, str)
        if min(len(suspect.a_text), len(suspect.b_text)) > LONG
    ]


def context_note(comparison: Comparison) -> str:
    """Return what nobody wrote down of the world outside the harness."""
    a, b = comparison.context_recorded
    if a and b:
        return ""
    who = "Neither run" if not (a or b) else comparison.b.label if a else comparison.a.label
    return f"{who} has {'no' if a or b else 'a'} run-context.json: engine and quantization are not recorded there."


def settings_line(comparison: Comparison) -> str:
    """Return how many recorded settings differ, and how many are equal."""
    differ, equal = len(comparison.settings), comparison.settings_equal
    settings = (
        f"{numbers.counted(differ, 'setting')} {'differs' if differ == 1 else 'differ'}, {numbers.count(equal)} equal"
    )
    return f"{settings}; task configuration: {task_words(comparison)}."


def task_words(comparison: Comparison) -> str:
    """Return whether the tasks' definitions differ, are the same, or could not be compared."""
    differ = len(comparison.task_settings)
    if differ:
        return f"{numbers.counted(differ, 'field')} {'differs' if differ == 1 else 'differ'}"
    a, b = comparison.configs_recorded
    if not (a or b):
        return "not recorded"
    if not (a and b):
        return f"not recorded in {comparison.b.label if a else comparison.a.label}"
    return "identical" if any(row.a_present and row.b_present for row in comparison.metrics) else "no task is in both"
