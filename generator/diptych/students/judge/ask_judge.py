"""Ask a judge which of two answers is better: every pair in both orders, without names.

The reply is constrained where the endpoint offers it: by a JSON schema, else by a grammar, else it is read as text.
What holds no verdict, or two, is unreadable: kept as it came and counted.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.http_client import Web
from diptych.stats.judge import INVALID_SHARE
from diptych.students.collect.ask_many import Progress, Say, Sleep, ask_all, quiet
from diptych.students.collect.endpoint import Answer, Endpoint, Unanswered, ask, client_for
from diptych.students.collect.own_harness import BUSY
from diptych.students.collect.student_results import Results, read_results
from diptych.students.decide.paired_tasks import comparable_tasks
from diptych.students.judge.judgements import Judgement, answers_digest, judgement
from diptych.students.judge.verdict_forms import IN_A_WORD, INSTRUCTIONS, NOT_OFFERED, Form, FormsLeft
from diptych.students.judge.verdict_text import WORDS, verdict_word

Json = Any

JUDGE_TOKENS = 256
"""The longest reply of a judge; a constrained one ends by itself long before."""


class Question(NamedTuple):
    """One verdict to ask for: `shown` holds the routes in the order in which their answers are shown."""

    task: str
    student_a: str
    student_b: str
    shown: tuple[str, str]
    judge: str
    repeat: int
    prompt: str
    answers: tuple[str, str]
    digest: str


class JudgeSummary(NamedTuple):
    """What one call of the judge did."""

    path: str
    asked: int
    reused: int
    unreadable: int
    failed: int
    retries: int


def students_judge(
    results: Mapping[str, str | Path],
    judges: Sequence[str],
    out: str | Path,
    endpoint: Endpoint,
    *,
    repeats: int = 1,
    progress: Progress = quiet,
    say: Say = quiet,
) -> JudgeSummary:
    """Ask every judge about every pair of routes in both orders, `repeats` times; append a line a verdict to `out`.

    Verdicts that an earlier call wrote on the same answers are not asked again. Always at temperature 0. At the end
    the lines stand in the order of the questions, however many were asked at once.
    """
    if repeats < 1 or not judges:
        raise StudentsError(
            "a judge must be asked at least once", hint="give --judge-model, and --repeats of 1 or more"
        )
    routes = [read_results(path, name) for name, path in results.items()]
    with storage.locked(storage.lock_of(out), wait=BUSY):
        return ask_remaining(routes, judges, out, endpoint._replace(temperature=0.0), repeats, progress, say)


def ask_remaining(
    routes: Sequence[Results],
    judges: Sequence[str],
    out: str | Path,
    steady: Endpoint,
    repeats: int,
    progress: Progress,
    say: Say,
) -> JudgeSummary:
    """Ask for the verdicts that are left while nobody else writes to their file."""
    there = verdicts_in(out)
    questions = list(questions_of(routes, judges, repeats))
    left = [question for question in questions if question_key(question) not in there]
    if len(left) < len(questions):
        say(f"{len(questions) - len(left)} of {len(questions)} verdicts are there already; asking for {len(left)}")
    counts = {"unreadable": 0, "retries": 0, "asked": 0}
    failed = []
    if left:
        forms = FormsLeft(steady.extra)
        with client_for(steady) as client:

            def work(question: Question, sleep: Sleep) -> tuple[Answer, Form]:
                return ask_in_form(client, steady, question, forms, sleep)

            def keep(question: Question, told: tuple[Answer, Form]) -> None:
                answer, form = told
                line = line_of(question, answer, form)
                storage.append_line(out, json.dumps(line, ensure_ascii=True))
                counts["asked"] += 1
                counts["unreadable"] += line["winner"] is None
                counts["retries"] += len(answer.retried)

            failed = ask_all(left, work, keep, concurrency=steady.concurrency, progress=progress)
    for question, error in failed:
        say(f"no verdict on {question.task} ({question.shown[0]} first): {error.message}")
        counts["retries"] += len(error.retried) - 1
    sort_verdicts(out, questions)
    if counts["unreadable"] > INVALID_SHARE * counts["asked"]:
        say(hint_for_replies(out, counts["unreadable"], counts["asked"]))
    return JudgeSummary(
        str(out), counts["asked"], len(questions) - len(left), counts["unreadable"], len(failed), counts["retries"]
    )


def ask_in_form(
    client: Web, endpoint: Endpoint, question: Question, forms: FormsLeft, sleep: Sleep
) -> tuple[Answer, Form]:
    """Return a judge's reply in the most constrained form that the endpoint takes."""
    tried = forms.left()
    for form in tried:
        told = endpoint._replace(extra={**form.fields, **endpoint.extra})
        try:
            answer = ask(client, told, question.judge, messages_for(question, form.told), sleep=sleep)
        except Unanswered as error:
            if error.status not in NOT_OFFERED or form is tried[-1]:
                raise
            continue
        forms.found(form)
        return answer, form
    raise AssertionError("there is always a last form")


def sort_verdicts(out: str | Path, questions: Sequence[Question]) -> None:
    """Put the verdicts of these questions into their order; lines of other calls stay in front of them."""
    try:
        lines = [line for line in storage.read_bytes(out).split(b"\n") if line.strip()]
    except DiptychError:
        return
    places = {question_key(question): place for place, question in enumerate(questions)}
    rows = [judgement(line, number) for number, line in enumerate(lines)]
    ranked = [-1 if row is None else places.get(key_of_row(row), -1) for row in rows]
    ordered = [lines[at] for at in sorted(range(len(lines)), key=lambda at: ranked[at])]
    storage.write_bytes(out, b"".join(line + b"\n" for line in ordered))


def hint_for_replies(out: str | Path, unreadable: int, asked: int) -> str:
    """Return what to do where many replies hold no verdict."""
    return (
        f"{unreadable} of {asked} replies hold no verdict; what the judge wrote is under `raw` in {out}. Serve it"
        " where replies can be constrained (--judge-extra), raise its token budget, or take a larger judge."
    )


def questions_of(routes: Sequence[Results], judges: Sequence[str], repeats: int) -> Iterator[Question]:
    """Yield the verdicts to ask for, task by task, so that a killed call leaves whole tasks behind."""
    shared = comparable_tasks(routes).answered
    for one, other in combinations(routes, 2):
        for task in (task for task in one.rows if task in shared[one.name, other.name]):
            a, b = one.rows[task], other.rows[task]
            if a.response is None or b.response is None:
                continue
            answers = {one.name: a.response, other.name: b.response}
            for judge in judges:
                for repeat in range(repeats):
                    for shown in ((one.name, other.name), (other.name, one.name)):
                        yield Question(
                            task,
                            one.name,
                            other.name,
                            shown,
                            judge,
                            repeat,
                            a.prompt or b.prompt or "",
                            (answers[shown[0]], answers[shown[1]]),
                            answers_digest(a.response, b.response),
                        )


def messages_for(question: Question, told: str = IN_A_WORD) -> list[dict[str, str]]:
    """Return the conversation for one verdict; no name of a student is in it."""
    first, second = question.answers
    text = (
        f"Task:\n{question.prompt}\n\n--- First answer ---\n{first}\n--- End of first answer ---\n\n"
        f"--- Second answer ---\n{second}\n--- End of second answer ---\n\n"
        f"Which answer is better? {told}"
    )
    return [{"role": "system", "content": f"{INSTRUCTIONS} {told}"}, {"role": "user", "content": text}]


def line_of(question: Question, answer: Answer, form: Form) -> dict[str, Json]:
    """Return a verdict as one line of the judgements file."""
    word = verdict_word(answer.text)
    place = WORDS[word] if word else None
    winner = None if word is None else "tie" if place is None else question.shown[place]
    return {
        "task": question.task,
        "student_a": question.student_a,
        "student_b": question.student_b,
        "shown_first": question.shown[0],
        "winner": winner,
        "judge": question.judge,
        "raw": answer.text,
        "repeat": question.repeat,
        "answers": question.digest,
        "served_model": answer.model,
        "finish_reason": answer.finish_reason,
        "form": form.name,
        "seconds": answer.seconds,
        "usage": dict(answer.usage),
    }


def question_key(question: Question) -> tuple[Json, ...]:
    """Return what makes a verdict the same question as another."""
    return (
        question.judge,
        frozenset((question.student_a, question.student_b)),
        question.task,
        question.shown[0],
        question.repeat,
        question.digest,
    )


def verdicts_in(out: str | Path) -> set[tuple[Json, ...]]:
    """Return the verdicts that a judgements file holds already; a line that was cut off is asked again."""
    try:
        lines = storage.read_bytes(out).split(b"\n")
    except DiptychError:
        return set()  # not there yet
    rows = (judgement(line, number) for number, line in enumerate(lines, 1) if line.strip())
    return {key_of_row(row) for row in rows if row is not None}


def key_of_row(row: Judgement) -> tuple[Json, ...]:
    """Return what a written verdict answers, as `key_of` has it."""
    pair = frozenset((row.student_a, row.student_b))
    return (row.judge, pair, row.task, row.shown_first, row.repeat, row.answers)
