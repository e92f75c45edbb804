"""Mistakes that a user can mend: what is wrong, where, and what to do about it.

Anything that is not a `DiptychError` is a bug and shows its traceback.
"""

from diptych.secrets import safe


class DiptychError(Exception):
    """A mendable mistake.

    `message` says what is wrong, `where` names the place (`path:line` or `path@byte`),
    `hint` what to do next. No secret stands in any of them, whoever wrote the text.
    """

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        self.message = safe(message)
        self.where = safe(where)
        self.hint = safe(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class RunError(DiptychError):
    """A run cannot be read, or is not one."""


class LogChanged(RunError):
    """A sample log was written to since its index was made, so that its rows cannot be read back; `log` is that log."""

    def __init__(self, message: str, *, where: str = "", hint: str = "", log: object = None) -> None:
        super().__init__(message, where=where, hint=hint)
        self.log = log


class ManifestError(DiptychError):
    """A manifest asks for something that it may not, or is not readable."""


class ArtifactError(DiptychError):
    """A file is not an artifact of ours, or was written by a newer version."""


class LabbookError(DiptychError):
    """The notebook cannot be read or appended to."""


class StudentsError(DiptychError):
    """A students' results file, a tasks file or a judgement cannot be used."""


class EndpointError(DiptychError):
    """A model's endpoint does not answer as it must."""


class ForgeError(DiptychError):
    """A forge refuses a comment; `kind` says in one word why."""

    def __init__(self, message: str, *, where: str = "", hint: str = "", kind: str = "") -> None:
        super().__init__(message, where=where, hint=hint)
        self.kind = kind
