"""Python's garbage collector, told to wait."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Look for no cycles of objects within the block.

    Every million of entries the collector would walk through all of them again and again: a quarter of the time, and a
    vault makes no cycles. Threads may overlap: whoever found it running starts it again.

    Examples
    --------
    >>> with collection_paused():
    ...     gc.isenabled()
    False
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
