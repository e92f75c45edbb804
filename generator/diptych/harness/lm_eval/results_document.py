"""Whether a document holds the harness' results, and its parts under the harness' own names whoever wrote them."""

from collections.abc import Mapping
from typing import Any

from diptych.harness.lm_eval.setting_places import with_settings_in_place

# what wrappers and forks call the parts of a results file
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "config": ("params",),
    "configs": ("tasks",),
    "n-samples": ("n_samples",),
    "n-shot": ("n_shot",),
}
IN_PARAMS = ("system_instruction", "chat_template", "fewshot_as_multiturn")
IN_WRAPPERS = ("model", "limit", "num_fewshot", "batch_size", "gen_kwargs", "model_args", "device")
HARNESS_CONFIG = frozenset(
    {"model_args", "num_fewshot", "batch_size", "device", "limit", "bootstrap_iters", "no_cache"}
)


def is_results(document: Mapping[str, Any]) -> bool:
    """Say whether a document holds rows of scores as the harness writes them.

    Rows with `metric,filter` keys are the harness' own. Bare rows, as 0.3 has them, are anybody's: there the file
    must show more of the harness, and hold nothing but rows. Some wrappers keep the rows alone, at the top.
    """
    table = document.get("results")
    if not isinstance(table, dict):
        rows = document.values()
        return "results" not in document and any(map(is_row, rows)) and all(is_row(row) or is_head(row) for row in rows)
    if any(is_row(row) for row in table.values()):
        return True
    return is_of_harness(document, table) and all(is_bare(row) for row in table.values())


def is_row(row: Any) -> bool:
    """Say whether a value is a row with `metric,filter` keys, or holds such rows."""
    if not isinstance(row, dict):
        return False
    return any(map(is_score_key, row)) or (bool(row) and all(map(is_row, row.values())))


def is_head(row: Any) -> bool:
    """Say whether a value is the row of a group without scores: its name alone."""
    return isinstance(row, dict) and "alias" in row


def is_score_key(key: str) -> bool:
    """Say whether a key is `metric,filter`: a comma in running text has a blank beside it."""
    metric, comma, name = key.partition(",")
    return bool(comma and metric and name) and metric == metric.strip() and name == name.strip()


def is_of_harness(document: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """Say whether a document's other keys are the harness': its config, its tasks' definitions or versions."""
    config, versions = document.get("config"), document.get("versions")
    if isinstance(config, dict) and "model" in config and len(HARNESS_CONFIG & config.keys()) >= 2:
        return True
    if isinstance(versions, dict) and (not table.keys().isdisjoint(versions) or "lm_eval" in versions):
        return True
    if isinstance(config, dict) and isinstance(versions, dict) and any(map(has_errors, table.values())):
        return True
    return "lm_eval_version" in document or {"configs", "n-shot"} <= document.keys()


def has_errors(row: Any) -> bool:
    """Say whether a bare row names a standard error as the harness does, beside its metric."""
    return isinstance(row, dict) and any(key.endswith("_stderr") and key.removesuffix("_stderr") in row for key in row)


def is_bare(row: Any) -> bool:
    """Say whether a value is a row of 0.3: bare metrics, a number among them; a task that failed has an empty one."""
    return isinstance(row, dict) and (
        not row or is_head(row) or any(isinstance(value, int | float) for value in row.values())
    )


def plain_form(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its parts under the harness's own names."""
    if "results" not in document:
        return {"results": dict(document)}
    plain = with_own_names(document)
    params = document.get("params")
    if isinstance(params, dict):
        plain |= {key: params[key] for key in IN_PARAMS if key in params and key not in plain}
    kept = {key: document[key] for key in IN_WRAPPERS if key in document}
    if kept and not isinstance(plain.get("config"), dict):
        plain["config"] = kept
    packages = document.get("versions")
    if isinstance(packages, dict) and "lm_eval" in packages and "lm_eval_version" not in plain:
        plain["lm_eval_version"] = packages["lm_eval"]
        plain.setdefault("transformers_version", packages.get("transformers"))
    for name in ("n-samples", "versions", "n-shot"):
        if isinstance(plain.get(name), dict):
            plain[name] = flat_table(plain[name])
    return with_settings_in_place(plain)


def with_own_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the parts that a wrapper named otherwise under the harness's names."""
    plain = dict(document)
    for name, others in OTHER_NAMES.items():
        for other in others:
            if name not in plain and isinstance(plain.get(other), dict):
                plain[name] = plain.pop(other)
    return plain


def flat_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table by task with what a fork nests below a task brought up."""
    flat: dict[str, Any] = {}
    for task, value in table.items():
        if isinstance(value, dict) and not {"original", "effective"} & value.keys():
            flat.update(flat_table(value))
        else:
            flat[str(task)] = value
    return flat
