"""What kind of recoding a table shows, against a plain reading of the published texts."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from by_levels import n_levels, recode_by_levels
from hypothesis import given
from hypothesis import strategies as st
from tables import cases

import celosia as cl
from celosia.data.classes import Classes
from celosia.data.hierarchies import ancestors_of
from celosia.data.hierarchies.domains import Bag, Levels, Style
from celosia.data.recode import Extents, Scope, recode, scope_of, scope_of_texts

FULL, VALUE, CELL = "full-domain", "value-global", "cell-local"


def plain_paths(column):
    """Per value its texts from the value itself up to the top; two texts for a column without hierarchy."""
    domain = column.domain
    if isinstance(domain, Levels):
        return {code: [text, *above] for code, (text, above) in enumerate(ancestors_of(domain).items())}
    if isinstance(domain, Bag):
        return {code: [text, "*"] for code, text in enumerate(domain.values)}
    return {code: [domain.spell(code, code, Style()), "*"] for code in range(len(domain.values))}


def plain_reach(column, rows, texts, levels=None):
    """Classify original row numbers and their published texts by sets; ``levels`` are made-up ones, per row."""
    paths = plain_paths(column)
    tops = {"*"} | {path[-1] for path in paths.values()}
    ways = defaultdict(set)
    for row, text in zip(rows, texts, strict=True):
        ways[int(column.codes[row])].add("*" if text in tops else text)
    if any(len(own) > 1 for own in ways.values()):
        return CELL
    way = {code: next(iter(own)) for code, own in ways.items()}
    if len(set(way.values())) <= 1:
        return FULL
    height = len(next(iter(paths.values()), ["*"]))
    for level in range(height):
        is_top = level == height - 1
        if all(
            text
            == (("*" if is_top else None) if code == -1 else "*" if paths[code][level] in tops else paths[code][level])
            for code, text in way.items()
        ):
            return FULL
    if levels is not None and not isinstance(column.domain, Levels):
        on = {levels[row] for row, text in zip(rows, texts, strict=True) if text is not None}
        if len(on) == 1 and not (way.get(-1, 0) is None and "*" in way.values()):
            return FULL
    return VALUE


def published(recoding):
    rows = np.flatnonzero(recoding.searched.labels >= 0)
    return rows, recoding.frame()


def expected(recoding, levels=None):
    rows, frame = published(recoding)
    return {
        column.name: plain_reach(column, rows, frame[column.name].to_list(), levels and levels[column.name])
        for column in recoding.table.quasi_identifiers
    }


@given(case=cases(subjects=False), data=st.data())
def test_the_narrowest_recoding_by_its_plain_definition(case, data):
    n_classes = data.draw(st.integers(1, 4))
    labels = data.draw(st.lists(st.integers(-1, n_classes), min_size=case.n_rows, max_size=case.n_rows))
    recoding = recode(case.table(), Classes(labels))
    found = scope_of(recoding)
    assert found.columns == expected(recoding)
    assert found.table == max(found.columns.values(), key=[FULL, VALUE, CELL].index)


@given(case=cases(subjects=False), data=st.data())
def test_classes_of_equal_values_and_of_neighbours(case, data):
    """Labels that follow the values of one column give what random ones rarely do: value-global and full-domain."""
    table = case.table()
    column = data.draw(st.sampled_from(table.quasi_identifiers))
    step = data.draw(st.integers(1, 3))
    gone = data.draw(st.lists(st.booleans(), min_size=case.n_rows, max_size=case.n_rows))
    recoding = recode(table, Classes(np.where(gone, -1, column.codes.astype(np.int64) // step + 1)))
    assert scope_of(recoding).columns == expected(recoding)


@given(case=cases(subjects=False), data=st.data())
def test_recoding_by_levels(case, data):
    """One level per column is full-domain; a level per part of the rows is what the texts say."""
    table = case.table()
    rows = st.lists(st.integers(0, 1), min_size=case.n_rows, max_size=case.n_rows)
    part, gone = data.draw(rows), data.draw(st.lists(st.booleans(), min_size=case.n_rows, max_size=case.n_rows))
    levels = {}
    for column in table.quasi_identifiers:
        choice = st.integers(0, n_levels(column) - 1)
        first = data.draw(choice)
        other = data.draw(st.one_of(st.just(first), choice))
        levels[column.name] = [other if own else first for own in part]
    recoding = recode_by_levels(table, levels, gone)
    found = scope_of(recoding)
    assert found.columns == expected(recoding, levels)
    alike = {name for name, own in levels.items() if len(set(own)) == 1}
    assert all(found.columns[name] == FULL for name in alike)


@given(case=cases(subjects=False), data=st.data())
def test_a_written_file_tells_the_same(case, data):
    table = case.table()
    labels = data.draw(st.lists(st.integers(-1, 4), min_size=case.n_rows, max_size=case.n_rows))
    decimal = data.draw(st.sampled_from([".", ","]))
    style = Style(ranges=data.draw(st.sampled_from(["bracket", "dash"])), decimal=decimal)
    recoding = recode(table, Classes(labels), style)
    rows = np.random.default_rng(len(labels)).permutation(np.flatnonzero(recoding.searched.labels >= 0))
    frame = recoding.frame(rows)
    read = scope_of_texts(
        table.quasi_identifiers, [frame[column.name] for column in table.quasi_identifiers], rows, decimal
    )
    assert read == scope_of(recoding)


def column_of(values, kind):
    return cl.Table(pl.DataFrame({"x": values}), cl.Schema(quasi_identifiers={"x": kind}))


def reach(values, kind, labels):
    return scope_of(recode(column_of(values, kind), Classes(labels))).table


def test_the_three_answers():
    codes = cl.Prefix(keep=[2])
    assert reach(["37003", "37891", "24700", "24701"], codes, [0, 0, 1, 1]) == FULL
    assert reach(["37003", "37891", "24700", "24700"], codes, [0, 0, 1, 1]) == VALUE
    assert reach(["37003", "37891", "37003", "37003"], codes, [0, 0, 1, 1]) == CELL
    assert reach([5, 5, 9, 9], "number", [0, 0, 1, 1]) == FULL
    assert reach([5, 6, 9, 9], "number", [0, 0, 1, 1]) == VALUE
    assert reach([5, 6, 6, 9], "number", [0, 0, 1, 1]) == CELL
    assert reach([5, 6, 6, 9], "number", [0, 0, 0, 0]) == FULL
    assert reach(["a", "b", "b", "c"], "category", [0, 0, 1, 1]) == CELL


def test_missing_values_go_with_every_level_but_the_top():
    assert reach([5, 5, None, None], "number", [0, 0, 1, 1]) == FULL
    assert reach([5, 6, None, None], "number", [0, 0, 1, 1]) == VALUE
    assert reach([5, None, 6, 6], "number", [0, 0, 1, 1]) == VALUE
    assert reach([5, None, None, None], "number", [0, 0, 1, 1]) == CELL
    codes = cl.Prefix(keep=[2])
    assert reach(["37003", "37891", None], codes, [0, 0, 1]) == FULL
    assert reach(["37003", "24700", None], codes, [0, 0, 1]) == VALUE
    assert reach([None, None], codes, [0, 1]) == FULL


def test_missing_values_and_levels_that_a_search_chose():
    """Of [1, 2, missing] on levels: the value, pairs of neighbours, ``*``."""
    table = column_of([1, 2, 8, None], "number")
    for levels, texts, answer in (
        ([1, 1, 1, 0], ["[1, 2]", "[1, 2]", "8", None], FULL),
        ([1, 1, 0, 0], ["[1, 2]", "[1, 2]", "8", None], VALUE),
        ([0, 0, 0, 2], ["1", "2", "8", "*"], VALUE),
        ([2, 2, 2, 2], ["*", "*", "*", "*"], FULL),
        ([2, 2, 2, 0], ["*", "*", "*", None], VALUE),
    ):
        recoding = recode_by_levels(table, {"x": levels})
        assert recoding.frame()["x"].to_list() == texts
        assert scope_of(recoding).table == answer
    codes = column_of(["37003", "24700", None], cl.Prefix(keep=[2]))
    assert scope_of(recode_by_levels(codes, {"x": [1, 1, 2]})).table == VALUE
    assert scope_of(recode_by_levels(codes, {"x": [1, 1, 0]})).table == FULL


def test_the_top_is_one_way_however_it_is_spelt():
    """Classes with a missing value publish ``*``, others ``*****``: both say nothing."""
    values = ["37003", "24700", "37003", None]
    recoding = recode(column_of(values, cl.Prefix(keep=[2])), Classes([0, 0, 1, 1]))
    assert recoding.frame()["x"].to_list() == ["*****", "*****", "*", "*"]
    assert scope_of(recoding).table == FULL


def test_a_label_that_repeats_stands_on_both_its_levels():
    tree = cl.Tree([["nurse", "nurse", "health", "*"], ["judge", "law", "law", "*"], ["clerk", "law", "law", "*"]])
    values = ["nurse", "nurse", "judge", "clerk"]
    assert reach(values, tree, [0, 0, 1, 1]) == FULL  # nurse and law are both labels of level 1
    deeper = [*values, "cook", "baker"]
    rows = [
        ["nurse", "care", "health", "*"],
        *tree.rows[1:],
        ["cook", "food", "food", "*"],
        ["baker", "x", "food", "*"],
    ]
    assert reach(deeper, cl.Tree(rows), [0, 0, 1, 1, 2, 2]) == VALUE


def test_pairs_grids_and_centroids():
    assert reach([5, 5, 9, 9], cl.Number(publish="pair"), [0, 0, 1, 1]) == FULL
    assert reach([5, 6, 6, 9], cl.Number(publish="pair"), [0, 0, 1, 1]) == CELL
    assert reach([5, 5, 10, 10], cl.Number(grid=5), [0, 0, 1, 1]) == FULL
    assert reach([5, 5, 9, 9], cl.Number(grid=5), [0, 0, 1, 1]) == VALUE
    assert reach([5, 6, 7, 8], cl.Number(grid=10), [0, 0, 1, 1]) == FULL
    halves = recode(column_of([2.5, 3.5], cl.Number(grid=0.5)), Classes([0, 1]), Style(decimal=","))
    assert (halves.frame()["x"].to_list(), scope_of(halves).table) == (["2,5", "3,5"], FULL)
    assert reach([1, 3, 2, 2], cl.Number(publish="centroid"), [0, 0, 1, 1]) == FULL
    assert reach([1, 3, 4, 4], cl.Number(publish="centroid"), [0, 0, 1, 1]) == VALUE


def test_a_table_is_as_local_as_its_most_local_column():
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 2, 3], "c": [1, 2, 4, 4]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys("abc", "number")))
    found = scope_of(recode(table, Classes([0, 0, 1, 1])))
    assert found.to_dict() == {"scope": CELL, "columns": {"a": FULL, "b": CELL, "c": VALUE}}
    assert Scope.of({}).table == FULL


def test_a_quasi_identifier_that_is_kept_is_on_its_lowest_level():
    frame = pl.DataFrame({"a": [1, 2, 1, 2], "ill": ["x", "y", "x", "y"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "number", "ill": "category"}))
    assert scope_of(recode(table, Classes([0, 0, 0, 0]), kept="ill")).columns == {"a": FULL, "ill": FULL}


def test_levels_that_the_search_made_up_are_believed():
    table = column_of([1, 2, 3, 4], "number")
    ends = np.array([[0, 2], [1, 3]], dtype=np.int32)
    no = np.zeros(2, dtype=np.bool_)
    for level, answer in (([1, 1], FULL), ([1, 2], VALUE), (None, VALUE)):
        own = None if level is None else np.array(level, dtype=np.int32)
        extents = {"x": Extents(ends[0], ends[1], no, no, own)}
        assert scope_of(recode(table, Classes([0, 0, 1, 1]), extents=extents)).table == answer


@pytest.mark.parametrize(
    ("texts", "decimal", "answer"),
    [
        (["40 - 49", "[40, 49]", "30-39", "[30, 40)"], ".", FULL),
        (["40 - 49", "44", "30-39", "30-39"], ".", VALUE),
        (["[40; 49]", "[40; 49]", "37", "[30; 39]"], ",", CELL),
        (["40", "44", "37", "37"], ",", FULL),
        (["*", "*", "*", "*"], ".", FULL),
        (["forty", "44", "37", "37"], ".", VALUE),
        ([None, "44", "37", "37"], ".", VALUE),
    ],
)
def test_files_of_others_are_read(texts, decimal, answer):
    table = column_of([40, 44, 37, 37], cl.Intervals(width=10))
    cells = [pl.Series(texts, dtype=pl.String)]
    assert scope_of_texts(table.quasi_identifiers, cells, np.arange(4), decimal).table == answer


def test_values_that_no_hierarchy_knows_have_no_level():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    table = column_of(["a", "b", "z"], tree)
    for texts, answer in ((["a", "b", "z"], VALUE), (["*", "*", "*"], FULL)):
        assert scope_of_texts(table.quasi_identifiers, [pl.Series(texts)], np.arange(3)).table == answer


def test_ranges_of_the_plan_keep_their_point_in_files_with_decimal_commas():
    table = column_of([1.5, 2.5, 7.0], cl.Intervals(ranges=["[0, 2.25)", "[2.25, 6)", ">=6"]))
    texts = pl.Series(["[0, 2.25)", "[2.25, 6)", ">=6"])
    assert scope_of_texts(table.quasi_identifiers, [texts], np.arange(3), ",").table == FULL
