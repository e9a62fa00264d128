from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl
from celosia.data.masked import MaskedTable
from celosia.data.recode import recode
from celosia.jobs.tables import release_of
from celosia.measure.risk.journalist import fitting, journalist
from celosia.measure.risk.prosecutor import prosecutor

thresholds = st.fractions(min_value="1/20", max_value=1)


def plainly(keys, fits, threshold):
    """The three figures from the class of every row and how many people fit it."""
    risks = [Fraction(1, fits[key]) for key in keys]
    by_class = Fraction(len(set(keys)), sum(fits[key] for key in set(keys)))
    return {
        "max": float(max(risks)),
        "mean": float(max(by_class, sum(risks) / len(keys))),
        "share_at_risk": float(Fraction(sum(risk > threshold for risk in risks), len(keys))),
    }


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), thresholds)
def test_without_a_population_it_is_the_prosecutors(rows, threshold):
    assert journalist(cl.Classes(rows), threshold).to_dict() == prosecutor(cl.Classes(rows), threshold).to_dict()


def crowd(case, more):
    """The people of a case and, where it has the same kinds of columns, those of another: rows and who they are."""
    like = {
        name: next((own for own, kind in more.kinds.items() if kind == case.kinds[name]), None) for name in case.kinds
    }
    n_more = 0 if None in like.values() else more.n_rows
    people = [{name: case.columns[name][row] for name in case.kinds} for row in range(case.n_rows)]
    people += [{name: more.columns[like[name]][row] for name in case.kinds} for row in range(n_more)]
    own = list(range(case.n_rows)) if case.subject is None else case.subject
    return people, [*own, *(f"other {row}" for row in range(n_more))]


def as_frame(case, people, who):
    columns = {name: pl.Series(name, [one[name] for one in people], strict=False) for name in case.kinds}
    return pl.DataFrame(columns if case.subject is None else columns | {"who": pl.Series(who)})


@given(cases(max_rows=12), cases(max_rows=12), thresholds)
def test_a_table_fits_equal_values(case, more, threshold):
    people, who = crowd(case, more)
    keys = [tuple(one.values()) for one in people[: case.n_rows]]
    fits = {
        key: len({name for one, name in zip(people, who, strict=True) if tuple(one.values()) == key}) for key in keys
    }
    found = journalist(case.table(), threshold, population=as_frame(case, people, who))
    assert found.to_dict() == plainly(keys, fits, threshold)


def lies_in(case, name, cell, value):
    """``*`` contains everything; all of its hierarchy (``*****``) what is known."""
    return cell == "*" or ((value is None) == (cell is None) and case.contains(name, cell, value))


@tries(60)
@given(cases(min_rows=2, max_rows=12, subjects=False), cases(max_rows=12), thresholds)
def test_a_release_fits_what_its_cells_contain(case, more, threshold):
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian(), seed=1).run(case.table())
    people, who = crowd(case, more)
    names = list(case.kinds)
    keys = [tuple(row) for row in release.rows.select(names).iter_rows()]
    fits = {
        key: sum(
            all(lies_in(case, name, cell, one[name]) for name, cell in zip(names, key, strict=True)) for one in people
        )
        for key in keys
    }
    found = journalist(release, threshold, population=as_frame(case, people, who))
    assert found.to_dict() == plainly(keys, fits, threshold)


def study(**columns):
    return cl.Table(pl.DataFrame(columns), cl.Schema(quasi_identifiers=dict.fromkeys(columns, "number")))


def test_the_mean_is_the_greater_of_two_attacks():
    town = pl.DataFrame({"age": [30] * 2 + [40] * 98})
    many_rare = study(age=[30, 30, 40])  # rows: (2/2 + 1/98) / 3; classes: 2 / 100
    assert journalist(many_rare, population=town).mean == float((1 + Fraction(1, 98)) / 3)
    many_common = study(age=[30] + [40] * 98)  # rows: (1/2 + 98/98) / 99 = 1/66; classes: 2 / 100
    assert journalist(many_common, population=town).mean == float(Fraction(1, 50))


def test_a_class_that_exactly_five_people_fit_is_not_at_risk_at_one_fifth():
    table = study(age=[30])
    assert journalist(table, "0.2", population=pl.DataFrame({"age": [30] * 5})).share_at_risk == 0.0
    assert journalist(table, "0.2", population=pl.DataFrame({"age": [30] * 4})).share_at_risk == 1.0


def test_a_grid_is_for_releases_and_not_for_the_table_itself():
    frame = pl.DataFrame({"age": [41, 43]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": cl.Number(grid=5)}))
    town = pl.DataFrame({"age": [41, 42, 43, 44]})
    assert journalist(table, population=town).max == 1.0
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    assert release.rows["age"].to_list() == ["[40, 45]"] * 2
    assert journalist(release, population=town).max == 0.25


def test_values_that_the_hierarchy_does_not_know_fit_themselves():
    order = cl.Order(["pass", "fail"], on_missing="suppress")
    frame = pl.DataFrame({"mark": ["pass", "absent", "absent", "late", None]})
    town = pl.DataFrame({"mark": ["pass"] * 3 + ["absent"] * 2 + ["late"] * 5 + [None] * 7})
    found = fitting(cl.Table(frame, cl.Schema(quasi_identifiers={"mark": order})), town)
    assert sorted(zip(found.rows.tolist(), found.people.tolist(), strict=True)) == [(1, 3), (1, 5), (1, 7), (2, 2)]


def test_suppressed_rows_are_nobodys():
    table = study(age=[30, 31, 90])
    plan = cl.Plan(models=[cl.KAnonymity(2)], max_suppression=0.4, seed=1)
    release = plan.run(table)
    found = journalist(release, population=pl.DataFrame({"age": [30, 31, 31, 90]}))
    assert found.max == (1 / 3 if release.classes.n_suppressed else 1 / 4)


def test_classes_that_publish_the_same_are_one():
    frame = pl.DataFrame({"age": [30, 40, 30, 40]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": cl.Number(publish="centroid")}))

    recoding = recode(table, cl.Classes([0, 0, 1, 1]))
    release = release_of(cl.Plan([cl.KAnonymity(2)]), MaskedTable.unmasked(table), recoding, np.arange(4))
    found = fitting(release, pl.DataFrame({"age": [30, 30, 35, 40, 40]}))
    assert (found.rows.tolist(), found.people.tolist()) == ([4], [5])


def test_every_kind_of_population(tmp_path):
    table = study(age=[30, 33])
    ages = [30, 30, 33, 33, 33]
    path = tmp_path / "town.csv"
    pl.DataFrame({"age": ages}).write_csv(path)
    for town in (pl.DataFrame({"age": ages}), pd.DataFrame({"age": ages}), path, str(path)):
        assert journalist(table, population=town).max == 0.5


def test_a_subject_counts_once_in_the_population_too():
    frame = pl.DataFrame({"who": ["a", "a", "b"], "age": [30, 30, 30]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    assert journalist(table, population=pl.DataFrame({"who": ["a", "a", "b", "c"], "age": [30] * 4})).max == 1 / 3
    assert journalist(table, population=pl.DataFrame({"age": [30] * 4})).max == 1 / 4
    assert journalist(table).max == 1 / 2


def test_a_population_that_does_not_hold_everybody_is_refused():
    with pytest.raises(cl.InputError, match="1 of 2 classes hold more people than the population has") as error:
        journalist(study(age=[30, 30, 71]), population=pl.DataFrame({"age": [30, 71]}))
    assert error.value.about == "population"
    assert "71" not in str(error.value)
    assert "30" not in str(error.value)


@pytest.mark.parametrize("size", [1000, 1000.0, True, np.int64(10), Fraction(3)])
def test_a_number_is_no_population(size):
    with pytest.raises(cl.OptionError, match="a number of people") as error:
        journalist(study(age=[30]), population=size)
    assert "zayatz" in str(error.value.hint)
    assert error.value.about == "population"


def test_whole_numbers_and_decimals_are_compared_exactly():
    town = pl.DataFrame({"age": [2.0**53, 2.0**53, 3.0, 3.5]})
    assert journalist(study(age=[2**53, 3]), population=town).share_at_risk == 1.0
    assert fitting(study(age=[2**53, 3]), town).people.tolist() == [1, 2]
    with pytest.raises(cl.InputError, match="1 of 1 classes"):
        journalist(study(age=[2**53 + 1]), population=town)


def test_a_population_that_reads_otherwise():
    with pytest.raises(cl.InputError, match="the population: quasi-identifier 'age' should hold numbers") as error:
        journalist(study(age=[30]), population=pl.DataFrame({"age": ["30", "plenty"]}))
    assert "plenty" not in str(error.value)
    assert error.value.about == "population"


def test_values_are_read_as_the_tables_are():
    schema = cl.Schema(quasi_identifiers={"town": "category", "born": cl.Dates()}, missing=["n/a"])
    table = cl.Table(pl.DataFrame({"town": ["León", "n/a"], "born": ["2001-05-12", "2001-05-13"]}), schema)
    town = pl.DataFrame({"town": [" León", "León", "n/a", None], "born": ["12/05/2001"] * 2 + ["13/05/2001"] * 2})
    assert fitting(table, town).people.tolist() == [2, 2]


def test_a_column_that_the_population_lacks():
    with pytest.raises(cl.ColumnNotFoundError, match="'age' is not a column of the population") as error:
        journalist(study(age=[30]), population=pl.DataFrame({"ages": [30]}))
    assert error.value.hint == "did you mean 'ages'?"
    assert "k_map" not in str(error.value)


def test_classes_alone_fit_nobody():
    with pytest.raises(cl.InputError, match="classes alone"):
        journalist(cl.Classes([0]), population=pl.DataFrame({"age": [30]}))


def test_an_empty_table_has_no_figure():
    assert journalist(cl.Classes([])).to_dict() == {"max": None, "mean": None, "share_at_risk": None}
    empty = cl.Table(
        pl.DataFrame({"age": pl.Series([], dtype=pl.Int64)}), cl.Schema(quasi_identifiers={"age": "number"})
    )
    assert journalist(empty, population=pl.DataFrame({"age": [30]})).max is None


def test_without_quasi_identifiers_everybody_fits():
    table = cl.Table(pl.DataFrame({"age": [30, 31]}), cl.Schema())
    assert journalist(table, population=pl.DataFrame({"age": [1] * 8})).max == 1 / 8


@pytest.mark.parametrize("threshold", [0, 1.5, "x"])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(cl.OptionError, match="threshold"):
        journalist(cl.Classes([0]), threshold)


def test_something_else_is_refused():
    with pytest.raises(cl.InputError, match="needs a Table"):
        journalist("data.csv", population=pl.DataFrame({"age": [30]}))
