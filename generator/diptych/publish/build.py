"""An archive from artifacts in files, in one call; where nothing has changed, nothing is even imported."""

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diptych.errors import ArtifactError
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_stamp import asked_of, state_of, unchanged, write_stamp

if TYPE_CHECKING:
    from diptych.publish.archive import Built, Executor
    from diptych.publish.task_steps import Search
    from diptych.report.documents.summaries import Failure


class Done(NamedTuple):
    """What a build came to: one line that counts what was done, and what could not be shown."""

    said: str
    failures: tuple["Failure", ...]


def build_archive(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    title: str = "Evaluation runs",
    description: str = "",
    pages: str | Path | None = None,
    base_url: str | None = None,
    prune: bool = False,
    executor: "Executor | None" = None,
    search: "Search | None" = None,
) -> Done:
    """Build an archive from artifacts; what cannot be shown is told, on its pages too, and the rest is built.

    A source is an artifact's file, with its `.json` or without, or a folder of artifacts. `pages` is a folder of
    Markdown files that become the manual. Without `prune` no more than half of what is there is removed. `search`
    finds the steps in the histories of tasks, where that is not done in this process.
    """
    refuse_address(base_url)
    asked = asked_of(sources, out, title, description, pages, base_url)
    if last := unchanged(asked):
        return Done(last.said, failures_of(last.failures))
    before = state_of(asked)
    from diptych.publish.archive import build
    from diptych.publish.archive_sources import read_pages, read_sources, source_date
    from diptych.report.documents.summaries import Site
    from diptych.stats.history import steps_in

    found = read_sources(asked.sources)
    first = next(found, None)
    if first is None:
        raise ArtifactError("nothing to show: no artifact was given", hint="make some with `diptych batch`")
    site = Site(title, description, base_url, read_pages(pages), source_date())
    every = chain([first], found)
    built = build(every, out, site, prune=prune, executor=executor, search=search or steps_in)
    again = build_line(built._replace(written=0, unchanged=built.written + built.unchanged, removed=0))
    write_stamp(asked, before, again, built.failures)
    return Done(build_line(built), built.failures)


def failures_of(rows: Sequence[Sequence[Any]]) -> tuple["Failure", ...]:
    """Return what could not be shown as it was noted down; where all was shown nothing is imported."""
    if not rows:
        return ()
    from diptych.report.documents.summaries import Failure

    return tuple(Failure(*row) for row in rows)


def build_line(built: "Built") -> str:
    """Return a build as one line."""
    text = f"{built.artifacts} artifacts: {built.written} files written, {built.unchanged} unchanged"
    text += f", {built.removed} removed" if built.removed else ""
    return text + (f"; {len(built.failures)} could not be shown" if built.failures else "")


def refuse_address(base_url: str | None) -> None:
    """Refuse to publish under what is no address: it stands in every page, in the feed, and in robots.txt."""
    whole = base_url is None or (base_url.startswith(("https://", "http://")) and base_url.isprintable())
    if base_url and (not whole or not set(base_url).isdisjoint(" <>\"'\\`")):
        raise ArtifactError("base_url is not an http address", where=repr(base_url), hint="give https://HOST/PATH")
