"""Human labels of some tasks: read them, and hold a judge against them.

A line says which student a person prefers on a task (`{"task", "preferred"}`, a student or "tie"), or whether one
student's answer is good (`{"task", "student", "passed"}`); both students of a pair labelled that way make a preference.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import load_json
from diptych.comparison import LeftOut
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import Corrected, LabelAudit
from diptych.provenance import Input
from diptych.stats.distributions import mean_and_variance
from diptych.stats.label_correction import prediction_powered, rogan_gladen
from diptych.stats.paired import wilson
from diptych.students.collect.student_results import Results, some

Json = Any

FEWEST_LABELS = 20
"""With fewer labelled tasks a judge is shown beside them and not corrected."""
HINT = 'a line a label: {"task": ..., "preferred": STUDENT or "tie"} or {"task": ..., "student": ..., "passed": true}'
PREFERRED = ("preferred", "winner", "preference", "label")


class Labels(NamedTuple):
    """A person's word: by task the preferred student (or "tie"), and by task and student whether the answer is good."""

    preferred: Mapping[str, str]
    passed: Mapping[tuple[str, str], bool]
    input: Input | None = None
    left_out: tuple[LeftOut, ...] = ()


NO_LABELS = Labels({}, {})


def read_labels(path: str | Path) -> Labels:
    """Return the labels of a JSON lines file, or of a CSV file with a header of the same names."""
    try:
        data = storage.read_bytes(path)
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=error.hint) from error
    except UnicodeDecodeError as error:
        raise StudentsError("not a text in UTF-8", where=str(path), hint=HINT) from error
    rows = label_lines(text, str(path))
    preferred: dict[str, str] = {}
    passed: dict[tuple[str, str], bool] = {}
    broken = [str(number) for number, row in rows if not take(row, preferred, passed)]
    if not preferred and not passed:
        raise StudentsError("holds no label", where=str(path), hint=HINT)
    name = Path(path).name
    what = f"line{'s' * (len(broken) > 1)} {some(broken)} of {name}"
    left_out = (LeftOut(what, len(broken), "not a label"),) if broken else ()
    return Labels(preferred, passed, Input(name, storage.sha256(data)), left_out)


def label_lines(text: str, where: str) -> list[tuple[int, Mapping[str, Json]]]:
    """Return the rows of a labels file with their line numbers; a line that is none is an empty row."""
    if not text.lstrip().startswith("{"):
        try:
            return list(enumerate(csv.DictReader(io.StringIO(text)), 2))
        except csv.Error as error:
            raise StudentsError(f"not a table ({error})", where=where, hint=HINT) from error
    rows: list[tuple[int, Mapping[str, Json]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                row = load_json(line)
            except ValueError:
                row = {}
            rows.append((number, row if isinstance(row, dict) else {}))
    return rows


def take(row: Mapping[str, Json], preferred: dict[str, str], passed: dict[tuple[str, str], bool]) -> bool:
    """Keep one label; say whether the row holds one. A later label of the same task stands."""
    task = row.get("task")
    if isinstance(task, bool) or not isinstance(task, (str, int)) or task == "":
        return False
    good = {"true": True, "1": True, "pass": True, "false": False, "0": False, "fail": False}
    word = good.get(str(row.get("passed")).lower())
    student = row.get("student")
    if isinstance(student, str) and word is not None:
        passed[str(task), student] = word
        return True
    liked = next((row[key] for key in PREFERRED if isinstance(row.get(key), str) and row[key]), None)
    if liked is None:
        return False
    preferred[str(task)] = liked
    return True


def label_of(labels: Labels, task: str, first: Results, second: Results) -> int | None:
    """Return whom a person prefers on a task: +1 the second route, -1 the first, 0 a tie, None where nothing says."""
    liked = labels.preferred.get(task)
    if liked is not None:
        names = {"tie": 0, first.name: -1, second.name: 1, first.model: -1, second.model: 1}
        return names.get(liked) if first.model != second.model or liked != first.model else None
    one, other = (
        next((labels.passed[task, name] for name in (r.name, r.model or "") if (task, name) in labels.passed), None)
        for r in (first, second)
    )
    return None if one is None or other is None else int(other) - int(one)


def label_audit(
    verdicts: Mapping[str, tuple[int | None, int | None]], labels: Labels, first: Results, second: Results
) -> LabelAudit | None:
    """Return how a judge stands against the labels of the tasks that it judged in both orders; None without labels."""
    if not labels.preferred and not labels.passed:
        return None
    human: list[int] = []
    judged: list[int] = []
    alone: list[int] = []
    for task, (one, other) in verdicts.items():
        if one is None or other is None:
            continue
        label = label_of(labels, task, first, second)
        if label is None:
            alone.append(one + other)
        else:
            human.append(label)
            judged.append(one + other)
    decided = [(h, j) for h, j in zip(human, judged, strict=True) if h and abs(j) == 2]
    agreed = sum(h * j > 0 for h, j in decided)
    low, high = wilson(agreed, len(decided), 0.95) if decided else (None, None)
    return LabelAudit(
        labelled=len(human),
        decided=len(decided),
        agreed=agreed,
        accuracy=agreed / len(decided) if decided else None,
        low=low,
        high=high,
        human_rate=mean_and_variance([0.5 + h / 2 for h in human])[0] if human else None,
        corrected=corrections(human, judged, alone),
    )


def corrections(human: list[int], judged: list[int], alone: list[int]) -> tuple[Corrected, ...]:
    """Return the second route's win rate as labels correct it, by both methods; too few labels correct nothing."""
    if len(human) < FEWEST_LABELS:
        few = f"{len(human)} labelled tasks are fewer than the {FEWEST_LABELS} that a correction needs"
        return (Corrected("prediction_powered", None, None, None, few),)
    powered = prediction_powered(
        [0.5 + h / 2 for h in human], [0.5 + j / 4 for j in judged], [0.5 + j / 4 for j in alone]
    )
    first = Corrected("prediction_powered", powered.rate, max(0.0, powered.low), min(1.0, powered.high))
    return (first, by_errors(human, judged, alone))


def by_errors(human: list[int], judged: list[int], alone: list[int]) -> Corrected:
    """Return the share of decided tasks that the second route wins, from the judge's own error rates (no ties)."""
    decided = [(h > 0, j > 0) for h, j in zip(human, judged, strict=True) if h and abs(j) == 2]
    said = [j > 0 for j in (*judged, *alone) if abs(j) == 2]
    positives = [j for h, j in decided if h]
    negatives = [j for h, j in decided if not h]
    if not positives or not negatives:
        return Corrected("rogan_gladen", None, None, None, "no labelled task is won by one of the two students")
    found = rogan_gladen(
        sum(said) / len(said),
        1.0 - sum(negatives) / len(negatives),
        sum(positives) / len(positives),
        len(said),
        len(negatives),
        len(positives),
    )
    if found is None:
        return Corrected("rogan_gladen", None, None, None, "the judge agrees with people no better than luck would")
    return Corrected("rogan_gladen", found.rate, found.low, found.high)
