"""Tables of pyarrow as Polars frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from celosia.base.errors import FormatError


def from_arrow_table(table: Any) -> pl.DataFrame:
    """Return a ``pyarrow.Table`` as a Polars frame, with dictionaries as their values.

    pandas stores a missing category as key -1, which Polars takes for damage: pyarrow itself decodes the keys.

    Raises
    ------
    FormatError
        When two columns have one name.

    Examples
    --------
    >>> import pyarrow
    >>> from_arrow_table(pyarrow.table({"age": [39]})).rows()
    [(39,)]
    """
    refuse_repeated(table.column_names)
    for place, field in enumerate(table.schema):
        if hasattr(field.type, "value_type") and hasattr(field.type, "index_type"):
            table = table.set_column(place, field.name, table.column(place).cast(field.type.value_type))
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def refuse_repeated(names: Sequence[str]) -> None:
    """Refuse a frame in which two columns have one name; the message says where, not which.

    Raises
    ------
    FormatError
        With the positions of the two columns.

    Examples
    --------
    >>> refuse_repeated(["age", "zip"])
    """
    for position, name in enumerate(names, start=1):
        first = names.index(name) + 1
        if first != position:
            raise FormatError(
                f"columns {first} and {position} of the frame have the same name.",
                hint="give each column a name of its own.",
            )
