"""Generalisation by rule: the manual's example, plain definitions of every rule, and what it finds."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, FormatError, HierarchyError, InputError, OptionError
from celosia.data.hierarchies import Category, Dates, Intervals, Number, Order, Prefix, Tree
from celosia.data.hierarchies.domains import Style
from celosia.data.schema.columns import encoded
from celosia.masks.base import sheet_of
from celosia.masks.generalise import Generalise

GRADES = pl.DataFrame(
    {
        "student": ["543456", "125214", "984213", "674832", "094532 "],
        "grade": ["8", "9", "9", "10", "11"],
        "mean": ["4.5", "3.5", "3.8", "2.5", "5.0"],
    }
)
MENDED = ["<6", "6-7", "8-9", "10-11", ">11"]


def generalised(cells, decimal=".", k=2, quasi_identifiers=(), **rule):
    column = cells if isinstance(cells, pl.Series) else pl.Series("x", cells)
    sheet = sheet_of(pl.DataFrame({"x": column}), decimal=decimal, k=k, quasi_identifiers=quasi_identifiers)
    return Generalise(column="x", **rule).mask(sheet)


def labels(cells, **options):
    return generalised(cells, **options).frame["x"].to_list()


def by_hierarchy(column, rule, level, decimal="."):
    """The labels that the hierarchy itself gives, one distinct value after the other."""
    typed = encoded(column, rule, 1.0, decimal)
    style = Style(decimal=decimal)
    return [
        None if code < 0 else typed.domain.spell(int(typed.domain.nodes[level][code]), style)
        for code in typed.codes.tolist()
    ]


class TestTheManual:
    def test_overlapping_ranges_are_refused_and_the_mended_list_is_offered(self):
        with pytest.raises(HierarchyError) as caught:
            Generalise(column="grade", ranges=["<6", "6-7", "8-9", "9-10", "10-11", ">11"])
        assert str(caught.value) == (
            'ranges 3 and 4 overlap; ranges 4 and 5 overlap.\n  Hint: write "<6", "6-7", "8-9", "10-11", ">11".'
        )

    def test_with_the_mended_ranges_the_classes_are_three_and_two(self):
        made = Generalise(column="grade", ranges=MENDED).apply(GRADES)
        assert made["grade"].to_list() == ["8-9", "8-9", "8-9", "10-11", "10-11"]
        assert Counter(made["grade"].to_list()) == {"8-9": 3, "10-11": 2}
        assert made["student"].to_list()[:4] == GRADES["student"].to_list()[:4]

    def test_the_example_as_it_stands_is_without_findings(self):
        assert Generalise(column="grade", ranges=MENDED).mask(sheet_of(GRADES)).findings == ()

    @pytest.mark.parametrize("wrong", [["<6", "7-8", ">8"], ["6-7", "<6", ">7"], ["<6", "6-7", "7-8"]])
    def test_gaps_and_wrong_order_are_refused(self, wrong):
        with pytest.raises(HierarchyError, match=r"gap|order|overlap"):
            Generalise(column="grade", ranges=wrong)

    def test_decimals_need_half_open_ranges(self):
        with pytest.raises(HierarchyError, match="gap") as caught:
            labels([8.5, 3.0], ranges=MENDED)
        assert '"[6, 8)"' in str(caught.value)
        assert labels([8.5, 3.0, 9.999], ranges=["<6", "[6, 8)", "[8, 10)", ">=10"]) == ["[8, 10)", "<6", "[8, 10)"]

    def test_values_outside_all_ranges_are_counted_not_shown(self):
        with pytest.raises(HierarchyError, match="3 distinct values of 'x' lie outside the 2 ranges") as caught:
            labels([7771, 7772, 7773, 7773, 6, 8], ranges=["6-7", "8-9"])
        assert "777" not in str(caught.value)


RANGES = {
    "<-2.5": lambda value: value < Fraction("-2.5"),
    "[-2.5, 0)": lambda value: Fraction("-2.5") <= value < 0,
    "[0, 0.3]": lambda value: 0 <= value <= Fraction("0.3"),
    "(0.3, 7)": lambda value: Fraction("0.3") < value < 7,
    ">=7": lambda value: value >= 7,
}
NUMBERS = st.integers(-100, 100).map(lambda units: units / 10) | st.floats(-50, 50) | st.integers(-20, 20).map(float)


class TestNumbers:
    @tries(150)
    @given(st.lists(st.none() | NUMBERS, max_size=20))
    def test_each_number_gets_the_range_that_holds_it(self, cells):
        cells = [*cells, 0.25]
        made = labels(cells, ranges=list(RANGES))
        for cell, label in zip(cells, made, strict=True):
            holding = [] if cell is None else [text for text, holds in RANGES.items() if holds(Fraction(repr(cell)))]
            assert [label] == (holding or [None])

    @tries(50)
    @given(st.lists(st.integers(-(2**62), 2**62) | st.integers(-10, 10), min_size=1, max_size=20))
    def test_whole_numbers_of_any_length_in_ranges(self, cells):
        expected = ["<-5" if cell < -5 else "-5 - 5" if cell <= 5 else ">5" for cell in cells]
        assert labels(cells, ranges=["<-5", "-5 - 5", ">5"]) == expected

    @tries(150)
    @given(
        st.lists(NUMBERS, min_size=1, max_size=20),
        st.sampled_from(["0.1", "0.25", "3", "0.5", "10"]),
        st.sampled_from(["0", "0.05", "-1"]),
        st.integers(1, 3),
        st.sampled_from([2, 3]),
    )
    def test_intervals_by_their_definition(self, cells, width, origin, level, factor):
        cells = [*cells, 0.125]
        rule = {"width": float(width), "levels": 3, "factor": factor, "origin": float(origin)}
        made = labels(cells, intervals=rule, level=level)
        step = Fraction(width) * factor ** (level - 1)
        for cell, label in zip(cells, made, strict=True):
            low = Fraction(origin) + math.floor((Fraction(repr(cell)) - Fraction(origin)) / step) * step
            assert label.startswith("[")
            assert label.endswith(")")
            assert [Fraction(end) for end in label[1:-1].split(", ")] == [low, low + step]

    @tries(200)
    @given(
        st.lists(st.none() | NUMBERS, min_size=1, max_size=20)
        | st.lists(st.integers(-60, 60), min_size=1, max_size=20),
        st.sampled_from(
            [
                Intervals(width=5, levels=3),
                Intervals(width=1, levels=3, factor=3),
                Intervals(width=0.5, levels=3),
                Intervals(width=4, levels=3, origin=1, whole=False),
                Intervals(widths=[0.3, 1.2, 12]),
                Intervals(widths=[2, 10, 100], origin=0.5),
            ]
        ),
        st.integers(1, 3),
        st.sampled_from([".", ","]),
    )
    def test_labels_are_those_of_the_hierarchy(self, cells, rule, level, decimal):
        column = pl.Series("x", [*cells, 0])
        assert labels(column, hierarchy=rule, level=level, decimal=decimal) == by_hierarchy(
            column, rule, level, decimal
        )

    @tries(50)
    @given(st.lists(NUMBERS, min_size=1, max_size=20), st.integers(1, 2))
    def test_nested_ranges_are_those_of_the_hierarchy(self, cells, level):
        rule = Intervals(ranges=[["<0", "[0, 5)", "[5, 9)", ">=9"], ["<0", "[0, 9)", ">=9"]])
        column = pl.Series("x", cells)
        assert labels(column, ranges=rule.ranges, level=level) == by_hierarchy(column, rule, level)

    def test_a_number_that_binary_fractions_cannot_hold_lies_where_its_text_says(self):
        assert labels([0.3, 0.7, 0.29999999999999993, -0.1], grid=0.1) == [
            "[0.3, 0.4)",
            "[0.7, 0.8)",
            "[0.2, 0.3)",
            "[-0.1, 0)",
        ]
        assert labels([0.3, 0.9], intervals={"width": 0.1, "levels": 2, "factor": 3}, level=2) == [
            "[0.3, 0.6)",
            "[0.9, 1.2)",
        ]

    def test_wide_gaps_between_numbers_are_no_matter(self):
        assert labels([1, 10**15, -(10**15)], intervals=10) == [
            "[0, 9]",
            "[1000000000000000, 1000000000000009]",
            "[-1000000000000000, -999999999999991]",
        ]

    def test_numbers_that_must_be_whole_are_refused_with_their_count(self):
        with pytest.raises(HierarchyError, match="3 distinct values of 'x' are not whole"):
            labels([1.5, 2.5, 3.5, 4.0], intervals={"width": 5, "whole": True})

    def test_text_with_a_decimal_comma(self):
        assert labels(["40,41", "-3,7", None], grid=0.1, decimal=",") == ["[40,4; 40,5)", "[-3,7; -3,6)", None]

    def test_cells_that_are_no_numbers(self):
        with pytest.raises(InputError, match="1 of its 2 cells") as caught:
            labels(["5", "CANARY"], intervals=5)
        assert "CANARY" not in str(caught.value)

    def test_numbers_with_too_many_digits(self):
        with pytest.raises(InputError, match="1 of 2 numbers of 'x' have too many digits"):
            labels([5.0, 1e15], grid=0.01)


class TestGrid:
    def test_the_centre_of_a_cell_is_a_number_and_declared_untrue(self):
        sheet = generalised([40.4168, -3.7038, None, 40.49], grid={"size": 0.1, "as": "centre"})
        assert sheet.frame["x"].to_list() == [40.45, -3.75, None, 40.45]
        assert [(change.verb, change.kind) for change in sheet.changes] == [("perturbed", None)]

    @tries(100)
    @given(st.lists(NUMBERS, min_size=1, max_size=20), st.sampled_from(["0.1", "0.05", "3", "2.5"]))
    def test_centres_by_their_definition(self, cells, size):
        made = labels(cells, grid={"size": float(size), "as": "centre"})
        for cell, centre in zip(cells, made, strict=True):
            low = math.floor(Fraction(repr(cell)) / Fraction(size)) * Fraction(size)
            assert Fraction(repr(centre)) == low + Fraction(size) / 2

    def test_text_comes_back_as_text(self):
        assert labels(["40,41", None], grid={"size": 0.1, "as": "centre"}, decimal=",") == ["40,45", None]

    def test_latitude_and_longitude_together(self):
        places = pl.DataFrame({"lat": [40.4168, 41.3851], "lon": [-3.7038, 2.1734]})
        made = Generalise(columns=["lat", "lon"], grid=0.5).apply(places)
        assert made.rows() == [("[40, 40.5)", "[-4, -3.5)"), ("[41, 41.5)", "[2, 2.5)")]

    @pytest.mark.parametrize(
        "grid", [0, -1, "0.1", True, {}, {"size": 0.1, "as": "corner"}, {"siz": 0.1}, {"size": None}, 1e-40]
    )
    def test_grids_that_are_not_allowed(self, grid):
        with pytest.raises(OptionError):
            Generalise(column="x", grid=grid)


class TestOtherRules:
    @pytest.mark.parametrize(
        ("period", "expected"), [("month", "2020-02"), ("quarter", "2020-Q1"), ("year", "2020"), ("decade", "2020s")]
    )
    def test_dates_are_truncated(self, period, expected):
        for cells in (["2020-02-29", None], [datetime.date(2020, 2, 29), None], ["29/02/2020", None]):
            assert labels(cells, dates=period) == [expected, None]

    @tries(50)
    @given(st.lists(st.none() | st.dates(datetime.date(1900, 1, 1)), min_size=1, max_size=20), st.booleans())
    def test_dates_by_their_definition(self, cells, as_text):
        column = pl.Series("x", cells, dtype=pl.Date)
        made = labels(column.cast(pl.String) if as_text else column, dates={"levels": ["month", "year"]}, level=1)
        assert made == [None if cell is None else f"{cell.year:04d}-{cell.month:02d}" for cell in cells]

    def test_dates_that_do_not_read_are_counted_over_all_rows(self):
        with pytest.raises(InputError, match=r"2 of its 4 values do not read as such \(first in data row 2\)"):
            labels(["2020-01-01", "CANARY", "CANARY", None], dates="year")

    @tries(100)
    @given(st.lists(st.none() | st.text("01ñ", min_size=1, max_size=5), min_size=1, max_size=20), st.integers(1, 2))
    def test_prefixes_are_those_of_the_hierarchy(self, cells, level):
        column = pl.Series("x", [*cells, "12345"])
        rule = Prefix(keep=[3, 1])
        assert labels(column, prefix={"keep": [3, 1]}, level=level) == by_hierarchy(column, rule, level)

    def test_prefixes_that_do_not_fit_are_refused_with_counts(self):
        with pytest.raises(HierarchyError, match="2 distinct values of 'x' are not 5 characters long"):
            labels(["28001", "2800", "280"], prefix={"keep": [2], "length": 5})
        with pytest.raises(HierarchyError, match="1 distinct values of 'x' hold"):
            labels(["28001", "28***"], prefix=2)
        with pytest.raises(HierarchyError, match="leaves 0 above"):
            labels(["28", "08"], prefix=2)

    def test_neighbours_of_an_order_are_joined(self):
        order = {"values": ["fail", "pass", "notable", "outstanding"], "groups": [2]}
        assert labels(["pass", None, "notable"], order=order) == ["fail / pass", None, "notable / outstanding"]

    def test_postcode_to_province_to_region_by_a_tree(self):
        rows = [["36201", "Pontevedra", "Galicia"], ["27001", "Lugo", "Galicia"], ["28001", "Madrid", "Madrid"]]
        assert labels(["36201", "28001"], tree=rows) == ["Pontevedra", "Madrid"]
        assert labels(["36201", "27001"], tree=rows, level=2) == ["Galicia", "Galicia"]

    def test_postcode_to_province_by_prefix_and_table(self):
        codes = pl.DataFrame({"code": ["36201", "36600", "27001", None]})
        short = Generalise(column="code", prefix=2).apply(codes)
        made = Generalise(column="code", mapping={"36***": "Pontevedra", "27***": "Lugo"}).apply(short)
        assert made["code"].to_list() == ["Pontevedra", "Pontevedra", "Lugo", None]

    def test_a_tree_from_a_file(self, tmp_path):
        file = tmp_path / "provinces.csv"
        file.write_text("36201;Pontevedra;*\n27001;Lugo;*\n")
        for path in (file, str(file)):
            assert labels(["36201", "27001"], tree=path) == ["Pontevedra", "Lugo"]

    def test_values_unknown_to_a_tree_are_refused_or_emptied(self):
        rows = [["a", "A"], ["b", "B"]]
        with pytest.raises(HierarchyError, match="1 distinct value of 'x'"):
            labels(["a", "CANARY"], tree=rows)
        sheet = generalised(["a", "CANARY", "CANARY", None, "a"], tree={"rows": rows, "on_missing": "suppress"})
        assert sheet.frame["x"].to_list() == ["A", None, None, None, "A"]
        assert [(finding.code, finding.values["count"]) for finding in sheet.findings if "UNKNOWN" in finding.code] == [
            ("GENERALISE_UNKNOWN", 2)
        ]

    def test_any_hierarchy_of_ones_own(self):
        @dataclass(frozen=True)
        class Parity:
            name = "parity"
            value_type = "number"

            def fit(self, values, column):
                parities = [["even", "odd"][int(value) % 2] for value in values]
                tree = Tree([[str(value), parity] for value, parity in zip(values, parities, strict=True)])
                domain = tree.fit([str(value) for value in values], column)
                place = [domain.values.index(str(value)) for value in values]
                object.__setattr__(domain, "nodes", domain.nodes[:, place])
                object.__setattr__(domain, "values", list(values))
                return domain

            def to_dict(self):
                return {}

        assert labels([1, 2, 3, None], hierarchy=Parity()) == ["odd", "even", "odd", None]
        assert Generalise(column="x", hierarchy=Parity()).to_dict() == {"columns": ["x"], "hierarchy": {"parity": {}}}


class TestMapping:
    def test_a_table_in_place_and_in_a_file(self, tmp_path):
        file = tmp_path / "table.csv"
        file.write_text("town;province\nVigo;Pontevedra\nLugo;Lugo\nVigo;Pontevedra\n")
        for table in ({"Vigo": "Pontevedra", "Lugo": "Lugo"}, file, str(file)):
            assert labels(["Vigo", None, "Lugo"], mapping=table) == ["Pontevedra", None, "Lugo"]

    def test_numbers_are_looked_up_by_their_text(self):
        assert labels([1, 2, None], mapping={1: "one", "2": "two"}) == ["one", "two", None]
        assert labels([1.0, 2.5], mapping={1: "one", "2.5": "more"}) == ["one", "more"]

    def test_what_is_not_in_the_table_never_passes(self):
        with pytest.raises(HierarchyError, match="3 of 5 cells of 'x', of 2 distinct values, are missing") as caught:
            labels(["Vigo", "CANARY", "CANARY", "KANARY", None], mapping={"Vigo": "Pontevedra"})
        assert "ANARY" not in str(caught.value)
        emptied = labels(["Vigo", "CANARY", None], mapping={"Vigo": "Pontevedra"}, on_missing="suppress")
        assert emptied == ["Pontevedra", None, None]

    def test_keeping_unknown_values_cannot_be_asked_for(self):
        with pytest.raises(OptionError, match="allowed: error, suppress"):
            Generalise(column="x", mapping={"a": "b"}, on_missing="keep")

    @pytest.mark.parametrize(
        "table", [{}, [], [1], [("a",)], {"a": None}, {"": "b"}, {"a": " "}, {"a": "*"}, 5, [("a", "b"), (" a", "c")]]
    )
    def test_tables_that_are_not_allowed(self, table):
        with pytest.raises(OptionError):
            Generalise(column="x", mapping=table)

    @pytest.mark.parametrize("text", ["a;b;c\n1;2;3\n", "a;b\n1;\n2;x\n"])
    def test_files_that_are_no_tables(self, tmp_path, text):
        file = tmp_path / "table.csv"
        file.write_text(text)
        with pytest.raises(FormatError, match=r"table\.csv"):
            Generalise(column="x", mapping=file)

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InputError, match=r"none\.csv"):
            Generalise(column="x", mapping=tmp_path / "none.csv")


def codes(sheet):
    return [finding.code for finding in sheet.findings]


class TestFindings:
    def test_what_changes_hardly_anything(self):
        sheet = generalised(list(range(0, 100, 3)), intervals=2)
        assert codes(sheet) == ["GENERALISE_FINE", "GENERALISE_STANDS_OUT"]
        assert sheet.findings[0].values == {"values": 34, "labels": 34, "before": 34, "after": 34, "k": 2}

    def test_new_names_for_all_values_are_no_generalisation(self):
        cells = ["m", "f"] * 5
        assert codes(generalised(cells, mapping={"m": "male", "f": "female"})) == ["GENERALISE_FINE"]

    def test_a_few_values_joined_are_enough_where_they_were_the_rare_ones(self):
        cells = [age for age in range(20, 60) for _ in range(2)] + [17, 70]
        ranges = ["<=20", *(str(age) for age in range(21, 59)), ">=59"]
        assert codes(generalised(cells, ranges=ranges)) == []

    def test_most_rows_alone_as_before_though_labels_are_fewer(self):
        # Pairs of neighbours, where four rows must share a value.
        sheet = generalised(list(range(100)), intervals=2, k=4)
        assert codes(sheet) == ["GENERALISE_FINE", "GENERALISE_STANDS_OUT"]

    def test_one_row_alone_is_not_hardly_anything(self):
        cells = [age for age in range(20, 60) for _ in range(5)] + [117]
        assert codes(generalised(cells, intervals=10)) == ["GENERALISE_STANDS_OUT"]

    def test_nearly_everything_in_one_value(self):
        cells = [*range(97), 200, 200, 200]
        sheet = generalised(cells, ranges=["<100", ">=100"])
        assert codes(sheet) == ["GENERALISE_COARSE"]
        assert sheet.findings[0].values == {"count": 97, "rows": 100}
        assert codes(generalised([1, 2, 3], intervals=10)) == ["GENERALISE_COARSE"]

    def test_a_value_that_nearly_all_rows_held_before_is_not_the_fault_of_the_rule(self):
        assert codes(generalised([0] * 97 + [10, 11, 12], intervals=10)) == []

    def test_a_column_of_one_value_gets_neither_finding(self):
        assert codes(generalised([5, 5, 5], intervals=10)) == []
        assert codes(generalised([None, None], intervals=10)) == []

    def test_what_stands_out_is_counted_by_what_the_plan_demands(self):
        cells = [1, 2, 3, 4, 11, 12, 13, 21, 22]
        sheet = generalised(cells, intervals=10, k=4)
        assert codes(sheet) == ["GENERALISE_STANDS_OUT"]
        assert sheet.findings[0].values == {"count": 2, "rows": 5, "k": 4}
        assert sheet.findings[0].severity == "warning"
        assert codes(generalised(cells, intervals=10, k=2)) == []

    def test_among_quasi_identifiers_the_search_deals_with_it(self):
        sheet = generalised([1, 2, 3, 11], intervals=10, quasi_identifiers=("x",))
        assert [(finding.code, finding.severity) for finding in sheet.findings] == [("GENERALISE_STANDS_OUT", "note")]

    def test_every_rule_counts_before_and_after(self):
        cells = ["aa", "ab", "ba", "bb"]
        for rule in (
            {"prefix": 1},
            {"mapping": {"aa": "a*", "ab": "a*", "ba": "b*", "bb": "b*"}},
            {"tree": [["aa", "a*"], ["ab", "a*"], ["ba", "b*"], ["bb", "b*"]]},
        ):
            sheet = generalised(cells, k=3, **rule)
            assert sheet.frame["x"].to_list() == ["a*", "a*", "b*", "b*"]
            assert [finding.values for finding in sheet.findings] == [
                {"values": 4, "labels": 2, "before": 4, "after": 4, "k": 3},
                {"count": 2, "rows": 4, "k": 3},
            ]

    def test_no_message_holds_a_value(self):
        cells = ["CANARYa", "CANARYb", "other", None]
        sheet = generalised(cells, mapping={"CANARYa": "KANARY", "CANARYb": "KANARY"}, on_missing="suppress")
        assert len(sheet.findings) == 2
        assert all("ANARY" not in finding.message for finding in sheet.findings)


class TestTheWholeMask:
    def test_the_column_is_declared_a_category_of_true_values(self):
        sheet = generalised([1, 12], intervals=10)
        assert [(change.column, change.verb, change.kind) for change in sheet.changes] == [
            ("x", "coarsened", Category())
        ]
        assert sheet.frame["x"].dtype == pl.String

    def test_rows_and_other_columns_stay(self):
        frame = pl.DataFrame({"a": [1, 12], "x": [3, 4], "b": ["p", "q"]})
        made = Generalise(columns=["x", "a"], intervals=10).apply(frame)
        assert made.columns == ["a", "x", "b"]
        assert made.rows() == [("[0, 9]", "[0, 9]", "p"), ("[10, 19]", "[0, 9]", "q")]

    @pytest.mark.parametrize(
        "rule",
        [
            {"intervals": 5},
            {"ranges": ["<5", ">=5"]},
            {"grid": 1},
            {"prefix": 2},
            {"dates": "year"},
            {"mapping": {"a": "b"}},
            {"tree": [["a", "A"], ["b", "B"]]},
            {"grid": {"size": 1, "as": "centre"}},
        ],
    )
    def test_empty_columns(self, rule):
        for column in (pl.Series("x", [None, None], dtype=pl.String), pl.Series("x", [None, None])):
            assert labels(column, **rule) == [None, None]
        assert labels(pl.Series("x", [], dtype=pl.String), **rule) == []

    def test_other_kinds_of_frames(self):
        pandas = pytest.importorskip("pandas")
        made = Generalise(column="x", intervals=10).apply(pandas.DataFrame({"x": [1, 12]}))
        assert list(made["x"]) == ["[0, 9]", "[10, 19]"]

    def test_a_column_that_is_not_there(self):
        with pytest.raises(ColumnNotFoundError, match="did you mean 'grade'"):
            Generalise(column="grades", intervals=5).apply(GRADES)

    @pytest.mark.parametrize(
        ("rule", "words"),
        [
            ({}, "none of them"),
            ({"prefix": 2, "dates": "year"}, "prefix and dates"),
            ({"intervals": {"widht": 5}}, "no option 'widht'"),
            ({"prefix": {}}, "needs the option 'keep'"),
            ({"prefix": True}, "of type bool"),
            ({"prefix": "2"}, "of type str"),
            ({"dates": "week"}, "week"),
            ({"dates": "day"}, "level is 1"),
            ({"order": ["a", "b"]}, "of type list"),
            ({"order": {"values": ["a", "b"]}}, "level is 1"),
            ({"tree": 5}, "of type int"),
            ({"tree": [["a"], ["b"]]}, "level is 1"),
            ({"hierarchy": Number()}, "level is 1"),
            ({"hierarchy": Category()}, "level is 1"),
            ({"hierarchy": {"intervals": {"width": 5}}}, "of type dict"),
            ({"intervals": 5, "level": 2}, "the rule has 1"),
            ({"intervals": 5, "level": 0}, "from 1 on"),
            ({"prefix": {"keep": [3, 1]}, "level": 3}, "the rule has 2"),
            ({"grid": 0.1, "level": 2}, "the rule has 1"),
            ({"mapping": {"a": "b"}, "level": 2}, "the rule has 1"),
            ({"ranges": ["<5", ">=5"], "level": 2}, "the rule has 1"),
            ({"tree": [["a", "A", "*"], ["b", "B", "*"]], "level": 2}, "the rule has 1"),
            ({"prefix": 2, "on_missing": "suppress"}, "belongs to mapping"),
        ],
    )
    def test_options_that_are_not_allowed(self, rule, words):
        with pytest.raises(OptionError, match=words):
            Generalise(column="x", **rule)

    @pytest.mark.parametrize(
        "rule",
        [
            {"ranges": MENDED},
            {"ranges": [["<5", "5-9", ">=10"], ["<5", ">=5"]], "level": 2},
            {"intervals": {"width": 0.1, "levels": 3}, "level": 3},
            {"intervals": {"widths": [1, 5]}},
            {"prefix": {"keep": [4, 2]}},
            {"dates": {"levels": ["month", "year"]}},
            {"order": {"values": ["a", "b", "c"], "groups": [2]}},
            {"tree": {"rows": [["a", "A", "*"], ["b", "B", "*"]], "on_missing": "suppress"}},
            {"grid": {"size": 0.1, "as": "centre"}},
            {"mapping": {"a": "A", "b": "B"}, "on_missing": "suppress"},
        ],
    )
    def test_options_come_back_as_they_stand_in_a_plan(self, rule):
        mask = Generalise(columns=["x", "y"], **rule)
        assert mask.to_dict() == {"columns": ["x", "y"], **rule}
        again = Generalise(**mask.to_dict())
        assert again == mask
        assert hash(again) == hash(mask)

    def test_short_forms_and_objects_are_the_same_rule(self):
        assert Generalise(column="x", intervals=5) == Generalise(column="x", hierarchy=Intervals(width=5))
        assert Generalise(column="x", prefix=2) == Generalise(column="x", prefix=Prefix(keep=[2]))
        assert Generalise(column="x", dates="year") == Generalise(column="x", hierarchy=Dates(levels=["year"]))
        order = Order(["a", "b", "c"], groups=[2])
        assert Generalise(column="x", order=order) == Generalise(column="x", hierarchy=order)
        assert Generalise(column="x", grid=1) == Generalise(column="x", grid={"size": 1, "as": "interval"})

    def test_a_million_distinct_numbers_take_no_loop(self):
        numbers = pl.Series("x", np.random.default_rng(1).permutation(1_000_000) / 100)
        made = labels(numbers, intervals=2.5)
        for row in range(0, 1_000_000, 99_991):
            low = Decimal(str(numbers[row])) // Decimal("2.5") * Decimal("2.5")
            assert made[row] == f"[{low.normalize():f}, {(low + Decimal('2.5')).normalize():f})"
