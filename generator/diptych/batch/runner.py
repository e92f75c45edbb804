"""Run every entry of a manifest: one artifact each, whole or not at all, and only what is not up to date.

A worker reads, compares and writes its own artifact; one broken input fails its own job.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from diptych import __version__
from diptych.batch.executor import Executor
from diptych.batch.jobs import MAKERS, inputs_of
from diptych.batch.manifest import Entry, Manifest
from diptych.batch.state import files_of, fingerprints, key_of, read_state, write_state
from diptych.errors import DiptychError
from diptych.storage import remove, sha256_file, write_text

FAILURE_SCHEMA = "diptych/failure/1"


class Job(NamedTuple):
    """One entry to make: all that a worker needs, picklable. `noise` lists noise artifacts that it may use."""

    name: str
    kind: str
    spec: Mapping[str, Any]
    folder: str
    artifacts: str
    again: bool
    noise: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What became of a job: "made", "kept" (up to date) or "failed"; `damaged` where input was left out."""

    name: str
    kind: str
    result: str
    path: str
    message: str = ""
    where: str = ""
    hint: str = ""
    damaged: bool = False
    fired: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def run_batch(manifest: Manifest, executor: Executor, *, again: bool = False) -> Iterator[Outcome]:
    """Yield an outcome for each entry as it is finished; repeats come first, since comparisons use their floors."""
    first = [entry for entry in manifest.entries if entry.kind == "repeats"]
    rest = [entry for entry in manifest.entries if entry.kind != "repeats"]
    yield from run_jobs([job_of(entry, manifest, again) for entry in first], executor)
    noise = tuple(artifact_path(manifest, entry.name) for entry in first)
    yield from run_jobs([job_of(entry, manifest, again, noise) for entry in rest], executor)


def run_jobs(jobs: Sequence[Job], executor: Executor) -> Iterator[Outcome]:
    """Yield the outcomes of jobs; what is up to date is told here, without starting a worker for it."""
    waiting = []
    for job in jobs:
        if up_to_date(job):
            yield kept(job)
        else:
            waiting.append(job)
    if waiting:
        yield from executor.run(make, waiting)


def job_of(entry: Entry, manifest: Manifest, again: bool, noise: tuple[str, ...] = ()) -> Job:
    """Return the job of an entry."""
    artifacts = os.path.join(manifest.folder, manifest.artifacts)
    return Job(entry.name, entry.kind, dict(entry.spec), manifest.folder, artifacts, again, noise)


def artifact_path(manifest: Manifest, name: str) -> str:
    """Return where the artifact of an entry lies."""
    return os.path.join(manifest.folder, manifest.artifacts, f"{name}.json")


def paths_of(job: Job) -> tuple[str, str, str]:
    """Return the paths of a job's artifact, its failure note and its state."""
    base = os.path.join(job.artifacts, job.name)
    return f"{base}.json", f"{base}.failed.json", os.path.join(job.artifacts, ".state", f"{job.name}.json")


def job_files(job: Job) -> list[str]:
    """Return every file that goes into a job."""
    found = [path for location in inputs_of(job.kind, job.spec, job.folder) for path in files_of(location)]
    return found + [path for path in job.noise if os.path.isfile(path)]


def up_to_date(job: Job) -> bool:
    """Say whether a job's artifact is what its inputs would give."""
    artifact, _, state = paths_of(job)
    if job.again or not os.path.isfile(artifact):
        return False
    key, digest, known = read_state(state)
    try:
        files = fingerprints(job_files(job), known)
        return key == key_of(job.spec, __version__, files) and digest == sha256_file(artifact)
    except DiptychError:
        return False  # an input that cannot be read any more: its own job says so


def kept(job: Job) -> Outcome:
    """Return the outcome of a job that needs no work; gates are read from the artifact, so they fire every time."""
    artifact = paths_of(job)[0]
    with open(artifact, encoding="utf-8") as handle:
        body = json.load(handle)
    return Outcome(job.name, job.kind, "kept", artifact, damaged=is_damaged(body), fired=fired_in(body))


def make(job: Job) -> Outcome:
    """Make one artifact; a mendable error becomes a failure note that the index page shows, a bug is raised."""
    artifact, failure, state = paths_of(job)
    try:
        files = fingerprints(job_files(job), read_state(state)[2])
        made = MAKERS[job.kind](job.spec, job.folder, job.noise)
        write_text(artifact, made.text)
    except DiptychError as error:
        return failed(job, error)
    remove(failure)
    write_state(state, key_of(job.spec, __version__, files), sha256_file(artifact), files)
    body = json.loads(made.text)
    return Outcome(
        job.name, job.kind, "made", artifact, damaged=is_damaged(body), fired=fired_in(body), notes=made.notes
    )


def failed(job: Job, error: DiptychError) -> Outcome:
    """Return the outcome of a job that could not be done, after noting it where the index page finds it."""
    _, failure, state = paths_of(job)
    note = {
        "schema": FAILURE_SCHEMA,
        "name": job.name,
        "kind": job.kind,
        "title": str(job.spec.get("title", job.name)),
        "message": error.message,
        "where": error.where,
        "hint": error.hint,
    }
    remove(state)  # the old artifact stays where it is; the note beside it says that it is no answer any more
    write_text(failure, json.dumps(note, indent=1, sort_keys=True) + "\n")
    return Outcome(job.name, job.kind, "failed", failure, error.message, error.where, error.hint)


def is_damaged(body: Mapping[str, Any]) -> bool:
    """Say whether some input of an artifact was damaged and left out."""
    return any(finding["kind"] == "file_damaged" for finding in body.get("findings", ()))


def fired_in(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the gates of an artifact that fired, in words."""
    return tuple(f"{gate['rule']}: {gate['text']}" for gate in body.get("gates", ()) if gate["fired"])


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return one line that counts what was made, kept and failed."""
    counts = {word: sum(outcome.result == word for outcome in outcomes) for word in ("made", "kept", "failed")}
    return f"{counts['made']} made, {counts['kept']} up to date, {counts['failed']} failed"
