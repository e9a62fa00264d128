"""What files hold beyond their cells: planted canaries are counted and never told, clean files have none."""

from __future__ import annotations

import io

import numpy as np
import pandas
import polars as pl
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import CelosiaError
from celosia.data.io import read, write
from celosia.data.io.hidden_arrow import schema_entries
from celosia.measure.table_findings import about_file


def hidden(path) -> dict[str, int]:
    source = read(path)
    findings = about_file(source)
    assert "canary" not in repr(findings)
    assert [one.values["count"] for one in findings] == [part.count for part in source.hidden]
    return {part.kind: part.count for part in source.hidden}


def categories(**options) -> pandas.DataFrame:
    illness = pandas.Categorical(["flu", "cold", "flu", *options.get("more", ())], categories=["flu", "cold", "canary"])
    return pandas.DataFrame({"illness": illness})


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_unused_categories_of_pandas(tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    for frame in (categories(), categories(more=[None])):
        frame.to_parquet(path) if suffix == ".parquet" else frame.to_feather(path)
        assert hidden(path) == {"unused_categories": 1, "program_metadata": 1}
    used = categories(more=["canary"])
    used.to_parquet(path) if suffix == ".parquet" else used.to_feather(path)
    assert hidden(path) == {"program_metadata": 1}


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_unused_categories_of_polars(tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    frame = pl.DataFrame({"illness": pl.Series(["flu", None], dtype=pl.Enum(["flu", "canary", "canary 2"]))})
    frame.write_parquet(path) if suffix == ".parquet" else frame.write_ipc(path)
    assert hidden(path) == {"unused_categories": 2}


def test_unused_categories_of_pyarrow(tmp_path):
    column = pyarrow.DictionaryArray.from_arrays([0, 0], ["flu", "canary"])
    pyarrow.feather.write_feather(pyarrow.table({"illness": column}), tmp_path / "table.feather")
    assert hidden(tmp_path / "table.feather") == {"unused_categories": 1}


def test_an_index_that_pandas_stored(tmp_path):
    frame = pandas.DataFrame({"age": [40, 41, 42]}, index=[7, 3, 5])
    frame.to_parquet(tmp_path / "table.parquet")
    assert hidden(tmp_path / "table.parquet") == {"stored_index": 1, "program_metadata": 1}


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_entries_that_somebody_added(tmp_path, suffix):
    fields = [pyarrow.field("age", pyarrow.int64(), metadata={"source": "canary"})]
    schema = pyarrow.schema(fields, metadata={"author": "canary", "path": "/home/canary"})
    table = pyarrow.table({"age": [40]}, schema=schema)
    path = tmp_path / f"table{suffix}"
    (pyarrow.parquet.write_table if suffix == ".parquet" else pyarrow.feather.write_feather)(table, path)
    assert hidden(path) == {"added_metadata": 3}
    frame = pandas.DataFrame({"age": [40]})
    frame.attrs["note"] = "canary"
    frame.to_parquet(tmp_path / "attrs.parquet")
    assert hidden(tmp_path / "attrs.parquet") == {"added_metadata": 1, "program_metadata": 1}


def test_notes_and_labels_of_statistics_files(tmp_path):
    frame = pandas.DataFrame({"sex": [1, 1, 2]})
    labels = {"sex": {1: "male", 2: "female", 3: "canary"}}
    pyreadstat.write_sav(
        frame, tmp_path / "a.sav", note=["canary note"], file_label="canary", variable_value_labels=labels
    )
    assert hidden(tmp_path / "a.sav") == {"notes": 2, "unused_labels": 1}
    pyreadstat.write_dta(frame, tmp_path / "a.dta", file_label="canary", variable_value_labels=labels)
    assert hidden(tmp_path / "a.dta") == {"notes": 1, "unused_labels": 1}
    severities = {one.severity for one in about_file(read(tmp_path / "a.sav"))}
    assert severities == {"warning", "note"}


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".arrow", ".sav", ".dta", ".xpt"])
def test_what_celosia_writes_holds_nothing_else(tmp_path, suffix):
    kind = pl.Enum(["flu", "cold", "canary"])
    frame = pl.DataFrame({"illness": pl.Series(["flu", "cold", None], dtype=kind), "n": [1, 2, None]})
    write(frame, tmp_path / f"table{suffix}")
    assert hidden(tmp_path / f"table{suffix}") == {}


def test_streams_have_schemas_too(tmp_path):
    image = io.BytesIO()
    table = pyarrow.table({"age": [40]}).replace_schema_metadata({"author": "canary"})
    with pyarrow.ipc.new_stream(image, table.schema) as stream:
        stream.write_table(table)
    (tmp_path / "table.arrow").write_bytes(image.getvalue())
    assert hidden(tmp_path / "table.arrow") == {"added_metadata": 1}


@tries(40)
@given(
    st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=4),
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=2), max_size=4),
)
def test_schemas_are_read_as_pyarrow_writes_them(own, of_columns):
    def without_nul(entries):
        return {key.encode(): value.encode() for key, value in entries.items()}

    fields = [
        pyarrow.field(f"c{place}", pyarrow.int64(), metadata=without_nul(entries) or None)
        for place, entries in enumerate(of_columns)
    ]
    schema = pyarrow.schema(fields, metadata=without_nul(own) or None)
    expected = [*own.items(), *(entry for entries in of_columns for entry in entries.items())]
    assert sorted(schema_entries(schema.serialize().to_pybytes())) == sorted(expected)


@tries(150)
@given(st.data())
def test_damaged_schemas_are_no_surprise(data):
    message = bytearray(pyarrow.schema([("age", pyarrow.int64())], metadata={"a": "b"}).serialize().to_pybytes())
    for _ in range(data.draw(st.integers(1, 6))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(message)))
    for damaged in (bytes(message), bytes(message[:cut])):
        found = schema_entries(damaged)
        assert found is None or isinstance(found, list)


def test_damaged_metadata_of_pandas_are_read_over(tmp_path):
    for text in ("{", "[]", '{"columns": [1, {"metadata": 3}, {"name": "age", "metadata": {"num_categories": "x"}}]}'):
        table = pyarrow.table({"age": [40]}).replace_schema_metadata({"pandas": text})
        pyarrow.parquet.write_table(table, tmp_path / "table.parquet")
        assert hidden(tmp_path / "table.parquet") == {"program_metadata": 1}


def test_a_broken_file_is_refused_as_before(tmp_path):
    (tmp_path / "table.parquet").write_bytes(b"PAR1" + np.random.default_rng(1).bytes(200))
    with pytest.raises(CelosiaError):
        read(tmp_path / "table.parquet")
