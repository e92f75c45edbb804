"""Settings that cannot have acted in two runs, whatever the samples show: what follows from the settings alone."""

from collections.abc import Callable

from diptych.comparison import SettingDifference
from diptych.diagnose.samples.sample_counts import Seen
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.run import Json, Run

ONLY_WHERE_DRAWN = (
    "gen_kwargs.seed",
    "gen_kwargs.top_p",
    "gen_kwargs.top_k",
    "gen_kwargs.min_p",
    "gen_kwargs.typical_p",
    "model_args.seed",
    "random_seed",
    "numpy_seed",
    "torch_seed",
    "seed",
)
"""Settings that act only where something is drawn."""


def inert(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return the sentence that says why a setting cannot have acted, or None where it may have."""
    rule = RULES.get(row.key)
    return rule(row, seen, a, b) if rule else None


def needs_examples(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return why a setting of examples did nothing: no task of either side shows any."""
    shots = [shots_of(run, row.tasks) for run in (a, b)]
    if shots == [0, 0]:
        return "Both runs show no examples (0 shots), so it changes nothing."
    return None


def needs_drawing(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return why a setting of sampling did nothing: nothing was drawn on either side."""
    if "dummy" in (value_of(a, "model"), value_of(b, "model")):
        return None  # it draws its answers without asking for any
    drawn = [drawn_by(run, seen) for run in (a, b)]
    if drawn == [False, False]:
        return "Nothing is drawn in either run (the likeliest answer is taken), so it changes nothing."
    return None


def needs_weights(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return why a device did nothing: both models are served elsewhere."""
    if served(a) and served(b):
        return "Both models are served by an endpoint; the harness holds no weights, so its device changes nothing."
    return None


def needs_installing(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return why a library took no part: one side is without it, and its backend is the other's."""
    recorded = row.a_recorded and row.b_recorded
    if recorded and None in (row.a, row.b) and value_of(a, "model") == value_of(b, "model"):
        return "It is not installed on one side, where the same backend works without it."
    return None


def errors_only(row: SettingDifference, seen: Seen, a: Run, b: Run) -> str | None:
    """Return why the number of bootstrap draws moves no score."""
    return "It is used for standard errors only."


Rule = Callable[[SettingDifference, Seen, Run, Run], str | None]

RULES: dict[str, Rule] = {
    "fewshot_as_multiturn": needs_examples,
    "fewshot_seed": needs_examples,
    "device": needs_weights,
    "environment.gpu": needs_weights,
    "bootstrap_iters": errors_only,
    "versions.transformers": needs_installing,
    **dict.fromkeys(ONLY_WHERE_DRAWN, needs_drawing),
}
"""Which rule holds for which setting; a setting without one may always have acted."""


def shots_of(run: Run, tasks: tuple[str, ...] = ()) -> int | None:
    """Return the largest number of examples that any of some tasks shows; None where it is not recorded."""
    chosen = [settings for task, settings in run.task_settings.items() if not tasks or task in tasks]
    recorded = [settings["num_fewshot"].value for settings in chosen if "num_fewshot" in settings]
    known = [value for value in recorded if isinstance(value, (int, float))]
    return int(max(known)) if known and len(known) == len(recorded) else None


def drawn_by(run: Run, seen: Seen) -> bool | None:
    """Say whether a run draws its answers; None where its files do not tell."""
    if seen.pairs and not seen.text:
        return False
    places = [run.settings, *run.task_settings.values()]
    values: dict[str, list[Json]] = {"temperature": [], "do_sample": []}
    for place in places:
        for key, setting in place.items():
            family, _, name = key.partition(".")
            if family in ("gen_kwargs", "model_args") and name in values and setting.recorded:
                values[name].append(setting.value)
    if any(isinstance(value, (int, float)) and value > 0 for value in values["temperature"]):
        return True
    if any(value is True or value == "true" for value in values["do_sample"]):
        return True
    return False if values["temperature"] or values["do_sample"] else None


def served(run: Run) -> bool:
    """Say whether a run asked an endpoint instead of holding the weights itself."""
    return bool(value_of(run, "model_args.base_url")) or "completions" in str(value_of(run, "model"))


def named_by_quant(a: Run, b: Run) -> bool:
    """Say whether the names of two models differ only by the quantisation that is written down beside the runs."""
    names = [next((value_of(run, name) for name in MODEL_NAMES if value_of(run, name)), None) for run in (a, b)]
    quants = [str((run.context or {}).get("quant") or "").casefold() for run in (a, b)]
    if not all(isinstance(name, str) for name in names) or not all(quants):
        return False
    bare = [str(name).casefold().replace(quant, "").rstrip("-_. ") for name, quant in zip(names, quants, strict=True)]
    return bare[0] == bare[1] and names[0] != names[1]


def of_another_backend(row: SettingDifference, a: Run, b: Run) -> bool:
    """Say whether an argument is there on one side only because the backends differ: it belongs to its backend."""
    other = value_of(a, "model") != value_of(b, "model")
    return other and row.key.startswith("model_args.") and (row.a_default or row.b_default)


def value_of(run: Run, key: str) -> Json:
    """Return a run-wide setting's value; None where it is not recorded."""
    return run.recorded(key)
