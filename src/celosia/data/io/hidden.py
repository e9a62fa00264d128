"""What a file holds beyond the cells that are read, and would give away itself; here of workbooks.

Only kinds and counts come out, never a value.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError

import python_calamine

from celosia.base.errors import FormatError
from celosia.base.wording import Said
from celosia.data.io.hidden_excel import count_excel_parts, count_in_excel
from celosia.data.io.hidden_ods import count_in_ods
from celosia.data.io.packages import Package

HIDDEN_WORDS: Mapping[str, str] = {
    "hidden_sheets": Said("Hidden sheets in the workbook: {count}. They were not read."),
    "very_hidden_sheets": Said(
        "Sheets hidden so that no menu of the spreadsheet shows them: {count}. They were not read."
    ),
    "further_sheets": Said("Further visible sheets in the workbook: {count}. They were not read."),
    "hidden_rows": Said("Hidden rows with cells on the sheet that was read: {count}. They were read like any other."),
    "filtered_rows": Said(
        "Rows hidden by a filter on the sheet that was read: {count}. They were read like any other."
    ),
    "hidden_columns": Said(
        "Hidden columns with cells on the sheet that was read: {count}. They were read like any other."
    ),
    "comments": Said("Comments in the workbook, with the names of their authors: {count}."),
    "threaded_comments": Said("Comments in conversations, with the names of the people who wrote them: {count}."),
    "pivot_caches": Said("Pivot tables that keep the values they were made from: {count}."),
    "pivot_records": Said("Rows kept behind pivot tables, even where the rows themselves were deleted: {count}."),
    "data_models": Said("Data models (Power Pivot) that keep whole tables: {count}."),
    "defined_names": Said("Defined names, which may hold values: {count}."),
    "hidden_names": Said("Defined names that the spreadsheet does not show: {count}."),
    "external_links": Said("Links to other files, with their paths and copies of their cells: {count}."),
    "connections": Said("Connections to other sources, with addresses and queries: {count}."),
    "properties": Said("Properties of the document that are filled in, such as author and company: {count}."),
    "custom_properties": Said("Properties of the document that somebody added: {count}."),
    "custom_parts": Said("Parts that other programs have put into the file: {count}."),
    "embedded_objects": Said("Embedded objects, such as whole documents: {count}."),
    "images": Said("Images: {count}."),
    "thumbnails": Said("Pictures of the first page: {count}."),
    "drawing_texts": Said("Texts in boxes and shapes: {count}."),
    "printer_settings": Said("Settings of printers, with their names: {count}."),
    "macros": Said("Macro projects: {count}."),
    "revisions": Said("Records of earlier changes, with old values: {count}."),
    "value_lists": Said("Lists of allowed values behind cells of the sheet that was read: {count}."),
    "chart_values": Said("Values kept in charts, even where their cells were deleted: {count}."),
    "unused_categories": Said(
        "Categories that no cell has any more, kept in the file's lists of values: {count}. They tell who was left out."
    ),
    "stored_index": Said(
        "Index columns that pandas stored, with the numbers that the rows had before: {count}. They were not read."
    ),
    "added_metadata": Said("Entries that somebody added to the file's metadata: {count}."),
    "program_metadata": Said("Entries that programs left in the file's metadata, such as types and versions: {count}."),
    "notes": Said("Notes and titles that the file holds beside its cells: {count}."),
    "unused_labels": Said("Labels of codes that no cell has: {count}."),
}
"""A sentence for each kind, with the count to be put in."""


@dataclass(frozen=True)
class Hidden:
    """A kind of thing that a file holds beyond the cells that are read, and how many of it.

    Parameters
    ----------
    kind
        A key of ``HIDDEN_WORDS``.
    count
        At least 1.

    Examples
    --------
    >>> HIDDEN_WORDS[Hidden("images", 2).kind].format(count=2)
    'Images: 2.'
    """

    kind: str
    count: int


def hidden_parts(data: bytes, file: str, sheet: str | None = None) -> tuple[Hidden, ...]:
    """Return what a workbook holds beyond the visible cells of one sheet: kinds in the order of ``HIDDEN_WORDS``.

    An ``.xlsx``, ``.xlsm`` or ``.ods`` file is looked through whole; of an ``.xlsb`` file the sheets and the parts, of
    an ``.xls`` file the sheets alone are counted. Cells of the sheet that do not show because of their colour or number
    format, and texts that no cell uses any more, are not looked for.

    Parameters
    ----------
    data
        The bytes of a workbook.
    file
        Its name, for messages.
    sheet
        The sheet that is read; the first visible one by default.

    Raises
    ------
    FormatError
        When the workbook is broken, declares document types (entities), or unpacks to more than a workbook can hold.

    Examples
    --------
    >>> import xlsxwriter
    >>> image = io.BytesIO()
    >>> workbook = xlsxwriter.Workbook(image)
    >>> _ = workbook.add_worksheet("exams").write_row(0, 0, ["name", "mark"])
    >>> workbook.add_worksheet("keys").hide()
    >>> workbook.close()
    >>> hidden_parts(image.getvalue(), "exams.xlsx")
    (Hidden(kind='hidden_sheets', count=1),)
    """
    try:
        counts = _counts(data, file, sheet)
    except (zipfile.BadZipFile, zlib.error, ParseError, ExpatError, EOFError, python_calamine.CalamineError):
        counts = None
    except (ValueError, LookupError, NotImplementedError, RuntimeError):
        # Numbers, encodings, compressions and locks of parts that no spreadsheet writes.
        counts = None
    if counts is None:
        raise FormatError(f"{file} is not a readable workbook: a part of it is broken.", hint="save it anew as .xlsx.")
    return tuple(Hidden(kind, counts[kind]) for kind in HIDDEN_WORDS if counts[kind] > 0)


def _counts(data: bytes, file: str, sheet: str | None) -> Counter[str]:
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return _sheets(data, sheet)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        package = Package(archive, file)
        if "content.xml" in package.names:
            return count_in_ods(package, sheet)
        if "xl/workbook.bin" in package.names:
            return count_excel_parts(package) + _sheets(data, sheet)
        return count_in_excel(package, sheet)


def _sheets(data: bytes, sheet: str | None) -> Counter[str]:
    """Count the sheets that are not read, where the format is binary."""
    counts: Counter[str] = Counter()
    states = python_calamine.SheetVisibleEnum
    was_read = False
    for found in python_calamine.load_workbook(io.BytesIO(data)).sheets_metadata:
        is_table = found.typ == python_calamine.SheetTypeEnum.WorkSheet
        is_wanted = found.name == sheet if sheet is not None else is_table and found.visible == states.Visible
        if is_wanted and not was_read:
            was_read = True
        elif found.visible == states.Visible:
            counts["further_sheets"] += 1
        else:
            counts["hidden_sheets" if found.visible == states.Hidden else "very_hidden_sheets"] += 1
    return counts
