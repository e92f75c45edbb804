"""A planned run in the words of lighteval."""

from diptych.plan import Command, Plan, is_comma_safe, nested, with_placeholders
from diptych.shell import argument_text, cleaned, option, shell_line

BACKENDS = {"gpu_memory_utilization": "vllm", "model_parallel": "accelerate", "base_url": "endpoint litellm"}
"""The subcommand by an argument that only its models have: results do not name it."""

TEXTS = ("model_name", "system_prompt")
"""Arguments that are written whatever signs stand in them."""


def command(plan: Plan, folder: str) -> Command:
    """Return the command for a shell; tasks whose file is one's own need `--custom-tasks` besides."""
    clean = Plan._make(map(cleaned, plan))
    given = {key: value for key, value in with_placeholders(clean.model_args).items() if value is not None}
    backend = next((name for key, name in BACKENDS.items() if key in plan.model_args), "accelerate")
    arguments = {"model_name": given.pop("pretrained", ""), **nested(given)}
    for name, value in (("batch_size", clean.batch_size), ("override_chat_template", clean.template or None)):
        if value is not None:
            arguments[name] = value
    if clean.system is not None:
        arguments["system_prompt"] = clean.system
    drawn = {key: value for key, value in nested(clean.gen_kwargs).items() if value is not None and key != "until"}
    said = {key: value for key, value in arguments.items() if is_comma_safe(value) or key in TEXTS}
    written = ",".join(f"{key}={argument_text(value)}" for key, value in said.items())
    if drawn:
        inner = ",".join(f"{key}:{argument_text(value)}" for key, value in drawn.items() if is_comma_safe(value))
        written += f",generation_parameters={{{inner}}}"
    shots = argument_text(clean.shots if clean.shots is not None else 0)
    words = ["lighteval", *backend.split(), written, ",".join(f"{task}|{shots}" for task in clean.tasks)]
    if clean.limit is not None:
        words += option("--max-samples", argument_text(clean.limit))
    return Command(shell_line([*words, *option("--output-dir", folder), "--save-details"]))
