"""The search for steps in a process of its own finds what the search itself finds, and its process ends with it."""

import pickle

from diptych.batch.step_search import Aside
from diptych.stats.history import Point, steps_in

STEP = [Point(score, 0.02) for score in (0.5, 0.51, 0.49, 0.8, 0.79, 0.81)]
FLAT = [Point(0.5, 0.02)] * 6


def test_a_search_aside_finds_the_same_steps_and_leaves_no_process() -> None:
    with Aside() as search:
        assert search([STEP, FLAT]) == steps_in([STEP, FLAT])
        helper = search.process
        assert search([FLAT]) == steps_in([FLAT])
        assert helper is not None
        assert search.process is helper
    assert helper.returncode == 0


def test_for_series_that_are_too_short_no_process_is_started() -> None:
    with Aside() as search:
        assert search([STEP[:3]]) == [None]
        assert search.process is None


def test_where_the_process_is_ended_the_search_is_done_here() -> None:
    with Aside() as search:
        found = search([STEP])
        assert search.process is not None
        search.process.kill()
        assert search([STEP]) == found


def test_in_a_worker_it_is_the_search_itself() -> None:
    with Aside() as search:
        assert pickle.loads(pickle.dumps(search)) is steps_in
