"""A changed filter, run over the logged responses: what each side's steps make of the other side's answers.

Only steps of known kinds are run, and only where they make of a side's own responses what that side logged: a harness
whose filter does otherwise is not replayed. Patterns come from files, so all searches share a limit of time.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from diptych.comparison import LeftOut
from diptych.diagnose.samples.evidence import ReplayFacts
from diptych.diagnose.samples.filter_steps import LONGEST_PATTERN, NotReplayed, Step, pipeline
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.same_filters import TAKE_FIRST, steps_by_name
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.logged_values import agree
from diptych.run import Run
from diptych.sample_log import Json, Line
from diptych.sides import Side, Sided
from diptych.timed_search import SearchTime

LONGEST_RESPONSE = 50_000
SECONDS, EACH = 20.0, 1.0
"""What all searches of a comparison may take, and one of them: no pattern that people use comes near either."""

OWN = 0.98
"""Steps are what was run where they make this share of a side's logged values from its own responses."""


class Read(NamedTuple):
    """One item: what each side's own steps kept of its responses, and what the other side's steps make of them.

    `counts`: how many responses each side holds.
    """

    own: Sided[Json]
    other: Sided[Json]
    target: Json
    counts: Sided[int]


class Replays(NamedTuple):
    """What the changed definitions of a task's filters do by themselves, by filter, and those that took too long."""

    facts: Mapping[str, ReplayFacts] = {}
    slow: tuple[str, ...] = ()

    def left_out(self, task: str) -> tuple[LeftOut, ...]:
        """Return the entries of what was not run for want of time."""
        why = f"its patterns take too long: a search {EACH:g} s, or all of this comparison {SECONDS:g} s"
        return tuple(
            LeftOut(f"the filter {name} of {task} over the other side's responses", 1, why) for name in self.slow
        )


def search_time() -> SearchTime:
    """Return the time that the searches of one comparison may take."""
    return SearchTime(SECONDS, EACH)


def replays(walk: Walk, a: Run, b: Run, searches: SearchTime) -> Replays:
    """Return what changed filters do by themselves: those that can be replayed in the time that `searches` has left."""
    if walk.kind != "generation":
        return Replays()
    known = [run for run in (a, b) if run.configs.get(walk.a.task)]
    if len(known) < 2:
        return Replays()
    ours, theirs = (steps_by_name(run, walk.a.task) or {"none": TAKE_FIRST} for run in (a, b))
    names = [name for name in walk.filters if name in ours and name in theirs and ours[name] != theirs[name]]
    found: dict[str, ReplayFacts] = {}
    slow = []
    for name in names:
        try:
            one = replay(walk, walk.filters[name], Sided(ours[name], theirs[name]), a, searches)
        except TimeoutError:
            slow.append(name)
        except NotReplayed:
            continue
        else:
            found.update({name: one} if one else {})
    return Replays(found, tuple(slow))


def replay(walk: Walk, walked: FilterTally, steps: Sided[Json], a: Run, searches: SearchTime) -> ReplayFacts | None:
    """Return what the two definitions of a filter make of all paired responses, None where that cannot be told.

    Raises `NotReplayed` where a step is of no known kind, `TimeoutError` where the searches have no time left.
    """
    items = read_again(walk, walked, Sided(*(pipeline(each, searches) for each in steps)))
    if items is None:
        return None
    apart = Sided(*(sum(not agree(one.own[side], one.other[side]) for one in items) for side in (0, 1)))
    return with_scores(walk, walked, items, apart, a, searches)


def read_again(walk: Walk, walked: FilterTally, run: Sided[Step]) -> list[Read] | None:
    """Return every pair of items read by both definitions; None where a side's own steps do not make what it logged."""
    found, own = [], [0, 0]
    pairs = walked.pairs
    for left, right in zip(walk.a.lines(pairs.rows_a), walk.b.lines(pairs.rows_b), strict=True):
        responses = responses_to_request(left), responses_to_request(right)
        kept = only_value(left.filtered()), only_value(right.filtered())
        for side in (0, 1):
            own[side] += agree(run[side](responses[side]), kept[side])
        other = Sided(run.b(responses[0]), run.a(responses[1]))
        found.append(Read(Sided(*kept), other, left.target(), Sided(*map(len, responses))))
    return found if found and min(own) >= OWN * len(found) else None


def responses_to_request(line: Line) -> list[str]:
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


def with_scores(
    walk: Walk, walked: FilterTally, items: Sequence[Read], apart: Sided[int], a: Run, searches: SearchTime
) -> ReplayFacts:
    """Return how many items moved under the first metric of both logs that did, and how many by the filter alone."""
    for metric, left in walk.a.columns.values.items():
        right = walk.b.columns.values.get(metric)
        if right is None:
            continue
        rows = zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True)
        scores = [Sided(left[one], right[other]) for one, other in rows]
        moved = [place for place, (a, b) in enumerate(scores) if a != b and math.isfinite(a) and math.isfinite(b)]
        if moved:
            rule = rule_of(items, scores, by_options(definition_of(metric, a, walk.a.task), searches))
            again = [scored_again(one, score, rule) for one, score in zip(items, scores, strict=True)]
            facts = ReplayFacts(
                apart,
                moved=len(moved),
                explained=sum(again[place] == scores[place][::-1] for place in moved),
                touched=sum(again[place] != scores[place] for place in moved),
                scores=Sided(mean([one.a for one in again]), mean([one.b for one in again])),
                own=Sided(mean([one.a for one in scores]), mean([one.b for one in scores])),
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
    return Sided(*(replayed_score(value, one, scores, rule) for value in one.other))


def replayed_score(value: Json, one: Read, scores: Sided[float], rule: Rule | None) -> float | None:
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


def rule_of(
    items: Sequence[Read], scores: Sequence[Sided[float]], options: Sequence[Callable[[str], str]]
) -> Rule | None:
    """Return the way of holding a value against its target that gives every logged score; None where none does."""
    pairs = list(zip(items, scores, strict=True))
    for same in (*SAME_ANSWER, *options):

        def rule(value: Json, target: Json, same: Callable[[str], str] = same) -> float:
            return float(same(str(value)) == same(str(target)))

        if all(
            rule(kept, one.target) == score for one, both in pairs for kept, score in zip(one.own, both, strict=True)
        ):
            return rule
    return None


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


def by_options(metric: Mapping[str, Json], searches: SearchTime) -> tuple[Callable[[str], str], ...]:
    """Return what the harness's exact_match leaves of a text by its recorded options; nothing where it has none."""
    import string

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
    dropped = string.punctuation * (metric.get("ignore_punctuation") is True)
    dropped += string.digits * (metric.get("ignore_numbers") is True)

    def left(text: str) -> str:
        for one in ignored:
            text = searches.without(one, text)
        text = text.lower() if metric.get("ignore_case") is True else text
        return "".join(sign for sign in text if sign not in dropped)

    return (left,)
