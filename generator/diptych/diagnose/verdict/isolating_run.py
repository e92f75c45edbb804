"""The run that would settle it: A repeated with one setting taken from B, as a command that A's harness accepts.

What each key changes stands in `CHANGES`; how a command is written, the reader of A's harness knows.
"""

import re
from collections.abc import Callable

from diptych.comparison import IsolatingRun
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.run_values import named_by_quant, run_value, served, takes_messages
from diptych.diagnose.settings.same_values import same_value
from diptych.diagnose.verdict.run_plans import DEFAULT_SEEDS, SEEDS, backend_of, family, plans_of, shots, tasks_of_both
from diptych.plan import CommandWriter, Plan, writable
from diptych.run import Json, Run, version_of
from diptych.shell import argument_text, cleaned, is_version, note_line, shell_line, shell_note

INCLUDE_IN_PYTHON = "task_manager=lm_eval.tasks.TaskManager(include_path=DIR)"
SEEDS_SETTABLE = (0, 4, 3)


def isolating_run(key: str, a: Run, b: Run) -> IsolatingRun | None:
    """Return the run that repeats A with only `key` taken from B; None where no command can change only that.

    Keys of one object among the arguments of a model come together: a part of it need not even load.
    """
    key = object_of(key, a, b)
    change, write = change_for(key), a.command
    plans = plans_of(a, b, key)
    if change is None or write is None or not plans:
        return None
    changed = [change(key, plan, a, b) for plan in plans]
    kept = [plan for plan in changed if plan is not None]
    if not kept or kept == plans:
        return None  # the command would repeat A as it was
    name = key.rpartition(".")[2] if key.startswith("context.") else key
    folder = re.sub(r"[^A-Za-z0-9_-]+", "-", f"isolate-{name}")[:80]
    return IsolatingRun(
        changes=key,
        **commands_and_calls(kept, folder, write),
        seconds=seconds_of(key, a, b),
        if_closes=f"If its scores come out as B's did, {key} makes the difference.",
        if_stays=f"If its scores stay as A's were, {key} does not make it: go on to the next setting in the list.",
    )


def commands_and_calls(plans: list[Plan], folder: str, write: CommandWriter) -> dict[str, str]:
    """Return the commands for a shell and the calls in Python, one a plan; "" where the harness has no such call."""
    places = [f"{folder}-{number}" if len(plans) > 1 else folder for number in range(1, len(plans) + 1)]
    written = [write(plan, place) for plan, place in zip(plans, places, strict=True)]
    told = dict.fromkeys(note_line(note) for plan in plans for note in plan.notes)
    first = dict.fromkeys(shell_line(map(cleaned, words)) for plan in plans for words in plan.before)
    in_python = dict.fromkeys(line.replace("--include_path DIR", INCLUDE_IN_PYTHON) for line in told)
    calls = dict.fromkeys(each.python for each in written if each.python)
    return {
        "command": "\n".join([*told, *first, *dict.fromkeys(each.shell for each in written)]),
        "python": "\n".join([*in_python, *map(note_line, first), *calls]) if calls else "",
    }


def seconds_of(key: str, a: Run, b: Run) -> float | None:
    """Return how long it should take by A's own record, for as many items as it will score."""
    seconds = a.metadata.get("seconds")
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        return None
    tasks = tasks_of_both(a, b)
    whole = sum(a.items.get(task, 0) for task in a.task_settings if task not in a.groups)
    part = sum((b if key == "limit" else a).items.get(task, 0) for task in tasks)
    return round(float(seconds) * (part / whole if whole and part else 1.0), 1)


def object_of(key: str, a: Run, b: Run) -> str:
    """Return the object in a model's arguments that a key lies in, where several of its keys differ; else the key."""
    parent = key.rpartition(".")[0]
    if not parent.startswith("model_args."):
        return key
    inside = {other for run in (a, b) for other in run.settings if other.startswith(f"{parent}.")}
    differ = [other for other in inside if not same_value(run_value(a, other), run_value(b, other))]
    return parent if len(differ) > 1 else key


Change = Callable[[str, Plan, Run, Run], Plan | None]


def change_for(key: str) -> Change | None:
    """Return what changes a plan for a key."""
    if key in CHANGES:
        return CHANGES[key]
    family = key.partition(".")[0] + "."
    return CHANGES.get(family)


def template(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Turn the chat template on or off as in B; another text comes with B's tokenizer."""
    if takes_messages(a) != takes_messages(b):
        return interface(plan, b)
    theirs = run_value(b, "chat_template")
    both = plan.template and theirs is not None
    notes = (
        ("put B's chat template into the tokenizer of A first; a command can only turn it on or off",) if both else ()
    )
    block = False if not plan.template and theirs is not None else plan.multiturn
    return plan._replace(template=theirs is not None, multiturn=block, notes=(*plan.notes, *notes))


def interface(plan: Plan, b: Run) -> Plan:
    """Take B's template, backend and arguments together: where one takes messages and one text, none goes alone."""
    on = run_value(b, "chat_template") is not None
    note = "one of the two backends takes messages alone: B's template, backend and arguments come together"
    return plan._replace(
        template=on,
        multiturn=False if on and not plan.template else plan.multiturn,
        model=backend_of(b),
        model_args=family(b, "model_args"),
        notes=(*plan.notes, note),
    )


def multiturn(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Lay out the examples as B did; without a template there are no turns."""
    if not plan.template:
        return None
    return plan._replace(multiturn=bool(run_value(b, "fewshot_as_multiturn")))


def system(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take B's system text."""
    return plan._replace(system=run_value(b, "system_instruction"))


def take_examples(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take B's number of examples; tasks where it is the same need no run."""
    theirs = shots(b, plan.members[0])
    if theirs is None or same_value(theirs, plan.shots):
        return None
    return plan._replace(shots=theirs)


def generation(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take one generation argument of B: as it took effect there, else as it was given."""
    by_task = any(key in settings for run in (a, b) for settings in run.task_settings.values())
    if by_task and not any(key in run.task_settings.get(task, {}) for run in (a, b) for task in plan.members):
        return None  # these tasks ask for no text
    theirs = effective(b, plan, key)
    if key in DRAWING and (
        theirs
        or any(not same_value(*(effective(run, plan, each) for run in (a, b))) for each in DRAWING if each != key)
    ):
        return drawing(plan, b)
    name = key.partition(".")[2]
    if not writable(plan, theirs):
        value = shell_note(argument_text(theirs))
        note = (
            f"set generation_kwargs.{shell_note(name)} to {value} in the task files: this version's command line cannot"
        )
        return plan._replace(notes=(*plan.notes, note))
    return plan._replace(gen_kwargs=replaced(plan.gen_kwargs, name, theirs))


def effective(run: Run, plan: Plan, key: str) -> Json:
    """Return a generation argument as it took effect in a plan's tasks, else as it was given."""
    values = [run.task_settings[task][key].value for task in plan.members if key in run.task_settings.get(task, {})]
    return values[0] if values else run_value(run, key)


DRAWING = ("gen_kwargs.temperature", "gen_kwargs.do_sample")


def drawing(plan: Plan, b: Run) -> Plan:
    """Take B's temperature and do_sample together: neither acts, or is allowed, without the other."""
    kwargs = plan.gen_kwargs
    for key in DRAWING:
        kwargs = replaced(kwargs, key.partition(".")[2], effective(b, plan, key))
    note = "temperature and do_sample act together: both are B's"
    return plan._replace(gen_kwargs=kwargs, notes=(*plan.notes, note))


def argument(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take one argument of B's model_args; the name of the model is taken under the name that A's backend uses."""
    name = key.partition(".")[2]
    theirs = run_value(b, key)
    if inner := {other: value for other, value in family(b, "model_args").items() if other.startswith(f"{name}.")}:
        theirs = inner
    if key in MODEL_NAMES:
        theirs = next((value for other in MODEL_NAMES if (value := run_value(b, other)) is not None), None)
        name = next((own.partition(".")[2] for own in MODEL_NAMES if run_value(a, own) is not None), name)
    if not writable(plan, theirs):
        value = shell_note(argument_text(theirs))
        note = f"use the Python call: this version's command line cannot give {shell_note(name)} as {value}"
        plan = plan._replace(notes=(*plan.notes, note))
    rest = {other: value for other, value in plan.model_args.items() if not other.startswith(f"{name}.")}
    return plan._replace(model_args={**rest, **inner} if inner else replaced(rest, name, theirs))


def backend(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take B's backend together with its arguments: they belong to it."""
    if takes_messages(a) != takes_messages(b):
        return interface(plan, b)
    note = "the arguments of a backend belong to it: B's are taken with it"
    return plan._replace(
        model=backend_of(b),
        model_args=family(b, "model_args"),
        device=None if served(b) else plan.device,
        notes=(*plan.notes, note),
    )


def limit(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Score as many items as B did."""
    return plan._replace(limit=run_value(b, "limit"))


def batch(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take B's batch size."""
    return plan._replace(batch_size=run_value(b, "batch_size"))


def device(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Run where B ran."""
    return plan._replace(device=run_value(b, "device"))


def seed(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Take one seed of B; the others stay."""
    if not plan.since(SEEDS_SETTABLE):
        return None
    seeds = list(plan.seeds or DEFAULT_SEEDS)
    seeds[SEEDS.index(key)] = run_value(b, key)
    return plan._replace(seeds=tuple(seeds))


def cache(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Answer anew, from no cache."""
    return plan


def package(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Install B's version of the harness or of its library first; the command is written for what is then there."""
    theirs = run_value(b, key)
    name = {"versions.lm_eval": "lm_eval", "versions.transformers": "transformers"}.get(key)
    if theirs is None or name is None or not is_version(str(theirs)):
        return None
    version = version_of(str(theirs)) if name == "lm_eval" else plan.version
    return plan._replace(version=version, before=(*plan.before, ("pip", "install", f"{name}=={theirs}")))


def outside(key: str, plan: Plan, a: Run, b: Run) -> Plan | None:
    """Leave the command as it was and say what must be served; weights that lie in a folder of their own are named."""
    name = key.partition(".")[2]
    ours, theirs = (shell_note((run.context or {}).get(name)) for run in (a, b))
    note = f"first serve {shell_note(name)} {theirs} where A had {ours}; nothing else changes"
    model = next((own for own in MODEL_NAMES if run_value(a, own) is not None), None)
    if name == "quant" and model and named_by_quant(a, b) and not served(a):
        note = f"the weights of B by their path: {shell_note(name)} {theirs} where A had {ours}"
        plan = plan._replace(model_args=replaced(plan.model_args, model.partition(".")[2], run_value(b, model)))
    return plan._replace(notes=(note, *plan.notes))


def replaced(arguments: dict[str, Json], name: str, value: Json) -> dict[str, Json]:
    """Return arguments with one of them set, or left out where the value is None."""
    kept = {key: old for key, old in arguments.items() if key != name or value is not None}
    return kept if value is None else {**kept, name: value}


CHANGES: dict[str, Change] = {
    "chat_template": template,
    "apply_chat_template": template,
    "fewshot_as_multiturn": multiturn,
    "system_instruction": system,
    "num_fewshot": take_examples,
    "gen_kwargs.": generation,
    "model": backend,
    "model_args.": argument,
    "limit": limit,
    "batch_size": batch,
    **dict.fromkeys(SEEDS, seed),
    "device": device,
    "use_cache": cache,
    "versions.": package,
    "context.": outside,
}
"""What changes a plan: by a setting's key, or by its family (which ends in a dot)."""
