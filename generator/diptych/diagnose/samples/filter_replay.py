"""A changed filter, run over the logged responses: what each side's steps make of the other side's answers.

Only steps of known kinds are run, and only where they make of a side's own responses what that side logged: a harness
whose filter does otherwise is not replayed. Patterns come from files, so each search has a limit of time.
"""

import math
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from diptych.diagnose.samples.evidence import ReplayFacts
from diptych.diagnose.samples.filter_walk import FilterWalk
from diptych.diagnose.samples.filters import TAKE_FIRST, steps_by_name
from diptych.diagnose.samples.walk import Walk
from diptych.keys import Side, Sided
from diptych.logged_values import agree
from diptych.nouns import NamedTuple
from diptych.run import Run
from diptych.sample_log import Json, Line

LONGEST_PATTERN = 2_000
LONGEST_RESPONSE = 50_000
SECONDS = 1.0
"""No search of a pattern that people use takes a thousandth of it; one that backtracks without end never gets done."""

OWN = 0.98
"""Steps are what was run where they make this share of a side's logged values from its own responses."""

Step = Callable[[Json], Json]
"""From what the step before left of the responses to one request, to what this one leaves."""


class NotReplayed(Exception):
    """A step of a kind that is not known, a pattern that takes too long, or responses of another form."""


class Read(NamedTuple):
    """One item: what each side's own steps kept of its responses, and what the other side's steps make of them.

    `counts`: how many responses each side holds.
    """

    own: Sided[Json]
    other: Sided[Json]
    target: Json
    counts: Sided[int]


def replays(walk: Walk, a: Run, b: Run) -> dict[str, ReplayFacts]:
    """Return by filter what a changed definition does by itself; only filters that differ and can be replayed."""
    if walk.kind != "generation":
        return {}
    known = [run for run in (a, b) if run.configs.get(walk.a.task)]
    if len(known) < 2:
        return {}
    ours, theirs = (steps_by_name(run, walk.a.task) or {"none": TAKE_FIRST} for run in (a, b))
    names = [name for name in walk.filters if name in ours and name in theirs and ours[name] != theirs[name]]
    found = {name: replay(walk, walk.filters[name], Sided(ours[name], theirs[name]), a) for name in names}
    return {name: one for name, one in found.items() if one is not None}


def replay(walk: Walk, walked: FilterWalk, steps: Sided[Json], a: Run) -> ReplayFacts | None:
    """Return what the two definitions of a filter make of all paired responses, None where that cannot be told."""
    try:
        run = Sided(*map(pipeline, steps))
        items = read_again(walk, walked, run)
    except NotReplayed:
        return None
    if items is None:
        return None
    apart = Sided(*(sum(not agree(one.own[side], one.other[side]) for one in items) for side in (0, 1)))
    return with_scores(walk, walked, items, apart, a)


def read_again(walk: Walk, walked: FilterWalk, run: Sided[Step]) -> list[Read] | None:
    """Return every pair of items read by both definitions; None where a side's own steps do not make what it logged."""
    found, own = [], [0, 0]
    pairs = walked.pairs
    for left, right in zip(walk.a.lines(pairs.rows_a), walk.b.lines(pairs.rows_b), strict=True):
        responses = responses_of(left), responses_of(right)
        kept = only_value(left.filtered()), only_value(right.filtered())
        for side in (0, 1):
            own[side] += agree(run[side](responses[side]), kept[side])
        other = Sided(run.b(responses[0]), run.a(responses[1]))
        found.append(Read(Sided(*kept), other, left.target(), Sided(*map(len, responses))))
    return found if found and min(own) >= OWN * len(found) else None


def responses_of(line: Line) -> list[str]:
    """Return the responses to an item's one request."""
    value = line.responses()
    inner = value[0] if isinstance(value, list) and len(value) == 1 else None
    if not isinstance(inner, list) or not inner or not all(isinstance(text, str) for text in inner):
        raise NotReplayed
    if max(map(len, inner)) > LONGEST_RESPONSE:
        raise NotReplayed
    return inner


def only_value(value: Json) -> Json:
    """Return what the filter kept of an item's one request."""
    if not isinstance(value, list) or len(value) != 1:
        raise NotReplayed
    return value[0]


def pipeline(steps: Json) -> Step:
    """Return the steps of a filter as one function of the responses to a request."""
    if not isinstance(steps, (list, tuple)) or not steps:
        raise NotReplayed
    made = [step_of(one) for one in steps]

    def run(responses: Json) -> Json:
        for step in made:
            responses = step(responses)
        return responses

    return run


def step_of(one: Json) -> Step:
    """Return one step by its recorded kind and arguments."""
    if not isinstance(one, Mapping):
        raise NotReplayed
    given = {name: value for name, value in one.items() if name not in ("function", "name")}
    made = KINDS.get(str(one.get("function")))
    if made is None:
        raise NotReplayed
    return made(given)


def on_each(change: Callable[[str], Json]) -> Callable[[Mapping[str, Json]], Step]:
    """Return the kind of step that changes every response by itself and takes no arguments."""

    def made(given: Mapping[str, Json]) -> Step:
        if given:
            raise NotReplayed
        return lambda responses: [change(text) for text in texts(responses)]

    return made


def texts(responses: Json) -> list[str]:
    """Return what is a list of texts."""
    if not isinstance(responses, list) or not all(isinstance(text, str) for text in responses):
        raise NotReplayed
    return responses


def take_first(given: Mapping[str, Json]) -> Step:
    """Keep the first response."""
    return lambda responses: texts(responses)[0]


def take_first_k(given: Mapping[str, Json]) -> Step:
    """Keep the first k responses."""
    number = given.get("k")
    if not isinstance(number, int) or number < 1:
        raise NotReplayed
    return lambda responses: texts(responses)[:number]


def majority_vote(given: Mapping[str, Json]) -> Step:
    """Keep the response that is there most often, the first of several."""
    return lambda responses: [Counter(texts(responses)).most_common(1)[0][0]]


def regex(given: Mapping[str, Json]) -> Step:
    """Keep the match that is asked for, of its groups the first that is not empty; else the fallback."""
    import regex as engine  # its searches can be given a limit of time

    pattern, place = given.get("regex_pattern", r"#### (\-?[0-9\.\,]+)"), given.get("group_select", 0)
    fallback = given.get("fallback", "[invalid]")
    known = set(given) <= {"regex_pattern", "group_select", "fallback"}
    if not known or not isinstance(pattern, str) or not isinstance(place, int) or len(pattern) > LONGEST_PATTERN:
        raise NotReplayed
    try:
        compiled = engine.compile(pattern)
    except engine.error:
        raise NotReplayed from None

    def chosen(text: str) -> Json:
        try:
            found = compiled.findall(text, timeout=SECONDS)
        except TimeoutError:
            raise NotReplayed from None
        if not found:
            return fallback
        if not -len(found) <= place < len(found):
            raise NotReplayed  # the harness fails there
        match = found[place]
        groups = match if isinstance(match, tuple) else (match,)
        return next((group.strip() for group in groups if group), fallback if len(groups) > 1 else "")

    return lambda responses: [chosen(text) for text in texts(responses)]


KINDS: Mapping[str, Callable[[Mapping[str, Json]], Step]] = {
    "regex": regex,
    "take_first": take_first,
    "take_first_k": take_first_k,
    "majority_vote": majority_vote,
    "lowercase": on_each(str.lower),
    "uppercase": on_each(str.upper),
    "remove_whitespace": on_each(str.lstrip),
}
"""The kinds of steps that can be replayed, by the harness's own names."""


def with_scores(walk: Walk, walked: FilterWalk, items: Sequence[Read], apart: Sided[int], a: Run) -> ReplayFacts:
    """Return how many items moved under the first metric of both logs that did, and how many by the filter alone."""
    for metric, left in walk.a.columns.values.items():
        right = walk.b.columns.values.get(metric)
        if right is None:
            continue
        rows = zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True)
        scores = [Sided(left[one], right[other]) for one, other in rows]
        moved = [place for place, (a, b) in enumerate(scores) if a != b and math.isfinite(a) and math.isfinite(b)]
        if moved:
            rule = rule_of(items, scores, definition_of(metric, a, walk.a.task))
            again = [scored_again(one, score, rule) for one, score in zip(items, scores, strict=True)]
            facts = ReplayFacts(
                apart,
                moved=len(moved),
                explained=sum(again[place] == scores[place][::-1] for place in moved),
                touched=sum(again[place] != scores[place] for place in moved),
                scores=Sided(mean([one.a for one in again]), mean([one.b for one in again])),
            )
            return of_more(facts, items, scores, again)
    return ReplayFacts(apart)


def of_more(
    facts: ReplayFacts, items: Sequence[Read], scores: Sequence[Sided[float]], again: Sequence[Sided[float | None]]
) -> ReplayFacts:
    """Return the facts by the side that holds more responses to nearly every item, where one does."""
    more = side_of_more(items)
    if more is None or facts.scores.of(more) is None:
        return facts
    other: Side = "a" if more == "b" else "b"
    both = [(read.of(more) or 0.0, own.of(more), own.of(other)) for read, own in zip(again, scores, strict=True)]
    rest = Sided(sum(read < other for read, _, other in both), sum(read > other for read, _, other in both))
    return facts._replace(more=more, rest=rest, touched=sum(read != own for read, own, _ in both))


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean, None where a value is not known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


Rule = Callable[[Json, Json], float]


def scored_again(one: Read, scores: Sided[float], rule: Rule | None) -> Sided[float | None]:
    """Return the score of A's response as B's steps read it, and of B's as A's do; None where no file tells."""
    return Sided(*(score_of(value, one, scores, rule) for value in one.other))


def score_of(value: Json, one: Read, scores: Sided[float], rule: Rule | None) -> float | None:
    """Return an extracted value's score: that of the side that logged the same value, else by a rule that holds."""
    logged = {score for kept, score in zip(one.own, scores, strict=True) if agree(kept, value)}
    if len(logged) == 1:
        return next(iter(logged))
    return rule(value, one.target) if rule is not None and not logged else None


def side_of_more(items: Sequence[Read]) -> Side | None:
    """Return the side that holds more responses to nearly every item, None where neither does."""
    if sum(one.counts.a > one.counts.b for one in items) >= OWN * len(items):
        return "a"
    return "b" if sum(one.counts.b > one.counts.a for one in items) >= OWN * len(items) else None


def rule_of(items: Sequence[Read], scores: Sequence[Sided[float]], metric: Mapping[str, Json]) -> Rule | None:
    """Return the way of holding a value against its target that gives every logged score; None where none does."""
    pairs = list(zip(items, scores, strict=True))
    for same in (*SAME_ANSWER, *by_options(metric)):

        def rule(value: Json, target: Json, same: Callable[[str], str] = same) -> float:
            return float(same(str(value)) == same(str(target)))

        if all(
            rule(kept, one.target) == score for one, both in pairs for kept, score in zip(one.own, both, strict=True)
        ):
            return rule
    return None


PUNCTUATION, DIGITS = string.punctuation, string.digits

SAME_ANSWER: tuple[Callable[[str], str], ...] = (
    str,
    str.strip,
    lambda text: text.strip().casefold(),
    lambda text: text.strip().casefold().rstrip("."),
)
"""What two texts may have in common to be one answer, the strictest first."""


def definition_of(metric: str, run: Run, task: str) -> Mapping[str, Json]:
    """Return how a task defines a metric; empty where it does not say."""
    listed = run.configs.get(task, {}).get("metric_list")
    rows = [row for row in listed if isinstance(row, Mapping)] if isinstance(listed, (list, tuple)) else []
    return next((row for row in rows if row.get("metric") == metric), {})


def by_options(metric: Mapping[str, Json]) -> tuple[Callable[[str], str], ...]:
    """Return what the harness's exact_match leaves of a text by its recorded options; nothing where it has none."""
    import regex as engine

    patterns = metric.get("regexes_to_ignore") or []
    if not isinstance(patterns, (list, tuple)) or not all(isinstance(one, str) for one in patterns):
        return ()
    if metric.get("metric") != "exact_match" or any(len(one) > LONGEST_PATTERN for one in patterns):
        return ()
    try:
        ignored = [engine.compile(one) for one in patterns]
    except engine.error:
        return ()
    dropped = PUNCTUATION * (metric.get("ignore_punctuation") is True) + DIGITS * (metric.get("ignore_numbers") is True)

    def left(text: str) -> str:
        for one in ignored:
            try:
                text = one.sub("", text, timeout=SECONDS)
            except TimeoutError:
                raise NotReplayed from None
        text = text.lower() if metric.get("ignore_case") is True else text
        return "".join(sign for sign in text if sign not in dropped)

    return (left,)
