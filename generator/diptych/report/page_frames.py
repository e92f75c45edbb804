"""What stands around every page: its title, the way back, its style and what it may load (nothing from elsewhere)."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from diptych.fast_named_tuple import NamedTuple
from diptych.report.writers.environment import static_text

if TYPE_CHECKING:
    from markupsafe import Markup

LINKED_POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'"


NAVIGATION = (
    ("Overview", "index.html"),
    ("Runs", "runs/index.html"),
    ("Tasks", "tasks/index.html"),
    ("Methods", "methods/index.html"),
    ("Manual", "manual/index.html"),
)
"""The same few links on every page of an archive, however many pages it has."""


class Crumb(NamedTuple):
    """One step of the way from the archive's index to here; the last has no link."""

    text: str
    href: str = ""


class Frame(NamedTuple):
    """Everything `base.html.j2` places. `head` holds the links or the style itself.

    `root` is the way up to the archive's first folder, None where the page stands alone.
    """

    title: str
    policy: str
    head: "Markup"
    crumbs: tuple[Crumb, ...] = ()
    navigation: "Markup | str" = ""
    foot: str = "Made by diptych. This page loads nothing from elsewhere."
    root: str | None = None


def linked_frame(title: str, root: str, crumbs: tuple[Crumb, ...] = (), *, extra_head: str = "") -> Frame:
    """Return the frame of a page in an archive; `root` is the way up to its first folder ("../../").

    `extra_head` is further HTML for the head that the caller has escaped.
    """
    from markupsafe import Markup, escape

    head = Markup(
        f'<link rel="stylesheet" href="{escape(root)}static/style.css">\n'
        f'<script src="{escape(root)}static/diptych.js" defer></script>\n{extra_head}'
    )
    return Frame(title, LINKED_POLICY, head, crumbs, navigation_html(root), root=root)


@lru_cache(64)
def navigation_html(root: str) -> "Markup":
    """Return the links to an archive's lists: the same on all pages of one depth, so put together once for each."""
    from markupsafe import Markup, escape

    return Markup("".join(f'<li><a href="{escape(root + page)}">{text}</a></li>\n' for text, page in NAVIGATION))


def whole_frame(title: str) -> Frame:
    """Return the frame of a page that is one file: the style inside, no script at all."""
    from markupsafe import Markup

    style = static_text("style.css")
    policy = f"default-src 'none'; style-src 'sha256-{style_digest()}'; img-src data:; base-uri 'none'"
    return Frame(title, policy, Markup(f"<style>{style}</style>"))


@cache
def style_digest() -> str:
    """Return the digest by which a one-file page allows its own style and no other."""
    from binascii import b2a_base64
    from hashlib import sha256  # paid for only where a page is made

    return b2a_base64(sha256(static_text("style.css").encode("utf-8")).digest(), newline=False).decode("ascii")
