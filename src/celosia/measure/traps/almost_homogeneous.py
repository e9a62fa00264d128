"""Almost homogeneous classes: all but one person share a secret, and that one knows it (A2, A18)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import Classes
from celosia.measure.traps.base import Published, is_secret, looked_at


def almost_homogeneous(published: Published) -> list[Finding]:
    """Find classes of three or more people in which one has a secret of their own and all others share another.

    The one who differs, and whoever knows who that is, learns the secret of everybody else in the class. A missing
    secret is a value of its own. It is a note: distinct 2-diversity allows it; distinct 3-diversity does not.

    Examples
    --------
    >>> import polars as pl
    >>> note = pl.DataFrame({"zip": ["37***"] * 3, "chol": [*"SSN"]})
    >>> [(one.code, one.n_rows) for one in almost_homogeneous(Published(note, ("zip",), ("chol",)))]
    [('ALMOST_HOMOGENEOUS', 3)]
    """
    if not published.quasi_identifiers:
        return []
    secrets = [column for column in looked_at(published) if is_secret(published, column)]
    told = {column: published.classes.sizes[_all_but_one(published, column)] for column in secrets}
    return [
        Finding(
            "ALMOST_HOMOGENEOUS",
            "note",
            "In {n_classes} classes ({n_rows} rows) all but one person share one and the same '{column}': that "
            "one, and whoever knows who it is, learns it of all others. l_diversity with l = 3 avoids it.",
            column,
            {"n_classes": len(sizes), "n_rows": int(sizes.sum())},
            n_rows=int(sizes.sum()),
        )
        for column, sizes in told.items()
        if len(sizes)
    ]


def _all_but_one(published: Published, column: str) -> NDArray[np.bool_]:
    """Return the classes of three or more people with two secrets, one of them held by one person."""
    classes, values = published.classes, published.values(column)
    width = len(values.texts) + 1
    held = classes.labels * width + values.codes + 1
    secrets = np.sort(held)
    secrets = secrets[np.diff(secrets, prepend=-1) > 0]
    two: NDArray[np.bool_] = (np.bincount(secrets // width, minlength=classes.n_classes) == 2) & (published.people >= 3)
    rows = np.flatnonzero(two[classes.labels])
    if not len(rows):
        return two
    pairs, of_pair = np.unique(held[rows], return_inverse=True)
    subjects = None if published.subject is None else published.values(published.subject).codes[rows]
    n_people = Classes(of_pair).units(subjects)
    has_single = np.zeros(classes.n_classes, dtype=np.bool_)
    has_single[pairs[n_people == 1] // width] = True
    two &= has_single
    return two
