"""Edit distance with block moves: how many words to insert, delete, change or move to make one text of another.

The greedy search and its limits are Tercom's (Snover et al. 2006), since TER is defined by what that program finds.
"""

from collections.abc import Iterator, Sequence

from diptych.fast_named_tuple import NamedTuple

LONGEST_MOVE = 10
FARTHEST_MOVE = 50
MOST_CANDIDATES = 1_000

KEEP, CHANGE, DROP, ADD = range(4)


class Alignment(NamedTuple):
    """For each reference word the place in the text it stands at, and which words on each side are wrong."""

    place: dict[int, int]
    text_wrong: list[bool]
    reference_wrong: list[bool]


def fewest_edits(text: Sequence[str], reference: Sequence[str]) -> int:
    """Return the number of edits, a move of a block of words counting one."""
    if not reference:
        return len(text)
    words, moves, tried = list(text), 0, 0
    while True:
        distance, steps = _distance(words, reference)
        if distance == 0:
            return moves
        gain, moved, tried = _best_move(words, reference, distance, _aligned(steps), tried)
        if gain <= 0 or tried >= MOST_CANDIDATES:
            return moves + distance
        words, moves = moved, moves + 1


def _distance(words: Sequence[str], reference: Sequence[str]) -> tuple[int, list[int]]:
    """Return Levenshtein's distance and its steps; of equal ways a change comes first, then a dropped word."""
    width = len(reference) + 1
    row = list(range(width))
    ways = [[ADD] * width]
    for at, word in enumerate(words, 1):
        above, row, way = row, [at] * width, [DROP] * width
        for column in range(1, width):
            same = word == reference[column - 1]
            best, step = above[column - 1] + (not same), KEEP if same else CHANGE
            if above[column] + 1 < best:
                best, step = above[column] + 1, DROP
            if row[column - 1] + 1 < best:
                best, step = row[column - 1] + 1, ADD
            row[column], way[column] = best, step
        ways.append(way)
    return row[-1], _walk(ways, len(words), width - 1)


def _walk(ways: list[list[int]], at: int, column: int) -> list[int]:
    """Return the steps from the start, read backwards from the end of the table."""
    steps = []
    while at or column:
        step = ways[at][column]
        steps.append(step)
        at -= step != ADD
        column -= step != DROP
    return steps[::-1]


def _aligned(steps: Sequence[int]) -> Alignment:
    found = Alignment({}, [], [])
    in_text = in_reference = -1
    for step in steps:
        in_text += step != ADD
        if step != ADD:
            found.text_wrong.append(step != KEEP)
        if step != DROP:
            in_reference += 1
            found.reference_wrong.append(step != KEEP)
            found.place[in_reference] = in_text
    return found


def _shared_blocks(words: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield (start in the text, start in the reference, length) of every equal block within reach."""
    for start in range(len(words)):
        for target in range(max(0, start - FARTHEST_MOVE), min(len(reference), start + FARTHEST_MOVE + 1)):
            most = min(LONGEST_MOVE, len(words) - start, len(reference) - target)
            for length in range(1, most + 1):
                if words[start + length - 1] != reference[target + length - 1]:
                    break
                yield start, target, length


def _targets(aligned: Alignment, target: int, length: int) -> Iterator[int]:
    """Yield the places in the text before which a block could go, each once in a row."""
    last = -1
    for offset in range(-1, length):
        if target + offset >= 0 and target + offset not in aligned.place:
            return
        to = 0 if target + offset < 0 else aligned.place[target + offset] + 1
        if to != last:
            yield to
        last = to


def _moved(words: list[str], start: int, length: int, to: int) -> list[str]:
    block, rest = words[start : start + length], words[:start] + words[start + length :]
    # behind its own end a place is counted without the block; inside it the block slides on by as much
    at = to if to < start else to - length if to > start + length else to
    return rest[:at] + block + rest[at:]


def _best_move(
    words: list[str], reference: Sequence[str], distance: int, aligned: Alignment, tried: int
) -> tuple[int, list[str], int]:
    """Return the gain of the best single move, the text after it, and how many moves were tried so far."""
    best: tuple[int, int, int, int, list[str]] | None = None
    for start, target, length in _shared_blocks(words, reference):
        if not any(aligned.text_wrong[start : start + length]):
            continue
        if not any(aligned.reference_wrong[target : target + length]):
            continue
        if start <= aligned.place[target] < start + length:
            continue
        for to in _targets(aligned, target, length):
            moved = _moved(words, start, length, to)
            candidate = (distance - _distance(moved, reference)[0], length, -start, -to, moved)
            tried += 1
            if best is None or candidate > best:
                best = candidate
        if tried >= MOST_CANDIDATES:
            break
    return (best[0], best[4], tried) if best else (0, words, tried)
