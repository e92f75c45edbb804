"""One comment that stays one: found by its hidden marker, changed in place, never set back by an older commit.

It knows when to write and when not to; how a forge is spoken to is `forges.py`, what a comment says `comment.py`.
"""

import re
import time
from collections.abc import Callable, Mapping

from diptych.errors import DiptychError, ForgeError
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.forges import TIME_OUT, Client, Note, Target

MARKER = re.compile(
    r"<!-- diptych:comment:v1 key=(?P<key>[0-9a-f]{1,64}) what=(?P<what>[0-9a-f]{1,64}|-)"
    r" commit=(?P<commit>[0-9a-f]{1,64}|-) time=(?P<time>[0-9]{1,12}|-) run=(?P<run>[0-9]{1,12}|-)(?P<once> once)? -->"
)
DAY = 86_400
"""Seconds by which an author's clock may be fast."""
SUMMARY_LIMIT = 900_000
"""Bytes that a job summary may hold in all: GitHub drops the whole of one that is over 1 MiB."""


class Stamp(NamedTuple):
    """Of which state a comment speaks: commit, its time (seconds since 1970), and the CI's running number."""

    commit: str | None = None
    time: int | None = None
    run: int | None = None


class Mark(NamedTuple):
    """What a marker says: the comment's key, what it was made from, of which state, and whether it stands alone."""

    key: str
    what: str | None
    stamp: Stamp
    once: bool = False


class Posted(NamedTuple):
    """What was done: `created`, `updated`, `unchanged`, `kept_newer` or `nothing_to_say`; how many doubles went."""

    action: str
    url: str
    removed: int = 0


def comment_key(text: str) -> str:
    """Return the key of a comment as a marker may hold it: hex, so that no text of anyone enters the marker."""
    from diptych.storage import sha256

    return sha256(text.encode("utf-8", "replace"))[:16]


def marker(mark: Mark) -> str:
    """Return the hidden first line of a comment."""
    stamp = mark.stamp
    commit = stamp.commit if stamp.commit and re.fullmatch(r"[0-9a-f]{7,64}", stamp.commit) else "-"
    number = [str(value) if value is not None and value >= 0 else "-" for value in (stamp.time, stamp.run)]
    once = " once" if mark.once else ""
    return (
        f"<!-- diptych:comment:v1 key={mark.key} what={mark.what or '-'} commit={commit}"
        f" time={number[0]} run={number[1]}{once} -->"
    )


def read_marker(body: str) -> Mark | None:
    """Return a comment's marker; only one that is the very first thing counts, a quoted one is someone's text."""
    found = MARKER.match(body)
    if found is None:
        return None
    value = {name: None if text in ("-", None) else text for name, text in found.groupdict().items()}
    moment, run = (int(text) if (text := value[name]) else None for name in ("time", "run"))
    return Mark(str(value["key"]), value["what"], Stamp(value["commit"], moment, run), value["once"] is not None)


def older(stamp: Stamp, other: Stamp) -> bool:
    """Say whether `stamp` speaks of an older state than `other`: by the CI's running number, else by commit time.

    The CI counts by itself; a commit's time is whatever its author's clock says, and a force-push goes back in it.
    """
    if stamp.commit is not None and stamp.commit == other.commit:
        return False
    if stamp.run is not None and other.run is not None:
        return stamp.run < other.run
    # a time that is yet to come tells of no order: it would hold back all that follows
    return stamp.time is not None and other.time is not None and stamp.time < other.time < time.time() + DAY


def post(
    text: str,
    target: Target,
    *,
    changed: bool = True,
    on_change_only: bool = False,
    new: bool = False,
    sleep: Callable[[float], None] = time.sleep,
    time_out: float = TIME_OUT,
) -> Posted:
    """Write a comment whose first line is its marker, or change the one that bears the same key.

    `changed` False says that nothing worth a new comment was found; with `on_change_only` none is begun then, and
    one that was made from the same artifacts is left as it is. `new` writes another one beside all others.
    Raises `ForgeError` with a kind where the forge refuses.
    """
    mark = read_marker(text)
    if mark is None:
        raise ForgeError("the body bears no marker", hint="make it with `diptych comment --key …`", kind="invalid")
    with Client(target, sleep=sleep, time_out=time_out) as client:
        if new:
            return Posted("created", client.create(without_other_markers(text, mark)).url)
        authors = client.authors()
        mine = own(client, authors, mark.key)
        held = holding_back(mine, mark, on_change_only, changed)
        if held is not None:
            return held
        done = write(client, authors, mine, text, mark)
        removed, url = settle(client, authors, mark)
        return Posted(done, url, removed)


def without_other_markers(text: str, mark: Mark) -> str:
    """Return the text with a marker that no later update takes for its own."""
    return marker(mark._replace(once=True)) + text[MARKER.match(text).end() :]  # type: ignore[union-attr]


def own(client: Client, authors: tuple[str, ...], key: str) -> tuple[Note, ...]:
    """Return our comments with this key, oldest first: our marker under our login, whoever may quote it."""
    found = []
    for note in client.list():
        if note.author not in authors:
            continue  # whoever else writes a marker is not even read
        mark = read_marker(note.body)
        if mark is not None and mark.key == key and not mark.once:
            found.append(note)
    return tuple(found)


def holding_back(mine: tuple[Note, ...], mark: Mark, on_change_only: bool, changed: bool) -> Posted | None:
    """Return why nothing is to be written, or None."""
    marks = [(note, found) for note in mine if (found := read_marker(note.body)) is not None]
    for note, found in marks:
        if older(mark.stamp, found.stamp):
            return Posted("kept_newer", note.url)
    if not on_change_only:
        return None
    if marks and mark.what is not None and all(found.what == mark.what for _, found in marks) and len(marks) == 1:
        return Posted("unchanged", marks[0][0].url)
    return None if changed or marks else Posted("nothing_to_say", "")


def write(client: Client, authors: tuple[str, ...], mine: tuple[Note, ...], text: str, mark: Mark) -> str:
    """Change our oldest comment, or begin one; return what was done."""
    if mine:
        try:
            client.change(mine[0], text)
        except ForgeError as error:
            if error.kind != "not_found":
                raise
        else:
            return "updated"  # a comment that somebody removed meanwhile is begun anew
    begin(client, authors, text, mark)
    return "created"


def begin(client: Client, authors: tuple[str, ...], text: str, mark: Mark) -> None:
    """Write a first comment; where the answer was lost, look whether it is there before writing it again."""
    try:
        client.create(text)
    except ForgeError as error:
        if error.kind not in ("time_out", "server"):
            raise
        if not any(read_marker(note.body) == mark for note in own(client, authors, mark.key)):
            client.create(text)


def settle(client: Client, authors: tuple[str, ...], mark: Mark) -> tuple[int, str]:
    """Leave one comment where two jobs wrote at once: the oldest stays, with the newest text; return (removed, url)."""
    mine = own(client, authors, mark.key)
    if not mine:
        return 0, ""
    first, *doubles = mine
    newest = first
    for note in doubles:
        mark_of, best = read_marker(note.body), read_marker(newest.body)
        if mark_of is not None and best is not None and older(best.stamp, mark_of.stamp):
            newest = note
    if newest is not first:
        client.change(first, newest.body)
    for note in doubles:
        client.remove(note)
    return len(doubles), first.url


def keep(text: str, error: DiptychError, *, path: str, environ: Mapping[str, str]) -> str:
    """Keep a body that could not be posted: in a file, and in the job summary where there is one.

    Returns what to tell the user: why, which right is missing, and where the body is now. Where the folder takes no
    file the system's folder for such does; where nothing does, the body itself is told.
    """
    places = kept_in(text, path, environ)
    where = f"the comment is kept in {' and in '.join(places)}" if places else f"no place takes the comment:\n{text}"
    lines = [f"not posted: {error}", *([f"  hint: {error.hint}"] if error.hint else []), f"  {where}"]
    return "\n".join(lines + (list(FORKS) if isinstance(error, ForgeError) and error.kind == "no_right" else []))


def kept_in(text: str, path: str, environ: Mapping[str, str]) -> list[str]:
    """Return the places that took a body."""
    import os
    import tempfile

    from diptych.storage import append_block, write_text

    places: list[str] = []
    for place in (path, os.path.join(tempfile.gettempdir(), os.path.basename(path))):
        if not places and taken(write_text, place, text):
            places.append(place)
    summary = environ.get("GITHUB_STEP_SUMMARY")
    fits = summary and file_size(summary) + len(text.encode("utf-8", "replace")) < SUMMARY_LIMIT
    if summary and fits and taken(append_block, summary, text):
        places.append("the job summary")
    return places


def taken(write: Callable[[str, str], object], place: str, text: str) -> bool:
    """Write to a place and say whether it took it."""
    try:
        write(place, text)
    except DiptychError:
        return False
    return True


def file_size(path: str) -> int:
    """Return a file's size in bytes, 0 where it is not there."""
    import os

    try:
        return os.path.getsize(path)
    except OSError:
        return 0


FORKS = (
    "  A pull request from a fork gets a token that may only read. Two steps get round it:",
    "    1. the workflow on `pull_request` runs `diptych batch` and uploads the artifacts (JSON);",
    "    2. a second workflow on `workflow_run` checks nothing out, downloads them and runs `diptych comment --post`.",
    "  An example stands in the repository: site/ci/github-post.yml.",
)
