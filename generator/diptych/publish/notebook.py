"""Attach a report to the lab notebook: files that still read in years, and one block appended, once.

The files lie beside the notebook in a folder named by the artifact's digest; the notebook is appended to, never
rewritten. `verify` holds an attachment against its digests when it is opened again.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from diptych import artifact as hinge
from diptych import labbook, storage
from diptych.comparison import Comparison, LeftOut
from diptych.decision import StudentDecision
from diptych.errors import ArtifactError, DiptychError, LabbookError
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import Matrix
from diptych.publish.comment import brief, commentable
from diptych.repeats import Repeats
from diptych.report.addresses import artifact_title
from diptych.report.writers.harmless import shorten
from diptych.report.writers.markdown import code

HTML_LIMIT = 300_000
"""Bytes of the self-contained page."""

BLOCK_LIMIT = 4_000
"""Characters of the Markdown block in the notebook."""

NAMED = 16
"""Digits of an artifact's digest that its folder is named by: fewer prove nothing."""

FOLDER = "attachments"
SUMS = "SHA256SUMS"
ARTIFACT, REPORT, BLOCK, CITATION = "artifact.json", "report.html", "block.md", "citation.txt"

Artifact = Comparison | StudentDecision | Matrix | Repeats


class Attachment(NamedTuple):
    """What is attached: `files` by name, `block` for the notebook, `mark` by which it is found there again."""

    folder: str
    digest: str
    citation: str
    block: str
    mark: str
    files: Mapping[str, str]


class Attached(NamedTuple):
    """What was done; `added` is False where the notebook held the attachment already."""

    folder: str
    digest: str
    citation: str
    added: bool


class Held(NamedTuple):
    """One file of an attachment held against its digest; `said` tells what was found."""

    name: str
    good: bool
    said: str


def attach(text: str, artifact: Artifact, notebook: str, *, date: str, entry: str | None = None) -> Attached:
    """Attach an artifact (and its file's text) to a notebook, or to the record of it that bears the id `entry`.

    `date` is the day of the citation, `%Y-%m-%d`. Raises `LabbookError` where the notebook has no such entry.
    """
    storage.file_or_new(notebook)
    entry = entry_to_attach_to(notebook, hinge.digest(text), entry)
    made = attachment(text, artifact, date=date, entry=entry)
    place = os.path.join(os.path.dirname(notebook), made.folder)
    if not all(held.good for held in sums_held(place)):
        written = {own_place(os.path.join(place, name)): content for name, content in made.files.items()}
        for path, content in written.items():
            storage.write_text(path, content)
    added = storage.append_block(notebook, f"\n{made.block}\n", unless=made.mark)
    return Attached(place, made.digest, storage.read_text(os.path.join(place, CITATION)).strip(), added)


def own_place(path: str) -> str:
    """Return where a file of an attachment is written; a link there leads to a file that is none of it: an error."""
    if os.path.islink(path):
        raise LabbookError("is a link, and no file of an attachment", where=path, hint="remove it, and attach again")
    return storage.file_or_new(path)


def attachment(text: str, artifact: Artifact, *, date: str, entry: str | None = None) -> Attachment:
    """Return everything that is attached, as values: nothing is read or written."""
    commentable(artifact)
    digest = hinge.digest(text)
    folder = f"{FOLDER}/{digest[:NAMED]}"
    citation = cited(artifact, digest, date)
    mark = f"<!-- diptych:attachment:v1 {digest} {hinge.digest(entry or '')[:16]} -->"
    files = {ARTIFACT: text, REPORT: report(artifact, digest), CITATION: f"{citation}\n"}
    block = notebook_block(artifact, mark, folder, citation, digest, date, entry)
    files[BLOCK] = f"{block}\n"
    files[SUMS] = "".join(f"{hinge.digest(content)}  {name}\n" for name, content in sorted(files.items()))
    return Attachment(folder, digest, citation, block, mark, files)


def entry_to_attach_to(notebook: str, digest: str, entry: str | None) -> str | None:
    """Return the entry to attach to: the one that was named, else the record made from this very artifact."""
    if not os.path.exists(notebook):
        if entry is None:
            return None
        raise LabbookError("there is no notebook", where=notebook, hint="check --labbook, or leave out --entry")
    records = [record.fields for record in labbook.read_labbook(notebook).records]
    known = [str(fields["run_id"]) for fields in records if fields.get("run_id")]
    if entry is not None:
        if entry not in known:
            latest = ", ".join(known[-3:]) or "none"
            raise LabbookError(f"no entry {entry!r}", where=notebook, hint=f"the latest entries are: {latest}")
        return entry
    made = (fields for fields in records if digest_in(fields) == digest and fields.get("run_id"))
    return next((str(fields["run_id"]) for fields in made), None)


def digest_in(fields: Mapping[str, Any]) -> object:
    """Return the digest of the artifact that a record names, or None."""
    named = fields.get("artifact")
    return (named.get("sha256") or named.get("digest")) if isinstance(named, dict) else None


def cited(artifact: Artifact, digest: str, date: str) -> str:
    """Return the one line by which a text refers to the artifact."""
    version = shorten(artifact.provenance.diptych_version, 20)
    return (
        f"{shorten(artifact_title(artifact), 120)}: {shorten(verdict_sentence(artifact), 200)} "
        f"({hinge.schema_of(artifact)}, sha256 {digest}, diptych {version}, {date})"
    )


def verdict_sentence(artifact: Artifact) -> str:
    """Return an artifact's verdict as a sentence."""
    if isinstance(artifact, Matrix):
        return f"{len(artifact.runs)} runs side by side."
    if isinstance(artifact, Repeats):
        return f"what {len(artifact.runs)} runs of one configuration differ by."
    return artifact.verdict.sentence


def notebook_block(
    artifact: Artifact, mark: str, folder: str, citation: str, digest: str, date: str, entry: str | None
) -> str:
    """Return the notebook's block: the verdict, the worst changes, the links, and one record for programs."""
    record = {
        "lab": "diptych/attach",
        "run_id": entry,
        "date": date,
        "attachment": {"sha256": digest, "link": f"{folder}/{REPORT}", "artifact": f"{folder}/{ARTIFACT}"},
    }
    links = f"[report]({folder}/{REPORT}) · [artifact]({folder}/{ARTIFACT}) · [block]({folder}/{BLOCK})"
    to = f"Attached to entry {code(shorten(entry, 60))}. " if entry else ""
    tail = f"{to}{links}\n\n{code(citation)}\n\n{record_line(record)}"
    return f"{mark}\n\n{brief(artifact, BLOCK_LIMIT - len(mark) - len(tail) - 8)}\n\n{tail}"


ACTING = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&@#*_[]()!|`~$%/."}


def record_line(record: Mapping[str, Any]) -> str:
    """Return a record as one line of JSON in which no text acts when the notebook is shown as Markdown.

    Only the entry's name is anyone's text. Where it is more than a plain id, every sign that could act is written by
    its number: none of them belongs to JSON's own syntax here, so each stands in a text and means the same.
    """
    line = json.dumps(record, sort_keys=True)
    return line if re.fullmatch(r"[A-Za-z0-9-]*", record["run_id"] or "") else line.translate(ACTING)


def report(artifact: Artifact, digest: str) -> str:
    """Return the self-contained page, as much of it as 300 KB hold; it says itself what was left out."""
    for smaller in sizes(artifact):
        page = one_file_page(smaller, digest)
        if len(page.encode("utf-8")) <= HTML_LIMIT:
            return page
    raise ArtifactError(
        "no page of this artifact is below 300 KB", where=digest[:16], hint="compare fewer runs or tasks at once"
    )


def sizes(artifact: Artifact) -> Any:
    """Yield an artifact as it is, and ever smaller: first without texts, then with the first rows only."""
    yield artifact
    if isinstance(artifact, StudentDecision):
        for tasks in (20, 5, 0):
            yield less(artifact, tasks=artifact.tasks[:tasks])
        return
    if isinstance(artifact, Comparison):
        for flips, prompts in ((100, 4), (30, 2), (0, 0)):
            yield less(artifact, flips=artifact.flips[:flips], prompts=artifact.prompts[:prompts])
        bare = less(artifact, flips=(), prompts=())
        for rows in (400, 100, 25):
            yield less(
                bare,
                metrics=metrics_worst_first(bare)[:rows],
                flip_counts=bare.flip_counts[:rows],
                settings=bare.settings[:rows],
                task_settings=bare.task_settings[:rows],
                ladder=bare.ladder[:rows],
                findings=bare.findings[:rows],
            )
        return
    if isinstance(artifact, Repeats):
        return
    for rows in (200, 50, 10):
        yield less(artifact, rows=artifact.rows[:rows], settings=artifact.settings[:rows])


def metrics_worst_first(comparison: Comparison) -> tuple[Any, ...]:
    """Return the metrics in the order in which they matter: what moved for real first."""
    order = ("worse", "better", "unclear", "not_available", "same")
    return tuple(sorted(comparison.metrics, key=lambda row: order.index(row.status) if row.status in order else 9))


def less(artifact: Any, **fields: tuple[Any, ...]) -> Any:
    """Return an artifact with shorter lists, each of which is told in what is left out."""
    whole = artifact._asdict()
    told = [
        LeftOut(name.replace("_", " "), len(whole[name]) - len(rows), "this page holds 300 KB")
        for name, rows in fields.items()
        if len(rows) < len(whole[name])
    ]
    return artifact._replace(**fields, left_out=(*artifact.left_out, *told))


def one_file_page(artifact: Artifact, digest: str) -> str:
    """Return an artifact's page as one file that asks nobody for anything."""
    if isinstance(artifact, Comparison):
        from diptych.report.comparison_pages import single_page

        return single_page(artifact)
    from diptych.report.comparison_pages import decision_page, document_page
    from diptych.report.page_frames import whole_frame

    frame = whole_frame(artifact_title(artifact))
    if isinstance(artifact, StudentDecision):
        return decision_page(artifact, frame, digest, downloads=False)
    if isinstance(artifact, Repeats):
        from diptych.report.documents.repeats import repeats_document

        return document_page(repeats_document(artifact, digest=digest), frame)
    from diptych.report.documents.matrix import matrix_document

    return document_page(matrix_document(artifact, digest=digest), frame)


def verify(path: str) -> tuple[Held, ...]:
    """Hold an attachment against its digests: a folder of one, any file in it, or a notebook with many."""
    if os.path.isdir(path):
        return folder_held(path)
    if os.path.basename(path) in (ARTIFACT, REPORT, BLOCK, CITATION, SUMS):
        return folder_held(os.path.dirname(path) or ".")
    found: list[Held] = []
    for record in labbook.read_labbook(path).records:
        named = record.fields.get("attachment")
        if isinstance(named, dict) and isinstance(named.get("sha256"), str):
            folder = f"{FOLDER}/{named['sha256'][:NAMED]}"
            held = folder_held(os.path.join(os.path.dirname(path), folder), named["sha256"])
            found += [one._replace(name=f"{folder}/{one.name}") for one in held]
    if not found:
        raise LabbookError("nothing is attached here", where=path, hint="give a notebook or an attachment's folder")
    return tuple(found)


def folder_held(folder: str, digest: str | None = None) -> tuple[Held, ...]:
    """Hold one folder against its sums, its name, and the digest that the notebook gives."""
    held = list(sums_held(folder))
    try:
        text = storage.read_text(storage.file_or_new(os.path.join(folder, ARTIFACT)))
        artifact = hinge.loads(text, where=os.path.join(folder, ARTIFACT))
    except DiptychError as error:
        return (*held, Held(ARTIFACT, False, error.message))
    wanted = digest or os.path.basename(os.path.abspath(folder))
    if len(wanted) < NAMED or not hinge.digest(text).startswith(wanted):
        held.append(Held(ARTIFACT, False, f"its sha256 does not begin with {wanted[:16]}: it is not what was attached"))
    else:
        schema = json.loads(text)["schema"]
        made = f"{schema}, made by diptych {shorten(artifact.provenance.diptych_version, 20)}"
        now = "" if schema == hinge.schema_of(artifact) else f", read as {hinge.schema_of(artifact)}"
        held.append(Held(ARTIFACT, True, f"{made}{now}"))
    return tuple(held)


def sums_held(folder: str) -> tuple[Held, ...]:
    """Hold every file of a folder against the digest in its SHA256SUMS."""
    try:
        lines = storage.read_text(storage.file_or_new(os.path.join(folder, SUMS))).splitlines()
    except DiptychError as error:
        return (Held(SUMS, False, error.message),)
    named = [found.groups() for line in lines if (found := re.fullmatch(r"([0-9a-f]{64})  ([a-z.]+)", line))]
    wanted = {name: digest for digest, name in reversed(named)}
    held = []
    for name in sorted(wanted.keys() & {ARTIFACT, REPORT, BLOCK, CITATION}):
        try:
            good = storage.sha256_file(storage.file_or_new(os.path.join(folder, name))) == wanted[name]
        except DiptychError as error:
            held.append(Held(name, False, error.message))
            continue
        held.append(Held(name, good, "as attached" if good else "changed since it was attached"))
    absent = {ARTIFACT, REPORT, BLOCK, CITATION} - wanted.keys()
    return (*held, *(Held(name, False, f"not in {SUMS}") for name in sorted(absent)))
