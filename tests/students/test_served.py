"""The whole way against real models: two small students and a judge behind a llama.cpp server on 127.0.0.1."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from diptych.students.collect.endpoint import Endpoint, ask, client_for
from diptych.students.collect.own_harness import students_eval
from diptych.students.decide.decide import decide, load_inputs
from diptych.students.judge.ask_judge import students_judge
from served_models import PACKAGES, requantise, served, weights

pytestmark = pytest.mark.slow

ITEMS = (
    ("France", "Paris"),
    ("Italy", "Rome"),
    ("Japan", "Tokyo"),
    ("Egypt", "Cairo"),
)


@pytest.fixture(scope="module")
def packaged() -> Path:
    found = weights()
    if found is None:
        text = f"the small models are not installed ({PACKAGES})"
        if os.environ.get("DIPTYCH_NEED_MODELS"):
            pytest.fail(text)
        pytest.skip(text)
    return found


@pytest.fixture(scope="module")
def server(packaged: Path) -> Iterator[str]:
    with served(packaged, "student-a") as url:
        yield url


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    body = [
        {"id": land, "prompt": f"What is the capital of {land}?", "checks": [{"type": "contains", "value": city}]}
        for land, city in ITEMS
    ]
    path.write_text(json.dumps(body))
    return path


def asked(url: str, **options: object) -> Endpoint:
    return Endpoint(url, timeout=300.0, concurrency=2, max_tokens=16)._replace(**options)


def test_two_real_students_and_a_real_judge_give_a_decision(packaged: Path, tasks: Path, tmp_path: Path) -> None:
    other = tmp_path / "q4_0.gguf"
    requantise(packaged, other)
    files = {route: tmp_path / f"results-{route}.json" for route in ("a", "b")}
    for route, model in (("a", packaged), ("b", other)):
        with served(model, f"student-{route}") as url:
            done = students_eval(tasks, f"student-{route}", files[route], asked(url), engine="llama.cpp")
        assert (done.answered, done.failed) == (4, ())
        assert done.served_models == {f"student-{route}": 4}
    with served(packaged, "judge") as url:
        verdicts = tmp_path / "judgements.jsonl"
        judged = students_judge(files, ["judge"], verdicts, asked(url, max_tokens=64))
    assert (judged.asked, judged.unreadable) == (8, 0)  # constrained by a JSON schema, without a word from the caller
    assert {json.loads(line)["form"] for line in verdicts.read_text().splitlines()} == {"json_schema"}
    read = load_inputs(list(files.items()), judgements=[verdicts])
    decision = decide(read.routes, read.judgements)
    assert decision.judge is not None
    assert decision.judge.tasks == 4
    # known of this judge: it takes whatever stands first; the report must see that, and let it decide nothing
    assert decision.judge.flip_rate == 1.0
    assert decision.verdict.kind == "cannot_tell"
    assert decision.routes[0].passed > 0


def test_the_same_question_gets_the_same_answer_at_temperature_zero(server: str) -> None:
    endpoint = asked(server)
    question = [{"role": "user", "content": "Name three colours."}]
    with client_for(endpoint) as client:
        answers = {ask(client, endpoint, "student-a", question).text for _ in range(3)}
    assert len(answers) == 1


def test_the_official_client_gets_the_same_answer(server: str) -> None:
    openai = pytest.importorskip("openai")
    question = [{"role": "user", "content": "Name three colours."}]
    endpoint = asked(server)
    with client_for(endpoint) as client:
        ours = ask(client, endpoint, "student-a", question)
    with openai.OpenAI(base_url=server, api_key="none") as official:
        theirs = official.chat.completions.create(
            model="student-a", messages=question, max_tokens=16, temperature=0.0, seed=0
        )
    assert ours.text == theirs.choices[0].message.content
    assert ours.model == theirs.model
    assert ours.usage["completion_tokens"] == theirs.usage.completion_tokens


def test_a_prompt_that_is_too_long_is_that_tasks_trouble_alone(server: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    check = [{"type": "max_words", "value": 100}]
    body = [
        {"id": "short", "prompt": "Say yes.", "checks": check},
        {"id": "long", "prompt": "word " * 9000, "checks": check},
    ]
    path.write_text(json.dumps(body))
    done = students_eval(path, "student-a", tmp_path / "results.json", asked(server, concurrency=1))
    assert done.answered == 1
    assert [task for task, _ in done.failed] == ["long"]
    assert "HTTP 400" in done.failed[0][1]


def test_an_unknown_model_that_is_served_anyway_is_seen(server: str, tasks: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"results-{name}.json" for name in ("x", "y")]
    for path in files:
        done = students_eval(tasks, "no-such-model", path, asked(server, max_tokens=4))
        assert done.answered == 4
    read = load_inputs([("x", files[0]), ("y", files[1])])
    findings = {finding.kind for finding in decide(read.routes).findings}
    assert ("model_mismatch" in findings) is (done.served_models != {"no-such-model": 4})
