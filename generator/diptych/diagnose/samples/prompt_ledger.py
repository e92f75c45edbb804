"""How one task's prompts differ: chat-template tokens, examples, system text, white space, start token, other words.

Every item is looked at; an edit that many items share is classified once.
"""

from collections.abc import Sequence

from diptych.diagnose.samples.prompt_cache import Edit
from diptych.diagnose.samples.prompt_facts import PROMPT_KINDS, PromptEvidence, TextFact
from diptych.numbers import listed
from diptych.sample_log import Request
from diptych.sides import Sided
from diptych.value_text import quoted_stretch

EDITS_KEPT = 4096
OTHER = "other"
"""The kind of what has no name of its own."""

SHOWN = 3
"""So many items of each kind are named."""


class PromptLedger:
    """Collects the prompts of one task, item by item: `add` each pair, `put_down` the last, take `evidence`."""

    def __init__(self) -> None:
        self.compared = 0
        self.equal = 0
        self.kinds: dict[str, int] = {}
        self.items: dict[str, list[str]] = {}
        self.notes: dict[str, dict[str, int]] = {}
        self.edits: set[int] = set()
        self.last: Edit | None = None
        self.times = 0
        self.shape = ""
        self.first_words: tuple[str, str] | None = None
        self.other_number = self.other_order = 0
        self.nested = [0, 0]
        self.cache: dict[int, Edit] = {}

    def add_equal(self, count: int = 1) -> None:
        """Count prompts that were logged with the same bytes."""
        self.compared += count
        self.equal += count

    def add(self, names: Sequence[str], place: int, edit: Edit) -> None:
        """Count one item by how its contexts differ (no kinds: they are the same); most often as the one before."""
        if edit is not self.last:
            self.put_down()
            self.last = edit
        if self.times < SHOWN:
            for kind in edit.kinds:
                self.note(kind, names[place])
        self.compared += 1
        self.times += 1

    def note(self, kind: str, item: str) -> None:
        """Keep the first items that differ so."""
        named = self.items.setdefault(kind, [])
        if len(named) < SHOWN:
            named.append(item)

    def put_down(self) -> None:
        """Count the last edit by its kinds, as often as it came."""
        edit, times = self.last, self.times
        self.times = 0
        if edit is None or not times:
            return
        self.equal += edit.same_wording * times
        self.other_number += edit.other_number * times
        self.other_order += edit.other_order * times
        for side in (0, 1):
            self.nested[side] += edit.nested[side] * times
        if edit.kinds and not edit.same_wording:
            self.edits.add(hash(edit))
            self.shape = edit.shape
        for kind, note in zip(edit.kinds, edit.notes, strict=True):
            self.kinds[kind] = self.kinds.get(kind, 0) + times
            notes = self.notes.setdefault(kind, {})
            if len(notes) < EDITS_KEPT or note in notes:
                notes[note] = notes.get(note, 0) + times

    def name_texts(self, facts: Sequence[TextFact]) -> None:
        """Name the recorded texts that are all that sets words apart: exchanged, they make the prompts equal."""
        named = [fact.key for fact in facts if all(fact.recorded) and fact.exchanged == fact.of]
        if named and OTHER in self.notes:
            self.notes[OTHER] = {
                f"{listed(named)} {'is' if len(named) == 1 else 'are'} another text": self.kinds[OTHER]
            }
            self.first_words = None

    def edit_of(self, a: Sequence[Request], b: Sequence[Request]) -> Edit:
        """Return how the first differing context of an item differs, from the cache where the edit is known."""
        for left, right in zip(a, b, strict=False):
            if left.context == right.context and left.messages == right.messages:
                continue
            from diptych.diagnose.samples.prompt_edits import (
                classify,
                edit_key,
                stretches,
            )  # most runs send the same prompts

            key = edit_key(left, right)
            # the hash alone is kept: keys hold long stretches of prompts
            name = hash(key)
            if name not in self.cache:
                if len(self.cache) >= EDITS_KEPT:
                    self.cache.clear()
                self.cache[name] = classify(left, right, key)
            if self.cache[name].kinds:
                if OTHER in self.cache[name].kinds and self.first_words is None:
                    self.first_words = stretches(left.context, right.context)
                return self.cache[name]
        return Edit()

    def evidence(self) -> PromptEvidence:
        """Return the counts by kind and one sentence."""
        kinds = {kind: self.kinds[kind] for kind in PROMPT_KINDS if kind in self.kinds}
        first = {kind: named[0] for kind, named in self.items.items()}
        counts = self.other_number, self.other_order, Sided(*self.nested)
        return PromptEvidence(self.compared, self.equal, kinds, first, self.sentence(), *counts)

    def sentence(self) -> str:
        """Return one sentence on all prompts of the task, with counts."""
        different = self.compared - self.equal
        if not different and not self.kinds:
            return f"All {self.compared} prompts are the same."
        if not different:
            note = self.most_common("same_words")
            often = "" if self.kinds["same_words"] == self.compared else f" in {self.kinds['same_words']} of them"
            return f"All {self.compared} prompts have the same words;{often} {note}."
        return f"{different} of {self.compared} prompts differ{self.manner(different)}."

    def manner(self, different: int) -> str:
        """Return in which way the differing prompts differ."""
        kinds = sorted(self.kinds, key=lambda name: (-self.kinds[name], PROMPT_KINDS.index(name)))
        shown = [kind for kind in kinds if self.kinds[kind] == self.kinds[kinds[0]]]
        note = "; ".join(self.most_common(kind) for kind in shown)
        if different == 1:
            return f": {note}"
        if len(self.edits) > 1:
            return f", most often so: {note}"
        return f", all by the same {self.shape}: {note}" if self.shape else f", all alike: {note}"

    def most_common(self, kind: str) -> str:
        """Return the clause that says most often how prompts of this kind differ."""
        notes = self.notes[kind]
        note = max(notes, key=lambda note: (notes[note], note))
        return f"{note} ({self.first_stretch()})" if kind == OTHER and self.first_words else note

    def first_stretch(self) -> str:
        """Return what the first of the prompts with other words have between the words that they share."""
        a, b = (text.strip() for text in self.first_words or ("", ""))
        if a and b:
            return f"at first {quoted_stretch(a, 0)} in A, {quoted_stretch(b, 0)} in B"
        side, other, more = ("A", "B", a) if a else ("B", "A", b)
        return f"at first {side} has {quoted_stretch(more, 0)} where {other} has nothing"
