"""What each setting would leave behind in the samples, and what was found there: the prior order sharpened by evidence.

`TRACES` is data for a reader to check and extend: for a key or a family of keys, where a change of it would show.
"""

from typing import NamedTuple

from diptych.compare.channels import KIND_WORDS, Channel, Reading, readings
from diptych.compare.evidence import Evidence
from diptych.compare.inert import inert, of_another_backend
from diptych.compare.ranking import context_rank, model_args, rank_of
from diptych.compare.seen import Seen, look
from diptych.compare.settings import MODEL_NAMES, only_case_differs, prior_order
from diptych.comparison import ContextDifference, SettingDifference
from diptych.runs import NOT_RECORDED, Run

STANDINGS = ("explains", "can", "cannot")
"""From what the samples show it did, over what it could have done, to what it cannot have done."""


class Trace(NamedTuple):
    """Where a change of some settings would show, and why there.

    `prompts` are kinds of prompt difference, `choices` the scored continuations, `arguments` the generation arguments
    of a request, `items` the set of items, `scores` another score for the same answer. `answers` says how
    answers can part though all requests are equal: "any" (as far as you like), "may" (it could, but nothing
    points to it), "small" (in the last digits), "drawn" (where answers are drawn), "" (not at all).
    `text_only` settings act only on tasks that ask for text.
    """

    keys: tuple[str, ...]
    why: str
    prompts: tuple[str, ...] = ()
    choices: bool = False
    arguments: bool = False
    answers: str = ""
    items: bool = False
    scores: bool = False
    text_only: bool = False


TRACES: tuple[Trace, ...] = (
    Trace(
        ("chat_template", "apply_chat_template"),
        "The template's marks stand in the logged prompt; a server's own template does not, there a list of messages "
        "takes the text's place.",
        prompts=("role_markers", "same_words", "system_text", "start_token"),
        choices=True,
    ),
    Trace(
        ("system_instruction",),
        "The text stands at the beginning of every logged prompt.",
        prompts=("system_text",),
    ),
    Trace(
        model_args("system_prompt system_instruction chat_template use_chat_template apply_chat_template"),
        "The backend adds it when it builds the request, before or after the prompt is logged.",
        prompts=("system_text", "role_markers"),
        answers="any",
    ),
    Trace(
        model_args("enable_thinking think_start_token think_end_token chat_template_args chat_template_kwargs"),
        "It changes the end of a rendered prompt, or only what the server does with it.",
        prompts=("role_markers", "system_text", "other"),
        answers="any",
    ),
    Trace(
        model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id"),
        "The token is added after the prompt is logged: prompts stay equal as text, answers part.",
        answers="any",
    ),
    Trace(
        ("fewshot_as_multiturn",),
        "The same examples stand in turns of their own, or in one block.",
        prompts=("example_layout", "examples", "role_markers", "other"),
    ),
    Trace(
        ("num_fewshot",),
        "A block of solved examples is there, or is longer.",
        prompts=("examples",),
    ),
    Trace(
        ("fewshot_seed",),
        "Other examples of the same number stand before the question.",
        prompts=("examples", "other"),
    ),
    Trace(
        ("gen_kwargs.*", "gen_kwargs"),
        "It is part of each logged request that asks for text.",
        arguments=True,
        text_only=True,
    ),
    Trace(
        ("model", "model_source"),
        "A chat backend sends messages instead of a text; else only the answers show it.",
        prompts=("same_words",),
        choices=True,
        answers="any",
    ),
    Trace(
        model_args("pretrained model path engine peft delta lora adapter gguf_file filename revision subfolder")
        + model_args(
            "load_in_4bit load_in_8bit quantization quantization_config bnb_4bit_quant_type autogptq gptqmodel"
        )
        + ("model_sha", "model_num_parameters", "model_revision", "peft_sha", "delta_sha"),
        "Other weights give other answers to the same prompts.",
        answers="any",
    ),
    Trace(
        model_args("max_gen_toks max_new_tokens max_tokens"),
        "The budget is the backend's own and not in the request; answers end earlier or later.",
        answers="any",
        text_only=True,
    ),
    Trace(
        model_args("temperature top_p top_k do_sample repetition_penalty"),
        "It is the backend's own and not in the request; answers part where they are drawn.",
        answers="any",
        text_only=True,
    ),
    Trace(
        (*model_args("seed"), "random_seed", "numpy_seed", "torch_seed", "seed"),
        "Other draws give other answers to the same prompts.",
        answers="drawn",
    ),
    Trace(
        (
            *model_args("tokenizer tokenizer_backend tokenizer_revision tokenizer_mode use_fast_tokenizer"),
            *model_args("tokenized_requests"),
            *("tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "eot_token_id"),
        ),
        "The text is the same, the tokens are not; the tokens are not logged.",
        prompts=("start_token",),
        answers="any",
    ),
    Trace(
        (*model_args("dtype"), "batch_size", "batch_sizes", "max_batch_size", "device", "model_dtype"),
        "Sums in another order or precision move log-likelihoods in their last digits and turn close decisions.",
        answers="small",
    ),
    Trace(
        ("limit", "samples"),
        "Items are there on one side only; on the shared items it does nothing.",
        items=True,
    ),
    Trace(
        ("versions.lm_eval",),
        "A version can render, draw, cut, filter and score in its own way.",
        prompts=("white_space", "example_layout", "same_words", "other"),
        choices=True,
        answers="may",
        scores=True,
    ),
    Trace(
        ("versions.transformers",),
        "The library renders templates and computes.",
        answers="may",
    ),
    Trace(
        ("versions.*",),
        "Another version of a task has another prompt, another budget, another filter or another metric.",
        prompts=("white_space", "other"),
        choices=True,
        arguments=True,
        scores=True,
    ),
    Trace(
        ("context.quant", "context.model_file", "context.engine", "context.engine_version"),
        "Other weights or another engine give other answers to the same prompts.",
        answers="any",
    ),
    Trace(
        ("*",),
        "Nothing known points to it; answers would part though all requests are equal.",
        answers="may",
    ),
)
"""From a key, or a family of keys, to what it would leave behind. A key's own row goes before its family's."""


def trace_of(key: str) -> Trace:
    """Return the row of the table that speaks of a setting; the longest family that holds it, else the last row."""
    best, length = TRACES[-1], 0
    for trace in TRACES:
        for name in trace.keys:
            if name == key:
                return trace
            if name.endswith("*") and key.startswith(name[:-1]) and len(name) > length:
                best, length = trace, len(name)
    return best


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
    return tuple(sorted(rows, key=lambda row: (STANDINGS.index(row.standing), *prior_order(row))))


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
    return STANDINGS.index(row.standing), not recorded, context_rank(row.setting)[0], row.setting


def weigh(row: SettingDifference, trace: Trace, seen: Seen, a: Run, b: Run) -> tuple[str, str | None]:
    """Return a setting's standing and the sentence with the counts that give it."""
    reason = inert(row, seen, a, b)
    if reason is not None:
        return "cannot", reason
    if trace.items:
        return by_items(seen, a, b)
    if of_another_backend(row, a, b):
        return "can", "It belongs to its backend, and the backends differ."
    if row.key in MODEL_NAMES and only_case_differs(row.a, row.b):
        return "can", "The two names differ only in letter case: most likely the same weights."
    channels = readings(trace, row.key, seen, sent_as_messages="" in (row.a, row.b))
    if not (row.a_recorded and row.b_recorded):
        channels = tuple(unproven(channel) for channel in channels)
    return judged(channels, seen)


def unproven(channel: Channel) -> Channel:
    """Return a channel of a setting that one side does not record: only what the log itself shows counts for it."""
    if channel.reading is Reading.SHOWS and not channel.logged:
        return channel._replace(reading=Reading.OPEN)
    return channel


def judged(channels: tuple[Channel, ...], seen: Seen) -> tuple[str, str | None]:
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


def by_items(seen: Seen, a: Run, b: Run) -> tuple[str, str | None]:
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
