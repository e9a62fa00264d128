"""On how many examples a property is tried: a third in ``make test``, all of them in ``make test-all``."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

__all__ = ["tries"]

_SHARE = 1 if os.environ.get("CELOSIA_TRIES") == "all" else 3
_FEWEST = 10


def tries(most: int = 100, **options: Any) -> settings:
    """Return the settings of a property that a whole run tries on ``most`` examples; they differ from run to run."""
    # Time limits per example fail on busy machines and say nothing about the code.
    return settings(max_examples=max(most // _SHARE, min(most, _FEWEST)), deadline=None, **options)
