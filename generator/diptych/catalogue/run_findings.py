"""Kinds of findings: what settings and files show."""

from collections.abc import Mapping

from diptych.catalogue.finding_row import ALWAYS_NOTE, ALWAYS_WARNING, FindingRow
from diptych.closed_names import FindingKind

SETTINGS = "Settings"
FILES = "Files"

RUN_FINDINGS: Mapping[FindingKind, FindingRow] = {
    "models_differ": FindingRow(
        SETTINGS,
        "Two models",
        ALWAYS_NOTE,
        "The record names two models: another name, revision, adapter, quantization or parameter count.",
        "Nothing where that is the question.",
        "qualifies",
    ),
    "adapter_not_applied": FindingRow(
        SETTINGS,
        "An adapter that did nothing",
        {"warning": "on a part of the items", "error": "on nearly all items"},
        "One side names an adapter or other weights, and its answers are those of the other side to the last digit.",
        "Check that the adapter was loaded.",
        "voids",
    ),
    "cache_suspected": FindingRow(
        SETTINGS,
        "A response cache is likely",
        ALWAYS_WARNING,
        "Answers agree in a way that fresh runs of these settings would not.",
        "Run again without --use_cache.",
        "qualifies",
    ),
    "settings_contradict": FindingRow(
        SETTINGS,
        "Settings that contradict",
        {"note": "where the backend decides which holds", "warning": "otherwise"},
        "Recorded settings cannot all be true, or are not what the prompts show.",
        "Believe the prompts: they are what was sent.",
    ),
    "settings_not_recorded": FindingRow(
        SETTINGS,
        "Settings on one side only",
        ALWAYS_NOTE,
        "One side does not record settings that the other does. Not recorded is neither the same nor different.",
        "Write run-context.json beside the run.",
    ),
    "settings_unknown": FindingRow(
        SETTINGS,
        "Settings unknown",
        ALWAYS_WARNING,
        "A results file has no config, so its settings are unknown.",
        "Use the results file that the harness wrote, whole.",
        "qualifies",
    ),
    "serving_unknown": FindingRow(
        SETTINGS,
        "Nothing recorded explains it",
        {"note": "where answers moved little", "warning": "otherwise"},
        "Answers to equal requests differ, and no recorded setting does.",
        "Repeat one side to see its own variation, and record what was served in run-context.json.",
    ),
    "not_in_files": FindingRow(
        SETTINGS,
        "What no file tells",
        ALWAYS_NOTE,
        "Some of what can move a score is in no file of these runs; the verdict is drawn without it.",
        "Write run-context.json beside each run, and repeat one of them.",
    ),
    "results_many": FindingRow(
        FILES,
        "Several results files",
        ALWAYS_WARNING,
        "A folder holds several results files; the latest was read.",
        "Name the file.",
    ),
    "file_damaged": FindingRow(
        FILES,
        "Damaged file",
        {"warning": "in students' files", "error": "in a run"},
        "A part of a file could not be read and is left out.",
        "Copy the file again, or run that task again.",
        "withholds",
    ),
    "baseline": FindingRow(
        FILES,
        "Compared with the baseline",
        {"note": "the baseline is as it was blessed", "warning": "its configuration is another one by now"},
        "A is the blessed run of the manifest: how old it is, and whether its configuration still is the one of then.",
        "Bless a run of today's configuration with `diptych baseline set`.",
    ),
    "secret_masked": FindingRow(
        FILES,
        "Secret masked",
        ALWAYS_WARNING,
        "The run's files hold a key, token or password, which is masked here.",
        "Do not publish the run's own files; change the secret.",
    ),
}
