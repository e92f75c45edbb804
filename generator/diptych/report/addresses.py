"""Where each page of an archive stands, told by the artifact alone: a comment can link to a page not yet built."""

import re
import unicodedata
from typing import Any

from diptych.catalogue.side_labels import versus

FOLDERS = {"Comparison": "comparisons", "StudentDecision": "decisions", "Matrix": "matrices", "Repeats": "repeats"}


def slug(text: str, limit: int = 48) -> str:
    """Return a text as a folder's name: lower case letters, digits and single hyphens, cut between words."""
    plain = unicodedata.normalize("NFKD", text[:400]).encode("ascii", "ignore").decode("ascii").lower()
    whole = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(whole) <= limit:
        return whole
    end = whole.rfind("-", 0, limit + 1)
    return whole[: end if end > limit // 2 else limit].strip("-")


def folder_name(text: str, digest: str) -> str:
    """Return a folder's name that a person can read and that two things never share."""
    return "-".join(part for part in (slug(text), slug(digest)[:12]) if part) or "unnamed"


def artifact_title(artifact: Any) -> str:
    """Return what an artifact is called: its own title, else who is compared with whom."""
    if artifact.title:
        return str(artifact.title)
    match type(artifact).__name__:
        case "Comparison":
            return versus(artifact.a.label, artifact.b.label)
        case "StudentDecision":
            return " or ".join(route.name for route in artifact.routes)
        case _:
            return ", ".join(run.label for run in artifact.runs)


def folder_of(artifact: Any) -> str:
    """Return the folder of a comparison's, decision's or matrix's pages inside an archive ("decisions/NAME-ID")."""
    return f"{FOLDERS[type(artifact).__name__]}/{folder_name(artifact_title(artifact), artifact.id)}"


def page_of(artifact: Any) -> str:
    """Return the address of an artifact's first page inside an archive."""
    return f"{folder_of(artifact)}/index.html"


def relative(target: str, page: str) -> str:
    """Return the link from one page of an archive to another ("../../index.html")."""
    there, here = target.split("/"), page.split("/")[:-1]
    while there[:-1] and here and there[0] == here[0]:
        there, here = there[1:], here[1:]
    return "../" * len(here) + "/".join(there)


def root_of(page: str) -> str:
    """Return the way from a page up to the archive's first folder ("../../", or "" there)."""
    return "../" * page.count("/")
