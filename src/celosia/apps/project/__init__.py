"""Projects: the eight steps of a release, walked, measured and signed."""

from __future__ import annotations

from celosia.apps.project.project import Project

__all__ = ["Project"]
