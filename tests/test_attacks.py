"""No input, however odd, ends a command in anything but an exit code; tests/bench/attack_doors.py makes 30,000."""

import random
from pathlib import Path

import pytest

from attacks import DOORS

# 500 attacks of each door; all but the first few take minutes
BATCHES = [pytest.param(0, 20), *(pytest.param(number, 60, marks=pytest.mark.slow) for number in range(1, 9))]


@pytest.mark.parametrize(("batch", "count"), BATCHES)
@pytest.mark.parametrize("door", DOORS)
def test_every_attack_ends_in_an_exit_code(door: str, batch: int, count: int, tmp_path: Path) -> None:
    for number in range(count):
        seed = batch * 1_000 + number
        assert DOORS[door](tmp_path, random.Random(seed)) == [], f"seed {seed}"
