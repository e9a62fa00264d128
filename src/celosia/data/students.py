"""The exam paper's students, made up: marks, year and professor of a university course."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

from celosia.base.errors import OptionError
from celosia.data.schema import Schema

STUDENTS = Schema(
    identifiers=["dni"],
    quasi_identifiers={
        "participation": "number",
        "exam": "number",
        "practicals": "number",
        "year": "number",
        "professor": "category",
    },
)
"""The roles of the columns that ``make_students`` makes."""


def make_students(
    n_students: int = 500, *, marks: Literal["integer", "real"] = "integer", seed: int = 0
) -> pl.DataFrame:
    """Return a table as the exam paper describes it.

    Three marks from N(6, 2), ten professors and the years 2018 to 2022, both uniform. ``real`` marks are left as drawn
    (2.3 % lie above 10); ``integer`` marks are clipped to 0..10 and rounded.

    Parameters
    ----------
    n_students
        From 1.
    seed
        These people do not exist: a fixed seed gives everybody the same table.

    Examples
    --------
    >>> make_students(3).columns
    ['dni', 'participation', 'exam', 'practicals', 'year', 'professor']
    """
    if n_students < 1 or marks not in ("integer", "real"):
        raise OptionError("students: n_students from 1; marks 'integer' or 'real'.")
    generator = np.random.default_rng(seed)
    drawn = generator.normal(6.0, 2.0, (n_students, 3))
    if marks == "integer":
        drawn = np.rint(np.clip(drawn, 0, 10)).astype(np.int64)
    years = generator.integers(2018, 2023, n_students)
    professors = generator.integers(0, 10, n_students)
    numbers = 10_000_000 + 7919 * np.arange(n_students) + generator.integers(0, 7919, n_students)
    return pl.DataFrame(
        {
            "dni": [f"{number}{_check_letter(int(number))}" for number in numbers],
            "participation": drawn[:, 0],
            "exam": drawn[:, 1],
            "practicals": drawn[:, 2],
            "year": years,
            "professor": [f"prof{number}" for number in professors],
        }
    )


def _check_letter(number: int) -> str:
    """Return the letter of a Spanish identity number."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]
