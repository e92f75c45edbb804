"""The parts that every report on a terminal is made of: sections, settings, findings, what is left out, a command."""

from collections.abc import Iterable

from diptych.comparison import Finding, LeftOut
from diptych.report import figures
from diptych.report.documents import comparison as views
from diptych.report.documents.causes import SettingView
from diptych.report.writers.columns import Ink, padded, paragraph, width_of
from diptych.report.writers.harmless import one_line, visible

VALUE_LINES = 3
"""Lines that one value of a setting may take."""


def section(title: str, lines: list[str], ink: Ink, note: str = "") -> list[str]:
    """Return a section under its title, or nothing where it is empty."""
    if not lines:
        return []
    return [ink(title, "bold") + (ink(f"  {note}", "quiet") if note else ""), *lines]


def aligned(title: str, texts: list[str], flush: bool = True) -> list[str]:
    """Return a column with its title, numbers with their points below each other, all of one width."""
    numbers = figures.align(texts, pad=" ", point=" ", left=" ") if flush else texts
    width = max(width_of(text) for text in (title, *numbers))
    return [padded(text, width, right=flush) for text in (title, *numbers)]


def setting_text(setting: SettingView, mark: str, width: int, ink: Ink, space: str = "     ") -> list[str]:
    """Return one setting: its key, both values, why it matters and what the samples say."""
    notes = [part for part in (setting.place, f"in {setting.tasks}" if setting.tasks else "") if part]
    key = one_line(setting.key)
    lines = paragraph(f"{key}  ({'; '.join(notes)})" if notes else key, width, mark)
    lines[0] = lines[0].replace(key, ink(key, "bold"), 1)
    for letter, value, note in (("A", setting.a, setting.a_note), ("B", setting.b, setting.b_note)):
        text = one_line(value) + (f"  ({note})" if note else "")
        lines += paragraph(text, width, f"{space}{letter}  ", VALUE_LINES)
    lines += paragraph(visible(setting.why), width, space)
    if setting.evidence:
        lines += paragraph(f"Samples: {visible(setting.evidence)}", width, space)
    return lines


def finding_lines(findings: Iterable[Finding], width: int, ink: Ink) -> list[str]:
    """Return the findings, the worst first, with the items that show them."""
    lines = []
    for finding in views.finding_views(findings):
        evidence = ", ".join(one_line(item) for item in finding.evidence)
        text = visible(finding.text) + (f" See {evidence}." if evidence else "")
        rows = paragraph(f"{finding.word}: {text}", width, "  ")
        style = {"error": "worse", "warning": "unclear"}.get(finding.severity, "quiet")
        rows[0] = rows[0].replace(f"{finding.word}:", ink(f"{finding.word}:", style), 1)
        lines += rows
    return lines


def left_out_lines(rows: Iterable[LeftOut], width: int) -> list[str]:
    """Return what the report does not show, or that nothing is left out."""
    texts = views.left_out_lines(rows) or ("Nothing.",)
    return [line for text in texts for line in paragraph(visible(text), width, "  ")]


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
