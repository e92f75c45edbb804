"""Which items the two logs hold, and what could not be paired: limits, missing and doubled rows, ids that lie."""

from collections.abc import Sequence

from diptych.comparison import Finding, LeftOut
from diptych.diagnose.samples.row_pairs import Alignment, Pairs, copies
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.logged_values import DAMAGED
from diptych.run import Run
from diptych.sample_log import SampleLog
from diptych.sides import Side, each_side

FEW = 0.1
"""Where no results file says how many items there should be, up to this share of one side's items counts as missing."""


class Coverage(NamedTuple):
    """Findings and what is left out, for one task."""

    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]


def coverage(a: Run, b: Run, walk: Walk, alignment: Alignment) -> Coverage:
    """Return what is to be said of the rows of one task."""
    task = walk.a.task
    findings: list[Finding] = []
    left_out: list[LeftOut] = []
    for name, side in ((name, side) for side, names in one_sided_filters(alignment) for name in names):
        why = f"{side} alone has rows under this filter, so there is nothing to pair them with"
        left_out.append(LeftOut(f"filter {name} of {task}", 1, why))
    if alignment.filters:
        pairs = max(alignment.filters, key=lambda found: len(found.only_a) + len(found.only_b))
        findings += one_sided_findings(a, b, walk, pairs)
        left_out += one_sided_left_out(walk, pairs)
        findings += doubled_rows(walk, alignment.filters)
        findings += disagreeing(walk, pairs)
        findings += same_question(walk, pairs)
        findings += changed_target_findings(walk)
        left_out += dropped(walk)
    return Coverage(tuple(findings), tuple(left_out))


def one_sided_filters(alignment: Alignment) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the filters that one side alone has."""
    return ("A", alignment.filters_only_a), ("B", alignment.filters_only_b)


def one_sided_findings(a: Run, b: Run, walk: Walk, pairs: Pairs) -> list[Finding]:
    """Return whether items that one side lacks are missing rows or another set of items."""
    found = []
    missing_a, missing_b = lacks(a, walk, pairs, "a"), lacks(b, walk, pairs, "b")
    for side, count in each_side(missing_a, missing_b):
        if count:
            found.append(missing_rows_finding(walk, pairs, side, count, declared(a if side == "a" else b, walk.a.task)))
    only_a, only_b = len(pairs.only_a), len(pairs.only_b)
    if (only_a and not missing_b) or (only_b and not missing_a):
        found.append(different_sets(a, b, walk, pairs))
    return found


def declared(run: Run, task: str) -> int | None:
    """Return the items that the results file says were scored."""
    return run.items.get(task)


def lacks(run: Run, walk: Walk, pairs: Pairs, side: Side) -> int:
    """Return how many items a side's log lacks: by its own results file, else by what the other log holds besides."""
    other_only = len(pairs.only_b if side == "a" else pairs.only_a)
    own = paired_items(walk, pairs) + len(pairs.only_a if side == "a" else pairs.only_b) + len(pairs.changed_targets)
    said = declared(run, walk.a.task)
    if said is not None:
        return max(said - own, 0)
    return other_only if 0 < other_only <= FEW * own and not is_cut_by_limit(walk, pairs, side) else 0


def paired_items(walk: Walk, pairs: Pairs) -> int:
    """Return how many items of different names are paired under a filter."""
    return walk.filters[pairs.filter].items.distinct()


def is_cut_by_limit(walk: Walk, pairs: Pairs, side: Side) -> bool:
    """Say whether what a side lacks is the end of the other log, as a limit leaves it."""
    alone, paired = (pairs.only_b, pairs.rows_b) if side == "a" else (pairs.only_a, pairs.rows_a)
    return not paired or min(alone) > max(paired)


def missing_rows_finding(walk: Walk, pairs: Pairs, side: Side, count: int, said: int | None) -> Finding:
    """Return the finding that a log lacks rows, with the first items that the other log shows to be missing."""
    task = walk.a.task
    log, rows = (walk.b, pairs.only_b) if side == "a" else (walk.a, pairs.only_a)
    names = first_item_names(log, rows)
    total = said if said is not None else paired_items(walk, pairs) + count
    shown = f" ({', '.join(names)}{', …' if len(rows) > len(names) else ''})" if names else ""
    text = f"The sample log of {side.upper()} lacks {count} of {total} items of {task}{shown}."
    return Finding("rows_missing", "warning", text, side, task, count, total, names)


def first_item_names(log: SampleLog, rows: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the first three items."""
    return tuple(str(log.columns.doc_ids[row]) for row in rows[:3])


def different_sets(a: Run, b: Run, walk: Walk, pairs: Pairs) -> Finding:
    """Return the finding that the two sides answered different sets of items."""
    task = walk.a.task
    shared, only_a, only_b = paired_items(walk, pairs), len(pairs.only_a), len(pairs.only_b)
    size_a, size_b = shared + only_a, shared + only_b
    limits = [
        f"{side} has limit {run.settings['limit'].value:g}"
        for side, run in (("A", a), ("B", b))
        if "limit" in run.settings and isinstance(run.settings["limit"].value, (int, float))
    ]
    reason = f" ({', '.join(limits)})" if limits else ""
    text = (
        f"The runs cover different items of {task}: {size_a} in A, {size_b} in B, {shared} shared{reason}; only the "
        "shared ones can be compared."
    )
    names = first_item_names(walk.a, pairs.only_a) or first_item_names(walk.b, pairs.only_b)
    return Finding("items_differ", "warning", text, None, task, only_a + only_b, shared + only_a + only_b, names)


def one_sided_left_out(walk: Walk, pairs: Pairs) -> list[LeftOut]:
    """Return the items that are in no pair because one side lacks them, or holds their document once only."""
    task, found = walk.a.task, []
    for side, other, log, rows, alone in (
        ("A", "B", walk.a, pairs.rows_a, pairs.only_a),
        ("B", "A", walk.b, pairs.rows_b, pairs.only_b),
    ):
        again = copies(log, rows, alone)
        if again:
            why = f"second copies of documents that {other} holds once, so they are in no pair"
            found.append(LeftOut(f"items of {task} logged twice in {side}", again, why))
        if len(alone) > again:
            why = f"{other} does not hold them, so they are in no pair"
            found.append(LeftOut(f"items of {task} logged only in {side}", len(alone) - again, why))
    return found


def doubled_rows(walk: Walk, filters: Sequence[Pairs]) -> list[Finding]:
    """Return the rows that repeat an earlier one to the letter."""
    found = []
    for side, log in each_side(walk.a, walk.b):
        rows = [row for pairs in filters for row in (pairs.doubled_a if side == "a" else pairs.doubled_b)]
        if rows:
            names = first_item_names(log, rows)
            verb = "row stands" if len(rows) == 1 else "rows stand"
            text = f"{len(rows)} {verb} twice in the sample log of {side.upper()} for {walk.a.task}; each is used once."
            found.append(Finding("rows_doubled", "note", text, side, walk.a.task, len(rows), len(log), names))
    return found


def disagreeing(walk: Walk, pairs: Pairs) -> list[Finding]:
    """Return ids that name another document on the other side."""
    task = walk.a.task
    names = [walk.filters[pairs.filter].items[place] for place in pairs.disagree if place < len(pairs.rows_a)]
    clashing = [str(walk.a.columns.doc_ids[row]) for row, _ in pairs.clashes] + walk.documents
    if names:
        text = (
            f"{len(names)} of {len(pairs.rows_a)} items of {task} carry another id in B than in A; they are paired by "
            "their documents."
        )
        return [Finding("ids_disagree", "warning", text, None, task, len(names), len(pairs.rows_a), tuple(names[:3]))]
    if clashing:
        total = len(pairs.rows_a) + len(clashing)
        text = f"{len(clashing)} of {total} ids of {task} name another document in B than in A; those are in no pair."
        return [Finding("ids_disagree", "warning", text, None, task, len(clashing), total, tuple(clashing[:3]))]
    return []


def same_question(walk: Walk, pairs: Pairs) -> list[Finding]:
    """Return the items that are one question though their documents are not the same to the letter."""
    found = []
    task, total = walk.a.task, len(pairs.rows_a)
    names = walk.filters[pairs.filter].items
    if places := [place for place in pairs.reordered if place < len(names)]:
        text = (
            f"{len(places)} of {total} items of {task} hold the same choices in another order in B than in A; they are "
            "paired by question, and their right answer by its text."
        )
        evidence = tuple(names[place] for place in places[:3])
        found.append(Finding("choices_reordered", "warning", text, None, task, len(places), total, evidence))
    if places := [place for place in pairs.edited if place < len(names)]:
        text = (
            f"{len(places)} of {total} items of {task} ask the same in both runs, but their documents differ in "
            "something else; they are paired by question."
        )
        evidence = tuple(names[place] for place in places[:3])
        found.append(Finding("documents_differ", "note", text, None, task, len(places), total, evidence))
    return found


def changed_target_findings(walk: Walk) -> list[Finding]:
    """Return the items whose right answer is not the same on both sides."""
    if not walk.targets:
        return []
    task, count, total = walk.a.task, len(walk.targets), walk.compared["documents"]
    text = f"{count} of {total} items of {task} have another right answer in B than in A; they are in no pair."
    return [Finding("targets_differ", "warning", text, None, task, count, total, tuple(walk.targets[:3]))]


def dropped(walk: Walk) -> list[LeftOut]:
    """Return the pairs that were not compared because their answer keys or lines cannot be used."""
    found = []
    if walk.targets:
        why = "the right answer is not the same on both sides"
        found.append(LeftOut(f"items of {walk.a.task} with another target", len(walk.targets), why))
    if walk.unreadable:
        why = "their responses cannot be read on one side"
        found.append(LeftOut(f"items of {walk.a.task} with damaged responses", len(walk.unreadable), why))
    for side, counts in each_side(*walk.numbers.unmeasured):
        if count := counts[DAMAGED]:
            what = f"log-likelihoods of items of {walk.a.task} in {side.upper()}"
            found.append(LeftOut(what, count, "what stands there cannot be read; the items' scores are used as logged"))
    return found
