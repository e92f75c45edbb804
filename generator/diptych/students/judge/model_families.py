"""Which family a model belongs to, as far as its name tells, and what that means for a judge."""

import re
from collections.abc import Mapping

FAMILIES = frozenset(
    (
        *("qwen", "qwq", "llama", "mistral", "mixtral", "ministral", "magistral", "gemma", "gemini", "phi", "smollm"),
        *("gpt", "claude", "deepseek", "granite", "olmo", "falcon", "internlm", "glm", "command", "nemotron"),
        *("starcoder", "stablelm", "pythia", "bloom", "opt", "mpt", "dolly", "vicuna", "tinyllama", "baichuan"),
        *("yi", "grok", "kimi", "minimax", "hunyuan", "exaone", "jamba", "apertus", "lfm", "nova"),
    )
)


def family_of(model: str | None) -> str | None:
    """Return the family that a model's name begins with (behind any owner), or None where the name does not tell."""
    if not model:
        return None
    for part in re.split(r"[/:]", model.lower())[::-1]:
        for word in re.split(r"[^a-z]+", part):
            if word in FAMILIES:
                return "qwen" if word == "qwq" else word
    return None


def family_note(judge: str, students: Mapping[str, str | None]) -> str | None:
    """Return a warning where the judge is of a student's family by name, or is that student itself."""
    for route, model in students.items():
        if model and model == judge:
            return f"it is {route} itself; a model that judges its own answers prefers them. Ask a second judge."
    family = family_of(judge)
    same = [route for route, model in students.items() if family and family_of(model) == family]
    if not same:
        return None
    if len(same) == len(students):
        return (
            f"by name it is of the {family} family, as are {'both' if len(same) == 2 else 'all'} students, and may miss"
            " what they share. Ask a judge of another family."
        )
    return (
        f"by name it is of the {family} family, as is the student of {', '.join(same)};"
        " judges tend to prefer their own family. Ask a second judge of another one."
    )
