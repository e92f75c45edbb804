"""The shape of a noun's JSON: parsed values become named tuples again, and whatever does not fit is refused by name.

An artifact comes from anyone. What passes here has the types and the words that every page relies on.
"""

from collections.abc import Callable, Mapping
from typing import Any

from diptych.bounded_json import DEPTH, LARGEST, too_deep
from diptych.metric_key import MetricKey

SCALARS: Mapping[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (float, int), bool: (bool,)}
NAMES: Mapping[type, str] = {
    str: "a text", int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "an object",
}  # fmt: skip
MOST_COUNTED = 10**15
"""No count is larger."""

SIGNED = {("Trade", "extra_passed"), ("ExternalStep", "exit_code")}
"""The whole numbers that count nothing and may be below zero."""

RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("p_value", "p_adjusted", "p_exact", "p_equivalence", "position_p", "confidence"), (0.0, 1.0)),
    **dict.fromkeys(("flip_rate", "flip_low", "flip_high", "win_low", "win_high", "self_agreement"), (0.0, 1.0)),
    **dict.fromkeys(("stderr", "a_stderr", "b_stderr", "standard_error", "spread", "floor"), (0.0, LARGEST)),
    **dict.fromkeys(("recomputed_stderr", "a_recomputed_stderr", "b_recomputed_stderr"), (0.0, LARGEST)),
    **dict.fromkeys(("sigma_run", "degrees_of_freedom", "seconds", "odds_ratio", "detectable"), (0.0, LARGEST)),
}
"""What a number of some name may be; any other is at most `LARGEST` in size, since a page reckons with it."""


def range_of(noun: str, name: str, kind: Any) -> tuple[float, float] | None:
    """Return the least and the largest number that a field may hold, or None where it holds no number."""
    import typing

    kinds = set(typing.get_args(kind)) - {type(None)} or {kind}
    if kinds == {int} and (noun, name) not in SIGNED:
        return 0, MOST_COUNTED
    if kinds == {int}:
        return -MOST_COUNTED, MOST_COUNTED
    return RANGES.get(name, (-LARGEST, LARGEST)) if kinds == {float} else None


Builder = Callable[[Any], Any]
"""Turns a parsed JSON value into a noun's part, or raises a `Misfit`."""

BUILDERS: dict[Any, Builder] = {}
HINTS: dict[Any, dict[str, Any]] = {}


class Misfit(ValueError):
    """A value that does not fit its place; `path` names the fields that lead to it, outermost first."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.path: list[str] = []

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.args[0]}" if self.path else str(self.args[0])


def build_noun(noun: Any, value: Any) -> Any:
    """Return parsed JSON as the type `noun`: named tuples, tuples and mappings restored. Raises `Misfit`."""
    return builder_of(noun)(value)


def builder_of(kind: Any) -> Builder:
    """Return what builds a type, made once for each: looking at types for every value costs five times as much."""
    if kind not in BUILDERS:
        BUILDERS[kind] = new_builder(kind)
    return BUILDERS[kind]


def new_builder(kind: Any) -> Builder:
    """Return a new builder of a type."""
    import types
    import typing

    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return whatever
    if kind in SCALARS:
        return scalar_builder(SCALARS[kind], *(range_of("", "", kind) or ()))
    if origin in (typing.Union, types.UnionType):
        return union_builder([each for each in inner if each is not type(None)])
    if origin is typing.Literal:
        return choice_builder(inner)
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return row_builder(builder_of(inner[0]))
    if origin is tuple:
        return fixed_builder([builder_of(each) for each in inner])
    if origin is not None:
        return mapping_builder(inner[0], builder_of(inner[1]))
    return noun_builder(kind)


def whatever(value: Any) -> Any:
    """Return a value of any kind as it is: the reader of JSON has bounded its numbers, and mostly its depth."""
    if too_deep(value, DEPTH - OUTER):
        raise Misfit("nests too deeply")
    return value


OUTER = 10
"""How deep inside an artifact a value of any kind may stand: more than any of ours does."""


def scalar_builder(kinds: tuple[type, ...], low: float = -LARGEST, high: float = LARGEST) -> Builder:
    """Return what passes a value of the given kinds within a range, and nothing else."""

    others = frozenset(kinds) - {int, float}
    reals = frozenset(kinds) & {int, float}

    def scalar(value: Any) -> Any:
        kind = type(value)
        if kind in others or (kind in reals and low <= value <= high):
            return value
        if kind not in reals:
            raise Misfit(f"{json_type_name(value)} where {NAMES[kinds[0]]} should be")
        raise Misfit(f"a number that is not from {low:g} to {high:g}")

    return scalar


FEW_WORDS = 10


def choice_builder(words: tuple[str, ...]) -> Builder:
    """Return what passes one of a list of words."""
    said = f"none of {', '.join(words)}" if len(words) <= FEW_WORDS else f"none of the {len(words)} known words"

    def choice(value: Any) -> Any:
        if value not in words:
            raise Misfit(said)
        return value

    return choice


def union_builder(options: list[Any]) -> Builder:
    """Return what builds null, or a value as the first of several types that has its shape: a list, or not."""
    import typing

    if len(options) == 1 and options[0] in SCALARS:
        return scalar_builder((*SCALARS[options[0]], type(None)))
    makers = {typing.get_origin(each) is tuple: builder_of(each) for each in reversed(options)}

    def union(value: Any) -> Any:
        if value is None:
            return None
        make = makers.get(isinstance(value, list))
        if make is None:
            raise Misfit(f"{json_type_name(value)} where it may not be")
        return make(value)

    return union


def row_builder(make: Builder) -> Builder:
    """Return what builds a tuple of any length whose items are of one type."""

    def row(value: Any) -> Any:
        return tuple(map(make, expected(value, list)))

    return row


def fixed_builder(makers: list[Builder]) -> Builder:
    """Return what builds a tuple of a known length."""

    def fixed(value: Any) -> Any:
        if len(expected(value, list)) != len(makers):
            raise Misfit("a list of another length")
        return tuple([make(item) for make, item in zip(makers, value, strict=True)])

    return fixed


def mapping_builder(kind: Any, make: Builder) -> Builder:
    """Return what builds a mapping from names, or the keys of metrics, to values of one type."""
    if kind is MetricKey:
        return lambda value: {metric_key(key): make(item) for key, item in expected(value, dict).items()}
    if make is whatever:
        return lambda value: whatever(expected(value, dict))
    return lambda value: {key: make(item) for key, item in expected(value, dict).items()}


def metric_key(text: str) -> MetricKey:
    """Return the key that a name in JSON stands for."""
    try:
        return MetricKey.parse(text)
    except ValueError as error:
        raise Misfit("a name that is not task|metric|filter") from error


def noun_builder(noun: Any) -> Builder:
    """Return what builds a named tuple from an object; fields that are not known here are passed over."""
    defaults = noun._field_defaults
    fields = [(name.rstrip("_"), make, defaults.get(name)) for name, make in makers_of(noun)]
    needed = {name.rstrip("_") for name in noun._fields if name not in defaults}

    def whole(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit(f"{noun.__name__} is not an object")
        made = []
        for key, make, default in fields:
            try:
                if key in value:
                    made.append(make(value[key]))
                elif key in needed:
                    raise Misfit(f"{noun.__name__} lacks {key!r}")
                else:
                    made.append(default)
            except Misfit as error:
                error.path.insert(0, key)
                raise
        return noun._make(made)

    return whole


def makers_of(noun: Any) -> list[tuple[str, Builder]]:
    """Return the fields of a noun, each with what builds it."""
    return [(name, field_builder(noun.__name__, name, kind)) for name, kind in hints_of(noun).items()]


def field_builder(noun: str, name: str, kind: Any) -> Builder:
    """Return what builds one field: a number within its range, anything else by its type."""
    import typing

    bounds = range_of(noun, name, kind)
    if bounds is None:
        return builder_of(kind)
    options = typing.get_args(kind) or (kind,)
    return scalar_builder(tuple(each for option in options for each in SCALARS.get(option, (option,))), *bounds)


def hints_of(noun: Any) -> dict[str, Any]:
    """Return a noun's field types, looked up once."""
    import typing

    if noun not in HINTS:
        HINTS[noun] = typing.get_type_hints(noun)
    return HINTS[noun]


def expected(value: Any, kind: type) -> Any:
    """Return a value that is of the kind that its place needs."""
    if not isinstance(value, kind):
        raise Misfit(f"{json_type_name(value)} where {NAMES[kind]} should be")
    return value


def json_type_name(value: Any) -> str:
    """Return what a value of JSON is, in words."""
    return "null" if value is None else NAMES[type(value)]


def disagreement(noun: Any) -> str | None:
    """Return what an artifact's lists disagree on, or None: what is counted by run must be there for each run."""
    from diptych.matrix import Matrix
    from diptych.repeats import Repeats

    if isinstance(noun, Matrix):
        runs = len(noun.runs)
        rows = [column for row in noun.rows for column in (row.scores, row.stderrs, row.letters)]
        short = any(len(column) != runs for column in (*rows, *(values for _, values in noun.settings)))
        outside = any(not (0 <= cell.a < runs and 0 <= cell.b < runs) for row in noun.rows for cell in row.cells)
        if short or outside or runs < 2:
            return "its rows are not those of its runs"
    if isinstance(noun, Repeats) and any(len(values) != len(noun.runs) for values in noun.scores.values()):
        return "its scores are not those of its runs"
    return None
