"""Settings that cannot have acted in two runs, whatever the samples show: what follows from the record alone."""

import re
from collections.abc import Mapping, Sequence

from diptych.diagnose.samples.dependence import USES, use_of_filter
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.run_values import run_value, served
from diptych.diagnose.settings.suspects import Difference
from diptych.run import LM_EVAL, Json, Run
from diptych.sides import Sided


def idle(one: Difference, draws: Sided[bool | None], asks_text: bool | None, a: Run, b: Run) -> str | None:
    """Return the sentence that says why a difference cannot have acted, or None where it may have.

    `draws` says of each side whether it draws its answers, `asks_text` whether any task concerned asks for text.
    """
    if "nothing" in one.known.acts:
        return "It moves no score."
    if one.key == "bootstrap_iters":
        return "It is used for standard errors only."
    if one.field == "repeats" and all(reads_first(run, one.tasks) for run in (a, b)):
        return "Of several responses to an item the first one alone is scored."
    if needs := NEEDS.get(one.known.needs):
        return needs(one, draws, asks_text, a, b)
    if one.key == "versions.transformers" and one.both_recorded and None in (one.a, one.b) and same_backend(a, b):
        return "It is not installed on one side, where the same backend works without it."
    if "server" in one.known.acts and one_address(one.a, one.b):
        return "The two addresses lead to one place: they differ in credentials or in a name of the same host."
    return None


def no_examples(one: Difference, draws: Sided[bool | None], asks_text: bool | None, a: Run, b: Run) -> str | None:
    """Return why a setting of examples did nothing: no task of either side shows any."""
    shown = [most_shots(run, one.tasks) for run in (a, b)]
    return "Both runs show no examples (0 shots), so it changes nothing." if shown == [0, 0] else None


def no_drawing(one: Difference, draws: Sided[bool | None], asks_text: bool | None, a: Run, b: Run) -> str | None:
    """Return why a setting of sampling did nothing: nothing was drawn on either side."""
    if "dummy" in (run_value(a, "model"), run_value(b, "model")):
        return None  # it draws its answers without asking for any
    if asks_text is False or (draws.a is False and draws.b is False):
        return "Nothing is drawn in either run (the likeliest answer is taken), so it changes nothing."
    return None


def no_text(one: Difference, draws: Sided[bool | None], asks_text: bool | None, a: Run, b: Run) -> str | None:
    """Return why an argument of generation did nothing: no task asks for text."""
    return "No compared task asks for text." if asks_text is False else None


def no_weights(one: Difference, draws: Sided[bool | None], asks_text: bool | None, a: Run, b: Run) -> str | None:
    """Return why a device did nothing: both models are served elsewhere."""
    if served(a) and served(b):
        return "Both models are served by an endpoint; the harness holds no weights, so its device changes nothing."
    return None


def reads_first(run: Run, tasks: Sequence[str]) -> bool:
    """Say whether every filter of some tasks keeps the first response alone."""
    listed = [run.configs.get(task, {}).get("filter_list") for task in tasks]
    filters = [entry for entries in listed if isinstance(entries, list) for entry in entries]
    return all(use_of_filter(entry) == [USES["take_first"]] for entry in filters)


NEEDS = {"examples": no_examples, "drawing": no_drawing, "text": no_text, "weights": no_weights}
"""What a setting needs to act, and the rule that says where that is missing."""

LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "::1")
"""Names of the machine itself."""


def one_address(a: Json, b: Json) -> bool:
    """Say whether two addresses differ only in credentials, or in a name of the machine itself."""
    return isinstance(a, str) and isinstance(b, str) and bare_address(a) == bare_address(b)


def one_host(a: Json, b: Json) -> bool:
    """Say whether two addresses differ only in their port: one engine as a rule, though perhaps of other weights."""
    return isinstance(a, str) and isinstance(b, str) and bare_address(a)[::2] == bare_address(b)[::2]


def one_place(a: Json, b: Json) -> bool:
    """Say whether two addresses differ at most in their path and credentials: one server asked in another way."""
    return isinstance(a, str) and isinstance(b, str) and bare_address(a)[:2] == bare_address(b)[:2]


def bare_address(text: str) -> tuple[str, str, str]:
    """Return the host, the port and the path of an address, without credentials."""
    rest = text.strip().partition("://")[2] or text.strip()
    place, _, path = rest.partition("/")
    host = place.rpartition("@")[2].lower()
    port = host[found.start() :] if (found := re.search(r":\d+$", host)) else ""
    host = host.removesuffix(port)
    return "localhost" if host in LOCAL else host, port, path.partition("?")[0].rstrip("/")


def same_backend(a: Run, b: Run) -> bool:
    """Say whether one backend reached the model on both sides."""
    return bool(run_value(a, "model") == run_value(b, "model"))


def follows(one: Difference, found: Sequence[Difference], a: Run, b: Run) -> str:
    """Return the key of another difference of which this one is a mere consequence or copy, else ""."""
    if one.part_of and is_among(one.part_of, found):
        return one.part_of
    if one.field.startswith("fewshot_config."):
        return copied_field(one, found)
    if one.key.startswith("task_args."):
        return passed_on(one, found)
    return next((each for each in parents(one, a, b) if each != one.key and is_among(each, found)), "")


def is_among(key: str, found: Sequence[Difference]) -> bool:
    """Say whether a key is one of the differences; asked of the few that have a parent."""
    return any(other.key == key for other in found)


def passed_on(one: Difference, found: Sequence[Difference]) -> str:
    """Return the key of the setting that a task's argument only passes on: of one name, and of one value in each run.

    A side that was given no argument tells nothing against it.
    """
    name = PASSED.get(one.key.partition(".")[2])
    for other in found if name else ():
        if (other.field or other.key).rpartition(".")[2] == name and not other.key.startswith("task_args."):
            sides = ((one.a, other.a, one.recorded.a), (one.b, other.b, one.recorded.b))
            if all(ours in (theirs, None) or not recorded for ours, theirs, recorded in sides):
                return other.key
    return ""


PASSED: Mapping[str, str] = {
    **{name: name for name in ("temperature", "top_p", "top_k", "seed", "limit", "max_gen_toks", "num_fewshot")},
    "epochs": "repeats",
    "fewshot": "num_fewshot",
    "max_tokens": "max_gen_toks",
}
"""Arguments by which tasks take what a harness is told otherwise, too, with the name of that setting."""


def copied_field(one: Difference, found: Sequence[Difference]) -> str:
    """Return the key of the task's own field that a field of its few-shot part copies, "" where there is none."""
    name = one.field.partition(".")[2]
    names = {name, "fewshot_split"} if name == "split" else {name}
    return next((each.key for each in found if each.field in names and set(one.tasks) <= set(each.tasks)), "")


def parents(one: Difference, a: Run, b: Run) -> tuple[str, ...]:
    """Return the keys that make a difference by themselves, or say the same in other words."""
    if one.key == "fewshot_as_multiturn" and one.default.a and one.default.b:
        return ("chat_template",)
    if one.field:
        return field_parents(one)
    copies = COPIES.get(one.key, ())
    if one.key.startswith(("tokenizer_", "eot_token", "max_length", "model_dtype", "model_source", "batch_sizes")):
        copies = (*copies, *MODEL_NAMES, "model", "model_args.tokenizer")
    if one.key in AS_LOADED and not one.both_recorded and not same_backend(a, b):
        copies = (*copies, "model")
    if one.key == "versions.transformers" and None in (one.a, one.b) and not same_backend(a, b):
        copies = (*copies, "model")  # a backend that asks a server holds no such library
    if one.key == "model" and a.harness == b.harness != LM_EVAL:
        copies = (*copies, *MODEL_NAMES)  # the provider's name is the first part of the model's
    by_default = one.default.a or one.default.b or one.key == "model_args.base_url"
    if one.key.startswith("model_args.") and by_default and comes_with_backend(one) and not same_backend(a, b):
        copies = (*copies, "model")
    return copies


def comes_with_backend(one: Difference) -> bool:
    """Say whether an argument is one that some backends alone take, so that another backend brings or drops it."""
    return set(one.known.acts) <= OF_BACKENDS or one.key.startswith("model_args.tokeniz")


OF_BACKENDS = frozenset({"arithmetic", "transport", "any", "nothing", "server", "window", "cache"})
"""Ways of acting of arguments that one backend takes and another does not know."""


AS_LOADED = ("model_sha", "model_revision", "model_num_parameters", "model_dtype", "peft_sha", "delta_sha")
"""What only a backend that holds the weights itself records of them."""


COPIES: dict[str, tuple[str, ...]] = {
    "max_length": ("model_args.max_length", "model_args.max_model_len"),
    "model_dtype": ("model_args.dtype",),
    "batch_sizes": ("batch_size",),
    "max_batch_size": ("batch_size",),
    "model_source": ("model",),
    "context.engine_version": ("context.engine",),
    "context.alias": ("context.quant", *MODEL_NAMES),
    "git_hash": ("versions.lm_eval",),
    "upper_git_hash": ("versions.lm_eval", "git_hash"),
    "gen_kwargs.do_sample": ("gen_kwargs.temperature",),
    "model_args.do_sample": ("model_args.temperature",),
}
"""Settings that say what another one says, or that come with it."""


def field_parents(one: Difference) -> tuple[str, ...]:
    """Return the settings that a task's field repeats."""
    family, _, rest = one.field.partition(".")
    if family == "generation_kwargs":
        return (f"gen_kwargs.{rest}",) if rest else tuple(f"gen_kwargs.{name}" for name in ("until", "max_gen_toks"))
    if one.field == "metadata.version":
        return tuple(f"versions.{task}" for task in one.tasks)
    return ("num_fewshot",) if one.field == "num_fewshot" else ()


def most_shots(run: Run, tasks: tuple[str, ...] = ()) -> int | None:
    """Return the largest number of examples that any of some tasks shows; None where it is not recorded."""
    chosen = [settings for task, settings in run.task_settings.items() if not tasks or task in tasks]
    recorded = [settings["num_fewshot"].value for settings in chosen if "num_fewshot" in settings]
    known = [value for value in recorded if isinstance(value, (int, float))]
    return int(max(known)) if known and len(known) == len(recorded) else None


def draws(run: Run, task: str | None = None) -> bool | None:
    """Say whether a run draws its answers (those of one task where it is named); None where its files do not tell.

    A local backend takes the likeliest answer under `do_sample: false`, whatever the temperature; a server knows only
    the temperature.
    """
    if run_value(run, "model") == "dummy":
        return True  # it draws without being asked
    heat, sample = given_values(run, "temperature", task), given_values(run, "do_sample", task)
    warm = any(isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 for value in heat)
    if served(run):
        return warm if heat else False if sample else None
    if any(value is True for value in sample):
        return not heat or warm
    if sample:
        return False
    return warm if heat else None


def is_unseeded(run: Run) -> bool:
    """Say whether a run records that it was given no seed by which answers could be drawn again."""
    keys = ("random_seed", "seed", "torch_seed", "numpy_seed")
    known = [run.settings[key] for key in keys if key in run.settings and run.settings[key].recorded]
    return bool(known) and all(one.value is None for one in known) and not any(given_values(run, "seed"))


def given_values(run: Run, name: str, task: str | None = None) -> list[Json]:
    """Return the values of an argument of drawing, wherever a run records it; of one task where it is named."""
    keys = (f"gen_kwargs.{name}", f"model_args.{name}")
    of_tasks = run.task_settings.values() if task is None else (run.task_settings.get(task, {}),)
    places = (run.settings, *of_tasks)
    return [place[key].value for place in places for key in keys if key in place and place[key].recorded]
