"""Runs of one task whose scores are known, to be set side by side: many of them differ in what a test says."""

import random

from diptych.metric_key import MetricKey
from diptych.run import Run, Score
from examples_runs import run
from sample_logs import answer, log

KEY = MetricKey("arith", "exact_match", "none")
ITEMS = 200


CHAT, OTHER = (
    {"chat_template": "<|user|>{{ chat }}", "prompt": "<|user|>Question"},
    {"model_args.pretrained": "org/other-1b"},
)
PLACE = {"model_args.pretrained": "/mnt/org/base-1b"}


def scored(label: str, share: float, prompt: str = "Question", **settings: object) -> Run:
    """A run that is right on so many items; the same items are the easy ones in every run."""
    right = [float(place < share * ITEMS) for place in random.Random(1).sample(range(ITEMS), ITEMS)]
    noise = random.Random(label)
    right = [1.0 - bit if noise.random() < 0.03 else bit for bit in right]
    records = [
        answer(item, f"{label} says {item}", right=bit, prompt=f"{prompt} {item}") for item, bit in enumerate(right)
    ]
    scores = (Score(*KEY, sum(right) / ITEMS, 0.03, True, items=ITEMS),)
    return run(settings, label=label, scores=scores, samples={"arith": log(records)})


def blind(one: Run) -> Run:
    """A run whose metric nobody knows."""
    records = [
        {**record, "metrics": ["oddity"], "oddity": record["exact_match"]} for record in one.samples["arith"].records
    ]
    score = one.scores[0]._replace(metric="oddity", higher_is_better=None)
    return one._replace(scores=(score,), samples={"arith": log(records)})
