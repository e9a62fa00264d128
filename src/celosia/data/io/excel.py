"""Workbooks: cells read as text through calamine, written into an empty workbook of one sheet."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Collection
from typing import IO, TYPE_CHECKING, Any

import polars as pl
import python_calamine

from celosia.base.errors import FormatError, OptionError, nearest
from celosia.data.io.formulas import neutralised
from celosia.data.io.names import check_names, refuse_data_as_names
from celosia.data.io.plain import refuse_where
from celosia.data.io.spelling import cell_text, spell

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

_MAX_ROWS, _MAX_COLUMNS, _MAX_CHARACTERS = 1_048_575, 16_384, 32_767
_LARGEST_EXACT_INTEGER = 2**53
# 15 digits are what a spreadsheet keeps; a leading zero, a plus or an exponent is a spelling to keep as text.
_WORKBOOK_NUMBER = re.compile(r"-?(?=[0-9.]{1,16}$)(0|[1-9][0-9]{0,14})(\.[0-9]+)?")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_excel(data: bytes, file: str, sheet: str | None = None) -> pl.DataFrame:
    """Return the cells of one sheet as text; its first row holds the names.

    Whole numbers lose ``.0``, dates are ISO 8601, truth is ``TRUE`` or ``FALSE``; empty cells and error cells are
    missing. Rows and columns at the end without any value are left out. Hidden rows and merged cells are read like
    any other.

    Parameters
    ----------
    data
        The bytes of an ``.xlsx``, ``.xls``, ``.xlsb`` or ``.ods`` file.
    file
        Its name, for messages.
    sheet
        The name of a sheet; the first visible one by default.

    Raises
    ------
    FormatError
        When the workbook is broken or locked, or its sheet has no table.
    OptionError
        When there is no such sheet.

    Examples
    --------
    >>> image = io.BytesIO()
    >>> write_excel(pl.DataFrame({"zip": ["01001"], "age": [39]}), image)
    >>> read_excel(image.getvalue(), "people.xlsx").rows()
    [('01001', '39')]
    """
    rows = [[cell_text(cell) for cell in row] for row in _sheet_rows(data, file, sheet)]
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise FormatError(
            f"the sheet of {file} is empty.", hint="the first row must hold the names; or say another sheet."
        )
    width = max(position for row in rows for position, cell in enumerate(row, start=1) if cell is not None)
    names = check_names([cell or "" for cell in rows[0][:width]], file)
    refuse_data_as_names(names, rows[1:1001], file)
    columns = list(zip(*(row[:width] for row in rows[1:]), strict=True)) or [()] * width
    return pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in zip(names, columns, strict=True)])


def _sheet_rows(data: bytes, file: str, sheet: str | None) -> list[list[Any]]:
    if _ENCRYPTED in data:
        raise FormatError(f"{file} is locked with a password.", hint="save it without the password.")
    try:
        workbook = python_calamine.load_workbook(io.BytesIO(data))
        names = workbook.sheet_names
        chosen = sheet if sheet is not None else _first_visible(workbook)
        rows = workbook.get_sheet_by_name(chosen).to_python() if chosen in names else None
    except python_calamine.CalamineError:
        names, rows = None, None
    if names is None:
        raise FormatError(
            f"{file} is not a readable workbook.", hint="save it anew as .xlsx without a password; it may be cut short."
        )
    if sheet is not None and sheet not in names:
        raise OptionError(f"{file} has no sheet '{sheet}' ({len(names)} sheets).", hint=nearest(sheet, names))
    if rows is None:
        raise FormatError(f"{file} has no visible sheet.", hint="say which sheet to read.")
    return rows


def _first_visible(workbook: python_calamine.CalamineWorkbook) -> str | None:
    for sheet in workbook.sheets_metadata:
        is_table = sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
        if is_table and sheet.visible == python_calamine.SheetVisibleEnum.Visible:
            return sheet.name
    return None


def write_excel(frame: pl.DataFrame, file: IO[bytes], *, numbers: Collection[str] = ()) -> None:
    """Write a frame into an empty workbook with one sheet, ``data``, and neither author nor true dates.

    Numeric columns become number cells, and so do those cells of ``numbers`` that a spreadsheet keeps unchanged;
    whole numbers beyond 2^53 and all else become text. Names and text that a spreadsheet would run get an apostrophe.

    Parameters
    ----------
    frame
        Plain columns; at most 1,048,575 rows and 16,384 columns.
    file
        An empty binary file.
    numbers
        Text columns that hold numbers.

    Raises
    ------
    FormatError
        When the frame or a cell (32,767 characters) is too large for a workbook.

    Examples
    --------
    >>> write_excel(pl.DataFrame({"age": ["39"]}), io.BytesIO(), numbers=["age"])
    """
    if frame.height > _MAX_ROWS or frame.width > _MAX_COLUMNS:
        raise FormatError(
            f"{frame.height} rows and {frame.width} columns do not fit into a workbook; "
            f"allowed: {_MAX_ROWS} rows, {_MAX_COLUMNS} columns.",
            hint="write csv, parquet or arrow.",
        )
    import xlsxwriter  # here: whoever writes no workbook need not wait for it

    safe = neutralised(frame.select(_as_written(column) for column in frame))
    # in_memory: otherwise the sheet's cells pass through files in the system's temporary folder.
    workbook = xlsxwriter.Workbook(file, {"in_memory": True})
    workbook.set_properties({"author": "", "created": datetime.datetime(2000, 1, 1)})
    sheet = workbook.add_worksheet("data")
    for position, column in enumerate(safe):
        sheet.write_string(0, position, column.name)
        _write_column(sheet, position, column, frame.columns[position] in numbers)
    if frame.height and all(cell is None for cell in frame.row(-1)):
        # Without any cell the last row would not exist; a blank one with a format of its own does.
        sheet.write_blank(frame.height, 0, None, workbook.add_format({"locked": False}))
    workbook.close()


def _as_written(column: pl.Series) -> pl.Series:
    """Numbers and truth values keep their type; dates and times are text, since workbooks know none before 1900."""
    is_value = column.dtype.is_integer() or column.dtype.is_float() or column.dtype == pl.Boolean
    return column if is_value else spell(column.to_frame(), decimal=".").to_series()


class _ExactFloat(float):
    """A float that spells all its digits, where xlsxwriter's own format rounds to 16."""

    def __format__(self, _: str) -> str:
        return float.__repr__(self)


def _write_column(sheet: Worksheet, position: int, column: pl.Series, is_number: bool) -> None:
    if column.dtype == pl.String:
        what = f"cells of more than {_MAX_CHARACTERS} characters, too long for a workbook."
        refuse_where(column, column.str.len_chars() > _MAX_CHARACTERS, what, "write csv, parquet or arrow.")
    for row, value in enumerate(column.to_list(), start=1):
        if isinstance(value, str) and is_number and _WORKBOOK_NUMBER.fullmatch(value):
            value = _ExactFloat(value)
        if isinstance(value, bool):
            sheet.write_boolean(row, position, value)
        elif isinstance(value, int) and abs(value) <= _LARGEST_EXACT_INTEGER:
            sheet.write_number(row, position, value)
        elif isinstance(value, float) and abs(value) < float("inf"):
            sheet.write_number(row, position, _ExactFloat(value))
        elif value is not None:
            sheet.write_string(row, position, str(value))
