"""Install the wheel of a folder into a bare environment and do the main job with it.

Usage: python tests/try_wheel.py DIST
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = ROOT / "site" / "runs"


def run(*command: object, cwd: Path) -> str:
    """Return what a command prints; a failure shows all of it."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main() -> None:
    wheel = next(Path(sys.argv[1]).resolve().glob("*.whl"))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "env", with_pip=True)
        python = place / "env" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=place)
        a, b = RUNS / "smol-3shot", RUNS / "smol-3shot-q4_0"
        report = run(place / "env" / "bin" / "diptych", "compare", a, b, "--out", "ab.json", cwd=place)
        page = run(python, "-m", "diptych", "compare", a, b, "--html", cwd=place)
        run(python, "-m", "diptych", "build", "ab.json", "--out", "archive", cwd=place)
        if "dip_arith" not in report or "<!doctype html>" not in page.lower():
            raise SystemExit("the wheel does not do the main job")
        if not (place / "archive" / "index.html").is_file():
            raise SystemExit("the wheel builds no archive")
    print(f"{wheel.name} works in a bare environment")


if __name__ == "__main__":
    main()
