from __future__ import annotations

import numpy as np
import polars as pl
import pytest


def _marks(n_students: int = 60, seed: int = 0, low: float = 0, high: float = 10, absent: float = 0.0) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    ability = generator.normal(0.6, 0.17, n_students)

    def column(noise: float) -> list[str]:
        shares = np.clip(ability + generator.normal(0, noise, n_students), 0, 1)
        return [f"{value:.1f}" for value in low + shares * (high - low)]

    frame = pl.DataFrame(
        {
            "student": [f"Canaria{number:03d} Pérez" for number in range(n_students)],
            "dni": [f"{10_000_000 + 7919 * number}" for number in range(n_students)],
            "group": [("A", "B")[number % 2] for number in range(n_students)],
            "practicals": column(0.1),
            "test": column(0.12),
            "exam": column(0.11),
            "essay": column(0.08),
            "final": column(0.03),
        }
    )
    if absent:
        gone = generator.random(n_students) < absent
        frame = frame.with_columns(pl.when(pl.Series(gone)).then(pl.lit("NP")).otherwise(pl.col("test")).alias("test"))
    return frame


@pytest.fixture(scope="session")
def make_marks():
    """Make a sheet of 60 students with five marks, or of another size and scale."""
    return _marks
