"""What a results file records beyond the keys that the harness is known to write: all of it is a setting."""

from collections.abc import Iterator, Mapping
from typing import Any

from diptych.catalogue.measurements import is_measurement
from diptych.harness.values import finite, typed
from diptych.run import Json, Setting

RESULTS = frozenset(
    {
        *("results", "groups", "group_subtasks", "higher_is_better", "n-samples", "n_samples", "samples"),
        *("errors", "scores", "metrics"),
    }
)
"""Keys that hold what came out."""

ELSEWHERE = frozenset(
    {
        *("config", "configs", "versions", "n-shot", "n_shot", "params", "tasks", "model", "limit"),
        *("num_fewshot", "batch_size", "gen_kwargs", "model_args", "device", "quant", "engine"),
        *("engine_version", "lm_eval_version", "transformers_version", "model_source", "fewshot_as_multiturn"),
        *("chat_template", "system_instruction", "max_length", "eot_token_id", "tokenizer_pad_token"),
        *("tokenizer_eos_token", "tokenizer_bos_token", "config_general"),
    }
)
"""Keys that are read by their own rules."""

ANEW = frozenset(
    {
        *("date", "upper_git_hash", "task_hashes", "model_name", "model_name_sanitized", "name", "path"),
        *("chat_template_sha", "system_instruction_sha", "pretty_env_info", "start_time", "end_time"),
        *("total_evaluation_time_seconds", "seconds", "schema"),
    }
)
"""Keys that every run writes anew, or that repeat another key."""


def other_settings(document: Mapping[str, Any]) -> dict[str, Setting]:
    """Return every top-level key that is neither a result nor written anew, nested ones key by key."""
    left = {str(key): value for key, value in document.items() if key not in RESULTS | ELSEWHERE | ANEW}
    return {key: Setting(value) for key, value in flat(left) if value is not None and not is_measurement(key)}


DEEPEST = 8
"""Objects nested more deeply than this stay whole."""


def flat(table: Mapping[str, Any], under: str = "", depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Yield the values of a nested object, each under its dotted key; an empty object is nothing."""
    for name, value in table.items():
        if isinstance(value, Mapping) and depth < DEEPEST:
            yield from flat(value, f"{under}{name}.", depth + 1)
        else:
            yield f"{under}{name}", typed(value) if isinstance(value, str) else finite(value)
