"""What a judge said of two students, in words and figures: first how far it may be trusted, then what it preferred."""

from collections.abc import Sequence

from diptych import numbers
from diptych.catalogue.methods import METHODS
from diptych.catalogue.words import JUDGE_GATES, word_of
from diptych.decision import StudentDecision
from diptych.judge_audit import Disagreement, JudgeAgreement, JudgeAudit
from diptych.report.blocks import (
    IN_COMMENT,
    ON_PAGES,
    Block,
    Column,
    Diff,
    Entry,
    Facts,
    Folded,
    Listing,
    Name,
    Picture,
    Place,
    Row,
    Section,
    Table,
)
from diptych.report.charts.decision import judge_bar

TOLD = ("usable", "directional_only", "mostly_ties", "too_few")
"""Gates that a short report tells with the win rate; every other one is a caveat in the box."""
CASES = 3
"""Contradictions of a judge that a page shows."""


def known_audits(decision: StudentDecision) -> tuple[JudgeAudit, ...]:
    """Return what is known of each judge on each pair."""
    return decision.judges or ((decision.judge,) if decision.judge else ())


def judge_sections(decision: StudentDecision) -> tuple[Section, ...]:
    """Return the judges: those that may speak for a short report, a table for a comment, all of it for a page."""
    audits = known_audits(decision)
    lines = tuple(Entry((judge_line(audit),)) for audit in audits if audit.gate in TOLD)
    blocks = [block for number, audit in enumerate(audits, 1) for block in judge_blocks(audit, number)]
    blocks += [(agreement_text(row),) for row in decision.agreement if row.value is not None]
    return (
        Section("judged", "Judge", (Listing(lines, "judges"),) if lines else (), places=frozenset[Place](("brief",))),
        Section("judge", "Judge", tuple(blocks), places=ON_PAGES),
        Section(
            "judges",
            f"Judges ({len(audits)})",
            (judge_table(audits),) if audits else (),
            places=IN_COMMENT,
            folded=IN_COMMENT,
        ),
    )


def gate_words(audit: JudgeAudit) -> str:
    """Return how far a judge may be trusted."""
    return word_of(JUDGE_GATES, audit.gate).word


def judge_line(audit: JudgeAudit) -> str:
    """Return a judge that may speak in a line: how far it may, and its win rate."""
    return f"{audit.judge}: {gate_words(audit)}; win rate of {audit.second} {win_rate(audit)}"


def win_rate(audit: JudgeAudit) -> str:
    """Return the second student's win rate with its CI and p-value."""
    text = numbers.percent(audit.win_rate.get(audit.second))
    if audit.win_low is not None:
        text += f" (95 % CI {rate_range(audit.win_low, audit.win_high)})"
    return text + (f", {numbers.p_text(audit.p_value)}" if audit.p_value is not None else "")


def judge_table(audits: Sequence[JudgeAudit]) -> Table:
    """Return the judges side by side, for a comment."""
    columns = (
        Column("Judge"),
        Column("Pair"),
        Column("Tasks", right=True),
        Column("Won in both orders"),
        Column("Ties", right=True),
        Column("Flip rate", right=True),
        Column("Unreadable", right=True),
        Column("May it speak"),
    )
    rows = tuple(
        Row(
            (
                (Name(audit.judge),),
                (Name(audit.first), " and ", Name(audit.second)),
                (numbers.count(audit.tasks),),
                (" : ".join(numbers.count(audit.wins.get(name, 0)) for name in (audit.first, audit.second)),),
                (numbers.count(audit.ties),),
                (f"{numbers.count(audit.flips)} ({numbers.percent(audit.flip_rate)})",),
                (numbers.count(audit.unreadable),),
                (gate_words(audit),),
            )
        )
        for audit in audits
    )
    return Table(columns, rows, "judges")


def judge_blocks(audit: JudgeAudit, number: int) -> list[Block]:
    """Return what one judge said of one pair, first how far it may be trusted."""
    blocks: list[Block] = [
        (Name(audit.judge), " on ", Name(audit.first), " and ", Name(audit.second), f": {gate_words(audit)}.")
    ]
    parts = "; ".join(f"{name}: {count}" for name, count in judge_parts(audit) if count)
    if parts:
        blocks.append(Picture(judge_bar(audit, key=f"judge-{number}"), (f"{parts}.",)))
    facts = tuple((name, (text,)) for name, text in judge_facts(audit) if text)
    blocks += [Facts(facts)] if facts else []
    blocks += [order_table(audit)] if audit.orders else []
    if audit.disagreements:
        shown = audit.disagreements[:CASES]
        title = f"Contradictions ({len(shown)} of {numbers.count(max(len(audit.disagreements), audit.flips))})"
        blocks.append(Folded((title,), tuple(contradicted_task(audit, found) for found in shown)))
    return blocks


def contradicted_task(audit: JudgeAudit, found: Disagreement) -> Diff:
    """Return one task on which a judge contradicted itself, with what it wrote in each order."""
    first, second = found.first_order or "a tie", found.second_order or "a tie"
    note = (f"it named {first} in one order and {second} in the other",)
    labels = (f"{audit.first} shown first", f"{audit.second} shown first")
    return Diff(found.task, note, found.raw_first, found.raw_second, labels)


def order_table(audit: JudgeAudit) -> Table:
    """Return what a judge said in each order of showing."""
    heads = (audit.first, "tie", audit.second, "unreadable")
    rows = tuple(
        Row(((Name(order),), *((numbers.count(counts.get(head, 0)),) for head in heads)))
        for order, counts in audit.orders.items()
    )
    return Table((Column("Shown first"), *(Column(head, right=True) for head in heads)), rows, "orders")


def agreement_text(row: JudgeAgreement) -> str:
    """Return how far several judges agree."""
    name = METHODS[row.method].title if row.method in METHODS else row.method
    tasks = numbers.counted(row.tasks, "task")
    return f"Agreement of {numbers.listed(row.judges, 6)} over {tasks}: {numbers.minus(f'{row.value:.2f}')} ({name})."


def judge_parts(audit: JudgeAudit) -> tuple[tuple[str, int], ...]:
    """Return the parts of the head-to-head bar, left to right."""
    return (
        (f"{audit.first} in both orders", audit.wins.get(audit.first, 0)),
        (f"{audit.first} in one order, a tie in the other", audit.once.get(audit.first, 0)),
        ("tie in both orders", audit.ties),
        ("another winner in each order", audit.flips),
        (f"{audit.second} in one order, a tie in the other", audit.once.get(audit.second, 0)),
        (f"{audit.second} in both orders", audit.wins.get(audit.second, 0)),
    )


def judge_facts(audit: JudgeAudit) -> list[tuple[str, str]]:
    """Return what is known of a judge as pairs of a name and a text; an empty text is not shown."""
    if audit.gate == "not_readable":
        return []
    asked = "in both orders" if audit.gate not in ("one_order", "order_unknown") else "judged"
    facts = [
        ("verdicts on", f"{numbers.counted(audit.tasks, 'task')} {asked}, {audit.unreadable} unreadable"),
    ]
    if audit.flip_rate is None:
        return [*facts, ("self-preference", audit.family_note or ""), *label_facts(audit)]
    return [
        *facts,
        (
            "flip rate",
            f"{numbers.percent(audit.flip_rate)} ({rate_range(audit.flip_low, audit.flip_high)})"
            f"; {numbers.count(audit.half_changes)} more turned between a winner and a tie",
        ),
        (
            "position bias",
            f"of {numbers.counted(audit.flips, 'flip')} {audit.first_place_wins} went to the answer shown first, "
            f"{audit.second_place_wins} to the one shown second ({numbers.p_text(audit.position_p)})"
            if audit.position_p is not None and audit.flips
            else "",
        ),
        (
            "win rate, ties half",
            f"{audit.second} {win_rate(audit)}",
        ),
        *label_facts(audit),
        (
            "length",
            f"the longer answer won {audit.longer_wins} of {audit.longer_of} times"
            if audit.longer_wins is not None and audit.longer_of
            else "",
        ),
        (
            "win rate at equal length",
            f"{audit.second} {numbers.percent(audit.length_controlled)}" if audit.length_controlled is not None else "",
        ),
        ("on length", audit.length_note or ""),
        ("agreement between orders", numbers.minus(f"κ = {audit.kappa:.2f}") if audit.kappa is not None else ""),
        (
            "agreement with itself",
            f"{numbers.percent(audit.self_agreement)} over {numbers.counted(audit.repeats, 'repeat')}"
            if audit.self_agreement is not None
            else "",
        ),
        ("self-preference", audit.family_note or ""),
    ]


def label_facts(audit: JudgeAudit) -> list[tuple[str, str]]:
    """Return how a judge stands against people's labels, and its win rate as they correct it."""
    labels = audit.labels
    if labels is None:
        return []
    told = f"{numbers.counted(labels.labelled, 'task')} labelled by people"
    if labels.accuracy is not None:
        told += (
            f"; agrees on {labels.agreed} of {labels.decided} that both decide: accuracy"
            f" {numbers.percent(labels.accuracy)} ({rate_range(labels.low, labels.high)})"
        )
    names = {"prediction_powered": "corrected win rate", "rogan_gladen": "by its error rates"}
    return [
        ("against people", told),
        *(
            (
                names[one.method],
                f"{audit.second} {numbers.percent(one.rate)} ({rate_range(one.low, one.high)})"
                if one.rate is not None
                else one.note or "",
            )
            for one in labels.corrected
        ),
    ]


def rate_range(low: float | None, high: float | None, of: int = 0) -> str:
    """Return the range of a rate, such as the pass rate."""
    if low is None or high is None:
        return numbers.NOT_AVAILABLE
    return f"{numbers.percent(low, of).removesuffix(' %')} to {numbers.percent(high, of)}"
