"""The names that other people's scripts rely on, in artifacts of real runs: they stay, and mean what they say."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from diptych import artifact
from diptych.closed_names import FLIP_CLASSES, SEVERITIES, STEPS, Certainty, Status, VerdictKind
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run

RUNS = Path(__file__).resolve().parents[1] / "site" / "runs"
PAIRS = {
    "weights": ("smol-3shot", "smol-3shot-q4_0"),
    "template": ("api-completions-0shot", "api-chat-0shot"),
    "releases": ("api-chat-3shot-lmeval0.4.9.2", "api-chat-3shot-multiturn"),
    "loaded": ("api-completions-3shot", "smol-3shot"),
}

SIDE = {"label", "model", "harness_version", "date", "source", "results_file", "items"}
VERDICT = {
    *("kind", "sentence", "leading_cause", "standing", "isolating_run", "next_step"),
    *("suspects", "mechanism", "first_divergence", "next_run_exists", "models_differ"),
}
METRIC = {
    *("task", "metric", "filter", "higher_is_better", "a", "b", "difference", "status", "reason"),
    *("a_stderr", "b_stderr", "a_recomputed_stderr", "b_recomputed_stderr", "estimate"),
}
ESTIMATE = {
    *("method", "confidence", "low", "high", "p_value", "p_adjusted", "p_exact", "pairs", "both", "only_a", "only_b"),
    *("neither", "detectable", "margin"),
}
SETTING = {"key", "a", "b", "a_recorded", "b_recorded", "rank", "kind", "tasks", "why", "standing", "evidence"}
TOP = {
    *("schema", "id", "a", "b", "verdict", "metrics", "settings", "task_settings", "context", "ladder", "findings"),
    *("flips", "left_out", "provenance"),
}


@cache
def made(pair: str) -> dict[str, Any]:
    """Return the artifact of a pair of real runs as a script reads it."""
    a, b = (read_run(str(RUNS / name)) for name in PAIRS[pair])
    body: dict[str, Any] = json.loads(artifact.dumps(compare_runs(a, b)))
    return body


@pytest.mark.parametrize("pair", PAIRS)
def test_every_part_has_its_names(pair: str) -> None:
    body = made(pair)
    assert set(body) >= TOP
    assert body["schema"] == "diptych/comparison/1"
    assert set(body["a"]) >= SIDE
    assert set(body["b"]) >= SIDE
    assert set(body["verdict"]) >= VERDICT
    assert all(set(row) >= METRIC for row in body["metrics"])
    assert all(set(row["estimate"]) >= ESTIMATE for row in body["metrics"] if row["estimate"])
    assert all(set(row) >= SETTING for row in body["settings"])
    assert all(set(row) >= {"task", "field", "a", "b", "standing", "evidence"} for row in body["task_settings"])
    assert all(set(row) >= {"setting", "a", "b", "why", "standing", "evidence"} for row in body["context"])
    assert all(set(row) >= {"kind", "severity", "side", "task", "text", "count", "of"} for row in body["findings"])
    assert all(
        set(row) >= {"task", "filter", "item", "class", "a", "b", "margin_a", "margin_b"} for row in body["flips"]
    )
    assert all(set(row) >= {"what", "count", "why"} for row in body["left_out"])
    assert set(body["provenance"]) >= {"diptych_version", "methods", "inputs"}
    assert all(set(row) >= {"name", "sha256"} for row in body["provenance"]["inputs"])


@pytest.mark.parametrize("pair", PAIRS)
def test_every_word_is_one_of_its_list(pair: str) -> None:
    body = made(pair)
    assert body["verdict"]["kind"] in get_args(VerdictKind)
    assert body["verdict"]["standing"] in get_args(Certainty)
    assert {row["status"] for row in body["metrics"]} <= set(get_args(Status))
    assert {row["standing"] for row in body["settings"]} <= {"explains", "can", "cannot"}
    assert {row["severity"] for row in body["findings"]} <= set(SEVERITIES)
    assert {row["side"] for row in body["findings"]} <= {"a", "b", "both", None}
    assert {row["class"] for row in body["flips"]} <= set(FLIP_CLASSES)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_score_is_b_less_a_and_its_counts_are_those_of_the_pairs(pair: str) -> None:
    rows = made(pair)["metrics"]
    assert rows
    for row in rows:
        if row["a"] is None or row["b"] is None:
            assert (row["difference"], row["status"], row["estimate"]) == (None, "not_available", None)
            assert row["reason"]
            continue
        estimate = row["estimate"]
        assert row["difference"] == estimate["difference"]
        assert row["difference"] == pytest.approx(row["b_paired"] - row["a_paired"])
        assert estimate["both"] + estimate["only_a"] + estimate["only_b"] + estimate["neither"] == estimate["pairs"]
        assert estimate["low"] is None or estimate["low"] <= estimate["difference"] <= estimate["high"]
        assert estimate["difference"] == pytest.approx((estimate["only_b"] - estimate["only_a"]) / estimate["pairs"])
        assert 0 <= estimate["p_value"] <= estimate["p_adjusted"] <= 1
        if not row["group"]:
            assert 0 <= estimate["p_exact"] <= 1
            assert estimate["detectable"] > 0


@pytest.mark.parametrize("pair", PAIRS)
def test_settings_stand_in_the_order_to_look_at_them(pair: str) -> None:
    body = made(pair)
    rows, verdict = body["settings"], body["verdict"]
    leading = [verdict["leading_cause"], *(one["key"] for one in verdict["suspects"])]
    places = [("explains", "can", "cannot").index(row["standing"]) for row in rows]
    assert places == sorted(places)
    assert [key for key in body["ranking"] if key in {row["key"] for row in rows}] == [row["key"] for row in rows]
    for standing in ("explains", "can", "cannot"):
        own = [row for row in rows if row["standing"] == standing and row["key"] not in leading]
        ranks = [row["rank"] for row in own if row["a_recorded"] and row["b_recorded"]]
        known = [rank for rank in ranks if rank is not None]
        assert known == sorted(known)
    assert all(row["why"].endswith(".") for row in rows)
    assert all(row["a"] is None for row in rows if not row["a_recorded"])
    assert all(row["b"] is None for row in rows if not row["b_recorded"])


@pytest.mark.parametrize("pair", PAIRS)
def test_a_ladder_has_every_rung_in_order_and_breaks_at_its_first_difference(pair: str) -> None:
    body = made(pair)
    tasks = [ladder["task"] for ladder in body["ladder"]]
    assert len(tasks) == len(set(tasks))
    assert {row["task"] for row in body["flips"]} <= set(tasks)
    for ladder in body["ladder"]:
        assert tuple(rung["rung"] for rung in ladder["rungs"]) == STEPS
        broken = [rung["rung"] for rung in ladder["rungs"] if rung["equal"] < rung["compared"]]
        assert ladder["first_break"] == (broken[0] if broken else None)
        assert all((rung["first"] is None) == (rung["equal"] == rung["compared"]) for rung in ladder["rungs"])


@pytest.mark.parametrize("pair", PAIRS)
def test_lost_and_gained_flips_are_the_pairs_of_one_side_alone(pair: str) -> None:
    body = made(pair)
    left_out = any("flip" in row["what"] or "item" in row["what"] for row in body["left_out"])
    for row in body["metrics"]:
        mine = [
            flip["class"]
            for flip in body["flips"]
            if (flip["task"], flip["filter"], flip["metric"]) == (row["task"], row["filter"], row["metric"])
        ]
        if mine and not left_out:
            assert mine.count("lost") == row["estimate"]["only_a"]
            assert mine.count("gained") == row["estimate"]["only_b"]


def test_an_isolating_run_changes_the_first_of_what_leads() -> None:
    verdict = made("releases")["verdict"]
    assert verdict["leading_cause"] is None
    assert [one["key"] for one in verdict["suspects"]] == ["fewshot_as_multiturn", "versions.lm_eval"]
    assert set(verdict["isolating_run"]) >= {"changes", "command"}
    assert verdict["isolating_run"]["changes"] == "fewshot_as_multiturn"
    assert "lm_eval" in verdict["isolating_run"]["command"]


def test_an_interface_that_no_command_takes_apart_is_said_to_be_run_b() -> None:
    verdict = made("template")["verdict"]
    assert verdict["leading_cause"] is None
    assert {one["key"] for one in verdict["suspects"]} == {"chat_template", "model"}
    assert (verdict["isolating_run"], verdict["next_run_exists"]) == (None, True)


@pytest.mark.parametrize("pair", PAIRS)
def test_every_named_method_is_explained_and_every_number_names_one(pair: str) -> None:
    from diptych.catalogue.methods import METHODS

    body = made(pair)
    named = set(body["provenance"]["methods"])
    assert named <= set(METHODS)
    assert {row["estimate"]["method"] for row in body["metrics"] if row["estimate"]} <= named


@pytest.mark.parametrize("pair", PAIRS)
def test_inputs_are_named_by_relative_places_and_digests(pair: str) -> None:
    body = made(pair)
    names = [row["name"] for row in body["provenance"]["inputs"]]
    names += [f"{body[side]['source']}/{body[side]['results_file']}" for side in "ab"]
    assert not any(os.path.isabs(name) or ".." in name for name in names)
    assert str(RUNS) not in json.dumps(body)
    assert all(len(row["sha256"]) == 64 for row in body["provenance"]["inputs"])


def test_the_same_two_runs_have_the_same_id_and_the_other_order_another() -> None:
    a, b = (read_run(str(RUNS / name), "other label") for name in PAIRS["template"])
    assert compare_runs(a, b).id == made("template")["id"]
    assert compare_runs(b, a).id != made("template")["id"]


def test_bytes_depend_neither_on_the_folder_nor_on_the_seed_of_hashes(tmp_path: Path) -> None:
    a, b = (str(RUNS / name) for name in PAIRS["releases"])
    printed = set()
    for seed, folder in (("0", tmp_path), ("1", RUNS), ("12345", Path("/"))):
        done = subprocess.run(
            [sys.executable, "-m", "diptych", "compare", a, b, "--json"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        printed.add(done.stdout)
    assert len(printed) == 1
