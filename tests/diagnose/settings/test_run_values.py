"""What is asked of a run's settings: whether two names are of one model, quantised in two ways."""

import pytest

from diptych.diagnose.settings.run_values import named_by_quant, other_model
from diptych.run import Run
from examples_runs import run


def quantised(name: str, quant: str | None) -> Run:
    return run({"model_args.pretrained": name}, context={"quant": quant})


@pytest.mark.parametrize(
    ("other", "quant", "one_model"),
    [
        ("org/base-1b-q8_0", "Q8_0", True),
        ("org/base-1b-Q4_K_M", "Q4_K_M", False),
        ("org/base-3b-Q8_0", "Q8_0", False),
        ("org/base-1b-Q8_0", None, False),
    ],
    ids=["quantised otherwise", "the same name", "another model", "quantisation not recorded"],
)
def test_two_names_are_of_one_model_where_only_the_recorded_quantisation_differs(
    other: str, quant: str | None, one_model: bool
) -> None:
    assert named_by_quant(quantised("org/base-1b-Q4_K_M", "Q4_K_M"), quantised(other, quant)) is one_model


@pytest.mark.parametrize(
    ("name", "other"),
    [("org/base-1b", False), ("/models/Base-1B/", False), ("base-1b", False), ("org/base-3b", True), ("", False)],
)
def test_a_folder_before_the_name_makes_no_other_model(name: str, other: bool) -> None:
    given = {"model_args.pretrained": name} if name else {}
    assert other_model(run({"model_args.pretrained": "org/base-1b"}), run(given)) is other
