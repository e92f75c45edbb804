"""What a difference follows from is looked for only where it can follow from something."""

from collections.abc import Iterator

from diptych.catalogue.settings import rank_of
from diptych.diagnose.settings.no_effect_rules import follows
from diptych.diagnose.settings.suspects import Difference
from diptych.sides import Sided
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


def test_an_argument_of_a_task_that_only_passes_a_setting_on_follows_from_it() -> None:
    heat = difference("gen_kwargs.temperature")._replace(a=0.0, b=0.8)
    passed = difference("task_args.temperature")._replace(a=None, b=0.8, recorded=Sided(False, True))
    sides = run(), run()
    assert follows(passed, [heat, passed], *sides) == "gen_kwargs.temperature"
    assert not follows(passed._replace(b=0.3), [heat, passed], *sides)
    assert not follows(passed, [passed], *sides)
    repeats = difference("arith.repeats")._replace(field="repeats", a=1, b=4, tasks=("arith",))
    assert follows(difference("task_args.epochs")._replace(a=1, b=4), [repeats], *sides) == "arith.repeats"
