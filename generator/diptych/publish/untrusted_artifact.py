"""An artifact from outside, speaking with its own numbers and names alone: every sentence is made here.

What a stranger's artifact says is not passed on. Words of a closed list, numbers and names stay; names are short and of
plain letters; commands, prompts, answers, reasons and links go. A field that is not named below is emptied.
"""

import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from diptych.catalogue.findings import FINDINGS
from diptych.catalogue.words import DECISIONS, VERDICTS
from diptych.comparison import Comparison, Finding, Gate, Verdict
from diptych.decision import DecisionVerdict, StudentDecision
from diptych.matrix import Matrix
from diptych.numbers import UNITS
from diptych.publish.post import comment_key
from diptych.repeats import Repeats
from diptych.typed_json import hints_of

Artifact = Comparison | StudentDecision | Matrix | Repeats

NAMES = frozenset(
    re.findall(
        r"\w+",
        "task metric filter key label model harness harness_version field setting leading_cause name route stage judge "
        "first second cheap dear dominated_by currency stages subtasks tasks judges routes labels ranking settings "
        "letters unit id sha256 tasks_sha256 diptych_version date flags method",
    )
)
"""The fields that hold a name, or a list of names."""

VERSION = r"\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc|\.post|\.dev)\d{1,9}){0,3}"
DIGEST = r"[0-9a-f]{64}"
SHAPES: Mapping[str, str] = {
    "date": r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?",
    "harness": r"lm-evaluation-harness|inspect_ai|lighteval",
    "harness_version": rf"{VERSION}(?:[–-]{VERSION})?",
    "diptych_version": VERSION,
    "sha256": DIGEST,
    "tasks_sha256": DIGEST,
    "currency": r"[A-Z]{3}",
    "unit": "|".join(map(re.escape, UNITS)),
    "letters": r"[a-z]{0,3}",
}
"""What a field looks like that is no name: what does not is left out."""

WORDLIKE = re.compile(r"[A-Za-z]{3}")
"""What a name must hold to say anything."""

NOT_TEXT = re.compile(r"(`+).+?\1|<code>.*?</code>|<[^>]*>|\]\([^)]*\)", re.DOTALL)
"""What of ready Markdown is no running text: code, tags, addresses."""

NONE_OF_THESE = frozenset(
    (
        "isolating_run",
        "next_run",
        "prompts",
        "flips",
        "external",
        "left_out",
        "rule",
        "would_change",
        "sentences",
        "unusable",
    )
)
"""Fields that are left out whole: they hold commands, texts or sentences."""

LONGEST = 60
PLAIN = re.compile(r"[A-Za-z0-9_./+=,-]*")

NOTE = "This comes from outside: names and numbers are as they were given, every sentence was made here."


def without_words(artifact: Artifact) -> Artifact:
    """Return an artifact whose every sentence was made here, from its numbers and its names."""
    made: Artifact = rebuilt(artifact)
    return made


def rebuilt(value: Any, name: str = "", hint: Any = None) -> Any:
    """Return a part of an artifact without a word of whoever made it; `hint` is the type of its field."""
    if isinstance(value, Finding):
        row = FINDINGS.get(value.kind)
        said = f"{row.title}." if row else ""
        return value._replace(text=said, task=untrusted_name(value.task), evidence=())
    if isinstance(value, Gate):
        return value._replace(rule=untrusted_name(value.rule), text="it fired" if value.fired else "it did not fire")
    if name in NONE_OF_THESE and not isinstance(value, int):
        return () if isinstance(value, tuple) and not hasattr(value, "_asdict") else None
    if hasattr(value, "_asdict"):
        hints = hints_of(type(value))
        return with_own_sentence(
            type(value)(**{field: rebuilt(part, field, hints[field]) for field, part in value._asdict().items()})
        )
    if isinstance(value, tuple | list):
        return type(value)(rebuilt(part, name, Any if hint is Any else None) for part in value)
    if isinstance(value, Mapping):
        return {} if hint_is_loose(hint) else {named_key(key): rebuilt(part, name) for key, part in value.items()}
    if not isinstance(value, str):
        return value
    if name in SHAPES:
        return in_shape(name, value, hint)
    if hint is Any:
        return untrusted_value(value)
    return (
        value
        if closed(hint, value)
        else untrusted_name(value)
        if name in NAMES
        else ""
        if hint is str or hint is None
        else None
    )


def in_shape(name: str, text: str, hint: Any) -> str | None:
    """Return a text that has its field's shape; any other is left out."""
    return text if re.fullmatch(SHAPES[name], text) else "" if hint is str or hint is None else None


def names_in(value: Any, name: str = "") -> Iterator[str]:
    """Yield every name that an artifact from outside chose."""
    if hasattr(value, "_asdict"):
        for field, part in value._asdict().items():
            yield from names_in(part, field)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from names_in(key if hasattr(key, "_asdict") else str(key), "key")
            yield from names_in(part, name)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from names_in(part, name)
    elif isinstance(value, str) and name in NAMES - SHAPES.keys() and WORDLIKE.search(value):
        yield value


def names_as_code(artifacts: Iterable[Artifact]) -> Callable[[str, str, str], str]:
    """Return what sets each name that artifacts from outside chose in code, wherever it stands in ready Markdown.

    So no name speaks with our voice. The writer is given a text, and what stands before and behind code.
    """
    names = {name for artifact in artifacts for name in names_in(artifact)}
    if not names:
        return lambda text, before, behind: text
    longest_first = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    named = re.compile(rf"(?<![\w-])(?:{longest_first})(?![\w-])")

    def written(text: str, before: str, behind: str) -> str:
        parts, at = [], 0
        for kept in NOT_TEXT.finditer(text):
            parts += [named.sub(rf"{before}\g<0>{behind}", text[at : kept.start()]), kept[0]]
            at = kept.end()
        return "".join([*parts, named.sub(rf"{before}\g<0>{behind}", text[at:])])

    return written


def hint_is_loose(hint: Any) -> bool:
    """Say whether a field maps names to values of any kind: whatever its maker wanted to say."""
    return Any in typing.get_args(hint)


def closed(hint: Any, value: str) -> bool:
    """Say whether a field takes one of a few words, and the value is one of them."""
    options = [hint, *typing.get_args(hint)]
    return any(typing.get_origin(each) is typing.Literal and value in typing.get_args(each) for each in options)


def untrusted_name(text: str | None) -> Any:
    """Return a name of plain letters as it is; any other text as a name of ours, the same for the same text."""
    if text is None or (len(text) <= LONGEST and PLAIN.fullmatch(text) and "www." not in text and "//" not in text):
        return text
    return f"name-{comment_key(text)[:6]}"


def named_key(key: Any) -> Any:
    """Return what a mapping names its parts by: a name, or the key of a metric, whose parts are names."""
    return type(key)(*map(untrusted_name, key)) if hasattr(key, "_asdict") else untrusted_name(key)


def untrusted_value(value: str) -> str:
    """Return a setting's text: a name as a name, anything longer by its length."""
    return value if value == untrusted_name(value) else f"(a text of {len(value)} signs)"


def with_own_sentence(made: Any) -> Any:
    """Return a noun with the sentence that belongs to its kind."""
    if isinstance(made, Verdict):
        return made._replace(sentence=VERDICTS[made.kind].meaning, next_step="", mechanism=None, parts=())
    if isinstance(made, DecisionVerdict):
        route = f" It is {made.route}." if made.kind == "route" and made.route else ""
        return made._replace(sentence=f"{DECISIONS[made.kind].meaning}{route}", next_step="")
    return made
