"""The blessed run of a manifest: kept beside it as a small artifact, with what is to be said of its age.

`diptych baseline set RUN` writes it; a comparison of the manifest that names only `b` is held against it.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from diptych.bounded_json import load_json
from diptych.comparison import Finding
from diptych.diagnose.compare_repeats import configuration_digest
from diptych.errors import ManifestError
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import counted
from diptych.run import Run
from diptych.storage import read_text, write_text
from diptych.typed_json import build_noun

SCHEMA = "diptych/baseline/1"
FILE = "baseline.json"


class Baseline(NamedTuple):
    """A blessed run: its location as seen from the manifest, when it was blessed, and what it was then."""

    run: str
    set_on: str
    run_date: str | None
    model: str | None
    configuration: str
    scores: Mapping[str, float | None]
    inputs: Mapping[str, str]


def baseline_of(run: Run, location: str, today: str) -> Baseline:
    """Return what is kept of a run that is blessed today."""
    return Baseline(
        run=location,
        set_on=today,
        run_date=run.date,
        model=run.model,
        configuration=configuration_digest(run),
        scores={str(score.key): score.value for score in run.scores},
        inputs={source.name: source.sha256 for source in run.inputs},
    )


def write_baseline(path: str, baseline: Baseline) -> None:
    """Write it beside the manifest."""
    body = {"schema": SCHEMA, **baseline._asdict()}
    write_text(path, json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def read_baseline(path: str) -> Baseline:
    """Return what was kept; a `ManifestError` where there is none or it is damaged."""
    if not os.path.isfile(path):
        raise ManifestError("no baseline is set", where=path, hint="bless a run: diptych baseline set RUN")
    try:
        return baseline_from(load_json(read_text(path)))
    except ValueError as error:
        raise ManifestError("not a baseline", where=path, hint="bless a run again: diptych baseline set RUN") from error


def baseline_from(body: Any) -> Baseline:
    """Return the baseline of its JSON; a `ValueError` where it is none."""
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise ValueError("schema")
    made: Baseline = build_noun(Baseline, {name: value for name, value in body.items() if name != "schema"})
    return made


def baseline_findings(kept: Baseline, a: Run, b: Run, on_main: Run | None) -> tuple[Finding, ...]:
    """Return how old the baseline is beside B, and whether it still is what was blessed and what main runs."""
    aged = age_text(kept, b)
    changed = what_changed(kept, a, on_main)
    if changed:
        return (Finding("baseline", "warning", f"{aged}, and {changed}.", "a"),)
    tail = "is the one on main" if on_main is not None else "is unchanged"
    return (Finding("baseline", "note", f"{aged}, and its configuration {tail}.", "a"),)


def age_text(kept: Baseline, b: Run) -> str:
    """Return when the baseline was set, and how old its run is beside B."""
    age = days_between(kept.run_date, b.date)
    if age is None:
        aged = "of unknown age"
    elif age == 0:
        aged = "of the same day as B"
    else:
        aged = f"{counted(abs(age), 'day')} {'older' if age > 0 else 'younger'} than B"
    return f"A is the baseline set on {kept.set_on}: its run is {aged}"


def what_changed(kept: Baseline, a: Run, on_main: Run | None) -> str:
    """Return why A is no longer what was blessed, or not what main runs; "" where it is both."""
    if configuration_digest(a) != kept.configuration:
        return "its configuration is no longer the one that was blessed: bless it again, or name the old run"
    if {source.sha256 for source in a.inputs} != set(kept.inputs.values()):
        return "its files are no longer those that were blessed: bless it again, or name the old run"
    if on_main is not None and configuration_digest(on_main) != kept.configuration:
        return f"its configuration is not the one on main ({on_main.label}): bless a run of main"
    return ""


def days_between(earlier: str | None, later: str | None) -> int | None:
    """Return the days from one date to another, None where one is not known."""
    import datetime

    try:
        first, second = (datetime.date.fromisoformat(str(date)[:10]) for date in (earlier, later))
    except ValueError:
        return None
    return (second - first).days
