from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.data.masked import MaskedTable
from celosia.data.recode import recode
from celosia.jobs.tables import release_of
from celosia.measure.risk.matches import matches
from celosia.measure.risk.prosecutor import prosecutor

cells = st.one_of(st.none(), st.integers(0, 3))
thresholds = st.fractions("1/9", 1)


@st.composite
def rows_of(draw, max_rows=14):
    n_columns = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[cells] * n_columns), min_size=1, max_size=max_rows))


def table_of(rows, kind="number"):
    names = [f"c{place}" for place in range(len(rows[0]))]
    frame = pl.DataFrame({n: pl.Series([row[at] for row in rows], dtype=pl.Int64) for at, n in enumerate(names)})
    return cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(names, kind)))


def n_matching(rows, is_open=lambda cell: cell is None):
    """How many rows agree with each one in every column where both are known."""
    return [
        sum(all(a == b or is_open(a) or is_open(b) for a, b in zip(row, other, strict=True)) for other in rows)
        for row in rows
    ]


def figures(counts, threshold):
    risks = [Fraction(1, n) for n in counts]
    return {
        "max": float(max(risks)),
        "mean": float(sum(risks) / len(risks)),
        "share_at_risk": float(Fraction(sum(risk > threshold for risk in risks), len(risks))),
        "smallest": min(counts),
    }


@given(rows_of(), thresholds, st.sampled_from(["number", "category"]))
def test_against_the_definition(rows, threshold, kind):
    found = matches(table_of(rows, kind), threshold)
    counts = n_matching(rows)
    assert found.counts.tolist() == counts
    assert found.to_dict() == {
        "own": prosecutor(table_of(rows), threshold).to_dict(),
        "wildcard": figures(counts, threshold),
        "n_rows_with_missing": sum(None in row for row in rows),
    }


@given(rows_of())
def test_the_wildcard_reading_is_the_optimistic_one(rows):
    found = matches(table_of(rows))
    assert found.wildcard is not None
    assert found.wildcard.max <= found.own.max
    assert found.wildcard.mean <= found.own.mean
    assert found.wildcard.share_at_risk <= found.own.share_at_risk


def test_matching_is_not_transitive():
    found = matches(table_of([(40, 1), (44, 1), (None, 1)]))
    assert found.counts.tolist() == [2, 2, 3]
    assert (found.own.max, found.wildcard.max, found.wildcard.smallest) == (1.0, 0.5, 2)


def test_a_threshold_is_compared_exactly():
    found = matches(table_of([(1, None)] * 5), "0.2")
    assert found.wildcard.share_at_risk == 0.0
    assert matches(table_of([(1, None)] * 4), "0.2").wildcard.share_at_risk == 1.0


def test_values_that_the_hierarchy_does_not_know_are_known():
    order = cl.Order(["pass", "fail"], on_missing="suppress")
    frame = pl.DataFrame({"mark": ["pass", "absent", "absent", "late", None, "fail"]})
    found = matches(cl.Table(frame, cl.Schema(quasi_identifiers={"mark": order})))
    assert found.counts.tolist() == [2, 3, 3, 2, 6, 2]
    assert found.n_rows_with_missing == 1


@tries(50)
@given(rows_of(), st.integers(2, 3))
def test_in_a_release_stars_count_as_missing(rows, k):
    table = table_of(rows, "category")
    try:
        release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Mondrian(), keep_order=True, seed=1).run(table)
    except cl.UnreachableError:
        return
    published = list(release.rows.iter_rows())
    counts = n_matching(published, lambda cell: cell in (None, "*"))
    found = matches(release)
    assert found.counts.tolist() == counts
    assert found.n_rows_with_missing == sum(None in row or "*" in row for row in published)
    assert found.own == prosecutor(release)


def test_a_code_hidden_to_its_last_character_is_open():
    schema = cl.Schema(quasi_identifiers={"postcode": cl.Prefix(keep=[2])})
    table = cl.Table(pl.DataFrame({"postcode": ["37003", "37005", "28108", "50011"]}), schema)
    recoding = recode(table, cl.Classes([0, 0, 1, 1]))
    release = release_of(cl.Plan([cl.KAnonymity(2)]), MaskedTable.unmasked(table), recoding, np.arange(4))
    assert release.recoding.frame()["postcode"].to_list() == ["37***", "37***", "*****", "*****"]
    assert matches(release).counts.tolist() == [4, 4, 4, 4]


def test_suppressed_rows_match_nobody():
    table = table_of([(1, 1), (1, 1), (1, None), (1, None), (9, 9)])
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Lattice(), max_suppression=0.2, seed=1)
    release = plan.run(table)
    assert release.classes.n_suppressed == 1
    found = matches(release)
    assert found.counts.tolist() == [4, 4, 4, 4, 0]
    assert (found.wildcard.smallest, found.n_rows_with_missing) == (4, 2)


def people(who, ages):
    frame = pl.DataFrame({"who": who, "age": ages})
    return cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))


@given(rows_of(), st.lists(st.sampled_from(["p", "q", "r", None]), min_size=14, max_size=14), thresholds)
def test_people_with_several_rows_count_once(rows, names, threshold):
    who = names[: len(rows)]
    plain = table_of(rows)
    schema = cl.Schema(quasi_identifiers=plain.schema.quasi_identifiers, subject="who")
    table = cl.Table(plain.frame.with_columns(who=pl.Series(who, dtype=pl.String)), schema)
    counts = [
        len(
            {
                name
                for other, name in zip(rows, who, strict=True)
                if all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))
            }
        )
        for row in rows
    ]
    found = matches(table, threshold)
    assert found.counts.tolist() == counts
    assert found.wildcard.to_dict() == figures(counts, threshold)
    assert found.own == prosecutor(table, threshold)


def test_people_with_one_row_each_are_rows():
    assert matches(people(["a", "b", "c"], [40, None, 44])).counts.tolist() == [2, 3, 2]


def test_where_nothing_is_missing_both_readings_are_one():
    found = matches(people(["a", "a", "b", "c"], [40, 40, 40, 44]))
    assert found.counts.tolist() == [2, 2, 2, 1]
    assert found.wildcard.max == found.own.max == 1.0
    assert found.wildcard.mean == found.own.mean == float(Fraction(5, 8))


def test_without_quasi_identifiers_everybody_matches():
    assert matches(cl.Table(pl.DataFrame({"age": [1, None]}), cl.Schema())).counts.tolist() == [2, 2]


def test_an_empty_table_has_no_figure():
    empty = pl.DataFrame({"age": pl.Series([], dtype=pl.Int64)})
    found = matches(cl.Table(empty, cl.Schema(quasi_identifiers={"age": "number"})))
    assert (found.wildcard, found.own.max, found.n_rows_with_missing, len(found.counts)) == (None, None, 0, 0)


def test_what_is_printed_holds_no_row():
    found = matches(table_of([(1, None), (1, 2)]))
    json.dumps(found.to_dict())
    assert "counts" not in found.to_dict()
    assert "array" not in repr(found)


@pytest.mark.parametrize("source", [cl.Classes([0, 0])])
def test_classes_have_no_cells(source):
    with pytest.raises(cl.InputError, match="need a Table or a Release"):
        matches(source)


def test_wrong_input():
    with pytest.raises(cl.OptionError, match="threshold"):
        matches(table_of([(1,)]), 0)
    with pytest.raises(cl.InputError, match="needs a Table"):
        matches("data.csv")


def test_a_thousand_rows_against_plain_numpy():
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 4, (1000, 3))
    found = matches(table_of([tuple(None if cell < 0 else cell for cell in row) for row in codes.tolist()]))
    agree = (codes[:, None] == codes[None]) | (codes[:, None] < 0) | (codes[None] < 0)
    assert found.counts.tolist() == agree.all(axis=2).sum(axis=1).tolist()
