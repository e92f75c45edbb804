"""What several artifacts know of one run, put together; and what changed from one run to the next."""

from collections.abc import Mapping, Sequence
from typing import Any

from diptych import value_text
from diptych.report.documents.summaries import RunSummary, ScoreRow, Scores
from diptych.report.histories import Changes, Step

FIRST = (
    "chat_template",
    "system_instruction",
    "fewshot_as_multiturn",
    "num_fewshot",
    "gen_kwargs",
    "model",
    "model_args",
    "limit",
    "batch_size",
)
"""The settings that a list of changes begins with."""


def merge_runs(one: RunSummary, other: RunSummary) -> RunSummary:
    """Return what two artifacts know of one run."""
    if one is other or one[2:] == other[2:]:
        return one
    scores = as_scores(one.scores)
    if not scores.knows(other.scores):
        rows = {row.key: row for row in scores}
        for row in other.scores:
            own = rows.setdefault(row.key, row)
            if own != row:
                rows[row.key] = filled_score(own, row)
        scores = Scores.of(rows.values())
    return one._replace(
        scores=scores,
        settings=one.settings or other.settings,
        items={**other.items, **one.items},
        groups={name: one.groups.get(name) or other.groups.get(name, ()) for name in {**one.groups, **other.groups}},
    )


def filled_score(row: ScoreRow, other: ScoreRow) -> ScoreRow:
    """Return a score with what another artifact knows of it: a matrix and a set of repeats know less than others."""
    return row._replace(
        stderr=other.stderr if row.stderr is None else row.stderr,
        ours=other.ours if row.ours is None else row.ours,
        low=other.low if row.low is None else row.low,
        high=other.high if row.high is None else row.high,
    )


def as_scores(rows: Sequence[ScoreRow]) -> Scores:
    """Return the scores of a run by their tasks."""
    return rows if isinstance(rows, Scores) else Scores.of(rows)


def step(old: RunSummary, new: RunSummary, known: Changes | None) -> Step:
    """Return what changed between two runs: as a comparison of the two found it, else as they recorded it."""
    found: list[tuple[str, str, str]] = [
        (name, value_text.value(one, one is not None), value_text.value(two, two is not None))
        for name, one, two in (("model name", old.model, new.model), ("harness version", old.version, new.version))
        if one != two
    ]
    if known is None and old.settings and new.settings:
        known = tuple(
            (key, setting_text(old.settings, key), setting_text(new.settings, key))
            for key in sorted({*old.settings, *new.settings}, key=setting_rank)
            if old.settings.get(key) != new.settings.get(key) or (key in old.settings) != (key in new.settings)
        )
    if known is None:
        return Step(new.date, new.label, new.folder, tuple(found) or None)
    named_already = {name for name, _, _ in found} | {"versions.lm_eval"}
    found += [row for row in known if row[0] not in named_already]
    return Step(new.date, new.label, new.folder, tuple(found))


def setting_text(settings: Mapping[str, Any], key: str) -> str:
    """Return a setting's value in words; one that is not there is *not recorded*."""
    return value_text.setting(key, settings.get(key), key in settings)


def setting_rank(key: str) -> tuple[int, str]:
    """Return where a setting stands among those that changed: those that move a score most often come first."""
    heads = (key, key.split(".")[0])
    return next((n for n, head in enumerate(FIRST) if head in heads), len(FIRST)), key
