"""What the samples of two runs show: the cause ladder of each task, its findings, its flips, its paired scores."""

from collections.abc import Iterable, Sequence

from diptych.comparison import Finding, LeftOut, PromptPair
from diptych.diagnose.options import Options
from diptych.diagnose.samples.answer_format import extraction_findings, format_findings
from diptych.diagnose.samples.changed_items import Outcomes, led_by_benchmarks, lower_is_better, task_outcomes
from diptych.diagnose.samples.changed_texts import read_back
from diptych.diagnose.samples.constant_answers import constant_answers, constant_findings
from diptych.diagnose.samples.dependence import answers_each, dependence_findings
from diptych.diagnose.samples.evidence import DEFAULT_BUDGET, Chance, Evidence, Invalid, Recorded, TaskEvidence
from diptych.diagnose.samples.facts import broken_facts, completed_facts, filter_facts, move_facts, text_facts
from diptych.diagnose.samples.fault_findings import fault_findings
from diptych.diagnose.samples.filter_replay import replays, search_time
from diptych.diagnose.samples.invalid_tasks import (
    by_task,
    incomplete,
    invalid_answers,
    invalid_share,
    no_numbers,
    unmeasured_findings,
)
from diptych.diagnose.samples.item_scores import paired_scores
from diptych.diagnose.samples.joined_findings import join_findings, without_samples
from diptych.diagnose.samples.numerical_noise import answer_change, answers_parted, noise_findings
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.prompt_findings import prompt_findings
from diptych.diagnose.samples.prompt_pairs import prompt_pairs
from diptych.diagnose.samples.recited_targets import recital_findings, recited_targets
from diptych.diagnose.samples.renamed_tasks import under_two_names
from diptych.diagnose.samples.rescaled_scores import rescaled
from diptych.diagnose.samples.responses import NEARLY_ALL
from diptych.diagnose.samples.row_pairs import Pairs, copies
from diptych.diagnose.samples.same_answers import identical, identical_answers
from diptych.diagnose.samples.score_checks import (
    at_bound,
    contradicted_report,
    guesses,
    item_values,
    near_chance,
    reported_disagrees,
    unlogged_scores,
    worse_than_guessing,
)
from diptych.diagnose.samples.shared_ids import shared_ids
from diptych.diagnose.samples.shared_phrases import phrase_findings, shared_phrases
from diptych.diagnose.samples.task_walk import Walk
from diptych.diagnose.samples.token_limits import limits
from diptych.diagnose.samples.unpaired_items import coverage, lacks
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run
from diptych.sample_log import SampleLog
from diptych.sides import SIDES, Sided
from diptych.timed_search import SearchTime


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
    recorded, named, options = recorded or Recorded(), frozenset(options.primary), led_by_benchmarks(options, a, b)
    shared = [task for task in a.samples if task in b.samples]
    searches = search_time()
    finds = [task_finds(task, a, b, options, recorded, searches, task in named) for task in shared]
    logs = {task: (a.samples[task], b.samples[task]) for task in shared}
    kinds = {find.evidence.task: find.evidence.kind for find in finds}
    flips, flips_left_out = read_back([find.outcomes for find in finds], logs, kinds, options)
    findings = [finding for find in finds for finding in find.findings]
    renamed = under_two_names(a, b)
    return Evidence(
        tuple(find.evidence for find in finds),
        tuple(
            join_findings(
                [
                    *without_samples(a, b),
                    *findings,
                    *at_bound(a, b),
                    *worse_than_guessing(a, b),
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


def task_finds(
    task: str, a: Run, b: Run, options: Options, recorded: Recorded, searches: SearchTime, named: bool
) -> TaskFinds:
    """Return everything about one task that both sides logged; `named`: its metric was asked for."""
    alignment = align(a.samples[task], b.samples[task])
    walk = Walk(a.samples[task], b.samples[task], alignment, limits(task, a, b))
    paired = paired_scores(walk.a, walk.b, walk.filters, options.clusters.get(task))
    walk.count_lists(paired.lists)
    moved = task_outcomes(walk, options, {} if named else paired.slices, lower_is_better(task, a, b))
    change, parted = answer_change(walk, moved.leads), answers_parted(walk)
    covered = coverage(a, b, walk, alignment)
    same = identical(walk, paired, recorded)
    constant = Sided(constant_answers(walk, "a"), constant_answers(walk, "b"))
    texts = text_facts(walk, {key: pair for key, place, pair in recorded.texts if place in ("", task)})
    walk.prompts.name_texts(texts)
    phrases, recited = shared_phrases(walk, paired), recited_targets(walk)
    findings = [
        *covered.findings,
        *prompt_findings(walk),
        *(one for side in (0, 1) for one in fault_findings(task, SIDES[side], *walk.texts.counted(side))),
        *unmeasured_findings(walk),
        *constant_findings(task, constant),
        *phrase_findings(task, phrases),
        *recital_findings(task, recited),
        *extraction_findings(walk),
        *format_findings(walk, paired),
        *identical_answers(a, b, walk, same),
        *near_chance(walk, paired),
        *reported_disagrees(a, b, walk, paired),
        *item_values(a, b, walk, paired),
        *ties_between(task, a, b, walk, paired, options.clusters.get(task)),
        *rescaled(a, b, walk, paired),
    ]
    again = replays(walk, a, b, searches)
    evidence = task_evidence(walk, moved)._replace(
        filters=tuple(one._replace(replay=again.facts.get(one.filter)) for one in filter_facts(walk)),
        change=change,
        parted=parted,
        completed=completed_facts(walk, paired),
        broken=broken_facts(walk, paired),
        texts=texts,
        retargeted=walk.retargeted,
        guessing=tuple(guess.side for guess in guesses(walk, paired)),
        missing=missing_rows(a, b, walk, alignment.filters),
        contradicted=contradicted_report(a, b, walk, paired),
        constant=constant,
        phrases=phrases,
        recited=recited,
        unlogged=unlogged_scores(task, a, b, paired),
        ballots=Sided(*(answers_each(log, rows) for log, rows in first_pair(walk))),
        ids=shared_ids(walk.a, walk.b, alignment.filters[0] if alignment.filters else None),
    )
    return TaskFinds(
        evidence,
        (*findings, *noise_findings(walk, evidence)),
        (*covered.left_out, *again.left_out(task)),
        moved,
        paired,
        prompt_pairs(walk, options.samples),
        no_numbers(walk)
        or invalid_answers(walk, constant)
        or (same if same and invalid_share(same) >= NEARLY_ALL else None),
        incomplete(a, b, walk, alignment.filters),
    )


def first_pair(walk: Walk) -> list[tuple[SampleLog, Sequence[int]]]:
    """Return each log with the row of its first paired item, none where no item is paired."""
    pairs = next((found.pairs for found in walk.filters.values()), None)
    rows = (pairs.rows_a, pairs.rows_b) if pairs else ((), ())
    return [(log, own[:1]) for log, own in zip((walk.a, walk.b), rows, strict=True)]


def missing_rows(a: Run, b: Run, walk: Walk, filters: Sequence[Pairs]) -> Sided[int]:
    """Return how many rows of a task each side's log lacks, under the filter that lacks most."""
    return Sided(
        max((lacks(a, walk, pairs, "a") for pairs in filters), default=0),
        max((lacks(b, walk, pairs, "b") for pairs in filters), default=0),
    )


def ties_between(task: str, a: Run, b: Run, walk: Walk, paired: PairedScores, field: str | None) -> list[Finding]:
    """Return what is to be said of items that are no independent ones; of their documents unless `field` was named."""
    name, first = next(iter(walk.filters.items()), ("", None))
    if first is None or not first.pairs.rows_a:
        return []
    pairs, ties = first.pairs, paired.dependence.get(name)
    known = ties if field is None else None
    return dependence_findings(task, a, b, pairs.rows_a, pairs.clusters, known)


def task_evidence(walk: Walk, moved: Outcomes) -> TaskEvidence:
    """Return the counts of one walk."""
    filters = list(walk.filters.values())
    pairs = filters[0].pairs if filters else None
    compared = walk.compared["responses"]
    generation = walk.kind == "generation" and compared > 0
    nothing = (
        largest_count(len(walked.nothing_a) for walked in filters),
        largest_count(len(walked.nothing_b) for walked in filters),
    )
    held = largest_count(walked.held_a for walked in filters), largest_count(walked.held_b for walked in filters)
    return TaskEvidence(
        task=walk.a.task,
        pairs=len(filters[0].items) if filters else 0,
        only_a=len(pairs.only_a) if pairs else 0,
        only_b=len(pairs.only_b) if pairs else 0,
        ladder=walk.ladder(),
        prompts=walk.prompts.evidence() if walk.prompts.compared else None,
        choices=walk.different["choices"],
        spaced_choices=dict(walk.spaced_choices),
        arguments=dict(sorted(walk.arguments.items())),
        responses=walk.different["responses"],
        responses_compared=compared,
        answers_a=walk.texts.shape(0, nothing[0], held[0]) if generation else None,
        answers_b=walk.texts.shape(1, nothing[1], held[1]) if generation else None,
        change=None,
        lost=moved.lost,
        gained=moved.gained,
        kind=walk.kind,
        starts_a=walk.starts[0].evidence(walk.compared["prompts"]),
        starts_b=walk.starts[1].evidence(walk.compared["prompts"]),
        messages_a=walk.messages[0],
        messages_b=walk.messages[1],
        chance=Chance(compared, walk.numbers.chance / compared) if walk.numbers.chance and compared else None,
        cuts=walk.texts.cuts.facts(),
        moves=move_facts(walk),
        reordered=max(walk.reordered, largest_count(len(walked.pairs.reordered) for walked in filters)),
        long_prompts=Sided(*map(len, walk.too_long)),
        telling=walk.texts.telling,
        distinct=walk.distinct,
        misplaced=walk.texts.moved.misplaced(filters[0].items) if filters else 0,
        unfinished=walk.texts.unfinished,
        one_text=walk.texts.framed.facts(),
        stopped=Sided(*(side.facts() for side in walk.texts.stopped)),
        unmeasured=Sided(*map(dict, walk.numbers.unmeasured)),
        drawn=walk.drawn,
        held=walk.held.facts(),
        most_tokens=walk.longest + max(budget or DEFAULT_BUDGET for budget in walk.limits.answers),
        items=items_in(pairs) if pairs else 0,
        copies=Sided(copies(walk.a, pairs.rows_a, pairs.only_a), copies(walk.b, pairs.rows_b, pairs.only_b))
        if pairs
        else Sided(0, 0),
    )


def items_in(pairs: Pairs) -> int:
    """Return how many items the pairs are of; each pair has a row of its own."""
    return len(pairs.rows_a) if pairs.clusters is None else len(set(pairs.clusters))


def largest_count(counts: Iterable[int]) -> int:
    """Return the largest count, 0 of none."""
    return max(counts, default=0)
