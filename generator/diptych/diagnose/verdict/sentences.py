"""A conclusion in words: the only place of the verdict where there are any. Labels, never bare A and B."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from diptych.catalogue.settings import ACTS
from diptych.comparison import Divergence, MetricComparison, Step, best_estimate
from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.invalid_tasks import FAULTS, count_clause
from diptych.diagnose.samples.sample_counts import SampleCounts, sample_counts, still_tasks
from diptych.diagnose.scores.sentences import is_share
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.lookup import named_by_quant
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.caveats import Broken, Caveats, FiltersApart
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_of, evidence_text
from diptych.diagnose.verdict.kind import Ruling, gap_of, headline
from diptych.diagnose.verdict.readings import MARKS
from diptych.keys import Side
from diptych.numbers import amount, counted, listed, metric_name, size
from diptych.numbers import interval as interval_text
from diptych.run import Json, Run

LONGEST_VALUE = 40
MOST_NAMED = 3
STEP_WORDS: dict[Step, str] = {
    "documents": "docs",
    "prompts": "prompts",
    "choices": "choices",
    "generation_arguments": "gen_kwargs",
    "responses": "responses",
    "filtered": "filtered responses",
    "scores": "item scores",
}


class Labels(NamedTuple):
    """What the two runs are called; runs of one label are told apart by their side."""

    a: str
    b: str

    def of(self, side: Side) -> str:
        """Return one side's label."""
        return self.a if side == "a" else self.b


def labels_of(a: Run, b: Run) -> Labels:
    """Return the labels of both runs."""
    return Labels(a.label, b.label) if a.label != b.label else Labels(f"{a.label} (A)", f"{b.label} (B)")


def sentence(
    ruling: Ruling, conclusion: Conclusion, found: Caveats, evidence: Evidence, others: Sequence[Hypothesis],
    first: Divergence | None, a: Run, b: Run,
) -> str:  # fmt: skip
    """Return the verdict's text: two models first, the kind with its number, what goes with it, one cause line."""
    labels = labels_of(a, b)
    model = models_clause(conclusion, a, b)
    lead = after(model, KINDS[ruling.ground](ruling, evidence, labels, a, b))
    sets = set_clause(evidence, labels, ruling.rows) if ruling.ground in ("statuses", "items_equal") else ""
    beside = caveat_sentences(ruling, found, labels)
    sent = sent_sentence(ruling, conclusion, evidence)
    cause = cause_sentence(ruling, conclusion, others, first, a, b, bool(sent), bool(evidence.tasks))
    return " ".join(part for part in (sets, f"{model}{lead}.", *beside, sent, cause) if part)


def after(opening: str, text: str) -> str:
    """Return a sentence as it goes on after its opening words; those of our own begin small then."""
    own = next((word for word in OPENINGS if opening and text.startswith(word)), "")
    return own.lower() + text[len(own) :]


OPENINGS = ("Inconclusive ", "Every ", "No ", "Neither ", "The ")


def models_clause(conclusion: Conclusion, a: Run, b: Run) -> str:
    """Return that the runs are of two models, as the first words; "" where they are of one."""
    one = conclusion.model
    if one is None:
        return ""
    ours, theirs = model_name(one.a), model_name(one.b)
    if one.key in MODEL_NAMES and not named_by_quant(a, b):
        return f"Two models ({ours} → {theirs}): "
    if "quant" in one.key or one.key in MODEL_NAMES or "load_in" in one.key:
        named = "" if one.key == "context.quant" else f"{one.name} "
        return f"Two quantizations of one model ({named}{ours} → {theirs}): "
    if any(word in one.key for word in ("lora", "peft", "adapter", "delta")):
        return f"One model with another adapter ({one.name} {ours} → {theirs}): "
    return f"Two models on record ({one.name} {ours} → {theirs}): "


def model_name(value: Json) -> str:
    """Return the last part of a model's name or path."""
    if isinstance(value, str) and "/" in value:
        return cut(value.rstrip("/").rpartition("/")[2])
    return "none" if value in (None, "") else cut(str(value))


def nothing_shared(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the runs share no metric: they did not measure the same thing."""
    ours = sorted({f"{row.task} {row.metric}" for row in ruling.rows if row.a_present})
    theirs = sorted({f"{row.task} {row.metric}" for row in ruling.rows if row.b_present})
    tasks = {row.task for row in ruling.rows if row.a_present} & {row.task for row in ruling.rows if row.b_present}
    what = (
        "The metrics of their shared tasks have other names" if tasks else f"{labels.a} and {labels.b} share no metric"
    )
    have = f" ({labels.a} has {listed(ours)}; {labels.b} has {listed(theirs)})"
    return f"{what}: they did not measure the same thing{have}"


def no_scores(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which side holds no score at all."""
    bare = [
        label
        for label, has in zip(labels, ("a_present", "b_present"), strict=True)
        if not any(getattr(row, has) for row in ruling.rows)
    ]
    who = f"Neither {labels.a} nor {labels.b} holds" if len(bare) == 2 else f"{bare[0]} does not hold"
    return f"{who} a score: nothing was scored there"


def invalid(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that a side measured nothing."""
    one = next(iter(ruling.invalid.values()))
    rest = len(ruling.invalid) - 1
    more = f" (in {one.task}; so in {counted(rest, 'task')} more)" if rest else ""
    label = labels.a if one.side == "a" else labels.b
    others = [row for row in ruling.rows if not row.group and row.task not in ruling.invalid]
    where = f" in {one.task}" if others and not more else ""
    same = same_on(others, still_tasks(evidence))
    if both_invalid(one, evidence):
        said = count_clause(one._replace(side="both"))
        where = f" in {one.task}" if others else ""
        return f"Neither {labels.a} nor {labels.b} is usable as a measurement{where}: {said} on each side{same}"
    return f"{label} is not usable as a measurement{where}: {count_clause(one, label)}{more}{same}"


def both_invalid(one: Invalid, evidence: Evidence) -> bool:
    """Say whether as many of the other side's answers have the same fault."""
    task = next((task for task in evidence.tasks if task.task == one.task), None)
    fault = dict(FAULTS).get(one.kind, "")
    shapes = (task.answers_a, task.answers_b) if task and fault else ()
    return bool(shapes) and all(shape and shape._asdict()[fault] >= one.count_ for shape in shapes)


def not_applied(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that two models on record answered alike to the last digit."""
    one = next(iter(ruling.invalid.values()))
    if one.kind == "adapter_not_applied":
        return (
            f"{labels.a} and {labels.b} are not two measurements, since {one.count_} of {one.of} responses in "
            f"{one.task} are the same to the last digit; most likely it was not applied, or a cache answered"
        )
    return (
        f"{labels.a} and {labels.b} are not two measurements, since {count_clause(one)} in {one.task}, as from one "
        "response cache"
    )


def no_shared_items(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the two logs hold no item in common."""
    return f"{labels.a} and {labels.b} cover different question sets: they share no item"


def other_items(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that other items were scored, and that no log tells which are shared."""
    task = next(row.task for row in headline(ruling.rows) if a.items.get(row.task) != b.items.get(row.task))
    return (
        f"{labels.a} and {labels.b} cover different question sets ({task}: {counted(a.items[task], 'item')} against "
        f"{b.items[task]}), and without samples of both sides the shared items cannot be told"
    )


def no_common_unit(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that no score is in the other's unit."""
    row = next(row for row in ruling.rows if row.a is not None and row.b is not None and not row.group)
    return f"No score of {labels.a} can be held against one of {labels.b} ({row.task}: {row.reason})"


def items_equal(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that every shared response and score is the same."""
    pairs = sum(task.pairs for task in evidence.tasks)
    where = "the one shared item" if pairs == 1 else f"all {pairs:,} shared items"
    return f"Every response and score of {labels.b} is that of {labels.a} (baseline) on {where}"


def file_twice(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that both sides are one file."""
    return f"{labels.a} and {labels.b} are one and the same results file: every score is the same"


def scores_equal(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that every reported number is the same."""
    return f"Every reported score and error of {labels.b} is that of {labels.a} (baseline); no samples say more"


def reported_apart(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the reported scores differ though every item is the same."""
    return (
        f"Every logged response and item score is the same on {shared_count(evidence)}, yet the reported scores "
        f"are not ({reported_pair(ruling.rows[0])}): they were added up in another way, or a "
        "results file does not belong to its log"
    )


def retargeted(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that right answers changed, which sets the reported scores apart while every pair is the same."""
    row = ruling.rows[0]
    return (
        f"{retargeted_clause(row.task, evidence, labels)}; every response and score is the same on the other "
        f"{shared_count(evidence)}, so the reported scores ({reported_pair(row)}) are of two versions of the task"
    )


def retargeted_clause(name: str, evidence: Evidence, labels: Labels) -> str:
    """Return how many items of a task have another right answer in B, and what that says of the model."""
    task = next(task for task in evidence.tasks if task.task == name)
    found, total = task.retargeted, task.pairs + task.retargeted.items
    verb = "has" if found.items == 1 else "have"
    same = ", not the model's responses to them" if found.same_responses == found.items else ""
    changed = f"the docs or targets changed{same}"
    return f"{found.items} of {total:,} items of {name} {verb} another right answer in {labels.b}: {changed}"


def log_cut(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which log is incomplete, and that what it holds does not show why the reported scores differ."""
    row = ruling.rows[0]
    return (
        f"{listed(incomplete_logs(row.task, evidence, labels))}: what is there is the same on "
        f"{shared_count(evidence)}, and cannot show why the reported scores differ ({reported_pair(row)})"
    )


def incomplete_logs(name: str, evidence: Evidence, labels: Labels) -> list[str]:
    """Return each log that lacks rows of a task, with how many."""
    missing = next(task.missing for task in evidence.tasks if task.task == name)
    return [
        f"The log of {label} is incomplete ({counted(number, 'row')} of {name} missing)"
        for label, number in ((labels.a, missing.a), (labels.b, missing.b))
        if number
    ]


def unpaired_apart(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that only items that are in no pair set the reported scores apart."""
    return (
        f"Every response and score is the same on {shared_count(evidence)}: the reported scores differ "
        f"({reported_pair(ruling.rows[0])}) by items that are in no pair"
    )


def shared_count(evidence: Evidence) -> str:
    """Return how many items are paired, in words."""
    return counted(sum(task.pairs for task in evidence.tasks), "shared item")


def reported_pair(row: MetricComparison) -> str:
    """Return both reported scores of a metric."""
    return f"{row.task} {row.metric} {row.a:.4g} against {row.b:.4g}"


def statuses(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return what the words of the primary metrics say together."""
    rows = list(ruling.rows)
    if ruling.kind == "different":
        return different(rows, still_tasks(evidence), labels)
    return equivalent(rows, labels) if ruling.kind == "equivalent" else unclear(rows, still_tasks(evidence), labels)


def different(rows: list[MetricComparison], still: frozenset[str], labels: Labels) -> str:
    """Return where B is worse and where better, the largest first, each number with its interval.

    Of the rest it says which tasks are `still` (every response is the same), and which are inconclusive.
    """
    tasks = [row for row in rows if not row.group]
    parts = []
    for word in ("worse", "better"):
        own = sorted((row for row in rows if row.status == word), key=lambda row: -abs(gap_of(row) or 0.0))
        groups, single = [row for row in own if row.group], [row for row in own if not row.group]
        shown = [scored(row, rows) for row in groups]
        if single:
            where = f"{len(single)} of {len(tasks)} tasks: " if len(tasks) > 1 else ""
            rest = f", and {len(single) - MOST_NAMED} more" if len(single) > MOST_NAMED else ""
            shown.append(where + "; ".join(scored(row, tasks) for row in single[:MOST_NAMED]) + rest)
        if shown:
            parts.append(f"{word} than {labels.a} (baseline) on {', and on '.join(shown)}")
    inside = {name for row in rows if row.group and row.status in ("better", "worse") for name in row.subtasks}
    rows = [row for row in tasks if row.task not in inside]
    return f"{labels.b} is {' and '.join(parts)}{inconclusive(rows, len(tasks), still)}{same_on(rows, still)}"


def inconclusive(rows: Sequence[MetricComparison], of: int, still: frozenset[str]) -> str:
    """Return the sentence about the tasks that may or may not differ, with what they could have shown."""
    left = [row for row in rows if row.status in ("unclear", "not_available") and row.task not in still]
    if not left:
        return ""
    found = [best_estimate(row) for row in left if row.status == "unclear"]
    least = [one.detectable for one in found if one and one.detectable]
    seen = f": minimum detectable effect {size(max(least), up=True)} pp" if least and all(map(is_share, left)) else ""
    return f". Inconclusive on {len(left)} of {counted(of, 'task')} ({listed([row.task for row in left])}){seen}"


def same_on(rows: Sequence[MetricComparison], still: frozenset[str]) -> str:
    """Return the sentence about the tasks in which nothing moved, "" where there is none."""
    names = [row.task for row in rows if row.task in still]
    return f". Every response and score is the same on {listed(names)}" if names else ""


def scored(row: MetricComparison, rows: Sequence[MetricComparison]) -> str:
    """Return a row's difference with its interval and counts: `dip_arith: exact_match −15.3 pp (…), 27 regressed`."""
    found, share = best_estimate(row), is_share(row)
    name = f"{row.task}: {metric_name(row.metric, row.filter)}"
    value = gap_of(row)
    if value is None:
        return f"{name} by an unknown amount"
    return (
        f"{name} {amount(value, share)}{interval(row, rows)}{flips(row)}" if found else f"{name} {amount(value, share)}"
    )


def interval(row: MetricComparison, rows: Sequence[MetricComparison]) -> str:
    """Return the confidence interval in brackets, with its level and what it is adjusted over."""
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return ""
    tested = sum(1 for other in rows if (each := best_estimate(other)) and each.p_value is not None)
    family = row.family_tests or tested
    adjusted = found.p_adjusted is not None and found.p_value is not None and found.p_adjusted != found.p_value
    over = f"Holm over {counted(family, 'test')}" if adjusted and family > 1 else ""
    return f" ({interval_text(found.low, found.high, is_share(row), found.confidence, over)})"


def flips(row: MetricComparison) -> str:
    """Return how many items regressed and were fixed, where the metric says right or wrong."""
    found = best_estimate(row)
    if found is None or found.only_a is None or found.only_b is None or not found.pairs:
        return "" if found is None or not found.pairs else f" on {counted(found.pairs, 'item')}"
    lost, won = (found.only_a, found.only_b) if row.higher_is_better is not False else (found.only_b, found.only_a)
    return f", {lost} regressed, {won} fixed of {found.pairs:,}"


def equivalent(rows: list[MetricComparison], labels: Labels) -> str:
    """Return that all primary scores lie within the margin."""
    margins = [found.margin for row in rows if (found := best_estimate(row)) and found.margin is not None]
    within = f" ±{size(max(margins))} pp" if margins and all(map(is_share, rows)) else " the margin"
    where = (
        f"{rows[0].task} ({metric_name(rows[0].metric, rows[0].filter)})"
        if len(rows) == 1
        else f"all {len(rows)} tasks"
    )
    return f"{labels.b} and {labels.a} (baseline) are equivalent within{within} on {where}"


def unclear(rows: list[MetricComparison], still: frozenset[str], labels: Labels) -> str:
    """Return that it is inconclusive, with the largest difference and what the items could show.

    Tasks that are `still` (every response is the same) are told apart from those that may differ.
    """
    rest = same_on(rows, still)
    rows = [row for row in rows if not in_still(row, still)] or rows
    lead = f"Inconclusive whether {labels.b} differs from {labels.a} (baseline)"
    known = [row for row in rows if gap_of(row) is not None]
    if not known:
        reason = next((row.reason for row in rows if row.reason), None)
        return f"{lead}: no score can be compared{f' ({reason})' if reason else ''}"
    row = max(known, key=lambda row: (has_interval(row), abs(gap_of(row) or 0.0), row.group, row.task))
    found, share = best_estimate(row), is_share(row)
    if found is None or found.low is None or found.high is None:
        shown = f"{row.task}: {metric_name(row.metric, row.filter)} {amount(gap_of(row) or 0.0, share)}"
        return f"{lead}: {shown}, without an error bar{rest}"
    most = f"the largest over {len(known)} tasks is " if len(known) > 1 else ""
    least = f"; minimum detectable effect {size(found.detectable, up=True)} pp" if found.detectable and share else ""
    return f"{lead}: {most}{scored(row, rows)}{least}{rest}"


def in_still(row: MetricComparison, still: frozenset[str]) -> bool:
    """Say whether nothing moved in a task, or in any task of a benchmark."""
    return row.task in still or (bool(row.subtasks) and still.issuperset(row.subtasks))


def has_interval(row: MetricComparison) -> bool:
    """Say whether a row's difference has a confidence interval."""
    found = best_estimate(row)
    return found is not None and found.low is not None and found.high is not None


KINDS = {
    "nothing_shared": nothing_shared,
    "no_scores": no_scores,
    "invalid": invalid,
    "not_applied": not_applied,
    "no_shared_items": no_shared_items,
    "other_items": other_items,
    "no_common_unit": no_common_unit,
    "items_equal": items_equal,
    "file_twice": file_twice,
    "scores_equal": scores_equal,
    "reported_apart": reported_apart,
    "retargeted": retargeted,
    "log_cut": log_cut,
    "unpaired_apart": unpaired_apart,
    "statuses": statuses,
}
"""How each ground is said."""


def set_clause(evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison]) -> str:
    """Return the sentence that says where the two logs hold other items, "" where they hold the same."""
    if evidence.incomplete_tasks:
        one = next(iter(evidence.incomplete_tasks.values()))
        rest = len(evidence.incomplete_tasks) - 1
        more = f", and too many of {counted(rest, 'task')} more" if rest else ""
        label = labels.a if one.side == "a" else labels.b
        worded = any(row.task == one.task and row.status in ("better", "worse", "same") for row in rows)
        rest_on = "its word rests on the reported totals alone" if worded else "no word is given there"
        return f"The log of {label} lacks {one.count_} of {one.of} items of {one.task}{more}: {rest_on}."
    uneven = [task for task in evidence.tasks if task.only_a or task.only_b]
    if not uneven:
        other = max(evidence.tasks, key=lambda task: task.retargeted.items, default=None)
        if other is None or not other.retargeted.items or not other.pairs:
            return ""
        return f"{retargeted_clause(other.task, evidence, labels)}; these items are left out."
    first = max(uneven, key=lambda task: task.only_a + task.only_b)
    more = f" and {counted(len(uneven) - 1, 'task')} more" if len(uneven) > 1 else ""
    if first.only_a + first.only_b <= first.missing.a + first.missing.b:
        total = first.pairs + first.only_a + first.only_b
        return f"Rows are missing from a log ({first.task}: {first.pairs} of {total} items can be paired{more})."
    return (
        f"The runs cover different question sets ({first.task}: {counted(first.pairs + first.only_a, 'item')} in "
        f"{labels.a}, {first.pairs + first.only_b} in {labels.b}, {first.pairs} shared{more}); what follows is of the "
        "shared ones."
    )


def caveat_sentences(ruling: Ruling, found: Caveats, labels: Labels) -> list[str]:
    """Return the sentences that go with a verdict's kind."""
    if ruling.ground != "statuses":
        return []
    said = [left_out_sentence(ruling, labels), scorer_sentence(found, labels)]
    said += [broken_sentence(found.broken, labels) if found.broken else ""]
    if found.guessing and ruling.kind == "different":
        side, task = found.guessing
        said.append(f"{labels.of(side)} is near chance on {task}: rather a broken run than a weak model.")
    said += [filters_sentence(found.filters) if found.filters else "", unscored_sentence(found, labels)]
    return [text for text in said if text]


def left_out_sentence(ruling: Ruling, labels: Labels) -> str:
    """Return which tasks are left out because they measured nothing, and why the first did."""
    if not ruling.invalid:
        return ""
    one = next(iter(ruling.invalid.values()))
    verb = "is" if len(ruling.invalid) == 1 else "are"
    label = labels.a if one.side == "a" else labels.b
    names = listed(sorted(task for task in ruling.invalid if task))
    return f"{names} {verb} left out ({count_clause(one, label)}: no measurement)."


def sent_sentence(ruling: Ruling, conclusion: Conclusion, evidence: Evidence) -> str:
    """Return that what was sent differs though nothing that leads makes it differ, else ""."""
    if ruling.ground not in ("statuses", "invalid"):
        return ""
    seen = sample_counts(evidence, conclusion.tasks)
    acts = {reading.act for one in conclusion.leading for reading in one.over(conclusion.tasks)}
    acts |= {act for one in conclusion.leading for act in one.difference.known.acts}
    made = {ACTS[act].step for act in acts}
    if conclusion.certainty == "possible" and "none" in made:
        made = set()
    what = ""
    kinds = {kind: number for kind, number in seen.kinds.items() if kind != "same_words"}
    if kinds and "prompts" not in made:
        kind = max(kinds, key=lambda name: kinds[name])
        only = "only by" if kind == "white_space" else "by"
        what = f"The prompts themselves differ ({kinds[kind]} of {seen.prompts.compared}, {only} {KIND_WORDS[kind]})"
    elif seen.choices.differ and not {"prompts", "choices"} & made:
        what = f"The scored continuations themselves differ ({seen.choices.differ} of {seen.choices.compared})"
    elif seen.arguments.differ and not seen.prompts.differ and not conclusion.leading and not only_seeds(seen):
        names = listed(sorted(seen.argument_names))
        what = (
            f"The gen_kwargs of the requests differ ({names} in {seen.arguments.differ} of {seen.arguments.compared})"
        )
        return f"{what}, and nothing shows that this acted."
    return f"{what}, and no recorded setting explains that." if what else ""


def only_seeds(seen: SampleCounts) -> bool:
    """Say whether the requests differ in their seeds alone: another draw, not another request."""
    return set(seen.argument_names) <= {"seed"}


KIND_WORDS = {
    "role_markers": "chat-template tokens",
    "examples": "a block of examples",
    "example_layout": "the layout of the examples",
    "system_text": "a system text",
    "white_space": "white space",
    "start_token": "a start token",
    "thought": "a thought block",
    "other": "other words",
}
"""How prompts can differ, as a reader says it."""


def scorer_sentence(found: Caveats, labels: Labels) -> str:
    """Return that the same responses were scored otherwise."""
    if found.scorer is None:
        return ""
    number = max(one.scoring_only for one in found.scorer.filters)
    return (
        f"All responses of {found.scorer.task} are the same: {counted(number, 'item')} of {found.scorer.pairs} were "
        "scored otherwise, so the scoring changed, not the model."
    )


FAULT_WORDS = {
    "empty": "are empty",
    "cut": "are truncated at max_gen_toks",
    "thinking_open": "open a thought and never close it",
    "looping": "repeat one phrase to the end",
}


def broken_sentence(broken: Broken, labels: Labels) -> str:
    """Return that a part of one side's responses measures nothing, with the scores over the others."""
    whose = f"{labels.of(broken.side)} in {broken.task}"
    text = f"{broken.number} of {broken.of} responses of {whose} {FAULT_WORDS[broken.fault]}"
    done = broken.completed
    if done is None or broken.fault not in ("cut", "thinking_open"):
        return f"{text}."
    name = metric_name(done.metric, done.filter)
    return (
        f"{text}; over the {counted(done.items, 'item')} that neither side cut {name} is {done.a:.3g} in {labels.a} "
        f"and {done.b:.3g} in {labels.b}."
    )


def filters_sentence(found: FiltersApart) -> str:
    """Return that two filters of one metric disagree: a matter of extraction."""
    shown = [f"{row.filter} {amount(gap_of(row) or 0.0, is_share(row))}" for row in (found.low, found.high)]
    return (
        f"Filters of {found.low.task} {found.low.metric} disagree ({', '.join(shown)}): the difference depends on the "
        "extraction, not on accuracy alone."
    )


def unscored_sentence(found: Caveats, labels: Labels) -> str:
    """Return that items have no score on a side: they leave its denominator, which makes it look better."""
    if not found.unscored:
        return ""
    side, task, number, total = max(found.unscored, key=lambda one: one[2])
    verb = ("has", "is") if number == 1 else ("have", "are")
    of = f"{number} of {total} items of {task}"
    return f"{of} {verb[0]} no score in {labels.of(side)} and {verb[1]} left out."


def cause_sentence(
    ruling: Ruling, conclusion: Conclusion, others: Sequence[Hypothesis], first: Divergence | None, a: Run, b: Run,
    sent: bool, logged: bool,
) -> str:  # fmt: skip
    """Return the one line about the cause; "" where there is nothing to explain. `logged`: samples could show it."""
    if ruling.kind == "identical" and not conclusion.leading:
        return equal_but_differs(ruling, conclusion)
    if ruling.ground in ("not_applied", "nothing_shared", "no_scores", "file_twice"):
        return ""
    one = conclusion.alone
    if one is not None:
        return alone_sentence(one, conclusion, logged)
    if conclusion.leading:
        return together_sentence(conclusion)
    return (
        ""
        if sent and not any(bearing_of(one)[0] != "cannot" for one in others)
        else nobody_sentence(others, None if sent else first, a, b)
    )


def equal_but_differs(ruling: Ruling, conclusion: Conclusion) -> str:
    """Return that equal responses do not show whether another model was applied."""
    if conclusion.model is None or ruling.ground == "file_twice":
        return ""
    return f"The responses are equal; whether {conclusion.model.name} was applied cannot be seen."


def alone_sentence(one: Hypothesis, conclusion: Conclusion, logged: bool) -> str:
    """Return the sentence of a cause that leads alone, with both values and what shows it."""
    named = f"{one.name} ({both_values(one.difference)})"
    shown = evidence_of(one, conclusion.tasks)
    if conclusion.certainty == "proven":
        return f"Cause, proven by the logged samples: {named}. {shown}"
    if conclusion.certainty == "supported":
        return f"Leading cause, as far as the files show: {named}. {shown}".rstrip()
    if not logged:
        return f"Possible cause: {named}; without samples nothing shows whether it acted."
    return f"Possible cause: {named} differs, and nothing in the files shows that it acted."


def together_sentence(conclusion: Conclusion) -> str:
    """Return the sentence of several that fit equally."""
    shown = [f"{one.name} ({both_values(one.difference)})" for one in conclusion.leading]
    names = listed(shown, MOST_NAMED + 1)
    each = "both" if len(shown) == 2 else "all"
    if conclusion.certainty == "supported":
        marks = {
            one.key for one in conclusion.leading if any(r.mark in ("proof", "own") for r in one.over(conclusion.tasks))
        }
        checked = checked_evidence(conclusion)
        if len(marks) == len(shown):
            return f"{names} {each} left their mark: these runs cannot tell how much each does.{checked}"
        return f"{names} {each} differ: these runs cannot tell which is the cause.{checked}"
    return f"{names} {each} differ, and nothing in the files shows which of them acted."


def checked_evidence(conclusion: Conclusion) -> str:
    """Return what shows that a bound, a filter or a scorer among several causes acted on a part of the items."""
    shown = [
        f" {one.key}: {evidence_of(one, conclusion.tasks)}"
        for one in conclusion.leading
        if any(reading.mark in ("proof", "own") and ACTS[reading.act].proof for reading in one.over(conclusion.tasks))
    ]
    return "".join(shown)


def nobody_sentence(held: Sequence[Hypothesis], first: Divergence | None, a: Run, b: Run) -> str:
    """Return what is known where nobody leads: what differs all the same, and where the runs first diverge."""
    able = [one for one in held if bearing_of(one)[0] != "cannot" and not one.follows]
    others = [one for one in able if not noted_once(one)]
    listed_too = [one for one in held if one not in able and not noted_once(one)]
    where = f" The first divergence is at the {place_words(first)}." if first else ""
    bare = [label for label, run in zip(labels_of(a, b), (a, b), strict=True) if not recorded(run)]
    if bare:
        return f"The settings of {listed(bare)} are unknown: its config is missing.{where}"
    where = not_recorded(able, labels_of(a, b)) + where
    if not others and listed_too:
        return f"What differs on record ({listed([one.name for one in listed_too])}) cannot have acted.{where}"
    if not others:
        return f"Nothing recorded differs.{where}"
    names = listed([one.name for one in others])
    verb = "differs" if len(others) == 1 else "differ"
    return f"{names} {verb}; nothing shows that {'it' if len(others) == 1 else 'any of them'} acted.{where}"


def place_words(first: Divergence) -> str:
    """Return at which step of which task the runs first diverge, and in how many more tasks they do at that step."""
    more = f" and {counted(first.others, 'task')} more" if first.others else ""
    return f"{STEP_WORDS[first.step]} of {first.task}{more}"


def not_recorded(able: Sequence[Hypothesis], labels: Labels) -> str:
    """Return what one side alone wrote down and could have acted: a gap of knowledge, no difference."""
    parts = []
    for label, other in ((labels.a, "b"), (labels.b, "a")):
        keys = [one.name for one in able if noted_once(one) and getattr(one.difference.recorded, other)]
        if keys:
            parts.append(f" {listed(keys)} {'is' if len(keys) == 1 else 'are'} not recorded for {label}.")
    return "".join(parts)


def noted_once(one: Hypothesis) -> bool:
    """Say whether one side alone wrote something down beside its run: that is no difference."""
    return one.key.startswith("context.") and not one.difference.both_recorded


def recorded(run: Run) -> bool:
    """Say whether a run's file records its settings at all."""
    return "model" in run.settings and run.settings["model"].recorded


def evidence_of(one: Hypothesis, tasks: Sequence[str]) -> str:
    """Return the counts that show a cause over the tasks of a conclusion."""
    readings = one.over(tasks)
    if not readings:
        return bearing_of(one)[1] or ""
    best = min(readings, key=lambda reading: MARKS.index(reading.mark))
    return evidence_text([reading for reading in readings if reading.clause == best.clause]) or ""


def both_values(one: Difference) -> str:
    """Return both values of a difference."""
    ours, theirs = spoken(one, one.a, one.recorded.a), spoken(one, one.b, one.recorded.b)
    return f"{ours} → {theirs}" if ours != theirs else " → ".join(around_difference(one.a, one.b))


def around_difference(a: Json, b: Json) -> tuple[str, str]:
    """Return the part of two long values in which they first differ, quoted, so that white space is seen too."""
    ours, theirs = (value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in (a, b))
    at = next((place for place, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    start = max(0, (min(len(ours), len(theirs)) if at is None else at) - LONGEST_VALUE // 3)
    return quoted(ours, start), quoted(theirs, start)


def quoted(text: str, start: int) -> str:
    """Return a stretch of a text from a place on, as JSON writes it."""
    part = json.dumps(text[start : start + LONGEST_VALUE], ensure_ascii=False)
    return f"{'…' if start else ''}{part}{'…' if len(text) > start + LONGEST_VALUE else ''}"


def spoken(one: Difference, value: Json, known: bool) -> str:
    """Return a value as a reader says it: templates as on or off, long texts cut."""
    if value is None and not known:
        return "not recorded"
    if one.key in ("chat_template", "apply_chat_template") and not isinstance(value, dict):
        return {None: "off", "": "on, by the server"}.get(value, "on")
    if value is None:
        return "not given"
    return "another value in each task" if isinstance(value, dict) else cut(" ".join(str(value).split())) or "empty"


def cut(text: str) -> str:
    """Return a text that fits a sentence."""
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
