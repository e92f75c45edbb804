"""The door to logs of inspect_ai: what is one, and what its head says; the rest is imported when a log is read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from diptych.errors import RunError
from diptych.harness.foreign_files import ZIP, is_eval
from diptych.harness.parse_json import Header, RecordedFile, Wanted
from diptych.run import Run

if TYPE_CHECKING:
    from diptych.plan import Command, Plan


class InspectReader:
    """Reads logs of inspect_ai; the logs that one call of it wrote into one folder are one run, a log a task."""

    name = "inspect_ai"

    def sniff(self, file: RecordedFile) -> bool:
        """Say whether a file is a log: an archive by its members, JSON by its keys."""
        if file.start.startswith(ZIP):
            return is_eval(file)
        document = file.document
        return isinstance(document, dict) and "eval" in document and not {"plan", "status"}.isdisjoint(document)

    def header(self, file: RecordedFile) -> Header:
        """Return what the head of a log says."""
        head = self.head(file)
        spec = head["eval"]
        packages = spec.get("packages")
        version = packages.get("inspect_ai") if isinstance(packages, dict) else None
        call, model = spec.get("run_id"), spec.get("model")
        return Header(
            model=model if isinstance(model, str) else None,
            version=version if isinstance(version, str) else None,
            tasks=(str(spec.get("task", "task")),),
            started=str(spec["created"])[:19] if spec.get("created") else None,
            group=f"{call} {model}" if isinstance(call, str) else "",
        )

    def head(self, file: RecordedFile) -> Mapping[str, Any]:
        """Return a log without its samples. Raises `RunError` for what has no head."""
        from diptych.harness.inspect_ai.archive import head_of

        head = head_of(file)
        if not isinstance(head.get("eval"), dict):
            raise RunError("a log without what was evaluated", where=file.path, hint="write the log again")
        return head

    def read(self, wanted: Wanted) -> Run:
        """Return the run of a log and of those of the same call beside it."""
        from diptych.harness.inspect_ai.runs import run_of

        files = {self.header(each).tasks[0]: each for each in (*wanted.beside, wanted.file)}
        heads = [(each, self.head(each)) for each in files.values()]
        return run_of(heads, self.header(wanted.file), wanted.label, wanted.near)

    def command(self, plan: "Plan", folder: str) -> "Command":
        """Return how inspect_ai is told a plan."""
        from diptych.harness.inspect_ai.commands import command

        return command(plan, folder)
