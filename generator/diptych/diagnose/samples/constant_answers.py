"""Answers that are the same few texts whatever is asked: what opens an answer, or stands in its place, is none."""

import re
from collections.abc import Sequence

from diptych.comparison import Finding
from diptych.diagnose.samples.cuts import pieces_of, until_of
from diptych.diagnose.samples.evidence import DEFAULT_BUDGET, Constant
from diptych.diagnose.samples.responses import BUDGET_SHARE, NEARLY_ALL, AnswerLedger, plain_words
from diptych.diagnose.samples.walk import Walk
from diptych.keys import Side, Sided, each_side
from diptych.kinds import Severity
from diptych.sample_log import SampleLog

MOST_TEXTS = 4
"""So many texts at most are the same few ones."""

FEWEST_ANSWERS = 10
"""From so many answers on a few texts are telling."""

LOOKED_AT = 400
"""Rows whose targets are read, spread over the task."""


def constant_answers(walk: Walk, side: Side) -> Constant | None:
    """Return the few texts that nearly all answers of a side are; None where there are more, or few answers.

    They are `no_answer` where none of them is anything like a target or has ever scored, and the other side's answers
    are not the same few.
    """
    own, other = walk.texts.answers_a, walk.texts.answers_b
    if side == "b":
        own, other = other, own
    texts = few_texts(own)
    others = {text for text, _ in few_texts(other)}
    shared = {text for text, _ in texts} & others
    if not texts or (shared and len(texts) >= len(others)):
        return None
    number = sum(count for text, count in own.texts.items() if count > 1 or text in dict(texts))
    no_answer = not shared and answers_nothing(walk, side, texts)
    return Constant(number, own.of, tuple(text for text, _ in texts), no_answer, stops_of(walk, side, texts))


def stops_of(walk: Walk, side: Side, texts: list[tuple[str, int]]) -> tuple[str, ...]:
    """Return the stop strings that may end such texts: of the first request, where its budget is far from spent."""
    walked = next(iter(walk.filters.values()))
    log, rows = (walk.a, walked.pairs.rows_a) if side == "a" else (walk.b, walked.pairs.rows_b)
    line = next(iter(log.lines(rows[:1])))
    budget = walk.texts.budget(0 if side == "a" else 1, line) or DEFAULT_BUDGET
    spent = any(pieces_of(text) >= BUDGET_SHARE * budget for text, _ in texts)
    return () if spent else tuple(sorted(until_of(line)))


def constant_findings(task: str, constant: Sided[Constant | None]) -> list[Finding]:
    """Return that nearly all answers of a side are a few texts, which may be a poor model's or no answers at all."""
    found = []
    for side, one in each_side(*constant):
        if one is not None:
            severity: Severity = "error" if one.no_answer else "warning"
            who = f"answers of {side.upper()} in {task}"
            text = f"{one.number} of {one.of} {who} are the same few words, whatever is asked."
            found.append(Finding("answers_constant", severity, text, side, task, one.number, one.of))
    return found


def few_texts(ledger: AnswerLedger) -> list[tuple[str, int]]:
    """Return the fewest texts that nearly all answers are, each with its count, most frequent first; [] of many."""
    if ledger.of < FEWEST_ANSWERS:
        return []
    found: list[tuple[str, int]] = []
    for text, count in sorted(ledger.texts.items(), key=lambda one: (-one[1], one[0]))[:MOST_TEXTS]:
        found.append((text, count))
        if sum(count for _, count in found) >= NEARLY_ALL * ledger.of:
            return found
    return []


def answers_nothing(walk: Walk, side: Side, texts: list[tuple[str, int]]) -> bool:
    """Say whether a few texts are like no target, of which there are more, and some metric never gives them a point."""
    walked = next(iter(walk.filters.values()))
    log, rows = (walk.a, walked.pairs.rows_a) if side == "a" else (walk.b, walked.pairs.rows_b)
    targets = targets_of(log, rows[:: max(1, len(rows) // LOOKED_AT)])
    words = {word for target in targets for word in words_of(target)}
    like = any(words & words_of(text) for text, _ in texts)
    nothing = any(all(values[row] == 0 for row in rows) for values in log.columns.values.values())
    return len(targets) > len(texts) and not like and nothing


def targets_of(log: SampleLog, rows: Sequence[int]) -> set[str]:
    """Return the different targets of some rows, as texts without case and form."""
    return {str(line.target()).casefold() for line in log.lines(rows)}


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case; all numbers are one word: which one was answered does not matter."""
    return {"0" if word.isdigit() else plain_words(word) for word in re.findall(r"\w+", text.casefold())}
