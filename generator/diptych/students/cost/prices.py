"""Turn a route's costs into money: one basis a route, named, never two of them added.

Tokens, time and energy overlap (an API's price contains its energy), so they are never summed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import load_json, load_toml
from diptych.decision import CostTotal, Money
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.stats.cost import energy_money, time_money, token_money
from diptych.students.decide.decision_input import order_of
from diptych.students.number_limits import LARGEST

Json = Any

BASES: Mapping[str, tuple[str, ...]] = {
    "tokens": ("prompt_tokens", "completion_tokens"),
    "seconds": ("seconds",),
    "energy": ("watt_hours",),
}
"""What money can be reckoned from, and the units each basis needs whole."""


class Prices(NamedTuple):
    """Prices a unit, None where not given. `worth` is what one more solved task is worth, in the same currency.

    `basis` names a route's basis ("*" that of all others); without one it is the basis that every route has whole.
    """

    currency: str = ""
    prompt_per_million: float | None = None
    completion_per_million: float | None = None
    per_hour: float | None = None
    per_kwh: float | None = None
    worth: float | None = None
    basis: Mapping[str, str] = {}

    def known(self, basis: str) -> bool:
        """Say whether a basis has its prices."""
        if basis == "tokens":
            return self.prompt_per_million is not None and self.completion_per_million is not None
        return (self.per_hour if basis == "seconds" else self.per_kwh) is not None


NO_PRICES = Prices()

NUMBERS = ("prompt_per_million", "completion_per_million", "per_hour", "per_kwh", "worth")


def read_prices(path: str | Path) -> Prices:
    """Return the prices of a TOML or JSON file; a key that is not known, or no price, is a `StudentsError`."""
    try:
        text = storage.read_text(path)
        body = load_json(text) if str(path).endswith(".json") else load_toml(text)
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=error.hint) from error
    except ValueError as error:
        raise StudentsError(f"not a price file ({error})", where=str(path), hint=PRICE_HINT) from error
    if not isinstance(body, dict):
        raise StudentsError("not a price file (no keys)", where=str(path), hint=PRICE_HINT)
    return prices_of(body, str(path))


PRICE_HINT = (
    "keys are currency, prompt_per_million, completion_per_million, per_hour, per_kwh, worth (of one more solved task)"
    " and a table basis: student = tokens | seconds | energy"
)


def prices_of(body: Mapping[str, Json], where: str = "prices") -> Prices:
    """Return prices from plain values, each checked."""
    unknown = sorted(set(body) - {*NUMBERS, "currency", "basis"})
    if unknown:
        raise StudentsError(f"no price is called {unknown[0]!r}", where=where, hint=PRICE_HINT)
    for key in NUMBERS:
        value = body.get(key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if value is not None and not (number and 0 <= value <= LARGEST):
            raise StudentsError(f"{key} is {value!r}, not a price", where=where, hint="give a number of 0 or more")
    basis = body.get("basis") or {}
    wrong = basis if not isinstance(basis, dict) else next((b for b in basis.values() if b not in BASES), None)
    if wrong is not None:
        raise StudentsError(f"money cannot be reckoned from {wrong!r}", where=where, hint=PRICE_HINT)
    numbers = {key: body.get(key) for key in NUMBERS}
    return Prices(currency=str(body.get("currency") or ""), basis=basis, **numbers)


def money_of(
    costs: Mapping[str, Mapping[str, CostTotal]], prices: Prices
) -> dict[str, tuple[Money, tuple[Money, ...]]]:
    """Return each route's money on its basis, and on every basis that has a price; incomplete costs give none.

    Where several bases have prices and no basis was named, the one that every route has whole is taken only if all
    such bases rank the routes alike; else a route has its money by basis alone, and none that would decide in silence.
    """
    priced = [basis for basis in BASES if prices.known(basis)]
    every = {name: tuple(one_money(cost, prices, basis) for basis in priced) for name, cost in costs.items()}
    full = [basis for basis in priced if all(has_whole_basis(cost, basis) for cost in costs.values())]
    common = next(iter(full or priced), None)
    if len(full) > 1 and not agree_on_order(
        [{name: amount_on(every[name], basis) for name in costs} for basis in full]
    ):
        common = None
    found = {}
    for name, cost in costs.items():
        basis = prices.basis.get(name, prices.basis.get(ALL, common))
        found[name] = (one_money(cost, prices, basis) if basis else NO_MONEY, every[name])
    return found


NO_MONEY = Money("", None)
ALL = "*"
"""Under this name the table of bases holds the basis of every route that is not named."""


def amount_on(money: Sequence[Money], basis: str) -> float:
    """Return the amount on one basis, which is known to be there."""
    return next(one.amount or 0.0 for one in money if one.basis == basis)


def agree_on_order(bases: Sequence[Mapping[str, float]]) -> bool:
    """Say whether all bases put every two routes in the same order (a tie goes with either)."""
    names = list(bases[0])
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            if {-1, 1} <= {order_of(amounts[one], amounts[other]) for amounts in bases}:
                return False
    return True


def has_whole_basis(cost: Mapping[str, CostTotal], basis: str) -> bool:
    """Say whether a route has all units of a basis whole."""
    return all(cost[unit].whole for unit in BASES[basis])


def one_money(cost: Mapping[str, CostTotal], prices: Prices, basis: str) -> Money:
    """Return one route's money on one basis."""
    if not prices.known(basis):
        return Money(basis, None, f"no price is given for {basis}")
    if not has_whole_basis(cost, basis):
        return Money(basis, None, f"its {basis} are not recorded in full")
    return Money(basis, reckon(basis, {unit: cost[unit].total or 0.0 for unit in BASES[basis]}, prices))


def reckon(basis: str, amounts: Mapping[str, float], prices: Prices) -> float:
    """Return the money for amounts of one basis: tokens by the million, seconds by the hour, watt-hours by the kWh."""
    if basis == "tokens":
        return token_money(
            amounts["prompt_tokens"],
            amounts["completion_tokens"],
            prices.prompt_per_million or 0.0,
            prices.completion_per_million or 0.0,
        )
    if basis == "seconds":
        return time_money(amounts["seconds"], prices.per_hour or 0.0)
    return energy_money(amounts["watt_hours"], prices.per_kwh or 0.0)
