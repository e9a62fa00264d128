"""Privacy models: one file each."""

from __future__ import annotations

from celosia.models.k_anonymity import KAnonymity
from celosia.models.l_diversity import LDiversity

__all__ = ["KAnonymity", "LDiversity"]
