"""What the walk over a task keeps of one filter: what it kept of each side's answers, picks and margins."""

from array import array
from collections.abc import Iterable

from diptych.diagnose.samples.answer_texts import first_text, form_of, holds_target, is_nothing
from diptych.diagnose.samples.item_names import ItemNames
from diptych.diagnose.samples.responses import is_empty
from diptych.diagnose.samples.row_pairs import Pairs
from diptych.logged_values import agree
from diptych.sample_log import Line

NAN = float("nan")


class FilterTally:
    """What the walk keeps of one filter: for each pair whether raw and filtered answers agree, picks and margins.

    `margins_*` are the leads of the chosen answer (NaN where there is none), `picks_*` the chosen answers (-1: none).
    `nothing_*` name the items whose filter found nothing in an answer that was not empty; `held_*` count those whose
    raw answer holds the right value; `lost_*` those for which the other side's filter did find something. Of `unlogged`
    pairs a side's log does not hold what the filter kept.
    """

    def __init__(self, pairs: Pairs, items: ItemNames) -> None:
        self.pairs, self.items = pairs, items
        self.moved = frozenset(pairs.reordered)
        size = len(items)
        self.same_raw, self.same_filtered, self.same_form = bytearray(size), bytearray(size), bytearray(size)
        self.margins_a, self.margins_b = array("d", [NAN]) * size, array("d", [NAN]) * size
        self.picks_a, self.picks_b = array("i", [-1]) * size, array("i", [-1]) * size
        self.nothing_a: list[str] = []
        self.nothing_b: list[str] = []
        self.held_a = self.held_b = self.lost_a = self.lost_b = self.unlogged = 0

    def compare(self, place: int, left: Line, right: Line, *, texts: bool) -> None:
        """Compare what the filter kept, and whether it kept anything."""
        same = left.identical_filtered(right)
        if not texts:
            self.same_filtered[place] = same or bool(self.same_raw[place]) or same_kept(left, right)
            self.same_form[place] = self.same_filtered[place]
            return
        if same and not left.may_be_nothing():
            self.same_filtered[place] = self.same_form[place] = True
            return
        value_a, value_b = left.filtered(), right.filtered()
        if value_a is None or value_b is None:
            self.unlogged += 1
            self.same_filtered[place] = self.same_form[place] = True
            return
        self.same_filtered[place] = same or agree(value_a, value_b)
        form_a, form_b = form_of(value_a), form_of(value_b)
        self.same_form[place] = form_a == form_b and (bool(form_a) or bool(self.same_filtered[place]))
        nothing_a, nothing_b = is_nothing(value_a), is_nothing(value_b)
        if nothing_a and noted(self.nothing_a, self.items[place], left):
            self.held_a += holds_right(left)
            self.lost_a += not nothing_b
        if nothing_b and noted(self.nothing_b, self.items[place], right):
            self.held_b += holds_right(right)
            self.lost_b += not nothing_a

    def differing(self) -> Iterable[int]:
        """Return the places of pairs whose filtered answers differ."""
        return [place for place, same in enumerate(self.same_filtered) if not same]


def same_kept(left: Line, right: Line) -> bool:
    """Say whether the filter kept the same of two answers that differ: not where it kept each of them whole."""
    return not (left.kept_whole() and right.kept_whole()) and left.same_filtered(right)


def noted(items: list[str], item: str, line: Line) -> bool:
    """Keep the name of an item in whose answer, which is not empty, the filter found nothing."""
    if is_empty(first_text(line.responses())):
        return False
    items.append(item)
    return True


def holds_right(line: Line) -> bool:
    """Say whether a line's raw answer holds its target."""
    return holds_target(first_text(line.responses()), line.target())
