"""Which tasks' scores measure nothing, or too little, by what their answers and logs show: one table for all rooms."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from diptych.closed_names import FindingKind, Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.answer_facts import Constant, StoppedThoughts
from diptych.diagnose.samples.evidence import Invalid
from diptych.diagnose.samples.responses import NEARLY_ALL, AnswerLedger
from diptych.diagnose.samples.row_pairs import Pairs
from diptych.diagnose.samples.task_walk import Walk
from diptych.diagnose.samples.unpaired_items import declared, lacks
from diptych.logged_values import DAMAGED, damage_text
from diptych.run import Run
from diptych.sides import SIDES, Side, Sided, each_side

WORDS = {
    "answers_empty": "are empty",
    "answers_cut": "appear truncated at max_gen_toks",
    "answers_loop": "repeat one phrase without end",
    "answers_thinking_open": "open a thought and never close it",
    "answers_constant": "are the same few words, whatever is asked",
    "answers_broken": "are empty, cut, endless or unfinished",
    "likelihoods_not_numbers": "have log-likelihoods that are no numbers",
    "answers_identical": "are the same to the last digit for two different models",
    "adapter_not_applied": "are the same to the last digit with and without it",
}
"""What makes a task's score measure nothing, where it holds for nearly all of its answers."""

FAULTS: tuple[tuple[FindingKind, str], ...] = (
    ("answers_empty", "empty"),
    ("answers_cut", "cut"),
    ("answers_loop", "looping"),
    ("answers_thinking_open", "thinking_open"),
)

LONGEST_TEXT = 30
"""Characters of an answer that are quoted."""

MOST_STOPS = 3

MOST_MISSING = 0.1
"""The share of a task's rows that a log may lack before no word is given on what is left."""


def invalid_answers(walk: Walk, constant: Sided[Constant | None]) -> Invalid | None:
    """Return the first side whose answers measure nothing in a task, with what is wrong in nearly all of them."""
    for side, (ledger, truncated, more) in each_side(*map(walk.texts.counted, (0, 1))):
        if found := fault_of_nearly_all(ledger):
            kind, number = found
            counted = max(number, truncated) if kind == "answers_cut" else number
            least = more and counted < ledger.of and kind in ("answers_cut", "answers_broken")
            parts = fault_counts(kind, ledger)
            return Invalid(kind, side, walk.a.task, counted, ledger.of, parts, least=least)
    for side, same in each_side(*constant):
        if same is not None and same.no_answer:
            return Invalid("answers_constant", side, walk.a.task, same.number, same.of, constant=same)
    return None


def no_numbers(walk: Walk) -> Invalid | None:
    """Return the side more of whose items have no log-likelihoods than a log may lack: what it picked there is nothing.

    The harness picks the first choice where there is none to tell them by.
    """
    found = [one for one in map(unmeasured_of, (walk, walk), SIDES) if is_too_much(one.count_, one)]
    return max(found, key=invalid_share, default=None)


def is_too_much(number: int, found: Invalid) -> bool:
    """Say whether so many of a side's items are no numbers that no word is given on the rest."""
    return number > (0 if found.sums else MOST_MISSING * found.of)


def unmeasured_of(walk: Walk, side: Side, damaged: bool = True) -> Invalid:
    """Return how many items of a side have log-likelihoods that are no numbers, those that cannot be read or not."""
    counts = walk.numbers.unmeasured.of(side)
    if not damaged:
        counts = Counter({what: count for what, count in counts.items() if what != DAMAGED})
    values = tuple(value for value, _ in counts.most_common())
    both = sum(sum(each.values()) for each in walk.numbers.unmeasured)
    number, of = sum(counts.values()), walk.compared["responses"]
    sums = walk.kind == "likelihood"  # the perplexity of whole texts
    return Invalid("likelihoods_not_numbers", side, walk.a.task, number, of, (), values, both - number, sums)


def unmeasured_findings(walk: Walk) -> list[Finding]:
    """Return the sides some of whose items have log-likelihoods that are no numbers."""
    found = damaged_likelihoods(walk)
    for one in (unmeasured_of(walk, side, damaged=False) for side in SIDES):
        if one.count_:
            then = "no sum over all texts is a number" if one.sums else "what is picked there is no choice"
            text = f"{count_clause(one)} in {one.task}: {then}."
            severity: Severity = "error" if is_too_much(one.count_, one) else "warning"
            side: Side = "a" if one.side == "a" else "b"
            found.append(Finding(one.kind, severity, text, side, one.task, one.count_, one.of))
    return found


def damaged_likelihoods(walk: Walk) -> list[Finding]:
    """Return the sides some of whose log-likelihoods cannot be read, with the file and line of the first."""
    found: list[Finding] = []
    for side, log in each_side(walk.a, walk.b):
        for place, damage in walk.numbers.damaged.of(side).items():
            pairs = walk.first_pairs
            row = (pairs.rows_a if side == "a" else pairs.rows_b)[place]
            count, of = walk.numbers.unmeasured.of(side)[DAMAGED], walk.compared["responses"]
            said, where = damage_text(log, row, damage, count, of)
            text = f"{side.upper()}: {said}"
            found.append(Finding("file_damaged", "error", text, side, walk.a.task, count, of, (where,)))
    return found


def fault_of_nearly_all(ledger: AnswerLedger) -> tuple[FindingKind, int] | None:
    """Return the fault that nearly all answers of a side have, with its count."""
    counts: list[tuple[FindingKind, int]] = [(kind, ledger.counts[fault]) for kind, fault in FAULTS]
    counts.append(("answers_broken", ledger.broken))
    return next((found for found in counts if ledger.of and found[1] >= NEARLY_ALL * ledger.of), None)


def fault_counts(kind: FindingKind, ledger: AnswerLedger) -> tuple[tuple[FindingKind, int], ...]:
    """Return the faults that make up broken answers, the most frequent first; nothing for one fault alone."""
    counts = [(one, ledger.counts[fault]) for one, fault in FAULTS if ledger.counts[fault]]
    return tuple(sorted(counts, key=lambda part: -part[1])) if kind == "answers_broken" else ()


def incomplete(a: Run, b: Run, walk: Walk, filters: Sequence[Pairs]) -> Invalid | None:
    """Return the side whose log lacks so many rows of a task that the rest says nothing of the whole."""
    worst: Invalid | None = None
    for pairs in filters[:1]:
        for side, run in each_side(a, b):
            count = lacks(run, walk, pairs, side)
            total = declared(run, walk.a.task) or len(pairs.rows_a) + count
            found = Invalid("rows_missing", side, walk.a.task, count, total)
            if invalid_share(found) > MOST_MISSING and (worst is None or invalid_share(found) > invalid_share(worst)):
                worst = found
    return worst


def by_task(found: Iterable[Invalid | None]) -> dict[str | None, Invalid]:
    """Return what was found by task, the worst first."""
    kept = [one for one in found if one is not None]
    return {one.task: one for one in sorted(kept, key=lambda one: -invalid_share(one))}


def count_clause(found: Invalid, label: str = "") -> str:
    """Return how many answers of a side are what, as a clause; `label` names the side."""
    bare = found.side == "both" or (found.kind == "likelihoods_not_numbers" and label)  # the sentence names it
    whose = "" if bare else f" of {label or found.side.upper()}"
    parts = ", ".join(found.values or [f"{number} {WORDS[kind]}" for kind, number in found.parts])
    said = f"{found.number} of {found.of} {counted_noun(found)}{whose} {WORDS[found.kind]}"
    return said + (f" ({parts})" if parts else "")


def counted_noun(found: Invalid) -> str:
    """Return what is counted: log-likelihoods are of items, and no answers."""
    return "items" if found.kind == "likelihoods_not_numbers" else "answers"


def constant_clause(found: Constant) -> str:
    """Return the texts that answers are, and at which stop string they may end."""
    texts = ", ".join(json.dumps(text[:LONGEST_TEXT], ensure_ascii=False) for text in found.texts)
    if not found.stops:
        return texts
    return f"{texts}; what ends them is most likely a stop string of their requests ({quoted_stops(found.stops)})"


def stopped_clause(found: StoppedThoughts) -> str:
    """Return at which stop string thoughts most likely end, as no budget ended them; "" where that is not known."""
    if not found.number or not found.stops:
        return ""
    verb, whose = ("ends", "its") if found.number == 1 else ("end", "their")
    return (
        f"{found.number} of these thoughts {verb} long before {whose} budget is spent, most likely at a stop string of "
        f"{whose} request{'' if found.number == 1 else 's'} ({quoted_stops(found.stops)})"
    )


def quoted_stops(stops: Sequence[str]) -> str:
    """Return the first stop strings as they are written in a request."""
    more = ", …" if len(stops) > MOST_STOPS else ""
    return ", ".join(json.dumps(stop, ensure_ascii=False) for stop in stops[:MOST_STOPS]) + more


def invalid_share(found: Invalid) -> float:
    """Return for what share of its items it holds."""
    return found.count_ / found.of if found.of else 0.0


def reasons(invalid: Mapping[str | None, Invalid]) -> dict[str | None, str]:
    """Return task -> why its scores are not compared, as a row of the table says it."""
    told: dict[str | None, str] = {}
    for task, found in invalid.items():
        if found.side == "both":
            told[task] = "the same answers to the last digit from two models: not two measurements"
        else:
            counted = f"{found.number} of {found.of} of {found.side.upper()}'s {counted_noun(found)}"
            told[task] = f"{counted} {WORDS[found.kind]}: not a measurement"
    return told


def missing_reason(found: Invalid) -> str:
    """Return why no word is given where rows are missing."""
    return f"the log of {found.side.upper()} lacks {found.count_} of {found.of} items: no word on the rest"
