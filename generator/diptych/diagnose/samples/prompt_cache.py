"""What is known of requests that differ, by how they do: where all prompts differ in one way, it is read once."""

from diptych.diagnose.samples.evidence import Place
from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Line, RequestDifference

KEPT = 4096


class Edit(NamedTuple):
    """One way in which two prompts differ: its kinds, a clause for each, and its size where it is one insertion.

    `nested` says on which side alone a chat template is laid over a chat template.
    """

    kinds: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    shape: str = ""
    other_number: bool = False
    other_order: bool = False
    nested: tuple[bool, bool] = (False, False)

    @property
    def note(self) -> str:
        """All clauses in one."""
        return "; ".join(self.notes)

    @property
    def same_wording(self) -> bool:
        return self.kinds in ((), ("same_words",))


class Sent(NamedTuple):
    """How the requests of one item differ: their prompts, their continuations, their arguments.

    `spaced`: where the continuations differ by white space only; `reordered`: they are the same in another order.
    """

    edit: Edit
    choices: bool = False
    spaced: Place = ""
    arguments: tuple[str, ...] = ()
    reordered: bool = False


class KnownEdits:
    """What was found out about differing requests, by their difference."""

    def __init__(self) -> None:
        self.found: dict[int, Sent] = {}
        self.last: tuple[RequestDifference, Sent] | None = None

    def get(self, difference: RequestDifference | None) -> Sent | None:
        """Return what is known of a difference."""
        return None if difference is None else self.found.get(hash(difference))

    def keep(self, difference: RequestDifference | None, sent: Sent) -> Sent:
        """Remember what was found out."""
        if difference is not None:
            if len(self.found) >= KEPT:
                self.found.clear()
            self.found[hash(difference)] = sent
            if difference.rests == (True,):
                self.last = difference, sent
        return sent

    def again(self, left: Line, right: Line) -> tuple[RequestDifference, Sent] | None:
        """Return the last difference where this item's is the same: half the price of looking for one."""
        return self.last if self.last is not None and left.differs_by(self.last[0], right) else None
