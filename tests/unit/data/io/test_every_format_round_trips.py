"""A table through every format, from each to each, alone and through whole plans: what a format can keep is kept."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia as cl
from celosia.data import io
from celosia.data.io.sql import SqlTarget, write_sql

STATS = ["sav", "zsav", "dta", "xpt"]
TYPED = ["parquet", "arrow", "sqlite", *STATS]
TEXTS = ["csv", "csv-es", "xlsx"]
FORMATS = [*TEXTS, *TYPED]

PEOPLE = pl.DataFrame(
    {
        "code": ["01001", "00700", "37003", None, "08080", "01001"],
        "name": ["Íñigo Muñoz", "Ana «la» Ruiz", "Zoë, O'Neill", 'Çelik; "x"', None, "ŁŒß €"],
        "age": [39, None, -5, 0, 2**40, 39],
        "pay": [1.5, None, -0.25, 1234.5678, 1e-7, 2.0],
        "flag": [True, None, False, True, False, True],
        "born": [
            dt.date(1890, 1, 2),
            None,
            dt.date(2024, 2, 29),
            dt.date(1999, 12, 31),
            dt.date(1970, 1, 1),
            dt.date(1900, 3, 1),
        ],
        "seen": [
            dt.datetime(2024, 5, 1, 10, 30),
            None,
            dt.datetime(1969, 12, 31, 23, 59, 59),
            dt.datetime(2024, 5, 1, 0, 0, 0, 250_000),
            dt.datetime(1901, 3, 4),
            dt.datetime(2000, 1, 1, 1, 1, 1),
        ],
        "hour": [dt.time(8, 30), None, dt.time(0), dt.time(23, 59, 59), dt.time(12), dt.time(1, 2, 3)],
        "sex": [1, 2, None, 2, 1, 1],
    }
)
LABELS = io.Labels(
    columns={"sex": "Sexo según el registro", "age": "Edad en años"},
    values={"sex": {1: "varón", 2: "mujer", 3: "nadie lo tiene"}},
)

# How the formats without types spell the columns, from the manual of each: written out by hand, not by the code.
_ISO = {
    "born": ["1890-01-02", None, "2024-02-29", "1999-12-31", "1970-01-01", "1900-03-01"],
    "seen": [
        "2024-05-01T10:30:00",
        None,
        "1969-12-31T23:59:59",
        "2024-05-01T00:00:00.250",
        "1901-03-04T00:00:00",
        "2000-01-01T01:01:01",
    ],
    "hour": ["08:30:00", None, "00:00:00", "23:59:59", "12:00:00", "01:02:03"],
    "age": ["39", None, "-5", "0", "1099511627776", "39"],
    "sex": ["1", "2", None, "2", "1", "1"],
}
_TRUTH = ["true", None, "false", "true", "false", "true"]
SPELT: dict[str, dict[str, list[str | None]]] = {
    "csv": {**_ISO, "flag": _TRUTH, "pay": ["1.5", None, "-0.25", "1234.5678", "1e-7", "2.0"]},
    "csv-es": {**_ISO, "flag": _TRUTH, "pay": ["1,5", None, "-0,25", "1234,5678", "1e-7", "2,0"]},
    "xlsx": {
        **_ISO,
        "flag": ["TRUE", None, "FALSE", "TRUE", "FALSE", "TRUE"],
        "pay": ["1.5", None, "-0.25", "1234.5678", "1e-07", "2"],
    },
}

# Numbers that came as text: a workbook shows those that it keeps exactly as numbers, Spanish files have decimal commas.
RESPELT: dict[tuple[str, str], list[str | None]] = {
    ("csv", "xlsx"): ["1.5", None, "-0.25", "1234.5678", "1e-7", "2"],
    ("csv", "csv-es"): ["1,5", None, "-0,25", "1234,5678", "1e-7", "2,0"],
    ("xlsx", "csv-es"): ["1,5", None, "-0,25", "1234,5678", "1e-07", "2"],
}


def written(frame: pl.DataFrame, folder: Path, format: str) -> str | Path:
    """Write a frame; return the path or address by which it is read."""
    folder.mkdir(exist_ok=True)
    if format == "sqlite":
        write_sql(frame, f"sqlite:///{folder}/data.db", "people")
        return f"sqlite:///{folder}/data.db#people"
    path = folder / f"data.{format.removesuffix('-es')}"
    io.write(frame, path, format=format, labels=LABELS if format in STATS else None)
    return path


def kept(frame: pl.DataFrame, format: str) -> pl.DataFrame:
    """Return what a format that has types keeps of a frame: all, but statistical programs have no truth values."""
    if format not in STATS or frame["flag"].dtype != pl.Boolean:
        return frame
    return frame.with_columns(pl.Series("flag", _TRUTH))


def as_read(format: str) -> pl.DataFrame:
    """Return the table as it comes back from a format."""
    if format in TYPED:
        return kept(PEOPLE, format)
    return PEOPLE.with_columns(pl.Series(name, cells) for name, cells in SPELT[format].items())


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read(tmp_path: Path, format: str) -> None:
    source = io.read(written(PEOPLE, tmp_path, format))
    expected = as_read(format)
    assert source.frame.schema == expected.schema
    assert source.frame.rows() == expected.rows()


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_from_every_format_to_every_other(tmp_path: Path, source: str, target: str) -> None:
    """Masks that leave a column alone leave it as it was read, and the target keeps all that it can."""
    given = written(PEOPLE.with_columns(pl.lit("x").alias("gone")), tmp_path / "in", source)
    result = cl.mask(cl.Table.read(given, cl.Schema()), cl.Drop(column="gone"))
    before = as_read(source)
    assert result.rows.schema == before.schema
    assert result.rows.rows() == before.rows()
    (tmp_path / "out").mkdir()
    place: Any = tmp_path / "out" / f"data.{target.removesuffix('-es')}"
    if target == "sqlite":
        place = f"sqlite:///{tmp_path}/out/data.db#people"
    result.write(place, format=None if target == "sqlite" else target)
    found = io.read(place)
    if target in TYPED:
        assert found.frame.schema == kept(before, target).schema
        assert found.frame.rows() == kept(before, target).rows()
    else:
        columns = [pl.Series(name, cells) for name, cells in SPELT[target].items() if before.schema[name] != pl.String]
        expected = before.with_columns(columns)
        if (source, target) in RESPELT:
            expected = expected.with_columns(pl.Series("pay", RESPELT[source, target]))
        assert found.frame.schema == expected.schema
        assert io.restored(found.frame).rows() == expected.rows()
    if source in STATS and target in STATS:
        assert found.labels is not None
        assert found.labels.columns == LABELS.columns
        if "xpt" not in (source, target):
            assert found.labels.values == {"sex": {1: "varón", 2: "mujer"}}


# Whole plans ----------------------------------------------------------------------------------------------------------

N_CLASS = 3
PASSED = ["code", "name", "pay", "flag", "born", "seen", "hour", "sex"]


def schema() -> cl.Schema:
    return cl.Schema(
        identifiers=["dni"], quasi_identifiers={"age": "number"}, sensitive=["sex"], insensitive=PASSED[:-1]
    )


def with_people() -> pl.DataFrame:
    return PEOPLE.with_columns(pl.Series("dni", [f"0000{row}X" for row in range(6)]))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("xlsx", "sav"),
        ("sav", "dta"),
        ("sqlite", "csv"),
        ("dta", "parquet"),
        ("csv", "xpt"),
        ("xpt", "zsav"),
        ("parquet", "xlsx"),
        ("arrow", "csv-es"),
        ("csv-es", "sav"),
        ("zsav", "arrow"),
    ],
)
def test_through_a_whole_plan(tmp_path: Path, source: str, target: Any) -> None:
    table = cl.Table.read(written(with_people(), tmp_path / "in", source), schema())
    release = cl.Plan(models=[cl.KAnonymity(N_CLASS)], keep_order=True).run(table)
    into = SqlTarget(f"sqlite:///{tmp_path}/out.db", "released")
    release.write(tmp_path / "release", format=target, database=into)
    before = as_read(source).select(PASSED)
    if source == "csv-es":  # a release has one decimal mark, that of its ranges
        before = before.with_columns(pl.col("pay").str.replace(",", "."))
    assert release.rows.select(PASSED).rows() == before.rows()
    assert "dni" not in release.rows.columns
    stored = io.read(f"sqlite:///{tmp_path}/out.db#released").frame
    assert stored.select(PASSED).rows() == before.rows()
    assert stored["age"].to_list() == release.rows["age"].to_list()
    found = io.read(tmp_path / "release" / f"data.{target.removesuffix('-es')}")
    if target in TYPED:
        assert found.frame.select(PASSED).rows() == kept(before, target).rows()
        assert found.frame.select(PASSED).schema == kept(before, target).schema
    else:
        typed = [pl.Series(name, SPELT[target][name]) for name in PASSED if before.schema[name] != pl.String]
        assert io.restored(found.frame).select(PASSED).rows() == before.with_columns(typed).rows()
    if source in ("sav", "zsav", "dta") and target in ("sav", "zsav", "dta"):
        assert found.labels is not None
        assert found.labels.values == {"sex": {1: "varón", 2: "mujer"}}
        assert found.labels.columns == LABELS.columns


@pytest.mark.parametrize("source", ["sav", "dta"])
def test_labels_as_texts_reach_a_format_without_labels(tmp_path: Path, source: str) -> None:
    place = written(with_people(), tmp_path / "in", source)
    table = cl.Table.read(place, schema(), labels="texts")
    release = cl.Plan(models=[cl.KAnonymity(N_CLASS)], keep_order=True).run(table)
    release.write(tmp_path / "release", format="csv")
    found = io.read(tmp_path / "release" / "data.csv").frame
    assert found["sex"].to_list() == ["varón", "mujer", None, "mujer", "varón", "varón"]


def test_a_label_of_a_person_who_was_dropped_is_not_written(tmp_path: Path) -> None:
    table = cl.Table.read(written(PEOPLE, tmp_path, "sav"), cl.Schema())
    result = cl.mask(table, [cl.DropRows(where="sex == 2"), cl.Drop(column="age")])
    for format in STATS[:3]:
        result.write(tmp_path / f"out.{format}")
        found = io.read(tmp_path / f"out.{format}").labels
        assert found is not None
        assert found.values == {"sex": {1: "varón"}}
        assert found.columns == {"sex": LABELS.columns["sex"]}
