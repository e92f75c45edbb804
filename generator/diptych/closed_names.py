"""The closed sets of names that an artifact holds (kinds, steps, words of a scale), for the type checker to hold."""

from typing import Literal, get_args

Severity = Literal["error", "warning", "note"]
Status = Literal["better", "worse", "same", "unclear", "not_available"]
Bearing = Literal["explains", "can", "cannot"]
"""What a setting has to do with a difference, strongest first (in artifacts `standing`)."""
Certainty = Literal["proven", "supported", "possible", "none"]
"""How sure a verdict is of its cause (in artifacts `standing`)."""
VerdictKind = Literal["not_a_measurement", "not_comparable", "identical", "equivalent", "different", "unclear"]
FlipClass = Literal["lost", "gained", "both_wrong_changed", "format_only", "extraction_only", "one_side_missing"]
Step = Literal["documents", "prompts", "choices", "generation_arguments", "responses", "filtered", "scores"]
"""A step of the ladder (in artifacts `rung`)."""

Family = Literal["primary", "other", "other_groups"]
"""The rows whose p-values are adjusted together."""

# fmt: off
FindingKind = Literal[
    "answers_empty", "answers_cut", "answers_loop", "answers_thinking_open", "likelihoods_not_numbers",
    "answers_broken", "answers_constant", "answers_identical", "answers_refused", "answers_fenced", "unanswered",
    "answer_format_changed", "answers_phrased", "answers_recited",
    "filter_extracts_nothing", "filters_doubled", "filters_disagree",
    "prompt_role_markers", "prompt_examples", "prompt_example_layout", "prompt_white_space", "prompt_system_text",
    "prompt_start_token", "prompt_thought", "prompt_other", "prompts_hold_answers", "prompts_cut", "choices_differ",
    "choices_reordered", "start_token_doubled", "start_token_setting", "tokens_unseen",
    "items_differ", "ids_disagree", "targets_differ", "rows_doubled", "rows_missing", "ids_missing", "items_depend",
    "repeats_in_log", "no_samples", "no_item_scores", "value_not_a_number", "tasks_renamed", "documents_differ",
    "tasks_differ",
    "numerical_noise", "noise_floor", "near_chance", "score_at_bound", "score_sentinel", "stderr_missing",
    "stderr_impossible", "reported_disagrees", "scale_mixed", "scale_rescaled", "scorer_changed", "group_weighting",
    "group_without_metric", "many_tests", "direction_unknown",
    "models_differ", "adapter_not_applied", "cache_suspected", "settings_contradict", "settings_not_recorded",
    "settings_unknown", "serving_unknown", "not_in_files",
    "results_many", "file_damaged", "baseline", "secret_masked",
    "serving_differs", "model_mismatch", "replies_truncated", "cost_unusable", "cost_mixed",
    "cost_incomplete", "cost_answering", "cost_attempts", "cost_unread", "costs_disagree", "money_not_available",
    "money_bases_differ",
    "judge_one_order", "judge_order_unknown", "judge_unreadable", "judge_labels_swapped", "judge_repeats",
    "judge_drift", "judge_not_read", "judge_flips", "judge_place", "judge_length", "judge_family", "judge_disagrees",
    "judge_against_labels",
]
# fmt: on
"""What `catalogue/findings.py` has a row for."""

Outcome = Literal["pass", "fail", "inconclusive"]
"""What became of a gate."""

STEPS: tuple[Step, ...] = get_args(Step)
"""The ladder in the order it is walked."""
BEARINGS: tuple[Bearing, ...] = get_args(Bearing)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Heaviest first."""

FLIP_CLASSES: tuple[FlipClass, ...] = get_args(FlipClass)
"""In the order to look at them."""

PartRole = Literal["answer", "disagreement", "open", "coverage", "caveat", "cause"]
"""What a part of a verdict says: how the runs differ; which filters and metrics say otherwise; which tasks are open
or still; which tasks one side alone has; what could turn the answer; why they differ."""
