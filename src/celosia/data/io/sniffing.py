"""The delimiter and the decimal mark of a CSV file, found from its first records."""

from __future__ import annotations

import csv
import io
from itertools import islice

import polars as pl

_CANDIDATES = (";", "\t", "|", ",")  # the comma last: it also stands in decimals and in running text
_SAMPLE_BYTES = 120_000  # below the csv module's limit of 131072 characters in a field
_SAMPLE_ROWS = 1000


def sample_records(data: bytes, delimiter: str, n_records: int) -> list[list[str]]:
    r"""Return the first records of UTF-8 text, as many as fit into 120 kB; blank lines are left out.

    Examples
    --------
    >>> sample_records(b"a;b\n1;2\n", ";", 100)
    [['a', 'b'], ['1', '2']]
    """
    is_cut = len(data) > _SAMPLE_BYTES
    text = data[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    records = list(islice(reader, n_records + 1))
    if is_cut and len(records) <= n_records and len(records) > 1:
        records.pop()
    return [record for record in records[:n_records] if record]


def sniff_delimiter(data: bytes) -> str:
    r"""Return the delimiter of UTF-8 text: the one that cuts most of the first 100 records like the header.

    Only delimiters that occur in the header count, so that the decimal commas of a ``;`` file do not. Among equals
    the one with most fields wins, then ``;``, tab, ``|``, comma. A file of one column has the comma.

    Examples
    --------
    >>> sniff_delimiter(b"name;mark\nAna;3,5\nLuis;4,5\n")
    ';'
    """
    best, best_score = ",", (0.0, 0)
    for delimiter in _CANDIDATES:
        n_fields = [len(record) for record in sample_records(data, delimiter, 100)]
        if n_fields and n_fields[0] > 1:
            score = (n_fields.count(n_fields[0]) / len(n_fields), n_fields[0])
            if score > best_score:
                best, best_score = delimiter, score
    return best


def sniff_decimal(frame: pl.DataFrame, delimiter: str) -> str:
    """Return the decimal mark of text cells: the comma only where it does not delimit and prevails in the first rows.

    Examples
    --------
    >>> sniff_decimal(pl.DataFrame({"mark": ["3,5", "4,5", "1.0"]}), ";")
    ','
    """
    if delimiter == "," or not frame.width:
        return "."
    head = frame.head(_SAMPLE_ROWS)
    n_commas, n_points = (
        sum(int(column.str.contains(rf"^\s*[+-]?[0-9]+[{mark}][0-9]+\s*$").sum()) for column in head) for mark in ",."
    )
    return "," if n_commas > n_points else "."
