"""A comparison as a Document: verdict, scores, first divergence, suspects, changed items, prompts, provenance."""

from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.catalogue.side_labels import versus, with_labels
from diptych.catalogue.words import setting_word
from diptych.closed_names import PartRole
from diptych.comparison import Comparison, RunHeader, VerdictPart
from diptych.estimates import best_estimate
from diptych.fast_named_tuple import NamedTuple
from diptych.report.blocks import (
    EVERYWHERE,
    IN_COMMENT,
    IN_FULL,
    ON_PAGES,
    Block,
    Code,
    Command,
    Document,
    Entry,
    Facts,
    Folded,
    Inline,
    Line,
    Link,
    Listing,
    Name,
    Place,
    Section,
    Verdict,
)
from diptych.report.documents.changes import (
    counts_blocks,
    excerpts,
    first_items,
    kept_and_changed,
    parts_of_changed,
    prompt_blocks,
    total_changed,
)
from diptych.report.documents.column_labels import sentence_labels
from diptych.report.documents.divergence import divergence_blocks, divergence_line
from diptych.report.documents.findings import (
    Hrefs,
    gates_section,
    labelled,
    left_out_section,
    methods_facts,
    notes_section,
    provenance_section,
    warnings_section,
)
from diptych.report.documents.headline import headline, worst_line
from diptych.report.documents.scores import score_blocks
from diptych.report.documents.suspect_tables import settings_line, suspect_blocks, suspect_lines
from diptych.report.documents.suspects import suspects_of, verdict_keys

TOLD = 20
"""Rows up to which each has its sentence under Statistics; of more only the significant ones have."""

FOLDED = IN_COMMENT


class Placed(NamedTuple):
    """Where a comparison's pages stand: links to its items, its runs and the methods; all empty outside an archive."""

    items: Hrefs = {}
    runs: tuple[str, str] = ("", "")
    methods: str | None = None
    digest: str = ""
    all_items: str = ""
    all_prompts: str = ""
    downloads: tuple[tuple[str, str], ...] = ()
    room: int | None = None
    """Characters that long texts may take, where all is one file."""


def comparison_title(comparison: Comparison) -> str:
    """Return what a comparison is called: its own title, else who is compared with whom."""
    return comparison.title or versus(comparison.a.label, comparison.b.label)


def comparison_document(comparison: Comparison, place: Placed | None = None) -> Document:
    """Return all that a comparison says, in the order in which it is read."""
    place = place or Placed()
    findings = labelled(comparison.findings, sentence_labels(comparison))
    sign, words, tone = headline(comparison)
    kind = comparison.verdict.kind
    verdict = verdict_block(comparison)
    sections = (
        Section("verdict", "", (verdict, sides_block(comparison, place)), places=EVERYWHERE),
        gates_section(comparison.gates),
        scores_section(comparison),
        *divergence_sections(comparison, place.items),
        *suspects_sections(comparison),
        warnings_section(findings, place.items, len(verdict.caveats)),
        *changed_sections(comparison, place),
        prompts_section(comparison, place),
        notes_section(findings, place.items),
        next_section(comparison),
        statistics_section(comparison, place),
        left_out_section(comparison.left_out),
        provenance_section(
            comparison.provenance, comparison.id, place.digest, item_counts_by_task(comparison), not comparison.left_out
        ),
    )
    short = f"{comparison.b.label} vs {comparison.a.label}"
    named = comparison.title or short
    return Document(
        "comparison",
        comparison_title(comparison),
        sign,
        words,
        tone,
        sections,
        headline=f"{named}: {words}",
        cause=setting_word(comparison.verdict.leading_cause or ""),
        worst=worst_line(comparison),
        changed=kind in ("not_a_measurement", "not_comparable", "different"),
        downloads=place.downloads,
    )


def verdict_block(comparison: Comparison) -> Verdict:
    """Return the verdict: its answer, what is open, its cause, the next step, and what could turn it."""
    verdict = comparison.verdict
    sign, word, tone = headline(comparison)
    lines: list[Line] = [(text,) for text in (verdict.parts and verdict_lines_of(verdict.parts)) or (verdict.sentence,)]
    if verdict.next_step:
        lines.append((f"Next: {verdict.next_step}",))
    caveats = [(part.text,) for part in verdict.parts if part.role == "caveat"]
    return Verdict(sign, word, tone, tuple(lines), tuple(caveats))


def verdict_lines_of(parts: Sequence[VerdictPart]) -> tuple[str, ...]:
    """Return the lines of a verdict beside its caveats: the answer, what denies it, what is open, the cause."""
    groups: tuple[tuple[PartRole, ...], ...] = (("answer",), ("disagreement",), ("open", "coverage"), ("cause",))
    lines = (" ".join(part.text for part in parts if part.role in roles) for roles in groups)
    return tuple(line for line in lines if line)


def sides_block(comparison: Comparison, place: Placed) -> Facts:
    """Return who the two runs are: label, model, harness, date, results file."""
    return Facts(
        tuple(
            (letter, side_line(side, href, letter == "A"))
            for letter, side, href in zip("AB", (comparison.a, comparison.b), place.runs, strict=True)
        )
    )


def side_line(side: RunHeader, href: str, baseline: bool) -> Line:
    """Return one run in a line."""
    name: Inline = Link(side.label, href) if href else Name(side.label)
    version = f"{side.harness} {side.harness_version or ''}".strip()
    day = value_text.date(side.date) if side.date else f"date {value_text.NOT_RECORDED}"
    items = f"{numbers.counted(sum(side.items.values()), 'item')} in {numbers.counted(len(side.items), 'task')}"
    file = f"{side.source}/{side.results_file}" if side.source else side.results_file
    parts: list[Inline] = [name, " (baseline): " if baseline else ": ", Code(file)]
    if side.model:
        parts += [", ", Name(side.model)]
    parts.append(f", {version}, {day}, {items}")
    return tuple(parts)


def item_counts_by_task(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return how many items each task of each side has, once where that is alike."""
    a, b = comparison.a, comparison.b
    if list(a.items.items()) == list(b.items.items()):
        return (("items of both", item_counts(a)),)
    return (f"{a.label}: items", item_counts(a)), (f"{b.label}: items", item_counts(b))


def item_counts(side: RunHeader) -> str:
    """Return how many items each task of a side has."""
    return ", ".join(f"{task} {numbers.count(count)}" for task, count in side.items.items()) or value_text.NOT_RECORDED


def scores_section(comparison: Comparison) -> Section:
    """Return the table of scores with its folds."""
    comparable = comparison.verdict.kind not in ("not_a_measurement", "not_comparable")
    blocks = score_blocks(comparison, comparable)
    if not blocks:
        blocks = (("The runs share no metric: they did not measure the same thing.",),)
    if comparable:
        return Section("scores", "Scores", blocks, places=EVERYWHERE, drop="worse")
    return Section(
        "scores", "Scores as reported, not to be compared", blocks, places=EVERYWHERE, folded=FOLDED, drop="unclear"
    )


def divergence_sections(comparison: Comparison, hrefs: Hrefs) -> tuple[Section, ...]:
    """Return the first divergence: a line for the short report and the comment, the strips for all else."""
    line = divergence_line(comparison)
    if not line:
        return ()
    blocks = divergence_blocks(comparison, hrefs)
    return (
        Section("divergence-line", "", (line,), places=frozenset[Place](("brief", "comment")), drop="kept"),
        Section(
            "ladder",
            "First divergence",
            blocks,
            places=frozenset(("full", "comment", "page")),
            folded=FOLDED,
        ),
    )


def suspects_sections(comparison: Comparison) -> tuple[Section, ...]:
    """Return the ranking of suspects: a line each for the short report, a table for all else."""
    title = "Other suspects" if verdict_keys(comparison.verdict) else "Suspects"
    brief = Section("suspects", title, suspect_lines(comparison), places=frozenset[Place](("brief",)))
    table = Section(
        "settings",
        "Suspects",
        suspect_blocks(comparison),
        lead=settings_line(comparison),
        places=IN_FULL if suspects_of(comparison) else ON_PAGES,
        folded=FOLDED,
    )
    return brief, table


def changed_sections(comparison: Comparison, place: Placed) -> tuple[Section, ...]:
    """Return how many items changed; on pages the first of them, in a comment excerpts."""
    if not comparison.flip_counts and not comparison.flips:
        return ()
    counts = counts_blocks(comparison)
    table: tuple[Block, ...] = ()
    if comparison.flips and place.items:
        table = (first_items(comparison, comparison.flips, place.items),)
        if place.all_items:
            table += (
                (
                    Link(
                        all_items_words(comparison),
                        place.all_items,
                    ),
                ),
            )
    return (
        Section(
            "flips",
            f"Changed items ({numbers.count(kept_and_changed(comparison)[1])})",
            (*counts, *table),
            lead=parts_of_changed(comparison),
            places=IN_FULL,
            folded=FOLDED,
        ),
        Section(
            "excerpts",
            "Changed items: excerpts",
            excerpts(comparison),
            places=FOLDED,
            folded=FOLDED,
            drop="excerpts",
        ),
    )


def all_items_words(comparison: Comparison) -> str:
    """Return what leads to the pages of items: all that changed, or how many of them are kept with their texts."""
    kept, changed = kept_and_changed(comparison)
    if kept == changed:
        aside = kept - total_changed(comparison)
        under = f" ({numbers.count(aside)} of them under another filter only)" if aside > 0 else ""
        return f"All {numbers.counted(kept, 'changed item')}{under}, with prompts and responses"
    return f"{numbers.count_of(kept, changed)} changed items, with prompts and responses"


def prompts_section(comparison: Comparison, place: Placed) -> Section:
    """Return the first prompts side by side."""
    blocks = prompt_blocks(comparison, place.room)
    more: tuple[Block, ...] = (
        ((Link(f"All {numbers.counted(len(comparison.prompts), 'prompt')}, whole", place.all_prompts),),)
        if place.all_prompts
        else ()
    )
    return Section("prompts", "Prompts", (*blocks, *more), places=frozenset[Place](("page",)))


def next_section(comparison: Comparison) -> Section:
    """Return the isolating run, and what each outcome would mean."""
    run = comparison.verdict.isolating_run
    if run is None:
        return Section("next", "", ())
    took = f" The baseline took {numbers.duration(run.seconds)}." if run.seconds is not None else ""
    labels = sentence_labels(comparison)
    told = (run.if_closes, run.if_stays, run.if_neither)
    outcomes = tuple(Entry((with_labels(text, *labels),)) for text in told if text)
    blocks: list[Block] = [
        ("The baseline repeated with only ", Code(run.changes), f" taken from the other run.{took}"),
        Command(run.command),
        Listing(outcomes),
    ]
    if run.python:
        blocks.append(Folded(("The same as a Python call",), (Command(run.python, "python"),)))
    return Section("next", "Isolating run", tuple(blocks), places=IN_FULL, folded=FOLDED)


def statistics_section(comparison: Comparison, place: Placed) -> Section:
    """Return the methods used with how they work, and a sentence a score where those are few."""
    told = [row for row in comparison.metrics if row.sentence]
    if len(told) > TOLD:
        told = [row for row in told if row.is_apart][:TOLD]
    used = dict.fromkeys(found.method for row in comparison.metrics if (found := best_estimate(row)) is not None)
    facts = methods_facts(dict.fromkeys((*used, *comparison.provenance.methods)), place.methods)
    labels = sentence_labels(comparison)
    texts, ending = without_ending([row.sentence for row in told])
    entries = tuple(
        Entry((Name(row.task), f" {value_text.metric_name(row.metric, row.filter)}: {with_labels(text, *labels)}"))
        for row, text in zip(told, texts, strict=True)
    )
    blocks: tuple[Block, ...] = (
        *([facts] if facts.rows else []),
        *([Listing(entries, "sentences")] if entries else []),
        *([(f"All of these: {with_labels(ending, *labels)}",)] if ending else []),
    )
    return Section("statistics", "Statistics", blocks, places=ON_PAGES, folded=frozenset[Place](("page",)))


def without_ending(texts: Sequence[str]) -> tuple[list[str], str]:
    """Return texts without the sentences that all of them end with, and those, where it is more than two texts.

    Each keeps its first sentence.
    """
    parts = [text.split(". ") for text in texts]
    most = min(map(len, parts), default=1) - 1
    same = next((n for n in range(most) if len({tuple(part[-1 - n :]) for part in parts}) > 1), most)
    if len(texts) < 3 or not same:
        return list(texts), ""
    return [". ".join(part[:-same]) + "." for part in parts], ". ".join(parts[0][-same:])
