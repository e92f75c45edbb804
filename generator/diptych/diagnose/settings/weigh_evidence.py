"""What the samples say of each differing setting: the prior order sharpened by evidence.

Where a change of a setting would show is data (trace_table.py); here it is held against what was found.
"""

from diptych.catalogue.settings import context_rank, model_args, rank_of
from diptych.catalogue.traces import Trace, trace_of
from diptych.comparison import BEARINGS, Bearing, ContextDifference, SettingDifference
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import Seen, look
from diptych.diagnose.settings.differences import MODEL_NAMES, only_case_differs, prior_order
from diptych.diagnose.settings.no_effect_rules import inert, named_by_quant, of_another_backend
from diptych.diagnose.settings.trace_checks import KIND_WORDS, Channel, Reading, readings
from diptych.run import NOT_RECORDED, Run


def sharpen(
    settings: tuple[SettingDifference, ...], evidence: Evidence, a: Run, b: Run
) -> tuple[SettingDifference, ...]:
    """Return the settings with what the samples say of each: explains, can, cannot; inside each the prior order."""
    rows = []
    for row in settings:
        seen = look(evidence, row.tasks)
        standing, sentence = weigh(row, trace_of(row.key), seen, a, b)
        rows.append(row._replace(standing=standing, evidence=sentence))
    rows += unrecorded_in_prompts(rows, look(evidence), a, b)
    return tuple(sorted(rows, key=lambda row: (BEARINGS.index(row.standing), *prior_order(row))))


SHOWN_BY_PROMPTS = (("role_markers", "chat_template"), ("system_text", "system_instruction"))
"""Kinds of prompt difference that one setting makes, whatever the files record of it."""


def unrecorded_in_prompts(rows: list[SettingDifference], seen: Seen, a: Run, b: Run) -> list[SettingDifference]:
    """Return the settings that the prompts show to differ though the files record them alike, or not at all.

    The prompts are what was sent; they are believed. Nothing is added where another setting explains them.
    """
    if seen.nothing_moved:
        return []
    explained = {kind for row in rows if row.standing == "explains" for kind in trace_of(row.key).prompts}
    found = []
    for kind, key in SHOWN_BY_PROMPTS:
        if seen.kinds.get(kind) and kind not in explained and key not in {row.key for row in rows}:
            rank, ranked = rank_of(key)
            settings = [run.settings.get(key, NOT_RECORDED) for run in (a, b)]
            found.append(
                SettingDifference(
                    key=key,
                    a=settings[0].value,
                    b=settings[1].value,
                    a_recorded=settings[0].recorded,
                    b_recorded=settings[1].recorded,
                    rank=rank,
                    kind=ranked.kind,
                    tasks=(),
                    why=f"{ranked.why} The files record no difference in it; the logged prompts show one.",
                    standing="explains",
                    evidence=f"{seen.kinds[kind]} of {seen.prompts.compared} prompts differ by {KIND_WORDS[kind]}.",
                )
            )
            explained.add(kind)
    return found


def sharpen_context(context: tuple[ContextDifference, ...], evidence: Evidence) -> tuple[ContextDifference, ...]:
    """Return what differs outside the harness with what the samples say of it, in the same order as settings."""
    seen = look(evidence)
    rows = []
    for row in context:
        standing, sentence = judged(readings(trace_of(f"context.{row.setting}"), f"context.{row.setting}", seen), seen)
        if standing == "explains" and not (row.a_recorded and row.b_recorded):
            standing = "can"
        rows.append(row._replace(standing=standing, evidence=sentence))
    return tuple(sorted(rows, key=context_order))


def context_order(row: ContextDifference) -> tuple[int, bool, int, str]:
    """Return where a row outside the harness belongs among its like."""
    recorded = row.a_recorded and row.b_recorded
    return BEARINGS.index(row.standing), not recorded, context_rank(row.setting)[0], row.setting


PROMPT_LIMITS = (*model_args("max_length max_model_len max_ctx_len truncation truncation_strategy"), "max_length")
"""Settings that say how long a prompt may be."""


def weigh(row: SettingDifference, trace: Trace, seen: Seen, a: Run, b: Run) -> tuple[Bearing, str | None]:
    """Return a setting's standing and the sentence with the counts that give it."""
    reason = inert(row, seen, a, b)
    if reason is not None:
        return "cannot", reason
    if trace.items:
        return by_items(seen, a, b)
    if row.key in PROMPT_LIMITS and seen.cut_prompts and not seen.nothing_moved:
        return (
            "explains",
            f"{seen.cut_prompts} prompts are longer than the limit of a side: their beginning was cut off.",
        )
    if of_another_backend(row, a, b):
        return "can", "It belongs to its backend, and the backends differ."
    if row.key in MODEL_NAMES and only_case_differs(row.a, row.b):
        return "can", "The two names differ only in letter case: most likely the same weights."
    note = " The names differ only by the quantisation." if row.key in MODEL_NAMES and named_by_quant(a, b) else ""
    channels = readings(trace, row.key, seen, sent_as_messages="" in (row.a, row.b))
    if not (row.a_recorded and row.b_recorded):
        channels = tuple(unproven(channel) for channel in channels)
    standing, sentence = judged(channels, seen)
    return standing, f"{sentence}{note}" if sentence else None


def unproven(channel: Channel) -> Channel:
    """Return a channel of a setting that one side does not record: only what the log itself shows counts for it."""
    if channel.reading is Reading.SHOWS and not channel.logged:
        return channel._replace(reading=Reading.OPEN)
    return channel


def judged(channels: tuple[Channel, ...], seen: Seen) -> tuple[Bearing, str | None]:
    """Return the standing that channels give together: one that shows is enough, all must be silent for "cannot"."""
    if not seen.pairs:
        return "can", None
    if seen.nothing_moved:
        return "cannot", f"All {seen.responses.compared} shared items have the same answers and scores."
    shown = [channel.text for channel in channels if channel.reading is Reading.SHOWS]
    if shown:
        return "explains", shown[0]
    if all(channel.reading is Reading.SILENT for channel in channels):
        return "cannot", next((channel.text for channel in channels if channel.text), None)
    still = [channel.text for channel in channels if channel.reading is Reading.OPEN and channel.text]
    return "can", still[-1] if still else None


def by_items(seen: Seen, a: Run, b: Run) -> tuple[Bearing, str | None]:
    """Return the standing of a limit: it explains scores over other items, and nothing on the shared ones."""
    if seen.one_sided:
        total = seen.pairs + seen.one_sided
        shared = f"; on the {seen.pairs} shared items it changes nothing" if seen.pairs else ""
        return "explains", f"{seen.one_sided} of {total} items were scored on one side only{shared}."
    if seen.pairs:
        return "cannot", f"Both runs scored the same {seen.pairs} items."
    unlike = [task for task in sorted({*a.items} & {*b.items}) if a.items[task] != b.items[task]]
    if unlike:
        task = unlike[0]
        return "explains", f"A scored {a.items[task]} items of {task}, B scored {b.items[task]}."
    return "can", None
