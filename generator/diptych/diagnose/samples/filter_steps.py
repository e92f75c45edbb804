"""The steps that a harness's filter is made of, those of known kinds, as functions of the responses to a request."""

from collections import Counter
from collections.abc import Callable, Mapping

from diptych.sample_log import Json
from diptych.timed_search import SearchTime

LONGEST_PATTERN = 2_000

Step = Callable[[Json], Json]
"""From what the step before left of the responses to one request, to what this one leaves."""


class NotReplayed(Exception):
    """A step of a kind that is not known, or responses of another form."""


def pipeline(steps: Json, searches: SearchTime) -> Step:
    """Return the steps of a filter as one function of the responses to a request."""
    if not isinstance(steps, (list, tuple)) or not steps:
        raise NotReplayed
    made = [step_of(one, searches) for one in steps]

    def run(responses: Json) -> Json:
        for step in made:
            responses = step(responses)
        return responses

    return run


def step_of(one: Json, searches: SearchTime) -> Step:
    """Return one step by its recorded kind and arguments."""
    if not isinstance(one, Mapping):
        raise NotReplayed
    given = {name: value for name, value in one.items() if name not in ("function", "name")}
    if one.get("function") == "regex":
        return regex(given, searches)
    made = KINDS.get(str(one.get("function")))
    if made is None:
        raise NotReplayed
    return made(given)


def on_each(change: Callable[[str], Json]) -> Callable[[Mapping[str, Json]], Step]:
    """Return the kind of step that changes every response by itself and takes no arguments."""

    def made(given: Mapping[str, Json]) -> Step:
        if given:
            raise NotReplayed
        return lambda responses: [change(text) for text in listed_texts(responses)]

    return made


def listed_texts(responses: Json) -> list[str]:
    """Return what is a list of texts."""
    if not isinstance(responses, list) or not all(isinstance(text, str) for text in responses):
        raise NotReplayed
    return responses


def take_first(given: Mapping[str, Json]) -> Step:
    """Keep the first response."""
    return lambda responses: listed_texts(responses)[0]


def take_first_k(given: Mapping[str, Json]) -> Step:
    """Keep the first k responses."""
    number = given.get("k")
    if not isinstance(number, int) or number < 1:
        raise NotReplayed
    return lambda responses: listed_texts(responses)[:number]


def majority_vote(given: Mapping[str, Json]) -> Step:
    """Keep the response that is there most often, the first of several."""
    return lambda responses: [Counter(listed_texts(responses)).most_common(1)[0][0]]


def regex(given: Mapping[str, Json], searches: SearchTime) -> Step:
    """Keep the match that is asked for, of its groups the first that is not empty; else the fallback."""
    import regex as engine  # its searches can be given a limit of time

    pattern, place = given.get("regex_pattern", r"#### (\-?[0-9\.\,]+)"), given.get("group_select", 0)
    fallback = given.get("fallback", "[invalid]")
    known = set(given) <= {"regex_pattern", "group_select", "fallback"}
    if not known or not isinstance(pattern, str) or not isinstance(place, int) or len(pattern) > LONGEST_PATTERN:
        raise NotReplayed
    try:
        compiled = engine.compile(pattern)
    except engine.error:
        raise NotReplayed from None

    def chosen(text: str) -> Json:
        found = searches.matches(compiled, text)
        if not found:
            return fallback
        if not -len(found) <= place < len(found):
            raise NotReplayed  # the harness fails there
        match = found[place]
        groups = match if isinstance(match, tuple) else (match,)
        return next((group.strip() for group in groups if group), fallback if len(groups) > 1 else "")

    return lambda responses: [chosen(text) for text in listed_texts(responses)]


KINDS: Mapping[str, Callable[[Mapping[str, Json]], Step]] = {
    "take_first": take_first,
    "take_first_k": take_first_k,
    "majority_vote": majority_vote,
    "lowercase": on_each(str.lower),
    "uppercase": on_each(str.upper),
    "remove_whitespace": on_each(str.lstrip),
}
"""The kinds of steps beside a search that can be replayed, by the harness's own names."""
