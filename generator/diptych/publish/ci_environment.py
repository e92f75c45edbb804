"""Where to post and of which state, found in the environment that a forge's CI sets."""

import re
from collections.abc import Mapping
from typing import Any

from diptych.bounded_json import load_json, whole_number
from diptych.errors import DiptychError, ForgeError
from diptych.publish.forge_apis import DIALECTS, HINTS
from diptych.publish.forges import Target
from diptych.publish.post import Stamp
from diptych.secrets import remember, remember_address
from diptych.storage import read_text


def posting_target(
    environ: Mapping[str, str],
    *,
    forge: str | None = None,
    repo: str | None = None,
    number: int | None = None,
    token: str | None = None,
    api: str | None = None,
    author: str | None = None,
) -> Target:
    """Return where to post: as given, the rest from the CI's environment; a `ForgeError` names what is missing."""
    kind = forge or forge_of(environ)
    event = event_of(environ)
    api = api or api_of(environ, kind) or needed("api", kind)
    repo = repo or repo_of(environ, kind) or needed("repo", kind)
    number = number or pull_request_number(environ, kind, event) or int(needed("number", kind))
    names = DIALECTS[kind].tokens
    token = token or next((environ[name] for name in names if environ.get(name)), None) or needed("token", kind)
    remember(token)
    remember_address(api)
    return Target(kind, api, repo, number, token, author or environ.get("DIPTYCH_AUTHOR"))


def needed(name: str, kind: str) -> str:
    """Raise the error for a part of the target that nobody gave."""
    if name == "token":
        names = " or ".join(DIALECTS[kind].tokens)
        raise ForgeError("no token is set", hint=f"set {names}: {DIALECTS[kind].scope}", kind="no_token")
    said = {"number": "no pull request is known", "repo": "no repository is known", "api": "no API address is known"}
    raise ForgeError(said[name], hint=HINTS["no_place"], kind="no_place")


def forge_of(environ: Mapping[str, str]) -> str:
    """Return which forge's CI this is; GitHub where nothing tells."""
    if environ.get("GITLAB_CI"):
        return "gitlab"
    if environ.get("GITEA_ACTIONS") or environ.get("FORGEJO_ACTIONS"):
        return "gitea"
    return "gitea" if environ.get("GITHUB_API_URL", "").rstrip("/").endswith("/api/v1") else "github"


def api_of(environ: Mapping[str, str], kind: str) -> str | None:
    """Return the API address that the CI names."""
    if kind == "gitlab":
        return environ.get("CI_API_V4_URL") or "https://gitlab.com/api/v4"
    if kind == "github":
        return environ.get("GITHUB_API_URL") or "https://api.github.com"
    server = environ.get("GITHUB_SERVER_URL")
    return environ.get("GITHUB_API_URL") or (f"{server.rstrip('/')}/api/v1" if server else None)


def repo_of(environ: Mapping[str, str], kind: str) -> str | None:
    """Return the repository that the pull request belongs to (not the fork that it comes from)."""
    if kind == "gitlab":
        return environ.get("CI_MERGE_REQUEST_PROJECT_PATH") or environ.get("CI_PROJECT_PATH")
    return environ.get("GITHUB_REPOSITORY")


def pull_request_number(environ: Mapping[str, str], kind: str, event: Mapping[str, Any]) -> int | None:
    """Return the number of the pull request that the CI runs for."""
    if kind == "gitlab":
        return digits_number(environ.get("CI_MERGE_REQUEST_IID"))
    several = value_at(event, "workflow_run", "pull_requests")
    for part in (
        value_at(event, "pull_request"),
        value_at(event, "issue"),
        *(several if isinstance(several, list) else ()),
    ):
        if (number := digits_number(value_at(part, "number"))) is not None:
            return number
    found = re.fullmatch(r"refs/pull/([0-9]{1,12})/(merge|head)", environ.get("GITHUB_REF", ""))
    return int(found[1]) if found else None


def value_at(value: Any, *names: str) -> Any:
    """Return what stands at the end of a path of names in an event, or None."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def event_of(environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the event that started a GitHub or Gitea workflow, or nothing."""
    path = environ.get("GITHUB_EVENT_PATH")
    if not path:
        return {}
    try:
        event = load_json(read_text(path))
    except (DiptychError, ValueError):
        return {}
    return event if isinstance(event, dict) else {}


def from_outside(environ: Mapping[str, str]) -> bool:
    """Say whether the CI runs for somebody else's repository: what lies there was made by a stranger."""
    if environ.get("GITLAB_CI"):
        source = environ.get("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH")
        return source is not None and source != environ.get("CI_MERGE_REQUEST_PROJECT_PATH")
    event = event_of(environ)
    run, pull = value_at(event, "workflow_run"), value_at(event, "pull_request")
    if run is not None:
        own = value_at(event, "repository", "full_name") or environ.get("GITHUB_REPOSITORY")
        return bool(value_at(run, "head_repository", "full_name") != own)
    return bool(pull and value_at(pull, "head", "repo", "full_name") != value_at(pull, "base", "repo", "full_name"))


def checked_state(environ: Mapping[str, str]) -> Stamp:
    """Return of which state the CI speaks: the pull request's head, never the merge commit made for the check."""
    if environ.get("GITLAB_CI"):
        commit = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or environ.get("CI_COMMIT_SHA")
        return Stamp(commit, seconds(environ.get("CI_COMMIT_TIMESTAMP")), digits_number(environ.get("CI_PIPELINE_IID")))
    event = event_of(environ)
    run = value_at(event, "workflow_run")
    if run:
        moment = seconds(value_at(run, "head_commit", "timestamp"))
        return Stamp(commit_name(value_at(run, "head_sha")), moment, digits_number(value_at(run, "run_number")))
    head = commit_name(value_at(event, "pull_request", "head", "sha"))
    return Stamp(head or environ.get("GITHUB_SHA"), None, digits_number(environ.get("GITHUB_RUN_NUMBER")))


def commit_name(value: Any) -> str | None:
    """Return a commit's name, or None for what is no text."""
    return value if isinstance(value, str) else None


def seconds(text: object) -> int | None:
    """Return the seconds since 1970 of an ISO time with its zone, or None."""
    import datetime

    try:
        moment = datetime.datetime.fromisoformat(str(text))
        return int(moment.timestamp()) if moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


def digits_number(value: object) -> int | None:
    """Return a whole number from a number or its digits, or None."""
    if not isinstance(value, int | str) or isinstance(value, bool):
        return None
    return whole_number(str(value))
