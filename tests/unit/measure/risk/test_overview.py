from __future__ import annotations

import json

import polars as pl
import pytest

import celosia as cl


def table(subject: bool = False) -> cl.Table:
    frame = pl.DataFrame(
        {
            "who": ["a", "a", "b", "c", "d", "e"],
            "age": [40, 40, 40, 44, 44, None],
            "weight": [2.0, 2.0, 3.0, 1.0, 1.0, 9.0],
        }
    )
    schema = cl.Schema(
        identifiers=[] if subject else ["who"],
        subject="who" if subject else None,
        quasi_identifiers={"age": "number"},
        insensitive=["weight"],
    )
    return cl.Table(frame, schema)


def test_every_part_is_the_measure_itself():
    given = table()
    situation = cl.risk.Situation([cl.risk.Insider("low", "low")], harm="low", floor=2)
    found = cl.risk.overview(given, threshold="0.4", coalition=2, population=50, weights="weight", situation=situation)
    assert found.prosecutor == cl.risk.prosecutor(given, "0.4")
    assert found.journalist == cl.risk.journalist(given, "0.4")
    assert found.marketer == cl.risk.marketer(given, "0.4")
    assert found.insiders == cl.risk.insiders(given, 2, "0.4")
    assert found.matches.to_dict() == cl.risk.matches(given, "0.4").to_dict()
    assert found.weighted.to_dict() == cl.risk.weighted(given, "weight", "0.4").to_dict()
    assert found.uniqueness["dankar"] == cl.risk.dankar(given, population_size=50)
    assert (found.distinction, found.separation) == (
        cl.risk.distinction(given, ["age"]),
        cl.risk.separation(given, ["age"]),
    )
    assert found.assessment.to_dict() == situation.assess(given).to_dict()
    assert (found.k, found.n_rows, found.n_people, found.n_classes) == (1, 6, 6, 3)
    json.dumps(found.to_dict(), allow_nan=False)


def test_people_are_counted_by_subject():
    found = cl.risk.overview(table(subject=True))
    assert (found.n_rows, found.n_people, found.k) == (6, 5, 1)


def test_a_release_has_no_distinction_and_no_gaps():
    release = cl.Plan(models=[cl.KAnonymity(2)], max_suppression=0.5).run(table(subject=True))
    found = cl.risk.overview(release, population=50)
    assert found.k == release.k
    assert (found.distinction, found.separation, found.matches) == (None, None, None)
    assert found.n_people <= 5


def test_an_empty_table_is_undefined_everywhere():
    empty = cl.Table(
        pl.DataFrame({"age": []}, schema={"age": pl.Int64}), cl.Schema(quasi_identifiers={"age": "number"})
    )
    found = cl.risk.overview(empty, population=50)
    assert found.k is None
    assert found.prosecutor.max is None
    assert all(one.uniques is None for one in found.uniqueness.values())


@pytest.mark.parametrize("population", [2, True, -5])
def test_a_population_must_hold_the_table(population):
    with pytest.raises(cl.InputError):
        cl.risk.overview(table(), population=population)


def test_values_that_a_hierarchy_does_not_know_are_not_missing():
    towns = cl.Order(["Lugo", "Soria"], on_missing="suppress")
    table = cl.Table(pl.DataFrame({"town": ["Lugo", "Soria", "Nowhere"]}), cl.Schema(quasi_identifiers={"town": towns}))
    assert cl.risk.overview(table).matches is None
