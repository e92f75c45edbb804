"""The ledger of flips: every item whose outcome or answer moved, its class, its lead, and which of them tell most."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest

from diptych.catalogue.metrics import agreed_direction, primary_place
from diptych.closed_names import FLIP_CLASSES, FlipClass
from diptych.comparison import FlipCount
from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.options import Options
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_slices import Slice
from diptych.run import Run

ORDER = ("lost", "gained", "extraction_only", "format_only", "both_wrong_changed", "one_side_missing")
"""The classes, most telling first."""

MISSING_SHOWN = 20


class Candidate(NamedTuple):
    """A flip before its texts are read back: rows are None on the side that lacks the item."""

    task: str
    filter: str
    class_: FlipClass
    place: int
    item: str
    row_a: int | None
    row_b: int | None
    margin_a: float | None
    margin_b: float | None
    score_a: float | None
    score_b: float | None
    metric: str = ""

    @property
    def weight(self) -> float:
        """The smaller lead: a flip between two sure answers tells most."""
        return min(self.margin_a or 0.0, self.margin_b or 0.0)


class Outcomes(NamedTuple):
    """The flips of one task: counts by class are whole, whatever is shown later."""

    candidates: tuple[Candidate, ...]
    counts: tuple[FlipCount, ...]
    lost: int
    gained: int
    leads: tuple[float, ...]


def task_outcomes(
    walk: Walk, options: Options, slices: Mapping[str, Sequence[Slice]], lower: frozenset[str] = frozenset()
) -> Outcomes:
    """Return the flips of one task, filter by filter; of `lower` metrics less is better."""
    found: list[Candidate] = []
    lost = gained = 0
    leads: list[float] = []
    for name, walked in walk.filters.items():
        asked = slice_metrics(walk, walked, options, slices.get(name, ()))
        own = [
            flip
            for metric, places in asked
            for flip in flips_of(walk, name, walked, metric, lower=metric in lower)
            if places is None or places[flip.place]
        ]
        moved = [flip for flip in own if flip.score_a != flip.score_b and None not in (flip.score_a, flip.score_b)]
        falls = sum(is_worse(flip.score_a, flip.score_b, flip.metric in lower) for flip in moved)
        if len(moved) > lost + gained:
            lost, gained = falls, len(moved) - falls
        leads += leads_of(walk, name, walked, own)
        found += own + list(one_sided_items(walk, name, walked))
    return Outcomes(tuple(found), tuple(class_counts(walk.a.task, walk.filters, found)), lost, gained, tuple(leads))


def leads_of(walk: Walk, name: str, walked: FilterTally, own: Sequence[Candidate]) -> list[float]:
    """Return the smaller lead of each item whose pick moved: leads are those of plain log-likelihoods.

    `own` are the flips by the filter's primary metric, which most often is the one that goes by plain log-likelihoods.
    """
    if walk.kind != "choices":
        return []
    metric = "acc" if "acc" in walk.a.columns.values and "acc" in walk.b.columns.values else None
    found = own if metric and own and own[0].metric == metric else flips_of(walk, name, walked, metric)
    return [flip.weight for flip in found if flip.score_a != flip.score_b and flip.margin_a is not None]


def class_counts(task: str, filters: Iterable[str], found: Sequence[Candidate]) -> Iterable[FlipCount]:
    """Return how many flips of each class each filter has."""
    for name in filters:
        for class_ in FLIP_CLASSES:
            counts = Counter(flip.metric for flip in found if flip.filter == name and flip.class_ == class_)
            yield from (FlipCount(task, name, class_, number, metric) for metric, number in counts.items())


def led_by_benchmarks(options: Options, a: Run, b: Run) -> Options:
    """Return options that name, for each task inside a benchmark, the metric that the benchmark leads with."""
    groups = {**b.groups, **a.groups}
    inner = {child for children in groups.values() for child in children}
    asked = dict(options.primary)
    for name in groups:
        metrics = [[score.metric for score in run.scores if score.group and score.task == name] for run in (a, b)]
        shared = [metric for metric in metrics[0] if metric in metrics[1]]
        if shared and name not in inner:
            first = options.primary.get(name) or min(shared, key=primary_place)
            asked = {**dict.fromkeys(members_of(name, groups), first), **asked}
    return options._replace(primary=asked)


def primary_metric(walk: Walk, walked: FilterTally, options: Options) -> str | None:
    """Return the metric that says right or wrong: its values are 0 and 1 on both sides."""
    asked = options.primary.get(walk.a.task, "").partition(",")[0]
    shared = [metric for metric in walk.a.columns.values if metric in walk.b.columns.values]
    ordered = [asked, *sorted(shared, key=primary_place)]
    return next((metric for metric in ordered if metric in shared and has_binary_values(walk, walked, metric)), None)


def slice_metrics(
    walk: Walk, walked: FilterTally, options: Options, slices: Sequence[Slice]
) -> list[tuple[str | None, bytes | None]]:
    """Return the metric that says right or wrong; of a task in slices one for each, with the places of its pairs."""
    first = primary_metric(walk, walked, options)
    if not any(first in one.metrics for one in slices):
        return [(first, None)]
    able = [metric for one in slices for metric in one.metrics if has_binary_values(walk, walked, metric)]
    named = [(min((m for m in one.metrics if m in able), key=primary_place, default=None), one.items) for one in slices]
    rest = bytes(not any(each) for each in zip(*(one.items for one in slices), strict=True))
    return [*named, (None, rest)]


def has_binary_values(walk: Walk, walked: FilterTally, metric: str) -> bool:
    """Say whether all usable values of a metric are 0 or 1, and there are some."""
    left, right = walk.a.columns.values[metric], walk.b.columns.values[metric]
    values = {left[row] for row in walked.pairs.rows_a} | {right[row] for row in walked.pairs.rows_b}
    usable = {value for value in values if math.isfinite(value)}
    return bool(usable) and usable <= {0.0, 1.0}


def lower_is_better(task: str, a: Run, b: Run) -> frozenset[str]:
    """Return the metrics of a task of which less is better."""
    said: dict[str, list[bool | None]] = {}
    for score in (*a.scores, *b.scores):
        if score.task == task:
            said.setdefault(score.metric, []).append(score.higher_is_better)
    return frozenset(metric for metric, each in said.items() if agreed_direction(metric, each) is False)


def is_worse(score_a: float | None, score_b: float | None, lower: bool) -> bool:
    """Say whether an item's score is worse in B; `lower`: less is better."""
    return ((score_a or 0) < (score_b or 0)) if lower else ((score_a or 0) > (score_b or 0))


def flips_of(
    walk: Walk, name: str, walked: FilterTally, metric: str | None, *, lower: bool = False
) -> Iterable[Candidate]:
    """Return the items under one filter whose outcome or answer moved, in pair order; `lower`: less is better."""
    left = walk.a.columns.values[metric] if metric else ()
    right = walk.b.columns.values[metric] if metric else ()
    generation = walk.kind == "generation"
    for place, (row_a, row_b) in enumerate(zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True)):
        # most pairs are the same in all, and neither outcome nor answer moved
        same = walked.same_raw[place] and (walked.same_filtered[place] or not generation)
        if same and (not metric or left[row_a] == right[row_b]):
            continue
        score_a, score_b = (finite_number(left[row_a]), finite_number(right[row_b])) if metric else (None, None)
        class_ = class_of(walk.kind, walked, place, score_a, score_b, lower)
        if class_:
            margins = finite_number(walked.margins_a[place]), finite_number(walked.margins_b[place])
            item = walked.items[place]
            yield Candidate(
                walk.a.task, name, class_, place, item, row_a, row_b, *margins, score_a, score_b, metric or ""
            )


def class_of(
    kind: str, walked: FilterTally, place: int, score_a: float | None, score_b: float | None, lower: bool
) -> FlipClass | None:
    """Return the class of a pair, None where neither outcome nor answer moved; `lower`: less is better, 1 is wrong."""
    moved = score_a != score_b and score_a is not None and score_b is not None
    same_answer = (
        walked.same_filtered[place] if kind == "generation" else walked.picks_a[place] == walked.picks_b[place]
    )
    if kind == "generation" and not same_answer and walked.same_raw[place]:
        return "extraction_only"
    if moved:
        if kind == "generation" and not same_answer and walked.same_form[place]:
            return "format_only"
        return "lost" if is_worse(score_a, score_b, lower) else "gained"
    if same_answer or not score_a == score_b == (1 if lower else 0):
        return None
    return "format_only" if kind == "generation" and walked.same_form[place] else "both_wrong_changed"


def finite_number(value: float) -> float | None:
    """Return a finite number, None for what is none."""
    return value if math.isfinite(value) else None


def one_sided_items(walk: Walk, name: str, walked: FilterTally) -> Iterable[Candidate]:
    """Return the items that one side alone has under a filter."""
    task, none = walk.a.task, (None, None, None, None)
    for place, row in enumerate(walked.pairs.only_a):
        yield Candidate(task, name, "one_side_missing", place, str(walk.a.columns.doc_ids[row]), row, None, *none)
    for place, row in enumerate(walked.pairs.only_b, len(walked.pairs.only_a)):
        yield Candidate(task, name, "one_side_missing", place, str(walk.b.columns.doc_ids[row]), None, row, *none)


Ranked = tuple[int, int, float, int, int, Candidate]
"""A flip behind what it is ordered by: class, rank within it, lead, its task's turn, its place."""


def most_telling(found: Sequence[Outcomes], most: int) -> list[Candidate]:
    """Return the flips that are shown: by class, then by lead, the tasks taking turns."""
    return [flip for *_, flip in nsmallest(most, flips_to_show(found), key=lambda entry: entry[:5])]


def flips_to_show(found: Sequence[Outcomes]) -> Iterator[Ranked]:
    """Yield the flips that may be shown, one by one: there may be as many as items."""
    for turn, outcome in enumerate(found):
        places: dict[str, int] = {}
        for flip in sorted(outcome.candidates, key=lambda flip: (ORDER.index(flip.class_), -flip.weight, flip.place)):
            places[flip.class_] = rank = places.get(flip.class_, -1) + 1
            if flip.class_ != "one_side_missing" or rank < MISSING_SHOWN:
                yield (ORDER.index(flip.class_), rank, -flip.weight, turn, flip.place, flip)


def by_class(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Return the flips as a reader should meet them: class by class, sure answers first."""
    return sorted(chosen, key=lambda flip: (ORDER.index(flip.class_), -flip.weight, flip.task, flip.filter, flip.place))
