"""What the samples of two runs show: the cause ladder of each task, its findings, its flips, its paired scores."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from diptych import bounded
from diptych.comparison import Finding, LeftOut, PromptPair
from diptych.diagnose.options import Options
from diptych.diagnose.samples.answer_format import extraction_findings, format_findings
from diptych.diagnose.samples.changed_items import Outcomes, led_by_benchmarks, outcomes
from diptych.diagnose.samples.changed_texts import folded, read_back
from diptych.diagnose.samples.coverage import coverage, lacks
from diptych.diagnose.samples.dependence import repeats_finding
from diptych.diagnose.samples.evidence import (
    DEFAULT_BUDGET,
    Chance,
    Evidence,
    Invalid,
    PairedScores,
    Recorded,
    TaskEvidence,
)
from diptych.diagnose.samples.facts import completed_facts, filter_facts, move_facts, text_facts
from diptych.diagnose.samples.filter_replay import replays
from diptych.diagnose.samples.invalid_tasks import by_task, incomplete, invalid_answers, share
from diptych.diagnose.samples.item_scores import paired_scores
from diptych.diagnose.samples.logged_values import BUDGETS
from diptych.diagnose.samples.numerical_noise import answer_change, answers_parted, noise_findings
from diptych.diagnose.samples.pairing import Pairs, align, copies
from diptych.diagnose.samples.prompt_findings import prompt_findings
from diptych.diagnose.samples.renamed import proposal, under_two_names
from diptych.diagnose.samples.rescaled import rescaled
from diptych.diagnose.samples.responses import NEARLY_ALL, fault_findings
from diptych.diagnose.samples.score_checks import (
    at_bound,
    contradicted,
    guesses,
    identical,
    identical_answers,
    item_values,
    near_chance,
    reported_disagrees,
    worse_than_guessing,
)
from diptych.diagnose.samples.walk import Limits, Walk
from diptych.keys import Sided, each_side
from diptych.run import Message, Run, Sample

MANY_TASKS = 10
"""Where more tasks than this show one kind of finding on one side, they share one finding."""

LONGEST_PROMPT = 60_000


class TaskFinds(NamedTuple):
    """Everything about one task, before flips get their texts."""

    evidence: TaskEvidence
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    outcomes: Outcomes
    paired: PairedScores
    prompts: tuple[PromptPair, ...]
    invalid: Invalid | None
    incomplete: Invalid | None


def gather(a: Run, b: Run, options: Options, recorded: Recorded | None = None) -> Evidence:
    """Return what the samples of both runs show, over all tasks that both logged."""
    recorded, options = recorded or Recorded(), led_by_benchmarks(options, a, b)
    shared = [task for task in a.samples if task in b.samples]
    finds = [task_finds(task, a, b, options, recorded) for task in shared]
    logs = {task: (a.samples[task], b.samples[task]) for task in shared}
    kinds = {find.evidence.task: find.evidence.kind for find in finds}
    flips, flips_left_out = read_back([find.outcomes for find in finds], logs, kinds, options)
    findings = [finding for find in finds for finding in find.findings]
    renamed = under_two_names(a, b)
    return Evidence(
        tuple(find.evidence for find in finds),
        tuple(
            joined(
                [
                    *without_samples(a, b),
                    *findings,
                    *at_bound(a, b),
                    *worse_than_guessing(a, b),
                    *map(proposal, renamed),
                ]
            )
        ),
        flips,
        tuple(count for find in finds for count in find.outcomes.counts),
        tuple(pair for find in finds for pair in find.prompts),
        (*(left for find in finds for left in find.left_out), *flips_left_out),
        {find.evidence.task: find.paired for find in finds},
        by_task(find.invalid for find in finds),
        by_task(find.incomplete for find in finds),
        renamed,
    )


def task_finds(task: str, a: Run, b: Run, options: Options, recorded: Recorded) -> TaskFinds:
    """Return everything about one task that both sides logged."""
    alignment = align(a.samples[task], b.samples[task])
    walk = Walk(a.samples[task], b.samples[task], alignment, limits(task, a, b))
    paired = paired_scores(walk.a, walk.b, walk.filters, options.clusters.get(task))
    walk.count_lists(paired.lists)
    moved = outcomes(walk, options)
    change, parted = answer_change(walk, moved.leads), answers_parted(walk)
    covered = coverage(a, b, walk, alignment)
    same = identical(walk, paired, recorded)
    findings = [
        *covered.findings,
        *prompt_findings(walk),
        *fault_findings(task, "a", walk.texts.answers_a),
        *fault_findings(task, "b", walk.texts.answers_b),
        *extraction_findings(walk),
        *format_findings(walk, paired),
        *identical_answers(a, b, walk, same),
        *near_chance(walk, paired),
        *reported_disagrees(a, b, walk, paired),
        *item_values(a, b, walk, paired),
        *repeats_of(task, a, b, paired),
        *rescaled(a, b, walk, paired),
        *noise_findings(walk, change, parted, moved.lost + moved.gained),
    ]
    texts = {key: pair for key, place, pair in recorded.texts if place in ("", task)}
    again = replays(walk, a, b)
    evidence = task_evidence(walk, moved)._replace(
        filters=tuple(one._replace(replay=again.get(one.filter)) for one in filter_facts(walk)),
        change=change,
        parted=parted,
        completed=completed_facts(walk, paired),
        texts=text_facts(walk, texts),
        retargeted=walk.retargeted,
        guessing=tuple(guess.side for guess in guesses(walk, paired)),
        missing=missing_rows(a, b, walk, alignment.filters),
        contradicted=contradicted(a, b, walk, paired),
    )
    return TaskFinds(
        evidence,
        tuple(findings),
        covered.left_out,
        moved,
        paired,
        prompt_pairs(walk, options.samples),
        invalid_answers(walk) or (same if same and share(same) >= NEARLY_ALL else None),
        incomplete(a, b, walk, alignment.filters),
    )


def missing_rows(a: Run, b: Run, walk: Walk, filters: Sequence[Pairs]) -> Sided[int]:
    """Return how many rows of a task each side's log lacks, under the filter that lacks most."""
    return Sided(
        max((lacks(a, walk, pairs, "a") for pairs in filters), default=0),
        max((lacks(b, walk, pairs, "b") for pairs in filters), default=0),
    )


def repeats_of(task: str, a: Run, b: Run, paired: PairedScores) -> list[Finding]:
    """Return what is to be said of a task that asks each item several times."""
    ties = next(iter(paired.dependence.values()), None)
    items = len(next(iter(paired.items.values()), ()))
    return repeats_finding(task, a, b, items, ties.answers) if ties else []


def limits(task: str, a: Run, b: Run) -> Limits:
    """Return the most tokens of answers and prompts by the settings of both sides."""
    answers = [f"{place}.{name}" for place in ("gen_kwargs", "model_args") for name in BUDGETS]
    prompts = ["model_args.max_length", "model_args.max_model_len", "max_length"]
    return Limits(
        (whole_number(a, task, answers), whole_number(b, task, answers)),
        (whole_number(a, task, prompts), whole_number(b, task, prompts)),
    )


def whole_number(run: Run, task: str, keys: Sequence[str]) -> int | None:
    """Return the first of some settings, of the task or the run, that is a whole number."""
    for settings in (run.task_settings.get(task, {}), run.settings):
        for key in keys:
            value = settings[key].value if key in settings else None
            if number := bounded.whole_number(str(value)):
                return number
    return None


def task_evidence(walk: Walk, moved: Outcomes) -> TaskEvidence:
    """Return the counts of one walk."""
    filters = list(walk.filters.values())
    pairs = filters[0].pairs if filters else None
    compared = walk.compared["responses"]
    generation = walk.kind == "generation" and compared > 0
    nothing = most(len(walked.nothing_a) for walked in filters), most(len(walked.nothing_b) for walked in filters)
    held = most(walked.held_a for walked in filters), most(walked.held_b for walked in filters)
    return TaskEvidence(
        task=walk.a.task,
        pairs=len(filters[0].items) if filters else 0,
        only_a=len(pairs.only_a) if pairs else 0,
        only_b=len(pairs.only_b) if pairs else 0,
        ladder=walk.ladder(),
        prompts=walk.prompts.evidence() if walk.prompts.compared else None,
        choices=walk.different["choices"],
        spaced_choices=walk.spaced_choices,
        arguments=dict(sorted(walk.arguments.items())),
        responses=walk.different["responses"],
        responses_compared=compared,
        answers_a=walk.texts.answers_a.shape(nothing[0], held[0]) if generation else None,
        answers_b=walk.texts.answers_b.shape(nothing[1], held[1]) if generation else None,
        change=None,
        lost=moved.lost,
        gained=moved.gained,
        kind=walk.kind,
        starts_a=walk.starts[0].evidence(),
        starts_b=walk.starts[1].evidence(),
        messages_a=walk.messages[0],
        messages_b=walk.messages[1],
        chance=Chance(compared, walk.numbers.chance / compared) if walk.numbers.chance and compared else None,
        cuts=walk.texts.cuts.facts(),
        moves=move_facts(walk),
        reordered=walk.reordered,
        long_prompts=Sided(*map(len, walk.too_long)),
        telling=walk.texts.telling,
        distinct=walk.distinct,
        drawn=walk.drawn,
        most_tokens=walk.longest + max(budget or DEFAULT_BUDGET for budget in walk.limits.answers),
        items=len(set(pairs.clusters or pairs.rows_a)) if pairs else 0,
        copies=Sided(copies(walk.a, pairs.rows_a, pairs.only_a), copies(walk.b, pairs.rows_b, pairs.only_b))
        if pairs
        else Sided(0, 0),
    )


def most(counts: Iterable[int]) -> int:
    """Return the largest count, 0 of none."""
    return max(counts, default=0)


def prompt_pairs(walk: Walk, number: int) -> tuple[PromptPair, ...]:
    """Return the first prompts side by side, those that differ before those that do not."""
    walked = next(iter(walk.filters.values()), None)
    if walked is None or number < 1:
        return ()
    places = list(range(min(number, len(walked.items))))
    first = walk.first.get("prompts")
    if first in walked.items:
        place = walked.items.index(first)
        places = [place, *(other for other in places if other != place)][:number]
    left = walk.a.lines([walked.pairs.rows_a[place] for place in places])
    right = walk.b.lines([walked.pairs.rows_b[place] for place in places])
    lines = zip(places, left, right, strict=True)
    return tuple(prompt_pair(walk, walked.items[place], one.sample(), two.sample()) for place, one, two in lines)


def prompt_pair(walk: Walk, item: str, left: Sample, right: Sample) -> PromptPair:
    """Return one item's prompts with a clause on how they differ."""
    edit = walk.prompts.edit_of(left.requests, right.requests)
    note = f"{edit.note[:1].upper()}{edit.note[1:]}." if edit.note else "The prompts are the same."
    texts, messages = zip(*(shown(sample) for sample in (left, right)), strict=True)
    return PromptPair(walk.a.task, item, texts[0], texts[1], messages[0], messages[1], note)


def shown(sample: Sample) -> tuple[str | None, tuple[tuple[str, str], ...] | None]:
    """Return a sample's first prompt as text, and its messages where it was sent as such."""
    if not sample.requests:
        return None, None
    request = sample.requests[0]
    messages: Iterable[Message] | None = request.messages
    turns = None if messages is None else tuple((turn.role, folded(turn.content, LONGEST_PROMPT)) for turn in messages)
    return folded(request.context, LONGEST_PROMPT), turns


def without_samples(a: Run, b: Run) -> list[Finding]:
    """Return that a side logged no samples, or none of some tasks that the other logged."""
    if not a.samples and not b.samples:
        text = "Neither run has samples, so items cannot be paired and prompts and answers cannot be compared."
        return [Finding("no_samples", "warning", text, "both")]
    found = []
    for side, (run, other) in each_side((a, b), (b, a)):
        scored = {score.task for score in run.scores if not score.group}
        lacking = [task for task in other.samples if task not in run.samples and task in scored]
        counts = (len(lacking), len(scored), tuple(lacking[:3]))
        if lacking and not run.samples:
            text = f"{side.upper()} has no samples, so its items cannot be paired with those of the other run."
            found.append(Finding("no_samples", "warning", text, side, None, *counts))
        elif lacking:
            names = ", ".join(lacking[:3]) + (", …" if len(lacking) > 3 else "")
            text = f"{side.upper()} has no samples of {len(lacking)} of {len(scored)} tasks ({names})."
            task = lacking[0] if len(lacking) == 1 else None
            found.append(Finding("no_samples", "warning", text, side, task, *counts))
    return found


def joined(findings: list[Finding]) -> list[Finding]:
    """Return the findings, one for many tasks where more than ten show the same."""
    groups: dict[tuple[str, str | None, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind, finding.side, finding.severity), []).append(finding)
    found = []
    for group in groups.values():
        several = len({finding.task for finding in group}) > MANY_TASKS
        found += [over_tasks(group)] if several else group
    return found


def over_tasks(group: list[Finding]) -> Finding:
    """Return one finding for many tasks: the first one's words, and how many tasks more."""
    first = group[0]
    tasks = list(dict.fromkeys(finding.task for finding in group if finding.task))
    counts = [finding.count_ for finding in group if finding.count_ is not None]
    totals = [finding.of for finding in group if finding.of is not None]
    text = f"In {len(tasks)} tasks ({', '.join(tasks[:3])}, …), the first of them: {first.text}"
    return Finding(
        first.kind, first.severity, text, first.side, None, sum(counts) or None, sum(totals) or None, tuple(tasks[:3])
    )
