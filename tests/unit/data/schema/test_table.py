from __future__ import annotations

import datetime as dt

import pandas as pd
import polars as pl
import pytest

import celosia as cl


def table(values, kind="category", **options):
    return cl.Table(pl.DataFrame({"x": values}), cl.Schema(quasi_identifiers={"x": kind}, **options))


def only(made):
    return made.quasi_identifiers[0]


def test_blanks_are_trimmed_and_counted():
    made = table(["José ", "José", " Amparo", None])
    assert list(only(made).domain.values) == ["Amparo", "José"]
    assert dict(made.n_trimmed) == {"x": 2}


def test_two_spellings_of_one_letter_are_one_value():
    assert len(only(table(["Jose\u0301", "Jos\u00e9"])).domain.values) == 1


def test_leading_zeros_and_na_survive():
    assert list(only(table(["01001", "n/a", "1001"])).domain.values) == ["01001", "1001", "n/a"]


def test_declared_texts_and_empty_cells_are_missing():
    assert only(table(["n/a", "", "  ", "a"], missing=["n/a"])).codes.tolist() == [-1, -1, -1, 0]


def test_numbers_of_any_spelling_are_equal():
    made = only(table(["40", "40.0", "4e1", "3,5"], "number"))
    assert made.codes.tolist() == [1, 1, 1, 0]


def test_numbers_in_a_category_have_no_decimal_point():
    assert list(only(table([1.0, 2.5, None])).domain.values) == ["1", "2.5"]


def test_not_a_number_is_missing():
    assert only(table([float("nan"), 1.0], "number")).codes.tolist() == [-1, 0]


def test_a_wrong_number_names_column_count_and_row_but_no_value():
    with pytest.raises(cl.InputError) as caught:
        _ = table(["4", "canary", "5", "canary2"], "number").quasi_identifiers
    assert "'x'" in str(caught.value)
    assert "2 of its 4" in str(caught.value)
    assert "data row 2" in str(caught.value)
    assert "canary" not in str(caught.value)


def test_infinite_numbers_are_refused():
    with pytest.raises(cl.InputError, match="infinite"):
        _ = table([1.0, float("inf")], "number").quasi_identifiers


@pytest.mark.parametrize("text", ["2020-03-14", "14/03/2020", "14-03-2020", "14.03.2020", "2020/03/14", "20200314"])
def test_dates_in_usual_spellings(text):
    assert only(table([text], "dates")).domain.values[0] == dt.date(2020, 3, 14)


def test_days_come_before_months_where_both_fit():
    assert only(table(["02/03/2020", "04/03/2020"], "dates")).domain.values[0] == dt.date(2020, 3, 2)
    assert only(table(["02/13/2020", "04/03/2020"], "dates")).domain.values[0] == dt.date(2020, 2, 13)


def test_what_is_no_date_is_refused_without_its_text():
    with pytest.raises(cl.InputError, match="data row 2") as caught:
        _ = table(["2020-01-01", "canary"], "dates").quasi_identifiers
    assert "canary" not in str(caught.value)


def test_pandas_categories_that_no_row_has_are_gone():
    column = pd.Categorical(["a", "b"], categories=["a", "b", "canary"])
    made = cl.Table(pd.DataFrame({"x": column}), cl.Schema(quasi_identifiers={"x": "category"}))
    assert list(only(made).domain.values) == ["a", "b"]
    assert made.kind == "pandas"


def test_subjects_without_a_name_count_as_one():
    frame = pl.DataFrame({"who": ["a", None, None, "a"], "x": [1, 2, 3, 4]})
    made = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}, subject="who"))
    assert made.n_units == 2


def test_values_unknown_to_the_tree_are_refused_or_suppressed():
    rows = [("a", "*"), ("b", "*")]
    with pytest.raises(cl.HierarchyError):
        _ = table(["a", "c"], cl.Tree(rows)).quasi_identifiers
    made = table(["a", "c", None, "b"], cl.Tree(rows, on_missing="suppress"))
    assert made.unplaced.tolist() == [False, True, False, False]


def test_the_frame_given_is_not_changed():
    frame = pl.DataFrame({"x": [" a "]})
    cl.Table(frame, cl.Schema(quasi_identifiers={"x": "category"}))
    assert frame["x"].to_list() == [" a "]
