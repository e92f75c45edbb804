"""Quality against cost: sums with gaps, money, break-even, the price of one more solved task, dominated routes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.graded import MeanTest, paired_t


class BreakEven(NamedTuple):
    """From how many uses x is cheaper than y, and in which of five cases."""

    uses: float | None
    case: str


class Icer(NamedTuple):
    """What moving from A to B costs and solves; `price` is of one more solved task where both rise or both fall."""

    extra_cost: float
    extra_passed: float
    price: float | None
    quadrant: str


class Placing(NamedTuple):
    """Routes by cost and quality: the front by cost, who is dominated by whom, and who cannot be placed.

    `extended` are routes of the front that a mix of its neighbours beats; `steps` are (from, to, price of one more).
    """

    front: tuple[str, ...]
    dominated: Mapping[str, tuple[str, ...]]
    not_placed: tuple[str, ...]
    extended: tuple[str, ...]
    steps: tuple[tuple[str, str, float], ...]


def break_even(fixed_x: float | None, use_x: float | None, fixed_y: float | None, use_y: float | None) -> BreakEven:
    """Return the uses n at which fixed + use * n is the same for x and y; round up where x is cheaper after it."""
    if fixed_x is None or use_x is None or fixed_y is None or use_y is None:
        return BreakEven(None, "missing")
    if fixed_x <= fixed_y and use_x <= use_y:
        return BreakEven(0, "x_never_dearer")
    if fixed_x >= fixed_y and use_x >= use_y:
        return BreakEven(None, "never")
    return BreakEven((fixed_x - fixed_y) / (use_y - use_x), "x_cheaper_after" if use_x < use_y else "x_cheaper_until")


def token_money(tokens_in: float, tokens_out: float, price_in: float, price_out: float) -> float:
    """Return the price of tokens, both prices a million."""
    return tokens_in / 1e6 * price_in + tokens_out / 1e6 * price_out


def time_money(seconds: float, price_per_hour: float) -> float:
    """Return the price of seconds at a price an hour."""
    return seconds / 3600.0 * price_per_hour


def energy_money(watt_hours: float, price_per_kwh: float) -> float:
    """Return the price of watt-hours at a price a kilowatt-hour."""
    return watt_hours / 1000.0 * price_per_kwh


def icer(cost_a: float, cost_b: float, passed_a: float, passed_b: float) -> Icer:
    """Return the incremental cost-effectiveness of B over A; a price only where more costs more, or less costs less."""
    cost, passed = cost_b - cost_a, passed_b - passed_a
    words = {(1, 1): "dearer_better", (1, -1): "dearer_worse", (-1, 1): "cheaper_better", (-1, -1): "cheaper_worse"}
    quadrant = words.get((_sign(cost), _sign(passed)), "equal_cost" if not cost else "equal_quality")
    price = cost / passed if quadrant in ("dearer_better", "cheaper_worse") else None
    return Icer(cost, passed, price, quadrant)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def net_benefit(
    worth: float,
    passed_a: Sequence[float],
    passed_b: Sequence[float],
    cost_a: Sequence[float],
    cost_b: Sequence[float],
    level: float = 0.95,
) -> MeanTest:
    """Test the mean of worth * (extra passed) - extra cost, task by task, by paired t (Stinnett and Mullahy 1998).

    Four columns of the same n >= 2 tasks; `worth` and costs in one currency. ValueError where lengths differ.
    """
    columns = zip(passed_a, passed_b, cost_a, cost_b, strict=True)
    return paired_t([worth * (after - before) - (dear - cheap) for before, after, cheap, dear in columns], level)


def place_routes(routes: Mapping[str, tuple[float | None, float | None]]) -> Placing:
    """Place routes (cost, passed) on the cost-quality plane; an unknown number places a route nowhere."""
    known = {name: (cost, won) for name, (cost, won) in routes.items() if cost is not None and won is not None}
    dominated = {name: tuple(other for other in known if _dominates(known[other], known[name])) for name in known}
    front = sorted((name for name in known if not dominated[name]), key=lambda name: (known[name], name))
    steps, extended = _efficient(front, known)
    return Placing(
        front=tuple(front),
        dominated={name: others for name, others in dominated.items() if others},
        not_placed=tuple(name for name in routes if name not in known),
        extended=extended,
        steps=steps,
    )


def _dominates(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[0] and one[1] >= other[1] and one != other


def _efficient(
    front: Sequence[str], known: Mapping[str, tuple[float, float]]
) -> tuple[tuple[tuple[str, str, float], ...], tuple[str, ...]]:
    """Drop routes whose step costs more than the next one's, until prices only rise."""
    # two routes at one point are one point of the frontier
    left = [name for at, name in enumerate(front) if not at or known[name] != known[front[at - 1]]]
    dropped: list[str] = []
    while True:
        prices = [
            (known[after][0] - known[before][0]) / (known[after][1] - known[before][1])
            for before, after in pairwise(left)
        ]
        falling = next((at for at in range(len(prices) - 1) if prices[at] > prices[at + 1]), None)
        if falling is None:
            return tuple(zip(left, left[1:], prices, strict=False)), tuple(dropped)
        dropped.append(left.pop(falling + 1))
