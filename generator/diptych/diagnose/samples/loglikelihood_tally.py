"""What the walk over a task keeps of log-likelihoods: how far each item's moved, its picks and leads."""

from array import array
from collections import Counter
from collections.abc import Sequence
from math import isfinite

from diptych.diagnose.samples.filter_tally import NAN, FilterTally
from diptych.diagnose.samples.questions import in_order_of
from diptych.diagnose.samples.response_tally import MANY_DISTINCT
from diptych.logged_values import Fault, LoglikelihoodCheck
from diptych.sample_log import Line
from diptych.sides import SIDES, Side, Sided


class LoglikelihoodTally:
    """Collects the pairs of log-likelihoods of one task. `picked`: they are of choices, `halves`: each asked twice.

    `changes` holds the largest move of each item, `sizes` the largest log-likelihood beside it; `raised`, `lowered`
    count items of which all went one way; `chance` sums what guessing would give. `boundless` counts items that
    moved to or from what is no finite number, which stand in no `changes`; `unmeasured` counts each side's items
    whose log-likelihoods are no measurement, by what they are instead; `damaged` holds the place of the first of those
    that cannot be read, and what stands there.
    """

    def __init__(self) -> None:
        self.learn(picked=False, halves=False)
        self.changes, self.sizes = array("d"), array("d")
        self.raised = self.lowered = 0
        self.distinct: set[int] = set()
        self.chance, self.boundless = 0.0, 0
        self.unmeasured: Sided[Counter[str]] = Sided(Counter(), Counter())
        self.damaged: Sided[dict[int, str]] = Sided({}, {})

    def learn(self, *, picked: bool, halves: bool) -> None:
        """Learn of what the log-likelihoods are, before the first is added."""
        self.picked, self.halves = picked, halves
        self.check = LoglikelihoodCheck(lone=not picked)

    def add(self, walked: FilterTally, place: int, left: Line, right: Line) -> None:
        """Compare log-likelihoods: the largest change, the chosen answers and their leads."""
        if left.identical_responses(right):
            self.count_fault(place, self.check.fault(left), *SIDES)
            # no change, and nothing that moved: neither pick nor lead will be asked for
            self.count_same(walked, place, left, left.response_count())
            return
        a, b = left.log_likelihoods(), right.log_likelihoods()
        look = self.check.fault_of_numbers if len(a) == len(b) else self.check.looked_at
        self.count_fault(place, look(left, a), "a")
        self.count_fault(place, look(right, b), "b")
        asked: Sequence[float] = range(len(b))  # where the right side asks for each choice of the left one
        own = b
        if place in walked.moved:
            asked, b = in_order_of(left, right, asked), in_order_of(left, right, b)
        if a == b:
            self.count_same(walked, place, left, len(a))
            return
        if self.halves:
            a, b = a[: len(a) // 2], b[: len(b) // 2]
        walked.picks_a[place], walked.margins_a[place] = likeliest_choice(a)
        picked, walked.margins_b[place] = likeliest_choice(own[: len(b)])
        # of several that are best a side picks its own first
        walked.picks_b[place] = list(asked).index(picked) if picked in asked else picked
        self.count_choices(len(a))
        if len(a) == len(b) and a:
            self.count_moves(a, b)

    def count_moves(self, a: Sequence[float], b: Sequence[float]) -> None:
        """Count how far an item's log-likelihoods moved, and whether all of them went one way."""
        moves = sorted(map(move, a, b))
        if not all(map(isfinite, moves)):
            self.boundless += 1
            return
        lowest, highest = moves[0], moves[-1]
        self.changes.append(highest if highest > -lowest else -lowest)
        self.sizes.append(-min(filter(isfinite, a), default=0.0))
        if lowest > 0:
            self.raised += 1
        elif highest < 0:
            self.lowered += 1

    def count_fault(self, place: int, fault: Fault | None, *sides: Side) -> None:
        """Count an item on the sides whose log-likelihoods have a fault; the first damaged one is kept by place."""
        for side in sides if fault else ():
            assert fault is not None
            self.unmeasured.of(side)[fault.what] += 1
            if fault.damage and not self.damaged.of(side):
                self.damaged.of(side)[place] = fault.damage

    def count_same(self, walked: FilterTally, place: int, line: Line, choices: int) -> None:
        """Count an item whose log-likelihoods are the same on both sides."""
        walked.same_raw[place] = True
        self.changes.append(0.0)
        self.sizes.append(0.0)
        self.count_choices(choices // 2 if self.halves else choices)
        if len(self.distinct) < MANY_DISTINCT:
            self.distinct.add(line.response_hash())

    def count_choices(self, choices: int) -> None:
        """Add what guessing among the choices of an item would give."""
        if self.picked and choices > 1:
            self.chance += 1 / choices


def move(a: float, b: float) -> float:
    """Return how far a log-likelihood moved; two that are equally no number did not."""
    return 0.0 if a == b or (a != a and b != b) else b - a


def likeliest_choice(numbers: Sequence[float]) -> tuple[int, float]:
    """Return the likeliest answer and its lead over the next (NaN where either is no number).

    Of what is no number the first is picked, as the harness does (`numpy.argmax`).
    """
    if len(numbers) < 2:
        return -1, NAN
    for place, number in enumerate(numbers):
        if number != number:
            return place, NAN
    ordered = sorted(numbers)
    best, lead = ordered[-1], ordered[-1] - ordered[-2]
    return numbers.index(best), lead if isfinite(lead) else NAN
