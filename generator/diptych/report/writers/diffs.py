"""Where two texts differ, at word grain, at a cost that the worst pair of prompts cannot run away with.

The common beginning and end go first, by bisecting slices. What is left is anchored on lines, then on sentences, that
occur once on each side; only between two anchors are words compared, and only while a fixed budget of comparisons
lasts. After that a stretch is said to differ as a whole: a reader looks at the first differences, not at all of them.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from diptych.fast_named_tuple import NamedTuple

WORD_BUDGET = 24_000
"""Word comparisons that one pair of texts may cost, over all its stretches."""

STRETCH_LIMIT = 4_000
"""Word comparisons that one stretch may cost; a larger one is anchored on words that occur once."""

WORDS_SPAN = 30_000
"""Characters on both sides up to which a stretch is looked at by its words."""

TOKEN_LIMIT = 12_000
"""Lines from which on a stretch is said to differ as a whole."""

SNAP = 40
"""How far back a difference inside a word is widened to the word's beginning."""

LINES = re.compile(r"[^\n]*\n|[^\n]+")
SENTENCES = re.compile(r"[^.!?:;\n]+[.!?:;\n]*|[.!?:;\n]+")
WORDS = re.compile(r"\w+|\s|[^\w\s]")


class Piece(NamedTuple):
    """A stretch of both texts: equal on both sides (`a` is `b`), or one side's own beside the other's."""

    equal: bool
    a: str
    b: str


def diff_pieces(a: str, b: str) -> tuple[Piece, ...]:
    """Return two texts as pieces in order; joined by side they are the texts again."""
    return tuple(merged_pieces(Differ().pieces(a, b, 0)))


def common_start(a: str, b: str) -> int:
    """Return the length of the common beginning, by comparing slices of halving size."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_end(a: str, b: str, limit: int) -> int:
    """Return the length of the common end, at most `limit`."""
    low, high = 0, limit + 1
    while high - low > 1:
        middle = (low + high) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle
    return low


def parting(a: str, b: str) -> int | None:
    """Return the place where two texts part, at the beginning of a word, or None where they are equal."""
    return None if a == b else snapped_start(a, b, common_start(a, b))


def snapped_start(a: str, b: str, place: int) -> int:
    """Return a place moved back to where its word begins."""
    for back in range(place, max(place - SNAP, 0), -1):
        if not a[back - 1].isalnum() or not (a[back : back + 1].isalnum() or b[back : back + 1].isalnum()):
            return back
    return 0 if place <= SNAP else place


def snapped_end(a: str, b: str, length: int) -> int:
    """Return the length of a common end moved forward to where its first word ends."""
    for kept in range(length, max(length - SNAP, 0), -1):
        before_a, before_b = a[len(a) - kept - 1 : len(a) - kept], b[len(b) - kept - 1 : len(b) - kept]
        if not a[len(a) - kept].isalnum() or not (before_a.isalnum() or before_b.isalnum()):
            return kept
    return 0 if length <= SNAP else length


class Differ:
    """One comparison of two texts, with what is left of its budget."""

    def __init__(self) -> None:
        self.budget = WORD_BUDGET

    def pieces(self, a: str, b: str, grain: int) -> Iterator[Piece]:
        """Yield the pieces of two stretches; `grain` is the place in GRAINS to go on with."""
        start = snapped_start(a, b, common_start(a, b)) if a != b else len(a)
        if start:
            yield Piece(True, a[:start], a[:start])
            a, b = a[start:], b[start:]
        end = snapped_end(a, b, common_end(a, b, min(len(a), len(b))))
        yield from self.inner(a[: len(a) - end], b[: len(b) - end], grain)
        if end:
            yield Piece(True, a[len(a) - end :], a[len(a) - end :])

    def inner(self, a: str, b: str, grain: int) -> Iterator[Piece]:
        """Yield the pieces of two stretches that share neither beginning nor end."""
        if not a or not b or grain == len(GRAINS):
            if a or b:
                yield Piece(False, a, b)
        elif grain == 0 and (a in b or b in a):
            yield from surrounded(a, b)  # one text put into another, as a chat template does
        elif grain == len(GRAINS) - 1:
            yield from self.words(a, b)
        elif max(a.count("\n"), b.count("\n")) > TOKEN_LIMIT:
            yield Piece(False, a, b)
        else:
            yield from self.between_anchors(GRAINS[grain].findall(a), GRAINS[grain].findall(b), grain)

    def words(self, a: str, b: str) -> Iterator[Piece]:
        """Yield the pieces of two stretches by their words, or one change where that would cost too much."""
        if len(a) + len(b) > min(WORDS_SPAN, self.budget):
            yield Piece(False, a, b)
            return
        left, right = WORDS.findall(a), WORDS.findall(b)
        self.budget -= min(len(left) * len(right), STRETCH_LIMIT)
        if len(left) * len(right) <= STRETCH_LIMIT:
            yield from compared_words(left, right)
        else:
            yield from self.between_anchors(left, right, len(GRAINS) - 1)

    def between_anchors(self, left: list[str], right: list[str], grain: int) -> Iterator[Piece]:
        """Yield the pieces of two lists of tokens: what stands between anchors goes on to the next grain."""
        i = j = 0
        for at_left, at_right in (*anchored(left, right), (len(left), len(right))):
            yield from self.gap("".join(left[i:at_left]), "".join(right[j:at_right]), grain + 1)
            if at_left < len(left):
                yield Piece(True, left[at_left], left[at_left])
            i, j = at_left + 1, at_right + 1

    def gap(self, a: str, b: str, grain: int) -> Iterator[Piece]:
        """Yield the pieces between two anchors."""
        if a and b:
            yield from self.pieces(a, b, grain)
        elif a or b:
            yield Piece(False, a, b)


GRAINS = (LINES, SENTENCES, WORDS)


def surrounded(a: str, b: str) -> Iterator[Piece]:
    """Yield the pieces of two texts of which one holds the other."""
    if a in b:
        place = b.index(a)
        yield from (Piece(False, "", b[:place]), Piece(True, a, a), Piece(False, "", b[place + len(a) :]))
    else:
        place = a.index(b)
        yield from (Piece(False, a[:place], ""), Piece(True, b, b), Piece(False, a[place + len(b) :], ""))


def anchored(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """Return places of tokens that occur once on each side, the longest chain that runs forward on both."""
    shared = set(left) & set(right)
    if not shared:
        return []
    once_left, once_right = places_of_single(left, shared), places_of_single(right, shared)
    return longest_rising([(place, once_right[token]) for token, place in once_left.items() if token in once_right])


def places_of_single(tokens: list[str], wanted: set[str]) -> dict[str, int]:
    """Return the place of each wanted token that occurs once, in order; blank ones are no anchor."""
    counts = Counter(tokens)
    return {
        token: place
        for place, token in enumerate(tokens)
        if token in wanted and counts[token] == 1 and not token.isspace()
    }


def longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs (first places rising) whose second places rise too."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        pile = bisect_left(tops, second)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(second)
            ends.append(number)
        else:
            tops[pile], ends[pile] = second, number
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def compared_words(left: list[str], right: list[str]) -> Iterator[Piece]:
    """Yield the pieces of two short lists of words."""
    from difflib import SequenceMatcher  # only where words are compared

    for kind, i, i_end, j, j_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield Piece(kind == "equal", "".join(left[i:i_end]), "".join(right[j:j_end]))


def merged_pieces(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Yield pieces with neighbours of one kind joined, and a lone blank or mark between two changes taken into them."""
    held: list[Piece] = []
    for piece in pieces:
        if not piece.a and not piece.b:
            continue
        if held and held[-1].equal == piece.equal:
            held[-1] = joined_pieces(held[-1], piece)
        elif len(held) > 1 and not piece.equal and is_slight(held[-1]):
            held[-2:] = [joined_pieces(joined_pieces(held[-2], held[-1]), piece)]
        else:
            held.append(piece)
    yield from held


def joined_pieces(first: Piece, second: Piece) -> Piece:
    """Return two neighbouring pieces as one, of the kind of the first."""
    return Piece(first.equal, first.a + second.a, first.b + second.b)


def is_slight(piece: Piece) -> bool:
    """Say whether an equal piece is too little to stand between two changes."""
    return piece.equal and len(piece.a) <= 2 and not any(character.isalnum() for character in piece.a)


BLANKS = {" ": "·", "\t": "→\t", "\n": "↵\n", "\r": "␍", "\u00a0": "⍽"}
ODD = re.compile(r"[^\x20-\x7e\n\t]")


def white_space_shown(text: str) -> str:
    """Return text with its white space made visible ("·" space, "→" tab, "↵" line end, "⍽" no-break space)."""
    return "".join(BLANKS.get(character) or odd_shown(character) for character in text)


def hidden_shown(text: str) -> str:
    """Return text with what a reader cannot see made visible; plain spaces, tabs and line ends stay."""
    return ODD.sub(lambda found: BLANKS.get(found[0]) or odd_shown(found[0]), text)


def odd_shown(character: str) -> str:
    """Return a character, or its number in brackets where it shows nothing or only a gap."""
    from diptych.report.writers.harmless import is_hidden_character

    if is_hidden_character(character) or (character.isspace() and character not in " \n\t"):
        return f"⟦{ord(character):04X}⟧"
    return character


def changed_shown(own: str, other: str) -> str:
    """Return one side of a change with the white space visible that may be the difference.

    Where both sides hold the same words all of it is shown, else only what stands at the change's edges.
    """
    if own.split() == other.split() or not own.strip():
        return white_space_shown(own)
    start = len(own) - len(own.lstrip())
    end = len(own.rstrip())
    return white_space_shown(own[:start]) + hidden_shown(own[start:end]) + white_space_shown(own[end:])
