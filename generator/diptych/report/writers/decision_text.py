"""A student decision for a terminal and as Markdown: the answer first, then the evidence, then what would change it."""

from collections.abc import Iterable, Sequence

from diptych import numbers
from diptych.catalogue.methods import METHODS
from diptych.comparison import Finding, LeftOut
from diptych.decision import COST_UNITS, StudentDecision
from diptych.report.documents import decision as views
from diptych.report.documents import decision_costs as spent
from diptych.report.documents.judge import judge_cards
from diptych.report.writers.columns import Ink, padded, paragraph, width_of
from diptych.report.writers.harmless import one_line, shorten, visible

BAR = "█▓░▒▓█"
"""The parts of a head-to-head bar: both orders, one order, tie, contradiction, one order, both orders."""

TONES = {"route": "accent", "equal_choose_on_cost": "accent", "cannot_tell": "unclear", "neither": "worse"}


def decision_text(decision: StudentDecision, width: int = 80, colour: bool = False) -> str:
    """Return the whole decision in at most `width` columns; no escape code unless `colour`."""
    ink = Ink(colour)
    parts = [
        head(decision, width, ink),
        section("STUDENTS", route_lines(decision, width, ink), ink),
        section("WHAT WOULD CHANGE IT", bullets(decision.verdict.would_change, width), ink),
        section("CHECKS", check_lines(decision, width), ink),
        section("JUDGE", judge_lines(decision, width), ink),
        section("ANSWERING COST", answering_lines(decision, width, ink), ink),
        section("COST BY STAGE", cost_lines(decision, width, ink), ink),
        section("MONEY", money_lines(decision, width, ink), ink),
        section("COST FOR QUALITY", bullets(spent.trade_rows(decision), width), ink),
        section("THE RULE", numbered(decision.verdict.rule, width), ink),
        section("EXTERNAL HARNESS", external_lines(decision, width), ink),
        section("ALSO", finding_lines(beside(decision), width, ink), ink),
        section("LEFT OUT", left_out_lines(decision.left_out, width), ink),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def beside(decision: StudentDecision) -> tuple[Finding, ...]:
    """Return the findings that do not stand in the box as caveats."""
    said = set(decision.verdict.caveats)
    return tuple(finding for finding in decision.findings if finding.text not in said)


def section(title: str, lines: list[str], ink: Ink) -> list[str]:
    """Return a section under its title, or nothing where it is empty."""
    return [ink(title, "bold"), *lines] if lines else []


def head(decision: StudentDecision, width: int, ink: Ink) -> list[str]:
    """Return the verdict, in a word and in its sentence."""
    word, sign = views.verdict_word(decision)
    sentence = visible(decision.verdict.sentence)
    said = sentence.split(" ")[0].lower() == word.split(" ")[0].lower()
    first = sign if said else f"{sign} {one_line(word)}:"
    lines = paragraph(f"{first} {sentence}", width)
    lines[0] = lines[0].replace(first, ink(first, TONES.get(decision.verdict.kind, "bold")), 1)
    for text in decision.verdict.caveats:
        lines += paragraph(visible(text), width, "  ! ")
    return lines


def grid(rows: Sequence[Sequence[str]], width: int, flush: Iterable[int] = (), gap: int = 2) -> list[str]:
    """Return rows of cells as columns; the first column gives way where all together are too wide."""
    right = set(flush)
    clean = [[one_line(text) for text in row] for row in rows]
    widths = [max(width_of(row[place]) for row in clean) for place in range(len(clean[0]))]
    over = 2 + sum(widths) + gap * (len(widths) - 1) - width
    for place in sorted(range(len(widths)), key=lambda place: -widths[place]):
        if over <= 0:
            break
        if place not in right:
            cut = min(over, max(0, widths[place] - 12))
            widths[place], over = widths[place] - cut, over - cut
    lines = []
    for row in clean:
        cells = [padded(shorten(text, widths[n]), widths[n], n in right) for n, text in enumerate(row)]
        lines.append(("  " + (" " * gap).join(cells)).rstrip())
    return lines


def route_lines(decision: StudentDecision, width: int, ink: Ink) -> list[str]:
    """Return the routes side by side, and below each what it cost."""
    rows = views.route_rows(decision)
    table = [["", "model", "passed", "", "95 % CI"]]
    table += [[row.name + (" ✓" if row.kept else ""), row.model, row.checks, row.share, row.between] for row in rows]
    lines = wide(table, width, flush=(2, 3))
    lines = [ink(lines[0], "quiet"), *lines[1:]]
    if not any(route.by_stage for route in decision.routes):
        return lines
    lines.append("")
    costs = [["cost to make", *(spent.UNIT_WORDS[unit] for unit in COST_UNITS)]]
    costs += [[row.name, *row.costs] for row in rows]
    lines += [ink(line, "quiet") if not n else line for n, line in enumerate(wide(costs, width))]
    for row in rows:
        for note in (row.note, f"costs {row.money} in money" if row.money != numbers.NOT_AVAILABLE else ""):
            if note:
                lines += paragraph(one_line(f"{row.name}: {note}"), width, "  ")
    return lines


def wide(rows: Sequence[Sequence[str]], width: int, flush: Iterable[int] | None = None) -> list[str]:
    """Return a table, one line a row where all its columns fit, else one line a cell."""
    right = set(range(1, len(rows[0])) if flush is None else flush)
    sizes = [max(width_of(one_line(row[place])) for row in rows) for place in range(len(rows[0]))]
    least = (size if place in right else min(size, 24) for place, size in enumerate(sizes))
    if 2 * len(sizes) + sum(least) <= width:
        return grid(rows, width, right)
    lines = [""]
    for row in rows[1:]:
        lines += paragraph(one_line(row[0]), width, "  ")
        for name, text in zip(rows[0][1:], row[1:], strict=True):
            if text:
                lines += paragraph(one_line(f"{name}: {text}" if name else text), width, "    ")
    return lines[1:]


def check_lines(decision: StudentDecision, width: int) -> list[str]:
    """Return the checks by kind and each pair's table with its test."""
    lines = []
    kinds = views.kind_rows(decision)
    if kinds:
        rows = [["by kind", *(route.name for route in decision.routes)], *([row.kind, *row.cells] for row in kinds)]
        lines += [*wide(rows, width), ""]
    for pair in views.pair_rows(decision):
        both, first, second, neither = pair.counts
        lines += paragraph(
            f"solved by both {both}, only {one_line(pair.first)} {first}, only {one_line(pair.second)} {second}, "
            f"neither {neither}",
            width,
            "  ",
        )
        text = f"{one_line(pair.second)} − {one_line(pair.first)}: {pair.difference}"
        if pair.between != numbers.NOT_AVAILABLE:
            text += f", {numbers.percent(pair.confidence).replace('%', ' %')} CI {pair.between}"
        lines += paragraph(
            f"{text}{', ' + pair.p if pair.p else ''} ({method_title(pair.method)}). {pair.more}".rstrip(), width, "  "
        )
    return lines


def method_title(name: str) -> str:
    """Return a method's title, or its name where this version does not know it."""
    return METHODS[name].title if name in METHODS else one_line(name)


def judge_lines(decision: StudentDecision, width: int) -> list[str]:
    """Return what each judge said, its bar, and how far it may be trusted."""
    lines: list[str] = []
    for card in judge_cards(decision):
        lines += [*([""] if lines else []), *paragraph(f"{one_line(card.judge)}: {card.gate}", width, "  ")]
        whole = sum(count for _, count in card.parts)
        if whole:
            lines.append("  " + bar(card.parts, min(60, width - 4)))
            lines += paragraph(
                ", ".join(
                    f"{mark} {one_line(name)} {count}"
                    for mark, (name, count) in zip(BAR, card.parts, strict=True)
                    if count
                ),
                width,
                "  ",
            )
        for name, text in card.facts:
            lines += paragraph(f"{name}: {one_line(text)}", width, "  ")
    for agreement in decision.agreement:
        value = numbers.NOT_AVAILABLE if agreement.value is None else f"{agreement.value:.2f}"
        names = ", ".join(one_line(judge) for judge in agreement.judges)
        tasks = numbers.counted(agreement.tasks, "task")
        lines += paragraph(
            f"agreement of {names} over {tasks}: {value} ({method_title(agreement.method)})", width, "  "
        )
    return lines


def bar(parts: Sequence[tuple[str, int]], width: int) -> str:
    """Return the parts of a whole as a bar of exactly `width` columns; no part that is there vanishes."""
    counts = [count for _, count in parts]
    whole = sum(counts)
    sizes = [max(1, round(count * width / whole)) if count else 0 for count in counts]
    while sum(sizes) != width:
        place = sizes.index(max(sizes))
        sizes[place] += 1 if sum(sizes) < width else -1
    return "".join(mark * size for mark, size in zip(BAR, sizes, strict=True))


def answering_lines(decision: StudentDecision, width: int, ink: Ink) -> list[str]:
    """Return what the students' own answers took, as measured."""
    rows = spent.answering_rows(decision)
    if not rows:
        return []
    table = [["", "measured on", *(spent.UNIT_WORDS[unit] for unit in spent.ANSWERING_UNITS)]]
    table += [[row.route, row.measured, *row.cells] for row in rows]
    return [ink(line, "quiet") if not n else line for n, line in enumerate(wide(table, width))]


def money_lines(decision: StudentDecision, width: int, ink: Ink) -> list[str]:
    """Return each student's money on every basis that has a price."""
    bases = spent.money_bases(decision)
    if not bases:
        return []
    table = [["", *(f"by {basis}" for basis in bases)]]
    table += [[row.route, *row.cells] for row in spent.money_rows(decision)]
    return [ink(line, "quiet") if not n else line for n, line in enumerate(wide(table, width))]


def cost_lines(decision: StudentDecision, width: int, ink: Ink) -> list[str]:
    """Return the costs by stage, with what is missing in them named."""
    rows = spent.cost_rows(decision)
    if not any(route.by_stage for route in decision.routes):
        return []
    table = [["", *(spent.UNIT_WORDS[unit] for unit in COST_UNITS)]]
    for row in rows:
        name = f"{row.route}: {row.stage}" + (f" ({row.attempts}×)" if row.attempts not in ("", "1") else "")
        table.append([name, *row.costs])
    lines = [ink(line, "quiet") if not n else line for n, line in enumerate(wide(table, width))]
    gaps = [f"{row.route}, {row.stage}: {gap}" for row in rows for gap in row.gaps]
    if any(text.startswith("≥") for row in rows for text in row.costs):
        lines += paragraph("≥: at least this much, since a part was not measured.", width, "  ")
    return lines + bullets([one_line(gap) for gap in gaps], width)


def numbered(texts: Sequence[str], width: int) -> list[str]:
    """Return sentences behind their numbers."""
    return [line for n, text in enumerate(texts, 1) for line in paragraph(visible(text), width, f"  {n}. ")]


def bullets(texts: Sequence[str], width: int) -> list[str]:
    """Return sentences behind a mark."""
    return [line for text in texts for line in paragraph(visible(text), width, "  - ")]


def external_lines(decision: StudentDecision, width: int) -> list[str]:
    """Return what each call of an external harness ended with; what it printed is in the artifact and on the page."""
    lines = []
    for step in decision.external:
        end = "did not end" if step.exit_code is None else f"exit code {step.exit_code}"
        records = numbers.counted(len(step.records), "record")
        lines += paragraph(one_line(f"{step.step}: {end}, {records} in the notebook"), width, "  - ")
    return lines


def finding_lines(findings: tuple[Finding, ...], width: int, ink: Ink) -> list[str]:
    """Return findings, worst first."""
    lines = []
    for finding in views.worst_first(findings):
        word = f"{finding.severity.capitalize()}:"
        found = paragraph(f"{word} {visible(finding.text)}", width, "  ")
        tone = {"error": "worse", "warning": "unclear"}.get(finding.severity, "")
        lines += [found[0].replace(word, ink(word, tone), 1), *found[1:]]
    return lines


def left_out_lines(left_out: tuple[LeftOut, ...], width: int) -> list[str]:
    """Return what a reader does not see here."""
    return bullets([f"{numbers.count(item.count_)} {item.what}: {item.why}" for item in left_out], width)
