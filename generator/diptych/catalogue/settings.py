"""What is known of each setting, one row a setting: its place, why it moves a score, and how it acts.

The place of a row in `RANKED` is the usual impact, worst first. A key stands in a table by its name or by its family
(`gen_kwargs.*`). How a way of acting is recognised in the samples stands once, in `ACTS`.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

Act = Literal[
    "items",
    "documents",
    "template",
    "text",
    "thought",
    "examples",
    "layout",
    "frame",
    "messages",
    "choices",
    "target",
    "budget",
    "stop",
    "drawing",
    "seed",
    "decoding",
    "weights",
    "engine",
    "server",
    "tokens",
    "window",
    "arithmetic",
    "transport",
    "cache",
    "extraction",
    "scoring",
    "version",
    "any",
    "nothing",
]
"""A way in which a setting can move a score."""

Step = Literal[
    "items", "documents", "prompts", "choices", "generation_arguments", "responses", "filtered", "scores", "none"
]
Needs = Literal["examples", "drawing", "text", "weights", ""]
Change = Literal[
    "template", "multiturn", "system", "shots", "generation", "backend", "argument", "limit", "batch", "device",
    "seed", "cache", "package", "outside", "",
]  # fmt: skip


class How(NamedTuple):
    """A way of acting: the step where it shows first, what it leaves behind, and the check that proves it ("": none).

    `weak`: it can move a score by little only; it yields to what can do more.
    """

    step: Step
    leaves: str
    proof: str = ""
    weak: bool = False


ACTS: Mapping[Act, How] = {
    "items": How("items", "other items are scored; the shared ones are equal", "item_sets"),
    "documents": How("documents", "the documents themselves differ"),
    "template": How("prompts", "the same words between the marks of a template, or as a list of messages"),
    "text": How("prompts", "the recorded text stands in the prompts of one side only"),
    "thought": How("prompts", "an empty thought block in the prompt, or thoughts in the answers"),
    "examples": How("prompts", "more, fewer or other examples before an equal question"),
    "layout": How("prompts", "the same examples as turns or in one piece"),
    "frame": How("prompts", "the frame of every question changes alike"),
    "messages": How("prompts", "a list of messages instead of a text"),
    "choices": How("choices", "the scored continuations differ"),
    "target": How("documents", "the right answer is another one, the response is the same", "target_only"),
    "budget": How("responses", "the shorter answer is the longer one, cut at its budget", "cut_at_budget"),
    "stop": How("responses", "the shorter answer is the longer one, cut at its stop string", "cut_at_stop"),
    "drawing": How("responses", "answers differ both ways on equal prompts"),
    "seed": How("responses", "other draws: a repeat"),
    "decoding": How("responses", "answers differ on equal prompts"),
    "weights": How("responses", "answers and log-likelihoods move broadly"),
    "engine": How("responses", "answers and log-likelihoods move broadly"),
    "server": How("responses", "answers differ on equal requests"),
    "tokens": How("responses", "equal text, and log-likelihoods move on nearly all items, or on few by much"),
    "window": How("responses", "long prompts lose their beginning"),
    "arithmetic": How("responses", "small moves both ways, flips at small margins", weak=True),
    "transport": How("responses", "nothing, or another server's weights", weak=True),
    "cache": How("responses", "answers that were not measured in this run"),
    "extraction": How("filtered", "responses are equal, what the filter kept is not", "extraction_only"),
    "scoring": How("scores", "filtered responses are equal, scores are not", "scoring_only"),
    "version": How("none", "anything, at any step", weak=True),
    "any": How("none", "anything, at any step"),
    "nothing": How("none", "nothing"),
}


class Known(NamedTuple):
    """What is known of some settings that share a place.

    `needs`: they act only where examples are shown, answers are drawn, text is asked for, or weights are held.
    `model`: they name the model; all of them together are one suspect. `told` says how a harness is told it.
    """

    keys: tuple[str, ...]
    kind: str
    why: str
    acts: tuple[Act, ...]
    needs: Needs = ""
    model: bool = False
    told: Change = ""


def model_args(names: str) -> tuple[str, ...]:
    """Return the dotted keys of arguments that are given inside model_args."""
    return tuple(f"model_args.{name}" for name in names.split())


def gen_kwargs(names: str) -> tuple[str, ...]:
    """Return the dotted keys of generation arguments."""
    return tuple(f"gen_kwargs.{name}" for name in names.split())


RANKED: tuple[Known, ...] = (
    Known(
        ("chat_template", "apply_chat_template"),
        "prompt",
        "A chat template wraps every prompt in tokens of its own; with an instruction-tuned model nothing else moves a "
        "score as far.",
        ("template", "layout", "choices", "server"),
        told="template",
    ),
    Known(
        ("system_instruction",),
        "prompt",
        "A system text stands before every prompt and changes how the model answers.",
        ("text",),
        told="system",
    ),
    Known(
        (
            *model_args("enable_thinking think_end_token think_start_token"),
            *model_args("chat_template_args.enable_thinking chat_template_kwargs.enable_thinking"),
            *model_args("chat_template_args.thinking chat_template_kwargs.thinking"),
        ),
        "prompt",
        "Thinking changes the prompt's end, spends the budget before the answer, and decides which part is scored.",
        ("thought", "server"),
        told="argument",
    ),
    Known(
        (
            *model_args("chat_template_args chat_template_kwargs"),
            "model_args.chat_template_args.*",
            "model_args.chat_template_kwargs.*",
        ),
        "prompt",
        "What the chat template is told: it may write it into the prompt, or leave something out.",
        ("thought", "frame", "server"),
        told="argument",
    ),
    Known(
        model_args("system_prompt system_instruction chat_template use_chat_template apply_chat_template"),
        "prompt",
        "A text that the model's own arguments put before every prompt changes how the model answers.",
        ("text", "template", "server"),
        told="argument",
    ),
    Known(
        model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id"),
        "prompt",
        "The start token is added after the prompt is logged: many base models fall to chance without it, and it may "
        "be there twice.",
        ("tokens",),
        told="argument",
    ),
    Known(
        ("fewshot_as_multiturn",),
        "prompt",
        "Examples as turns of a conversation or as one block of text: the same words, another prompt.",
        ("layout",),
        needs="examples",
        told="multiturn",
    ),
    Known(
        ("num_fewshot",),
        "prompt",
        "The number of solved examples before the question; it teaches the form of the answer.",
        ("examples",),
        told="shots",
    ),
    Known(
        gen_kwargs("temperature"),
        "sampling",
        "Above 0 answers are drawn, not taken: scores then differ from run to run.",
        ("drawing",),
        needs="drawing",
        told="generation",
    ),
    Known(
        gen_kwargs("do_sample"),
        "sampling",
        "Whether answers are drawn or the likeliest one is taken.",
        ("drawing",),
        needs="drawing",
        told="generation",
    ),
    Known(
        gen_kwargs("until stop stop_sequences stop_seqs"),
        "sampling",
        "Where an answer ends: one more or less stop text can cut it before the result stands there.",
        ("stop",),
        needs="text",
        told="generation",
    ),
    Known(
        gen_kwargs("max_gen_toks max_new_tokens max_tokens max_completion_tokens max_length"),
        "sampling",
        "The budget for an answer: too small, and it is cut before the result stands there.",
        ("budget",),
        needs="text",
        told="generation",
    ),
    Known(
        gen_kwargs("top_p top_k min_p typical_p"),
        "sampling",
        "Which words may be drawn.",
        ("drawing",),
        needs="drawing",
        told="generation",
    ),
    Known(
        gen_kwargs("seed"),
        "sampling",
        "The seed of the draw at the server; it matters where answers are drawn.",
        ("seed",),
        needs="drawing",
        told="generation",
    ),
    Known(
        ("gen_kwargs.*", "gen_kwargs"),
        "sampling",
        "A generation argument: it is part of every request that asks for text.",
        ("decoding",),
        needs="text",
        told="generation",
    ),
    Known(
        ("model",),
        "model",
        "The backend that reached the model: it tokenises, batches, samples and applies templates in its own way.",
        ("messages", "engine"),
        told="backend",
    ),
    Known(
        model_args(
            "pretrained model path engine gguf_file filename model_path model_name peft delta lora adapter "
            "enable_lora lora_local_path lora_path lora_modules lora_name adapter_path adapter_name_or_path "
            "max_lora_rank max_lora lora_alpha lora_rank"
        ),
        "model",
        "Which weights were loaded: another model is another measurement.",
        ("weights",),
        model=True,
        told="argument",
    ),
    Known(
        model_args("revision subfolder model_revision"),
        "model",
        "Which version of the weights was loaded.",
        ("weights",),
        model=True,
        told="argument",
    ),
    Known(
        (
            *model_args(
                "load_in_4bit load_in_8bit quantization quantization_config bnb_4bit_quant_type quant_type "
                "bnb_4bit_compute_dtype autogptq gptqmodel awq gptq quantized kv_cache_dtype load_format quant"
            ),
            "model_args.quantization_config.*",
        ),
        "model",
        "Weights in fewer bits are other weights: answers change, some for the worse.",
        ("weights",),
        model=True,
        told="argument",
    ),
    Known(
        model_args("max_gen_toks max_new_tokens max_tokens"),
        "sampling",
        "The budget for an answer, hidden among the model's arguments: too small, and it is cut before the result.",
        ("budget",),
        needs="text",
        told="argument",
    ),
    Known(
        model_args("until stop"),
        "sampling",
        "Where an answer ends, hidden among the model's arguments.",
        ("stop",),
        needs="text",
        told="argument",
    ),
    Known(
        model_args("eos_string"),
        "sampling",
        "Which text ends an answer, or is taken off its end.",
        ("decoding",),
        needs="text",
        told="argument",
    ),
    Known(
        model_args("max_length max_model_len max_ctx_len truncation truncation_strategy"),
        "prompt",
        "Prompts that are longer lose their beginning: the instruction and the first examples, without a note.",
        ("window",),
        told="argument",
    ),
    Known(
        model_args(
            "tokenizer tokenizer_backend tokenizer_revision tokenizer_mode use_fast_tokenizer tokenized_requests"
        ),
        "prompt",
        "How text becomes tokens; the logged prompt is the same text either way.",
        ("tokens",),
        told="argument",
    ),
    Known(
        (*model_args("rope_scaling rope_theta rope_freq_base rope_freq_scale"), "model_args.rope_scaling.*"),
        "model",
        "How places in the text are told to the model: another scale than it was trained with changes every answer.",
        ("engine",),
        told="argument",
    ),
    Known(
        model_args("dtype torch_dtype"),
        "environment",
        "The precision of the arithmetic: it can turn close decisions.",
        ("arithmetic",),
        told="argument",
    ),
    Known(
        model_args("temperature top_p top_k do_sample min_p"),
        "sampling",
        "How answers are drawn, given with the model instead of with the requests.",
        ("drawing",),
        needs="drawing",
        told="argument",
    ),
    Known(
        model_args("repetition_penalty presence_penalty frequency_penalty num_beams"),
        "sampling",
        "Which words are held back, given with the model instead of with the requests.",
        ("decoding",),
        needs="text",
        told="argument",
    ),
    Known(
        model_args("seed"),
        "sampling",
        "The seed of the draw, given with the model; it matters where answers are drawn.",
        ("seed",),
        needs="drawing",
        told="argument",
    ),
    Known(
        model_args("base_url"),
        "environment",
        "The address that was asked; another address may serve other weights or another engine.",
        ("server",),
        told="argument",
    ),
    Known(
        ("model_args.*", "model_args"),
        "model",
        "An argument of the backend; what it does depends on the backend.",
        ("any",),
        told="argument",
    ),
    Known(
        ("limit", "samples"),
        "data",
        "How many items were scored: another set of questions is another measurement.",
        ("items",),
        told="limit",
    ),
    Known(
        ("batch_size",),
        "environment",
        "Batching changes the order of sums and can turn close decisions; it normally moves a score by well under a "
        "point.",
        ("arithmetic",),
        told="batch",
    ),
    Known(
        ("random_seed", "seed"),
        "sampling",
        "Python's seed; it matters only where something is drawn.",
        ("seed",),
        needs="drawing",
        told="seed",
    ),
    Known(
        ("numpy_seed",),
        "sampling",
        "NumPy's seed; it matters only where something is drawn.",
        ("seed",),
        needs="drawing",
        told="seed",
    ),
    Known(
        ("torch_seed",),
        "sampling",
        "PyTorch's seed; it matters only where something is drawn.",
        ("seed",),
        needs="drawing",
        told="seed",
    ),
    Known(
        ("fewshot_seed",),
        "prompt",
        "Which solved examples were drawn; without examples it does nothing.",
        ("examples",),
        needs="examples",
        told="seed",
    ),
    Known(
        ("device",),
        "environment",
        "Where the arithmetic ran; it can turn close decisions.",
        ("arithmetic",),
        needs="weights",
        told="device",
    ),
    Known(
        ("environment.gpu",),
        "environment",
        "Another processor sums in another order; it can turn close decisions and moves log-likelihoods a little.",
        ("arithmetic",),
        needs="weights",
    ),
    Known(
        model_args(
            "attn_implementation enforce_eager tensor_parallel_size data_parallel_size pipeline_parallel_size "
            "parallelize device_map max_num_seqs max_batch_size batch_size device gpu_memory_utilization "
            "device_map_option use_cuda_graph flash_attention compile low_cpu_mem_usage"
        ),
        "environment",
        "How the model was loaded; it changes speed, and answers at most in the last digits.",
        ("arithmetic",),
        told="argument",
    ),
    Known(
        model_args(
            "max_retries num_concurrent timeout verify_certificate max_memory_per_gpu max_cpu_memory offload_folder "
            "cache_dir swap_space trust_remote_code auth_token token api_key logits_cache download_dir "
            "cert_path header headers ca_cert_path"
        ),
        "environment",
        "How the model was reached; it changes speed, never the answer itself.",
        ("transport",),
        told="argument",
    ),
    Known(
        ("versions.lm_eval", "versions.inspect_ai", "versions.lighteval", "git_hash", "upper_git_hash"),
        "harness",
        "Harness versions differ in templates, defaults and how examples are drawn, also for the same command.",
        ("version",),
        told="package",
    ),
    Known(
        ("versions.*",),
        "harness",
        "A task's version counts up when its prompt, filter or metric changes.",
        ("frame", "choices", "decoding", "extraction", "scoring"),
    ),
    Known(
        ("versions.transformers",),
        "harness",
        "The library that tokenises and computes; it can change templates and the last digits.",
        ("version",),
        told="package",
    ),
)
"""The usual impact, worst first. `versions.*` stands for the versions of tasks."""

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
        ("*",),
        "environment",
        "Written down beside the run; it has no place in the order of known causes.",
        ("any",),
        told="outside",
    ),
)
"""What the harness cannot see, in the order in which it is known to move a score."""

FIELDS: tuple[Known, ...] = (
    Known(("description",), "prompt", "A text that stands before every question.", ("text",)),
    Known(
        ("doc_to_text", "gen_prefix", "use_prompt", "fewshot_delimiter"),
        "prompt",
        "How a question is written.",
        ("frame",),
    ),
    Known(("target_delimiter",), "prompt", "What stands between a question and its answer.", ("choices", "frame")),
    Known(
        ("fewshot_split", "fewshot_config", "fewshot_config.*", "training_split"),
        "prompt",
        "Where the solved examples come from.",
        ("examples",),
        needs="examples",
    ),
    Known(("process_docs",), "data", "How a data row becomes an item.", ("documents", "frame")),
    Known(
        (
            *("dataset_path", "dataset_name", "dataset_kwargs", "dataset_kwargs.*", "test_split", "validation_split"),
            "custom_dataset",
        ),
        "data",
        "Which data are asked.",
        ("documents", "items"),
    ),
    Known(("num_fewshot",), "prompt", "The number of solved examples.", ("examples",)),
    Known(("doc_to_choice",), "prompt", "Which continuations are scored, and in which order.", ("choices", "frame")),
    Known(("doc_to_target",), "data", "Which answer counts as right.", ("target", "choices", "scoring", "examples")),
    Known(
        ("generation_kwargs", "generation_kwargs.*"),
        "sampling",
        "A generation argument of the task.",
        ("decoding",),
        needs="text",
    ),
    Known(("output_type",), "prompt", "What is asked of the model.", ("frame", "choices", "decoding")),
    Known(("repeats",), "sampling", "How often each item is asked.", ("drawing",), needs="drawing"),
    Known(("filter_list", "filter_list.*"), "scoring", "How an answer is found in a response.", ("extraction",)),
    Known(
        ("metric_list", "metric_list.*", "process_results"),
        "scoring",
        "How an answer is scored.",
        ("scoring",),
    ),
    Known(
        (
            *("unsafe_code", "should_decontaminate", "doc_to_decontamination_query", "tag", "group", "task_alias"),
            "group_alias",
        ),
        "harness",
        "It names or guards the task and moves no score.",
        ("nothing",),
    ),
    Known(
        ("metadata.version",),
        "harness",
        "A task's version counts up when its prompt, filter or metric changes.",
        ("frame", "choices", "decoding", "extraction", "scoring"),
    ),
    Known(("*",), "harness", "A field of the task's definition.", ("any",)),
)
"""The fields of a task's definition, in the order in which they are looked at."""


def row_of(key: str, table: Iterable[Known]) -> tuple[int | None, Known | None]:
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


def rank_of(key: str) -> tuple[int | None, Known]:
    """Return a setting's place in the prior order (None: unranked) and what is known of it."""
    place, row = row_of(key, RANKED)
    if row is not None:
        return place, row
    _, unranked = row_of(key, UNRANKED)
    assert unranked is not None, "the last row of UNRANKED takes every key"
    return None, unranked


def context_rank(key: str) -> tuple[int, Known]:
    """Return the place of something outside the harness among its like, and what is known of it."""
    place, row = row_of(key, CONTEXT)
    assert place is not None, "the last row of CONTEXT takes every key"
    assert row is not None, "the last row of CONTEXT takes every key"
    return place, row


def field_rank(field: str) -> tuple[int, Known]:
    """Return the place of a field of a task's definition among its like, and what is known of it."""
    place, row = row_of(field, FIELDS)
    assert place is not None, "the last row of FIELDS takes every field"
    assert row is not None, "the last row of FIELDS takes every field"
    family, _, name = field.partition(".")
    _, as_setting = row_of(f"gen_kwargs.{name}", RANKED) if family == "generation_kwargs" and name else (None, None)
    return place, as_setting or row
