"""The ranking of suspects as blocks: a line each, or a table with both values and what the samples say."""

import hashlib
from collections.abc import Iterable, Sequence

from diptych import numbers, value_text
from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import BEARINGS, CERTAINTIES, setting_word, word_of
from diptych.comparison import Comparison, Verdict
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
from diptych.report.documents.column_labels import column_labels, sentence_labels
from diptych.report.documents.suspects import Suspect, suspects_of, verdict_keys
from diptych.report.writers.diffs import parting
from diptych.report.writers.harmless import shorten

BEFORE, AFTER = 20, 60
"""Characters that stay in sight around the place where two long values part."""

LONG = 120
"""Characters from which on a value is told by where it first differs."""


BRIEF = 22
"""Characters of a value in the short report."""


def suspect_name(key: str) -> Inline:
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
            return excerpt(a, place), excerpt(b, place)
    return whole_or_hash(a), whole_or_hash(b)


def excerpt(text: str, place: int) -> str:
    """Return a text near a place, and how much of it is elsewhere."""
    start = max(0, place - BEFORE)
    cut = text[start : place + AFTER]
    return f"{'…' if start else ''}{cut}{'…' if place + AFTER < len(text) else ''}"


def whole_or_hash(text: str, most: int = LONG) -> str:
    """Return a short text whole, one of more than `most` characters by its length and its hash."""
    if len(text) <= most:
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


SHOWN = 3
"""Suspects that the short report names."""


def suspect_lines(comparison: Comparison) -> tuple[Block, ...]:
    """Return the first suspects that the verdict does not name, a line each, and how many more there are.

    What repeats or comes with another suspect is none of its own, nor is, beside a cause, what one side did not record.
    """
    may = [suspect for suspect in suspects_of(comparison) if suspect.bearing != "cannot"]
    if not may and any(part.role == "cause" for part in comparison.verdict.parts):
        return ()
    if not may:
        return ((nothing_acted(comparison),),)
    named = set(verdict_keys(comparison.verdict))
    others = {key for one in may for key in one.keys}
    alone = [
        one for one in may if one.follows not in others and (one.recorded or one.bearing == "explains" or not named)
    ]
    entries = []
    for suspect in (one for one in alone if not named & set(one.keys)):
        a, b = (shorten(text, BRIEF) for text in value_text.short_hashes(*short_values(suspect)))
        bearing = word_of(BEARINGS, suspect.bearing)
        line: Line = (suspect_name(suspect.key), f" ({standing_of(suspect, comparison.verdict)}): {a} → {b}")
        entries.append(Entry(line, bearing.sign, tone=bearing.tone))
    return (Listing(tuple(entries), "settings that may have acted", brief=SHOWN),) if entries else ()


def nothing_differs(comparison: Comparison) -> str:
    """Return that no setting differs; where the tasks' own configurations were not held side by side, that, too."""
    told = f"None of {numbers.counted(comparison.settings_equal, 'recorded setting')} differs"
    tasks = task_words(comparison)
    return f"{told}." if tasks == SAME_TASKS else f"{told}; the tasks' configurations are not compared: {tasks}."


def suspect_table(suspects: Sequence[Suspect], comparison: Comparison, what: str) -> Table:
    """Return suspects as a table; below each what the samples say, and why it can move a score."""
    labels = column_labels(comparison)
    columns = (
        Column("Setting"),
        Column(labels[0]),
        Column(labels[1]),
        Column("Standing", leaves=1),
    )
    rows = tuple(suspect_row(suspect, comparison.verdict, sentence_labels(comparison)) for suspect in suspects)
    return Table(columns, rows, what, least=1, brief=5)


def suspect_row(suspect: Suspect, verdict: Verdict, labels: tuple[str, str]) -> Row:
    """Return one suspect; the verdict's own carries how sure it is."""
    a, b = short_values(suspect)
    bearing = word_of(BEARINGS, suspect.bearing)
    told = standing_of(suspect, verdict)
    where = f" in {numbers.listed(suspect.tasks)}" if suspect.tasks and suspect.where == "" else ""
    beside = f" ({suspect.where})" if suspect.where else where
    name: Line = (suspect_name(suspect.key), *([beside] if beside else []))
    said = [with_labels(suspect.evidence, *labels), suspect.why, suspect.place]
    note = " ".join(f"{text.rstrip('.')}." for text in said if text)
    shown: Line = (Toned(f"{bearing.sign} {told}", bearing.tone),)
    return Row((name, (Code(a),), (Code(b),), shown), (note,))


def standing_of(suspect: Suspect, verdict: Verdict) -> str:
    """Return what a suspect has to do with the difference; the verdict's own carries how sure it is."""
    if verdict.leading_cause in suspect.keys:
        return word_of(CERTAINTIES, verdict.standing).word
    return "one of" if set(suspect.keys) & set(verdict_keys(verdict)) else word_of(BEARINGS, suspect.bearing).word


def long_values(suspects: Iterable[Suspect], comparison: Comparison) -> list[Block]:
    """Return what two long values share and where they differ, each behind a fold."""
    labels = column_labels(comparison)
    return [
        Folded(
            (suspect_name(suspect.key), ": both values side by side"),
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


SAME_TASKS = "identical"


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
    return SAME_TASKS if any(row.a_present and row.b_present for row in comparison.metrics) else "no task is in both"


def nothing_acted(comparison: Comparison) -> str:
    """Return which recorded differences cannot have acted, or that nothing recorded differs."""
    names = [suspect.key for suspect in suspects_of(comparison)]
    if not names:
        return nothing_differs(comparison)
    differ = f"{numbers.counted(len(names), 'recorded setting')} {'differs' if len(names) == 1 else 'differ'}"
    return f"{differ} ({numbers.listed(names)}); none can have acted."
