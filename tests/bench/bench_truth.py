"""Measure how often the first sentence is right, on situations whose cause is known because they were made from it.

    python tests/bench/bench_truth.py [--number 2000] [--seed 1] [--held-out | --all] [--only WORD] [--show N]
        [--keep DIR]
    python tests/bench/bench_truth.py --pairs

Each situation is a real or written run and a copy of it that one, two or three mechanisms changed, with recorded
differences beside them that cannot have acted. A row a mechanism (the first of its situations): how many, all right,
the cause right; how many are truly *one of*, and in how many of them just these are named together; the kind right,
proven falsely, proofs missed, false clauses, contradictions of the rules that any artifact keeps.
`--held-out` takes the mechanisms that are kept aside while rules are written, `--all` these and the others; `--pairs`
holds the sample runs against the rules. Exit 1 where a goal is missed.
"""

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent))
from truth.judge import judge
from truth.mechanism import Mechanism
from truth.sides import write
from truth.situations import Situation, open_mechanisms, situation
from truth.table import Result, common_faults, share_right, table

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.rules.rules import breaches, mirror_breaches

GOAL = 0.97

Pool = Literal["open", "held out", "all"]
"""The mechanisms that rules are written by, those that the final measurement alone reads, or both."""


def pool_of(pool: Pool) -> list[Mechanism]:
    """Return the mechanisms to draw from; those kept aside are read only where they are asked for."""
    if pool == "open":
        return open_mechanisms()
    from truth.held_habits import HELD_HABITS
    from truth.held_out import HELD_OUT
    from truth.held_reports import HELD_REPORTS

    held = [*HELD_OUT, *HELD_HABITS, *HELD_REPORTS]
    return held if pool == "held out" else [*open_mechanisms(), *held]


def compared(made: Situation, folder: Path) -> tuple[Comparison, Comparison]:
    """Write a situation's files and return its comparison and that of its sides swapped."""
    a, b = (read_run(str(write(side, folder / name, name))) for name, side in (("a", made.a), ("b", made.b)))
    return compare_runs(a, b), compare_runs(b, a)


def judged(number: int, seed: int, among: Pool, only: str = "", keep: str = "") -> Result | None:
    """Make one situation, compare it and judge the verdict; None where it is not of the mechanism that is asked for."""
    pool = pool_of(among)
    if only:
        pool = [mechanism for mechanism in pool if only in mechanism.name]
    made = situation(number, seed, pool)
    with tempfile.TemporaryDirectory() as folder:
        there, back = compared(made, Path(folder))
    result = Result(
        label=made.label,
        mechanisms=made.mechanisms,
        logged=made.logged,
        decidable=made.truth.decidable,
        sentence=there.verdict.sentence,
        judgement=judge(there, made.truth),
        contradictions=tuple(contradictions(there, back)),
    )
    if keep and not result.right:
        compared(made, Path(keep) / str(number))
        note = "\n".join((result.label, result.sentence, *result.judgement.faults, *result.contradictions))
        (Path(keep) / str(number) / "note.txt").write_text(note + "\n", encoding="utf-8")
    return result


def contradictions(there: Comparison, back: Comparison) -> list[str]:
    """Return where an artifact breaks a rule, where that of its sides swapped does, and where the two are no mirror."""
    found = (*breaches(there), *breaches(back), *mirror_breaches(there, back))
    return [f"rule {breach.number}: {breach.detail}" for breach in found]


def sample_pairs() -> list[tuple[Path, Path]]:
    """Return every two of the project's sample runs that share a task."""
    root = Path(__file__).parents[2]
    found = sorted(
        {path.parent for runs in ("site/runs", "tests/runs") for path in (root / runs).rglob("results*.json")}
    )
    tasks = {folder: set(read_run(str(folder)).task_settings) for folder in found}
    return [(one, other) for one, other in combinations(found, 2) if tasks[one] & tasks[other]]


def held(pair: tuple[Path, Path]) -> list[str]:
    """Return where the comparison of two sample runs breaks a rule, both ways round."""
    a, b = (read_run(str(folder)) for folder in pair)
    name = f"{pair[0].parent.name} and {pair[1].parent.name}"
    return [f"{name}: {text}" for text in contradictions(compare_runs(a, b), compare_runs(b, a))]


def hold_samples(workers: ProcessPoolExecutor) -> int:
    """Print where any two sample runs break a rule; return in how many pairs."""
    pairs = sample_pairs()
    found = [broken for broken in workers.map(held, pairs, chunksize=8) if broken]
    print("\n".join(text for broken in found for text in broken))
    print(f"contradictions in {len(found)} of {len(pairs)} pairs of sample runs, both ways round")
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    among = parser.add_mutually_exclusive_group()
    among.add_argument("--held-out", dest="among", action="store_const", const="held out", default="open")
    among.add_argument("--all", dest="among", action="store_const", const="all")
    parser.add_argument("--only", default="", help="mechanisms whose name holds this")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong situations")
    parser.add_argument("--keep", default="", help="write the files of wrong situations into this folder")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--pairs", action="store_true", help="hold the sample runs against the rules, and nothing else")
    given = parser.parse_args()
    if given.pairs:
        with ProcessPoolExecutor(given.workers) as workers:
            sys.exit(1 if hold_samples(workers) else 0)
    work = partial(judged, seed=given.seed, among=given.among, only=given.only, keep=given.keep)
    start = time.perf_counter()
    with ProcessPoolExecutor(given.workers) as workers:
        found = [each for each in workers.map(work, range(given.number), chunksize=8) if each is not None]
    print(table(found))
    wrong = [result for result in found if not result.right]
    print("\ncommonest faults")
    print("\n".join(common_faults(found)) or "    none")
    for result in wrong[: given.show]:
        print(f"\n{result.label}\n  {result.sentence}")
        print("\n".join(f"  - {fault}" for fault in (*result.judgement.faults, *result.contradictions)))
    false = sum(result.judgement.false_proof for result in found)
    contra = sum(bool(result.contradictions) for result in found)
    share = share_right(found)
    print(
        f"\nright at first {share:.1%} of {len(found)} (goal {GOAL:.0%}), proven falsely {false} (goal 0), "
        f"contradictions in {contra} (goal 0); {time.perf_counter() - start:.0f} s"
    )
    sys.exit(0 if share >= GOAL and not false and not contra else 1)


if __name__ == "__main__":
    main()
