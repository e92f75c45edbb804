"""Numbers become words in one place: signs, digits and units hold everywhere."""

import pytest

from diptych import numbers, value_text
from diptych.report.alignment import align_decimals


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.085, "+8.5 pp"),
        (-0.013, "−1.3 pp"),
        (0.0063, "+0.63 pp"),
        (0.00999, "+1.00 pp"),
        (0.01, "+1.0 pp"),
        (0.0, "0.0 pp"),
        (-0.00001, "0.00 pp"),
        (None, "–"),
    ],
)
def test_a_difference_of_fractions_is_told_in_points(value: float | None, text: str) -> None:
    assert numbers.points(value) == text


@pytest.mark.parametrize(
    ("a", "b", "higher", "there"),
    [
        (0.2, 0.9, True, True),
        (0, 1, None, True),
        (0.2, 12.0, True, False),
        (0.4, 0.5, False, False),
        (None, None, True, False),
    ],
)
def test_points_are_for_fractions_only(a: float | None, b: float | None, higher: bool | None, there: bool) -> None:
    assert numbers.in_points(a, b, higher) is there


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.22, "0.2200"), (18.4213, "18.421"), (-612.5, "−612.50"), (1.5e9, "1.5e+09"), (None, "–"), (0.0, "0.0000")],
)
def test_a_score_has_the_digits_its_size_needs(value: float | None, text: str) -> None:
    assert numbers.score(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "< 0.001"), (1e-9, "< 0.001"), (0.0321, "0.032"), (0.04996, "0.0500"), (0.9999, "1"), (None, "–")],
)
def test_a_p_value_is_never_nought_and_exact_near_the_line(value: float | None, text: str) -> None:
    assert numbers.p_value(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.44, "2.4 s"), (45.2, "45 s"), (500.4, "8 min 20 s"), (59.7, "1 min 00 s"), (7500, "2 h 05 min"), (None, "–")],
)
def test_a_time_is_one_a_person_can_plan_with(seconds: float | None, text: str) -> None:
    assert numbers.duration(seconds) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2025-11-01T10-00-01.123456", "2025-11-01 10:00"),
        ("2025-11-01T10:00:01+00:00", "2025-11-01 10:00"),
        ("2025-11-01", "2025-11-01"),
        ("last Tuesday", "last Tuesday"),
        (None, "not recorded"),
    ],
)
def test_a_date_is_told_to_the_minute_and_other_text_as_it_is(text: str | None, shown: str) -> None:
    assert value_text.date(text) == shown


@pytest.mark.parametrize(
    ("item", "recorded", "text"),
    [
        (None, True, "null"),
        (None, False, "not recorded"),
        ("not recorded", True, '"not recorded"'),
        ("null", True, '"null"'),
        ("", True, '""'),
        (" a", True, '" a"'),
        ("bf16", True, "bf16"),
        (True, True, "true"),
        (1.0, True, "1.0"),
        (["é", {"b": 1, "a": None}], True, '["é", {"a": null, "b": 1}]'),
    ],
)
def test_a_value_cannot_be_mistaken_for_another(item: object, recorded: bool, text: str) -> None:
    assert value_text.value(item, recorded) == text


def test_numbers_stand_below_each_other_at_the_point() -> None:
    rows = align_decimals(["−14.0", "+0.6658", "3", "–"], pad=" ", point=" ", left=" ")
    assert rows == ["−14.0   ", " +0.6658", "  3     ", "       –"]


@pytest.mark.parametrize(("count", "text"), [(1, "1 item"), (0, "0 items"), (14042, "14,042 items")])
def test_a_count_has_its_noun(count: int, text: str) -> None:
    assert numbers.counted(count, "item") == text


@pytest.mark.parametrize(("share", "text"), [(0.46, "46 %"), (0.004, "0.4 %"), (0, "0 %"), (1, "100 %"), (None, "–")])
def test_a_share_is_a_per_cent(share: float | None, text: str) -> None:
    assert numbers.percent(share) == text


@pytest.mark.parametrize(("value", "text"), [(1234567.0, "1,234,567"), (0.1234, "0.123"), (12.0, "12"), (None, "–")])
def test_a_quantity_is_short(value: float | None, text: str) -> None:
    assert numbers.quantity(value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (0.0, "0"), (0.25, "0.2500"), (None, "–")])
def test_an_items_score_is_right_or_wrong_or_between(value: float | None, text: str) -> None:
    assert numbers.item_score(value) == text


@pytest.mark.parametrize(
    ("value", "reported", "ours", "low", "high", "text"),
    [
        (0.29, 0.0372988, None, None, None, "± 0.0373"),
        (0.29, None, 0.0372988, None, None, "± 0.0373*"),
        (1.0, 0.0, None, 0.88649, 1.0, "0.886–1*"),
        (0.0, None, 0.0, 0.0, 0.02497, "0–0.025*"),
        (0.5, 0.05, None, 0.4, 0.6, "± 0.0500"),
        (1.0, 0.0, None, None, None, "–"),
        (0.5, None, None, None, None, "–"),
    ],
)
def test_a_score_at_a_bound_has_a_range_and_what_is_ours_a_star(
    value: float, reported: float | None, ours: float | None, low: float | None, high: float | None, text: str
) -> None:
    assert numbers.error(value, reported, ours, low, high) == text


@pytest.mark.parametrize(
    ("low", "high", "in_points", "text"),
    [
        (-0.021, -0.00999, True, "−2.10 to −1.00"),
        (-0.021, -0.0062, True, "−2.1 to −0.6"),
        (-0.08, 0.007, True, "−8.0 to +0.7"),
        (-0.004, 0.007, True, "−0.40 to +0.70"),
        (0.0, 0.007, True, "0.00 to +0.70"),
        (0.0, 0.0, True, "0.0 to 0.0"),
        (0.0003, 0.021, True, "+0.03 to +2.10"),
        (-3.5, 12.25, False, "−3.500 to +12.250"),
        (None, 0.1, True, "–"),
    ],
)
def test_both_ends_of_a_range_have_as_many_decimals(
    low: float | None, high: float | None, in_points: bool, text: str
) -> None:
    assert numbers.between(low, high, in_points) == text


@pytest.mark.parametrize(
    ("value", "what", "text"),
    [
        (1, "warnings", "1 more warning"),
        (2, "warnings", "2 more warnings"),
        (1, "rows of scores", "1 more row of scores"),
        (1, "entries", "1 more entry"),
    ],
)
def test_what_is_left_is_counted_in_the_right_number(value: int, what: str, text: str) -> None:
    assert numbers.more(value, what) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0 EUR"),
        (0.00377, "0.0038 EUR"),
        (4, "4.00 EUR"),
        (-219.924, "−219.92 EUR"),
        (2640, "2,640 EUR"),
    ],
)
def test_money_has_cents_and_its_currency(value: float | None, text: str) -> None:
    assert numbers.money(value, "EUR") == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (5400, "seconds", "1 h 30 min"),
        (0.25, "seconds", "0.25 s"),
        (12_400, "completion_tokens", "12,400"),
        (123.4, "watt_hours", "123 Wh"),
        (2.5, "gpu_hours", "2.5 gpu_hours"),
    ],
)
def test_a_cost_has_its_unit(value: float, unit: str, text: str) -> None:
    assert numbers.cost(value, unit) == text


def test_a_share_of_many_is_told_in_tenths() -> None:
    assert (numbers.percent(0.906, 200), numbers.percent(0.906, 199), numbers.percent(1.0, 400)) == (
        "90.6 %",
        "91 %",
        "100 %",
    )


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("9c2e41d7" * 5, "e07714ab" * 5, ("9c2e41d", "e07714a")),
        ("9c2e41d7" * 5, "9c2e41d7" * 4 + "00000000", ("9c2e41d7" * 4 + "9", "9c2e41d7" * 4 + "0")),
        ("main", "e07714ab" * 5, ("main", "e07714a")),
        ("deadbeef", "cafe", ("deadbeef", "cafe")),
    ],
)
def test_hashes_are_told_by_as_many_digits_as_tell_them_apart(a: str, b: str, told: tuple[str, str]) -> None:
    assert value_text.short_hashes(a, b) == told


@pytest.mark.parametrize(
    ("values", "in_points", "texts"),
    [
        ((0.02, 0.021), True, ["2.0", "2.1"]),
        ((0.05001, 0.05002, 0.05002), True, ["5.001", "5.002", "5.002"]),
        ((-0.02, -0.02), True, ["−2.0", "−2.0"]),
        ((12.0001, 12.0002), False, ["12.0001", "12.0002"]),
    ],
)
def test_a_limit_is_not_shown_equal_to_what_is_beyond_it(
    values: tuple[float, ...], in_points: bool, texts: list[str]
) -> None:
    assert numbers.distinct_texts(values, in_points) == texts


def test_two_long_paths_are_told_by_where_they_part() -> None:
    tell = value_text.differing_paths
    assert tell("models/SmolLM2-135M-Instruct-Q4_1", "models/SmolLM2-135M-Instruct-Q4_0", 40) == ("…Q4_1", "…Q4_0")
    assert tell("runs/ckpt-100/model.gguf", "runs/ckpt-200/model.gguf", 40) == (
        "ckpt-100/model.gguf",
        "ckpt-200/model.gguf",
    )
    assert tell("models/a", "models/b", 40) == ("models/a", "models/b")
    assert tell("one sentence of words/and more", "one sentence of words/and less", 40)[0].startswith("one sentence")


def test_a_difference_has_the_decimals_of_the_interval_beside_it() -> None:
    assert numbers.between(-0.0208, -0.00996, True) == "−2.08 to −1.00"
    assert numbers.amount_beside(-0.0154, -0.0208, -0.00996, True) == "−1.54 pp"
    assert numbers.amount_beside(0.0042, -0.012, 0.0201, True, unit=False) == "+0.4"
    assert numbers.amount_beside(0.0002, -0.012, 0.0201, True) == "+0.02 pp", "no nought that it is not"
    assert numbers.amount_beside(0.00996, -0.012, 0.0201, True) == numbers.points(0.00996), "no whole point, either"
    assert numbers.amount_beside(0.1, None, None, True) == "+10.0 pp"


def test_a_difference_and_the_interval_beside_it_read_as_each_does_alone() -> None:
    for value, low, high in ((-0.31, -0.493, -0.087), (0.004, -0.012, 0.02), (0.01, 0.01, 0.5), (None, None, None)):
        for share in (True, False):
            alone = numbers.amount_beside(value, low, high, share, unit=False), numbers.between(low, high, share)
            assert numbers.beside_range(value, low, high, share) == alone


def test_a_score_of_minus_nought_is_nought() -> None:
    assert numbers.score(-0.0) == "0.0000"
