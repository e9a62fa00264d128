"""Progress of long work: shown, limited in time, cancelled.

Kernels run in a worker thread without the interpreter's lock and count their work in a ``Pulse``; the main thread
watches that count, hands it to whoever shows it, and stops the kernel on Ctrl-C.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

__all__ = ["Progress", "Pulse", "Quiet", "watch"]

_LOOK_EVERY = 0.05

Result = TypeVar("Result")


class Pulse(Protocol):
    """What a kernel shares with its watcher."""

    @property
    def done(self) -> int:
        """How much of the work is done."""
        ...

    @property
    def total(self) -> int:
        """How much work there is; 0 while unknown."""
        ...

    @property
    def loss(self) -> float:
        """The least loss found so far; negative while there is none."""
        ...

    def stop(self) -> None:
        """Ask the kernel to end at once."""
        ...


class Progress(Protocol):
    """Whoever shows progress: a bar in the terminal, a web page, nobody."""

    def stage(self, name: str) -> None:
        """Hear that a new stage of the work begins."""
        ...

    def advance(self, share: float) -> None:
        """Hear which share (0 to 1) of the stage is done."""
        ...

    def found(self, loss: float) -> None:
        """Hear the least loss that a search has found so far."""
        ...


class Quiet:
    """Shows nothing.

    Examples
    --------
    >>> Quiet().stage("search")
    """

    def stage(self, name: str) -> None:
        """Show nothing."""

    def advance(self, share: float) -> None:
        """Show nothing."""

    def found(self, loss: float) -> None:
        """Show nothing."""


def watch(pulse: Pulse, progress: Progress, work: Callable[[], Result], keeps_best: bool = False) -> Result:
    """Run ``work`` in a thread, show its pulse, and stop it when the main thread is interrupted.

    Whatever ``work`` raises is raised here; on Ctrl-C the kernel is stopped before the interruption goes on. Work that
    keeps its best result ends well when it is stopped: its result is returned then, and the interruption is over.

    Examples
    --------
    >>> class Still:
    ...     done, total, loss = 1, 1, -1.0
    ...     def stop(self) -> None: ...
    >>> watch(Still(), Quiet(), lambda: 42)
    42
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []
    ended = threading.Event()
    claim = threading.Lock()  # whoever comes first takes it: the work, or an interruption while its thread starts

    def body() -> None:
        if not claim.acquire(blocking=False):
            return
        try:
            outcome.append(work())
        except BaseException as error:  # handed over to the main thread, which raises it
            failure.append(error)
        ended.set()

    # An event and not the thread is waited for: join takes a thread for ended when it is interrupted (CPython 3.11).
    worker = threading.Thread(target=body, daemon=True)
    is_over = False
    try:
        worker.start()
        while not is_over:
            is_over = ended.wait(_LOOK_EVERY)
            if pulse.total > 0:
                progress.advance(min(1.0, pulse.done / pulse.total))
            if pulse.loss >= 0:
                progress.found(pulse.loss)
    except BaseException as interruption:
        pulse.stop()
        if not claim.acquire(blocking=False):
            _wait_out(ended)
        if not (keeps_best and outcome and isinstance(interruption, KeyboardInterrupt)):
            raise
    if failure:
        raise failure[0]
    return outcome[0]


def _wait_out(ended: threading.Event) -> None:
    """Wait for a kernel that was told to stop; whoever is impatient meanwhile does not make it end sooner."""
    while not ended.is_set():
        with suppress(KeyboardInterrupt):
            ended.wait()
