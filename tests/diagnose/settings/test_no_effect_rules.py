"""What a difference follows from is looked for only where it can follow from something."""

from collections.abc import Iterator

from diptych.catalogue.settings import rank_of
from diptych.diagnose.settings.no_effect_rules import follows
from diptych.diagnose.settings.suspects import Difference
from diptych.keys import Sided
from examples_runs import run


class CountedList(list[Difference]):
    """Differences that count how often all of them are gone through."""

    walks = 0

    def __iter__(self) -> Iterator[Difference]:
        self.walks += 1
        return super().__iter__()


def difference(key: str, part_of: str = "") -> Difference:
    place, known = rank_of(key)
    return Difference(key, 0, 1, Sided(True, True), Sided(False, False), (), place, known, part_of=part_of)


def test_of_many_differences_only_those_that_may_follow_go_through_the_others() -> None:
    part = difference("extra.part", "extra.0")
    found = CountedList([*(difference(f"extra.{number}") for number in range(50)), part])
    sides = run(), run()
    assert [follows(one, found, *sides) for one in list(found)] == [*[""] * 50, "extra.0"]
    assert found.walks == 2
