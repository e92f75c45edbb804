"""Each forge is spoken to as it publishes, and every refusal says why and what to do."""

import time
from collections.abc import Iterator

import github
import gitlab
import httpx
import pytest

from diptych.errors import ForgeError
from diptych.publish.forge_apis import DIALECTS, HINTS
from diptych.publish.forges import MOST_PAGES, Client, Target
from forge.loopback import Forge, serving

KINDS = tuple(DIALECTS)


@pytest.fixture(params=KINDS)
def forge(request: pytest.FixtureRequest) -> Iterator[Forge]:
    with serving(Forge(request.param)) as served:
        yield served


def client(forge: Forge, token: str = "writer", number: int = 7, **options: object) -> Client:
    return Client(Target(forge.kind, forge.address, "o/r", number, token), **options)  # type: ignore[arg-type]


def nowhere(kind: str) -> Forge:
    forge = Forge(kind)
    forge.start_at("http://127.0.0.1:9")
    return forge


def refused(forge: Forge, **options: object) -> ForgeError:
    with client(forge, **options) as one, pytest.raises(ForgeError) as caught:  # type: ignore[arg-type]
        one.create("body")
    return caught.value


def test_a_comment_is_written_listed_changed_and_removed(forge: Forge) -> None:
    with client(forge) as one:
        note = one.create("first")
        assert [(note.author, note.body) for note in one.list()] == [("diptych-bot", "first")]
        assert one.change(note, "second").body == "second"
        one.remove(note)
        one.remove(note)
        assert one.list() == ()


def test_every_page_of_the_list_is_read_oldest_first(forge: Forge) -> None:
    for number in range(201):
        forge.write(f"remark {number}", "somebody")
    with client(forge) as one:
        assert [note.body for note in one.list()] == [f"remark {number}" for number in range(201)]
    assert len(forge.asked) == (1 if forge.kind == "gitea" else 3)


def test_a_project_in_a_group_is_one_part_of_gitlabs_path() -> None:
    with client(nowhere("gitlab")) as one:
        assert "/projects/o%2Fr/merge_requests/7/notes" in one.address(one.dialect.comments)


def test_a_token_that_may_only_read_names_the_scope_it_lacks(forge: Forge) -> None:
    error = refused(forge, token="reader")
    assert error.kind == "no_right"
    assert DIALECTS[forge.kind].scope in error.hint


def test_a_wrong_token_is_told_apart_from_a_right_that_lacks(forge: Forge) -> None:
    assert refused(forge, token="wrong").kind == "no_token"


def test_a_pull_request_that_is_not_there_is_named(forge: Forge) -> None:
    error = refused(forge, number=8)
    assert (error.kind, "#8" in error.where) == ("not_found", True)


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_a_body_over_the_limit_is_refused_in_the_forges_words(kind: str) -> None:
    with serving(Forge(kind)) as served, client(served) as one, pytest.raises(ForgeError) as caught:
        one.create("x" * 1_000_001)
    assert caught.value.kind == "too_long"
    assert "too long" in caught.value.message


def test_too_many_requests_are_waited_for_as_long_as_the_forge_says(forge: Forge) -> None:
    waits: list[float] = []
    forge.order(429, {"message": "slow down"}, Retry_After="3")
    with client(forge, sleep=waits.append) as one:
        assert one.create("body").body == "body"
    assert waits == [3.0]


def test_the_secondary_limit_of_github_is_no_lack_of_rights() -> None:
    with serving(Forge("github")) as served:
        said = {"message": "You have exceeded a secondary rate limit", "documentation_url": "x"}
        served.order(403, said, Retry_After="7")
        served.order(403, said)
        waits: list[float] = []
        with client(served, sleep=waits.append) as one:
            one.create("body")
    assert waits == [7.0, 60.0]


def test_a_wait_that_is_too_long_is_given_up_at_once(forge: Forge) -> None:
    forge.order(429, {"message": "slow down"}, Retry_After="3600")
    waits: list[float] = []
    assert refused(forge, sleep=waits.append).kind == "rate_limited"
    assert waits == []


def test_a_limit_that_lasts_is_given_up_after_a_few_tries(forge: Forge) -> None:
    for _ in range(9):
        forge.order(429, {"message": "slow down"}, Retry_After="1")
    waits: list[float] = []
    assert refused(forge, sleep=waits.append).kind == "rate_limited"
    assert waits == [1.0, 1.0]


def test_a_reset_time_counts_where_no_wait_is_given(forge: Forge) -> None:
    forge.order(429, {"message": "slow"}, X_RateLimit_Remaining="0", X_RateLimit_Reset=str(int(time.time()) + 40))
    waits: list[float] = []
    with client(forge, sleep=waits.append) as one:
        one.create("body")
    assert len(waits) == 1
    assert 10 < waits[0] <= 40


def test_a_write_whose_answer_was_lost_is_not_sent_twice(forge: Forge) -> None:
    forge.order(502, {"message": "bad gateway"}, method="POST", done=True)
    assert refused(forge, sleep=lambda wait: None).kind == "server"
    assert forge.bodies() == ["body"]


def test_a_list_is_asked_for_again_after_a_server_error(forge: Forge) -> None:
    forge.write("there", "somebody")
    forge.order(500, {"message": "oops"})
    with client(forge, sleep=lambda wait: None) as one:
        assert [note.body for note in one.list()] == ["there"]


def test_a_server_that_stays_broken_is_named(forge: Forge) -> None:
    for _ in range(9):
        forge.order(500, "<html>oops</html>")
    with client(forge, sleep=lambda wait: None) as one, pytest.raises(ForgeError) as caught:
        one.list()
    assert caught.value.kind == "server"


def test_a_time_out_is_told_apart(forge: Forge) -> None:
    forge.order(503, method="POST", delay=0.6)
    assert refused(forge, time_out=0.2).kind == "time_out"


def test_a_forge_that_is_not_there_is_named() -> None:
    with client(nowhere("github")) as one, pytest.raises(ForgeError) as caught:
        one.list()
    assert caught.value.kind == "unreachable"


def test_a_page_of_html_is_not_taken_for_an_answer(forge: Forge) -> None:
    forge.order(200, "<html>please log in</html>", method="GET")
    with client(forge) as one, pytest.raises(ForgeError) as caught:
        one.list()
    assert caught.value.kind == "no_forge"
    forge.violations.clear()


def test_a_next_page_on_another_host_does_not_get_the_token() -> None:
    with serving(Forge("github")) as served:
        served.order(200, [], Link='<http://127.0.0.2:1/x>; rel="next"')
        with client(served) as one, pytest.raises(ForgeError) as caught:
            one.list()
        served.violations.clear()
    assert caught.value.kind == "no_forge"


def test_the_token_is_never_part_of_an_error(forge: Forge) -> None:
    forge.order(403, {"message": "token writer is not allowed"})
    error = refused(forge)
    assert "writer" not in str(error) + error.hint


def test_every_kind_of_refusal_has_a_hint() -> None:
    kinds = {"no_token", "not_found", "too_long", "invalid", "rate_limited", "time_out", "server", "unreachable"}
    assert kinds <= set(HINTS)
    assert all(HINTS.values())


@pytest.mark.parametrize("repo", ["", "name", "../x", "o/r?x=1", "o/r#1", "o r/x"])
def test_a_repository_that_is_none_is_refused_before_anything_is_sent(repo: str) -> None:
    with pytest.raises(ForgeError, match="no repository"):
        Client(Target("github", "http://127.0.0.1:9", repo, 7, "writer"))


def test_pygithub_sees_the_same_comments() -> None:
    with serving(Forge("github")) as served:
        hub = github.Github(auth=github.Auth.Token("writer"), base_url=served.base, retry=None)
        requester = hub.requester
        issue = github.Issue.Issue(requester, {}, {"url": f"{served.base}/repos/o/r/issues/7", "number": 7})
        with client(served) as one:
            written = one.create("ours")
            theirs = issue.create_comment("theirs")
            assert [comment.body for comment in issue.get_comments()] == ["ours", "theirs"]
            assert [note.body for note in one.list()] == ["ours", "theirs"]
            theirs.edit("changed")
            one.remove(written)
            assert [note.body for note in one.list()] == ["changed"]


def test_python_gitlab_sees_the_same_notes() -> None:
    with serving(Forge("gitlab")) as served:
        lab = gitlab.Gitlab(served.base, private_token="writer")
        request = lab.projects.get("o/r", lazy=True).mergerequests.get(7, lazy=True)
        with client(served) as one:
            one.create("ours")
            note = request.notes.create({"body": "theirs"})
            assert [note.body for note in one.list()] == ["ours", "theirs"]
            note.body = "changed"
            note.save()
            assert {entry.body for entry in request.notes.list(get_all=True)} == {"ours", "changed"}
            assert [note.body for note in one.list()] == ["ours", "changed"]


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_the_description_catches_a_request_that_strays(kind: str) -> None:
    with serving(Forge(kind)) as served:
        address = f"{served.address}/repos/o/r/issues/7/comments"
        httpx.post(address, headers={"Authorization": "Bearer writer"}, json={"text": "not a body"})
        assert any("'body' is a required property" in line for line in served.violations)
        served.violations.clear()


ODD = [None, 5, "x", {}, {"id": "1"}, {"id": True, "user": 3}, {"id": 1, "body": 5}, {"id": 1, "html_url": []}, [[]]]


@pytest.mark.parametrize("item", ODD, ids=str)
def test_a_reply_that_is_no_comment_is_a_refusal_and_no_crash(forge: Forge, item: object) -> None:
    forge.order(200, [item], method="GET")
    with client(forge) as one:
        try:
            said = str(one.list())
        except ForgeError as error:
            said = error.kind
    assert said == "no_forge" or "author=''" in said
    forge.violations.clear()  # the answers were no forge's


def test_an_author_that_is_none_is_a_refusal(forge: Forge) -> None:
    for answer in ({"login": 5}, ["x"], {"login": ""}):
        forge.order(200, answer, method="GET")
        with client(forge) as one, pytest.raises(ForgeError) as caught:
            one.authors()
        assert caught.value.kind == "no_forge"
    forge.violations.clear()


def test_a_list_without_end_is_given_up() -> None:
    with serving(Forge("github")) as served, client(served) as one:
        link = f'<{served.address}/repos/o/r/issues/7/comments?page=2>; rel="next"'
        for _ in range(MOST_PAGES + 1):
            served.order(200, [{"id": 1}], method="GET", Link=link)
        with pytest.raises(ForgeError, match="more than 100 pages"):
            one.list()
        served.violations.clear()


def test_a_list_that_goes_on_slowly_is_given_up_when_the_posting_s_time_is_over() -> None:
    with serving(Forge("github")) as served, client(served, whole_time=0.5) as one:
        link = f'<{served.address}/repos/o/r/issues/7/comments?page=2>; rel="next"'
        for _ in range(MOST_PAGES):
            served.order(200, [], method="GET", delay=0.1, Link=link)
        began = time.monotonic()
        with pytest.raises(ForgeError) as caught:
            one.list()
        assert caught.value.kind == "time_out"
        assert time.monotonic() - began < 3


def test_a_wait_beyond_the_posting_s_time_is_given_up_at_once(forge: Forge) -> None:
    forge.order(429, {"message": "slow down"}, **{"Retry-After": "60"})
    slept: list[float] = []
    assert refused(forge, sleep=slept.append, whole_time=20.0).kind == "rate_limited"
    assert slept == []
    forge.violations.clear()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_comment_is_not_lost_to_a_redirect(forge: Forge, status: int) -> None:
    forge.order(status, {"message": "moved"}, method="POST", Location=f"{forge.address}/elsewhere")
    error = refused(forge)
    assert (error.kind, "--repo" in error.hint) == ("redirected", True)
    assert forge.bodies() == []
    forge.violations.clear()
