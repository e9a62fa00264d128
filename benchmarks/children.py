"""Every measurement in a fresh process: neither memory nor warm caches pass from one to the next."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["BUILD", "ROOT", "SHARED", "answer", "run_child"]

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
SHARED = ROOT.parent / "shared" / "data"
"""Where data lie that are no part of the project; every benchmark can do without."""


def run_child(
    module: str,
    job: dict[str, Any],
    limit: float,
    python: Sequence[str] = (sys.executable,),
    environment: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Run ``python -m benchmarks.<module>`` on a job and return its result, or ``{"error": why}``."""
    with TemporaryDirectory() as folder:
        question, result = Path(folder) / "job.json", Path(folder) / "result.json"
        question.write_text(json.dumps(job))
        command = [*python, "-m", f"benchmarks.{module}", str(question), str(result)]
        try:
            ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return {"error": f"stopped after {limit:g} s"}
        if ended.returncode != 0:
            lines = ended.stderr.strip().splitlines()
            return {"error": lines[-1] if lines else f"ended with code {ended.returncode}"}
        found: dict[str, Any] = json.loads(result.read_text())
        return found


def answer(work: Any) -> None:
    """Be the child: read the job that the command line names, write what ``work(job)`` returns."""
    question, result = map(Path, sys.argv[1:])
    result.write_text(json.dumps(work(json.loads(question.read_text())), allow_nan=False))
