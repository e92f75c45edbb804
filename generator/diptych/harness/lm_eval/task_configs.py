"""The definitions of a run's tasks, with what differs in every run and means nothing folded away."""

import re
from collections.abc import Mapping
from typing import Any

from diptych.harness.lm_eval.settings import argument_values
from diptych.harness.strict_values import changed_within, finite, typed
from diptych.run import Json

FUNCTION = r"<function (?:.*\.)?(\w+)>"
ADDRESS = r" at 0x[0-9a-fA-F]+"

# what a definition holds where nobody gave the field: absent and written out are one
USUAL: Mapping[str, Json] = {
    "unsafe_code": False,
    "should_decontaminate": False,
    "repeats": 1,
    "description": "",
    "target_delimiter": " ",
    "fewshot_delimiter": "\n\n",
    "gen_prefix": "",
}
USUAL_FEWSHOT: Mapping[str, Json] = {"sampler": "default"}
PROVENANCE = frozenset({"config_source", "config"})


def task_configs(document: Mapping[str, Any]) -> dict[str, dict[str, Json]]:
    """Return the definition of each task, field by field, without its noise."""
    configs = document.get("configs")
    config = document.get("config")
    given = argument_values(config.get("model_args") if isinstance(config, dict) else None)
    tables = configs.items() if isinstance(configs, dict) else ()
    return {str(task): meaningful_config(table, given) for task, table in tables if isinstance(table, dict)}


def meaningful_config(table: Mapping[str, Any], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return one definition without nulls, usual values, memory addresses, copies, and the model's own arguments."""
    fields = {str(key): without_addresses(finite(value)) for key, value in table.items() if value is not None}
    fields["fewshot_config"] = fewshot_folded(fields.get("fewshot_config"), fields)
    fields["metadata"] = metadata_folded(fields.get("metadata"), given)
    return {
        key: value
        for key, value in fields.items()
        if value not in (None, {}) and not (key in USUAL and value == USUAL[key])
    }


def without_addresses(value: Json) -> Json:
    """Return a value whose texts name no memory address: they differ in every run of one and the same function."""
    if isinstance(value, str):
        return re.sub(ADDRESS, "", value) if " at 0x" in value else value
    return changed_within(value, without_addresses)


def fewshot_folded(table: Json, fields: Mapping[str, Json]) -> Json:
    """Return the few-shot part without what it only copies from its task (filled in from 0.4.12 on)."""
    if not isinstance(table, dict):
        return table
    copied = {**fields, "split": fields.get("fewshot_split", fields.get("test_split"))}
    return {
        key: value
        for key, value in table.items()
        if value is not None
        and value != copied.get(key)
        and value != {**USUAL, **USUAL_FEWSHOT}.get(key)
        and not names_same_function(value, copied.get(key))
    }


def names_same_function(name: Json, source: Json) -> bool:
    """Say whether `<function f>` stands for the function whose source the task itself holds."""
    match = re.fullmatch(FUNCTION, name) if isinstance(name, str) else None
    return match is not None and isinstance(source, str) and f"def {match[1]}(" in source


def metadata_folded(table: Json, given: Mapping[str, Json]) -> Json:
    """Return a task's metadata without the model's arguments (merged in from 0.4.9 on) and paths to its source."""
    if not isinstance(table, dict):
        return table
    kept = {}
    for key, value in table.items():
        if key in PROVENANCE or value is None or (key in given and typed(value) == given[key]):
            continue
        kept[key] = typed(value) if key == "version" else value
    return kept
