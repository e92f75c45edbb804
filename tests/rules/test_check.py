"""`diptych check ARTIFACT`: which rules hold is said of each file, and the exit code says whether all do."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from diptych.artifact import dumps
from diptych.cli import main
from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import choices, write_run


@pytest.fixture
def sound(tmp_path: Path) -> Comparison:
    """A comparison of two equal runs, which breaks no rule."""
    a, b = (write_run(tmp_path / name, samples={"arith": choices()}) for name in ("a", "b"))
    return compare_runs(read_run(str(a)), read_run(str(b)))


def check(*paths: Path, options: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, paths), *options])


def written(path: Path, made: Comparison) -> Path:
    path.write_text(dumps(made), encoding="utf-8")
    return path


def test_an_artifact_that_keeps_all_rules_is_said_to(tmp_path: Path, sound: Comparison) -> None:
    done = check(written(tmp_path / "made.json", sound))
    assert (done.exit_code, "all 10 rules hold" in done.output) == (0, True)


def test_a_rule_that_does_not_hold_is_named_with_its_sentence_and_place(tmp_path: Path, sound: Comparison) -> None:
    broken = sound._replace(verdict=sound.verdict._replace(leading_cause="num_fewshot", standing="proven"))
    done = check(written(tmp_path / "made.json", broken))
    assert done.exit_code == 1
    assert "rule 1   The leading cause is a listed difference" in done.output
    assert "num_fewshot leads and is no listed difference" in done.output
    assert "rule 2" in done.output


def test_two_artifacts_of_the_same_runs_are_held_against_each_other(tmp_path: Path, sound: Comparison) -> None:
    back = sound._replace(a=sound.b, b=sound.a)
    one, other = written(tmp_path / "one.json", sound), written(tmp_path / "other.json", back)
    assert "its rule holds" in check(one, other).output
    odd = written(tmp_path / "odd.json", back._replace(verdict=back.verdict._replace(kind="unclear")))
    done = check(one, odd)
    assert (done.exit_code, "kind is identical, and unclear with the sides swapped" in done.output) == (1, True)


def test_runs_and_artifacts_may_be_checked_together_and_as_json(tmp_path: Path, sound: Comparison) -> None:
    made = written(tmp_path / "made.json", sound)
    done = check(tmp_path / "a", made, options=("--json",))
    run, artifact = json.loads(done.output)
    assert (done.exit_code, run["what"], artifact["breaches"]) == (0, "a run of lm-evaluation-harness", [])
