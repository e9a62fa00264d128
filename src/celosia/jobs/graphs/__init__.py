"""Releases of graphs: edits, clusters, perturbation."""
