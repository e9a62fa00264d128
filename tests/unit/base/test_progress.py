"""Watching work: progress, failure, and Ctrl-C, which ends an improving search well and everything else at once."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.base.progress import EndedError, Ending, Quiet, aside, is_time, watch


class Pulse:
    """A kernel's pulse without the kernel."""

    def __init__(self, loss: float = -1.0) -> None:
        self.done, self.total, self.loss = 1, 4, loss
        self.stopped = threading.Event()

    def stop(self) -> None:
        self.stopped.set()


class Heard:
    def __init__(self) -> None:
        self.stages: list[str] = []
        self.shares: list[float] = []
        self.losses: list[float] = []

    def stage(self, name: str) -> None:
        self.stages.append(name)

    def advance(self, share: float) -> None:
        self.shares.append(share)

    def found(self, loss: float) -> None:
        self.losses.append(loss)


def interrupt_after(*delays: float) -> None:
    for delay in delays:
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_progress_and_loss_are_heard_to_the_end():
    heard = Heard()
    assert watch(Pulse(loss=0.25), heard, lambda: 42) == 42
    assert heard.shares[-1] == 0.25
    assert heard.losses[-1] == 0.25
    unknown = Heard()
    pulse = Pulse()
    pulse.total = 0
    watch(pulse, unknown, lambda: None)
    assert (unknown.shares, unknown.losses) == ([], [])


def test_work_is_stopped_when_its_time_is_up():
    pulse = Pulse()
    with pytest.raises(EndedError):
        watch(pulse, Quiet(), lambda: pulse.stopped.wait(20), keeps_best=True, until=Ending(0.1))
    assert pulse.stopped.is_set()
    pulse = Pulse()
    assert watch(pulse, Quiet(), lambda: 42, until=Ending(20)) == 42
    assert not pulse.stopped.is_set()


def test_what_is_a_time():
    assert all(is_time(seconds) for seconds in (1, 0.5, np.int64(1), np.float32(0.5), Fraction(1, 10)))
    wrong = (0, -1, True, np.bool_(True), "1", None, math.nan, math.inf, np.float64("nan"), 10**400)
    assert not any(is_time(seconds) for seconds in wrong)


def test_what_the_work_raises_is_raised():
    def work() -> None:
        raise ValueError("seven")

    with pytest.raises(ValueError, match="seven"):
        watch(Pulse(), Quiet(), work, keeps_best=True)


@pytest.mark.parametrize("presses", [(0.2,), (0.2, 0.35)], ids=["once", "twice"])
@pytest.mark.parametrize("keeps_best", [True, False])
def test_an_interruption_waits_until_the_kernel_has_ended(presses, keeps_best):
    pulse, ended = Pulse(), threading.Event()

    def work() -> str:
        assert pulse.stopped.wait(10)
        time.sleep(0.3)  # a kernel looks up only now and then
        ended.set()
        return "best"

    interrupt_after(*presses)
    if keeps_best:
        assert watch(pulse, Quiet(), work, keeps_best=True) == "best"
    else:
        with pytest.raises(KeyboardInterrupt):
            watch(pulse, Quiet(), work)
    assert ended.is_set()


def test_a_kernel_that_fails_when_it_is_stopped_keeps_nothing():
    pulse = Pulse()

    def work() -> None:
        assert pulse.stopped.wait(10)
        raise ValueError

    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        watch(pulse, Quiet(), work, keeps_best=True)


def test_only_ctrl_c_ends_a_search_well():
    class Broken(Quiet):
        def found(self, loss: float) -> None:
            raise SystemExit(143)

    pulse = Pulse(loss=0.5)
    with pytest.raises(SystemExit):
        watch(pulse, Broken(), lambda: pulse.stopped.wait(10), keeps_best=True)
    assert pulse.stopped.is_set()


def noise(n_rows: int, n_columns: int) -> cl.Table:
    generator = np.random.default_rng(3)
    frame = pl.DataFrame({f"x{column}": generator.random(n_rows) for column in range(n_columns)})
    return cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))


class InterruptAt(Heard):
    """Presses Ctrl-C a moment after a stage has begun, or once a loss was found."""

    def __init__(self, at: str) -> None:
        super().__init__()
        self.at = at

    def stage(self, name: str) -> None:
        super().stage(name)
        if name == self.at:
            interrupt_after(0.3)

    def found(self, loss: float) -> None:
        super().found(loss)
        if self.at == "found" and len(self.losses) == 1:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("at", ["improve", "found"])
def test_ctrl_c_while_improving_gives_the_best_so_far(at):
    heard = InterruptAt(at)
    table = noise(2000, 4)
    started = time.perf_counter()
    release = cl.Plan(models=[cl.KAnonymity(4)], algorithm=cl.Weave(time_limit=120)).run(table, heard)
    assert time.perf_counter() - started < 30
    assert heard.stages == ["search", "improve", "recode", "audit"]
    assert release.was_stopped
    assert release.k >= 4
    assert [finding.code for finding in release.findings] == ["TIGHT_RANGES", "SEARCH_STOPPED"]
    assert release.findings[0].severity == "note"
    assert release.history[-1][1] == pytest.approx(release.loss.gcp, abs=1e-6)
    assert heard.losses == sorted(heard.losses, reverse=True)


def test_ctrl_c_in_the_first_stage_ends_the_run():
    heard = InterruptAt("search")
    with pytest.raises(KeyboardInterrupt):
        cl.Plan(models=[cl.KAnonymity(5)]).run(noise(60_000, 12), heard)
    assert heard.stages == ["search"]


@pytest.mark.parametrize("at", ["recode", "audit"])
def test_ctrl_c_after_the_search_ends_the_run(at):
    class Pressed(Heard):
        def stage(self, name: str) -> None:
            super().stage(name)
            if name == at:
                signal.raise_signal(signal.SIGINT)

    heard = Pressed()
    with pytest.raises(KeyboardInterrupt):
        cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(passes=1)).run(noise(100, 2), heard)
    assert heard.stages[-1] == at


@pytest.mark.parametrize("algorithm", [cl.Weave(passes=2), cl.Weave(effort="fast"), cl.Weave(passes=0), cl.Mondrian()])
def test_a_search_that_ended_by_itself_was_not_stopped(algorithm):
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm, seed=1).run(noise(200, 3))
    assert not release.was_stopped
    assert "SEARCH_STOPPED" not in [finding.code for finding in release.findings]


def test_the_history_holds_start_falls_and_end():
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Weave(passes=200), seed=1).run(noise(60, 3))
    seconds, losses = zip(*release.history, strict=True)
    assert list(seconds) == sorted(seconds)
    assert all(later < earlier for earlier, later in pairwise(losses[:-1]))
    assert losses[-1] <= losses[-2]
    assert len(losses) < 150  # most passes find nothing better in so small a table


class Endless:
    """A kernel that cannot tell how much it has to do, and runs until it is stopped."""

    done, total, loss = 0, 0, -1.0

    def __init__(self):
        self.stopped = threading.Event()

    def stop(self):
        self.stopped.set()


def test_work_without_a_total_ends_when_it_is_told_to():
    kernel, ending = Endless(), Ending(within=Ending(0.2))
    with pytest.raises(EndedError):
        watch(kernel, ending, kernel.stopped.wait, keeps_best=True)
    assert kernel.stopped.is_set()


def test_an_ending_within_another_does_not_end_that_one():
    whole = Ending()
    part = Ending(within=whole)
    part.end()
    assert part.is_over
    assert not whole.is_over
    whole.end()
    assert Ending(within=whole).is_over
    with pytest.raises(EndedError):
        whole.stage("search")


def test_work_aside_ends_with_an_interruption(monkeypatch):
    kernel, ending = Endless(), Ending()

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("celosia.base.progress.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        aside(lambda: watch(kernel, ending, kernel.stopped.wait), ending)
    assert kernel.stopped.is_set()


def test_work_aside_returns_or_raises_what_it_does():
    assert aside(lambda: 5, Ending()) == 5
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0, Ending())
