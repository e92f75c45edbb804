"""What a log of inspect_ai records of how it was made, under the keys by which every harness's settings are known."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from diptych.catalogue.measurements import bearing_of, words
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.dotted_keys import MOST_LEAVES, leaves
from diptych.harness.strict_values import as_list, mapping
from diptych.run import Json, Setting

SYSTEM_SOLVER = "system_message"

READ = words(
    "task dataset model model_args model_generate_config config packages scorers task_args task_version solver "
    "solver_args solver_args_passed task_args_passed metrics"
)
"""Keys of `eval` that are read by name, or that say again what stands elsewhere."""

OF_THE_RUN = words(
    "eval_id run_id eval_set_id created task_id task_file task_display_name task_registry_name task_attribs "
    "sandbox viewer tags metadata"
)
"""Keys of `eval` that name or file a run."""

OF_THE_ENGINE = words(
    "epochs epochs_reducer limit max_samples max_tasks max_subprocesses max_sandboxes sandbox_cleanup "
    "sandbox_prebuilt log_samples log_realtime log_images log_buffer log_shared log_model_api log_refusals "
    "score_display sample_id fail_on_error continue_on_fail score_on_error retry_on_error acp_server"
)
"""Keys of `eval.config` that are read by name, or that say how a run was carried out and logged, not what was asked."""


class Recorded(NamedTuple):
    """What one log records: settings of the run, the task's definition, what was measured, and what is not used."""

    settings: Mapping[str, Setting]
    config: Mapping[str, Json]
    measurements: Mapping[str, Json]
    unused: tuple[str, ...]


def recorded_settings(head: Mapping[str, Any]) -> Recorded:
    """Return what a log's head records beside its scores."""
    spec, plan = mapping(head["eval"]), mapping(head.get("plan"))
    settings: dict[str, Json] = {}
    provider, _, name = str(spec.get("model") or "").partition("/")
    settings["model"], settings["model_args.model"] = provider, name or provider
    parts = (
        ("model_args", mapping(spec.get("model_args"))),
        ("gen_kwargs", {**mapping(spec.get("model_generate_config")), **mapping(plan.get("config"))}),
        ("task_args", mapping(spec.get("task_args"))),
        ("", without_keys(mapping(spec.get("config")), OF_THE_ENGINE)),
    )
    for family, values in parts:
        for leaf in islice(leaves(family, dict(values)), MOST_LEAVES) if values else ():
            if leaf.value is not None or family == "model_args":
                settings[leaf.key] = leaf.value
    settings.update(of_solvers(plan))
    config = mapping(spec.get("config"))
    settings["limit"] = config.get("limit")
    for package, version in mapping(spec.get("packages")).items():
        settings[f"versions.{package}"] = version
    rest = complement(spec)
    wide = {key: Setting(value, default=value is None) for key, value in {**settings, **rest.settings}.items()}
    unused = (*rest.unused, *(f"eval.{key}" for key in sorted(OF_THE_RUN & spec.keys())))
    unused += tuple(f"eval.config.{key}" for key in sorted((OF_THE_ENGINE & config.keys()) - {"epochs", "limit"}))
    return Recorded(wide, task_config(spec), {**rest.measurements, **counts_and_times(head)}, unused)


def without_keys(values: Mapping[str, Json], names: frozenset[str]) -> Mapping[str, Json]:
    """Return an object without the keys that are named."""
    return {key: value for key, value in values.items() if key not in names}


def of_solvers(plan: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the chain of solvers and their parameters; a system message under the name that such a text has."""
    steps = [mapping(step) for step in as_list(plan.get("steps"))]
    names = [str(step.get("solver", "")) for step in steps]
    yield "solver", " > ".join(name for name in names if name != SYSTEM_SOLVER)
    texts = []
    for place, step in enumerate(steps):
        params = mapping(step.get("params"))
        if names[place] == SYSTEM_SOLVER:
            texts.append(str(params.get("template", "")))
            continue
        own = names[place] if names.count(names[place]) == 1 else f"{names[place]}_{place + 1}"
        for leaf in leaves(f"solver.{own}", dict(params)) if params else ():
            if leaf.value is not None:
                yield leaf.key, leaf.value
    yield "system_instruction", "\n".join(texts) if texts else None


class Rest(NamedTuple):
    """What stands in `eval` beside what is read by name."""

    settings: Mapping[str, Json]
    measurements: Mapping[str, Json]
    unused: tuple[str, ...]


def complement(spec: Mapping[str, Json]) -> Rest:
    """Return every other key of `eval` by what it is."""
    settings: dict[str, Json] = {}
    measured_: dict[str, Json] = {}
    unused: list[str] = []
    others = without_keys(spec, READ | OF_THE_RUN)
    for leaf in islice(leaves("", others), MOST_LEAVES) if others else ():
        bearing = bearing_of(leaf.key, leaf.value)
        if bearing == "measurement":
            measured_[leaf.key] = leaf.value
        elif bearing == "label":
            unused.append(f"eval.{leaf.key}")
        elif leaf.value is not None:
            settings["git_hash" if leaf.key == "revision.commit" else leaf.key] = leaf.value
    return Rest(settings, measured_, tuple(unused))


def task_config(spec: Mapping[str, Json]) -> dict[str, Json]:
    """Return the definition of a log's task: its data, how often each item is asked, its scorers."""
    data, config = mapping(spec.get("dataset")), mapping(spec.get("config"))
    scorers = spec.get("scorers")
    named = {
        "dataset_path": data.get("name"),
        "dataset_location": data.get("location"),
        "repeats": config.get("epochs"),
    }
    found: dict[str, Json] = {key: value for key, value in named.items() if value is not None}
    if data.get("shuffled"):
        found["dataset_kwargs"] = {"shuffled": data["shuffled"]}
    if config.get("epochs_reducer"):
        found["epochs_reducer"] = config["epochs_reducer"]
    if isinstance(scorers, list):
        found["metric_list"] = [
            {"metric": mapping(each).get("name"), **mapping(mapping(each).get("options"))} for each in scorers
        ]
    return found


def counts_and_times(head: Mapping[str, Json]) -> dict[str, Json]:
    """Return what was counted and clocked: tokens and times."""
    stats = head.get("stats")
    if not isinstance(stats, dict) or not stats:
        return {}
    kept = {key: stats[key] for key in ("started_at", "completed_at", "model_usage") if stats.get(key)}
    return {leaf.key: leaf.value for leaf in islice(leaves("stats", kept), 200)} if kept else {}
