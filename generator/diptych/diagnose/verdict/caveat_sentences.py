"""What goes with a verdict's kind, in words: other items, tasks left out, requests that differ, broken responses."""

from collections.abc import Sequence

from diptych.catalogue.acts import ACTS
from diptych.catalogue.words import STATUSES, word_of
from diptych.comparison import MetricComparison
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.invalid_tasks import count_clause
from diptych.diagnose.samples.sample_counts import SampleCounts, sample_counts
from diptych.diagnose.scores.primary import SetAside
from diptych.diagnose.scores.sentences import is_share
from diptych.diagnose.settings.lookup import value_of
from diptych.diagnose.verdict.caveats import Broken, Caveats, Partial
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.ground_sentences import reported_pair, retargeted_clause
from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.kind import Ruling, gap_of
from diptych.diagnose.verdict.labels import Labels
from diptych.diagnose.verdict.value_words import around_difference
from diptych.numbers import amount, counted, listed, metric_name
from diptych.run import Run


def set_clause(
    evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], held: Sequence[Hypothesis], a: Run, b: Run
) -> str:
    """Return the sentences that say where a log is cut or not there, and where the two hold other items."""
    parts = (
        incomplete_clause(evidence, labels, rows),
        unlogged_clause(evidence, labels, rows, a, b),
        uneven_clause(evidence, labels, rows, held),
        other_answers_clause(evidence, labels),
    )
    return " ".join(part for part in parts if part)


def incomplete_clause(evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison]) -> str:
    """Return which log lacks so many rows that no word rests on it, with the reported scores."""
    if not evidence.incomplete_tasks:
        return ""
    one = next(iter(evidence.incomplete_tasks.values()))
    rest = len(evidence.incomplete_tasks) - 1
    more = f", and too many of {counted(rest, 'task')} more" if rest else ""
    label = labels.a if one.side == "a" else labels.b
    worded = any(row.task == one.task and row.status in ("better", "worse", "same") for row in rows)
    said = reported_gap(one.task, rows)
    rest_on = "its word rests on the reported totals alone" if worded else f"no word is given there{said}"
    return f"The log of {label} lacks {one.count_} of {one.of} items of {one.task}{more}: {rest_on}."


def unlogged_clause(evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], a: Run, b: Run) -> str:
    """Return which tasks have no log on one side though others have, so that reported scores are all there is."""
    tasks = list(dict.fromkeys(row.task for row in rows if not row.group))
    for label, run, other in ((labels.a, a, b), (labels.b, b, a)):
        lacking = [task for task in tasks if task in other.samples and task not in run.samples]
        if lacking and evidence.tasks:
            verb = "has" if len(lacking) == 1 else "have"
            return f"{listed(lacking)} {verb} no sample log in {label}: only reported scores are held together there."
    return ""


def uneven_clause(
    evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], held: Sequence[Hypothesis]
) -> str:
    """Return where the two logs hold other items, or lack some, and that no setting says why."""
    uneven = [
        task for task in evidence.tasks if (task.only_a or task.only_b) and task.task not in evidence.incomplete_tasks
    ]
    if not uneven:
        return ""
    first = max(uneven, key=lambda task: task.only_a + task.only_b)
    more = f" and {counted(len(uneven) - 1, 'task')} more" if len(uneven) > 1 else ""
    if first.only_a + first.only_b <= first.missing.a + first.missing.b:
        total = first.pairs + first.only_a + first.only_b
        return f"Rows are missing from a log ({first.task}: {first.pairs} of {total} items can be paired{more})."
    shared = first.items or first.pairs
    text = (
        f"The runs cover different question sets ({first.task}: {counted(shared + first.only_a, 'item')} in "
        f"{labels.a}, {shared + first.only_b} in {labels.b}, {shared} shared{more}); only shared ones are compared."
        f"{copies_clause(first, labels)}"
    )
    if chosen_by_record(held):
        return text
    why = "" if any(first.copies) else " No recorded setting says why: a list of items (--samples) is not recorded."
    return f"{text}{why} The reported scores are of other items{reported_gap(first.task, rows, brackets='')}."


def copies_clause(task: TaskEvidence, labels: Labels) -> str:
    """Return that items in no pair are second copies of documents that are in one, "" where none is."""
    parts = [
        f"{number} of {of} items of {label} in no pair are second copies of shared documents"
        for label, number, of in ((labels.a, task.copies.a, task.only_a), (labels.b, task.copies.b, task.only_b))
        if number
    ]
    return f" {' and '.join(parts)}." if parts else ""


def chosen_by_record(held: Sequence[Hypothesis]) -> bool:
    """Say whether a recorded difference chooses the items or the documents."""
    return any({"items", "documents"} & set(one.difference.known.acts) for one in held)


def other_answers_clause(evidence: Evidence, labels: Labels) -> str:
    """Return where right answers changed, so that items are in no pair."""
    other = max(evidence.tasks, key=lambda task: task.retargeted.items, default=None)
    if other is None or not other.retargeted.items or not other.pairs:
        return ""
    return f"{retargeted_clause(other.task, evidence, labels)}; these items are left out."


def dummy_clause(labels: Labels, a: Run, b: Run) -> str:
    """Return which side is the harness's dummy backend, which answers at random and measures no model."""
    names = [label for label, run in ((labels.a, a), (labels.b, b)) if value_of(run, "model") == "dummy"]
    if not names:
        return ""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed(names)} {verb} of the dummy backend, which answers at random: no model is measured there."


def one_sided_tasks(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which tasks one side alone scored, and which benchmark is therefore made of other tasks, "" where none."""
    if ruling.ground in ("nothing_shared", "no_scores", "file_twice"):
        return ""
    scored = [{score.task for score in run.scores if not score.group} for run in (a, b)]
    sides = ((labels.a, sorted(scored[0] - scored[1])), (labels.b, sorted(scored[1] - scored[0])))
    parts = [
        f"{listed(tasks)} {'is' if len(tasks) == 1 else 'are'} in {label} alone" for label, tasks in sides if tasks
    ]
    if not parts:
        return ""
    one = next(iter(evidence.renamed), None)
    if one is not None:
        parts[-1] += f" ({one.a} and {one.b} hold the same documents: most likely one task under two names)"
    groups = sorted(row for row in {*a.groups} & {*b.groups} if set(a.groups[row]) != set(b.groups[row]))
    rest = f", so {listed(groups)} cannot be compared as a whole" if groups else ""
    return f"{' and '.join(parts)}{rest}."


def reported_gap(task: str | None, rows: Sequence[MetricComparison], brackets: str = "reported: ") -> str:
    """Return both reported scores of a task by the metric that leads, as an addition in brackets."""
    own = [row for row in rows if row.task == task and row.a is not None and row.b is not None]
    row = next((row for row in own if row.primary), next(iter(own), None))
    return f" ({brackets}{reported_pair(row)})" if row else ""


def caveat_sentences(ruling: Ruling, found: Caveats, labels: Labels) -> list[str]:
    """Return the sentences that go with a verdict's kind."""
    if ruling.ground != "statuses":
        return []
    said = [left_out_sentence(ruling, labels), contradicted_sentence(found, labels), scorer_sentence(found, labels)]
    said += [broken_sentence(found.broken, labels) if found.broken else ""]
    said += [ran_on_sentence(found.ran_on, labels) if found.ran_on else ""]
    said += [ended_sentence(found.ended, labels) if found.ended else ""]
    if found.guessing and ruling.kind == "different":
        side, task = found.guessing
        said.append(f"{labels.of(side)} is near chance on {task}: rather a broken run than a weak model.")
    said.append(unscored_sentence(found, labels))
    if found.heat is not None:
        said.append(
            f"Both sides draw their answers (temperature {found.heat:g}): how far a rerun moves them is not known."
        )
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


def sent_sentence(ruling: Ruling, conclusion: Conclusion, evidence: Evidence, a: Run, b: Run) -> str:
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
        only = ", only by white space at their ends" if spaced(evidence, conclusion.tasks) else ""
        what = f"The scored continuations themselves differ ({seen.choices.differ} of {seen.choices.compared}{only})"
    elif seen.arguments.differ and not seen.prompts.differ and not conclusion.leading and not only_seeds(seen):
        names = listed(sorted(seen.argument_names))
        what = (
            f"The gen_kwargs of the requests differ ({names} in {seen.arguments.differ} of {seen.arguments.compared})"
        )
        return f"{what}, and nothing shows that this acted."
    shown = first_words(evidence, conclusion.tasks) if kinds and what else ""
    return f"{what}, and no recorded setting explains that.{shown}{builder_clause(a, b)}" if what else ""


def builder_clause(a: Run, b: Run) -> str:
    """Return that the harness writes prompts and continuations, where its version is not the same or not recorded."""
    ours, theirs = a.harness_version, b.harness_version
    if ours == theirs and ours is not None:
        return ""
    shown = " → ".join(version or "not recorded" for version in (ours, theirs))
    shown = "not recorded on either side" if ours is theirs is None else shown
    return f" The harness builds them from the task, and its version is not known to be the same ({shown})."


def spaced(evidence: Evidence, tasks: Sequence[str]) -> bool:
    """Say whether scored continuations that differ do so by white space at their ends alone."""
    found = [task for task in evidence.tasks if task.choices and (not tasks or task.task in tasks)]
    return bool(found) and all(task.spaced_choices == task.choices for task in found)


def first_words(evidence: Evidence, tasks: Sequence[str]) -> str:
    """Return the stretch in which the first two prompts that differ part, "" where no text is at hand."""
    for pair in evidence.prompts:
        if (not tasks or pair.task in tasks) and pair.a and pair.b and pair.a != pair.b:
            return f" In the first of {pair.task}: {' → '.join(around_difference(pair.a, pair.b))}."
    return ""


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


def contradicted_sentence(found: Caveats, labels: Labels) -> str:
    """Return that a reported score is not that of its own log: the two may be of two runs."""
    one = found.contradicted
    if one is None:
        return ""
    said = f"{one.metric} {one.reported:.4g}"
    return (
        f"What {labels.of(one.side)} reports for {one.task} ({said}) is not what its log gives ({one.logged:.4g}): the "
        "two may be of different runs."
    )


def ended_sentence(found: Partial, labels: Labels) -> str:
    """Return that one side's responses are beginnings of the other's, and that no file says what ends them."""
    who, other = labels.of(found.side), labels.of("b" if found.side == "a" else "a")
    return (
        f"{found.number} of {found.of} changed responses of {who} in {found.task} are the beginnings of {other}'s, and "
        f"no recorded budget or stop string ends them there: something that no file records cuts {who} short."
    )


def ran_on_sentence(found: Partial, labels: Labels) -> str:
    """Return that the stop strings of the requests were not applied on one side."""
    who, other = labels.of(found.side), labels.of("b" if found.side == "a" else "a")
    return (
        f"{found.number} of {found.of} changed responses of {who} in {found.task} go on behind a stop string of their "
        f"own request and are {other}'s up to there: the stop strings (until) were not applied in {who}."
    )


FAULT_WORDS = {
    "empty": "are empty",
    "cut": "are truncated at max_gen_toks",
    "thinking_open": "open a thought and never close it",
    "looping": "repeat one phrase to the end",
    "refused": "are refusals",
}


def broken_sentence(broken: Broken, labels: Labels) -> str:
    """Return that a part of one side's responses measures nothing, with the scores over the others."""
    beside = f" and {broken.other} of {labels.of('b' if broken.side == 'a' else 'a')}" if broken.other else ""
    whose = f"{labels.of(broken.side)}{beside} in {broken.task}"
    text = f"{broken.number} of {broken.of} responses of {whose} {FAULT_WORDS[broken.fault]}"
    done = broken.completed
    if done is None or broken.fault not in ("cut", "thinking_open"):
        return f"{text}."
    name = metric_name(done.metric, done.filter)
    return (
        f"{text}; over the {counted(done.items, 'item')} that neither side cut {name} is {done.a:.3g} in {labels.a} "
        f"and {done.b:.3g} in {labels.b}."
    )


def aside_clause(found: Caveats, labels: Labels) -> str:
    """Return what does not lead and says otherwise, a clause of the first sentence: filters, and other metrics."""
    parts = [set_aside_clause(found.set_aside[0], labels, len(found.set_aside) - 1)] if found.set_aside else []
    if found.filters is not None:
        low, high = found.filters
        parts.append(
            f"filters of {low.task} {low.metric} disagree (extraction, not accuracy alone): "
            f"{low.filter} {told(low)}, {high.filter} {told(high)}"
        )
    if found.metrics is not None:
        lead, other = found.metrics
        names = [metric_name(row.metric, row.filter) for row in (lead, other)]
        parts.append(f"metrics of {lead.task} disagree: {names[0]} {told(lead)}, {names[1]} {told(other)}")
    return "; ".join(parts)


def set_aside_clause(one: SetAside, labels: Labels, more: int) -> str:
    """Return which filter does not lead because it finds (nearly) nothing, with its own difference."""
    row, found = one.row, one.found
    rest = f"; so in {counted(more, 'task')} more" if more else ""
    if found is None:
        most = max(row.a or 0.0, row.b or 0.0)
        why = f"scores at most {most:.2g} on either side, as one that finds nothing"
    else:
        nothing, of = found
        why = f"finds nothing in {nothing.a} of {of.a} responses of {labels.a} and {nothing.b} of {of.b} of {labels.b}"
    gap = amount(gap_of(row) or 0.0, is_share(row))
    word = word_of(STATUSES, row.status).word
    return f"on {row.task} {one.leads.filter} leads, since {row.filter} ({gap}, {word}) {why}{rest}"


def told(row: MetricComparison) -> str:
    """Return a row's difference with its word: `−12.0 pp (worse)`."""
    return f"{amount(gap_of(row) or 0.0, is_share(row))} ({word_of(STATUSES, row.status).word})"


def unscored_sentence(found: Caveats, labels: Labels) -> str:
    """Return that items have no score on a side: they leave its denominator, which makes it look better."""
    if not found.unscored:
        return ""
    side, task, number, total = max(found.unscored, key=lambda one: one[2])
    verb = ("has", "is") if number == 1 else ("have", "are")
    of = f"{number} of {total} items of {task}"
    return f"{of} {verb[0]} no score in {labels.of(side)} and {verb[1]} left out."
