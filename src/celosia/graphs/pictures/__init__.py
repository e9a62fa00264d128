"""Pictures of graphs in SVG: drawn by hand, so that no plotting library is needed. They never hold a name."""

from __future__ import annotations

from celosia.graphs.pictures.bars import risk_bars
from celosia.graphs.pictures.blocks import draw_blocks
from celosia.graphs.pictures.cluster_drawing import draw_clusters
from celosia.graphs.pictures.degrees import degree_histogram
from celosia.graphs.pictures.drawing import draw_graph, is_drawable
from celosia.graphs.pictures.layout import Layout, layout_of

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
