"""Small runs and small evidence written by hand: what tests of the comparing rooms start from."""

from collections.abc import Mapping
from typing import Any

from diptych.closed_names import STEPS
from diptych.comparison import AnswerChange, Finding, Ladder, Rung
from diptych.diagnose.samples.answer_facts import AnswerShape
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.prompt_facts import PromptEvidence, StartTokens
from diptych.harness.lm_eval.commands import command
from diptych.run import Run, Setting

Json = Any

HARNESS = {
    "model": "hf",
    "model_args.pretrained": "org/base-1b",
    "batch_size": 8,
    "device": "cuda:0",
    "limit": None,
    "random_seed": 0,
    "numpy_seed": 1234,
    "torch_seed": 1234,
    "fewshot_seed": 1234,
    "chat_template": None,
    "system_instruction": None,
    "fewshot_as_multiturn": False,
    "versions.lm_eval": "0.4.9.2",
    "versions.transformers": "4.57.1",
}

TASK = {
    "num_fewshot": 0,
    "gen_kwargs.do_sample": False,
    "gen_kwargs.temperature": 0.0,
    "gen_kwargs.until": ["\n"],
    "versions.arith": 1.0,
}


def as_settings(values: Mapping[str, Json]) -> dict[str, Setting]:
    """Return plain values as recorded settings; a Setting stays as it is."""
    return {key: value if isinstance(value, Setting) else Setting(value) for key, value in values.items()}


def run(
    settings: Mapping[str, Json] | None = None,
    tasks: Mapping[str, Mapping[str, Json]] | None = None,
    without: tuple[str, ...] = (),
    **fields: Json,
) -> Run:
    """Return a run whose settings are those of a plain greedy one, changed as asked; `without` are not recorded."""
    wide = {**HARNESS, **(settings or {})}
    version = wide["versions.lm_eval"]
    per_task = {"arith": {}} if tasks is None else tasks
    blank: dict[str, Json] = {
        "label": "run",
        "harness": "lm-evaluation-harness",
        "harness_version": version.value if isinstance(version, Setting) else version,
        "generation": "0.4",
        "model": "org/base-1b",
        "date": None,
        "source": "run",
        "results_file": "results.json",
        "settings": {key: value for key, value in as_settings(wide).items() if key not in without},
        "task_settings": {
            task: {key: value for key, value in as_settings({**TASK, **changes}).items() if key not in without}
            for task, changes in per_task.items()
        },
        "configs": {task: {} for task in per_task},
        "context": None,
        "scores": (),
        "groups": {},
        "items": dict.fromkeys(per_task, 100),
        "expected": dict.fromkeys(per_task, 100),
        "samples": {},
        "remarks": (),
        "inputs": (),
        "metadata": {},
        "command": command,
    }
    return Run(**{**blank, **fields})


def ladder(task: str, pairs: int, **equal: int) -> Ladder:
    """Return a ladder over `pairs` items: rungs that are not named are equal on all of them; None was not compared."""
    rungs = []
    first_break = None
    for name in STEPS:
        agree = equal.get(name, pairs)
        compared = 0 if agree is None else pairs
        rungs.append(Rung(name, agree or 0, compared, None if agree in (None, pairs) else "0"))
        if first_break is None and compared and agree != pairs:
            first_break = name
    return Ladder(task, first_break, tuple(rungs))


def task_evidence(
    task: str = "arith",
    pairs: int = 100,
    kinds: Mapping[str, int] | None = None,
    arguments: Mapping[str, int] | None = None,
    change: AnswerChange | None = None,
    lost: int = 0,
    gained: int = 0,
    only_a: int = 0,
    only_b: int = 0,
    shape_a: AnswerShape | None = None,
    shape_b: AnswerShape | None = None,
    starts_a: StartTokens | None = None,
    starts_b: StartTokens | None = None,
    **equal: Json,
) -> TaskEvidence:
    """Return what the samples of one task show; `equal` names rungs by how many items agree on them."""
    prompts_equal = equal.get("prompts", pairs)
    steps = ladder(task, pairs, **equal)
    responses = next(rung for rung in steps.rungs if rung.rung == "responses")
    return TaskEvidence(
        task=task,
        pairs=pairs,
        only_a=only_a,
        only_b=only_b,
        ladder=steps,
        prompts=PromptEvidence(pairs, prompts_equal, kinds or {}, {}, ""),
        choices=pairs - equal.get("choices", pairs),
        arguments=arguments or {},
        responses=responses.compared - responses.equal,
        responses_compared=responses.compared,
        answers_a=shape_a,
        answers_b=shape_b,
        change=change,
        lost=lost,
        gained=gained,
        kind="generation" if shape_a or shape_b else "choices",
        starts_a=starts_a,
        starts_b=starts_b,
    )


def evidence(*tasks: TaskEvidence, findings: tuple[Finding, ...] = ()) -> Evidence:
    """Return the evidence of some tasks."""
    return Evidence(tasks, findings, (), (), (), (), {})


def shape(of: int = 100, **counts: int) -> AnswerShape:
    """Return what is wrong with one side's answers; what is not named is 0."""
    blank = dict.fromkeys(("empty", "cut", "looping", "thinking_open", "refused", "extracted_nothing"), 0)
    return AnswerShape(of=of, **{**blank, **counts})


NOTHING = evidence()
