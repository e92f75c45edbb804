"""A file's JSON, or one error that says where it breaks and what to do."""

import json

from diptych.errors import DiptychError, RunError
from diptych.harness.values import load
from diptych.run import Json
from diptych.secrets import mask_text
from diptych.storage import read_bytes


class DamagedFile(RunError):
    """A file that should hold a run, and cannot be read: cut off, torn, no text."""


def parse_file(path: str) -> Json:
    """Parse a results file; a `DamagedFile` names the line where it breaks."""
    where, _ = mask_text(path)
    try:
        data = read_bytes(path)
    except DiptychError as error:
        raise DamagedFile(error.message, where=where, hint=error.hint) from error
    try:
        return load(data)
    except UnicodeDecodeError as error:
        raise DamagedFile(
            "not UTF-8 text", where=f"{where}@{error.start}", hint="write the results again, or convert the file"
        ) from error
    except json.JSONDecodeError as error:
        cut = error.pos >= len(error.doc.rstrip()) - 1
        message = "the file is cut off: its JSON does not end" if cut else f"not JSON ({error.msg.lower()})"
        raise DamagedFile(
            message, where=f"{where}:{error.lineno}", hint="copy or write the results file again"
        ) from error
    except RecursionError as error:
        raise DamagedFile(
            "nests too deeply to be a results file", where=where, hint="no harness writes such a file"
        ) from error
    except ValueError as error:
        raise DamagedFile("holds a number too long to read", where=where, hint="write the results again") from error
