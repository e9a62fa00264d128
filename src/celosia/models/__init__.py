"""Privacy models: one file each."""

from __future__ import annotations

from celosia.models.k_anonymity import KAnonymity

__all__ = ["KAnonymity"]
