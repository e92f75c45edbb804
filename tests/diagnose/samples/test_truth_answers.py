"""What answers prove: a budget by beginnings, a filter by equal texts, and a cut only where a text shows it."""

import random
from pathlib import Path

import pytest
from truth.changed import answers, compared, generation, kinds, named, start
from truth.effects import budget_for, cut_at, move_answers, reworded
from truth.sides import Side


def moved(side: Side) -> None:
    move_answers(side, random.Random("moved"), 0.8, -0.6)


def cut(tmp_path: Path, budget: int) -> tuple[Side, Side]:
    a, b = start("sums, few-shot")
    generation(b, max_gen_toks=budget)
    cut_at(b, budget)
    return a, b


def test_answers_that_are_the_beginnings_of_the_others_prove_their_budget(tmp_path: Path) -> None:
    verdict = compared(tmp_path, *cut(tmp_path, 40)).verdict
    assert verdict.leading_cause == "gen_kwargs.max_gen_toks"
    assert (verdict.standing, verdict.mechanism is not None) == ("proven", True)


def test_a_budget_that_no_answer_needed_did_nothing(tmp_path: Path) -> None:
    a, b = start("claims, served")
    generation(a, max_gen_toks=16)
    generation(b, max_gen_toks=512)
    moved(b)
    made = compared(tmp_path, a, b)
    assert made.verdict.standing in ("possible", "none")
    assert named(made) == []


def test_a_budget_below_the_answers_themselves_did_nothing(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(b, max_gen_toks=4)
    answers(b, lambda text: reworded(text, random.Random(text)), every=2)
    assert compared(tmp_path, a, b).verdict.standing in ("possible", "none")


def test_answers_that_are_swapped_between_items_prove_no_budget(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(b, max_gen_toks=120)
    texts = [item.text for item in b.tasks["sums"].items]
    for item, text in zip(b.tasks["sums"].items, texts[1:] + texts[:1], strict=True):
        item.text = text
    assert compared(tmp_path, a, b).verdict.standing in ("possible", "none")


def test_equal_texts_read_otherwise_prove_the_filter(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.texts:
        first = {"function": "regex", "regex_pattern": "(\\-?[0-9]+)", "group_select": 0}
        task.config["filter_list"] = [{**each, "filter": [first]} for each in task.config["filter_list"]]
    made = compared(tmp_path, a, b)
    assert named(made)[0].startswith("filter_list")
    assert (made.verdict.standing, made.verdict.mechanism is not None) == ("proven", True)
    assert "form" not in made.verdict.sentence


@pytest.mark.parametrize("key", ["metric_list", "process_results"])
def test_equal_readings_scored_otherwise_prove_the_scorer(tmp_path: Path, key: str) -> None:
    a, b = start("sums, few-shot")
    for task in b.texts:
        if key == "metric_list":
            task.config[key] = [{**task.config[key][0], "ignore_numbers": True}]
        else:
            task.config[key] = "def score(doc, results):\n    return lenient(doc, results)\n"
            for item in task.items[::3]:
                item.verdict = 0.0
    made = compared(tmp_path, a, b)
    assert named(made)[0].startswith(key)
    assert made.verdict.standing == "proven"
    assert "form" not in made.verdict.sentence


def test_one_word_answers_to_a_budget_of_one_token_are_whole(tmp_path: Path) -> None:
    a, b = start("claims, served")
    for side in (a, b):
        generation(side, max_gen_toks=1)
        answers(side, str.strip)
    moved(b)
    made = compared(tmp_path, a, b)
    assert made.verdict.kind != "not_a_measurement"
    assert "answers_cut" not in kinds(made)


def test_two_filters_far_apart_are_said_in_the_first_sentence(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(pretrained="org/terse-3b")
    answers(b, lambda text: text.replace("The answer is ", "So we get "))
    made = compared(tmp_path, a, b)
    assert "filters_disagree" in kinds(made)
    assert "strict-match" in made.verdict.sentence
    assert "flexible-extract" in made.verdict.sentence


def test_a_third_of_the_answers_cut_on_one_side_is_said_in_the_first_sentence(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    budget = budget_for(b, 0.35)
    generation(b, max_gen_toks=budget)
    number = cut_at(b, budget)
    made = compared(tmp_path, a, b)
    assert number > 25
    assert "answers_cut" in kinds(made)
    assert "truncated" in made.verdict.sentence or "cut" in made.verdict.sentence


def test_all_answers_cut_is_the_budget_and_not_the_examples(tmp_path: Path) -> None:
    a, b = cut(tmp_path, 20)
    for task in b.tasks.values():
        task.config["num_fewshot"] = 2
        task.layout = task.layout._replace(shots=2)
    moved(b)
    cut_at(b, 20)
    made = compared(tmp_path, a, b)
    assert "gen_kwargs.max_gen_toks" in named(made)


def test_choices_in_another_order_are_the_same_questions(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    for task in b.picks:
        task.config["process_docs"] = "def turn(rows):\n    return rows.map(rotate)\n"
        for item in task.items:
            item.choices, item.response = item.choices[1:] + item.choices[:1], item.response[1:] + item.response[:1]
            item.target = str((int(item.target) - 1) % 4)
            item.doc = {**item.doc, "choices": [choice.strip() for choice in item.choices], "label": int(item.target)}
    made = compared(tmp_path, a, b)
    assert "choices_reordered" in kinds(made)
    assert "share no item" not in made.verdict.sentence


def test_a_task_that_a_fork_renamed_is_told_by_its_documents(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    task = b.tasks.pop("quiz_geography")
    task.name = task.config["task"] = "geo_fork"
    b.tasks["geo_fork"] = task
    made = compared(tmp_path, a, b)
    said = made.verdict.sentence + made.verdict.next_step + " ".join(each.text for each in made.findings)
    assert "quiz_geography" in said
    assert "geo_fork" in said


def test_a_side_that_does_not_stop_where_its_requests_say_is_told_so(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: f"{text}\nQ: What is 3 more than 4?\nA: It is 7")
    verdict = compared(tmp_path, a, b).verdict
    assert "stop strings (until) were not applied in b" in verdict.sentence
    assert "max_gen_toks" not in verdict.next_step
    assert "what answered" not in verdict.sentence
    assert "not applied in a" in compared(tmp_path, b, a).verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("setting", ["batch_size", "versions", ""])
def test_responses_under_other_items_are_said_and_blame_no_weights(tmp_path: Path, setting: str, turned: bool) -> None:
    a, b = start("sums, few-shot")
    for place, item in enumerate(a.tasks["sums"].items):
        item.text = b.tasks["sums"].items[place].text = f"{item.text} That was the working of question {place}."
    texts = [item.text for item in b.tasks["sums"].items]
    for item, text in zip(b.tasks["sums"].items, texts[1:] + texts[:1], strict=True):
        item.text = text
    if setting == "batch_size":
        a.config["batch_size"], b.config["batch_size"] = 1, 16
    elif setting:
        a.top["transformers_version"], b.top["transformers_version"] = "4.46.3", "4.50.0"
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert "letter for letter" in verdict.sentence
    assert "weights" not in verdict.sentence
    assert "cannot have acted" not in verdict.sentence
    assert ("Possible cause of that" in verdict.sentence) == bool(setting)
    assert verdict.next_step.startswith("Run one side again with one request at a time")


def test_another_wording_of_each_response_stands_under_no_other_item(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: reworded(text, random.Random(text)), every=1)
    assert "letter for letter" not in compared(tmp_path, a, b).verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_empty_responses_and_beginnings_say_nothing_of_what_answered(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: "", every=2)
    answers(b, lambda text: text[: len(text) // 2], every=3)
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert "what answered" not in verdict.sentence


def test_recorded_weights_that_are_the_same_are_not_doubted(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        side.top["config"]["model_sha"] = "9c2e41d79c2e41d79c2e41d79c2e41d79c2e41d7"
    answers(b, lambda text: reworded(text, random.Random(text)), every=1)
    assert "the weights are, by their model_sha" in compared(tmp_path, a, b).verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_thoughts_that_no_budget_ended_name_the_stop_strings_of_their_requests(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        generation(side, max_gen_toks=4096, until=["\n\n"])
    answers(b, lambda text: "<think>\nThe user asks about this.")
    for item in b.tasks["sums"].items[::4]:
        item.text = ""
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert "open a thought and never close it" in verdict.sentence
    assert 'a stop string of their requests ("\\n\\n")' in verdict.sentence
    assert "what answered" not in verdict.sentence


def test_a_thought_that_spent_its_budget_blames_no_stop_string(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        generation(side, max_gen_toks=16)
    answers(b, lambda text: f"<think>\nThe user asks about this: {text}")
    assert "stop string of" not in compared(tmp_path, a, b).verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_one_text_given_to_many_items_is_said_and_blames_no_weights(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: "Error 429: too many requests, please try again later.", every=3)
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert f"of {'a' if turned else 'b'} in sums are one and the same text" in verdict.sentence
    assert "what answered" not in verdict.sentence
    assert "a message of the server" in verdict.next_step


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("Error 429: too many requests, please try again later.", "identical"),
        ("I'm sorry, but I can't help with that.", "refusing"),
    ],
)
def test_what_stands_instead_of_answers_carries_a_difference_beside_another_change(
    tmp_path: Path, text: str, which: str, turned: bool
) -> None:
    a, b = start("sums, few-shot")
    b.argue(pretrained="org/other-2b")
    answers(b, lambda own: reworded(own, random.Random(own)), every=2)
    answers(b, lambda _: text, every=2)
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert verdict.leading_cause == "model_args.pretrained"
    assert f"The {which} responses carry all of that difference: " in verdict.sentence
    assert f"of {'a' if turned else 'b'} in sums are " in verdict.sentence
    assert "items that both sides answered" in verdict.sentence
    assert verdict.next_step.startswith("First read the ")


def test_a_message_that_is_all_that_moved_is_said_to_be(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, number in ((a, 1), (b, 64)):
        side.argue(num_concurrent=number)
    answers(b, lambda text: "Error 429: too many requests, please try again later.", every=3)
    verdict = compared(tmp_path, a, b).verdict
    assert "What moved in sums is one text in the place of" in verdict.sentence
    assert "a server asked otherwise may leave requests unanswered" in verdict.sentence


def test_a_form_in_which_both_sides_answer_is_no_message_of_a_server(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        for place, item in enumerate(side.tasks["sums"].items):
            item.text = f"After some thought the right one of these is letter {'ABCD'[(place + (side is b)) % 4]}."
    assert "one and the same text" not in compared(tmp_path, a, b).verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_a_batch_size_beside_answers_that_fell_far_is_asked_about_by_a_repeat(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    a.config["batch_size"], b.config["batch_size"] = 1, 32
    moved(b)
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert verdict.standing == "none"
    assert "batch_size differs, which moves answers that far only where something is broken" in verdict.sentence
    assert "cannot have acted" not in verdict.sentence
    assert verdict.next_step.startswith("Repeat a as it was")


def test_right_answers_that_all_changed_are_said(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for item in b.tasks["sums"].items:
        item.target = f"{item.target}0"
    assert "have another right answer in b" in compared(tmp_path, a, b).verdict.sentence


def test_truncated_responses_that_are_one_text_are_called_truncated(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(b, max_gen_toks=12)
    answers(b, lambda text: "Let me think. The number that we are looking for is, as", every=3)
    verdict = compared(tmp_path, a, b).verdict
    assert "appear truncated" in verdict.sentence
    assert "one and the same text" not in verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_thoughts_that_one_side_takes_out_blame_no_weights(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    answers(a, lambda text: f"<think>\nLet me look at this first.\n</think>\n\n{text}")
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert f"what serves {'a' if turned else 'b'}, or its harness, takes thoughts out" in verdict.sentence
    assert "what answered" not in verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_log_likelihoods_under_other_items_are_said(tmp_path: Path, turned: bool) -> None:
    a, b = start("quiz, few-shot")
    a.config["batch_size"], b.config["batch_size"] = 1, 16
    for task in b.picks:
        found = [item.response for item in task.items]
        for item, response in zip(task.items, found[1:] + found[:1], strict=True):
            item.response = response
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert "to other items: answers stand under the wrong items" in verdict.sentence
    assert verdict.leading_cause == "batch_size"


@pytest.mark.parametrize("turned", [False, True])
def test_what_takes_thoughts_off_is_no_suspect_where_none_ended(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    a.argue(enable_thinking=False)
    b.argue(enable_thinking=True, think_end_token="</think>")
    for item in b.tasks["sums"].items:
        item.text = "<think>\nThe user asks about this."
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert verdict.leading_cause == "model_args.enable_thinking"
    assert "confounded" not in verdict.sentence
