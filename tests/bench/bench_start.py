"""Start-up and the main job against the cost of starting Python: CPU ratios, measured side by side in one run.

Usage: python tests/bench/bench_start.py [ROUNDS]
The yardstick is a bare start of the same environment. An editable install makes that start dearer (its finder is
imported too), so the ratios of an installed wheel are higher than those of this checkout: quote which one was measured.
Each round runs every command once, so that a slow moment of the machine touches all of them; medians are compared.
"""

import compileall
import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))
from make_log import write_run

GOALS = {"diptych --help": 4.5, "compare to an artifact": 6.0, "compare to a page": 10.0}


def cpu_of(command: list[str]) -> float:
    """Return the CPU seconds, user and system, of one finished process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 5):
        raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    # an installed package is compiled when it is installed; a checkout is not, where Python may write no bytecode
    for package in ("diptych", "diptych.templates"):
        folder = os.path.dirname(str(importlib.util.find_spec(package).origin))  # type: ignore[union-attr]
        compileall.compile_dir(folder, quiet=1)
    diptych = os.path.join(os.path.dirname(sys.executable), "diptych")
    with tempfile.TemporaryDirectory() as folder:
        a, b = (write_run(Path(folder) / name, megabytes=1, run=run) for run, name in enumerate("ab"))
        commands = {
            "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
            "diptych --help": [diptych, "--help"],
            "compare to an artifact": [diptych, "compare", str(a), str(b), "--json"],
            "compare to a page": [diptych, "compare", str(a), str(b), "--html"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(cpu_of(command))
    base = median(times["python -I -c pass"])
    print(f"{'command':26}{'CPU ms':>9}{'ratio':>8}{'goal':>8}")
    for name, values in times.items():
        goal = GOALS.get(name)
        print(f"{name:26}{median(values) * 1000:9.1f}{median(values) / base:8.2f}{goal if goal else '':>8}")


if __name__ == "__main__":
    main()
