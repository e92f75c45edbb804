"""What the answers themselves show, counted: empty, truncated, thoughts left in them, one text under two names."""

import re
from collections.abc import Sequence
from itertools import combinations

from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.fast_named_tuple import NamedTuple
from diptych.students.collect.student_results import Results
from diptych.students.decide.phrases import route_names

FEW = 0.02
"""Up to this share of truncated answers is worth a note only."""
MANY = 0.35
"""From this share of failed answers on that are no fair answers, the pass rate is not told without them."""

OPENED, CLOSED = (
    re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE),
    re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE),
)


class AnswerFacts(NamedTuple):
    """One student's answers by task id: empty ones, truncated ones, those that hold thoughts; of these which failed.

    `open_` are thoughts that never end, `unextracted` answers with thoughts in which a check found nothing.
    """

    name: str
    answers: int
    empty: tuple[str, ...]
    cut: tuple[str, ...]
    cut_failed: int
    thinking: tuple[str, ...]
    thinking_failed: int
    open_: tuple[str, ...]
    unextracted: int


def answer_facts(route: Results) -> AnswerFacts:
    """Return what one student's answers show."""
    rows = tuple(route.rows.values())
    cut = [row for row in rows if row.finish_reason == "length"]
    held = [row for row in rows if row.response and (OPENED.search(row.response) or CLOSED.search(row.response))]
    open_ = [row.id for row in held if thoughts_left_open(row.response or "")]
    return AnswerFacts(
        route.name,
        len(rows),
        tuple(row.id for row in rows if row.empty),
        tuple(row.id for row in cut),
        sum(not row.passed for row in cut),
        tuple(row.id for row in held),
        sum(not row.passed for row in held),
        tuple(open_),
        sum(row.unextracted for row in held),
    )


def thoughts_left_open(text: str) -> bool:
    """Say whether a thought in a text never ends."""
    return len(OPENED.findall(text)) > len(CLOSED.findall(text))


def answer_findings(routes: Sequence[Results], facts: Sequence[AnswerFacts]) -> list[Finding]:
    """Return what a reader must not miss about the answers."""
    findings = [finding for one in facts for finding in findings_of(one)]
    for one, other in combinations(routes, 2):
        findings += identical_findings(one, other)
    return findings


def findings_of(facts: AnswerFacts) -> list[Finding]:
    """Return what one student's answers show, in sentences."""
    name, n = facts.name, facts.answers
    findings = []
    if facts.empty:
        text = f"{name}: {len(facts.empty)} of {n} answers are empty; they count as failed."
        findings.append(Finding("answers_empty", "warning", text, None, None, len(facts.empty), n, facts.empty[:10]))
    if facts.cut:
        text = (
            f"{name}: {len(facts.cut)} of {n} answers were truncated at max_tokens, {facts.cut_failed} of them failed;"
            " with a larger budget they may pass."
        )
        grave: Severity = "warning" if len(facts.cut) > FEW * n else "note"
        findings.append(Finding("replies_truncated", grave, text, None, None, len(facts.cut), n, facts.cut[:10]))
    if facts.thinking:
        held = len(facts.thinking)
        text = f"{name}: {held} of {n} answers hold the model's thoughts, {facts.thinking_failed} of them failed"
        text += f"; {len(facts.open_)} thoughts never end" if facts.open_ else ""
        text += f"; in {facts.unextracted} a check found nothing to look at" if facts.unextracted else ""
        text += ". Its pass rate may be one of the answer format, not of the answers."
        named = (facts.open_ or facts.thinking)[:10]
        findings.append(Finding("answers_thinking_open", "warning", text, None, None, held, n, named))
    return findings


def unfair(facts: Sequence[AnswerFacts]) -> str:
    """Return the clause that a verdict does not go without: failures of the answer format, not of the answers."""
    told = []
    for one in facts:
        if one.thinking_failed >= MANY * one.answers > 0:
            told.append(
                f"{one.thinking_failed} of {one.answers} answers of {one.name} failed with thoughts left in them"
            )
        elif one.cut_failed >= MANY * one.answers > 0:
            told.append(
                f"{one.cut_failed} of {one.answers} answers of {one.name} were cut off at max_tokens and failed"
            )
    return f"This may be the answer format: {'; '.join(told)}." if told else ""


def ask_again(facts: Sequence[AnswerFacts]) -> str:
    """Return what to do where answers failed that max_tokens had truncated, "" where (nearly) none did."""
    cut = [one for one in facts if one.cut_failed > FEW * one.answers]
    if not cut:
        return ""
    who = route_names([f"{one.cut_failed} of {one.answers} answers of {one.name}" for one in cut])
    return f"ask again with a larger max_tokens: {who} were cut off and failed."


def identical_findings(one: Results, other: Results) -> list[Finding]:
    """Return that two students gave the same answers to the last letter, or are one file."""
    if one.input.sha256 == other.input.sha256:
        text = f"{one.name} and {other.name} are one and the same results file: nothing is compared with nothing."
        return [Finding("answers_identical", "error", text, count_=len(one.rows), of=len(one.rows))]
    texts = []
    for task, row in one.rows.items():
        twin = other.rows.get(task)
        if twin is not None:
            if row.response is None or row.response != twin.response:
                return []
            texts.append(row.response)
    if len(texts) < 2 or not any(texts):
        return []
    text = (
        f"{one.name} and {other.name} gave the same {len(texts)} answers to the letter: one model under both names,"
        " or a cache, not two students."
    )
    return [Finding("answers_identical", "error", text, None, None, len(texts), len(texts))]
