"""The report of a release: one self-contained page, in English or Spanish."""

from __future__ import annotations

from celosia.report.language import check_language
from celosia.report.page import render

__all__ = ["check_language", "render"]
