"""Searches that recode whole columns, where the kernels do not see everything that is asked."""

from __future__ import annotations

import polars as pl
import pytest

import celosia as cl


@pytest.mark.parametrize("algorithm", [cl.Lattice(), cl.Datafly(), cl.TopDown(), cl.Genetic(generations=3)], ids=repr)
def test_what_a_population_suppresses_moves_what_the_others_are_compared_with(algorithm):
    """t has too much of x, q of z, and s fits one person of the population: they go.

    Kernels know nothing of the population. Measured against the rows without t and q alone, r has too much of x, and
    more rows would have to go than may.
    """
    secrets = {"p": "y", "q": "xz", "r": "xyyy", "s": "y", "t": "x", "u": "yy"}
    rows = [(town, ill) for town, ills in secrets.items() for ill in ills]
    frame = pl.DataFrame(rows, schema=["town", "ill"], orient="row")
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"town": "category"}, sensitive=["ill"]))
    population = pl.DataFrame({"town": [*frame["town"], *"pppqqqtttuuu"]})
    models = [cl.KMap(4, population=population), cl.BetaLikeness(0.9, on="ill")]
    release = cl.Plan(models=models, algorithm=algorithm, max_suppression=0.37, seed=1).run(table)
    assert sorted(release.frame["town"]) == sorted("prrrruu")
