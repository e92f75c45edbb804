"""The ledger of flips: every item whose outcome or answer moved, its class, its lead, and its texts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from diptych.compare.logged import first_text
from diptych.compare.options import Options
from diptych.compare.walk import FilterWalk, Walk
from diptych.comparison import FLIP_CLASSES, Flip, FlipCount, FlipSide, LeftOut
from diptych.runs import Json, Sample, SampleLog

ORDER = ("lost", "gained", "extraction_only", "format_only", "both_wrong_changed", "one_side_missing")
"""The classes, most telling first."""

LONGEST_PROMPT = 20_000
SHORTEST_PROMPT = 1_500
BUDGET = 4_000_000
"""Characters: a prompt is whole up to the first, never folded below the second; all flips keep to the third."""

MISSING_SHOWN = 20

PRIMARY = ("exact_match", "acc_norm", "acc", "pass@1", "contains", "f1")
"""Metrics whose outcome makes a flip, where the caller names none: the first of these, else the first of the log."""


class Candidate(NamedTuple):
    """A flip before its texts are read back: rows are None on the side that lacks the item."""

    task: str
    filter: str
    class_: str
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


def outcomes(walk: Walk, options: Options) -> Outcomes:
    """Return the flips of one task, filter by filter."""
    found: list[Candidate] = []
    lost = gained = 0
    leads: list[float] = []
    for name, walked in walk.filters.items():
        own = list(flips_of(walk, name, walked, primary_metric(walk, walked, options)))
        moved = [flip for flip in own if flip.score_a != flip.score_b and None not in (flip.score_a, flip.score_b)]
        falls = sum((flip.score_a or 0) > (flip.score_b or 0) for flip in moved)
        if len(moved) > lost + gained:
            lost, gained = falls, len(moved) - falls
        leads += [flip.weight for flip in moved if flip.margin_a is not None]
        found += own + list(missing(walk, name, walked))
    return Outcomes(tuple(found), tuple(counts(walk.a.task, walk.filters, found)), lost, gained, tuple(leads))


def counts(task: str, filters: Iterable[str], found: Sequence[Candidate]) -> Iterable[FlipCount]:
    """Return how many flips of each class each filter has."""
    for name in filters:
        for class_ in FLIP_CLASSES:
            own = [flip for flip in found if flip.filter == name and flip.class_ == class_]
            if own:
                yield FlipCount(task, name, class_, len(own), own[0].metric)


def primary_metric(walk: Walk, walked: FilterWalk, options: Options) -> str | None:
    """Return the metric that says right or wrong: its values are 0 and 1 on both sides."""
    asked = options.primary.get(walk.a.task, "").partition(",")[0]
    shared = [metric for metric in walk.a.columns.values if metric in walk.b.columns.values]
    # picks and leads are those of raw log-likelihoods, so with choices plain accuracy goes with them
    ordered = [asked, *(("acc",) if walk.kind == "choices" else ()), *PRIMARY, *shared]
    return next((metric for metric in ordered if metric in shared and is_binary(walk, walked, metric)), None)


def is_binary(walk: Walk, walked: FilterWalk, metric: str) -> bool:
    """Say whether all usable values of a metric are 0 or 1, and there are some."""
    left, right = walk.a.columns.values[metric], walk.b.columns.values[metric]
    values = {left[row] for row in walked.pairs.rows_a} | {right[row] for row in walked.pairs.rows_b}
    usable = {value for value in values if math.isfinite(value)}
    return bool(usable) and usable <= {0.0, 1.0}


def flips_of(walk: Walk, name: str, walked: FilterWalk, metric: str | None) -> Iterable[Candidate]:
    """Return the items under one filter whose outcome or answer moved, in pair order."""
    left = walk.a.columns.values[metric] if metric else ()
    right = walk.b.columns.values[metric] if metric else ()
    for place, (row_a, row_b) in enumerate(zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True)):
        score_a, score_b = (number(left[row_a]), number(right[row_b])) if metric else (None, None)
        class_ = class_of(walk.kind, walked, place, score_a, score_b)
        if class_:
            margins = number(walked.margins_a[place]), number(walked.margins_b[place])
            item = walked.items[place]
            yield Candidate(
                walk.a.task, name, class_, place, item, row_a, row_b, *margins, score_a, score_b, metric or ""
            )


def class_of(kind: str, walked: FilterWalk, place: int, score_a: float | None, score_b: float | None) -> str | None:
    """Return the class of a pair, None where neither outcome nor answer moved."""
    moved = score_a != score_b and score_a is not None and score_b is not None
    same_answer = (
        walked.same_filtered[place] if kind == "generation" else walked.picks_a[place] == walked.picks_b[place]
    )
    if kind == "generation" and not same_answer and walked.same_raw[place]:
        return "extraction_only"
    if moved:
        if kind == "generation" and not same_answer and walked.same_form[place]:
            return "format_only"
        return "lost" if (score_a or 0) > (score_b or 0) else "gained"
    if same_answer or score_a != 0 or score_b != 0:
        return None
    return "format_only" if kind == "generation" and walked.same_form[place] else "both_wrong_changed"


def number(value: float) -> float | None:
    """Return a finite number, None for what is none."""
    return value if math.isfinite(value) else None


def missing(walk: Walk, name: str, walked: FilterWalk) -> Iterable[Candidate]:
    """Return the items that one side alone has under a filter."""
    task, none = walk.a.task, (None, None, None, None)
    for place, row in enumerate(walked.pairs.only_a):
        yield Candidate(task, name, "one_side_missing", place, str(walk.a.columns.doc_ids[row]), row, None, *none)
    for place, row in enumerate(walked.pairs.only_b, len(walked.pairs.only_a)):
        yield Candidate(task, name, "one_side_missing", place, str(walk.b.columns.doc_ids[row]), None, row, *none)


Logs = Mapping[str, tuple[SampleLog, SampleLog]]


def read_back(
    found: Sequence[Outcomes], logs: Logs, kinds: Mapping[str, str], options: Options
) -> tuple[tuple[Flip, ...], list[LeftOut]]:
    """Return the most telling flips with their texts, at most `options.flips`, and what was left out."""
    chosen = most_telling(found, options.flips)
    samples = samples_of(chosen, logs)
    limit = prompt_limit(samples.values())
    flips = tuple(flip_of(candidate, samples, kinds[candidate.task], limit) for candidate in in_order(chosen))
    left_out = []
    every = [candidate for outcome in found for candidate in outcome.candidates]
    unseen = len(every) - len(chosen)
    alone = sum(flip.class_ == "one_side_missing" for flip in every) - sum(
        flip.class_ == "one_side_missing" for flip in chosen
    )
    if alone:
        why = f"at most {MISSING_SHOWN} a task are listed; all are counted"
        left_out.append(LeftOut("items of one side only, not listed", alone, why))
    if unseen > alone:
        why = f"at most {options.flips} flips are listed with their texts, the most telling first; all are counted"
        left_out.append(LeftOut("flips not listed", unseen - alone, why))
    folded = sum(len(request) > limit for sample in samples.values() for request in (prompt_of(sample),))
    if folded:
        why = (
            f"prompts in flips are whole up to {limit} characters; of longer ones the middle is folded, with its length"
        )
        left_out.append(LeftOut("prompts folded in flips", folded, why))
    return flips, left_out


def most_telling(found: Sequence[Outcomes], most: int) -> list[Candidate]:
    """Return the flips that are shown: by class, then by lead, the tasks taking turns."""
    ranked: list[tuple[int, int, float, int, int, Candidate]] = []
    for turn, outcome in enumerate(found):
        places: dict[str, int] = {}
        for flip in sorted(outcome.candidates, key=lambda flip: (ORDER.index(flip.class_), -flip.weight, flip.place)):
            places[flip.class_] = rank = places.get(flip.class_, -1) + 1
            if flip.class_ != "one_side_missing" or rank < MISSING_SHOWN:
                ranked.append((ORDER.index(flip.class_), rank, -flip.weight, turn, flip.place, flip))
    return [flip for *_, flip in sorted(ranked, key=lambda entry: entry[:5])[:most]]


def in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Return the flips as a reader should meet them: class by class, sure answers first."""
    return sorted(chosen, key=lambda flip: (ORDER.index(flip.class_), -flip.weight, flip.task, flip.filter, flip.place))


def samples_of(chosen: Sequence[Candidate], logs: Logs) -> dict[tuple[str, str, int], Sample]:
    """Return the samples of the chosen flips, read back in row order: (task, side, row) -> sample."""
    wanted: dict[tuple[str, str], set[int]] = {}
    for flip in chosen:
        for side, row in (("a", flip.row_a), ("b", flip.row_b)):
            if row is not None:
                wanted.setdefault((flip.task, side), set()).add(row)
    found = {}
    for (task, side), rows in wanted.items():
        ordered = sorted(rows)
        log = logs[task][side == "b"]
        for row, line in zip(ordered, log.lines(ordered), strict=True):
            found[task, side, row] = line.sample()
    return found


def prompt_limit(samples: Iterable[Sample]) -> int:
    """Return the length up to which prompts stay whole, so that all flips keep to their budget."""
    lengths = [min(len(prompt_of(sample)), LONGEST_PROMPT) for sample in samples]
    if sum(lengths) <= BUDGET:
        return LONGEST_PROMPT
    return max(SHORTEST_PROMPT, BUDGET // len(lengths))


def prompt_of(sample: Sample) -> str:
    """Return the first prompt of a sample."""
    return sample.requests[0].context if sample.requests else ""


def flip_of(found: Candidate, samples: Mapping[tuple[str, str, int], Sample], kind: str, limit: int) -> Flip:
    """Return a flip with its texts."""
    left = None if found.row_a is None else samples[found.task, "a", found.row_a]
    right = None if found.row_b is None else samples[found.task, "b", found.row_b]
    known = left or right
    return Flip(
        found.task,
        found.filter,
        found.item,
        found.class_,
        target_text(known, kind) if known else None,
        side_of(left, kind, found.score_a, limit) if left else None,
        side_of(right, kind, found.score_b, limit) if right else None,
        found.margin_a,
        found.margin_b,
        found.metric,
    )


def side_of(sample: Sample, kind: str, score: float | None, limit: int) -> FlipSide:
    """Return one side of a flip; for choices the response names the likeliest one and all are listed."""
    prompt = folded(prompt_of(sample), limit)
    if kind != "choices":
        raw = first_text(listed(sample.responses))
        return FlipSide(prompt, folded(raw, limit), folded(first_text(listed(sample.filtered)), limit), score)
    choices = tuple((request.continuation or "").strip() for request in sample.requests)
    numbers = [likelihood(entry) for entry in sample.responses[: len(choices)]]
    if len(choices) < 2 or not numbers:
        return FlipSide(prompt, None, None, score, choices)
    pick = choices[numbers.index(max(numbers))]
    likelihoods = "\n".join(f"{number_text(value)}  {choice}" for value, choice in zip(numbers, choices, strict=False))
    return FlipSide(prompt, folded(likelihoods, limit), pick, score, choices)


def number_text(value: float) -> str:
    """Return a log-likelihood as text."""
    return f"{value:.4f}" if math.isfinite(value) else "not a number"


def likelihood(entry: Json) -> float:
    """Return the log-likelihood of one logged response; what is none counts as least likely."""
    while isinstance(entry, (list, tuple)) and entry:
        entry = entry[0]
    try:
        found = float(entry)
    except (TypeError, ValueError):
        return -math.inf
    return -math.inf if math.isnan(found) else found


def listed(value: Json) -> Json:
    """Return nested tuples as lists."""
    return [listed(item) for item in value] if isinstance(value, (list, tuple)) else value


def target_text(sample: Sample, kind: str) -> str | None:
    """Return the right answer as text: for choices the choice that the target numbers."""
    target = sample.target
    if kind == "choices" and str(target).isdecimal() and int(target) < len(sample.requests):
        return (sample.requests[int(target)].continuation or "").strip() or str(target)
    return None if target is None else folded(target if isinstance(target, str) else str(target), LONGEST_PROMPT)


def folded(text: str, limit: int) -> str:
    """Return a text whole up to `limit` characters, else with its middle folded and the length of it stated."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
