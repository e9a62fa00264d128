"""Datafly: the column with the most different values is made coarser, until few enough rows stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Options
from celosia.search.base import Grouping, Problem
from celosia.search.whole_columns import WholeColumns, proof_of, unreachable


@dataclass(frozen=True)
class Datafly(Options):
    """Sweeney's full-domain recoding: simple, quick, and far from the best.

    While more rows stand in classes that break a model than may be suppressed, the column that publishes the most
    different values is raised by one level of its hierarchy (the first such column among equals). Then what is still
    broken is suppressed.

    It has no options.

    Guarantee
    ---------
    All models hold. The recoding is full-domain: every column stands on one level. It is minimal in no sense:
    ``Lattice`` finds the best levels.

    References
    ----------
    Sweeney, L. (1997). Guaranteeing anonymity when sharing medical data, the Datafly system.
    Sweeney, L. (2002). Achieving k-anonymity privacy protection using generalization and suppression.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> people = pl.DataFrame({"zipcode": ["37003", "37005", "28108", "28108"], "age": [40, 44, 41, 41]})
    >>> schema = cl.Schema(quasi_identifiers={"zipcode": cl.Prefix(keep=[2]), "age": cl.Intervals(width=10)})
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Datafly(), seed=1).run(cl.Table(people, schema))
    >>> sorted(set(release.frame["zipcode"])), sorted(set(release.frame["age"]))
    (['28***', '37***'], ['[40, 49]'])
    """

    name: ClassVar[str] = "datafly"

    def search(self, problem: Problem) -> Grouping:
        """Return the classes of the first levels that hold, and what they publish.

        Raises
        ------
        UnreachableError
            The models do not hold on the way up, nor with all columns at their tops.
        """
        columns = WholeColumns(problem, "gcp")
        found = climbed(columns)
        if found is None:
            raise unreachable(problem)
        levels, labels, n_judged = found
        cut = columns.cut_at(levels)
        return columns.grouping(cut, labels, proof_of(columns, columns.cost(cut, labels), n_judged, levels))


def climbed(columns: WholeColumns) -> tuple[list[int], NDArray[np.int32], int] | None:
    """Return the first levels on Datafly's way that hold, their classes, and how many levels were judged."""
    present = [np.unique(codes) for codes in columns.codes]
    levels = [0] * len(columns.ladders)
    for n_judged in range(1, sum(ladder.n_levels - 1 for ladder in columns.ladders) + 2):
        # The kernels are lenient by a hair, and quick: what does not hold by them does not hold.
        if columns.recoder.evaluate(levels)[0]:
            labels = columns.settled(columns.classes(columns.cut_at(levels)))
            if labels is not None:
                return levels, labels, n_judged
        columns.problem.progress.advance(0.0)
        able = [place for place, ladder in enumerate(columns.ladders) if levels[place] < ladder.n_levels - 1]
        if not able:
            break
        n_values = [len(np.unique(columns.ladders[place].nodes[levels[place], present[place]])) for place in able]
        levels[able[int(np.argmax(n_values))]] += 1
    return None
