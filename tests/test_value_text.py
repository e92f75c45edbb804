"""Values of settings in words."""

import pytest

from diptych import value_text


@pytest.mark.parametrize(
    ("key", "value", "recorded", "text"),
    [
        ("limit", None, True, "not given"),
        ("limit", None, False, "not recorded"),
        ("limit", 40, True, "40"),
        ("chat_template", None, True, "off"),
        ("chat_template", None, False, "not recorded"),
        ("chat_template", "", True, "on, by the server"),
        ("chat_template", "{{ messages }}", True, "{{ messages }}"),
        ("versions.transformers", None, True, "not recorded"),
        ("fewshot_as_multiturn", True, True, "true"),
    ],
)
def test_a_setting_is_said_in_words_and_never_as_null(key: str, value: object, recorded: bool, text: str) -> None:
    assert value_text.setting(key, value, recorded) == text


def test_a_metric_that_is_called_by_a_number_does_not_read_as_an_amount() -> None:
    assert value_text.metric_name("4096", "none") == "metric 4096"
    assert value_text.metric_name("pass@1", "none") == "pass@1"
