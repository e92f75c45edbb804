"""A first manifest from the runs in a tree, with a comment beside each option."""

import json
import os
import re
from collections.abc import Mapping, Sequence

from diptych.batch.groups import Candidate, Group, as_name_part, comparable_groups
from diptych.diagnose.compare_repeats import seeds_of_repeats
from diptych.diagnose.settings.differences import setting_differences
from diptych.errors import ManifestError
from diptych.numbers import counted
from diptych.shell import shell_line
from diptych.value_text import TEMPLATES, setting

HEAD = """\
# A first manifest: edit it as you like, then
#     diptych batch {name}    makes one artifact an entry
#     diptych build {name}    makes the archive of them
# All paths are relative to this file.

title = "Evaluation runs, side by side"  # heads the archive's first page
artifacts = "artifacts"                  # the folder that `diptych batch` writes to
build = "build"                          # the folder that `diptych build` writes the archive to
# description = ""                       # a sentence below the title
# pages = "pages"                        # a folder of Markdown files: the archive's own manual pages
# base_url = "https://example.org/runs"  # where the archive is published: for the feed and the site map
# margin = 0.01                          # a difference within ±1 pp counts as equivalent

# What each comparison takes, unless it says otherwise:
# [defaults]
# samples = 3                            # items a task whose prompts and responses the artifact keeps whole
# fail_on = ["regression"]               # exit code 3 for: regression, difference, flip, missing, any
# primary = {{ gsm8k = "exact_match,strict-match" }}  # the metric that a task is judged by

# What may go out (manual: gates):
# [gate.critical]
# tasks = ["gsm8k"]                      # may not fall by more than
# margin = 0.02                          # 2 pp
"""

MOST_CHANGES = 3
"""Settings that the comment of a comparison names."""

SHORT = 30
"""Characters of a value that a comment shows."""


def draft_manifest(
    candidates: Sequence[Candidate], left_out: Mapping[str, str], root: str, folder: str, name: str = "diptych.toml"
) -> tuple[str, str]:
    """Return the TOML text of a manifest that lies in `folder` for the runs below `root`, and a line that counts it.

    `left_out` says by location why a run is in no entry. No two runs that can be compared are a `ManifestError`.
    """
    gone = dict(left_out)
    kept = without_double_runs(candidates, gone)
    groups = comparable_groups(kept, root)
    if not groups:
        raise ManifestError(
            "no two runs of one model here share a task",
            where=root,
            hint="name a folder that holds at least two such runs, or compare two with `diptych compare A B`",
        )
    names: set[str] = set()
    parts = [HEAD.format(name=shell_line(["".join(sign if sign.isprintable() else "?" for sign in name)]))]
    for group in groups:
        parts += group_text(group, folder, names, group.name if len(groups) > 1 else "")
    placed = {
        one.location for group in groups for one in (*group.runs, *(run for same in group.repeats for run in same))
    }
    for one in kept:
        if one.location not in placed:
            gone[one.location] = f"the only run of {one.model or 'its model'} with these tasks"
    if gone:
        rows = sorted(
            f"#   {comment_line(f'{relative_location(location, folder)}: {why}')}" for location, why in gone.items()
        )
        parts.append("\n".join(["# Left out:", *rows]) + "\n")
    comparisons = sum(len(group.runs) - 1 for group in groups)
    repeats = sum(len(group.repeats) for group in groups)
    told = f"{counted(len(groups), 'group')} of runs, {counted(comparisons, 'comparison')}"
    told += f", {counted(repeats, 'set')} of repeats" if repeats else ""
    return "\n".join(parts), told + (f"; {counted(len(gone), 'run')} left out" if gone else "")


def without_double_runs(candidates: Sequence[Candidate], gone: dict[str, str]) -> list[Candidate]:
    """Return the runs without copies of another one's results file and without those that have no score."""
    kept: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda one: one.order):
        digest = one.run.inputs[0].sha256
        if not one.tasks:
            gone[one.location] = "holds no score"
        elif digest in kept:
            gone[one.location] = f"a copy of {os.path.basename(kept[digest].location)}"
        else:
            kept[digest] = one
    return list(kept.values())


def group_text(group: Group, folder: str, names: set[str], prefix: str) -> list[str]:
    """Return the entries of one group: its repeats, then each run against the baseline."""
    baseline, *others = group.runs
    models = dict.fromkeys(comment_line(one.run.model or one.model) or "a model without a name" for one in group.runs)
    against = f"; the baseline is {group.labels[baseline.location]}" if others else ""
    parts = [f"# {group.name}: runs of {comma_list(list(models), 3)}{against}.\n"]
    parts += [repeats_text(same, group, folder, names, prefix) for same in group.repeats]
    for other in others:
        label, base = group.labels[other.location], group.labels[baseline.location]
        lines = [
            "[[comparisons]]",
            f"name = {json.dumps(free_name(prefixed_name(prefix, f'{label}-vs-{base}'), names))}",
            f"a = {toml_run(base, baseline.location, folder)}",
            f"b = {toml_run(label, other.location, folder)}",
            f"# differs in {comma_list(changed_settings(baseline, other), MOST_CHANGES) or 'nothing that both record'}",
        ]
        parts.append("\n".join(lines) + "\n")
    return parts


def repeats_text(same: Sequence[Candidate], group: Group, folder: str, names: set[str], prefix: str) -> str:
    """Return an entry of repeats: what one configuration differs by from itself."""
    labels = [group.labels[one.location] for one in same]
    name = free_name(prefixed_name(prefix, f"{as_name_part(shared_head(labels)) or labels[0]}-repeats"), names)
    runs = [f"    {toml_run(label, one.location, folder)}," for label, one in zip(labels, same, strict=True)]
    head = "[[repeats]]  # one configuration run again: its noise floor goes into every comparison of it"
    return "\n".join([head, f"name = {json.dumps(name)}", "runs = [", *runs, "]", ""])


def shared_head(labels: Sequence[str]) -> str:
    """Return what labels begin with alike, without a word that only numbers follow ("-seed")."""
    first, last = min(labels), max(labels)
    size = next((n for n in range(min(len(first), len(last))) if first[n] != last[n]), min(len(first), len(last)))
    return re.sub(r"[-_.]?(?:seed|repeat|rep|rerun|run|trial|try|attempt)[-_.]?\d*$", "", first[:size])


def changed_settings(baseline: Candidate, other: Candidate) -> list[str]:
    """Return which settings differ from the baseline's, the likeliest cause first."""
    rows = [row for row in setting_differences(baseline.run, other.run) if row.a_recorded and row.b_recorded]
    found = [(row.key, row.a, row.b) for row in rows] + context_changes(baseline, other)
    if not any(row.key == "limit" for row in rows):
        found += item_changes(baseline, other)
    seeds = seeds_of_repeats(baseline.run)
    return [changed_setting(*row) for row in found if row[0] not in seeds] or [changed_setting(*row) for row in found]


def changed_setting(key: str, a: object, b: object) -> str:
    """Return a setting with both values, or alone where one is long."""
    texts = ["on" if key in TEMPLATES and each else comment_line(setting(key, each)) for each in (a, b)]
    told = texts[0] != texts[1] and max(map(len, texts)) <= SHORT
    return f"{comment_line(key)} ({' → '.join(texts)})" if told else comment_line(key)


def context_changes(baseline: Candidate, other: Candidate) -> list[tuple[str, object, object]]:
    """Return what was written down beside the runs and differs."""
    one, two = baseline.run.context or {}, other.run.context or {}
    return [(key, one[key], two[key]) for key in one if key in two and one[key] != two[key]]


def item_changes(baseline: Candidate, other: Candidate) -> list[tuple[str, object, object]]:
    """Return the tasks that were scored over other numbers of items."""
    one, two = baseline.run.items, other.run.items
    return [(f"items of {task}", one[task], two[task]) for task in one if task in two and one[task] != two[task]]


def comment_line(text: str) -> str:
    """Return a text as a comment may hold it: on one line, without characters that act."""
    return "".join(char if char.isprintable() else " " for char in " ".join(text.split()))


def comma_list(texts: Sequence[str], most: int) -> str:
    """Return texts joined, at most so many, the rest counted."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def prefixed_name(prefix: str, name: str) -> str:
    """Return a name under its group's."""
    return f"{prefix}-{name}" if prefix else name


def free_name(wanted: str, taken: set[str]) -> str:
    """Return a name that no other entry has."""
    name, number = wanted[:90], 2
    while name.lower() in taken:
        name, number = f"{wanted[:90]}-{number}", number + 1
    taken.add(name.lower())
    return name


def relative_location(location: str, folder: str) -> str:
    """Return a location as seen from the manifest."""
    return os.path.relpath(location, folder)


def toml_run(label: str, location: str, folder: str) -> str:
    """Return `label=path` as a TOML string, the path relative to the manifest's folder."""
    return json.dumps(f"{label}={relative_location(location, folder)}", ensure_ascii=False).replace("\x7f", "\\u007f")
