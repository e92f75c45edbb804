"""What a worker does for each kind of entry: read, compare or decide, and return an artifact's text.

Plain functions of small values, so that they cross a process border by name.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from diptych import artifact
from diptych.batch.baseline import baseline_findings, baseline_from
from diptych.batch.policy import policy_from
from diptych.batch.state import run_files
from diptych.diagnose.options import Options
from diptych.diagnose.thresholds import floors_wanted
from diptych.errors import DiptychError, ManifestError
from diptych.estimates import NoiseFloor
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.run import Run
from diptych.storage import read_text

if TYPE_CHECKING:
    from diptych.harness.many_runs import Several


class Made(NamedTuple):
    """An artifact's text, and what a reader of the terminal should be told about its making."""

    text: str
    notes: tuple[str, ...] = ()


def files_of_entry(kind: str, spec: Mapping[str, Any], folder: str) -> list[str]:
    """Return the files that an entry reads, as paths from here."""
    if kind != "decision":
        runs = (*spec["runs"], *([spec["main"]] if "main" in spec else []))
        return [path for location in runs for path in run_files(run_path(location, folder))]
    judgements = spec.get("judgements", [])
    extra = [judgements] if isinstance(judgements, str) else list(judgements)
    extra += [spec[key] for key in ("labbook", "labels", "prices") if isinstance(spec.get(key), str)]
    found = [os.path.join(folder, path) for path in (*spec["routes"].values(), *extra)]
    return [path for path in found if os.path.isfile(path)]  # a pipe among them would never end


def run_path(location: str, folder: str) -> str:
    """Return a run's location as a path from here: its label and its @DATE taken off."""
    from diptych.harness.reader import split_label

    path = os.path.join(folder, split_label(location)[1])
    if not os.path.exists(path) and "@" in path:
        return path.rpartition("@")[0]
    return path


def load_run(location: str, folder: str) -> Run:
    """Return the run at a location of the manifest; its files are named as seen from the manifest."""
    from diptych.harness.reader import read_run, split_label

    label, path = split_label(location)
    return read_run(os.path.join(folder, path), label, root=folder)


def manifest_options(spec: Mapping[str, Any], noise: Mapping[MetricKey, NoiseFloor]) -> Options:
    """Return the options of a comparison as the manifest gives them."""
    known = {
        key: spec[key]
        for key in ("samples", "flips", "margin", "primary", "clusters", "match_tasks", "title")
        if key in spec
    }
    gates = {key: tuple(spec[key]) for key in ("fail_on", "require", "thresholds") if key in spec}
    policy = policy_from(spec["gate"], "[gate]") if "gate" in spec else None
    options = Options(**{**known, **gates, "noise": noise, "policy": policy})
    for text in floors_wanted(options):
        raise ManifestError(
            f"threshold {text} needs a noise floor",
            where=str(spec.get("name", "")),
            hint="add [[repeats]] of these runs",
        )
    return options


def checked_options(runs: Sequence[Run], spec: Mapping[str, Any], noise: Sequence[str]) -> Options:
    """Return the options of a comparison, whose tasks and metrics these runs have."""
    from diptych.diagnose.known_names import check_names

    options = manifest_options(spec, floors_for(runs, noise))
    check_names(runs, options.primary, options.clusters, by_default=spec.get("by_default", ()))
    return options


def make_comparison(spec: Mapping[str, Any], folder: str, noise: Sequence[str]) -> Made:
    """Return the artifact of two runs."""
    from diptych.diagnose.pipeline import compare_runs, worst_first
    from diptych.harness.many_runs import named_apart

    a, b = named_apart([load_run(location, folder) for location in spec["runs"]])
    made = compare_runs(a, b, checked_options((a, b), spec, noise))
    if "baseline" in spec:
        on_main = load_run(spec["main"], folder) if "main" in spec else None
        told = baseline_findings(baseline_from(spec["baseline"]), a, b, on_main)
        made = made._replace(findings=worst_first((*made.findings, *told)))
    return Made(artifact.dumps(made), announcements((a, b)))


def load_entry_runs(spec: Mapping[str, Any], folder: str) -> "Several":
    """Return an entry's runs; of three and more a damaged one is left out."""
    from diptych.harness.many_runs import read_several

    return read_several(spec["runs"], lambda location: load_run(location, folder))


def make_matrix(spec: Mapping[str, Any], folder: str, noise: Sequence[str]) -> Made:
    """Return the artifact of more than two runs; of two where the others are damaged."""
    from diptych.diagnose.compare_many import compare_many
    from diptych.diagnose.damage import with_damage
    from diptych.diagnose.pipeline import compare_runs

    runs, damaged = load_entry_runs(spec, folder)
    options = checked_options(runs, spec, noise)
    made = compare_many(runs, options) if len(runs) > 2 else compare_runs(runs[0], runs[1], options)
    return Made(artifact.dumps(with_damage(made, damaged)), announcements(runs, damaged))


def make_repeats(spec: Mapping[str, Any], folder: str, noise: Sequence[str]) -> Made:
    """Return the artifact of one configuration's repeats: its noise floor."""
    from diptych.diagnose.compare_repeats import repeats_of
    from diptych.diagnose.damage import with_damage

    runs, damaged = load_entry_runs(spec, folder)
    made = with_damage(repeats_of(runs, str(spec.get("title", ""))), damaged)
    return Made(artifact.dumps(made), announcements(runs, damaged))


def make_decision(spec: Mapping[str, Any], folder: str, noise: Sequence[str]) -> Made:
    """Return the artifact of a student decision."""
    from diptych.students.manifest import decision_from

    made = decision_from(spec, folder)
    return Made(artifact.dumps(made))


MAKERS: Mapping[str, Callable[[Mapping[str, Any], str, Sequence[str]], Made]] = {
    "comparison": make_comparison,
    "matrix": make_matrix,
    "repeats": make_repeats,
    "decision": make_decision,
}


def floors_for(runs: Sequence[Run], noise: Sequence[str]) -> Mapping[MetricKey, NoiseFloor]:
    """Return the noise floors of the repeats that are of the same configuration as one of the runs."""
    if not noise:
        return {}
    from diptych.diagnose.compare_repeats import configuration_digest

    wanted = {configuration_digest(run) for run in runs}
    floors: dict[MetricKey, NoiseFloor] = {}
    for path in noise:
        if not os.path.isfile(path):
            continue  # its own job has failed and says so
        repeats = artifact.loads(read_text(path), where=path)
        if type(repeats).__name__ != "Repeats":
            raise ManifestError("not the artifact of repeats", where=path, hint="make it with `diptych noise --out`")
        if repeats.configuration in wanted:
            floors.update(repeats.floors)
    return floors


def announcements(runs: Sequence[Run], damaged: Sequence[tuple[str, DiptychError]] = ()) -> tuple[str, ...]:
    """Return what the reader did by itself and must say: which of several results it took, which runs it left out."""
    left_out = (f"{name} is left out: {error}" for name, error in damaged)
    taken = (f"{run.label}: {remark.text}" for run in runs for remark in run.remarks if remark.kind == "results_many")
    return (*left_out, *taken)
