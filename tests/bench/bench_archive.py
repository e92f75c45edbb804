"""Pages of an archive for a CPU second, how that holds as it grows, and what a build costs that changes nothing.

Run: python tests/bench/bench_archive.py [COMPARISONS]
"""

import importlib.util
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diptych import artifact
from diptych.publish.archive import build
from diptych.publish.archive_sources import Entry
from examples_comparison import comparison, header, metrics
from planned_archive import entry_of

TASKS = 35
"""Tasks of a run: with two filters each a page has 70 rows of scores."""


def made(number: int) -> Entry:
    """Return one artifact of many: a run against the one before it, 70 rows of scores."""
    template = metrics()[0]
    rows = tuple(
        template._replace(task=f"task_{task:02}", filter=filter_, primary=filter_ == "strict-match")
        for task in range(TASKS)
        for filter_ in ("strict-match", "flexible-extract")
    )
    sides = [day(number), day(number + 1)]
    whole = comparison(id=f"{number:012x}", title=f"Run {number + 1} against run {number}", metrics=rows)
    inputs = tuple(
        given._replace(name=f"{side.source}/{side.results_file}", sha256=f"{number + place:064x}")
        for place, (side, given) in enumerate(zip(sides, whole.provenance.inputs, strict=True))
    )
    whole = whole._replace(a=sides[0], b=sides[1], provenance=whole.provenance._replace(inputs=inputs))
    return entry_of(f"{number:05}.json", artifact.dumps(whole))


def day(number: int):  # type: ignore[no-untyped-def]
    """Return the header of the run of one day."""
    date = f"2025-{1 + number // 28 % 12:02}-{1 + number % 28:02}T{number % 24:02}:00:00"
    return header(f"run {number}", date, source=f"runs/{number}", results_file=f"results_{number}.json")


def timed(entries: list[Entry], folder: str) -> tuple[float, int]:
    """Return the CPU seconds of one build and the pages that it wrote."""
    began = time.process_time()
    built = build(entries, folder)
    return time.process_time() - began, built.written


def mkdocs(pages: int) -> float | None:
    """Return the CPU seconds of `mkdocs build` on as many pages of 32 kB, or None where it is not installed."""
    if importlib.util.find_spec("mkdocs") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder, "docs")
        docs.mkdir()
        text = (
            "# Page\n\n| a | b | c |\n|---|---|---|\n" + "| task | 0.1234 | 0.2345 |\n" * 70 + "\n    sample\n" * 1500
        )
        for number in range(pages):
            (docs / f"p{number}.md").write_text(text)
        Path(folder, "mkdocs.yml").write_text("site_name: x\nplugins: []\nnav: [{x: p0.md}]\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q"], cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(count: int) -> None:
    """Build archives of a tenth and of all of `count` comparisons, side by side, and print the ratios."""
    entries = [made(number) for number in range(count)]
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        few, few_files = timed(entries[: count // 10], first)
        many, many_files = timed(entries, second)
        again, _ = timed(entries, second)
        more, more_files = timed([*entries, made(count)], second)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count // 10:>6} comparisons: {few_files:>6} files, {few_files / few:7.0f} a CPU second")
    print(f"{count:>6} comparisons: {many_files:>6} files, {many_files / many:7.0f} a CPU second, peak {peak:.0f} MB")
    print(f"cost of a file, {count} over {count // 10}: {(many / many_files) / (few / few_files):.2f}")
    print(f"nothing changed: {again / many:.3f} of a full build")
    print(f"one more comparison: {more / many:.3f} of a full build, {more_files} files")
    peer = mkdocs(count)
    if peer is None:
        print("mkdocs is not installed: no ratio to it")
    else:
        print(f"mkdocs build of {count} pages of 32 kB: ours makes {peer / many:.1f} x its pages a CPU second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
