"""Progress of long work: shown, limited in time, cancelled.

Kernels run in a worker thread without the interpreter's lock and count their work in a ``Pulse``; the main thread
watches that count, hands it to whoever shows it, and stops the kernel on Ctrl-C.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from numbers import Integral, Real
from typing import Protocol, TypeVar

from celosia.base.errors import OptionError

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


class Event(Protocol):
    """What threads, or processes, share to tell each other one thing."""

    def set(self) -> None:
        """Tell it."""
        ...

    def is_set(self) -> bool:
        """Whether it was told."""
        ...


class Stop:
    """Asks a search to end, and to hand over the best that it has found so far.

    A search that goes on improving ends at once when it has something to keep; any other goes on to its end, which is
    near. What it hands over is judged like any other result.

    Parameters
    ----------
    event
        An event of ``multiprocessing`` where another process asks; by default one for threads of this process.

    Examples
    --------
    >>> stop = Stop()
    >>> stop.ask()
    >>> stop.is_asked
    True
    """

    def __init__(self, event: Event | None = None) -> None:
        self._event: Event = threading.Event() if event is None else event

    def ask(self) -> None:
        """Ask the search to end; from any thread, or process that shares the event."""
        self._event.set()

    @property
    def is_asked(self) -> bool:
        """Whether the search was asked to end."""
        return self._event.is_set()


class Stoppable:
    """Shows progress as another does, and knows whether the search was asked to end.

    Examples
    --------
    >>> Stoppable(Quiet(), Stop()).stop.is_asked
    False
    """

    def __init__(self, shown: Progress, stop: Stop) -> None:
        self._shown = shown
        self.stop = stop

    def stage(self, name: str) -> None:
        """Show a stage."""
        self._shown.stage(name)

    def advance(self, share: float) -> None:
        """Show a share."""
        self._shown.advance(share)

    def found(self, loss: float) -> None:
        """Show a loss."""
        self._shown.found(loss)


class _AskedError(Exception):
    """Somebody asked a search to end and to keep its best."""


class EndedError(Exception):
    """Work was ended from outside: nobody wants its result any more."""


class Ending:
    """Shows nothing, and ends the work that reports to it once it is told to or its time is up.

    Parameters
    ----------
    seconds
        How long the work may go on from now; ``None`` for as long as it likes.
    within
        Ends this work too.

    Examples
    --------
    >>> ending = Ending()
    >>> ending.end()
    >>> ending.check()
    Traceback (most recent call last):
    celosia.base.progress.EndedError
    """

    def __init__(self, seconds: float | None = None, within: Ending | None = None) -> None:
        self._ended = threading.Event()
        self._within = within
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def end(self) -> None:
        """Let the work end when it reports next."""
        self._ended.set()

    @property
    def is_over(self) -> bool:
        """Whether the work is to end."""
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        return is_late or self._ended.is_set() or (self._within is not None and self._within.is_over)

    def check(self) -> None:
        """Raise ``EndedError`` if the work is to end."""
        if self.is_over:
            raise EndedError

    def stage(self, name: str) -> None:
        """Raise ``EndedError`` if the work is to end."""
        self.check()

    def advance(self, share: float) -> None:
        """Show nothing: whoever watches a kernel asks ``check`` as often."""

    def found(self, loss: float) -> None:
        """Show nothing."""


def is_time(seconds: object) -> bool:
    """Whether it is a finite number of seconds above 0, of whatever type of number.

    Examples
    --------
    >>> is_time(0.5), is_time(0), is_time("long")
    (True, False, False)
    """
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        return False
    try:
        return 0 < float(seconds) < math.inf
    except OverflowError:
        return False


def plain_time(seconds: float | None) -> float | None:
    """Return a time as a plain number, as files can hold it; one of NumPy or a fraction they cannot.

    Examples
    --------
    >>> from fractions import Fraction
    >>> plain_time(Fraction(1, 10)), plain_time(60), plain_time(None)
    (0.1, 60, None)
    """
    if seconds is None:
        return None
    return int(seconds) if isinstance(seconds, Integral) else float(seconds)


def check_time_limit(seconds: object, hint: str = "") -> None:
    """Raise ``OptionError`` unless a time limit is ``None`` or a finite number of seconds above 0.

    Examples
    --------
    >>> check_time_limit(60)
    """
    if seconds is not None and not is_time(seconds):
        raise OptionError("time_limit must be a number of seconds above 0.", hint=hint, about="time_limit")


def aside(work: Callable[[], Result], ending: Ending) -> Result:
    """Run work that reports to ``ending`` in a thread of its own, so that Ctrl-C ends all of it at once.

    In the main thread a search that goes on improving would take Ctrl-C for its own end and hand over its best.

    Examples
    --------
    >>> aside(lambda: 42, Ending())
    42
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not future.done():  # a wait that ends by itself can be interrupted on every system
                wait([future], timeout=_LOOK_EVERY)
        except BaseException:
            ending.end()
            raise
    return future.result()


def watch(
    pulse: Pulse,
    progress: Progress,
    work: Callable[[], Result],
    keeps_best: bool = False,
    until: Ending | None = None,
) -> Result:
    """Run ``work`` in a thread, show its pulse, and stop it when the main thread is interrupted.

    Whatever ``work`` raises is raised here; on Ctrl-C the kernel is stopped before the interruption goes on. Work that
    keeps its best result ends well when it is stopped, by Ctrl-C or because a ``Stop`` asks for it: its result is
    returned then, and the interruption is over.
    Work that is not done when ``until`` is over is stopped, and ``EndedError`` raised.

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
            if keeps_best and not is_over and isinstance(progress, Stoppable) and progress.stop.is_asked:
                raise _AskedError
            if isinstance(progress, Ending):  # kernels that cannot tell their total report nothing, and must end too
                progress.check()
            if until is not None and not is_over:
                until.check()
            if pulse.total > 0:
                progress.advance(min(1.0, pulse.done / pulse.total))
            if pulse.loss >= 0:
                progress.found(pulse.loss)
    except BaseException as interruption:
        pulse.stop()
        if not claim.acquire(blocking=False):
            _wait_out(ended)
        if not (keeps_best and outcome and isinstance(interruption, KeyboardInterrupt | _AskedError)):
            raise
    if failure:
        raise failure[0]
    return outcome[0]


def _wait_out(ended: threading.Event) -> None:
    """Wait for a kernel that was told to stop; whoever is impatient meanwhile does not make it end sooner."""
    while not ended.is_set():
        with suppress(KeyboardInterrupt):
            ended.wait()
