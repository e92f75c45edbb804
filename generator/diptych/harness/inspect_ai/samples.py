"""Samples of inspect_ai as rows of a sample log: one a scorer, with what was sent, answered, extracted and scored.

A scorer takes an answer out of the response and scores it, which is what a filter and its metric do elsewhere: so the
scorer's name stands where a filter's does. Rows have the shape that the shared log of records reads.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.harness.strict_values import finite, mapping, mend_texts
from diptych.run import Json

LETTERS: Mapping[str, float] = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""What inspect_ai's own words for a score count as: correct, incorrect, partly, no answer."""

WORDS: Mapping[str, float] = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
ATTACHED = "attachment://"


class ScoreName(NamedTuple):
    """One score of a log: its scorer, its own name (another one where a scorer gives several), and how it is reported.

    `metrics` are the names under which its mean over the items is reported.
    """

    scorer: str
    name: str
    metrics: tuple[str, ...]


def sample_rows(sample: Mapping[str, Any], scores: Sequence[ScoreName]) -> Iterator[dict[str, Json]]:
    """Yield a row a score of one sample."""
    clean = mend_texts(finite(dict(sample)))
    output = mapping(clean.get("output"))
    target = clean.get("target")
    shared = {
        "doc_id": clean.get("id"),
        "doc": {key: clean[key] for key in ("input", "choices", "target", "metadata") if clean.get(key)},
        "target": target
        if isinstance(target, str)
        else "\n".join(map(str, target if isinstance(target, list) else ())),
        "arguments": [[sent_messages(clean), dict(config_of(clean))]],
        "resps": [[completion_of(output)]],
    }
    for score in scores:
        given = mapping(mapping(clean.get("scores")).get(score.scorer))
        value = given.get("value")
        if isinstance(value, dict):
            value = value.get(score.name)
        answer = given.get("answer")
        yield {
            **shared,
            "filtered_resps": ["" if answer is None else str(answer)],
            "filter": score.name,
            "metrics": list(score.metrics),
            **{metric: score_as_number(value) for metric in score.metrics},
        }


def score_as_number(value: Json) -> Json:
    """Return a score as a number where inspect_ai counts it as one; a list or another word stays as it is."""
    if isinstance(value, str):
        word = value.strip()
        if word in LETTERS:
            return LETTERS[word]
        if word.lower() in WORDS:
            return WORDS[word.lower()]
        try:
            return finite(float(word))
        except ValueError:
            return value
    return value


def completion_of(output: Mapping[str, Json]) -> str:
    """Return the text of the answer: the completion, in older logs the first choice's message."""
    text = output.get("completion")
    if isinstance(text, str):
        return text
    choices = output.get("choices")
    first = mapping(choices[0]) if isinstance(choices, list) and choices else {}
    return message_text(mapping(first.get("message")).get("content"))


def message_text(content: Json) -> str:
    """Return the text of a message, of one in parts those of its parts."""
    if isinstance(content, list):
        return "".join(str(mapping(part).get("text", "")) for part in content)
    return content if isinstance(content, str) else ""


def sent_messages(sample: Mapping[str, Json]) -> Json:
    """Return the messages that were sent first: those before the model's own."""
    messages = sample.get("messages")
    turns: list[Json] = []
    for message in messages if isinstance(messages, list) else ():
        each = mapping(message)
        if each.get("role") == "assistant" and each.get("source") == "generate":
            break
        turns.append(
            {"role": str(each.get("role", "")), "content": with_attachment(message_text(each.get("content")), sample)}
        )
    if turns:
        return turns
    given = sample.get("input")
    return [{"role": "user", "content": given}] if isinstance(given, str) else (given or "")


def with_attachment(text: str, sample: Mapping[str, Json]) -> str:
    """Return a text, or the one that is kept beside for it."""
    if not text.startswith(ATTACHED):
        return text
    return str(mapping(sample.get("attachments")).get(text.removeprefix(ATTACHED), text))


def config_of(sample: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the generation arguments as they were sent with the first request."""
    events = sample.get("events")
    for event in events if isinstance(events, list) else ():
        if mapping(event).get("event") == "model":
            return mapping(mapping(event).get("config"))
    return {}
