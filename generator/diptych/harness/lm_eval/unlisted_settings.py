"""The complement: everything recorded in a results file that is no result and that no run writes anew is a setting.

A list of known settings overlooks what forks and wrappers write; so here stands the list of what is *not* one.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from diptych.catalogue.measurements import bearing_of, is_quantity, words, words_of
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.dotted_keys import MOST_LEAVES, WIDEST, Recorded, leaves
from diptych.harness.lm_eval.setting_places import IN_CONFIG, SEED_NAMES, TABLES, arguments_apart, opened, seeds_in
from diptych.harness.strict_values import typed, version_number
from diptych.run import Json, Setting
from diptych.storage import sha256

READ = words(
    "pretty_env_info upper_git_hash lm_eval_version transformers_version system_instruction chat_template"
    " fewshot_as_multiturn tokenizer_pad_token tokenizer_eos_token tokenizer_bos_token eot_token_id max_length"
)
"""Top-level settings that are read by name."""

SAYS_MORE = {
    "chat_template_sha": "chat_template",
    "system_instruction_sha": "system_instruction",
    "model_name_sanitized": "model_name",
}
"""Keys that are made from another one: they say something only where that one is missing."""

NAMES_OF_MODEL = ("model_source", "model_name", "model_name_sanitized", "path")
"""Keys that mostly repeat the model's name, or make one up."""

RESULTS = words(
    "score scores result results metric metrics accuracy acc stderr ci interval intervals confidence correct incorrect"
    " average mean stdev std leaderboard errors failures failed passed skipped hashes"
)
"""Words of what was found out, not set."""

RESULT_NAMES = words("exact_match f1 em bleu rouge perplexity ppl pass@1")
LOGGED = words("summary details predictions outputs responses instances stdout stderr traceback")
CHOSEN = words("threshold seed level method mode filter size weight max min limit best target type format")
"""Words of what somebody chose for a score, not of a score."""

SAID_ELSEWHERE = words(
    "torch transformers lm_eval versions_of_relevant_libraries no could is_debug_build gcc_version clang_version "
    "cmake_version libc_version python_platform python_version os is_cuda_available is_xpu_available "
    "is_xnnpack_available cuda_used_to_build_pytorch rocm_used_to_build_pytorch cuda_module_loading_set_to"
)
"""Lines about the machine that repeat another one, or that cannot move a number."""

COME_ALONG = ("nvidia_c", "nvidia_n", "lib", "mkl", "blas", "mypy", "flake8", "numpydoc", "numpy_base", "pytorch_mutex")
"""Packages that come with another one, or that no run uses."""

RANDOM_NAME = r"[a-z0-9]{8}"
LIBRARY = r"\[(?:pip3?|conda)\] ([A-Za-z0-9_.\-]+)(?:==|\s+)(\S+)"


class Complement(NamedTuple):
    """What stands beside the known settings: more settings, what was measured, and the keys that are not used."""

    settings: Mapping[str, Setting]
    measurements: Mapping[str, Json]
    unused: tuple[str, ...]


def unlisted_settings(document: Mapping[str, Any], known: Mapping[str, Setting], tasks: frozenset[str]) -> Complement:
    """Return what is recorded beside the settings that are read by name; `tasks` are the names of rows."""
    config = document.get("config")
    if isinstance(config, dict) and isinstance(config.get("num_fewshot"), int):
        known = {**known, "num_fewshot": Setting(config["num_fewshot"])}  # kept by task
    settings: dict[str, Setting] = {}
    measured: dict[str, Json] = {}
    unused: list[str] = []
    found = unread_settings(document, known, tasks)
    for key, value in islice(found, MOST_LEAVES):
        bearing = bearing_of(key, value)
        if bearing == "measurement":
            measured[key] = value
        elif bearing == "label" or is_result(key, value) or repeats_known_setting(key, value, known):
            unused.append(key)
        else:
            settings[key] = Setting(value)
    if more := sum(1 for _ in found):
        unused.append(f"{more} keys more")
    unused += passed_over(document, {*known, *settings, *measured, *unused})
    return Complement(settings, measured, tuple(unused))


def passed_over(document: Mapping[str, Any], named: Collection[str]) -> Iterator[str]:
    """Yield the keys at the top and in `config` of which nothing is used: copies of others, and what is only shown."""
    stems = {name.partition(".")[0] for name in named}
    config = document.get("config")
    for key in config if isinstance(config, dict) else ():
        if key not in stems and key not in IN_CONFIG:
            yield f"config.{key}"
    for key, value in document.items():
        if key in IN_CONFIG and isinstance(config, dict) and config.get(key) == value:
            continue  # a wrapper keeps it at the top: read as a setting, if of the tasks
        if key not in stems and key not in (TABLES - {"task_hashes"}) and key not in READ - {"upper_git_hash"}:
            yield str(key)


def unread_settings(
    document: Mapping[str, Any], known: Mapping[str, Setting], tasks: frozenset[str]
) -> Iterator[Recorded]:
    """Yield what no reader of a known key takes: keys at the top and in `config`, versions of packages, the machine."""
    config = document.get("config")
    for key, value in config.items() if isinstance(config, dict) else ():
        if key not in IN_CONFIG and key not in known:
            yield from taken_apart(str(key), arguments_apart(opened(str(key), value)))
    for key, value in document.items():
        read = key in TABLES or key in READ or key in known or SAYS_MORE.get(key) in document
        if read or (key in IN_CONFIG and isinstance(config, dict) and config.get(key) == value):
            continue
        yield from taken_apart(str(key), arguments_apart(opened(str(key), value)))
    versions = document.get("versions")
    for key, value in versions.items() if isinstance(versions, dict) else ():
        if key not in tasks and f"versions.{key}" not in known and isinstance(value, str | int | float):
            yield Recorded(f"versions.{key}", version_number(value))
    yield from environment(document.get("pretty_env_info"))


def taken_apart(key: str, value: Any) -> Iterator[Recorded]:
    """Yield what an object holds key by key; one that holds very many is a table, of which only a digest is compared.

    So one table does not take the place of the settings behind it.
    """
    found = list(islice(leaves(key, value), WIDEST + 1))
    first = found[0] if found else Recorded(key, None)
    if len(found) <= WIDEST or bearing_of(first.key, first.value) != "setting" or is_result(first.key, first.value):
        yield from found[:WIDEST]
    else:
        digest = sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace"))
        yield Recorded(key, f"more than {WIDEST} keys, sha256 {digest[:12]}")


def is_result(key: str, value: Json) -> bool:
    """Say whether a key holds what was found out: scores, counts of right answers, texts that were logged."""
    last = key.rpartition(".")[2]
    if key.split(".")[0].lower() in RESULT_NAMES or last.lower() in RESULT_NAMES:
        return True
    if isinstance(value, list) and len(value) > 50:
        return True
    if last.lower() in LOGGED:
        return True
    named = words_of(key)
    return not RESULTS.isdisjoint(named) and CHOSEN.isdisjoint(named) and is_quantity(value)


def repeats_known_setting(key: str, value: Json, known: Mapping[str, Setting]) -> bool:
    """Say whether a key repeats a setting that stands in its own place, or a name that the harness made up."""
    inner = key.rpartition(".")[2]
    if key in NAMES_OF_MODEL or inner in NAMES_OF_MODEL[:3]:
        return is_name_of_model(value, known)
    above = key.rpartition(".")[0].rpartition(".")[2]
    if above in ("seed", "seeds") and (one := known.get(SEED_NAMES.get(inner.removesuffix("_seed"), ""))) is not None:
        return bool(one.value == value)
    if inner in ("seed", "seeds") and isinstance(value, str | list):
        given = seeds_in(value)
        return bool(given) and all(name in known and known[name].value == seed for name, seed in given.items())
    rest = key
    while rest:  # `args.model_args.pretrained` repeats `model_args.pretrained`
        same = known.get(rest)
        if same is not None and same.recorded and typed(same.value) == value:
            return True
        rest = rest.partition(".")[2]
    return False


def is_name_of_model(value: Json, known: Mapping[str, Setting]) -> bool:
    """Say whether a text is a name that the settings give already, or random letters for a model without one."""
    if not isinstance(value, str) or not value or re.fullmatch(RANDOM_NAME, value):
        return True
    spelled = plain_name(value)
    return any(
        isinstance(each.value, str) and plain_name(each.value) == spelled
        for key, each in known.items()
        if key == "model" or key.startswith("model_args.")
    )


def plain_name(name: str) -> str:
    """Return a model's name with all that a file's name may not hold made alike."""
    return re.sub(r'[_"<>:/|\\?*\[\]]+', "_", name).strip("_")


def environment(text: Any) -> Iterator[Recorded]:
    """Yield what the description of the machine says, line by line: `environment.pytorch_version` and the like."""
    seen: set[str] = set()
    inside_cpu = False
    for line in text.splitlines()[:400] if isinstance(text, str) else ():
        library = re.match(LIBRARY, line.strip())
        name, colon, value = (library[1], ":", library[2]) if library else line.partition(":")
        slug = re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")
        inside_cpu = (inside_cpu or slug == "cpu") and slug != "versions_of_relevant_libraries"
        if inside_cpu and slug != "model_name":
            continue
        slug = "cpu" if inside_cpu else slug
        value = value.strip()
        passed_over = slug.startswith("gpu") or slug in SAID_ELSEWHERE or (library and slug.startswith(COME_ALONG))
        if not colon or not slug or not value or slug in seen or passed_over:
            continue
        seen.add(slug)
        if value.lower() not in ("could not collect", "n/a", "none"):
            yield Recorded(f"environment.{slug}", value[:200])
