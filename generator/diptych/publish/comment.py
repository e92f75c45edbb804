"""Artifacts become one comment that a reviewer reads in ten seconds and can open further.

It orders and fits; what a comparison, a matrix or a decision says stands in the module of its name. Every text that
came out of an artifact is hostile here, also a sentence: an artifact may come from a stranger's fork.
"""

import datetime
from collections.abc import Mapping, Sequence
from functools import cache

from diptych import numbers
from diptych.artifact import digest, dumps
from diptych.catalogue.words import GATES, word_of
from diptych.comparison import Comparison, LeftOut, RunHeader
from diptych.decision import StudentDecision
from diptych.errors import ArtifactError, DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import Matrix
from diptych.publish.post import Mark, Stamp, comment_key, marker
from diptych.publish.untrusted_artifact import NOTE, names_as_code, untrusted_name, without_words
from diptych.repeats import Repeats
from diptych.report.addresses import artifact_title, page_of
from diptych.report.blocks import Document
from diptych.report.comment.budget import LIMITS, RESERVE, Block, length_for_forge, rows_that_fit
from diptych.report.comment.comment_words import Section, cells_row, run_line, running_text, table_head, unread
from diptych.report.documents.comparison import comparison_document
from diptych.report.documents.decision import decision_document
from diptych.report.documents.matrix import matrix_document
from diptych.report.documents.repeats import repeats_document
from diptych.report.documents.scores import counted_rows
from diptych.report.documents.summarise import outcome_of
from diptych.report.writers.comment import comment_parts, heading_html, running_line
from diptych.report.writers.environment import markdown_page
from diptych.report.writers.markdown import cell, code_html, shorten

Artifact = Comparison | StudentDecision | Matrix | Repeats


class Body(NamedTuple):
    """A comment's text, what had to be left out of it, and whether there is anything that a reader must hear of."""

    text: str
    left_out: tuple[LeftOut, ...]
    changed: bool


def comment(
    artifacts: Sequence[Artifact],
    *,
    forge: str = "github",
    archive_url: str | None = None,
    digests: Mapping[str, str] | None = None,
    key: str | None = None,
    stamp: Stamp | None = None,
    today: datetime.date | None = None,
    untrusted: bool = False,
    damaged: Sequence[str] = (),
) -> Body:
    """Return the comment of one or many artifacts, fitted to a forge (`github`, `gitlab`, `gitea`, `summary`).

    `digests` maps an artifact's id to the sha256 of its file; `key` makes the comment one that is found again and
    `stamp` says of which commit it speaks; `today` is the day from which the age of the runs is told. What an
    `untrusted` artifact says is not passed on: see untrusted_artifact.py. `damaged` names files that were left out.
    """
    what = comment_digest(artifacts, digests or {}, archive_url, damaged) if key else ""
    ranked = sorted(map(without_words if untrusted else commentable, artifacts), key=badness)
    sections = [section_of(artifact, today) for artifact in ranked]
    first = marker(Mark(comment_key(key), what, stamp or Stamp())) if key else ""
    if len(sections) == 1:
        blocks = [Block("kept", "lines of the verdict", sections[0].intro, least=3, apart=True), *sections[0].blocks]
    else:
        blocks = overview(ranked, sections, archive_url)
    if untrusted:
        blocks = with_names_as_code(blocks, ranked)
        blocks.insert(1, Block("kept", "", (NOTE,), least=1, apart=True))
    if damaged:
        names = [untrusted_name(name) for name in damaged] if untrusted else damaged
        blocks.insert(1, Block("kept", "", (unread(names),), least=1, apart=True))
    body = fitted(first, blocks, ranked, sections, forge, archive_url, stamp)
    return body._replace(changed=body.changed or bool(damaged))


def with_names_as_code(blocks: Sequence[Block], artifacts: Sequence[Artifact]) -> list[Block]:
    """Return blocks in which every name that artifacts from outside chose stands in code."""
    written = names_as_code(artifacts)
    return [
        block._replace(
            rows=tuple(written(text, "`", "`") for text in block.rows),
            head=written(block.head, "`", "`"),
            note=written(block.note, "`", "`"),
            title=written(block.title, "<code>", "</code>"),
        )
        for block in blocks
    ]


def commentable(artifact: Artifact) -> Artifact:
    """Return an artifact that a comment can speak of; any other is an error."""
    if isinstance(artifact, Comparison | StudentDecision | Matrix | Repeats):
        return artifact
    raise ArtifactError(
        "this is no artifact that a comment can speak of",
        where=type(artifact).__name__,
        hint="leave this artifact out",
    )


def brief(artifact: Artifact, room: int) -> str:
    """Return the verdict and as many of the worst changes as fit into so many characters, without folded parts."""
    section = section_of(artifact, None)
    kept: list[str] = []
    for text in section.intro:
        if sum(map(len, kept)) + 2 * len(kept) + len(text) <= room:
            kept.append(text)
    spent = sum(map(len, kept)) + 2 * len(kept)
    blocks = [block._replace(least=0) for block in section.blocks if block.kind in ("worse", "better")]
    counts = rows_that_fit(blocks, lambda place, count: len(draw_block(blocks[place], count)), spent, room)
    drawn = [draw_block(block, count).strip("\n") for block, count in zip(blocks, counts, strict=True) if count]
    return "\n\n".join([*kept, *drawn])


def section_of(artifact: Artifact, today: datetime.date | None) -> Section:
    """Return what one artifact has to say."""
    return document_section(document_of(artifact), artifact, runs_of(artifact), today)


def document_of(artifact: Artifact) -> Document:
    """Return an artifact's report."""
    if isinstance(artifact, Comparison):
        return comparison_document(artifact)
    if isinstance(artifact, StudentDecision):
        return decision_document(artifact)
    return matrix_document(artifact) if isinstance(artifact, Matrix) else repeats_document(artifact)


def document_section(
    document: Document,
    artifact: Artifact,
    runs: Sequence[tuple[str, RunHeader]],
    today: datetime.date | None,
) -> Section:
    """Return a Document as the parts of a comment."""
    parts = comment_parts(document)
    outcome = outcome_of(artifact.gates) if isinstance(artifact, Comparison | Matrix) else ""
    gate = word_of(GATES, outcome) if outcome else None
    return Section(
        sign=document.sign,
        word=running_text(document.word, 80),
        name=cell(artifact_title(artifact), 80),
        title=code_html(shorten(artifact_title(artifact), 80)),
        cause=cell(document.cause, 60) if document.cause else "–",
        worst=running_line(document.worst) or "–",
        changed=document.changed or outcome in ("fail", "inconclusive"),
        intro=parts.intro,
        blocks=parts.blocks,
        closing=tuple(run_line(name, run, today) for name, run in runs),
        left_out=tuple(f"{entry.what} ({numbers.count(entry.count_)})" for entry in artifact.left_out),
        gate=f"{gate.sign} {gate.word}" if gate else "",
        summary=f"{code_html(shorten(artifact_title(artifact), 80))}: {heading_html((shorten(document.word, 80),))}",
    )


def runs_of(artifact: Artifact) -> tuple[tuple[str, RunHeader], ...]:
    """Return the runs behind an artifact, the baseline first."""
    if isinstance(artifact, Comparison):
        return ("baseline", artifact.a), ("compared", artifact.b)
    if isinstance(artifact, StudentDecision):
        return ()
    return tuple((str(number), run) for number, run in enumerate(artifact.runs, 1))


def badness(artifact: Artifact) -> tuple[int, int, str, str]:
    """Return where an artifact stands among many: what went wrong first, then what moved, then the rest."""
    if isinstance(artifact, Comparison):
        worse = sum(row.status == "worse" for row in counted_rows(artifact.metrics))
        place = PLACES.get(artifact.verdict.kind, 9)
        moved_up = place == PLACES["different"] and not worse
        return (place + moved_up, -worse, artifact_title(artifact), artifact.id)
    return (9 if isinstance(artifact, Repeats) else 3, 0, artifact_title(artifact), artifact.id)


PLACES = {"not_a_measurement": 0, "not_comparable": 1, "different": 2, "unclear": 4, "equivalent": 5, "identical": 6}


def comment_digest(
    artifacts: Sequence[Artifact], digests: Mapping[str, str], archive_url: str | None, damaged: Sequence[str] = ()
) -> str:
    """Return the digest of what a comment is made from: it changes when the comment has something new to say."""
    parts = sorted(digests.get(artifact.id) or digest(dumps(artifact)) for artifact in artifacts)
    return comment_key("\n".join([*parts, archive_url or "", *damaged]))


def overview(artifacts: Sequence[Artifact], sections: Sequence[Section], archive_url: str | None) -> list[Block]:
    """Return one table over many artifacts, worst first, and each one's own part folded under it."""
    rows, gated = [], any(section.gate for section in sections)
    for artifact, section in zip(artifacts, sections, strict=True):
        cells = [section.sign, section.name, section.word, *([section.gate or "–"] if gated else [])]
        cells += [section.cause, section.worst]
        rows.append(cells_row(*cells, *([link_to(artifact, archive_url)] if archive_url else [])))
    count = len(sections)
    found = sum(section.changed for section in sections)
    heading = f"### {found} of {count} need a look" if found else f"### Nothing to look at in {count}"
    titles = (" ", "Compared", "Verdict", *(["Gates"] if gated else []), "Leading cause", "Worst change")
    titles += ("Page",) if archive_url else ()
    blocks = [
        Block("kept", "", (heading,), least=1, apart=True),
        Block("overview", "rows of the overview", tuple(rows), head=table_head(*titles), least=3),
    ]
    for section in sections:
        title = f"{section.sign} {section.summary or f'{section.title}: {section.word}'}"
        said = "\n\n".join([*section.intro[1:], *section.closing])
        blocks.append(Block("section", "parts", (said,), title=title, section="open", apart=True))
        blocks += [block._replace(least=0) for block in section.blocks]
        blocks.append(Block("close", "", (), section="close"))
    return blocks


def fitted(
    first: str,
    blocks: Sequence[Block],
    artifacts: Sequence[Artifact],
    sections: Sequence[Section],
    forge: str,
    archive_url: str | None,
    stamp: Stamp | None,
) -> Body:
    """Return the body with as many rows as the forge takes, and the sentence that says which are missing."""

    @cache
    def drawn(place: int, count: int) -> str:
        return draw_block(blocks[place], count)

    def size(place: int, count: int) -> int:
        closing = len("</details>\n\n") if blocks[place].section == "open" and count else 0
        return length_for_forge(drawn(place, count), forge) + closing

    link = link_to(artifacts[0], archive_url) if len(artifacts) == 1 else index_link(archive_url)
    closing_lines = sections[0].closing if len(sections) == 1 else ()
    fixed = length_for_forge(first + "".join(closing_lines) + left_out_sentence((), sections, link), forge) + RESERVE
    counts = rows_that_fit(blocks, size, fixed, LIMITS[forge])
    left_out = left_out_rows(blocks, counts)
    texts, opened = [], False
    for place, (block, count) in enumerate(zip(blocks, counts, strict=True)):
        if block.section == "open":
            opened = count > 0
        texts.append("</details>\n\n" if block.section == "close" and opened else drawn(place, count))
    gone = left_out_sentence(left_out, sections, link)
    speaks_of = " · ".join(part for part in (commit_of(stamp), maker_of(artifacts), link) if part)
    text = markdown_page(
        "comment.md.j2",
        marker=first,
        parts=texts,
        closing="<br>\n".join(part for part in (*closing_lines, gone, speaks_of) if part),
    )
    return Body(text, left_out, any(section.changed for section in sections))


def draw_block(block: Block, count: int) -> str:
    """Return a block's Markdown with its first `count` rows; one without rows is nothing at all."""
    if not count:
        return ""
    return markdown_page("comment_block.md.j2", block=block, rows=block.rows[:count])


def left_out_rows(blocks: Sequence[Block], counts: Sequence[int]) -> tuple[LeftOut, ...]:
    """Return what was left out, one entry a kind of row."""
    whole: dict[str, list[int]] = {}
    for block, count in zip(blocks, counts, strict=True):
        if not block.what:
            continue
        entry = whole.setdefault(block.what, [0, 0])
        total = block.total if block.total is not None else len(block.rows)
        entry[0] += total - count
        entry[1] += total
    why = "the comment's room"
    return tuple(LeftOut(f"{gone} of {total} {what}", gone, why) for what, (gone, total) in whole.items() if gone)


def left_out_sentence(left_out: Sequence[LeftOut], sections: Sequence[Section], link: str) -> str:
    """Return the line that says what a reader does not see here, and where it stands."""
    said = [entry.what for entry in left_out]
    said += [running_text(text, 80) for text in sections[0].left_out] if len(sections) == 1 else []
    if not said:
        return ""
    place = f": {link}" if link else "; the artifact holds what this comment does not"
    return f"Left out: {', '.join(said[:12])}{' and more' if len(said) > 12 else ''}{place}."


def link_to(artifact: Artifact, archive_url: str | None) -> str:
    """Return the link to an artifact's page, or nothing where the archive's address is not known."""
    return f"[full page]({address(archive_url)}/{page_of(artifact)})" if archive_url else ""


def index_link(archive_url: str | None) -> str:
    """Return the link to the archive's first page."""
    return f"[all pages]({address(archive_url)}/index.html)" if archive_url else ""


def address(url: str | None) -> str:
    """Return an archive's address as it may stand in a link: http(s), every other sign as its number."""
    from urllib.parse import quote

    text = (url or "").strip().rstrip("/")
    if not text.startswith(("https://", "http://")):
        raise DiptychError("not an http address", where=repr(url), hint="give --archive-url https://…")
    return quote(text, safe=":/?&=%~+,;@-._")


def maker_of(artifacts: Sequence[Artifact]) -> str:
    """Return which version made the artifacts."""
    versions = sorted({artifact.provenance.diptych_version for artifact in artifacts})
    return f"diptych {', '.join(cell(version, 20) for version in versions[:3])}"


def commit_of(stamp: Stamp | None) -> str:
    """Return of which commit the comment speaks."""
    return f"commit {cell(stamp.commit[:12])}" if stamp and stamp.commit else ""
