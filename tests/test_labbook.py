"""The notebook: what is a record, what is broken, and that nobody's line is lost."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diptych.errors import LabbookError
from diptych.labbook import append_record, parse_labbook, read_labbook

RECORD = '{"lab": "x", "stage": "train", "cost": {"seconds": 1.5}}'


@pytest.mark.parametrize(
    ("text", "records", "broken"),
    [
        ("", [], []),
        ("only prose\n\n# with a heading\n", [], []),
        (RECORD, [1], []),
        (f"prose\n{RECORD}\r\nmore\n  {RECORD}\n", [2, 4], []),
        (f"```json\n{RECORD}\n```\n", [2], []),
        (f"~~~\n{RECORD}\n{RECORD}\n~~~\n{RECORD}", [2, 3, 5], []),
        ('```json\n{\n "stage": "train",\n "cost": {"seconds": 1}\n}\n```\n' + RECORD, [2, 7], []),
        ('```json\n{"stage": "train",\n "cost": null}\n' + RECORD + "\n```", [2, 4], []),
        (f'{RECORD}\n{{"lab": "x", "cost": {{"prompt\n{RECORD}', [1, 3], [2]),
        (f'```\n{{"lab": "x", "co\n{RECORD}\n```\n', [3], [2]),
        (f"{RECORD}{RECORD}\n", [1, 1], []),
        (f'```python\n{{"a": x}}\n```\n{RECORD}', [4], []),
        ("{an aside in braces}\n", [], []),
        ('{"a": ' + "[" * 100_000 + "\n" + RECORD, [2], [1]),
        ('{"a": ' + "1" * 5000 + "}\n" + RECORD, [2], [1]),
        ("{\n" + RECORD, [2], [1]),
        (f"```json\n{RECORD}\n", [2], []),
        (f"````\n```\n{RECORD}\n````\n{RECORD}", [3, 5], []),
        ('{"note": "line\u2028separator"}\n' + RECORD, [1, 2], []),
    ],
)
def test_records_are_found_and_broken_lines_named_by_number(text: str, records: list[int], broken: list[int]) -> None:
    book = parse_labbook(text)
    assert [record.line for record in book.records] == records
    assert [line.line for line in book.broken] == broken


def test_a_line_with_bytes_that_are_no_utf8_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "labbook.md"
    path.write_bytes(
        b'\xef\xbb\xbf{"stage": "a"}\n{"stage": "caf\xe9"}\nprose \xff\n{"stage": "b", "note": "\xf0\x9f\x94\xa5"}\n'
    )
    book = read_labbook(path)
    assert [record.fields["stage"] for record in book.records] == ["a", "b"]
    assert [(line.line, line.why) for line in book.broken] == [(2, "it holds bytes that are no UTF-8")]


def test_a_broken_line_says_at_which_character_from_one() -> None:
    (broken,) = parse_labbook('{"stage": oops}').broken
    assert "at character 11)" in broken.why


def test_a_notebook_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabbookError, match=r"none\.md"):
        read_labbook(tmp_path / "none.md")


def test_a_record_is_appended_as_one_line_and_nothing_before_it_moves(tmp_path: Path) -> None:
    path = tmp_path / "labbook.md"
    path.write_bytes(b"# Tuesday\r\n\n| a | b |\nno line break at the end")
    before = path.read_bytes()
    append_record(path, {"stage": "compare", "notes": "two\nlines, \ud800 and 🔥"})
    after = path.read_bytes()
    assert after.startswith(before + b"\n")
    assert after.count(b"\n") == before.count(b"\n") + 2
    assert read_labbook(path).records[0].fields["notes"] == "two\nlines, \ud800 and 🔥"


APPEND = """
import sys
import time
from diptych.labbook import append_record
for number in range(50):
    append_record(sys.argv[1], {"writer": int(sys.argv[2]), "number": number, "text": "x" * 3000})
"""


def test_two_processes_that_append_at_once_lose_no_record(tmp_path: Path) -> None:
    path = str(tmp_path / "labbook.md")
    writers = [subprocess.Popen([sys.executable, "-c", APPEND, path, str(writer)]) for writer in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    book = read_labbook(path)
    assert not book.broken
    assert {(r.fields["writer"], r.fields["number"]) for r in book.records} == {
        (w, n) for w in range(3) for n in range(50)
    }


def test_nan_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        append_record(tmp_path / "labbook.md", {"x": float("nan")})
    assert not (tmp_path / "labbook.md").exists()


def test_a_record_holds_no_sign_that_acts_and_reads_as_it_was(tmp_path: Path) -> None:
    hostile = "<img src=x> @all #1 `x` *b* [l](https://e.example) www.e.example \u202e\x85\u2028 | $x$ ~~s~~ &amp;"
    record = {"lab": hostile, hostile: [hostile, 1, None, {"deep": "plain/path_1.json"}]}
    append_record(tmp_path / "book.md", record)
    line = (tmp_path / "book.md").read_text(encoding="utf-8").rstrip("\n")
    inside = "".join(re.findall(r'"(?:[^"\\]|\\.)*"', line))
    assert not set(inside) & set("<>&@#`*[]~|$!\u202e\x85\u2028")
    assert "://" not in line
    assert "plain/path_1.json" in line
    (read,) = read_labbook(tmp_path / "book.md").records
    assert read.fields == record


def test_many_records_that_break_off_do_not_take_long() -> None:
    text = "```json\n" + '{"lab": "x",\n' * 30_000
    began = time.process_time()
    assert len(parse_labbook(text).broken) == 30_000
    assert time.process_time() - began < 10


def test_a_record_that_nests_too_deeply_is_a_broken_line() -> None:
    deep = '{"a": ' + "[" * 500 + "]" * 500 + "}"
    read = parse_labbook(f'{{"lab": 1}}\n{deep}\n```json\n{deep[:6]}\n{deep[6:]}\n```\n')
    assert [record.fields for record in read.records] == [{"lab": 1}]
    assert len(read.broken) == 2


def test_lines_that_break_off_are_read_on_a_bounded_number_of_times() -> None:
    lines = ['{"a": ['] * 100_000
    whole = ["{", '  "run_id": "r1"', "}"]
    began = time.process_time()
    found = parse_labbook("\n".join(["```", *whole, *lines, "```", "```", *whole, "```"]))
    assert time.process_time() - began < 20
    assert [record.fields["run_id"] for record in found.records] == ["r1", "r1"]
