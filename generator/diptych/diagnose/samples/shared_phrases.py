"""Phrases with which many responses of one side begin or end and none of the other's do, around another model's words.

How responses begin and end is counted while they are walked; only where that shows a phrase are they read again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from diptych.catalogue.metrics import reads_whole_text
from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.answer_facts import SharedPhrases
from diptych.diagnose.samples.answer_texts import first_text, plain_words
from diptych.diagnose.samples.cut_responses import until_of
from diptych.diagnose.samples.numerical_noise import middle
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.phrase_tally import FEWEST, MANY, RARELY, Place
from diptych.diagnose.samples.responses import THOUGHTS
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import listed
from diptych.sample_log import SampleLog
from diptych.sides import SIDES, Side
from diptych.value_text import quoted_stretch

MOST = 0.5
"""Where no metric is known to read them, phrases are worth a word on most of the responses alone."""

MOST_PHRASES = 6
SHORTEST = 4
LOOKED_AT = 200
"""Pairs whose texts are read for what the phrases are, and for what the rest of the response is like."""

MOST_OF = 0.9
"""So many of the responses that begin alike share a phrase; a later sign that fewer share is the response itself."""

LIKE = 0.3
"""The rest of a response is like another text where the groups of three signs of both agree to this share."""

ENDS = frozenset(':：.!?。！？\n"”“»*>—–')
"""A phrase that stands before a text ends with one of these."""


EXACT = frozenset({"exact_match", "em"})
SOME = 0.1
"""A metric that asks for the very target is moved by phrases where so many responses are the target without them."""

TOLD_ELSEWHERE = ("```", *(opening for opening, _ in THOUGHTS))
"""What opens a fence or a thought is told as that."""


class PhrasePair(NamedTuple):
    """A response of the side that has the phrases, the other side's, and the target."""

    own: str
    other: str
    target: str


def shared_phrases(walk: Walk, paired: PairedScores) -> SharedPhrases | None:
    """Return the phrases that many responses of one side have and the other's have not; None where there are none."""
    if walk.kind != "generation" or not walk.filters or walk.texts.framed.explains(walk.texts.phrases.of):
        return None  # the rest is the other side's to the letter: that is told as such
    places: tuple[Place, ...] = ("begin", "end")
    for place in places:
        for side in SIDES:
            keys = walk.texts.phrases.keys_of(SIDES.index(side), place)
            if keys and (found := read_phrases(walk, paired, side, place, keys)):
                return found
    return None


def read_phrases(
    walk: Walk, paired: PairedScores, side: Side, place: Place, keys: Sequence[str]
) -> SharedPhrases | None:
    """Read responses again for the phrases that begin with these keys; None where the rest is no response by itself."""
    at_end = place == "end"
    looked = [turned(pair, at_end) for pair in spread_pairs(walk, side)]
    phrases = phrases_of([pair.own for pair in looked], [key[::-1] if at_end else key for key in keys], at_end)
    framed = [(pair, phrase) for pair in looked if (phrase := next(filter(pair.own.startswith, phrases), ""))]
    if len(framed) < max(FEWEST, MANY * len(looked)) or not rest_is_like(framed):
        return None
    own = other = of = 0
    for pair in all_pairs(walk, side):
        texts = turned(pair, at_end)
        own += texts.own.startswith(phrases)
        other += texts.other.startswith(phrases)
        of += 1
    if own < max(FEWEST, MANY * of) or RARELY * other > own:
        return None
    shown = tuple(phrase[::-1].strip() if at_end else phrase.strip() for phrase in phrases)
    if at_end and any(stop in phrase for stop in stops_of(walk) for phrase in shown):
        return None  # what goes on behind a stop string is told as that
    kept = filters_keeping(walk, side, phrases, at_end)
    exact = sum(plain_words(pair.own[len(phrase) :]) == plain_words(pair.target) for pair, phrase in framed)
    read = {
        (name, metric)
        for name, metric in (*paired.values, *paired.lists)
        if name in kept and reads_whole_text(metric) and (metric not in EXACT or exact >= SOME * len(framed))
    }
    if not read and own < MOST * of:
        return None
    return SharedPhrases(side, at_end, shown, own, of, other, tuple(sorted(read)))


def stops_of(walk: Walk) -> set[str]:
    """Return the stop strings that the first request of either side asks for."""
    pairs = walk.first_pairs
    lines = (*walk.a.lines(pairs.rows_a[:1]), *walk.b.lines(pairs.rows_b[:1]))
    return {stop.strip() for line in lines for stop in until_of(line)} - {""}


def turned(pair: PhrasePair, at_end: bool) -> PhrasePair:
    """Return the texts without white space around them; from their ends on where ends are looked at."""
    own, other, target = (text.strip() for text in pair)
    return PhrasePair(own[::-1], other[::-1], target[::-1]) if at_end else PhrasePair(own, other, target)


def phrases_of(texts: Sequence[str], keys: Sequence[str], at_end: bool) -> tuple[str, ...]:
    """Return what the texts that begin with each key share, most frequent first; a longer one of two alike goes."""
    counts: Counter[str] = Counter()
    for key in keys:
        alike = [text for text in texts if text.startswith(key)]
        phrase = common_beginning(alike, len(key), at_end) if len(alike) >= 2 else ""
        if phrase:
            counts[phrase] = sum(text.startswith(phrase) for text in texts)
    kept = [one for one in counts if not any(one != other and one.startswith(other) for other in counts)]
    return tuple(sorted(kept, key=lambda one: (-counts[one], one)))[:MOST_PHRASES]


def common_beginning(texts: Sequence[str], known: int, at_end: bool) -> str:
    """Return what most texts begin with, up to where a phrase may end; "" where it ends in the middle of a sentence."""
    size, alike = known, list(texts)
    while True:
        signs = Counter(text[size] for text in alike if len(text) > size)
        sign, number = signs.most_common(1)[0] if signs else ("", 0)
        if number < MOST_OF * len(texts):
            break
        alike = [text for text in alike if text[size : size + 1] == sign]
        size += 1
    shared = alike[0][:size]
    ends = [place for place, sign in enumerate(shared) if sign in ENDS]
    if not at_end:
        shared = shared[: ends[-1] + 1 if ends else 0]
    elif sum(number for sign, number in signs.items() if sign in ENDS) < MOST_OF * len(texts):
        # turned round, the phrase goes up to the end of the sentence before it
        shared = shared[: ends[-1] if ends else 0]
    return shared if len(shared.strip()) >= SHORTEST and not shared.startswith(TOLD_ELSEWHERE) else ""


def rest_is_like(framed: Sequence[tuple[PhrasePair, str]]) -> bool:
    """Say whether responses without their phrases are like the other side's, or the targets, and more so than with."""
    likes, nearer = [], 0
    for pair, phrase in framed:
        rest = pair.own[len(phrase) :].strip()
        like, against = max((likeness(rest, text), text) for text in (pair.other, pair.target))
        likes.append(like)
        nearer += like > likeness(pair.own, against)
    return middle(sorted(likes)) >= LIKE and nearer >= MOST_OF * len(framed)


def likeness(a: str, b: str) -> float:
    """Return how many groups of three signs two texts share, from 0 to 1 (Dice's coefficient)."""
    ours, theirs = (Counter(text[at : at + 3] for at in range(len(text) - 2)) for text in (a[:2000], b[:2000]))
    total = sum(ours.values()) + sum(theirs.values())
    return 2 * sum((ours & theirs).values()) / total if total else 0.0


def filters_keeping(walk: Walk, side: Side, phrases: tuple[str, ...], at_end: bool) -> set[str]:
    """Return the filters that leave the phrases where they are, and the other side's responses as they are."""
    found = set()
    for name, walked in walk.filters.items():
        log, rows = (walk.a, walked.pairs.rows_a) if side == "a" else (walk.b, walked.pairs.rows_b)
        beside, others = (walk.b, walked.pairs.rows_b) if side == "a" else (walk.a, walked.pairs.rows_a)
        texts = [(first_text(line.responses()), first_text(line.filtered())) for line in log.lines(spread(rows))]
        has = [filtered for text, filtered in texts if starts(text, phrases, at_end)]
        kept = sum(starts(filtered, phrases, at_end) for filtered in has)
        looked = list(beside.lines(spread(others)))
        whole = sum(first_text(line.responses()).strip() == first_text(line.filtered()).strip() for line in looked)
        if has and kept >= MOST_OF * len(has) and whole >= MOST_OF * len(looked):
            found.add(name)
    return found


def starts(text: str, phrases: tuple[str, ...], at_end: bool) -> bool:
    """Say whether a text begins with one of the phrases, or ends with one turned round."""
    bare = text.strip()
    return (bare[::-1] if at_end else bare).startswith(phrases)


def spread(rows: Sequence[int]) -> Sequence[int]:
    """Return the rows that are looked at, evenly over all."""
    return [rows[number * len(rows) // LOOKED_AT] for number in range(LOOKED_AT)] if len(rows) > LOOKED_AT else rows


def spread_pairs(walk: Walk, side: Side) -> Iterator[PhrasePair]:
    """Yield the texts of pairs spread over the first filter, those that differ."""
    pairs = walk.first_pairs
    found = text_pairs(walk.a, walk.b, spread(pairs.rows_a), spread(pairs.rows_b), side)
    return (pair for pair in found if pair.own != pair.other)


def all_pairs(walk: Walk, side: Side) -> Iterator[PhrasePair]:
    """Yield the texts of all pairs under the first filter."""
    pairs = walk.first_pairs
    return text_pairs(walk.a, walk.b, pairs.rows_a, pairs.rows_b, side)


def text_pairs(
    a: SampleLog, b: SampleLog, rows_a: Sequence[int], rows_b: Sequence[int], side: Side
) -> Iterator[PhrasePair]:
    """Yield the texts of some pairs, the side's own first."""
    for left, right in zip(a.lines(rows_a), b.lines(rows_b), strict=True):
        own, other = (left, right) if side == "a" else (right, left)
        target = own.target()
        yield PhrasePair(
            first_text(own.responses()), first_text(other.responses()), target if isinstance(target, str) else ""
        )


def phrase_findings(task: str, one: SharedPhrases | None) -> list[Finding]:
    """Return that many responses of one side begin or end with the same words."""
    if one is None:
        return []
    metrics = sorted({metric for _, metric in one.read})
    verb = "reads" if len(metrics) == 1 else "read"
    read = f", and {listed(metrics)} {verb} them with the rest" if metrics else ""
    text = f"{one.number} of {one.of} responses of {one.side.upper()} in {task} {phrase_clause(one)}"
    text += f", {'none' if not one.other else one.other} of the other side's do{read}."
    severity: Severity = "warning" if metrics else "note"
    return [Finding("answers_phrased", severity, text, one.side, task, one.number, one.of)]


def phrase_clause(one: SharedPhrases) -> str:
    """Return with which words responses begin or end."""
    verb, first = "end" if one.at_end else "begin", quoted_stretch(one.phrases[0], 0)
    few = f"one of {len(one.phrases)} same phrases ({first} and the like)" if len(one.phrases) > 1 else first
    return f"{verb} with {few}"
