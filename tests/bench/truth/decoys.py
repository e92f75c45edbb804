"""Recorded differences that cannot act, measurements, and keys that could but did nothing: put beside a true cause."""

import random
from collections.abc import Callable
from typing import NamedTuple

from truth.mechanism import Fits, everywhere, greedy, loaded, only_choices, served
from truth.sides import Side

Plant = Callable[[Side, Side, random.Random], tuple[str, ...]]


class Decoy(NamedTuple):
    """A recorded difference without an effect. `soft`: it could have acted, so it may stand among suspects."""

    name: str
    plant: Plant
    fits: Fits
    soft: bool


def at_top(key: str, a: object, b: object) -> Plant:
    """Return what writes a key at the top of both results files."""

    def plant(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
        one.top[key], other.top[key] = a, b
        return (key, f"versions.{key.removesuffix('_version')}")

    return plant


def in_config(key: str, a: object, b: object) -> Plant:
    """Return what writes a key among both runs' settings."""

    def plant(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
        one.config[key], other.config[key] = a, b
        return (key, f"config.{key}")

    return plant


def in_arguments(key: str, a: object, b: object) -> Plant:
    """Return what gives both models an argument."""

    def plant(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
        one.argue(**{key: a})
        other.argue(**{key: b})
        return (f"model_args.{key}",)

    return plant


def in_notes(key: str, a: object, b: object) -> Plant:
    """Return what notes something beside both runs."""

    def plant(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
        one.context, other.context = {**(one.context or {}), key: a}, {**(other.context or {}), key: b}
        return (f"context.{key}",)

    return plant


def no_temperature(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
    """Another temperature where nothing is drawn."""
    for side, value in ((one, 1.0), (other, 0.6)):
        for task in side.texts:
            kwargs = task.config["generation_kwargs"]
            task.config["generation_kwargs"] = {**kwargs, "do_sample": False, "temperature": value}
    return ("gen_kwargs.temperature", "generation_kwargs.temperature")


def credentials(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
    """Addresses that differ in their credentials alone."""
    for side, secret in ((one, "first-secret-word"), (other, "second-secret-word")):
        side.argue(base_url=str(side.arguments["base_url"]).replace("://", f"://user:{secret}@"))
    return ("model_args.base_url",)


def own_paths(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
    """Where the tasks' files lay."""
    for side, folder in ((one, "/home/one"), (other, "/srv/two")):
        for task in side.tasks.values():
            task.config["metadata"] = {**task.config["metadata"], "config_source": f"{folder}/tasks/t.yaml"}
    return ("config_source", "metadata.config_source")


def function_addresses(one: Side, other: Side, chance: random.Random) -> tuple[str, ...]:
    """Addresses of one function in two processes."""
    for side, place in ((one, "0x7f3f675c27a0"), (other, "0x7fa1c8cc28e0")):
        for task in side.tasks.values():
            task.config["process_docs"] = f"<function clean at {place}>"
    return ("process_docs",)


def greedy_text(side: Side) -> bool:
    """Fit runs whose backend takes the likeliest text whatever the temperature; a server is sent it all the same."""
    return greedy(side) and loaded(side) and bool(side.texts)


def no_examples(side: Side) -> bool:
    """Fit runs without examples."""
    return not any(task.layout.shots for task in side.tasks.values())


OPEN: tuple[Decoy, ...] = (
    Decoy("energy", in_config("total_energy_joules", 81250.5, 9011.25), everywhere, False),
    Decoy("duration", at_top("total_evaluation_time_seconds", "12.5", "9981.25"), everywhere, False),
    Decoy("date", at_top("date", 1761991200.5, 1793527200.75), everywhere, False),
    Decoy("throughput", in_config("tokens_per_second", 312.5, 44.0), everywhere, False),
    Decoy("peak memory", in_config("peak_memory_gb", 11.25, 39.5), everywhere, False),
    Decoy("host", at_top("hostname", "node-12", "node-77"), everywhere, False),
    Decoy(
        "secret", in_arguments("api_key", "sk-aaaaaaaaaaaaaaaaaaaa1111", "sk-bbbbbbbbbbbbbbbbbbbb2222"), served, False
    ),
    Decoy("credentials", credentials, served, False),
    Decoy("temperature without sampling", no_temperature, greedy_text, False),
    Decoy("seeds without sampling", in_config("torch_seed", 1234, 7), greedy, False),
    Decoy("turns without examples", at_top("fewshot_as_multiturn", None, False), no_examples, False),
    Decoy("draw without examples", in_config("fewshot_seed", 1234, 99), no_examples, False),
    Decoy("bootstrap draws", in_config("bootstrap_iters", 100000, 1000), everywhere, False),
    Decoy("paths", own_paths, everywhere, False),
    Decoy("addresses of functions", function_addresses, everywhere, False),
    Decoy("concurrency", in_arguments("num_concurrent", 1, 16), served, True),
    Decoy("batch size", in_config("batch_size", "8", "32"), everywhere, True),
    Decoy("key of a wrapper", in_config("launcher_profile", "small", "wide"), everywhere, True),
    Decoy("note", in_notes("cluster", "east", "west"), everywhere, True),
    Decoy("seed of the draw", in_config("numpy_seed", 1234, 5), only_choices, False),
    Decoy("library", at_top("transformers_version", "4.57.1", "4.57.3"), everywhere, True),
)
