"""The table of traces: for each setting, where a change of it would show in the samples. Data to check and extend."""

from typing import NamedTuple

from diptych.catalogue.settings import model_args


class Trace(NamedTuple):
    """Where a change of some settings would show, and why there.

    `prompts` are kinds of prompt difference, `choices` the scored continuations, `arguments` the generation arguments
    of a request, `items` the set of items, `scores` another score for the same answer. `answers` says how
    answers can part though all requests are equal: "any" (as far as you like), "may" (it could, but nothing
    points to it), "small" (in the last digits), "drawn" (where answers are drawn), "" (not at all).
    `text_only` settings act only on tasks that ask for text.
    """

    keys: tuple[str, ...]
    why: str
    prompts: tuple[str, ...] = ()
    choices: bool = False
    arguments: bool = False
    answers: str = ""
    items: bool = False
    scores: bool = False
    text_only: bool = False


TRACES: tuple[Trace, ...] = (
    Trace(
        ("chat_template", "apply_chat_template"),
        "The template's marks stand in the logged prompt; a server's own template does not, there a list of messages "
        "takes the text's place, and where turning it on brings turns with it (0.4.10) the examples stand in them.",
        prompts=("role_markers", "same_words", "system_text", "start_token", "example_layout"),
        choices=True,
    ),
    Trace(
        ("system_instruction",),
        "The text stands at the beginning of every logged prompt.",
        prompts=("system_text",),
    ),
    Trace(
        model_args("system_prompt system_instruction chat_template use_chat_template apply_chat_template"),
        "The backend adds it when it builds the request, before or after the prompt is logged.",
        prompts=("system_text", "role_markers"),
        answers="any",
    ),
    Trace(
        model_args("enable_thinking think_start_token think_end_token chat_template_args chat_template_kwargs"),
        "It changes the end of a rendered prompt, or only what the server does with it.",
        prompts=("role_markers", "system_text", "other"),
        answers="any",
    ),
    Trace(
        model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id"),
        "The token is added after the prompt is logged: prompts stay equal as text, answers part.",
        answers="any",
    ),
    Trace(
        ("fewshot_as_multiturn",),
        "The same examples stand in turns of their own, or in one block.",
        prompts=("example_layout", "examples", "role_markers", "other"),
    ),
    Trace(
        ("num_fewshot",),
        "A block of solved examples is there, or is longer.",
        prompts=("examples",),
    ),
    Trace(
        ("fewshot_seed",),
        "Other examples of the same number stand before the question.",
        prompts=("examples", "other"),
    ),
    Trace(
        ("gen_kwargs.*", "gen_kwargs"),
        "It is part of each logged request that asks for text.",
        arguments=True,
        text_only=True,
    ),
    Trace(
        ("model", "model_source"),
        "A chat backend sends messages instead of a text; else only the answers show it.",
        prompts=("same_words",),
        choices=True,
        answers="any",
    ),
    Trace(
        model_args("pretrained model path engine peft delta lora adapter gguf_file filename revision subfolder")
        + model_args(
            "load_in_4bit load_in_8bit quantization quantization_config bnb_4bit_quant_type autogptq gptqmodel"
        )
        + ("model_sha", "model_num_parameters", "model_revision", "peft_sha", "delta_sha"),
        "Other weights give other answers to the same prompts.",
        answers="any",
    ),
    Trace(
        model_args("max_gen_toks max_new_tokens max_tokens"),
        "The budget is the backend's own and not in the request; answers end earlier or later.",
        answers="any",
        text_only=True,
    ),
    Trace(
        model_args("temperature top_p top_k do_sample repetition_penalty"),
        "It is the backend's own and not in the request; answers part where they are drawn.",
        answers="any",
        text_only=True,
    ),
    Trace(
        (*model_args("seed"), "random_seed", "numpy_seed", "torch_seed", "seed"),
        "Other draws give other answers to the same prompts.",
        answers="drawn",
    ),
    Trace(
        (
            *model_args("tokenizer tokenizer_backend tokenizer_revision tokenizer_mode use_fast_tokenizer"),
            *model_args("tokenized_requests"),
            *("tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "eot_token_id"),
        ),
        "The text is the same, the tokens are not; the tokens are not logged.",
        prompts=("start_token",),
        answers="any",
    ),
    Trace(
        (
            *model_args("dtype"),
            "batch_size",
            "batch_sizes",
            "max_batch_size",
            "device",
            "environment.gpu",
            "model_dtype",
        ),
        "Sums in another order or precision move log-likelihoods in their last digits and turn close decisions.",
        answers="small",
    ),
    Trace(
        ("limit", "samples"),
        "Items are there on one side only; on the shared items it does nothing.",
        items=True,
    ),
    Trace(
        ("versions.lm_eval",),
        "A version can render, draw, cut, filter and score in its own way.",
        prompts=("white_space", "example_layout", "same_words", "other"),
        choices=True,
        answers="may",
        scores=True,
    ),
    Trace(
        ("versions.transformers",),
        "The library renders templates and computes.",
        answers="may",
    ),
    Trace(
        ("versions.*",),
        "Another version of a task has another prompt, another budget, another filter or another metric.",
        prompts=("white_space", "other"),
        choices=True,
        arguments=True,
        scores=True,
    ),
    Trace(
        ("context.quant", "context.model_file", "context.engine", "context.engine_version"),
        "Other weights or another engine give other answers to the same prompts.",
        answers="any",
    ),
    Trace(
        ("*",),
        "Nothing known points to it; answers would part though all requests are equal.",
        answers="may",
    ),
)
"""From a key, or a family of keys, to what it would leave behind. A key's own row goes before its family's."""


def trace_of(key: str) -> Trace:
    """Return the row of the table that speaks of a setting; the longest family that holds it, else the last row."""
    best, length = TRACES[-1], 0
    for trace in TRACES:
        for name in trace.keys:
            if name == key:
                return trace
            if name.endswith("*") and key.startswith(name[:-1]) and len(name) > length:
                best, length = trace, len(name)
    return best
