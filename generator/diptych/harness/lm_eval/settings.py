"""The settings of a run, looked up where its generation keeps them and brought to one form.

Not recorded is a value of its own; a default that the harness filled in is marked as one.
"""

from collections.abc import Mapping
from typing import Any

from diptych.harness.dotted_keys import leaves
from diptych.harness.lm_eval.generations import (
    CHAT_TEMPLATES_EXIST,
    DEFAULTS,
    DEVICE_BY_DEFAULT,
    EMPTY_TEMPLATE_ALSO_MEANS_OFF,
    MULTITURN_BY_DEFAULT,
    SEEDS_RECORDED,
    Generation,
)
from diptych.harness.strict_values import finite, split_arguments, typed, version_number
from diptych.run import NOT_RECORDED, Json, Setting

# of `config`, what is compared as it stands; model_args and gen_kwargs are taken apart key by key
PLAIN = ("batch_sizes", "use_cache", "bootstrap_iters", "model_revision")
SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
TOP_LEVEL = ("max_length", "eot_token_id", "tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token")
CHAT_MODELS = ("chat-completions", "chat-completion")


def run_settings(document: Mapping[str, Any], generation: Generation, chat_seen: bool | None) -> dict[str, Setting]:
    """Return the run-wide settings by dotted key.

    `chat_seen` says whether the samples' prompts are lists of messages (None: there are no samples).
    """
    config = document.get("config")
    config = config if isinstance(config, dict) else {}
    settings = {"model": Setting(finite(config["model"])) if "model" in config else NOT_RECORDED}
    settings.update(prompt_settings(document, generation, chat_seen))
    settings.update(argument_settings("model_args", config))
    settings.update(argument_settings("gen_kwargs", config))
    settings["limit"] = limit_of(config)
    settings["batch_size"] = batch_size_of(config)
    settings["device"] = device_of(config, generation)
    for key in SEEDS:
        settings[key] = as_it_stands(config, key) if generation.since(SEEDS_RECORDED) is not False else NOT_RECORDED
    for key in PLAIN:
        if key in config:
            settings[key] = as_it_stands(config, key)
    for key in TOP_LEVEL:
        if key in document:
            settings[key] = Setting(token_of(document[key]))
    settings.update(version_settings(document))
    if gpus := gpus_of(document.get("pretty_env_info")):
        settings["environment.gpu"] = Setting(gpus)
    return settings


def gpus_of(environment: Any) -> str:
    """Return the graphics processors that the environment names ("2 × NVIDIA L4"), "" where it names none."""
    lines = environment.splitlines() if isinstance(environment, str) else ()
    places = [line.partition("GPU models and configuration:")[2] or line for line in lines]
    parts = [place.strip().partition(": ") for place in places]
    names = [name.strip() for head, _, name in parts if head.startswith("GPU ") and head[4:].isdecimal()]
    counted = [f"{names.count(name)} × {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)]
    return ", ".join(counted)


def as_it_stands(config: Mapping[str, Any], key: str) -> Setting:
    """Return a plain setting of `config`, or that it is not recorded."""
    if key not in config:
        return NOT_RECORDED
    value = typed(config[key])
    return Setting(value, default=key in DEFAULTS and value == DEFAULTS[key])


def argument_settings(family: str, config: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the keys of model_args or gen_kwargs, given as text or as object, each as its own setting.

    A key that is missing was not given; where the whole family is not recorded, the family's name says so.
    """
    if family not in config:
        return {family: NOT_RECORDED}
    given = argument_values(config[family])
    return {leaf.key: Setting(leaf.value) for key in given for leaf in leaves(f"{family}.{key}", given[key])}


def argument_values(given: Any) -> dict[str, Json]:
    """Return arguments by key, typed alike in both forms."""
    if isinstance(given, str):
        return split_arguments(given)
    if isinstance(given, dict):
        return {str(key): typed(value) for key, value in given.items()}
    return {}


def limit_of(config: Mapping[str, Any]) -> Setting:
    """Return the limit; 0 means none to the harness, 50.0 and 50 are one."""
    if "limit" not in config:
        return NOT_RECORDED
    value = typed(config["limit"]) or None
    return Setting(value, default=value is None)


def batch_size_of(config: Mapping[str, Any]) -> Setting:
    """Return the batch size; 1 and "1" are one."""
    if "batch_size" not in config:
        return NOT_RECORDED
    value = typed(config["batch_size"])
    value = 1 if value is None else value
    return Setting(value, default=value == DEFAULTS["batch_size"])


def device_of(config: Mapping[str, Any], generation: Generation) -> Setting:
    """Return the device; nobody's choice was written as null before 0.4.10 and as the first GPU from then on."""
    if "device" not in config:
        return NOT_RECORDED
    value = config["device"]
    if value is None:
        return Setting(DEFAULTS["device"], default=True)
    return Setting(finite(value), default=value == DEFAULTS["device"] and generation.since(DEVICE_BY_DEFAULT) is True)


def prompt_settings(document: Mapping[str, Any], generation: Generation, chat_seen: bool | None) -> dict[str, Setting]:
    """Return chat template, system text and multiturn: top-level keys, whatever the generation."""
    template = chat_template_of(document, generation, chat_seen)
    never = generation.since(CHAT_TEMPLATES_EXIST) is False
    system = Setting(None, default=True) if never else NOT_RECORDED
    if "system_instruction" in document:
        text = document["system_instruction"]
        system = Setting(finite(text), default=text is None)
    multiturn = multiturn_of(document, generation, template)
    return {"chat_template": template, "system_instruction": system, "fewshot_as_multiturn": multiturn}


def chat_template_of(document: Mapping[str, Any], generation: Generation, chat_seen: bool | None) -> Setting:
    """Return the chat template: None is off, a text is on, "" is on with the template applied by the server."""
    if "chat_template" not in document:
        return Setting(None, default=True) if generation.since(CHAT_TEMPLATES_EXIST) is False else NOT_RECORDED
    template = document["chat_template"]
    if template != "":
        return Setting(finite(template), default=template is None)
    first, last = EMPTY_TEMPLATE_ALSO_MEANS_OFF
    if generation.last < first or generation.first > last or chat_seen or served_as_chat(document):
        return Setting("")
    return Setting(None, default=True) if chat_seen is False else NOT_RECORDED


def served_as_chat(document: Mapping[str, Any]) -> bool:
    """Say whether the backend speaks in messages only, so that a template is always applied."""
    config = document.get("config")
    model = config.get("model") if isinstance(config, dict) else None
    return isinstance(model, str) and model.endswith(CHAT_MODELS)


def multiturn_of(document: Mapping[str, Any], generation: Generation, template: Setting) -> Setting:
    """Return whether shots are sent as turns, as it took effect: null means off, the default moved in 0.4.10."""
    if "fewshot_as_multiturn" not in document:
        return Setting(False, default=True) if generation.since(CHAT_TEMPLATES_EXIST) is False else NOT_RECORDED
    value = bool(document["fewshot_as_multiturn"])
    usual = generation.since(MULTITURN_BY_DEFAULT) is True and template.recorded and template.value is not None
    return Setting(value, default=value == usual)


def token_of(value: Json) -> Json:
    """Return a token as [text, id]; the id was a number in one release and a text in the others."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str | int):
        return [finite(value[0]), typed(value[1])]
    return finite(value)


def version_settings(document: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the versions of the harness and of transformers."""
    harness = document.get("lm_eval_version")
    library = document.get("transformers_version")
    none_installed = isinstance(library, str) and library.strip().upper() == "N/A"
    return {
        "versions.lm_eval": Setting(harness) if isinstance(harness, str) else NOT_RECORDED,
        "versions.transformers": Setting(None if none_installed else library)
        if isinstance(library, str)
        else NOT_RECORDED,
    }


def task_settings(document: Mapping[str, Any], tasks: tuple[str, ...]) -> dict[str, dict[str, Setting]]:
    """Return the settings that are kept task by task: shots, effective generation arguments, the task's version."""
    config = document.get("config")
    config = config if isinstance(config, dict) else {}
    given = argument_values(config.get("gen_kwargs"))
    settings: dict[str, dict[str, Setting]] = {}
    for task in tasks:
        definition = task_entry(document, "configs", task)
        definition = definition if isinstance(definition, dict) else {}
        settings[task] = {"num_fewshot": shots_of(document, definition, config, task)}
        generation_arguments = definition.get("generation_kwargs")
        if isinstance(generation_arguments, dict):
            for key, value in sorted(generation_arguments.items()):
                for leaf in leaves(f"gen_kwargs.{key}", value):
                    settings[task][leaf.key] = Setting(leaf.value, default=key not in given)
        settings[task][f"versions.{task}"] = task_version_of(document, definition, task)
    return settings


def task_entry(document: Mapping[str, Any], table: str, task: str) -> Any:
    """Return the entry of a task in one of the document's tables, or None."""
    entries = document.get(table)
    return entries.get(task) if isinstance(entries, dict) else None


def shots_of(
    document: Mapping[str, Any], definition: Mapping[str, Any], config: Mapping[str, Any], task: str
) -> Setting:
    """Return the number of shots of a task, from the first place that has it."""
    places = (task_entry(document, "n-shot", task), definition.get("num_fewshot"), config.get("num_fewshot"))
    value = next((typed(place) for place in places if isinstance(place, int | float | str)), None)
    return NOT_RECORDED if value is None else Setting(value)


def task_version_of(document: Mapping[str, Any], definition: Mapping[str, Any], task: str) -> Setting:
    """Return the version of a task; "Yaml" and "N/A" are none."""
    metadata = definition.get("metadata")
    inner = metadata.get("version") if isinstance(metadata, dict) else None
    for value in (task_entry(document, "versions", task), inner):
        if isinstance(value, int | float | str) and value not in ("Yaml", "N/A"):
            return Setting(version_number(value))
    return NOT_RECORDED
