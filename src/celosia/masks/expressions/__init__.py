"""A safe language of expressions over columns: parsed here, never run as Python."""

from __future__ import annotations

from celosia.masks.expressions.expression import Expression, Outcome

__all__ = ["Expression", "Outcome"]
