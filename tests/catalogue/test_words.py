"""The lexicon has a word and a meaning for every member that an artifact may hold."""

from typing import get_args

import pytest

from diptych import closed_names, decision
from diptych.catalogue import side_labels, words


@pytest.mark.parametrize(
    ("table", "members"),
    [
        (words.VERDICTS, get_args(closed_names.VerdictKind)),
        (words.STATUSES, get_args(closed_names.Status)),
        (words.CERTAINTIES, get_args(closed_names.Certainty)),
        (words.STEPS, closed_names.STEPS),
        (words.CLASSES, get_args(closed_names.FlipClass)),
        (words.SEVERITIES, closed_names.SEVERITIES),
        (words.DECISIONS, get_args(decision.DecisionKind)),
    ],
    ids=["verdicts", "statuses", "certainties", "steps", "classes", "severities", "decisions"],
)
def test_every_member_has_one_word_and_one_sentence(table: dict[str, words.Word], members: tuple[str, ...]) -> None:
    assert tuple(table) == members
    for word in table.values():
        assert word.word
        assert word.meaning.endswith(".")
    assert len({word.word for word in table.values()}) == len(table)


def test_the_run_that_was_named_first_is_the_baseline() -> None:
    assert side_labels.versus("q4_1", "q4_0") == "q4_0 vs q4_1 (baseline)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A: 8 of 22 scores carry no error.", "old: 8 of 22 scores carry no error."),
        ("A has samples, B has none.", "old has samples, new has none."),
        ("A task of B is missing.", "A task of new is missing."),
        ("It is in A.", "It is in old."),
    ],
)
def test_runs_are_told_by_their_labels_and_an_article_stays(text: str, told: str) -> None:
    assert side_labels.with_labels(text, "old", "new") == told
