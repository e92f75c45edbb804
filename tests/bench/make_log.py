"""Write a multiple-choice sample log of a given size and line length, as the harness writes it.

    python tests/bench/make_log.py OUT --megabytes 100 --line 25000 [--seed 1] [--flip 0.1]

The same seed gives the same documents and prompts; `--run N` changes only a share `--flip` of the answers, so that two
logs of one seed are two runs of one benchmark.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

WORDS = ("the", "model", "answers", "a", "question", "about", "rivers", "cities", "numbers", "music", "law", "science")
LETTERS = (" A", " B", " C", " D")


def text(chance: random.Random, length: int) -> str:
    """Return words of about a length, with the quotation marks, breaks and accents that prompts have."""
    words: list[str] = []
    size = 0
    while size < length:
        word = chance.choice(WORDS)
        word = f'"{word}"' if chance.random() < 0.02 else word + "é" if chance.random() < 0.01 else word
        words.append(word + ("\n" if chance.random() < 0.05 else " "))
        size += len(words[-1])
    return "".join(words)


def sha(value: str) -> str:
    """Return the hex sha256 of a text, as the harness hashes documents, prompts and targets."""
    return hashlib.sha256(value.encode()).hexdigest()


def records(megabytes: float, line: int, seed: int, run: int, flip: float) -> Iterator[bytes]:
    """Yield the lines of a log."""
    chance = random.Random(seed)
    answers = random.Random(f"{seed}/{run}")
    shots = text(chance, max(100, (line - 1400) // 4))
    written, number = 0, 0
    while written < megabytes * 1e6:
        question = text(chance, 160)
        gold = chance.randrange(4)
        doc = {"question": question, "choices": [text(chance, 20) for _ in range(4)], "answer": gold}
        prompt = f"{shots}\n\n{question}\nAnswer:"
        base = [chance.uniform(-9, -1) for _ in LETTERS]
        scores = [value + answers.uniform(-3, 3) for value in base] if answers.random() < flip else base
        resps = [[[str(value), str(value == max(scores))]] for value in scores]
        right = float(scores.index(max(scores)) == gold)
        record = {
            "doc_id": number,
            "doc": doc,
            "target": str(gold),
            "arguments": {
                f"gen_args_{place}": {"arg_0": prompt, "arg_1": letter} for place, letter in enumerate(LETTERS)
            },
            "resps": resps,
            "filtered_resps": [answer[0] for answer in resps],
            "filter": "none",
            "metrics": ["acc", "acc_norm"],
            "doc_hash": sha(json.dumps(doc, indent=2, ensure_ascii=False)),
            "prompt_hash": sha(prompt),
            "target_hash": sha(str(gold)),
            "acc": right,
            "acc_norm": right,
        }
        data = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        yield data
        written += len(data)
        number += 1


def write_log(path: str | Path, megabytes: float, line: int, seed: int = 1, run: int = 0, flip: float = 0.1) -> Path:
    """Write a log and return its path."""
    with open(path, "wb") as handle:
        handle.writelines(records(megabytes, line, seed, run, flip))
    return Path(path)


STAMP = "2026-01-02T03-04-05.000006"


def write_run(
    folder: str | Path, megabytes: float, line: int = 5000, seed: int = 1, run: int = 0, flip: float = 0.1
) -> Path:
    """Write a whole run of one task, results and samples, as version 0.4.13 lays it out; return its folder."""
    place = Path(folder) / "org__model"
    place.mkdir(parents=True)
    log = write_log(place / f"samples_quiz_{STAMP}.jsonl", megabytes, line, seed, run, flip)
    right = [json.loads(row)["acc"] for row in log.open(encoding="utf-8")]
    mean = sum(right) / len(right)
    stderr = (mean * (1 - mean) / (len(right) - 1)) ** 0.5
    scores = {
        f"{name}{tail},none": value for name in ("acc", "acc_norm") for tail, value in (("", mean), ("_stderr", stderr))
    }
    body = {
        "results": {"quiz": {"name": "quiz", "alias": "quiz", "sample_len": len(right), **scores}},
        "group_subtasks": {},
        "configs": {"quiz": {"task": "quiz", "output_type": "multiple_choice", "num_fewshot": 5, "repeats": 1}},
        "versions": {"quiz": 1.0},
        "n-shot": {"quiz": 5},
        "higher_is_better": {"quiz": {"acc": True, "acc_norm": True}},
        "n-samples": {"quiz": {"original": len(right), "effective": len(right)}},
        "config": {
            "model": "hf",
            "model_args": {"pretrained": "org/model", "dtype": "bfloat16" if run == 0 else "float32"},
            "batch_size": "8",
            "limit": None,
            "gen_kwargs": {},
            "random_seed": 0,
            "numpy_seed": 1234,
            "torch_seed": 1234,
            "fewshot_seed": 1234,
        },
        "date": 1767322000.0,
        "lm_eval_version": "0.4.13",
        "model_name": "org/model",
        "chat_template": None,
        "fewshot_as_multiturn": None,
        "system_instruction": None,
    }
    (place / f"results_{STAMP}.json").write_text(json.dumps(body, indent=2), encoding="utf-8")
    return Path(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--line", type=int, default=25000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", type=int, default=0)
    parser.add_argument("--flip", type=float, default=0.1)
    given = parser.parse_args()
    print(write_log(given.out, given.megabytes, given.line, given.seed, given.run, given.flip))
