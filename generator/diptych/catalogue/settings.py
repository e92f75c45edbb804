"""What is known of each setting, one row a setting: its place, why it moves a score, and how it acts.

The place of a row in `RANKED` is the usual impact, worst first. A key stands in a table by its name or by its family
(`gen_kwargs.*`). How a way of acting is recognised in the samples stands once, in `ACTS`.
"""

from collections.abc import Iterable
from functools import lru_cache

from diptych.catalogue.model_settings import MODELS_AND_MACHINES
from diptych.catalogue.prompt_settings import PROMPTS_AND_SAMPLING
from diptych.catalogue.setting_effects import Known
from diptych.catalogue.task_fields import FIELDS

RANKED: tuple[Known, ...] = (*PROMPTS_AND_SAMPLING, *MODELS_AND_MACHINES)
"""The settings with a usual place, worst first."""

UNRANKED: tuple[Known, ...] = (
    Known(
        ("use_cache", "no_cache", "cache_requests"),
        "harness",
        "Answers that come from a cache were not measured in this run.",
        ("cache",),
        told="cache",
    ),
    Known(
        ("task_args.*", "solver", "solver.*"),
        "prompt",
        "How the task was set up: what is written around a question, and the steps that lead to an answer.",
        ("text", "examples", "frame", "layout", "decoding"),
    ),
    Known(("predict_only",), "harness", "Answers were logged without being scored.", ("scoring",)),
    Known(
        ("model_sha", "model_revision", "peft_sha", "delta_sha", "adapter_sha"),
        "model",
        "Which weights were loaded.",
        ("weights",),
        model=True,
    ),
    Known(("model_num_parameters",), "model", "How large the model is, as loaded.", ("weights",), model=True),
    Known(("model_dtype",), "environment", "The precision the weights were held in, as loaded.", ("arithmetic",)),
    Known(("max_length",), "prompt", "How long a prompt may be before its beginning is cut off.", ("window",)),
    Known(
        ("tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "eot_token_id"),
        "prompt",
        "A special token of the tokeniser: another one means another tokeniser.",
        ("tokens",),
    ),
    Known(("bootstrap_iters",), "harness", "It changes reported standard errors, never a score.", ("nothing",)),
    Known(
        ("batch_sizes", "max_batch_size"),
        "environment",
        "The batch sizes that were found; batching can turn close decisions.",
        ("arithmetic",),
    ),
    Known(("model_source",), "model", "The backend that reached the model.", ("engine",)),
    Known(
        ("model_name", "path"),
        "model",
        "Which weights were loaded, by the name that was recorded.",
        ("weights",),
        model=True,
    ),
    Known(
        ("environment.*",),
        "environment",
        "Part of the machine or its software: it can turn close decisions.",
        ("arithmetic",),
    ),
    Known(("*",), "harness", "It has no place in the order of known causes; look at it after those above.", ("any",)),
)
"""Settings without a place in the prior order, and why they are shown all the same."""

CONTEXT: tuple[Known, ...] = (
    Known(
        ("quant", "quantization", "quantisation"),
        "model",
        "The quantization that was served. No endpoint reports it; it is written down by hand.",
        ("weights",),
        model=True,
        told="outside",
    ),
    Known(
        ("engine",),
        "environment",
        "The engine behind the endpoint: it applies templates and samples in its way.",
        ("engine",),
        told="outside",
    ),
    Known(
        ("engine_version",),
        "environment",
        "The engine's version: samplers and templates change between versions.",
        ("engine",),
        told="outside",
    ),
    Known(
        ("endpoint",),
        "environment",
        "Which server answered; another one may hold other weights.",
        ("server",),
        told="outside",
    ),
    Known(
        ("alias",),
        "environment",
        "The name that was asked for; it decides which file a gateway loads.",
        ("server",),
        told="outside",
    ),
    Known(
        ("model_file", "checkpoint", "weights", "model", "adapter", "model_sha", "revision", "sha256", "file"),
        "model",
        "The file of weights that was served.",
        ("weights",),
        model=True,
        told="outside",
    ),
    Known(
        ("judge", "judge_*", "grader", "grader_*", "scorer", "scorer_*"),
        "scoring",
        "Who judged the answers: another judge, or another version of it, scores the same answer otherwise.",
        ("judging",),
        told="outside",
    ),
    Known(
        ("*",),
        "environment",
        "Written down beside the run; it has no place in the order of known causes.",
        ("any",),
        told="outside",
    ),
)
"""What the harness cannot see, in the order in which it is known to move a score."""


MOST_KEYS = 4096
"""Keys whose place is remembered: many runs bear the same few dozen."""


def known_setting(key: str, table: Iterable[Known]) -> tuple[int | None, Known | None]:
    """Return the place (from 1) and the row of a key: its own name goes before its family, a longer family first."""
    family: tuple[int | None, Known | None] = (None, None)
    longest = -1
    for place, row in enumerate(table, 1):
        if key in row.keys:
            return place, row
        for name in row.keys:
            if name.endswith("*") and key.startswith(name[:-1]) and len(name) > longest:
                family, longest = (place, row), len(name)
    return family


@lru_cache(MOST_KEYS)
def rank_of(key: str) -> tuple[int | None, Known]:
    """Return a setting's place in the prior order (None: unranked) and what is known of it."""
    place, row = known_setting(key, RANKED)
    if row is not None:
        return place, row
    _, unranked = known_setting(key, UNRANKED)
    assert unranked is not None, "the last row of UNRANKED takes every key"
    if unranked is UNRANKED[-1]:
        for name in inner_names(key):
            place, row = known_setting(name, RANKED)
            if row is not None and name in row.keys:
                return place, row
    return None, unranked


def inner_names(key: str) -> tuple[str, ...]:
    """Return what a nested key may be by its inner name: `cli.args.temperature`, `experiment.seed`, `fewshot.seed`."""
    above, _, inner = key.rpartition(".")
    if not above:
        return ()
    if inner.endswith("seed"):
        return ("fewshot_seed" if "few" in above.rpartition(".")[2].lower() else "seed", inner)
    return (f"gen_kwargs.{inner}",)


@lru_cache(MOST_KEYS)
def context_rank(key: str) -> tuple[int, Known]:
    """Return the place of something outside the harness among its like, and what is known of it."""
    place, row = known_setting(key, CONTEXT)
    assert place is not None, "the last row of CONTEXT takes every key"
    assert row is not None, "the last row of CONTEXT takes every key"
    return place, row


@lru_cache(MOST_KEYS)
def field_rank(field: str) -> tuple[int, Known]:
    """Return the place of a field of a task's definition among its like, and what is known of it."""
    place, row = known_setting(field, FIELDS)
    assert place is not None, "the last row of FIELDS takes every field"
    assert row is not None, "the last row of FIELDS takes every field"
    family, _, name = field.partition(".")
    _, as_setting = (
        known_setting(f"gen_kwargs.{name}", RANKED) if family == "generation_kwargs" and name else (None, None)
    )
    return place, as_setting or row
