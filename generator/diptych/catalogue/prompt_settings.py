"""The settings that are asked first: what is sent to a model, and how its answer is drawn and ended."""

from diptych.catalogue.acts import Known, gen_kwargs, model_args

PROMPTS_AND_SAMPLING: tuple[Known, ...] = (
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
)
