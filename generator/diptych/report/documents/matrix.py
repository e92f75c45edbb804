"""Many runs as a Document: each against the first, the scores with their groups, which setting did it, the next run."""

from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.catalogue.words import STATUSES, VERDICTS
from diptych.comparison import Finding
from diptych.matrix import Matrix, MatrixCell, MatrixRow, SettingEffect
from diptych.report.addresses import artifact_title
from diptych.report.blocks import (
    EVERYWHERE,
    IN_COMMENT,
    IN_FULL,
    Block,
    Code,
    Column,
    Command,
    Document,
    Entry,
    Facts,
    Inline,
    Line,
    Link,
    Listing,
    Name,
    Place,
    Row,
    Section,
    Table,
    Toned,
    Verdict,
)
from diptych.report.documents.findings import (
    gates_section,
    left_out_section,
    notes_section,
    provenance_section,
    warnings_section,
)
from diptych.report.documents.matrix_scores import (
    counted_rows,
    difference_blocks,
    folded_table,
    heads_of,
    others,
    pair_columns,
    pair_reasons,
    pair_row,
    score_blocks,
    significant,
    unfolded_rows,
)
from diptych.report.documents.suspect_tables import whole_or_hash
from diptych.report.writers.harmless import shorten
from diptych.value_text import metric_name

FOLDED = IN_COMMENT
NEVER: frozenset[Place] = frozenset()

OPEN_DIFFERENCES = 8
"""Differences that stand open in a comment: more would hide the rest."""


def matrix_document(matrix: Matrix, hrefs: Sequence[str] = (), digest: str = "") -> Document:
    """Return all that many runs side by side say; `hrefs` leads from each run to its page."""
    sign, word, tone = matrix_answer(matrix)
    apart = significant(matrix)
    sections = (
        Section("verdict", "", (verdict_block(matrix), runs_block(matrix, hrefs)), places=EVERYWHERE),
        gates_section(matrix.gates),
        Section("scores", "Scores", score_blocks(matrix), places=EVERYWHERE, drop="worse"),
        Section(
            "differences",
            f"Differences from {matrix.runs[0].label}",
            difference_blocks(matrix),
            places=EVERYWHERE,
            drop="worse",
            folded=FOLDED if len(matrix.runs) * len(counted_rows(matrix)) > OPEN_DIFFERENCES else NEVER,
        ),
        verdicts_section(matrix),
        effects_section(matrix),
        Section("settings", "Settings that differ", settings_blocks(matrix), places=IN_FULL, folded=FOLDED),
        warnings_section(not_told_yet(matrix), {}),
        next_section(matrix),
        pairs_section(matrix),
        notes_section(not_told_yet(matrix), {}),
        left_out_section(matrix.left_out),
        provenance_section(matrix.provenance, matrix.id, digest, (), not matrix.left_out),
    )
    title = artifact_title(matrix)
    head = f"{title}: {word}"
    return Document(
        "matrix", title, sign, word, tone, sections, headline=head, worst=worst_line(matrix), changed=bool(apart)
    )


def not_told_yet(matrix: Matrix) -> tuple[Finding, ...]:
    """Return the findings that the verdict has not told in the same words."""
    said = matrix.verdict.parts if matrix.verdict else ()
    return tuple(row for row in matrix.findings if row.text not in said)


def worst_line(matrix: Matrix) -> Line:
    """Return the largest significant difference from the first run in a few words, nothing where there is none."""
    found = [(row, cell) for row, cell in significant(matrix) if cell.a == 0 and cell.difference is not None]
    if not found:
        return ()
    row, cell = max(found, key=lambda one: (one[1].status == "worse", abs(one[1].difference or 0.0)))
    gap = numbers.amount_beside(cell.difference, cell.low, cell.high, row.in_points)
    return (f"{STATUSES[cell.status].sign} ", Name(row.task), f" {gap}")


def matrix_answer(matrix: Matrix) -> tuple[str, str, str]:
    """Return the answer as a sign, a few words and a tone: which runs differ from the first."""
    against = [(row, cell) for row, cell in significant(matrix) if cell.a == 0]
    total, baseline = len(matrix.runs) - 1, f"{matrix.runs[0].label} (baseline)"
    for status in ("worse", "better"):
        others = {cell.b for _, cell in against if cell.status != status}
        mine = {cell.b for _, cell in against if cell.status == status}
        if mine and not others:
            word = STATUSES[status]
            who = matrix.runs[min(mine)].label if len(mine) == 1 else f"{len(mine)} of {total}"
            return word.sign, f"{who} {word.word} than {baseline}", word.tone
    if against:
        return "▼▲", f"{len({cell.b for _, cell in against})} of {total} differ from {baseline}", "mixed"
    if significant(matrix):
        return "≠", f"none differs from {baseline}, some from each other", "mixed"
    kind = VERDICTS[matrix.verdict.kind if matrix.verdict else "unclear"]
    return kind.sign, kind.word, kind.tone


def verdict_block(matrix: Matrix) -> Verdict:
    """Return the answer in lines: what each setting did, who differs from whom, and what to do next."""
    sign, word, tone = matrix_answer(matrix)
    said = matrix.verdict
    lines = (said.parts or (said.sentence,)) if said else (matrix_sentence(matrix),)
    then = (f"Next: {said.next_step}",) if said and said.next_step else ()
    labels = tuple(run.label for run in matrix.runs)
    apart = bool(significant(matrix)) and not says_answer(lines[0], sign, labels)
    return Verdict(
        sign, word, tone, tuple((text,) for text in (*lines, *then)), named=word.startswith(labels), apart=apart
    )


def says_answer(line: str, sign: str, labels: Sequence[str]) -> bool:
    """Say whether a line begins with a run that is better or worse, as the sign of the answer has it."""
    words = [word.word for word in STATUSES.values() if word.sign == sign]
    return any(line.startswith(f"{label} is {word} ") for label in labels for word in words)


def matrix_sentence(matrix: Matrix) -> str:
    """Return what many runs say together; an artifact of before verdicts has only its answer in a few words."""
    return matrix.verdict.sentence if matrix.verdict else f"{len(matrix.runs)} runs: {matrix_answer(matrix)[1]}."


def runs_block(matrix: Matrix, hrefs: Sequence[str]) -> Facts:
    """Return who the runs are, by number; what all have alike is said once.

    A short report has the labels alone, none where they head the columns.
    """
    models = [run.model or value_text.NOT_RECORDED for run in matrix.runs]
    versions = [f"{run.harness} {run.harness_version or ''}".strip() for run in matrix.runs]
    alike = [texts[0] for texts in (models, versions) if len(set(texts)) == 1]
    rows = []
    for number, run in enumerate(matrix.runs):
        href = hrefs[number] if number < len(hrefs) else ""
        name: Inline = Link(run.label, href) if href else Name(run.label)
        mark = " (baseline)" if number == 0 else ""
        own = [texts[number] for texts in (models, versions) if len(set(texts)) > 1]
        told = [part for text in own for part in (", ", Name(text))]
        rows.append((str(number + 1), (name, mark, *told, f", {value_text.date(run.date)}")))
    shared: list[tuple[str, Line]] = [("all", (Name(", ".join(alike)),))] if alike else []
    labels = [run.label for run in matrix.runs]
    brief = ", ".join(f"{number} {label}" for number, label in enumerate(labels, 1))
    return Facts((*rows, *shared), full=heads_of(matrix) == labels, brief=(f"{brief}.",))


def verdicts_section(matrix: Matrix) -> Section:
    """Return the verdict on each run after the first, with its cause."""
    entries = tuple(
        Entry(
            (sentence,)
            if sentence.startswith(f"{run.label} ")
            else (Name(run.label), f": {sentence.removeprefix(f'{run.label}: ')}")
        )
        for run, sentence in zip(matrix.runs[1:], matrix.sentences, strict=False)
    )
    blocks = (Listing(entries, "verdicts"),) if entries else ()
    return Section("verdicts", "Each run's verdict", blocks, places=IN_FULL, folded=frozenset(("comment", "page")))


def pairs_section(matrix: Matrix) -> Section:
    """Return the pairs without the first run that are significantly different, and why others have no number."""
    rows = tuple(pair_row(pair_name(matrix, row, cell), row, cell) for row, cell in significant(matrix) if cell.a)
    columns = pair_columns("Pair: task, metric")
    blocks: list[Block] = [Table(columns, rows, "pairs")] if rows else []
    reasons = [
        Entry((f"{metric_name(row.metric, row.filter)} of ", Name(row.task), f": {text}"))
        for row in (*unfolded_rows(matrix), *others(matrix))
        for text in pair_reasons(row, [run.label for run in matrix.runs])
    ]
    blocks += [Listing(tuple(reasons), "reasons")] if reasons else []
    return Section("pairs", "Other pairs", tuple(blocks), places=IN_FULL, folded=FOLDED)


def pair_name(matrix: Matrix, row: MatrixRow, cell: MatrixCell) -> Line:
    """Return two runs with the metric on which they differ."""
    first, second = (Name(matrix.runs[place].label) for place in (cell.a, cell.b))
    return (first, " → ", second, ": ", Name(row.task), " ", Name(metric_name(row.metric, row.filter)))


GIVEN = ("model_args.", "gen_kwargs.")
"""Families of which a run records all that was given."""


def setting_texts(matrix: Matrix) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each setting that differs with its value in each run; *not recorded* is no null."""
    rows, tasks = [], {row.task for row in matrix.rows}
    for key, values in matrix.settings:
        texts = []
        for run, value in zip(matrix.runs, values, strict=True):
            known = value is not None or key in run.settings or not run.settings or key.partition(".")[0] in tasks
            # an argument that is absent beside others was not given
            absent = value is None and key not in run.settings and key.startswith(GIVEN)
            texts.append(value_text.NOT_GIVEN if absent else whole_or_hash(value_text.setting(key, value, known)))
        rows.append((key, tuple(texts)))
    return tuple(rows)


def settings_blocks(matrix: Matrix) -> tuple[Block, ...]:
    """Return each setting that differs with its value in each run."""
    texts = setting_texts(matrix)
    if not texts:
        return (("No recorded setting differs.",),)
    columns = (Column("Setting"), *(Column(head) for head in heads_of(matrix)))
    return (
        Table(
            columns,
            tuple(Row(((Code(key),), *((Code(text),) for text in row))) for key, row in texts),
            "settings",
            by_run=True,
        ),
    )


def effects_section(matrix: Matrix) -> Section:
    """Return which setting did it, a row a setting and primary metric; what is confounded is said, not split."""
    blocks: list[Block] = []
    if rows := effect_rows(matrix, counted_rows(matrix)):
        blocks.append(effect_table(rows, len(counted_rows(matrix))))
    if rows := effect_rows(matrix, others(matrix)):
        blocks.append(folded_table(matrix, effect_table(rows, len(others(matrix)))))
    mixed = dict.fromkeys(effect.settings for effect in matrix.effects if effect.difference is None)
    if mixed:
        groups = [keys[0] + (f" (with {len(keys) - 1} more)" if len(keys) > 1 else "") for keys in mixed]
        blocks.append((f"Confounded, so that no run tells apart what each did: {numbers.listed(groups, 6)}.",))
    told = matrix.verdict is not None and any(effect.difference is not None for effect in matrix.effects)
    places = IN_FULL if told else EVERYWHERE
    return Section("effects", "Which setting did it", tuple(blocks), places=places, folded=FOLDED if told else NEVER)


def effect_rows(matrix: Matrix, rows: Sequence[MatrixRow]) -> tuple[Row, ...]:
    """Return the known effects on some metrics, the significant ones first."""
    keys = {row.key for row in rows}
    known = [effect for effect in matrix.effects if effect.difference is not None and effect.key in keys]
    known.sort(key=lambda effect: effect.status not in ("better", "worse"))
    return tuple(effect_row(effect, matrix) for effect in known)


def effect_table(rows: tuple[Row, ...], metrics: int) -> Table:
    """Return effects as a table; which metric each is on may leave where there is one."""
    columns = (
        Column("Setting"),
        Column("Task, metric", leaves=1 if metrics == 1 else 0, line=True),
        Column("Effect", right=True),
        Column("CI"),
        Column(""),
        Column("Estimated", full=True, line=True),
    )
    return Table(columns, rows, "effects", brief=5)


def effect_row(effect: SettingEffect, matrix: Matrix) -> Row:
    """Return one setting's effect on one metric."""
    row = next((row for row in matrix.rows if row.key == effect.key), None)
    share = row is not None and row.in_points
    word = STATUSES[effect.status]
    return Row(
        (
            (Code(effect_settings(effect, matrix)),),
            (Name(effect.task), " ", Name(metric_name(effect.metric, effect.filter))),
            (numbers.amount_beside(effect.difference, effect.low, effect.high, share),),
            (numbers.between(effect.low, effect.high, share),),
            (Toned(f"{word.sign} {word.word}", word.tone),),
            (effect.note,),
        )
    )


def effect_settings(effect: SettingEffect, matrix: Matrix) -> str:
    """Return the settings of an effect with their values before and after, the first few of many."""
    texts, values = dict(setting_texts(matrix)), dict(matrix.settings)
    shown = []
    for key in effect.settings:
        if key in texts:
            ours, theirs = (values[key][place] for place in (effect.a, effect.b))
            apart = value_text.differing_paths(texts[key][effect.a], texts[key][effect.b], 40)
            named = [shorten(text, 40) for text in apart]
            if key in value_text.TEMPLATES and None in (ours, theirs):
                named = ["on" if value else text for value, text in zip((ours, theirs), named, strict=True)]
            shown.append(f"{key}: {' → '.join(named)}")
    return numbers.listed(shown or list(effect.settings), 2)


def next_section(matrix: Matrix) -> Section:
    """Return the run that would tell more apart."""
    if matrix.next_run is None:
        return Section("next", "", ())
    words: Line = (matrix.verdict.next_step,) if matrix.verdict else (f"With {matrix.next_run.changes} alone changed.",)
    return Section("next", "Next run", (words, Command(matrix.next_run.command)), places=IN_FULL, folded=FOLDED)
