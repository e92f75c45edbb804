"""Whether two perplexities count in the same units: per token, a unit is whatever the model's tokeniser makes it."""

from diptych.catalogue.metrics import metric_of
from diptych.diagnose.settings.model_parts import same_weights
from diptych.diagnose.settings.run_values import named_by_quant, other_model, run_value
from diptych.metric_key import MetricKey
from diptych.run import Run

PER_ITEM, ONE_AN_ITEM = "perplexity", "loglikelihood"
"""The metric of one log-likelihood an item, and the type of the tasks that ask for it."""

NAMES = ("model_args.tokenizer", "tokenizer")
MARKS = ("tokenizer_eos_token", "tokenizer_bos_token", "tokenizer_pad_token")


def other_units(key: MetricKey, a: Run, b: Run) -> str | None:
    """Return why a metric per token cannot be compared between two runs, None where it can."""
    metric = key.metric
    if not any(counts_tokens(key, run) for run in (a, b)):
        return None
    why = why_other_tokeniser(a, b)
    if why is None:
        return None
    return f"{metric} counts in each model's own tokens, and {why}; compare it per word or per byte, or bits_per_byte"


def counts_tokens(key: MetricKey, run: Run) -> bool:
    """Say whether a metric is, or may be, a mean over tokens.

    A perplexity per word, per byte or per item is of one text, whatever tokens it was cut into: the log-likelihood of
    an item's target is the sum over its tokens, so `exp(-mean)` over items (as of lambada) compares any two models.
    The harness makes that of tasks that ask for one log-likelihood an item; up to 0.3 it is called `ppl` there.
    """
    if key.metric == PER_ITEM:
        return str(run.configs.get(key.task, {}).get("output_type", ONE_AN_ITEM)) != ONE_AN_ITEM
    return metric_of(key.metric).per_token and not (key.metric == "ppl" and run.generation == "0.3")


def why_other_tokeniser(a: Run, b: Run) -> str | None:
    """Return what speaks against one tokeniser on both sides, None where nothing does."""
    named = [next((run_value(run, key) for key in NAMES if run_value(run, key)), None) for run in (a, b)]
    if all(named):
        return None if named[0] == named[1] else "the tokenisers are not the same"
    for key in MARKS:
        left, right = run_value(a, key), run_value(b, key)
        if left is not None and right is not None and left != right:
            return "the tokenisers are not the same"
    if other_model(a, b) and not named_by_quant(a, b) and not same_weights(a, b):
        return "nothing says that these two models share a tokeniser"
    return None
