"""The line about the cause: who leads, how sure that is, and what is known where nobody does."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from diptych.catalogue.setting_effects import ACTS
from diptych.closed_names import VerdictKind
from diptych.comparison import Divergence
from diptych.diagnose.samples.evidence import Evidence, ReplayFacts
from diptych.diagnose.samples.framed_responses import all_spaced
from diptych.diagnose.samples.misplaced_responses import is_misplaced
from diptych.diagnose.samples.sample_counts import count_at_step
from diptych.diagnose.settings.model_parts import COMMIT
from diptych.diagnose.settings.run_values import served
from diptych.diagnose.verdict.caveats import scorer_changed
from diptych.diagnose.verdict.conclusion import Conclusion, able, repeatable
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks, evidence_text
from diptych.diagnose.verdict.moved_sentences import moved_sentence, served_sentence
from diptych.diagnose.verdict.no_cause_sentences import (
    MOST_NAMED,
    builders_sentence,
    builds_requests,
    nobody_sentence,
    strained,
)
from diptych.diagnose.verdict.run_labels import Labels, run_labels
from diptych.diagnose.verdict.silence_sentences import silent_server_sentence
from diptych.diagnose.verdict.trace import MARKS
from diptych.diagnose.verdict.value_words import both_values
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.numbers import listed
from diptych.run import Run


def cause_sentence(
    ruling: Ruling, conclusion: Conclusion, others: Sequence[Hypothesis], first: Divergence | None, a: Run, b: Run,
    sent: bool, evidence: Evidence,
) -> str:  # fmt: skip
    """Return the one line about the cause; "" where there is nothing to explain."""
    if ruling.kind == "identical" and not conclusion.leading:
        return equal_but_differs(ruling, conclusion, others)
    if ruling.ground in ("not_applied", "nothing_shared", "no_scores", "file_twice"):
        return ""
    one = conclusion.alone
    if conclusion.certainty == "possible" and all_spaced(t for t in evidence.tasks if t.task in conclusion.tasks):
        return white_space_sentence(conclusion)
    if one is not None:
        unserved = one.key == "model" and served(a) != served(b)
        named = f"{one.name} ({both_values(one.difference)}){task_version(one, others)}"
        unseen = " Which weights the server loaded is not on record, so they may be the cause." if unserved else ""
        again = replayed_sentence(one, conclusion, evidence, others, run_labels(a, b))
        return f"{alone_sentence(one, named, conclusion, evidence, ruling.kind, a, b, sent)}{unseen}{again}"
    if conclusion.leading:
        return together_sentence(conclusion) + reread_share(conclusion, evidence, others, run_labels(a, b))
    picks = {task.task for task in evidence.tasks if task.kind == "choices"}
    nobody = nobody_sentence(others, None if sent else first, a, b, picks)
    return (
        ""
        if sent and not any(bearing_over_tasks(one)[0] != "cannot" for one in others)
        else ((builders_sentence(others) if sent else "") or nobody)
        + moved_sentence(evidence, conclusion.tasks)
        + served_sentence(evidence, conclusion.tasks, a, b, bool(strained(others)))
    )


def white_space_sentence(conclusion: Conclusion) -> str:
    """Return who may have put white space around responses that are the same but for it."""
    named = listed([f"{one.name} ({both_values(one.difference)})" for one in conclusion.leading], MOST_NAMED)
    unseen = f" Whether {conclusion.model.name} was applied cannot be seen." if conclusion.model is not None else ""
    return f"Possible cause of the white space: {named}; the responses are the same but for it.{unseen}"


def equal_but_differs(ruling: Ruling, conclusion: Conclusion, others: Sequence[Hypothesis]) -> str:
    """Return what equal responses do not show: that another model was applied, or that a recorded prompt was sent."""
    if ruling.ground != "items_equal":
        return ""
    if conclusion.model is not None:
        return f"The responses are equal; whether {conclusion.model.name} was applied cannot be seen."
    worded = [one.name for one in others if one.idle is None and words_prompts(one)]
    if not worded:
        return ""
    verb, it = ("differs", "it renders") if len(worded) == 1 else ("differ", "they render")
    return (
        f"{listed(worded)} {verb} on record, yet the logged prompts are equal: {it} alike, or a cache of requests "
        "(--cache_requests) answered, and then the responses are of the other prompts."
    )


def words_prompts(one: Hypothesis) -> bool:
    """Say whether a difference is of a field that words a task's prompts, or of the system prompt."""
    first = one.difference.known.acts[0]
    of_task = bool(one.difference.field) and first in ("frame", "text")
    return one.key == "system_instruction" or of_task


def alone_sentence(
    one: Hypothesis, named: str, conclusion: Conclusion, evidence: Evidence, kind: VerdictKind, a: Run, b: Run,
    sent: bool,
) -> str:  # fmt: skip
    """Return the sentence of a cause that leads alone, `named` with both values, and what shows it."""
    shown = evidence_of(one, conclusion.tasks)
    what = "" if kind in ("different", "not_a_measurement", "not_comparable") else " of what changed"
    if conclusion.certainty == "proven":
        return f"Cause{what}, proven by the logged samples: {named}. {shown}{found_alike(evidence, conclusion.tasks)}"
    if conclusion.certainty == "supported":
        if kind == "unclear" and one.difference.known.acts == ("items",):
            return items_sentence(named, shown, conclusion, evidence)
        rest = unexplained(one, conclusion)
        if conclusion.other_examples:
            rest += " It cannot choose examples, and other ones are shown; nothing else on record chooses them."
        return f"Leading cause{what}, as far as the files show: {named}. {shown}{rest}".rstrip()
    return possible_sentence(one, named, conclusion, evidence, shown, a, b, sent)


def possible_sentence(
    one: Hypothesis, named: str, conclusion: Conclusion, evidence: Evidence, shown: str, a: Run, b: Run, sent: bool
) -> str:
    """Return the sentence of a cause that nothing shows to have acted, or that a plain repeat would do as well."""
    if not evidence.tasks:
        return f"Possible cause: {named}; without samples nothing shows whether it acted."
    if scorer_changed([task for task in evidence.tasks if task.task in conclusion.tasks]):
        return f"Possible cause: {named}; that the scoring changed is shown, not that this changed it."
    if repeatable(one, conclusion.tasks):
        told = f"Possible cause of what changed: {named}. {shown} A plain repeat may move as many."
        return f"{told}{unexplained(one, conclusion)}"
    if any(is_misplaced(task) for task in evidence.tasks if task.task in conclusion.tasks):
        return f"Possible cause of that: {named}; nothing in the files shows where they were mixed up."
    if sent and builds_requests(one):
        return f"Possible cause: {named}; the harness builds the requests, and they differ."
    acted = f"{named} differs, and nothing in the files shows that it acted."
    if silent := silent_server_sentence(one, named, evidence, conclusion.tasks):
        return silent
    served_else = served_sentence(
        evidence, conclusion.tasks, a, b, otherwise="transport" not in one.difference.known.acts
    )
    moved = moved_sentence(evidence, conclusion.tasks) + served_else
    return f"Possible cause: {acted}{moved}"


def found_alike(evidence: Evidence, tasks: Iterable[str]) -> str:
    """Return that filters find the same in responses that changed; "" where they do not, or none changed."""
    found = [one for task in evidence.tasks if task.task in tasks for one in task.filters if one.raw_apart]
    alike = found and not any(one.filtered_apart for one in found)
    return " What the filters find is the same in every one of them." if alike else ""


def items_sentence(named: str, shown: str, conclusion: Conclusion, evidence: Evidence) -> str:
    """Return that what leads chose the items alone; where shared ones' responses differ, that it made none of that."""
    told = f"{named} chose the items: {shown[:1].lower()}{shown[1:]}".removesuffix(": ")
    found = [count_at_step([task], "responses") for task in evidence.tasks if task.task in conclusion.tasks]
    differ, of = sum(one.differ for one in found), sum(one.compared for one in found)
    if not differ:
        return told
    what = "responses" if any(task.kind == "generation" for task in evidence.tasks) else "log-likelihoods"
    return f"{told} {differ} of {of} {what} of shared items differ, too, and no choice of items makes that."


def replayed_sentence(
    one: Hypothesis, conclusion: Conclusion, evidence: Evidence, others: Sequence[Hypothesis], labels: Labels
) -> str:
    """Return what a side's responses score as the other side's filter reads them, and who else may have acted."""
    replay = replayed(one, conclusion, evidence)
    if replay is None or conclusion.mechanism == "extraction_only":
        return ""
    said = [
        f"the responses of {label} score {score:.3g} as the filter of {other} reads them"
        for side, label, other, score in (
            ("a", labels.a, labels.b, replay.scores.a),
            ("b", labels.b, labels.a, replay.scores.b),
        )
        if score is not None and replay.more in (None, side)
    ]
    beside = [other for other in others if other in conclusion.leading or other.marked(conclusion.tasks)]
    rest = [other.name for other in beside if other is not one and not other.follows]
    made, more = shares(replay)
    left = f" What is left{more} may be of {listed(rest)}." if rest and replay.explained < replay.moved else ""
    return (f" Read again, {' and '.join(said)}{made}." if said else "") + left


def shares(replay: ReplayFacts) -> tuple[str, str]:
    """Return what a filter does to the score and what it leaves; "" where both sides' responses are read anew."""
    again = replay.scores.of(replay.more) if replay.more else None
    ours, theirs = replay.own
    if again is None or ours is None or theirs is None:
        return "", ""
    steps = f"{ours:.3g} → {again:.3g}", f"{again:.3g} → {theirs:.3g}"
    filters, left = steps if replay.more == "a" else steps[::-1]
    return f": the filter alone moves the score {filters}", f" ({left})"


def reread_share(conclusion: Conclusion, evidence: Evidence, others: Sequence[Hypothesis], labels: Labels) -> str:
    """Return what a filter among several causes does by itself; "" where none could be read again."""
    said = (replayed_sentence(one, conclusion, evidence, others, labels) for one in conclusion.leading)
    return next((text for text in said if text), "")


def replayed(one: Hypothesis, conclusion: Conclusion, evidence: Evidence) -> ReplayFacts | None:
    """Return what the filter that a cause changed does by itself, where it acted and could be run again."""
    family, _, name = one.difference.field.partition(".")
    if family != "filter_list" or not one.marked(conclusion.tasks):
        return None
    found = [facts for task in evidence.tasks if task.task in conclusion.tasks for facts in task.filters]
    return next((facts.replay for facts in found if facts.replay and name in ("", facts.filter)), None)


def task_version(one: Hypothesis, others: Sequence[Hypothesis]) -> str:
    """Return both versions of a task whose field leads, as words behind it; "" where they are the same."""
    if not one.difference.field:
        return ""
    found = [each for each in others if each.key in {f"versions.{task}" for task in one.difference.tasks}]
    return f", with task version {both_values(found[0].difference)}" if found else ""


def unexplained(one: Hypothesis, conclusion: Conclusion) -> str:
    """Return which of the tasks that are concluded over a cause cannot have moved; "" where there is none."""
    left = [task for task in conclusion.tasks if not able(one, task)]
    return f" It does not explain {listed(left)}." if left and one.marked(conclusion.tasks) else ""


def by_task_sentence(parts: Mapping[str, Hypothesis]) -> str:
    """Return the cause of each task, where each has one of its own."""
    said = []
    for one in {one.key: one for one in parts.values()}.values():
        tasks = [task for task, own in parts.items() if own is one]
        named = f"{one.name} ({both_values(one.difference)})"
        said.append(
            f"On {listed(tasks, MOST_NAMED)} the cause is {named}. {evidence_of(one, tasks, where=False)}".rstrip()
        )
    return f"Each task has a leading cause of its own, as far as the files show. {' '.join(said)}"


def together_sentence(conclusion: Conclusion) -> str:
    """Return the sentence of several that fit equally, or of one a task."""
    if conclusion.by_task:
        return by_task_sentence(conclusion.by_task)
    shown = [f"{one.name} ({both_values(one.difference)})" for one in conclusion.leading]
    names = listed(shown, MOST_NAMED)
    each = "both" if len(shown) == 2 else "all"
    if conclusion.certainty == "supported":
        marks = {
            one.key for one in conclusion.leading if any(r.mark in ("proof", "own") for r in one.over(conclusion.tasks))
        }
        checked = checked_evidence(conclusion)
        if len(marks) == len(shown):
            return f"{names} {each} left their mark and are confounded: no run here tells how much each does.{checked}"
        if conclusion.other_examples:
            return f"{names} {each} differ and are confounded. {examples_sentence(conclusion, marks)}"
        return f"{names} {each} differ and are confounded: {who_acted(conclusion, marks)}.{checked}"
    if any(one.key == COMMIT and one.marked(conclusion.tasks) for one in conclusion.leading):
        likely = f"{COMMIT} is the likelier if that commit changed weights, but any file makes a new commit"
        return f"{names} {each} differ, and nothing in the files shows which of them acted; {likely}."
    if all(repeatable(one, conclusion.tasks) for one in conclusion.leading):
        return f"{names} {each} differ and can have moved what changed, as a plain repeat may."
    one = "either" if each == "both" else "any"
    return f"{names} {each} differ, and nothing in the files shows that {one} of them acted."


def examples_sentence(conclusion: Conclusion, marks: Collection[str]) -> str:
    """Return that other examples are shown, too, what left its own mark, and who may have chosen the examples."""
    first = next(one for one in conclusion.leading if one.key in marks)
    shown = evidence_of(first, conclusion.tasks).removesuffix(".")
    shown += "" if shown.endswith(OTHER_SHOWN) else OTHER_SHOWN
    laid, chose = (
        listed([one.name for one in conclusion.leading if (one.key in marks) == there]) for there in (True, False)
    )
    return f"{shown}: {laid} cannot choose examples, {chose} may; no run here tells how much each does."


OTHER_SHOWN = " and in which examples are shown"


def who_acted(conclusion: Conclusion, marks: Collection[str]) -> str:
    """Return which of several left a mark of its own (`marks`), or that nothing tells which of them acted."""
    left, rest = (listed([one.name for one in conclusion.leading if (one.key in marks) == there]) for there in (1, 0))
    if left and rest:
        return f"{left} left {'its' if len(marks) == 1 else 'their'} mark, {rest} may have acted, too"
    return "no run here tells which of them acted, also against one another"


def checked_evidence(conclusion: Conclusion) -> str:
    """Return what shows that a bound, a filter or a scorer among several causes acted on a part of the items."""
    shown = [
        f" {one.key}: {evidence_of(one, conclusion.tasks)}"
        for one in conclusion.leading
        if any(trace.mark in ("proof", "own") and ACTS[trace.act].proof for trace in one.over(conclusion.tasks))
    ]
    return "".join(shown)


def evidence_of(one: Hypothesis, tasks: Sequence[str], *, where: bool = True) -> str:
    """Return the counts that show a cause over the tasks of a conclusion, and `where` that is not in all tasks."""
    traces = one.over(tasks)
    if not traces:
        return bearing_over_tasks(one)[1] or ""
    best = min(traces, key=lambda trace: MARKS.index(trace.mark))
    there = [task for task in one.traces if task in tasks and one.traces[task].clause == best.clause]
    text = evidence_text([one.traces[task] for task in there])
    part = where and len(there) < max(len(one.traces), len(set(tasks)))
    named = f" ({listed(there, MOST_NAMED)})" if part and len(there) <= MOST_NAMED else ""
    return f"{text.removesuffix('.')}{named}." if text else ""
