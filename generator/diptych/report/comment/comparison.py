"""What a comment says of one comparison: the verdict and its cause first, the worst changes, then the rest, folded."""

import datetime
from collections.abc import Mapping, Sequence

from diptych.comparison import (
    FLIP_CLASSES,
    Comparison,
    Flip,
    best_estimate,
)
from diptych.report import figures
from diptych.report.addresses import title_of
from diptych.report.comment.budget import Block
from diptych.report.comment.scores import (
    STATUS_SIGNS,
    as_reported,
    changes,
    in_points,
    ranked,
    scores,
    worst_of,
)
from diptych.report.comment.settings import ladder_block, outside_cell, settings_blocks, value_cell
from diptych.report.comment.words import (
    Section,
    block,
    excerpt,
    findings_blocks,
    named,
    row,
    run_line,
    running,
    table_head,
)
from diptych.report.documents.comparison import CLASS_WORDS
from diptych.report.writers.markdown import cell, code_html, shorten

WORDS: Mapping[str, tuple[str, str]] = {
    "not_a_measurement": ("✕", "not a measurement"),
    "not_comparable": ("✕", "not comparable"),
    "identical": ("≡", "identical"),
    "equivalent": ("≈", "the same within the margin"),
    "unclear": ("?", "cannot tell"),
}
STANDINGS = {
    "proven": "proven by the files",
    "supported": "supported by the samples",
    "possible": "possible, not shown",
    "none": "nothing shows it",
}
EXCERPTS = 6
NAMES = 5


def section(comparison: Comparison, today: datetime.date | None) -> Section:
    """Return what a comparison has to say, as parts of a comment."""
    sign, word = headline(comparison)
    title = (
        running(comparison.title, 120)
        if comparison.title
        else f"{named(comparison.a.label)} → {named(comparison.b.label)}"
    )
    moved = ranked(comparison, "worse") or ranked(comparison, "better")
    measured = comparison.verdict.kind not in ("not_a_measurement", "not_comparable")
    return Section(
        sign=sign,
        word=word,
        name=cell(title_of(comparison), 80),
        title=code_html(shorten(title_of(comparison), 80)),
        cause=cell(comparison.verdict.leading_cause, 60) if comparison.verdict.leading_cause else "–",
        worst=worst_of(moved[0]) if moved and measured else "–",
        changed=comparison.verdict.kind in ("not_a_measurement", "not_comparable", "different"),
        intro=intro(comparison, f"### {sign} {word[0].upper()}{word[1:]}: {title}"),
        blocks=blocks(comparison, measured),
        closing=(run_line("A", comparison.a, today), run_line("B", comparison.b, today)),
        left_out=tuple(f"{entry.what} ({figures.count(entry.count_)})" for entry in comparison.left_out),
    )


def counted(comparison: Comparison) -> Mapping[str, int]:
    """Return how many metrics have each status, counted over one metric a task where one is marked."""
    rows = [metric for metric in comparison.metrics if metric.primary and not metric.group]
    rows = rows or [metric for metric in comparison.metrics if not metric.group] or list(comparison.metrics)
    return {status: sum(metric.status == status for metric in rows) for status in STATUS_SIGNS}


def headline(comparison: Comparison) -> tuple[str, str]:
    """Return the verdict as a sign and a few words."""
    if comparison.verdict.kind in WORDS:
        return WORDS[comparison.verdict.kind]
    counts = counted(comparison)
    worse, better = counts["worse"], counts["better"]
    if worse and better:
        return "▼▲", f"worse on {worse}, better on {better}"
    if worse or better:
        total = sum(counts.values()) - counts["not_available"]
        of = f" on {worse or better} of {total}" if total > 1 else ""
        return ("▼", f"worse{of}") if worse else ("▲", f"better{of}")
    return "≠", "different"


def intro(comparison: Comparison, heading: str) -> tuple[str, ...]:
    """Return what always stays: the verdict line, the leading cause, the isolating run, the gates that fired."""
    verdict = comparison.verdict
    lines = [heading, running(verdict.sentence, 1_000)]
    if verdict.leading_cause:
        lines.append(cause_line(comparison))
    if verdict.isolating_run:
        run = verdict.isolating_run
        long = f" It takes about {figures.duration(run.seconds)}." if run.seconds is not None else ""
        lines.append(f"**To settle it**, repeat A with only {named(run.changes, 60)} taken from B.{long}")
        lines.append(block(shorten_lines(run.command), "sh"))
        lines.append("\n".join(f"- {running(text)}" for text in (run.if_closes, run.if_stays) if text))
    elif verdict.next_step:
        lines.append(f"**Next:** {running(verdict.next_step)}")
    lines += [
        f"**Gate** ✕ {named(gate.rule, 80)}: {running(gate.text)}" for gate in comparison.gates[:20] if gate.fired
    ]
    lines.append(not_told(comparison))
    return tuple(line for line in lines if line)


def shorten_lines(text: str, limit: int = 3_000) -> str:
    """Return a command; of one longer than a screen only its length: the quotes of half a command stay open."""
    return text if len(text) <= limit else f"# a command of {figures.count(len(text))} characters, on the page"


def cause_line(comparison: Comparison) -> str:
    """Return the leading cause with both its values, how sure it is, and what the samples say of it."""
    verdict = comparison.verdict
    key = verdict.leading_cause or ""
    found = next((setting for setting in comparison.settings if setting.key == key), None)
    text = f"**Leading cause:** {named(key, 80)}"
    if found is not None:
        text += f", {value_cell(found, 'a')} in A and {value_cell(found, 'b')} in B".replace("\\|", "|")
    outside = next((entry for entry in comparison.context if key == f"context.{entry.setting}"), None)
    if outside is not None:
        text += f", {outside_cell(outside, 'a')} in A and {outside_cell(outside, 'b')} in B".replace("\\|", "|")
    text += f" ({STANDINGS.get(verdict.standing, 'possible')})."
    source = found or outside
    said = (source.evidence or source.why) if source is not None else ""
    return f"{text} {running(said)}".strip()


def not_told(comparison: Comparison) -> str:
    """Return the line of what cannot be told, with the first names."""
    rows = ranked(comparison, "unclear")
    if not rows or comparison.verdict.kind in ("not_a_measurement", "not_comparable", "identical"):
        return ""
    tasks = list(dict.fromkeys(one.task for one in rows))
    names = ", ".join([*(named(task, 40) for task in tasks[:NAMES]), *["…"][: len(tasks) - NAMES]])
    found = [estimate for one in rows if in_points(one) and (estimate := best_estimate(one))]
    seen = [estimate.detectable for estimate in found if estimate.detectable]
    small = f"; at best a difference of {figures.points(min(seen)).lstrip('+')} would show" if seen else ""
    return f"**Cannot tell** for {figures.plural(len(rows), 'score')} ({names}){small}."


def blocks(comparison: Comparison, measured: bool) -> tuple[Block, ...]:
    """Return the parts after the verdict, in the order a reader meets them."""
    return (
        *(changes(comparison) if measured else ()),
        *findings_blocks(comparison.findings),
        *(scores(comparison) if measured else as_reported(comparison)),
        *settings_blocks(comparison),
        *ladder_block(comparison),
        *flips_blocks(comparison),
    )


def flips_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """Return the flips as counts, and a few of them as excerpts."""
    rows = tuple(
        row(
            cell(entry.task, 40),
            cell(entry.filter, 40),
            CLASS_WORDS.get(entry.class_) or cell(entry.class_),
            FLIP_CLASSES.get(entry.class_, ""),
            figures.count(entry.count_),
        )
        for entry in comparison.flip_counts
    )
    shown = chosen(comparison.flips)
    total = sum(entry.count_ for entry in comparison.flip_counts) or len(comparison.flips)
    return (
        Block(
            "detail",
            "rows of flip counts",
            rows,
            title=f"Items that moved ({figures.count(total)})",
            fold=True,
            head=table_head("Task", "Filter", "Class", "What it means", ":Items"),
        ),
        Block(
            "excerpts",
            "sample excerpts",
            tuple(flip_text(flip) for flip in shown),
            title=f"Sample excerpts ({len(shown)} of {figures.count(total)})",
            fold=True,
            total=max(total, len(shown)),
            apart=True,
        ),
    )


def chosen(flips: Sequence[Flip]) -> list[Flip]:
    """Return a few flips that show most: lost ones first, each task in turn."""
    order = list(FLIP_CLASSES)
    seen: dict[tuple[str, str], int] = {}
    keyed = []
    for flip in flips:
        nth = seen[flip.task, flip.class_] = seen.get((flip.task, flip.class_), -1) + 1
        keyed.append((nth, order.index(flip.class_) if flip.class_ in order else len(order), flip))
    return [flip for _, _, flip in sorted(keyed, key=lambda entry: entry[:2])[:EXCERPTS]]


def flip_text(flip: Flip) -> str:
    """Return one flip as an excerpt: what was right, and what each side answered."""
    lines = [
        f"{named(flip.task, 40)} item {named(flip.item, 40)}: {running(FLIP_CLASSES.get(flip.class_, flip.class_))}"
    ]
    if flip.target is not None:
        lines.append(f"Target\n\n{excerpt(flip.target)}")
    for name, side in (("A", flip.a), ("B", flip.b)):
        if side is None:
            lines.append(f"{name} logged nothing.")
            continue
        answer = side.response if side.response is not None else side.filtered
        lines.append(f"{name} answered\n\n{excerpt(answer)}" if answer is not None else f"{name} gave no text.")
    return "\n\n".join(lines)
