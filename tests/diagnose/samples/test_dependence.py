"""Dependence: one document under several ids, several answers to an item, and passages are found as facts."""

from diptych.diagnose.samples.dependence import shared_fields
from sample_logs import Record, answer, evidence, finding, kinds, log


def passages(count: int, each: int, **more: object) -> list[Record]:
    return [
        answer(number, doc={"question": f"item {number}", "passage": f"text {number // each}", **more})
        for number in range(count)
    ]


def test_one_document_under_several_ids_is_one_unit() -> None:
    records = [answer(number, doc={"question": f"item {number // 2}"}) for number in range(8)]
    found = evidence(records, records).paired["arith"]
    assert found.dependence["none"].documents == (0, 0, 1, 1, 2, 2, 3, 3)
    assert found.clusters["none", "exact_match"] == (0, 0, 1, 1, 2, 2, 3, 3)


def test_documents_that_all_differ_tie_nothing() -> None:
    found = evidence(passages(30, 1), passages(30, 1)).paired["arith"]
    assert found.dependence["none"] == (1, None, {})
    assert found.clusters["none", "exact_match"] is None


def test_a_field_whose_values_several_items_share_is_found() -> None:
    records = passages(60, 3)
    ties = evidence(records, records).paired["arith"].dependence["none"]
    assert list(ties.fields) == ["passage"]
    assert ties.fields["passage"] == tuple(number // 3 for number in range(60))


def test_a_passage_is_found_among_many_items_that_stand_apart() -> None:
    records = [
        answer(number, doc={"question": f"item {number}", "meta": {"source_id": number % 700}})
        for number in range(2100)
    ]
    assert list(shared_fields(log(records), range(2100))) == ["meta.source_id"]


def test_answers_choices_and_kinds_of_items_are_no_passages() -> None:
    records = [
        answer(number, doc={"question": f"item {number}", "answer": str(number % 20), "subject": f"s{number % 15}"})
        for number in range(60)
    ]
    assert shared_fields(log(records), range(60)) == {}


def test_several_answers_to_an_item_are_counted_and_the_one_that_counts_is_named() -> None:
    records = [answer(number) | {"resps": [["4", "5", "4"]]} for number in range(6)]
    found = finding(evidence(records, records), "repeats_in_log")
    assert (found.count_, found.of) == (3, 18)
    assert "18 answers are 6 items × 3 repeats" in found.text
    assert "the first answer" in found.text
    assert "repeats_in_log" not in kinds(evidence(passages(6, 1), passages(6, 1)))


def test_sides_that_ask_differently_often_are_told_apart_with_the_answer_that_counts_on_each() -> None:
    once = [answer(number) for number in range(6)]
    three = [answer(number) | {"resps": [["5", "4", "4"]], "filtered_resps": ["4"]} for number in range(6)]
    found = finding(evidence(once, three), "repeats_in_log")
    assert "in A once; in B 3 times: 18 answers are 6 items × 3 repeats" in found.text
    assert "the answer that an item gives most often" in found.text


def test_repeats_that_are_rows_of_their_own_are_counted_and_named() -> None:
    records = [answer(number) | {"resps": [[f"{repeat}"]]} for repeat in range(3) for number in range(6)]
    found = finding(evidence(records, records), "repeats_in_log")
    assert "18 rows are 6 items × 3 repeats" in found.text
    assert (found.count_, found.of) == (3, 18)


def test_documents_under_several_ids_are_named_unless_a_field_was_chosen() -> None:
    records = [answer(number, doc={"question": f"item {number // 2}"}) for number in range(8)]
    found = finding(evidence(records, records), "items_depend")
    assert "4 documents under 8 ids" in found.text
    assert "counted as 4 clusters" in found.text


def test_one_document_under_two_ids_is_one_unit_though_the_other_side_edited_one_of_them() -> None:
    docs = [{"claim": f"{min(number, 6)} is even.", "label": "true"} for number in range(8)]
    bare = [answer(number, doc=doc) for number, doc in enumerate(docs)]
    edited = [answer(number, doc={**doc, "edition": 2} if number == 6 else doc) for number, doc in enumerate(docs)]
    there, back = (evidence(*sides).paired["arith"] for sides in ((bare, edited), (edited, bare)))
    assert there.clusters["none", "exact_match"] == back.clusters["none", "exact_match"]
    assert len(set(there.clusters["none", "exact_match"] or ())) == 7
