"""The whole way with our own harness: evaluate, judge, decide, and go on where a call was stopped."""

import json
from pathlib import Path
from typing import Any

import pytest

from diptych import artifact
from diptych.errors import EndpointError, StudentsError
from diptych.labbook import read_labbook
from diptych.students.collect.endpoint import Endpoint
from diptych.students.run import RunResult, record_decision, students_run
from endpoint_double import Reply, answer, endpoint

TASKS = [{"id": f"t{n}", "prompt": f"say {n}", "checks": [{"type": "contains", "value": str(n)}]} for n in range(24)]


def reply(body: dict[str, Any], _: int) -> dict[str, Any]:
    text = body["messages"][-1]["content"]
    if body["model"] == "judge":
        good = text.index("good answer")
        return answer("FIRST" if good < text.index("Second answer") else "SECOND", model="judge")
    if body["model"] == "stu-seq":
        return answer(f"good answer: {text}", model="stu-seq")
    return answer("no idea" if text.endswith(("3", "7")) else text, model="stu-logit")


def run(folder: Path, url: str, **options: Any) -> RunResult:
    (folder / "tasks.json").write_text(json.dumps(TASKS))
    return students_run(
        {"sequence": "stu-seq", "logit": "stu-logit"},
        folder / "tasks.json",
        folder / "out",
        Endpoint(url, pause=0.01, retries=1, timeout=60.0),
        **options,
    )


def test_the_whole_way_makes_a_decision_with_its_files_and_its_record(tmp_path: Path) -> None:
    book = tmp_path / "labbook.md"
    book.write_text(
        "# notebook\n"
        '{"stage": "generate", "run_id": "1", "cost": {"seconds": 60, "watt_hours": 2}}\n'
        '{"stage": "filter", "run_id": "2", "cost": {"seconds": 5, "watt_hours": 0.1}}\n'
        '{"stage": "train", "run_id": "3", "cost": {"seconds": 600, "watt_hours": 30}}\n'
        '{"stage": "train-logit", "run_id": "4", "cost": {"seconds": 900, "watt_hours": 50}}\n'
    )
    with endpoint(reply) as server:
        result = run(tmp_path, server.url, judges=["judge"], labbook=book)
    decision = result.decision
    assert [(route.name, route.passed, route.total) for route in decision.routes] == [
        ("sequence", 24, 24),
        ("logit", 19, 24),
    ]
    assert (decision.verdict.kind, decision.verdict.route) == ("route", "sequence")
    assert decision.routes[0].cost["watt_hours"].total == pytest.approx(32.1)
    assert decision.judge is not None
    assert decision.judge.wins == {"sequence": 24, "logit": 0}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "comparison.json",
        "decision.json",
        "judgements.jsonl",
        "results-logit.json",
        "results-sequence.json",
    ]
    assert artifact.loads((tmp_path / "out" / "decision.json").read_text()) == decision
    before = book.read_text()
    record_decision(book, decision, run_id="20260101T000000", date="2026-01-01", tasks="tasks.json", judges=["judge"])
    assert book.read_text().startswith(before)
    assert read_labbook(book).records[-1].fields["scores"]["logit"]["cost"]["totals"]["seconds"] == 900
    with endpoint(reply) as server:
        again = run(tmp_path, server.url, judges=["judge"], labbook=book)
        assert server.requests == []
    assert again.text == result.text


def test_a_call_that_was_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    def refuses(body: dict[str, Any], number: int) -> Any:
        return Reply({"error": "gone"}, 403) if body["model"] == "stu-logit" else reply(body, number)

    with endpoint(refuses) as server, pytest.raises(EndpointError, match="HTTP 403"):
        run(tmp_path, server.url)
    assert (tmp_path / "out" / "results-sequence.json").is_file()
    with endpoint(reply) as server:
        run(tmp_path, server.url)
        assert {body["model"] for body in server.requests} == {"stu-logit"}


def test_skip_eval_uses_the_results_that_are_there(tmp_path: Path) -> None:
    said: list[str] = []
    with endpoint(reply) as server:
        run(tmp_path, server.url)
        asked = len(server.requests)
        run(tmp_path, server.url, skip_eval=True, say=said.append)
        assert len(server.requests) == asked
    assert [line.split("/")[-1] for line in said[:2]] == ["results-sequence.json", "results-logit.json"]
    assert said[2].startswith("written in ")
    assert "decision.json" in said[2]


def test_another_model_never_overwrites_results_in_silence(tmp_path: Path) -> None:
    with endpoint(reply) as server:
        run(tmp_path, server.url)
        before = (tmp_path / "out" / "results-logit.json").read_bytes()
        asked = Endpoint(server.url, pause=0.01, retries=1, timeout=60.0)
        routes = {"sequence": "stu-seq", "logit": "stu-new"}
        with pytest.raises(StudentsError, match="holds the answers of stu-logit, not of stu-new"):
            students_run(routes, tmp_path / "tasks.json", tmp_path / "out", asked)
        assert (tmp_path / "out" / "results-logit.json").read_bytes() == before
        made = students_run(routes, tmp_path / "tasks.json", tmp_path / "out", asked, fresh=True)
    assert made.decision.routes[1].model == "stu-new"


def test_the_judge_is_asked_with_its_own_fields(tmp_path: Path) -> None:
    with endpoint(reply) as server:
        asked = Endpoint(server.url, pause=0.01, timeout=60.0, extra={"top_k": 1})
        own = asked._replace(extra={"min_p": 0.1}, max_tokens=64)
        (tmp_path / "tasks.json").write_text(json.dumps(TASKS[:3]))
        routes = {"sequence": "stu-seq", "logit": "stu-logit"}
        students_run(routes, tmp_path / "tasks.json", tmp_path / "out", asked, judges=["judge"], judge_endpoint=own)
    fields = {body["model"]: (body.get("top_k"), body.get("min_p"), body["max_tokens"]) for body in server.requests}
    assert fields == {"stu-seq": (1, None, 512), "stu-logit": (1, None, 512), "judge": (None, 0.1, 64)}


def test_one_student_is_no_comparison(tmp_path: Path) -> None:
    with pytest.raises(StudentsError, match="two students or more"):
        students_run({"a": "m"}, tmp_path / "t", tmp_path, Endpoint("http://127.0.0.1:9/v1"))
