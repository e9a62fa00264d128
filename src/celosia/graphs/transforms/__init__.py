"""Transforms: a graph's edges edited until a model holds, a file per model."""
