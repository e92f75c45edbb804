"""Which sides may send their start token twice: it stands in the prompt, and the backend is told to add one."""

from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.prompt_facts import StartTokens
from diptych.diagnose.settings.run_values import run_value
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run, version_of
from diptych.sides import Side, each_side

DOUBLED_UNTIL = (0, 4, 10)
"""The harness with the vllm backend added a second start token before this version."""


class DoubledStart(NamedTuple):
    """A side whose prompts begin with a start token while one is added; `known`: its version is known for doing so."""

    side: Side
    task: str
    starts: StartTokens
    known: bool
    version: str | None


def doubled_starts(a: Run, b: Run, evidence: Evidence) -> list[DoubledStart]:
    """Return the sides and tasks where the start token may be there twice."""
    found = []
    for side, run in each_side(a, b):
        if run_value(run, "model_args.add_bos_token") is not True:
            continue
        version = version_of(run.harness_version)
        known = run_value(run, "model") == "vllm" and version is not None and version < DOUBLED_UNTIL
        for task in evidence.tasks:
            starts = task.starts_a if side == "a" else task.starts_b
            if starts is not None and starts.once:
                found.append(DoubledStart(side, task.task, starts, known, run.harness_version))
    return found
