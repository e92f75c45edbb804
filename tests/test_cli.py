"""The doors: each command's help, examples, exit codes, and what goes to stdout and what to stderr."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import written_runs
from diptych.cli import COMMANDS, main
from diptych.errors import DiptychError

ROOT = Path(__file__).resolve().parents[1]


def command_of(name: str) -> click.Command:
    command: click.Command = getattr(import_module(f"diptych.cli.{COMMANDS[name][0]}"), f"{name}_command")
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_command_says_of_itself(name: str) -> None:
    first = (command_of(name).help or "").strip().split("\n")[0]
    assert first == COMMANDS[name][1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0
    assert f"Example: diptych {name}" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


def all_commands() -> list[click.Command]:
    found: list[click.Command] = []
    waiting = [command_of(name) for name in COMMANDS]
    while waiting:
        command = waiting.pop()
        found.append(command)
        waiting += command.commands.values() if isinstance(command, click.Group) else ()
    return found


def test_every_option_says_what_it_does_in_one_sentence() -> None:
    options = [each for command in all_commands() for each in command.params if isinstance(each, click.Option)]
    assert len(options) > 80
    assert [each.name for each in options if not each.help or not each.help.endswith(".")] == []


def test_help_needs_no_room_but_the_doors_and_the_way_out() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom diptych.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print(sorted(name for name in sys.modules if name.startswith('diptych')), file=sys.stderr)\n"
    ).replace("from click.testing import CliRunner\n", "")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    secrets = [f"diptych.secret{part}" for part in ("_names", "_patterns", "_shapes", "s")]
    assert done.stderr.strip() == str(
        ["diptych", "diptych.cli", "diptych.cli.standard_streams", "diptych.errors", *secrets]
    )


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_comparing_needs_no_heavy_library(form: list[str]) -> None:
    runs = [str(ROOT / "site" / "runs" / name) for name in ("smol-3shot", "smol-3shot-q4_0")]
    code = (
        "import sys\nfrom diptych.cli import main\n"
        f"main(['compare', *{runs + form!r}], standalone_mode=False)\n"
        "heavy = {'numpy', 'scipy', 'jinja2', 'httpx', 'jsonschema', 'dataclasses_json'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_mendable_error_says_what_where_and_what_to_do() -> None:
    done = CliRunner().invoke(main, ["compare", "none-such", "other"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr == (
        "Error: none-such: no such file or directory\n  hint: check the path; `path@DATE` picks one of several\n"
    )


def test_wrong_usage_exits_with_2() -> None:
    assert CliRunner().invoke(main, ["compare", "one"]).exit_code == 2
    assert CliRunner().invoke(main, ["nothing"]).exit_code == 2
    for rule in ("--require=superior", "--require=non-inferior:x", "--threshold=acc", "--threshold=a.b=x"):
        assert CliRunner().invoke(main, ["compare", "one", "two", rule]).exit_code == 2, rule


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    import diptych.harness.reader

    def broken(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(diptych.harness.reader, "read_run", broken)
    with pytest.raises(KeyError):
        CliRunner().invoke(main, ["compare", "a", "b"], catch_exceptions=False)


def test_an_error_text_carries_no_escape_code(monkeypatch: pytest.MonkeyPatch) -> None:
    import diptych.harness.reader

    def refuse(*_: object, **__: object) -> None:
        raise DiptychError("red \x1b[31m text", where="x\u202ey")

    monkeypatch.setattr(diptych.harness.reader, "read_run", refuse)
    done = CliRunner().invoke(main, ["compare", "a", "b"])
    assert done.stderr == "Error: x<U+202E>y: red <U+001B>[31m text\n"


def examples() -> list[str]:
    found = []
    for name in COMMANDS:
        text = command_of(name).help or ""
        found += [
            re.sub(r"\s+", " ", each) for each in re.findall(r"Example: (diptych [^\n]+(?:\n(?!\n)[^\n]+)*)", text)
        ]
    return found


def readme_commands() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("diptych ")]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample runs and artifacts, so that examples may write beside them."""
    import shutil

    shutil.copytree(ROOT / "site", tmp_path / "site", ignore=shutil.ignore_patterns("build", ".state"))
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(command: str) -> None:
    arguments = shlex.split(command)[1:]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def test_a_manifest_names_the_folder_of_its_archive_and_artifacts_alone_need_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "site", tmp_path / "site", ignore=shutil.ignore_patterns("build", ".state"))
    manifest = tmp_path / "site" / "diptych.toml"
    built = CliRunner().invoke(main, ["build", str(manifest), "--quiet", "--jobs", "1"])
    assert (built.exit_code, (tmp_path / "site" / "build" / "index.html").is_file()) == (0, True)
    refused = CliRunner().invoke(main, ["build", str(next((tmp_path / "site" / "artifacts").glob("*.json")))])
    assert (refused.exit_code, "--out" in refused.output) == (2, True)


def test_every_command_in_the_readme_runs(checkout: Path) -> None:
    commands = readme_commands()
    assert len(commands) >= 5
    for command in commands:
        if not command.startswith("diptych serve"):  # goes on until it is stopped: tests/publish/test_serve.py
            ran(command)


def test_completion_is_offered_as_the_readme_says() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for shell in ("bash", "zsh", "fish"):
        assert f"_DIPTYCH_COMPLETE={shell}_source diptych" in text
    asked = {**os.environ, "_DIPTYCH_COMPLETE": "zsh_complete", "COMP_WORDS": "diptych com", "COMP_CWORD": "1"}
    door = "from diptych.cli import main; main(prog_name='diptych')"  # as the installed command is called
    done = subprocess.run([sys.executable, "-c", door], env=asked, capture_output=True, text=True, check=False)
    assert "compare" in done.stdout


TWICE = ["seed1=site/runs/api-temp0.8-seed1", "seed2=site/runs/api-temp0.8-seed2"]


def test_a_noise_floor_that_was_written_reaches_the_comparison_its_gates_and_its_plot(checkout: Path) -> None:
    ran(f"diptych noise {' '.join(TWICE)} site/runs/api-temp0.8-seed3 --out floor.json --quiet")
    limit = "dip_arith.exact_match,strict-match=floor"
    arguments = ["compare", *TWICE, "--noise", "floor.json", "--threshold", limit]
    made = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert made.exit_code == 0
    assert "noise floor" in CliRunner().invoke(main, [*arguments, "--full"], catch_exceptions=False).stdout
    bare = CliRunner().invoke(main, [*arguments[:3], *arguments[5:]])
    assert bare.exit_code == 2, "a floor that nobody gave is wrong usage, and no gate that fired"
    assert "needs a noise floor" in bare.stderr
    page = CliRunner().invoke(main, [*arguments, "--html"], catch_exceptions=False).stdout
    assert "noise" in page


def test_a_noise_floor_of_another_configuration_is_named_and_not_used(checkout: Path) -> None:
    ran(f"diptych noise {' '.join(TWICE)} --out floor.json --quiet")
    others = ["site/runs/smol-3shot", "site/runs/smol-3shot-q4_0"]
    done = CliRunner().invoke(main, ["compare", *others, "--noise", "floor.json", "--json"], catch_exceptions=False)
    assert "floor.json: repeats of another configuration than these runs: not used" in done.stderr
    assert '"noise_floor": null' in done.stdout


def test_an_option_for_a_task_that_is_not_there_is_wrong_usage(checkout: Path) -> None:
    for option in ("--cluster", "--primary"):
        done = CliRunner().invoke(main, ["compare", *TWICE, option, "arth=question"])
        assert done.exit_code == 2
        assert f"{option} arth: no such task; did you mean dip_arith? these runs have dip_arith" in done.stderr


def test_a_record_of_more_than_two_runs_is_refused_before_anything_is_read() -> None:
    done = CliRunner().invoke(main, ["compare", "none", "of", "these", "--labbook", "book.md"])
    assert done.exit_code == 2
    assert "two runs" in done.stderr


OPEN_ENDED = ("serve", "students")
"""These go on until they are stopped, or ask an endpoint: their examples are parsed; their work has its own tests."""


def test_every_example_of_the_help_runs(checkout: Path) -> None:
    (checkout / "tasks.json").write_text("[]", encoding="utf-8")
    (checkout / "notes.md").write_text("# Notebook\n", encoding="utf-8")
    found = examples()
    assert {shlex.split(example)[1] for example in found} == set(COMMANDS)
    for example in found:
        name, *arguments = shlex.split(example)[1:]
        if name in OPEN_ENDED:
            command_of(name).make_context(name, arguments)
        else:
            ran(example)


def test_a_comment_that_may_not_be_posted_is_kept_and_exits_with_4_not_with_a_gates_3(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DIPTYCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(checkout / "summary.md"))
    artifact = "site/artifacts/shots.json"
    ran(f"diptych compare site/runs/api-completions-0shot site/runs/api-completions-3shot --out {artifact}")
    arguments = ["comment", artifact, "--forge", "github", "--fail-on", "difference"]
    assert CliRunner().invoke(main, arguments).exit_code == 3
    done = CliRunner().invoke(main, [*arguments, "--post", "--pr", "1", "--repo", "o/r"])
    assert done.exit_code == 4
    assert "pull-requests: write" in done.stderr
    kept = (checkout / "diptych-comment.md").read_text(encoding="utf-8")
    assert kept in (checkout / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("gate", "code"),
    [("--fail-on missing", 0), ("--fail-on difference", 3), ("--require non-inferior:0.2", 6)],
)
def test_a_comment_exits_by_the_gates_that_its_artifacts_record(checkout: Path, gate: str, code: int) -> None:
    pair = "site/runs/smol-3shot site/runs/smol-3shot-q4_0"
    assert CliRunner().invoke(main, shlex.split(f"compare {pair} --out gated.json {gate}")).exit_code == code
    assert CliRunner().invoke(main, ["comment", "gated.json"]).exit_code == 0
    assert CliRunner().invoke(main, ["comment", "gated.json", "--fail-on", "gate"]).exit_code == code


@pytest.mark.parametrize(
    "line",
    [
        "students eval --tasks t --model m --out o --concurrency 0",
        "students eval --tasks t --model m --out o --timeout nan",
        "students eval --tasks t --model m --out o --timeout inf",
        "students eval --tasks t --model m --out o --timeout 0",
        "students eval --tasks t --model m --out o --retries -1",
        "students eval --tasks t --model m --out o --max-tokens 0",
        "students judge --route a=b --judge-model m --out o --repeats 0",
        "decide --route a=b --margin nan",
        "decide --route a=b --prompt-price -1",
        "decide --route a=b --worth 1e999",
        "compare a b --margin nan",
        "compare a b --flips -1",
        "comment a --pr 0",
    ],
)
def test_a_number_that_no_option_can_mean_is_wrong_usage(line: str) -> None:
    ran = CliRunner().invoke(main, line.split())
    assert ran.exit_code == 2, ran.output
    assert "Invalid value" in ran.output


def test_a_folder_that_other_students_write_to_is_refused(tmp_path: Path) -> None:
    from diptych.storage import locked

    (tmp_path / "tasks.json").write_text("[]")
    line = ["students", "--tasks", str(tmp_path / "tasks.json"), "--sequence-student", "a", "--logit-student", "b"]
    with locked(tmp_path / "out" / ".lock"):
        ran = CliRunner().invoke(main, [*line, "--out-dir", str(tmp_path / "out")])
    assert ran.exit_code == 1
    assert "somebody else is writing here" in ran.output


def test_a_report_of_results_alone_offers_no_samples_but_the_command_that_logs_them(tmp_path: Path) -> None:
    for name, few in (("one", 0), ("two", 5)):
        arguments = f"pretrained=org/base-1b,dtype=float32,revision=v{few}"
        document = written_runs.results(**{"n-shot": {"arith": few}, "config__model_args": arguments})
        document["configs"]["arith"]["num_fewshot"] = few
        written_runs.write_run(tmp_path / name, document)
    done = CliRunner().invoke(main, ["compare", str(tmp_path / "one"), str(tmp_path / "two")])
    assert done.exit_code == 0
    assert "--samples N" not in done.stdout
    assert "with the next run's command" in done.stdout
    whole = CliRunner().invoke(main, ["compare", str(tmp_path / "one"), str(tmp_path / "two"), "--full"])
    assert "--log_samples" in whole.stdout.partition("ISOLATING RUN")[2]
