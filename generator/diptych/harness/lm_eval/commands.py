"""A planned run as a line for the shell and as a call in Python, in the words of the version that made the run."""

import json

from diptych.plan import Command, Plan, Version, is_comma_safe, nested, with_placeholders
from diptych.run import Json
from diptych.shell import ENVIRONMENT, argument_text, cleaned, option, python_value, shell_line

SUBCOMMANDS: Version = (0, 4, 10)
"""From here on there is `lm_eval run`, and examples become turns unless that is turned off."""

CHAT: Version = (0, 4, 3)
"""From here on there are chat templates, system texts and a seed for the examples."""


def command(plan: Plan, folder: str) -> Command:
    """Return a plan as the harness is told it."""
    return Command(shell_command(plan, folder), python_call(plan, folder))


def shell_command(plan: Plan, folder: str) -> str:
    """Return the command as one line for a shell; secrets stand as a placeholder."""
    return shell_line(command_words(Plan._make(map(cleaned, plan)), folder))


def command_words(plan: Plan, folder: str) -> list[str]:
    """Return the words of the harness's command for a plan, in the version that made the run."""
    words = ["lm_eval", "run"] if plan.version and plan.since(SUBCOMMANDS) else ["lm_eval"]
    words += option("--model", str(plan.model))
    if plan.model_args:
        words += option("--model_args", joined_arguments(nested(with_placeholders(plan.model_args)), plan))
    words += option("--tasks", ",".join(plan.tasks))
    if plan.shots is not None:
        words += option("--num_fewshot", argument_text(plan.shots))
    if plan.template and plan.since(CHAT):
        words.append("--apply_chat_template")
    words += turn_words(plan)
    if plan.system is not None and plan.since(CHAT):
        words += option("--system_instruction", str(plan.system))
    if plan.gen_kwargs:
        words += option("--gen_kwargs", joined_arguments(nested(plan.gen_kwargs), plan))
    for name, value in (("--limit", plan.limit), ("--batch_size", plan.batch_size), ("--device", plan.device)):
        if value is not None:
            words += option(name, argument_text(value))
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


def joined_arguments(values: dict[str, Json], plan: Plan) -> str:
    """Return arguments as `key=value,key=value`, as a JSON object where one would not survive that.

    A version that takes no object is given those that survive: a comma in one would begin another argument.
    """
    kept = {name: value for name, value in values.items() if is_comma_safe(name) and is_comma_safe(value)}
    if len(kept) < len(values) and plan.takes_objects:
        return json.dumps(values, ensure_ascii=False)
    return ",".join(f"{name}={argument_text(value)}" for name, value in kept.items())


def python_call(plan: Plan, folder: str) -> str:
    """Return the same run as a call of `simple_evaluate`, one argument a line."""
    plan = Plan._make(map(cleaned, plan))
    rows: list[tuple[str, Json]] = [
        ("model", plan.model),
        ("model_args", nested(with_placeholders(plan.model_args))),
        ("tasks", list(plan.tasks)),
    ]
    optional: list[tuple[str, Json]] = [("num_fewshot", plan.shots)]
    if plan.since(CHAT):
        optional += [("apply_chat_template", plan.template or None), ("fewshot_as_multiturn", plan.turns)]
        optional += [("system_instruction", plan.system)]
    gen: Json = nested(plan.gen_kwargs) if plan.takes_objects else joined_arguments(nested(plan.gen_kwargs), plan)
    optional += [("gen_kwargs", gen or None), ("limit", plan.limit), ("batch_size", plan.batch_size)]
    optional += [("device", plan.device)]
    names = ("random_seed", "numpy_random_seed", "torch_random_seed", "fewshot_random_seed")
    optional += list(zip(names, plan.seeds or (), strict=False))
    rows += [(name, value) for name, value in optional if value is not None]
    body = "\n".join(f"    {name}={python_value(value)}," for name, value in rows)
    first = "import os\n\nimport lm_eval" if ENVIRONMENT in body else "import lm_eval"
    return f"{first}\n\nresults = lm_eval.simple_evaluate(\n{body}\n    log_samples=True,\n)  # for {folder}"
