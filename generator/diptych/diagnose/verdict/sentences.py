"""A conclusion in words: the parts of the verdict's text, in their order. Labels, never bare A and B."""

from collections.abc import Sequence

from diptych.closed_names import PartRole
from diptych.comparison import Divergence, VerdictPart
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import still_tasks
from diptych.diagnose.verdict.broken_sentences import carried_sentence
from diptych.diagnose.verdict.cause_sentences import cause_sentence
from diptych.diagnose.verdict.caveat_sentences import (
    aside_clause,
    caveat_sentences,
    dummy_clause,
    framed_sentence,
    misplaced_sentence,
)
from diptych.diagnose.verdict.caveats import Caveats
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.floor_sentences import floor_sentence
from diptych.diagnose.verdict.ground_sentences import KINDS, statuses
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.item_set_sentences import one_sided_tasks, set_clause, unchosen_clause
from diptych.diagnose.verdict.leaked_examples import given_away_clause, leaked_sentence
from diptych.diagnose.verdict.model_clause import models_clause
from diptych.diagnose.verdict.prompt_sentences import sent_sentence
from diptych.diagnose.verdict.rescored_sentences import rescored_tasks
from diptych.diagnose.verdict.run_labels import run_labels
from diptych.diagnose.verdict.score_sentences import capitalized, rest_of
from diptych.diagnose.verdict.silence_sentences import silence_sentence
from diptych.diagnose.verdict.telling_texts import memory_sentence, phrased_sentence
from diptych.diagnose.verdict.value_words import both_values
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.numbers import listed
from diptych.run import Run

OF_ITEMS = ("statuses", "items_equal", "unpaired_apart")
"""Grounds that rest on shared items, so that the others are to be told."""


def verdict_parts(
    ruling: Ruling, conclusion: Conclusion, found: Caveats, evidence: Evidence, others: Sequence[Hypothesis],
    first: Divergence | None, a: Run, b: Run,
) -> tuple[VerdictPart, ...]:  # fmt: skip
    """Return the verdict's parts: two models first, the kind with its number, what goes with it, one cause line."""
    labels = run_labels(a, b)
    model = models_clause(conclusion, a, b)
    worded = ruling.ground == "statuses"
    told_first = (
        statuses(ruling, evidence, labels, found.taken_back)
        if worded
        else KINDS[ruling.ground](ruling, evidence, labels, a, b)
    )
    lead = after(model, told_first)
    apart = aside_clause(found, labels) if worded else ""
    still = still_tasks(evidence)
    rest = (
        rest_of(ruling.rows, still, labels, evidence.tasks, some=ruling.kind == "different")
        if worded and ruling.kind != "equivalent"
        else ""
    )
    sets = set_clause(evidence, labels, ruling.rows, others, a, b) if ruling.ground in OF_ITEMS else ""
    beside = caveat_sentences(ruling, found, labels, rescored=bool(rescored_tasks(ruling, evidence)))
    sent = sent_sentence(ruling, conclusion, evidence, others, a, b)
    # repeats differ by their seeds, too: what lies beyond them is no seed's doing
    unexplained = all("seed" in one.difference.known.acts for one in (*conclusion.leading, *others))
    floor = floor_sentence(ruling.rows, unexplained=unexplained) if ruling.ground == "statuses" else ""
    cause = unchosen_clause(ruling, conclusion, evidence) or cause_sentence(
        ruling, conclusion, others, first, a, b, bool(sent), evidence
    )
    leaked = leaked_sentence([task.task for task in evidence.tasks], labels, a, b) if worded else ""
    silence = silence_sentence(evidence, conclusion.tasks, labels) if worded else ""
    given = given_away_clause(evidence, conclusion.tasks, labels) if worded else ""
    alone = one_sided_tasks(ruling, evidence, labels, a, b)
    told: tuple[tuple[PartRole, str], ...] = (
        ("caveat", dummy_clause(labels, a, b)),
        ("caveat", sets),
        ("answer", f"{model}{lead}{versions_clause(ruling, others, a, b)}{given}."),
        ("disagreement", apart and f"{capitalized(apart)}."),
        ("answer", carried_sentence(ruling, found, labels)),
        ("answer", phrased_sentence(found.phrased, labels) if worded else ""),
        ("answer", memory_sentence(found.memory, labels) if worded else ""),
        ("open", rest),
        ("coverage", alone),
        *(("caveat", text) for text in (floor, leaked, *beside, sent)),
        (
            "cause",
            " ".join(
                filter(
                    None,
                    (misplaced_sentence(found, ruling, labels), framed_sentence(found, ruling, labels), silence, cause),
                )
            ),
        ),
    )
    return tuple(VerdictPart(role, text) for role, text in told if text)


def versions_clause(ruling: Ruling, others: Sequence[Hypothesis], a: Run, b: Run) -> str:
    """Return that what has a word was measured by two versions of a task, a clause more; "" where it was not."""
    moved = {row.task for row in ruling.rows if row.is_apart and ruling.kind == "different"}
    found = [
        one
        for one in others
        if one.difference.task_version and one.difference.both_recorded and moved & {*one.difference.tasks}
        if bearing_over_tasks(one)[0] != "cannot"
    ]
    if not found:
        return ""
    told = dict.fromkeys(f"{', '.join(one.difference.tasks)} ({both_values(one.difference)})" for one in found)
    named = listed(list(told), 2)
    labels = run_labels(a, b)
    bare = [label for label, run in zip(labels, (a, b), strict=True) if run.harness_version is None]
    beside = f"; {listed(bare)} records no version of the harness" if len(bare) == 1 else ""
    return f"; these are two versions of {named}{beside}"


def verdict_text(parts: Sequence[VerdictPart]) -> str:
    """Return the verdict's text in one piece: what disagrees stands in the sentence of the answer."""
    text = ""
    for part in parts:
        if part.role == "disagreement":
            text = f"{text.removesuffix('.')}; {part.text[:1].lower()}{part.text[1:]}"
        else:
            text = f"{text} {part.text}" if text else part.text
    return text


def after(opening: str, text: str) -> str:
    """Return a sentence as it goes on after its opening words; those of our own begin small then."""
    own = next((word for word in OPENINGS if opening and text.startswith(word)), "")
    return own.lower() + text[len(own) :]


OPENINGS = ("Inconclusive ", "Every ", "No ", "Neither ", "The ")
