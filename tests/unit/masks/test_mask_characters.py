"""Character masking against its definition, character by character."""

from __future__ import annotations

import datetime
import re
import unicodedata

import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, OptionError
from celosia.data.hierarchies.category import Category
from celosia.masks.base import sheet_of
from celosia.masks.mask_characters import MaskCharacters

MANUAL = ["1026457389", "3647382919", "1028374622", "2845143827", "2647281923"]
MASKED = ["10XXXXXXXX", "36XXXXXXXX", "10XXXXXXXX", "28XXXXXXXX", "26XXXXXXXX"]

SIGNS = "ab1Zñ漢😀 -.\n*X\u0301"
# Which characters are letters depends on the version of Unicode, and Python's and Rust's differ: those that Python does
# not know are left out.
known = st.characters(exclude_categories=["Cn", "Cs"])
texts = (st.text(SIGNS, max_size=12) | st.text(known, max_size=8)).map(
    lambda text: unicodedata.normalize("NFC", text.strip())
)
cells = st.lists(texts | st.none(), max_size=12)


def masked(mask: MaskCharacters, values, **options):
    return mask.mask(sheet_of(pl.DataFrame({"id": pl.Series(values, dtype=pl.String)}), **options))


def found(mask, values, **options):
    return {finding.code: finding for finding in masked(mask, values, **options).findings}


def tells(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LN"


def hidden_whole(text: str, symbol: str, length: int | None) -> str:
    return symbol * (max(len(text), 2) if length is None else length)


def by_places(text: str, places: set[int], symbol: str, length: int | None) -> str:
    """The definition: places counted from 1, or from -1 at the end."""
    n_start = max((place for place in places if place > 0), default=0)
    n_end = -min((place for place in places if place < 0), default=0)
    seen = [at + 1 in places or at - len(text) in places for at in range(len(text))]
    hides = any(tells(sign) and not shown for sign, shown in zip(text, seen, strict=True))
    if not places or len(text) < n_start + n_end or not hides:
        return hidden_whole(text, symbol, length)
    if length is None:
        return "".join(sign if shown else symbol for sign, shown in zip(text, seen, strict=True))
    output = [symbol] * length
    for place in places:
        output[place - 1 if place > 0 else length + place] = text[place - 1 if place > 0 else len(text) + place]
    return "".join(output)


class TestTheManual:
    def test_its_example(self):
        mask = MaskCharacters("id", keep_first=2, symbol="X")
        assert masked(mask, MANUAL).frame["id"].to_list() == MASKED

    @pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt32, pl.Float64, pl.Categorical, pl.Decimal(12, 0)])
    def test_other_types_are_spelt_as_text_first(self, dtype):
        column = pl.Series(MANUAL).cast(pl.Int64 if dtype.is_numeric() else pl.String).cast(dtype)
        made = MaskCharacters("id", keep_first=2, symbol="X").apply(pl.DataFrame({"id": column}))
        assert made["id"].to_list() == MASKED
        assert made.schema["id"] == pl.String

    def test_whole_numbers_that_pandas_made_floats(self):
        frame = pd.DataFrame({"id": [1026457389.0, None], "course": [8, 9]})
        made = MaskCharacters("id", keep_first=2, symbol="X").apply(frame)
        assert isinstance(made, pd.DataFrame)
        assert made["id"][0] == "10XXXXXXXX"
        assert pd.isna(made["id"][1])
        assert made["course"].tolist() == [8, 9]

    def test_leading_zeros_stay(self):
        assert masked(MaskCharacters("id", keep_first=3), ["0945321"]).frame["id"].to_list() == ["094****"]

    def test_dates_are_text(self):
        frame = pl.DataFrame({"born": [datetime.date(1980, 2, 29)]})
        assert MaskCharacters("born", keep_first=4).apply(frame)["born"].to_list() == ["1980******"]

    def test_three_of_five_rows_stand_alone(self):
        finding = found(MaskCharacters("id", keep_first=2, symbol="X"), MANUAL)["MASK_SINGLES_OUT"]
        assert (finding.severity, finding.column) == ("warning", "id")
        assert (finding.values["count"], finding.values["rows"], finding.values["share"]) == (3, 5, "60 %")

    def test_it_counts_as_a_quasi_identifier_of_labels(self):
        (change,) = masked(MaskCharacters("id", keep_first=2), MANUAL).changes
        assert (change.column, change.verb, change.kind) == ("id", "hidden", Category())


class TestPlaces:
    @given(
        cells,
        st.integers(0, 4),
        st.integers(0, 4),
        st.sampled_from("*X█"),
        st.none() | st.integers(9, 12),
    )
    @example(["ab", "abc", "Al B", "a", "é", "---"], 2, 1, "*", None)
    def test_first_and_last(self, values, first, last, symbol, length):
        places = {*range(1, first + 1), *range(-last, 0)}
        mask = MaskCharacters("id", keep_first=first, keep_last=last, symbol=symbol, length=length)
        wanted = [None if not text else by_places(text, places, symbol, length) for text in values]
        assert masked(mask, values).frame["id"].to_list() == wanted

    @given(cells, st.sets(st.integers(-5, 5).filter(bool), min_size=1), st.none() | st.integers(11, 13))
    def test_positions(self, values, places, length):
        mask = MaskCharacters("id", positions=sorted(places), length=length)
        wanted = [None if not text else by_places(text, places, "*", length) for text in values]
        assert masked(mask, values).frame["id"].to_list() == wanted

    @pytest.mark.parametrize(
        ("positions", "wanted"),
        [
            (["4-7"], "***4567**"),
            ([4, "5 - 6", "5-7"], "***4567**"),
            (["-3--2"], "******78*"),
            (["1", -1], "1*******Z"),
            (["2-3", 5, "-4--2"], None),
        ],
    )
    def test_ranges(self, positions, wanted):
        made = masked(MaskCharacters("id", positions=positions), ["12345678Z"]).frame["id"][0]
        assert made == (wanted or "*23*5678*")

    def test_many_rows_are_masked_in_blocks(self):
        values = [f"{row:07d}" if row % 7 else None for row in range(140_001)]
        made = masked(MaskCharacters("id", keep_last=3), values)
        assert made.frame["id"].to_list() == [None if text is None else "****" + text[4:] for text in values]
        assert made.frame["id"].n_chunks() == 1
        assert made.findings == ()

    @given(cells, st.integers(0, 3), st.integers(0, 3))
    def test_no_value_leaves_as_it_came(self, values, first, last):
        made = masked(MaskCharacters("id", keep_first=first, keep_last=last, symbol="¤"), values).frame["id"]
        assert all(text != out for text, out in zip(values, made, strict=True) if text)


OUTER = {  # the groups that are in no other, by their numbers
    r"([^@]+)@.*": [1],
    r"(?i)ES([0-9]+)": [1],
    r"a(b+)([0-9]*)c?": [1, 2],
    r"[)\](a]*(b|1)[^](]*": [1],
    r"(?P<who>\w+)-(?:x|y|a)*(\w*)": [1, 2],
    r"(a(b)?|1)\-(.*)": [1, 3],
    r"(.*)": [1],
    r"(?s)(.).*(.)": [1, 2],
    r"^(a)[[:alpha:]]*$": [1],
    r"(\()a\)": [1],
}


class TestPatterns:
    @given(
        st.sampled_from(sorted(OUTER)),
        st.lists(st.text("ab1-@()]xES\n", min_size=1, max_size=8).map(str.strip), max_size=10),
        st.none() | st.integers(2, 5),
    )
    @tries(200)
    def test_groups_are_hidden_and_the_rest_stays(self, pattern, values, length):
        wanted = [None if not text else self.by_groups(pattern, text, "*", length) for text in values]
        assert masked(MaskCharacters("id", pattern=pattern, length=length), values).frame["id"].to_list() == wanted

    @staticmethod
    def by_groups(pattern: str, text: str, symbol: str, length: int | None) -> str:
        match = re.compile(pattern.replace("[[:alpha:]]", "[A-Za-z]").replace("$", r"\Z")).fullmatch(text)
        if match is None:
            return hidden_whole(text, symbol, length)
        spans = [match.span(group) for group in range(1, len(match.groups()) + 1) if match.span(group)[0] >= 0]
        outer = [match.span(group) for group in OUTER[pattern]]
        hidden = [any(start <= at < end for start, end in spans) for at in range(len(text))]
        if not any(tells(sign) and is_hidden for sign, is_hidden in zip(text, hidden, strict=True)) or all(hidden):
            return hidden_whole(text, symbol, length)
        if length is None:
            return "".join(symbol if is_hidden else sign for sign, is_hidden in zip(text, hidden, strict=True))
        output, place = "", 0
        for start, end in outer:
            output += text[place:start] + symbol * length
            place = end
        return output + text[place:]

    def test_e_mail_addresses(self):
        made = masked(MaskCharacters("id", pattern="([^@]+)@.*"), ["ana@uni.es", "x@y.org", "none", None, "@uni.es"])
        assert made.frame["id"].to_list() == ["***@uni.es", "*@y.org", "****", None, "*******"]

    def test_dni_and_nie_as_the_authorities_show_them(self):
        mask = MaskCharacters("id", pattern="([0-9]{3}|[XYZ][0-9]{3})[0-9]{4}([0-9]?[A-Z])")
        made = masked(mask, ["12345678Z", "X1234567L", "AAA123456"])
        assert made.frame["id"].to_list() == ["***4567**", "****4567*", "*********"]

    def test_a_value_that_would_take_for_ever_elsewhere(self):
        made = masked(MaskCharacters("id", pattern="((?:a+)+)b"), ["a" * 5000])
        assert made.frame["id"].to_list() == ["*" * 5000]

    @pytest.mark.parametrize(
        ("pattern", "why"),
        [
            ("(", "unclosed"),
            ("[a", "unclosed"),
            ("(?=a)(b)", "look-around"),
            (r"(a)\1", "backreferences"),
            ("(a{999999})", "size limit"),
            ("(a)|b", "alternatives"),
            ("(?:(a)x)", "inside another"),
            ("(?:x(?P<n>a))*", "inside another"),
            ("(a)*", "repeats"),
            ("(a)?b", "repeats"),
            ("x(a){2}", "repeats"),
            ("x(a)(?i)b", "flags in its middle"),
            ("(?x)(a b)", "flag x"),
            ("(?ix:a)(b)", "flag x"),
            ("abc", "no group"),
            (r"\(a\)[(]", "no group"),
            ("(?P<part_0>a)(x(?P<part_0>b))", "duplicate"),
            ("x((?P<part_0>b))", "duplicate"),
            ("", "must be a regular expression"),
            (7, "must be a regular expression"),
        ],
    )
    def test_patterns_that_are_refused(self, pattern, why):
        with pytest.raises(OptionError, match=why):
            MaskCharacters("id", pattern=pattern)


class TestLength:
    def test_it_hides_how_long_values_were(self):
        made = masked(MaskCharacters("id", keep_first=1, length=5), ["Al", "Ana", "Bartolomé", "X", None])
        assert made.frame["id"].to_list() == ["A****", "A****", "B****", "*****", None]
        assert "MASK_LENGTH" not in {finding.code for finding in made.findings}

    @pytest.mark.parametrize(
        ("options", "least"),
        [
            ({}, 2),
            ({"keep_first": 2, "keep_last": 1}, 4),
            ({"positions": ["4-7"]}, 7),
            ({"positions": ["1-3"]}, 4),
            ({"positions": [3, -2]}, 5),
            ({"pattern": "(a)b"}, 2),
        ],
    )
    def test_the_least_length(self, options, least):
        MaskCharacters("id", length=least, **options)
        for length in (least - 1, 0, -3, True, "9", 2.0, 10**9):
            with pytest.raises(OptionError, match=f"from {least} to 999999"):
                MaskCharacters("id", length=length, **options)


class TestFindings:
    def test_a_clean_mask_has_none(self):
        assert found(MaskCharacters("id", keep_first=1), ["Ana", "Art", "Bea", "Bob"]) == {}

    def test_who_stands_alone_depends_on_k(self):
        values = ["Ana", "Art", "Bea", "Bob", "Bik", None]
        mask = MaskCharacters("id", keep_first=1)
        assert "MASK_SINGLES_OUT" not in found(mask, values)
        assert found(mask, values, k=3)["MASK_SINGLES_OUT"].values["count"] == 2
        assert found(mask, values, k=4)["MASK_SINGLES_OUT"].values == {"count": 5, "rows": 5, "share": "100 %", "k": 4}

    @given(st.lists(st.sampled_from(["a1", "a2", "b1", "c1", "d12", "d34", None]), max_size=20), st.integers(2, 5))
    def test_counts_are_those_of_the_definition(self, values, k):
        made = masked(MaskCharacters("id", keep_first=1), values, k=k)
        codes = {finding.code: finding for finding in made.findings}
        known = [text for text in made.frame["id"] if text is not None]
        n_alone = sum(known.count(text) < k for text in known)
        lengths = [len(text) for text in known]
        n_by_length = sum(lengths.count(length) < k for length in lengths) if len(set(lengths)) > 1 else 0
        assert (codes["MASK_SINGLES_OUT"].values["count"] if "MASK_SINGLES_OUT" in codes else 0) == n_alone
        assert (codes["MASK_LENGTH"].values["count"] if "MASK_LENGTH" in codes else 0) == n_by_length

    def test_names_masked_character_by_character(self):
        finding = found(MaskCharacters("id"), ["Ana", "Eva", "Maximiliano"])["MASK_LENGTH"]
        assert (finding.severity, finding.values["count"]) == ("warning", 1)
        assert "MASK_LENGTH" not in found(MaskCharacters("id"), ["Ana", "Eva"])
        assert "MASK_LENGTH" not in found(MaskCharacters("id", length=6), ["Ana", "Eva", "Maximiliano"])

    def test_a_whole_value_mask_suggests_dropping(self):
        assert found(MaskCharacters("id"), ["Ana", "Eva"])["WHOLE_VALUE_MASKED"].severity == "note"
        assert "drop" in found(MaskCharacters("id", pattern="(.*)"), ["Ana", "Eva"])["WHOLE_VALUE_MASKED"].message
        assert found(MaskCharacters("id", length=4), ["Ana", "Eva"]) == {}

    def test_short_values_are_counted(self):
        findings = found(MaskCharacters("id", keep_first=2), ["ab", "a", "abcd", "abce", None, "Al."])
        assert findings["MASK_TOO_SHORT"].values == {"count": 3, "rows": 5}

    def test_values_that_do_not_match_are_counted(self):
        findings = found(MaskCharacters("id", pattern="([^@]+)@.*"), ["a@b", "c@b", "none", None, "-@b"])
        assert findings["MASK_NO_MATCH"].values == {"count": 2, "rows": 4}

    def test_values_that_hold_the_symbol(self):
        values = ["X1234567L", "X1234999L", "12345678Z", "12349999Z"]
        assert (
            found(MaskCharacters("id", keep_first=4, symbol="X"), values)["MASK_SYMBOL_IN_VALUES"].values["count"] == 2
        )
        assert "MASK_SYMBOL_IN_VALUES" not in found(MaskCharacters("id", keep_first=4), values)

    def test_no_finding_holds_a_value(self):
        values = ["CANARY1", "CANARY22", "12345678Z", "4111111111111111", "CA"]
        for mask in (MaskCharacters("id", keep_first=4), MaskCharacters("id", positions=[-1]), MaskCharacters("id")):
            text = " ".join(finding.message + str(finding.values) for finding in masked(mask, values).findings)
            assert not any(value in text for value in values)


class TestOptions:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"column": "a", "columns": ["b"]},
            {"column": "a", "keep_first": -1},
            {"column": "a", "keep_first": True},
            {"column": "a", "keep_last": 1.5},
            {"column": "a", "keep_last": 10**30},
            {"column": "a", "positions": []},
            {"column": "a", "positions": "4-7"},
            {"column": "a", "positions": 4},
            {"column": "a", "positions": [0]},
            {"column": "a", "positions": ["7-4"]},
            {"column": "a", "positions": ["3--1"]},
            {"column": "a", "positions": ["-1-3"]},
            {"column": "a", "positions": ["x"]},
            {"column": "a", "positions": [1.0]},
            {"column": "a", "positions": [True]},
            {"column": "a", "positions": [10**7]},
            {"column": "a", "keep_first": 1, "positions": [1]},
            {"column": "a", "keep_last": 1, "pattern": "(a)"},
            {"column": "a", "positions": [1], "pattern": "(a)"},
            {"column": "a", "symbol": ""},
            {"column": "a", "symbol": "XX"},
            {"column": "a", "symbol": " "},
            {"column": "a", "symbol": "0"},
            {"column": "a", "symbol": "\n"},
            {"column": "a", "symbol": "\u0301"},
            {"column": "a", "symbol": 5},
        ],
    )
    def test_what_is_refused(self, options):
        with pytest.raises(OptionError):
            MaskCharacters(**options)

    @pytest.mark.parametrize(
        "options",
        [
            {"columns": ["a"]},
            {"columns": ["a", "b"], "keep_first": 2, "keep_last": 1, "symbol": "X", "length": 9},
            {"columns": ["a"], "positions": [1, "4-7", -1]},
            {"columns": ["a"], "pattern": "(a)b"},
        ],
    )
    def test_they_go_to_a_plan_and_back(self, options):
        mask = MaskCharacters(**options)
        assert mask.to_dict() == options
        assert MaskCharacters(**mask.to_dict()) == mask
        assert hash(MaskCharacters(**options)) == hash(mask)
        assert mask.uses == tuple(options["columns"])

    def test_several_columns_at_once(self):
        made = MaskCharacters(columns=["a", "b"], keep_first=1).apply(
            pl.DataFrame({"a": ["ax"], "b": ["by"], "c": [1]})
        )
        assert made.rows() == [("a*", "b*", 1)]

    def test_a_column_that_is_not_there(self):
        with pytest.raises(ColumnNotFoundError, match="did you mean 'id'"):
            masked(MaskCharacters("idd", keep_first=1), ["x"])

    @pytest.mark.parametrize("dtype", [pl.String, pl.Int64, pl.Null])
    @pytest.mark.parametrize("values", [[], [None, None]])
    @pytest.mark.parametrize("options", [{}, {"keep_first": 1}, {"pattern": "(a)b"}, {"positions": [2], "length": 4}])
    def test_no_values(self, values, dtype, options):
        sheet = MaskCharacters("id", **options).mask(sheet_of(pl.DataFrame({"id": pl.Series(values, dtype=dtype)})))
        assert sheet.frame["id"].to_list() == values
        assert sheet.frame.schema["id"] == pl.String
        assert {finding.code for finding in sheet.findings} <= {"WHOLE_VALUE_MASKED"}
