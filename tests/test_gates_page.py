"""The examples of the manual's page on gates run as they stand, and end with the exit code that it says."""

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from diptych.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "site" / "pages" / "8-gates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    diptych (.+?)\s+# exit (\d)$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the sample site: an example may write there."""
    folder = tmp_path_factory.mktemp("gates")
    for name in ("runs", "gate.toml", "diptych.toml"):
        source = ROOT / "site" / name
        target = folder / "site" / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    return folder


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize(("command", "code"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_of_the_page_on_gates_ends_as_it_says(
    command: str, code: str, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy)
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == int(code), done.output


def test_a_comparison_against_the_baseline_tells_its_age_and_configuration(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy)
    manifest = copy / "site" / "candidate.toml"
    manifest.write_text(
        '[baseline]\nfile = "blessed.json"\n\n[[comparisons]]\nname = "candidate"\nb = "q4_0=runs/smol-3shot-q4_0"\n',
        encoding="utf-8",
    )
    refused = CliRunner().invoke(main, ["batch", str(manifest), "--executor", "serial"])
    assert refused.exit_code == 1
    assert "no baseline is set" in refused.output
    CliRunner().invoke(main, ["baseline", "set", "base=site/runs/smol-3shot", "--manifest", str(manifest)])
    done = CliRunner().invoke(main, ["batch", str(manifest), "--executor", "serial"])
    assert done.exit_code == 0, done.output
    text = (copy / "site" / "artifacts" / "candidate.json").read_text(encoding="utf-8")
    assert "A is the baseline set on" in text
    assert "its configuration is unchanged" in text


def test_a_baseline_whose_files_were_written_again_is_no_longer_the_blessed_one(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy)
    manifest = copy / "site" / "again.toml"
    manifest.write_text('[[comparisons]]\nname = "again"\nb = "runs/smol-3shot-q4_0"\n', encoding="utf-8")
    CliRunner().invoke(main, ["baseline", "set", "base=site/runs/smol-3shot", "--manifest", str(manifest)])
    (samples,) = (copy / "site" / "runs" / "smol-3shot").rglob("samples_dip_arith_*.jsonl")
    samples.write_text(samples.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["batch", str(manifest), "--executor", "serial"])
    assert done.exit_code == 0, done.output
    text = (copy / "site" / "artifacts" / "again.json").read_text(encoding="utf-8")
    assert "its files are no longer those that were blessed" in text
