"""What a comparison's own page shows, worked out: every string, link and picture that its template places."""

from typing import Any, NamedTuple, Protocol

from diptych.catalogue.methods import METHODS
from diptych.comparison import AnswerChange, Comparison
from diptych.report import figures, items
from diptych.report.charts import plots as charts
from diptych.report.documents import causes as cause_views
from diptych.report.documents import comparison as views
from diptych.report.documents.causes import LadderView, SettingView
from diptych.report.documents.comparison import FindingView, SideView, VerdictView
from diptych.report.frames import Frame
from diptych.report.prompt_views import PromptView, is_short, prompt_view, shown_prompts
from diptych.report.score_table import forest_of, forest_rows, score_table
from diptych.report.sections import (
    FindingGroup,
    FindingLine,
    How,
    MethodView,
    ValueView,
    blocks_html,
    findings_html,
    gates_html,
    ladders_html,
    methods_html,
    provenance_html,
    settings_html,
)
from diptych.report.tree import task_tree
from diptych.report.writers.diffs import hidden_shown
from diptych.report.writers.harmless import shorten
from diptych.report.writers.html import Markup, esc, link
from diptych.report.writers.sides import folded, pair_html

LONG_VALUE = 120
"""Characters from which on two values of a setting are compared word by word, and one alone folds."""


class Placed(Protocol):
    """Where the pages of a comparison stand in an archive."""

    @property
    def frame(self) -> Frame: ...
    @property
    def digest(self) -> str: ...
    @property
    def runs(self) -> tuple[tuple[str, str], ...]: ...


class NoiseView(NamedTuple):
    """How far log-likelihoods moved in one task while the prompts were equal."""

    sentence: str
    chart: Markup


class RunView(NamedTuple):
    """The run that isolates the cause: its command and what each outcome would mean."""

    changes: str
    took: str
    command: str
    python: str
    if_closes: str
    if_stays: str


class PageView(NamedTuple):
    """Everything that `comparison.html.j2` places, in the order it is shown."""

    title: str
    verdict: VerdictView
    sides: tuple[SideView, ...]
    hrefs: tuple[str, ...]
    left_out: tuple[str, ...]
    findings: Markup
    scores: Markup
    forest: Markup
    ladders: Markup
    cause_anchor: str
    settings_line: str
    places: str
    blocks: Markup
    tree: Markup
    context: Markup
    context_note: str
    prompts: tuple[PromptView, ...]
    more_prompts: str
    chips: tuple[tuple[str, tuple[items.Chip, ...]], ...]
    ledger: Markup
    more_items: str
    noise: tuple[NoiseView, ...]
    run: RunView | None
    methods: Markup
    gates: Markup
    provenance: Markup
    embedded: Markup
    sections: tuple[tuple[str, str], ...]


def page_view(
    comparison: Comparison,
    moved: tuple[items.Item, ...],
    place: Placed | None,
    *,
    inside: bool = False,
    limit: int | None = None,
    all_prompts: bool = False,
) -> PageView:
    """Return what the comparison's own page shows; `inside` says that the items stand on it, `limit` how much fits."""
    root = place.frame.root if place else None
    pages = {(item.task, item.item): "" if inside else items.page_name(item.page) for item in moved}
    ladders = [(ladder, first_links(ladder, pages)) for ladder in cause_views.ladder_views(comparison.ladder)]
    view = PageView(
        title=views.title_of(comparison),
        verdict=views.verdict_view(comparison),
        sides=(views.side_view("A", comparison.a), views.side_view("B", comparison.b)),
        hrefs=tuple(href for _, href in place.runs) if place else ("", ""),
        left_out=views.left_out_lines(comparison.left_out),
        findings=findings_html(finding_groups(comparison, pages), finding_lines(comparison, pages, notes=True)),
        scores=score_table(comparison) if comparison.metrics else Markup(""),
        forest=forest_of(forest_rows(comparison)),
        ladders=ladders_html(
            [row for row in ladders if any(rung.state == "break" for rung in row[0].rungs)],
            [row for row, _ in ladders if all(rung.state != "break" for rung in row.rungs)],
        ),
        cause_anchor="context" if views.cause_text(comparison.verdict).startswith("context.") else "settings",
        settings_line=cause_views.settings_line(comparison),
        places=cause_views.PLACES,
        blocks=blocks_html(
            (block, tuple(map(value_view, block.settings))) for block in cause_views.setting_blocks(comparison.settings)
        ),
        tree=task_tree(comparison),
        context=settings_html(value_view(row) for row in cause_views.context_views(comparison.context)),
        context_note=cause_views.context_note(comparison),
        prompts=tuple(prompt_view(pair, is_short(pair, limit)) for pair in shown_prompts(comparison)),
        more_prompts=f"All {figures.plural(len(comparison.prompts), 'prompt')}, whole" if all_prompts else "",
        chips=items.chips(comparison, moved, inside),
        ledger=items.ledger(moved, inside),
        more_items=more_items(moved, inside),
        noise=tuple(noise_view(change) for change in comparison.answer_changes if is_noise(comparison, change)),
        run=run_view(comparison),
        methods=methods_html(method_views(comparison, root)),
        gates=gates_html(("fired" if gate.fired else "held", gate.rule, gate.text) for gate in comparison.gates),
        provenance=provenance_html(
            provenance_facts(comparison, place.digest if place else ""),
            [(row.name, row.sha256) for row in comparison.provenance.inputs],
        ),
        embedded=Markup(""),
        sections=(),
    )
    return view._replace(sections=sections_of(comparison, view))


def more_items(moved: tuple[items.Item, ...], inside: bool) -> str:
    """Return the words of the link to all items, or nothing where they all stand here."""
    if inside or not moved:
        return ""
    return f"All {figures.plural(len(moved), 'item')} that moved, with both prompts and answers"


def first_links(ladder: LadderView, pages: dict[tuple[str, str], str]) -> tuple[str, ...]:
    """Return for each step the link to its first differing item, or "" where that item is not kept."""
    return tuple(item_href(rung.item, ladder.task, pages) for rung in ladder.rungs)


def item_href(name: str, task: str, pages: dict[tuple[str, str], str]) -> str:
    """Return the link to an item by its name ("task/item"), or "" where the pages do not hold it."""
    item = name.removeprefix(f"{task}/")
    page = pages.get((task, item)) if name else None
    return "" if page is None else page + items.anchor(task, item)


def finding_lines(comparison: Comparison, pages: dict[tuple[str, str], str], *, notes: bool) -> tuple[FindingLine, ...]:
    """Return the findings that are notes, or those that are more than that."""
    rows = views.finding_views(comparison.findings)
    return tuple(FindingLine(row, evidence(row, pages)) for row in rows if (row.severity == "note") == notes)


def finding_groups(comparison: Comparison, pages: dict[tuple[str, str], str]) -> tuple[FindingGroup, ...]:
    """Return errors and warnings, those of one kind together: many tasks often share one cause."""
    grouped: dict[tuple[str, str], list[FindingLine]] = {}
    for line in finding_lines(comparison, pages, notes=False):
        grouped.setdefault((line.finding.severity, line.finding.kind), []).append(line)
    return tuple(
        FindingGroup(first, tuple(more), f"{figures.count(len(more))} more of this kind" if more else "")
        for first, *more in grouped.values()
    )


def evidence(row: FindingView, pages: dict[tuple[str, str], str]) -> str:
    """Return the items that show a finding, links where the pages hold them."""
    made = []
    for name in row.evidence:
        task, _, item = name.partition("/")
        href = item_href(name, task, pages) if item else ""
        made.append(link(href, name) if href else f"<code>{esc(shorten(name, 60))}</code>")
    return ", ".join(made)


def is_noise(comparison: Comparison, change: AnswerChange) -> bool:
    """Say whether likelihoods moved in a task whose prompts are all equal: otherwise it is no numerical noise."""
    if not change.changed:
        return False
    rungs = [rung for ladder in comparison.ladder if ladder.task == change.task for rung in ladder.rungs]
    return any(rung.rung == "prompts" and 0 < rung.compared == rung.equal for rung in rungs)


def noise_view(change: AnswerChange) -> NoiseView:
    """Return how far log-likelihoods moved in a task, in one sentence and a plot."""
    sentence = (
        f"{change.task}: with equal prompts the log-likelihoods of "
        f"{figures.count_of(change.changed, change.items)} items moved, "
        f"by {change.median:.2g} in the median and {change.largest:.2g} at most"
    )
    if change.flips and change.largest_flip_margin is not None:
        sentence += f"; {figures.plural(change.flips, 'flip')}, none at a margin above {change.largest_flip_margin:.2g}"
    elif change.flips:
        sentence += f"; {figures.plural(change.flips, 'flip')}"
    return NoiseView(f"{sentence}. Bars count items by their largest move.", charts.noise_histogram(change))


def run_view(comparison: Comparison) -> RunView | None:
    """Return the isolating run as the page shows it."""
    run = comparison.verdict.isolating_run
    if run is None:
        return None
    took = f"A took {figures.duration(run.seconds)}." if run.seconds is not None else ""
    return RunView(run.changes, took, run.command, run.python, run.if_closes, run.if_stays)


def method_views(comparison: Comparison, root: str | None) -> tuple[MethodView, ...]:
    """Return the methods used, each with its scores' sentences; with an archive around it, a link to its page."""
    grouped: dict[str, list[How]] = {}
    for number, row in enumerate(views.score_views(comparison), 1):
        if not views.is_told(row, len(comparison.metrics)):
            continue
        sentence = row.sentence or row.reason or "No test was made."
        grouped.setdefault(row.method, []).append(How(number, f"{row.task} {row.metric}", sentence))
    made = []
    for name, scores in grouped.items():
        method = METHODS.get(name)
        href = f"{root}methods/index.html#{name}" if root is not None and method else ""
        title, explained = (method.title, method.how) if method else (name or "No estimate", "")
        made.append(MethodView(title, explained, href, tuple(scores)))
    beside = [METHODS[name] for name in comparison.provenance.methods if name in METHODS and name not in grouped]
    for method in beside:
        href = f"{root}methods/index.html#{method.name}" if root is not None else ""
        made.append(MethodView(method.title, method.how, href, ()))
    return tuple(made)


def value_view(setting: SettingView) -> ValueView:
    """Return a setting with its values; two long texts are compared word by word."""
    if min(len(setting.a), len(setting.b)) > LONG_VALUE:
        return ValueView(setting, pair_html(setting.a, setting.b))
    cells = []
    for letter, value, note in (("A", setting.a, setting.a_note), ("B", setting.b, setting.b_note)):
        told = f' <span class="quiet">{note}</span>' if note else ""
        shown = folded(hidden_shown(value), LONG_VALUE, LONG_VALUE // 3, "more characters", True)
        cells.append(
            f'<div><span class="letter {letter.lower()}">{letter}</span> <div class="value">{shown}</div>{told}</div>'
        )
    return ValueView(setting, f'<div class="values">{"".join(cells)}</div>')


def sections_of(comparison: Comparison, view: PageView) -> tuple[tuple[str, str], ...]:
    """Return the page's sections as (anchor, words), those that are there."""
    wanted: tuple[tuple[str, str, Any], ...] = (
        ("scores", "Scores", True),
        ("ladder", "Where the runs part", view.ladders),
        ("settings", "Settings", True),
        ("task-configuration", "Task configuration", view.tree),
        ("context", "Outside the harness", view.context or view.context_note),
        ("prompts", "Prompts", view.prompts),
        ("flips", "Items that moved", view.ledger or view.embedded),
        ("next", "The next run", view.run),
        ("gates", "Gates", view.gates),
        ("statistics", "Statistics", True),
        ("provenance", "Provenance", True),
    )
    return tuple((anchor, words) for anchor, words, there in wanted if there)


def provenance_facts(comparison: Comparison, digest: str) -> tuple[tuple[str, str], ...]:
    """Return what made the artifact."""
    made = comparison.provenance
    facts = [("Artifact", comparison.id), ("Made by", f"diptych {made.diptych_version}")]
    facts += [("sha256", digest)] if digest else []
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        items_text = ", ".join(f"{task} {figures.count(count)}" for task, count in side.items.items())
        facts.append((f"{letter}: file", f"{side.source}/{side.results_file}" if side.source else side.results_file))
        facts.append((f"{letter}: items", items_text or figures.NOT_RECORDED))
    facts += [("Methods", ", ".join(made.methods))] if made.methods else []
    facts += [(name.replace("_", " "), figures.value(value)) for name, value in sorted(made.options.items())]
    return tuple(facts)
