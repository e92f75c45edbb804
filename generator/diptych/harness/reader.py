"""The door of the room: which reader a location is for, and which of its runs is meant."""

import os
from typing import TYPE_CHECKING, Protocol

from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.foreign_files import Foreign, foreign_kind, name_of_bytes, other_tool
from diptych.harness.inspect_ai.reader import InspectReader
from diptych.harness.lighteval.reader import LightevalReader
from diptych.harness.lm_eval.results import LmEvalReader
from diptych.harness.locate import (
    DEPTH,
    Place,
    candidates,
    date_of,
    hidden_below,
    portable_path,
    shown_name,
    split_location,
    stamp_of,
    without_results,
)
from diptych.harness.parse_json import DamagedFile, Header, RecordedFile, Wanted, changed_meanwhile, stamp_on_disk
from diptych.numbers import counted, listed
from diptych.run import OlderResults, Remark, Run
from diptych.secrets import mask_text

if TYPE_CHECKING:  # who compares writes no command unless one is wanted
    from diptych.plan import Command, Plan


class Reader(Protocol):
    """Knows one harness's files: what is one of them, what its head says, how to read it, how to run it again.

    A file is looked at by its first bytes or its JSON, whichever tells: it is parsed once, whoever asks first.
    """

    name: str

    def sniff(self, file: RecordedFile) -> bool: ...
    def header(self, file: RecordedFile) -> Header: ...
    def read(self, wanted: Wanted) -> Run: ...
    def command(self, plan: "Plan", folder: str) -> "Command": ...


READERS: tuple[Reader, ...] = (InspectReader(), LightevalReader(), LmEvalReader())


class Chosen(NamedTuple):
    """The results file that a location means, with its reader and a remark on the others.

    `folder` is the one that was named, "" where the file was. `beside` are files that hold more of the same run.
    `fuller` is an older one over more items of the same tasks.
    """

    file: RecordedFile
    reader: Reader
    remarks: tuple[Remark, ...] = ()
    folder: str = ""
    beside: tuple[RecordedFile, ...] = ()
    fuller: OlderResults | None = None

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self.file.path

    @property
    def header(self) -> Header:
        """What the head of the file says."""
        return self.reader.header(self.file)


def split_label(text: str) -> tuple[str | None, str]:
    """Return label and path of `label=path`; a path that exists as it stands has no label."""
    label, equals, path = text.partition("=")
    if not equals or not label or not path or os.path.exists(text) or "/" in label:
        return None, text
    return label, path


def read_run(location: str, label: str | None = None, *, strict: bool = False, root: str | None = None) -> Run:
    """Read the run at `path` or `path@DATE`; `strict` parses every sample line whole.

    Its files are named as seen from `root`, where they lie below it: so an artifact is the same made from anywhere.
    Raises `RunError` for what is no run of a harness that we know, or cannot be read.
    """
    return read_chosen(choose(location), label or default_label(location), strict, root)


def read_chosen(chosen: Chosen, label: str, strict: bool, root: str | None = None) -> Run:
    """Read the run of a results file that was found and parsed; its files are named as an artifact may name them."""
    try:
        run = chosen.reader.read(Wanted(chosen.file, label, chosen.folder, chosen.beside, strict))
    except RecursionError as error:
        raise RunError(
            "nests too deeply to be a run", where=chosen.path, hint="no harness writes such a file"
        ) from error
    inputs = [
        source._replace(name=portable_path(source.name, root)) if os.path.dirname(source.name) else source
        for source in run.inputs
    ]
    remarks = chosen.remarks
    for file in (chosen.file, *chosen.beside):
        if file.stamp is not None and stamp_on_disk(file.path) != file.stamp:
            remarks += (changed_meanwhile(file.path),)
    return run._replace(
        source=portable_path(run.source, root),
        results_file=shown_name(run.results_file),
        inputs=tuple(inputs),
        remarks=(*remarks, *run.remarks),
        command=run.command or chosen.reader.command,
        fuller=chosen.fuller,
    )


def default_label(location: str) -> str:
    """Return the name of a location's directory, by which people tell runs apart; of a file, its directory's."""
    path = os.path.abspath(split_location(location).path)
    if os.path.isfile(path) and os.path.basename(os.path.dirname(path)):
        path = os.path.dirname(path)
    return mask_text(os.path.basename(path) or location)[0]


def choose(location: str) -> Chosen:
    """Return the results file that a location means; of several the newest by its own date, with a remark on it."""
    place = split_location(location)
    if os.path.isfile(place.path):
        return named_file(place)
    if not os.path.isdir(place.path):
        raise RunError(
            "no such file or directory", where=location, hint="check the path; `path@DATE` picks one of several"
        )
    found: list[Chosen] = []
    refused: list[RunError] = []
    for path in candidates(place.path):
        try:
            found.append(chosen_file(path))
        except RunError as error:
            refused.append(error)
    if not found:
        raise no_results_error(place.path, refused)
    damaged = tuple(damaged_results(error) for error in refused if isinstance(error, DamagedFile))
    chosen = newest(place, found)
    return chosen._replace(remarks=(*chosen.remarks, *damaged), folder=place.path)


def named_file(place: Place) -> Chosen:
    """Return the results file that was named itself."""
    chosen = chosen_file(place.path)
    if place.date and not own_date(chosen).startswith(wanted_date(place.date)):
        raise RunError(f"is of {own_date(chosen)}, not of {place.date}", where=place.path, hint="leave @DATE out")
    return chosen


class ForeignFile(RunError):
    """A file of another tool, known by name: it tells more than one that nobody knows."""


def chosen_file(path: str) -> Chosen:
    """Return a file as the results of a harness, or raise a `RunError` that says what it is instead."""
    file = RecordedFile(path)
    foreign = name_of_bytes(file)
    if foreign is None:
        for reader in READERS:
            if reader.sniff(file):
                return Chosen(file, reader)
        foreign = other_tool(file.document) or foreign_kind(file.document)
    raise refusal(path, foreign)


def refusal(path: str, foreign: Foreign | None) -> RunError:
    """Return the error for a file that no reader takes."""
    *names, last = [reader.name for reader in READERS]
    known = f"{', '.join(names)} or {last}"
    kind = DamagedFile if foreign and foreign.damaged else ForeignFile if foreign and foreign.known else RunError
    return kind(
        foreign.what if foreign else "holds no results of a harness",
        where=mask_text(path)[0],
        hint=(foreign and foreign.advice) or f"name a results file or output directory of {known}",
    )


def own_date(chosen: Chosen) -> str:
    """Return a results file's own date: the stamp in its name, else the date inside it."""
    stamp = stamp_of(chosen.path)
    if stamp:
        return date_of(stamp)
    return chosen.header.started or ""


def wanted_date(text: str) -> str:
    """Return a date as a user may type it (with the name's dashes or with colons) in the form of our dates."""
    day, mark, clock = text.strip().replace(" ", "T").partition("T")
    return day + mark + clock.replace("-", ":")


def newest(place: Place, found: list[Chosen]) -> Chosen:
    """Return the one that is meant, with a remark that names the others."""
    found = sorted(found, key=lambda chosen: (own_date(chosen), chosen.path))
    if place.date:
        wanted = wanted_date(place.date)
        found = [chosen for chosen in found if own_date(chosen).startswith(wanted)]
        if not found:
            raise RunError(
                f"holds no results of {place.date}", where=place.path, hint="`diptych discover` lists its runs"
            )
        return with_their_own(found)[-1]
    found = with_their_own(found)
    if len(found) == 1:
        return found[0]
    models: dict[str, str] = {}
    for chosen in found:
        models.setdefault(chosen.header.model or "no name", os.path.dirname(chosen.path))
    if len(models) > 1 and len(set(models.values())) > 1:
        names = ", ".join(f"{model} ({portable_path(folder)})" for model, folder in sorted(models.items())[:6])
        raise RunError(
            f"holds runs of {len(models)} models: {names}", where=place.path, hint="name the directory of one of them"
        )
    if not own_date(found[-1]):
        names = ", ".join(os.path.basename(chosen.path) for chosen in found[:6])
        raise RunError(
            f"holds {len(found)} results without a date: {names}", where=place.path, hint="name one of the files"
        )
    return found[-1]._replace(remarks=(several(place, found, sorted(models)),), fuller=fuller_results(found))


def fuller_results(found: list[Chosen]) -> OlderResults | None:
    """Return the newest of several results that is over more items of the last one's tasks than that, by its model."""
    own = found[-1].header
    counts = [
        (other.header, own_date(other), sum(other.header.items.get(task, 0) for task in own.tasks)) for other in found
    ]
    *older, (_, _, items) = counts
    fuller = [(date, number) for header, date, number in older if header.model == own.model and number > items > 0]
    return OlderResults(*fuller[-1]) if fuller else None


def several(place: Place, found: list[Chosen], models: list[str]) -> Remark:
    """Remark on the results among which the last is taken: which they are, and which tasks it lacks."""
    chosen = found[-1]
    files = [portable_path(os.path.relpath(other.path, place.path)) for other in found]
    dates = [own_date(other) for other in found]
    tied = dates.count(dates[-1]) > 1
    shown = files if tied else [date or os.path.basename(file) for date, file in zip(dates, files, strict=True)]
    taken = f"of one date; {shown[-1]}" if tied else f"the newest, {shown[-1]},"
    text = f"{len(found)} results in {shown_name(place.path)} ({', '.join(shown)}): {taken} is taken."
    text += f" They are of {len(models)} models: {', '.join(models)}." if len(models) > 1 else ""
    if elsewhere := sorted({task for other in found for task in other.header.tasks} - set(chosen.header.tasks)):
        text += f" It lacks {counted(len(elsewhere), 'task')} of the others: {listed(elsewhere, 3)}."
    text += f" {'The file' if tied else 'path@DATE or the file'} itself picks another."
    return Remark("results_many", "warning", text, count_=len(found), evidence=tuple(files))


def with_their_own(found: list[Chosen]) -> list[Chosen]:
    """Return one entry a run, its newest file: of a harness that writes a file a task the others go beside it."""
    groups: dict[str, list[Chosen]] = {}
    for place, chosen in enumerate(found):
        groups.setdefault(chosen.header.group or str(place), []).append(chosen)
    return [chosen[-1]._replace(beside=tuple(other.file for other in chosen[:-1])) for chosen in groups.values()]


def damaged_results(error: RunError) -> Remark:
    """Remark on a results file that lies beside the one that is read, and is damaged."""
    name = os.path.basename(error.where)
    text = f"{name}: {error.message}; it is left out, and may be newer than the results that are read."
    return Remark("file_damaged", "error", text, count_=1, evidence=(name,))


def no_results_error(path: str, refused: list[RunError]) -> RunError:
    """Return the error for a directory without results: what one of its files is instead, a damaged one first."""
    if refused:
        return min(refused, key=lambda error: (not isinstance(error, DamagedFile), not isinstance(error, ForeignFile)))
    hidden = hidden_below(path)
    skipped = f"; hidden folders are not searched: {listed(hidden, 3)}" if hidden else ""
    skipped = f" ({lying})" + skipped if (lying := without_results(path)) else skipped
    return RunError(
        f"holds no results file, down to {DEPTH} folders deep{skipped}",
        where=path,
        hint="name the directory that was given to the harness as --output_path"
        + (", or the hidden folder itself" if hidden else ""),
    )
