"""Measures of utility on tables small enough to work them out on paper."""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.data.hierarchies.domains import Style
from celosia.data.recode import Extents, recode
from celosia.measure import utility

NOTE = pl.DataFrame(
    {
        "postcode": ["37003", "37003", "28108", "28108", "24700", "24700"],
        "age": [40, 44, 44, 40, 37, 37],
        "cholesterol": ["S", "S", "S", "S", "N", "N"],
    }
)
"""Table 2 of the agency's note; its table 3 publishes provinces and decades."""


def note_table(**hierarchies):
    kinds = {"postcode": cl.Prefix(keep=[4, 3, 2, 1]), "age": cl.Intervals(width=10)} | hierarchies
    return cl.Table(NOTE, cl.Schema(quasi_identifiers=kinds, sensitive=["cholesterol"]))


def one_column(values, kind):
    return cl.Table(pl.DataFrame({"x": values}), cl.Schema(quasi_identifiers={"x": kind}))


def test_the_note_s_global_recoding_in_every_measure():
    """37003 and 28108 stay (their rows share them), ages 40 and 44 become a decade; 24700/37 stays: 2, 2, 2."""
    table, labels = note_table(), [0, 0, 1, 1, 2, 2]
    assert utility.discernibility(table, labels) == 3 * 2**2
    assert utility.average_class_size(table, labels, k=2).to_dict() == {"mean": 2.0, "c_avg": 1.0, "k": 2}
    found = utility.precision(table, labels)
    assert found.columns == {"postcode": 1.0, "age": pytest.approx(1 - (4 / 6) * (1 / 2))}
    assert found.precision == pytest.approx((1 + 2 / 3) / 2)
    entropy = utility.non_uniform_entropy(table, labels)
    # Under the decade of the forties lie 4 rows, 2 of each age: 1 bit in 4 cells. All '*' hides log2(3) in every cell.
    assert entropy.bits == pytest.approx(4)
    assert entropy.loss == pytest.approx(4 / (12 * math.log2(3)))
    # The forties hold two ages of the data: 2 in four rows, 1 in two.
    assert utility.ambiguity(table, labels).mean == pytest.approx((4 * 2 + 2 * 1) / 6)
    # p is 1/6 four times and 1/3; each of the four is half of a class of 2 rows: q = (2/6)/2 = 1/6 as well.
    assert utility.kl_divergence(table, labels) == pytest.approx(0, abs=1e-12)


def test_a_class_that_unites_provinces_in_every_measure():
    table, labels = note_table(), [0, 0, 0, 0, 1, -1]
    assert utility.discernibility(table, labels) == 16 + 1 + 6
    assert utility.average_class_size(table, labels).to_dict() == {"mean": 2.5, "c_avg": None, "k": None}
    # postcode: '*' on level 5 of 5 for four rows, 0, suppressed 1; age: level 1 of 2 for four, 0, 1.
    found = utility.precision(table, labels)
    assert found.columns == {"postcode": pytest.approx(1 / 6), "age": pytest.approx(1 - (4 * 0.5 + 1) / 6)}
    # p(37003, 40) = 1/6, and so on; '*' covers 3 postcodes, the forties 2 ages, the suppressed row all 3 x 3.
    mixed, exact = 4 / 6 / 6 + 1 / 6 / 9, 1 / 6 + 1 / 6 / 9
    expected = 4 * 1 / 6 * math.log(1 / 6 / mixed) + 1 / 3 * math.log(1 / 3 / exact)
    assert utility.kl_divergence(table, labels) == pytest.approx(expected)


def test_a_prefix_counts_the_leaves_of_its_hierarchy():
    table = one_column(["37003", "37008", "28108"], cl.Prefix(keep=[2]))
    leaves = table.quasi_identifiers[0].domain
    node = int(leaves.nodes[1][1])
    found = utility.ambiguity(table, [0, 0, 1])
    assert found.mean == pytest.approx((2 * leaves.leaves[node] + 1) / 3)


def test_a_label_on_two_levels_counts_as_the_lower():
    table = one_column(["a", "b", "c"], cl.Tree([["a", "ab", "ab", "*"], ["b", "ab", "ab", "*"], ["c", "c", "d", "*"]]))
    assert utility.precision(table, [0, 0, 1]).precision == pytest.approx(1 - 2 / 3 * 1 / 3)
    # Published on level 2 as 'ab': nobody can tell it from level 1.
    domain = table.quasi_identifiers[0].domain
    node = np.array([domain.nodes[2][0], domain.nodes[2][2]], dtype=np.int32)
    extents = Extents(
        low=np.array([0, 2], dtype=np.int32),
        high=np.array([1, 2], dtype=np.int32),
        missing=np.zeros(2, dtype=np.bool_),
        anything=np.zeros(2, dtype=np.bool_),
        level=np.array([2, 2], dtype=np.int32),
        node=node,
    )
    recoding = recode(table, cl.Classes([0, 0, 1]), extents={"x": extents})
    assert recoding.frame()["x"].to_list() == ["ab", "ab", "d"]
    assert utility.precision(table, recoding).precision == pytest.approx(1 - (2 * 1 / 3 + 2 / 3) / 3)


def test_levels_that_a_search_made_count_in_precision():
    table = one_column([1, 2, 3, 9], "number")
    extents = Extents(
        low=np.array([0, 3], dtype=np.int32),
        high=np.array([2, 3], dtype=np.int32),
        missing=np.zeros(2, dtype=np.bool_),
        anything=np.zeros(2, dtype=np.bool_),
        level=np.array([1, 1], dtype=np.int32),
        n_levels=3,
    )
    recoding = recode(table, cl.Classes([0, 0, 0, 1]), extents={"x": extents})
    assert utility.precision(table, recoding).to_dict() == {"precision": 0.5, "columns": {"x": 0.5}, "skipped": []}
    assert utility.precision(table, [0, 0, 0, 1]).to_dict() == {"precision": None, "columns": {}, "skipped": ["x"]}


def test_what_is_published_decides_not_what_the_class_holds():
    """A search published 1 to 3 for a row that holds 2 alone."""
    table = one_column([1, 2, 3, 9], "number")
    extents = Extents(
        low=np.array([0, 0], dtype=np.int32),
        high=np.array([2, 3], dtype=np.int32),
        missing=np.zeros(2, dtype=np.bool_),
        anything=np.zeros(2, dtype=np.bool_),
    )
    recoding = recode(table, cl.Classes([1, 0, 1, 1]), extents={"x": extents})
    assert utility.ambiguity(table, recoding).mean == pytest.approx((4 + 3 + 4 + 4) / 4)
    assert utility.non_uniform_entropy(table, recoding).bits == pytest.approx(math.log2(3) + 3 * 2)


def test_a_grid_covers_what_its_published_ends_cover():
    table = one_column([0.3, 0.31, 0.35, 0.4, 0.41], cl.Number(grid=0.1))
    labels = [0, 1, 1, 2, 3]
    texts = recode(table, cl.Classes(labels)).frame()["x"].to_list()
    assert texts == ["0.3", "[0.3, 0.4]", "[0.3, 0.4]", "0.4", "[0.4, 0.5]"]
    assert utility.ambiguity(table, labels).mean == pytest.approx((1 + 4 + 4 + 1 + 2) / 5)
    after = utility.statistics(table, labels).columns["x"].after
    assert after.mean == pytest.approx((0.3 + 0.35 + 0.35 + 0.4 + 0.45) / 5)


def test_a_centroid_stands_for_its_class_and_counts_as_itself_in_statistics():
    table = cl.Table(
        pl.DataFrame({"x": [1, 2, 6, 7], "job": ["a", "a", "b", "c"]}),
        cl.Schema(
            quasi_identifiers={"x": cl.Number(publish="centroid"), "job": cl.Category(publish="centroid")},
        ),
    )
    labels = [0, 0, 0, 1]
    assert utility.ambiguity(table, labels).mean == pytest.approx((3 * 3 * 2 + 1) / 4)
    assert utility.statistics(table, labels).columns["x"].after.mean == pytest.approx((3 * 3 + 7) / 4)
    spanish = recode(table, cl.Classes([0, 0, 1, 1]), Style(decimal=","))
    assert utility.statistics(table, spanish).columns["x"].after.mean == pytest.approx((1.5 * 2 + 6.5 * 2) / 4)
    shares = utility.shares(table, labels).columns["job"]
    assert [(share.value, share.after) for share in shares.values] == [("a", 0.75), ("b", 0.0), ("c", 0.25)]


def test_statistics_of_open_ranges_stars_and_secrets():
    table = cl.Table(
        pl.DataFrame({"age": [10, 12, 30, None, 70], "debt": ["1,5", "2,5", "", "4", "9"]}),
        cl.Schema(
            quasi_identifiers={"age": cl.Intervals(ranges=["<20", "20-59", ">=60"])},
            sensitive=["debt"],
        ),
        decimal=",",
    )
    labels = [0, 0, 1, 1, -1]  # <20, then * (a missing age beside a known one)
    found = utility.statistics(table, labels).columns
    assert found["age"].after.n == 2
    assert found["age"].after.mean == pytest.approx((10 + 19) / 2)  # from the lowest age of the data
    assert found["debt"].before.n == 4
    assert (found["debt"].after.n, found["debt"].after.median) == (3, 2.5)
    assert found["debt"].change["mean"] == pytest.approx(abs(8 / 3 - 17 / 4))
    pair = utility.correlations(table, labels).pairs[0]
    assert (pair.first, pair.second, pair.after, pair.change) == ("age", "debt", None, None)
    assert pair.before is not None


def test_shares_of_a_tree_and_a_secret():
    table = cl.Table(
        pl.DataFrame({"job": ["nurse", "judge", "clerk", None], "ill": ["flu", "flu", "cold", None]}),
        cl.Schema(
            quasi_identifiers={"job": cl.Tree([["nurse", "health"], ["judge", "law"], ["clerk", "law"]])},
            sensitive=["ill"],
        ),
    )
    found = utility.shares(table, [-1, 0, 0, 1])
    job = {share.value: (share.before, share.after) for share in found.columns["job"].values}
    assert job == {
        "nurse": (0.25, 0.0),
        "judge": (0.25, pytest.approx(1 / 3)),
        "clerk": (0.25, pytest.approx(1 / 3)),
        None: (0.25, pytest.approx(1 / 3)),
    }
    assert found.columns["job"].total_variation == pytest.approx(0.25)
    ill = {share.value: (share.before, share.after) for share in found.columns["ill"].values}
    third = pytest.approx(1 / 3)
    assert ill == {"cold": (0.25, third), "flu": (0.5, third), None: (0.25, third)}


def test_values_that_a_hierarchy_does_not_know_are_values_too():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    table = one_column(["a", "b", "z", "y", None], tree)
    labels = [0, 1, -1, -1, 2]
    # '*' of a suppressed row: two leaves, two strangers, one missing.
    assert utility.ambiguity(table, labels).mean == pytest.approx((1 + 1 + 5 + 5 + 1) / 5)
    assert utility.non_uniform_entropy(table, labels).bits == pytest.approx(2 * math.log2(5))
    q = {"known": 1 / 5 + 2 / 5 / 5, "strange": 2 / 5 / 5}
    expected = 3 / 5 * math.log(1 / 5 / q["known"]) + 2 / 5 * math.log(1 / 5 / q["strange"])
    assert utility.kl_divergence(table, labels) == pytest.approx(expected)


def test_ambiguity_beyond_floats():
    n_columns = 400
    frame = pl.DataFrame({f"c{place}": [str(value) for value in range(10)] for place in range(n_columns)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "category")))
    found = utility.ambiguity(table, [-1] * 10)
    assert found.log10 == pytest.approx(n_columns)
    assert found.mean == math.inf
    assert found.to_dict()["mean"] == "inf"
    assert utility.kl_divergence(table, [-1] * 10) == pytest.approx(n_columns * math.log(10) - math.log(10))


def test_kl_divergence_in_blocks_is_the_same(monkeypatch):
    random = np.random.default_rng(3)
    frame = pl.DataFrame({"x": random.integers(0, 60, 900), "job": random.choice(list("abcdef"), 900)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number", "job": "category"}))
    labels = random.integers(-1, 300, 900)
    whole = utility.kl_divergence(table, labels)
    monkeypatch.setattr(sys.modules["celosia.measure.utility.kl_divergence"], "_AT_ONCE", 2000)
    assert utility.kl_divergence(table, labels) == pytest.approx(whole)
    rows = list(zip(frame["x"], frame["job"], strict=True))
    q = dict.fromkeys(rows, 0.0)
    for label in np.unique(labels):
        members = [rows[place] for place in np.flatnonzero(labels == label)]
        numbers = sorted({x for x, _ in rows})
        if label >= 0:
            numbers = [x for x in numbers if min(members)[0] <= x <= max(members)[0]]
        jobs = {job for _, job in (members if label >= 0 else rows)}
        for x, job in q:
            if x in numbers and job in jobs:
                q[x, job] += len(members) / 900 / (len(numbers) * len(jobs))
    p = {row: rows.count(row) / 900 for row in q}
    assert whole == pytest.approx(sum(share * math.log(share / q[row]) for row, share in p.items()))


def test_a_query_that_no_row_answers_counts():
    """Two columns that never meet: most queries have nothing to find, and the release finds it all the same."""
    frame = pl.DataFrame({"x": [0] * 5 + [9] * 5, "y": [9] * 5 + [0] * 5})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number", "y": "number"}))
    found = utility.query_error(table, [0] * 10, n_queries=200, selectivity=0.25, seed=5)
    # Each query asks for one value in each column: the estimate is 10/4, actual 5 or 0, the errors 0.5 or 2.5.
    assert {found.lower_quartile, found.upper_quartile} == {0.5, 2.5}
    assert found.to_dict()["dimension"] == 2
    assert utility.query_error(table, [0] * 10, 200, dimensions=7, seed=5).dimension == 2


def test_small_counts_are_charged_as_a_thousandth_of_the_rows():
    """5000 rows, one of them alone with its value: s = 5, so that missing that row costs 1/5 and not 1."""
    table = one_column(["a"] * 4999 + ["b"], "category")
    found = utility.query_error(table, [0] * 4999 + [-1], n_queries=60, dimensions=1, selectivity=0.0001, seed=1)
    assert {found.lower_quartile, found.upper_quartile} == {0.0, 0.2}


def test_c_avg_takes_k_from_the_plan():
    table = note_table()
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian(), seed=1).run(table)
    found = utility.average_class_size(table, release)
    assert found.k == 2
    assert found.c_avg == found.mean / 2
    assert utility.average_class_size(table, release, k=3).k == 3
    group = utility.by_group(utility.average_class_size, table, release, by="cholesterol")["N"]
    assert group.result.k == 2
    unnamed = cl.Plan(models=[cl.AverageRisk(0.5)], algorithm=cl.Mondrian(), seed=1)
    assert utility.average_class_size(table, unnamed.run(table)).k is None


def test_a_secret_quasi_identifier_parts_the_classes():
    frame = pl.DataFrame({"age": [20, 30, 40, 50], "ill": ["flu", "cold", "flu", "cold"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number", "ill": "category"}, sensitive=["ill"]))
    recoding = recode(table, cl.Classes([0, 0, 1, 1]), kept="ill")
    assert utility.discernibility(table, recoding) == 4
    assert utility.ambiguity(table, recoding).mean == 2
    assert utility.non_uniform_entropy(table, recoding).columns == {"age": 0.5, "ill": 0.0}


@pytest.mark.parametrize(
    "name",
    [
        *("discernibility", "average_class_size", "precision", "non_uniform_entropy", "ambiguity", "kl_divergence"),
        *("query_error", "statistics", "correlations", "shares", "gcp", "loss"),
    ],
)
class TestBadInputs:
    def test_wrong_lengths_are_refused(self, name):
        measure, table = getattr(utility, name), note_table()
        with pytest.raises(cl.InputError, match="labels do not fit"):
            measure(table, [0, 0])
        with pytest.raises(cl.InputError, match="made of 2 rows"):
            measure(table, recode(one_column([1, 2], "number"), cl.Classes([0, 0])))

    def test_an_empty_table_is_undefined(self, name):
        empty = cl.Table(NOTE.head(0), note_table().schema)
        found = getattr(utility, name)(empty, np.zeros(0, dtype=np.int64))
        told = found.to_dict() if hasattr(found, "to_dict") else found
        json.dumps(told, allow_nan=False)
        if name in ("discernibility", "kl_divergence"):
            assert told is None
        elif name in ("ambiguity", "precision", "average_class_size", "query_error", "non_uniform_entropy"):
            assert next(iter(told.values())) is None

    def test_all_rows_suppressed(self, name):
        table = note_table()
        found = getattr(utility, name)(table, [-1] * 6)
        json.dumps(found.to_dict() if hasattr(found, "to_dict") else found, allow_nan=False)
        expected = {
            "discernibility": lambda: found == 36,
            "average_class_size": lambda: found.mean is found.c_avg is None,
            "precision": lambda: found.precision == 0,
            "non_uniform_entropy": lambda: found.loss == 1,
            "ambiguity": lambda: found.mean > 1,
            "kl_divergence": lambda: found > 0,
            "query_error": lambda: found.mean > 0,
            "statistics": lambda: found.columns["age"].after.mean is None,
            "correlations": lambda: found.pairs == (),
            "shares": lambda: found.columns["cholesterol"].total_variation is None,
            "gcp": lambda: found == 1,
            "loss": lambda: found.gcp_published is None,
        }
        assert expected[name]()

    def test_one_category_and_no_quasi_identifier(self, name):
        measure = getattr(utility, name)
        table = one_column(["a", "a", "a"], "category")
        found = measure(table, [0, 0, -1])
        json.dumps(found.to_dict() if hasattr(found, "to_dict") else found, allow_nan=False)
        if name == "non_uniform_entropy":
            assert found.to_dict() == {"loss": 0.0, "bits": 0.0, "columns": {"x": 0.0}}
        if name == "kl_divergence":
            assert found == pytest.approx(0, abs=1e-12)
        bare = cl.Table(pl.DataFrame({"x": ["a", "b"]}), cl.Schema(sensitive=["x"]))
        found = measure(bare, [0, 0])
        json.dumps(found.to_dict() if hasattr(found, "to_dict") else found, allow_nan=False)

    def test_by_group_takes_it(self, name):
        found = utility.by_group(getattr(utility, name), note_table(), [0, 0, 1, 1, 2, -1], by="cholesterol")
        assert [(group.value, group.n_rows, group.n_suppressed) for group in found.groups] == [("N", 2, 1), ("S", 4, 0)]
        json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("k", [0, True, 2.5, "2"])
def test_a_wrong_k_is_refused(k):
    with pytest.raises(cl.OptionError, match="k must be"):
        utility.average_class_size(note_table(), [0] * 6, k=k)


@pytest.mark.parametrize(
    "options",
    [{"n_queries": 0}, {"dimensions": 0}, {"dimensions": True}, {"selectivity": 0}, {"selectivity": 1.5}, {"seed": -1}],
)
def test_wrong_options_of_queries_are_refused(options):
    with pytest.raises(cl.OptionError, match=next(iter(options))):
        utility.query_error(note_table(), [0] * 6, **options)


def test_groups_are_formed_by_columns_that_name_nobody():
    frame = NOTE.with_columns(pl.Series("dni", list("abcdef")), pl.Series("who", list("abcabc")))
    schema = cl.Schema(
        identifiers=["dni"], quasi_identifiers={"age": "number"}, sensitive=["cholesterol"], subject="who"
    )
    table = cl.Table(frame, schema)
    for column in ("dni", "who"):
        with pytest.raises(cl.OptionError, match="identifier"):
            utility.by_group(utility.gcp, table, [0] * 6, by=column)
    with pytest.raises(cl.ColumnNotFoundError, match="cholester'"):
        utility.by_group(utility.gcp, table, [0] * 6, by="cholester")
    found = utility.by_group(utility.ncp, table, [0] * 6, by="age")
    assert [group.to_dict()["result"] for group in found.groups] == [[1.0, 1.0]] * 3
    with pytest.raises(KeyError):
        _ = found["41"]


def test_groups_of_a_masked_release_are_measured_against_the_original():
    table = cl.Table(NOTE.with_columns(pl.lit("x").alias("extra")), note_table().schema)
    plan = cl.Plan(models=[cl.KAnonymity(2)], masks=[cl.Drop(columns=["extra"])], algorithm=cl.Mondrian(), seed=1)
    release = plan.run(table)
    found = utility.by_group(utility.statistics, table, release, by="extra")
    assert found["x"].result.to_dict() == utility.statistics(table, release).to_dict()


def test_a_masked_column_is_compared_with_its_original():
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["debt"])
    original = cl.Table(pl.DataFrame({"age": [20, 30, 40], "debt": [1, 2, 3]}), schema)
    masked = cl.Table(pl.DataFrame({"age": [25, 25, 40], "debt": [10, 20, 30]}), schema)
    recoding = recode(masked, cl.Classes([0, 0, 1]))
    for found in (
        utility.statistics(original, recoding),
        utility.by_group(utility.statistics, original, recoding.searched, by="age")["20"].result,
        utility.by_group(utility.statistics, original, recoding, by="age")["20"].result,
    ):
        assert found.columns["debt"].before.mean == (2 if found.columns["debt"].before.n == 3 else 1)
    assert found.columns["debt"].after.mean == 10
    assert found.columns["age"].to_dict()["change"]["mean"] == 5


def test_the_classes_of_a_group_are_those_of_the_whole():
    table = cl.Table(
        pl.DataFrame({"age": [20, 30, 40, 50, 60], "sex": list("fmmmf")}),
        cl.Schema(quasi_identifiers={"age": "number"}, insensitive=["sex"]),
    )
    found = utility.by_group(utility.average_class_size, table, [0, 0, 1, 1, 1], by="sex", k=2)
    assert [group.result.mean for group in found.groups] == [2.5, 2.5]
    found = utility.by_group(utility.average_class_size, table, [0, 0, 1, 1, -1], by="sex", k=2)
    assert [group.result.to_dict() for group in found.groups] == [{"mean": 2.0, "c_avg": 1.0, "k": 2}] * 2


def test_an_open_range_ends_where_the_data_end():
    table = one_column([10, 30, 60, 70], cl.Intervals(ranges=["<20", "20-59", ">=60"]))
    after = utility.statistics(table, [0, 1, 2, 2]).columns["x"].after
    assert after.mean == pytest.approx((10 + 30 + 65 + 65) / 4)
