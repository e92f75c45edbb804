"""`diptych comment`, `attach`, `verify` and `export`: artifacts go to where people are."""

import os
from typing import Any

import click

from diptych.cli import EXIT_MENDABLE, EXIT_NOT_POSTED, plain_line
from diptych.cli.output import leave, note, result
from diptych.diagnose.options import FAIL_ON
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple

FAILED = ".failed.json"
"""How the note of a failed job is called."""

FORGES = ("github", "gitlab", "gitea", "summary")


class Loaded(NamedTuple):
    """The artifacts of some files, the sha256 of each by its id, and why those that cannot be read cannot."""

    artifacts: list[Any]
    digests: dict[str, str]
    damaged: list[tuple[str, DiptychError]]


def loaded(paths: tuple[str, ...]) -> Loaded:
    """Return the artifacts of files (a folder gives all that lie in it); an error where none can be read.

    The notes of failed jobs, which lie among them, are none.
    """
    from diptych import artifact
    from diptych.errors import ArtifactError
    from diptych.storage import read_text

    files: list[str] = []
    for path in paths:
        inside = sorted(os.listdir(path)) if os.path.isdir(path) else []
        files += [os.path.join(path, name) for name in inside if is_artifact(name)] or [path]
    files = [file for file in files if not file.endswith(FAILED)] or files
    found = Loaded([], {}, [])
    for file in files:
        if os.path.isdir(file):
            raise ArtifactError("holds no artifact", where=file, hint="make some with `diptych batch`")
        try:
            text = read_text(file)
            made = artifact.loads(text, where=file)
        except DiptychError as error:
            found.damaged.append((file, error))
            continue
        found.artifacts.append(made)
        found.digests[made.id] = artifact.digest(text)
    if found.damaged and not found.artifacts:
        raise found.damaged[0][1]
    return found


def is_artifact(name: str) -> bool:
    """Say whether a file of a folder of artifacts is one."""
    return name.endswith(".json") and not name.endswith(FAILED) and not name.startswith(".")


@click.command("comment")
@click.argument("artifacts", nargs=-1, required=True)
@click.option("--forge", type=click.Choice(FORGES), help="Whose limits and Markdown; the CI's own where not given.")
@click.option("--archive-url", help="Where the archive of these artifacts is published, for links.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the Markdown here instead of to stdout.")
@click.option("--key", default="diptych", show_default=True, help="Tells several comments on one request apart.")
@click.option("--post", "posting", is_flag=True, help="Post it, or update the one that was posted before.")
@click.option(
    "--pr", "number", type=click.IntRange(1, 10**12), help="The pull or merge request; found in the CI's environment."
)
@click.option("--repo", help="OWNER/NAME; found in the CI's environment.")
@click.option("--api", help="The forge's API address; found in the CI's environment.")
@click.option("--author", help="The login that our comments are written under, where the token cannot tell.")
@click.option("--on-change-only", is_flag=True, help="Say nothing where nothing worth it was found.")
@click.option("--new", is_flag=True, help="Write another comment beside the one that is there.")
@click.option(
    "--untrusted/--trusted",
    default=None,
    help="Pass on no word of the artifacts; as the CI tells where not given: untrusted from a fork.",
)
@click.option(
    "--fail-on",
    "rules",
    multiple=True,
    type=click.Choice((*FAIL_ON, "gate")),
    help="Exit 3, after the comment, where this is found; gate: one that an artifact records (6: cannot tell).",
)
def comment_command(
    artifacts: tuple[str, ...],
    forge: str | None,
    archive_url: str | None,
    out: str | None,
    key: str,
    posting: bool,
    number: int | None,
    repo: str | None,
    api: str | None,
    author: str | None,
    on_change_only: bool,
    new: bool,
    untrusted: bool | None,
    rules: tuple[str, ...],
) -> None:
    """Write, and post, a pull request's comment.

    Example: diptych comment site/artifacts/quantisation.json --forge github
    """
    from diptych.publish.ci_environment import checked_state, forge_of, from_outside
    from diptych.publish.comment import comment

    found = loaded(artifacts)
    for _, error in found.damaged:
        note(f"left out: {error}")
    kind = forge or (forge_of(os.environ) if posting else "github")
    body = comment(
        found.artifacts,
        forge=kind,
        archive_url=archive_url,
        digests=found.digests,
        damaged=[os.path.basename(file) for file, _ in found.damaged],
        key=key if posting else None,
        stamp=checked_state(os.environ) if posting else None,
        today=today(),
        untrusted=from_outside(os.environ) if untrusted is None else untrusted,
    )
    if out:
        from diptych.storage import write_text

        write_text(out, body.text)
    if posting:
        place = {"forge": kind, "number": number, "repo": repo, "api": api, "author": author}
        posted(body, place, on_change_only=on_change_only, new=new)
    elif not out:
        result(body.text)
    judged = gates_over(found.artifacts, rules)
    leave(damaged=bool(found.damaged), fired=judged["fail"], undecided=judged["inconclusive"])


def gates_over(artifacts: list[Any], rules: tuple[str, ...]) -> dict[str, list[str]]:
    """Return what each outcome of some rules has, over every comparison; a comment is never lost to a gate.

    The rule "gate" asks for the outcomes that the artifacts hold of their own gates.
    """
    told: dict[str, list[str]] = {"pass": [], "fail": [], "inconclusive": []}
    if not rules:
        return told
    from diptych.comparison import Comparison
    from diptych.diagnose.gates import gates, matrix_gates
    from diptych.diagnose.options import Options
    from diptych.matrix import Matrix
    from diptych.report.addresses import artifact_title

    asked = Options(fail_on=tuple(rule for rule in rules if rule != "gate"))
    judged: list[tuple[Any, Any]] = [
        (made, gates(asked, made.metrics, made.flip_counts, made.verdict.kind))
        for made in artifacts
        if isinstance(made, Comparison)
    ]
    judged += [(made, matrix_gates(asked.fail_on, made)) for made in artifacts if isinstance(made, Matrix)]
    if "gate" in rules:
        judged += [(made, made.gates) for made in artifacts if isinstance(made, Comparison | Matrix)]
    for made, found in judged:
        for gate in found:
            told[gate.result].append(f"{artifact_title(made)}: {gate.rule}: {gate.text}")
    return told


def today() -> Any:
    """Return today's date: the day from which a comment tells the age of its runs."""
    import datetime

    from diptych.publish.archive_sources import source_date

    given = source_date()
    return datetime.date.fromisoformat(given[:10]) if given else datetime.datetime.now(datetime.UTC).date()


def posted(body: Any, place: dict[str, Any], *, on_change_only: bool, new: bool) -> None:
    """Post a comment; one that cannot be posted is kept, and the exit code is 4, never that of a gate."""
    from diptych.errors import DiptychError
    from diptych.publish.ci_environment import posting_target
    from diptych.publish.post import keep, post

    try:
        done = post(
            body.text, posting_target(os.environ, **place), changed=body.changed, on_change_only=on_change_only, new=new
        )
    except DiptychError as error:
        note(keep(body.text, error, path="diptych-comment.md", environ=os.environ))
        raise SystemExit(EXIT_NOT_POSTED) from error
    doubles = f", {done.removed} doubles removed" if done.removed else ""
    result(f"{done.action.replace('_', ' ')}{doubles} {done.url}".rstrip())


@click.command("attach")
@click.argument("artifact")
@click.option("--labbook", type=click.Path(dir_okay=False), help="The notebook.")
@click.option("--entry", metavar="RUN_ID", help="The entry that the report belongs to.")
@click.option("--print", "printing", is_flag=True, help="Print the Markdown block for pasting; write nothing.")
def attach_command(artifact: str, labbook: str | None, entry: str | None, printing: bool) -> None:
    """Attach a report to a lab notebook.

    Example: diptych attach site/artifacts/quantisation.json --labbook notes.md
    """
    from diptych import artifact as hinge
    from diptych.publish.notebook import attach, attachment
    from diptych.storage import read_text

    text = read_text(artifact)
    made = hinge.loads(text, where=artifact)
    date = today().isoformat()
    if printing:
        result(attachment(text, made, date=date, entry=entry).block)
        return
    if not labbook:
        raise click.UsageError("--labbook is missing (or --print)")
    done = attach(text, made, labbook, date=date, entry=entry)
    word = "attached" if done.added else "attached already"
    result(f"{word}: {done.folder}\n{done.citation}")


@click.command("verify")
@click.argument("paths", nargs=-1, required=True)
def verify_command(paths: tuple[str, ...]) -> None:
    """Verify the checksums of an attachment.

    Example: diptych verify notes.md
    """
    from diptych.publish.notebook import verify

    held = [each for path in paths for each in verify(path)]
    for each in held:
        result(plain_line(f"{'ok' if each.good else 'CHANGED':<8} {each.name}: {each.said}"))
    if not all(each.good for each in held):
        raise SystemExit(EXIT_MENDABLE)


@click.command("export")
@click.argument("artifact")
@click.option("--csv", "forms", flag_value="csv", multiple=True, help="The scores as CSV.")
@click.option("--items", "forms", flag_value="items", multiple=True, help="The changed items as CSV.")
@click.option("--junit", "forms", flag_value="junit", multiple=True, help="The scores as JUnit XML, for CI panels.")
@click.option("--svg", "forms", flag_value="svg", multiple=True, help="Every plot as SVG into --out, a folder.")
@click.option("--png", "forms", flag_value="png", multiple=True, help="Every plot as PNG into --out, a folder.")
@click.option("--out", type=click.Path(), help="A file for one table; a folder for plots and for several forms.")
def export_command(artifact: str, forms: tuple[str, ...], out: str | None) -> None:
    """Write CSV, JUnit, SVG or PNG from an artifact.

    Example: diptych export site/artifacts/quantisation.json --csv
    """
    from diptych.publish import export
    from diptych.storage import write_bytes, write_text

    (made,) = loaded((artifact,)).artifacts
    plots = [form for form in forms if form in ("svg", "png")]
    if not forms or (out is None and (plots or len(forms) > 1)):
        raise click.UsageError(
            "give --csv, --items, --junit, --svg or --png (plots and several forms with --out FOLDER)"
        )
    for form in forms:
        if form in plots:
            drawn = export.plots(made)
            if not drawn:
                raise DiptychError(
                    "this artifact has no plot", hint="a comparison has one of its differences, a decision of its costs"
                )
            for name, svg in drawn.items():
                path = os.path.join(str(out), name if form == "svg" else name.replace(".svg", ".png"))
                write_bytes(path, svg.encode("utf-8") if form == "svg" else export.png_bytes(svg))
                result(path)
            continue
        text, name = export.table(made, form)
        if out is None:
            result(text)
        else:
            write_text(out if len(forms) == 1 else os.path.join(out, name), text)
