"""What of a model a recorded key tells: which files, what is laid over them, in how many bits they are loaded."""

from collections.abc import Mapping
from functools import cache
from re import Pattern
from typing import Literal

from diptych.diagnose.settings.differences import MODEL_NAMES, setting_differences
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.settings.suspects import Difference, differences, telling_model
from diptych.run import Json, Run

ModelPart = Literal["files", "adapter", "bits"]

WORDS: Mapping[ModelPart, tuple[str, ...]] = {
    "adapter": ("lora", "peft", "adapter", "delta"),
    "bits": ("quant", "load_in", "load_format", "bnb", "awq", "gptq"),
}
"""Words in the keys of what is laid over a model, and of the bits in which its weights are held."""


def part_of_model(key: str) -> ModelPart:
    """Return what of a model a key tells."""
    return next((part for part, words in WORDS.items() if any(word in key for word in words)), "files")


COMMIT = "model_sha"
"""The commit of a model's repository: it changes with any of its files, so the weights may be the same."""


def is_other_change(one: Difference, other: Difference) -> bool:
    """Say whether two keys of a model are two changes: arguments of different parts, each given by hand.

    A name that tells its quantization brings the arguments by which such files are loaded, and files into which an
    adapter was merged take its place.
    """
    parts = {part_of_model(each.key): each for each in (one, other)}
    by_hand = all(each.key.startswith("model_args.") and each.both_recorded for each in (one, other))
    if len(parts) == 1 or not by_hand:
        return False
    files, adapter = parts.get("files"), parts.get("adapter")
    if files is None:
        return True
    return not holds_merged(files, adapter) if adapter else quantization_marks(files.a) == quantization_marks(files.b)


def holds_merged(files: Difference, adapter: Difference) -> bool:
    """Say whether the files of the side without an adapter are by their name what it was merged into."""
    merged, laid = (files.b, adapter.a) if adapter.b is None else (files.a, adapter.b)
    return None in (adapter.a, adapter.b) and (
        "merge" in last_part_of_name(merged) or last_part_of_name(laid) in last_part_of_name(merged)
    )


@cache
def quantization() -> Pattern[str]:
    """Return the expression for what names add for a quantization: "-AWQ", "-Q4_K_M", "-q8_0.gguf", "-4bit"."""
    import re

    formats = "awq|gptq|gguf|ggml|exl[23]|hqq|mlx|bnb|nf4|imatrix|quanti[sz]ed|b?f16|f32|(?:nv|mx)?fp(?:4|8|16|32)"
    by_type = r"(?:ud[-_])?i?q\d(?:_(?:[k01]|x{0,2}s|nl|m)(?:_(?:[sml]|x{1,2}[sl]))?)?|tq\d_\d"
    by_bits = r"int(?:4|8)|[2-8][-_]?bits?|[\d.]+bpw|w\d+a\d+"
    return re.compile(rf"[-_.:@](?:{by_type}|{formats}|{by_bits})(?![a-z0-9])")


def last_part_of_name(name: Json) -> str:
    """Return the last part of a model's name or path, in lower case."""
    return str(name).rstrip("/").rpartition("/")[2].casefold()


def quantization_marks(name: Json) -> list[str]:
    """Return what a model's name adds for its quantization."""
    return [str(found) for found in quantization().findall(last_part_of_name(name))]


def name_of(run: Run) -> str:
    """Return the name or path of a run's model; "" where none is recorded."""
    name = next((found for key in MODEL_NAMES if (found := run_value(run, key))), None)
    return name if isinstance(name, str) else ""


def same_weights(a: Run, b: Run) -> bool:
    """Say whether the two models' names are one but for signs and for what a quantization adds to it."""
    names = [last_part_of_name(name_of(run)) for run in (a, b)]
    return all(names) and len({"".join(filter(str.isalnum, quantization().sub("", name))) for name in names}) == 1


def one_name(a: Run, b: Run) -> bool:
    """Say whether two models' names are one but for case, signs and a file's ending, as two servers write it."""
    bits = [bit_marks(name_of(run)) for run in (a, b)]
    return same_weights(a, b) and bits[0] == bits[1]


def bit_marks(name: Json) -> list[str]:
    """Return what a model's name adds for its quantization, without the kind of file."""
    return [kind for mark in quantization_marks(name) if (kind := mark[1:]) not in ("gguf", "ggml", "imatrix")]


def names_two_commits(a: Run, b: Run) -> bool:
    """Say whether two runs are of one model by all that names it but for the commit of its repository."""
    if name_of(a) != name_of(b) or a.context != b.context:
        return False
    found = telling_model(differences(setting_differences(a, b), (), ()), a, b)
    return found is not None and found.key == COMMIT


def names_two_quantizations(a: Run, b: Run) -> bool:
    """Say whether the two models' names are one but for two quantizations that both of them tell."""
    bits = [bit_marks(name_of(run)) for run in (a, b)]
    return same_weights(a, b) and all(bits) and bits[0] != bits[1]
