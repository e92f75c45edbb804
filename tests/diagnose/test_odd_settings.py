"""A setting's value of a type that nobody expects is told, and ends nothing."""

import random
from pathlib import Path

import pytest

from attacks_settings import ODD, with_settings
from written_runs import Json

CONFIG = ("configs", "words")


@pytest.mark.parametrize("value", [value for value in ODD if isinstance(value, (list, dict))], ids=repr)
def test_a_chat_template_that_is_no_text_is_a_template_all_the_same(value: Json, tmp_path: Path) -> None:
    for seed in range(4):
        assert with_settings(tmp_path, random.Random(seed), [((), "chat_template", value)]) == []


@pytest.mark.parametrize("value", ["x", ["x"], {"a": 1}, True], ids=repr)
def test_a_temperature_that_is_no_number_is_none_that_a_sentence_names(value: Json, tmp_path: Path) -> None:
    drawn = (("config", "gen_kwargs"), "temperature", 0.8), ((*CONFIG, "generation_kwargs"), "do_sample", True)
    for seed in range(6):
        odd = [*drawn, ((*CONFIG, "generation_kwargs"), "temperature", value)]
        assert with_settings(tmp_path, random.Random(seed), odd) == []


def test_filters_that_are_no_list_say_nothing_of_repeats(tmp_path: Path) -> None:
    for seed in range(6):
        odd: list[tuple[tuple[str, ...], str, Json]] = [(CONFIG, "filter_list", 5), (CONFIG, "repeats", seed)]
        assert with_settings(tmp_path, random.Random(seed), odd) == []
