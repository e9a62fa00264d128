"""Starting must not cost anything. Processor time is judged, which a busy machine does not change."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import pytest


def _output(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def seconds(code: str) -> float:
    """The least processor time of three fresh processes, with bytecode at hand as it is once a package is installed."""
    command = [sys.executable, "-c", f"{code}\nimport time; print('seconds', time.process_time())"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = folder
        _output(command, environment)  # writes the bytecode
        runs = [_output(command, environment) for _ in range(3)]
    return min(float(run.rsplit(" ", 1)[1]) for run in runs)


def test_import_within_six_tenths_of_a_second():
    assert seconds("import celosia") < 0.6


def test_every_public_name_within_a_second():
    """Names load when they are first used; all of them together must not take long either."""
    assert seconds("from celosia import *") < 1.0


def test_help_within_a_second():
    code = "import sys; sys.argv = ['celosia', '--help']\nfrom celosia.cli import app\napp(standalone_mode=False)"
    assert seconds(code) < 1.0


@pytest.mark.parametrize("module", ["pandas", "pyarrow", "matplotlib", "pydantic"])
def test_heavy_libraries_stay_out(module):
    code = f"import sys; from celosia import *; sys.exit('{module}' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
