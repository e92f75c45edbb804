"""Settings that a fork or a wrapper keeps elsewhere, brought to the places where the harness has them."""

from collections.abc import Iterator, Mapping
from typing import Any

from diptych.catalogue.measurements import words, words_of
from diptych.harness.dotted_keys import parsed_object
from diptych.harness.lm_eval.settings import argument_values
from diptych.harness.strict_values import as_list, typed
from diptych.run import Json

TABLES = words(
    "results groups group_subtasks configs versions n-shot higher_is_better n-samples samples config task_hashes"
    " tasks task"
)
"""Top-level keys that are read as what they are: scores, definitions, counts."""

COMMANDS = words("command cmd cmdline argv command_line invocation")

HARNESS = ("lm_eval", "lm-eval")
"""How the harness is called on a command line: what stands before it is of the program that starts it."""

FAMILIES = ("model_args", "gen_kwargs")
"""Arguments that are one setting a key, whether they are written as a text or as an object."""

OTHER_MODELS = words(
    "judge grader scorer critic reward teacher draft assistant reference baseline embedding embeddings previous"
)
"""Words of what holds the settings of another model, or of another run."""

NESTED = 4
"""How deep below the top objects are looked into for settings."""

IN_CONFIG: Mapping[str, tuple[type, ...]] = {
    "model": (str,),
    "model_args": (str, dict),
    "gen_kwargs": (str, dict),
    "limit": (int, float, type(None)),
    "batch_size": (int, str),
    "device": (str, type(None)),
    "num_fewshot": (int,),
    "use_cache": (str, bool, type(None)),
    "random_seed": (int, type(None)),
    "numpy_seed": (int, type(None)),
    "torch_seed": (int, type(None)),
    "fewshot_seed": (int, type(None)),
}
"""Settings whose place is `config`, with what each may be."""

AT_TOP: Mapping[str, tuple[type, ...]] = {
    "system_instruction": (str, type(None)),
    "chat_template": (str, type(None)),
    "fewshot_as_multiturn": (bool, type(None)),
}
"""Settings whose place is the top of the file."""

SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
SEED_NAMES: Mapping[str, str] = {
    "random": "random_seed",
    "python": "random_seed",
    "numpy": "numpy_seed",
    "np": "numpy_seed",
    "torch": "torch_seed",
    "pytorch": "torch_seed",
    "fewshot": "fewshot_seed",
    "few_shot": "fewshot_seed",
}
"""The seeds by the names that an object of seeds may give them."""


def with_settings_in_place(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the settings that a fork keeps elsewhere in the places where the harness has them."""
    plain = dict(document)
    config = dict(plain["config"]) if isinstance(plain.get("config"), dict) else None
    inner = list(inner_places(plain, config or {}))
    for place in (plain, config or {}, *inner):
        for key, kinds in AT_TOP.items():
            if key not in plain and key in place and isinstance(place[key], kinds):
                plain[key] = place[key]
        if config is not None:
            put_in_place(config, place)
    if config is not None:
        for family in FAMILIES:
            more = [place[family] for place in (plain, *inner) if isinstance(place.get(family), IN_CONFIG[family])]
            if family in config and (lacking := lacking_arguments(config[family], more)):
                config[family] = {**argument_values(config[family]), **lacking}
        plain["config"] = config
    return plain


def put_in_place(config: dict[str, Any], place: Mapping[str, Any]) -> None:
    """Put the settings of another place into a config that lacks them."""
    for key, kinds in IN_CONFIG.items():
        if key not in config and key in place and isinstance(place[key], kinds):
            config[key] = place[key]
    for name in ("seed", "seeds"):
        for key, value in seeds_in(place.get(name)).items():
            if isinstance(value, IN_CONFIG[key]):
                config.setdefault(key, value)


def lacking_arguments(given: Json, places: list[Json]) -> dict[str, Json]:
    """Return the arguments that other places hold and the usual one does not; of several the first."""
    known, lacking = argument_values(given), dict[str, Json]()
    for place in places:
        for key, value in argument_values(place).items():
            if key not in known and value is not None:
                lacking.setdefault(key, value)
    return lacking


def seeds_in(value: Any) -> dict[str, Json]:
    """Return the seeds that one value holds: all four in the order of `--seed`, as a list or a text, or by name."""
    if isinstance(value, str):
        value = [typed(part) for part in value.split(",")]
    if isinstance(value, list):
        return dict(zip(SEEDS, value, strict=True)) if len(value) == len(SEEDS) else {}
    named = value.items() if isinstance(value, dict) else ()
    return {key: seed for name, seed in named if (key := SEED_NAMES.get(str(name).removesuffix("_seed"))) is not None}


def inner_places(document: Mapping[str, Any], config: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects below the top and below `config` that may hold settings, the nearest first.

    What is of another model, or of another run, is passed over.
    """
    tops = {key: value for key, value in document.items() if key not in TABLES}
    below = {key: value for key, value in config.items() if key not in FAMILIES}
    level: list[Mapping[str, Any]] = [tops, below]
    for _ in range(NESTED):
        level = [
            opened_value
            for place in level
            for key, value in place.items()
            if words_of(str(key)).isdisjoint(OTHER_MODELS) and isinstance(opened_value := opened(str(key), value), dict)
        ]
        yield from level


def opened(key: str, value: Json) -> Json:
    """Return what a text holds: the options of a command line by name, an object; any other value as it stands."""
    return command_options(value) if key.lower() in COMMANDS else parsed_object(value)


def command_options(value: Json) -> Json:
    """Return the options of a recorded command line by name, so that each can be compared; else the value itself."""
    import shlex

    try:
        given = shlex.split(value) if isinstance(value, str) else [str(item) for item in as_list(value)]
    except ValueError:
        return value
    called = [place for place, word in enumerate(given) if any(name in word for name in HARNESS)]
    options: dict[str, Json] = {}
    name = ""
    for word in given[called[0] if called else 0 :]:
        if word.startswith("--"):
            name, equals, rest = word[2:].partition("=")
            name = name.replace("-", "_")
            options[name] = typed(rest) if equals else True
        elif name:
            options[name] = typed(word) if options[name] is True else f"{options[name]} {word}"
    return options or value


def arguments_apart(value: Json) -> Json:
    """Return a value with the arguments in it that are written as one text as an object: each is a setting."""
    if not isinstance(value, dict):
        return value
    return {
        key: argument_values(item) if key in FAMILIES and isinstance(item, str) else arguments_apart(item)
        for key, item in value.items()
    }
