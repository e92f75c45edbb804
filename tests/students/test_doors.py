"""The doors `decide` and `students` as a person uses them: what is created, said, refused and kept apart."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from diptych.cli import main
from endpoint_double import answer, endpoint


def results(folder: Path, name: str, passed: int, of: int = 60, **fields: Any) -> str:
    rows = [
        {"id": f"t{n}", "prompt": f"p{n}", "response": f"{name} {n}", "checks": {"passed": n < passed}}
        for n in range(of)
    ]
    path = folder / f"results-{name}.json"
    path.write_text(json.dumps({"model": f"local/{name}", "results": rows, **fields}))
    return f"{name}={path}"


def decided(folder: Path, *options: str, first: int = 50, second: int = 30) -> Result:
    routes = ["--route", results(folder, "one", first), "--route", results(folder, "other", second)]
    return CliRunner().invoke(main, ["decide", *routes, *options], catch_exceptions=False)


def test_a_notebook_that_is_not_there_is_created_and_what_was_written_is_said(tmp_path: Path) -> None:
    book, out = tmp_path / "new.md", tmp_path / "decision.json"
    done = decided(tmp_path, "--labbook", str(book), "--out", str(out))
    assert done.exit_code == 0, done.output
    assert json.loads(book.read_text())["stage"] == "compare"
    assert f"written: {out} (the decision)" in done.stderr
    assert f"appended to {book}" in done.stderr
    told = decided(tmp_path, "--labbook", str(tmp_path / "none.md"), "--no-record")
    assert not (tmp_path / "none.md").exists()
    assert "no stage cost is known" in told.stderr


def test_the_basis_that_is_paid_decides_where_bases_disagree(tmp_path: Path) -> None:
    book = tmp_path / "labbook.md"
    lines = [
        {"stage": "a", "cost": {"prompt_tokens": 1_000, "completion_tokens": 1_000, "seconds": 144_000}},
        {"stage": "b", "cost": {"prompt_tokens": 9_000, "completion_tokens": 9_000, "seconds": 7_200}},
    ]
    book.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ["--labbook", str(book), "--no-record", "--stages", "one=a", "--stages", "other=b", "--margin", "0.2"]
    prices = ["--currency", "EUR", "--hour-price", "2", "--prompt-price", "10", "--completion-price", "10", "--json"]
    for basis, kept in ((None, None), ("seconds", "other"), ("tokens", "one")):
        given = [] if basis is None else ["--basis", basis]
        made = json.loads(decided(tmp_path, *options, *prices, *given, first=30, second=30).stdout)
        assert made["verdict"]["route"] == kept
        assert "costs_disagree" in {finding["kind"] for finding in made["findings"]}


def test_the_caveats_come_with_the_answer_and_stand_once(tmp_path: Path) -> None:
    routes = [
        "--route",
        results(tmp_path, "one", 50, quant="Q4"),
        "--route",
        results(tmp_path, "other", 30, quant="Q8"),
    ]
    text = CliRunner().invoke(main, ["decide", *routes], catch_exceptions=False).stdout
    first_screen = text.partition("STUDENTS")[0]
    assert "Keep one: it passes significantly more tasks than other (+33.3 pp, 95 % CI" in " ".join(
        first_screen.split()
    )
    assert "Not served alike: quant is one Q4, other Q8." in " ".join(first_screen.split())
    assert text.count("Not served alike") == 1


@pytest.mark.parametrize(("given", "sent"), [(["--api-key", "by-hand-1234"], True), ([], False)])
def test_a_key_goes_to_a_script_as_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], sent: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.json").write_text("[]")
    (tmp_path / "run-eval.py").write_text(
        "import json, os, sys\n"
        "out = sys.argv[sys.argv.index('--out') + 1]\n"
        "rows = [{'id': n, 'checks': {'passed': True}} for n in range(9)]\n"
        "json.dump({'results': rows}, open(out, 'w'))\n"
        "open('seen', 'w').write(json.dumps([sys.argv, os.environ.get('OPENAI_API_KEY')]))\n"
        "print(sys.argv, os.environ)\n"
    )
    routes = ["--harness-dir", ".", "--tasks", "tasks.json", "--sequence-student", "s", "--logit-student", "l", *given]
    done = CliRunner().invoke(main, ["students", *routes], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    arguments, inherited = json.loads((tmp_path / "seen").read_text())
    assert ("by-hand-1234" in arguments) is sent
    assert "from-the-environment" not in arguments
    assert inherited == "from-the-environment"
    written = [path.read_text() for path in (tmp_path / "compare-out").iterdir()] + [
        (tmp_path / "labbook.md").read_text()
    ]
    for text in (*written, done.stdout, done.stderr):
        assert "by-hand-1234" not in text
        assert "from-the-environment" not in text


def test_many_requests_at_once_leave_the_results_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tasks = [
        {"id": f"t{n}", "prompt": f"say {n}", "checks": [{"type": "contains", "value": str(n)}]} for n in range(24)
    ]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    with endpoint(lambda body, n: answer(body["messages"][-1]["content"])) as server:
        command = ["students", "eval", "--tasks", "tasks.json", "--model", "m", "--out", "r.json"]
        done = CliRunner().invoke(
            main, [*command, "--base-url", server.url, "--concurrency", "8"], catch_exceptions=False
        )
    assert done.exit_code == 0, done.output
    assert [row["id"] for row in json.loads((tmp_path / "r.json").read_text())["results"]] == [t["id"] for t in tasks]
