"""``celosia check --strict``: each trap planted in a file ends with 1, the harmless file beside it with 0."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
import xlsxwriter

from celosia.data import io

N = 240
DEMAND = ("--quasi-identifiers", "age,zip", "--sensitive", "illness", "--strict", "--json")


def people(**columns) -> pl.DataFrame:
    """Give a table that nobody stands out in, with further columns."""
    draw = np.random.default_rng(7)
    table = {
        "age": draw.choice(["20-29", "30-39", "40-49"], N),
        "zip": draw.choice(["28***", "37***"], N),
        "illness": draw.choice(["flu", "cold", "asthma"], N),
    }
    return pl.DataFrame(table | columns)


def drawn(*values: str) -> np.ndarray:
    return np.random.default_rng(11).choice(values, N)


def cycle(*values: str) -> list[str]:
    return [values[row % len(values)] for row in range(N)]


def rows(*, sort: list[str]) -> pl.DataFrame:
    return people(ward=drawn("north", "south", "east", "west")).sort(sort, maintain_order=True)


PLANTED = {
    "MASK_SINGLES_OUT": (
        people(id=["36XXXXXX", "28XXXXXX", *["10XXXXXX"] * (N - 2)]),
        people(id=drawn("10XXXXXX", "36XXXXXX")),
    ),
    "MASK_LENGTH": (people(name=["J*********", *["J***"] * (N - 1)]), people(name=drawn("J****", "A****"))),
    "MASK_CHECK_DIGIT": (people(dni=drawn("*****678Z", "*****000T")), people(dni=drawn("***4567**", "***1234**"))),
    "ROW_NUMBERS": (people(n=np.random.default_rng(3).permutation(N)), people(n=drawn("1", "2", "3"))),
    "ROW_ORDER": (rows(sort=["age"]), rows(sort=["age", "zip", "illness", "ward"])),
    "PERSON_NAME_KEPT": (people(lecturer=drawn("John Doe", "Jane Roe")), people(lecturer=drawn("lecturer A", "B"))),
    "VARIANTS": (people(centre=drawn("NPC", "NCP")), people(centre=drawn("NPC", "UVA"))),
    "RANGE_REVERSED": (people(year=cycle("2022-2020", "2018-2020")), people(year=drawn("2020-2022", "2018-2020"))),
    "RANGES_OVERLAP": (people(mark=drawn("8-9", "9-10", "10-11")), people(mark=drawn("6-7", "8-9", "10-11"))),
    "FORMULA_CELLS": (people(note=drawn("=1+1", "@SUM(A1)")), people(note=drawn("'=1+1", "-5", "-"))),
}


def warnings(out: str) -> set[str]:
    return {code for code, finding in found(out).items() if finding["severity"] == "warning"}


def found(out: str) -> dict[str, dict]:
    return {finding["code"]: finding for finding in json.loads(out)["findings"]}


@pytest.mark.parametrize("code", PLANTED)
def test_what_is_planted_ends_with_1_and_what_is_harmless_with_0(code, celosia, tmp_path):
    planted, harmless = PLANTED[code]
    planted.write_csv(tmp_path / "planted.csv")
    harmless.write_csv(tmp_path / "harmless.csv")
    status, out, _ = celosia("check", tmp_path / "planted.csv", *DEMAND)
    assert status == 1
    assert found(out)[code]["severity"] == "warning"
    assert 0 < found(out)[code]["n_rows"] <= N
    status, out, _ = celosia("check", tmp_path / "harmless.csv", *DEMAND)
    assert (status, warnings(out)) == (0, set())


def test_no_value_is_printed(celosia, tmp_path):
    table = people(
        dni=drawn("*****678Z", "*****901Z"),
        lecturer=drawn("Canarina Doe", "Canarine Doe"),
        year=cycle("7022-7020", "7018-7020"),
        note=drawn("=canary", "none"),
    )
    table.write_csv(tmp_path / "table.csv")
    for options in ((), ("--json",)):
        status, out, err = celosia("check", tmp_path / "table.csv", *DEMAND[:4], *options)
        assert status == 0
        assert not any(value in (out + err).lower() for value in ("678z", "901z", "anari", "7020", "7022", "=can"))
    assert {"MASK_CHECK_DIGIT", "PERSON_NAME_KEPT", "VARIANTS", "RANGE_REVERSED", "FORMULA_CELLS"} <= set(found(out))


def test_mixed_levels_blanks_and_decimal_marks_are_worth_a_note(celosia, tmp_path):
    table = people(code=drawn("24700", "37***"), mark=drawn("0,03", "1.0"), town=drawn("Soria ", "Soria"))
    table.write_csv(tmp_path / "table.csv", separator=";")
    status, out, _ = celosia("check", tmp_path / "table.csv", *DEMAND)
    assert status == 0
    assert {"MIXED_LEVELS", "MIXED_DECIMAL_MARKS", "TRIMMED_BLANKS"} <= set(found(out))
    assert found(out)["TRIMMED_BLANKS"]["n_rows"] == int((table["town"] == "Soria ").sum())


def test_people_alone_children_and_shared_secrets_tell_their_rows(celosia, tmp_path):
    pl.DataFrame(
        {"age": ["13", *["30-39"] * 3], "zip": ["37***"] * 4, "illness": ["flu", "cold", "cold", "cold"]}
    ).write_csv(tmp_path / "note.csv")
    status, out, _ = celosia("check", tmp_path / "note.csv", *DEMAND)
    assert status == 1
    assert {code: found(out)[code]["n_rows"] for code in ("SINGLED_OUT", "CHILD_DATA", "HOMOGENEOUS")} == {
        "SINGLED_OUT": 1,
        "CHILD_DATA": 1,
        "HOMOGENEOUS": 4,
    }


def test_a_hidden_sheet_ends_with_1(celosia, tmp_path):
    for name, has_keys in (("planted.xlsx", True), ("harmless.xlsx", False)):
        _workbook(tmp_path / name, has_keys=has_keys)
    status, out, _ = celosia("check", tmp_path / "planted.xlsx", *DEMAND)
    assert (status, found(out)["HIDDEN_CONTENT"]["severity"]) == (1, "warning")
    status, out, _ = celosia("check", tmp_path / "harmless.xlsx", *DEMAND)
    assert (status, warnings(out)) == (0, set())


def _workbook(path, *, has_keys: bool) -> None:
    table = people()
    with xlsxwriter.Workbook(str(path)) as workbook:
        sheet = workbook.add_worksheet("people")
        for place, row in enumerate([table.columns, *table.rows()]):
            sheet.write_row(place, 0, row)
        if has_keys:
            workbook.add_worksheet("keys").hide()


def test_the_order_of_the_original(celosia, tmp_path):
    draw = np.random.default_rng(2)
    original = pl.DataFrame(
        {
            "age": draw.integers(20, 50, N),
            "zip": draw.choice(["28001", "37002"], N),
            "illness": draw.choice(["flu", "cold", "asthma"], N),
            "visits": draw.permutation(N) * 3 + 17,
        }
    )
    kept = original.with_columns(
        age=(pl.col("age") // 10 * 10).cast(pl.String) + "-" + (pl.col("age") // 10 * 10 + 9).cast(pl.String),
        zip=pl.col("zip").str.slice(0, 2) + "***",
    )
    original.write_csv(tmp_path / "original.csv")
    kept.write_csv(tmp_path / "kept.csv")
    kept.sample(fraction=1, shuffle=True, seed=5).write_csv(tmp_path / "shuffled.csv")
    kept.sort(kept.columns).write_csv(tmp_path / "sorted.csv")
    demand = ("--quasi-identifiers", "age,zip", "--sensitive", "illness,visits", "--strict", "--json")
    beside = (*demand, "--original", tmp_path / "original.csv")
    status, out, _ = celosia("check", tmp_path / "kept.csv", *beside)
    assert (status, found(out)["ROW_ORDER_KEPT"]["n_rows"]) == (1, N)
    for name in ("shuffled.csv", "sorted.csv"):
        status, out, _ = celosia("check", tmp_path / name, *beside)
        assert (status, warnings(out)) == (0, set())


def test_what_celosia_writes_is_clean_in_every_format(celosia, tmp_path):
    """No metadata, formula or order of its own comes with a file that celosia wrote."""
    table = people(note=drawn("=1+1", "-5"))
    for name in ("a.csv", "a.xlsx", "a.parquet", "a.arrow", "a.sav", "a.dta"):
        io.write(table, tmp_path / name)
        status, out, _ = celosia("check", tmp_path / name, *DEMAND)
        assert (status, warnings(out)) == (0, set()), name
