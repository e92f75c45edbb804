"""Pairing: what belongs together, what is missing, doubled, or lies about its id."""

import random

import pytest

from diptych.diagnose.options import Options
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.row_pairs import Pairs
from diptych.diagnose.samples.task_evidence import gather
from diptych.sample_log import SampleLog
from sample_logs import Record, answer, evidence, finding, kinds, log, run_of, task


def pairs(a: SampleLog, b: SampleLog) -> Pairs:
    return align(a, b).filters[0]


def named(a: SampleLog, b: SampleLog) -> list[tuple[object, object]]:
    found = pairs(a, b)
    return [
        (a.columns.doc_ids[left], b.columns.doc_ids[right])
        for left, right in zip(found.rows_a, found.rows_b, strict=True)
    ]


def items(*numbers: int, **fields: object) -> list[Record]:
    return [answer(number, **fields) for number in numbers]  # type: ignore[arg-type]


def test_the_same_documents_in_the_same_order_pair_by_place() -> None:
    found = pairs(log(items(0, 1, 2)), log(items(0, 1, 2)))
    assert (list(found.rows_a), list(found.rows_b)) == ([0, 1, 2], [0, 1, 2])
    assert isinstance(found.rows_a, range)


def test_a_limit_pairs_its_beginning_and_leaves_the_rest_to_the_other_side() -> None:
    found = pairs(log(items(*range(8))), log(items(0, 1, 2)))
    assert (list(found.rows_b), found.only_a, found.only_b) == ([0, 1, 2], (3, 4, 5, 6, 7), ())


@pytest.mark.parametrize("seed", range(5))
def test_any_order_pairs_each_document_with_itself(seed: int) -> None:
    order = list(range(40))
    random.Random(seed).shuffle(order)
    found = named(log(items(*range(40))), log(items(*order)))
    assert sorted(found) == [(number, number) for number in range(40)]


def test_ids_that_point_to_other_documents_pair_by_document_and_are_counted() -> None:
    right = [answer(9, doc={"question": "item 4"}), answer(4, doc={"question": "item 9"}), answer(3)]
    assert named(log(items(3, 4, 9)), log(right)) == [(3, 3), (4, 9), (9, 4)]
    found = finding(evidence(items(3, 4, 9), right), "ids_disagree")
    assert (found.count_, found.of, found.evidence) == (2, 3, ("4", "9"))


def test_one_id_for_two_documents_pairs_nothing_and_breaks_the_ladder_at_documents() -> None:
    right = [answer(number, doc={"question": f"another {number}"}) for number in range(3)]
    found = evidence(items(0, 1, 2), right)
    assert found.tasks[0].ladder.first_break == "documents"
    assert found.tasks[0].pairs == 0
    assert finding(found, "ids_disagree").count_ == 3


def test_a_document_that_stands_twice_in_the_data_pairs_by_id() -> None:
    same = {"question": "again"}
    left = [answer(0, doc=same), answer(1, doc=same), answer(2)]
    right = [answer(1, doc=same), answer(2), answer(0, doc=same)]
    assert sorted(named(log(left), log(right))) == [(0, 0), (1, 1), (2, 2)]


def test_a_document_that_stands_twice_under_other_ids_pairs_in_the_order_it_comes() -> None:
    same = {"question": "again"}
    left = [answer(0, doc=same), answer(1, doc=same), answer(2, doc=same)]
    right = [answer(7, doc=same), answer(1, doc=same)]
    found = pairs(log(left), log(right))
    assert sorted(named(log(left), log(right))) == [(0, 7), (1, 1)]
    assert found.only_a == (2,)


def test_without_document_hashes_ids_pair_and_contents_decide() -> None:
    bare = [{key: value for key, value in record.items() if "hash" not in key} for record in items(0, 1, 2)]
    bare[1]["doc"] = {"question": "something else"}
    found = evidence(items(0, 1, 2), bare)
    assert found.tasks[0].pairs == 2
    assert finding(found, "ids_disagree").evidence == ("1",)
    assert found.tasks[0].ladder.first_break == "documents"


def test_filters_pair_apart_and_an_item_counts_once() -> None:
    rows = [*items(0, 1, filter="strict"), *items(0, 1, filter="loose")]
    found = align(log(rows, filters=("strict", "loose")), log(rows, filters=("strict", "loose")))
    assert [(pair.filter, len(pair.rows_a)) for pair in found.filters] == [("strict", 2), ("loose", 2)]
    assert task(rows, rows).pairs == 2


def test_a_filter_of_one_side_is_left_out_by_name() -> None:
    rows = [*items(0, 1, filter="strict"), *items(0, 1, filter="loose")]
    found = evidence(rows, items(0, 1, filter="strict"))
    assert [left.what for left in found.left_out] == ["filter loose of arith"]


def test_an_identical_doubled_row_is_used_once() -> None:
    found = evidence(items(0, 1, 2), items(0, 1, 1, 2))
    assert found.tasks[0].pairs == 3
    doubled = finding(found, "rows_doubled", "b")
    assert (doubled.count_, doubled.of, doubled.evidence) == (1, 4, ("1",))


def test_repeats_of_an_item_by_design_are_one_cluster() -> None:
    left = [answer(number, text) for number in range(3) for text in ("4", "5")]
    found = pairs(log(left), log(left))
    assert found.clusters == (0, 0, 1, 1, 2, 2)
    paired = evidence(left, left).paired["arith"]
    assert paired.clusters["none", "exact_match"] == (0, 0, 1, 1, 2, 2)


def test_missing_rows_are_named_where_the_results_say_that_there_were_more() -> None:
    found = gather(run_of(items(*range(10))), run_of(items(0, 1, 2, 4, 6, 7, 8, 9), items={"arith": 10}), Options())
    missing = finding(found, "rows_missing", "b")
    assert (missing.count_, missing.of, missing.evidence) == (2, 10, ("3", "5"))
    assert "items_differ" not in kinds(found)


def test_a_cut_log_is_missing_rows_even_where_both_sides_lack_them() -> None:
    cut = run_of(items(*range(4)), items={"arith": 50})
    found = gather(cut, cut, Options())
    assert [(one.side, one.count_) for one in found.findings if one.kind == "rows_missing"] == [("a", 46), ("b", 46)]


def test_a_limit_is_another_set_of_items_and_breaks_no_rung() -> None:
    found = evidence(items(*range(80)), items(*range(20)))
    assert finding(found, "items_differ").count_ == 60
    assert found.tasks[0].ladder.first_break is None
    assert ("items of arith logged only in A", 60) in [(left.what, left.count_) for left in found.left_out]
    assert "rows_missing" not in kinds(found)


def test_a_changed_right_answer_drops_the_pair_and_is_counted() -> None:
    found = evidence(items(0, 1, 2), [answer(0), answer(1, target="5"), answer(2)])
    assert found.tasks[0].pairs == 2
    assert finding(found, "targets_differ").evidence == ("1",)
    assert found.paired["arith"].dropped["none", "exact_match"] == 1


@pytest.mark.parametrize("seed", range(5))
def test_swapping_the_sides_mirrors_the_pairs(seed: int) -> None:
    chance = random.Random(seed)
    left = items(*chance.sample(range(60), 45))
    right = items(*chance.sample(range(60), 40))
    there, back = pairs(log(left), log(right)), pairs(log(right), log(left))
    assert sorted(zip(there.rows_a, there.rows_b, strict=True)) == sorted(zip(back.rows_b, back.rows_a, strict=True))
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)


@pytest.mark.parametrize("turned", [False, True])
def test_a_document_that_stands_twice_and_is_edited_pairs_id_by_id_whichever_side_is_a(turned: bool) -> None:
    twice = {"question": "asked twice"}
    left = [answer(0, doc=twice), answer(1), answer(2, doc=twice)]
    right = [answer(0, doc={**twice, "edition": 2}), answer(1), answer(2, doc={**twice, "edition": 2})]
    one, other = (right, left) if turned else (left, right)
    assert sorted(named(log(one), log(other))) == [(0, 0), (1, 1), (2, 2)]
    assert "rows_missing" not in kinds(evidence(one, other))
