"""Pictures of graphs in SVG: drawn by hand, so that no plotting library is needed. They never hold a name."""

from __future__ import annotations

from celosia.report.charts import risk_bars
from celosia.report.graphs.pictures.blocks import draw_blocks
from celosia.report.graphs.pictures.cluster_drawing import draw_clusters
from celosia.report.graphs.pictures.degrees import degree_histogram
from celosia.report.graphs.pictures.drawing import draw_graph, is_drawable
from celosia.report.graphs.pictures.layout import Layout, layout_of

__all__ = [
    "Layout",
    "degree_histogram",
    "draw_blocks",
    "draw_clusters",
    "draw_graph",
    "is_drawable",
    "layout_of",
    "risk_bars",
]
