"""Re-identification risk: one file per measure."""

from __future__ import annotations

from celosia.risk.prosecutor import ProsecutorRisk, prosecutor

__all__ = ["ProsecutorRisk", "prosecutor"]
