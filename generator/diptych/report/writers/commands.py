"""A shell command broken into lines that still paste."""

from diptych.report.writers.columns import paragraph, width_of
from diptych.report.writers.harmless import visible


def command_lines(command: str, width: int) -> list[str]:
    """Return shell lines broken with backslashes, outside quotes, so that they can be run as they stand."""
    lines: list[str] = []
    for line in logical_lines(command):
        if line.startswith("#"):
            comment = paragraph(visible(line[1:].strip()), width - 2, "# ")
            lines += ["  " + (text if text.startswith("# ") else f"# {text[2:]}") for text in comment]
            continue
        indent = "  "
        while width_of(line) > width - 4 and (place := break_of(line, width - 4)):
            lines.append(f"{indent}{visible(line[:place])}{' ' if line[place] == ' ' else ''}\\")
            # a word goes on at the very beginning of the next line, an option stands below the first
            line, indent = (f"    {line[place:].strip()}", "  ") if line[place] == " " else (line[place:], "")
        lines += (indent + visible(line)).split("\n")  # what goes on inside quotes is not indented: it is text
    return lines


def logical_lines(command: str) -> list[str]:
    """Return a command's lines with continued ones joined; a line end inside quotes stays inside its line."""
    lines: list[str] = []
    for line in command.split("\n"):
        if lines and not lines[-1].startswith("#") and open_quote(lines[-1]):
            lines[-1] += f"\n{line}"
        elif lines and lines[-1].endswith("\\") and not lines[-1].startswith("#"):
            lines[-1] = f"{lines[-1][:-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return lines


def open_quote(text: str) -> str:
    """Return the quote that is open at the end of a shell's text, or nothing."""
    quote = ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
    return quote


def break_of(command: str, limit: int) -> int:
    """Return where to break a command outside quotes: the last option before `limit`, else after a comma.

    Where there is neither it is `limit` itself, and 0 inside quotes, where nothing may be broken.
    """
    quote = ""
    option = comma = 0
    for place, character in enumerate(command[:limit]):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif place > 5 and command.startswith(" --", place):
            option = place
        elif character == ",":
            comma = place + 1
    return option or comma or (0 if quote else limit)
