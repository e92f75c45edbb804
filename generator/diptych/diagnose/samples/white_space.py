"""White space, seen or unseen: a text without it, and how that of two texts differs."""

ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"

NAMES: tuple[tuple[str, str], ...] = (
    ("\ufeff", "byte order marks"),
    ("\u200b", "zero-width spaces"),
    ("\u200c", "zero-width non-joiners"),
    ("\u200d", "zero-width joiners"),
    ("\u2060", "word joiners"),
    ("\u00a0", "no-break spaces"),
    ("\u202f", "narrow no-break spaces"),
    ("\u3000", "wide spaces"),
    ("\r", "carriage returns (CR LF line ends)"),
    ("\t", "tabs"),
)
"""White space that no eye sees, and what it is called."""


def squeezed(text: str) -> str:
    """Return a text without any white space, seen or unseen."""
    if not text.isascii():
        for sign in ZERO_WIDTH:
            text = text.replace(sign, "")
    return "".join(text.split())


def white_space_apart(a: str, b: str) -> str:
    """Return which white space differs, by name."""
    names = [
        f"{name} ({a.count(sign)} in A, {b.count(sign)} in B)" for sign, name in NAMES if a.count(sign) != b.count(sign)
    ]
    if names:
        return ", ".join(names)
    if a.rstrip() == b.rstrip():
        longer, side = (a, "A") if len(a) > len(b) else (b, "B")
        return f"only {side} has {'a line break' if longer.endswith(chr(10)) else 'a space'} at the end"
    if a.lstrip() == b.lstrip():
        return "white space at the beginning"
    return "the line breaks are not the same" if a.count("\n") != b.count("\n") else "the spaces are not the same"
