"""Answers that are the same few texts whatever is asked: what opens an answer, or stands in its place, is none."""

import re
from collections.abc import Sequence

from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.answer_facts import Constant
from diptych.diagnose.samples.answer_texts import plain_words
from diptych.diagnose.samples.cut_responses import pieces_of, until_of
from diptych.diagnose.samples.evidence import DEFAULT_BUDGET
from diptych.diagnose.samples.responses import BUDGET_SHARE, NEARLY_ALL, AnswerLedger
from diptych.diagnose.samples.task_walk import Walk
from diptych.sample_log import Line, SampleLog
from diptych.sides import Side, Sided, each_side

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
    texts, others = few_texts(own), few_texts(other)
    shared = set(texts) & set(others)
    if not texts or (shared and len(texts) >= len(others)):
        return None
    number = sum(count for text, count in own.texts.items() if count > 1 or text in texts)
    log, rows = side_rows(walk, side)
    line = next(iter(log.lines(rows[:1])))
    budget = walk.texts.budget(0 if side == "a" else 1, line) or DEFAULT_BUDGET
    no_answer = not shared and answers_nothing(log, rows, texts)
    return Constant(number, own.of, texts, no_answer, stops_of(line, budget, texts))


def side_rows(walk: Walk, side: Side) -> tuple[SampleLog, Sequence[int]]:
    """Return a side's log and its paired rows under the first filter."""
    pairs = walk.first_pairs
    return (walk.a, pairs.rows_a) if side == "a" else (walk.b, pairs.rows_b)


def stops_of(line: Line, budget: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the stop strings of a request that may end such texts: its budget is far from spent."""
    spent = any(pieces_of(text) >= BUDGET_SHARE * budget for text in texts)
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


def few_texts(ledger: AnswerLedger) -> tuple[str, ...]:
    """Return the fewest texts that nearly all answers are, most frequent first; () where there are more."""
    if ledger.of < FEWEST_ANSWERS:
        return ()
    found, number = [], 0
    for text, count in sorted(ledger.texts.items(), key=lambda one: (-one[1], one[0]))[:MOST_TEXTS]:
        found.append(text)
        number += count
        if number >= NEARLY_ALL * ledger.of:
            return tuple(found)
    return ()


def answers_nothing(log: SampleLog, rows: Sequence[int], texts: Sequence[str]) -> bool:
    """Say whether a few texts are like no target, of which there are more, and some metric never gives them a point."""
    targets = targets_of(log, rows[:: max(1, len(rows) // LOOKED_AT)])
    words = {word for target in targets for word in wording(target)}
    like = any(words & wording(text) for text in texts)
    nothing = any(all(values[row] == 0 for row in rows) for values in log.columns.values.values())
    return len(targets) > len(texts) and not like and nothing


def targets_of(log: SampleLog, rows: Sequence[int]) -> set[str]:
    """Return the different targets of some rows, as texts without case and form."""
    return {str(line.target()).casefold() for line in log.lines(rows)}


def wording(text: str) -> set[str]:
    """Return the words of a text in lower case; all numbers are one word: which one was answered does not matter."""
    return {"0" if word.isdigit() else plain_words(word) for word in re.findall(r"\w+", text.casefold())}
