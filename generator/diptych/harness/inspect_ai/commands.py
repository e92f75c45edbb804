"""A planned run in the words of inspect_ai."""

from collections.abc import Mapping

from diptych.plan import Command, Plan, nested, with_placeholders
from diptych.run import Json
from diptych.shell import argument_text, cleaned, option, shell_line

FLAGS: Mapping[str, str] = {"stop_seqs": "--stop-seqs", "max_tokens": "--max-tokens"}
"""Generation arguments whose option is not their name with dashes, and those that lists are told by."""


def command(plan: Plan, folder: str, files: Mapping[str, str] = {}) -> Command:
    """Return the command for a shell; `files` are the files that hold the tasks."""
    clean = Plan._make(map(cleaned, plan))
    words = ["inspect", "eval", *(f"{files[task]}@{task}" if files.get(task) else task for task in clean.tasks)]
    given = with_placeholders(clean.model_args)
    name = str(given.pop("model", ""))
    words += option("--model", f"{clean.model}/{name}" if name and name != clean.model else clean.model)
    for key, value in nested(given).items():
        words += option("-M", f"{key}={argument_text(value)}")
    for key, value in nested(clean.gen_kwargs).items():
        words += option(FLAGS.get(key, "--" + key.replace("_", "-")), option_value(value))
    if clean.system is not None:
        words += option("--system-message", str(clean.system))
    if clean.limit is not None:
        words += option("--limit", argument_text(clean.limit))
    return Command(shell_line([*words, *option("--log-dir", folder)]))


def option_value(value: Json) -> str:
    """Return a value as an option takes it: the items of a list between commas."""
    return ",".join(map(argument_text, value)) if isinstance(value, list) else argument_text(value)
