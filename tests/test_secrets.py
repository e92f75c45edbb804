"""Secrets are masked wherever they stand in a run, counted, and printed nowhere."""

import base64
import html
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings, strategies

from diptych.cli import main
from diptych.errors import DiptychError, RunError
from diptych.harness.inspection import inspect
from diptych.harness.reader import read_run
from diptych.secrets import GIVEN, MASK, Given, is_placeholder, mask, mask_text, masked, masked_bytes, remember
from written_runs import STAMP, answer_record, choices, results, write_run

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
    "a private key of PuTTY": "Private-Lines: 1\nAAAAabc+/=\nPrivate-MAC: 01",
    "signed token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def",
    "after an option": "vllm serve --api-key s3cretword --port 80",
    "in a list of arguments": {"argv": ["serve", "--api-key", "word", "--port", "80"]},
    "a bare key": {"key": "s3cr3tK3y"},
    "creds": {"creds": "someone"},
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
    {"key": "MMLU2"},
    {"key": "questionText1"},
    "a sacred text, credit: x, accredited=1",
    "http://127.0.0.1:8091/v1/chat/completions",
    {"token": ""},
    "lm_eval --max-token 5 --tokens few",
    {"argv": ["--sort-key", "name", "--model", "m"], "key": "question"},
    "ssh://git@github.com/org/repo and http://host:8080/path?mail=a@b.example",
    {"text_key": "question_with_4_choices_and_more", "pass": "0.5", "auth": "none", "path": "/opt/sk-learn-models"},
    "lm_eval --sort-key name --author someone",
    "base_url=http://127.0.0.1:8091/v1,revision=main,tokenizer_backend=huggingface",
    "the password has 12345678 signs, and the password is required for step2; a docker login on -p 8080:80",
    "model=ak-47-instruct-v2-chat-large,data=secret_santa_dataset_v2_train_split; mysql -p 3306",
    {"prompt_token_ids_hash": "abc123DEF456ghi789JKL0", "token_type": "BPEsentencepiece2024Version"},
    "hf_transformers_greedy_decoding_with_long_names and sk-learn-like-words-of-any-length",
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


SECRETS = strategies.text(strategies.characters(codec="utf-8", exclude_categories=("Zs", "Zl", "Zp", "Cc")), min_size=8)


@settings(max_examples=300)
@given(SECRETS, strategies.text(max_size=20))
def test_a_secret_that_was_given_is_in_no_way_of_writing_it(secret: str, around: str) -> None:
    assume(not is_placeholder(secret))
    vars(GIVEN).update(vars(Given()))
    remember(secret)
    plain = secret.encode()
    for text in (
        f"{around}{secret}{around}",
        json.dumps({"a": f"{around}{secret}"}),
        json.dumps(secret, ensure_ascii=False),
        f"<p>{html.escape(secret)}</p>",
        f"http://host/?q={quote(secret, safe='')}",
        repr(secret),
    ):
        hidden = masked(text)
        assert hidden != text
        assert secret not in hidden
        assert masked_bytes(text.encode("utf-8", "replace")).decode("utf-8", "replace") == hidden
    if len(plain) >= 12:
        coded = base64.b64encode(around.encode() + plain + around.encode()).decode()
        assert masked(coded) != coded


def test_what_was_given_leaves_by_no_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "correct-horse/battery+staple"
    monkeypatch.setenv("MY_SERVICE_API_KEY", secret)
    rows = [{**answer_record(n), "resps": [[f"my key is {secret}"]], "filtered_resps": [secret]} for n in range(4)]
    for side, system in (("a", secret), ("b", f"{secret}!")):
        write_run(tmp_path / side, results(system_instruction=system), {"arith": rows})
    book, out = tmp_path / "book.md", tmp_path / "c.json"
    runs = [str(tmp_path / "a"), str(tmp_path / "b")]
    for arguments in (
        ["compare", *runs, "--out", str(out), "--labbook", str(book)],
        ["compare", *runs, "--html"],
        ["compare", *runs, "--json"],
        ["compare", f"{secret}={tmp_path / 'a'}", str(tmp_path / secret)],
        ["compare", str(tmp_path / "a"), "--primary", secret],
        ["check", *runs, str(tmp_path / secret)],
        ["export", str(out), "--csv"],
        ["build", str(out), "--out", str(tmp_path / "site")],
    ):
        ran = CliRunner().invoke(main, arguments)
        assert secret not in ran.output, arguments
        assert ran.exception is None or isinstance(ran.exception, SystemExit)
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.parts[len(tmp_path.parts)] not in "ab"]
    assert len(written) > 5
    assert not [path for path in written if secret.encode() in path.read_bytes()]


def test_an_error_holds_no_secret() -> None:
    remember("swordfish-77")
    error = DiptychError(f"asked with swordfish-77 and {KEY}", where="http://u:swordfish-77@h", hint="swordfish-77?")
    assert not any(word in f"{error} {error.hint} {error.args}" for word in ("swordfish", KEY))


def test_value_without_a_secret_is_given_back_itself() -> None:
    table = {"task": {"acc,none": 0.5, "parts": [{"name": "a"}, [1, 2]]}}
    assert mask(table)[0] is table
