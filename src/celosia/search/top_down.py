"""TopDown: from the tops of all columns down, node by node, for as long as the models hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Options
from celosia.search.base import Grouping, Problem
from celosia.search.whole_columns import Places, WholeColumns, cut_of, proof_of, unreachable


@dataclass(frozen=True)
class TopDown(Options):
    """Top-down specialisation: subtree recoding, where parts of a hierarchy stay coarse and others do not.

    Every column begins at its top. A step replaces one node by its children for all rows under it, if the models then
    hold, rows that may be suppressed left aside, and less is lost. That is done three times, and the best result kept:
    the next step is the one that takes most loss (GCP) off per value that it publishes more, per class that it makes,
    or per square root of these.

    It has no options.

    Guarantee
    ---------
    All models hold. Each value of a column is published in one way (value-global). Where a model outlives every
    coarser recoding, no single further step would hold and lose less; nothing says how far the result is from the
    best. Ctrl-C ends the search with what holds so far.

    References
    ----------
    Fung, B. C. M., Wang, K., Yu, P. S. (2005). Top-down specialization for information and privacy preservation.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> people = pl.DataFrame({"zipcode": ["37003", "37005", "28108", "28108"], "age": [40, 44, 41, 41]})
    >>> schema = cl.Schema(quasi_identifiers={"zipcode": cl.Prefix(keep=[2]), "age": cl.Intervals(width=10)})
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=TopDown(), seed=1).run(cl.Table(people, schema))
    >>> sorted(set(release.frame["zipcode"])), sorted(set(release.frame["age"]))
    (['28108', '37***'], ['[40, 49]'])
    """

    name: ClassVar[str] = "top_down"

    def search(self, problem: Problem) -> Grouping:
        """Return the classes of the best way down, and what they publish.

        Raises
        ------
        UnreachableError
            The models do not hold with all columns at their tops.
        """
        columns = WholeColumns(problem, "gcp")
        found = specialised(columns)
        if found is None:
            raise unreachable(problem)
        places, labels, n_judged = found
        cut = cut_of(columns, places)
        return columns.grouping(cut, labels, proof_of(columns, columns.cost(cut, labels), n_judged))


def specialised(columns: WholeColumns) -> tuple[Places, NDArray[np.int32], int] | None:
    """Return the levels of all codes that top-down specialisation finds, their classes, and how much was judged.

    Kernels decide, lenient by a hair, and the models judge what they find. If they disagree, they are asked at every
    step.
    """
    recoder = columns.recoder

    def settled(places: Places) -> NDArray[np.int32] | None:
        return columns.settled(columns.classes(cut_of(columns, places)))

    for approve in (None, lambda places: settled(places) is not None):
        places, _, n_judged = columns.problem.run(
            lambda pulse, approve=approve: recoder.specialise(approve, pulse),  # type: ignore[misc]
            keeps_best=True,
        )
        if not places:
            return None
        labels = settled(places)
        if labels is not None:
            return places, labels, n_judged
    return None
