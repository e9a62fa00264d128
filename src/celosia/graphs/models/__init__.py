"""Graph models: one file each."""

from __future__ import annotations

from celosia.graphs.models.closed_twins import ClosedTwinAnonymity
from celosia.graphs.models.degree import DegreeAnonymity
from celosia.graphs.models.kl import KLAnonymity
from celosia.graphs.models.neighbourhood import NeighbourhoodAnonymity

__all__ = ["ClosedTwinAnonymity", "DegreeAnonymity", "KLAnonymity", "NeighbourhoodAnonymity"]
