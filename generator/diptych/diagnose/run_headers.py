"""Who a run is, as its side of a page shows it."""

from diptych.comparison import RunHeader
from diptych.run import Run


def header(run: Run) -> RunHeader:
    return RunHeader(
        label=run.label,
        model=run.model,
        harness=run.harness,
        harness_version=run.harness_version,
        date=run.date,
        source=run.source,
        results_file=run.results_file,
        items=run.items,
        samples={task: len(log) for task, log in run.samples.items()},
        metadata={"generation": run.generation, **run.metadata},
        settings=header_settings(run),
    )


def header_settings(run: Run) -> dict[str, object]:
    """Return the run-wide settings that the files record, and those of the tasks where all tasks agree."""
    found = {key: each.value for key, each in run.settings.items() if each.recorded}
    for key in sorted({key for settings in run.task_settings.values() for key in settings}):
        values = [settings[key].value for settings in run.task_settings.values() if key in settings]
        if all(value == values[0] for value in values):
            found.setdefault(key, values[0])
    return found
