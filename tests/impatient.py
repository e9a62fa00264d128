"""Somebody who presses Ctrl-C a moment after a stage of the work has begun."""

from __future__ import annotations

import signal
import threading


class Impatient:
    """Progress that sends SIGINT to the main thread some seconds after a stage has begun."""

    def __init__(self, stage: str, seconds: float) -> None:
        self._stage, self._seconds = stage, seconds

    def stage(self, name: str) -> None:
        if name == self._stage:
            main = threading.main_thread().ident
            threading.Timer(self._seconds, lambda: signal.pthread_kill(main, signal.SIGINT)).start()

    def advance(self, share: float) -> None: ...

    def found(self, loss: float) -> None: ...
