"""A small table of people and its schema, for plans with masks."""

from __future__ import annotations

import numpy as np
import polars as pl

import celosia as cl

__all__ = ["N_PEOPLE", "people", "people_schema"]

N_PEOPLE = 40


def people() -> pl.DataFrame:
    """Return 40 people with identity number, age, town and pay."""
    draw = np.random.default_rng(7)
    return pl.DataFrame(
        {
            "dni": [f"{10_000_000 + 37 * row:08d}" for row in range(N_PEOPLE)],
            "age": draw.integers(18, 80, N_PEOPLE),
            "town": draw.choice(["Soria", "Lugo", "Jaca"], N_PEOPLE),
            "pay": draw.integers(1000, 5000, N_PEOPLE),
        }
    )


def people_schema(**changes) -> cl.Schema:
    """Return their roles, some of them changed."""
    options = {
        "identifiers": ["dni"],
        "quasi_identifiers": {"age": "number", "town": "category"},
        "sensitive": ["pay"],
    }
    return cl.Schema(**{**options, **changes})
