"""Kernels on a system that gives no more threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import celosia as cl

LIMITED = """
import os, resource, sys
# Stacks larger than all the memory that a process may have: no thread gets one.
resource.setrlimit(resource.RLIMIT_STACK, (2**42, resource.RLIM_INFINITY))
resource.setrlimit(resource.RLIMIT_AS, (2**37, 2**37))
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
"""

SEARCHES = """
import threading
import numpy as np
import polars as pl
import celosia as cl
from celosia import kernels
from celosia.search.base import Problem
from celosia.search.whole_columns import WholeColumns
from celosia.base.progress import Quiet
from celosia.base.chance import Randomness

try:
    threading.Thread(target=print).start()
except RuntimeError:
    print("no threads")
draw = np.random.default_rng(1)
frame = pl.DataFrame({name: draw.integers(0, 9, 60) for name in "abc"})
table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys("abc", "number")))
problem = Problem.of(table, [cl.KAnonymity(3)], Randomness(1), Quiet(), n_spare=5)
columns = WholeColumns(problem, "gcp")
recoder, tops = columns.recoder, [ladder.n_levels - 1 for ladder in columns.ladders]
order = np.arange(60, dtype=np.int32)
seed = [np.full(ladder.n_codes, top, dtype=np.int32) for ladder, top in zip(columns.ladders, tops)]

def found(threads):
    bred = recoder.breed(True, [None] * 3, [seed], 20, 30, False, 0.0, 7, None, None, threads)
    return (
        recoder.optimum([0] * 3, tops, 0.0, 1, None, None, threads)[:4],
        [places.tolist() for places in bred[0]],
        kernels.mondrian(problem.columns, problem.demands, True, threads=threads).tolist(),
        kernels.l_greedy(problem.columns, problem.demands, order, threads=threads).tolist(),
    )

assert found(4) == found(1)
print("the same")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="stacks are limited as Linux does it")
def test_searches_work_alone_where_no_more_threads_can_be_started() -> None:
    import resource

    if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
        pytest.skip("stacks may not be made larger here")
    paths = [str(Path(cl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    known = {"PYTHONPATH": os.pathsep.join(path for path in paths if path), "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, SEARCHES], env=os.environ | known, capture_output=True, text=True
    )
    assert ended.stdout.split("\n") == ["no threads", "the same", ""], ended.stderr
