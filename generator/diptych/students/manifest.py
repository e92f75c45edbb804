"""A decision as a manifest asks for it: paths from the manifest's folder, options by name."""

import os
from collections.abc import Mapping
from typing import Any

from diptych.decision import StudentDecision
from diptych.errors import StudentsError
from diptych.students.cost.prices import NO_PRICES, prices_of, read_prices
from diptych.students.decide.decide import MARGIN, decide, load_inputs


def decision_from(spec: Mapping[str, Any], folder: str) -> StudentDecision:
    """Return the decision that one [[decisions]] entry of a manifest in `folder` asks for."""
    routes = spec["routes"]
    if not isinstance(routes, Mapping) or not all(isinstance(path, str) for path in routes.values()):
        raise StudentsError("routes is no table of NAME = RESULTS.json", hint='routes = { a = "results-a.json" }')

    def at(path: str) -> str:
        return os.path.join(folder, path)

    judgements = spec.get("judgements", [])
    paths = [judgements] if isinstance(judgements, str) else list(judgements)
    loaded = load_inputs(
        [(name, at(path)) for name, path in routes.items()],
        judgements=[at(path) for path in paths],
        labbook=at(spec["labbook"]) if "labbook" in spec else None,
        labels=at(spec["labels"]) if "labels" in spec else None,
    )
    prices = spec.get("prices")
    if isinstance(prices, str):
        price = read_prices(at(prices))
    else:
        price = prices_of(prices, "the manifest") if prices else NO_PRICES
    return decide(
        loaded.routes,
        loaded.judgements,
        loaded.labbook,
        spec.get("stages"),
        price,
        spec.get("margin", MARGIN),
        spec.get("attempts", "all"),
        spec.get("floor"),
        spec.get("title", ""),
        labels=loaded.labels,
    )
