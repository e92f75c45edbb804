"""What made an artifact of any kind, and from which files."""

from collections.abc import Mapping
from typing import Any

from diptych.fast_named_tuple import NamedTuple

Json = Any


class Input(NamedTuple):
    """A file that was read, by name and sha256."""

    name: str
    sha256: str


class Provenance(NamedTuple):
    """What made this artifact, from what, by which methods."""

    diptych_version: str
    methods: tuple[str, ...]
    inputs: tuple[Input, ...]
    options: Mapping[str, Json] = {}
