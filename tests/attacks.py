"""Attacks on the doors: inputs of every kind with something wrong in them, and commands that must survive it.

A door is given a folder and a source of chance. It writes an input with mutations and runs commands on it; what they
must not do is end in anything but an exit code.
"""

import json
import random
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import written_inspect
from attacks_judging import SITE, judging_door
from attacks_settings import settings_door
from diptych import artifact
from examples_comparison import comparison, matrix
from examples_decision import decision
from mutations import attacked, damage, mutated, survived
from written_runs import answer_record, choice_record, results, write_run


def artifact_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads an artifact: every renderer there is."""
    made = chance.choice((comparison, decision, matrix))()
    file = place / "attacked.json"
    file.write_bytes(attacked(json.loads(artifact.dumps(made)), chance))
    lines = (
        ("comment", str(file)),
        ("comment", str(file), "--untrusted"),
        ("export", str(file), "--csv"),
        ("export", str(file), "--junit"),
        ("attach", str(file), "--print"),
        ("build", str(file), "--out", str(place / "site"), "--prune", "--quiet", "--jobs", "1"),
    )
    return [said for line in lines if (said := survived(*line))]


def run_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a run: its results, its samples, its context."""
    for old in place.rglob("*.json*"):
        old.unlink()
    rows = [choice_record(number, number % 2 == 0) for number in range(4)]
    words = [answer_record(number) for number in range(4)]
    write_run(place / "b", samples={"arith": rows})
    folder = write_run(place / "a", samples={"arith": rows, "words": words})
    context = folder / "run-context.json"
    context.write_text(json.dumps({"quant": "Q8_0", "engine": "x"}))
    match chance.randrange(4):
        case 0:
            context.write_bytes(attacked({"quant": "Q8_0", "engine": {"name": "x"}, "threads": 4}, chance))
        case 1:
            file = next(folder.glob("samples_*"))
            lines = [attacked(row, chance) if chance.random() < 0.5 else json.dumps(row).encode() for row in rows]
            file.write_bytes(b"\n".join(lines))
        case _:
            next(folder.glob("results_*")).write_bytes(attacked(results(), chance))
    form = chance.choice((("--json",), ("--html",), ("--markdown",), ()))
    a, b = str(place / "a"), str(place / "b")
    lines = [("check", a), ("compare", a, b, *form), ("compare", b, a, "--out", str(place / "out.json"))]
    said = [said for line in lines if (said := survived(*line))]
    if (place / "out.json").exists() and chance.random() < 0.3:
        said += [said for line in [("comment", str(place / "out.json"))] if (said := survived(*line))]
    return said


def student_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever decides between students: results, judgements, notebook, prices."""
    results_of = sorted((SITE / "students").glob("results-*.json"))[:2]
    paths = []
    for number, source in enumerate(results_of):
        body = json.loads(source.read_text(encoding="utf-8"))
        path = place / f"results-{number}.json"
        hit = chance.random() < 0.6
        path.write_bytes(attacked(body, chance) if hit else json.dumps(body).encode())
        paths.append(path)
    cost = {"stage": "generate", "run_id": "r1", "cost": {"prompt_tokens": 10, "seconds": 1.5}, "date": "2026-01-01"}
    book, prices = place / "book.md", place / "prices.json"
    book.write_bytes(b"# notes\n" + attacked(cost, chance) + b"\n" + json.dumps(cost).encode())
    prices.write_bytes(attacked({"currency": "EUR", "prompt_per_million": 1.0, "per_hour": 2.0}, chance))
    line = ["decide", "--route", f"a={paths[0]}", "--route", f"b={paths[1]}", "--no-record"]
    line += ["--labbook", str(book)] if chance.random() < 0.5 else []
    line += ["--prices", str(prices)] if chance.random() < 0.4 else []
    return [
        said
        for said in (
            survived(
                *line,
                *chance.choice(((), ("--json",), ("--markdown",))),
            ),
        )
        if said
    ]


def answered(item: int, right: bool) -> dict[str, Any]:
    """Return a row of lighteval's details."""
    doc = {"query": f"{item} + 1?", "choices": [" a", " b"], "gold_index": 0, "id": str(item)}
    said = {"input": "x", "input_tokens": [1, item], "text": [" a"], "logprobs": [-0.5, -1.0]}
    return {"doc": {**doc, "sampling_methods": ["LOGPROBS"]}, "metric": {"em": int(right)}, "model_response": said}


def inspect_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a log of inspect_ai, as JSON and as an archive."""
    head, rows = written_inspect.log(), written_inspect.samples()
    body = {**head, "samples": rows}
    a, b = place / "a", place / "b"
    for folder in (a, b):
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    if chance.random() < 0.5:
        (a / "log.json").write_bytes(attacked(body, chance))
        written_inspect.write_json(b, head, rows)
    else:
        hit = chance.randrange(len(rows) + 1)
        with zipfile.ZipFile(a / "log.eval", "w") as log:
            log.writestr("header.json", attacked(head, chance) if hit == len(rows) else json.dumps(head))
            for number, row in enumerate(rows):
                data = attacked(row, chance) if number == hit else json.dumps(row)
                log.writestr(f"samples/{number}_epoch_1.json", data)
        written_inspect.write_eval(b, head, rows)
        if chance.random() < 0.2:
            damage(a / "log.eval", chance)
    form = chance.choice((("--json",), ("--html",), ("--markdown",), ()))
    lines = (("check", str(a)), ("compare", str(a), str(b), *form))
    return [said for line in lines if (said := survived(*line))]


def lighteval_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads results of lighteval and their details."""
    import pyarrow
    from pyarrow import parquet

    stamp = "2026-01-02T03-04-05.000006"
    config = {"name": "sums", "hf_repo": "org/sums", "metrics": [{"metric_name": "em"}], "num_fewshots": 0}
    body = {
        "config_general": {"max_samples": None, "model_config": {"model_name": "m", "dtype": "float32"}},
        "results": {"sums|0": {"em": 0.5, "em_stderr": 0.28868}, "all": {"em": 0.5}},
        "config_tasks": {"sums|0": config},
    }
    for side in ("a", "b"):
        results_file = place / side / "results" / "m" / f"results_{stamp}.json"
        details = place / side / "details" / "m" / stamp / f"details_sums|0_{stamp}.parquet"
        for file in (results_file, details):
            file.parent.mkdir(parents=True, exist_ok=True)
        results_file.write_bytes(attacked(body, chance) if side == "a" else json.dumps(body).encode())
        rows: Any = [answered(item, item < 2) for item in range(4)]
        if side == "a" and chance.random() < 0.4:
            rows = [mutated(rows[0], chance)] * 4
        try:
            table = pyarrow.Table.from_pylist(rows)
            parquet.write_table(table, details)
        except (pyarrow.ArrowException, TypeError, AttributeError, OverflowError, ValueError):
            details.write_bytes(b"PAR1")  # such rows no library can write
        if side == "a" and chance.random() < 0.2:
            damage(details, chance)
    form = chance.choice((("--json",), ("--html",), ()))
    lines = (("check", str(place / "a")), ("compare", str(place / "a"), str(place / "b"), *form))
    return [said for line in lines if (said := survived(*line))]


def matrix_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever puts many runs side by side: a matrix, a noise floor, a baseline, a first manifest."""
    for old in place.rglob("*.json*"):
        old.unlink()
    rows = [choice_record(number, number % 2 == 0) for number in range(4)]
    paths = []
    for side in "abc":
        folder = write_run(place / "runs" / side, results(config__batch_size=side), {"arith": rows})
        if chance.random() < 0.5:
            next(folder.glob("results_*")).write_bytes(attacked(results(), chance))
        paths.append(str(folder))
    floor, made = place / "floor.json", place / "made.json"
    lines: list[tuple[str, ...]] = [("compare", *paths, *chance.choice((("--json",), ("--html",), ())))]
    if chance.random() < 0.5:
        lines += [("noise", *paths, "--out", str(floor)), ("discover", str(place / "runs"))]
        lines += [("init", str(place / "runs"), "--out", str(place / "first.toml"))]
    said = [said for line in lines if (said := survived(*line))]
    if floor.exists():
        floor.write_bytes(attacked(json.loads(floor.read_bytes()), chance))
        said += [said for line in [("compare", *paths[:2], "--noise", str(floor))] if (said := survived(*line))]
    made.write_bytes(attacked(json.loads(artifact.dumps(matrix())), chance))
    lines = [
        ("comment", str(made)),
        ("export", str(made), "--csv"),
        ("check", str(made)),
        ("attach", str(made), "--print"),
    ]
    return said + [said for line in lines if (said := survived(*line))]


TOML = (
    *('"', "'", "[", "]", "{", "}", "=", ",", ".", "#", "\n", " ", "1", "-1", "1e999", "nan", "inf", "true", '""'),
    *('"""', "9" * 400, "[[" * 50, "a." * 50, "\\u0000", "\\ud800", "../", "/", "~", "*", "%", "$(x)", "2099-01-01"),
    *("\0", "\x1b"),
)


def manifest_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a manifest, its gate and its baseline."""
    rows = [choice_record(number, number % 2 == 0) for number in range(4)]
    for side in "ab":
        write_run(place / side, samples={"arith": rows})
    text = """title = "x"
artifacts = "made"
baseline = "baseline.json"

[[comparisons]]
name = "one"
a = "a"
b = "b"
margin = 0.01

[[comparisons]]
name = "two"
b = "b"

[gate]
missing = "inconclusive"
suite = true
require = "non-inferior:0.02"
fail_on = ["regression"]
[[gate.tiers]]
name = "main"
tasks = ["arith"]
margin = 0.02
"""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(TOML) + text[at + chance.choice((0, 1, 5, 20)) :]
    (place / "m.toml").write_text(text, encoding="utf-8", errors="surrogatepass")
    manifest = str(place / "m.toml")
    kept = place / "baseline.json"
    kept.unlink(missing_ok=True)
    said = survived("baseline", "set", str(place / "a"), "--manifest", manifest)
    if kept.exists() and chance.random() < 0.7:
        kept.write_bytes(attacked(json.loads(kept.read_bytes()), chance))
    lines = [
        ("batch", manifest, "--executor", "serial", "--quiet", "--again"),
        ("baseline", "show", "--manifest", manifest),
        ("build", manifest, "--out", str(place / "site"), "--prune", "--quiet", "--jobs", "1"),
        ("compare", str(place / "a"), str(place / "b"), "--policy", manifest),
    ]
    return [*([said] if said else []), *(said for line in lines if (said := survived(*line)))]


def notebook_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a notebook, an attachment, the list of a last build or a state of a batch."""
    book, made = place / "book.md", place / "made.json"
    book.write_bytes(
        b"# notes\n" + attacked({"lab": "x", "run_id": "r1", "attachment": {"sha256": "ab"}}, chance) + b"\n"
    )
    made.write_text(artifact.dumps(chance.choice((comparison, decision))()), encoding="utf-8")
    said = [
        survived("attach", str(made), "--labbook", str(book), "--entry", chance.choice(("r1", "²", "<b>", "x" * 300))),
        survived("build", str(made), "--out", str(place / "site"), "--quiet", "--prune", "--jobs", "1"),
    ]
    files = [file for file in place.rglob("*") if file.is_file() and file.suffix in (".md", ".json", ".txt", "")]
    for file in chance.sample(files, min(3, len(files))):
        damage(file, chance) if file.stat().st_size else None
    said += [
        survived("verify", str(book)),
        survived("build", str(made), "--out", str(place / "site"), "--quiet", "--prune", "--jobs", "1"),
        survived("attach", str(made), "--labbook", str(book), "--entry", "r1"),
    ]
    return [each for each in said if each]


DOORS: Mapping[str, Callable[[Path, random.Random], list[str]]] = {
    "artifact": artifact_door,
    "run": run_door,
    "settings": settings_door,
    "student": student_door,
    "inspect": inspect_door,
    "lighteval": lighteval_door,
    "matrix": matrix_door,
    "manifest": manifest_door,
    "notebook": notebook_door,
    "judging": judging_door,
}
