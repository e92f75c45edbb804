"""Settings: looked up where each generation keeps them, one form for one meaning, not recorded apart from null."""

from typing import Any

import pytest

from diptych.harness.lm_eval.generations import generation_of, release_numbers
from diptych.harness.lm_eval.settings import run_settings, task_settings
from diptych.harness.lm_eval.task_configs import task_configs
from diptych.run import NOT_RECORDED, Setting
from written_runs import ABSENT, results


def settings(chat_seen: bool | None = None, **changes: Any) -> dict[str, Setting]:
    document = results(**changes)
    return run_settings(document, generation_of(document), chat_seen)


# changes of 0.4.9.2, changes of 0.4.13: one command line, two ways to write it down
SAME = {
    "device": ({"config__device": None}, {"config__device": "cuda:0"}),
    "gen_kwargs": ({"config__gen_kwargs": None}, {"config__gen_kwargs": {}}),
    "batch_size": ({"config__batch_size": 1}, {"config__batch_size": "1"}),
    "limit": ({"config__limit": 50.0}, {"config__limit": 50}),
    "no limit": ({"config__limit": 0.0}, {"config__limit": None}),
    "multiturn": ({"fewshot_as_multiturn": False}, {"fewshot_as_multiturn": None}),
    "model_args": (
        {"config__model_args": "pretrained=m,max_length=2048,trust_remote_code=True,dtype=float32"},
        {"config__model_args": {"pretrained": "m", "max_length": 2048, "trust_remote_code": True, "dtype": "float32"}},
    ),
    "no model_args": ({"config__model_args": ""}, {"config__model_args": {}}),
    "generation arguments": (
        {"config__gen_kwargs": "temperature=0.7,do_sample=true"},
        {"config__gen_kwargs": {"temperature": 0.7, "do_sample": True}},
    ),
    "token ids": ({"tokenizer_eos_token": ["</s>", 1]}, {"tokenizer_eos_token": ["</s>", "1"]}),
}


@pytest.mark.parametrize("kind", SAME)
def test_one_command_line_is_no_difference_between_generations(kind: str) -> None:
    old, new = SAME[kind]
    before, after = settings(**old), settings(lm_eval_version="0.4.13", **new)
    before.pop("versions.lm_eval"), after.pop("versions.lm_eval")
    assert {key: setting.value for key, setting in before.items()} == {
        key: setting.value for key, setting in after.items()
    }


def test_a_moved_default_that_took_effect_is_a_difference() -> None:
    old = settings(chat_template="<|x|>", fewshot_as_multiturn=False)["fewshot_as_multiturn"]
    new = settings(lm_eval_version="0.4.13", chat_template="<|x|>", fewshot_as_multiturn=True)["fewshot_as_multiturn"]
    assert (old.value, new.value) == (False, True)
    assert old.default
    assert new.default


# version, what the file says, samples seen as chat, value, recorded
TEMPLATES = [
    ("0.4.13", None, None, None, True),
    ("0.4.13", "<|x|>", None, "<|x|>", True),
    ("0.4.13", "", None, "", True),
    ("0.4.9.2", "", None, "", True),
    ("0.4.5", "", None, None, False),
    ("0.4.5", "", True, "", True),
    ("0.4.5", "", False, None, True),
    ("0.4.4", "<|x|>", None, "<|x|>", True),
    ("0.4.3", "", None, "", True),
    ("0.4.13", ABSENT, None, None, False),
    ("0.4.1", ABSENT, None, None, True),
]


@pytest.mark.parametrize(("version", "template", "seen", "value", "recorded"), TEMPLATES)
def test_a_chat_template_has_three_states_and_may_be_unknown(
    version: str, template: Any, seen: bool | None, value: str | None, recorded: bool
) -> None:
    found = settings(seen, lm_eval_version=version, chat_template=template)["chat_template"]
    assert (found.value, found.recorded) == (value, recorded)


def test_a_chat_interface_is_always_on_where_the_file_is_ambiguous() -> None:
    found = settings(lm_eval_version="0.4.5", chat_template="", config__model="local-chat-completions")
    assert found["chat_template"] == Setting("")


def test_what_the_file_does_not_say_is_not_recorded() -> None:
    document = {"results": {"arith": {"acc,none": 0.5}}}
    found = run_settings(document, generation_of(document), None)
    assert all(setting == NOT_RECORDED for setting in found.values())
    assert {"model", "model_args", "gen_kwargs", "limit", "batch_size", "chat_template"} <= found.keys()
    assert task_settings(document, ("arith",)) == {
        "arith": {"num_fewshot": NOT_RECORDED, "versions.arith": NOT_RECORDED}
    }


def test_the_harness_version_is_not_recorded_before_0_4_9() -> None:
    assert settings(lm_eval_version=ABSENT)["versions.lm_eval"] == NOT_RECORDED


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pretrained=a/b,dtype=auto", {"pretrained": "a/b", "dtype": "auto"}),
        ("a=1,b=1.5,c=1e-3,d=true,e=None,f=", {"a": 1, "b": 1.5, "c": 0.001, "d": True, "e": None, "f": ""}),
        ("base_url=http://h/v1?a=b,model=m", {"base_url": "http://h/v1?a=b", "model": "m"}),
        ("system_prompt=Be brief, please. Answer,model=m", {"system_prompt": "Be brief, please. Answer", "model": "m"}),
        ('{"pretrained": "a", "max_length": 5.0}', {"pretrained": "a", "max_length": 5}),
        ("revision=1_000", {"revision": "1_000"}),
        ("", {}),
    ],
)
def test_arguments_as_text_are_taken_apart_key_by_key(text: str, values: dict[str, Any]) -> None:
    found = settings(config__model_args=text)
    args = {key.removeprefix("model_args."): s.value for key, s in found.items() if key.startswith("model_args.")}
    assert args == values


def test_shots_and_generation_arguments_are_kept_task_by_task() -> None:
    document = results(
        n_shot={"arith": 5},
        configs__arith__generation_kwargs={"until": ["\n"], "temperature": 0.7, "max_gen_toks": 16.0},
        config__gen_kwargs={"temperature": 0.7},
    )
    found = task_settings(document, ("arith",))["arith"]
    assert found["num_fewshot"].value == 5
    assert found["gen_kwargs.temperature"] == Setting(0.7)
    assert found["gen_kwargs.max_gen_toks"] == Setting(16, default=True)
    assert found["versions.arith"].value == 1


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"n_shot": ABSENT, "configs__arith__num_fewshot": 3}, 3),
        ({"n_shot": ABSENT, "configs__arith__num_fewshot": ABSENT, "config__num_fewshot": 2}, 2),
        ({"n_shot": ABSENT, "configs__arith__num_fewshot": ABSENT}, None),
    ],
)
def test_shots_are_looked_up_wherever_they_stand(changes: dict[str, Any], value: int | None) -> None:
    found = task_settings(results(**changes), ("arith",))["arith"]["num_fewshot"]
    assert (found.value, found.recorded) == (value, value is not None)


@pytest.mark.parametrize(("version", "value"), [(1.0, 1), ("1.0", 1), ("2b", "2b"), ("Yaml", 3), ("N/A", 3)])
def test_a_tasks_version_has_one_form(version: Any, value: Any) -> None:
    document = results(versions={"arith": version}, configs__arith__metadata={"version": 3})
    assert task_settings(document, ("arith",))["arith"]["versions.arith"].value == value


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("0.4.13.dev0", (0, 4, 13)), ("v0.4.9.2", (0, 4, 9, 2)), ("0.4.8+local", (0, 4, 8)), ("unknown", None)],
)
def test_a_release_is_told_by_its_numbers(text: str, numbers: tuple[int, ...] | None) -> None:
    assert release_numbers(text) == numbers


# changes that take a document of 0.4.9.2 back to an older one, the sign of its samples, its generation
GENERATIONS = [
    ({}, None, "0.4.9.2"),
    ({"lm_eval_version": ABSENT}, None, "0.4.4–0.4.8"),
    ({"lm_eval_version": ABSENT}, "samples without a filter", "0.4.4–0.4.6"),
    ({"lm_eval_version": ABSENT}, "samples with a filter", "0.4.7–0.4.8"),
    ({"lm_eval_version": ABSENT, "configs__arith__unsafe_code": False}, None, "0.4.8"),
    ({"lm_eval_version": ABSENT, "tokenizer_eos_token": ["</s>", 1]}, None, "0.4.3"),
    ({"lm_eval_version": ABSENT, "tokenizer_eos_token": ABSENT}, None, "0.4.3–0.4.8"),
    ({"lm_eval_version": ABSENT, "tokenizer_eos_token": ABSENT, "higher_is_better": ABSENT}, None, "0.4.2"),
    (
        {
            "lm_eval_version": ABSENT,
            "tokenizer_eos_token": ABSENT,
            "higher_is_better": ABSENT,
            "date": ABSENT,
            "pretty_env_info": ABSENT,
        },
        None,
        "0.4.0–0.4.1",
    ),
    ({"lm_eval_version": ABSENT, "configs": ABSENT, "higher_is_better": ABSENT, "date": ABSENT}, None, "0.3"),
    ({"lm_eval_version": ABSENT, "config": ABSENT}, None, "not recorded (written by a wrapper)"),
]


@pytest.mark.parametrize(("changes", "sign", "text"), GENERATIONS)
def test_a_generation_is_narrowed_by_what_the_file_shows(changes: dict[str, Any], sign: str | None, text: str) -> None:
    assert generation_of(results(**changes), sign).text == text


# a field of a task's definition in two files that mean the same
NOISE = {
    "memory address": ({"process_docs": "<function f at 0x7fa1c8cc28e0>"}, {"process_docs": "<function f at 0x7fa1>"}),
    "null": ({"doc_to_choice": None}, {}),
    "usual value": ({"unsafe_code": False}, {}),
    "model in metadata": (
        {"metadata": {"version": 1.0, "pretrained": "org/base-1b"}},
        {"metadata": {"version": "1.0"}},
    ),
    "source path": ({"metadata": {"version": 1, "config_source": "/a/b.yaml"}}, {"metadata": {"version": 1}}),
    "filled-in few-shot part": (
        {
            "process_docs": "def f(docs):\n    return docs",
            "fewshot_split": "train",
            "fewshot_config": {
                "sampler": "default",
                "split": "train",
                "samples": None,
                "process_docs": "<function f at 0x1>",
                "doc_to_text": "{{question}}",
                "target_delimiter": " ",
            },
        },
        {"process_docs": "def f(docs):\n    return docs", "fewshot_split": "train"},
    ),
}


@pytest.mark.parametrize("kind", NOISE)
def test_noise_in_a_definition_is_folded(kind: str) -> None:
    one, other = (
        task_configs(results(**{f"configs__arith__{name}": value for name, value in changes.items()}))
        for changes in NOISE[kind]
    )
    assert one == other


def test_a_few_shot_part_that_differs_from_its_task_stays() -> None:
    document = results(configs__arith__fewshot_config={"sampler": "first_n", "doc_to_text": "other"})
    assert task_configs(document)["arith"]["fewshot_config"] == {"sampler": "first_n", "doc_to_text": "other"}


# what the file says, the generation that is read off it
WORDS = [
    ({"lm_eval_version": ABSENT, "versions": {"arith": "Yaml"}}, "0.4.3–0.4.8"),
    ({"lm_eval_version": ABSENT, "versions": {"arith": "Yaml"}, "higher_is_better": ABSENT}, "0.4.2"),
    ({"lm_eval_version": "main"}, "0.4.9–0.4.13 (it calls itself main)"),
    ({"lm_eval_version": "0.4.²"}, "0.4.²"),
]


@pytest.mark.parametrize(("change", "text"), WORDS)
def test_a_version_that_is_a_word_does_not_tell_the_release(change: dict[str, Any], text: str) -> None:
    assert generation_of(results(**{"tokenizer_eos_token": ABSENT, **change})).text == text


def test_a_token_that_is_no_number_is_none() -> None:
    assert settings(tokenizer_eos_token=[float("nan"), "2"])["tokenizer_eos_token"].value == [None, 2]
