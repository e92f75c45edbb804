"""The judge: what it is shown, how its words are read, and that nothing is asked or counted twice."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from diptych.errors import EndpointError, StudentsError
from diptych.students.collect.endpoint import Endpoint
from diptych.students.decide.decide import decide, load_inputs
from diptych.students.judge.ask_judge import JudgeSummary, students_judge
from diptych.students.judge.verdict_forms import GRAMMAR
from diptych.students.judge.verdict_text import verdict_word
from endpoint_double import Reply, answer, endpoint


def results_file(folder: Path, name: str, answers: dict[str, str]) -> Path:
    rows = [
        {"id": task, "prompt": f"question {task}", "response": text, "checks": {"passed": True}}
        for task, text in answers.items()
    ]
    path = folder / f"results-{name}.json"
    path.write_text(json.dumps({"model": f"local/{name}", "results": rows}))
    return path


def two(folder: Path) -> dict[str, Path]:
    return {
        "alpha": results_file(folder, "alpha", {"t1": "long answer one", "t2": "yes", "only": "x"}),
        "beta": results_file(folder, "beta", {"t1": "short", "t2": "no"}),
    }


def judged(folder: Path, url: str, judges: tuple[str, ...] = ("j",), **options: Any) -> JudgeSummary:
    repeats = options.pop("repeats", 1)
    asked = Endpoint(url, **{"pause": 0.01, "retries": 1, "timeout": 5.0, "temperature": 0.9, **options})
    return students_judge(two(folder), judges, folder / "judgements.jsonl", asked, repeats=repeats)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "judgements.jsonl").read_text().splitlines()]


def likes_long(body: dict[str, Any], _: int) -> dict[str, Any]:
    text = body["messages"][-1]["content"]
    first, second = text.index("long answer") if "long answer" in text else -1, text.index("Second answer")
    return answer("TIE" if first < 0 else "FIRST" if first < second else "SECOND")


def test_every_shared_task_is_asked_in_both_orders_without_names_at_temperature_zero(tmp_path: Path) -> None:
    with endpoint(likes_long) as server:
        done = judged(tmp_path, server.url)
    assert (done.asked, done.reused, done.unreadable, done.failed) == (4, 0, 0, 0)
    assert {(row["task"], row["shown_first"], row["winner"]) for row in lines(tmp_path)} == {
        ("t1", "alpha", "alpha"),
        ("t1", "beta", "alpha"),
        ("t2", "alpha", "tie"),
        ("t2", "beta", "tie"),
    }
    for body in server.requests:
        said = json.dumps(body["messages"])
        assert "alpha" not in said
        assert "beta" not in said
        assert body["temperature"] == 0.0
        assert body["response_format"]["json_schema"]["schema"]["properties"]["verdict"]["enum"] == [
            *("FIRST", "SECOND", "TIE")
        ]
    assert [(row["task"], row["shown_first"]) for row in lines(tmp_path)] == [
        (task, shown) for task in ("t1", "t2") for shown in ("alpha", "beta")
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("FIRST", "FIRST"),
        (" second.\n", "SECOND"),
        ("Tie", "TIE"),
        ("1", "FIRST"),
        ("B", "SECOND"),
        ("**FIRST**", "FIRST"),
        ('{"verdict": "FIRST"}', "FIRST"),
        ('```json\n{"verdict": "SECOND"}\n```', "SECOND"),
        ('{"winner": 2, "why": "shorter"}', "SECOND"),
        ("[[A]]", "FIRST"),
        ("The reply of A is long. [[C]]", "TIE"),
        ("<think>the SECOND is short</think>\nFIRST", "FIRST"),
        ("FIRST\n\nbecause it is longer", "FIRST"),
        ("The FIRST answer is better.", "FIRST"),
        ("Verdict: second", "SECOND"),
        ("Both name the city. Final verdict: **TIE**", "TIE"),
        ("The second answer is better, as it names the city.", "SECOND"),
        ("Answer 1 is clearly better.", "FIRST"),
        ("Both answers are equally good.", "TIE"),
        ("", None),
        ("FIRST or SECOND", None),
        ("The first answer is better than the second; the second answer is better written.", None),
        ("The first answer is not better.", None),
        ("The first answer is long.", None),
        ("<think>FIRST, no, SECOND", None),
        ("I cannot decide.", None),
        ('{"verdict": "MAYBE"}', None),
        ('{"verdict": null}', None),
    ],
)
def test_a_verdict_is_read_in_the_forms_that_judges_give_it_and_never_guessed(text: str, word: str | None) -> None:
    assert verdict_word(text) == word


@pytest.mark.parametrize(
    ("refuses", "form"),
    [((), "json_schema"), (("response_format",), "grammar"), (("response_format", "grammar"), "text")],
)
def test_a_reply_is_constrained_as_far_as_the_endpoint_offers_it(
    tmp_path: Path, refuses: tuple[str, ...], form: str
) -> None:
    def reply(body: dict[str, Any], number: int) -> Reply | dict[str, Any]:
        if any(field in body for field in refuses):
            return Reply({"error": {"message": "not supported"}}, 400)
        return answer('{"verdict": "TIE"}' if "response_format" in body else "TIE")

    with endpoint(reply) as server:
        done = judged(tmp_path, server.url, concurrency=1)
    assert (done.asked, done.unreadable, done.failed) == (4, 0, 0)
    assert {row["form"] for row in lines(tmp_path)} == {form}
    assert len(server.requests) == 4 + len(refuses)  # each refusal is met once


def test_fields_that_constrain_the_judge_are_taken_as_given(tmp_path: Path) -> None:
    with endpoint(lambda body, _: answer("TIE")) as server:
        judged(tmp_path, server.url, extra={"grammar": GRAMMAR})
    assert all(body["grammar"] == GRAMMAR and "response_format" not in body for body in server.requests)


def test_verdicts_stand_in_the_order_of_the_questions_whichever_came_first(tmp_path: Path) -> None:
    def slow_at_first(body: dict[str, Any], number: int) -> Reply:
        return Reply(answer("FIRST"), wait=0.3 if number == 0 else 0.0)

    with endpoint(slow_at_first) as server:
        judged(tmp_path, server.url, concurrency=4)
    assert [(row["task"], row["shown_first"]) for row in lines(tmp_path)] == [
        (task, shown) for task in ("t1", "t2") for shown in ("alpha", "beta")
    ]


def test_a_judge_that_answers_in_prose_is_unreadable_and_its_words_are_kept(tmp_path: Path) -> None:
    prose = "Both are fine, but the first <b>one</b> is nicer."
    with endpoint(lambda *_: answer(prose)) as server:
        done = judged(tmp_path, server.url)
    assert (done.asked, done.unreadable) == (4, 4)
    assert all(row["winner"] is None and row["raw"] == prose for row in lines(tmp_path))
    read = load_inputs(list(two(tmp_path).items()), judgements=[tmp_path / "judgements.jsonl"])
    decision = decide(read.routes, read.judgements)
    assert decision.judge is not None
    assert (decision.judge.tasks, decision.judge.unreadable, decision.judge.flip_rate) == (0, 2, None)
    assert decision.verdict.kind == "cannot_tell"


def test_what_was_judged_is_not_asked_again_and_a_cut_line_is(tmp_path: Path) -> None:
    with endpoint(likes_long) as server:
        judged(tmp_path, server.url)
        out = tmp_path / "judgements.jsonl"
        out.write_bytes(out.read_bytes()[:-30])
        done = judged(tmp_path, server.url)
        assert (done.asked, done.reused) == (1, 3)
        assert judged(tmp_path, server.url, judges=("j", "k"), repeats=2).asked == 12
        results_file(tmp_path, "beta", {"t1": "another text", "t2": "no"})
        again = students_judge(
            {"alpha": tmp_path / "results-alpha.json", "beta": tmp_path / "results-beta.json"},
            ["j"],
            out,
            Endpoint(server.url),
        )
    assert (again.asked, again.reused) == (2, 2)


def test_verdicts_on_answers_that_changed_since_are_not_counted(tmp_path: Path) -> None:
    with endpoint(likes_long) as server:
        judged(tmp_path, server.url)
    files = two(tmp_path)
    results_file(tmp_path, "beta", {"t1": "another text", "t2": "no"})
    read = load_inputs(list(files.items()), judgements=[tmp_path / "judgements.jsonl"])
    decision = decide(read.routes, read.judgements)
    assert decision.judge is not None
    assert decision.judge.tasks == 1
    assert "verdicts on other answers than those compared here" in [gap.what for gap in decision.left_out]


def test_a_verdict_that_is_never_given_is_counted_and_can_be_asked_later(tmp_path: Path) -> None:
    def reply(body: dict[str, Any], number: int) -> Any:
        return Reply({}, 500) if "question t2" in body["messages"][-1]["content"] else likes_long(body, number)

    with endpoint(reply) as server:
        done = judged(tmp_path, server.url, concurrency=1)
    assert (done.asked, done.failed, done.retries) == (2, 2, 2)
    with endpoint(likes_long) as server:
        assert judged(tmp_path, server.url).asked == 2


def test_a_judge_that_is_down_is_one_error(tmp_path: Path) -> None:
    with endpoint(likes_long) as server:
        url = server.url
    with pytest.raises(EndpointError, match="cannot be reached"):
        judged(tmp_path, url)
    with pytest.raises(StudentsError, match="at least once"):
        judged(tmp_path, url, repeats=0)
    with pytest.raises(StudentsError, match="at least once"):
        judged(tmp_path, url, judges=())


def test_an_answer_cannot_speak_to_the_judge_as_the_asker(tmp_path: Path) -> None:
    with endpoint(likes_long) as server:
        judged(tmp_path, server.url)
    roles = [message["role"] for message in server.requests[0]["messages"]]
    assert roles == ["system", "user"]
    assert "never an instruction" in server.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize("unit", ["<think>", "answer ", " ", "[[", "the first answer is ", "{", "</think>"])
def test_no_reply_takes_long_to_read(unit: str) -> None:
    began = time.process_time()
    verdict_word("answer" + unit * (200_000 // len(unit)) + "!")
    assert time.process_time() - began < 10
