"""What an edited graph has kept of the original: one file per measure."""

from __future__ import annotations

from celosia.graphs.utility.betweenness import betweenness
from celosia.graphs.utility.clustering import Clustering, clustering
from celosia.graphs.utility.communities import communities, overlap
from celosia.graphs.utility.degree_distance import degree_distance
from celosia.graphs.utility.edits import Edits, edits
from celosia.graphs.utility.measuring import Change, GraphUtility, utility
from celosia.graphs.utility.paths import PathLength, path_length
from celosia.graphs.utility.ranks import rank_correlation
from celosia.graphs.utility.spectrum import eigenvector_centrality, largest_eigenvalue

__all__ = [
    "Change",
    "Clustering",
    "Edits",
    "GraphUtility",
    "PathLength",
    "betweenness",
    "clustering",
    "communities",
    "degree_distance",
    "edits",
    "eigenvector_centrality",
    "largest_eigenvalue",
    "overlap",
    "path_length",
    "rank_correlation",
    "utility",
]
