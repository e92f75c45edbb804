"""An archive: a plan as a dict, all its links, and a folder in which only what changed is written."""

import json
import os
import posixpath
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from diptych import artifact
from diptych.batch.executor import Processes
from diptych.cli import main
from diptych.errors import ArtifactError, DiptychError
from diptych.publish import archive_folder
from diptych.publish.archive import build
from diptych.publish.archive_list import LIST_FILE
from diptych.publish.archive_sources import Entry, read_pages, read_sources
from diptych.publish.archive_stamp import STAMP
from diptych.publish.build import build_archive
from diptych.publish.kept_summaries import kept_summary, packed
from diptych.report.addresses import page_of
from diptych.report.documents.summaries import Failure, Site
from diptych.report.documents.summarise import summarise
from examples_comparison import HOSTILE, comparison, header, matrix
from examples_decision import decision
from planned_archive import entry_of, files_in, plan_archive, write_archive


def entries(count: int = 1) -> list[Entry]:
    """Return a decision, a matrix and some comparisons, as their files would hold them."""
    found = [entry_of("decision.json", artifact.dumps(decision())), entry_of("matrix.json", artifact.dumps(matrix()))]
    for number in range(count):
        one = comparison(id=f"{number:012x}", title=f"Comparison {number}")
        found.append(entry_of(f"c{number}.json", artifact.dumps(one)))
    return found


class Links(HTMLParser):
    """Collects what a page links to and the ids that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and tag != "base":
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")


def pages_of(plan: dict[str, str]) -> dict[str, Links]:
    return {path: Links(text) for path, text in plan.items() if path.endswith(".html")}


def broken_links(plan: dict[str, str]) -> list[str]:
    """Return every link of a plan that leads nowhere inside it, or out of it."""
    pages = pages_of(plan)
    broken = []
    for page, found in pages.items():
        for link in found.links:
            target, _, fragment = link.partition("#")
            if target.startswith("data:"):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(target))) if target else page
            if path not in plan:
                broken.append(f"{page}: {link}")
            elif fragment and path in pages and unquote(fragment) not in pages[path].ids:
                broken.append(f"{page}: {link} (no such place)")
    return broken


def test_every_link_of_an_archive_leads_to_a_page_of_it() -> None:
    pages = (("1-first", "# First\n\nSee [second](second.md) and [words](../index.html)."), ("second", "# Second"))
    plan = plan_archive([*entries(3), Failure("broken", "no results")], Site(pages=pages))
    assert broken_links(plan) == []
    assert len(pages_of(plan)) > 15


def test_an_artifact_stands_where_a_comment_will_link_to() -> None:
    plan = plan_archive(entries())
    for one in (decision(), matrix(), comparison(id="000000000000", title="Comparison 0")):
        assert page_of(one) in plan


def test_no_page_asks_anybody_for_anything() -> None:
    plan = plan_archive(entries(2))
    for page, found in pages_of(plan).items():
        assert [link for link in found.links if "//" in link and not link.startswith("data:")] == [], page
        assert not {"iframe", "object", "embed", "base"} & set(found.tags), page


def test_ids_are_unique_on_every_page() -> None:
    for page, found in pages_of(plan_archive(entries(2))).items():
        assert len(found.ids) == len(set(found.ids)), page


def test_a_failed_job_is_told_on_the_first_page_with_what_to_do() -> None:
    failure = Failure("Quantisation", "no results file in it", "runs/q4_0", "run the harness first", earlier=True)
    first = plan_archive([*entries(), failure])["index.html"]
    for text in ("Quantisation", "no results file in it", "runs/q4_0", "run the harness first", "an earlier batch"):
        assert text in first


def test_a_file_that_is_no_artifact_fails_alone() -> None:
    plan = plan_archive([*entries(), entry_of("cut.json", '{"schema": ')])
    assert "cut.json" in plan["index.html"]
    assert any(path.startswith("decisions/") for path in plan)


@pytest.mark.parametrize("kind", ["decision", "comparison", "matrix"])
def test_hostile_text_is_shown_and_never_obeyed(kind: str) -> None:
    made = {
        "decision": decision(title=HOSTILE, routes=tuple(r._replace(model=HOSTILE) for r in decision().routes)),
        "comparison": comparison(title=HOSTILE, a=header(HOSTILE, "2025-11-01T10:00:01", model=HOSTILE)),
        "matrix": matrix(title=HOSTILE),
    }[kind]
    failure = Failure(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    site = Site(title=HOSTILE, description=HOSTILE, pages=((HOSTILE, f"# {HOSTILE}\n\n{HOSTILE}"),))
    plan = plan_archive([entry_of("x.json", artifact.dumps(made)), failure], site)
    for page, found in pages_of(plan).items():
        scripts = plan[page].count("<script")
        assert scripts == plan[page].count("<script src="), page
        assert "img" not in found.tags, page
        assert "\u202e" not in plan[page], page
        assert "\x1b" not in plan[page], page
        assert not any(link.startswith("javascript:") for link in found.links), page
    for path in plan:
        assert all(part.strip(".") and part.isascii() and part.isprintable() for part in path.split("/")), path
    for path, text in plan.items():
        if path.endswith((".svg", ".xml")):
            ElementTree.fromstring(text)


def test_the_same_artifacts_in_another_order_give_the_same_archive() -> None:
    assert plan_archive(entries(3)) == plan_archive(entries(3)[::-1])


def test_two_comparisons_of_the_same_runs_do_not_share_a_folder() -> None:
    one = comparison()
    other = one._replace(settings_equal=1)
    plan = plan_archive([entry_of("a.json", artifact.dumps(one)), entry_of("b.json", artifact.dumps(other))])
    assert page_of(one) in plan
    assert page_of(one).replace("/index", "-2/index") in plan


def test_a_long_list_is_cut_into_pages_and_keeps_a_search_over_all() -> None:
    small = decision(judges=(), judge=None, plots=(), tasks=(), agreement=())
    many = [small._replace(id=f"{number:012x}", title=f"Number {number}") for number in range(201)]
    plan = plan_archive([entry_of(f"{one.id}.json", artifact.dumps(one)) for one in many])
    assert plan["index.html"].count('scope="row"') == 200
    assert plan["page-2/index.html"].count('scope="row"') == 1
    rows = json.loads(plan["index-data.js"].removeprefix("window.DIPTYCH_INDEX = ").rstrip().rstrip(";"))
    assert len(rows) == 201
    assert {row["href"] for row in rows} == {page_of(one) for one in many}
    assert '"../page-2' not in plan["index.html"]
    assert 'href="../index.html"' in plan["page-2/index.html"]
    assert 'src="../index-data.js"' in plan["page-2/index.html"]


def test_search_machines_are_asked_to_stay_away() -> None:
    plan = plan_archive(entries())
    assert "Disallow: /" in plan["robots.txt"]
    assert '<meta name="robots" content="noindex">' in plan["index.html"]
    assert "sitemap.xml" not in plan
    there = plan_archive(entries(), site=Site(base_url="https://example.org/runs/"))
    assert "<loc>https://example.org/runs/index.html</loc>" in there["sitemap.xml"]


def test_two_artifacts_of_one_id_have_a_folder_each_also_where_an_id_is_not_known_before() -> None:
    texts = [artifact.dumps(comparison(id="0" * 12, settings_equal=number)) for number in (1, 2)]
    texts[1] = json.dumps(json.loads(texts[1]))  # its id has no line of its own
    plan = plan_archive([entry_of("a.json", texts[0]), entry_of("b.json", texts[1])])
    assert sorted(text for path, text in plan.items() if path.endswith("/artifact.json")) == sorted(texts)


def test_building_twice_writes_nothing_and_loads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build(entries(2), tmp_path / "site")
    monkeypatch.setattr("diptych.publish.archive_work.hinge.loads", None)  # a second build that loads would call None
    again = build(entries(2), tmp_path / "site")
    assert (again.written, again.removed, again.unchanged) == (0, 0, first.written)
    assert again.artifacts == 4


def test_what_another_version_kept_is_not_trusted(tmp_path: Path) -> None:
    build(entries(1), tmp_path)
    body = json.loads((tmp_path / LIST_FILE).read_text())
    body["maker"] = "an older version"
    for text, *runs in body["summaries"].values():
        kept = kept_summary((text, *(body["shared"][place] for place in runs)))
        body["summaries"] = {
            digest: [packed(kept._replace(title="an older title"))[0], *row[1:]]
            for digest, row in body["summaries"].items()
        }
    body["whole"] = ""
    (tmp_path / LIST_FILE).write_text(json.dumps(body))
    build(entries(1), tmp_path)
    assert "an older title" not in (tmp_path / "index.html").read_text()


def test_a_new_artifact_draws_its_own_pages_and_the_shared_ones(tmp_path: Path) -> None:
    build(entries(1), tmp_path)
    old = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("index.html") if "decisions" in path.parts}
    more = build(entries(2), tmp_path)
    assert 0 < more.written < more.unchanged
    assert {path: path.stat().st_mtime_ns for path in old} == old


def test_what_a_build_writes_is_what_the_plan_says(tmp_path: Path) -> None:
    build([*entries(2), Failure("x", "y")], tmp_path)
    build([*entries(1), Failure("x", "y")], tmp_path)
    plan = plan_archive([*entries(1), Failure("x", "y")])
    there = {
        str(path.relative_to(tmp_path)): path.read_text(encoding="utf-8")
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name != LIST_FILE
    }
    assert there == plan


def test_pages_whose_source_is_gone_are_removed_with_their_folders_and_nothing_else(tmp_path: Path) -> None:
    build(entries(2), tmp_path)
    (tmp_path / "CNAME").write_text("example.org")
    (gone,) = [path for path in (tmp_path / "comparisons").iterdir() if "comparison-1" in path.name]
    (gone / "note.txt").write_text("mine")
    (other,) = [path for path in (tmp_path / "comparisons").iterdir() if "comparison-0" in path.name]
    built = build(entries(0), tmp_path)
    assert built.removed > 0
    assert not other.exists()
    assert [path.name for path in gone.iterdir()] == ["note.txt"]
    assert (tmp_path / "CNAME").read_text() == "example.org"


def test_a_page_that_was_deleted_or_cut_is_written_again(tmp_path: Path) -> None:
    build(entries(), tmp_path)
    (page,) = (tmp_path / "decisions").glob("*/index.html")
    text = page.read_text()
    page.unlink()
    assert build(entries(), tmp_path).written == 1
    page.write_text(text[:100])
    assert build(entries(), tmp_path).written == 1
    assert page.read_text() == text


def test_a_folder_that_is_not_an_archive_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(DiptychError, match="holds other files") as error:
        build(entries(), tmp_path)
    assert error.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_build_that_was_killed_half_way_can_go_on_in_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = archive_folder.storage.write_bytes
    calls = []

    def stopping(path: str, data: bytes, *, durable: bool = True) -> bool:
        calls.append(path)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return written(path, data, durable=durable)

    monkeypatch.setattr(archive_folder.storage, "write_bytes", stopping)
    with pytest.raises(KeyboardInterrupt):
        build(entries(), tmp_path)
    monkeypatch.undo()
    build(entries(), tmp_path)
    assert (tmp_path / "index.html").is_file()


@pytest.mark.parametrize("path", ["../out.html", "/etc/x.html", "a/../../x.html", "", "a//b.html", "a/./b.html"])
def test_a_path_that_leads_out_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(DiptychError, match="not a path inside"):
        write_archive({path: "x"}, tmp_path / "site")
    assert [item.name for item in tmp_path.iterdir()] == ["site"]


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    write_archive({"index.html": "x"}, site)
    (site / "runs").symlink_to(outside)
    with pytest.raises(DiptychError, match="leads out"):
        write_archive({"runs/index.html": "x"}, site)
    assert list(outside.iterdir()) == []


def test_a_kept_summary_that_was_damaged_is_drawn_again(tmp_path: Path) -> None:
    source = tmp_path / "one.json"
    source.write_text(artifact.dumps(comparison()), encoding="utf-8")
    build_archive([str(source)], str(tmp_path / "site"))
    listed = tmp_path / "site" / LIST_FILE
    body = json.loads(listed.read_text())
    for damage in ("AAAA", "A", "²"):
        broken = {
            "summaries": {digest: [text[:-9] + damage, *runs] for digest, (text, *runs) in body["summaries"].items()},
            "shared": [text[:-9] + damage for text in body["shared"]],
        }
        for name, texts in broken.items():
            listed.write_text(json.dumps({**body, name: texts, "whole": "other"}))
            (tmp_path / "site" / STAMP).unlink(missing_ok=True)  # a slow machine has written one
            assert build_archive([str(source)], str(tmp_path / "site"))
            assert json.loads(listed.read_text())[name] == body[name]


def test_a_run_that_artifacts_share_is_kept_once(tmp_path: Path) -> None:
    build(entries(3), tmp_path)
    body = json.loads((tmp_path / LIST_FILE).read_text())
    assert len(set(body["shared"])) == len(body["shared"]) < sum(len(row) - 1 for row in body["summaries"].values())


def test_a_run_is_the_same_text_in_whatever_order_an_artifact_lists_its_scores() -> None:
    one = comparison()
    other = one._replace(metrics=tuple(reversed(one.metrics)))
    assert packed(summarise(one))[2:] == packed(summarise(other))[2:]


def test_a_list_file_of_the_version_before_still_tells_which_pages_are_ours(tmp_path: Path) -> None:
    build(entries(), tmp_path)
    body = json.loads((tmp_path / LIST_FILE).read_text())
    whole = {"x": ["k", {"old/index.html": 3}]}
    (tmp_path / LIST_FILE).write_text(json.dumps({**body, "schema": "diptych/archive/3", "maker": "", "pieces": whole}))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "index.html").write_text("old")
    assert build(entries(), tmp_path).removed == 1
    assert not (tmp_path / "old").exists()


def test_a_list_file_that_is_damaged_costs_a_redraw_and_no_page(tmp_path: Path) -> None:
    build(entries(), tmp_path)
    (tmp_path / LIST_FILE).write_text('{"schema": "diptych/archive/4", "pieces"')
    again = build(entries(), tmp_path)
    assert again.written == 0
    assert again.unchanged > 10


def test_sources_are_artifacts_notes_of_failures_and_folders_of_both(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(artifact.dumps(decision()))
    note = {"title": "Bad one", "message": "no samples", "where": "runs/b:3", "hint": "log them"}
    (tmp_path / "bad.failed.json").write_text(json.dumps(note))
    (tmp_path / ".state").mkdir()
    (tmp_path / ".state" / "good.json").write_text("{}")
    bad, good, never = read_sources([tmp_path, tmp_path / "never"])
    assert good == Entry("good.json", str(tmp_path / "good.json"))
    assert bad == Failure("Bad one", "no samples", "runs/b:3", "log them")
    assert isinstance(never, Failure)
    assert never.label == "never"
    assert "diptych batch" in never.hint


def test_one_call_builds_from_files_and_says_what_it_did(tmp_path: Path) -> None:
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "1-how.md").write_text("# How to read\n\ntext")
    (tmp_path / "artifacts" / "one.json").write_text(artifact.dumps(decision()))
    sources = [tmp_path / "artifacts" / "one", tmp_path / "artifacts" / "two"]
    told = build_archive(sources, tmp_path / "site", title="Mine", pages=tmp_path / "pages")
    assert told.said.startswith("1 artifact")
    assert told.said.endswith("1 could not be shown")
    assert "How to read" in (tmp_path / "site" / "manual" / "how" / "index.html").read_text()
    assert "has not been made yet" in (tmp_path / "site" / "index.html").read_text()


def test_a_build_date_comes_from_the_environment_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undated = decision(routes=tuple(route._replace(by_stage=()) for route in decision().routes))
    (tmp_path / "one.json").write_text(artifact.dumps(undated))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    build_archive([tmp_path / "one"], tmp_path / "site")
    assert "<updated>1970-01-01T00:00:00Z</updated>" in (tmp_path / "site" / "feed.xml").read_text()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    build_archive([tmp_path / "one"], tmp_path / "site")
    assert "<updated>2026-01-01T00:00:00Z</updated>" in (tmp_path / "site" / "feed.xml").read_text()


def test_an_archive_lies_where_it_is_told_through_a_link_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    os.symlink(tmp_path / "real", tmp_path / "site")
    build(entries(0), tmp_path / "site")
    assert (tmp_path / "real" / "index.html").is_file()


def test_a_build_that_would_remove_most_of_an_archive_asks_first(tmp_path: Path) -> None:
    build(entries(8), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    with pytest.raises(DiptychError, match="would remove") as error:
        build(entries(0), tmp_path)
    assert "--prune" in error.value.hint
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before
    assert build(entries(6), tmp_path).removed > 0
    assert build(entries(0), tmp_path, prune=True).removed > 0


@pytest.mark.parametrize("left", [5, 4, 3])
def test_every_file_that_would_go_is_counted_before_a_build_removes_it(left: int, tmp_path: Path) -> None:
    many = []
    for number in range(8):
        runs = [header(f"{side}{number}", f"2025-11-{number + 1:02}T10:00:0{side}.5") for side in (1, 2)]
        made = comparison(id=f"{number:012x}", title=f"Comparison {number}", a=runs[0], b=runs[1])
        many.append(entry_of(f"c{number}.json", artifact.dumps(made)))
    files = build(many, tmp_path / "asked").written
    build(many, tmp_path / "told")
    gone = build(many[:left], tmp_path / "told", prune=True).removed
    if 2 * gone > files:
        with pytest.raises(DiptychError, match=f"would remove {gone} of the {files} files"):
            build(many[:left], tmp_path / "asked")
    else:
        assert build(many[:left], tmp_path / "asked").removed == gone


def test_pages_of_a_first_build_that_was_killed_go_with_the_next(tmp_path: Path) -> None:
    archive_folder.note_down(str(tmp_path), ("old/index.html", "old/deep/page.html", "../outside.html"))
    (tmp_path / LIST_FILE).write_text("{}")
    for name in ("old/index.html", "old/deep/page.html", "mine.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / ".index.html.0123456789ab.draft").write_text("half")
    build(entries(), tmp_path)
    assert not (tmp_path / "old").exists()
    assert (tmp_path / "mine.html").exists()
    assert not list(tmp_path.rglob("*.draft"))
    assert not (tmp_path / archive_folder.JOURNAL).exists()


def test_a_folder_that_holds_a_killed_build_s_draft_alone_can_be_built_in(tmp_path: Path) -> None:
    (tmp_path / f".{LIST_FILE}.0123456789ab.draft").write_text("{")
    build(entries(), tmp_path)
    assert (tmp_path / "index.html").is_file()


def test_a_list_file_that_names_what_is_outside_removes_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    site = tmp_path / "site"
    site.mkdir()
    listed = {"schema": "diptych/archive/4", "maker": "", "summaries": {}, "pieces": {"x": ["k", {"../mine": 1}]}}
    (site / LIST_FILE).write_text(json.dumps(listed))
    build(entries(), site)
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize("source", ["typo", "typo.json", "empty", "notes.txt"])
def test_no_sources_is_an_error_and_removes_nothing(tmp_path: Path, source: str) -> None:
    (tmp_path / "one.json").write_text(artifact.dumps(decision()))
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    runner, site = CliRunner(), tmp_path / "site"
    assert runner.invoke(main, ["build", str(tmp_path / "one.json"), "--out", str(site)]).exit_code == 0
    before = sorted(site.rglob("*"))
    ran = runner.invoke(main, ["build", str(tmp_path / source), "--out", str(site)])
    assert (ran.exit_code, "hint" in ran.output) == (1, True)
    assert sorted(site.rglob("*")) == before


def test_an_artifact_that_is_damaged_is_named_with_exit_code_5_and_all_else_is_built(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "one.json").write_text(artifact.dumps(decision()))
    (tmp_path / "made" / "cut.json").write_text(artifact.dumps(comparison())[:2000])
    (tmp_path / "made" / "odd.json").write_bytes(artifact.dumps(comparison()).encode("utf-16"))
    for file in (tmp_path / "made").iterdir():
        os.utime(file, (1e9, 1e9))  # long ago: the second build finds all as the first has left it
    for _ in range(2):
        ran = CliRunner().invoke(main, ["build", str(tmp_path / "made"), "--out", str(tmp_path / "site"), "--quiet"])
        assert (ran.exit_code, "cut.json could not be shown: cut.json:" in ran.stderr) == (5, True)
    page = (tmp_path / "site" / "index.html").read_text()
    assert "not JSON" in page
    assert "not UTF-8 text" in page
    assert list((tmp_path / "site" / "decisions").rglob("index.html"))


def test_an_artifact_beside_a_folder_of_its_name_is_the_artifact(tmp_path: Path) -> None:
    (tmp_path / "ab.json").write_text(artifact.dumps(decision()))
    (tmp_path / "ab").mkdir()
    assert list(read_sources([tmp_path / "ab.json"])) == [Entry("ab.json", str(tmp_path / "ab.json"))]


@pytest.mark.parametrize("place", ["s3://bucket/x", "gs://a/b", "https://host/x", "file:///tmp/x"])
def test_an_address_is_no_folder(tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.json").write_text(artifact.dumps(decision()))
    ran = CliRunner().invoke(main, ["build", "one.json", "--out", place])
    assert (ran.exit_code, "is an address" in ran.output) == (1, True)
    assert os.listdir(tmp_path) == ["one.json"]


def test_an_archive_has_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    (tmp_path / "artifacts").mkdir()
    for number in range(18):  # more than one worker is given at a time
        one = comparison(id=f"{number:012x}", title=f"Comparison {number}", flips=(), prompts=())
        (tmp_path / "artifacts" / f"{number}.json").write_text(artifact.dumps(one))
    twin = comparison(id=f"{3:012x}", title="Comparison 3", flips=(), prompts=(), settings_equal=1)
    (tmp_path / "artifacts" / "3-twin.json").write_text(artifact.dumps(twin))
    (tmp_path / "artifacts" / "broken.json").write_text("{")
    several = build(read_sources([tmp_path / "artifacts"]), tmp_path / "several", executor=Processes(2))
    assert several == build(read_sources([tmp_path / "artifacts"]), tmp_path / "one")
    assert files_in(tmp_path / "several") == files_in(tmp_path / "one")
    assert (tmp_path / "several" / LIST_FILE).read_text() == (tmp_path / "one" / LIST_FILE).read_text()


def test_where_nothing_changed_no_page_is_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = build(entries(2), tmp_path)
    monkeypatch.setattr("diptych.publish.archive.shared_work", None)  # whoever plans a page would call None
    assert build(entries(2), tmp_path) == built._replace(written=0, unchanged=built.written + built.unchanged)


def aged(*files: Path) -> None:
    """Let files be as old as those of a usual build are."""
    for file in files:
        os.utime(file, (1_700_000_000, 1_700_000_000))


def told_and_looked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, bool]:
    """Build the artifacts of a folder; return what was said, and whether a content was looked at."""
    looked: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(
            "diptych.publish.archive_sources.read_sources", lambda given: looked.append(given) or sources(given)
        )
        return build_archive([folder / "artifacts"], folder / "site").said, bool(looked)


sources = read_sources


def test_where_nothing_has_changed_no_artifact_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "artifacts").mkdir()
    file = tmp_path / "artifacts" / "one.json"
    file.write_text(artifact.dumps(decision()))
    aged(file, tmp_path / "artifacts")
    first, looked = told_and_looked(tmp_path, monkeypatch)
    assert looked
    again, looked = told_and_looked(tmp_path, monkeypatch)
    assert not looked
    assert again == f"1 artifacts: 0 files written, {first.split()[2]} unchanged"


@pytest.mark.parametrize("what", ["edited", "added", "removed", "page", "killed", "asked"])
def test_whatever_changes_is_seen_before_the_contents_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    (tmp_path / "artifacts").mkdir()
    file = tmp_path / "artifacts" / "one.json"
    file.write_text(artifact.dumps(decision()))
    aged(file, tmp_path / "artifacts")
    told_and_looked(tmp_path, monkeypatch)
    match what:
        case "edited":  # to a text of the same size, with the old time
            file.write_text(file.read_text()[::-1])
            aged(file)
        case "added":
            (file.parent / "two.json").write_text("{}")
        case "removed":
            file.unlink()
            (file.parent / "two.failed.json").write_text("{}")
        case "page":
            (tmp_path / "site" / "index.html").write_text("")
        case "killed":
            (tmp_path / "site" / ".diptych-archive.journal").write_text("")
        case "asked":
            monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    assert told_and_looked(tmp_path, monkeypatch)[1]


def test_pages_of_a_manual_follow_their_numbers(tmp_path: Path) -> None:
    for name in ("10-last", "2-second", "1-first", "notes"):
        (tmp_path / f"{name}.md").write_text("# Page\n")
    assert [name for name, _ in read_pages(tmp_path)] == ["1-first", "2-second", "10-last", "notes"]


@pytest.mark.parametrize(
    "address", ["https://a.example/x\nDisallow: /", "javascript:alert(1)", "https://a b", "a.example"]
)
def test_an_archive_is_published_under_an_address_or_not_at_all(tmp_path: Path, address: str) -> None:
    (tmp_path / "ab.json").write_text(artifact.dumps(comparison()))
    with pytest.raises(ArtifactError, match="base_url is not an http address"):
        build_archive([tmp_path / "ab.json"], tmp_path / "site", base_url=address)
    assert not (tmp_path / "site").exists()
