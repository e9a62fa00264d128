"""The six tables of the agency's note, over postcode, age and cholesterol."""

from __future__ import annotations

Columns = dict[str, list[str | None]]


def table(names: str, rows: str) -> Columns:
    """One row per line, cells separated by ``|``."""
    lines = [[cell.strip() for cell in line.split("|")] for line in rows.strip().splitlines()]
    return {name: [line[place] for line in lines] for place, name in enumerate(names.split())}


NOTE = "postcode age cholesterol"
NOTE_1 = "37003|40|S\n37003|40|S\n28108|44|S\n28108|44|S\n24700|37|N\n24700|37|N"
NOTE_2 = "37003|40|S\n28108|44|S\n24700|37|N\n24700|37|N\n37003|44|S\n28108|40|S"
NOTE_3 = """
37***|40 - 49|S
28***|40 - 49|S
24***|30 - 39|N
24***|30 - 39|N
37***|40 - 49|S
28***|40 - 49|S
"""
NOTE_4 = NOTE_3.replace("24***", "24700")
NOTE_5 = NOTE_2 + "\n37891|33|N\n50011|13|S"
NOTE_6 = NOTE_4 + "37***|30 - 39|N"
WIDENED_6 = NOTE_6.replace("37***|40 - 49|S", "37***|30 - 49|S").replace("37***|30 - 39|N", "37***|30 - 49|N")
"""One of the two repairs of table 6; the other is table 4, which leaves 37891 out as well."""
