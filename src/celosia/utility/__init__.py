"""Information loss: one file per metric."""

from __future__ import annotations

from celosia.utility.gcp import Loss, gcp, loss, ncp

__all__ = ["Loss", "gcp", "loss", "ncp"]
