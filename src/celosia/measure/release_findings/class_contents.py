"""What classes give away: people who stand alone in them, and secrets that all in them share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.data.schema.columns import codes_of


def about_secrets(table: Table, classes: Classes) -> list[Finding]:
    """Find classes that share one secret: k-anonymity does not hide it."""
    found = []
    for column in table.schema.sensitive:
        if column in table.schema.quasi_identifiers:
            continue
        codes, _ = codes_of(table.frame[column])
        is_known = np.zeros(classes.n_classes, dtype=np.bool_)
        is_known[classes.labels[(codes >= 0) & ~classes.suppressed]] = True
        alike = (classes.distinct(codes) == 1) & is_known  # rows that all lack the secret tell nothing
        if alike.any():
            n_rows = int(classes.sizes[alike].sum())
            found.append(
                Finding(
                    "HOMOGENEOUS",
                    "warning",
                    "In {n_alike} of {n_classes} classes ({n_rows} rows) anyone known to be in the class has one and "
                    "the same '{column}'.",
                    column,
                    {"n_alike": int(alike.sum()), "n_classes": classes.n_classes, "n_rows": n_rows},
                    n_rows=n_rows,
                )
            )
    return found


def about_singles(table: Table, classes: Classes) -> list[Finding]:
    """Find people who are alone in a class: a model may count other things than people."""
    alone: NDArray[np.bool_] = classes.units(table.subjects) == 1
    if not alone.any():
        return []
    return [
        Finding(
            "SINGLED_OUT",
            "warning",
            "At least one person stands alone in a class (k = 1).",
            n_rows=int(classes.sizes[alone].sum()),
        )
    ]
