"""The mark of sentences that people read in two languages."""

from __future__ import annotations

Said = str
"""Marks a sentence, in English, that the message catalogue of ``celosia.report`` translates."""
