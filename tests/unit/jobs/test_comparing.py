from __future__ import annotations

import polars as pl
import pytest

import celosia as cl

TABLE_1 = {
    "participation": [6, 10, 5, 4, 5, 5, 4, 5, 5],
    "exam": [8, 3, 6, 4, 7, 6, 4, 7, 6],
    "practicals": [5, 5, 8, 10, 9, 8, 10, 9, 6],
    "year": [2022, 2021, 2022, 2020, 2018, 2022, 2020, 2018, 2022],
    "lecturer": ["Jana Doe"] * 3 + ["John Doe"] * 3 + ["Richard Roe"] * 3,
}
KINDS = dict.fromkeys(("participation", "exam", "practicals", "year"), "number") | {"lecturer": "category"}
TABLE_2 = [("5-10", "3-8", "5-8", "2021-2022", "Jana Doe")] * 3 + [
    *[("4-5", "4-7", "8-10", "2022-2020", "John Doe")] * 3,
    *[("4-5", "4-7", "6-10", "2022-2020", "Richard Roe")] * 3,
]
BOTH = "Jana Doe / Richard Roe"
TABLE_3 = [
    *[("5-10", "3-8", "5-6", "2021-2022", BOTH)] * 2,
    ("4-5", "4-7", "8-10", "2018-2022", BOTH),
    *[("4-5", "6-4", "8-10", "2018-2022", "John Doe")] * 3,
    *[("4-5", "4-7", "8-10", "2018-2022", BOTH)] * 2,
    ("5-10", "3-8", "5-6", "2021-2022", BOTH),
]


def original(kinds=KINDS, columns=TABLE_1, **roles):
    return cl.Table(pl.DataFrame(columns), cl.Schema(quasi_identifiers=kinds, **roles))


def released(rows, mend=None):
    mended = [[cell.replace(*mend) if mend else cell for cell in row] for row in rows]
    return pl.DataFrame(mended, schema=list(TABLE_1), orient="row")


@pytest.mark.parametrize("order", [None, list(range(9))])
@pytest.mark.parametrize(
    ("rows", "turned", "right", "gcp"),
    [
        (TABLE_2, ("2022-2020", "2020-2022"), ("2022-2020", "2018-2022"), 89 / 180),
        (TABLE_3, ("6-4", "4-6"), ("6-4", "4-7"), 457 / 900),
    ],
)
def test_the_papers_tables_are_untrue_as_printed_and_true_when_mended(rows, turned, right, gcp, order):
    printed = cl.compare(original(), released(rows), order=order)
    assert printed.truthful is False
    assert printed.gcp is None
    assert "reversed" in printed.reason
    assert cl.compare(original(), released(rows, turned), order=order).truthful is False
    mended = cl.compare(original(), released(rows, right), order=order)
    assert mended.truthful is True
    assert mended.gcp == pytest.approx(gcp)
    assert mended.figures["k"] == 3


@pytest.mark.parametrize("kind", [cl.Number(publish="centroid"), "number"])
def test_centroids_are_declared_and_their_loss_cannot_be_read(kind):
    table = original({"exam": kind}, {"exam": [1, 2, 8, 9]})
    release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    found = cl.compare(table, release.frame, models=[cl.KAnonymity(2)])
    assert found.truthful is True
    assert found.holds
    assert found.gcp == (None if kind != "number" else pytest.approx(release.loss.gcp))


def test_a_secret_that_changed_hands_is_seen_row_by_row():
    table = original({"x": "number"}, {"x": [1, 1, 2, 2], "ill": ["a", "b", "c", "d"]}, sensitive=["ill"])
    published = pl.DataFrame({"x": ["1", "1", "2", "2"], "ill": ["c", "b", "a", "d"]})
    assert cl.compare(table, published, order=[0, 1, 2, 3]).truthful is False
    assert cl.compare(table, published).truthful is False


def test_a_demanded_model_that_fails_is_said():
    table = original({"x": "number"}, {"x": [1, 1, 2]})
    found = cl.compare(table, pl.DataFrame({"x": ["1", "1", "2"]}), models=[cl.KAnonymity(2)])
    assert found.truthful is True
    assert not found.holds
    assert found.to_dict()["models"][0]["holds"] is False


def test_blank_cells_that_hide_known_values_are_lost():
    table = original({"x": "number"}, {"x": [1, 2, None, 4]})
    found = cl.compare(table, pl.DataFrame({"x": [None, None, None, "4"]}, schema={"x": pl.String}))
    assert found.gcp == pytest.approx(0.5)
    assert found.truthful is False


def test_an_empty_release_shows_nothing():
    table = original({"x": "number"}, {"x": [1, 2]})
    found = cl.compare(table, pl.DataFrame({"x": []}, schema={"x": pl.String}))
    assert (found.truthful, found.gcp, found.gcp_published, found.figures["k"]) == (None, 1.0, None, None)


def test_more_rows_than_the_original_are_refused():
    with pytest.raises(cl.InputError, match="2 rows, the original 1"):
        cl.compare(original({"x": "number"}, {"x": [1]}), pl.DataFrame({"x": ["1", "1"]}))


def test_a_quasi_identifier_that_is_not_there_is_named():
    with pytest.raises(cl.InputError, match="'x' is not in the release"):
        cl.compare(original({"x": "number"}, {"x": [1]}), pl.DataFrame({"y": ["1"]}))


def test_pairs_are_read_as_ranges():
    table = original({"x": cl.Number(publish="pair")}, {"x": [1, 2, 5, 9]})
    release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    found = cl.compare(table, release.frame)
    assert found.truthful is True
    assert found.gcp == pytest.approx(release.loss.gcp)
