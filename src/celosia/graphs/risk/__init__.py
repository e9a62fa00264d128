"""What a graph gives away: one file per measure."""

from __future__ import annotations

from celosia.graphs.risk.known import KnowledgeRisk
from celosia.graphs.risk.links import LinkRisk
from celosia.graphs.risk.measuring import GraphRisk, risk

__all__ = ["GraphRisk", "KnowledgeRisk", "LinkRisk", "risk"]
