"""Secrets are masked wherever they stand in a run, counted, and printed nowhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from diptych.errors import RunError
from diptych.harness.reader import inspect, read_run
from diptych.harness.secrets import MASK, mask, mask_text
from written_runs import STAMP, choices, results, write_run

KEY = "hf_" + "AbCdEfGhIjKlMnOpQrSt" + "uVwXyZ0123"

MASKED: dict[str, Any] = {
    "token in text": "pretrained=org/m,token=abc,dtype=auto",
    "api_key in text": "model=m,api_key=k3y",
    "known prefix anywhere": f"see {KEY} here",
    "bearer": "Authorization: Bearer abcdef123456",
    "address": "http://user:pa55word@host/v1",
    "query": "https://host/v1?key=abcd1234",
    "object": {"headers": {"Authorization": "Basic dXNlcjpwYXNz"}},
    "key of many spellings": {"OPENAI_API_KEY": "x", "hf_token": "y", "x-api-key": "z", "clientSecret": 1},
    "list": {"tokens_of_mine": ["a"], "password": ["one", "two"]},
    "number": {"password": 12345},
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
    "signed token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def",
    "after an option": "vllm serve --api-key s3cretword --port 80",
    "in a list of arguments": {"argv": ["serve", "--api-key", "word", "--port", "80"]},
    "a store's key": {"storage_options": {"key": "AK0Zq7KxAb3Xy9Wm4Pn8"}},
    "in source code": 'headers = {"Authorization": "Bearer sekret99"}\n',
}
KEPT: list[Any] = [
    "pretrained=org/m,add_bos_token=True,max_gen_toks=5",
    "use_auth_token=True",
    {"pad_token": "<pad>", "eos_token": "</s>", "add_bos_token": "yes please", "max_new_token": "5", "token": None},
    {"tokenizer": "org/m", "num_tokens": 5, "tokenized_requests": "false", "token": "${HUGGINGFACE_TOKEN}"},
    "def f(doc):\n    token = tokenizer.encode(doc)\n    return token",
    "The secret: nobody knows (yet).",
    {"sort_key": "name", "author": "x", "keyboard": "y"},
    "http://127.0.0.1:8091/v1/chat/completions",
    {"token": ""},
    "lm_eval --max-token 5 --tokens few",
    {"argv": ["--sort-key", "name", "--model", "m"], "key": "question"},
]


@pytest.mark.parametrize("kind", MASKED)
def test_a_secret_is_masked_and_counted(kind: str) -> None:
    masked, count = mask(MASKED[kind])
    assert count == {"key of many spellings": 4, "list": 2}.get(kind, 1)
    assert json.dumps(masked).count(MASK) == count


@pytest.mark.parametrize("value", KEPT, ids=str)
def test_what_is_no_secret_stays(value: Any) -> None:
    assert mask(value) == (value, 0)


def test_masking_twice_masks_once() -> None:
    once, count = mask_text(f"token=abc,key={KEY}")
    assert count == 2
    assert mask_text(once) == (once, 0)


def test_no_value_of_a_secret_leaves_the_reader(tmp_path: Path) -> None:
    document = results(
        config__model_args=f"pretrained=org/m,token={KEY}",
        configs__arith__dataset_kwargs={"token": KEY},
        chat_template=f"{{# {KEY} #}}",
        pretty_env_info=f"OS: {KEY}",
        git_hash=KEY,
    )
    write_run(tmp_path / "m", document, {"arith": choices()})
    (tmp_path / "run-context.json").write_text(json.dumps({"api_key": "mine", "quant": KEY}), encoding="utf-8")
    run = read_run(str(tmp_path))
    assert KEY not in str(run._replace(samples={}))
    assert "mine" not in str(run.context)
    assert run.settings["model_args.token"].value == MASK
    assert run.settings["model_args.pretrained"].value == "org/m"
    (remark,) = [remark for remark in run.remarks if remark.kind == "secret_masked"]
    assert remark.count_ == 7
    assert KEY not in str(inspect(str(tmp_path)))


def test_a_secret_in_a_files_name_is_masked(tmp_path: Path) -> None:
    folder = write_run(tmp_path / f"token={KEY}", samples={"arith": choices()})
    (folder / f"samples_arith_{STAMP}.jsonl").write_bytes(b"{")
    run = read_run(str(folder), "a")
    assert KEY not in str(run._replace(samples={}))
    (folder / f"results_{STAMP}.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError) as caught:
        read_run(str(folder))
    assert KEY not in str(caught.value)


def test_a_secret_in_a_folders_name_is_masked_in_its_label(tmp_path: Path) -> None:
    run = read_run(str(write_run(tmp_path / f"run-token={KEY}")))
    assert run.label == f"run-token={MASK}"
    assert KEY not in str(run)
