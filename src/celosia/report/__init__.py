"""The report of a release: one self-contained page, in English or Spanish. Read ``page.py`` first.

``render`` is loaded when it is first used: most who ask for words in a language make no page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celosia.report.language import check_language

if TYPE_CHECKING:
    from celosia.report.page import render

__all__ = ["check_language", "render"]


def __getattr__(name: str) -> Any:
    """Load ``render`` with the sections of the page."""
    if name != "render":
        raise AttributeError(f"module 'celosia.report' has no attribute '{name}'")
    from celosia.report.page import render

    return render
