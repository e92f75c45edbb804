"""What one walk over a task leaves as counts: filters, moves of log-likelihoods, texts found in prompts."""

import math
from collections.abc import Mapping, Sequence

from diptych.diagnose.samples.answer_facts import BrokenFacts, CompletedFacts
from diptych.diagnose.samples.evidence import FilterFacts, MoveFacts
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.numerical_noise import SMALL_LARGEST, SMALL_MEDIAN, above
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.prompt_facts import TextFact
from diptych.diagnose.samples.task_walk import Walk
from diptych.diagnose.samples.white_space import squeezed
from diptych.sample_log import SampleLog
from diptych.sides import Sided, each_side

Texts = Mapping[str, Sided[str | None]]
"""By key of a recorded difference: its text on either side, where it is one that may stand in a prompt."""

LOOKED_AT = 40
"""Differing prompts that a recorded text is looked for in, spread evenly over the task."""

SHORTEST_TEXT = 4
"""Characters from which a recorded text is looked for."""


def filter_facts(walk: Walk) -> tuple[FilterFacts, ...]:
    """Return at which of the last steps the items part, filter by filter."""
    return tuple(one_filter(walk, name, walked) for name, walked in walk.filters.items())


def one_filter(walk: Walk, name: str, walked: FilterTally) -> FilterFacts:
    """Return the facts of one filter."""
    apart = set(walk.scores_differ(walked))
    size = range(len(walked.items))
    generation = walk.kind == "generation"
    extracted = [place for place in size if walked.same_raw[place] and not walked.same_filtered[place]]
    kept = walked.same_filtered if generation else walked.same_raw
    lacking = unscored_places(walk, walked)
    return FilterFacts(
        filter=name,
        compared=len(walked.items),
        raw_apart=walked.same_raw.count(0),
        filtered_apart=walked.same_filtered.count(0),
        scores_apart=len(apart),
        extraction_only=len(extracted),
        scoring_only=sum(bool(kept[place]) for place in apart - lacking),
        unscored_only=sum(bool(kept[place]) for place in lacking),
        nothing=Sided(len(walked.nothing_a), len(walked.nothing_b)),
    )


def unscored_places(walk: Walk, walked: FilterTally) -> set[int]:
    """Return the places of pairs of which a side has no score under some metric: nothing was scored otherwise there."""
    found: set[int] = set()
    for metric, left in walk.a.columns.values.items():
        right = walk.b.columns.values.get(metric)
        if right is not None:
            rows = enumerate(zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True))
            found.update(
                place for place, (one, other) in rows if math.isfinite(left[one]) != math.isfinite(right[other])
            )
    return found


def move_facts(walk: Walk) -> MoveFacts | None:
    """Return how log-likelihoods moved; None where none was compared."""
    numbers = walk.numbers
    if not numbers.changes and not numbers.boundless:
        return None
    moved = len(numbers.changes) - numbers.changes.count(0.0) + numbers.boundless
    beyond = above(walk, SMALL_LARGEST) + numbers.boundless
    items, wide = len(numbers.changes) + numbers.boundless, above(walk, SMALL_MEDIAN) + numbers.boundless
    return MoveFacts(items, moved, numbers.raised, numbers.lowered, beyond, numbers.boundless, wide)


def completed_facts(walk: Walk, paired: PairedScores) -> tuple[CompletedFacts, ...]:
    """Return the scores over the items that both sides completed for sure, metric by metric; none where all are."""
    walked = next(iter(walk.filters.values()), None)
    doubtful = [side.doubtful() for side in walk.texts.lengths]
    broken = walk.texts.cut_items.union(
        *doubtful, *(found for side in walk.texts.broken_alone() for found in side.values())
    )
    if walked is None or not broken:
        return ()
    kept = [place for place in range(len(walked.items)) if place not in broken]
    whole = {key: both for key, both in paired.values.items() if kept and len(both[0]) == len(walked.items)}
    return tuple(
        CompletedFacts(name, metric, len(kept), *(sum(values[place] for place in kept) / len(kept) for values in both))
        for (name, metric), both in whole.items()
    )


def broken_facts(walk: Walk, paired: PairedScores) -> tuple[BrokenFacts, ...]:
    """Return how many of the items that score otherwise on a side are those that are broken there alone, by fault."""
    found = []
    broken = [(side, *one) for side, faults in each_side(*walk.texts.broken_alone()) for one in sorted(faults.items())]
    for side, fault, places in broken:
        for (name, metric), both in paired.values.items():
            if len(both[0]) == len(walk.filters[name].items):
                own, other = both if side == "a" else both[::-1]
                pairs = enumerate(zip(own, other, strict=True))
                apart = [(place in places, mine < theirs) for place, (mine, theirs) in pairs if mine != theirs]
                lower = [among for among, is_lower in apart if is_lower]
                higher = [among for among, is_lower in apart if not is_lower]
                found.append(
                    BrokenFacts(
                        side, fault, name, metric, len(places), len(lower), sum(lower), len(higher), sum(higher)
                    )
                )
    return tuple(found)


def text_facts(walk: Walk, texts: Texts) -> tuple[TextFact, ...]:
    """Return, for each recorded text that differs, in how many differing prompts it stands on either side."""
    walked = next(iter(walk.filters.values()), None)
    wanted = {key: pair for key, pair in texts.items() if any(pair)}
    if walked is None or not wanted or not walk.different["prompts"]:
        return ()
    places = spread(range(len(walked.items)), LOOKED_AT)
    logs = (walk.a, walked.pairs.rows_a), (walk.b, walked.pairs.rows_b)
    prompts = [prompts_of(log, [rows[place] for place in places]) for log, rows in logs]
    both = [pair for pair in zip(*prompts, strict=True) if pair[0] != pair[1]]
    found = [one_text(key, pair, both) for key, pair in wanted.items()] if both else []
    return tuple(one for one in found if any(one.recorded))


def prompts_of(log: SampleLog, rows: Sequence[int]) -> list[str]:
    """Return the first prompts of some rows."""
    requests = (line.requests() for line in log.lines(rows))
    return [found[0].context if found else "" for found in requests]


def one_text(key: str, pair: Sided[str | None], prompts: Sequence[tuple[str, ...]]) -> TextFact:
    """Return in how many prompts each side's recorded text stands on its own side and not on the other.

    A text that is too short to look for counts only where one recorded text in the place of the other makes the
    prompts equal; one that is not found so is as good as not recorded.
    """
    bare = [(squeezed(a), squeezed(b)) for a, b in prompts]
    left, right = (squeezed(longest_part(text)) for text in pair)
    exchanged = [exchange(pair, *prompt) for prompt in prompts]
    ours = sum(swap or stands_more(left, a, b) for swap, (a, b) in zip(exchanged, bare, strict=True))
    theirs = sum(swap or stands_more(right, b, a) for swap, (a, b) in zip(exchanged, bare, strict=True))
    known = Sided(bool(left) or (bool(pair.a) and any(exchanged)), bool(right) or (bool(pair.b) and any(exchanged)))
    return TextFact(key, len(prompts), ours, theirs, known, sum(exchanged))


def exchange(pair: Sided[str | None], a: str, b: str) -> bool:
    """Say whether A's prompt with B's recorded text in the place of A's is B's prompt, but for white space around."""
    ours, theirs = pair.a or "", pair.b or ""
    if ours and theirs and squeezed(ours) == squeezed(theirs):
        return a.replace(ours, theirs) == b if len(ours) < len(theirs) else b.replace(theirs, ours) == a
    left, right = squeezed(ours), squeezed(theirs)
    bare_a, bare_b = squeezed(a), squeezed(b)
    if bare_a == bare_b:
        return False  # the prompts differ by white space, which these texts do not
    if len(left) < len(right):
        return bare_b.replace(right, left, 1) == bare_a
    return bare_a.replace(left, right, 1) == bare_b


def stands_more(text: str, own: str, other: str) -> bool:
    """Say whether a text stands in one prompt more often than in the other."""
    return bool(text) and own.count(text) > other.count(text)


def longest_part(text: str | None) -> str:
    """Return the longest stretch of a text that is no placeholder; "" where it is one word, or too short."""
    if not text or " " not in text.strip():
        return ""
    parts = [part.partition("}}")[2] if "}}" in part else part for part in text.split("{{")]
    best = max(parts, key=len).strip()
    return best if len(best) >= SHORTEST_TEXT else ""


def spread(places: range, most: int) -> list[int]:
    """Return at most so many places, evenly over all of them."""
    return list(places) if len(places) <= most else [places[number * len(places) // most] for number in range(most)]
