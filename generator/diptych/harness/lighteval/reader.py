"""The door to results of lighteval: what is one, and what its head says; the rest is imported when one is read."""

from typing import TYPE_CHECKING

from diptych.harness.locate import date_of, stamp_of
from diptych.harness.parse_json import Header, RecordedFile, Wanted
from diptych.run import Run

if TYPE_CHECKING:
    from diptych.plan import Command, Plan


class LightevalReader:
    """Reads results of lighteval, and the details that were saved with them."""

    name = "lighteval"

    def sniff(self, file: RecordedFile) -> bool:
        """Say whether a file is results: they have a general configuration of their own, and rows by `task|shots`.

        Leaderboards add one to results of lm-evaluation-harness, which keep its own tables.
        """
        document = file.document
        if not isinstance(document, dict) or not document.keys().isdisjoint(("lm_eval_version", "n-shot", "configs")):
            return False
        return "config_general" in document and "results" in document

    def header(self, file: RecordedFile) -> Header:
        """Return what the head of a results file says."""
        from diptych.harness.lighteval.runs import lighteval_model, own_task_names

        stamp = stamp_of(file.path)
        return Header(
            model=lighteval_model(file.document),
            version=None,
            tasks=tuple(own_task_names(file.document).values()),
            started=date_of(stamp) if stamp else None,
        )

    def read(self, wanted: Wanted) -> Run:
        """Return the run of a results file."""
        from diptych.harness.lighteval.runs import run_of

        return run_of(wanted.file, wanted.label, wanted.near)

    def command(self, plan: "Plan", folder: str) -> "Command":
        """Return how lighteval is told a plan."""
        from diptych.harness.lighteval.commands import command

        return command(plan, folder)
