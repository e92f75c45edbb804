"""Whether the winners of a judge's second game were not turned back with the order: no contradiction, wrong labels."""

from collections.abc import Mapping

from diptych.stats import judge as agreement
from diptych.stats.paired import mcnemar
from diptych.students.judge.judgements import Pair
from diptych.students.judge.verdict_text import verdict_word

MOST_SWAPPED = 0.75
FEWEST_SWAPPED = 5


def swapped_labels(pair: Pair, verdicts: Mapping[str, tuple[int | None, int | None]], numbers: agreement.Audit) -> bool:
    """Say whether the second game's winners look as if the labels were not turned back with the order.

    A judge that follows the place flips to one place; one that answers at random flips half the time. Flips on nearly
    all decided tasks that go to both places, or winners that deny what the judge itself wrote in one of the two
    games, are neither: turned round, that judge is of one mind.
    """
    decided = numbers.flips + numbers.both_a + numbers.both_b
    if numbers.items < agreement.FEWEST_ITEMS or numbers.flips < MOST_SWAPPED * decided:
        return False
    if mcnemar(numbers.flips, decided - numbers.flips).exact >= 0.01:
        return False
    both_places = min(numbers.first_slot, numbers.second_slot) >= max(FEWEST_SWAPPED, 0.1 * numbers.flips)
    return both_places or denied_in_one_game(pair, verdicts)


def denied_in_one_game(pair: Pair, asked: Mapping[str, object]) -> bool:
    """Say whether in one game the winners are the places that the judge wrote, and in the other their opposite."""
    shares = []
    for shown, place in ((pair.first_shown, -1), (pair.second_shown, 1)):
        told = [
            (verdict.value == place) == (word == "FIRST")
            for task in asked
            for verdict in shown[task]
            if verdict.value and (word := verdict_word(verdict.raw or "")) in ("FIRST", "SECOND")
        ]
        if len(told) < FEWEST_SWAPPED:
            return False
        shares.append(sum(told) / len(told))
    return min(shares) < 1 - MOST_SWAPPED and max(shares) > MOST_SWAPPED
