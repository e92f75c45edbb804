"""Our own harness against a local server: what it asks, what it writes, and every way an endpoint can fail."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diptych import storage
from diptych.errors import DiptychError, EndpointError, StudentsError
from diptych.students.collect import own_harness
from diptych.students.collect.ask_many import ask_all
from diptych.students.collect.endpoint import Endpoint, Unanswered
from diptych.students.collect.own_harness import EvalSummary, students_eval
from diptych.students.collect.student_results import read_results
from endpoint_double import Reply, answer, endpoint, soon


def tasks_file(folder: Path, number: int = 6) -> Path:
    path = folder / "tasks.json"
    tasks = [
        {"id": f"t{n}", "prompt": f"say {n}", "checks": [{"type": "contains", "value": str(n)}]} for n in range(number)
    ]
    path.write_text(json.dumps(tasks))
    return path


def echo(body: dict[str, Any], _: int) -> dict[str, Any]:
    return answer(body["messages"][-1]["content"], model=body["model"])


def evaluate(folder: Path, url: str, *, number: int = 6, fresh: bool = False, **options: Any) -> EvalSummary:
    asked = Endpoint(url, **{"pause": 0.01, "timeout": 5.0, "retries": 2, **options})
    return students_eval(tasks_file(folder, number), "m", folder / "results-a.json", asked, fresh=fresh)


def test_the_results_file_is_the_one_that_decide_reads(tmp_path: Path) -> None:
    with endpoint(lambda body, number: Reply(echo(body, number), wait=0.2)) as server:
        done = evaluate(tmp_path, server.url, concurrency=3)
    assert (done.passed, done.answered, done.asked, done.reused, done.failed, done.retries) == (6, 6, 6, 0, (), 0)
    results = read_results(tmp_path / "results-a.json", "a")
    assert list(results.rows) == [f"t{n}" for n in range(6)]
    row = results.rows["t3"]
    assert (row.passed, row.response, row.prompt_tokens, row.completion_tokens) == (True, "say 3", 5, 2)
    assert row.seconds is not None
    assert results.tasks_sha256
    assert 1 < server.busiest <= 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results-a.json", "tasks.json"]


def test_every_request_has_a_limit_and_the_settings_and_the_key(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        evaluate(tmp_path, server.url, number=1, max_tokens=48, api_key="k", extra={"top_k": 1, "model": "x"})
    sent = server.requests[0]
    assert {key: sent[key] for key in ("model", "max_tokens", "temperature", "seed", "stream", "top_k")} == {
        "model": "m",
        "max_tokens": 48,
        "temperature": 0.0,
        "seed": 0,
        "stream": False,
        "top_k": 1,
    }
    assert server.headers[0]["Authorization"] == "Bearer k"
    assert "Bearer" not in (tmp_path / "results-a.json").read_text()


@pytest.mark.parametrize(
    "bad",
    [
        Reply({"error": {"message": "overloaded"}}, 500),
        Reply({}, 429, headers={"Retry-After": "0"}),
        Reply({"model": "m", "choices": []}),
        Reply({"model": "m"}),
        Reply(b"[]"),
        Reply(answer("say"), cut=20),
        Reply(b"<html><body>starting</body></html>", headers={"content-type": "text/html"}),
        Reply(b'{"choices": [{"mess'),
    ],
    ids=["500", "429", "empty-choice", "no-choices", "a-list", "cut", "html", "half-json"],
)
def test_a_passing_trouble_is_retried_and_counted(tmp_path: Path, bad: Reply) -> None:
    with endpoint(lambda body, number: bad if number == 1 else echo(body, number)) as server:
        done = evaluate(tmp_path, server.url, concurrency=1)
    assert (done.passed, done.retries, done.failed) == (6, 1, ())
    assert json.loads((tmp_path / "results-a.json").read_text())["results"][1]["attempts"] == 2


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Reply({"error": {"message": "exceeds the context", "code": 400}}, 400), "HTTP 400: exceeds the context"),
        (Reply({}, 500), r"HTTP 500 \(asked 3 times\)"),
        (Reply({"choices": []}), "an answer without a choice"),
        (Reply(answer("x"), cut=10), "the connection was cut"),
    ],
)
def test_a_task_that_stays_without_an_answer_is_named_and_costs_no_other(tmp_path: Path, bad: Reply, says: str) -> None:
    def reply(body: dict[str, Any], number: int) -> Any:
        return bad if body["messages"][-1]["content"] == "say 2" else echo(body, number)

    with endpoint(reply) as server:
        done = evaluate(tmp_path, server.url, concurrency=1)
    assert [task for task, _ in done.failed] == ["t2"]
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(done.failed[0][1])
    results = read_results(tmp_path / "results-a.json", "a")
    assert len(results.rows) == 5
    assert results.failed == ("t2",)
    with endpoint(echo) as server:
        again = evaluate(tmp_path, server.url)
    assert (again.asked, again.reused, again.passed, again.failed) == (1, 5, 6, ())


@pytest.mark.parametrize(
    ("bad", "says", "hint"),
    [
        (Reply({"error": "bad key"}, 401), "HTTP 401: bad key", "--api-key"),
        (Reply(b"not found", 404), "HTTP 404", "/v1"),
        (Reply(b"<!DOCTYPE html><p>hello", headers={"content-type": "text/html"}), "HTML instead of JSON", "/v1"),
        (Reply({}, 503), "HTTP 503", "go on"),
    ],
)
def test_an_endpoint_that_never_answers_is_given_up_soon(tmp_path: Path, bad: Reply, says: str, hint: str) -> None:
    with endpoint(lambda *_: bad) as server, pytest.raises(EndpointError, match=says) as caught:
        evaluate(tmp_path, server.url, number=50, concurrency=1)
    assert hint in caught.value.hint
    assert len(server.requests) <= 9
    assert not (tmp_path / "results-a.json").exists()


def test_an_endpoint_that_is_down_is_named_with_what_to_do(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        url = server.url
    with pytest.raises(EndpointError, match="cannot be reached") as caught:
        evaluate(tmp_path, url)
    assert caught.value.where == url
    assert "start the server" in caught.value.hint


@pytest.mark.parametrize("slow", [Reply(answer("x"), wait=30), Reply(answer("x"), drip=0.05)], ids=["silent", "drip"])
def test_a_slow_endpoint_is_not_waited_for_beyond_the_time_out(tmp_path: Path, slow: Reply) -> None:
    with endpoint(lambda *_: slow) as server, pytest.raises(EndpointError, match=r"within 0\.3 s"):
        evaluate(tmp_path, server.url, timeout=0.3, retries=0, number=1)


def test_where_one_request_is_refused_the_others_do_not_go_on_waiting(tmp_path: Path) -> None:
    def reply(body: dict[str, Any], number: int) -> Any:
        first = body["messages"][-1]["content"] == "say 0"
        return Reply({}, 401, wait=0.3) if first else Reply({}, 429, headers={"Retry-After": "60"})

    with endpoint(reply) as server, pytest.raises(EndpointError, match="HTTP 401"):
        evaluate(tmp_path, server.url, concurrency=4)


def test_retry_after_is_kept(tmp_path: Path) -> None:
    from diptych.students.collect.endpoint import ask, client_for

    waits: list[float] = []
    busy = Reply({}, 429, headers={"Retry-After": "7"})
    with endpoint(lambda body, number: busy if number < 2 else echo(body, number)) as server:
        asked = Endpoint(server.url, pause=0.01)
        with client_for(asked) as client:
            got = ask(client, asked, "m", [{"role": "user", "content": "x"}], sleep=waits.append)
    assert waits == [7.0, 7.0]
    assert got.attempts == 3
    assert got.retried == ("HTTP 429", "HTTP 429")


def test_an_empty_answer_is_an_answer_and_its_end_is_kept(tmp_path: Path) -> None:
    with endpoint(lambda *_: answer(None, reason="length")) as server:
        done = evaluate(tmp_path, server.url, number=1)
    row = json.loads((tmp_path / "results-a.json").read_text())["results"][0]
    assert (done.passed, done.answered, row["response"], row["finish_reason"]) == (0, 1, "", "length")


def test_a_model_that_is_not_the_one_asked_for_is_seen(tmp_path: Path) -> None:
    with endpoint(lambda *_: answer("0", model="another")) as server:
        done = evaluate(tmp_path, server.url, number=2)
    assert done.served_models == {"another": 2}


KILLED = """
import sys
from diptych.students.collect.ask_many import ask_all
from diptych.students.collect.endpoint import Endpoint, Unanswered
from diptych.students.collect.own_harness import students_eval
students_eval(sys.argv[1], "m", sys.argv[2], Endpoint(sys.argv[3], concurrency=1))
"""


def test_a_killed_evaluation_goes_on_by_task_id(tmp_path: Path) -> None:
    out = tmp_path / "results-a.json"
    tasks = tasks_file(tmp_path)
    with endpoint(lambda body, number: echo(body, number) if number < 3 else Reply(b"", wait=60)) as server:
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(tasks), str(out), server.url])
        assert soon(lambda: len(server.requests) == 4)
        process.kill()
        process.wait()
    assert not out.exists()
    journal = next(tmp_path.glob("*.journal"))
    journal.write_bytes(journal.read_bytes() + b'{"id": "t4", "respo')
    with endpoint(echo) as server:
        done = evaluate(tmp_path, server.url)
    assert (done.reused, done.asked, done.passed) == (3, 3, 6)
    assert not list(tmp_path.glob("*.journal"))
    with endpoint(echo) as server:
        assert evaluate(tmp_path, server.url).asked == 0
        assert server.requests == []
        assert evaluate(tmp_path, server.url, fresh=True).asked == 6


def test_a_server_that_dies_half_way_is_left_at_once_and_what_it_answered_is_kept(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        address = server.url
        evaluate(tmp_path, address, number=6)
    tasks_file(tmp_path, 40)
    asked = Endpoint(address, pause=0.01, retries=1, timeout=60.0, concurrency=2)
    with pytest.raises(EndpointError, match="no question got an answer: cannot be reached"):
        students_eval(tmp_path / "tasks.json", "m", tmp_path / "results-a.json", asked)
    calls: list[int] = []

    def dies(question: int, _: Any) -> int:
        calls.append(question)
        if question >= 5:
            raise Unanswered("cannot be reached (asked 2 times)", where="there", hint="start the server")
        return question

    kept: list[int] = []
    with pytest.raises(EndpointError, match="cannot be reached any more; 95 questions left"):
        ask_all(list(range(100)), dies, lambda question, _: kept.append(question), concurrency=2)
    assert sorted(kept) == [0, 1, 2, 3, 4]
    assert len(calls) < 15


def test_a_server_that_dies_behind_a_router_is_left_as_soon(tmp_path: Path) -> None:
    tasks_file(tmp_path, 40)

    def router(body: dict[str, Any], number: int) -> Reply | dict[str, Any]:
        return echo(body, number) if number < 5 else Reply({"error": {"message": "no server"}}, 502)

    with endpoint(router) as server:
        asked = Endpoint(server.url, pause=0.01, retries=1, timeout=60.0, concurrency=2)
        with pytest.raises(EndpointError, match="cannot be reached any more"):
            students_eval(tmp_path / "tasks.json", "m", tmp_path / "results-a.json", asked)
        assert len(server.requests) < 25
    assert not (tmp_path / "results-a.json").exists()


def test_answers_under_other_settings_are_not_mixed_in(tmp_path: Path) -> None:
    with endpoint(echo) as server:
        evaluate(tmp_path, server.url)
        assert evaluate(tmp_path, server.url, temperature=0.7).asked == 6


def test_changing_one_task_or_one_check_asks_only_what_is_asked_otherwise(tmp_path: Path) -> None:
    tasks = tasks_file(tmp_path)
    with endpoint(echo) as server:
        first = evaluate(tmp_path, server.url)
    body = json.loads(tasks.read_text())
    body[1]["prompt"] += " please"
    body[2]["checks"] = [{"type": "contains", "value": "never said"}]
    (tmp_path / "other.json").write_text(json.dumps(body))
    with endpoint(echo) as server:
        asked = Endpoint(server.url, pause=0.01, retries=1, timeout=60.0)
        done = students_eval(tmp_path / "other.json", "m", tmp_path / "results-a.json", asked)
    assert (done.asked, done.reused, done.passed) == (1, first.answered - 1, first.passed - 1)
    assert [sent["messages"][-1]["content"] for sent in server.requests] == [body[1]["prompt"]]


def test_an_answer_with_half_a_surrogate_pair_reaches_the_file_and_is_read_with_a_mark_for_it(tmp_path: Path) -> None:
    with endpoint(lambda *_: Reply(b'{"choices": [{"message": {"content": "0 \\ud83d <script>"}}]}')) as server:
        evaluate(tmp_path, server.url, number=1)
    assert read_results(tmp_path / "results-a.json", "a").rows["t0"].response == "0 ? <script>"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{}", "no list of tasks"),
        ("[]", "no list of tasks"),
        ("[1]", "is no object"),
        ('[{"id": "a", "prompt": "x"}]', "has no checks"),
        ('[{"id": "a", "prompt": "x", "checks": []}]', "has no checks"),
        ('[{"id": "a", "checks": [{"type": "max_words", "value": 1}]}]', "either a prompt"),
        (
            '[{"id": "a", "prompt": "x", "messages": [], "checks": [{"type": "max_words", "value": 1}]}]',
            "either a prompt",
        ),
        ('[{"id": "a", "messages": [{"role": 1}], "checks": [{"type": "max_words", "value": 1}]}]', "either a prompt"),
        ('[{"id": "a", "prompt": "x", "checks": [{"type": "guess", "value": 1}]}]', "no check is called"),
        ('[{"id": true, "prompt": "x", "checks": [{"type": "max_words", "value": 1}]}]', "its id is no text"),
    ],
)
def test_a_tasks_file_that_cannot_be_used_is_refused_before_anything_is_asked(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(text)
    with endpoint(echo) as server, pytest.raises(StudentsError, match=says):
        students_eval(path, "m", tmp_path / "r.json", Endpoint(server.url))
    assert server.requests == []


def test_two_tasks_with_one_id_are_refused(tmp_path: Path) -> None:
    task = {"id": "a", "prompt": "x", "checks": [{"type": "max_words", "value": 1}]}
    (tmp_path / "tasks.json").write_text(json.dumps([task, task]))
    with pytest.raises(StudentsError, match="two tasks have the id 'a'"):
        students_eval(tmp_path / "tasks.json", "m", tmp_path / "r.json", Endpoint("http://127.0.0.1:9/v1"))


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "ftp://x/v1", "http://[bad"])
def test_an_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(EndpointError, match=r"not an address|cannot be reached"):
        evaluate(tmp_path, url, retries=0)


def test_messages_and_a_system_text_are_sent_as_given(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    task = {"id": "x", "messages": turns, "system": "be short", "checks": [{"type": "max_words", "value": 9}]}
    (tmp_path / "tasks.json").write_text(json.dumps({"tasks": [task]}))
    with endpoint(echo) as server:
        students_eval(tmp_path / "tasks.json", "m", tmp_path / "r.json", Endpoint(server.url))
    assert server.requests[0]["messages"] == [{"role": "system", "content": "be short"}, *turns]
    assert read_results(tmp_path / "r.json", "a").rows["x"].prompt == "user: a\n\nassistant: b\n\nuser: c"


def test_two_calls_that_write_the_same_results_do_not_both_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_harness, "BUSY", 0.2)
    busy = storage.lock_of(tmp_path / "results-a.json")
    with endpoint(echo) as server:
        with storage.locked(busy), pytest.raises(DiptychError, match="somebody else is writing here"):
            evaluate(tmp_path, server.url)
        assert server.requests == []
        evaluate(tmp_path, server.url)
        assert not Path(busy).exists()


def test_an_endpoint_that_has_moved_is_told_by_name_and_never_followed_with_the_key(tmp_path: Path) -> None:
    moved = Reply({}, 307, headers={"Location": "http://127.0.0.1:9/v1/chat/completions"})
    with endpoint(lambda *_: moved) as server, pytest.raises(EndpointError, match="follows no redirect") as caught:
        evaluate(tmp_path, server.url, concurrency=1)
    assert "--base-url" in caught.value.hint
    assert len(server.requests) == 1
