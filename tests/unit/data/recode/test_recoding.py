from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Style
from celosia.data.recode import recode


def published(values, kind, labels, style=Style(), column="x"):
    table = cl.Table(pl.DataFrame({"x": values}), cl.Schema(quasi_identifiers={"x": kind}))
    return recode(table, Classes(labels), style).frame()[column].to_list()


def test_ranges_sets_and_single_values():
    assert published([5, 8, 10, 10], "number", [0, 0, 1, 1]) == ["[5, 8]", "[5, 8]", "10", "10"]
    assert published(["physics", "law", "law"], "category", [0, 0, 1]) == ["law / physics", "law / physics", "law"]


def test_dash_and_decimal_comma():
    assert published([5, 8], "number", [0, 0], Style(ranges="dash")) == ["5-8", "5-8"]
    assert published([-5, -2], "number", [0, 0], Style(ranges="dash")) == ["-5--2", "-5--2"]
    assert published([5.5, 8.0], "number", [0, 0], Style(decimal=",")) == ["[5,5; 8]", "[5,5; 8]"]


def test_pairs():
    table = cl.Table(
        pl.DataFrame({"x": [5, 8, None, None, None, 3]}), cl.Schema(quasi_identifiers={"x": cl.Number(publish="pair")})
    )
    frame = recode(table, Classes([0, 0, 1, 1, 2, 2])).frame()
    assert frame.columns == ["x_lo", "x_hi"]
    assert frame["x_lo"].to_list() == ["5", "5", None, None, "*", "*"]
    assert frame["x_hi"].to_list() == ["8", "8", None, None, "*", "*"]


def test_a_pair_does_not_hide_another_column():
    schema = cl.Schema(quasi_identifiers={"x": cl.Number(publish="pair")}, insensitive=["x_lo"])
    table = cl.Table(pl.DataFrame({"x": [5, 8], "x_lo": ["a", "b"]}), schema)
    with pytest.raises(cl.InputError, match="name of another column"):
        recode(table, Classes([0, 0])).frame()


def test_centroids():
    assert published([1, 2, 6], cl.Number(publish="centroid"), [0, 0, 0]) == ["3", "3", "3"]
    mode = cl.Category(publish="centroid")
    assert published(["b", "a", "a", "c"], mode, [0, 0, 0, 1]) == ["a", "a", "a", "c"]
    assert published(["b", "a"], mode, [0, 0]) == ["a", "a"]
    assert published(["b", None], mode, [0, 0]) == ["*", "*"]


@pytest.mark.parametrize(
    ("grid", "values", "text"),
    [(5, [6, 7], "[5, 10]"), (5, [5, 10], "[5, 10]"), (0.1, [0.3, 0.35], "[0.3, 0.4]"), (2, [-3, -1], "[-4, 0]")],
)
def test_snapping_moves_ends_outwards(grid, values, text):
    assert published(values, cl.Number(grid=grid), [0, 0]) == [text, text]


def test_snapping_can_make_two_classes_one():
    table = cl.Table(pl.DataFrame({"x": [6, 7, 8, 9]}), cl.Schema(quasi_identifiers={"x": cl.Number(grid=5)}))
    made = recode(table, Classes([0, 0, 1, 1]))
    assert made.classes.labels.tolist() == [0, 0, 0, 0]
    assert cl.utility.gcp(table, made) == 1.0


def test_the_loss_of_a_snapped_range_is_cut_to_the_data():
    table = cl.Table(pl.DataFrame({"x": [6, 7, 16]}), cl.Schema(quasi_identifiers={"x": cl.Number(grid=5)}))
    assert cl.utility.ncp(table, [0, 0, 1]).tolist() == pytest.approx([0.4, 0.4, 0.1])


def test_missing_alone_and_mixed():
    assert published([None, None, 3, None], "number", [0, 0, 1, 1]) == [None, None, "*", "*"]
    assert published([None, "a"], "category", [0, 0]) == ["*", "*"]
    assert published([None, "37003"], cl.Prefix(keep=[2]), [0, 0]) == ["*", "*"]


def test_the_agency_notes_postcodes_and_ages():
    codes = cl.Prefix(keep=[4, 3, 2, 1])
    assert published(["37003", "37891", "24700", "24700"], codes, [0, 0, 1, 1]) == ["37***", "37***", "24700", "24700"]
    assert published(["37003", "24700"], codes, [0, 0]) == ["*****", "*****"]
    assert published([40, 44], cl.Intervals(width=10), [0, 0]) == ["[40, 49]", "[40, 49]"]


def test_suppressed_rows_are_gone():
    assert published([1, 2, 9], "number", [0, 0, -1]) == ["[1, 2]", "[1, 2]"]


def test_identifiers_are_gone_and_columns_keep_their_order():
    roles = {"identifiers": ["dni"], "sensitive": ["ill"], "insensitive": ["note"]}
    schema = cl.Schema(quasi_identifiers={"age": "number"}, **roles)
    frame = pl.DataFrame({"note": ["x"], "dni": ["1"], "age": [4], "ill": ["y"]})
    assert recode(cl.Table(frame, schema), Classes([0])).frame().columns == ["note", "age", "ill"]


def test_a_quasi_identifier_that_is_also_the_secret_is_published_once():
    schema = cl.Schema(quasi_identifiers={"exam": "number"}, sensitive=["exam"])
    assert recode(cl.Table(pl.DataFrame({"exam": [4, 5]}), schema), Classes([0, 0])).frame().rows() == [
        ("[4, 5]",),
        ("[4, 5]",),
    ]


def test_labels_must_fit_the_table():
    table = cl.Table(pl.DataFrame({"x": [1, 2]}), cl.Schema(quasi_identifiers={"x": "number"}))
    with pytest.raises(cl.InputError, match="3 labels"):
        recode(table, Classes([0, 0, 0]))


@pytest.mark.parametrize("n_values", [1, 2, 61, 62, 63, 64, 200])
def test_sets_of_few_and_of_many_values(n_values):
    """A class is published as the sorted set of its values, \"*\" where some are missing, nothing where all are."""
    draws = np.random.default_rng(n_values)
    names = [f"v{code:03}" for code in range(n_values)]
    values = [*names, *([names[code] for code in draws.integers(0, n_values, 300)]), *([None] * 20)]
    labels = draws.integers(0, 60, len(values))
    labels[:n_values][draws.random(n_values) < 0.1] = -1
    labels[-3:] = 99
    expected = []
    for label in labels[labels >= 0]:
        held = [value for value, own in zip(values, labels, strict=True) if own == label]
        known = sorted({value for value in held if value is not None})
        expected.append("*" if None in held and known else " / ".join(known) or None)
    assert published(values, "category", labels) == expected


def test_rows_in_any_order():
    frame = pl.DataFrame({"age": [40, 44, 37, 39], "ill": ["S", "N", "S", "N"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    made = recode(table, Classes([0, 0, -1, 1]))
    assert made.frame(np.array([3, 0])).rows() == [("39", "N"), ("[40, 44]", "S")]
    assert made.frame().rows() == [("[40, 44]", "S"), ("[40, 44]", "N"), ("39", "N")]
