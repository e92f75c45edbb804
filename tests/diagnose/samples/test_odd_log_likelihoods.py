"""A log-likelihood whose text is no number is counted and said, whatever stands there, and ends nothing."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from diptych.cli import main
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import choices, results, write_run


@pytest.mark.parametrize(
    ("text", "both"), [*((text, False) for text in ("-1-375", "1.2.3", "1e5e5", "")), ("lost", True), ("NaN", True)]
)
def test_a_text_in_the_place_of_a_log_likelihood_is_counted(text: str, both: bool, tmp_path: Path) -> None:
    rows = choices(30)
    right = write_run(tmp_path / "a", results(), {"arith": rows})
    rows[3]["resps"][0][0][0] = text
    odd = write_run(tmp_path / "b", results(), {"arith": rows})
    made = compare_runs(read_run(str(odd if both else right)), read_run(str(odd)))
    found = [one for one in made.findings if one.kind == "likelihoods_not_numbers"]
    assert [(one.side, one.count_) for one in found][-1] == ("b", 1)
    assert "1 of 30 items of arith have log-likelihoods" in CliRunner().invoke(main, ["check", str(odd)]).output
