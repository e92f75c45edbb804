"""A student decision as a Document: which one to keep with every caveat, the students, their tasks, judge and costs."""

from diptych import numbers, value_text
from diptych.catalogue.words import DECISIONS, TRADE_OFF, word_of
from diptych.decision import COST_UNITS, ExternalStep, Route, StudentDecision
from diptych.report.addresses import artifact_title
from diptych.report.blocks import (
    EVERYWHERE,
    IN_COMMENT,
    IN_FULL,
    ON_PAGES,
    Block,
    Cell,
    Code,
    Column,
    Command,
    Document,
    Entry,
    Folded,
    Line,
    Link,
    Listing,
    Name,
    Row,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    Verdict,
)
from diptych.report.documents.decision_costs import (
    UNIT_TITLES,
    answering_section,
    cost_section,
    cost_text,
    money_section,
    quality_section,
)
from diptych.report.documents.decision_tasks import checks_section, excerpts_section, kinds_section, tasks_section
from diptych.report.documents.findings import (
    left_out_section,
    methods_facts,
    notes_section,
    provenance_section,
    warnings_section,
)
from diptych.report.documents.judge import judge_sections, rate_range

FOLDED = IN_COMMENT
CAVEATS = 6
"""Caveats in the box; the others stand among the warnings."""


def decision_document(
    decision: StudentDecision,
    methods: str | None = None,
    digest: str = "",
    downloads: tuple[tuple[str, str], ...] = (),
) -> Document:
    """Return all that a decision says, in the order in which it is read; `methods` is the page that explains them."""
    sign, word, tone = decision_word(decision)
    told = set(decision.verdict.caveats[:CAVEATS])
    open_ = [finding for finding in decision.findings if finding.text not in told]
    files = (("tasks (sha256)", decision.tasks_sha256),) if decision.tasks_sha256 else ()
    sections = (
        Section("verdict", "", (verdict_block(decision),), places=EVERYWHERE),
        students_section(decision),
        change_section(decision),
        answering_section(decision),
        checks_section(decision),
        tasks_section(decision),
        kinds_section(decision),
        *judge_sections(decision),
        cost_section(decision),
        money_section(decision),
        quality_section(decision),
        warnings_section(open_, {}),
        rule_section(decision),
        external_section(decision),
        excerpts_section(decision),
        notes_section(open_, {}),
        statistics_section(decision, methods),
        left_out_section(decision.left_out),
        provenance_section(decision.provenance, decision.id, digest, files, not decision.left_out),
    )
    title = artifact_title(decision)
    return Document(
        "decision",
        title,
        sign,
        word,
        tone,
        sections,
        headline=f"{title}: {word}",
        worst=(Name(decision.verdict.route),) if decision.verdict.route else (),
        changed=True,
        downloads=downloads,
    )


def decision_word(decision: StudentDecision) -> tuple[str, str, Tone]:
    """Return the verdict as a sign, a word or two, and a tone."""
    verdict = decision.verdict
    word = TRADE_OFF if "trade_off" in verdict.flags else word_of(DECISIONS, verdict.kind)
    said = word.word
    if verdict.route:
        said = f"keep {verdict.route}" + (" on cost" if verdict.kind == "equal_choose_on_cost" else "")
    return word.sign, said, word.tone


def verdict_block(decision: StudentDecision) -> Verdict:
    """Return the answer in its sentence and what to do next, with what could turn it."""
    sign, word, tone = decision_word(decision)
    caveats: list[Line] = [(text,) for text in decision.verdict.caveats[:CAVEATS]]
    more = len(decision.verdict.caveats) - CAVEATS
    if more > 0:
        caveats.append((Link(f"{numbers.counted(more, 'more warning')} below", "#warnings"),))
    step = decision.verdict.next_step
    lines: tuple[Line, ...] = ((decision.verdict.sentence,), *(((f"Next: {step}",),) if step else ()))
    return Verdict(sign, word, tone, lines, tuple(caveats))


def students_section(decision: StudentDecision) -> Section:
    """Return the students side by side: tasks passed, pass rate, what each cost to make."""
    units = [unit for unit in COST_UNITS if any(cost_known(route, unit) for route in decision.routes)]
    paid = any(route.money is not None for route in decision.routes)
    bases = sorted({str(route.money_basis) for route in decision.routes if route.money is not None})
    columns = (
        Column("Student"),
        Column("Model", leaves=4),
        Column("Tasks passed", right=True),
        Column("Pass rate", right=True),
        Column("95 % CI"),
        *(
            Column(f"{UNIT_TITLES[unit]} (making)", right=True, leaves=2 if unit.endswith("tokens") else 1)
            for unit in units
        ),
        *((Column(f"Money by {', '.join(bases)}", right=True, leaves=1),) if paid else ()),
    )
    rows = tuple(student_row(decision, route, units, paid) for route in decision.routes)
    note = "Costs are those of making a student, from the lab notebook." if units else ""
    return Section(
        "students",
        "Students",
        (Table(columns, rows, "students", note=note, least=10),) if rows else (),
        places=EVERYWHERE,
        drop="worse",
    )


def cost_known(route: Route, unit: str) -> bool:
    """Say whether anything of a cost was measured that is more than nothing."""
    total = route.cost.get(unit)
    return total is not None and bool(total.total)


def student_row(decision: StudentDecision, route: Route, units: list[str], paid: bool) -> Row:
    """Return one student of the table; what is beside its numbers stands in a note below."""
    kept: Line = (" ", Toned("✓ kept", "better")) if route.name == decision.verdict.route else ()
    rate = numbers.percent(route.passed / route.total, route.total) if route.total else numbers.NOT_AVAILABLE
    costs: tuple[Cell, ...] = tuple((cost_text(route.cost.get(unit), unit),) for unit in units)
    cells: tuple[Cell, ...] = (
        (Name(route.name), *kept),
        (Name(route.model),) if route.model else (value_text.NOT_RECORDED,),
        (numbers.count_of(route.passed, route.total),),
        (rate,),
        (rate_range(route.low, route.high, route.total),),
        *costs,
        *(((numbers.money(route.money, route.currency),),) if paid else ()),
    )
    notes = [
        f"{numbers.counted(route.unanswered, 'task')} unanswered" if route.unanswered else "",
        f"dominated by {route.dominated_by}" if route.dominated_by else "",
    ]
    said = "; ".join(note for note in notes if note)
    return Row(cells, note=(said,) if said else ())


def change_section(decision: StudentDecision) -> Section:
    """Return what would change the verdict."""
    entries = tuple(Entry((text,)) for text in decision.verdict.would_change)
    blocks = (Listing(entries, "things that would change it", brief=4),) if entries else ()
    return Section("change", "What would change it", blocks, places=EVERYWHERE, drop="better")


def rule_section(decision: StudentDecision) -> Section:
    """Return the steps of the rule, in order."""
    entries = tuple(Entry((text,)) for text in decision.verdict.rule)
    blocks = (Listing(entries, "steps of the rule", least=6, numbered=True),) if entries else ()
    return Section("rule", "The rule, step by step", blocks, places=IN_FULL, folded=FOLDED, drop="worse")


def external_section(decision: StudentDecision) -> Section:
    """Return what each call of an external harness ended with, printed and wrote to the notebook."""
    blocks = tuple(external_block(step) for step in decision.external)
    return Section("external", "External harness", blocks, places=ON_PAGES)


def external_block(step: ExternalStep) -> Folded:
    """Return one call of an external harness."""
    end = "did not end" if step.exit_code is None else f"exit code {step.exit_code}"
    blocks: list[Block] = [Command(step.command)]
    blocks += [Text("It printed", step.output)] if step.output else []
    blocks += [("Notebook record: ", Code(value_text.value(row))) for row in step.records]
    return Folded(
        (f"{step.step}: {end}, {numbers.counted(len(step.records), 'record')} in the notebook",), tuple(blocks)
    )


def statistics_section(decision: StudentDecision, methods: str | None) -> Section:
    """Return how each method works that gave a number here."""
    facts = methods_facts(decision.provenance.methods, methods)
    blocks = (facts,) if facts.rows else ()
    return Section("statistics", "Statistics", blocks, places=ON_PAGES, folded=frozenset(("page",)))
