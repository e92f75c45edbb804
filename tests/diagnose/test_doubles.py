"""Runs among many that are no second measurement, and which run is best."""

import pytest

from diptych.diagnose.compare_many import compare_many
from diptych.matrix import Matrix
from diptych.provenance import Input
from diptych.report.documents.matrix import matrix_document
from diptych.run import Run
from many_runs import CHAT, OTHER, PLACE, blind, scored


def parts(made: Matrix) -> tuple[str, ...]:
    assert made.verdict is not None
    return made.verdict.parts


def of_file(one: Run, name: str) -> Run:
    """A run read from a file of this content."""
    return one._replace(inputs=(Input("results.json", name * 64),))


def test_one_file_given_often_is_one_measurement_and_no_cause_is_looked_for() -> None:
    base = of_file(scored("base", 0.6), "1")
    made = compare_many([base, base._replace(label="again"), base])
    assert made.verdict is not None
    assert made.verdict.kind == "identical"
    assert parts(made) == ("base (1), again and base (3) are one and the same results file: one measurement, not 3.",)
    assert made.verdict.next_step.startswith("Give other runs")
    assert matrix_document(made).sign == "="


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_a_file_given_twice_is_told_wherever_it_stands(order: tuple[int, ...]) -> None:
    runs = [of_file(scored("base", 0.6), "1"), of_file(scored("x", 0.3, **OTHER), "2")]
    runs.append(runs[1]._replace(label="y"))
    made = compare_many([runs[place] for place in order])
    first, second = sorted("xy", key=[runs[place].label for place in order].index)
    assert f"{first} and {second} are one and the same results file: one measurement, not 2." in parts(made)


def test_a_double_of_a_later_run_names_what_cannot_have_acted() -> None:
    chat = scored("chat", 0.3, **CHAT)
    moved = chat._replace(label="moved", settings=scored("chat", 0.3, **CHAT, **PLACE).settings)
    said = parts(compare_many([scored("base", 0.6), chat, moved]))
    assert (
        "Every response and score of moved is that of chat on all shared items: "
        "model_args.pretrained (org/base-1b → /mnt/org/base-1b) cannot have acted."
    ) in said


def test_many_runs_that_are_all_doubles_are_identical_and_not_inconclusive() -> None:
    base = scored("base", 0.6)
    made = compare_many([base, base._replace(label="x"), base._replace(label="y")])
    assert made.verdict is not None
    assert made.verdict.kind == "identical"
    assert parts(made) == ("Every response and score of x and y is that of base on all shared items.",)


def test_the_best_run_is_named_and_who_is_not_separable_from_it() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3, **CHAT), scored("y", 0.65, **OTHER)]
    assert "Best on arith by estimate: y, not separable from base." in parts(compare_many(runs))
    runs[2] = scored("y", 0.9, **OTHER)
    assert "Best on arith: y, significantly ahead of every other." in parts(compare_many(runs))


def test_no_run_is_best_where_no_file_says_which_way_is_or_where_all_score_alike() -> None:
    runs = [scored("base", 0.6), scored("x", 0.3, **CHAT), scored("y", 0.6, **OTHER)]
    assert not any(part.startswith("Best") for part in parts(compare_many([blind(one) for one in runs])))
    base = scored("base", 0.6)
    alike = [base, base._replace(label="x"), base._replace(label="y", settings=runs[1].settings)]
    assert not any(part.startswith("Best") for part in parts(compare_many(alike)))
