"""With which seeds a task's own code draws: its order of choices, its examples, its items, as its source was recorded.

A draw from a generator that the code makes and seeds by itself needs no seed of the run.
"""

import re
from collections.abc import Iterator, Mapping

from diptych.run import Json

SEED_OF: Mapping[str, str] = {
    "random_seed": r"(?<![\w.])random\.(?!Random\b|SystemRandom\b|seed\b|getstate\b)\w+\s*\("
    r"|from\s+random\s+import\s+(?!Random\b)|\|\s*random\b",
    "numpy_seed": r"\b(?:np|numpy)\.random\.(?!default_rng\b|RandomState\b|Generator\b|seed\b)\w+\s*\("
    r"|\.shuffle\(\s*\)",  # a data set that is shuffled without a seed
    "torch_seed": r"\btorch\.(?:rand\w*|multinomial|bernoulli|normal)\s*\(",
}
"""A seed of the run, and what draws by it in a task's code or template."""

SEEDED: Mapping[str, str] = {
    "random_seed": r"(?<![\w.])random\.seed\s*\(",
    "numpy_seed": r"\b(?:np|numpy)\.random\.seed\s*\(",
    "torch_seed": r"\btorch\.manual_seed\s*\(",
}
"""What sets a seed anew in the code itself, so that the run's own does nothing."""


DRAWING_WORDS = ("random", "shuffle(", "torch.")
"""A text that draws holds one of these: most hold none, and no pattern has to look at them."""


def seeds_drawn_with(*configs: Mapping[str, Json]) -> frozenset[str]:
    """Return with which seeds of the run the recorded code of a task draws; none where it shows no draw."""
    texts = [text for config in configs for text in texts_in(config) if any(word in text for word in DRAWING_WORDS)]
    return frozenset(
        seed
        for seed, drawing in SEED_OF.items()
        if any(re.search(drawing, text) and not re.search(SEEDED[seed], text) for text in texts)
    )


def texts_in(value: Json) -> Iterator[str]:
    """Yield every text in a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
