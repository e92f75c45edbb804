"""The settings that come after prompts and sampling: backend, weights, arithmetic, items, seeds and devices."""

from diptych.catalogue.setting_effects import Known, model_args

AT_ONCE = "model_args.num_concurrent"
"""How many requests are sent at once, which a server batches."""

MODELS_AND_MACHINES: tuple[Known, ...] = (
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
                "bnb_4bit_compute_dtype autogptq gptqmodel awq gptq quantized load_format quant"
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
        (
            *model_args("rope_scaling rope_theta rope_freq_base rope_freq_scale kv_cache_dtype"),
            "model_args.rope_scaling.*",
        ),
        "model",
        "How places in the text are told to the model, or in how many bits its cache is held: another way than it was "
        "trained with changes every answer.",
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
        "Python's seed; it matters only where something is drawn: an answer, or what a task's own code draws.",
        ("seed", "shuffle"),
        needs="drawing",
        told="seed",
    ),
    Known(
        ("numpy_seed",),
        "sampling",
        "NumPy's seed; it matters only where something is drawn: an answer, or what a task's own code draws.",
        ("seed", "shuffle"),
        needs="drawing",
        told="seed",
    ),
    Known(
        ("torch_seed",),
        "sampling",
        "PyTorch's seed; it matters only where something is drawn: an answer, or what a task's own code draws.",
        ("seed", "shuffle"),
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
        "How the model was reached: it changes speed and which requests fail; how many are sent at once also "
        "changes how a server batches them, which moves few greedy answers.",
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
