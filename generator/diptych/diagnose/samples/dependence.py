"""What ties items together, so that they are fewer than they look: repeats, one document twice, one passage.

These are facts, not yet a decision: which of them the scores follow is for the statistics to say.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from diptych.comparison import Finding
from diptych.diagnose.samples.paired_scores import Dependence
from diptych.diagnose.samples.row_pairs import NOT_RECORDED, WIDTH
from diptych.run import Json, Run
from diptych.sample_log import SampleLog

LOOKED_AT = 160
"""Items of which all fields are looked at first: where none of these share a value, few of all do."""

FEWEST_UNITS = 10
"""A field with fewer values is a kind of item (a subject, a level), not a passage."""

NO_PASSAGE = frozenset(
    {
        *("target", "label", "labels", "answer", "answers", "answerkey", "gold", "choices", "options", "endings"),
        *("subject", "category", "topic", "level", "difficulty", "type", "split", "language", "lang", "source_dataset"),
    }
)
"""Fields whose equal values do not make items one: right answers, what is offered, kinds of items."""

DEPTH = 3


def dependence(log: SampleLog, rows: Sequence[int]) -> Dependence:
    """Return what ties some rows of one log together."""
    return Dependence(answers_each(log, rows), same_documents(log, rows), shared_fields(log, rows))


def either_ties(ours: Dependence, theirs: Dependence) -> Dependence:
    """Return what ties pairs together whose documents one side edited: what either side shows."""
    names = sorted({*ours.fields, *theirs.fields})
    fields = {name: coarser(ours.fields.get(name), theirs.fields.get(name)) for name in names}
    return Dependence(
        max(ours.answers, theirs.answers),
        coarser(ours.documents, theirs.documents),
        {name: units for name, units in fields.items() if units is not None},
    )


def coarser(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Return the numbering that ties more items together: of two sides' documents, whichever is A's."""
    known = [units for units in (one, other) if units is not None]
    return min(known, key=lambda units: (len(set(units)), sorted(Counter(units).values()), units), default=None)


def answers_each(log: SampleLog, rows: Sequence[int]) -> int:
    """Return how many answers the first item has: one, or as many as the task's `repeats`."""
    for line in log.lines(rows[:1]):
        return max((len(answers) for answers in line.sample().responses), default=1)
    return 1


def same_documents(log: SampleLog, rows: Sequence[int]) -> tuple[int, ...] | None:
    """Return the number of each item's document where some documents stand under several ids, else None."""
    column = log.columns.doc_hashes
    if all_differ(column, rows):
        return None
    hashes = [column[row * WIDTH : row * WIDTH + WIDTH] for row in rows]
    if len(set(hashes)) == len(hashes) or NOT_RECORDED in hashes:
        return None
    numbers: dict[bytes, int] = {}
    return tuple(numbers.setdefault(each, len(numbers)) for each in hashes)


PART = 20_000
"""So many hashes are held at once."""


def all_differ(column: bytes, rows: Sequence[int]) -> bool:
    """Say whether the hashes of the rows are certain to differ; gone through in parts, which costs no memory."""
    words = memoryview(column).cast("Q")
    parts, step = len(rows) // PART + 1, WIDTH // words.itemsize
    for part in range(parts):
        mine = [word for row in rows if (word := words[row * step]) % parts == part]
        if len(set(mine)) < len(mine):
            return False
    return True


def shared_fields(log: SampleLog, rows: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Return by field of the documents the number of each item's value, for fields whose values several items share."""
    if len(rows) < 2 * FEWEST_UNITS:
        return {}
    places = looked_at(len(rows))
    seen = values_by_field(log, [rows[place] for place in places])
    likely = [name for name, values in seen.items() if may_tie(values)]
    if not likely:
        return {}
    whole = values_by_field(log, rows, likely) if len(places) < len(rows) else seen
    return {name: numbered(whole[name]) for name in likely if ties(whole[name])}


def looked_at(count: int) -> list[int]:
    """Return the places that are looked at first: a block, where neighbours share, and some from all over."""
    if count <= LOOKED_AT:
        return list(range(count))
    # an odd stride, so that no period of the file's own is met at each step
    stride = count // (LOOKED_AT // 2) | 1
    return sorted({*range(LOOKED_AT // 2), *(place * stride % count for place in range(LOOKED_AT // 2))})


def values_by_field(log: SampleLog, rows: Sequence[int], names: Sequence[str] = ()) -> dict[str, "array[int]"]:
    """Return by dotted field a digest of each row's value, 0 where a row lacks it: the texts would fill the memory."""
    found: dict[str, array[int]] = {}
    for place, line in enumerate(log.lines(rows)):
        for name, value in fields_of(line.document()):
            if not names or name in names:
                if name not in found:
                    found[name] = array("Q", bytes(8 * len(rows)))
                found[name][place] = text_number(value)
    return found


def text_number(text: str) -> int:
    """Return a number of 64 bits for a text, never 0: of a million texts no two share one, but once in 30 million."""
    short = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(short, "little") or 1


def fields_of(document: Json, under: str = "", depth: int = DEPTH) -> Iterator[tuple[str, str]]:
    """Yield the texts and whole numbers of a document by dotted field, but for answers and kinds of items."""
    for name, value in document.items() if isinstance(document, dict) else ():
        if str(name).lower() in NO_PASSAGE:
            continue
        if isinstance(value, dict) and depth:
            yield from fields_of(value, f"{under}{name}.", depth - 1)
        elif (isinstance(value, str) and value) or (isinstance(value, int) and not isinstance(value, bool)):
            yield f"{under}{name}", str(value)


def may_tie(values: Sequence[int]) -> bool:
    """Say whether some of the values that were looked at are shared, and not all of them by a few."""
    known, distinct = valued_and_different(values)
    return min(FEWEST_UNITS, known) <= distinct < known


def ties(values: Sequence[int]) -> bool:
    """Say whether values are shared by some items in at least ten units."""
    known, distinct = valued_and_different(values)
    return FEWEST_UNITS <= distinct < known and known * 2 >= len(values)


def valued_and_different(values: Sequence[int]) -> tuple[int, int]:
    """Return how many items have a value, and how many different ones there are."""
    return len(values) - values.count(0), len(set(filter(None, values)))


def numbered(values: Sequence[int]) -> tuple[int, ...]:
    """Return the number of each item's unit; an item without a value is its own."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(value or -1 - place, len(numbers)) for place, value in enumerate(values))


USES: Mapping[str, str] = {
    "take_first": "the first answer of each item",
    "majority_vote": "the answer that an item gives most often",
    "take_first_k": "the first few answers of each item",
}
"""What a filter's last step makes of several answers to one item."""

LOOKED_AT_USES = 40
"""Items whose kept answer is held against all their answers, to see which of them counts."""


def dependence_findings(
    task: str, a: Run, b: Run, rows: Sequence[int], clusters: Sequence[int] | None, known: Dependence | None
) -> list[Finding]:
    """Return what is to be said of items that are no independent ones: repeats, and one document under several ids.

    `rows` are the paired rows of A; `clusters` numbers their items where some come in several rows; `known` is what
    ties them together, None where nobody looked.
    """
    once = known is not None and known.answers == 1
    return [
        *(() if once else repeats_findings(task, a, b, len(set(clusters or rows)))),
        *row_findings(task, len(rows), clusters),
        *(document_findings(task, len(rows), known.documents) if known and clusters is None else ()),
    ]


def repeats_findings(task: str, a: Run, b: Run, items: int) -> list[Finding]:
    """Return what is to be said where each item was asked several times: how many answers, and which counts."""
    each = [answers_each(run.samples[task], [0]) for run in (a, b) if len(run.samples[task])]
    if max(each, default=1) < 2:
        return []
    said = [asked(items, count, use_of_repeats(run, task)) for count, run in zip(each, (a, b), strict=True)]
    times = f"{said[0]}." if said[0] == said[1] else f"in A {said[0]}; in B {said[1]}."
    text = f"{task} asks each item {times} Answers to one item are not independent; the items are counted."
    return [Finding("repeats_in_log", "note", text, "both", task, max(each), items * max(each))]


def asked(items: int, count: int, use: str) -> str:
    """Return how often each item was asked, how many answers that makes, and which of them counts."""
    if count == 1:
        return "once"
    total = f"{items * count:,} answers are {items:,} items × {count} repeats"
    return f"{count} times: {total}, and the metric uses {use}"


def use_of_repeats(run: Run, task: str) -> str:
    """Return what is made of several answers to an item: as the task's filters say, else as its log shows."""
    entries = run.configs.get(task, {}).get("filter_list")
    uses = Counter(use for entry in (entries if isinstance(entries, list) else ()) for use in use_of_filter(entry))
    return " and ".join(sorted(uses)) or use_in_log(run.samples[task])


def use_of_filter(entry: Json) -> list[str]:
    """Return what a filter makes of several answers: a vote, or what its last known step says; else nothing."""
    steps = entry.get("filter") if isinstance(entry, Mapping) else None
    names = [step.get("function") for step in steps or () if isinstance(step, Mapping)] if steps else []
    known = [name for name in names if isinstance(name, str) and name in USES]
    return [USES["majority_vote" if "majority_vote" in known else name] for name in known[-1:]]


def use_in_log(log: SampleLog) -> str:
    """Return which of several answers the kept one is on every item that was looked at."""
    samples = [line.sample() for line in log.lines(range(min(len(log), LOOKED_AT_USES)))]
    found = [
        (answers, kept)
        for sample in samples
        for answers, kept in zip(sample.responses, sample.filtered, strict=False)
        if len(answers) > 1
    ]
    if all(kept == answers[0] for answers, kept in found):
        return USES["take_first"]
    if all(answers.count(kept) == max(map(answers.count, answers)) for answers, kept in found):
        return USES["majority_vote"]
    if all(isinstance(kept, (list, tuple)) and len(kept) == len(answers) for answers, kept in found):
        return "all answers of each item"
    return "one answer of each item, as its filter says"


def row_findings(task: str, rows: int, clusters: Sequence[int] | None) -> list[Finding]:
    """Return what is to be said where an item stands in several rows, each scored by itself."""
    items = len(set(clusters or ()))
    if not items:
        return []
    each, rest = divmod(rows, items)
    repeats = f"{items:,} items × {each} repeats" if not rest else f"{items:,} items, some of them asked several times"
    text = (
        f"{task} logs an item in several rows, each with its own score: {rows:,} rows are {repeats}. Rows of one item "
        "are not independent; they count as one."
    )
    return [Finding("repeats_in_log", "note", text, "both", task, each + (rest > 0), rows)]


def document_findings(task: str, rows: int, documents: Sequence[int] | None) -> list[Finding]:
    """Return what is to be said where one document stands under several ids."""
    if documents is None:
        return []
    units = len(set(documents))
    text = (
        f"{task} holds {units:,} documents under {rows:,} ids. Items of one document are not independent: the {rows:,} "
        f"items are counted as {units:,} clusters. --cluster {task}=none takes them for independent."
    )
    return [Finding("items_depend", "note", text, "both", task, units, rows)]
