"""TopDown: every step holds by the models themselves, and none is left that does and loses less."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from small_forests import MONOTONE, NOT_MONOTONE, SmallForest, settled, small_forest

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import Lattice, TopDown
from celosia.search.base import Problem
from celosia.search.top_down import specialised
from celosia.search.whole_columns import WholeColumns


def columns_of(data: SmallForest, models, n_spare: int) -> WholeColumns:
    return WholeColumns(Problem.of(data.table(), models, Randomness(1), Quiet(), n_spare=n_spare), "gcp")


def cuts_of(data: SmallForest, columns: WholeColumns, places) -> list[dict[str | None, int]]:
    """The level of every value, from the level of every code."""
    cuts = []
    for j, (ladder, levels) in enumerate(zip(columns.ladders, places, strict=True)):
        values = [*ladder.column.domain.values, None][: ladder.n_codes]
        cuts.append({value: int(level) for value, level in zip(values, levels, strict=True)})
        assert set(data.values(j)) <= set(cuts[j])
    return cuts


@pytest.mark.parametrize("seed", range(160))
def test_no_single_step_is_left_that_holds_and_loses_less(seed):
    data = small_forest(seed)
    models, n_spare = MONOTONE[seed % len(MONOTONE)], [0, 0, 2, 5][seed % 4]
    columns, table = columns_of(data, models, n_spare), data.table()
    tops = [dict.fromkeys(data.values(j), data.height(j)) for j in range(len(data.paths))]
    found = specialised(columns)
    if found is None:
        assert settled(data.labels(tops), models, table, n_spare) is None
        return
    cuts = cuts_of(data, columns, found[0])
    labels = settled(data.labels(cuts), models, table, n_spare)
    assert labels is not None
    loss = data.gcp(cuts, labels)
    for step in data.steps(cuts):
        finer = settled(data.labels(step), models, table, n_spare)
        assert finer is None or data.gcp(step, finer) >= loss - 1e-9


@pytest.mark.parametrize("seed", range(60))
def test_every_step_on_the_way_holds(seed):
    data = small_forest(500 + seed)
    models, n_spare = [*MONOTONE, *NOT_MONOTONE][seed % 11], [0, 3][seed % 2]
    columns, table = columns_of(data, models, n_spare), data.table()
    seen = []
    columns.recoder.specialise(lambda places: seen.append(places) or True)
    for places in seen:
        assert settled(data.labels(cuts_of(data, columns, places)), models, table, n_spare) is not None


@pytest.mark.parametrize("seed", range(40))
def test_a_higher_judge_is_heard(seed):
    data = small_forest(900 + seed)
    columns = columns_of(data, [cl.KAnonymity(2)], 0)

    def is_coarse(places) -> bool:
        cuts = cuts_of(data, columns, places)
        return len({data.cell(0, value, cuts[0][value]) for value in data.values(0)}) <= 2

    places, cost, _ = columns.recoder.specialise(is_coarse)
    free, least, _ = columns.recoder.specialise()
    if places:
        assert is_coarse(places)
        assert cost >= least or not is_coarse(free)


@pytest.mark.parametrize("n_spare", [0, 2])
@pytest.mark.parametrize("seed", range(20))
def test_the_cost_it_keeps_up_to_date_is_that_of_its_result(seed, n_spare):
    data = small_forest(300 + seed)
    models = MONOTONE[seed % 4]
    columns = columns_of(data, models, n_spare)
    places, cost, _ = columns.recoder.specialise()
    if not places:
        return
    cuts = cuts_of(data, columns, places)
    labels = settled(data.labels(cuts), models, data.table(), n_spare)
    assert columns.value(cost) == pytest.approx(float(data.gcp(cuts, labels)), abs=1e-8)


def test_parts_of_a_tree_stay_coarse_where_they_must():
    tree = cl.Tree([("a1", "a", "*"), ("a2", "a", "*"), ("b1", "b", "*"), ("b2", "b", "*")])
    frame = pl.DataFrame({"x": ["a1", "a2", *["b1"] * 3, *["b2"] * 3]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": tree}))
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=TopDown(), seed=1).run(table)
    assert sorted(set(release.frame["x"])) == ["a", "b1", "b2"]
    assert release.scope.table == "value-global"
    assert release.proof is not None
    assert release.proof.levels == {}
    lattice = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(), seed=1).run(table)
    assert release.loss.gcp < lattice.loss.gcp


def test_a_population_is_asked_at_every_step():
    frame = pl.DataFrame({"age": [20, 21, 40, 41]})
    people = pl.DataFrame({"age": [*range(20, 30), 40, 41]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": cl.Intervals(widths=[10, 20])}))
    release = cl.Plan(models=[cl.KMap(5, population=people)], algorithm=TopDown(), seed=1).run(table)
    classes = release.classes
    assert cl.KMap(5, population=people).broken(classes, table).tolist() == []
    assert classes.n_classes == 1  # the two over 40 fit two people alone
    assert np.array_equal(release.classes.labels, [0, 0, 0, 0])


def test_it_has_no_options():
    assert TopDown().to_dict() == {}
