"""Files of other tools, known by their content so that an error can name them."""

from typing import Any

from diptych.run import Json


def name_of(path: str, document: Json) -> str | None:
    """Return what a file is, as the message of an error, or None where we do not know it.

    Without a document the file's first bytes are looked at (what is no JSON at all).
    """
    if document is None:
        return name_of_bytes(path)
    if isinstance(document, dict):
        return name_of_object(document)
    if isinstance(document, list) and document and isinstance(document[0], dict):
        return name_of_records(document[0])
    return None


def name_of_bytes(path: str) -> str | None:
    """Return what a file is by its first bytes."""
    try:
        with open(path, "rb") as handle:
            start = handle.read(4096)
    except OSError:
        return None  # reading it whole will say why
    if start.startswith(b"PK\x03\x04"):
        log = path.endswith(".eval") or b"_journal/" in start or b"header.json" in start
        return "a log of inspect_ai (.eval), which is not read" if log else "a zip archive, not a results file"
    if start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return "a compressed file, not a results file: unpack it"
    if not start.strip():
        return "an empty file"
    if path.endswith(".jsonl"):
        first, more, _ = start.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")
        if first.startswith(b'{"doc_id"'):
            return "a samples file of lm-evaluation-harness: name its results file or their directory"
        if more and first.startswith(b"{") and first.rstrip().endswith(b"}"):
            return "lines of JSON, not a results file"
    return None


def name_of_object(document: dict[str, Any]) -> str | None:
    """Return what an object is by its keys."""
    keys = document.keys()
    if "config_general" in keys or "summary_tasks" in keys:
        return "results of lighteval, which are not read"
    if {"eval", "plan"} <= keys or {"status", "eval", "samples"} <= keys:
        return "a log of inspect_ai, which is not read"
    if "adapter_spec" in keys or "request_states" in keys:
        return "a file of HELM, which is not read"
    schema = document.get("schema")
    if isinstance(schema, str) and schema.startswith("diptych/"):
        return f"an artifact of diptych ({schema[:40]}), not a run"
    if isinstance(document.get("results"), list):
        return "a students' results file, not a run: see `diptych decide`"
    if "doc_id" in keys and ("resps" in keys or "arguments" in keys):
        return "a sample of lm-evaluation-harness: name its results file or their directory"
    if {"quant", "engine", "endpoint"} & keys and "results" not in keys:
        return "a run-context.json, not a results file"
    named = ", ".join(str(key)[:30] for key in list(keys)[:5])
    return (
        f"holds no results of a harness (its keys: {named})" if named else "holds no results of a harness: it is empty"
    )


def name_of_records(record: dict[str, Any]) -> str | None:
    """Return what a list is by its first record."""
    keys = record.keys()
    if {"instruction", "output_1", "output_2"} <= keys or {"instruction", "output", "generator"} <= keys:
        return "a file of alpaca_eval, which is not read"
    if {"instance_id", "stats"} <= keys or ({"name", "count", "sum"} <= keys and isinstance(record["name"], dict)):
        return "statistics of HELM, which are not read"
    if "doc_id" in keys and any(key.startswith(("prompt_", "logit_")) for key in keys):
        return "what lm-evaluation-harness 0.3 writes with --write_out: it holds no results"
    if "doc_id" in keys:
        return "a samples file of lm-evaluation-harness: name its results file or their directory"
    return None
