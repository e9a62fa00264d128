"""Names of files that hold a student's name and can do no harm."""

from __future__ import annotations

import re

from celosia.data.schema.detectors.headers import plain_text

_LONGEST = 40


def card_name(row: int, name: str, n_rows: int) -> str:
    """Return the name of a student's card without its suffix: the row, which is unique, and the name in plain letters.

    Only small Latin letters, digits and dashes are in it, whatever the student is called.

    Examples
    --------
    >>> card_name(7, "../Núñez, Ana/..", 60), card_name(12, "王小明", 120)
    ('07-nunez-ana', '012')
    """
    number = str(row).rjust(len(str(n_rows)), "0")
    letters = re.sub("[^a-z0-9]+", "-", plain_text(name))[:_LONGEST].strip("-")
    return f"{number}-{letters}" if letters else number
