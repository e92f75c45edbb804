"""A planned run as a line for the shell and as a call in Python, in the words of the harness' version."""

import json
import shlex
from collections.abc import Mapping
from typing import NamedTuple

from diptych.run import Json

Version = tuple[int, ...]

SUBCOMMANDS: Version = (0, 4, 10)
"""From here on there is `lm_eval run`, and examples become turns unless that is turned off."""

OBJECTS: Version = (0, 4, 9)
"""From here on arguments may be given as a JSON object."""

CHAT: Version = (0, 4, 3)
"""From here on there are chat templates, system texts and a seed for the examples."""

PLACEHOLDER = "$API_KEY"
MASKED = "***"
SECRET_NAMES = ("token", "key", "secret", "password", "auth")
NO_SECRETS = ("bos_token", "eos_token", "pad_token", "end_token", "start_token", "special_token", "tokens", "token_id")


class Plan(NamedTuple):
    """What one command runs. `before` are lines that come first, `notes` what a person must see to.

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
    before: tuple[str, ...] = ()

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
    words = ["lm_eval", "run"] if plan.version and plan.since(SUBCOMMANDS) else ["lm_eval"]
    words += ["--model", quoted(plan.model)]
    if plan.model_args:
        words += ["--model_args", quoted(arguments(nested(without_secrets(plan.model_args)), plan))]
    words += ["--tasks", quoted(",".join(plan.tasks))]
    if plan.shots is not None:
        words += ["--num_fewshot", quoted(number(plan.shots))]
    if plan.template and plan.since(CHAT):
        words.append("--apply_chat_template")
    words += turn_words(plan)
    if plan.system is not None and plan.since(CHAT):
        words += ["--system_instruction", quoted(plan.system)]
    if plan.gen_kwargs:
        words += ["--gen_kwargs", quoted(arguments(nested(plan.gen_kwargs), plan))]
    for name, value in (("--limit", plan.limit), ("--batch_size", plan.batch_size), ("--device", plan.device)):
        if value is not None:
            words += [name, quoted(number(value))]
    if plan.seeds is not None:
        words += ["--seed", quoted(",".join(map(str, plan.seeds)))]
    return " ".join([*words, "--log_samples", "--output_path", quoted(folder)])


def turn_words(plan: Plan) -> list[str]:
    """Return the words that lay out the examples; before `lm_eval run` there was only a switch for turns."""
    if plan.turns is None or not plan.since(CHAT):
        return []
    if plan.since(SUBCOMMANDS) and plan.version:
        return ["--fewshot_as_multiturn", str(plan.turns).lower()]
    return ["--fewshot_as_multiturn"] if plan.turns else []


def arguments(values: dict[str, Json], plan: Plan) -> str:
    """Return arguments as `key=value,key=value`, as a JSON object where a value would not survive that."""
    if plan.since(OBJECTS) and not all(plain(value) for value in values.values()):
        return json.dumps(values, ensure_ascii=False)
    return ",".join(f"{name}={number(value)}" for name, value in values.items())


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


def quoted(text: Json) -> str:
    """Return a text as one word of a shell; a placeholder for a secret stays open for the shell to fill in."""
    parts = str(text).split(PLACEHOLDER)
    return f'"{PLACEHOLDER}"'.join(shlex.quote(part) if part else "" for part in parts) or "''"


def without_secrets(values: dict[str, Json]) -> dict[str, Json]:
    """Return arguments with a placeholder in the place of every secret and of whatever was masked when read."""
    return {name: PLACEHOLDER if secret(name) else unmasked(value) for name, value in values.items()}


def secret(name: str) -> bool:
    """Say whether an argument's name is that of a secret."""
    lower = name.lower()
    return any(word in lower for word in SECRET_NAMES) and not any(word in lower for word in (*NO_SECRETS, "tokeniz"))


def unmasked(value: Json) -> Json:
    """Return a value with the placeholder where something was masked."""
    if isinstance(value, str):
        return value.replace(MASKED, PLACEHOLDER)
    if isinstance(value, list):
        return [unmasked(part) for part in value]
    if isinstance(value, dict):
        return {name: unmasked(part) for name, part in value.items()}
    return value


def python_call(plan: Plan, folder: str) -> str:
    """Return the same run as a call of `simple_evaluate`, one argument a line."""
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
    body = "\n".join(f"    {name}={shown(value)}," for name, value in rows)
    uses_secret = PLACEHOLDER in body or 'os.environ["API_KEY"]' in body
    first = "import os\n\nimport lm_eval" if uses_secret else "import lm_eval"
    return f"{first}\n\nresults = lm_eval.simple_evaluate(\n{body}\n    log_samples=True,\n)  # for {folder}"


def shown(value: Json) -> str:
    """Return a value as Python writes it; a placeholder is looked up in the environment."""
    if isinstance(value, str) and PLACEHOLDER in value:
        if value == PLACEHOLDER:
            return 'os.environ["API_KEY"]'
        return f'{value!r}.replace("{PLACEHOLDER}", os.environ["API_KEY"])'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {shown(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(shown(part) for part in value) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) >= 1:
        return str(int(value))
    return repr(value)
