"""The run that would settle it: A as it was, with one setting of B, for A's version of the harness."""

import ast
import json
import shlex

import pytest

from diptych.comparison import IsolatingRun
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.run import Run, Setting
from examples_runs import Json, run

CHAT = {"chat_template": "{{ m }}", "fewshot_as_multiturn": True}
SHOTS = {"arith": {"num_fewshot": 3}}
NEW = {"versions.lm_eval": "0.4.13"}


def made(key: str, a: Run, b: Run) -> IsolatingRun:
    found = isolating_run(key, a, b)
    assert found is not None
    return found


def words(key: str, a: Run, b: Run) -> list[str]:
    """Return the command as a shell splits it, without notes."""
    lines = [line for line in made(key, a, b).command.split("\n") if not line.startswith("#")]
    return shlex.split("\n".join(lines))


def option(key: str, a: Run, b: Run, name: str) -> str | None:
    split = words(key, a, b)
    joined = [word.partition("=")[2] for word in split if word.startswith(f"{name}=")]
    return joined[0] if joined else split[split.index(name) + 1] if name in split else None


def arguments_of(call: str) -> dict[str, Json]:
    """Return the arguments of the Python call that can be read as plain values."""
    tree = next(node for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Call))
    return {word.arg or "": ast.unparse(word.value) for word in tree.keywords}


@pytest.mark.parametrize(
    ("key", "wide", "task", "name", "value"),
    [
        ("num_fewshot", {}, {"num_fewshot": 5}, "--num_fewshot", "5"),
        ("limit", {"limit": 20.0}, {}, "--limit", "20"),
        ("limit", {"limit": 0.25}, {}, "--limit", "0.25"),
        ("batch_size", {"batch_size": "auto"}, {}, "--batch_size", "auto"),
        ("device", {"device": "cpu"}, {}, "--device", "cpu"),
        ("torch_seed", {"torch_seed": 7}, {}, "--seed", "0,1234,7,1234"),
        ("fewshot_seed", {"fewshot_seed": None}, {}, "--seed", "0,1234,1234,None"),
        ("system_instruction", {"system_instruction": "Be brief."}, {}, "--system_instruction", "Be brief."),
        ("gen_kwargs.max_gen_toks", {}, {"gen_kwargs.max_gen_toks": 32}, "--gen_kwargs", "max_gen_toks=32"),
        ("model_args.add_bos_token", {"model_args.add_bos_token": True}, {}, "--model_args", None),
    ],
)
def test_one_setting_is_b_s_and_the_rest_is_a_s(
    key: str, wide: dict[str, Json], task: dict[str, Json], name: str, value: str | None
) -> None:
    a, b = run(), run(wide, tasks={"arith": task})
    split = words(key, a, b)
    assert split[:3] == ["lm_eval", "--model", "hf"]
    assert option(key, a, b, name) == (value or "pretrained=org/base-1b,add_bos_token=True")
    assert option(key, a, b, "--tasks") == "arith"
    assert split[-3:-1] == ["--log_samples", "--output_path"]


def test_what_b_did_not_give_is_left_out() -> None:
    a = run({"model_args.add_bos_token": True})
    assert option("model_args.add_bos_token", a, run(), "--model_args") == "pretrained=org/base-1b"


def test_the_subcommand_is_used_from_the_version_that_has_it() -> None:
    b = run({"batch_size": 1})
    assert words("batch_size", run(), b)[1] == "--model"
    assert words("batch_size", run(NEW), b)[1] == "run"
    assert words("batch_size", run({"versions.lm_eval": None}), b)[1] == "--model"


def test_a_template_is_turned_on_and_off() -> None:
    assert "--apply_chat_template" in words("chat_template", run(), run(CHAT))
    assert "--apply_chat_template" not in words("chat_template", run(CHAT), run())


def test_a_template_that_comes_with_examples_leaves_their_layout_alone() -> None:
    a, b = run(NEW, tasks=SHOTS), run({**NEW, **CHAT}, tasks=SHOTS)
    assert option("chat_template", a, b, "--fewshot_as_multiturn") == "false"


def test_another_template_s_text_cannot_be_given_on_the_command_line_and_that_is_said() -> None:
    command = made("chat_template", run(CHAT), run({**CHAT, "chat_template": "{{ other }}"})).command
    assert "put B’s chat template into the tokenizer" in command


def test_turns_are_a_switch_before_the_subcommand_and_a_word_after() -> None:
    one_block = {**CHAT, "fewshot_as_multiturn": False}
    old_a, old_b = run(one_block, tasks=SHOTS), run(CHAT, tasks=SHOTS)
    assert "--fewshot_as_multiturn" in words("fewshot_as_multiturn", old_a, old_b)
    assert "--fewshot_as_multiturn" not in words("fewshot_as_multiturn", old_b, old_a)
    new_a, new_b = run({**NEW, **CHAT}, tasks=SHOTS), run({**NEW, **one_block}, tasks=SHOTS)
    assert option("fewshot_as_multiturn", new_a, new_b, "--fewshot_as_multiturn") == "false"
    assert option("fewshot_as_multiturn", new_b, new_a, "--fewshot_as_multiturn") == "true"


def test_turns_without_a_template_or_examples_are_not_asked_for() -> None:
    assert isolating_run("fewshot_as_multiturn", run(tasks=SHOTS), run(CHAT, tasks=SHOTS)) is None
    assert "--fewshot_as_multiturn" not in words("batch_size", run(CHAT), run({"batch_size": 1}))


def test_tasks_with_other_numbers_of_examples_get_a_command_each() -> None:
    a = run(tasks={"x": {"num_fewshot": 0}, "y": {"num_fewshot": 5}})
    lines = made("batch_size", a, a._replace(settings=run({"batch_size": 1}).settings)).command.split("\n")
    assert [shlex.split(line)[6:9] for line in lines] == [["x", "--num_fewshot", "0"], ["y", "--num_fewshot", "5"]]
    assert lines[0].split()[-1] != lines[1].split()[-1]


def test_only_the_tasks_whose_examples_differ_are_run_again() -> None:
    a = run(tasks={"x": {"num_fewshot": 0}, "y": {"num_fewshot": 0}})
    b = run(tasks={"x": {"num_fewshot": 0}, "y": {"num_fewshot": 2}})
    assert option("num_fewshot", a, b, "--tasks") == "y"


def test_whole_groups_are_called_by_their_name() -> None:
    tasks: dict[str, dict[str, Json]] = {"x": {}, "y": {}, "z": {}}
    a = run(tasks=tasks, groups={"group": ("x", "y")})
    b = run({"batch_size": 1}, tasks=tasks)
    assert option("batch_size", a, b, "--tasks") == "group,z"


def test_tasks_that_b_did_not_run_are_not_run_again() -> None:
    a = run(tasks={"x": {}, "y": {}}, metadata={"seconds": 60.0})
    b = run({"batch_size": 1}, tasks={"y": {}, "z": {}})
    assert option("batch_size", a, b, "--tasks") == "y"
    assert made("batch_size", a, b).seconds == 30.0


def test_an_argument_given_as_none_is_given_as_none_again() -> None:
    a = run({"model_args.tokenizer_backend": None})
    assert "tokenizer_backend=None" in made("batch_size", a, run({"batch_size": 1})).command


@pytest.mark.parametrize(
    "hostile", ["Don't; `rm -rf x`", '$HOME "q" \\ $(id)', "two\nlines", "--help", "* ? [a] {b}", ""]
)
def test_no_text_breaks_out_of_its_word(hostile: str) -> None:
    b = run({"system_instruction": hostile, "model_args.pretrained": hostile})
    assert option("system_instruction", run(), b, "--system_instruction") == hostile
    assert hostile in ast.literal_eval(arguments_of(made("system_instruction", run(), b).python)["system_instruction"])


def test_a_value_that_would_break_a_list_of_arguments_is_given_as_an_object() -> None:
    b = run(tasks={"arith": {"gen_kwargs.until": ["\n", "a,b=c"]}})
    assert option("gen_kwargs.until", run(), b, "--gen_kwargs") == '{"until": ["\\n", "a,b=c"]}'


def test_a_version_that_cannot_be_given_a_list_is_told_in_a_note() -> None:
    b = run(tasks={"arith": {"gen_kwargs.until": ["\n"]}})
    a = run({"versions.lm_eval": "0.4.5"}, tasks={"arith": {"gen_kwargs.until": ["x"]}})
    found = made("gen_kwargs.until", a, b)
    assert found.command.startswith("# set generation_kwargs.until to")
    assert "--gen_kwargs" not in found.command


def test_drawing_takes_temperature_and_do_sample_together() -> None:
    b = run(tasks={"arith": {"gen_kwargs.temperature": 0.7, "gen_kwargs.do_sample": True}})
    given = option("gen_kwargs.do_sample", run(), b, "--gen_kwargs")
    assert given == "temperature=0.7,do_sample=True"
    assert option("gen_kwargs.temperature", run(), b, "--gen_kwargs") == given
    greedy = run(tasks={"arith": {"gen_kwargs.temperature": 0.0, "gen_kwargs.do_sample": False}})
    assert option("gen_kwargs.temperature", b, greedy, "--gen_kwargs") == "temperature=0.0,do_sample=False"


@pytest.mark.parametrize("name", ["api_key", "token", "auth_token", "hub_secret", "password"])
def test_a_secret_is_a_placeholder_that_the_shell_fills_in(name: str) -> None:
    a = run({f"model_args.{name}": "sesame"})
    found = made("batch_size", a, run({"batch_size": 1}))
    assert "sesame" not in found.command + found.python
    assert f'{name}="$API_KEY"' in found.command.replace("'", "")
    assert 'os.environ["API_KEY"]' in found.python


def test_what_was_masked_when_read_is_a_placeholder_too() -> None:
    a = run({"model_args.base_url": "https://user:***@host/v1", "model_args.bos_token": "<s>"})
    found = made("batch_size", a, run({"batch_size": 1}))
    assert "***" not in found.command + found.python
    assert "$API_KEY" in found.command
    assert "<s>" in found.command


def test_a_backend_brings_its_own_arguments() -> None:
    b = run({"model": "served", "model_args.base_url": "http://x"}, without=("model_args.pretrained",))
    assert option("model", run(), b, "--model") == "served"
    assert option("model", run(), b, "--model_args") == "base_url=http://x"
    assert made("model", run(), b).command.startswith("# the arguments of a backend belong to it")


@pytest.mark.parametrize("key", ["chat_template", "model"])
@pytest.mark.parametrize("on", [True, False])
def test_a_template_and_a_backend_that_takes_messages_alone_come_together(key: str, on: bool) -> None:
    text = run({"model": "local-completions", "model_args.base_url": "http://x/v1/completions"})
    chat = run({"model": "local-chat-completions", "model_args.base_url": "http://x/v1/chat", "chat_template": ""})
    split = words(key, *((text, chat) if on else (chat, text)))
    assert split[split.index("--model") + 1] == ("local-chat-completions" if on else "local-completions")
    assert ("http://x/v1/chat" in " ".join(split)) is on
    assert ("--apply_chat_template" in split) is on
    assert "come together" in made(key, text, chat).command


def test_a_model_is_named_as_a_s_backend_names_it() -> None:
    a = run({"model": "served", "model_args.model": "one"}, without=("model_args.pretrained",))
    assert option("model_args.pretrained", a, run(), "--model_args") == "model=org/base-1b"


def test_another_version_is_installed_first_and_spoken_to_in_its_own_words() -> None:
    lines = made("versions.lm_eval", run(), run(NEW)).command.split("\n")
    assert lines[0] == "pip install lm_eval==0.4.13"
    assert lines[1].startswith("lm_eval run --model hf ")
    assert made("versions.lm_eval", run(), run(NEW)).python.startswith("# pip install lm_eval==0.4.13")


def test_what_is_served_is_a_note_above_a_s_own_command() -> None:
    a, b = run(context={"quant": "Q8"}), run(context={"quant": "Q4"})
    lines = made("context.quant", a, b).command.split("\n")
    assert lines[0] == "# first serve quant Q4 where A had Q8; nothing else changes"
    assert lines[1].startswith("lm_eval --model hf --model_args pretrained=org/base-1b ")


def test_weights_that_are_named_by_their_quantisation_are_taken_by_their_path() -> None:
    a = run({"model_args.pretrained": "m/base-Q8"}, context={"quant": "Q8"})
    b = run({"model_args.pretrained": "m/base-Q4"}, context={"quant": "Q4"})
    assert option("context.quant", a, b, "--model_args") == "pretrained=m/base-Q4"


@pytest.mark.parametrize("key", ["model_num_parameters", "versions.arith", "x.y", "bootstrap_iters"])
def test_what_no_command_can_change_has_no_run(key: str) -> None:
    assert isolating_run(key, run({key: 1}), run({key: 2})) is None


def test_a_run_that_would_only_repeat_a_is_none() -> None:
    assert isolating_run("batch_size", run(), run()) is None


def test_a_run_without_tasks_has_none() -> None:
    assert isolating_run("batch_size", run(tasks={}), run({"batch_size": 1})) is None


def test_the_expected_time_is_a_s_own_and_follows_the_limit() -> None:
    a = run(metadata={"seconds": 60.0})
    assert made("batch_size", a, run({"batch_size": 1})).seconds == 60.0
    assert made("limit", a, run({"limit": 20}, items={"arith": 20})).seconds == 12.0
    assert made("batch_size", run(), run({"batch_size": 1})).seconds is None


def test_a_cache_and_task_files_of_one_s_own_are_noted() -> None:
    a = run({"use_cache": "c.db"}, configs={"arith": {"dataset_path": "json"}})
    command = made("batch_size", a, run({"batch_size": 1})).command
    assert "cached answers are no new measurement" in command
    assert "--include_path DIR" in command
    assert "--use_cache" not in command


def test_the_python_call_says_the_same_as_the_command() -> None:
    a = run({**NEW, **CHAT, "limit": 20.0, "random_seed": Setting(5)}, tasks=SHOTS)
    call = arguments_of(made("batch_size", a, run({"batch_size": 1})).python)
    assert call["apply_chat_template"] == "True"
    assert call["fewshot_as_multiturn"] == "True"
    assert (call["limit"], call["num_fewshot"], call["random_seed"]) == ("20", "3", "5")
    assert call["batch_size"] == "1"


def test_each_outcome_is_said_to_mean_something() -> None:
    found = made("batch_size", run(), run({"batch_size": 1}))
    assert "batch_size makes the difference" in found.if_closes
    assert "go on to the next setting" in found.if_stays


def test_values_that_vary_by_task_get_a_command_each() -> None:
    a = run(tasks={"x": {}, "y": {}, "z": {}})
    b = run(tasks={"x": {"num_fewshot": 1}, "y": {"num_fewshot": 2}, "z": {}})
    lines = made("num_fewshot", a, b).command.split("\n")
    assert [shlex.split(line)[6:9] for line in lines] == [["x", "--num_fewshot", "1"], ["y", "--num_fewshot", "2"]]
    warm = run(tasks={"x": {"gen_kwargs.top_k": 5}, "y": {"gen_kwargs.top_k": 9}, "z": {}})
    commands = made("gen_kwargs.top_k", a, warm).command.split("\n")
    assert [shlex.split(line)[6] for line in commands] == ["x", "y"]


def test_groups_of_whole_groups_are_called_by_their_name() -> None:
    tasks: dict[str, dict[str, Json]] = {"x": {}, "y": {}}
    a = run(tasks=tasks, groups={"all": ("sub",), "sub": ("x", "y")})
    assert option("batch_size", a, run({"batch_size": 1}, tasks=tasks), "--tasks") == "all"


def test_keys_of_one_object_among_a_models_arguments_are_swapped_as_a_whole() -> None:
    scaled = {"model_args.rope.kind": "yarn", "model_args.rope.factor": 4.0, "model_args.rope.base": 10_000}
    a, b = run({**NEW, **scaled}), run(NEW)
    assert made("model_args.rope.factor", a, b).changes == "model_args.rope"
    assert option("model_args.rope.factor", a, b, "--model_args") == "pretrained=org/base-1b"
    given = option("model_args.rope.factor", b, a, "--model_args")
    assert json.loads(given or "") == {
        "pretrained": "org/base-1b",
        "rope": {"kind": "yarn", "factor": 4.0, "base": 10_000},
    }
    one = run({**NEW, **scaled, "model_args.rope.factor": 8.0})
    assert made("model_args.rope.factor", a, one).changes == "model_args.rope.factor"
