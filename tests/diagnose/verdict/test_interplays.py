"""Two changes at once: what one hides of the other, and which of them a run can still separate."""

import random
from pathlib import Path

import pytest
from truth import prompts
from truth.changed import answers, compared, generation, start
from truth.effects import budget_for, cut_at, move_answers
from truth.looked_at import chat_interface_of_the_same_server

CHANCE = "two at once"


@pytest.mark.parametrize("turned", [False, True])
def test_a_stop_string_is_proven_through_a_blank_that_a_backend_strips(tmp_path: Path, turned: bool) -> None:
    a, b = start("sums, few-shot")
    generation(a, until=["\n"])
    generation(b, until=["\\n"])
    a.config["model"], b.config["model"] = "vllm", "sglang"
    answers(b, lambda text: f"{text.strip()}\nQ: And how many is 7 then?")
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert verdict.leading_cause == "gen_kwargs.until"
    assert "the other side's, cut at a stop string" in verdict.sentence


def test_a_cut_is_not_proven_as_the_cause_where_equal_responses_have_no_score(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    budget = budget_for(b, 0.34)
    generation(b, max_gen_toks=budget)
    cut_at(b, budget)
    assert compared(tmp_path / "whole", a, b).verdict.standing == "proven"
    texts = {item.number: item.text for item in a.tasks["sums"].items}
    for item in b.tasks["sums"].items:
        if item.text == texts[item.number] and not item.number % 4:
            item.verdict = float("nan")
    verdict = compared(tmp_path / "unscored", a, b).verdict
    assert (verdict.leading_cause, verdict.standing) == ("gen_kwargs.max_gen_toks", "supported")


@pytest.mark.parametrize("turned", [False, True])
def test_a_text_that_begins_the_answers_is_found_in_the_messages_of_a_chat(tmp_path: Path, turned: bool) -> None:
    a, b = start("real few-shot, served")
    chance = random.Random(CHANCE)
    chat_interface_of_the_same_server(a, b, chance, "chat interface")
    for task in b.tasks.values():
        task.layout = task.layout._replace(prefix="Let us count:")
        task.define("gen_prefix", "Let us count:")
    verdict = compared(tmp_path, *((b, a) if turned else (a, b))).verdict
    assert "gen_prefix" in verdict.sentence
    assert "confounded" in verdict.sentence


def test_an_interface_that_leads_is_separated_from_what_else_differs_and_not_from_itself(tmp_path: Path) -> None:
    a, b = start("real few-shot, served")
    chance = random.Random(CHANCE)
    chat_interface_of_the_same_server(a, b, chance, "chat interface")
    prompts.other_gap_between_examples(a, b, chance, "fewshot_delimiter")
    move_answers(b, chance, 0.5, -0.5)
    verdict = compared(tmp_path, a, b).verdict
    assert {one.key for one in verdict.suspects} == {"chat_template", "model"}
    assert "with only chat_template" not in verdict.next_step
    assert "no run separates them" in verdict.next_step


def test_no_run_is_asked_for_a_limit_beside_an_interface_that_leads(tmp_path: Path) -> None:
    a, b = start("real few-shot, served")
    chat_interface_of_the_same_server(a, b, random.Random(CHANCE), "chat interface")
    for task in b.tasks.values():
        task.items = task.items[: len(task.items) // 2]
    b.config["limit"] = 0.5
    verdict = compared(tmp_path, a, b).verdict
    assert "limit taken from" not in verdict.next_step
    assert verdict.isolating_run is None or "limit" not in verdict.isolating_run.changes
