"""What the walk over a task keeps of generated answers: what is wrong with each, how the two part, which are cut."""

from array import array

from diptych.diagnose.samples.answer_facts import AnswerShape
from diptych.diagnose.samples.answer_texts import first_text, is_nothing
from diptych.diagnose.samples.cut_responses import (
    CutLedger,
    LengthLedger,
    StopLedger,
    cut_is_shown,
    is_smaller,
    is_whole_word,
    until_of,
)
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.framed_responses import FramedTexts
from diptych.diagnose.samples.misplaced_responses import TELLING, MovedTexts, is_canned
from diptych.diagnose.samples.phrase_tally import PhraseTally
from diptych.diagnose.samples.recital_tally import RecitalTally
from diptych.diagnose.samples.responses import AnswerLedger, shown_faults
from diptych.diagnose.samples.sampled_places import is_sampled
from diptych.sample_log import Json, Line

MANY_DISTINCT = 1000
"""Different answers are counted up to here: more of them prove nothing more."""


class ResponseTally:
    """Collects the pairs of generated answers of one task; `limits`: the most tokens of each side by its settings.

    `parted` holds how many characters the two share first, `at_once` counts long ones that share none, `distinct` the
    hashes of equal ones, of which `telling` are too long to agree by chance; `cut_items` are the places of pairs of
    which an answer is cut, `broken_items` those of each side's answers with a fault that the other side's has not, by
    fault.
    """

    def __init__(self, limits: tuple[int | None, int | None]) -> None:
        self.limits = limits
        self.answers_a, self.answers_b = AnswerLedger(), AnswerLedger()
        self.cuts = CutLedger()
        self.cut_items: set[int] = set()
        self.broken_items: tuple[dict[str, set[int]], dict[str, set[int]]] = {}, {}
        self.parted = array("q")
        self.at_once = 0
        self.distinct: set[int] = set()
        self.telling = 0
        self.moved = MovedTexts()
        self.unfinished = 0
        self.framed = FramedTexts()
        self.phrases = PhraseTally()
        self.recited = RecitalTally()
        self.stopped = StopLedger(), StopLedger()
        self.lengths = LengthLedger(), LengthLedger()

    def add(self, walked: FilterTally, place: int, values: tuple[Json, Json], left: Line, right: Line) -> None:
        """Compare generated answers and note what is wrong with each."""
        item = walked.items[place]
        text_a, text_b = map(first_text, values)
        walked.same_raw[place] = same_texts(*values)
        budgets = self.budget(0, left), self.budget(1, right)
        ours = shown_faults(text_a, budgets[0], lambda: shows_cut(left, text_a, text_b, budgets[0]))
        theirs = (
            ours
            if left is right and budgets[0] == budgets[1]
            else shown_faults(text_b, budgets[1], lambda: shows_cut(right, text_b, text_a, budgets[1]))
        )
        self.answers_a.add(item, text_a, ours)
        self.answers_b.add(item, text_b, theirs)
        looked_at = is_sampled(place)
        if looked_at:
            self.recited.add(place, text_a, text_b, left)
        faults = ours, theirs
        thoughts = ["thinking_open" in found for found in faults]
        if any(thoughts) or any("cut" in found for found in faults):
            self.cut_items.add(place)
        for one, is_open in enumerate(thoughts):
            if is_open:
                self.stopped[one].add((text_a, text_b)[one], budgets[one], (left, right)[one])
        short = None
        if walked.same_raw[place]:
            self.cuts.add_equal(text_a, budgets)
        elif (side := self.cuts.add((text_a, text_b), budgets, (left, right))) is not None and not is_whole_word(
            (text_a, text_b)[side], target_of((left, right)[side]), budgets[side]
        ):
            self.cut_items.add(place)
            short = side
        for one, text in enumerate((text_a, text_b)):
            whole = walked.same_raw[place] and is_smaller(budgets[one], budgets[1 - one])
            self.lengths[one].add(
                place,
                text.strip(),
                "cut" in faults[one] or short == one,
                whole or ends_at_stop(text, (left, right)[one]),
            )
        if walked.same_raw[place]:
            self.telling += len(text_a) >= TELLING
            if len(self.distinct) < MANY_DISTINCT:
                self.distinct.add(hash(text_a))
        else:
            shared = shared_length(text_a, text_b)
            self.parted.append(shared)
            self.at_once += not shared and parts_at_once(text_a, text_b)
            begins = shared >= min(len(text_a.rstrip()), len(text_b.rstrip()))
            for one in (0, 1):
                for fault in (*faults[one], *(["cut"] if short == one else ())):
                    if fault not in faults[1 - one]:
                        self.broken_items[one].setdefault(fault, set()).add(place)
            spaced = self.framed.white_space
            one_text = self.framed.add(text_a, text_b)
            if self.framed.white_space == spaced:  # white space alone is no other end
                self.unfinished += begins or one_text or thoughts[0] != thoughts[1]
            self.moved.add_texts(place, text_a, text_b)
            if looked_at:
                self.phrases.add(text_a, text_b)

    def broken_alone(self) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
        """Return the places of each side's answers with a fault that the other side's have not, by fault."""
        repeated = [self.moved.repeated(side) for side in (0, 1)]
        for side in (0, 1):
            if is_canned(len(repeated[side]), self.answers_a.of, len(repeated[1 - side])):
                self.broken_items[side]["repeated"] = repeated[side]
        return self.broken_items

    def counted(self, side: int) -> tuple[AnswerLedger, int, bool]:
        """Return a side's answers, how many are truncated, and whether more of them may be."""
        lengths = self.lengths[side]
        return (self.answers_a, self.answers_b)[side], len(lengths.cut), bool(lengths.doubtful())

    def shape(self, side: int, extracted_nothing: int, right_but_not_extracted: int) -> AnswerShape:
        """Return what is wrong with a side's answers, as evidence."""
        lengths = self.lengths[side]
        ledger = (self.answers_a, self.answers_b)[side]
        made = ledger.shape(extracted_nothing, right_but_not_extracted, len(self.moved.repeated(side)))
        return made._replace(truncated=len(lengths.cut), doubtful=len(lengths.doubtful()))

    def budget(self, side: int, line: Line) -> int | None:
        """Return the most tokens that an answer of this side may have: from its request, else from the settings."""
        budget = line.budget()
        return self.limits[side] if budget is None else budget


def ends_at_stop(text: str, line: Line) -> bool:
    """Say whether a response ends with a stop string of its request, so that it is whole."""
    end = text.rstrip()
    return any(end.endswith(stop.strip()) for stop in until_of(line) if stop.strip())


def same_texts(a: Json, b: Json) -> bool:
    """Say whether two items were answered alike: an answer that is given several times is one answer."""
    return bool(a == b) or (first_text(a) == first_text(b) and different_answers(a) == different_answers(b))


def different_answers(value: Json) -> set[str]:
    """Return the different answers to an item."""
    return set().union(*map(different_answers, value)) if isinstance(value, list) else {first_text(value)}


def shows_cut(line: Line, text: str, other: str, budget: int | None) -> bool:
    """Say whether a line's item shows that its text was cut."""
    return cut_is_shown(text, other, target_of(line), budget, is_nothing(line.filtered()))


def target_of(line: Line) -> str:
    """Return a line's target where it is a text, else none."""
    target = line.target()
    return target if isinstance(target, str) else ""


def parts_at_once(a: str, b: str) -> bool:
    """Say whether two texts, each too long to agree by chance, have not even their first sign in common."""
    return min(len(a), len(b)) >= TELLING and a.lstrip()[:1] != b.lstrip()[:1]


def shared_length(a: str, b: str) -> int:
    """Return how many characters two answers share before they part."""
    limit = min(len(a), len(b))
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low
