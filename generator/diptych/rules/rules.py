"""The eleven rules in one table, and an artifact or two held against them."""

from collections.abc import Callable, Iterable, Iterator

from diptych.comparison import Comparison
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import Matrix
from diptych.rules import causes, many, mirror, scores, texts

Check = Callable[[Comparison], Iterator[str]]


class Rule(NamedTuple):
    """A rule of one artifact; `broken` yields in a few words each place where it does not hold."""

    number: int
    broken: Check

    @property
    def sentence(self) -> str:
        """What must hold."""
        return rule_sentence(self.broken)


class Breach(NamedTuple):
    """A place where a rule does not hold."""

    number: int
    sentence: str
    detail: str


RULES: tuple[Rule, ...] = (
    Rule(1, causes.leading_cause),
    Rule(2, causes.proof),
    Rule(3, texts.denials),
    Rule(4, scores.rows),
    Rule(5, scores.verdict),
    Rule(6, texts.left_out),
    Rule(7, scores.changed_items),
    Rule(8, causes.next_run),
    Rule(9, texts.findings),
    Rule(10, scores.steps),
)
"""Those that one artifact keeps; the eleventh is about two."""

OF_CELLS = 4
MIRROR = 11


def rule_sentence(check: Callable[..., object]) -> str:
    """Return a rule's sentence: the first line of its function's docstring."""
    return (check.__doc__ or "").partition("\n")[0]


def breaches(made: Comparison) -> tuple[Breach, ...]:
    """Return every place where one artifact breaks a rule."""
    return tuple(Breach(rule.number, rule.sentence, text) for rule in RULES for text in rule.broken(made))


def matrix_breaches(made: Matrix) -> tuple[Breach, ...]:
    """Return every place where two of many runs are said to differ against their own numbers."""
    return tuple(Breach(OF_CELLS, rule_sentence(many.cells), text) for text in many.cells(made))


def mirror_breaches(there: Comparison, back: Comparison) -> tuple[Breach, ...]:
    """Return every place where a comparison and that of its sides swapped are no mirror images."""
    return tuple(Breach(MIRROR, rule_sentence(mirror.mirrored), text) for text in mirror.mirrored(there, back))


def swapped_pairs(made: Iterable[Comparison]) -> Iterator[tuple[Comparison, Comparison]]:
    """Yield those of some comparisons that are of the same two runs with the sides swapped."""
    waiting: list[Comparison] = []
    for one in made:
        for other in waiting:
            if sources(one) == sources(other)[::-1] and sources(one) != sources(other):
                yield other, one
        waiting.append(one)


def sources(made: Comparison) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return what tells which runs a comparison is of."""
    return (made.a.source, made.a.results_file), (made.b.source, made.b.results_file)
