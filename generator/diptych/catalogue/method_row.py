"""The row of a statistical method, as the methods page explains it."""

from diptych.fast_named_tuple import NamedTuple


class Method(NamedTuple):
    """One method: its name in artifacts, a title, when it is chosen, how it works in a sentence, its source."""

    name: str
    title: str
    when: str
    how: str
    source: str
