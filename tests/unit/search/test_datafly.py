"""Datafly against a plain loop."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from small_forests import MONOTONE, NOT_MONOTONE, SmallForest, settled, small_forest

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import Datafly
from celosia.search.base import Problem


def plain(data: SmallForest, models, n_spare: int) -> tuple[list[int], list[int]] | None:
    """Raise the column with the most different cells until few enough rows stand out."""
    table = data.table()
    levels = [0] * len(data.paths)
    # A column without a single value has one level.
    tops = [data.height(j) if any(row[j] is not None for row in data.rows) else 0 for j in range(len(levels))]
    while True:
        cuts = [dict.fromkeys(data.values(j), level) for j, level in enumerate(levels)]
        labels = settled(data.labels(cuts), models, table, n_spare)
        if labels is not None:
            return levels, labels
        n_cells = [len({data.cell(j, value, levels[j]) for value in data.values(j)}) for j in range(len(levels))]
        able = [j for j in range(len(levels)) if levels[j] < tops[j]]
        if not able:
            return None
        levels[max(able, key=lambda j: (n_cells[j], -j))] += 1


@pytest.mark.parametrize("seed", range(150))
def test_it_is_a_plain_loop(seed):
    data = small_forest(seed)
    models = [*MONOTONE, *NOT_MONOTONE][seed % 11]
    n_spare = [0, 0, 1, 3][seed % 4]
    table = data.table()
    problem = Problem.of(table, models, Randomness(seed), Quiet(), n_spare=n_spare)
    wanted = plain(data, models, n_spare)
    if wanted is None:
        with pytest.raises(cl.UnreachableError, match="no recoding of whole columns"):
            Datafly().search(problem)
        return
    found = Datafly().search(problem)
    levels, plain_labels = wanted
    labels = np.full(table.n_rows, -1)
    labels[problem.rows] = found.labels
    pairs = set(zip(labels.tolist(), plain_labels, strict=True))
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
    assert {(one < 0) == (other < 0) for one, other in pairs} == {True}
    assert found.proof is not None
    assert list(found.proof.levels.values()) == levels
    cuts = [dict.fromkeys(data.values(j), level) for j, level in enumerate(levels)]
    assert found.proof.value == pytest.approx(float(data.gcp(cuts, plain_labels)), abs=1e-8)
    assert found.proof.lower_bound is None
    assert not found.proof.is_optimal


def test_the_column_with_the_most_values_is_raised_first():
    frame = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": ["1", "2", "3", "4"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "category", "b": "category"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Datafly(), seed=1).run(table)
    assert set(release.frame["b"]) == {"*"}
    assert sorted(release.frame["a"]) == ["x", "x", "y", "y"]
    assert release.scope.table == "full-domain"


def test_it_has_no_options():
    assert Datafly().to_dict() == {}
    assert Datafly() == Datafly()
