"""On which examples properties are tried: a third, always the same, in ``make test``; all, new ones, in ``test-all``.

So ``make test`` says the same of the same code, on any machine, and ``make test-all`` goes on looking.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

__all__ = ["tries"]

_SHARE = 1 if os.environ.get("CELOSIA_TRIES") == "all" else 3
_FEWEST = 10


def tries(most: int = 100, **options: Any) -> settings:
    """Return the settings of a property that a whole run tries on ``most`` examples."""
    options.setdefault("derandomize", _SHARE > 1)
    # Time limits per example fail on busy machines and say nothing about the code.
    return settings(max_examples=max(most // _SHARE, min(most, _FEWEST)), deadline=None, **options)
