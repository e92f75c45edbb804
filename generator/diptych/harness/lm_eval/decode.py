"""The sample that a logged record means, whichever generation wrote it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from diptych.bounded_json import LARGEST, parse_bounded
from diptych.harness.lm_eval.log_index import BODY, SMALL
from diptych.harness.strict_values import finite, mend_texts
from diptych.sample_log import Json, Message, Request, Sample

NUMBER_AT_END = re.compile(r"(\d{1,9})$")


def sample_of(record: Mapping[str, Any], filter_name: str) -> Sample:
    """Return the sample of a record of any generation."""
    clean = mend_texts(finite(dict(record)))
    requests = requests_of(clean.get("arguments"))
    target = clean.get("target")
    item = clean.get("doc_id")
    named = clean.get("metrics")
    keys = [key for key in clean if key not in SMALL and key not in BODY]
    return Sample(
        item=item if isinstance(item, str) else json.dumps(item),
        filter=filter_name,
        target=target if isinstance(target, str) or target is None else str(target),
        requests=requests,
        responses=responses_of(clean.get("resps"), requests),
        filtered=filtered_of(clean.get("filtered_resps"), requests),
        scores={key: clean[key] for key in keys if not (isinstance(named, list) and named) or key in named},
        doc=clean.get("doc"),
    )


def requests_of(arguments: Json) -> tuple[Request, ...]:
    """Return the requests of an item, given as a list of lists or as an object of named ones."""
    if isinstance(arguments, dict):
        arguments = [arguments[key] for key in sorted(arguments, key=argument_order)]
    if not isinstance(arguments, list):
        return ()
    return tuple(request_of(given) for given in arguments)


def argument_order(key: str) -> tuple[int, str]:
    """Order gen_args_2 before gen_args_10."""
    match = NUMBER_AT_END.search(key)
    return (int(match[1]) if match else -1, key)


def request_of(given: Json) -> Request:
    """Return one request from its arguments."""
    if isinstance(given, dict):
        given = [given[key] for key in sorted(given, key=argument_order)]
    values = given if isinstance(given, list) else [given]
    first = values[0] if values else ""
    second = values[1] if len(values) > 1 else None
    messages = messages_of(first)
    if messages is None:
        context = first if isinstance(first, str) else json.dumps(first, ensure_ascii=False)
    else:
        context = "\n".join(message.content for message in messages)
    return Request(
        context=context,
        messages=messages,
        continuation=second if isinstance(second, str) else None,
        arguments=second if isinstance(second, dict) else None,
    )


def messages_of(context: Json) -> tuple[Message, ...] | None:
    """Return the turns of a chat prompt, or None for a plain text.

    A chat interface's prompt is logged as a list with one JSON text in it.
    """
    if isinstance(context, list) and len(context) == 1 and isinstance(context[0], str):
        context = context[0]
    if isinstance(context, str):
        if not context.startswith("[{"):
            return None
        try:
            context = parse_bounded(context)
        except (ValueError, RecursionError):
            return None
        context = mend_texts(finite(context))
    if not isinstance(context, list) or not context:
        return None
    if not all(isinstance(turn, dict) and "role" in turn and "content" in turn for turn in context):
        return None
    return tuple(Message(str(turn["role"]), content_of(turn["content"])) for turn in context)


def content_of(content: Json) -> str:
    """Return the text of a turn; of a turn in parts, the parts' texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(
            str(part.get("text", f"[{part.get('type', 'part')}]")) if isinstance(part, dict) else str(part)
            for part in content
        )
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def responses_of(given: Json, requests: tuple[Request, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return for each request a tuple of its answers, one a repeat."""
    if not isinstance(given, list):
        return ()
    answers = []
    for place, answer in enumerate(given):
        scored = is_scored(requests, place)
        repeats = answer if isinstance(answer, list) and not (scored and is_pair(answer)) else [answer]
        answers.append(tuple(answer_of(one, scored) for one in repeats))
    return tuple(answers)


def filtered_of(given: Json, requests: tuple[Request, ...]) -> tuple[Any, ...]:
    """Return what the filter kept of each request."""
    if not isinstance(given, list):
        return () if given is None else (given,)
    return tuple(answer_of(one, is_scored(requests, place)) for place, one in enumerate(given))


def is_scored(requests: tuple[Request, ...], place: int) -> bool:
    """Say whether a request asks for a log-likelihood, not for a text."""
    return place < len(requests) and requests[place].arguments is None


def is_pair(value: Json) -> bool:
    """Say whether a value is a log-likelihood with whether it was the most likely."""
    return isinstance(value, list) and len(value) == 2 and not isinstance(value[0], list | dict)


def answer_of(value: Json, scored: bool) -> Any:
    """Return one answer: a pair of log-likelihood and whether it was greedy, or a text as it stands."""
    if not scored:
        return tuple(value) if isinstance(value, list) else value
    if is_pair(value) and (number := log_likelihood(value[0])) is not None:
        return number, value[1] is True or value[1] == "True"
    number = log_likelihood(value)
    return (number, False) if number is not None else tuple(value) if isinstance(value, list) else value


def log_likelihood(value: Json) -> float | None:
    """Return a log-likelihood that was written as a number or as its text, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) <= LARGEST else None
