"""An artifact is strict, deterministic JSON that comes back as the noun it was made from."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from diptych import artifact
from diptych.comparison import Comparison, Finding
from diptych.errors import ArtifactError
from diptych.fast_nouns import NotPlain, read_noun
from diptych.publish.comment import comment
from diptych.publish.notebook import one_file_page
from diptych.schema import schema
from examples_comparison import comparison, matrix
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


WRONG = [None, [], {}, "x", -1, True, [[[]]], [{"a": None}], {"x": {"y": []}}, 10**400]


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of every value in parsed JSON, the first of each list alone."""
    inner = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def replaced(body: Any, path: tuple[str | int, ...], value: object) -> Any:
    """Return a copy of parsed JSON with one value replaced."""
    if not path:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[path[0]] = replaced(body[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("made", [comparison(), matrix(), decision()], ids=lambda made: type(made).__name__)
def test_whatever_stands_in_a_value_s_place_is_refused_or_drawn(made: Any, seed: int) -> None:
    body = json.loads(artifact.dumps(made))
    chance = random.Random(seed)
    for path in chance.sample(places(body), 25):
        try:
            found = artifact.loads(json.dumps(replaced(body, path, chance.choice(WRONG))), where="x.json")
        except ArtifactError:
            continue  # that it names its field is held below
        assert one_file_page(found, "0" * 64)
        assert comment([found]).text


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("verdict", "kind"), "a word", "verdict.kind: none of not_a_measurement, "),
        (("metrics", 0, "a"), "0.5", "metrics.a: a text where a number should be"),
        (("metrics", 0, "a"), 10**200, "metrics.a: a number that is not from"),
        (("metrics", 0, "a"), 10**400, "metrics.a: a number that is not from"),
        (("flip_counts", 0, "count"), -1, "flip_counts.count: a number that is not from 0 to"),
        (
            ("metrics", 0, "estimate", "p_value"),
            1.5,
            "metrics.estimate.p_value: a number that is not from 0 to 1",
        ),
        (("metrics",), {}, "metrics: an object where a list should be"),
        (("a", "label"), None, "a.label: null where a text should be"),
        (("context_recorded",), [True], "context_recorded: a list of another length"),
    ],
)
def test_a_value_of_another_kind_is_refused_by_its_name(path: tuple[str | int, ...], value: object, says: str) -> None:
    body = replaced(json.loads(artifact.dumps(comparison())), path, value)
    with pytest.raises(ArtifactError) as caught:
        artifact.loads(json.dumps(body), where="x.json")
    assert says in caught.value.message


@pytest.mark.parametrize(
    "text", ['{"schema": NaN}', '{"schema": -Infinity}', "[" * 100_000, '{"a": ' + "1" * 5000 + "}"]
)
def test_what_python_alone_would_read_is_no_artifact(text: str) -> None:
    with pytest.raises(ArtifactError):
        artifact.loads(text, where="x.json")


def test_a_number_without_end_among_settings_is_refused() -> None:
    text = artifact.dumps(comparison()).replace('"metadata": {', '"metadata": {"seconds": 1e999, ', 1)
    with pytest.raises(ArtifactError, match="beyond all size"):
        artifact.loads(text)


def test_a_large_finite_number_among_settings_comes_back() -> None:
    text = artifact.dumps(comparison()).replace('"metadata": {', '"metadata": {"seconds": 1e+308, ', 1)
    assert artifact.loads(text).a.metadata["seconds"] == 1e308


def test_half_a_surrogate_pair_written_as_an_escape_is_drawn_as_a_question_mark() -> None:
    text = artifact.dumps(comparison(title="T\u00fc")).replace("T\u00fc", "\\ud800")
    assert artifact.loads(text).title == "?"


def test_a_matrix_whose_rows_lack_a_run_is_refused() -> None:
    made = matrix()
    short = made._replace(rows=(made.rows[0]._replace(scores=made.rows[0].scores[:1]),))
    with pytest.raises(ArtifactError, match="not those of its runs"):
        artifact.loads(artifact.dumps(short))


@pytest.mark.parametrize("seed", range(10))
def test_reading_one_of_many_gives_what_reading_it_alone_gives(seed: int) -> None:
    chance = random.Random(seed)
    body = json.loads(artifact.dumps(comparison()))
    for path in chance.sample(list(places(body)), 30):
        data = json.dumps(replaced(body, path, chance.choice(WRONG)), indent=1).encode()
        assert outcome(lambda: artifact.load_one(data, where="x.json")) == outcome(  # noqa: B023
            lambda: artifact.loads(data.decode(), where="x.json")  # noqa: B023
        )


@pytest.mark.parametrize(
    "value",
    [
        "18446744073709551616",
        "-9223372036854775809",
        "1" * 40,
        "0.0001" + "3" * 16,
        "1e999",
        *("[" * n + "]" * n for n in (4, 5, 89, 90, 91, 200)),
    ],
)
def test_a_number_or_a_depth_at_a_bound_is_read_alike_in_both_ways(value: str) -> None:
    text = artifact.dumps(comparison()).replace('"metadata": {', f'"metadata": {{"odd": {value}, ', 1)
    assert f'"odd": {value}' in text
    assert outcome(lambda: artifact.load_one(text.encode())) == outcome(lambda: artifact.loads(text))


@pytest.mark.parametrize("made", [comparison(), matrix(), decision()], ids=lambda made: type(made).__name__)
def test_what_we_write_is_read_in_the_fast_way(made: Any) -> None:
    schema = artifact.schema_of(made)
    text = artifact.dumps(made)
    assert read_noun(type(made), schema, text.encode()) == artifact.loads(text)


@pytest.mark.parametrize("odd", ['"new": 1', '"title": "\\ud800"', '"settings_equal": 1.0', '"title": "\xff"'])
def test_what_is_odd_is_left_to_who_knows_what_is_allowed(odd: str) -> None:
    data = artifact.dumps(comparison()).replace("{\n", f"{{\n{odd},\n", 1).encode("latin-1", "replace")
    with pytest.raises(NotPlain):
        read_noun(Comparison, artifact.COMPARISON_SCHEMA, data)


def test_bytes_that_are_no_utf_8_are_named_by_their_place() -> None:
    with pytest.raises(ArtifactError, match="not UTF-8") as caught:
        artifact.load_one(b'{"id": "\xff"}', where="x.json")
    assert caught.value.where == "x.json@8"


def outcome(read: Callable[[], Any]) -> str:
    """Return what reading gives, or says."""
    try:
        return repr(read())
    except ArtifactError as error:
        return f"{error.message} {error.where}"
