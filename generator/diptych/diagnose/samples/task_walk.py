"""One walk over the shared items of a task: each rung of the ladder, cheapest comparison first.

Raw bytes are compared; only what is not the same there is decoded. Nothing is kept but counts, a few numbers an item,
and the names of the first items.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from diptych.closed_names import STEPS, Step
from diptych.comparison import Ladder, Rung
from diptych.diagnose.samples.evidence import Place, RetargetedFacts
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.first_request import asked_for
from diptych.diagnose.samples.held_answers import HeldTally
from diptych.diagnose.samples.item_names import ItemNames
from diptych.diagnose.samples.loglikelihood_tally import LoglikelihoodTally
from diptych.diagnose.samples.prompt_cache import KnownEdits, Sent
from diptych.diagnose.samples.prompt_ledger import PromptLedger
from diptych.diagnose.samples.response_tally import ResponseTally, same_texts
from diptych.diagnose.samples.row_pairs import WIDTH, Alignment, Pairs, kept_pairs
from diptych.diagnose.samples.sampled_places import is_sampled
from diptych.diagnose.samples.start_tokens import StartCounter
from diptych.diagnose.samples.token_limits import NO_LIMITS, Limits
from diptych.logged_values import differing_arguments
from diptych.sample_log import Line, Request, SampleLog

ASKED: Mapping[str, Step] = {"choices": "choices", "generation": "generation_arguments"}
"""The step at which requests of a kind may differ beside their prompts."""

UNLOGGED = len("null")
"""Bytes of requests that a log does not hold."""


class Walk:
    """The walk over one task. `filters` holds its finds by filter; `ladder()` tells the rungs."""

    def __init__(self, a: SampleLog, b: SampleLog, alignment: Alignment, limits: Limits = NO_LIMITS) -> None:
        self.a, self.b, self.limits = a, b, limits
        self.bounded = limits.prompts != NO_LIMITS.prompts
        self.kind = "generation"
        self.asked: Step | None = "generation_arguments"
        self.drawn = False
        self.longest = 0
        self.prompts = PromptLedger()
        self.known = KnownEdits()
        self.held = HeldTally()
        self.different = dict.fromkeys(STEPS, 0)
        self.compared = dict.fromkeys(STEPS, 0)
        self.first: dict[str, str] = {}
        self.arguments: dict[str, int] = {}
        self.spaced_choices: dict[Place, int] = {}
        self.texts, self.numbers = ResponseTally(limits.answers), LoglikelihoodTally()
        self.reordered = 0
        self.retargeted = RetargetedFacts()
        self.starts = (StartCounter(), StartCounter())
        self.messages = [0, 0]
        self.too_long: tuple[list[str], list[str]] = ([], [])
        self.unreadable: list[str] = []
        self.filters: dict[str, FilterTally] = {}
        self.documents: list[str] = []
        self.targets: list[str] = []
        self.walk(alignment)

    @property
    def first_pairs(self) -> Pairs:
        """The pairs under the first filter: those whose texts are looked at."""
        return next(iter(self.filters.values())).pairs

    def walk(self, alignment: Alignment) -> None:
        """Walk the first filter whole, and what is left to compare under the others."""
        for place, pairs in enumerate(alignment.filters):
            pairs = self.with_known_documents(pairs, first=not place)
            names = ItemNames(self.a.columns.doc_ids, pairs.rows_a)
            walked = FilterTally(pairs, names)
            self.filters[pairs.filter] = walked
            if not place:
                self.count_documents(pairs, names)
            self.walk_filter(walked, first=not place)
        self.prompts.put_down()
        self.count_filtered_and_scores()

    def walk_filter(self, walked: FilterTally, first: bool) -> None:
        """Read the lines of both logs side by side, once."""
        pairs = walked.pairs
        lines = zip(self.a.lines(pairs.rows_a), self.b.lines(pairs.rows_b), strict=True)
        for place, (left, right) in enumerate(lines):
            right = right.follow(left)
            if first:
                if not place:
                    self.look_at(left.requests() or right.requests())
                self.compare_requests(walked, place, left, right)
                self.compare_responses(walked, place, left, right)
            else:
                walked.same_raw[place] = left.same_responses(right) or self.texts_agree(left, right)
            walked.compare(place, left, right, texts=self.kind == "generation")

    def with_known_documents(self, pairs: Pairs, first: bool) -> Pairs:
        """Return the pairs whose documents agree: where hashes are missing, their contents are compared."""
        if not unhashed(self.a, pairs.rows_a) and not unhashed(self.b, pairs.rows_b):
            return pairs
        keep = []
        lines = zip(self.a.lines(pairs.rows_a), self.b.lines(pairs.rows_b), strict=True)
        for place, (left, right) in enumerate(lines):
            document = left.same_document(right)
            target = left.same_target(right)
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
        same = sum(left.same_responses(right) for left, right in rows)
        self.retargeted = RetargetedFacts(len(changed), same)
        unmatched = min(len(pairs.only_a), len(pairs.only_b)) - len(clashing) if clashing else 0
        self.compared["documents"] = len(names) + len(apart) + unmatched
        apart = apart + [names[place] for place in (*pairs.reordered, *pairs.edited)]
        self.different["documents"] = len(apart) + unmatched
        if apart:
            self.first["documents"] = apart[0]

    def look_at(self, requests: Sequence[Request]) -> None:
        """Learn from the first item what was asked for."""
        asked = asked_for(requests)
        self.kind, self.drawn, self.asked = asked.kind, asked.drawn, ASKED.get(asked.kind)
        self.numbers.learn(picked=asked.kind == "choices", halves=asked.twice)

    def compare_requests(self, walked: FilterTally, place: int, left: Line, right: Line) -> None:
        """Compare what was sent: contexts, scored continuations, generation arguments."""
        same = left.identical_requests(right)
        start, size = left.request_head()
        other, other_size = (start, size) if same else right.request_head()
        if size <= UNLOGGED or other_size <= UNLOGGED:
            return
        self.longest = max(self.longest, size, other_size)
        if start:
            self.starts[0].add(start)
        if other:
            self.starts[1].add(other)
        self.compared["prompts"] += 1
        if self.bounded:
            for side, line in enumerate((left, right)):
                if line.prompt_exceeds(self.limits.prompts[side]):
                    self.too_long[side].append(walked.items[place])
        if self.asked:
            self.compared[self.asked] += 1
        if same:
            self.prompts.add_equal()
            return
        looked_at = is_sampled(place)
        self.held.of += looked_at
        sent = self.sent(left, right, looked_at)
        self.prompts.add(walked.items, place, sent.edit)
        if not sent.edit.same_wording:
            self.differs("prompts", walked.items, place)
        if sent.choices:
            self.differs("choices", walked.items, place)
            if sent.spaced:
                self.spaced_choices[sent.spaced] = self.spaced_choices.get(sent.spaced, 0) + 1
            self.reordered += sent.reordered
        if sent.arguments:
            self.differs("generation_arguments", walked.items, place)
        for key in sent.arguments:
            self.arguments[key] = self.arguments.get(key, 0) + 1

    def sent(self, left: Line, right: Line, looked_at: bool) -> Sent:
        """Return how the requests of an item differ; what is known by its difference is not decoded again."""
        again = self.known.again(left, right)
        if again is not None:
            self.count_messages(*again[0].listed)
            return again[1]
        difference = left.request_difference(right)
        found = self.known.get(difference)
        if found is not None and difference is not None:
            self.count_messages(*difference.listed)
            return found
        a, b = left.requests(), right.requests()
        self.count_messages(*(bool(side and side[0].messages is not None) for side in (a, b)))
        choices = [request.continuation for request in a], [request.continuation for request in b]
        differ = self.kind == "choices" and choices[0] != choices[1]
        spaced = spaced_at(*choices) if differ else ""
        reordered = differ and sorted(map(stripped, choices[0])) == sorted(map(stripped, choices[1])) and not spaced
        asked = self.kind == "generation"
        keys = {key for one, two in zip(a, b, strict=False) for key in differing_arguments(one, two)} if asked else ()
        edit = self.prompts.edit_of(a, b)
        if looked_at:
            self.held.add(a, b, left)
        return self.known.keep(difference, Sent(edit, differ, spaced, tuple(sorted(keys)), reordered))

    def count_messages(self, listed_a: bool, listed_b: bool) -> None:
        """Count the sides that sent a list of messages."""
        self.messages[0] += listed_a
        self.messages[1] += listed_b

    def compare_responses(self, walked: FilterTally, place: int, left: Line, right: Line) -> None:
        """Compare the raw answers; numbers that were logged as texts are numbers."""
        if self.kind != "generation":
            self.compared["responses"] += 1
            self.numbers.add(walked, place, left, right)
            if not walked.same_raw[place] and place not in walked.moved:
                self.texts.moved.add(place, left.response_hash(), right.response_hash())
        else:
            value_a = left.responses()
            value_b = value_a if left.identical_responses(right) else right.responses()
            if value_a is None or value_b is None:
                self.unreadable.append(walked.items[place])
                return
            self.compared["responses"] += 1
            self.texts.add(walked, place, (value_a, value_b), left, right)
        if not walked.same_raw[place]:
            self.differs("responses", walked.items, place)

    def texts_agree(self, left: Line, right: Line) -> bool:
        """Say whether the texts of an item agree, however often each was given."""
        return self.kind == "generation" and same_texts(left.responses(), right.responses())

    def count_filtered_and_scores(self) -> None:
        """Count items whose filtered answer or score differs under any filter."""
        filters = list(self.filters.values())
        if not filters:
            return
        names = filters[0].items
        looked: tuple[tuple[Step, Callable[[FilterTally], Iterable[int]]], ...] = (
            ("filtered", FilterTally.differing),
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
            if rung == "scores" and not {*self.a.columns.values} & {*self.b.columns.values}:
                continue  # no metric of both sides: nothing was scored on one, or by other metrics
            unlogged = min(walked.unlogged for walked in filters) if rung == "filtered" else 0
            self.compared[rung], self.different[rung] = len(names) - unlogged, sum(apart)
            if any(apart):
                self.first[rung] = names[apart.index(1)]

    def scores_differ(self, walked: FilterTally) -> Iterator[int]:
        """Yield the places of pairs that do not score the same under a metric of both sides, for each such metric."""
        for metric, left in self.a.columns.values.items():
            right = self.b.columns.values.get(metric)
            if right is not None:
                rows = enumerate(zip(walked.pairs.rows_a, walked.pairs.rows_b, strict=True))
                # two that are no numbers are alike
                yield from (
                    place
                    for place, (one, other) in rows
                    if (ours := left[one]) != (theirs := right[other]) and (ours == ours or theirs == theirs)
                )

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

    @property
    def distinct(self) -> int:
        """How many different answers there are among the equal ones, counted up to many."""
        return len(self.texts.distinct or self.numbers.distinct)

    def differs(self, rung: Step, names: Sequence[str], place: int) -> None:
        """Count an item that differs on a rung."""
        self.different[rung] += 1
        if rung not in self.first:
            self.first[rung] = names[place]

    def ladder(self) -> Ladder:
        """Return the rungs and the first that breaks."""
        rungs = tuple(
            Rung(rung, self.compared[rung] - self.different[rung], self.compared[rung], self.first.get(rung))
            for rung in STEPS
        )
        broken = next((rung.rung for rung in rungs if rung.equal < rung.compared), None)
        return Ladder(self.a.task, broken, rungs)


def unhashed(log: SampleLog, rows: Sequence[int]) -> bool:
    """Say whether the first of these rows has no document hash."""
    return bool(rows) and not log.columns.doc_hashes[rows[0] * WIDTH : rows[0] * WIDTH + WIDTH].strip(b"\0")


def spaced_at(ours: Sequence[str | None], theirs: Sequence[str | None]) -> Place:
    """Return where continuations have other white space, "" where they differ by more than that."""
    pairs = list(zip(map(stripped, ours), map(stripped, theirs), strict=False))
    if len(ours) != len(theirs) or any(one != other for one, other in pairs):
        return ""
    if all((one or "").lstrip() == (other or "").lstrip() for one, other in zip(ours, theirs, strict=True)):
        return "beginning"
    ends = all((one or "").rstrip() == (other or "").rstrip() for one, other in zip(ours, theirs, strict=True))
    return "end" if ends else "both"


def stripped(text: str | None) -> str:
    """Return a continuation without the white space around it."""
    return (text or "").strip()
