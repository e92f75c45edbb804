"""A difference of two texts keeps both texts whole, finds the words that differ, and shows white space."""

import random

import pytest

from diptych.report.writers import diffs
from diptych.report.writers.diffs import (
    Piece,
    changed_shown,
    common_end,
    common_start,
    diff_pieces,
    hidden_shown,
    parting,
)


def sides(pieces: tuple[Piece, ...]) -> tuple[str, str]:
    return "".join(piece.a for piece in pieces), "".join(piece.b for piece in pieces)


def random_text(chance: random.Random, words: int) -> str:
    vocabulary = ["the", "sun", "is", "a", "star", "12", "4.", "so\n", "no-", "\t", "\u00a0", "é", "  ", "####"]
    return " ".join(chance.choice(vocabulary) for _ in range(words))


@pytest.mark.parametrize("seed", range(60))
def test_the_pieces_of_each_side_are_its_text(seed: int) -> None:
    chance = random.Random(seed)
    a = random_text(chance, chance.randrange(400))
    words = a.split(" ")
    for _ in range(chance.randrange(12)):
        words.insert(chance.randrange(len(words) + 1), chance.choice(["new", "", "word.\n"]))
        words.pop(chance.randrange(len(words)))
    b = " ".join(words) if seed % 3 else random_text(chance, 200)
    assert sides(diff_pieces(a, b)) == (a, b)
    assert all(piece.a == piece.b for piece in diff_pieces(a, b) if piece.equal)


@pytest.mark.parametrize(
    ("a", "b", "changes"),
    [
        ("same", "same", []),
        ("", "new", [("", "new")]),
        ("the cat sat", "the car sat", [("cat", "car")]),
        ("4 + 5 = 9. #### 9", "4 + 5 = 10. #### 10", [("9", "10"), ("9", "10")]),
        ("Answer:", "Answer: ", [("", " ")]),
        ("a\nb\nc\n", "a\nc\n", [("b\n", "")]),
        ("one two three", "four five six", [("one two three", "four five six")]),
        (f"1{40 * 'x'}", f"2{40 * 'x'}", [(f"1{40 * 'x'}", f"2{40 * 'x'}")]),
        (f"1{41 * 'x'}", f"2{41 * 'x'}", [("1", "2")]),
    ],
)
def test_a_change_is_told_in_whole_words(a: str, b: str, changes: list[tuple[str, str]]) -> None:
    assert [(piece.a, piece.b) for piece in diff_pieces(a, b) if not piece.equal] == changes


def test_of_long_texts_only_the_words_that_differ_are_changed() -> None:
    lines = [f"Line {number} of a long text says nothing new." for number in range(3_000)]
    others = [
        line.replace("nothing", "something") if number in (9, 2_990) else line for number, line in enumerate(lines)
    ]
    made = diff_pieces("\n".join(lines), "\n".join(others))
    assert [(piece.a, piece.b) for piece in made if not piece.equal] == [("nothing", "something")] * 2


@pytest.mark.parametrize("seed", range(40))
def test_common_ends_agree_with_counting(seed: int) -> None:
    chance = random.Random(seed)
    a, b = ("".join(chance.choice("ab") for _ in range(chance.randrange(30))) for _ in "ab")
    start = next((n for n in range(min(len(a), len(b))) if a[n] != b[n]), min(len(a), len(b)))
    end = next((n for n in range(min(len(a), len(b))) if a[-1 - n] != b[-1 - n]), min(len(a), len(b)))
    assert common_start(a, b) == start
    assert common_end(a, b, min(len(a), len(b))) == end


def test_words_are_compared_only_while_the_budget_lasts() -> None:
    chance = random.Random(1)
    a = " ".join(str(chance.randrange(50)) for _ in range(20_000))
    b = " ".join(str(chance.randrange(50)) for _ in range(20_000))
    differ = diffs.Differ()
    list(differ.pieces(a, b, 0))
    assert differ.budget >= 0
    assert sides(diff_pieces(a, b)) == (a, b)


@pytest.mark.parametrize(
    ("a", "b", "place"),
    [("same", "same", None), ("I say yes", "I say yet", 6), ("x", "y", 0), ("go", "go on", 2)],
)
def test_answers_part_at_the_beginning_of_a_word(a: str, b: str, place: int | None) -> None:
    assert parting(a, b) == place


def test_white_space_is_shown_where_it_is_the_difference() -> None:
    assert changed_shown(" \t\r\n\u00a0\u200b", "") == "·→\t␍↵\n⍽⟦200B⟧"
    assert changed_shown("two  words", "two words") == "two··words"
    assert changed_shown(" two words", "else") == "·two words"


def test_hidden_characters_are_shown_everywhere() -> None:
    assert hidden_shown("a\u202eb\x1b[0m\u2009c d\r\n") == "a⟦202E⟧b⟦001B⟧[0m⟦2009⟧c d␍\n"
