"""The sections of a comparison's page as HTML: what a template would take three times as long to compile and to place.

Each function takes a view, all strings, and gives markup in which every string is escaped.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from diptych.report.documents.causes import BlockView, LadderView, SettingView
from diptych.report.documents.comparison import FindingView
from diptych.report.writers.html import Markup, esc, escape


class FindingLine(NamedTuple):
    """One finding with the items that show it."""

    finding: FindingView
    items: str


class FindingGroup(NamedTuple):
    """Findings of one kind: the first in full, the others behind a fold."""

    first: FindingLine
    more: tuple[FindingLine, ...]
    told: str


class ValueView(NamedTuple):
    """One setting with its values as HTML: long texts side by side with their differences marked."""

    setting: SettingView
    values: str


class How(NamedTuple):
    """One score in one sentence; `number` is its row in the table."""

    number: int
    name: str
    sentence: str


class MethodView(NamedTuple):
    """One method, how it works, a link to its page, and the scores that rest on it."""

    title: str
    explained: str
    href: str
    scores: tuple[How, ...]


def findings_html(groups: Sequence[FindingGroup], notes: Sequence[FindingLine]) -> Markup:
    """Return errors and warnings by kind, and the notes behind a fold."""
    rows = []
    for group in groups:
        more = ""
        if group.more:
            more = f'<details><summary class="quiet">{esc(group.told)}</summary>{finding_list(group.more)}</details>'
        rows.append(f'<li class="{group.first.finding.severity}">{finding_html(group.first)}{more}</li>')
    shown = f'<ul class="findings">{"".join(rows)}</ul>' if rows else ""
    if notes:
        shown += f'<details><summary class="quiet">Notes ({len(notes)})</summary>{finding_list(notes)}</details>'
    return Markup(shown)


def finding_list(lines: Iterable[FindingLine]) -> str:
    """Return findings as a list."""
    rows = "".join(f'<li class="{line.finding.severity}">{finding_html(line)}</li>' for line in lines)
    return f'<ul class="findings">{rows}</ul>'


def finding_html(line: FindingLine) -> str:
    """Return one finding: its severity as a word, its sentence, the items that show it."""
    items = f' <span class="quiet">See {line.items}.</span>' if line.items else ""
    return f'<span class="severity">{line.finding.word}.</span> {esc(line.finding.text)}{items}'


def ladders_html(ladders: Iterable[tuple[LadderView, tuple[str, ...]]], whole: Sequence[LadderView]) -> Markup:
    """Return the ladders that break, each step with a link to its first differing item, and the names of the others."""
    parts = []
    for ladder, links in ladders:
        steps = "".join(
            f'<li class="{rung.state}"><span class="step">{rung.sign} {esc(rung.words)}</span> {esc(rung.counts)}'
            f"{f' <a href={chr(34)}{escape(href)}{chr(34)}>first</a>' if href else ''}</li>"
            for rung, href in zip(ladder.rungs, links, strict=True)
        )
        head = f'<h3>{esc(ladder.task)} <span class="quiet">{esc(ladder.sentence)}</span></h3>'
        parts.append(f'{head}<ol class="ladder">{steps}</ol>')
    if whole:
        names = ", ".join(f"<code>{esc(ladder.task)}</code>" for ladder in whole)
        parts.append(f"<p>Equal on every step: {names}.</p>")
    return Markup("".join(parts))


def blocks_html(blocks: Iterable[tuple[BlockView, tuple[ValueView, ...]]]) -> Markup:
    """Return the settings by standing; those that cannot have moved a score stay folded."""
    parts = []
    for block, rows in blocks:
        opened = "" if block.standing == "cannot" else " open"
        head = f'<summary><strong>{esc(block.title)}</strong> <span class="quiet">({len(rows)})</span></summary>'
        parts.append(f'<details class="settings"{opened}>{head}{"".join(map(setting_html, rows))}</details>')
    return Markup("".join(parts))


def setting_html(row: ValueView) -> str:
    """Return one setting: its key and place, both values, why it matters, what the samples say."""
    setting = row.setting
    tags = (setting.place, f"in {setting.tasks}" if setting.tasks else "")
    told = "".join(f' <span class="tag">{esc(tag)}</span>' for tag in tags if tag)
    evidence = f' <span class="evidence">{esc(setting.evidence)}</span>' if setting.evidence else ""
    return (
        f'<div class="setting"><h3>{esc(setting.key)}{told}</h3>{row.values}<p>{esc(setting.why)}{evidence}</p></div>'
    )


def settings_html(rows: Iterable[ValueView]) -> Markup:
    """Return settings one after the other."""
    return Markup("".join(map(setting_html, rows)))


def methods_html(methods: Iterable[MethodView]) -> Markup:
    """Return the methods used, each with one sentence a score; a score's "how" leads here."""
    parts = []
    for method in methods:
        title = f'<a href="{escape(method.href)}">{esc(method.title)}</a>' if method.href else esc(method.title)
        lead = f'<p class="lead">{esc(method.explained)}</p>' if method.explained else ""
        rows = "".join(
            f'<li id="how-{how.number}"><a href="#score-{how.number}">{esc(how.name)}</a>: {esc(how.sentence)}</li>'
            for how in method.scores
        )
        listed = f'<ul class="how-list">{rows}</ul>' if rows else ""
        parts.append(f"<h3>{title}</h3>{lead}{listed}")
    return Markup("".join(parts))


def gates_html(gates: Iterable[tuple[str, str, str]]) -> Markup:
    """Return each rule that was asked for, and whether it fired."""
    rows = [f"<li><strong>{state}</strong> <code>{esc(rule)}</code> {esc(text)}</li>" for state, rule, text in gates]
    return Markup(f"<ul>{''.join(rows)}</ul>" if rows else "")


def provenance_html(facts: Iterable[tuple[str, str]], inputs: Sequence[tuple[str, str]]) -> Markup:
    """Return what made the artifact, and the files that were read behind a fold."""
    rows = "".join(f"<dt>{esc(name)}</dt><dd><code>{esc(value)}</code></dd>" for name, value in facts)
    shown = f'<dl class="facts">{rows}</dl>'
    if inputs:
        files = "".join(
            f"<tr><td><code>{esc(name)}</code></td><td><code>{esc(digest)}</code></td></tr>" for name, digest in inputs
        )
        head = '<thead><tr><th scope="col">File</th><th scope="col">sha256</th></tr></thead>'
        table = f'<div class="scroll"><table>{head}<tbody>{files}</tbody></table></div>'
        shown += f"<details><summary>Files that were read ({len(inputs)})</summary>{table}</details>"
    return Markup(shown)
