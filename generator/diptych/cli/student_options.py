"""The options that `decide` and `students` share, and what their values mean."""

from collections.abc import Callable
from typing import Any

import click

from diptych.cli.numbers import AMOUNT, AT_LEAST_ONE, COUNT, POSITIVE, SHARE

Function = Callable[..., Any]


def options(*decorators: Function) -> Function:
    """Return several options as one decorator, in the order they are given."""

    def add(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return add


MONEY = options(
    click.option("--prices", type=click.Path(dir_okay=False), help="A TOML or JSON file of prices."),
    click.option("--currency", help="What the prices are in, e.g. EUR."),
    click.option("--prompt-price", type=AMOUNT, help="For a million prompt tokens."),
    click.option("--completion-price", type=AMOUNT, help="For a million completion tokens."),
    click.option("--hour-price", type=AMOUNT, help="For an hour of the machine."),
    click.option("--kwh-price", type=AMOUNT, help="For a kilowatt-hour."),
    click.option("--worth", type=AMOUNT, help="What one more solved task is worth."),
    click.option(
        "--basis",
        type=click.Choice(["tokens", "seconds", "energy"]),
        help="What you pay by, where several prices are given; bases are never added.",
    ),
)
RULE = options(
    click.option(
        "--stages", multiple=True, metavar="NAME=a,b", help="Which stages of the notebook paid for a student."
    ),
    click.option(
        "--margin",
        default=0.01,
        type=SHARE,
        show_default=True,
        help="A cheaper student may be worse by this share of tasks.",
    ),
    click.option(
        "--attempts",
        type=click.Choice(["all", "last"]),
        default="all",
        show_default=True,
        help="Whether a stage that ran more than once costs all of its runs, or the last one only.",
    ),
    click.option("--floor", type=SHARE, help="Keep neither where no student is shown to pass this share."),
    click.option(
        "--labels",
        type=click.Path(dir_okay=False),
        help="A person's labels of some tasks (JSON lines or CSV); they correct the judge.",
    ),
    click.option("--title", default="", help="What the decision is called."),
)
SERVER = options(
    click.option("--base-url", default="http://127.0.0.1:8080/v1", show_default=True, help="The endpoint's address."),
    click.option("--api-key", envvar="OPENAI_API_KEY", help="Its key; OPENAI_API_KEY where not given."),
    click.option("--timeout", default=120.0, type=POSITIVE, show_default=True, help="Seconds for one whole answer."),
    click.option(
        "--retries", default=4, type=COUNT, show_default=True, help="How often a request that failed is made again."
    ),
    click.option(
        "--concurrency", default=4, type=click.IntRange(1, 1_000), show_default=True, help="Requests under way at once."
    ),
    click.option("--max-tokens", default=512, type=AT_LEAST_ONE, show_default=True, help="The longest answer."),
    click.option("--extra", metavar="JSON", help="More fields of each request, as the server knows them."),
)
JUDGE = options(
    click.option(
        "--judge-extra", metavar="JSON", help="More fields of the judge's requests; --extra is the students'."
    ),
    click.option(
        "--judge-max-tokens", default=256, type=AT_LEAST_ONE, show_default=True, help="The judge's longest reply."
    ),
)
SERVED = options(
    click.option("--quant", default="unknown", show_default=True, help="The quantization that is served."),
    click.option("--engine", default="llama.cpp", show_default=True, help="What serves it."),
    click.option("--engine-version", default="unknown", show_default=True, help="In which version."),
)


def names_and_values(pairs: tuple[str, ...], option: str) -> dict[str, str]:
    """Return NAME=VALUE options as a mapping; a name that comes twice is wrong usage."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value or name in found:
            raise click.UsageError(f"{option} {pair!r} is not NAME=VALUE, each name once")
        found[name] = value
    return found


def stages_of(pairs: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return NAME=a,b options as route -> stages."""
    return {
        name: tuple(stage.strip() for stage in value.split(",") if stage.strip())
        for name, value in names_and_values(pairs, "--stages").items()
    }


PRICE_KEYS = {
    "currency": "currency",
    "prompt_price": "prompt_per_million",
    "completion_price": "completion_per_million",
    "hour_price": "per_hour",
    "kwh_price": "per_kwh",
    "worth": "worth",
}


def prices_from(money: dict[str, Any]) -> Any:
    """Return the prices of a file with what the command line gives on top."""
    from diptych.students.cost.prices import NO_PRICES, prices_of, read_prices

    given = {PRICE_KEYS[name]: value for name, value in money.items() if name in PRICE_KEYS and value is not None}
    start = read_prices(money["prices"]) if money.get("prices") else NO_PRICES
    checked = prices_of(given, "the command line") if given else NO_PRICES
    basis = {**start.basis, "*": money["basis"]} if money.get("basis") else start.basis
    told = {key: value for key, value in checked._asdict().items() if key in given}
    return start._replace(**told, basis=basis)


def endpoint_from(given: dict[str, Any]) -> Any:
    """Return the endpoint that the options name."""
    from click.core import ParameterSource

    from diptych.secrets import remember, remember_address
    from diptych.students.collect.endpoint import Endpoint

    names = ("base_url", "api_key", "timeout", "retries", "concurrency", "max_tokens")
    remember(given["api_key"])
    remember_address(given["base_url"])
    source = click.get_current_context().get_parameter_source("api_key")
    extra = fields_from(given["extra"], "--extra")
    return Endpoint(
        **{name: given[name] for name in names}, extra=extra, key_by_environment=source is ParameterSource.ENVIRONMENT
    )


def judge_endpoint_from(given: dict[str, Any], endpoint: Any) -> Any:
    """Return how the judge is asked: at the same endpoint, with its own fields and budget."""
    extra = fields_from(given["judge_extra"], "--judge-extra")
    return endpoint._replace(extra=extra, max_tokens=given["judge_max_tokens"])


def fields_from(text: str | None, option: str) -> dict[str, Any]:
    """Return the fields of a request that an option gives as JSON."""
    from diptych.bounded_json import load_json

    try:
        extra = load_json(text or "{}")
    except ValueError:
        extra = None
    if not isinstance(extra, dict):
        raise click.UsageError(f'{option} is no JSON object, e.g. {{"top_k": 1}}')
    return extra
