"""What a decision costs against reading its input files, and what asking costs beside the server's own time.

Run: python tests/bench/bench_decide.py
Three routes of 2,000 tasks with two judges in two orders; four routes of 10,000 tasks; and 400 calls to a server that
answers at once. Each round is a fresh interpreter: reading alone (json of every file), and load, decide and the text.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

TASKS, ROUNDS, LIMIT = 2_000, 5, 15.0
MANY_TASKS, MANY_LIMIT = 10_000, 5.0
CALLS, CALL_LIMIT = 400, 0.01
ROUTES = ("alpha", "beta", "gamma")
FOUR = (*ROUTES, "delta")
JUDGES = ("judge-one", "judge-two")

READ = """
import json, sys, time
begin = time.process_time()
for name in sys.argv[1:4]:
    json.loads(open(name, "rb").read())
for line in open(sys.argv[4], "rb").read().splitlines():
    json.loads(line)
for line in open(sys.argv[5], "rb").read().splitlines():
    if line.startswith(b"{"):
        json.loads(line)
print(time.process_time() - begin)
"""

DECIDE = """
import sys, time
begin = time.process_time()
from diptych import artifact
from diptych.students.decide.decide import decide, load
routes = [(name.rsplit("-", 1)[1].split(".")[0], name) for name in sys.argv[1:4]]
read = load(routes, judgements=[sys.argv[4]], labbook=sys.argv[5])
decision = decide(read.routes, read.judgements, read.labbook, {name: ("train",) for name, _ in routes})
decided = time.process_time()
text = artifact.dumps(decision)
print(decided - begin, len(decision.judges), time.process_time() - begin)
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        files = [str(path) for path in inputs(Path(folder))]
        read, decided, written = [], [], []
        for _ in range(ROUNDS):
            read.append(float(child(READ, files)[0]))
            took, judges, whole = child(DECIDE, files)
            assert int(judges) == 6
            decided.append(float(took))
            written.append(float(whole))
    best = min(read)
    print(
        f"reading {1000 * best:.0f} ms; load and decide {min(decided) / best:.1f} x, with the artifact's text", end=" "
    )
    print(f"{min(written) / best:.1f} x (limit {LIMIT:.0f} x)")
    many = four_routes()
    each = asking()
    return 0 if min(written) / best < LIMIT and many < MANY_LIMIT and each < CALL_LIMIT else 1


MANY = """
import json, sys, time
begin = time.process_time()
for name in sys.argv[1:]:
    json.loads(open(name, "rb").read())
read = time.process_time() - begin
from diptych.students.decide.decide import decide, load
routes = [(name.rsplit("-", 1)[1].split(".")[0], name) for name in sys.argv[1:]]
begin = time.process_time()
decision = decide(load(routes).routes)
print(read, time.process_time() - begin, len(decision.tasks))
"""


def four_routes() -> float:
    """Print and return what one decision over four routes of 10,000 tasks costs, in times of reading them."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(path) for path in results_files(Path(folder), FOUR, MANY_TASKS)]
        rounds = [child(MANY, files) for _ in range(3)]
    assert all(int(tasks) == MANY_TASKS for _, _, tasks in rounds)
    times = min(float(took) for _, took, _ in rounds) / min(float(read) for read, _, _ in rounds)
    print(f"4 routes of {MANY_TASKS:,} tasks: load and decide {times:.1f} x reading (limit {MANY_LIMIT:.0f} x)")
    return times


def asking() -> float:
    """Print and return the CPU seconds that one call costs, where the server answers at once."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from diptych.students.collect.endpoint import Endpoint
    from diptych.students.collect.own_harness import students_eval
    from endpoint_double import answer, endpoint

    check = [{"type": "contains", "value": "yes"}]
    with tempfile.TemporaryDirectory() as folder, endpoint(lambda body, n: answer("yes")) as server:
        tasks = Path(folder) / "tasks.json"
        tasks.write_text(json.dumps([{"id": f"t{n}", "prompt": "say yes", "checks": check} for n in range(CALLS)]))
        began = time.process_time()  # a busy machine makes the clock's time longer, not the work
        students_eval(tasks, "m", Path(folder) / "out.json", Endpoint(server.url, concurrency=8))
        each = (time.process_time() - began) / CALLS
    print(f"one call, the double's own work with it: {1000 * each:.1f} ms (limit {1000 * CALL_LIMIT:.0f} ms)")
    return each


def child(code: str, files: list[str]) -> list[str]:
    """Return what a fresh interpreter printed."""
    return subprocess.run(
        [sys.executable, "-c", code, *files], capture_output=True, text=True, check=True
    ).stdout.split()


def inputs(folder: Path) -> list[Path]:
    """Write three results files, a file of judgements and a notebook; return their paths."""
    paths = results_files(folder, ROUTES, TASKS)
    chance = random.Random(1)
    paths.append(folder / "judgements.jsonl")
    paths[-1].write_text("".join(verdicts(chance)))
    paths.append(folder / "labbook.md")
    record = {"stage": "train", "run_id": "20260101T000000", "cost": {"seconds": 60.0, "watt_hours": None}}
    paths[-1].write_text("# Notebook\n" + json.dumps(record) + "\n")
    return paths


def results_files(folder: Path, names: Sequence[str], number: int) -> list[Path]:
    """Write a results file of so many tasks for each name; return their paths."""
    chance = random.Random(1)
    words = ["".join(chance.choice("abcdefghijklmnop") for _ in range(n % 7 + 2)) for n in range(500)]
    tasks = [" ".join(chance.choices(words, k=30)) for _ in range(number)]
    paths = []
    for name in names:
        rows = [
            {
                "id": f"task-{n}",
                "prompt": prompt,
                "response": " ".join(chance.choices(words, k=chance.randrange(10, 60))),
                "checks": {"passed": (ok := chance.random() < 0.7), "details": [{"check": "contains", "passed": ok}]},
                "usage": {"prompt_tokens": 40, "completion_tokens": 60},
                "seconds": 1.25,
            }
            for n, prompt in enumerate(tasks)
        ]
        paths.append(folder / f"results-{name}.json")
        paths[-1].write_text(json.dumps({"model": f"local/{name}", "results": rows}, indent=1))
    return paths


def verdicts(chance: random.Random) -> list[str]:
    """Return a line for every task, pair, judge and order."""
    lines = []
    for judge in JUDGES:
        for first, second in (("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma")):
            for n in range(TASKS):
                for shown in (first, second):
                    winner = chance.choice((first, first, second, "tie"))
                    verdict = {"task": f"task-{n}", "student_a": first, "student_b": second, "shown_first": shown}
                    lines.append(json.dumps({**verdict, "winner": winner, "judge": judge, "raw": "FIRST"}) + "\n")
    return lines


if __name__ == "__main__":
    sys.exit(main())
