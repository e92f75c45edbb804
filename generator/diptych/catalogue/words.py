"""The lexicon: each member of each enumeration as a word, a sign, a tone and one sentence of what it means.

Page, index, comment, terminal, manual, badge and export take their words from here, so that one verdict reads alike
wherever it stands. Artifacts keep their own names; these are what a person reads.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from diptych.closed_names import Bearing, Certainty, FlipClass, Outcome, Severity, Status, Step, VerdictKind
from diptych.fast_named_tuple import NamedTuple

if TYPE_CHECKING:  # names of members alone: who words a comparison loads no decision
    from diptych.decision import DecisionKind
    from diptych.judge_audit import JudgeGate


class Word(NamedTuple):
    """One member in words. `tone` colours a sign that says the same without colour."""

    word: str
    sign: str
    tone: str
    meaning: str


VERDICTS: Mapping[VerdictKind, Word] = {
    "not_a_measurement": Word("not a measurement", "✗", "void", "At least one run did not measure anything."),
    "not_comparable": Word("not comparable", "✗", "void", "The runs did not measure the same thing."),
    "identical": Word("identical", "=", "same", "Every shared response and item score is the same."),
    "equivalent": Word(
        "equivalent", "≈", "same", "The CI lies within the margin: any difference is too small to matter."
    ),
    "different": Word("significant", "≠", "mixed", "At least one primary metric differs by more than luck explains."),
    "unclear": Word(
        "inconclusive",
        "?",
        "unclear",
        "The CI holds both no difference and differences beyond the margin.",
    ),
}
"""A comparison's `verdict.kind`; where it is `different` and goes one way, the word is that of the status."""

STATUSES: Mapping[Status, Word] = {
    "better": Word("better", "▲", "better", "The score is better than the baseline's, and luck is a poor explanation."),
    "worse": Word("worse", "▼", "worse", "The score is worse than the baseline's, and luck is a poor explanation."),
    "same": Word("equivalent", "≈", "same", "The CI lies within the margin that was set."),
    "unclear": Word(
        "inconclusive", "?", "unclear", "Neither a difference nor equivalence can be shown with these items."
    ),
    "not_available": Word("not available", "–", "quiet", "There is no number to compare, and the row says why."),
}
"""A metric's `status`."""

NO_ITEM_CHANGED = Word(
    "no item changed",
    "=",
    "same",
    "Every shared item scores the same, and they are too few to call it equivalent: others may differ within the CI.",
)
"""What an `unclear` metric is called where no item is right on one side only."""

BORDERLINE = Word(
    "borderline", "?", "unclear", "The test and the CI at its level do not agree on 0: neither is taken as shown."
)
"""What an `unclear` metric is called whose test and CI say two things."""

AT_FLOOR = Word(
    "at the floor", "▁", "unclear", "No item is right on either side, so the score tells nothing of the two runs."
)
"""What a metric is called that is 0 on both sides."""

CERTAINTIES: Mapping[Certainty, Word] = {
    "proven": Word(
        "proven by the files", "", "", "A check that the files pass shows it, and nothing else could do the same."
    ),
    "supported": Word(
        "supported by the samples", "", "", "The samples show the trace it would leave, and no trace of another cause."
    ),
    "possible": Word("possible, not shown", "", "", "It differs and can act; nothing shows it, nothing excludes it."),
    "none": Word("nothing shows a cause", "", "", "Nothing that differs explains the difference."),
}
"""A verdict's `standing`: how sure the cause is."""

BEARINGS: Mapping[Bearing, Word] = {
    "explains": Word("fits the samples", "●", "accent", "It can move a score, and fits what the samples show."),
    "can": Word("possible", "○", "", "It can move a score; nothing shows that it did."),
    "cannot": Word("cannot have acted", "·", "quiet", "It cannot have moved these scores."),
}
"""A setting's `standing`: what it has to do with the difference."""

STEPS: Mapping[Step, Word] = {
    "documents": Word("docs", "", "", "The items themselves: the same questions with the same targets."),
    "prompts": Word("prompts", "", "", "The text that was sent for an item."),
    "choices": Word("choices", "", "", "The answers that were offered to be scored."),
    "generation_arguments": Word("gen_kwargs", "", "", "Temperature, length limit, stop strings."),
    "responses": Word("responses", "", "", "What the model wrote, or which choice its log-likelihoods picked."),
    "filtered": Word("filtered responses", "", "", "What the task's filter took out of the response."),
    "scores": Word("item scores", "", "", "The score that the item was given."),
}
"""A step of the first divergence."""

PICKED_CHOICE = Word("picked choice", "", "", "The choice with the largest log-likelihood.")
"""The step `responses` of a task whose answers are choices."""

SAME_WORDS = Word(
    "same words, sent as messages on one side",
    "≈",
    "quiet",
    "A list of messages against a text of the same words.",
)
"""Prompts that are equal but for their form."""

CLASSES: Mapping[FlipClass, Word] = {
    "lost": Word("regressed", "▼", "worse", "Right in the baseline, wrong in the other run."),
    "gained": Word("fixed", "▲", "better", "Wrong in the baseline, right in the other run."),
    "both_wrong_changed": Word("both wrong, answer changed", "≠", "quiet", "Another answer, wrong in both runs."),
    "format_only": Word("answer format only", "≈", "quiet", "The same answer in another form."),
    "extraction_only": Word("extraction only", "≈", "quiet", "The same response, another filtered response."),
    "one_side_missing": Word("logged on one side only", "–", "quiet", "Only one run logged the item."),
}
"""A changed item's class."""

OTHER_FILTER = Word(
    "under another filter only", "", "quiet", "The outcome changed under a filter that is not the task's primary one."
)
"""What the changed items of a page are called that its counts leave out."""

SEVERITIES: Mapping[Severity, Word] = {
    "error": Word("Error", "✗", "error", "What was read cannot be trusted until this is mended."),
    "warning": Word("Warning", "!", "warning", "It changes what may be concluded."),
    "note": Word("Note", "·", "quiet", "Worth knowing; it changes no conclusion."),
}
"""A finding's severity."""

GATES: Mapping[Outcome, Word] = {
    "pass": Word("passed", "✓", "better", "What the gate forbids is excluded."),
    "fail": Word("failed", "✗", "worse", "What the gate forbids is there."),
    "inconclusive": Word(
        "inconclusive", "?", "unclear", "These items show neither that it holds nor that it does not."
    ),
}
"""A gate's outcome."""

DECISIONS: Mapping["DecisionKind", Word] = {
    "route": Word("keep", "✓", "better", "One student is to be kept."),
    "equal_choose_on_cost": Word("equal on checks", "≈", "same", "No student is better; what each costs decides."),
    "cannot_tell": Word("inconclusive", "?", "unclear", "These tasks do not show which student to keep."),
    "neither": Word("keep neither", "✗", "void", "No student is good enough to keep."),
}
"""A decision's `verdict.kind`."""

TRADE_OFF = Word("trade-off, no pick", "⇄", "unclear", "One student is better and dearer; what that is worth decides.")
"""A decision that cannot tell because nobody said what one more passed task is worth."""

JUDGE_GATES: Mapping["JudgeGate", Word] = {
    "usable": Word("consistent enough to be used", "✓", "better", "It contradicts itself on at most 20 % of tasks."),
    "directional_only": Word(
        "may say which is preferred, not by how much", "○", "same", "It contradicts itself on at most 40 % of tasks."
    ),
    "unusable": Word(
        "contradicts itself too often to be used", "✗", "void", "It contradicts itself on more than 40 % of tasks."
    ),
    "mostly_ties": Word(
        "mostly calls ties", "?", "unclear", "Fewer than 10 tasks have the same winner in both orders."
    ),
    "too_few": Word("too few tasks in both orders to be used", "?", "unclear", "It needs 20 tasks in both orders."),
    "one_order": Word(
        "asked in one order only: decides nothing", "?", "unclear", "Position bias cannot be told from preference."
    ),
    "order_unknown": Word(
        "the order shown is not recorded: decides nothing", "?", "unclear", "Position bias cannot be ruled out."
    ),
    "labels_swapped": Word(
        "the labels of its second game look swapped: decides nothing",
        "✗",
        "void",
        "Winners were not turned back with the order.",
    ),
    "not_readable": Word(
        "left no counts that can be read: decides nothing", "✗", "void", "Its record has names that are not known."
    ),
}
"""How far a judge may be trusted."""

REPEATS = Word("noise floor", "±", "same", "What runs of one configuration differ by.")
"""The word of repeats, which have no verdict."""

KINDS: Mapping[str, tuple[str, str]] = {
    "comparison": ("comparison", "comparisons"),
    "decision": ("decision", "decisions"),
    "matrix": ("matrix", "matrices"),
    "repeats": ("set of repeats", "sets of repeats"),
}
"""Each kind of artifact, one and many."""

BESIDE: Mapping[str, str] = {
    "quant": "quantization",
    "engine": "engine",
    "engine_version": "engine version",
    "endpoint": "endpoint",
    "alias": "served name",
    "model_file": "model file",
    "generation": "format",
}
"""What is recorded beside a run's settings, in the field's words."""

TERMS: Mapping[str, str] = {
    "pp": "Percentage points: the difference of two fractions, times 100.",
    "CI": "Confidence interval: the differences that these items do not rule out, at the level named.",
    "Holm": "A correction for testing several tasks at once: with it a false alarm anywhere stays below 5 %.",
    "significant": "The Holm-adjusted p-value is below 0.05 and the CI at that level holds no 0.",
    "inconclusive": "Neither a difference nor equivalence can be shown with these items.",
    "minimum detectable effect": "The smallest true difference that would be found 4 times in 5.",
    "margin": "How far apart two scores may be and still count as equivalent.",
    "usual impact": "A setting's rank among those known to move a score, 1 first.",
    "changed items": "Items whose score or answer differs; those by score are the regressed and the fixed ones.",
    "first divergence": "The first step, from docs to item scores, on which the runs differ.",
    "logprob margin": "The log-likelihood of the picked choice less that of the next one.",
    "confounded": "Several settings changed together, so that no run tells apart what each did.",
    "baseline": "The run that the other is compared with: the first one named.",
}
"""The field's words that stand on every page, each with its meaning."""


def word_of(table: Mapping[Any, Word], member: str) -> Word:
    """Return a member's word; a member that nobody knows, as a forged artifact may hold, stands for itself."""
    return table.get(member) or Word(member, "?", "quiet", "Not known here.")


def setting_word(key: str) -> str:
    """Return what a setting is called in a sentence: its key, or the word for what was recorded beside the run."""
    name = key.removeprefix("context.")
    return BESIDE.get(name, name) if name != key else key


def impact(rank: int | None, known: int) -> str:
    """Return a setting's place in the prior order ("usual impact: rank 16 of 35")."""
    return "Usual impact: not ranked" if rank is None else f"Usual impact: rank {rank} of {known}"
