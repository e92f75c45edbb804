"""An estimate at the level of a single test: what tests of one metric alone ask for."""

from diptych.estimates import Estimate
from diptych.stats.estimate_by_level import at_levels
from diptych.stats.select import measure
from diptych.stats.test_input import TestInput


def estimate(given: TestInput) -> Estimate:
    """Return the estimate of b - a by the best method that what is given allows."""
    return at_levels(measure(given), given.alpha, given.alpha)
