"""What `diptych check` prints of artifacts: which rules hold, and where one does not."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from diptych.comparison import Comparison
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import Matrix
from diptych.rules.rules import RULES, Breach, breaches, matrix_breaches, mirror_breaches, swapped_pairs

WIDTH = 80
INDENT = " " * 11


class Checked(NamedTuple):
    """One artifact, or two that are each other's swapped sides, with the rules that do not hold.

    `about` says how many rules were asked; none is about a decision or repeats.
    """

    location: str
    about: int
    breaches: tuple[Breach, ...]


def checked(artifacts: Mapping[str, Any]) -> tuple[Checked, ...]:
    """Return artifacts by their file's name, each held against the rules; then the pairs with swapped sides."""
    comparisons = {name: made for name, made in artifacts.items() if isinstance(made, Comparison)}
    found = [check_rules(name, made) for name, made in artifacts.items()]
    names = {id(made): name for name, made in comparisons.items()}
    for there, back in swapped_pairs(comparisons.values()):
        found.append(Checked(f"{names[id(there)]} and {names[id(back)]}", 1, mirror_breaches(there, back)))
    return tuple(found)


def check_rules(name: str, made: Any) -> Checked:
    """Return one artifact held against the rules about its kind."""
    if isinstance(made, Comparison):
        return Checked(name, len(RULES), breaches(made))
    if isinstance(made, Matrix):
        return Checked(name, 1, matrix_breaches(made))
    return Checked(name, 0, ())


def checked_text(found: Iterable[Checked]) -> str:
    """Return what was found, for a terminal of 80 columns."""
    return "\n".join(line for each in found for line in broken_rule_lines(each))


def broken_rule_lines(each: Checked) -> Iterator[str]:
    """Yield the lines of one artifact: each broken rule with its sentence once, below it where."""
    yield each.location
    if not each.about:
        yield "  no rule is about an artifact of this kind"
    elif not each.breaches:
        yield f"  all {each.about} rules hold" if each.about > 1 else "  its rule holds"
    for rule in dict.fromkeys((breach.number, breach.sentence) for breach in each.breaches):
        number, sentence = rule
        yield from textwrap.wrap(sentence, WIDTH, initial_indent=f"  rule {number:<3} ", subsequent_indent=INDENT)
        for breach in each.breaches:
            if breach.number == number:
                yield from textwrap.wrap(
                    breach.detail, WIDTH, initial_indent=" " * 11 + "- ", subsequent_indent=" " * 13
                )
