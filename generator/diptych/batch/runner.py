"""Run every entry of a manifest: one artifact each, whole or not at all, and only what is not up to date.

A worker reads and compares; what it gives back is written here. One broken input, and one bug, fails its own job.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diptych.batch.executor import Executor
from diptych.batch.jobs import MAKERS, files_of_entry
from diptych.batch.manifest import Entry, Manifest
from diptych.batch.state import Fingerprint, fingerprints, job_key, read_state, write_state
from diptych.bounded_json import LONG, load_json
from diptych.errors import DiptychError, ManifestError
from diptych.fast_named_tuple import NamedTuple
from diptych.secrets import remember_environment
from diptych.storage import locked, read_text, remove, remove_drafts, sha256_file, write_text
from diptych.version import VERSION

FAILURE_SCHEMA = "diptych/failure/1"
WAIT = 600.0
"""Seconds that a batch waits for another one that is making the same artifacts."""


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
    undecided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bug: bool = False


class Work(NamedTuple):
    """What a worker gives back: an artifact's text with the files that it was made from, or why there is none.

    `traceback` is there for a bug; `moved` names files that changed while they were read.
    """

    job: Job
    text: str | None
    files: tuple[Fingerprint, ...] = ()
    notes: tuple[str, ...] = ()
    message: str = ""
    where: str = ""
    hint: str = ""
    traceback: str = ""
    moved: tuple[str, ...] = ()


def run_batch(manifest: Manifest, executor: Executor, *, again: bool = False) -> Iterator[Outcome]:
    """Yield an outcome for each entry as it is finished; repeats come first, since comparisons use their floors."""
    first = [entry for entry in manifest.entries if entry.kind == "repeats"]
    rest = [entry for entry in manifest.entries if entry.kind != "repeats"]
    artifacts = os.path.join(manifest.folder, manifest.artifacts)
    with locked(os.path.join(artifacts, ".state", ".lock"), wait=WAIT):
        remove_drafts(artifacts)
        yield from run_jobs([job_of(entry, manifest, again) for entry in first], executor)
        noise = tuple(artifact_path(manifest, entry.name) for entry in first)
        yield from run_jobs([job_of(entry, manifest, again, noise) for entry in rest], executor)


def run_jobs(jobs: Sequence[Job], executor: Executor) -> Iterator[Outcome]:
    """Yield the outcomes of jobs; what is up to date is told here, without starting a worker for it."""
    waiting = []
    for job in jobs:
        kept = up_to_date(job)
        if kept is not None:
            yield kept
        else:
            waiting.append(absolute(job) if executor.elsewhere else job)
    if waiting:
        names = {job.name: job for job in jobs}
        for work in executor.run(make, waiting, lost_job):
            yield write_outcome(at_home(work, names[work.job.name]))


def absolute(job: Job) -> Job:
    """Return a job whose places are the same from any folder, as a worker elsewhere needs them."""
    noise = tuple(map(os.path.abspath, job.noise))
    return job._replace(folder=os.path.abspath(job.folder), artifacts=os.path.abspath(job.artifacts), noise=noise)


def at_home(work: Work, job: Job) -> Work:
    """Return a worker's answer with the job's places as they are named here."""
    there = os.path.join(work.job.folder, "")
    here = os.path.join(job.folder, "")
    texts = [text.replace(there, here) for text in (work.message, work.where, work.hint)]
    return work._replace(job=job, message=texts[0], where=texts[1], hint=texts[2])


def job_of(entry: Entry, manifest: Manifest, again: bool, noise: tuple[str, ...] = ()) -> Job:
    """Return what a worker needs to make an entry's artifact, all of it plain values that can be sent."""
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
    return files_of_entry(job.kind, job.spec, job.folder) + [path for path in job.noise if os.path.isfile(path)]


def up_to_date(job: Job) -> Outcome | None:
    """Return the outcome of a job whose artifact is what its inputs would give; None where it must be made.

    Gates are read from the artifact, so they fire every time.
    """
    artifact, _, state = paths_of(job)
    if job.again or not os.path.isfile(artifact):
        return None
    key, digest, known = read_state(state)
    try:
        files = fingerprints(job_files(job), known, job.folder)
        if key != job_key(job.spec, VERSION, files) or digest != sha256_file(artifact):
            return None
        body = load_json(read_text(artifact), digits=LONG)
    except (DiptychError, ValueError):
        return None  # an input that cannot be read any more: its own job says so
    return with_gates(Outcome(job.name, job.kind, "kept", artifact, damaged=is_damaged(body)), body)


def make(job: Job) -> Work:
    """Make one artifact's text, in a worker; an error that can be mended and a bug both come back as why there is none.

    The one place that catches every exception: a bug in one job is that job's failure, with its traceback.
    """
    remember_environment(os.environ)
    try:
        files = fingerprints(job_files(job), read_state(paths_of(job)[2])[2], job.folder)
        made = MAKERS[job.kind](job.spec, job.folder, job.noise)
        now = fingerprints(job_files(job), {file.path: file for file in files}, job.folder)
    except DiptychError as error:
        return Work(job, None, message=error.message, where=error.where, hint=error.hint)
    except Exception as error:
        import traceback

        said = f"a bug in diptych: {type(error).__name__}: {error}"[:500]
        return Work(job, None, message=said, hint=BUG, traceback="".join(traceback.format_exception(error)))
    moved = tuple(sorted({os.path.basename(file.path) for file in {*files} ^ {*now}}))
    return Work(job, made.text, files, made.notes, moved=moved)


BUG = "report it with the traceback that is kept beside; the other artifacts are made"


def lost_job(job: Job, why: str) -> Work:
    """Return the failure of a job whose worker ended."""
    hint = "start the same batch again: what was finished is kept; fewer --jobs need less memory"
    return Work(job, None, message=why, hint=hint)


def write_outcome(work: Work) -> Outcome:
    """Write what a worker has given back, and return the outcome; a failure is noted where the index page finds it."""
    job = work.job
    artifact, failure, state = paths_of(job)
    if work.text is None:
        return failed(work)
    try:
        if not os.path.exists(state):
            refuse_foreign(artifact, ARTIFACTS)
        write_text(artifact, work.text)
    except DiptychError as error:
        return failed(work._replace(text=None, message=error.message, where=error.where, hint=error.hint))
    if named_schema(failure) == FAILURE_SCHEMA:
        remove(failure)
        remove(traceback_path(job))
    if work.moved:
        remove(state)
    else:
        write_state(state, job_key(job.spec, VERSION, work.files), sha256_file(artifact), work.files)
    body = json.loads(work.text)
    notes = (*work.notes, *(f"{name} changed while it was read: make it again" for name in work.moved))
    damaged = bool(work.moved) or is_damaged(body)
    return with_gates(Outcome(job.name, job.kind, "made", artifact, damaged=damaged, notes=notes), body)


ARTIFACTS = "diptych/"


def refuse_foreign(path: str, schema: str) -> None:
    """Raise a `ManifestError` where a file of somebody else, of no such schema, would be written over."""
    if os.path.lexists(path) and not named_schema(path).startswith(schema):
        raise ManifestError(
            "is there and is not ours", where=path, hint="name another folder with `artifacts`, or rename the entry"
        )


def named_schema(path: str) -> str:
    """Return the schema that a file names; "" where there is none."""
    try:
        body = load_json(read_text(path), digits=LONG)
    except (DiptychError, ValueError):
        return ""
    schema = body.get("schema") if isinstance(body, dict) else None
    return schema if isinstance(schema, str) else ""


def traceback_path(job: Job) -> str:
    """Return where the traceback of a job that met a bug is kept."""
    return os.path.join(job.artifacts, f"{job.name}.failed.txt")


def from_manifest(text: str, job: Job) -> str:
    """Return a text whose paths are named as seen from the manifest: an archive holds no path of a machine."""
    return text.replace(os.path.join(os.path.abspath(job.folder), ""), "").replace(os.path.join(job.folder, ""), "")


def failed(work: Work) -> Outcome:
    """Return the outcome of a job that could not be done, after noting it where the index page finds it."""
    job = work.job
    _, failure, state = paths_of(job)
    note = {
        "schema": FAILURE_SCHEMA,
        "name": job.name,
        "kind": job.kind,
        "title": str(job.spec.get("title", job.name)),
        "message": from_manifest(work.message, job),
        "where": from_manifest(work.where, job),
        "hint": from_manifest(work.hint, job),
    }
    outcome = Outcome(
        job.name, job.kind, "failed", failure, work.message, work.where, work.hint, bug=bool(work.traceback)
    )
    try:
        refuse_foreign(failure, FAILURE_SCHEMA)
        if work.traceback:
            if not os.path.exists(failure):
                refuse_foreign(traceback_path(job), FAILURE_SCHEMA)
            write_text(traceback_path(job), work.traceback)
        remove(state)  # the old artifact stays where it is; the note beside it says that it is no answer any more
        write_text(failure, json.dumps(note, indent=1, sort_keys=True) + "\n")
    except DiptychError as error:
        return outcome._replace(notes=(f"this failure could not be noted down: {error}",))
    return outcome


def is_damaged(body: Mapping[str, Any]) -> bool:
    """Say whether some input of an artifact was damaged and left out."""
    return any(finding["kind"] == "file_damaged" for finding in body.get("findings", ()))


def with_gates(outcome: Outcome, body: Mapping[str, Any]) -> Outcome:
    """Return an outcome with the gates of its artifact that failed, and those that could not tell."""
    return outcome._replace(fired=gates_in(body, "fail"), undecided=gates_in(body, "inconclusive"))


def gates_in(body: Mapping[str, Any], outcome: str) -> tuple[str, ...]:
    """Return the gates of an artifact that have this outcome, in words; one of before knows only whether it fired."""
    return tuple(
        f"{gate['rule']}: {gate['text']}"
        for gate in body.get("gates", ())
        if (gate.get("outcome") or ("fail" if gate["fired"] else "pass")) == outcome
    )


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return one line that counts what was made, kept and failed."""
    counts = {word: sum(outcome.result == word for outcome in outcomes) for word in ("made", "kept", "failed")}
    return f"{counts['made']} made, {counts['kept']} up to date, {counts['failed']} failed"
