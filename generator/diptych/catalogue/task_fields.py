"""The fields of a task's definition, as settings of their own."""

from diptych.catalogue.setting_effects import Known

FIELDS: tuple[Known, ...] = (
    Known(("description",), "prompt", "A text that stands before every question.", ("text",)),
    Known(
        ("gen_prefix", "fewshot_delimiter"),
        "prompt",
        "A text that stands before each answer, or between the examples.",
        ("text", "frame"),
    ),
    Known(
        ("doc_to_text", "use_prompt"),
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
    Known(("repeats",), "sampling", "How often each item is asked.", ("ballots",), needs="drawing"),
    Known(("filter_list", "filter_list.*"), "scoring", "How an answer is found in a response.", ("extraction",)),
    Known(
        ("metric_list", "metric_list.*", "process_results"),
        "scoring",
        "How an answer is scored.",
        ("scoring",),
    ),
    Known(
        ("metadata.judge", "metadata.judge_*", "metadata.grader", "metadata.grader_*", "judge_model", "judge_*"),
        "scoring",
        "Who judges the answers: another judge, or another version of it, scores the same answer otherwise.",
        ("judging",),
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
