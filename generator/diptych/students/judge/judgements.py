"""Read a judge's verdicts: one JSON line each, matched to routes and tasks, with what cannot be used named."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from diptych import storage
from diptych.bounded_json import load_json
from diptych.comparison import LeftOut
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.provenance import Input
from diptych.students.collect.student_results import Results, some


class Judgement(NamedTuple):
    """One verdict as written: `winner` is a student, "tie" or None (unreadable); `line` where it stands.

    `served_as` is the model that the server says it answered with, `cut` that the reply ended at its budget.
    """

    line: int
    task: str
    student_a: str
    student_b: str
    shown_first: str | None
    winner: str | None
    judge: str
    raw: str | None
    repeat: int
    answers: str | None
    served_as: str | None = None
    cut: bool = False


class Judgements(NamedTuple):
    """All verdicts of one file."""

    rows: tuple[Judgement, ...]
    input: Input | None
    left_out: tuple[LeftOut, ...] = ()
    damaged: int = 0


def read_judgements(path: str | Path) -> Judgements:
    """Return the verdicts of a JSON lines file; a broken line is named and left out, an unreadable file is an error."""
    try:
        data = storage.read_bytes(path)
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=error.hint) from error
    return parse_judgements(data, Path(path).name, str(path))


def parse_judgements(data: bytes, source: str, where: str) -> Judgements:
    """Return the verdicts that a file's bytes hold."""
    rows: list[Judgement] = []
    broken: list[str] = []
    twice: list[str] = []
    seen: set[bytes] = set()
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        text = line.strip()
        if not text:
            continue
        row = judgement(text, number)
        if row is None:
            broken.append(str(number))
        elif text in seen:  # a copied line is no second verdict
            twice.append(str(number))
        else:
            rows.append(row)
            seen.add(text)
    if broken and not rows:
        raise StudentsError(
            "no line of it is a judgement",
            where=f"{where}:{broken[0]}",
            hint='one JSON object a line: {"task", "student_a", "student_b", "shown_first", "winner", "judge", "raw"}',
        )
    left_out: tuple[LeftOut, ...] = ()
    if broken:
        what = f"line{'s' * (len(broken) > 1)} {some(broken)} of {source}"
        left_out = (LeftOut(what, len(broken), "not a whole judgement"),)
    if twice:
        what = f"line{'s' * (len(twice) > 1)} {some(twice)} of {source}"
        left_out += (LeftOut(what, len(twice), "the same line stands above it: one verdict, no repeat"),)
    return Judgements(tuple(rows), Input(source, storage.sha256(data)), left_out, len(broken))


def judgement(line: bytes, number: int) -> Judgement | None:
    """Return one line as a verdict, or None where it is broken or lacks its task or students."""
    try:
        entry = load_json(line)
    except ValueError:
        return None
    if not isinstance(entry, dict):
        return None
    get = entry.get
    task, first, second = get("task"), get("student_a"), get("student_b")
    if (
        isinstance(task, bool)
        or not isinstance(task, (str, int))
        or not isinstance(first, str)
        or not isinstance(second, str)
    ):
        return None
    shown, winner, judge, raw, repeat = get("shown_first"), get("winner"), get("judge"), get("raw"), get("repeat")
    answers, served = get("answers"), get("served_model")
    return Judgement(
        number,
        str(task),
        first,
        second,
        shown if isinstance(shown, str) else None,
        winner if isinstance(winner, str) else None,
        judge if isinstance(judge, str) and judge else "judge",
        raw if isinstance(raw, str) else None,
        repeat if isinstance(repeat, int) and not isinstance(repeat, bool) else 0,
        answers if isinstance(answers, str) else None,
        served if isinstance(served, str) else None,
        get("finish_reason") == "length",
    )


class Verdict(NamedTuple):
    """One verdict on one task in terms of routes: +1 second route, 0 tie, -1 first route, None unreadable."""

    value: int | None
    raw: str | None
    line: int
    served_as: str | None = None
    cut: bool = False


class Pair(NamedTuple):
    """What one judge said of one pair of routes: by task the verdicts in each order.

    `first_shown`, `second_shown` hold those where the first or the second route stood in the first place;
    `unordered` those that do not say which stood first.
    """

    judge: str
    first: str
    second: str
    first_shown: dict[str, list[Verdict]]
    second_shown: dict[str, list[Verdict]]
    unordered: dict[str, list[Verdict]]


def verdicts_by_pair(
    judgements: Sequence[Judgements], routes: Sequence[Results], shared: Mapping[tuple[str, str], frozenset[str]]
) -> tuple[list[Pair], list[LeftOut]]:
    """Return the verdicts by judge and pair of routes (in the routes' order), over the tasks that the pair shares."""
    names = routes_by_name(routes)
    order = {route.name: place for place, route in enumerate(routes)}
    pairs: dict[tuple[str, str, str], Pair] = {}
    strange: dict[str, list[str]] = {}
    seen: set[tuple[object, ...]] = set()
    for row in (row for file in judgements for row in file.rows):
        one, other = names.get(row.student_a), names.get(row.student_b)
        why = None
        if one is None or other is None or one == other:
            why = "verdicts about students that are not compared here"
        else:
            first, second = (one, other) if order[one] < order[other] else (other, one)
            if row.task not in shared[first, second]:
                why = "verdicts about tasks that the two did not share"
            elif stale(row, routes[order[one]], routes[order[other]]):
                why = "verdicts on other answers than those compared here"
            else:
                shown = names.get(row.shown_first or "")
                key = (row.judge, first, second, row.task, shown, row.repeat)
                if row.repeat and key in seen:
                    why = "verdicts given twice for one repeat"
                seen.add(key)
        if why:
            strange.setdefault(why, []).append(row.task)
            continue
        pair = pairs.setdefault((row.judge, first, second), Pair(row.judge, first, second, {}, {}, {}))
        place = pair.first_shown if shown == first else pair.second_shown if shown == second else pair.unordered
        place.setdefault(row.task, []).append(verdict_on_routes(row, names, first, second))
    left_out = [LeftOut(why, len(tasks), f"tasks {some(sorted(set(tasks)))}") for why, tasks in sorted(strange.items())]
    return [pairs[key] for key in sorted(pairs, key=lambda key: (order[key[1]], order[key[2]], key[0]))], left_out


def routes_by_name(routes: Sequence[Results]) -> dict[str, str]:
    """Return the route that a student's name in a verdict stands for: a route's name, or a model only one route has."""
    models: dict[str, str | None] = {}
    for route in routes:
        if route.model:
            models[route.model] = None if route.model in models else route.name
    return {model: name for model, name in models.items() if name} | {route.name: route.name for route in routes}


def stale(row: Judgement, one: Results, other: Results) -> bool:
    """Say whether a verdict carries the digest of other answers than those at hand."""
    if row.answers is None:
        return False
    return row.answers != answers_digest(one.rows[row.task].response, other.rows[row.task].response)


def answers_digest(one: str | None, other: str | None) -> str:
    """Return a short digest of two answers, whichever comes first: it ties a verdict to what was judged."""
    both = sorted((one or "", other or ""))
    return storage.sha256("\0".join(both).encode("utf-8", "surrogatepass"))[:12]


def verdict_on_routes(row: Judgement, names: Mapping[str, str], first: str, second: str) -> Verdict:
    """Return a judgement in terms of routes."""
    return Verdict(winner_sign(row.winner, names, first, second), row.raw, row.line, row.served_as, row.cut)


def winner_sign(winner: str | None, names: Mapping[str, str], first: str, second: str) -> int | None:
    """Return +1 where the second route wins, -1 the first, 0 a tie, None where the verdict names neither."""
    if winner == "tie":
        return 0
    route = names.get(winner) if winner else None
    return 1 if route == second else -1 if route == first else None
