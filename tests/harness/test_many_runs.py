"""Runs read together bear names that tell them apart."""

from pathlib import Path

import pytest

from diptych.harness.many_runs import read_several
from diptych.harness.reader import read_run
from written_runs import results, write_run


@pytest.mark.parametrize(
    ("places", "names"),
    [
        (("day/results_1.json", "day/results_2.json"), ["day/1", "day/2"]),
        (("day/results_base.json", "day/tuned_2026-01-31T10-00-59.123456.json"), ["base", "tuned"]),
        (
            ("day/results_2026-01-31T10-00-59.1.json", "day/results_2026-02-01T10-00-59.1.json"),
            ["day/2026-01-31", "day/2026-02-01"],
        ),
        (
            ("day/results_2026-01-31T10-00-59.1.json", "day/results_2026-01-31T10-01-00.1.json"),
            ["day/2026-01-31T10-00", "day/2026-01-31T10-01"],
        ),
        (("a/run", "b/run", "c"), ["a/run", "b/run", "c"]),
        (("a", "b"), ["a", "b"]),
        (("a", "a"), ["a", "a"]),
    ],
)
def test_runs_of_one_name_are_told_apart_by_their_folder_or_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: tuple[str, ...], names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in places:
        folder = tmp_path / place
        before = set(folder.parent.glob("*.json"))
        home = write_run(folder if folder.suffix != ".json" else folder.parent, results())
        (made,) = set(home.glob("*.json")) - before
        if folder.suffix == ".json":
            made.rename(folder)
    found = read_several(places, lambda location: read_run(location))
    assert [run.label for run in found.runs] == names
