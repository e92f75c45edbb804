"""A range of an oriented column is that of the given one; where an end is missing, there is none."""

import pytest

from diptych.stats.skewed import range_as_given


@pytest.mark.parametrize("span", [(None, 1.0), (0.5, None), (None, None)])
@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_half_a_range_is_no_range(span: tuple[float | None, float | None], sign: int) -> None:
    assert range_as_given(lambda level: span, sign)(0.95) == (None, None)
