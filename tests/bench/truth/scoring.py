"""What the harness makes of answers, as far as the bases need it: filters by their steps, metrics by arguments."""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

Json = Any
INVALID = "[invalid]"


def filters_of(config: Mapping[str, Json]) -> list[tuple[str, Sequence[Mapping[str, Json]]]]:
    """Return a task's filters by name, each with its steps."""
    return [(each["name"], each["filter"]) for each in config.get("filter_list", ())] or [("none", ())]


def extracted(steps: Sequence[Mapping[str, Json]], answer: str) -> str:
    """Return what a filter keeps of an answer."""
    kept = answer
    for step in steps:
        if step["function"] == "regex":
            kept = by_regex(step, kept)
        elif step["function"] == "remove_whitespace":
            kept = kept.strip()
        elif step["function"] == "lowercase":
            kept = kept.lower()
    return kept


def by_regex(step: Mapping[str, Json], answer: str) -> str:
    """Return the match that a regex step selects, or that there is none."""
    found = re.findall(step["regex_pattern"], answer)
    try:
        chosen = found[step.get("group_select", 0)]
    except IndexError:
        return INVALID
    chosen = next((part for part in chosen if part), INVALID) if isinstance(chosen, tuple) else chosen
    return chosen.strip() or INVALID


def exact_match(metric: Mapping[str, Json], answer: str, target: str) -> float:
    """Return whether an extracted answer is the target, under a metric's arguments."""
    texts = [answer, target]
    for pattern in metric.get("regexes_to_ignore", ()):
        texts = [re.sub(pattern, "", text) for text in texts]
    if metric.get("ignore_case"):
        texts = [text.lower() for text in texts]
    if metric.get("ignore_punctuation"):
        texts = [text.translate(str.maketrans("", "", string.punctuation)) for text in texts]
    if metric.get("ignore_numbers"):
        texts = [text.translate(str.maketrans("", "", string.digits)) for text in texts]
    return float(texts[0] == texts[1])


def contains(answer: str, target: str) -> float:
    """Return whether an answer holds the target at all."""
    return float(target.lower() in answer.lower())


def text_score(metric: Mapping[str, Json], answer: str, target: str) -> float:
    """Return one metric's score of an extracted answer."""
    name = metric["metric"]
    return contains(answer, target) if name == "contains" else exact_match(metric, answer, target)


def choice_score(name: str, likelihoods: Sequence[float], choices: Sequence[str], gold: int) -> float:
    """Return acc or acc_norm (by characters of the choice) of scored choices; the first of the best is picked."""
    values = list(likelihoods)
    if name == "acc_norm":
        values = [value / max(1, len(choice.strip())) for value, choice in zip(values, choices, strict=True)]
    return float(values.index(max(values)) == gold)


def standard_error(values: Sequence[float]) -> Json:
    """Return the sample standard error of a mean, as results files have it."""
    if len(values) < 2:
        return "N/A"
    mean = sum(values) / len(values)
    return (sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)) ** 0.5
