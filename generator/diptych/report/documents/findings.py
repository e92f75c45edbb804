"""Findings, gates, what was left out and where an artifact comes from: the same for every kind of artifact."""

from collections.abc import Iterable, Mapping, Sequence

from diptych import numbers, value_text
from diptych.catalogue.methods import METHODS
from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import GATES, SEVERITIES, word_of
from diptych.closed_names import SEVERITIES as ORDER
from diptych.comparison import Finding, Gate, LeftOut
from diptych.provenance import Provenance
from diptych.report.blocks import (
    EVERYWHERE,
    IN_COMMENT,
    IN_FULL,
    ON_PAGES,
    Block,
    Code,
    Column,
    Entry,
    Facts,
    Folded,
    Line,
    Link,
    Listing,
    Place,
    Row,
    Section,
    Table,
)

Hrefs = Mapping[tuple[str, str], str]
"""From (task, item) to the page that shows the item."""


def labelled(findings: Sequence[Finding], labels: tuple[str, str]) -> tuple[Finding, ...]:
    """Return findings that speak of the runs by their labels."""
    return tuple(finding._replace(text=with_labels(finding.text, *labels)) for finding in findings)


def warnings_section(findings: Sequence[Finding], hrefs: Hrefs, told: int = 0) -> Section:
    """Return errors and warnings, those of one kind and side together; `told` of them stand beside the verdict."""
    grouped: dict[tuple[str, str, str | None], list[Finding]] = {}
    for finding in sorted(
        findings, key=lambda finding: ORDER.index(finding.severity) if finding.severity in ORDER else len(ORDER)
    ):
        if finding.severity != "note":
            grouped.setdefault((finding.severity, finding.kind, finding.side), []).append(finding)
    entries = tuple(
        finding_entry(first, hrefs)._replace(more=tuple(finding_line(finding, hrefs) for finding in more))
        for first, *more in grouped.values()
    )
    errors = sum(severity == "error" for severity, *_ in grouped)
    blocks = (Listing(entries, "warnings", least=3, brief=max(errors, 0 if told else 2)),) if entries else ()
    folded = IN_COMMENT if told and not errors else frozenset[Place]()
    return Section("warnings", "Warnings", blocks, places=EVERYWHERE, folded=folded, drop="findings")


def notes_section(findings: Sequence[Finding], hrefs: Hrefs) -> Section:
    """Return what is merely worth knowing, folded."""
    notes = tuple(finding_entry(finding, hrefs) for finding in findings if finding.severity == "note")
    blocks = (Listing(notes, "notes"),) if notes else ()
    return Section(
        "notes", f"Notes ({len(notes)})", blocks, places=IN_FULL, folded=frozenset(("comment", "page")), drop="detail"
    )


def finding_entry(finding: Finding, hrefs: Hrefs) -> Entry:
    """Return one finding as an entry of a list."""
    word = word_of(SEVERITIES, finding.severity)
    return Entry(finding_line(finding, hrefs), word.sign, word.word, word.tone)


def finding_line(finding: Finding, hrefs: Hrefs) -> Line:
    """Return a finding's sentence and the first items that show it, where pages hold them."""
    start = f"{finding.task}/" if finding.task else ""
    names = [name if name.startswith(start) else start + name for name in finding.evidence[:3]]
    links: list[Link] = []
    for name in names:
        task, _, item = name.partition("/")
        if href := hrefs.get((task, item)):
            links.append(Link(name, href, code=True))
    if not links:
        return (finding.text,)
    parts: list[str | Link] = [finding.text, " See "]
    for number, link in enumerate(links):
        parts += [", ", link] if number else [link]
    return (*parts, ".")


FILES = 20
"""Files that a page names with their sums."""

OUTCOMES = ("fail", "inconclusive", "pass")
"""The outcomes of gates, as they are listed: the policy's answer first of all."""


def gate_entry(gate: Gate) -> Entry:
    """Return a rule with its outcome."""
    told = GATES[gate.result]
    return Entry((Code(gate.rule), f": {gate.text}"), told.sign, told.word, told.tone)


def gates_section(gates: Iterable[Gate]) -> Section:
    """Return each rule that was asked for, and its outcome."""
    entries = tuple(
        gate_entry(gate)
        for gate in sorted(gates, key=lambda gate: (gate.rule != "policy", OUTCOMES.index(gate.result)))
    )
    blocks = (Listing(entries, "gates", least=len(entries)),) if entries else ()
    return Section("gates", "Gates", blocks, places=EVERYWHERE, drop="kept")


def left_out_section(rows: Sequence[LeftOut]) -> Section:
    """Return what a reader does not see here; nothing at all where nothing is left out."""
    entries = tuple(Entry(left_out_line(row)) for row in rows)
    return Section("left-out", "Left out", (Listing(entries),) if entries else (), places=ON_PAGES)


def left_out_line(row: LeftOut) -> Line:
    """Return one thing that is left out, how many and why."""
    return (f"{row.what}: {numbers.count(row.count_)} left out ({row.why}).",)


def methods_facts(names: Iterable[str], page: str | None) -> Facts:
    """Return how each method works, with a link to its place on the page of methods where there is one."""
    rows = []
    for name in names:
        if name in METHODS:
            more: Line = (" ", Link("more", f"{page}#{name}")) if page is not None else ()
            rows.append((METHODS[name].title, (METHODS[name].how, *more)))
    return Facts(tuple(rows))


def provenance_section(
    made: Provenance, artifact: str, digest: str, sides: Sequence[tuple[str, str]], whole: bool
) -> Section:
    """Return what made the artifact; `whole` says that nothing was left out of it."""
    facts: list[tuple[str, Line]] = [("artifact", (Code(artifact),))]
    facts += [("sha256", (Code(digest),))] if digest else []
    facts += [("made by", (f"diptych {made.diptych_version}",))]
    facts += [(name, (Code(text),)) for name, text in sides]
    facts += [("methods", (Code(", ".join(made.methods)),))] if made.methods else []
    facts += [
        (name.replace("_", " "), (Code(value_text.value(value)),)) for name, value in sorted(made.options.items())
    ]
    facts += [("left out", ("nothing",))] if whole else []
    blocks: list[Block] = [Facts(tuple(facts))]
    if made.inputs:
        rows = tuple(Row(((Code(row.name),), (Code(row.sha256),))) for row in made.inputs[:FILES])
        rest = len(made.inputs) - len(rows)
        more = f"{numbers.more(rest, 'files')}: the artifact names each." if rest else ""
        table = Table((Column("File"), Column("sha256")), rows, "files", more)
        blocks.append(Folded((f"Files that were read ({len(made.inputs)})",), (table,)))
    return Section("provenance", "Provenance", tuple(blocks), places=ON_PAGES)
