"""What the samples show at each step, of one task or of several taken together."""

from collections.abc import Iterable, Mapping

from diptych.closed_names import Step
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.numerical_noise import moved_little
from diptych.fast_named_tuple import NamedTuple


class Count(NamedTuple):
    """`equal` of `compared` items agree."""

    equal: int
    compared: int

    @property
    def differ(self) -> int:
        return self.compared - self.equal

    @property
    def all_equal(self) -> bool:
        return self.compared > 0 and self.equal == self.compared


class SampleCounts(NamedTuple):
    """Counts over some tasks. `quiet` counts responses only over tasks whose requests are all equal (`quiet_tasks`)."""

    pairs: int
    one_sided: int
    prompts: Count
    kinds: Mapping[str, int]
    choices: Count
    arguments: Count
    argument_names: Mapping[str, int]
    responses: Count
    filtered: Count
    scores: Count
    quiet: Count
    small: bool
    text: bool
    quiet_tasks: int = 0

    @property
    def nothing_moved(self) -> bool:
        """Whether every shared response and score is the same."""
        return self.responses.all_equal and self.filtered.differ == 0 and self.scores.differ == 0


def still_tasks(evidence: Evidence) -> frozenset[str]:
    """Return the tasks whose every response and score is the same, of the same items on both sides."""
    return frozenset(
        task.task
        for task in evidence.tasks
        if task.pairs
        and not (task.only_a or task.only_b or task.retargeted.items)
        and counts_together([task]).nothing_moved
    )


def sample_counts(evidence: Evidence, names: Iterable[str] = ()) -> SampleCounts:
    """Return what the samples show over the named tasks (none named: over all)."""
    wanted = set(names)
    return counts_together([task for task in evidence.tasks if not wanted or task.task in wanted])


def counts_together(tasks: list[TaskEvidence]) -> SampleCounts:
    """Return what the samples of some tasks show together."""
    quiet = [task for task in tasks if task.requests_equal]
    return SampleCounts(
        pairs=sum(task.pairs for task in tasks),
        one_sided=sum(task.only_a + task.only_b for task in tasks),
        prompts=count_at_step(tasks, "prompts"),
        kinds=summed(task.prompts.kinds for task in tasks if task.prompts),
        choices=count_at_step(tasks, "choices"),
        arguments=count_at_step(tasks, "generation_arguments"),
        argument_names=summed(task.arguments for task in tasks),
        responses=count_at_step(tasks, "responses"),
        filtered=count_at_step(tasks, "filtered"),
        scores=count_at_step(tasks, "scores"),
        quiet=count_at_step(quiet, "responses"),
        small=all(map(moved_little, quiet)),
        text=any(task.kind == "generation" for task in tasks),
        quiet_tasks=len(quiet),
    )


def count_at_step(tasks: Iterable[TaskEvidence], step: Step) -> Count:
    """Return how many items agree at one step, over some tasks."""
    rungs = [rung for task in tasks for rung in task.ladder.rungs if rung.rung == step]
    return Count(sum(rung.equal for rung in rungs), sum(rung.compared for rung in rungs))


def summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return counts by name, added up."""
    total: dict[str, int] = {}
    for one in counts:
        for name, number in one.items():
            total[name] = total.get(name, 0) + number
    return total
