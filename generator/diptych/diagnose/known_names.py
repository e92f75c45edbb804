"""Names that a caller gives to tasks, metrics and filters, held against those that the runs have."""

from collections.abc import Iterable, Mapping, Sequence

from diptych.diagnose.samples.renamed_tasks import all_tasks, first_names
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run


class Unknown(NamedTuple):
    """A name that nothing bears: which one, and what there is instead, the nearest first."""

    name: str
    known: str


def check_names(
    runs: Sequence[Run], primary: Mapping[str, str], clusters: Mapping[str, str], *, by_default: Sequence[str] = ()
) -> None:
    """Raise a `DiptychError` for a task or metric that none of the runs has: it would be passed over without a word.

    What is named `by_default` is for many comparisons: a task of it need not be in each.
    """
    for key, named in (("primary", primary), ("clusters", clusters)):
        unknown = None if key in by_default else unknown_task(runs, named)
        if unknown:
            raise DiptychError(f"{key}: no task is called {unknown.name!r}", hint=unknown.known)
    if unknown := unknown_metric(runs, primary):
        raise DiptychError(f"primary: no metric is called {unknown.name!r}", hint=unknown.known)


def unknown_task(runs: Sequence[Run], named: Iterable[str]) -> Unknown | None:
    """Return the first named task that none of the runs has."""
    tasks = list(dict.fromkeys(task for run in runs for task in all_tasks(run)))
    return next((Unknown(name, instead(name, tasks)) for name in named if name not in tasks), None)


def unknown_metric(runs: Sequence[Run], primary: Mapping[str, str]) -> Unknown | None:
    """Return the first "metric" or "metric,filter" that a task's scores do not have in any of the runs."""
    for task, wanted in primary.items():
        metric, _, filter_name = wanted.partition(",")
        scores = [score for run in runs for score in run.scores if score.task == task]
        if any(score.metric == metric and filter_name in ("", score.filter) for score in scores):
            continue
        names = dict.fromkeys(f"{score.metric},{score.filter}" if filter_name else score.metric for score in scores)
        if names:
            return Unknown(wanted, instead(wanted, list(names)))
    return None


def instead(name: str, known: list[str]) -> str:
    """Return what there is, and which of it may be meant."""
    from difflib import get_close_matches  # most names are known

    near = get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}these runs have {first_names(sorted(known))}"
