"""Frames of the user's kind: pandas, Polars or Arrow in, the same kind out."""

from __future__ import annotations

import datetime
import decimal
import sys
from typing import Any, Literal

import numpy as np
import polars as pl

from celosia.base.errors import FormatError, InputError
from celosia.data.io.arrow import from_arrow_table, refuse_repeated
from celosia.data.io.plain import plain_columns, scrub
from celosia.data.io.spelling import cell_text

FrameKind = Literal["pandas", "polars", "arrow"]
"""The kind of frame that the user gave and gets back."""

_NESTED = (list, tuple, dict, set, frozenset, bytes, bytearray, np.ndarray)


def to_polars(frame: Any) -> tuple[pl.DataFrame, FrameKind]:
    """Return a pandas, Polars or Arrow frame as a Polars frame of plain columns, and its kind.

    Index and metadata are dropped, categories become their values, NaN and None are missing, and columns of mixed
    objects become text. Neither pandas nor pyarrow is imported unless the frame is of that kind.

    Parameters
    ----------
    frame
        ``pandas.DataFrame``, ``polars.DataFrame``, ``polars.LazyFrame`` (collected) or ``pyarrow.Table``.

    Raises
    ------
    InputError
        When the object is of another kind.
    FormatError
        When two columns have one name, or a column is nested.

    Examples
    --------
    >>> frame, kind = to_polars(pl.DataFrame({"age": [39.0, float("nan")]}))
    >>> frame["age"].to_list(), kind
    ([39.0, None], 'polars')
    """
    if isinstance(frame, pl.DataFrame):
        return plain_columns(frame, "the frame"), "polars"
    if isinstance(frame, pl.LazyFrame):
        return plain_columns(frame.collect(), "the frame"), "polars"
    if _is_instance(frame, "pandas", "DataFrame"):
        return plain_columns(_from_pandas(frame), "the frame"), "pandas"
    if _is_instance(frame, "pyarrow", "Table"):
        return plain_columns(from_arrow_table(frame), "the frame"), "arrow"
    raise InputError(
        f"an object of type {type(frame).__name__} is not a table; "
        "allowed: pandas.DataFrame, polars.DataFrame, polars.LazyFrame, pyarrow.Table.",
        hint="convert it to one of these, or read it from a file.",
    )


def _is_instance(frame: Any, module: str, kind: str) -> bool:
    """Ask without importing: whoever holds such a frame has the module loaded already."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(frame, getattr(loaded, kind))


def _from_pandas(frame: Any) -> pl.DataFrame:
    if frame.columns.nlevels > 1:
        raise FormatError("the frame has column names of several levels.", hint="flatten them to one level.")
    names = [str(name) for name in frame.columns]
    refuse_repeated(names)
    return pl.DataFrame([_from_pandas_column(name, frame.iloc[:, place]) for place, name in enumerate(names)])


def _from_pandas_column(name: str, column: Any) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biufMm":
        values = np.ascontiguousarray(column.to_numpy())
        if dtype.kind == "f":
            wide = values if dtype.itemsize in (4, 8) else values.astype(np.float64)
            return pl.Series(name, wide.astype(wide.dtype.newbyteorder("=")), nan_to_null=True)
        if dtype.kind in "Mm":
            return pl.Series(name, values.astype(f"{dtype.kind}8[us]"))
        return pl.Series(name, values.astype(dtype.newbyteorder("=")))
    missing = column.isna().to_numpy(dtype=bool)
    objects = column.astype(object).tolist()
    cells = [None if gone else _python_value(cell) for cell, gone in zip(objects, missing, strict=True)]
    return _from_cells(name, cells)


def _python_value(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _from_cells(name: str, cells: list[Any]) -> pl.Series:
    """Type a column by its cells: of one kind, a typed column; of several, text."""
    present = [cell for cell in cells if cell is not None]
    if any(isinstance(cell, _NESTED) for cell in present):
        raise FormatError(
            f"column '{name}' of the frame holds nested cells; allowed: text, numbers, truth values, dates and times.",
            hint="split it into plain columns, or leave it out.",
        )
    found = {_kind_of(cell) for cell in present}
    if found == {int} and all(-(2**63) <= cell < 2**63 for cell in present):
        return pl.Series(name, cells, dtype=pl.Int64)
    if found and found <= {int, float, decimal.Decimal} and found != {int}:
        return pl.Series(name, [None if cell is None else float(cell) for cell in cells], dtype=pl.Float64)
    plain_types: dict[type, Any] = {
        bool: pl.Boolean,
        datetime.date: pl.Date,
        datetime.time: pl.Time,
        datetime.timedelta: pl.Duration("us"),
        datetime.datetime: pl.Datetime("us"),
    }
    if len(found) == 1 and (dtype := plain_types.get(next(iter(found)))) is not None:
        return pl.Series(name, cells, dtype=dtype)
    try:
        return pl.Series(name, [cell_text(cell) for cell in cells], dtype=pl.String)
    except UnicodeEncodeError:
        raise FormatError(
            f"column '{name}' of the frame holds half characters (lone surrogates).", hint="read its source anew."
        ) from None


def _kind_of(cell: Any) -> type:
    for kind in (bool, int, float, str, decimal.Decimal, datetime.timedelta, datetime.time):
        if isinstance(cell, kind):
            return kind
    if isinstance(cell, datetime.datetime):
        # A time with a zone goes as text: its own date would change with a change of zone.
        return str if cell.tzinfo is not None else datetime.datetime
    return datetime.date if isinstance(cell, datetime.date) else object


def from_polars(frame: pl.DataFrame, kind: FrameKind) -> Any:
    """Return a Polars frame as a frame of the wished kind, with fresh memory, index and metadata.

    Parameters
    ----------
    frame
        Plain columns.
    kind
        ``pandas``, ``polars`` or ``arrow``, as ``to_polars`` gave it.

    Examples
    --------
    >>> from_polars(pl.DataFrame({"age": ["[30, 40]"]}), "polars").rows()
    [('[30, 40]',)]
    """
    if kind == "pandas":
        return _to_pandas(frame)
    clean = scrub(frame)
    return clean.to_arrow(compat_level=pl.CompatLevel.oldest()) if kind == "arrow" else clean


def _to_pandas(frame: pl.DataFrame) -> Any:
    """Build column by column: Polars' own conversion needs pyarrow, which a pandas user may not have."""
    import pandas

    columns = {name: _to_pandas_values(frame.get_column(name)) for name in frame.columns}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(frame.height))


def _to_pandas_values(column: pl.Series) -> Any:
    import pandas

    dtype = column.dtype
    if dtype.is_float():
        return column.to_numpy()
    if dtype.is_integer():
        return pandas.array(column.to_list(), dtype="Int64") if column.null_count() else column.to_numpy()
    if dtype == pl.Boolean:
        return pandas.array(column.to_list(), dtype="boolean") if column.null_count() else column.to_numpy()
    if dtype == pl.Duration or (isinstance(dtype, pl.Datetime) and dtype.time_zone is None):
        return column.to_numpy()
    return column.to_list()
