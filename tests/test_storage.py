"""Files are written whole or not at all, and a line that is appended is never torn or lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diptych import storage
from diptych.errors import DiptychError
from diptych.storage import append_line, read_text, sha256, sha256_file, write_text


def test_a_file_is_written_only_where_its_text_changed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    assert write_text(path, "one\n")
    before = path.stat().st_mtime_ns
    assert not write_text(path, "one\n")
    assert path.stat().st_mtime_ns == before
    assert write_text(path, "two\n")
    assert path.read_text() == "two\n"


def test_a_file_that_comes_in_parts_is_written_only_where_its_bytes_changed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    assert storage.replace_file(str(path), iter([b"one", b"two"]), keep_same=True)
    before = path.stat().st_ino
    assert not storage.replace_file(str(path), iter([b"on", b"etwo"]), keep_same=True)
    assert path.stat().st_ino == before
    assert storage.replace_file(str(path), iter([b"other"]), keep_same=True)
    assert path.read_bytes() == b"other"
    assert os.listdir(path.parent) == ["a.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    folder = tmp_path / "target"
    folder.mkdir()
    with pytest.raises(DiptychError) as caught:
        write_text(folder, "a folder is no file")
    assert "cannot be written" in str(caught.value)
    assert os.listdir(tmp_path) == ["target"]


def test_a_byte_order_mark_is_dropped_and_other_bytes_are_named_by_place(tmp_path: Path) -> None:
    (tmp_path / "bom").write_bytes(b"\xef\xbb\xbfhello")
    assert read_text(tmp_path / "bom") == "hello"
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    with pytest.raises(DiptychError) as caught:
        read_text(tmp_path / "latin")
    assert caught.value.where.endswith("latin@3")


def test_a_missing_file_says_which(tmp_path: Path) -> None:
    with pytest.raises(DiptychError) as caught:
        read_text(tmp_path / "none")
    assert str(tmp_path / "none") in str(caught.value)


def test_a_file_read_in_blocks_has_the_digest_of_its_bytes(tmp_path: Path) -> None:
    data = bytes(range(256)) * 5000
    (tmp_path / "data").write_bytes(data)
    assert sha256_file(tmp_path / "data") == sha256(data)


def test_a_line_appended_after_a_torn_one_stands_on_its_own(tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text('{"cut off')
    append_line(path, '{"whole": true}')
    assert path.read_text() == '{"cut off\n{"whole": true}\n'


APPENDER = """
import sys
from diptych.storage import append_line
for number in range(200):
    append_line(sys.argv[1], f"{sys.argv[2]}-{number} " + "x" * 5000)
"""


@pytest.mark.slow
def test_two_processes_that_append_at_once_lose_and_tear_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "book.md")
    workers = [subprocess.Popen([sys.executable, "-c", APPENDER, path, name]) for name in "ab"]
    assert [worker.wait() for worker in workers] == [0, 0]
    lines = Path(path).read_text().splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(f"{n}-{i}" for n in "ab" for i in range(200))
    assert {len(line.split()[1]) for line in lines} == {5000}


def test_what_is_no_file_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert write_text(pipe, "whole")
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_device_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LARGEST", 1_000)
    with pytest.raises(DiptychError, match="no end of bytes"):
        storage.read_bytes("/dev/zero")


def test_a_file_beyond_all_size_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with open(tmp_path / "results.json", "wb") as hollow:
        hollow.truncate(1 << 40)
    with pytest.raises(DiptychError, match="more than 256 MB"):
        storage.read_bytes(tmp_path / "results.json")


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.json"
    write_text(target, "one")
    target.chmod(0o640)
    (tmp_path / "link.json").symlink_to(target)
    assert write_text(tmp_path / "link.json", "two")
    assert (tmp_path / "link.json").is_symlink()
    assert target.read_text() == "two"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    write_text(tmp_path / "ours", "x")
    (tmp_path / "theirs").write_text("x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_what_a_killed_write_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    names = [storage.draft_of(str(tmp_path / "deep" / "a.txt")) for _ in range(2)]
    assert names[0] != names[1]
    for path in (*map(Path, names), tmp_path / "mine.draft", tmp_path / ".hidden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    storage.remove_drafts(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [".hidden", "mine.draft"]


def test_one_writer_holds_a_place_and_the_next_is_told(tmp_path: Path) -> None:
    place = tmp_path / "deep" / ".lock"
    code = (
        "import sys, time; from diptych.storage import locked\n"
        "with locked(sys.argv[1]):\n  print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(place)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(DiptychError, match="somebody else is writing here"), storage.locked(place, wait=0.1):
            raise AssertionError("never reached")
        other.kill()
    with storage.locked(place, wait=60):
        assert place.exists()
    assert not place.exists()


def test_a_place_whose_name_is_too_long_to_lock_is_a_mendable_error(tmp_path: Path) -> None:
    for place in (tmp_path / ("x" * 5000) / ".lock", tmp_path / ("x" * 300)):
        with pytest.raises(DiptychError, match="cannot be written"), storage.locked(place):
            raise AssertionError("never reached")


def test_what_fails_under_a_lock_is_not_laid_on_the_lock(tmp_path: Path) -> None:
    with pytest.raises(PermissionError, match="inside"), storage.locked(tmp_path / ".lock"):
        raise PermissionError("inside")
    with storage.locked(tmp_path / ".lock", wait=0.1):
        assert (tmp_path / ".lock").exists()


def test_a_path_that_no_system_takes_is_a_mendable_error(tmp_path: Path) -> None:
    with pytest.raises(DiptychError, match="cannot be"):
        write_text(f"{tmp_path}/a\0b", "x")
    with pytest.raises(DiptychError, match="cannot be"):
        read_text(f"{tmp_path}/a\0b")


def test_a_folder_that_cannot_be_made_below_missing_ones_is_said_by_name(tmp_path: Path) -> None:
    with pytest.raises(DiptychError, match="x" * 300):
        storage.make_folder(str(tmp_path / "missing" / ("x" * 300)))
