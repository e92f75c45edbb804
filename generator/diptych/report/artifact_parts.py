"""What the page of every artifact has: its place, its findings, what it leaves out, where it comes from."""

from typing import Any, NamedTuple

from diptych import numbers
from diptych.comparison import Finding, LeftOut
from diptych.report.frames import Frame


class Place(NamedTuple):
    """Where an artifact's pages stand, and what stands around them: the frame, the digest, links to its runs."""

    frame: Frame
    digest: str
    runs: tuple[tuple[str, str], ...]


def finding_rows(findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    """Return findings, worst first: severity, its word, the sentence."""
    order = {"error": 0, "warning": 1, "note": 2}
    rows = sorted(findings, key=lambda finding: order.get(finding.severity, 3))
    return [(finding.severity, finding.severity.capitalize(), finding.text) for finding in rows]


def left_out_rows(left_out: tuple[LeftOut, ...]) -> list[str]:
    """Return what is left out, a sentence each."""
    return [f"{numbers.count(item.count_)} {item.what}: {item.why}" for item in left_out]


def provenance_rows(artifact: Any, digest: str) -> list[tuple[str, str]]:
    """Return what made an artifact: its id and digest, the version, the options, the inputs by sha256."""
    made = artifact.provenance
    rows = [("id", artifact.id), ("sha256 of artifact.json", digest), ("made by", f"diptych {made.diptych_version}")]
    rows += [(name.replace("_", " "), numbers.value(value)) for name, value in sorted(made.options.items())]
    return rows + [(item.name, item.sha256) for item in made.inputs]
