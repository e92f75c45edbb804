"""The first words of a verdict where two models were run, or one in two ways."""

from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.model_parts import COMMIT, names_two_quantizations, one_name, part_of_model, same_weights
from diptych.diagnose.settings.run_values import named_by_quant
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.run_labels import run_labels
from diptych.diagnose.verdict.value_words import fit_sentence
from diptych.run import Json, Run
from diptych.value_text import short_hashes


def models_clause(conclusion: Conclusion, a: Run, b: Run) -> str:
    """Return that the runs are of two models, as the first words; "" where they are of one."""
    one = conclusion.model
    if one is None:
        return ""
    ours, theirs = short_hashes(model_name(one.a), model_name(one.b))
    if one.key in MODEL_NAMES and not one_quantized(one, a, b):
        if one_name(a, b):
            return f"One model under two names, as these go ({ours} → {theirs}): "
        if in_two_forms(one, a, b):
            return f"One model in two forms, by its names ({ours} → {theirs}): "
        return f"Two models ({ours} → {theirs}): "
    if one_quantized(one, a, b):
        named = "" if one.key == "context.quant" else f"{one.name} "
        return f"Two quantizations of one model ({named}{ours} → {theirs}): "
    if part_of_model(one.key) == "adapter":
        if "none" in (ours, theirs):
            label, given = (run_labels(a, b).b, theirs) if ours == "none" else (run_labels(a, b).a, ours)
            return f"One model, in {label} with an adapter ({one.name} {given}): "
        return f"One model with another adapter ({one.name} {ours} → {theirs}): "
    if one.key == COMMIT:
        return f"Two commits of one model on record ({one.name} {ours} → {theirs}): "
    return f"Two models on record ({one.name} {ours} → {theirs}): "


def one_quantized(one: Difference, a: Run, b: Run) -> bool:
    """Say whether two models on record are one in two quantizations, which is one setting."""
    if one.key in MODEL_NAMES:
        return named_by_quant(a, b) or names_two_quantizations(a, b)
    return part_of_model(one.key) == "bits"


def in_two_forms(one: Difference, a: Run, b: Run) -> bool:
    """Say whether two models on record are by their names one, quantized on one side."""
    return one.key in MODEL_NAMES and not one_quantized(one, a, b) and same_weights(a, b)


def model_name(value: Json) -> str:
    """Return the last part of a model's name or path."""
    if isinstance(value, str) and "/" in value:
        return fit_sentence(value.rstrip("/").rpartition("/")[2])
    return "none" if value in (None, "") else fit_sentence(str(value))
