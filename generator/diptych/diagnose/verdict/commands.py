"""A planned run as a line for the shell and as a call in Python, in the words of the harness' version."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from diptych.diagnose.verdict.shell import ENVIRONMENT, SECRET, cleaned, option, python_value, shell_line
from diptych.run import Json
from diptych.secrets import MASK, is_secret_key

Version = tuple[int, ...]

SUBCOMMANDS: Version = (0, 4, 10)
"""From here on there is `lm_eval run`, and examples become turns unless that is turned off."""

OBJECTS: Version = (0, 4, 9)
"""From here on arguments may be given as a JSON object."""

CHAT: Version = (0, 4, 3)
"""From here on there are chat templates, system texts and a seed for the examples."""


class Plan(NamedTuple):
    """What one command runs. `before` are commands that come first, `notes` what a person must see to.

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


def shell_command(plan: Plan, folder: str) -> str:
    """Return the command as one line for a shell; secrets stand as a placeholder."""
    return shell_line(command_words(Plan._make(map(cleaned, plan)), folder))


def command_words(plan: Plan, folder: str) -> list[str]:
    """Return the words of a command."""
    words = ["lm_eval", "run"] if plan.version and plan.since(SUBCOMMANDS) else ["lm_eval"]
    words += option("--model", str(plan.model))
    if plan.model_args:
        words += option("--model_args", arguments(nested(without_secrets(plan.model_args)), plan))
    words += option("--tasks", ",".join(plan.tasks))
    if plan.shots is not None:
        words += option("--num_fewshot", number(plan.shots))
    if plan.template and plan.since(CHAT):
        words.append("--apply_chat_template")
    words += turn_words(plan)
    if plan.system is not None and plan.since(CHAT):
        words += option("--system_instruction", str(plan.system))
    if plan.gen_kwargs:
        words += option("--gen_kwargs", arguments(nested(plan.gen_kwargs), plan))
    for name, value in (("--limit", plan.limit), ("--batch_size", plan.batch_size), ("--device", plan.device)):
        if value is not None:
            words += option(name, number(value))
    if plan.seeds is not None:
        words += option("--seed", ",".join(map(str, plan.seeds)))
    return [*words, "--log_samples", *option("--output_path", folder)]


def turn_words(plan: Plan) -> list[str]:
    """Return the words that lay out the examples; before `lm_eval run` there was only a switch for turns."""
    if plan.turns is None or not plan.since(CHAT):
        return []
    if plan.since(SUBCOMMANDS) and plan.version:
        return ["--fewshot_as_multiturn", str(plan.turns).lower()]
    return ["--fewshot_as_multiturn"] if plan.turns else []


def arguments(values: dict[str, Json], plan: Plan) -> str:
    """Return arguments as `key=value,key=value`, as a JSON object where one would not survive that.

    A version that takes no object is given those that survive: a comma in one would begin another argument.
    """
    kept = {name: value for name, value in values.items() if plain(name) and plain(value)}
    if len(kept) < len(values) and plan.since(OBJECTS):
        return json.dumps(values, ensure_ascii=False)
    return ",".join(f"{name}={number(value)}" for name, value in kept.items())


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


def plain(value: Json) -> bool:
    """Say whether a value survives being written between commas."""
    if isinstance(value, str):
        return value != "" and not any(sign in value for sign in ",={}[]()'\"\n\\ ")
    return isinstance(value, (bool, int, float)) or value is None


def writable(plan: Plan, value: Json) -> bool:
    """Say whether the plan's version can be given a value on its command line."""
    return plan.since(OBJECTS) or plain(value)


def number(value: Json) -> str:
    """Return a value as the command line takes it: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer() and not isinstance(value, bool):
        return str(int(value)) if abs(value) >= 1 else str(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def without_secrets(values: dict[str, Json]) -> dict[str, Json]:
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


def python_call(plan: Plan, folder: str) -> str:
    """Return the same run as a call of `simple_evaluate`, one argument a line."""
    plan = Plan._make(map(cleaned, plan))
    rows: list[tuple[str, Json]] = [
        ("model", plan.model),
        ("model_args", nested(without_secrets(plan.model_args))),
        ("tasks", list(plan.tasks)),
    ]
    optional: list[tuple[str, Json]] = [("num_fewshot", plan.shots)]
    if plan.since(CHAT):
        optional += [("apply_chat_template", plan.template or None), ("fewshot_as_multiturn", plan.turns)]
        optional += [("system_instruction", plan.system)]
    gen: Json = nested(plan.gen_kwargs) if plan.since(OBJECTS) else arguments(nested(plan.gen_kwargs), plan)
    optional += [("gen_kwargs", gen or None), ("limit", plan.limit), ("batch_size", plan.batch_size)]
    optional += [("device", plan.device)]
    names = ("random_seed", "numpy_random_seed", "torch_random_seed", "fewshot_random_seed")
    optional += list(zip(names, plan.seeds or (), strict=False))
    rows += [(name, value) for name, value in optional if value is not None]
    body = "\n".join(f"    {name}={python_value(value)}," for name, value in rows)
    first = "import os\n\nimport lm_eval" if ENVIRONMENT in body else "import lm_eval"
    return f"{first}\n\nresults = lm_eval.simple_evaluate(\n{body}\n    log_samples=True,\n)  # for {folder}"
