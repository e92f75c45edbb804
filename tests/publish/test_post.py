"""One comment stays one, whoever writes at the same time, and an older commit never sets it back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diptych.errors import ForgeError
from diptych.publish.ci_environment import checked_state, forge_of, posting_target
from diptych.publish.forge_apis import DIALECTS
from diptych.publish.forges import Target
from diptych.publish.post import FORKS, Mark, Posted, Stamp, comment_key, keep, marker, older, post, read_marker
from forge.loopback import Forge, serving

KEY = comment_key("evaluation")


@pytest.fixture(params=tuple(DIALECTS))
def forge(request: pytest.FixtureRequest) -> Iterator[Forge]:
    with serving(Forge(request.param)) as served:
        yield served


def body(text: str, key: str = KEY, what: str = "aa", **stamp: Any) -> str:
    return f"{marker(Mark(key, what, Stamp(**stamp)))}\n\n{text}\n"


def send(forge: Forge, text: str, token: str = "writer", **options: Any) -> Posted:
    target = Target(forge.kind, forge.address, "o/r", 7, token)
    return post(text, target, sleep=lambda wait: None, **options)


def texts(forge: Forge) -> list[str]:
    return [entry.split("\n\n", 1)[-1].strip() for entry in forge.bodies()]


def test_the_first_comment_is_written_and_the_second_changes_it(forge: Forge) -> None:
    assert send(forge, body("one", run=1)).action == "created"
    assert send(forge, body("two", run=2)).action == "updated"
    assert texts(forge) == ["two"]


def test_our_comment_is_found_on_a_late_page(forge: Forge) -> None:
    for number in range(102):
        forge.write(f"remark {number}", "somebody")
    ours = forge.write(body("one"))
    for number in range(102):
        forge.write(f"more {number}", "somebody")
    assert send(forge, body("two")).action == "updated"
    assert next(entry["body"] for entry in forge.comments if entry["id"] == ours) == body("two")


def test_each_key_has_its_own_comment(forge: Forge) -> None:
    send(forge, body("small", key=comment_key("small")))
    send(forge, body("large", key=comment_key("large")))
    send(forge, body("small again", key=comment_key("small")))
    assert texts(forge) == ["small again", "large"]


def test_a_marker_that_somebody_else_wrote_is_left_alone(forge: Forge) -> None:
    forge.write(body("not ours"), "somebody")
    assert send(forge, body("ours")).action == "created"
    assert texts(forge) == ["not ours", "ours"]


def test_a_marker_that_is_quoted_is_left_alone(forge: Forge) -> None:
    forge.write(f"> {body('quoted')}")
    forge.write(f"As I said:\n{body('quoted')}")
    assert send(forge, body("ours")).action == "created"
    assert len(forge.comments) == 3


def test_doubles_are_removed_and_the_oldest_comment_stays(forge: Forge) -> None:
    first = forge.write(body("one", run=1))
    forge.write(body("two", run=1))
    forge.write("a remark", "somebody")
    done = send(forge, body("three", run=2))
    assert (done.action, done.removed) == ("updated", 1)
    assert texts(forge) == ["three", "a remark"]
    assert forge.comments[0]["id"] == first


def test_two_jobs_at_once_leave_one_comment_with_the_newer_text(forge: Forge) -> None:
    def meanwhile() -> None:
        forge.comments.insert(0, {"id": 1, "body": body("older job", run=4), "who": "diptych-bot", "on": 7})

    forge.after = meanwhile
    done = send(forge, body("newer job", run=5))
    assert (done.action, done.removed) == ("created", 1)
    assert [(entry["id"], entry["body"]) for entry in forge.comments] == [(1, body("newer job", run=5))]


@pytest.mark.parametrize(
    ("there", "now"),
    [
        ({"commit": "b" * 40, "time": 200}, {"commit": "a" * 40, "time": 100}),
        ({"commit": "b" * 40, "run": 12}, {"commit": "a" * 40, "run": 11}),
        ({"commit": "b" * 40, "time": 200, "run": 9}, {"commit": "a" * 40, "time": 300, "run": 1}),
    ],
)
def test_an_older_commit_never_overwrites_a_newer_one(forge: Forge, there: Any, now: Any) -> None:
    forge.write(body("newer", **there))
    assert send(forge, body("older", **now)).action == "kept_newer"
    assert texts(forge) == ["newer"]


def test_a_commit_dated_in_the_far_future_or_a_force_push_does_not_freeze_the_comment(forge: Forge) -> None:
    forge.write(body("dated 2099", commit="b" * 40, time=4_070_908_800, run=3))
    assert send(forge, body("next", commit="c" * 40, time=1_767_323_045, run=4)).action == "updated"
    assert send(forge, body("pushed by force", commit="d" * 40, time=1_700_000_000, run=5)).action == "updated"
    assert texts(forge) == ["pushed by force"]


@pytest.mark.parametrize("moment", [4_070_908_800, 999_999_999_999])
def test_a_time_that_is_yet_to_come_neither_freezes_the_comment_nor_wins(forge: Forge, moment: int) -> None:
    forge.write(body("dated ahead", commit="b" * 40, time=moment))
    assert send(forge, body("next", commit="c" * 40, time=1_767_323_045)).action == "updated"
    forge.write(body("dated ahead again", commit="d" * 40, time=moment))
    assert send(forge, body("last", commit="e" * 40, time=1_767_323_046)).action == "updated"
    assert texts(forge) == ["last"]


def test_a_stranger_s_marker_stops_nobody(forge: Forge) -> None:
    for attack in ("9" * 45_000, "²" * 3, "٣", "-1"):
        forge.write(body("x", run=1).replace("run=1", f"run={attack}").replace("time=-", f"time={attack}"), "stranger")
    assert send(forge, body("ours", run=2)).action == "created"
    assert send(forge, body("ours again", run=3)).action == "updated"


def test_a_state_whose_order_is_not_known_is_written() -> None:
    assert not older(Stamp("a" * 40), Stamp("b" * 40, 5, 5))
    assert not older(Stamp(None, 5), Stamp(None, None, 9))
    assert not older(Stamp("a" * 40, 1, 1), Stamp("a" * 40, 9, 9))


def test_nothing_is_written_where_nothing_changed(forge: Forge) -> None:
    send(forge, body("one", what="aa", run=1))
    assert send(forge, body("one, a day later", what="aa", run=2), on_change_only=True).action == "unchanged"
    assert texts(forge) == ["one"]
    assert send(forge, body("two", what="bb", run=3), on_change_only=True).action == "updated"


def test_no_comment_is_begun_to_say_that_nothing_happened(forge: Forge) -> None:
    assert send(forge, body("all well"), on_change_only=True, changed=False).action == "nothing_to_say"
    assert forge.comments == []
    send(forge, body("worse", what="aa"), on_change_only=True, changed=True)
    assert send(forge, body("all well", what="bb"), on_change_only=True, changed=False).action == "updated"


def test_new_writes_another_and_no_later_update_takes_it(forge: Forge) -> None:
    send(forge, body("kept for the record", run=1), new=True)
    send(forge, body("kept too", run=2), new=True)
    assert send(forge, body("sticky", run=3)).action == "created"
    assert send(forge, body("sticky again", run=4)).removed == 0
    assert texts(forge) == ["kept for the record", "kept too", "sticky again"]


def test_a_comment_that_went_meanwhile_is_begun_anew(forge: Forge) -> None:
    send(forge, body("one"))
    forge.order(404, {"message": "Not Found"}, method=DIALECTS[forge.kind].change, then=forge.comments.clear)
    assert send(forge, body("two")).action == "created"
    assert texts(forge) == ["two"]


def test_an_answer_that_was_lost_does_not_make_a_double(forge: Forge) -> None:
    forge.order(502, {"message": "bad gateway"}, method="POST", done=True)
    assert send(forge, body("one")).action == "created"
    assert texts(forge) == ["one"]


def test_a_write_that_never_arrived_is_sent_again(forge: Forge) -> None:
    forge.order(502, {"message": "bad gateway"}, method="POST")
    assert send(forge, body("one")).action == "created"
    assert texts(forge) == ["one"]


def test_a_ci_token_that_may_not_ask_who_it_is_goes_by_the_forges_own_bot() -> None:
    with serving(Forge("github", bot_may_ask_who=False)) as served:
        served.write(body("one"), "github-actions[bot]")
        served.write(body("not ours"), "somebody")
        # the bot may change its own, and the token here is another's: the forge's refusal shows which one was chosen
        with pytest.raises(ForgeError, match="admin rights"):
            send(served, body("two"))
        assert served.asked[-1] == ("PATCH", f"/repos/o/r/issues/comments/{served.comments[0]['id']}")


def test_the_author_may_be_given() -> None:
    with serving(Forge("github")) as served:
        served.write(body("one"), "writer-bot")
        done = post(body("two"), Target("github", served.address, "o/r", 7, "writer", "diptych-bot"))
    assert done.action == "created"


def test_a_body_without_a_marker_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(ForgeError, match="no marker"):
        post("text", Target("github", "http://127.0.0.1:9", "o/r", 7, "writer"))


def test_a_marker_survives_and_holds_no_text_of_anyone() -> None:
    mark = Mark(comment_key("--> @everyone"), "ab12", Stamp("c" * 40, 12, 3), once=True)
    assert read_marker(marker(mark)) == mark
    assert read_marker(marker(Mark("ab", None, Stamp("-->; rm", -1, None)))) == Mark("ab", None, Stamp())


@pytest.mark.parametrize("text", ["", " <!-- diptych:comment:v1 key=ab -->", "<!-- diptych:comment:v1 key=zz -->", "x"])
def test_what_is_no_marker_is_none(text: str) -> None:
    assert read_marker(text) is None


def test_without_the_right_the_body_is_kept_and_the_recipe_for_forks_is_told(forge: Forge, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n", encoding="utf-8")
    with pytest.raises(ForgeError) as caught:
        send(forge, body("one"), token="reader")
    place = tmp_path / "kept.md"
    told = keep(body("one"), caught.value, path=str(place), environ={"GITHUB_STEP_SUMMARY": str(summary)})
    assert place.read_text(encoding="utf-8") == body("one")
    assert summary.read_text(encoding="utf-8") == "# before\n" + body("one")
    assert DIALECTS[forge.kind].scope in told
    assert all(line in told for line in FORKS)


def test_a_full_job_summary_is_not_pushed_over_its_limit(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("x" * 899_990, encoding="utf-8")
    error = ForgeError("no", kind="time_out")
    told = keep(body("one"), error, path=str(tmp_path / "kept.md"), environ={"GITHUB_STEP_SUMMARY": str(summary)})
    assert summary.stat().st_size == 899_990
    assert "job summary" not in told
    assert FORKS[0] not in told


@pytest.mark.parametrize("summary", [True, False])
def test_a_body_is_kept_where_the_folder_takes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, summary: bool
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none" / "deep"))
    (tmp_path / "none").write_text("a file where a folder would be")
    environ = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")} if summary else {}
    error = ForgeError("the real reason", where="o/r #7", hint="do this", kind="server")
    said = keep("the body", error, path=str(tmp_path / "none" / "comment.md"), environ=environ)
    assert "the real reason" in said
    assert "do this" in said
    assert ("the job summary" if summary else "the body") in said


def event(tmp_path: Path, content: Any) -> str:
    path = tmp_path / "event.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def environment(kind: str, tmp_path: Path) -> dict[str, str]:
    pull = {"pull_request": {"number": 12, "head": {"sha": "d" * 40}}}
    actions = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": event(tmp_path, pull),
        "GITHUB_SHA": "e" * 40,
        "GITHUB_RUN_NUMBER": "31",
        "GITHUB_TOKEN": "t",
    }
    return {
        "github": {**actions, "GITHUB_API_URL": "https://api.github.com"},
        "gitea": {**actions, "GITEA_ACTIONS": "true", "GITHUB_SERVER_URL": "https://forge.example"},
        "gitlab": {
            "GITLAB_CI": "true",
            "CI_API_V4_URL": "https://lab.example/api/v4",
            "CI_PROJECT_PATH": "fork/r",
            "CI_MERGE_REQUEST_PROJECT_PATH": "o/r",
            "CI_MERGE_REQUEST_IID": "12",
            "CI_COMMIT_SHA": "d" * 40,
            "CI_COMMIT_TIMESTAMP": "2026-01-02T03:04:05+00:00",
            "CI_PIPELINE_IID": "31",
            "GITLAB_TOKEN": "t",
        },
    }[kind]


@pytest.mark.parametrize(
    ("kind", "api", "stamp"),
    [
        ("github", "https://api.github.com", Stamp("d" * 40, None, 31)),
        ("gitea", "https://forge.example/api/v1", Stamp("d" * 40, None, 31)),
        ("gitlab", "https://lab.example/api/v4", Stamp("d" * 40, 1_767_323_045, 31)),
    ],
)
def test_the_pull_request_is_found_in_the_ci(kind: str, api: str, stamp: Stamp, tmp_path: Path) -> None:
    environ = environment(kind, tmp_path)
    assert forge_of(environ) == kind
    assert posting_target(environ) == Target(kind, api, "o/r", 12, "t")
    assert checked_state(environ) == stamp


@pytest.mark.parametrize("kind", DIALECTS)
def test_what_is_given_goes_before_what_the_ci_says(kind: str, tmp_path: Path) -> None:
    another = next(name for name in DIALECTS if name != kind)
    given: dict[str, Any] = {
        "forge": kind,
        "repo": "a/b",
        "number": 3,
        "token": "mine",
        "api": "https://x.example",
        "author": "me",
    }
    assert posting_target(environment(another, tmp_path), **given) == Target(
        kind, "https://x.example", "a/b", 3, "mine", "me"
    )


def test_the_second_workflow_of_a_fork_speaks_of_the_commit_that_was_checked(tmp_path: Path) -> None:
    run = {"head_sha": "f" * 40, "run_number": 8, "head_commit": {"timestamp": "2026-01-02T03:04:05Z"}}
    environ = {"GITHUB_EVENT_PATH": event(tmp_path, {"workflow_run": {**run, "pull_requests": []}})}
    assert checked_state(environ) == Stamp("f" * 40, 1_767_323_045, 8)
    with pytest.raises(ForgeError, match="no pull request") as caught:
        posting_target({**environ, "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t"})
    assert caught.value.kind == "no_place"


def test_the_number_is_in_the_ref_where_the_event_is_not_readable(tmp_path: Path) -> None:
    environ = {"GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t", "GITHUB_REF": "refs/pull/5/merge"}
    for content in ("not json", "[]"):
        assert posting_target({**environ, "GITHUB_EVENT_PATH": event(tmp_path, content)}).number == 5
    assert posting_target({**environ, "GITHUB_EVENT_PATH": str(tmp_path / "missing")}).number == 5


@pytest.mark.parametrize(
    ("missing", "said"),
    [("GITHUB_REPOSITORY", "no repository"), ("GITHUB_TOKEN", "no token"), ("GITHUB_EVENT_PATH", "no pull request")],
)
def test_what_is_missing_is_named(missing: str, said: str, tmp_path: Path) -> None:
    environ = environment("github", tmp_path)
    del environ[missing]
    with pytest.raises(ForgeError, match=said) as caught:
        posting_target(environ)
    assert caught.value.hint
