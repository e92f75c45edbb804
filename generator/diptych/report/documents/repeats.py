"""Repeats of one configuration as a Document: what it differs by from itself, metric by metric."""

from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.catalogue.words import REPEATS
from diptych.comparison import Finding
from diptych.metric_key import MetricKey
from diptych.repeats import Repeats
from diptych.report.addresses import artifact_title
from diptych.report.blocks import (
    EVERYWHERE,
    Column,
    Document,
    Facts,
    Inline,
    Line,
    Link,
    Name,
    Row,
    Section,
    Table,
    Verdict,
)
from diptych.report.documents.findings import (
    left_out_section,
    notes_section,
    provenance_section,
    warnings_section,
)
from diptych.value_text import metric_name

TOLD = 3
"""Sentences that stand in the verdict; where there are more, each metric's stands in its row."""


def repeats_document(repeats: Repeats, hrefs: Sequence[str] = (), digest: str = "") -> Document:
    """Return all that repeats of one configuration say; `hrefs` leads from each run to its page."""
    word = f"{REPEATS.word} of {numbers.counted(len(repeats.runs), 'run')}"
    findings = not_told_yet(repeats)
    gone = [f"Not counted as a repeat: {row.what} ({row.why})." for row in repeats.left_out]
    then = [f"Next: {repeats.next_step}"] if repeats.next_step else []
    lines = tuple((text,) for text in (*sentences(repeats)[:TOLD], *where_from(repeats), *gone, *then))
    verdict = Verdict(REPEATS.sign, word, REPEATS.tone, lines)
    sections = (
        Section("verdict", "", (verdict, runs_block(repeats, hrefs)), places=EVERYWHERE),
        Section("scores", "Noise floor", (floor_table(repeats),), places=EVERYWHERE, drop="worse"),
        warnings_section(findings, {}),
        notes_section(findings, {}),
        left_out_section(repeats.left_out),
        provenance_section(repeats.provenance, repeats.id, digest, (), not repeats.left_out),
    )
    title = artifact_title(repeats)
    return Document("repeats", title, REPEATS.sign, word, REPEATS.tone, sections, headline=f"{title}: {word}")


def sentences(repeats: Repeats) -> list[str]:
    """Return what each floor means, equal sentences once, with the metrics they hold for."""
    said: dict[str, list[str]] = {}
    for key, name in metric_names(repeats).items():
        floor = repeats.floors.get(key)
        if floor and floor.sentence:
            said.setdefault(floor.sentence, []).append(f"{key.task} {name}")
    return [f"{numbers.listed(names, 3)}: {sentence}" for sentence, names in said.items()]


def metric_names(repeats: Repeats) -> dict[MetricKey, str]:
    """Return each metric with its name; filters of one metric that scored alike in each run are one of them."""
    alike: dict[tuple[object, ...], list[MetricKey]] = {}
    for key in repeats.scores:
        alike.setdefault((key.task, key.metric, repeats.scores[key], repeats.floors.get(key)), []).append(key)
    return {
        keys[0]: metric_name(
            keys[0].metric, numbers.listed([key.filter for key in keys if key.filter not in ("", "none")])
        )
        for keys in alike.values()
    }


def where_from(repeats: Repeats) -> list[str]:
    """Return where the floors come from, since each is wider than what these runs differ by."""
    known = [floor for floor in repeats.floors.values() if floor.floor]
    if not known:
        return []
    runs = numbers.counted(max(floor.runs for floor in known), "repeat")
    wide = repeats.floor_basis or f"It is from the spread of {runs}: the fewer, the wider."
    return [f"Two runs differ by less than a floor 19 times in 20. {wide}"]


def not_told_yet(repeats: Repeats) -> tuple[Finding, ...]:
    """Return the findings that no floor's own sentence has told."""
    said = [floor.sentence for floor in repeats.floors.values() if floor.sentence]
    return tuple(row for row in repeats.findings if not any(sentence in row.text for sentence in said))


def runs_block(repeats: Repeats, hrefs: Sequence[str]) -> Facts:
    """Return who the runs are, by number."""
    rows = []
    for number, run in enumerate(repeats.runs):
        href = hrefs[number] if number < len(hrefs) else ""
        name: Inline = Link(run.label, href) if href else Name(run.label)
        model: Line = (", ", Name(run.model)) if run.model else ()
        rows.append((str(number + 1), (name, *model, f", {value_text.date(run.date)}")))
    return Facts(tuple(rows))


def floor_table(repeats: Repeats) -> Table:
    """Return each metric's scores over the runs, their spread, and what two fresh runs may differ by."""
    heads = (str(number) for number in range(1, len(repeats.runs) + 1))
    told = len(sentences(repeats)) <= TOLD
    columns = (
        Column("Task, metric"),
        *(Column(head, right=True, leaves=1) for head in heads),
        Column("Std. dev.", right=True, leaves=2),
        Column("Floor", right=True),
        *([] if told else [Column("What it means", full=True)]),
    )
    return Table(
        columns,
        tuple(floor_row(repeats, key, name, told) for key, name in metric_names(repeats).items()),
        "noise floors",
        least=10,
    )


def floor_row(repeats: Repeats, key: MetricKey, name: str, told: bool) -> Row:
    """Return one metric's row, with its sentence unless the verdict has `told` it."""
    scores, floor = repeats.scores[key], repeats.floors.get(key)
    share = numbers.all_in_points(scores)
    shown = [numbers.score(score) for score in [*scores, *[None] * len(repeats.runs)][: len(repeats.runs)]]
    return Row(
        (
            (Name(key.task), " ", Name(name)),
            *((text,) for text in shown),
            (numbers.deviation(floor.spread, share) if floor else numbers.NOT_AVAILABLE,),
            (numbers.floor_text(floor.floor, share) if floor and floor.floor is not None else "unknown",),
            *([] if told else [(floor.sentence if floor else "",)]),
        )
    )
