"""What several tests need: the golden files' switch, and a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import browser as chromium
from diptych.secrets import GIVEN, Given

# the same examples each time, however busy the machine: new ones are for the benches
settings.register_profile(
    "suite", deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files again; then read the diff")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = chromium.chromium()
    if path is None:
        pytest.fail(chromium.MISSING) if chromium.is_wanted() else pytest.skip(chromium.MISSING)
    with chromium.launched(path) as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_secret_is_held_over() -> Iterator[None]:
    """Let no test's secret be masked in another's output."""
    yield
    vars(GIVEN).update(vars(Given()))
