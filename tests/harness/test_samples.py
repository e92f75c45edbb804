"""Sample logs: one pass, the right answer on every odd line, and lines that are read back where they stand."""

import gzip
import json
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import zstandard

from diptych.errors import RunError
from diptych.harness import sample_streams
from diptych.harness.lm_eval import log_index
from diptych.harness.lm_eval.sample_logs import chat_seen
from diptych.harness.lm_eval.samples import Read, read_log
from diptych.harness.reader import read_run
from diptych.sample_log import HASH_WIDTH
from written_runs import answer_record, choice_record, choices, line, results, write_run, write_samples

Json = Any
NAN, INFINITY = float("nan"), float("inf")


def read(path: Path, *filters: str, strict: bool = False) -> Read:
    return read_log(str(path), "t", filters or ("none",), strict=strict)


def ids(path: Path, **options: bool) -> list[int | str]:
    return list(read(path, **options).log.columns.doc_ids)


def shuffled(record: dict[str, Json], seed: int) -> dict[str, Json]:
    keys = list(record)
    random.Random(seed).shuffle(keys)
    return {key: record[key] for key in keys}


RUN_TOGETHER = line(choice_record(7))[:150] + line(choice_record(8))

# bytes of a log; the ids that must be read; the numbers of the lines left out
LOGS: dict[str, tuple[bytes, list[int | str], list[int]]] = {
    "as written": (b"".join(map(line, choices())), [0, 1, 2, 3], []),
    "no break at the end": (b"".join(map(line, choices()))[:-1], [0, 1, 2, 3], []),
    "one line": (line(choice_record(5)), [5], []),
    "empty": (b"", [], [1]),
    "blank lines": (b"\n" + line(choice_record(1)) + b"\n  \n" + line(choice_record(2)), [1, 2], []),
    "carriage returns": (b"".join(map(line, choices())).replace(b"\n", b"\r\n"), [0, 1, 2, 3], []),
    "byte order mark": (b"\xef\xbb\xbf" + b"".join(map(line, choices())), [0, 1, 2, 3], []),
    "line separator in a text": (
        line(choice_record(1, doc={"q": "a\u2028b\u2029c\u0085d\x0be"})) + line(choice_record(2)),
        [1, 2],
        [],
    ),
    "cut in the middle": (line(choice_record(1)) + line(choice_record(2))[:200], [1], [2]),
    "cut in the tail": (line(choice_record(1)) + line(choice_record(2))[:-3], [1], [2]),
    "garbage between": (line(choice_record(1)) + b"Killed\n" + line(choice_record(2)), [1, 2], [2]),
    "keys in another order": (b"".join(line(shuffled(record, 3)) for record in choices()), [0, 1, 2, 3], []),
    "keys in another order in one line": (
        line(choice_record(1)) + line(shuffled(choice_record(2), 5)) + line(choice_record(3)),
        [1, 2, 3],
        [],
    ),
    "two records run together": (line(choice_record(6)) + RUN_TOGETHER + line(choice_record(9)), [6, 9], [2]),
    "two whole records in one line": (
        line(choice_record(6)) + line(choice_record(7))[:-1] + line(choice_record(8)),
        [6],
        [2],
    ),
    "a document with a doc_id": (
        line(choice_record(1, doc={"doc_id": 77, "filter": "x"})) + line(choice_record(2, doc={"a": {"doc_id": 5}})),
        [1, 2],
        [],
    ),
    "a key twice": (line(choice_record(1))[:-2] + b', "doc_id": 9}\n' + line(choice_record(2)), [9, 2], []),
    "bytes that are no text, in a prompt": (
        line(choice_record(1)).replace(b"Question", b"Q\xff\xfe") + line(choice_record(2)),
        [1, 2],
        [],
    ),
    "a lone surrogate": (
        line(choice_record(1)).replace(b"Question", b"\\ud800") + line(choice_record(2)),
        [1, 2],
        [],
    ),
    "nested without end": (
        line(choice_record(1)) + b'{"doc_id": 2, "doc": ' + b"[" * 200_000 + b"}\n" + line(choice_record(3)),
        [1, 3],
        [2],
    ),
    "no sample": (line(choice_record(1)) + b'{"a": 1}\n[1]\n7\n', [1], [2, 3, 4]),
    "ids that are texts": (line(choice_record(1)) + line(choice_record(0, doc_id="b-7")), [1, "b-7"], []),
    "ids that are huge": (line(choice_record(1)) + line(choice_record(0, doc_id=2**70)), [1, 2**70], []),
    "ids that are negative": (line(choice_record(0, doc_id=-3)) + line(choice_record(2)), [-3, 2], []),
    "other spacing": (
        b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in choices()),
        [0, 1, 2, 3],
        [],
    ),
    "an array over many lines": (json.dumps(choices(), indent=2).encode(), [0, 1, 2, 3], []),
    "a number with too many digits": (
        line(choice_record(1)) + line(choice_record(2)).replace(b'"acc": 1.0', b'"acc": ' + b"9" * 5000),
        [1],
        [2],
    ),
}


@pytest.mark.parametrize("kind", LOGS)
@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_every_odd_log_is_read_right(kind: str, ending: str, tmp_path: Path) -> None:
    data, expected, bad = LOGS[kind]
    path = tmp_path / f"samples_t.jsonl{ending}"
    pack: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        ".gz": gzip.compress,
        ".zst": zstandard.ZstdCompressor().compress,
    }
    path.write_bytes(pack[ending](data))
    got = read(path)
    assert list(got.log.columns.doc_ids) == expected
    assert [line.line for line in got.bad] == bad
    assert got.bad_count == len(bad)
    for row, one in enumerate(got.log.lines(range(len(got.log)))):
        assert one.sample().item == str(expected[row])


@pytest.mark.parametrize("kind", [kind for kind in LOGS if kind != "bytes that are no text, in a prompt"])
def test_parsing_every_line_whole_gives_the_same(kind: str, tmp_path: Path) -> None:
    data, expected, bad = LOGS[kind]
    path = tmp_path / "samples_t.jsonl"
    path.write_bytes(data)
    got = read(path, strict=True)
    assert list(got.log.columns.doc_ids) == expected
    assert [line.line for line in got.bad] == bad
    quick, whole = read(path).log.columns, got.log.columns
    assert quick.doc_hashes == whole.doc_hashes
    assert {name: list(map(str, column)) for name, column in quick.values.items()} == {
        name: list(map(str, column)) for name, column in whole.values.items()
    }


def test_strict_leaves_out_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(LOGS["bytes that are no text, in a prompt"][0])
    got = read(path, strict=True)
    assert list(got.log.columns.doc_ids) == [2]
    assert "UTF-8" in got.bad[0].reason


def test_a_line_of_fifty_megabytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    long = choice_record(2, doc={"text": "x" * 50_000_000})
    path.write_bytes(line(choice_record(1)) + line(long) + line(choice_record(3)))
    log = read(path).log
    assert list(log.columns.doc_ids) == [1, 2, 3]
    assert [len(one.document()["text"]) for one in log.lines([1])] == [50_000_000]


@pytest.mark.parametrize("start", [b'{"doc_id": 0, "doc": "', b"[0, "])
def test_a_small_archive_of_one_endless_line_is_refused_before_it_fills_the_memory(
    start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_streams, "LONGEST", 1 << 22)
    monkeypatch.setattr(sample_streams, "LONGEST_LINE", 1 << 22)
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(start + bytes(1 << 25)))
    with pytest.raises(RunError, match="of more than 4 MB"):
        read(path)


@pytest.mark.parametrize("blank", [b"\n", b" \t\r\n"])
def test_millions_of_blank_lines_cost_nothing_and_are_counted(blank: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    body = line(choice_record(1)) + blank * 1_500_000 + line(choice_record(2)) + b"{}\n" + blank * 7 + b"{}"
    path.write_bytes(gzip.compress(body))
    began = time.process_time()
    got = read(path)
    assert time.process_time() - began < 1.0
    assert list(got.log.columns.doc_ids) == [1, 2]
    assert [bad.line for bad in got.bad] == [1_500_003, 1_500_011]
    assert got.lines == 1_500_011


def test_a_file_whose_lines_hold_no_samples_is_refused_before_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_index, "MOST_BAD", 1_000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(line(choice_record(1)) + b"{}\n" * 5_000)
    with pytest.raises(RunError, match=r"1001 of its first 1002 lines hold no sample \(line 2: not a sample"):
        read(path)
    path.write_bytes(line(choice_record(1)) * 200 + b"{}\n" * 1_500)
    assert read(path).bad_count == 1_500


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_cut_archive_gives_its_first_lines_and_is_damaged(ending: str, tmp_path: Path) -> None:
    chance = random.Random(1)
    records = [choice_record(number, doc={"q": chance.randbytes(3000).hex()}) for number in range(800)]
    data = b"".join(map(line, records))
    packed = gzip.compress(data) if ending == ".gz" else zstandard.ZstdCompressor().compress(data)
    path = tmp_path / f"s.jsonl{ending}"
    path.write_bytes(packed[: len(packed) // 2])
    got = read(path)
    assert 0 < len(got.log) < 800
    assert got.bad_count >= 1
    last = len(got.log) - 1
    assert next(iter(got.log.lines([last]))).sample().item == str(last)


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_what_is_no_archive_is_damaged(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"s.jsonl{ending}"
    path.write_bytes(line(choice_record(1)))
    got = read(path)
    assert len(got.log) == 0
    assert got.bad_count >= 1


def test_zstd_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl.zst"
    path.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(RunError) as caught:
        read(path)
    assert "pip install diptych[zstd]" in caught.value.hint


def test_a_cut_array_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(choices(), indent=2)[:-40], encoding="utf-8")
    with pytest.raises(RunError) as caught:
        read(path)
    assert caught.value.where.rpartition(":")[2].isdigit()


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_lines_come_in_the_order_asked_for(ending: str, tmp_path: Path) -> None:
    data = b"".join(map(line, choices(200)))
    path = tmp_path / f"s.jsonl{ending}"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}[ending]
    path.write_bytes(pack(data))
    rows = [150, 3, 3, 199, 0, 77]
    assert [one.sample().item for one in read(path).log.lines(rows)] == list(map(str, rows))


def test_blocks_end_anywhere(tmp_path: Path) -> None:
    records = [choice_record(number, doc={"q": "x" * (number * 997 % 40_000)}) for number in range(150)]
    path = write_samples(tmp_path / "s.jsonl", records)
    log = read(path).log
    assert list(log.columns.doc_ids) == list(range(150))
    assert [one.document() for one in log.lines(range(150))] == [record["doc"] for record in records]


def test_columns_hold_hashes_filters_and_values(tmp_path: Path) -> None:
    records = [choice_record(1, acc_norm=0.5, metrics=["acc", "acc_norm"]), choice_record(2, False, acc_norm=None)]
    columns = read(write_samples(tmp_path / "s.jsonl", records)).log.columns
    for name, column in (
        ("doc_hash", columns.doc_hashes),
        ("target_hash", columns.target_hashes),
    ):
        whole = [bytes.fromhex(record[name])[:HASH_WIDTH] for record in records]
        assert [column[:HASH_WIDTH], column[HASH_WIDTH:]] == whole
    assert list(columns.values["acc"]) == [1.0, 0.0]
    assert str(list(columns.values["acc_norm"])) == "[0.5, nan]"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (1, 1.0),
        (0.25, 0.25),
        (True, 1.0),
        ("0.5", 0.5),
        *((other, None) for other in ("half", [1, 2], None, {"a": 1}, NAN, INFINITY, -INFINITY, 10**400)),
    ],
    ids=str,
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_value_that_is_no_number_is_nan(given: Json, value: float | None, place: int, tmp_path: Path) -> None:
    records = [choice_record(0), choice_record(1)]
    records[place]["acc"] = given
    got = read(write_samples(tmp_path / "s.jsonl", records)).log.columns.values["acc"][place]
    assert got != got if value is None else got == value


def test_filters_keep_apart_and_a_row_that_comes_again_is_counted(tmp_path: Path) -> None:
    records = [answer_record(number, name=name) for name in ("strict", "flexible") for number in (0, 1, 1)]
    columns = read(write_samples(tmp_path / "s.jsonl", records), "strict", "flexible").log.columns
    assert columns.filter_names == ("strict", "flexible")
    assert list(columns.filters) == [0, 0, 0, 1, 1, 1]
    assert list(columns.repeats) == [0, 0, 1, 0, 0, 1]


def test_an_id_that_points_to_another_document_is_no_repeat(tmp_path: Path) -> None:
    records = [choice_record(0), choice_record(1, doc_id=0), choice_record(0)]
    assert list(read(write_samples(tmp_path / "s.jsonl", records)).log.columns.repeats) == [0, 0, 1]


@pytest.mark.parametrize("order", [[0, 1, 2, 0, 1, 2], [0, 2, 1, 2, 0, 1], [0, 1, 2, 0, 1]])
def test_unnamed_filters_are_numbered_by_their_block(order: list[int], tmp_path: Path) -> None:
    records = [answer_record(number) for number in order]
    for record in records:
        del record["filter"], record["metrics"]
    got = read(write_samples(tmp_path / "s.jsonl", records), "strict", "flexible")
    columns = got.log.columns
    assert not got.filter_named
    assert columns.filter_names == ("strict", "flexible")
    assert list(columns.filters) == [0, 0, 0, 1, 1, 1][: len(order)]
    assert not any(columns.repeats)
    assert [one.sample().filter for one in got.log.lines([0, len(order) - 1])] == ["strict", "flexible"]


def test_two_runs_in_one_file_double_every_row_of_unnamed_filters(tmp_path: Path) -> None:
    records = [answer_record(number) for _ in range(4) for number in (0, 1)]
    for record in records:
        del record["filter"], record["metrics"]
    columns = read(write_samples(tmp_path / "s.jsonl", records), "strict", "flexible").log.columns
    assert list(columns.filters) == [0, 0, 1, 1, 0, 0, 1, 1]
    assert list(columns.repeats) == [0, 0, 0, 0, 1, 1, 1, 1]


def test_rows_in_rank_order_are_read_as_they_stand(tmp_path: Path) -> None:
    order = [0, 2, 4, 1, 3, 5]
    log = read(write_samples(tmp_path / "s.jsonl", [choice_record(number) for number in order])).log
    assert list(log.columns.doc_ids) == order
    assert not any(log.columns.repeats)


def test_an_item_costs_little_memory_however_long_its_line(tmp_path: Path) -> None:
    records = [choice_record(number, doc={"q": "x" * 2000}) for number in range(2000)]
    log = read(write_samples(tmp_path / "s.jsonl", records)).log
    columns = log.columns
    held = [columns.doc_ids, columns.doc_hashes, columns.target_hashes, columns.filters]
    held += [columns.repeats, *columns.values.values(), log.offsets, log.lengths]  # type: ignore[union-attr]
    assert sum(sys.getsizeof(column) for column in held) <= 80 * 2000 + 4096


@pytest.mark.parametrize("arguments", [True, [True], [], {}, [[]], [{}], "text", 7, None, [["prompt"]]], ids=str)
def test_a_row_without_hashes_gets_them_from_what_it_holds(arguments: Json, tmp_path: Path) -> None:
    record = choice_record(1, arguments=arguments)
    full = choice_record(1)
    for name in ("doc_hash", "prompt_hash", "target_hash"):
        del record[name]
    columns = read(write_samples(tmp_path / "s.jsonl", [record])).log.columns
    assert full["doc_hash"].startswith(columns.doc_hashes.hex())
    assert full["target_hash"].startswith(columns.target_hashes.hex())


@pytest.mark.parametrize("change", [b'"acc": 01.0', b'"acc": 1.0, "extra": 2', b'"acc": -', b'"acc": 1.0.0'])
def test_a_tail_that_is_not_as_the_first_is_looked_at_by_itself(change: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        line(choice_record(1)) + line(choice_record(2)).replace(b'"acc": 1.0', change) + line(choice_record(3))
    )
    got = read(path)
    whole = b"extra" in change
    assert list(got.log.columns.doc_ids) == ([1, 2, 3] if whole else [1, 3])
    assert got.bad_count == (0 if whole else 1)


@pytest.mark.parametrize("value", [None, [], {}, 1, True, "short", ["a" * 64]], ids=str)
def test_hashes_that_are_no_text_count_as_none(value: Json, tmp_path: Path) -> None:
    records = [choice_record(number, doc_hash=value) for number in range(3)]
    got = read(write_samples(tmp_path / "s.jsonl", records))
    assert (len(got.log), got.bad_count) == (3, 0)
    assert got.log.columns.doc_hashes == bytes(3 * HASH_WIDTH)


def test_half_a_surrogate_pair_in_a_filters_name_or_an_id_can_be_written_again(tmp_path: Path) -> None:
    log = tmp_path / "samples.jsonl"
    log.write_bytes(b'{"doc_id": "a\\ud800", "filter": "f\\ud800"}\n')
    found = read(log).log
    assert (list(found.columns.doc_ids), found.columns.filter_names) == (["a\ufffd"], ("f\ufffd",))
    (sample,) = (each.sample() for each in found.lines([0]))
    assert sample.filter.encode() == "f\ufffd".encode()


def test_a_log_that_is_written_on_after_it_was_read_is_named(tmp_path: Path) -> None:
    run = read_run(str(write_run(tmp_path, results(), {"arith": choices()})))
    (file,) = tmp_path.glob("samples_*.jsonl")
    with file.open("ab") as handle:
        handle.write(b"{}\n")
    with pytest.raises(RunError, match="changed while it was read") as caught:
        list(run.samples["arith"].lines([0]))
    assert caught.value.where == str(file)


def test_an_items_mark_for_not_run_is_no_score(tmp_path: Path) -> None:
    records = choices()
    records[1]["acc"] = -1
    run = read_run(str(write_run(tmp_path, results(), {"arith": records})))
    column = run.samples["arith"].columns.values["acc"]
    assert [place for place, value in enumerate(column) if value != value] == [1]
    (remark,) = [one for one in run.remarks if one.kind == "score_sentinel"]
    assert (remark.count_, remark.of) == (1, 4)


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_an_archive_that_hides_far_more_than_a_log_holds_is_refused(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_streams, "MOST_UNPACKED", 1 << 22)
    data = line(choice_record(1)) + b"\n" * (1 << 25)
    path = tmp_path / f"s.jsonl{ending}"
    path.write_bytes(gzip.compress(data) if ending == ".gz" else zstandard.ZstdCompressor().compress(data))
    with pytest.raises(RunError, match="300 times its size"):
        read(path)


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_pipe_that_has_come_in_the_place_of_a_log_is_not_waited_on(ending: str, tmp_path: Path) -> None:
    path = str(tmp_path / f"pipe{ending}")
    os.mkfifo(path)
    with pytest.raises(RunError, match="is no file"), sample_streams.open_stream(path):
        raise AssertionError("never reached")
    with pytest.raises(RunError, match="is no file"):
        list(sample_streams.by_offset(path, [(0, 1)]))


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_an_archive_of_more_rows_than_bytes_is_refused(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_streams, "MOST_ROWS", 10_000)
    path = tmp_path / f"s.jsonl{ending}"
    for count, refused in ((10_000, False), (20_000, True)):
        data = b'{"doc_id":1}\n' * count
        path.write_bytes(gzip.compress(data) if ending == ".gz" else zstandard.ZstdCompressor().compress(data))
        with pytest.raises(RunError, match="more rows") if refused else nullcontext():
            assert len(read(path).log) == count


def test_places_far_apart_are_read_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of lines here and there no more is read than they hold; of lines that follow one another a window at once."""
    path = tmp_path / "lines"
    path.write_bytes(bytes(range(256)) * 4000)
    taken: list[int] = []
    pread = os.pread

    def counted(handle: int, length: int, offset: int) -> bytes:
        taken.append(length)
        return pread(handle, length, offset)

    monkeypatch.setattr(os, "pread", counted)
    far = [(place, 100) for place in range(5_000, 1_000_000, 10_000)]
    assert list(sample_streams.by_offset(str(path), far)) == [
        path.read_bytes()[start : start + 100] for start, _ in far
    ]
    assert taken == [100] * len(far)
    taken.clear()
    near = [(place, 100) for place in range(0, 1_000_000, 150)]
    assert all(len(part) == 100 for part in sample_streams.by_offset(str(path), near))
    assert len(taken) < 8


def test_of_logs_one_of_which_changed_another_says_how_prompts_were_sent(tmp_path: Path) -> None:
    logs = {}
    for name in ("changed", "whole"):
        (tmp_path / name).write_bytes(line(choice_record(0)))
        logs[name] = read_log(str(tmp_path / name), name, ("none",)).log
    (tmp_path / "changed").write_bytes(line(choice_record(1)) * 2)
    assert chat_seen(logs) is False
