"""One walk over the shared items of a task: each rung of the ladder, cheapest comparison first.

Raw bytes are compared; only what is not the same there is decoded. Nothing is kept but counts, a few numbers an item,
and the names of the first items.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import NamedTuple

from diptych.comparison import STEPS, Ladder, Rung, Step
from diptych.diagnose.samples.cuts import CutLedger, cut_is_shown, is_whole_word
from diptych.diagnose.samples.evidence import RetargetedFacts
from diptych.diagnose.samples.held_log import HeldLine, kept_whole
from diptych.diagnose.samples.item_names import ItemNames
from diptych.diagnose.samples.logged_values import (
    NAN,
    agree,
    budget_pattern,
    canonical,
    choice_of,
    decoded,
    differing_arguments,
    first_text,
    form_of,
    may_be_nothing,
    numbers_in,
    parting,
    same_json,
    stripped,
)
from diptych.diagnose.samples.pairing import WIDTH, Alignment, Pairs, kept_pairs
from diptych.diagnose.samples.prompt_cache import KnownEdits, Sent, around_of, is_too_long, outline
from diptych.diagnose.samples.prompts import PromptLedger
from diptych.diagnose.samples.questions import in_order_of
from diptych.diagnose.samples.responses import AnswerLedger, holds_target, is_empty, is_nothing
from diptych.diagnose.samples.start_tokens import StartCounter, start_of
from diptych.run import Json, Line, Request, SampleLog

TELLING = 40
"""Characters from which an answer that two models share to the letter is no chance; shorter ones may both be right."""

MANY_DISTINCT = 1000
"""Different answers are counted up to here: more of them prove nothing more."""


class FilterWalk:
    """What the walk keeps of one filter: for each pair whether raw and filtered answers agree, picks and margins.

    `margins_*` are the leads of the chosen answer (NaN where there is none), `picks_*` the chosen answers (-1: none).
    `nothing_*` name the items whose filter found nothing in an answer that was not empty; `held_*` count those whose
    raw answer holds the right value; `lost_*` those for which the other side's filter did find something.
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
        self.held_a = self.held_b = self.lost_a = self.lost_b = 0


class Limits(NamedTuple):
    """By side: the most tokens an answer may have, and a whole prompt; None where the settings do not say."""

    answers: tuple[int | None, int | None] = (None, None)
    prompts: tuple[int | None, int | None] = (None, None)


NO_LIMITS = Limits()

ASKED: Mapping[str, Step] = {"choices": "choices", "generation": "generation_arguments"}
"""The step at which requests of a kind may differ beside their prompts."""


class Walk:
    """The walk over one task. `filters` holds its finds by filter; `ladder()` tells the rungs."""

    def __init__(self, a: SampleLog, b: SampleLog, alignment: Alignment, limits: Limits = NO_LIMITS) -> None:
        self.a, self.b, self.limits = a, b, limits
        self.bounded = limits.prompts != NO_LIMITS.prompts
        self.kind = "generation"
        self.asked: Step | None = "generation_arguments"
        self.halves = self.drawn = False
        self.longest = 0
        self.prompts = PromptLedger()
        self.known = KnownEdits()
        self.different = dict.fromkeys(STEPS, 0)
        self.compared = dict.fromkeys(STEPS, 0)
        self.first: dict[str, str] = {}
        self.arguments: dict[str, int] = {}
        self.spaced_choices = 0
        self.answers_a, self.answers_b = AnswerLedger(), AnswerLedger()
        self.cuts = CutLedger()
        self.cut_items: set[int] = set()
        self.reordered = self.raised = self.lowered = 0
        self.retargeted = RetargetedFacts()
        self.starts = (StartCounter(), StartCounter())
        self.messages = [0, 0]
        self.too_long: tuple[list[str], list[str]] = ([], [])
        self.changes, self.sizes, self.parted = array("d"), array("d"), array("q")
        self.distinct: set[int] = set()
        self.telling = 0
        self.chance = 0.0
        self.unreadable: list[str] = []
        self.filters: dict[str, FilterWalk] = {}
        self.documents: list[str] = []
        self.targets: list[str] = []
        self.walk(alignment)

    def walk(self, alignment: Alignment) -> None:
        """Walk the first filter whole, and what is left to compare under the others."""
        for place, pairs in enumerate(alignment.filters):
            pairs = self.with_known_documents(pairs, first=not place)
            names = ItemNames(self.a.columns.doc_ids, pairs.rows_a)
            walked = FilterWalk(pairs, names)
            self.filters[pairs.filter] = walked
            if not place:
                self.count_documents(pairs, names)
            self.walk_filter(walked, first=not place)
        self.count_filtered_and_scores()

    def walk_filter(self, walked: FilterWalk, first: bool) -> None:
        """Read the lines of both logs side by side, once."""
        pairs = walked.pairs
        lines = zip(self.a.lines(pairs.rows_a), self.b.lines(pairs.rows_b), strict=True)
        for place, (left, right) in enumerate(lines):
            right.follow(left.line if isinstance(left, HeldLine) else left)
            if first:
                if not place:
                    self.look_at(left.requests())
                self.compare_requests(walked, place, left, right)
                self.compare_responses(walked, place, left, right)
            else:
                walked.same_raw[place] = same_json(left.responses, right.responses)
            self.compare_filtered(walked, place, left, right)

    def with_known_documents(self, pairs: Pairs, first: bool) -> Pairs:
        """Return the pairs whose documents agree: where hashes are missing, their contents are compared."""
        if not unhashed(self.a, pairs.rows_a) and not unhashed(self.b, pairs.rows_b):
            return pairs
        keep = []
        lines = zip(self.a.lines(pairs.rows_a), self.b.lines(pairs.rows_b), strict=True)
        for place, (left, right) in enumerate(lines):
            document = same_json(left.doc, right.doc)
            target = same_json(left.target, right.target)
            keep.append(document and target)
            if first and not keep[-1]:
                name = str(self.a.columns.doc_ids[pairs.rows_a[place]])
                (self.targets if document else self.documents).append(name)
        return kept_pairs(pairs, keep)

    def count_documents(self, pairs: Pairs, names: Sequence[str]) -> None:
        """Count items that one id names on both sides, and those that are not the same document there."""
        ids = self.a.columns.doc_ids
        clashing = [str(ids[row]) for row, _ in pairs.clashes]
        if not self.documents and not self.targets:
            self.targets = [str(ids[row]) for row, _ in pairs.changed_targets]
        apart = clashing + self.documents + self.targets
        changed = pairs.changed_targets
        rows = zip(self.a.lines([a for a, _ in changed]), self.b.lines([b for _, b in changed]), strict=True)
        same = sum(same_json(left.responses, right.responses) for left, right in rows)
        self.retargeted = RetargetedFacts(len(changed), same)
        self.compared["documents"] = len(names) + len(apart)
        apart = apart + [names[place] for place in (*pairs.reordered, *pairs.edited)]
        self.different["documents"] = len(apart)
        if apart:
            self.first["documents"] = apart[0]

    def look_at(self, requests: Sequence[Request]) -> None:
        """Learn from the first item what was asked for."""
        continuations = [request.continuation for request in requests]
        if requests and continuations[0] is not None:
            self.kind = "choices"
            half = len(continuations) // 2
            # tasks with mutual information ask for each choice twice, the second time without its question
            self.halves = half > 1 and continuations[:half] == continuations[half:]
        elif requests and requests[0].arguments is None:
            self.kind = "likelihood"
        elif requests:
            asked = canonical(requests[0].arguments or {})
            self.drawn = asked.get("do_sample") is True or asked.get("temperature") not in (None, 0, 0.0)
        self.asked = ASKED.get(self.kind)

    def compare_requests(self, walked: FilterWalk, place: int, left: Line, right: Line) -> None:
        """Compare what was sent: contexts, scored continuations, generation arguments."""
        raw_a, raw_b = left.arguments, right.arguments
        same = raw_a == raw_b
        start = start_of(raw_a)
        self.longest = max(self.longest, len(raw_a), len(raw_b))
        self.starts[0].add(start)
        self.starts[1].add(start if same else start_of(raw_b))
        self.compared["prompts"] += 1
        if self.bounded:
            for side, raw in enumerate((raw_a, raw_b)):
                if is_too_long(raw, self.limits.prompts[side]):
                    self.too_long[side].append(walked.items[place])
        if self.asked:
            self.compared[self.asked] += 1
        if same:
            self.prompts.add_equal()
            return
        item = walked.items[place]
        sent = self.sent(left, right, raw_a, raw_b)
        self.prompts.add(item, sent.edit)
        if not sent.edit.same_wording:
            self.differs("prompts", item)
        if sent.choices:
            self.differs("choices", item)
            self.spaced_choices += sent.spaced
            self.reordered += sent.reordered
        if sent.arguments:
            self.differs("generation_arguments", item)
        for key in sent.arguments:
            self.arguments[key] = self.arguments.get(key, 0) + 1

    def sent(self, left: Line, right: Line, raw_a: bytes, raw_b: bytes) -> Sent:
        """Return how the requests of an item differ; what is known by its raw bytes is not decoded again."""
        again = self.known.again(raw_a, raw_b)
        if again is not None:
            self.count_messages(*again[0].listed)
            return again[1]
        outline_a, outline_b = outline(raw_a), outline(raw_b)
        around = around_of(outline_a, outline_b) if outline_a and outline_b else None
        found = self.known.get(around)
        if found is not None and around is not None:
            self.count_messages(*around.listed)
            return found
        a, b = left.requests(), right.requests()
        self.count_messages(*(bool(side and side[0].messages is not None) for side in (a, b)))
        choices = [request.continuation for request in a], [request.continuation for request in b]
        differ = self.kind == "choices" and choices[0] != choices[1]
        spaced = differ and list(map(stripped, choices[0])) == list(map(stripped, choices[1]))
        reordered = differ and sorted(map(stripped, choices[0])) == sorted(map(stripped, choices[1])) and not spaced
        asked = self.kind == "generation"
        keys = {key for one, two in zip(a, b, strict=False) for key in differing_arguments(one, two)} if asked else ()
        edit = self.prompts.edit_of(a, b)
        return self.known.keep(around, Sent(edit, differ, spaced, tuple(sorted(keys)), reordered))

    def count_messages(self, listed_a: bool, listed_b: bool) -> None:
        """Count the sides that sent a list of messages."""
        self.messages[0] += listed_a
        self.messages[1] += listed_b

    def compare_responses(self, walked: FilterWalk, place: int, left: Line, right: Line) -> None:
        """Compare the raw answers; numbers that were logged as texts are numbers."""
        raw_a, raw_b = left.responses, right.responses
        if self.kind != "generation":
            self.compared["responses"] += 1
            if place in walked.moved:
                raw_b = in_order_of(left, right)
            self.compare_numbers(walked, place, left, raw_a, raw_b)
        else:
            value_a = decoded(raw_a)
            value_b = value_a if raw_a == raw_b else decoded(raw_b)
            if value_a is None or value_b is None:
                self.unreadable.append(walked.items[place])
                return
            self.compared["responses"] += 1
            self.compare_texts(walked, place, value_a, value_b, left, right)
        if not walked.same_raw[place]:
            self.different["responses"] += 1
            if "responses" not in self.first:
                self.first["responses"] = walked.items[place]

    def compare_texts(
        self, walked: FilterWalk, place: int, value_a: Json, value_b: Json, left: Line, right: Line
    ) -> None:
        """Compare generated answers and note what is wrong with each."""
        item = walked.items[place]
        text_a, text_b = first_text(value_a), first_text(value_b)
        walked.same_raw[place] = value_a == value_b
        budgets = self.budget(0, left), self.budget(1, right)
        faults = (
            *self.answers_a.add(item, text_a, budgets[0], lambda: shows_cut(left, text_a, text_b, budgets[0])),
            *self.answers_b.add(item, text_b, budgets[1], lambda: shows_cut(right, text_b, text_a, budgets[1])),
        )
        if "cut" in faults or "thinking_open" in faults:
            self.cut_items.add(place)
        if walked.same_raw[place]:
            self.cuts.add_equal(text_a, budgets)
        elif (side := self.cuts.add((text_a, text_b), budgets, (left, right))) is not None and not is_whole_word(
            (text_a, text_b)[side], target_of((left, right)[side]), budgets[side]
        ):
            self.cut_items.add(place)
        if walked.same_raw[place]:
            self.telling += len(text_a) >= TELLING
            if len(self.distinct) < MANY_DISTINCT:
                self.distinct.add(hash(text_a))
        else:
            self.parted.append(parting(text_a, text_b))

    def budget(self, side: int, line: Line) -> int | None:
        """Return the most tokens that an answer of this side may have: from its request, else from the settings."""
        # the arguments stand behind the prompt, which may be long
        match = budget_pattern().search(line.arguments[-800:])
        return int(match[1]) if match else self.limits.answers[side]

    def compare_numbers(self, walked: FilterWalk, place: int, left: Line, raw_a: bytes, raw_b: bytes) -> None:
        """Compare log-likelihoods: the largest change, the chosen answers and their leads."""
        if raw_a == raw_b:
            # no change, and nothing that moved: neither pick nor lead will be asked for
            self.count_same(walked, place, raw_a, raw_a.count(b"[["))
            return
        held = left.numbers() if isinstance(left, HeldLine) else None
        a, b = held or numbers_in(raw_a), numbers_in(raw_b)
        if a == b:
            self.count_same(walked, place, raw_a, len(a))
            return
        if self.halves:
            a, b = a[: len(a) // 2], b[: len(b) // 2]
        walked.picks_a[place], walked.margins_a[place] = choice_of(a)
        walked.picks_b[place], walked.margins_b[place] = choice_of(b)
        self.count_choices(len(a))
        if len(a) == len(b) and a:
            moves = sorted(map(sub, b, a))
            lowest, highest = moves[0], moves[-1]
            self.changes.append(highest if highest > -lowest else -lowest)
            self.sizes.append(-min(a))
            if lowest > 0:
                self.raised += 1
            elif highest < 0:
                self.lowered += 1

    def count_same(self, walked: FilterWalk, place: int, raw: bytes, choices: int) -> None:
        """Count an item whose log-likelihoods are the same on both sides."""
        walked.same_raw[place] = True
        self.changes.append(0.0)
        self.sizes.append(0.0)
        self.count_choices(choices // 2 if self.halves else choices)
        if len(self.distinct) < MANY_DISTINCT:
            self.distinct.add(hash(raw))

    def count_choices(self, choices: int) -> None:
        """Add what guessing among the choices of an item would give."""
        if self.kind == "choices" and choices > 1:
            self.chance += 1 / choices

    def compare_filtered(self, walked: FilterWalk, place: int, left: Line, right: Line) -> None:
        """Compare what the filter kept, and whether it kept anything."""
        raw_a, raw_b = left.filtered, right.filtered
        same = raw_a == raw_b
        if self.kind != "generation":
            walked.same_filtered[place] = same or bool(walked.same_raw[place]) or self.same_kept(left, right)
            walked.same_form[place] = walked.same_filtered[place]
            return
        if same and not may_be_nothing(raw_a):
            walked.same_filtered[place] = walked.same_form[place] = True
            return
        value_a, value_b = decoded(raw_a), decoded(raw_b)
        walked.same_filtered[place] = same or agree(value_a, value_b)
        form_a, form_b = form_of(value_a), form_of(value_b)
        walked.same_form[place] = form_a == form_b and (bool(form_a) or bool(walked.same_filtered[place]))
        nothing_a, nothing_b = is_nothing(value_a), is_nothing(value_b)
        if nothing_a and self.note_nothing(walked.nothing_a, walked.items[place], left):
            walked.held_a += holds_right(left)
            walked.lost_a += not nothing_b
        if nothing_b and self.note_nothing(walked.nothing_b, walked.items[place], right):
            walked.held_b += holds_right(right)
            walked.lost_b += not nothing_a

    def same_kept(self, left: Line, right: Line) -> bool:
        """Say whether the filter kept the same of two answers that differ: not where it kept each of them whole."""
        if (left.whole() if isinstance(left, HeldLine) else kept_whole(left)) and kept_whole(right):
            return False
        return same_json(left.filtered, right.filtered)

    def note_nothing(self, items: list[str], item: str, line: Line) -> bool:
        """Keep the name of an item in whose answer, which is not empty, the filter found nothing."""
        if is_empty(first_text(decoded(line.responses))):
            return False
        items.append(item)
        return True

    def count_filtered_and_scores(self) -> None:
        """Count items whose filtered answer or score differs under any filter."""
        filters = list(self.filters.values())
        if not filters:
            return
        names = filters[0].items
        looked: tuple[tuple[Step, Callable[[FilterWalk], Iterable[int]]], ...] = (
            ("filtered", filtered_differ),
            ("scores", self.scores_differ),
        )
        for rung, differ in looked:
            apart = bytearray(len(names))
            places = {name: place for place, name in enumerate(names)} if len(filters) > 1 else {}
            for walked in filters:
                aligned = walked.items is names or walked.items == names
                for place in differ(walked):
                    own = place if aligned else places.get(walked.items[place])
                    if own is not None:
                        apart[own] = 1
            self.compared[rung], self.different[rung] = len(names), sum(apart)
            if any(apart):
                self.first[rung] = names[apart.index(1)]

    def scores_differ(self, walked: FilterWalk) -> Iterator[int]:
        """Yield the places of pairs that do not score the same under a metric of both sides, for each such metric."""
        for metric, left in self.a.columns.values.items():
            right = self.b.columns.values.get(metric)
            if right is not None:
                rows = enumerate(zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True))
                yield from (place for place, (one, other) in rows if unequal(left[one], right[other]))

    def count_lists(self, lists: Mapping[tuple[str, str], tuple[tuple[object, ...], tuple[object, ...]]]) -> None:
        """Count items whose score is a list or an object and is not the same on both sides, in pair order."""
        walked = next(iter(self.filters.values()), None)
        if walked is None or self.different["scores"]:
            return
        apart = {
            place
            for (name, _), (ours, theirs) in lists.items()
            if name in self.filters and len(ours) == len(walked.items)
            for place, (one, other) in enumerate(zip(ours, theirs, strict=True))
            if one != other
        }
        if apart:
            self.different["scores"], self.first["scores"] = len(apart), walked.items[min(apart)]

    def differs(self, rung: Step, item: str) -> None:
        """Count an item that differs on a rung."""
        self.different[rung] += 1
        self.first.setdefault(rung, item)

    def ladder(self) -> Ladder:
        """Return the rungs and the first that breaks."""
        rungs = tuple(
            Rung(rung, self.compared[rung] - self.different[rung], self.compared[rung], self.first.get(rung))
            for rung in STEPS
        )
        broken = next((rung.rung for rung in rungs if rung.equal < rung.compared), None)
        return Ladder(self.a.task, broken, rungs)


def shows_cut(line: Line, text: str, other: str, budget: int | None) -> bool:
    """Say whether a line's item shows that its text was cut."""
    return cut_is_shown(text, other, target_of(line), budget, is_nothing(decoded(line.filtered)))


def target_of(line: Line) -> str:
    """Return a line's target where it is a text, else none."""
    target = decoded(line.target)
    return target if isinstance(target, str) else ""


def unhashed(log: SampleLog, rows: Sequence[int]) -> bool:
    """Say whether the first of these rows has no document hash."""
    return bool(rows) and not log.columns.doc_hashes[rows[0] * WIDTH : rows[0] * WIDTH + WIDTH].strip(b"\0")


def holds_right(line: Line) -> bool:
    """Say whether a line's raw answer holds its target."""
    return holds_target(first_text(decoded(line.responses)), decoded(line.target))


def filtered_differ(walked: FilterWalk) -> Iterable[int]:
    """Return the places of pairs whose filtered answers differ."""
    return [place for place, same in enumerate(walked.same_filtered) if not same]


def unequal(a: float, b: float) -> bool:
    """Say whether two scores differ; two that are no numbers are alike."""
    return a != b and not (a != a and b != b)
