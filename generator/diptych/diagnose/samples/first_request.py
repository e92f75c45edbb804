"""What a task asks for, as its first request says: choices, whole texts or written answers, drawn or greedy ones."""

from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.logged_values import canonical
from diptych.sample_log import Request


class Asked(NamedTuple):
    """The kind of answers: "choices", "likelihood" (of whole texts) or "generation".

    `twice` says that each choice is asked for a second time, `drawn` that written answers are drawn, not greedy.
    """

    kind: str
    twice: bool = False
    drawn: bool = False


def asked_for(requests: Sequence[Request]) -> Asked:
    """Return what the requests of an item ask for; none at all stands for a written answer."""
    if not requests:
        return Asked("generation")
    continuations = [request.continuation for request in requests]
    if continuations[0] is not None:
        half = len(continuations) // 2
        # tasks with mutual information ask for each choice twice, the second time without its question
        return Asked("choices", twice=half > 1 and continuations[:half] == continuations[half:])
    if requests[0].arguments is None:
        return Asked("likelihood")
    arguments = canonical(requests[0].arguments)
    drawn = arguments.get("do_sample") is True or arguments.get("temperature") not in (None, 0, 0.0)
    return Asked("generation", drawn=drawn)
