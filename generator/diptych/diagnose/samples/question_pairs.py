"""Items of one side alone that ask what one of the other side asks, though their documents differ."""

from collections.abc import Hashable, Sequence

from diptych.diagnose.samples.questions import Question, by_shared_fields, question_of, right_answer
from diptych.diagnose.samples.row_pairs import Asked, Item
from diptych.sample_log import SampleLog


def same_questions(a: SampleLog, b: SampleLog, only_a: Sequence[Item], only_b: Sequence[Item]) -> Asked:
    """Return the items of one side alone that ask the same question as one of the other side, and only one does."""
    ours, theirs = questions(a, only_a), questions(b, only_b)
    joined = joined_by([one.texts or None for one in ours], [one.texts or None for one in theirs])
    left_a = [place for place in range(len(ours)) if place not in joined]
    left_b = sorted(set(range(len(theirs))) - set(joined.values()))
    again = joined_by([ours[place].key for place in left_a], [theirs[place].key for place in left_b])
    joined |= {left_a[one]: left_b[other] for one, other in again.items()}
    left_a = [place for place in left_a if place not in joined]
    left_b = sorted(set(left_b) - set(joined.values()))
    keys = by_shared_fields([ours[place] for place in left_a], [theirs[place] for place in left_b])
    joined |= {left_a[one]: left_b[other] for one, other in joined_by(*keys).items()}
    reordered, edited, other_answer = [], [], []
    for one, other in joined.items():
        if ours[one].choices == theirs[other].choices:
            edited.append((one, other))
            continue
        rows = only_a[one][0], only_b[other][0]
        answers = right_text(a, rows[0], ours[one]), right_text(b, rows[1], theirs[other])
        if None in answers or answers[0] == answers[1]:
            reordered.append((one, other))
        else:
            other_answer.append(rows)
    return Asked(tuple(reordered), tuple(edited), tuple(other_answer), frozenset(joined), frozenset(joined.values()))


def questions(log: SampleLog, items: Sequence[Item]) -> list[Question]:
    return [question_of(line) for line in log.lines([rows[0] for rows in items])]


def right_text(log: SampleLog, row: int, question: Question) -> str | None:
    """Return the text of the right choice of a row."""
    return right_answer(next(iter(log.lines([row]))), question.choices)


def joined_by(ours: Sequence[Hashable | None], theirs: Sequence[Hashable | None]) -> dict[int, int]:
    """Return the places that share a key which stands once on each side."""
    known: dict[Hashable, list[int]] = {}
    for place, key in enumerate(theirs):
        known.setdefault(key, []).append(place)
    counts: dict[Hashable, int] = {}
    for key in ours:
        counts[key] = counts.get(key, 0) + 1
    return {
        place: known[key][0]
        for place, key in enumerate(ours)
        if key is not None and counts[key] == 1 and len(known.get(key, ())) == 1
    }
