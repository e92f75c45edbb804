"""What a notebook or a script calls: read runs, compare them, and show what came out.

import diptych
made = diptych.compare("before=runs/monday", "after=runs/tuesday")
print(diptych.text(made))
"""

from typing import Any

from diptych.comparison import Comparison
from diptych.diagnose.options import Options
from diptych.matrix import Matrix
from diptych.run import Run


def read(run: str, label: str | None = None) -> Run:
    """Return the run at `path`, `path@DATE` or `label=path`; raises a `RunError` for what is none."""
    from diptych.harness.reader import read_run, split_label

    given, place = split_label(run)
    return read_run(place, label or given)


def compare(*runs: str | Run, **options: Any) -> Comparison | Matrix:
    """Return the comparison of two runs, or the matrix of more, each held against the first.

    A run is a place as `read` takes it, or one that was read. The options are those of a manifest's comparison:
    `title`, `margin`, `samples`, `flips`, `primary`, `clusters`, `match_tasks`. Raises a `DiptychError` for the name of
    a task or metric that none of the runs has.
    """
    from diptych.diagnose.compare_many import compare_many
    from diptych.diagnose.known_names import check_names
    from diptych.diagnose.pipeline import compare_runs

    found = [run if isinstance(run, Run) else read(run) for run in runs]
    given = Options(**options)
    check_names(found, given.primary, given.clusters)
    return compare_runs(found[0], found[1], given) if len(found) == 2 else compare_many(found, given)


def load(path: str) -> Any:
    """Return the artifact that a file holds: a comparison, a matrix, repeats or a decision."""
    from diptych.artifact import loads
    from diptych.storage import read_text

    return loads(read_text(path), where=path)


def save(made: Any, path: str) -> None:
    """Write an artifact to a file, the same bytes as the command's `--out`."""
    from diptych.artifact import dumps
    from diptych.storage import write_text

    write_text(path, dumps(made))


def rows(made: Comparison) -> list[dict[str, Any]]:
    """Return the scores of a comparison, a row a metric with its estimate: `pandas.DataFrame(rows(made))`."""
    from diptych.publish.export import metric_table

    names, found = metric_table(made)
    return [dict(zip(names, row, strict=True)) for row in found]


def text(made: Any, width: int = 80) -> str:
    """Return an artifact as a terminal shows it, whole and without colour."""
    from diptych.publish.comment import document_of
    from diptych.report.writers.terminal import document_text

    return document_text(document_of(made), width, False, True)


def markdown(made: Any) -> str:
    """Return an artifact as a comment on a pull request."""
    from diptych.publish.comment import comment

    return comment([made]).text


def html(made: Any) -> str:
    """Return an artifact as one page that needs no other file: `IPython.display.HTML` shows it, a browser opens it."""
    from diptych.artifact import digest, dumps
    from diptych.publish.notebook import one_file_page

    return one_file_page(made, digest(dumps(made)))
