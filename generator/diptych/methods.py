"""The table of statistical methods: which one serves which situation, why, and from where.

Both sides of the hinge read it: the choice of a method takes its names from here, and the
methods page of an archive is made from it.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Method(NamedTuple):
    """One method: its name in artifacts, a title, when it is chosen, how it works in a sentence, its source."""

    name: str
    title: str
    when: str
    how: str
    source: str


METHODS: Mapping[str, Method] = {}
