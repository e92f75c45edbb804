"""A plan knows from which version of the harness on something may be said."""

import pytest

from diptych.plan import Plan, Version


@pytest.mark.parametrize(
    ("version", "since"),
    [((0, 4, 8), False), ((0, 4, 9), True), ((0, 4, 10), True), (None, True)],
)
def test_a_version_itself_counts_as_since_it(version: Version | None, since: bool) -> None:
    plan = Plan(version, "m", {}, ("arith",), None, {}, False, None, None, None, None, None, None)
    assert plan.since((0, 4, 9)) is since
    assert plan.takes_objects is since
