"""The order in which a setting is known to move a score, worst first, with one sentence why: data to check and extend.

The place of a row in `RANKED` is the prior order; what the samples show sharpens it in traces.py. A key stands in the
table by its name or by its family (`gen_kwargs.*`); arguments that hide inside `model_args` have places of their own.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Ranked(NamedTuple):
    """One place of the prior order: the keys that share it, what kind of thing they set, and why they move a score."""

    keys: tuple[str, ...]
    kind: str
    why: str


def model_args(names: str) -> tuple[str, ...]:
    """Return the dotted keys of arguments that are given inside model_args."""
    return tuple(f"model_args.{name}" for name in names.split())


def gen_kwargs(names: str) -> tuple[str, ...]:
    """Return the dotted keys of generation arguments."""
    return tuple(f"gen_kwargs.{name}" for name in names.split())


RANKED: tuple[Ranked, ...] = (
    Ranked(
        ("chat_template", "apply_chat_template"),
        "prompt",
        "A chat template wraps every prompt in role markers; with an instruction-tuned model nothing else moves a "
        "score as far.",
    ),
    Ranked(
        ("system_instruction",),
        "prompt",
        "A system text stands before every prompt and changes how the model answers.",
    ),
    Ranked(
        model_args("enable_thinking think_end_token think_start_token chat_template_args chat_template_kwargs"),
        "prompt",
        "Thinking changes the prompt's end, spends the budget before the answer, and decides which part is scored.",
    ),
    Ranked(
        model_args("system_prompt system_instruction chat_template use_chat_template apply_chat_template"),
        "prompt",
        "A text that the model's own arguments put before every prompt changes how the model answers.",
    ),
    Ranked(
        model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id"),
        "prompt",
        "The start token is added after the prompt is logged: many base models fall to chance without it, and it may "
        "be there twice.",
    ),
    Ranked(
        ("fewshot_as_multiturn",),
        "prompt",
        "Examples as turns of a conversation or as one block of text: the same words, another prompt.",
    ),
    Ranked(
        ("num_fewshot",),
        "prompt",
        "The number of solved examples before the question; it teaches the form of the answer.",
    ),
    Ranked(
        gen_kwargs("temperature"),
        "sampling",
        "Above 0 answers are drawn, not taken: scores then differ from run to run.",
    ),
    Ranked(
        gen_kwargs("do_sample"),
        "sampling",
        "Whether answers are drawn or the likeliest one is taken.",
    ),
    Ranked(
        gen_kwargs("until stop stop_sequences stop_token_ids"),
        "sampling",
        "Where an answer ends: one more or less stop text can cut it before the result stands there.",
    ),
    Ranked(
        gen_kwargs("max_gen_toks max_new_tokens max_tokens max_completion_tokens max_length"),
        "sampling",
        "The budget for an answer: too small, and it is cut before the result stands there.",
    ),
    Ranked(
        gen_kwargs("top_p top_k min_p typical_p repetition_penalty presence_penalty frequency_penalty num_beams"),
        "sampling",
        "Which words may be drawn, and which are held back.",
    ),
    Ranked(
        gen_kwargs("seed"),
        "sampling",
        "The seed of the draw at the server; it matters where answers are drawn.",
    ),
    Ranked(
        ("gen_kwargs.*", "gen_kwargs"),
        "sampling",
        "A generation argument: it is part of every request that asks for text.",
    ),
    Ranked(
        ("model",),
        "model",
        "The backend that reached the model: it tokenises, batches, samples and applies templates in its own way.",
    ),
    Ranked(
        model_args("pretrained model path engine peft delta lora adapter gguf_file filename"),
        "model",
        "Which weights were loaded: another model is another measurement.",
    ),
    Ranked(
        model_args("revision subfolder model_revision"),
        "model",
        "Which version of the weights was loaded.",
    ),
    Ranked(
        model_args(
            "load_in_4bit load_in_8bit quantization quantization_config bnb_4bit_quant_type bnb_4bit_compute_dtype "
            "autogptq gptqmodel awq gptq quantized kv_cache_dtype"
        ),
        "model",
        "Weights in fewer bits are other weights: answers change, some for the worse.",
    ),
    Ranked(
        model_args("max_gen_toks max_new_tokens max_tokens"),
        "sampling",
        "The budget for an answer, hidden among the model's arguments: too small, and it is cut before the result.",
    ),
    Ranked(
        model_args("max_length max_model_len max_ctx_len truncation truncation_strategy"),
        "prompt",
        "Prompts that are longer lose their beginning: the instruction and the first examples, without a note.",
    ),
    Ranked(
        model_args(
            "tokenizer tokenizer_backend tokenizer_revision tokenizer_mode use_fast_tokenizer tokenized_requests"
        ),
        "prompt",
        "How text becomes tokens; the logged prompt is the same text either way.",
    ),
    Ranked(
        model_args("dtype"),
        "environment",
        "The precision of the arithmetic: it can turn close decisions.",
    ),
    Ranked(
        model_args("temperature top_p top_k do_sample seed repetition_penalty"),
        "sampling",
        "How answers are drawn, given with the model instead of with the requests.",
    ),
    Ranked(
        model_args("base_url"),
        "environment",
        "The address that was asked; another address may serve other weights or another engine.",
    ),
    Ranked(
        ("model_args.*", "model_args"),
        "model",
        "An argument of the backend; what it does depends on the backend.",
    ),
    Ranked(
        ("limit", "samples"),
        "data",
        "How many items were scored: another set of questions is another measurement.",
    ),
    Ranked(
        ("batch_size",),
        "environment",
        "Batching changes the order of sums and can turn close decisions; it normally moves a score by well under a "
        "point.",
    ),
    Ranked(("random_seed", "seed"), "sampling", "Python's seed; it matters only where something is drawn."),
    Ranked(("numpy_seed",), "sampling", "NumPy's seed; it matters only where something is drawn."),
    Ranked(("torch_seed",), "sampling", "PyTorch's seed; it matters only where something is drawn."),
    Ranked(
        ("fewshot_seed",),
        "prompt",
        "Which solved examples were drawn; without examples it does nothing.",
    ),
    Ranked(
        ("device",),
        "environment",
        "Where the arithmetic ran; it can turn close decisions.",
    ),
    Ranked(
        ("environment.gpu",),
        "environment",
        "Another processor sums in another order; it can turn close decisions and moves log-likelihoods a little.",
    ),
    Ranked(
        model_args(
            "max_retries num_concurrent timeout verify_certificate gpu_memory_utilization parallelize device_map "
            "device_map_option max_memory_per_gpu max_cpu_memory offload_folder cache_dir swap_space trust_remote_code "
            "max_batch_size batch_size auth_token token api_key eos_string logits_cache download_dir enforce_eager "
            "tensor_parallel_size data_parallel_size pipeline_parallel_size attn_implementation max_num_seqs device"
        ),
        "environment",
        "How the model was loaded and reached; it changes speed, and answers at most in the last digits.",
    ),
    Ranked(
        ("versions.lm_eval",),
        "harness",
        "Harness versions differ in templates, defaults and how examples are drawn, also for the same command.",
    ),
    Ranked(
        ("versions.*",),
        "harness",
        "A task's version counts up when its prompt, filter or metric changes.",
    ),
    Ranked(
        ("versions.transformers",),
        "harness",
        "The library that tokenises and computes; it can change templates and the last digits.",
    ),
)
"""The prior order. `versions.*` stands for the versions of tasks; `versions.transformers` has a row of its own."""

UNRANKED: tuple[Ranked, ...] = (
    Ranked(
        ("use_cache", "no_cache", "cache_requests"),
        "harness",
        "Answers that come from a cache were not measured in this run.",
    ),
    Ranked(("predict_only",), "harness", "Answers were logged without being scored."),
    Ranked(("model_sha", "model_revision", "peft_sha", "delta_sha"), "model", "Which weights were loaded."),
    Ranked(("model_num_parameters",), "model", "How large the model is, as loaded."),
    Ranked(("model_dtype",), "environment", "The precision the weights were held in, as loaded."),
    Ranked(("max_length",), "prompt", "How long a prompt may be before its beginning is cut off."),
    Ranked(
        ("tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "eot_token_id"),
        "prompt",
        "A special token of the tokeniser: another one means another tokeniser.",
    ),
    Ranked(("bootstrap_iters",), "harness", "It changes reported standard errors, never a score."),
    Ranked(("batch_sizes",), "environment", "The batch sizes that were found; batching can turn close decisions."),
    Ranked(("max_batch_size",), "environment", "An upper bound of the batch; batching can turn close decisions."),
    Ranked(("model_source",), "model", "The backend that reached the model."),
    Ranked(("model_name", "path"), "model", "Which weights were loaded, by the name that was recorded."),
    Ranked(
        ("git_hash",),
        "harness",
        "Which state of the harness' code ran: templates, filters and scoring may be others.",
    ),
    Ranked(("environment.*",), "environment", "Part of the machine or its software: it can turn close decisions."),
    Ranked(("*",), "harness", "It has no place in the order of known causes; look at it after those above."),
)
"""Settings without a place in the prior order, and why they are shown all the same."""

CONTEXT: tuple[Ranked, ...] = (
    Ranked(
        ("quant",),
        "model",
        "The quantisation that was served. No endpoint reports it; it is written down by hand.",
    ),
    Ranked(("engine",), "environment", "The engine behind the endpoint: it applies templates and samples in its way."),
    Ranked(
        ("engine_version",),
        "environment",
        "The engine's version: samplers and templates change between versions.",
    ),
    Ranked(("endpoint",), "environment", "Which server answered; another one may hold other weights."),
    Ranked(("alias",), "environment", "The name that was asked for; it decides which file a gateway loads."),
    Ranked(("model_file",), "model", "The file of weights that was served."),
    Ranked(("*",), "environment", "Written down beside the run; it has no place in the order of known causes."),
)
"""What the harness cannot see, in the order in which it is known to move a score."""


def row_of(key: str, table: Iterable[Ranked] = RANKED) -> tuple[int | None, Ranked | None]:
    """Return the place (from 1) and the row of a key: its own name goes before its family."""
    family = None
    for place, row in enumerate(table, 1):
        if key in row.keys:
            return place, row
        if family is None and any(name.endswith("*") and key.startswith(name[:-1]) for name in row.keys):
            family = (place, row)
    return family or (None, None)


def rank_of(key: str) -> tuple[int | None, Ranked]:
    """Return a setting's place in the prior order (None: unranked) and the row that says why it matters."""
    place, row = row_of(key)
    if row is not None:
        return place, row
    _, unranked = row_of(key, UNRANKED)
    assert unranked is not None, "the last row of UNRANKED takes every key"
    return None, unranked


def context_rank(key: str) -> tuple[int, Ranked]:
    """Return the place of something outside the harness among its like, and the row that says why it matters."""
    place, row = row_of(key, CONTEXT)
    assert place is not None, "the last row of CONTEXT takes every key"
    assert row is not None, "the last row of CONTEXT takes every key"
    return place, row
