"""What a next step is chosen from, and the step itself."""

from collections.abc import Sequence

from diptych.comparison import IsolatingRun
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.verdict.caveats import Caveats
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.run_labels import Labels, run_labels
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run

NO_RUN = frozenset({"items", "seed", "transport", "nothing"})
"""Ways of acting that no further run has to settle: the files answer already, or a repeat does."""


class NextStep(NamedTuple):
    """The text of the next step, the run that it asks for (None: none), and whether that run is B."""

    text: str
    run: IsolatingRun | None = None
    exists: bool = False


class Case(NamedTuple):
    """Everything that is known of two runs once the verdict is drawn; `held` are all recorded differences.

    `sent`: what was sent differs, and nothing that leads makes it differ. `beside` is what is said beside the kind.
    """

    ruling: Ruling
    conclusion: Conclusion
    held: Sequence[Hypothesis]
    beside: Caveats
    evidence: Evidence
    sent: bool
    a: Run
    b: Run

    @property
    def labels(self) -> Labels:
        """What the two runs are called."""
        return run_labels(self.a, self.b)

    @property
    def acting(self) -> list[Hypothesis]:
        """The differences that can have acted and are no copies of others."""
        return acting_of(self.held)

    @property
    def said_drawn(self) -> bool:
        """Whether the verdict says already that both sides draw their answers."""
        return self.beside.heat is not None and self.ruling.ground == "statuses"

    @property
    def unexplained(self) -> bool:
        """Whether scores were compared and nothing is shown to have moved them."""
        return self.conclusion.certainty in ("none", "possible") and self.ruling.ground == "statuses"


def acting_of(held: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the differences that can have acted and are no copies of others."""
    return [one for one in held if bearing_over_tasks(one)[0] != "cannot" and not one.follows]


def runs_code(task: str, case: Case) -> bool:
    """Say whether the responses of a task are programs, which are scored by being run."""
    unsafe = any(run.configs.get(task, {}).get("unsafe_code") is True for run in (case.a, case.b))
    return unsafe or any(row.task == task and row.metric.startswith("pass@") for row in case.ruling.rows)
