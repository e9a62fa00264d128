"""What a claim says about the data file it goes with."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from celosia.data.io.base import DIALECTS, OutputDialect, format_of


def described(path: Path, format: str, n_rows: int) -> dict[str, Any]:
    r"""Return how to read a written data file, how many rows it has, and its SHA-256: the claim's part ``data``.

    Parameters
    ----------
    path
        The file as ``write`` left it.
    format
        ``csv``, ``csv-es``, ``parquet``, ``xlsx``, ``arrow``, ``sav``, ``zsav``, ``dta`` or ``xpt``.
    n_rows
        The number of published rows.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> _ = path.write_bytes(b"age\n39\n")
    >>> facts = described(path, "csv", 1)
    >>> facts["delimiter"], facts["neutralised"], facts["sha256"][:8]
    (',', True, '7723e48e')
    """
    dialect: OutputDialect = "csv-es" if format == "csv-es" else "csv"
    kind = format_of(path, "csv" if format == "csv-es" else format)
    facts: dict[str, Any] = {"format": kind, "neutralised": kind in ("csv", "xlsx")}
    if kind == "csv":
        spelling = DIALECTS[dialect]
        facts |= {"delimiter": spelling.delimiter, "decimal": spelling.decimal, "encoding": spelling.encoding}
    return facts | {"n_rows": n_rows, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> _ = path.write_bytes(b"")
    >>> sha256_of(path)[:8]
    'e3b0c442'
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
