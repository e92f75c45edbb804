"""No input, however odd, ends a command in anything but an exit code; tests/bench/attack_doors.py makes 30,000."""

import random
from pathlib import Path

import pytest

from attacks import DOORS

BATCHES = range(10)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("door", DOORS)
def test_fifty_attacks_end_in_exit_codes(door: str, batch: int, tmp_path: Path) -> None:
    for number in range(50):
        seed = batch * 1_000 + number
        assert DOORS[door](tmp_path, random.Random(seed)) == [], f"seed {seed}"
