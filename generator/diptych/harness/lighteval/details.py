"""The details of a task: its Parquet file found beside the results, and each of its rows as one of a sample log."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from diptych.errors import RunError
from diptych.harness.locate import folder_entries, portable_path, stamp_of
from diptych.harness.parse_json import DamagedFile
from diptych.harness.sample_streams import Allowance
from diptych.harness.strict_values import as_list, finite, mapping, mend_texts
from diptych.run import Json

COLUMNS = ("doc", "metric", "model_response")
BATCH = 256
"""Rows that are unpacked together."""

HEAVY = 8
"""So many rows of a log weigh as much as one row here, which stays in memory whole."""

DOCUMENT = ("query", "choices", "gold_index", "specific", "instruction")
"""What of a document is the item itself; the rest says how it was asked."""


def details_files(path: str) -> dict[str, str]:
    """Return the details of each task that belong to a results file: `details/` beside `results/`, by its stamp."""
    stamp = stamp_of(path)
    folders = os.path.dirname(os.path.abspath(path)).split(os.sep)
    if stamp is None or "results" not in folders:
        return {}
    place = len(folders) - 1 - folders[::-1].index("results")
    folder = os.sep.join([*folders[:place], "details", *folders[place + 1 :], stamp])
    found = {}
    for entry in folder_entries(folder) if os.path.isdir(folder) else ():  # also what is no file: who reads it says so
        name = entry.name
        if name.startswith("details_") and name.endswith(f"_{stamp}.parquet"):
            found[name.removeprefix("details_").removesuffix(f"_{stamp}.parquet")] = entry.path
    return found


def parquet_rows(path: str) -> Iterator[dict[str, Json]]:
    """Yield the rows of a Parquet file as records. Raises `RunError` where the library is missing, `DamagedFile`."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise RunError(
            "Parquet, and the package to read it is not installed",
            where=portable_path(path),
            hint="pip install diptych[parquet]",
        ) from error
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited on without end
        raise DamagedFile("is no file", where=portable_path(path), hint="copy the details again")
    try:
        with parquet.ParquetFile(path) as file:
            columns = [name for name in COLUMNS if name in file.schema_arrow.names]
            allowance = Allowance(os.path.getsize(path))
            for batch in file.iter_batches(BATCH, columns=columns):
                allowance.take(batch.nbytes)
                allowance.take_rows(HEAVY * batch.num_rows)
                yield from map(as_logged_record, batch.to_pylist())
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise DamagedFile(
            f"not a whole Parquet file ({str(error)[:80]})", where=portable_path(path), hint="copy the details again"
        ) from error


def as_logged_record(row: Mapping[str, Any]) -> dict[str, Json]:
    """Return a row of details in the shape of a logged record."""
    clean = mend_texts(finite(dict(row)))
    doc, said, metrics = (mapping(clean.get(name)) for name in ("doc", "model_response", "metric"))
    choices = [str(choice) for choice in as_list(doc.get("choices"))]
    gold = doc.get("gold_index")
    scored = "LOGPROBS" in as_list(doc.get("sampling_methods"))
    asked = sent_prompt(said, doc)
    record: dict[str, Json] = {
        "doc_id": doc.get("id"),
        "doc": {key: doc[key] for key in DOCUMENT if doc.get(key) is not None},
        "target": str(gold) if scored else text_of_gold(gold, choices),
        "filter": "none",
        "metrics": list(metrics),
        **metrics,
    }
    if scored:
        greedy = as_list(said.get("argmax_logits_eq_gold"))
        pairs = [
            [value, bool(greedy[place : place + 1] == [True])]
            for place, value in enumerate(as_list(said.get("logprobs")))
        ]
        return {
            **record,
            "arguments": [[asked, choice] for choice in choices],
            "resps": [[pair] for pair in pairs],
            "filtered_resps": pairs,
        }
    texts = [str(text) for text in as_list(said.get("text"))]
    kept = [str(text) for text in as_list(said.get("text_post_processed")) or texts]
    arguments = {"until": doc.get("stop_sequences"), "max_gen_toks": doc.get("generation_size")}
    return {**record, "arguments": [[asked, arguments]], "resps": [texts], "filtered_resps": kept}


def text_of_gold(gold: Json, choices: list[str]) -> str:
    """Return the right answers' texts, one a line."""
    places = gold if isinstance(gold, list) else [gold]
    return "\n".join(choices[place] for place in places if isinstance(place, int) and 0 <= place < len(choices))


def sent_prompt(said: Mapping[str, Json], doc: Mapping[str, Json]) -> Json:
    """Return the prompt as it was sent; where only its token ids were logged, these: the question alone is not all."""
    text = said.get("input")
    if text:
        return text
    ids = said.get("input_tokens")
    if isinstance(ids, list) and ids:
        return "token ids " + " ".join(map(str, ids))
    return doc.get("query") or ""
