"""An artifact is strict, deterministic JSON that comes back as the noun it was made from."""

import json
import random

import pytest

from diptych import artifact
from diptych.comparison import Comparison, Finding
from diptych.errors import ArtifactError
from diptych.schema import schema
from examples_comparison import comparison
from examples_decision import decision


def test_a_comparison_survives_its_file() -> None:
    made = comparison()
    assert artifact.loads(artifact.dumps(made)) == made


def test_a_decision_survives_its_file() -> None:
    made = decision()
    assert artifact.dumps(artifact.loads(artifact.dumps(made))) == artifact.dumps(made)


def test_the_contract_names_stand_in_the_json() -> None:
    body = json.loads(artifact.dumps(comparison()))
    assert body["schema"] == "diptych/comparison/1"
    assert {"kind", "severity", "side", "task", "text", "count", "of"} <= set(body["findings"][0])
    assert {"task", "filter", "item", "class", "a", "b", "margin_a", "margin_b"} <= set(body["flips"][0])


@pytest.mark.parametrize("seed", range(5))
def test_the_same_comparison_gives_the_same_bytes_whatever_the_order_of_its_keys(seed: int) -> None:
    made = comparison()
    metadata = list({**made.a.metadata, "one": 1, "two": 2}.items())
    random.Random(seed).shuffle(metadata)
    first = made._replace(a=made.a._replace(metadata=dict(sorted(metadata))))
    other = made._replace(a=made.a._replace(metadata=dict(metadata)))
    assert artifact.dumps(first) == artifact.dumps(other)


def test_not_a_number_never_reaches_an_artifact() -> None:
    made = comparison()
    bad = made._replace(metrics=(made.metrics[0]._replace(a=float("nan")),))
    with pytest.raises(ValueError, match="Out of range float"):
        artifact.dumps(bad)


def test_half_a_surrogate_pair_does_not_stop_an_artifact() -> None:
    made = comparison(findings=(Finding("file_damaged", "warning", "odd \ud800 text"),))
    assert artifact.loads(artifact.dumps(made)).findings[0].text == "odd ? text"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[]", "no `schema`"),
        ('{"results": {}}', "no `schema`"),
        ('{"schema": "diptych/comparison/99"}', "not known here"),
        ('{"schema": "diptych/comparison/1"}', "lacks"),
    ],
)
def test_a_file_that_is_no_artifact_is_refused_with_its_reason(text: str, says: str) -> None:
    with pytest.raises(ArtifactError, match=says):
        artifact.loads(text, where="x.json")


def test_fields_of_a_later_version_are_passed_over() -> None:
    body = json.loads(artifact.dumps(comparison()))
    body["something_new"] = {"a": 1}
    assert isinstance(artifact.loads(json.dumps(body)), Comparison)


@pytest.mark.parametrize(("kind", "made"), [("comparison", comparison()), ("decision", decision())])
def test_what_is_written_holds_to_the_printed_schema(kind: str, made: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema(kind))
    jsonschema.validate(json.loads(artifact.dumps(made)), schema(kind))
