from __future__ import annotations

import polars as pl
import pytest

import celosia as cl


def run(masks, **roles):
    frame = pl.DataFrame({"dni": ["CANARY1", "CANARY2"], "age": [40, 44], "note": ["CANARYx", "CANARYy"]})
    table = cl.Table(frame, cl.Schema(**{"identifiers": ["dni"], "quasi_identifiers": {"age": "number"}, **roles}))
    return cl.Plan(models=[cl.KAnonymity(2)], masks=masks).run(table)


def test_a_dropped_column_needs_no_role():
    assert run([cl.Drop(column="note")]).frame.columns == ["age"]
    assert run([cl.Drop(columns=["note", "dni"])]).frame.columns == ["age"]


def test_a_dropped_column_leaves_the_schema():
    made = run([cl.Drop(column="note")], sensitive=["note"])
    assert made.frame.columns == ["age"]
    assert made.table.schema.columns == ("dni", "age")


def test_a_release_without_columns_is_refused():
    with pytest.raises(cl.InputError, match="no column"):
        run([cl.Drop(columns=["note", "age"])])


def test_the_subject_cannot_be_dropped():
    with pytest.raises(cl.OptionError, match="people are counted"):
        run([cl.Drop(column="dni")], identifiers=[], subject="dni", insensitive=["note"])


def test_a_column_that_is_not_there():
    with pytest.raises(cl.ColumnNotFoundError, match="did you mean 'note'"):
        run([cl.Drop(column="notes")])


@pytest.mark.parametrize(
    "options", [{}, {"columns": []}, {"columns": "x"}, {"column": 5}, {"column": "a", "columns": ["b"]}]
)
def test_what_does_not_name_columns_is_refused(options):
    with pytest.raises(cl.OptionError):
        cl.Drop(**options)
