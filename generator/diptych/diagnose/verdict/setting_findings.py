"""What is to be said of the settings themselves: contradictions, gaps, start tokens, answers that nothing explains."""

from collections.abc import Sequence

from diptych.catalogue.setting_effects import ACTS, model_args
from diptych.closed_names import Severity
from diptych.comparison import Finding, SettingDifference
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import SampleCounts, sample_counts
from diptych.diagnose.settings.no_effect_rules import most_shots
from diptych.diagnose.settings.run_values import run_value, served
from diptych.diagnose.verdict.doubled_starts import DoubledStart, doubled_starts
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.verdict import Judgement
from diptych.numbers import counted, listed
from diptych.run import Run
from diptych.sides import Side, each_side
from diptych.value_text import NOT_GIVEN

START_TOKEN = model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id")
TOKEN_KEYS = (*START_TOKEN, *model_args("tokenizer tokenizer_backend max_length truncation"))


def setting_findings(a: Run, b: Run, evidence: Evidence, judged: Judgement) -> tuple[Finding, ...]:
    """Return the findings that the settings give, alone or held against the samples."""
    rows, seen = judged.settings, sample_counts(evidence)
    found = [
        *contradictions(a, "a"),
        *contradictions(b, "b"),
        *silent_prompts(judged.hypotheses, evidence),
        *ignored_shots(rows, seen),
    ]
    found += [
        *start_token_setting(rows),
        *start_token_doubled(a, b, evidence),
        *tokens_unseen_findings(rows, seen, a, b),
    ]
    return (*found, *serving_unknown(judged, a, b, seen), *not_recorded_findings(rows), *unknown_settings(a, b))


def contradictions(run: Run, side: Side) -> list[Finding]:
    """Return settings of one run that cannot all be true."""
    found = []
    template = run.settings.get("chat_template")
    off = template is not None and template.recorded and template.value is None
    if off and run_value(run, "fewshot_as_multiturn") is True and most_shots(run) != 0:
        text = (
            f"{side.upper()} asks for examples as turns (fewshot_as_multiturn) but applies no chat template: without "
            "one there are no turns. One of the two is not what was run; the logged prompts tell which."
        )
        found.append(Finding("settings_contradict", "warning", text, side))
    warm = [task for task in sorted(run.task_settings) if greedy_but_warm(run, task)]
    if warm:
        text = (
            f"{side.upper()} says do_sample false and a temperature above 0 in {listed(warm)}: a local backend takes "
            "the likeliest answer, a server draws."
        )
        found.append(Finding("settings_contradict", "note", text, side, count_=len(warm), of=len(run.task_settings)))
    return found


def greedy_but_warm(run: Run, task: str) -> bool:
    """Say whether a task asks for the likeliest answer and for a temperature at once."""
    settings = run.task_settings[task]
    sample, heat = settings.get("gen_kwargs.do_sample"), settings.get("gen_kwargs.temperature")
    if sample is None or heat is None or sample.value is not False:
        return False
    return isinstance(heat.value, (int, float)) and heat.value > 0


DENIED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("role_markers", "chat-template tokens", ("chat_template", "fewshot_as_multiturn")),
    ("examples", "a block of examples", ("num_fewshot", "fewshot_as_multiturn", "fewshot_seed")),
    ("system_text", "a system text", ("system_instruction", "chat_template")),
)
"""Kinds of prompt difference, in words, and the settings that make them."""


def silent_prompts(held: Sequence[Hypothesis], evidence: Evidence) -> list[Finding]:
    """Return that prompts show a difference which nothing recorded makes."""
    seen = sample_counts(evidence)
    marks = [trace for one in held for trace in one.traces.values()]
    if any(one.mark in ("own", "broad") and ACTS[one.act].step == "prompts" for one in marks):
        return []
    found = []
    for kind, what, keys in DENIED:
        number = seen.kinds.get(kind, 0)
        if number and not {one.key for one in held} & set(keys):
            text = (
                f"{number} of {seen.prompts.compared} prompts differ by {what}, but {listed(keys[:2], 2)} are recorded "
                "the same on both sides. The prompts are what was sent: believe them."
            )
            found.append(Finding("settings_contradict", "warning", text, None, count_=number, of=seen.prompts.compared))
    return found


def ignored_shots(rows: tuple[SettingDifference, ...], seen: SampleCounts) -> list[Finding]:
    """Return that a number of examples differs on record while every prompt is equal."""
    row = next((row for row in rows if row.key == "num_fewshot"), None)
    if row is None or not seen.prompts.all_equal:
        return []
    text = (
        f"num_fewshot is recorded as {row.a} and {row.b}, but all {seen.prompts.compared} prompts are equal. One side "
        "did not get the examples it asked for."
    )
    return [Finding("settings_contradict", "warning", text)]


def start_token_setting(rows: tuple[SettingDifference, ...]) -> list[Finding]:
    """Return that the start token is set otherwise on the two sides."""
    found = []
    for row in rows:
        if row.key in START_TOKEN:
            name = row.key.partition(".")[2]
            text = (
                f"{name} is {value_word(row.a)} in A and {value_word(row.b)} in B: the start token is added after "
                "the prompt is logged, so equal prompts do not mean equal tokens. "
                "Without it many base models fall to chance."
            )
            found.append(Finding("start_token_setting", "warning", text))
    return found


def value_word(value: object) -> str:
    """Return a setting's value as a word."""
    return NOT_GIVEN if value is None else str(value)


def start_token_doubled(a: Run, b: Run, evidence: Evidence) -> list[Finding]:
    """Return the sides whose prompts begin with a start token while the backend is told to add one."""
    return [doubled_start_finding(found) for found in doubled_starts(a, b, evidence)]


def doubled_start_finding(found: DoubledStart) -> Finding:
    """Return the finding for one side and task."""
    side, task, starts = found.side, found.task, found.starts
    known = (
        f" The vllm backend is known to add it twice before 0.4.10; {side.upper()} ran {found.version}."
        if found.known
        else " Whether it is there twice is not in the log."
    )
    text = (
        f"{starts.once} of {starts.of} prompts of {side.upper()} in {task} begin with {starts.token} and add_bos_token "
        f"is on: the start token may be there twice.{known}"
    )
    severity: Severity = "warning" if found.known else "note"
    return Finding("start_token_doubled", severity, text, side, task, starts.once, starts.of)


def tokens_unseen_findings(rows: tuple[SettingDifference, ...], seen: SampleCounts, a: Run, b: Run) -> list[Finding]:
    """Return that prompts are equal as text while something differs that changes the tokens made of them."""
    keys = [row.key for row in rows if row.key in TOKEN_KEYS and row.standing == "explains"]
    if makes_tokens(a) and makes_tokens(b):
        keys += [row.key for row in rows if row.key in VERSIONS and row.a_recorded and row.b_recorded]
    if not keys or not seen.quiet.differ:
        return []
    text = (
        f"The prompts are equal as text and {seen.quiet.differ} of {seen.quiet.compared} responses differ; "
        f"{listed(keys)} may have changed the tokens made of them, and tokens are not logged."
    )
    return [Finding("tokens_unseen", "note", text, count_=seen.quiet.differ, of=seen.quiet.compared)]


VERSIONS = ("versions.lm_eval", "versions.transformers", "git_hash")
"""What may turn the same text into other tokens."""


def makes_tokens(run: Run) -> bool:
    """Say whether the harness itself turns text into tokens: it holds the weights, or sends ids instead of text."""
    if not served(run):
        return True
    sent = run_value(run, "model_args.tokenized_requests")
    return sent is True or (sent is None and run_value(run, "model") == "local-completions")


def serving_unknown(judged: Judgement, a: Run, b: Run, seen: SampleCounts) -> list[Finding]:
    """Return that responses to equal requests differ and nothing on record can have done it."""
    if not seen.quiet.differ or judged.verdict.standing != "none" or judged.verdict.kind == "not_a_measurement":
        return []
    if any(bearing_over_tasks(one)[0] == "explains" and not is_limit(one) for one in judged.hypotheses):
        return []
    if any("seed" in one.difference.known.acts and bearing_over_tasks(one)[0] != "cannot" for one in judged.hypotheses):
        return []  # other draws are other answers
    missing = [side for side, run in (("A", a), ("B", b)) if not run.context]
    advice = f" {' and '.join(missing)} has no run-context.json." if len(missing) == 1 else ""
    advice = " Neither run has a run-context.json." if len(missing) == 2 else advice
    able = any(bearing_over_tasks(one)[0] != "cannot" for one in judged.hypotheses)
    shown = "is shown to have done it" if able else "can have done it"
    what = f"nothing that differs on record {shown}" if judged.ranking else "nothing recorded differs"
    over = f", over {seen.quiet_tasks} tasks," if seen.quiet_tasks > 1 else ""
    text = (
        f"{seen.quiet.differ} of {seen.quiet.compared} responses to equal requests{over} differ, and {what}. Either it "
        f"is run-to-run variation or what was served differs: quantization, engine, file.{advice}"
    )
    severity: Severity = "note" if seen.small else "warning"
    return [Finding("serving_unknown", severity, text, count_=seen.quiet.differ, of=seen.quiet.compared)]


def is_limit(one: Hypothesis) -> bool:
    """Say whether a difference acts on the set of items alone."""
    return one.difference.known.acts == ("items",)


def unknown_settings(a: Run, b: Run) -> list[Finding]:
    """Return the sides whose file records no settings at all."""
    found = []
    for side, run in each_side(a, b):
        given = [key for key, one in run.settings.items() if one.recorded]
        if not any(key == "model" or key.startswith("model_args") for key in given):
            text = (
                f"The config of {side.upper()} is missing: its settings are unknown, which is neither the same nor "
                "different."
            )
            found.append(Finding("settings_unknown", "warning", text, side))
    return found


def not_recorded_findings(rows: tuple[SettingDifference, ...]) -> list[Finding]:
    """Return for each side what the other records and it does not."""
    found = []
    for side, silent in each_side(
        [row for row in rows if not row.a_recorded and row.b_recorded],
        [row for row in rows if row.a_recorded and not row.b_recorded],
    ):
        ranked = [row.key for row in silent if row.rank is not None]
        if ranked:
            text = (
                f"{side.upper()} does not record {counted(len(ranked), 'setting')} that the other side does: "
                f"{listed(ranked)}. Not recorded is neither the same nor different."
            )
            found.append(
                Finding("settings_not_recorded", "note", text, side, count_=len(ranked), evidence=tuple(ranked))
            )
    return found
