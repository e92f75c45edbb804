"""When two recorded values of a setting are the same, or do the same."""

from collections.abc import Mapping

from diptych.run import Json

SAME_EFFECT: Mapping[str, tuple[tuple[Json, ...], ...]] = {
    "fewshot_as_multiturn": ((None, False),),
    "limit": ((None, 0),),
    "device": ((None, "cuda:0", "cuda"),),
    "use_cache": ((None, False, ""),),
    "batch_size": ((None, 1),),
    "gen_kwargs.temperature": ((None, 0),),
    "gen_kwargs.do_sample": ((None, False),),
    "model_args.trust_remote_code": ((None, False),),
    "model_args.revision": ((None, "main"),),
    "model_args.dtype": ((None, "auto"),),
    "model_args.load_in_4bit": ((None, False),),
    "model_args.load_in_8bit": ((None, False),),
    "model_args.num_concurrent": ((None, 1),),
    "model_args.max_retries": ((None, 3),),
}
"""Values of a setting that do the same: a default, and the same value given by hand."""


SPELLINGS: Mapping[str, str] = {
    "fp16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "float": "float32",
    "fp64": "float64",
    "double": "float64",
}
"""Types of numbers by the other names that people and libraries give them."""


def only_case_differs(a: Json, b: Json) -> bool:
    """Say whether two texts are the same but for letter case."""
    return isinstance(a, str) and isinstance(b, str) and a != b and a.casefold() == b.casefold()


def only_folder_differs(a: Json, b: Json) -> bool:
    """Say whether two model names end in the same last part."""
    if not isinstance(a, str) or not isinstance(b, str):
        return False
    return a.rstrip("/").rpartition("/")[2].casefold() == b.rstrip("/").rpartition("/")[2].casefold()


def same_effect(key: str, a: Json, b: Json) -> bool:
    """Say whether two recorded values of a setting do the same."""
    if is_version(key) and isinstance(a, str | int | float) and isinstance(b, str | int | float):
        return str(a) == str(b) or (isinstance(a, int | float) and a == b)  # 1.10 as a text is not 1.1
    if same_value(a, b):
        return True
    alike = SAME_EFFECT.get(key, ())
    return any(
        any(same_value(a, value) for value in values) and any(same_value(b, value) for value in values)
        for values in alike
    )


def is_version(key: str) -> bool:
    """Say whether a setting is a version of something."""
    return key.startswith("versions.") or key.endswith("version")


def same_value(a: Json, b: Json) -> bool:
    """Say whether two values are the same: 1, "1" and 1.0 are, so are {} and null, "true" and 1, fp16 and float16."""
    a, b = meant_value(a), meant_value(b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same_value(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same_value(a[key], b[key]) for key in a)
    return bool(a == b)


def meant_value(value: Json) -> Json:
    """Return a value as it is meant: numbers and switches written as text, and empty collections, are read."""
    if isinstance(value, (Mapping, list, tuple)) and not value:
        return None
    if not isinstance(value, str):
        return value
    word = value.strip()
    if word.lower() in ("true", "false"):
        return word.lower() == "true"
    if word in ("None", "null"):
        return None
    try:
        number = float(word)
    except ValueError:
        plain = value.removeprefix("torch.")
        return SPELLINGS.get(plain.lower(), plain)
    return number if number - number == 0 and "_" not in word else value


def same_text(a: Json, b: Json) -> bool:
    """Say whether two notes written by hand are the same but for case and blanks."""
    return isinstance(a, str) and isinstance(b, str) and a.strip().casefold() == b.strip().casefold()
