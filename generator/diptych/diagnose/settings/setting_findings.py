"""What is to be said of the settings themselves: contradictions, gaps, start tokens, answers that nothing explains."""

from diptych.catalogue.settings import model_args
from diptych.catalogue.traces import trace_of
from diptych.comparison import ContextDifference, Finding, SettingDifference, Severity
from diptych.diagnose.samples.evidence import Evidence, StartTokens, TaskEvidence
from diptych.diagnose.samples.sample_counts import look
from diptych.diagnose.settings.no_effect_rules import shots_of, value_of
from diptych.keys import Side, each_side
from diptych.numbers import counted, listed
from diptych.run import Run, version_of

START_TOKEN = model_args("add_bos_token prefix_token_id add_special_tokens custom_prefix_token_id")
TOKEN_KEYS = (*START_TOKEN, *model_args("tokenizer tokenizer_backend max_length truncation"))
DOUBLED_UNTIL = (0, 4, 10)
"""The harness with the vllm backend added a second start token before this version."""


def setting_findings(
    a: Run,
    b: Run,
    evidence: Evidence,
    recorded: tuple[SettingDifference, ...],
    rows: tuple[SettingDifference, ...],
    context: tuple[ContextDifference, ...],
) -> tuple[Finding, ...]:
    """Return the findings that the settings give, alone or held against the samples.

    `recorded` is what the files alone say; `rows` and `context` are what is left of it after the samples were asked.
    """
    found = [
        *contradictions(a, "a"),
        *contradictions(b, "b"),
        *silent_prompts(recorded, evidence),
        *ignored_shots(rows),
    ]
    found += [*start_token_setting(rows), *start_token_doubled(a, b, evidence), *tokens_unseen(rows, evidence)]
    return (*found, *serving_unknown(rows, context, a, b, evidence), *not_recorded(rows))


def contradictions(run: Run, side: Side) -> list[Finding]:
    """Return settings of one run that cannot all be true."""
    found = []
    template = run.settings.get("chat_template")
    off = template is not None and template.recorded and template.value is None
    if off and value_of(run, "fewshot_as_multiturn") is True and shots_of(run) != 0:
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
    ("role_markers", "role markers", ("chat_template", "fewshot_as_multiturn")),
    ("examples", "a block of examples", ("num_fewshot", "fewshot_as_multiturn", "fewshot_seed")),
    ("system_text", "a system text", ("system_instruction", "chat_template")),
)
"""Kinds of prompt difference, in words, and the settings that make them."""

ALSO_PROMPTS = ("versions.lm_eval", *model_args("enable_thinking chat_template use_chat_template system_prompt"))
"""Settings that may make any of them."""


def silent_prompts(rows: tuple[SettingDifference, ...], evidence: Evidence) -> list[Finding]:
    """Return that prompts show a difference which the settings that make it do not."""
    differing = {row.key for row in rows}
    seen = look(evidence)
    found = []
    for kind, what, keys in DENIED:
        number = seen.kinds.get(kind, 0)
        if number and not differing & {*keys, *ALSO_PROMPTS}:
            text = (
                f"{number} of {seen.prompts.compared} prompts differ by {what}, but {listed(keys[:2], 2)} are recorded "
                "the same on both sides. The prompts are what was sent: believe them."
            )
            found.append(Finding("settings_contradict", "warning", text, None, count_=number, of=seen.prompts.compared))
    return found


def ignored_shots(rows: tuple[SettingDifference, ...]) -> list[Finding]:
    """Return that a number of examples differs on record while every prompt is equal."""
    for row in rows:
        if row.key == "num_fewshot" and row.standing == "cannot" and "prompts are equal" in (row.evidence or ""):
            text = f"num_fewshot is recorded as {row.a} and {row.b}, but {(row.evidence or '')[:1].lower()}"
            text += f"{(row.evidence or '')[1:]} One side did not get the examples it asked for."
            return [Finding("settings_contradict", "warning", text)]
    return []


def start_token_setting(rows: tuple[SettingDifference, ...]) -> list[Finding]:
    """Return that the start token is set otherwise on the two sides."""
    found = []
    for row in rows:
        if row.key in START_TOKEN:
            name = row.key.partition(".")[2]
            text = (
                f"{name} is {shown(row.a)} in A and {shown(row.b)} in B: the start token is added after the prompt is "
                "logged, so equal prompts do not mean equal tokens. Without it many base models fall to chance."
            )
            found.append(Finding("start_token_setting", "warning", text))
    return found


def shown(value: object) -> str:
    """Return a setting's value as a word."""
    return "not given" if value is None else str(value)


def start_token_doubled(a: Run, b: Run, evidence: Evidence) -> list[Finding]:
    """Return the sides whose prompts begin with a start token while the backend is told to add one."""
    found = []
    for side, run in each_side(a, b):
        if value_of(run, "model_args.add_bos_token") is not True:
            continue
        for task in evidence.tasks:
            starts = starts_of(task, side)
            if starts is not None and starts.once:
                found.append(doubled(side, run, task.task, starts))
    return found


def starts_of(task: TaskEvidence, side: Side) -> StartTokens | None:
    """Return one side's count of prompts that begin with a start token."""
    return task.starts_a if side == "a" else task.starts_b


def doubled(side: Side, run: Run, task: str, starts: StartTokens) -> Finding:
    """Return the finding for one side and task; the versions known to double the token make it the suspect."""
    version = version_of(run.harness_version)
    suspect = value_of(run, "model") == "vllm" and version is not None and version < DOUBLED_UNTIL
    known = (
        f" The vllm backend is known to add it twice before 0.4.10; {side.upper()} ran {run.harness_version}."
        if suspect
        else " Whether it is there twice is not in the log."
    )
    text = (
        f"{starts.once} of {starts.of} prompts of {side.upper()} in {task} begin with {starts.token} and add_bos_token "
        f"is on: the start token may be there twice.{known}"
    )
    severity: Severity = "warning" if suspect else "note"
    return Finding("start_token_doubled", severity, text, side, task, starts.once, starts.of)


def tokens_unseen(rows: tuple[SettingDifference, ...], evidence: Evidence) -> list[Finding]:
    """Return that prompts are equal as text while a setting differs that changes the tokens made of them."""
    keys = [row.key for row in rows if row.key in TOKEN_KEYS and row.standing == "explains"]
    seen = look(evidence)
    if not keys or not seen.quiet.differ:
        return []
    text = (
        f"The prompts are equal as text and {seen.quiet.differ} of {seen.quiet.compared} answers differ; "
        f"{listed(keys)} changes the tokens made of them, and tokens are not logged."
    )
    return [Finding("tokens_unseen", "note", text, count_=seen.quiet.differ, of=seen.quiet.compared)]


def serving_unknown(
    rows: tuple[SettingDifference, ...], context: tuple[ContextDifference, ...], a: Run, b: Run, evidence: Evidence
) -> list[Finding]:
    """Return that answers to equal requests differ and nothing on record says why."""
    seen = look(evidence)
    if not seen.quiet.differ:
        return []
    acting = [row for row in rows if not trace_of(row.key).items]  # a limit changes no answer
    if any(row.standing == "explains" for row in acting) or any(row.standing == "explains" for row in context):
        return []
    if any(row.standing == "can" and row.a_recorded and row.b_recorded for row in acting):
        return []
    missing = [side for side, run in (("A", a), ("B", b)) if not run.context]
    advice = f" {' and '.join(missing)} has no run-context.json." if len(missing) == 1 else ""
    advice = " Neither run has a run-context.json." if len(missing) == 2 else advice
    text = (
        f"{seen.quiet.differ} of {seen.quiet.compared} answers to equal requests differ, and no recorded setting does. "
        f"Either it is run-to-run variation or what was served differs: quantisation, engine, file.{advice}"
    )
    severity: Severity = "note" if seen.small else "warning"
    return [Finding("serving_unknown", severity, text, count_=seen.quiet.differ, of=seen.quiet.compared)]


def not_recorded(rows: tuple[SettingDifference, ...]) -> list[Finding]:
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
