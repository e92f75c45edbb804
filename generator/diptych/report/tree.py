"""A task's definition as a tree of its changed branches, texts compared word by word."""

from typing import Any

from diptych.comparison import Comparison
from diptych.report import figures
from diptych.report.writers.html import Markup, esc
from diptych.report.writers.sides import pair_html

SHORT = 60
"""Characters of a value up to which it stands on one line beside its counterpart."""


def task_tree(comparison: Comparison) -> Markup:
    """Return the changed fields of all tasks as nested, open branches; the dotted path of a field is its way down."""
    tree: dict[str, Any] = {}
    for row in comparison.task_settings:
        branch = tree.setdefault(row.task, {})
        *above, last = row.field.split(".")
        for name in above:
            below = branch.setdefault(name, {})
            branch = below if isinstance(below, dict) else branch
        branch[last] = (row.a, row.b)
    return Markup("".join(branch_html(task, below) for task, below in tree.items()))


def branch_html(name: str, below: Any) -> str:
    """Return one branch with what has changed below it; branches without a fork stand on one line."""
    while isinstance(below, dict) and len(below) == 1:
        (under, below), *_ = below.items()
        name = f"{name} › {under}"
    inner = leaf_html(*below) if isinstance(below, tuple) else "".join(branch_html(*pair) for pair in below.items())
    return f'<details class="branch" open><summary><code>{esc(name)}</code></summary>{inner}</details>'


def leaf_html(a: Any, b: Any) -> str:
    """Return one changed value: short ones on a line each, texts side by side."""
    if isinstance(a, str) and isinstance(b, str) and max(len(a), len(b)) > SHORT:
        return pair_html(a, b)
    cells = "".join(
        f'<div><span class="letter {letter.lower()}">{letter}</span> <code>{esc(figures.value(value))}</code></div>'
        for letter, value in (("A", a), ("B", b))
    )
    return f'<div class="values">{cells}</div>'
