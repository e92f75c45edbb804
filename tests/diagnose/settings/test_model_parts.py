"""What of a model a recorded key tells, and which keys are changes of their own."""

import pytest

from diptych.comparison import SettingDifference
from diptych.diagnose.settings.model_parts import is_other_change, names_two_quantizations, one_name, same_weights
from diptych.diagnose.settings.suspects import Difference, of_setting
from diptych.run import Json
from examples_runs import run


def given(name: str, a: Json, b: Json) -> Difference:
    return of_setting(SettingDifference(f"model_args.{name}", a, b, True, True, None, "model", (), ""))


ADAPTER, BITS, FILES = ("peft", None, "x/lora-r8"), ("load_in_4bit", None, True), ("pretrained", "x/m-1b", "x/n-1b")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (ADAPTER, BITS, True),
        (FILES, BITS, True),
        (FILES, ADAPTER, True),
        (("revision", "main", "v2"), ADAPTER, True),
        (("bnb_4bit_quant_type", None, "nf4"), BITS, False),
        (("lora_alpha", None, 16), ADAPTER, False),
        (("revision", "main", "v2"), FILES, False),
        (("pretrained", "x/m-1b", "x/m-1b-AWQ"), ("quantization", None, "awq"), False),
        (("pretrained", "x/m-1b", "out/lora-r8-full"), ("peft", "x/lora-r8", None), False),
        (("pretrained", "out/m-merged", "x/m-1b"), ADAPTER, False),
    ],
)
def test_arguments_that_somebody_gave_for_different_parts_of_a_model_are_two_changes(
    one: tuple[str, Json, Json], other: tuple[str, Json, Json], apart: bool
) -> None:
    assert is_other_change(given(*one), given(*other)) is apart
    assert is_other_change(given(*other), given(*one)) is apart


@pytest.mark.parametrize(
    ("name", "other", "one_model", "both_quantized"),
    [
        ("/m/qwen2.5-7b-instruct-q8_0.gguf", "/n/Qwen2.5-7B-Instruct-Q2_K.gguf", True, True),
        ("llama3.1:8b-instruct-q4_K_M", "llama3.1:8b-instruct-q8_0", True, True),
        ("m-7b.IQ4_XS.gguf", "m-7b.UD-Q4_K_XL.gguf", True, True),
        ("org/m-7b", "org/m-7b-AWQ", True, False),
        ("org/m-7b-AWQ", "org/m-7B-AWQ", True, False),
        ("org/m-7b-q8_0", "org/m-3b-q4_0", False, False),
    ],
)
def test_names_that_differ_in_their_quantization_alone_are_of_one_model(
    name: str, other: str, one_model: bool, both_quantized: bool
) -> None:
    a, b = (run({"model_args.pretrained": one}) for one in (name, other))
    assert same_weights(a, b) is one_model
    assert names_two_quantizations(a, b) is both_quantized


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("m2:7b-instruct-q4_K_M", "/files/M2-7B-Instruct-Q4_K_M.gguf", True),
        ("org/M-1.5B", "m-1.5b", True),
        ("m2:7b-instruct-q4_K_M", "m2-7b-instruct-q5_K_M.gguf", False),
        ("org/m-7b", "org/m-7b-AWQ", False),
        ("org/m-7b", "org/m-8b", False),
    ],
)
def test_a_model_that_two_servers_spell_in_their_own_ways_is_one_by_name(name: str, other: str, same: bool) -> None:
    assert one_name(*(run({"model_args.pretrained": each}) for each in (name, other))) is same
