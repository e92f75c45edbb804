"""The texts of the most telling flips, read back where they stand, and kept within a budget."""

import math
from collections.abc import Iterable, Mapping, Sequence

from diptych.bounded_json import whole_number
from diptych.comparison import Flip, FlipSide, LeftOut
from diptych.diagnose.options import Options
from diptych.diagnose.samples.answer_texts import first_text
from diptych.diagnose.samples.changed_items import MISSING_SHOWN, Candidate, Outcomes, by_class, most_telling
from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Json, Line, SampleLog

LONGEST_PROMPT = 20_000
SHORTEST_PROMPT = 1_500
BUDGET = 4_000_000
"""Characters: a prompt is whole up to the first, never folded below the second; all flips keep to the third."""

Logs = Mapping[str, tuple[SampleLog, SampleLog]]
Place = tuple[str, str, int]
"""Task, side, row."""


class Texts(NamedTuple):
    """What is kept of a line: its prompt of `length` characters (long ones folded), its answer, what was extracted."""

    prompt: str
    length: int
    response: str | None
    filtered: str | None
    target: str | None
    choices: tuple[str, ...]
    loglikelihoods: tuple[float | None, ...] = ()


def read_back(
    found: Sequence[Outcomes], logs: Logs, kinds: Mapping[str, str], options: Options
) -> tuple[tuple[Flip, ...], list[LeftOut]]:
    """Return the most telling flips with their texts, at most `options.flips`, and what was left out.

    Nothing of both where no texts are wanted.
    """
    if not options.texts:
        return (), []
    chosen = most_telling(found, options.flips)
    texts = flip_texts(chosen, logs, kinds)
    limit = prompt_limit(texts.values())
    flips = tuple(flip_of(candidate, texts, limit) for candidate in by_class(chosen))
    return flips, [*unlisted(found, chosen, options.flips), *folded_prompts(texts.values(), limit)]


def unlisted(found: Sequence[Outcomes], chosen: Sequence[Candidate], most: int) -> list[LeftOut]:
    """Return how many flips are counted but not listed."""
    every = [candidate for outcome in found for candidate in outcome.candidates]
    unseen = len(every) - len(chosen)
    alone = one_sided_count(every) - one_sided_count(chosen)
    left_out = []
    if alone:
        why = f"at most {MISSING_SHOWN} a task are listed; all are counted"
        left_out.append(LeftOut("items of one side only, not listed", alone, why))
    if unseen > alone:
        why = f"at most {most} are listed with their texts, the most telling first; all are counted"
        left_out.append(LeftOut("changed items not listed", unseen - alone, why))
    return left_out


def one_sided_count(flips: Sequence[Candidate]) -> int:
    """Return how many flips are items of one side only."""
    return sum(flip.class_ == "one_side_missing" for flip in flips)


def folded_prompts(texts: Iterable[Texts], limit: int) -> list[LeftOut]:
    """Return how many prompts are not whole."""
    count = sum(text.length > limit for text in texts)
    why = f"prompts are whole up to {limit} characters; of longer ones the middle is folded, with its length"
    return [LeftOut("prompts folded in flips", count, why)] if count else []


def flip_texts(chosen: Sequence[Candidate], logs: Logs, kinds: Mapping[str, str]) -> dict[Place, Texts]:
    """Return the texts of the chosen flips, read back in row order."""
    wanted: dict[tuple[str, str], set[int]] = {}
    for flip in chosen:
        for side, row in (("a", flip.row_a), ("b", flip.row_b)):
            if row is not None:
                wanted.setdefault((flip.task, side), set()).add(row)
    found = {}
    for (task, side), rows in wanted.items():
        ordered = sorted(rows)
        for row, line in zip(ordered, logs[task][side == "b"].lines(ordered), strict=True):
            found[task, side, row] = texts_of_line(line, kinds[task])
    return found


def texts_of_line(line: Line, kind: str) -> Texts:
    """Return the texts of one line; for choices the answer lists all, and the likeliest one is what was extracted."""
    requests = line.requests()
    prompt = requests[0].context if requests else ""
    choices = tuple((request.continuation or "").strip() for request in requests) if kind == "choices" else ()
    likelihoods = likelihoods_in(line, choices)
    response, filtered = answers_in(likelihoods, choices) if kind == "choices" else answer_and_extract(line)
    target = target_text(line.target(), choices)
    told = tuple(value if math.isfinite(value) else None for value in likelihoods)
    return Texts(middle_folded(prompt, LONGEST_PROMPT), len(prompt), response, filtered, target, choices, told)


def answer_and_extract(line: Line) -> tuple[str, str]:
    """Return a generated answer and what was extracted from it."""
    texts = map(first_text, (line.responses(), line.filtered()))
    response, filtered = (middle_folded(text, LONGEST_PROMPT) for text in texts)
    return response, filtered


def likelihoods_in(line: Line, choices: tuple[str, ...]) -> list[float]:
    """Return the log-likelihood of each choice, nothing where there are none."""
    entries = line.responses() if choices else None
    return [likelihood(entry) for entry in entries[: len(choices)]] if isinstance(entries, list) else []


def answers_in(numbers: Sequence[float], choices: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return all choices with their log-likelihoods, and the likeliest."""
    if len(choices) < 2 or not numbers:
        return (f"{number_text(numbers[0])}  {choices[0]}" if numbers and choices else None), None
    lines = (f"{number_text(value)}  {choice}" for value, choice in zip(numbers, choices, strict=False))
    return middle_folded("\n".join(lines), LONGEST_PROMPT), choices[list(numbers).index(max(numbers))]


def number_text(value: float) -> str:
    """Return a log-likelihood as text."""
    return f"{value:.4f}" if math.isfinite(value) else "not a number"


def likelihood(entry: Json) -> float:
    """Return the log-likelihood of one logged response; what is none counts as least likely."""
    while isinstance(entry, list) and entry:
        entry = entry[0]
    try:
        found = float(entry)
    except (TypeError, ValueError):
        return -math.inf
    return -math.inf if math.isnan(found) else found


def target_text(target: Json, choices: tuple[str, ...]) -> str | None:
    """Return the right answer as text: for choices the choice that the target numbers."""
    place = whole_number(str(target))
    if place is not None and place < len(choices):
        return choices[place] or str(target)
    return None if target is None else middle_folded(target if isinstance(target, str) else str(target), LONGEST_PROMPT)


def prompt_limit(texts: Iterable[Texts]) -> int:
    """Return the length up to which prompts stay whole, so that all flips keep to their budget."""
    lengths = [len(text.prompt) for text in texts]
    if sum(lengths) <= BUDGET:
        return LONGEST_PROMPT
    return max(SHORTEST_PROMPT, BUDGET // len(lengths))


def flip_of(found: Candidate, texts: Mapping[Place, Texts], limit: int) -> Flip:
    """Return a changed item with both sides' texts, each folded to `limit` characters; a side without a row is None."""
    left = None if found.row_a is None else texts[found.task, "a", found.row_a]
    right = None if found.row_b is None else texts[found.task, "b", found.row_b]
    known = left or right
    return Flip(
        task=found.task,
        filter=found.filter,
        item=found.item,
        class_=found.class_,
        target=known.target if known else None,
        a=flip_side(left, found.score_a, limit) if left else None,
        b=flip_side(right, found.score_b, limit) if right else None,
        margin_a=found.margin_a,
        margin_b=found.margin_b,
        metric=found.metric,
    )


def flip_side(texts: Texts, score: float | None, limit: int) -> FlipSide:
    """Return the texts, score and log-likelihoods of one side, its prompt folded to `limit` characters."""
    prompt = refolded(texts.prompt, texts.length, limit)
    return FlipSide(prompt, texts.response, texts.filtered, score, texts.choices, texts.loglikelihoods)


def middle_folded(text: str, limit: int) -> str:
    """Return a text whole up to `limit` characters, else with its middle folded and the length of it stated."""
    return refolded(text, len(text), limit)


def refolded(text: str, length: int, limit: int) -> str:
    """Return a text of `length` characters, of which both ends are at hand, folded to `limit`."""
    if len(text) <= limit or limit >= length:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {length - 2 * half} characters left out …]\n{text[-half:]}"
