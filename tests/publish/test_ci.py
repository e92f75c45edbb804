"""What is ready to use in CI keeps to the published schemas, calls options that exist, and runs."""

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Command

from diptych.batch.jobs import MAKERS
from diptych.batch.manifest import KINDS, TOP_KEYS, read_manifest
from diptych.cli import main

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
SCHEMAS = {
    "action.yml": ["vendor.github-actions"],
    ".github/workflows/ci.yml": ["vendor.github-workflows"],
    "site/ci/github-pull-request.yml": ["vendor.github-workflows"],
    "site/ci/github-post.yml": ["vendor.github-workflows"],
    "site/ci/gitea.yml": ["vendor.github-workflows"],
    "site/ci/gitlab-ci.yml": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def scripts(node: Any) -> list[str]:
    """Return every shell script of a workflow, an action or a pipeline."""
    if isinstance(node, dict):
        own = [node[key] for key in ("run", "script", "before_script") if key in node]
        flat = ["\n".join(entry) if isinstance(entry, list) else entry for entry in own]
        return [*flat, *(script for value in node.values() for script in scripts(value))]
    return [script for value in node for script in scripts(value)] if isinstance(node, list) else []


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_file_keeps_to_its_published_schema(name: str) -> None:
    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *SCHEMAS[name], str(ROOT / name)]
    done = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_example_is_checked() -> None:
    found = [*(ROOT / "site/ci").iterdir(), *(ROOT / ".github/workflows").iterdir(), ACTION]
    assert {str(file.relative_to(ROOT)) for file in found} == set(SCHEMAS)


def test_the_hosted_checks_are_the_script_of_a_bare_machine() -> None:
    assert [script.strip() for script in scripts(yaml.safe_load(text(".github/workflows/ci.yml")))] == [".ci/run"]


def test_the_hooks_before_a_commit_and_the_issue_forms_are_whole() -> None:
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    assert {hook["entry"].split()[0] for hook in hooks} <= {".venv/bin/ruff", ".venv/bin/mypy", ".venv/bin/python"}
    for form in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"):
        asked = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert form.stem == "config" or all(part["attributes"]["label"] for part in asked["body"]), form.name


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_value_of_the_event_is_pasted_into_a_script(name: str) -> None:
    found = scripts(yaml.safe_load(text(name)))
    assert found or name.endswith("pull-request.yml")  # the one file that only uses actions
    assert not [script for script in found if "${{" in script]


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_script_is_shell(name: str) -> None:
    for script in scripts(yaml.safe_load(text(name))):
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_option_in_a_script_exists(name: str) -> None:
    for script in scripts(yaml.safe_load(text(name))):
        for command, rest in re.findall(r"(?<![\w/.-])diptych (\w+)([^\n|]*)", script):
            door = main.get_command(None, command)  # type: ignore[arg-type]
            assert isinstance(door, Command), command
            known = {option for parameter in door.params for option in parameter.opts}
            options = re.findall(r"(?<!\S)--[\w-]+", rest + (script if '"${options[@]}"' in rest else ""))
            assert set(options) <= known, (command, options)


def test_the_workflow_with_rights_checks_nothing_out_of_a_fork() -> None:
    workflow = yaml.safe_load(text("site/ci/github-post.yml"))
    used = [step.get("uses", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert not [name for name in used if name.startswith("actions/checkout")]
    assert "pull_request_target" not in text("site/ci/github-post.yml") + text("site/ci/github-pull-request.yml")


def test_every_input_of_the_action_is_used_and_every_used_one_is_there() -> None:
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    body = ACTION.read_text(encoding="utf-8").split("\nruns:")[1]
    assert set(re.findall(r"inputs\.([\w-]+)", body)) == set(action["inputs"])


def step(name: str) -> str:
    steps = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]
    return str(next(one["run"] for one in steps if one.get("name") == name))


def run(name: str, tmp_path: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    outputs = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)]
    return subprocess.run(
        command, cwd=tmp_path, env={**path, **outputs, **environ}, capture_output=True, text=True, check=False
    )


@pytest.fixture
def artifacts(tmp_path: Path) -> str:
    from diptych.artifact import dumps
    from examples_comparison import comparison

    folder = tmp_path / "artifacts"
    folder.mkdir()
    (folder / "one.json").write_text(dumps(comparison()), encoding="utf-8")
    return "artifacts"


def test_the_action_writes_a_summary(tmp_path: Path, artifacts: str) -> None:
    done = run("Write the summary", tmp_path, ARTIFACTS=artifacts, ARCHIVE_URL="https://e.example/archive")
    assert done.returncode == 0, done.stderr
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert summary.split("\n")[0].endswith("worse on 1, better on 1 of 4 tasks")
    assert "https://e.example/archive/comparisons/" in summary


def test_the_action_gates_after_the_comment(tmp_path: Path, artifacts: str) -> None:
    assert run("Gate", tmp_path, ARTIFACTS=artifacts, FAIL_ON="regression", CODE="").returncode == 3
    assert run("Gate", tmp_path, ARTIFACTS=artifacts, FAIL_ON="", CODE="").returncode == 0
    for code in (3, 5, 6):
        assert run("Gate", tmp_path, ARTIFACTS=artifacts, FAIL_ON="", CODE=str(code)).returncode == code


@pytest.mark.parametrize("code", [0, 1, 2, 3, 5, 6])
def test_what_was_made_is_reported_before_the_job_fails(tmp_path: Path, code: int) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "diptych"
    program.write_text(f"#!/bin/sh\nexit {code}\n")
    program.chmod(0o755)
    done = run("Compare", tmp_path, MANIFEST="m.toml", PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert done.returncode == (0 if code in (0, 3, 5, 6) else code)
    kept = (tmp_path / "output").read_text() if (tmp_path / "output").exists() else ""
    assert kept == (f"code={code}\n" if code in (3, 5, 6) else "")


def damaged_project(folder: Path) -> None:
    """Write a manifest of two comparisons, of which one has a run whose results are cut."""
    for name, tail in (("a", None), ("b", None), ("cut", 40)):
        run_folder = folder / "site" / "runs" / name
        shutil.copytree(ROOT / "site" / "runs" / "smol-3shot", run_folder)
        for file in run_folder.rglob("results_*.json") if tail else ():
            file.write_text(file.read_text(encoding="utf-8")[:tail], encoding="utf-8")
    lines = ['title = "Two"']
    lines += [f'[[comparisons]]\nname = "{b}"\na = "runs/a"\nb = "runs/{b}"' for b in ("b", "cut")]
    (folder / "site" / "diptych.toml").write_text("\n".join(lines), encoding="utf-8")


def test_the_pipeline_of_gitlab_publishes_what_was_made_before_damaged_input_fails_it(tmp_path: Path) -> None:
    damaged_project(tmp_path)
    done = gitlab_job("compare", tmp_path)
    assert done.returncode == 5, done.stderr
    assert (tmp_path / "site" / "build" / "index.html").is_file()
    assert [file.name for file in (tmp_path / "reports").iterdir()] == ["b.xml"]
    assert gitlab_job("gate", tmp_path).returncode == 5


def test_the_gate_of_gitlab_fails_where_an_artifact_could_not_be_shown(tmp_path: Path) -> None:
    damaged_project(tmp_path)
    manifest = tmp_path / "site" / "diptych.toml"
    whole = manifest.read_text(encoding="utf-8").partition('[[comparisons]]\nname = "cut"')[0]
    manifest.write_text(whole, encoding="utf-8")
    (tmp_path / "site" / "artifacts").mkdir()
    (tmp_path / "site" / "artifacts" / "old.json").write_text('{"schema": "diptych/comp', encoding="utf-8")
    assert gitlab_job("compare", tmp_path).returncode == 5
    assert gitlab_job("gate", tmp_path).returncode == 5


def gitlab_job(name: str, place: Path) -> subprocess.CompletedProcess[str]:
    """Run the script of one job of GitLab's recipe."""
    script = yaml.safe_load(text("site/ci/gitlab-ci.yml"))[name]["script"]
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "\n".join(script)],
        cwd=place,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_builds_what_can_be_shown_and_fails_at_its_end(tmp_path: Path, artifacts: str) -> None:
    (tmp_path / artifacts / "cut.json").write_text('{"schema": "diptych/comp', encoding="utf-8")
    done = run("Build the archive", tmp_path, ARTIFACTS=artifacts, ARCHIVE="build", ARCHIVE_URL="", SOURCE="")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output").read_text(encoding="utf-8") == "code=5\n"
    assert (tmp_path / "build" / "index.html").is_file()


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_action_is_pinned_by_its_commit_with_the_version_beside(name: str) -> None:
    for line in text(name).split("\n"):
        if "uses: actions/" in line:
            assert re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_a_fork_s_artifacts_are_not_trusted_and_no_deployment_is_cancelled() -> None:
    post, pull = (yaml.safe_load(text(f"site/ci/github-{name}.yml")) for name in ("post", "pull-request"))
    assert any(step.get("with", {}).get("untrusted") == "true" for step in post["jobs"]["post"]["steps"])
    assert pull["concurrency"]["cancel-in-progress"] == "${{ github.event_name == 'pull_request' }}"
    assert pull["jobs"]["publish"]["concurrency"]["cancel-in-progress"] is False


def test_the_action_does_not_fail_where_it_may_not_post(tmp_path: Path, artifacts: str) -> None:
    from forge.loopback import Forge, serving

    with serving(Forge("github")) as served:
        environ = {"ARTIFACTS": artifacts, "ARCHIVE_URL": "", "KEY": "k", "ON_CHANGE_ONLY": "false", "NUMBER": "7"}
        environ |= {"GITHUB_API_URL": served.address, "GITHUB_REPOSITORY": "o/r", "DIPTYCH_TOKEN": "reader"}
        done = run("Comment", tmp_path, **environ)
        assert done.returncode == 0, done.stderr
        assert "::warning::" in done.stdout
        assert "pull-requests: write" in done.stderr
        assert (tmp_path / "output").read_text(encoding="utf-8") == "posted=false\n"
        assert "worse on 1, better on 1 of 4 tasks" in (tmp_path / "summary").read_text(encoding="utf-8")
        done = run("Comment", tmp_path, **{**environ, "DIPTYCH_TOKEN": "writer"})
        assert done.returncode == 0, done.stderr
        assert len(served.comments) == 1
        assert (tmp_path / "output").read_text(encoding="utf-8").endswith("posted=true\n")


def test_the_manual_names_every_ready_file_and_only_those_that_are_there() -> None:
    named = set(re.findall(r"`(action\.yml|site/ci/[^`]+)`", text("site/pages/8-ci.md")))
    assert named == set(SCHEMAS) - {".github/workflows/ci.yml"}


def test_the_manuals_manifest_is_one_and_its_table_has_every_key(tmp_path: Path) -> None:
    page = text("site/pages/9-formats.md")
    block = re.search(r"## The manifest\n\n((?:    .*\n|\n)+)", page)
    assert block is not None
    (tmp_path / "diptych.toml").write_text(textwrap.dedent(block[1]), encoding="utf-8")
    assert {entry.kind for entry in read_manifest(str(tmp_path / "diptych.toml")).entries} == set(MAKERS) - {"matrix"}
    rows = {
        match[1]: set(re.findall(r"`(\w+)`", match[2])) for match in re.finditer(r"^\| ([^|]+) \| (.*) \|$", page, re.M)
    }
    assert rows["at the top"] >= TOP_KEYS
    for table, (_, needed, allowed) in KINDS.items():
        assert rows[f"`[[{table}]]`"] >= needed | allowed, table
