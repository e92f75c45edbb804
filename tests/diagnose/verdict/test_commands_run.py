"""A printed command's only effect is its arguments, whatever the runs' files say: each is run in a shell of its own."""

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from diptych.diagnose.verdict.isolating_run import CHANGES, isolating_run
from diptych.report.writers.commands import command_lines
from diptych.run import Run
from diptych.shell import SECRET, is_version, note_line, shell_note, shell_word
from examples_runs import Json, run

ATTACKS = (
    "0.4.9$(touch x)",
    "`touch x`",
    "; touch x #",
    "x\ntouch x\n",
    "x\r\ntouch x",
    "'; touch x; '",
    '"; touch x; "',
    "\\'; touch x",
    "&& touch x || touch x &",
    "| touch x > x",
    "$API_KEY ${API_KEY} ***",
    "--output_path=x",
    "-h",
    "!touch !! !$",
    "~/x * ? [a-z] {a,b}",
    "a,trust_remote_code=True",
    f"{SECRET}\0",
    "\x1b[31m\u202e\u2028\u0085",
    "it's a 'quoted' \"text\"",
)
HOSTILE = strategies.one_of(
    strategies.sampled_from(ATTACKS),
    strategies.lists(strategies.sampled_from([*ATTACKS, "a", " ", "\n", "'", '"', "\\", "$", "#"]), max_size=4).map(
        "".join
    ),
)
KEYS = (
    *("chat_template", "fewshot_as_multiturn", "system_instruction", "num_fewshot", "model", "limit", "batch_size"),
    *("device", "use_cache", "random_seed", "fewshot_seed", "versions.lm_eval", "versions.transformers"),
    *("model_args.pretrained", "model_args.token", "gen_kwargs.until", "gen_kwargs.temperature", "context.quant"),
)


@strategies.composite
def hostile_run(draw: strategies.DrawFn) -> Run:
    """Return a run whose every recorded text may be an attack."""
    wide: dict[str, Json] = {
        key: draw(HOSTILE) for key in KEYS if not key.startswith("context.") and draw(strategies.booleans())
    }
    wide[f"model_args.{draw(HOSTILE)}"] = draw(HOSTILE)
    task = draw(HOSTILE) or "arith"
    fields = {"num_fewshot": draw(strategies.sampled_from([0, 5, "$(touch x)"])), "gen_kwargs.until": draw(HOSTILE)}
    outside = {"quant": draw(HOSTILE), draw(HOSTILE): draw(HOSTILE)}
    return run(wide, tasks={"arith": fields, task: fields}, context=outside)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the only programs that the shell can find: each notes down its arguments."""
    folder = tmp_path_factory.mktemp("box")
    (folder / "bin").mkdir()
    for name in ("lm_eval", "pip", "touch"):
        program = folder / "bin" / name
        program.write_text(f'#!/bin/bash\nprintf "%s\\0" $# {name} "$@" >> "{folder}/called"\n', encoding="utf-8")
        program.chmod(0o755)
    return folder


def called(box: Path, shell: Sequence[str], text: str) -> list[list[str]]:
    """Run a text as a person pastes it, and return the words of each program that was called."""
    place = box / "work"
    place.mkdir(exist_ok=True)
    (box / "called").write_bytes(b"")
    environment = {"PATH": str(box / "bin"), "API_KEY": "sesame", "HOME": str(box), "HISTFILE": ""}
    subprocess.run(shell, input=text.encode() + b"\n", cwd=place, env=environment, capture_output=True, timeout=20)
    assert not os.listdir(place), text
    words = (box / "called").read_bytes().decode().split("\0")[:-1]
    rows = []
    while words:
        count = int(words[0]) + 2
        rows.append(words[1:count])
        words = words[count:]
    return rows


SHELLS = (
    ("/bin/bash", "--noprofile", "--norc"),
    ("/bin/sh",),
    # as a shell that takes no comments when it is typed into, which zsh does not
    ("/bin/bash", "--noprofile", "--norc", "+O", "interactive_comments", "+H", "-i"),
)


@settings(max_examples=60)
@given(a=hostile_run(), b=hostile_run(), data=strategies.data())
def test_a_command_s_only_effect_is_its_arguments(box: Path, a: Run, b: Run, data: strategies.DataObject) -> None:
    extra = [f"{family}{name}" for family in CHANGES if family.endswith(".") for name in (b.context or {})]
    made = isolating_run(data.draw(strategies.sampled_from([*KEYS, *extra])), a, b)
    if made is None:
        return
    wanted = [line for line in made.command.split("\n") if line.startswith("# ")]
    assert made.command.split("\n")[: len(wanted)] == wanted, "notes come first, a line each"
    shell = data.draw(strategies.sampled_from(SHELLS))
    rows = called(box, shell, made.command)
    assert {row[0] for row in rows} <= {"lm_eval", "pip"}
    assert [row for row in rows if row[0] == "lm_eval"]
    assert all(row[:2] == ["pip", "install"] and len(row) == 3 for row in rows if row[0] == "pip")
    for pasted in SHELLS:
        assert len(called(box, pasted, "\n".join(command_lines(made.command, 80)))) == len(rows)
    tree = ast.parse(made.python)
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert calls == {"lm_eval.simple_evaluate"}


@settings(max_examples=60)
@given(
    words=strategies.lists(HOSTILE.filter(lambda text: "\0" not in text), min_size=1, max_size=4),
    data=strategies.data(),
)
def test_every_word_comes_back_as_it_was(box: Path, words: list[str], data: strategies.DataObject) -> None:
    shell = data.draw(strategies.sampled_from(SHELLS[:2]))
    line = " ".join(["lm_eval", *map(shell_word, words), "end"])
    assert called(box, shell, line) == [["lm_eval", *(word.replace(SECRET, "sesame") for word in words), "end"]]


@given(HOSTILE)
def test_a_note_is_one_line_in_which_nothing_acts(text: str) -> None:
    note = note_line(f"B's {shell_note(text)}; so")
    assert note.isprintable()
    assert not set(note) & set("'\"`$\\|&<>(){}!*?~\n")


@pytest.mark.parametrize("text", ["0.4.9", "4.57.1", "0.4.9.2", "5.0.0rc1", "4.46.0.dev0", "2.5.0+cu124", "5"])
def test_a_version_is_a_version(text: str) -> None:
    assert is_version(text)


@pytest.mark.parametrize(
    "text", ["", "0.4.9$(touch x)", "1.0\n", "--pre", "1.0 --index-url http://x", "git+https://x", "1;2", "²"]
)
def test_what_is_no_version_is_never_installed(text: str) -> None:
    assert not is_version(text)
    assert isolating_run("versions.lm_eval", run(), run({"versions.lm_eval": text})) is None


def test_the_sandbox_would_see_an_attack(box: Path) -> None:
    assert ["touch", "x"] in called(box, SHELLS[0], "lm_eval $(touch x)")
    assert sys.platform != "win32"
