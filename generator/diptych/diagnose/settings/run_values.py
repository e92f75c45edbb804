"""Single values of a run's record, and what they say of how its model was reached and named."""

from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.run import Json, Run


def served(run: Run) -> bool:
    """Say whether a run asked an endpoint instead of holding the weights itself."""
    return bool(run_value(run, "model_args.base_url")) or "completions" in str(run_value(run, "model"))


def named_by_quant(a: Run, b: Run) -> bool:
    """Say whether the names of two models differ only by the quantisation that is written down beside the runs."""
    names = [next((run_value(run, name) for name in MODEL_NAMES if run_value(run, name)), None) for run in (a, b)]
    quants = [str((run.context or {}).get("quant") or "").casefold() for run in (a, b)]
    if not all(isinstance(name, str) for name in names) or not all(quants):
        return False
    bare = [str(name).casefold().replace(quant, "").rstrip("-_. ") for name, quant in zip(names, quants, strict=True)]
    return bare[0] == bare[1] and names[0] != names[1]


def run_value(run: Run, key: str) -> Json:
    """Return a run-wide setting's value; None where it is not recorded."""
    setting = run.settings.get(key)
    return setting.value if setting is not None and setting.recorded else None


def other_model(a: Run, b: Run) -> bool:
    """Say whether the two runs name different models; a folder in front of the name does not make another model."""
    pairs: list[tuple[Json, Json]] = [(a.model, b.model)]
    for key in ("model_args.pretrained", "model_args.model", "model_args.peft", "model_name", "model_args.path"):
        pairs.append((run_value(a, key), run_value(b, key)))
    named = [(short_model_name(left), short_model_name(right)) for left, right in pairs if left and right]
    return any(left != right for left, right in named)


def short_model_name(name: Json) -> str:
    """Return the last part of a model's name or path in lower case."""
    return str(name).rstrip("/").rpartition("/")[2].casefold()


def of_interface(key: str) -> bool:
    """Say whether a key belongs to the interface: template, backend, and the backend's arguments."""
    return key in ("chat_template", "model", "fewshot_as_multiturn") or key.startswith("model_args.")


def takes_messages(run: Run) -> bool:
    """Say whether a run's backend is a chat interface: it takes messages alone and always needs a template."""
    return "chat-completion" in str(run_value(run, "model"))
