"""The wheel holds every template and module, and works where nothing else is installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_wheel_holds_every_module_template_and_static_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    held = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    modules = {str(path.relative_to(ROOT / "generator")) for path in (ROOT / "generator").rglob("*.py")}
    templates = {
        f"diptych/templates/{path.relative_to(ROOT / 'templates')}"
        for path in (ROOT / "templates").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert modules | templates | {"diptych/py.typed"} <= held
