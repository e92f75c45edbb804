"""What an archive is made from: artifacts, notes of failed jobs, pages in Markdown, and the one date it may know."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from diptych import storage
from diptych.bounded_json import load_json, whole_number
from diptych.errors import ArtifactError, DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.report.documents.summaries import Failure


class Entry(NamedTuple):
    """An artifact that lies in a file: how it is named, and where it is. Ten thousand texts would fill the memory."""

    name: str
    place: str


class Read(NamedTuple):
    """What a look at an artifact's bytes tells: their sha256, and its id where that has a line, as we write it."""

    digest: str
    id: str | None


def read_sources(sources: Iterable[str | Path]) -> Iterator[Entry | Failure]:
    """Yield the artifacts and the notes of failed jobs, none of them read yet."""
    for source in sources:
        for base in bases_of(Path(source)):
            note, file = Path(f"{base}.failed.json"), Path(f"{base}.json")
            if os.path.isfile(note):
                yield failure_of(note, earlier=os.path.isfile(file))
            elif not os.path.isfile(file):
                yield Failure(base.name, "has not been made yet", hint="run `diptych batch` first")
            if os.path.isfile(file):
                yield Entry(file.name, str(file))


def read_artifact(entry: Entry) -> Read | Failure:
    """Look at an artifact's bytes; what cannot be read is a failure, never an end."""
    try:
        data = unmarked_bytes(entry.place)
    except DiptychError as error:
        return Failure(entry.name, error.message, entry.name, error.hint)
    place = data.find(ID)
    alone = place >= 0 and data.rfind(ID) == place
    own = data[place + len(ID) : data.find(b'"', place + len(ID))].decode("utf-8", "replace") if alone else None
    return Read(storage.sha256(data), own)


ID = b'\n "id": "'
"""How the line of an artifact's own id begins."""


def unmarked_bytes(file: str | Path) -> bytes:
    """Return the bytes of a file without a byte order mark."""
    return storage.read_bytes(file).removeprefix(b"\xef\xbb\xbf")


def bases_of(place: Path) -> Iterator[Path]:
    """Yield the artifacts that a source names, without their endings; a folder names all that stand in it.

    A file goes before a folder: beside `ab.json` there may be a folder `ab`.
    """
    if not os.path.isdir(place):
        yield place.with_suffix("") if place.suffix == ".json" else place
        return
    try:
        with os.scandir(place) as files:
            found = {file.name for file in files if file.name.endswith(".json") and not file.name.startswith(".")}
    except OSError as error:
        raise storage.unreadable(place, error) from error
    for name in sorted({name.removesuffix(".json").removesuffix(".failed") for name in found}):
        yield place / name


def given_sources(sources: Iterable[str]) -> list[str]:
    """Return sources as somebody typed them, each of which must be there: an artifact, or a folder that holds some."""
    given = list(sources)
    for source in given:
        place = Path(source)
        base = source.removesuffix(".json")
        if not (os.path.exists(place) or any(os.path.isfile(f"{base}{end}") for end in (".json", ".failed.json"))):
            raise ArtifactError("there is no such artifact or folder", where=source, hint="check the name")
        if os.path.isdir(place) and not any(bases_of(place)) and not os.path.isfile(f"{source}.json"):
            raise ArtifactError("holds no artifact", where=source, hint="make some with `diptych batch`")
        if os.path.isfile(place) and place.suffix != ".json":
            raise ArtifactError("is no artifact", where=source, hint="give a manifest (.toml) or artifacts (.json)")
    return given


def failure_of(note: Path, *, earlier: bool) -> Failure:
    """Return what a batch noted about a job that failed; `earlier` says that an older artifact is still there."""
    label = note.name.removesuffix(".failed.json")
    try:
        body = load_json(storage.read_text(note))
        texts = [str(body.get(name) or "") for name in ("title", "message", "where", "hint")]
    except (ValueError, AttributeError, DiptychError):
        texts = [label, "the note of this failure is not readable", note.name, "run `diptych batch` again"]
    title, message, where, hint = texts
    return Failure(title or label, message, where, hint, earlier)


def read_pages(folder: str | Path | None) -> tuple[tuple[str, str], ...]:
    """Return the Markdown files of a folder by name, `2-x` before `10-y`."""
    if folder is None:
        return ()
    try:
        files = sorted(Path(folder).glob("*.md"), key=lambda file: (leading_number(file.stem), file.stem))
    except OSError as error:
        raise storage.unreadable(folder, error) from error
    return tuple((file.stem, storage.read_text(file)) for file in files)


UNNUMBERED = 10**9
"""Behind all that are numbered."""


def leading_number(name: str) -> int:
    """Return the number that a name begins with; names without one come last."""
    number = whole_number(name.partition("-")[0])
    return UNNUMBERED if number is None else number


def source_date() -> str | None:
    """Return the date that SOURCE_DATE_EPOCH gives, in ISO form: the only clock that an archive knows."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given:
        return None
    seconds = whole_number(given)
    if seconds is None or seconds > LAST_SECOND:
        raise DiptychError(
            "is no number of seconds since 1970", where=f"SOURCE_DATE_EPOCH={given!r}", hint="unset it, or mend it"
        )
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


LAST_SECOND = 253402300799
"""The end of the year 9999, the last that a date can name."""
