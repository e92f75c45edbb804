"""The search for steps in a process of its own finds what the search itself finds, and its process ends with it."""

import multiprocessing
import pickle

from diptych.batch.step_search import Aside
from diptych.stats.history import Point, steps_in

STEP = [Point(score, 0.02) for score in (0.5, 0.51, 0.49, 0.8, 0.79, 0.81)]
FLAT = [Point(0.5, 0.02)] * 6


def test_a_search_aside_finds_the_same_steps_and_leaves_no_process() -> None:
    with Aside() as search:
        assert search([STEP, FLAT]) == steps_in([STEP, FLAT])
        (helper,) = multiprocessing.active_children()
        assert search([FLAT]) == steps_in([FLAT])
    helper.join(30)
    assert not helper.is_alive()


def test_for_series_that_are_too_short_no_process_is_started() -> None:
    with Aside() as search:
        assert search([STEP[:3]]) == [None]
        assert not multiprocessing.active_children()


def test_where_the_process_is_ended_the_search_is_done_here() -> None:
    with Aside() as search:
        found = search([STEP])
        (helper,) = multiprocessing.active_children()
        helper.kill()
        helper.join()
        assert search([STEP]) == found


def test_in_a_worker_it_is_the_search_itself() -> None:
    with Aside() as search:
        assert pickle.loads(pickle.dumps(search)) is steps_in
