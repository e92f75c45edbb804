"""A manifest is read strictly: what it may not say is named by its key."""

from pathlib import Path

import pytest

from diptych.batch.manifest import baseline_file, read_manifest
from diptych.errors import ManifestError

GOOD = '[[comparisons]]\nname = "one"\na = "x=runs/a"\nb = "runs/b"\n'


def written(folder: Path, text: str) -> str:
    path = folder / "diptych.toml"
    path.write_text(text)
    return str(path)


def test_two_runs_are_a_comparison_and_more_a_matrix(tmp_path: Path) -> None:
    text = GOOD + '[[comparisons]]\nname = "many"\nruns = ["a", "b", "c"]\n[[repeats]]\nname = "r"\nruns = ["a", "b"]\n'
    manifest = read_manifest(written(tmp_path, text))
    assert [(entry.name, entry.kind) for entry in manifest.entries] == [
        ("one", "comparison"),
        ("many", "matrix"),
        ("r", "repeats"),
    ]
    assert manifest.entries[0].spec["runs"] == ["x=runs/a", "runs/b"]


def test_what_stands_once_for_all_reaches_each_comparison(tmp_path: Path) -> None:
    manifest = read_manifest(written(tmp_path, "margin = 0.02\n[defaults]\nsamples = 3\n" + GOOD))
    assert manifest.entries[0].spec["margin"] == 0.02
    assert manifest.entries[0].spec["samples"] == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "not TOML"),
        ('title = "empty"', "nothing to do"),
        ('titel = "x"\n' + GOOD, "unknown key 'titel'"),
        ('[[comparisons]]\nname = "one"\na = "x"\n', "two runs are needed"),
        ("pages = 3\n" + GOOD, "'pages' must be a text"),
        ("base_url = []\n" + GOOD, "'base_url' must be a text"),
        ('defaults = "x"\n' + GOOD, "'defaults' must be a table"),
        ("defaults = { flips = -1 }\n" + GOOD, "'flips' must be a whole number"),
        ("margin = nan\n" + GOOD, "'margin' must be a number"),
        (GOOD + 'margin = "x"\n', "'margin' must be a number"),
        (GOOD.replace('"one"', '["one"]'), "'name' must be a text"),
        ('[[repeats]]\nname = 1.5\nruns = ["a", "b"]\n', "'name' must be a text"),
        ("defaults = { sampels = 3 }\n" + GOOD, r"\[defaults\]: unknown key 'sampels'"),
        ("defaults = { a = 3 }\n" + GOOD, r"\[defaults\]: 'a' must be a text"),
        ("baseline = { file = 3 }\n" + GOOD, r"\[baseline\] has `file` and `main`, both texts"),
        ("gate = { missing = [] }\n" + GOOD, "missing = .* is none of fail, inconclusive, pass"),
        (GOOD + "title = 1979-05-27\n", "'title' must be a text"),
        (GOOD.replace('"one"', "2026-01-01"), "'name' must be a text"),
        (
            '[[decisions]]\nname = "d"\nroutes = { a = "a.json" }\nprices = { a = { since = 07:32:00 } }\n',
            "'prices' holds a date or a time",
        ),
        (GOOD + "primary = 3\n", "'primary' must be a table of texts"),
        (GOOD + "clusters = [1]\n", "'clusters' must be a table of texts"),
        (GOOD + "thresholds = [1]\n", "'thresholds' must be a list of texts"),
        (GOOD + "runs = 3\n", "'runs' must be a list of texts"),
        ('[[repeats]]\nname = "r"\nruns = [1, 2]\n', "'runs' must be a list of texts"),
        ('[[decisions]]\nname = "d"\nroutes = { a = 1 }\n', "'routes' must be a table of texts"),
        ('[[decisions]]\nname = "d"\nroutes = {}\njudgements = 3\n', "'judgements' must be a text or a list"),
        ('[[decisions]]\nname = "d"\nroutes = {}\nstages = { a = "b" }\n', "'stages' must be a table of lists"),
        (GOOD + "sampels = 2\n", "unknown key 'sampels'"),
        (GOOD + GOOD, "two entries are called 'one'"),
        (GOOD.replace('"one"', '"../one"'), "will not do"),
        (GOOD.replace('"one"', '".hidden"'), "will not do"),
        (GOOD.replace('"one"', '"one.failed"'), "will not do"),
        ('artifacts = "/tmp/x"\n' + GOOD, "leads out"),
        ('build = "../x"\n' + GOOD, "leads out"),
        ('artifacts = "a/../../x"\n' + GOOD, "leads out"),
        ("samples = 1" + "0" * 5_000 + "\n" + GOOD, "not TOML"),
        ("x = " + "[" * 5_000 + "\n" + GOOD, "nests too deeply|not TOML"),
        ('[comparisons]\nname = "one"\n', "must be a list of tables"),
        ('[[decisions]]\nname = "d"\n', "'routes' is missing"),
    ],
)
def test_a_wrong_manifest_names_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ManifestError, match=says):
        read_manifest(written(tmp_path, text))


def test_a_manifest_writes_outside_of_its_folder_where_it_is_asked_to(tmp_path: Path) -> None:
    path = written(tmp_path, 'artifacts = "../elsewhere"\n' + GOOD)
    assert read_manifest(path, outside=True).artifacts == "../elsewhere"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('artifacts = "a\\u0000"\n' + GOOD, "artifacts"),
        (GOOD + 'title = "a\\u0000"\n', "title"),
        (GOOD + 'runs = ["a", "b\\u0000"]\n', "runs"),
        (GOOD + 'primary = { "t\\u0000" = "acc" }\n', "primary"),
        ('[baseline]\nfile = "x\\u0000"\n' + GOOD, "baseline"),
    ],
)
def test_a_zero_byte_is_in_no_text(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(ManifestError, match=f"{key!r} must be a text without a zero byte"):
        read_manifest(written(tmp_path, text))


def test_a_link_out_of_the_manifests_folder_is_no_place_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    near = tmp_path / "near"
    near.mkdir()
    (near / "link").symlink_to(tmp_path / "far")
    text = 'artifacts = "link/sub"\n[[comparisons]]\nname = "x"\na = "a"\nb = "b"\n'
    (near / "m.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match="leads out"):
        read_manifest(str(near / "m.toml"))


def test_a_manifest_that_nests_too_deeply_has_no_baseline(tmp_path: Path) -> None:
    place = tmp_path / "m.toml"
    place.write_text(f"a={'[' * 20_000}", encoding="utf-8")
    with pytest.raises(ManifestError):
        baseline_file(str(place))
