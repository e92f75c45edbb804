"""What the pages that many artifacts share are drawn from, put into tables one artifact after the other, in any order.

A run is what the artifacts that show it tell together, the first by name before the others. Runs are numbered by their
dates: the order of numbers is that of every history.
"""

from array import array
from collections.abc import Sequence
from functools import reduce
from hashlib import sha256
from itertools import groupby

from diptych.fast_json import dump_many
from diptych.publish.archive_tables import Tables, encoded
from diptych.publish.kept_summaries import kept_summary, long_run, packed_run, unpacked_run
from diptych.report.configurations import configuration_of, is_asked_for
from diptych.report.documents.summaries import RunSummary
from diptych.report.merged_runs import as_scores, merge_runs
from diptych.value_text import metric_name


def add_artifact(tables: Tables, number: int, digest: str, texts: Sequence[int], folder: str) -> None:
    """Take an artifact: its place in the order of names, the numbers of its packed texts, its folder."""
    own, tasks, *runs = texts
    summary = kept_summary(tables.texts((own, tasks)))
    versions = [version_of(tables, *pair) for pair in zip(runs[::2], runs[1::2], strict=True)]
    models = tuple(dict.fromkeys(model for _, _, model in versions if model)) or summary.models
    row = summary._replace(folder=folder, changes=(), tasks=(), models=models)
    told = (summary.said, summary.sign, summary.tone, summary.date or "", summary.title, summary.id)
    tables.do(
        "INSERT INTO artifact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(number, digest, folder, summary.kind, summary.word),
        *(*map(encoded, told), dump_many(row._asdict()), array("q", texts).tobytes()),
    )
    tables.do_all(
        "INSERT INTO use VALUES (?, ?, ?, ?)",
        [(run, number, place, version) for place, (version, run, _) in enumerate(versions)],
    )
    if summary.kind == "comparison":
        a, b = (run for _, run, _ in versions)
        tables.do("INSERT INTO change VALUES (?, ?, ?, ?)", a, b, number, dump_many(summary.changes))
    elif summary.kind == "repeats":
        add_repeats(tables, number, [run_of(tables, *pair) for pair in zip(runs[::2], runs[1::2], strict=True)])


def version_of(tables: Tables, own: int, alike: int) -> tuple[int, str, str | None]:
    """Return the number of a run as its texts tell it, with its folder and its model."""
    row = tables.row("SELECT number, folder FROM version WHERE own = ? AND alike = ?", own, alike)
    model = long_run(*tables.texts([alike]))[0]["model"]
    if row:
        return *row, model
    run = run_of(tables, own, alike)
    return add_version(tables, run, own, alike), run.folder, model


def add_version(tables: Tables, run: RunSummary, own: int, alike: int) -> int:
    """Put a run as its texts tell it into the tables, and return its number."""
    who = (run.label, run.model, run.date, run.source, run.version)
    told = (None if text is None else encoded(text) for text in who)
    scores = as_scores(run.scores).values.tobytes()
    added = tables.do(
        "INSERT INTO version VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *(own, alike, run.folder, *told, scores)
    ).lastrowid
    assert added is not None
    return added


def run_of(tables: Tables, own: int, alike: int) -> RunSummary:
    """Return the run that two texts tell."""
    return unpacked_run(*tables.texts((own, alike)))


def add_repeats(tables: Tables, number: int, runs: Sequence[RunSummary]) -> None:
    """Take the scores of runs that were made as repeats."""
    scores: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        for row in run.scores:
            if row.value is not None:
                scores.setdefault((row.task, metric_name(row.metric, row.filter)), []).append(row.value)
    asked = dump_many(configuration_of(runs[0].model, runs[0].settings))
    tables.do_all(
        "INSERT INTO repeated VALUES (?, ?, ?, ?, ?)",
        [
            (encoded(task), number, encoded(metric), asked, array("d", values).tobytes())
            for (task, metric), values in scores.items()
        ],
    )


def number_runs(tables: Tables, same: str) -> None:
    """Make one of what all artifacts tell of each run, with a key of all that its page is drawn from."""
    uses = tables.rows(
        "SELECT use.folder, version, artifact.folder, digest FROM use JOIN artifact ON artifact.number = artifact "
        "ORDER BY use.folder, artifact, place"
    )
    for folder, own in groupby(uses, key=lambda row: row[0]):
        versions: dict[int, None] = {}
        key = sha256(f"{same} {folder}".encode())
        for _, version, place, digest in own:
            versions[version] = None
            key.update(f"\n{place} {digest}".encode())
        row = (folder, merged_version(tables, list(versions)), array("q", versions).tobytes(), key.hexdigest())
        tables.do("INSERT INTO met VALUES (?, ?, ?, ?)", *row)
    for (alike,) in tables.rows("SELECT DISTINCT alike FROM met JOIN version ON version.number = version"):
        add_alike(tables, alike)
    tables.do(
        "INSERT INTO run SELECT NULL, met.folder, version, versions, key, asked FROM met "
        "JOIN version ON version.number = version JOIN alike ON alike.number = version.alike "
        "ORDER BY coalesce(date, x''), met.folder"
    )
    shown = sha256()
    for row in tables.rows("SELECT digest, folder FROM artifact ORDER BY number"):
        shown.update(" ".join(row).encode() + b"\n")
    tables.do("INSERT INTO about VALUES (?)", shown.hexdigest())
    tables.do("CREATE INDEX shown ON artifact (date DESC, title DESC, id DESC, number)")


def merged_version(tables: Tables, versions: Sequence[int]) -> int:
    """Return the number of what several artifacts tell of one run together."""
    if len(versions) == 1:
        return versions[0]
    pairs = (tables.row("SELECT own, alike FROM version WHERE number = ?", version) for version in versions)
    runs = (run_of(tables, *pair) for pair in pairs)
    first = next(runs)
    merged = reduce(merge_runs, runs, first)
    return versions[0] if merged is first else version_of(tables, *map(tables.text, packed_run(merged)))[0]


def add_alike(tables: Tables, number: int) -> None:
    """Take what runs have alike: what they were asked for, and where the scores of each task stand."""
    alike, names = long_run(*tables.texts([number]))
    settings = alike["settings"]
    nulls = sorted(name for name, value in settings.items() if value is None and is_asked_for(name))
    told = dump_many((configuration_of(alike["model"], settings), nulls))
    tables.do("INSERT OR IGNORE INTO asked VALUES (NULL, ?)", told)
    tables.do("INSERT INTO alike SELECT ?, number FROM asked WHERE told = ?", number, told)
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name.task, []).append(place)
    for task, own in places.items():
        first, count = own[0], own[-1] - own[0] + 1
        picked = None if len(own) == count else [place - first for place in own]
        told = dump_many((alike["items"].get(task), [tuple(names[place]) for place in own], picked))
        tables.do("INSERT INTO holds VALUES (?, ?, ?, ?, ?)", encoded(task), number, first, count, told)
