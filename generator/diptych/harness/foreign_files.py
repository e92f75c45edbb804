"""Files of other tools, known by their content so that an error can name them and say what to do."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.harness.parse_json import HEAD, RecordedFile, unreadable_file
from diptych.run import Json


class Foreign(NamedTuple):
    """What a file is instead of a run, and what to do about it; `known` where it is some tool's, and we know whose.

    `damaged` marks what should hold a run and does not: it is left out where others can be compared.
    """

    what: str
    advice: str = ""
    known: bool = True
    damaged: bool = False


class Signature(NamedTuple):
    """The keys by which one tool's file is known: all of `keys` stand in it, and at `inside` all of `there`."""

    tool: str
    keys: tuple[str, ...]
    inside: str = ""
    there: tuple[str, ...] = ()


OF_HARNESS = "name its results file, or the directory that holds both"
RUN_AGAIN = "run the same items with lm_eval --log_samples and name its output directory"

SIGNATURES: tuple[Signature, ...] = (
    Signature("an export of promptfoo", ("evalId", "results", "config")),
    Signature("an export of promptfoo", ("results",), "results", ("stats", "prompts")),
    Signature("an export of promptfoo", ("metadata",), "metadata", ("promptfooVersion",)),
    Signature("a test run of DeepEval", ("testCases", "metricsScores")),
    Signature("a test run of DeepEval", ("testCases", "testPassed")),
    Signature("results of EvalPlus", ("eval", "hash", "date")),
    Signature("a bundle of NeMo Evaluator", ("benchmark", "sdk_version")),
    Signature("a bundle of NeMo Evaluator", ("benchmark", "config_hash", "run_id")),
    Signature("a file beside a bundle of NeMo Evaluator", ("run_id", "executor", "output_dir")),
    Signature("a file beside a bundle of NeMo Evaluator", ("completed_benchmarks", "failed_benchmarks")),
    Signature("a record of the every-eval-ever schema", ("schema_version", "evaluation_results")),
    Signature("a record of the every-eval-ever schema", ("evaluation_id", "source_metadata")),
    Signature("a file of HELM", ("adapter_spec",)),
    Signature("a file of HELM", ("request_states",)),
    Signature("results of MTEB", ("mteb_version",)),
    Signature("results of MTEB", ("dataset_revision", "scores", "task_name")),
    Signature("results of bigcode-evaluation-harness", ("config",), "config", ("allow_code_execution", "n_samples")),
)
"""What is plainly another tool's file, whatever else stands in it."""

ADVICE: Mapping[str, str] = {
    "a record of the every-eval-ever schema": "it holds scores only: name the output directory of the run that it was "
    "converted from",
    "a file beside a bundle of NeMo Evaluator": RUN_AGAIN,
}


KEY = rb'"([A-Za-z_]\w{0,40})": ?'


def other_tool(document: Json) -> Foreign | None:
    """Return what a document is where it plainly is another tool's, so that no reader takes it for its own."""
    if not isinstance(document, dict):
        return None
    for tool, keys, inside, there in SIGNATURES:
        part = document.get(inside) if inside else {}
        if all(key in document for key in keys) and isinstance(part, dict) and all(key in part for key in there):
            verb = "are" if tool.startswith("results") else "is"
            return Foreign(f"{tool}, which {verb} not read", ADVICE.get(tool, RUN_AGAIN))
    schema = document.get("schema")
    if isinstance(schema, str) and schema.startswith("diptych/"):
        return Foreign(f"an artifact of diptych ({schema[:40]}), not a run", "`diptych build` shows artifacts")
    answers = document.get("results")
    if isinstance(answers, list) and all(isinstance(answer, dict) and "id" in answer for answer in answers[:1]):
        return Foreign("a students' results file, not a run: see `diptych decide`")
    return None


def foreign_kind(document: Json) -> Foreign | None:
    """Return what a document is that no reader takes, or None where we do not know it."""
    if isinstance(document, dict):
        return name_of_object(document)
    if isinstance(document, list) and document and isinstance(document[0], dict):
        return name_of_records(document[0])
    return None


MARKS = b"\xef\xbb\xbf \r\n"
"""What may stand before a file's first line: a byte order mark, blank lines."""

ZIP = b"PK\x03\x04"


def is_eval(file: RecordedFile) -> bool:
    """Say whether a file is an archive as inspect_ai writes its logs."""
    inside = b"_journal/" in file.start or b"header.json" in file.start
    return file.start.startswith(ZIP) and (file.path.endswith(".eval") or inside)


def name_of_bytes(file: RecordedFile) -> Foreign | None:
    """Return what a file is by its first bytes."""
    start = file.start
    if start.startswith(ZIP):
        return None if is_eval(file) else Foreign("a zip archive, not a results file", "unpack it")
    if start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return Foreign("a compressed file, not a results file", "unpack it")
    if start.startswith(b"PAR1"):
        return Foreign(
            "a Parquet file, which is not read by itself",
            "details of lighteval are read with its results: name its output directory",
        )
    if start.startswith(POINTER):
        return Foreign(
            "a pointer of Git LFS, not the file itself", "run `git lfs pull`, then read it again", damaged=True
        )
    if not start.strip(b"\0 \r\n\t") and file.stamp:
        what = "holds nothing but zero bytes" if start.strip() else "an empty file"
        return Foreign(what, "copy or write the results file again", damaged=True)
    if start.lstrip(MARKS).startswith(b"<"):
        return Foreign("a page of HTML or XML, not a results file", "download the file itself")
    return name_of_lines(file.path, start)


POINTER = b"version https://git-lfs"
"""How the text begins that stands in a checkout for a large file."""

LINES: tuple[tuple[tuple[str, ...], Foreign], ...] = (
    (("doc_id",), Foreign("a samples file of lm-evaluation-harness", OF_HARNESS)),
    (("task_id", "solution"), Foreign("samples of EvalPlus, which are not read", RUN_AGAIN)),
    (("problem_idx", "reward"), Foreign("answers of NeMo Evaluator, which are not read", RUN_AGAIN)),
)
"""What a file of JSON lines is by the keys of its first line."""


def name_of_lines(path: str, start: bytes) -> Foreign | None:
    """Return what a file of JSON lines is by its first, or None where it may be one value.

    So no file of lines is parsed whole, however large: an object that ends a line before another one begins is no
    part of any other value.
    """
    first = start.lstrip(MARKS).partition(b"\n")[0].rstrip(b"\r")
    if not first.startswith(b"{"):
        return None
    several = is_several(path)
    if not several and (not path.endswith(".jsonl") or len(start) == HEAD):
        return None
    found = foreign_lines(line_keys(first) or ())
    return found or (Foreign("lines of JSON, not a results file", known=False) if several else None)


def is_several(path: str) -> bool:
    """Say whether a file's first line ends with an object's end and the next begins with another's beginning.

    Raises `DamagedFile` where it cannot be read any more.
    """
    last = b""
    try:
        with open(path, "rb") as handle:
            while block := handle.read(HEAD):
                line, newline, rest = (block if last else block.lstrip(MARKS)).partition(b"\n")
                last = line.rstrip()[-1:] or last
                if newline:
                    return last == b"}" and (rest or handle.read(HEAD)).lstrip().startswith(b"{")
    except OSError as error:
        raise unreadable_file(path, error) from error
    return False


def foreign_lines(keys: Collection[str]) -> Foreign | None:
    """Return whose lines have these keys, or None where we do not know it."""
    return next((found for wanted, found in LINES if all(key in keys for key in wanted)), None)


def line_keys(line: bytes) -> Collection[str] | None:
    """Return the keys of a line that is one object (of a longer line, those that stand in its beginning), or None."""
    if len(line) >= HEAD - 4:
        return [key.decode("utf-8", "replace") for key in re.findall(KEY, line)]
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def name_of_object(document: dict[str, Any]) -> Foreign:
    """Return what an object is by its keys."""
    keys = document.keys()
    if "doc_id" in keys and ("resps" in keys or "arguments" in keys):
        return Foreign("a sample of lm-evaluation-harness", OF_HARNESS)
    if {"quant", "engine", "endpoint"} & keys and "results" not in keys:
        return Foreign("a run-context.json, not a results file", "name the directory of the run that it lies beside")
    named = ", ".join(str(key)[:30] for key in list(keys)[:5])
    held = f"(its keys: {named})" if named else ": it is empty"
    return Foreign(f"holds no results of a harness {held}".replace(" :", ":"), known=False)


def name_of_records(record: dict[str, Any]) -> Foreign | None:
    """Return what a list is by its first record."""
    keys = record.keys()
    if {"instruction", "output_1", "output_2"} <= keys or {"instruction", "output", "generator"} <= keys:
        return Foreign("a file of alpaca_eval, which is not read", RUN_AGAIN)
    if {"instance_id", "stats"} <= keys or ({"name", "count", "sum"} <= keys and isinstance(record["name"], dict)):
        return Foreign("statistics of HELM, which are not read", RUN_AGAIN)
    if "doc_id" in keys and any(key.startswith(("prompt_", "logit_")) for key in keys):
        return Foreign(
            "what lm-evaluation-harness 0.3 writes with --write_out: it holds no results",
            "name the file of --output_path",
        )
    if "doc_id" in keys:
        return Foreign("a samples file of lm-evaluation-harness", OF_HARNESS)
    return None
