"""The names of columns: present, not blank, not repeated, and not a row of data."""

from __future__ import annotations

import re
from collections.abc import Sequence

from celosia.base.errors import FormatError

_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")


def check_names(names: Sequence[str], file: str) -> list[str]:
    """Return the trimmed names of the columns.

    Messages speak of positions, never of names: where a header is broken, its cells may well be a person's data.

    Raises
    ------
    FormatError
        When there is no column, a name is blank, or two names are equal.

    Examples
    --------
    >>> check_names([" age", "zip "], "people.csv")
    ['age', 'zip']
    """
    trimmed = [name.strip().lstrip("\ufeff").strip() for name in names]
    if not any(trimmed):
        raise FormatError(
            f"{file} has no column names: its first line is blank.", hint="put the column names in the first line."
        )
    blank = [position for position, name in enumerate(trimmed, start=1) if not name]
    if blank:
        raise FormatError(
            f"{file}: {_columns(blank)} without a name (of {len(trimmed)} columns).",
            hint="name every column; a blank first name is often the row index of pandas (write with index=False).",
        )
    first_seen: dict[str, int] = {}
    for position, name in enumerate(trimmed, start=1):
        if name in first_seen:
            raise FormatError(
                f"columns {first_seen[name]} and {position} of {file} have the same name.",
                hint="give each column a name of its own.",
            )
        first_seen[name] = position
    return trimmed


def refuse_data_as_names(names: Sequence[str], rows: Sequence[Sequence[str | None]], file: str) -> None:
    """Refuse a first line that is a row of data, because a person's values would be published as column names.

    The first line counts as data when all its cells are numbers, or when more than half of them come up again
    below, in their own column, within the given rows.

    Raises
    ------
    FormatError
        When the first line looks like data.

    Examples
    --------
    >>> refuse_data_as_names(["sex", "age"], [["Male", "39"], ["Female", "39"]], "people.csv")
    """
    n_numbers = sum(1 for name in names if _NUMBER.fullmatch(name))
    n_repeated = sum(
        1
        for position, name in enumerate(names)
        if any(position < len(row) and (row[position] or "").strip() == name for row in rows)
    )
    if n_numbers == len(names):
        sign = "all its cells are numbers"
    elif 2 * n_repeated > len(names):
        sign = f"{n_repeated} of its {len(names)} cells come up again in their own columns"
    else:
        return
    raise FormatError(
        f"{file} seems to have no column names: its first line looks like data ({sign}).",
        hint="put a line with the column names at the top.",
    )


def _columns(positions: Sequence[int]) -> str:
    listed = ", ".join(str(position) for position in positions[:5]) + (", ..." if len(positions) > 5 else "")
    return f"column {listed} is" if len(positions) == 1 else f"columns {listed} are"
