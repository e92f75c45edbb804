"""Whatever stands in the inputs, a decision is made or refused in words: no traceback, no NaN, no lost line."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diptych import artifact
from diptych.errors import DiptychError
from diptych.labbook import parse_labbook
from diptych.students.collect.student_results import parse_results
from diptych.students.cost.totals import ROUTE_STAGES
from diptych.students.decide.decide import decide
from diptych.students.judge.judgements import parse_judgements

LEAVES: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([10**400, -(10**400), 1e308, float("inf"), float("-inf"), float("nan"), 0.0, -0.0, 1e-320]),
    st.text(max_size=6),
    st.sampled_from(["t1", "one", "other", "tie", "\ud800", "\u001b[31m", "<script>", "@x #1"]),
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)


def objects(*keys: str) -> Any:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(keys, VALUES))


IDS = st.sampled_from(["t1", "t2", "t3", 4])
ROWS = st.lists(
    st.one_of(
        VALUES,
        st.fixed_dictionaries(
            {"id": IDS, "checks": st.fixed_dictionaries({"passed": st.booleans()}, optional={"details": VALUES})},
            optional={"prompt": VALUES, "response": VALUES, "usage": VALUES, "seconds": VALUES},
        ),
    ),
    max_size=6,
)
RESULTS = st.fixed_dictionaries(
    {"results": ROWS},
    optional=dict.fromkeys(
        ("model", "quant", "engine", "tasks", "tasks_sha256", "failed", "served_models", "sampling"), VALUES
    ),
)
WHO = st.sampled_from(["sequence", "logit", "sequence", "logit", None, 5])
VERDICTS = st.lists(
    st.one_of(
        VALUES,
        st.fixed_dictionaries(
            {"task": IDS, "student_a": WHO, "student_b": WHO},
            optional={
                "shown_first": WHO,
                "winner": WHO | st.just("tie"),
                "judge": VALUES,
                "raw": VALUES,
                "repeat": VALUES,
            },
        ),
    ),
    max_size=8,
)
COST = objects("prompt_tokens", "completion_tokens", "seconds", "watt_hours", "energy_method")
RECORDS = st.lists(
    st.one_of(
        VALUES,
        st.fixed_dictionaries(
            {"stage": st.sampled_from(["generate", "train-logit", "compare", 7])},
            optional={"cost": COST | VALUES, "run_id": VALUES, "student": VALUES},
        ),
    ),
    max_size=6,
)


@settings(max_examples=40)
@given(RESULTS, RESULTS, VERDICTS, RECORDS)
def test_any_json_in_the_inputs_ends_in_an_artifact_or_a_mendable_error(
    one: Any, other: Any, verdicts: Any, records: Any
) -> None:
    ends_well(one, other, verdicts, records)


@pytest.mark.slow
@settings(max_examples=400)
@given(RESULTS, RESULTS, VERDICTS, RECORDS)
def test_much_odd_json_in_the_inputs_ends_in_an_artifact_or_a_mendable_error(
    one: Any, other: Any, verdicts: Any, records: Any
) -> None:
    ends_well(one, other, verdicts, records)


def ends_well(one: Any, other: Any, verdicts: Any, records: Any) -> None:
    """Decide on whatever was given; what does not end in an error that can be mended must be an artifact."""
    book = parse_labbook("\n".join(json.dumps(record) for record in records))
    try:
        routes = [
            parse_results(json.dumps(body).encode(), name, source=f"{name}.json", where=name)
            for name, body in (("sequence", one), ("logit", other))
        ]
        judgements = parse_judgements("\n".join(map(json.dumps, verdicts)).encode(), "j", "j")
        decision = decide(routes, [judgements], book, ROUTE_STAGES)
    except DiptychError:
        return
    text = artifact.dumps(decision)
    json.loads(text, parse_constant=lambda name: (_ for _ in ()).throw(AssertionError(name)))
    assert artifact.dumps(artifact.loads(text)) == text
    assert decision.verdict.kind in ("route", "equal_choose_on_cost", "cannot_tell", "neither")
