"""Which runs of a tree belong side by side: one model, shared tasks, the baseline first, repeats found.

Runs of two models are never put side by side: what differs between them is no setting.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from diptych.diagnose.compare_repeats import configuration_digest, seeds_of_repeats
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run

BASELINE_WORDS = frozenset(("baseline", "reference", "control"))
"""Words of a path by which people say that a run is the baseline."""

PRECISION = re.compile(
    r"[-_. ](?:ud|imat|i1|i?q\d(?:_[0-9a-z]+)*|tq\d_\d|b?f(?:p|loat)?(?:8|16|32)|int\d|\d-?bit|w\d+a\d+(?:kv\d+)?"
    r"|gguf|ggml|awq|gptq|exl\d|mlx|bnb|nf4|fp4|hqq|aqlm|onnx|quantized)$"
)
"""An ending of a model's name that tells how its weights are stored: another quantization is no other model."""

FILE_ENDING = re.compile(r"\.(?:gguf|safetensors|bin|pt|pth)$")
CHECKPOINT = re.compile(r"(?:^|[-_. ])(?:checkpoint|ckpt|global_step|step|steps|epoch|iter)[-_]?\d+$")
"""A name's ending that tells how far a training was: checkpoints of one training belong together."""


REPEAT = re.compile(
    r"(?:seed|repeat|rep|rerun|run|trial|try|attempt)[-_. ]?\d+|\d{4}-\d\d-\d\dT[\d.:-]+", re.IGNORECASE
)
"""What a path says of a repeat: its number, or when it was."""

SAMPLING_SEEDS = ("gen_kwargs.seed", "model_args.seed")
HARNESS_SEEDS = ("random_seed", "numpy_seed", "torch_seed")

RANDOM_NAME = re.compile(r"[a-z0-9_]{8}")
"""The folder that the harness makes up for a model without a name."""


class Candidate(NamedTuple):
    """A run of a tree: where it is read from, what was read (without its samples), and what model it is of."""

    location: str
    run: Run
    model: str
    configuration: str

    @property
    def tasks(self) -> frozenset[str]:
        """Return the tasks that have a score."""
        return frozenset(score.task for score in self.run.scores if score.value is not None)

    @property
    def order(self) -> tuple[str, str]:
        """Return where it stands in time; runs without a date come first."""
        return self.run.date or "", self.location


class Group(NamedTuple):
    """Runs of one model that share tasks with the first, the baseline; `repeats` are sets of one configuration."""

    name: str
    runs: tuple[Candidate, ...]
    repeats: tuple[tuple[Candidate, ...], ...]
    labels: Mapping[str, str]


def candidate(location: str, run: Run) -> Candidate:
    """Return a run with what it is grouped by."""
    return Candidate(location, run._replace(samples={}), base_model_name(run), configuration_digest(run))


def base_model_name(run: Run) -> str:
    """Return the name of a run's model without folder, file ending, quantization and checkpoint, in lower case."""
    named = [run.recorded(key) for key in MODEL_NAMES] + [run.model, run.recorded("model")]
    text = next((str(name) for name in named if name), "")
    parts = [part for part in re.split(r"[/\\]", text.casefold()) if part] or [""]
    while len(parts) > 1 and CHECKPOINT.sub("", parts[-1]) == "":
        parts.pop()
    name = FILE_ENDING.sub("", parts[-1])
    quant = str((run.context or {}).get("quant") or "").casefold()
    name = name.removesuffix(quant).rstrip("-_. ") if quant and name != quant else name
    while (shorter := CHECKPOINT.sub("", PRECISION.sub("", name))) != name and shorter:
        name = shorter
    return name


def comparable_groups(candidates: Sequence[Candidate], root: str) -> list[Group]:
    """Return the runs that can be put side by side, in groups; what stands alone is in none."""
    models: dict[str, list[Candidate]] = {}
    for one in sorted(candidates, key=lambda one: one.order):
        models.setdefault(one.model, []).append(one)
    groups = []
    for model in sorted(models):
        for part in folders_apart(models[model], root):
            groups += model_groups(part, model, root)
    return groups


def folders_apart(runs: Sequence[Candidate], root: str) -> list[list[Candidate]]:
    """Return the runs of one model by the folders that keep them apart, where each such folder holds several."""
    common = common_folder(runs, root)
    folders: dict[str, list[Candidate]] = {}
    for one in runs:
        folders.setdefault(os.path.relpath(one.location, common).split(os.sep)[0], []).append(one)
    several = len(folders) > 1 and all(len({one.configuration for one in part}) > 1 for part in folders.values())
    return list(folders.values()) if several else [list(runs)]


def common_folder(runs: Iterable[Candidate], root: str) -> str:
    """Return the folder that all runs lie below."""
    folders = [os.path.dirname(one.location) or "." for one in runs]
    return os.path.commonpath(folders) if folders else root


def model_groups(runs: Sequence[Candidate], model: str, root: str) -> list[Group]:
    """Return the groups of one model's runs: those that share a task with a baseline, then what is left likewise."""
    found = []
    rest = repeats_in(runs)
    while rest:
        baseline = chosen_baseline([same[0] for same in rest])
        taken = [same for same in rest if same[0] is baseline]
        taken += [same for same in rest if same[0] is not baseline and same[0].tasks & baseline.tasks]
        rest = [same for same in rest if same not in taken]
        repeats = tuple(same for same in taken if len(same) > 1)
        if len(taken) > 1 or repeats:
            members = [one for same in taken for one in same]
            firsts = tuple(same[0] for same in taken)
            found.append(Group(group_name(members, model, root), firsts, repeats, location_labels(members)))
    return found


def repeats_in(runs: Sequence[Candidate]) -> list[tuple[Candidate, ...]]:
    """Return the runs, repeats of one configuration together: those of other seeds, or whose paths say so.

    Runs that record the same and were neither seeded anew nor named so may differ in what nobody recorded. Runs over
    other numbers of items are no repeats: a list of chosen items leaves no trace among the settings.
    """
    configurations: dict[tuple[str, frozenset[tuple[str, int]]], list[Candidate]] = {}
    for one in runs:
        configurations.setdefault((one.configuration, frozenset(one.run.items.items())), []).append(one)
    found: list[tuple[Candidate, ...]] = []
    for same in configurations.values():
        seeds = {seed_values(one.run) for one in same}
        seeded = len(seeds) > 1 and not any(None in each for each in seeds)
        said = len({REPEAT.sub("", one.location) for one in same}) == 1
        found += [tuple(same)] if seeded or said else [(one,) for one in same]
    return found


def seed_values(run: Run) -> tuple[str | None, ...]:
    """Return the seeds that a run records: its own where it names one, else the harness's."""
    sampling = [run.recorded(key) for key in SAMPLING_SEEDS]
    values = [each for each in sampling if each is not None] or [run.recorded(key) for key in HARNESS_SEEDS]
    return tuple(None if each is None else repr(each) for each in values)


def chosen_baseline(runs: Sequence[Candidate]) -> Candidate:
    """Return the run that the rest is set against: the one whose path says so, else the most usual configuration.

    The most usual one differs from the others in the fewest settings, so that most comparisons change one thing. Of
    equals the one with more tasks, then the oldest.
    """
    named = [one for one in runs if BASELINE_WORDS & set(re.split(r"[^a-z]+", one.location.casefold()))]
    chosen = named or runs
    values = [countable_settings(one.run) for one in runs]
    counts = Counter(pair for each in values for pair in each.items())
    usual = {one.location: sum(counts[pair] for pair in countable_settings(one.run).items()) for one in chosen}
    reach = {one.location: sum(bool(one.tasks & other.tasks) for other in runs) for one in chosen}
    return min(chosen, key=lambda one: (-reach[one.location], -usual[one.location], -len(one.tasks), one.order))


def countable_settings(run: Run) -> dict[str, str]:
    """Return what was set of a run, seeds apart, as texts that can be counted."""
    seeds = seeds_of_repeats(run)
    kept = {key: repr(each.value) for key, each in run.settings.items() if each.recorded and key not in seeds}
    for settings in run.task_settings.values():
        kept |= {key: repr(each.value) for key, each in settings.items() if each.recorded and key not in seeds}
    return kept | {f"context.{key}": repr(value) for key, value in (run.context or {}).items()}


def group_name(members: Sequence[Candidate], model: str, root: str) -> str:
    """Return what a person would call a group: the folder that holds it alone, else its model."""
    folder = os.path.relpath(common_folder(members, root), root)
    return as_name_part(folder.replace(os.sep, "-")) if folder != os.curdir else as_name_part(model) or "runs"


def location_labels(members: Sequence[Candidate]) -> dict[str, str]:
    """Return a label for each location: as many parts of its path, from the first that differs, as tell all apart.

    What no part tells apart is numbered, the oldest first.
    """
    parts = {one.location: path_parts(one) for one in members}
    same = shared_path_parts(list(parts.values()))
    longest = max(map(len, parts.values()), default=1)
    labels: dict[str, str] = {}
    for depth in range(1, 1 + longest):
        labels = {place: as_name_part("-".join(names[same : same + depth])) or "run" for place, names in parts.items()}
        if len(set(labels.values())) == len(labels):
            return labels
    counts = Counter(labels.values())
    numbers: Counter[str] = Counter()
    for place, label in labels.items():
        if counts[label] > 1:
            numbers[label] += 1
            labels[place] = f"{label}-{numbers[label]}"
    return (
        labels if len(set(labels.values())) == len(labels) else {place: f"run-{n}" for n, place in enumerate(parts, 1)}
    )


def path_parts(one: Candidate) -> list[str]:
    """Return the parts of a run's path by which a person would name it.

    Not among them: the folder that the harness named after the model, or made up for one without a name; of a
    results file its ending and the fractions of its second.
    """
    *folders, last = one.location.split(os.sep)
    is_file = last.endswith(".json")
    named = folders if is_file else [*folders, last]
    nameless = not any(one.run.recorded(key) for key in MODEL_NAMES)
    model = letters_and_digits(one.run.model or "")
    kept = [part for part in named if part and letters_and_digits(part) != model]
    if nameless and kept and RANDOM_NAME.fullmatch(kept[-1]):
        kept.pop()
    if is_file:
        kept.append(re.sub(r"^results_?|(?:\.\d+)?\.json$", "", last))
    return [part for part in kept if part] or named


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a name."""
    return re.sub(r"[^a-z0-9]+", "", text.casefold())


def shared_path_parts(paths: Sequence[Sequence[str]]) -> int:
    """Return how many parts all paths begin with alike, leaving each at least its last."""
    shortest = min(map(len, paths), default=1) - 1
    return next((n for n in range(shortest) if len({path[n] for path in paths}) > 1), max(shortest, 0))


def as_name_part(text: str) -> str:
    """Return a text as it may stand in a name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:60]
