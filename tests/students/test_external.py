"""The external harness: two scripts of ours that keep to its contract, one of them failing half way."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from diptych.errors import StudentsError
from diptych.students.collect.endpoint import Endpoint
from diptych.students.judge.external_records import Sides, audit_of
from diptych.students.run import RunResult, decision_record, students_run

RUN_EVAL = """
import argparse, json, os, sys
p = argparse.ArgumentParser()
for name in ("base-url", "api-key", "model", "quant", "engine", "engine-version", "tasks", "out", "notes"):
    p.add_argument("--" + name)
a = p.parse_args()
print("evaluating", a.model, flush=True)
with open(os.path.join(os.path.dirname(__file__), "calls.jsonl"), "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if os.path.exists(os.path.join(os.path.dirname(__file__), "fail-" + a.model)):
    print("out of memory", file=sys.stderr)
    sys.exit(7)
rows = [{"id": "t%d" % n, "prompt": "p", "response": a.model, "checks": {"passed": n % 3 > 0}} for n in range(12)]
json.dump({"model": a.model, "quant": a.quant, "engine": a.engine, "results": rows}, open(a.out, "w"))
"""

JUDGE = """
import argparse, json, sys
assert sys.argv[1] == "compare"
p = argparse.ArgumentParser()
for name in ("base-url", "api-key", "judge-model", "results-a", "results-b", "labbook"):
    p.add_argument("--" + name)
a = p.parse_args(sys.argv[2:])
json.load(open(a.results_a)), json.load(open(a.results_b))
print("flip rate 25%")
EXTRA
record = {"stage": "judge", "run_id": "20260101T000000", "judge": {"judge": a.judge_model, "tasks": 24, "unreadable": 1,
  "wins": {"sequence": 15, "logit": 2}, "ties": 1, "flips": 6, "half_changes": 0, "first_place_wins": 5,
  "second_place_wins": 1}}
open(a.labbook, "a").write(json.dumps(record) + "\\n")
"""


def harness(folder: Path, extra: str = "") -> Path:
    place = folder / "harness"
    place.mkdir()
    (place / "run-eval.py").write_text(RUN_EVAL)
    (place / "judge.py").write_text(JUDGE.replace("EXTRA", extra))
    return place


def run(folder: Path, place: Path, said: list[str] | None = None, **options: Any) -> RunResult:
    tasks = folder / "tasks.json"
    tasks.write_text("[]")
    return students_run(
        {"sequence": "stu-seq", "logit": "stu-logit"},
        tasks,
        folder / "out",
        Endpoint("http://127.0.0.1:4000/v1", api_key="secret-key"),
        harness_dir=place,
        quant="Q4_K_M",
        engine_version="v1",
        say=(said if said is not None else []).append,
        **options,
    )


def test_the_scripts_are_called_with_their_arguments_and_never_imported(tmp_path: Path) -> None:
    place, said = harness(tmp_path), []
    result = run(tmp_path, place, said, judges=["j"], labbook=tmp_path / "labbook.md")
    calls = [json.loads(line) for line in (place / "calls.jsonl").read_text().splitlines()]
    assert calls[1] == [
        *("--base-url", "http://127.0.0.1:4000/v1", "--api-key", "secret-key", "--model", "stu-logit"),
        *("--quant", "Q4_K_M", "--engine", "llama.cpp", "--engine-version", "v1"),
        *("--tasks", str(tmp_path / "tasks.json"), "--out", str(tmp_path / "out" / "results-logit.json")),
        *("--notes", "diptych student comparison, logit route"),
    ]
    assert "evaluating stu-seq" in said
    assert "flip rate 25%" in said
    assert not any("secret-key" in line for line in said)
    assert "judge" not in sys.modules
    assert [step.step for step in result.decision.external] == [
        "evaluate sequence",
        "evaluate logit",
        "judge sequence and logit",
    ]
    assert str(tmp_path) not in result.text
    assert "secret-key" not in result.text


def test_the_out_dir_gets_results_summary_and_artifact(tmp_path: Path) -> None:
    run(tmp_path, harness(tmp_path))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "comparison.json",
        "decision.json",
        "results-logit.json",
        "results-sequence.json",
    ]
    summary = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert summary["logit"]["checks_passed"] == 8
    assert summary["logit"]["checks_total"] == 12
    assert json.loads((tmp_path / "out" / "decision.json").read_text())["schema"] == "diptych/decision/1"


def test_what_an_external_judge_writes_is_kept_and_read(tmp_path: Path) -> None:
    book = tmp_path / "labbook.md"
    book.write_text('# notebook\n{"stage": "judge", "judge": {"tasks": 1}}\n')
    decision = run(tmp_path, harness(tmp_path), judges=["j"], labbook=book).decision
    judge = decision.external[-1]
    assert judge.output == "flip rate 25%"
    assert [record["run_id"] for record in judge.records] == ["20260101T000000"]
    assert decision.judge is not None
    assert (decision.judge.judge, decision.judge.tasks, decision.judge.flips) == ("j", 24, 6)
    assert decision.judge.gate == "directional_only"
    assert decision.verdict.kind == "route"
    assert decision.verdict.route == "sequence"
    assert decision.verdict.flags == ("by_judge",)


def test_verdicts_that_an_external_judge_prints_are_read(tmp_path: Path) -> None:
    extra = (
        "for n in range(12):\n"
        "    for shown in ('sequence', 'logit'):\n"
        "        print(json.dumps({'task': 't%d' % n, 'student_a': 'stu-seq', 'student_b': 'stu-logit',"
        " 'shown_first': shown, 'winner': 'tie', 'judge': 'printed'}))\n"
        "sys.exit(0)\n"
    )
    decision = run(tmp_path, harness(tmp_path, extra), judges=["j"], labbook=tmp_path / "labbook.md").decision
    assert decision.judge is not None
    assert (decision.judge.judge, decision.judge.tasks, decision.judge.ties) == ("printed", 12, 12)


def test_a_failing_step_is_named_with_command_and_code_and_loses_nothing(tmp_path: Path) -> None:
    place, said = harness(tmp_path), []
    (place / "fail-stu-logit").touch()
    with pytest.raises(StudentsError, match="step 'evaluate logit' failed with exit code 7") as caught:
        run(tmp_path, place, said)
    assert "run-eval.py" in caught.value.where
    assert "secret-key" not in str(caught.value)
    assert "--skip-eval" in caught.value.hint
    assert "out of memory" in said
    assert (tmp_path / "out" / "results-sequence.json").is_file()
    (place / "fail-stu-logit").unlink()
    run(tmp_path, place, skip_eval=True)
    calls = [json.loads(line) for line in (place / "calls.jsonl").read_text().splitlines()]
    assert [call[call.index("--model") + 1] for call in calls] == ["stu-seq", "stu-logit", "stu-logit"]


def test_a_failing_judge_leaves_the_results(tmp_path: Path) -> None:
    place = harness(tmp_path, "sys.exit(3)")
    with pytest.raises(StudentsError, match="step 'judge sequence and logit' failed with exit code 3"):
        run(tmp_path, place, judges=["j"], labbook=tmp_path / "labbook.md")
    assert len(list((tmp_path / "out").glob("results-*.json"))) == 2


def test_a_script_that_is_not_there_or_writes_nothing_is_named(tmp_path: Path) -> None:
    place = harness(tmp_path)
    (place / "judge.py").unlink()
    with pytest.raises(StudentsError, match=r"judge\.py: is not there"):
        run(tmp_path, place, judges=["j"])
    assert not (place / "calls.jsonl").exists()  # noticed before hours of evaluation
    (place / "run-eval.py").write_text("print('nothing')")
    with pytest.raises(StudentsError, match="wrote no results"):
        run(tmp_path, place)


ECHO = """
import os, sys
print("called with", sys.argv[1:], "and", os.environ.get("OPENAI_API_KEY"))
"""


@pytest.mark.parametrize("by_environment", [False, True])
def test_a_key_that_a_script_echoes_is_masked_and_goes_on_as_it_came(tmp_path: Path, by_environment: bool) -> None:
    place = harness(tmp_path)
    for script in ("run-eval.py", "judge.py"):
        (place / script).write_text(ECHO + (place / script).read_text())
    (place / "judge.py").write_text(
        (place / "judge.py").read_text().replace('"run_id": "2', '"key": str(sys.argv), "run_id": "2')
    )
    tasks, said, book = tmp_path / "tasks.json", [], tmp_path / "labbook.md"
    tasks.write_text("[]")
    asked = Endpoint("http://127.0.0.1:4000/v1", api_key="secret-key", key_by_environment=by_environment)
    routes = {"sequence": "stu-seq", "logit": "stu-logit"}
    result = students_run(
        routes, tasks, tmp_path / "out", asked, harness_dir=place, judges=["j"], labbook=book, say=said.append
    )
    assert "called with" in result.decision.external[0].output
    assert not any("secret-key" in text for text in (result.text, *said))
    calls = [json.loads(line) for line in (place / "calls.jsonl").read_text().splitlines()]
    assert [("secret-key" in call) for call in calls] == [not by_environment] * 2
    assert ("and ***" in result.decision.external[0].output) == by_environment


OTHER_NAMES = (
    ({"a_wins": 15, "b_wins": 2, "ties": 1, "flips": 6, "pairs": 24}, (24, 15, 6)),
    ({"wins": {"stu-seq": 15, "stu-logit": 2}, "tie": 1, "flip_rate": 0.25, "n": 24}, (24, 15, 6)),
    ({"scores": {"wins_a": 15, "wins_b": 2, "ties": 1, "total": 24}}, (24, 15, 6)),
)


@pytest.mark.parametrize(("body", "counts"), OTHER_NAMES)
def test_counts_under_other_names_are_read(tmp_path: Path, body: dict[str, Any], counts: tuple[int, ...]) -> None:
    place = harness(tmp_path)
    record = json.dumps({"stage": "judge", "run_id": "r", **body})
    script = (place / "judge.py").read_text().split("record = ")[0]
    (place / "judge.py").write_text(f"{script}open(a.labbook, 'a').write({record!r} + chr(10))\n")
    judge = run(tmp_path, place, judges=["j"], labbook=tmp_path / "labbook.md").decision.judge
    assert judge is not None
    assert (judge.tasks, judge.wins["sequence"], judge.flips) == counts
    assert judge.position_p is None  # nothing says which place the flips went to


def test_a_judge_whose_record_cannot_be_read_does_not_vanish(tmp_path: Path) -> None:
    place = harness(tmp_path)
    script = (place / "judge.py").read_text().split("record = ")[0]
    (place / "judge.py").write_text(
        script + 'open(a.labbook, \'a\').write(\'{"stage": "judge", "said": "A"}\' + chr(10))\n'
    )
    decision = run(tmp_path, place, judges=["j"], labbook=tmp_path / "labbook.md").decision
    assert decision.judge is not None
    assert (decision.judge.judge, decision.judge.gate) == ("j", "not_readable")
    assert "judge_not_read" in {finding.kind for finding in decision.findings}
    assert any("Judge j" in step and "decides nothing" in step for step in decision.verdict.rule)


def test_the_compare_record_has_the_fields_its_readers_know(tmp_path: Path) -> None:
    decision = run(tmp_path, harness(tmp_path)).decision
    record = decision_record(decision, run_id="20260101T000000", date="2026-01-01", tasks="tasks.json", judges=["j"])
    assert list(record)[:13] == [
        *("lab", "run_id", "stage", "teacher", "student", "dataset", "hyperparameters", "seed", "scores", "cost"),
        *("config_path", "notes", "date"),
    ]
    assert record["stage"] == "compare"
    assert record["student"] == {"sequence": "stu-seq", "logit": "stu-logit"}
    assert record["hyperparameters"] == {
        "engine": "llama.cpp",
        "engine_version": "v1",
        "quant": "Q4_K_M",
        "judge_model": "j",
    }
    assert record["scores"]["sequence"]["checks_total"] == 12
    assert record["verdict"]["kind"] == decision.verdict.kind
    json.dumps(record, allow_nan=False)


def test_what_a_harness_does_not_write_down_is_taken_from_what_it_was_told(tmp_path: Path) -> None:
    place = harness(tmp_path)
    bare = RUN_EVAL.replace('"model": a.model, "quant": a.quant, "engine": a.engine, ', "")
    (place / "run-eval.py").write_text(bare)
    (place / "judge.py").write_text("print('A is nicer')")
    made = run(tmp_path, place, judges=["local/judge"], labbook=tmp_path / "labbook.md").decision
    record = decision_record(made, run_id="20260101T000000", date="2026-01-01", tasks="tasks.json")
    assert record["student"] == {"sequence": "stu-seq", "logit": "stu-logit"}
    assert record["hyperparameters"]["quant"] == "Q4_K_M"
    assert record["hyperparameters"]["judge_model"] == "local/judge"
    assert record["dataset"]["tasks_sha256"] == hashlib.sha256(b"[]").hexdigest()
    again = run(tmp_path, place, skip_eval=True).decision
    assert again.tasks_sha256 is None  # results that were there may be of another tasks file


@pytest.mark.parametrize("name", ["a/b", "..", "", "a\nb"])
def test_a_route_that_cannot_name_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StudentsError, match="cannot be called"):
        students_run({name: "m", "b": "n"}, tmp_path / "t", tmp_path, Endpoint("http://127.0.0.1:9/v1"))


COUNTED = {
    "judge": "j",
    "tasks": 24,
    "unreadable": 1,
    "wins": {"one": 15, "other": 2},
    "ties": 1,
    "flips": 6,
    "first_place_wins": 5,
    "second_place_wins": 1,
}


def test_every_count_of_an_external_judge_is_kept() -> None:
    audit = audit_of(COUNTED, Sides("one", "other"), "told")
    assert audit is not None
    assert (audit.judge, audit.tasks, audit.unreadable) == ("j", 24, 1)
    assert (audit.wins, audit.once) == ({"one": 15, "other": 2}, {"one": 0, "other": 0})
    assert (audit.ties, audit.flips, audit.half_changes) == (1, 6, 0)
    assert (audit.first_place_wins, audit.second_place_wins) == (5, 1)
    assert audit.flip_rate == pytest.approx(6 / 24)
    assert audit.win_rate == {"one": pytest.approx((15 + 3.5) / 24), "other": pytest.approx((2 + 3.5) / 24)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"tasks": 25},
        {"ties": 2},
        {"wins": {"one": 15, "other": 3}},
        {"wins": {"one": 15}},
        {"half_changes": 1},
        {"first_place_wins": 4},
        {"second_place_wins": 2},
        {"flips": -6},
        {"unreadable": 1.5},
        {"ties": True},
        {
            "tasks": 0,
            "wins": {"one": 0, "other": 0},
            "ties": 0,
            "flips": 0,
            "first_place_wins": 0,
            "second_place_wins": 0,
        },
    ],
    ids=str,
)
def test_counts_of_an_external_judge_that_do_not_add_up_are_not_believed(wrong: dict[str, object]) -> None:
    assert audit_of(COUNTED | wrong, Sides("one", "other"), "told") is None
