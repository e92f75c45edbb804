"""A first manifest import tomllib
import shlex
from a tree of runs: related runs side by side, repeats found, names from paths."""

import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from diptych.batch.draft import draft_manifest
from diptych.batch.manifest import Manifest, read_manifest
from diptych.cli import main
from diptych.cli.discover import candidates_in
from diptych.errors import ManifestError
from written_runs import choices, results, write_run


def put(root: Path, place: str, **changes: Any) -> None:
    """Write a run below the root; `model` names its weights, `seed` sets every seed of the harness."""
    model = changes.pop("model", "org/base-1b")
    seed = changes.pop("seed", None)
    changes.setdefault("config__model_args", f"pretrained={model}")
    if seed is not None:
        changes |= {f"config__{key}": seed for key in ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")}
    changes.setdefault("date", float(sum(place.encode())))
    (root / place).mkdir(parents=True)
    write_run(root / place, results(**changes), {"arith": choices()})


def drafted(root: Path) -> Manifest:
    """Return the manifest that is drafted for a tree, read back."""
    found, left_out = candidates_in(str(root))
    text, _ = draft_manifest(found, left_out, str(root), str(root))
    (root / "diptych.toml").write_text(text)
    return read_manifest(str(root / "diptych.toml"))


def pairs(manifest: Manifest) -> dict[str, list[str]]:
    """Return each entry's runs by its name, labels alone."""
    return {entry.name: [run.partition("=")[0] for run in entry.spec["runs"]] for entry in manifest.entries}


def test_the_most_usual_configuration_is_the_baseline_of_the_rest(tmp_path: Path) -> None:
    put(tmp_path, "shots", n_shot__arith=3, configs__arith__num_fewshot=3)
    put(tmp_path, "plain")
    put(tmp_path, "limited", config__limit=2.0)
    assert pairs(drafted(tmp_path)) == {
        "limited-vs-plain": ["plain", "limited"],
        "shots-vs-plain": ["plain", "shots"],
    }


def test_a_run_whose_path_says_baseline_is_it(tmp_path: Path) -> None:
    put(tmp_path, "plain")
    put(tmp_path, "my-baseline", config__limit=2.0)
    put(tmp_path, "also-plain", config__batch_size="4")
    assert all(runs[0] == "my-baseline" for runs in pairs(drafted(tmp_path)).values())


def test_unrelated_models_are_never_put_side_by_side(tmp_path: Path) -> None:
    for model in ("org/base-1b", "org/base-7b", "other/thing"):
        for limit in (2.0, 3.0):
            put(tmp_path, f"{model.rpartition('/')[2]}/limit{limit:.0f}", model=model, config__limit=limit)
    manifest = drafted(tmp_path)
    sides = [[run.split("=", 1)[1].split("/")[0] for run in entry.spec["runs"]] for entry in manifest.entries]
    assert [len(set(folders)) for folders in sides] == [1, 1, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("models/Small-1b-Q4_1", "models/Small-1b-Q4_0"),
        ("org/small-1b", "./quantized/small-1b-awq-int4"),
        ("small-1b.Q8_0.gguf", "org/small-1b"),
        ("train/checkpoint-100", "train/checkpoint-2000"),
        ("train/small-step100", "train/small-step2000"),
    ],
)
def test_quantizations_and_checkpoints_of_one_model_belong_together(tmp_path: Path, one: str, other: str) -> None:
    put(tmp_path, "one", model=one)
    put(tmp_path, "other", model=other, config__limit=3.0)
    assert len(drafted(tmp_path).entries) == 1


def test_runs_of_other_seeds_are_repeats_and_one_of_them_is_compared(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        put(tmp_path, f"warm-seed{seed}", seed=seed, config__gen_kwargs="temperature=0.8")
    put(tmp_path, "cold")
    assert pairs(drafted(tmp_path)) == {
        "warm-repeats": ["warm-seed1", "warm-seed2", "warm-seed3"],
        "cold-vs-warm-seed1": ["warm-seed1", "cold"],
    }


def test_runs_that_record_the_same_are_no_repeats_unless_a_seed_or_their_paths_say_so(tmp_path: Path) -> None:
    put(tmp_path, "server-old")
    put(tmp_path, "server-new")
    assert [entry.kind for entry in drafted(tmp_path).entries] == ["comparison"]


def test_runs_over_other_numbers_of_items_are_no_repeats_and_the_comment_says_so(tmp_path: Path) -> None:
    put(tmp_path, "whole", seed=1)
    put(tmp_path, "chosen", seed=2, n_samples__arith={"original": 4, "effective": 2})
    assert [entry.kind for entry in drafted(tmp_path).entries] == ["comparison"]
    text = (tmp_path / "diptych.toml").read_text()
    assert "# differs in items of arith (4 → 2)" in text or "# differs in items of arith (2 → 4)" in text


def test_labels_come_from_the_parts_of_a_path_that_differ(tmp_path: Path) -> None:
    put(tmp_path, "lab/april/plain/org__base-1b")
    put(tmp_path, "lab/april/chat/org__base-1b", chat_template="{{ x }}")
    put(tmp_path, "lab/may/chat/org__base-1b", config__limit=2.0)
    labels = {label for runs in pairs(drafted(tmp_path)).values() for label in runs}
    assert labels == {"april-plain", "april-chat", "may-chat"}


def test_runs_of_one_folder_are_told_apart_by_their_dates(tmp_path: Path) -> None:
    for stamp, limit in (("2025-11-01T10-00-00.000001", 2.0), ("2025-11-02T10-00-00.000001", 3.0)):
        (tmp_path / f"results_{stamp}.json").write_text(text_of(config__limit=limit))
    assert list(pairs(drafted(tmp_path)).values()) == [["2025-11-01T10-00-00", "2025-11-02T10-00-00"]]


def text_of(**changes: Any) -> str:
    """Return a results file's text."""
    import json

    document: Mapping[str, Any] = results(**changes)
    return json.dumps(document)


def test_what_is_left_out_is_named_with_its_reason(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "two", config__limit=3.0)
    put(tmp_path, "alone", model="other/thing")
    drafted(tmp_path)
    text = (tmp_path / "diptych.toml").read_text()
    assert "# Left out:\n#   alone: the only run of thing with these tasks\n" in text


def test_a_comment_says_what_differs_from_the_baseline(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "two", config__limit=3.0)
    drafted(tmp_path)
    assert "# differs in limit (4 → 3)" in (tmp_path / "diptych.toml").read_text()


def test_a_tree_without_two_related_runs_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "alone", model="other/thing")
    with pytest.raises(ManifestError, match="no two runs of one model"):
        drafted(tmp_path)


def test_batch_takes_a_first_manifest_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (1, 2):
        put(tmp_path, f"runs/warm-seed{seed}", seed=seed, config__gen_kwargs="temperature=0.8")
    put(tmp_path, "runs/odd [name] ☃ = x", config__limit=3.0)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["init", "runs"])
    assert done.exit_code == 0, done.output
    assert "1 comparison, 1 set of repeats" in done.output
    done = CliRunner().invoke(main, ["batch", "diptych.toml", "--executor", "serial"])
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in Path("artifacts").glob("*.json")) == [
        "odd-name-x-vs-warm-seed1.json",
        "warm-repeats.json",
    ]


def test_a_control_character_in_a_path_or_a_value_breaks_no_manifest(tmp_path: Path) -> None:
    put(tmp_path, "one\x7f")
    put(tmp_path, "two\x1b", config__model_args='pretrained=org/base-1b,dtype="a\x1b\nb"')
    assert len(drafted(tmp_path).entries) == 1


@pytest.mark.parametrize("name", ["my runs.toml", "$(touch x).toml", 'x\nartifacts = "evil".toml'])
def test_a_manifest_s_own_name_is_one_word_of_the_command_that_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put(tmp_path, "one")
    put(tmp_path, "two", config__batch_size="64")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, ["init", ".", "--out", name])
    assert ran.exit_code == 0, ran.output
    assert shlex.split(ran.stdout.rpartition("next: ")[2]) == ["diptych", "batch", name]
    assert tomllib.loads((tmp_path / name).read_text())["artifacts"] == "artifacts"
