"""The cause ladder: which rung breaks first, over how many items, and what is left beside it."""

import json
import random

import pytest

from diptych.closed_names import STEPS
from diptych.diagnose.options import Options
from diptych.diagnose.samples.task_evidence import gather
from diptych.errors import DiptychError
from diptych.run import Score
from examples_runs import run
from sample_logs import GREEDY, Record, answer, choice, evidence, finding, kinds, run_of, rungs, task

PLAIN = [answer(number) for number in range(3)]


def with_arguments(record: Record, arguments: object) -> Record:
    return {**record, "arguments": arguments}


@pytest.mark.parametrize(
    ("broken", "changed"),
    [
        ("prompts", [answer(0), answer(1, prompt="Question: What is item 1, please?\nAnswer:"), answer(2)]),
        ("generation_arguments", [answer(0), answer(1, arguments={**GREEDY, "temperature": 0.7}), answer(2)]),
        ("responses", [answer(0), answer(1, "5", filtered="4"), answer(2)]),
        ("filtered", [answer(0), answer(1, filtered="four"), answer(2)]),
        ("scores", [answer(0), answer(1, right=0.0), answer(2)]),
    ],
)
def test_the_first_rung_that_breaks_is_named_with_its_first_item(broken: str, changed: list[Record]) -> None:
    found = task(PLAIN, changed)
    assert found.ladder.first_break == broken
    rung = next(rung for rung in found.ladder.rungs if rung.rung == broken)
    assert (rung.equal, rung.compared, rung.first) == (2, 3, "1")


def test_another_continuation_breaks_the_choices() -> None:
    left = [choice(number, (-1, -2, -3, -4)) for number in range(3)]
    right = [choice(number, (-1, -2, -3, -4), choices=("red", "green", "blue", "grey")) for number in range(3)]
    found = evidence(left, right)
    assert found.tasks[0].ladder.first_break == "choices"
    assert found.tasks[0].choices == 3
    assert "white space" in finding(found, "choices_differ").text


def test_the_same_logs_break_no_rung() -> None:
    found = task(PLAIN, PLAIN)
    assert found.ladder.first_break is None
    assert [rung.rung for rung in found.ladder.rungs] == list(STEPS)
    assert rungs(found)["responses"] == (3, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        [["Question: What is item 0?\nAnswer:", GREEDY]],
        {"gen_args_0": {"arg_0": ["Question: What is item 0?\nAnswer:"][0], "arg_1": {**GREEDY, "until": ["\n"]}}},
        {"gen_args_0": {"arg_1": GREEDY, "arg_0": "Question: What is item 0?\nAnswer:"}},
    ],
)
def test_the_shape_of_the_container_is_no_difference(arguments: object) -> None:
    found = task([answer(0)], [with_arguments(answer(0), arguments)])
    assert found.ladder.first_break is None


def test_the_type_of_a_message_is_no_difference() -> None:
    plain = [{"role": "user", "content": "What is it?"}]
    typed = [{"role": "user", "content": "What is it?", "type": "text"}]
    found = task([answer(0, prompt=[json.dumps(plain)])], [answer(0, prompt=[json.dumps(typed)])])
    assert found.ladder.first_break is None


def test_numbers_written_as_texts_are_numbers() -> None:
    written = choice(0, (-1.5, -2.0, -3.0, -4.0))
    real = {
        **written,
        "resps": [[[-1.5, True]], [[-2.0, False]], [[-3.0, False]], [[-4.0, False]]],
        "filtered_resps": [[-1.5, True], [-2.0, False], [-3.0, False], [-4.0, False]],
    }
    assert task([written], [real]).ladder.first_break is None


def test_generated_texts_are_not_taken_for_numbers() -> None:
    found = task([answer(0, "10")], [answer(0, "10.0")])
    assert found.ladder.first_break == "responses"


def test_one_name_for_the_budget_whatever_the_back_end_calls_it() -> None:
    renamed = {("max_tokens" if key == "max_gen_toks" else key): value for key, value in GREEDY.items()}
    assert task([answer(0)], [answer(0, arguments=renamed)]).ladder.first_break is None
    assert task([answer(0)], [answer(0, arguments={**renamed, "max_tokens": 8})]).arguments == {"max_gen_toks": 1}


def test_items_are_counted_once_whatever_the_number_of_filters() -> None:
    left = [answer(number, filter=name) for name in ("strict", "loose") for number in range(4)]
    right = [
        answer(n, filter=f, filtered="x" if (f, n) == ("loose", 2) else None)
        for f in ("strict", "loose")
        for n in range(4)
    ]
    found = task(left, right)
    assert rungs(found)["filtered"] == (3, 4)
    assert rungs(found)["prompts"] == (4, 4)


def test_paired_scores_are_columns_in_pair_order() -> None:
    left = [answer(0), answer(1, right=0.0), answer(2)]
    right = [answer(2, right=0.0), answer(0), answer(1)]
    found = evidence(left, right).paired["arith"]
    assert found.values["none", "exact_match"] == ((1.0, 0.0, 1.0), (1.0, 1.0, 0.0))
    assert list(found.items["none"]) == ["0", "1", "2"]


def test_values_that_are_no_numbers_drop_their_pair_and_are_named() -> None:
    found = evidence(PLAIN, [answer(0), answer(1, right=None), answer(2)])
    assert found.paired["arith"].values["none", "exact_match"] == ((1.0, 1.0), (1.0, 1.0))
    assert found.paired["arith"].dropped["none", "exact_match"] == 1
    assert finding(found, "value_not_a_number", "b").evidence == ("1",)


def test_lists_for_metrics_over_all_items_are_kept_as_logged() -> None:
    rows = [answer(number, right=["gold", "said"], metric="f1") for number in range(3)]
    found = evidence(rows, rows).paired["arith"]
    assert found.values == {}
    assert found.lists["none", "f1"][0] == (["gold", "said"],) * 3


def test_a_field_that_no_document_has_is_refused() -> None:
    rows = [answer(number, doc={"text": "one"}) for number in range(3)]
    with pytest.raises(DiptychError, match="no document of arith has the field 'passage'"):
        evidence(rows, rows, Options(clusters={"arith": "passage"}))


def test_a_named_field_makes_the_clusters() -> None:
    rows = [answer(number, doc={"id": number, "text": f"passage {number // 2}"}) for number in range(4)]
    found = evidence(rows, rows, Options(clusters={"arith": "text"}))
    assert found.paired["arith"].clusters["none", "exact_match"] == (0, 0, 1, 1)


@pytest.mark.parametrize(("side", "a", "b"), [("a", [], PLAIN), ("b", PLAIN, []), ("both", [], [])])
def test_a_side_without_samples_is_named(side: str, a: list[Record], b: list[Record]) -> None:
    scores = (Score("arith", "exact_match", "none", 1.0, items=3),)
    runs = [run_of(rows) if rows else run(scores=scores) for rows in (a, b)]
    found = gather(runs[0], runs[1], Options())
    assert finding(found, "no_samples").side == side
    assert found.tasks == ()


def test_the_first_prompts_are_kept_side_by_side_those_that_differ_first() -> None:
    right = [answer(0), answer(1, prompt="Q: item 1\nA:"), answer(2)]
    found = evidence(PLAIN, right, Options(samples=2)).prompts
    assert [pair.item for pair in found] == ["1", "0"]
    assert (found[0].b, found[1].note) == ("Q: item 1\nA:", "The prompts are the same.")


def test_many_tasks_with_one_fault_share_one_finding() -> None:
    names = [f"task{number}" for number in range(12)]
    one = run_of([answer(number, "") for number in range(4)])
    logs = {name: run_of([answer(number, "") for number in range(4)], name).samples[name] for name in names}
    many = one._replace(samples=logs, scores=(), items=dict.fromkeys(names, 4))
    found = gather(many, many, Options())
    shared = finding(found, "answers_empty", "a")
    assert (shared.task, shared.count_, shared.of) == (None, 48, 48)


def test_the_same_logs_give_the_same_evidence() -> None:
    left = [answer(number, str(number % 3)) for number in range(30)]
    right = [answer(number, str(number % 2), right=0.0) for number in range(30)]
    assert evidence(left, right) == evidence(left, right)


def test_no_finding_speaks_in_more_than_one_line_or_in_markup() -> None:
    left = [answer(number, "") for number in range(20)]
    right = [answer(number, "I cannot help with that.", right=0.0) for number in range(25)]
    for one in evidence(left, right).findings:
        assert "\n" not in one.text
        assert one.text.endswith(".")
    assert kinds(evidence(left, right))


WRAPPINGS = ("{}", "<|im_start|>user\n{}<|im_end|>\n", "Be brief. {}", "{} ", '[{{"role": {}')


@pytest.mark.parametrize("seed", range(6))
def test_what_raw_bytes_tell_is_what_decoding_each_item_tells(seed: int) -> None:
    chance = random.Random(seed)
    left, right = [], []
    for item in range(24):
        words = "".join(chance.choice(('a "b" ', "\\", '\\"', '", "', '"}', '"]', "é\n", "word ")) for _ in range(12))
        wrapping = chance.choice(WRAPPINGS)
        choices = chance.choice(((" x", " y"), ("x", "y")))
        left.append(choice(item, (-1.0, -2.0), prompt=words + "\nAnswer:", choices=(" x", " y")))
        right.append(choice(item, (-1.0, -2.0), prompt=wrapping.format(words + "\nAnswer:"), choices=choices))
    together = task(left, right)
    alone = [task([one], [other]) for one, other in zip(left, right, strict=True)]
    for rung in ("prompts", "choices", "generation_arguments"):
        assert rungs(together)[rung][0] == sum(rungs(one)[rung][0] for one in alone)
    kinds_alone: dict[str, int] = {}
    for one in alone:
        assert one.prompts is not None
        for kind, count in one.prompts.kinds.items():
            kinds_alone[kind] = kinds_alone.get(kind, 0) + count
    assert together.prompts is not None
    assert dict(together.prompts.kinds) == kinds_alone


@pytest.mark.parametrize(
    ("rung", "field"),
    [
        ("prompts", "arguments"),
        ("generation_arguments", "arguments"),
        ("responses", "resps"),
        ("filtered", "filtered_resps"),
    ],
)
def test_what_a_log_does_not_hold_is_not_compared(rung: str, field: str) -> None:
    without = [{key: value for key, value in record.items() if key != field} for record in PLAIN]
    for left, right in ((PLAIN, without), (without, PLAIN)):
        found = task(left, right)
        assert found.ladder.first_break is None
        assert rungs(found)[rung] == (0, 0)
        assert "filter_extracts_nothing" not in kinds(evidence(left, right))
