"""The judge: what it is shown, how its words are read, and that nothing is asked or counted twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from diptych.errors import EndpointError, StudentsError
from diptych.students.collect.endpoint import Endpoint
from diptych.students.decide.decide import decide, load
from diptych.students.judge.ask import JudgeSummary, students_judge, verdict_word
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
        assert body["max_tokens"] <= 16


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("FIRST", "FIRST"),
        (" second.\n", "SECOND"),
        ("Tie", "TIE"),
        ("", None),
        ("The FIRST answer is better.", None),
        ("FIRST or SECOND", None),
        ("FIRST\n\nbecause it is longer", None),
        ("1", None),
        ("A", None),
        ("**FIRST**", None),
        ('{"verdict": "FIRST"}', None),
    ],
)
def test_a_verdict_is_one_word_and_nothing_is_repaired(text: str, word: str | None) -> None:
    assert verdict_word(text) == word


def test_a_judge_that_answers_in_prose_is_unreadable_and_its_words_are_kept(tmp_path: Path) -> None:
    prose = "Both are fine, but the first <b>one</b> is nicer."
    with endpoint(lambda *_: answer(prose)) as server:
        done = judged(tmp_path, server.url)
    assert (done.asked, done.unreadable) == (4, 4)
    assert all(row["winner"] is None and row["raw"] == prose for row in lines(tmp_path))
    read = load(list(two(tmp_path).items()), judgements=[tmp_path / "judgements.jsonl"])
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
    read = load(list(files.items()), judgements=[tmp_path / "judgements.jsonl"])
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
