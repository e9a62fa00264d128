"""One cell of a spreadsheet, or of a column of mixed objects, as text."""

from __future__ import annotations

import datetime
from typing import Any


def cell_text(value: Any) -> str | None:
    """Return a cell as text: whole floats without ``.0``, dates in ISO 8601, truth as ``TRUE`` or ``FALSE``.

    Text stays as it is, so that leading zeros survive; ``None`` and empty text are missing.

    Examples
    --------
    >>> cell_text(5.0), cell_text(5.5), cell_text("01001"), cell_text(True), cell_text("")
    ('5', '5.5', '01001', 'TRUE', None)
    >>> cell_text(datetime.datetime(2024, 5, 1, 10, 30)), cell_text(datetime.timedelta(hours=26, minutes=30))
    ('2024-05-01T10:30:00', '26:30:00')
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, datetime.timedelta):
        return _duration_text(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _duration_text(value: datetime.timedelta) -> str:
    """Hours may exceed 24: a spreadsheet's elapsed time has no days."""
    seconds = abs(value) // datetime.timedelta(seconds=1)
    sign = "-" if value < datetime.timedelta(0) else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
