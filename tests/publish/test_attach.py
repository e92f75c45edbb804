"""An attachment still reads in years, is added once, and shows when somebody changed it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from selectolax.lexbor import LexborHTMLParser

from diptych import artifact as hinge
from diptych.comparison import FlipSide
from diptych.errors import DiptychError, LabbookError
from diptych.labbook import read_labbook
from diptych.publish.notebook import BLOCK_LIMIT, HTML_LIMIT, Attached, attach, attachment, verify
from diptych.storage import append_block
from examples_comparison import HOSTILE, comparison, matrix
from examples_decision import decision

ARTIFACTS = [comparison(), decision(), matrix()]
NAMES = {"artifact.json", "report.html", "block.md", "citation.txt", "SHA256SUMS"}
ENTRY = '{"lab": "x", "run_id": "20260101T000000", "stage": "train"}\n'


def put(notebook: Path, artifact: Any = None, **options: Any) -> Attached:
    artifact = artifact or comparison()
    return attach(hinge.dumps(artifact), artifact, str(notebook), **{"date": "2026-01-02", **options})


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_every_kind_of_artifact_is_attached_in_one_folder_named_by_its_digest(artifact: Any, tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    notebook.write_text("# Lab\n\nprose", encoding="utf-8")
    done = put(notebook, artifact)
    folder = Path(done.folder)
    assert done.added
    assert folder == tmp_path / "attachments" / done.digest[:16]
    assert {file.name for file in folder.iterdir()} == NAMES
    assert (folder / "artifact.json").read_text(encoding="utf-8") == hinge.dumps(artifact)
    assert (folder / "report.html").stat().st_size <= HTML_LIMIT
    assert len((folder / "block.md").read_text(encoding="utf-8")) <= BLOCK_LIMIT
    assert notebook.read_text(encoding="utf-8").startswith("# Lab\n\nprose\n\n<!-- diptych:attachment:v1 ")
    assert all(held.good for held in verify(str(folder)))


def test_the_citation_is_one_line_with_digest_and_date(tmp_path: Path) -> None:
    done = put(tmp_path / "labbook.md")
    assert "\n" not in done.citation
    assert done.digest in done.citation
    assert "2026-01-02" in done.citation


def test_doing_it_twice_adds_nothing_and_changes_nothing(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    first = put(notebook)
    before = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}
    second = put(notebook, date="2027-05-05")
    assert (first.added, second.added) == (True, False)
    assert second.citation == first.citation
    assert {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()} == before


WORKER = """
import sys
from diptych import artifact as hinge
from diptych.publish.notebook import attach
from diptych.storage import append_block
notebook, file = sys.argv[1:]
text = open(file, encoding="utf-8").read()
for number in range(5):
    append_block(notebook, f"a line of another, {number}\\n")
    print(attach(text, hinge.loads(text), notebook, date="2026-01-02").added)
"""


def test_many_at_once_add_one_block_and_lose_no_line(tmp_path: Path) -> None:
    notebook, file = tmp_path / "labbook.md", tmp_path / "artifact.json"
    file.write_text(hinge.dumps(matrix()), encoding="utf-8")
    command = [sys.executable, "-c", WORKER, str(notebook), str(file)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = [worker.communicate(timeout=120)[0] for worker in workers]
    assert "".join(said).count("True") == 1
    assert "".join(said).count("False") == 19
    text = notebook.read_text(encoding="utf-8")
    assert text.count("diptych:attachment:v1") == 1
    assert sum(line.startswith("a line of another") for line in text.splitlines()) == 20
    assert all(held.good for held in verify(str(notebook)))


def test_a_notebook_that_ends_in_the_middle_of_a_line_keeps_that_line(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    notebook.write_text("an unfinished line", encoding="utf-8")
    put(notebook)
    assert notebook.read_text(encoding="utf-8").startswith("an unfinished line\n")


def test_the_block_holds_one_record_that_names_its_entry(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    notebook.write_text(ENTRY, encoding="utf-8")
    done = put(notebook, entry="20260101T000000")
    records = read_labbook(notebook).records
    assert [record.fields["run_id"] for record in records] == ["20260101T000000", "20260101T000000"]
    assert records[1].fields["attachment"]["sha256"] == done.digest
    assert read_labbook(notebook).broken == ()
    assert put(notebook).added  # to no entry at all: another attachment
    assert not put(notebook, entry="20260101T000000").added


def test_the_record_that_was_made_from_the_artifact_is_found_by_itself(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    digest = hinge.digest(hinge.dumps(comparison()))
    record = {"lab": "diptych/compare", "run_id": "20260101T111111", "artifact": {"sha256": digest}}
    notebook.write_text(json.dumps(record) + "\n", encoding="utf-8")
    put(notebook)
    assert "Attached to entry `20260101T111111`." in notebook.read_text(encoding="utf-8")


def test_an_entry_that_is_not_there_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    with pytest.raises(LabbookError, match="no notebook"):
        put(notebook, entry="x")
    notebook.write_text(ENTRY, encoding="utf-8")
    with pytest.raises(LabbookError, match="no entry") as caught:
        put(notebook, entry="20269999T000000")
    assert "20260101T000000" in caught.value.hint
    assert notebook.read_text(encoding="utf-8") == ENTRY
    assert list(tmp_path.iterdir()) == [notebook]


def test_the_page_asks_nobody_for_anything_and_runs_nothing() -> None:
    for artifact in ARTIFACTS:
        page = attachment(hinge.dumps(artifact), artifact, date="2026-01-02").files["report.html"]
        tree = LexborHTMLParser(page)
        assert tree.css_first("script, link[rel=stylesheet], img, iframe") is None
        assert "<script>alert" not in page


def test_a_page_that_stands_alone_has_no_link_that_leads_out_of_its_folder_or_nowhere() -> None:
    for artifact in ARTIFACTS:
        page = attachment(hinge.dumps(artifact), artifact, date="2026-01-02").files["report.html"]
        links = [node.attributes["href"] or "" for node in LexborHTMLParser(page).css("a")]
        assert [link for link in links if not link.startswith("#")] == []


def test_the_page_of_a_huge_comparison_is_below_300_kb_and_says_what_it_lacks() -> None:
    whole = comparison()
    side = FlipSide("p" * 4_000, "r" * 4_000, "f" * 400, 0.0)
    flips = tuple(whole.flips[0]._replace(item=str(number), a=side, b=side) for number in range(500))
    metrics = tuple(whole.metrics[number % 8]._replace(task=f"task {number}") for number in range(3_000))
    huge = whole._replace(flips=flips, metrics=metrics)
    made = attachment(hinge.dumps(huge), huge, date="2026-01-02")
    assert len(made.files["report.html"].encode("utf-8")) <= HTML_LIMIT
    assert "this page holds 300 KB" in made.files["report.html"]
    assert json.loads(made.files["artifact.json"])["metrics"][2_999]["task"] == "task 2999"
    assert len(made.files["block.md"]) <= BLOCK_LIMIT


def test_hostile_text_does_not_act_in_the_block_nor_break_the_record() -> None:
    whole = comparison(title=HOSTILE, verdict=comparison().verdict._replace(sentence=HOSTILE))
    made = attachment(hinge.dumps(whole), whole, date="2026-01-02", entry=HOSTILE)
    tree = LexborHTMLParser(
        cmarkgfm.github_flavored_markdown_to_html(made.block, cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE)
    )
    assert tree.css_first("script, img, em, del") is None
    assert {node.attributes["href"].split("/")[0] for node in tree.css("a")} == {"attachments"}  # type: ignore[union-attr]
    assert json.loads(made.block.splitlines()[-1])["run_id"] == HOSTILE
    assert "\n" not in made.citation


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_file_that_was_changed_or_went_is_named(name: str, tmp_path: Path) -> None:
    folder = Path(put(tmp_path / "labbook.md").folder)
    (folder / name).write_text("something else", encoding="utf-8")
    assert not all(held.good for held in verify(str(folder)))
    (folder / name).unlink()
    bad = [held.name for held in verify(str(folder)) if not held.good]
    assert name in bad


def test_an_artifact_that_was_exchanged_with_its_sums_is_told_by_the_folder_and_the_notebook(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    folder = Path(put(notebook).folder)
    other = attachment(hinge.dumps(matrix()), matrix(), date="2026-01-02")
    for name, content in other.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    for path in (folder, folder / "report.html", notebook):
        assert [held.good for held in verify(str(path))].count(False) == 1


def test_a_notebook_is_held_with_all_its_attachments(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    for artifact in ARTIFACTS:
        put(notebook, artifact)
    held = verify(str(notebook))
    assert len(held) == 3 * (len(NAMES) - 1 + 1)
    assert all(one.good for one in held)
    shutil.rmtree(tmp_path / "attachments")
    assert not any(one.good for one in verify(str(notebook)))


def test_a_notebook_without_attachments_is_an_error(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    notebook.write_text(ENTRY, encoding="utf-8")
    with pytest.raises(LabbookError, match="nothing is attached"):
        verify(str(notebook))


def test_an_artifact_of_an_older_schema_renders_and_says_which_version_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgrade(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "schema": hinge.COMPARISON_SCHEMA, "title": body["headline"]}

    monkeypatch.setattr(hinge, "UPGRADES", {"diptych/comparison/0": upgrade})
    body = json.loads(hinge.dumps(comparison()))
    old = {**body, "schema": "diptych/comparison/0", "headline": body.pop("title")}
    old["provenance"]["diptych_version"] = "0.0.7"
    text = json.dumps(old)
    done = attach(text, hinge.loads(text), str(tmp_path / "labbook.md"), date="2026-01-02")
    assert "Chat template and shots" in (Path(done.folder) / "report.html").read_text(encoding="utf-8")
    said = [held.said for held in verify(done.folder) if held.name == "artifact.json"]
    assert "diptych/comparison/0, made by diptych 0.0.7, read as diptych/comparison/1" in said


def test_a_folder_without_room_leaves_the_notebook_as_it_was(tmp_path: Path) -> None:
    notebook = tmp_path / "labbook.md"
    notebook.write_text(ENTRY, encoding="utf-8")
    (tmp_path / "attachments").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(DiptychError, match="cannot be written"):
        put(notebook)
    assert notebook.read_text(encoding="utf-8") == ENTRY


def test_nothing_is_written_through_a_link_and_no_pipe_is_waited_on(tmp_path: Path) -> None:
    notebook, mine = tmp_path / "labbook.md", tmp_path / "mine.html"
    folder = tmp_path / "attachments" / hinge.digest(hinge.dumps(comparison()))[:16]
    folder.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    (folder / "report.html").symlink_to(mine)
    with pytest.raises(LabbookError, match="is a link"):
        put(notebook)
    assert mine.read_text(encoding="utf-8") == "mine"
    (folder / "report.html").unlink()
    os.mkfifo(folder / "artifact.json")
    with pytest.raises(DiptychError, match="is no file"):
        put(notebook)
    assert [held.said for held in verify(str(folder)) if held.name == "artifact.json"][-1] == "is no file"
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(DiptychError, match="is no file"):
        put(tmp_path / "pipe.md")
    assert not notebook.exists()


def test_a_few_digits_of_a_digest_prove_nothing(tmp_path: Path) -> None:
    done = put(tmp_path / "labbook.md")
    short = tmp_path / "attachments" / done.digest[:3]
    shutil.copytree(done.folder, short)
    notebook = tmp_path / "other.md"
    notebook.write_text(json.dumps({"attachment": {"sha256": short.name}}), encoding="utf-8")
    for path in (short, notebook):
        assert not all(held.good for held in verify(str(path)))


def test_sums_that_name_a_file_again_and_again_are_held_once(tmp_path: Path) -> None:
    folder = Path(put(tmp_path / "labbook.md").folder)
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text(encoding="utf-8") + f"{'0' * 64}  artifact.json\n{'0' * 64}  ..\n" * 1_000)
    assert len(verify(str(folder))) == 5


def test_a_block_is_appended_only_where_its_mark_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert append_block(path, "one\n", unless="one")
    assert not append_block(path, "one\n", unless="one")
    assert append_block(path, "two", unless="three")
    assert append_block(path, "four\n")
    assert path.read_text(encoding="utf-8") == "one\ntwo\nfour\n"
