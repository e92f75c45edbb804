"""diptych: two evaluation runs side by side, and why their scores differ."""

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would cost every command's start
    from typing import Any

DOOR = frozenset(("compare", "html", "load", "markdown", "read", "rows", "save", "text"))
"""What `import diptych` offers; `diptych.api` holds it, and is imported when the first of it is used."""


def __getattr__(name: str) -> "Any":
    """Return what the package offers by name."""
    if name in DOOR:
        from importlib import import_module

        return getattr(import_module("diptych.api"), name)
    if name == "__version__":
        from diptych.version import VERSION

        return VERSION
    raise AttributeError(f"module 'diptych' has no attribute {name!r}")
