"""The generations of the harness as data: what in a file tells them apart, and which defaults moved between them.

Each row can be held against the harness' releases; nothing else in this room asks for a version.
"""

from collections.abc import Mapping
from typing import Any

from diptych.bounded_json import whole_number
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Json

Version = tuple[int, ...]

OLDEST: Version = (0, 3)
NEWEST: Version = (0, 4, 13)


class Generation(NamedTuple):
    """The span of releases, first and last included, that may have written a file.

    `known` is the release where the file names it. `wrapper` marks a file that some program around
    the harness wrote: keys are missing that the harness always writes. `name` is what the file calls its release where
    that is no number ("main"): such a key is written from 0.4.9 on.
    """

    first: Version
    last: Version
    known: str | None = None
    wrapper: bool = False
    name: str = ""

    @property
    def text(self) -> str:
        """Name the generation as people do: "0.4.9.2", "0.4.3–0.4.8", "written by a wrapper"."""
        if self.known:
            return self.known
        if self.wrapper:
            return "not recorded (written by a wrapper)"
        if self.last == OLDEST:
            return "0.3"
        first, last = (".".join(map(str, version)) for version in (self.first, self.last))
        span = first if first == last else f"{first}–{last}"
        return f"{span} (it calls itself {self.name})" if self.name else span

    def since(self, version: Version) -> bool | None:
        """Say whether the file is of this release or a later one; None where the file cannot tell."""
        if self.first >= version:
            return True
        return False if self.last < version else None


class Sign(NamedTuple):
    """What in a results file narrows the span of releases, and to what."""

    name: str
    first: Version
    last: Version


# what a file shows that names no release (only those from 0.4.9 do); every sign that is seen narrows the span
SIGNS: tuple[Sign, ...] = (
    Sign("no configs, bare metric keys", (0, 3), (0, 3)),
    Sign("configs", (0, 4, 0), (0, 4, 8)),
    Sign("no date, no environment", (0, 4, 0), (0, 4, 1)),
    Sign("date, no higher_is_better", (0, 4, 2), (0, 4, 2)),
    Sign("higher_is_better", (0, 4, 3), (0, 4, 8)),
    Sign("token ids are numbers", (0, 4, 3), (0, 4, 3)),
    Sign("token ids are texts", (0, 4, 4), (0, 4, 8)),
    Sign("a group has a number of shots", (0, 4, 3), (0, 4, 3)),
    Sign("samples without a filter", (0, 4, 3), (0, 4, 6)),
    Sign("samples with a filter", (0, 4, 7), (0, 4, 8)),
    Sign("unsafe_code in a task", (0, 4, 8), (0, 4, 8)),
    # last, for a fork writes words too: it narrows only what nothing else has narrowed to later releases
    Sign('version "Yaml"', (0, 4, 0), (0, 4, 0)),
)

# since which release a meaning or a default is another one
CHAT_TEMPLATES_EXIST: Version = (0, 4, 3)
EMPTY_TEMPLATE_ALSO_MEANS_OFF: tuple[Version, Version] = ((0, 4, 4), (0, 4, 5))
MULTITURN_BY_DEFAULT: Version = (0, 4, 10)
DEVICE_BY_DEFAULT: Version = (0, 4, 10)
SEEDS_RECORDED: Version = (0, 4, 3)
NAMES_ITSELF: Version = (0, 4, 9)
COUNTS_SCORED_ITEMS: Version = (0, 4, 12)

# what the harness fills in where nobody gave the setting
DEFAULTS: Mapping[str, Json] = {
    "limit": None,
    "batch_size": 1,
    "use_cache": None,
    "bootstrap_iters": 100000,
    "random_seed": 0,
    "numpy_seed": 1234,
    "torch_seed": 1234,
    "fewshot_seed": 1234,
    "model_revision": "main",
    "system_instruction": None,
    "device": "cuda:0",
}

# rows of a results file that are no metric, by release: alias and " " from 0.4.0, the others from 0.4.12
NOT_METRICS = frozenset({"alias", " ", "", "name", "sample_len", "sample_count", "samples", "details", "num_fewshot"})


def release_numbers(text: str) -> Version | None:
    """Return a release's numbers ("0.4.13.dev0" is 0.4.13), or None for what is no release."""
    numbers: list[int] = []
    for part in text.strip().removeprefix("v").split("+")[0].split("."):
        number = whole_number(part)
        if number is None:
            break
        numbers.append(number)
    return tuple(numbers) or None


def generation_of(document: Mapping[str, Any], signs_of_samples: str | None = None) -> Generation:
    """Return the span of releases that may have written a results document.

    `signs_of_samples` is the name of the sign that its samples show, or None.
    """
    named = document.get("lm_eval_version")
    if isinstance(named, str) and (version := release_numbers(named)):
        return Generation(version, version, known=named)
    if isinstance(named, str) and named.strip():
        return Generation(NAMES_ITSELF, NEWEST, known=None, name=named.strip()[:40])
    if not isinstance(document.get("config"), dict) or not isinstance(document.get("results"), dict):
        return Generation(OLDEST, NEWEST, wrapper=True)
    seen = signs_in(document) | ({signs_of_samples} if signs_of_samples else set())
    first, last = OLDEST, NEWEST
    for sign in SIGNS:
        if sign.name in seen and max(first, sign.first) <= min(last, sign.last):
            first, last = max(first, sign.first), min(last, sign.last)
    return Generation(first, last)


def signs_in(document: Mapping[str, Any]) -> set[str]:
    """Return the names of the signs that a results document shows."""
    configs, versions = document.get("configs"), document.get("versions")
    tokens = document.get("tokenizer_eos_token")
    shots, subtasks = document.get("n-shot"), document.get("group_subtasks")
    number_tokens = isinstance(tokens, list) and len(tokens) == 2 and isinstance(tokens[1], int)
    text_tokens = isinstance(tokens, list) and len(tokens) == 2 and isinstance(tokens[1], str)
    dated = "date" in document or "pretty_env_info" in document
    with_direction = "higher_is_better" in document
    shows = {
        "no configs, bare metric keys": not isinstance(configs, dict),
        "configs": isinstance(configs, dict),
        "no date, no environment": isinstance(configs, dict) and not dated and not with_direction,
        'version "Yaml"': isinstance(versions, dict) and "Yaml" in versions.values(),
        "date, no higher_is_better": dated and not with_direction and isinstance(configs, dict),
        "higher_is_better": with_direction,
        "token ids are numbers": number_tokens,
        "token ids are texts": text_tokens,
        "a group has a number of shots": with_direction
        and isinstance(shots, dict)
        and isinstance(subtasks, dict)
        and any(children and group in shots for group, children in subtasks.items()),
        "unsafe_code in a task": isinstance(configs, dict)
        and any(isinstance(config, dict) and "unsafe_code" in config for config in configs.values()),
    }
    return {name for name, shown in shows.items() if shown}
