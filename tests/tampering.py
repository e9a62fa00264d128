"""What tests of the verifier share: a release in any format, its table taken apart and put together, its claim."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl
import xlsxwriter
from python_calamine import CalamineWorkbook

import celosia as cl

BARE_FORMATS = ("csv", "csv-es", "xlsx")
"""Those that the verifier reads with nothing but Python."""
FORMATS = (*BARE_FORMATS, "parquet")
K = 4
TREATED = ["sí", "sí", "no", "no"]

Table = dict[str, list[Any]]

PEOPLE = pl.DataFrame(
    {
        "age": [age + step for age in (20, 30, 40, 50, 60) for step in range(4)],
        "zip": [f"{area}00{step}" for area in (28, 37, 41, 8, 15) for step in range(4)],
        "job": [job for job in ("law", "art", "tax", "care", "food") for _ in range(4)],
        "treated": TREATED * 5,
        "pay": [1000.5 + 37 * row for row in range(20)],
        "remark": [f"=1+{row}" for row in range(20)],
    }
)
SCHEMA = cl.Schema(
    quasi_identifiers={"age": "number", "zip": cl.Prefix(keep=[5, 3, 1]), "job": "category"},
    sensitive=["treated"],
    insensitive=["pay", "remark"],
)
PLAN = cl.Plan(models=[cl.KAnonymity(K), cl.LDiversity(2, on="treated", kind="entropy")], seed=1)


@cache
def _written(form: str) -> dict[str, bytes]:
    """Run the plan and return the files of its release, in each format only once."""
    folder = Path(mkdtemp()) / "release"
    PLAN.run(cl.Table(PEOPLE, SCHEMA)).write(folder, format=form)  # type: ignore[arg-type]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def released(folder: Path, form: str) -> Path:
    """Write a release whose classes are five, of four people each, and the original beside it."""
    for name, content in _written(form).items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_bytes(content)
    PEOPLE.write_csv(folder / "original.csv")
    return folder


def data_of(folder: Path) -> Path:
    (data,) = folder.glob("data.*")
    return data


def claim_of(folder: Path) -> dict[str, Any]:
    claim: dict[str, Any] = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
    return claim


def write_claim(folder: Path, claim: dict[str, Any]) -> None:
    (folder / "claim.json").write_text(json.dumps(claim), encoding="utf-8")


def read_table(folder: Path) -> Table:
    """Take a data file apart; not with the verifier's own readers."""
    data = data_of(folder)
    if data.suffix == ".parquet":
        return pl.read_parquet(data).to_dict(as_series=False)
    if data.suffix == ".xlsx":
        with CalamineWorkbook.from_path(data) as book:
            rows: list[list[Any]] = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    else:
        with open(data, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, delimiter=claim_of(folder)["data"]["delimiter"]))
    return {str(name): [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])}


def write_table(folder: Path, table: Table) -> None:
    """Put a table in the place of the data file, in its format."""
    data = data_of(folder)
    if data.suffix == ".parquet":
        pl.DataFrame(table).write_parquet(data)
    elif data.suffix == ".xlsx":
        write_workbook(data, table)
    else:
        has_mark = data.read_bytes().startswith(b"\xef\xbb\xbf")
        with open(data, "w", encoding="utf-8-sig" if has_mark else "utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=claim_of(folder)["data"]["delimiter"], lineterminator="\n")
            writer.writerows([table, *zip(*table.values(), strict=True)])


def write_workbook(path: Path, table: Table, more: Callable[[Any, Any], None] = lambda book, sheet: None) -> None:
    """Write a workbook of texts and numbers, and ``more`` into it."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for place, (name, column) in enumerate(table.items()):
            sheet.write_string(0, place, name)
            for row, cell in enumerate(column, 1):
                (sheet.write_string if isinstance(cell, str) else sheet.write_number)(row, place, cell)
        more(book, sheet)


def rehash(folder: Path, **data: Any) -> None:
    """Make the claim be about the data file as it is now."""
    claim = claim_of(folder)
    claim["data"] |= {"sha256": hashlib.sha256(data_of(folder).read_bytes()).hexdigest(), **data}
    write_claim(folder, claim)
