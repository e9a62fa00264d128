"""Progress and interruption."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from unit.kernels.kernel_demands import k_rows

from celosia import kernels

Kernel = Callable[[kernels.Columns, kernels.Pulse], object]
N_ROWS = 400_000
N_OTHERS = 1000


def grow(columns: kernels.Columns, pulse: kernels.Pulse) -> object:
    return kernels.l_greedy(columns, k_rows(columns.n_rows, 10), np.arange(columns.n_rows, dtype=np.int32), pulse)


def leave_over(columns: kernels.Columns, pulse: kernels.Pulse) -> object:
    """Nearly all rows are about one person: there is a class for each of the others, and most rows are left over."""
    people = np.maximum(np.arange(columns.n_rows, dtype=np.int32) - (columns.n_rows - N_OTHERS), 0)
    return kernels.k_members(columns, 2, 0, people, np.ones(3), pulse)


LONG_RUNS: dict[str, Kernel] = {
    "k_members": lambda columns, pulse: kernels.k_members(columns, 10, 0, None, np.ones(3), pulse),
    "l_greedy": grow,
    "left-overs": leave_over,
}
# How far a run must have come before it is stopped.
STARTED = {"k_members": 0, "l_greedy": 0, "left-overs": 2 * N_OTHERS}


def columns_of(n_rows: int) -> kernels.Columns:
    random = np.random.default_rng(4)
    columns = kernels.Columns(n_rows)
    for _ in range(3):
        columns.add_line(random.integers(0, 2**28, n_rows).astype(np.int32), 2**28)
    return columns


@pytest.mark.parametrize("name", LONG_RUNS)
def test_stop_ends_a_long_run_and_progress_never_falls(name: str) -> None:
    columns, pulse = columns_of(N_ROWS), kernels.Pulse()
    outcome: list[BaseException | None] = []

    def work() -> None:
        try:
            LONG_RUNS[name](columns, pulse)
            outcome.append(None)
        except kernels.Interrupted as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    seen: list[int] = []
    while sum(done > STARTED[name] for done in seen) < 5 and thread.is_alive():
        seen.append(pulse.done)
        time.sleep(0.005)
    asked = time.perf_counter()
    pulse.stop()
    thread.join()
    assert time.perf_counter() - asked < 0.5
    assert isinstance(outcome[0], kernels.Interrupted)
    assert seen == sorted(seen)
    assert STARTED[name] < pulse.done < pulse.total == N_ROWS


def run_again_and_again(columns: kernels.Columns, pulse: kernels.Pulse) -> None:
    demands = k_rows(columns.n_rows, 2)
    for _ in range(1000):
        kernels.mondrian(columns, demands, True, pulse)


def test_mondrian_stops_too() -> None:
    columns, pulse = columns_of(N_ROWS), kernels.Pulse()
    threading.Timer(0.02, pulse.stop).start()
    with pytest.raises(kernels.Interrupted):
        run_again_and_again(columns, pulse)
    assert pulse.done < N_ROWS


@pytest.mark.parametrize("name", ["k_members", "l_greedy", "mondrian"])
def test_a_finished_run_has_done_everything(name: str) -> None:
    columns, pulse = columns_of(1000), kernels.Pulse()
    assert (pulse.done, pulse.total, pulse.stopped) == (0, 0, False)
    runs: dict[str, Kernel] = {
        **LONG_RUNS,
        "mondrian": lambda columns, pulse: kernels.mondrian(columns, k_rows(1000, 7), True, pulse),
    }
    runs[name](columns, pulse)
    assert (pulse.done, pulse.total) == (1000, 1000)


def test_a_stopped_pulse_lets_nothing_start() -> None:
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.mondrian(columns_of(100), k_rows(100, 2), True, pulse)
