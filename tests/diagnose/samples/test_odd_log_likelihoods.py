"""A log-likelihood that cannot be read is damage, named by file and line, whatever stands there; it ends nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from diptych.cli import main
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import choices, results, write_run

SECOND: Any = [["-1.25", "False"]]


@pytest.mark.parametrize(
    ("responses", "said"),
    [
        *(([[[text, "True"]], SECOND], f'"{text}"') for text in ("-1-375", "1.2.3", "1e5e5", "lost", "")),
        ([[[None, "True"]], SECOND], "null"),
        ([[[True, "True"]], SECOND], "true"),
        ([[[["-0.5"], "True"]], SECOND], '["-0.5"]'),
        ([[{"a": 1}], SECOND], '{"a": 1}'),
        ([[[]], SECOND], "[]"),
        ([[["-0.5", "True"]]], "1 log-likelihoods for 2 requests"),
        ([], "no log-likelihoods"),
        (None, "no log-likelihoods"),
        ("-0.5", "no log-likelihoods"),
    ],
)
@pytest.mark.parametrize("both", [False, True])
def test_what_is_no_log_likelihood_is_damage_with_file_and_line(
    responses: Any, said: str, both: bool, tmp_path: Path
) -> None:
    rows = choices(30)
    sound = write_run(tmp_path / "a", results(), {"arith": rows})
    for row in rows if not both else ():
        row["resps"][0][0][0] = "-0.75"
    rows[3]["resps"] = responses
    odd = write_run(tmp_path / "b", results(), {"arith": rows})
    made = compare_runs(read_run(str(odd if both else sound)), read_run(str(odd)))
    found = [one for one in made.findings if one.kind == "file_damaged"]
    assert [one.side for one in found] == (["a", "b"] if both else ["b"])
    assert found[-1].evidence == ("samples_arith_2025-11-01T10-00-00.000001.jsonl:4",)
    assert said in found[-1].text
    assert "1 of 30 items" in found[-1].text
    assert "log-likelihoods of items of arith in B" in [left.what for left in made.left_out]
    assert not [one for one in made.findings if one.kind == "likelihoods_not_numbers"]


@pytest.mark.parametrize("value", ["nan", "NaN", float("nan"), "inf", "-1e400"])
def test_a_value_that_the_harness_writes_is_no_damage(value: str | float, tmp_path: Path) -> None:
    rows = choices(30)
    rows[3]["resps"][0][0][0] = value
    odd = str(write_run(tmp_path / "b", results(), {"arith": rows}))
    made = compare_runs(read_run(odd), read_run(odd))
    assert not [one for one in made.findings if one.kind == "file_damaged"]


def test_rows_of_fewer_choices_are_no_damage(tmp_path: Path) -> None:
    rows = choices(30)
    for row in rows[::2]:
        row["resps"] = row["resps"][:1]
        del row["arguments"]["gen_args_1"]
    odd = str(write_run(tmp_path / "b", results(), {"arith": rows}))
    assert CliRunner().invoke(main, ["check", odd]).exit_code == 0


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_commands_end_with_the_exit_code_of_damage(packed: str, tmp_path: Path) -> None:
    import gzip

    rows = choices(30)
    sound = str(write_run(tmp_path / "a", results(), {"arith": rows}))
    rows[3]["resps"][0][0][0] = "-1-375"
    odd = write_run(tmp_path / "b", results(), {"arith": rows})
    if packed:
        log = next(odd.glob("samples_*"))
        log.with_name(log.name + packed).write_bytes(gzip.compress(log.read_bytes()))
        log.unlink()
    for line in (["check", str(odd)], ["compare", sound, str(odd)], ["compare", sound, sound, str(odd)]):
        ran = CliRunner().invoke(main, [*line, "--json"])
        assert ran.exit_code == 5, line
        assert f".jsonl{packed}:4" in json.dumps(json.loads(ran.stdout))
