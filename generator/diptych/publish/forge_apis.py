"""How each forge is spoken to, one row a forge, and what a refusal means for whoever reads it."""

from collections.abc import Mapping

from diptych.fast_named_tuple import NamedTuple


class ForgeApi(NamedTuple):
    """How one forge is spoken to. `page_size` is None where the whole list comes at once; `bots` are the logins of
    its own CI, for a token that may not ask who it is; `scope` is what a token needs before it may comment."""

    title: str
    comments: str
    comment: str
    change: str
    page_size: int | None
    header: tuple[str, str]
    login: str
    bots: tuple[str, ...]
    scope: str
    tokens: tuple[str, ...]


DIALECTS: Mapping[str, ForgeApi] = {
    "github": ForgeApi(
        title="GitHub",
        comments="/repos/{repo}/issues/{number}/comments",
        comment="/repos/{repo}/issues/comments/{id}",
        change="PATCH",
        page_size=100,
        header=("Authorization", "Bearer {token}"),
        login="login",
        bots=("github-actions[bot]",),
        scope="`permissions: pull-requests: write` in the workflow (a pull request from a fork never has it)",
        tokens=("DIPTYCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    ),
    "gitlab": ForgeApi(
        title="GitLab",
        comments="/projects/{repo}/merge_requests/{number}/notes",
        comment="/projects/{repo}/merge_requests/{number}/notes/{id}",
        change="PUT",
        page_size=100,
        header=("PRIVATE-TOKEN", "{token}"),
        login="username",
        bots=(),
        scope="a project or group access token with the scope `api` (CI_JOB_TOKEN may not write notes)",
        tokens=("DIPTYCH_TOKEN", "GITLAB_TOKEN"),
    ),
    "gitea": ForgeApi(
        title="Gitea",
        comments="/repos/{repo}/issues/{number}/comments",
        comment="/repos/{repo}/issues/comments/{id}",
        change="PATCH",
        page_size=None,  # this list takes no page: a client that counts pages would never end
        header=("Authorization", "token {token}"),
        login="login",
        bots=("gitea-actions", "forgejo-actions"),
        scope="a token with the scope `write:issue`",
        tokens=("DIPTYCH_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN", "GITHUB_TOKEN"),
    ),
}

HINTS: Mapping[str, str] = {
    "no_token": "the token is wrong or has expired: give a new one",
    "not_found": "check --repo and --pr; a token that may not see the repository gets the same answer",
    "too_long": "the body is over the forge's limit: make it with the right --forge",
    "invalid": "the forge did not accept the body",
    "rate_limited": "wait and run `diptych comment --post` again; the body is kept",
    "time_out": "the forge did not answer in time: run it again; the body is kept",
    "server": "the forge is in trouble: run it again; the body is kept",
    "redirected": "give the address that it has moved to, with --api and --repo; the body is kept",
    "too_large": "the forge answers with more than any answer holds; the body is kept",
    "unreachable": "check the address and the network; the body is kept",
    "cut": "run it again; the body is kept",
    "no_forge": "the address did not answer as a forge does: check the API address",
    "no_place": "give --forge, --repo and --pr, or run it in the CI of a pull request",
}
