"""What is to be said of one side's answers in one task: a finding a fault, with its count."""

from diptych.closed_names import FindingKind, Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.responses import NEARLY_ALL, AnswerLedger
from diptych.sides import Side

RULES: tuple[tuple[FindingKind, str, float, float, str], ...] = (
    ("answers_empty", "empty", 0.0, 0.1, "are empty"),
    ("answers_cut", "cut", 0.1, 0.5, "appear truncated at max_gen_toks"),
    ("answers_loop", "looping", 0.05, 0.2, "repeat one phrase to the end"),
    ("answers_thinking_open", "thinking_open", 0.0, 0.2, "open a thought and never close it"),
    ("answers_refused", "refused", 0.05, 0.3, "are refusals"),
)
"""Finding kind, the fault it counts, the share above which it is said, above which it warns, and its words."""


def is_tail(empty: int, last: int, of: int) -> bool:
    """Say whether all empty answers are the last ones of a run: something ended while it ran."""
    return FEWEST_LAST <= empty == last < of


FEWEST_LAST = 3


def fault_findings(
    task: str, side: Side, ledger: AnswerLedger, truncated: int = 0, more: bool = False
) -> list[Finding]:
    """Return the findings on one side's answers in one task.

    `truncated` counts the cut ones, by the other side's too; with `more` there may be more than these.
    """
    found = []
    for kind, fault, least, warning, clause in RULES:
        count = max(ledger.counts[fault], truncated) if fault == "cut" else ledger.counts[fault]
        if count and count >= least * ledger.of:
            severity: Severity = "warning" if count >= warning * ledger.of else "note"
            if kind != "answers_refused" and ledger.counts[fault] >= NEARLY_ALL * ledger.of:
                severity = "error"
            advice = "" if severity == "note" else ADVICE.get(kind, "")
            if fault == "empty" and is_tail(count, ledger.last_empty, ledger.of):
                advice = ": the last ones of the run, all of them"
            number = f"At least {count}" if fault == "cut" and more else f"{count}"
            text = f"{number} of {ledger.of} answers of {side.upper()} in {task} {clause}{advice}."
            found.append(Finding(kind, severity, text, side, task, count, ledger.of, tuple(ledger.evidence[fault])))
    if ledger.broken >= NEARLY_ALL * ledger.of and ledger.of and not any(one.severity == "error" for one in found):
        text = (
            f"{ledger.broken} of {ledger.of} answers of {side.upper()} in {task} are broken in one way or another: "
            "empty, cut, endless or unfinished."
        )
        found.append(Finding("answers_broken", "error", text, side, task, ledger.broken, ledger.of))
    return found


ADVICE = {
    "answers_empty": (
        ": the text may have gone into a reasoning channel that is not read, or the budget ended before the answer"
    ),
    "answers_thinking_open": ", so the answer itself never came",
}
"""What a reader should think of beside the count."""
