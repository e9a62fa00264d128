"""Techniques on columns and rows: one file each."""

from __future__ import annotations

from celosia.masks.drop import Drop

__all__ = ["Drop"]
