"""Whether the name that a server answers under can be the model that was asked for."""

import re
from collections.abc import Mapping

FILE = re.compile(r"\.(?:gguf|safetensors|bin)$", re.IGNORECASE)


def other_names(asked: str | None, served: Mapping[str, int]) -> dict[str, int]:
    """Return the names, with their counts, that are another model's than the one asked for."""
    return {name: count for name, count in served.items() if asked is not None and not same_model(asked, name)}


def same_model(asked: str, served: str) -> bool:
    """Say whether two names are of one model: equal but for a path, a file's ending, case, or a dated version."""
    one, other = bare_model_name(asked), bare_model_name(served)
    return one == other or re.fullmatch(re.escape(one) + r"[-@:](?:\d[\d.-]*|latest)", other) is not None


def bare_model_name(name: str) -> str:
    """Return a model's own name, without folder, owner and file ending."""
    return FILE.sub("", re.split(r"[/\\]", name.strip())[-1]).lower()
