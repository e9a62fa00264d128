"""The average class size, and the same over k: two names for two numbers that papers mix up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.data.schema import Table
from celosia.measure.run import Run
from celosia.measure.utility.released import Part, recoding_of, total_of


@dataclass(frozen=True)
class AverageClassSize(Result):
    """The average class, in rows and in multiples of k.

    Attributes
    ----------
    mean
        n / J: published rows over classes; ``None`` where nothing is published.
    c_avg
        (n / J) / k, which is 1 at best; ``None`` where nothing is published or k is not known.
    k
        The k it was divided by.
    """

    mean: float | None
    c_avg: float | None
    k: int | None


def average_class_size(table: Table, released: Any, k: int | None = None) -> AverageClassSize:
    """Return the mean size of the classes of equal published values, n / J, and C_avg = (n / J) / k.

    Suppressed rows belong to no class and do not count: see ``discernibility`` for a measure that charges them.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).
    k
        From 1. By default that of the plan's ``KAnonymity``, if there is a plan and it has one.

    Raises
    ------
    OptionError
        k is not a whole number from 1.
    InputError
        The release does not have as many rows as the table.

    References
    ----------
    LeFevre, K., DeWitt, D. J. & Ramakrishnan, R. (2006). Mondrian multidimensional k-anonymity.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 9, 9, 9]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> average_class_size(table, [0, 0, 1, 1, 1], k=2).to_dict()
    {'mean': 2.5, 'c_avg': 1.25, 'k': 2}
    """
    if k is not None:
        k = checked_whole("k", k, 1)
    recoding = recoding_of(table, released)
    k = k or _planned_k(released.source if isinstance(released, Part) else released)
    total, rows = total_of(recoding)
    labels = total.classes.labels[rows]
    held = np.flatnonzero(np.bincount(labels[labels >= 0], minlength=total.classes.n_classes))
    if not len(held):
        return AverageClassSize(None, None, k)
    mean = float(total.classes.sizes[held].sum()) / len(held)
    return AverageClassSize(mean, None if k is None else mean / k, k)


def _planned_k(released: Any) -> int | None:
    models = released.plan.models if isinstance(released, Run) else ()
    return max((model.k for model in models if model.name == "k_anonymity"), default=None)
