"""Ctrl-C in a real terminal: an improving search ends with its best classes, everything else with nothing."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

from celosia import audit

pty = pytest.importorskip("pty")

PLAN = """\
input: noise.csv
schema:
  quasi_identifiers: {{{columns}}}
models:
  - k_anonymity: {{k: 4}}
algorithm: {{weave: {{time_limit: 120}}}}
output: {{path: release, format: csv}}
"""


def make_job(folder, n_rows, n_columns):
    generator = np.random.default_rng(5)
    frame = pl.DataFrame({f"x{column}": generator.integers(0, 10_000, n_rows) for column in range(n_columns)})
    frame.write_csv(folder / "noise.csv")
    (folder / "plan.yaml").write_text(PLAN.format(columns=", ".join(f"{name}: number" for name in frame.columns)))


def run_and_press(folder, words):
    """Run the plan in a terminal and press Ctrl-C when it shows some words; give back the code and all it showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "celosia", "run", "plan.yaml"]
    surroundings = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, cwd=folder, env=surroundings, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown, is_pressed, give_up = b"", False, time.monotonic() + 60
    while time.monotonic() < give_up:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
        if not is_pressed and words.encode() in shown:
            process.send_signal(signal.SIGINT)
            is_pressed = True
    process.kill()
    os.close(ours)
    assert is_pressed, shown
    return process.wait(), shown.decode()


def test_ctrl_c_while_improving_writes_the_best_so_far(tmp_path):
    make_job(tmp_path, 6000, 5)
    code, shown = run_and_press(tmp_path, "loss ")
    assert code == 0, shown
    assert "Ctrl-C ends the search with the best classes so far" in shown
    assert "SEARCH_STOPPED" in shown
    assert "Written to release" in shown
    lines = [line for line in shown.replace("\r", "\n").splitlines() if "Improving classes" in line and "loss" in line]
    assert lines
    assert all("…" not in line for line in lines)
    assert audit.verify(tmp_path / "release" / "data.csv", tmp_path / "release" / "claim.json").holds
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noise.csv", "plan.yaml", "release"]


def test_ctrl_c_in_the_first_stage_leaves_nothing(tmp_path):
    make_job(tmp_path, 60_000, 12)
    code, shown = run_and_press(tmp_path, "Searching classes")
    assert code == 130, shown
    assert "Interrupted. Nothing was written." in shown
    assert "terminate" not in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noise.csv", "plan.yaml"]
