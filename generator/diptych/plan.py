"""What is to be run again: a run's settings as one command of its harness is given them.

The harness' own reader writes the command; the plan knows no harness' words.
"""

from collections.abc import Mapping
from typing import Protocol

from diptych.bounded_json import Json
from diptych.fast_named_tuple import NamedTuple
from diptych.secret_names import is_secret_key
from diptych.secrets import MASK
from diptych.shell import SECRET

Version = tuple[int, ...]

OBJECTS: Version = (0, 4, 9)
"""From this version of lm-evaluation-harness on arguments may be given as a JSON object."""


class Plan(NamedTuple):
    """What one command runs. `version` is lm-evaluation-harness's own, None of another harness.

    `before` are commands that come first, `notes` what a person must see to.
    `tasks` are named as the command names them (whole groups by their own name), `members` one by one.
    """

    version: Version | None
    model: str
    model_args: dict[str, Json]
    tasks: tuple[str, ...]
    shots: Json
    gen_kwargs: dict[str, Json]
    template: bool
    multiturn: Json
    system: Json
    limit: Json
    batch_size: Json
    device: Json
    seeds: tuple[Json, ...] | None
    members: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()

    def since(self, version: Version) -> bool:
        """Say whether the plan's harness is of a version or later; one that is not known counts as new."""
        return self.version is None or self.version >= version

    @property
    def turns(self) -> bool | None:
        """Whether examples are to be turns of their own; None where nothing has to be said about it."""
        if not self.template or not isinstance(self.shots, (int, float)) or not self.shots:
            return None
        return bool(self.multiturn)

    @property
    def takes_objects(self) -> bool:
        """Whether the command line can be given lists and objects."""
        return self.since(OBJECTS)


class Command(NamedTuple):
    """One run as a line for a shell, and as a call in Python ("" where the harness has none that we know)."""

    shell: str
    python: str = ""


class CommandWriter(Protocol):
    """Writes a plan in a harness' own words; `folder` is where the run is to leave its files."""

    def __call__(self, plan: Plan, folder: str) -> Command: ...


def is_comma_safe(value: Json) -> bool:
    """Say whether a value survives being written between commas."""
    if isinstance(value, str):
        return value != "" and not any(sign in value for sign in ",={}[]()'\"\n\\ ")
    return isinstance(value, (bool, int, float)) or value is None


def writable(plan: Plan, value: Json) -> bool:
    """Say whether the plan's version can be given a value on its command line."""
    return plan.takes_objects or is_comma_safe(value)


def nested(values: Mapping[str, Json]) -> dict[str, Json]:
    """Return arguments with dotted keys as the nested objects that the harness was given."""
    whole: dict[str, Json] = {}
    for key, value in values.items():
        place, (*above, last) = whole, key.split(".")
        for name in above:
            inner = place.setdefault(name, {})
            place = inner if isinstance(inner, dict) else place.setdefault(f"{name}.", {})
        place[last] = value
    return whole


def with_placeholders(values: dict[str, Json]) -> dict[str, Json]:
    """Return arguments with a placeholder in the place of every secret and of whatever was masked when read."""
    return {name: SECRET if is_secret_key(name) else unmasked(value) for name, value in values.items()}


def unmasked(value: Json) -> Json:
    """Return a value with the placeholder where something was masked."""
    if isinstance(value, str):
        return value.replace(MASK, SECRET)
    if isinstance(value, list):
        return [unmasked(part) for part in value]
    if isinstance(value, dict):
        return {name: unmasked(part) for name, part in value.items()}
    return value
