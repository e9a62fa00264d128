"""A table with a canary in every column, and for each mask what must be gone after it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

import celosia as cl
from celosia.masks.base import Mask

N_ROWS = 24
RARE_TOWN = "Navaldeorugas-7731"
UNUSED_JOB = "trapecista-CANARIO-90"
UNDER_NUMBER, UNDER_TEXT = 913_375_264, "debajo-CANARIO-17"
INDEX, NOTE = "índice-CANARIO", "atributo-CANARIO"
KEY = bytes.fromhex("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
N_RARE = 3
"""The first rows live in a town of their own."""


def people(**options: Any) -> pl.DataFrame:
    """Return the table as Polars frame: canaries in cells, in a category that no row has, and under missing cells."""
    rows = range(N_ROWS)
    under = pl.DataFrame({"row": rows, "count": [UNDER_NUMBER if row % 3 else row for row in rows]}).select(
        pl.when(pl.col("row") % 3 == 0).then(pl.col("count")).alias("count"),
        pl.when(pl.col("row") % 3 == 0).then(pl.lit("shown")).otherwise(pl.lit(UNDER_TEXT)).alias("remark"),
        pl.col("row"),
    )
    return pl.DataFrame(
        {
            "name": [name(row) for row in rows],
            "code": [f"AB{hidden(row)}" for row in rows],
            "town": [RARE_TOWN if row < N_RARE else ("Vigo", "Lugo")[row % 2] for row in rows],
            "note": [note(row) for row in rows],
            "salary": [salary(row) for row in rows],
            "ratio": [ratio(row) for row in rows],
            "born": [born(row) for row in rows],
            "entry": [entry(row) for row in rows],
            "leave": [leave(row) for row in rows],
            "job": pl.Series(
                [("clerk", "judge")[row % 2] for row in rows], dtype=pl.Enum(["clerk", UNUSED_JOB, "judge"])
            ),
            "count": under["count"],
            "remark": under.select(pl.when(pl.col("row") % 3 == 0).then("remark")).to_series(),
        }
    )


def name(row: int) -> str:
    return f"Íñigo-CANARIO-{row:03d}"


def hidden(row: int) -> str:
    return f"Wölfram{row:03d}Z"


def note(row: int) -> str:
    return f"nota «secreta» {row:03d}"


def salary(row: int) -> int:
    return 700_000_003 + (row * 7 % N_ROWS) ** 3 * 12_347 + row * 1_009


def ratio(row: int) -> float:
    return round(41_234.12347 + (row * 5 % N_ROWS) ** 2 * 17.31193 + row * 1.00709, 5)


def born(row: int) -> datetime.date:
    return datetime.date(1951, 2, 13) + datetime.timedelta(days=row * 371)


def entry(row: int) -> str:
    return f"2021-03-{row + 1:02d} 08:{row:02d}:07"


def leave(row: int) -> str:
    return f"2021-03-{row + 1:02d} 1{row % 9}:{59 - row:02d}:41"


def pandas_people() -> Any:
    """Return it as a pandas frame with canaries in index, names of axes, attributes and unused categories."""
    import pandas as pd

    plain = people().with_columns(pl.col("job").cast(pl.String))
    frame = pd.DataFrame(
        {column.name: column.to_list() for column in plain},
        index=pd.Index([f"{INDEX}-{row}" for row in range(N_ROWS)], name=INDEX),
    )
    frame["job"] = pd.Categorical(frame["job"], categories=["clerk", UNUSED_JOB, "judge"])
    values = [UNDER_NUMBER if row % 3 else row for row in range(N_ROWS)]
    frame["count"] = pd.arrays.IntegerArray(
        *(pd.Series(each).to_numpy() for each in (values, [bool(row % 3) for row in range(N_ROWS)]))
    )
    frame.columns.name = NOTE
    frame.attrs["source"] = NOTE
    return frame


def arrow_people() -> Any:
    """Return it as an Arrow table with canaries in metadata, dictionaries and under missing cells."""
    import pyarrow as pa

    table = people().to_arrow().replace_schema_metadata({"pandas": NOTE, "source": NOTE})
    jobs = pa.DictionaryArray.from_arrays(
        pa.array([row % 2 for row in range(N_ROWS)]), pa.array(["clerk", "judge", UNUSED_JOB])
    )
    place = table.column_names.index("job")
    return table.set_column(place, pa.field("job", jobs.type, metadata={"label": NOTE}), jobs)


FRAMES: dict[str, Callable[[], Any]] = {"polars": people, "pandas": pandas_people, "arrow": arrow_people}

ALWAYS = [UNUSED_JOB, UNDER_NUMBER, UNDER_TEXT, INDEX, NOTE]
"""What no output may hold, whatever the mask."""


@dataclass(frozen=True)
class Case:
    """Masks, and what must be gone after them."""

    masks: Sequence[Mask]
    gone: Callable[[pl.DataFrame], list[Any]]
    """The secrets, by the rows that are left: which rows went is for chance to say in a sample."""


def _all(*columns: Callable[[int], Any], rows: Sequence[int] = range(N_ROWS)) -> Callable[[pl.DataFrame], list[Any]]:
    return lambda left: [column(row) for row in rows for column in columns]


_PER_ROW = (name, hidden, note, salary, ratio, entry, leave)
_OUTLIER = max(range(N_ROWS), key=ratio)


def _of_rows_gone(left: pl.DataFrame) -> list[Any]:
    gone = [row for row in range(N_ROWS) if name(row) not in set(left["name"])]
    assert gone
    return [column(row) for row in gone for column in _PER_ROW]


def cases() -> dict[str, Case]:
    """Return the cases by the name of the mask, and a word where it has several."""
    drop = cl.Drop(column="name")
    limit = sorted(map(salary, range(N_ROWS)))[N_ROWS // 2]
    rare = list(range(N_RARE))
    where = f'town == "{RARE_TOWN}"'
    return {
        "Drop": Case([cl.Drop(columns=["name", "salary", "ratio", "born"])], _all(name, salary, ratio, born)),
        "Blank": Case(
            [cl.Blank(columns=["name", "salary", "ratio", "note", "born"])], _all(name, salary, ratio, note, born)
        ),
        "Blank cells": Case(
            [
                cl.Blank(columns=["name", "salary", "ratio", "note", "born"], where=where),
                cl.Blank(column="town", values=[RARE_TOWN]),
            ],
            lambda left: [RARE_TOWN, *_all(name, salary, ratio, note, born, rows=rare)(left)],
        ),
        "Blank by symbol": Case(
            [cl.Blank(columns=["name", "salary", "ratio", "note"], where=where, symbol="#"), cl.Drop(column="town")],
            lambda left: [RARE_TOWN, *_all(name, salary, ratio, note, rows=rare)(left)],
        ),
        "DropRows": Case([cl.DropRows(where=where)], lambda left: [RARE_TOWN, *_of_rows_gone(left)]),
        "DropRows by values": Case([cl.DropRows(column="town", values=[RARE_TOWN])], _of_rows_gone),
        "DropRows by outliers": Case([cl.DropRows(column="salary", outliers="zscore", limit=1.5)], _of_rows_gone),
        "DropRows by class": Case([cl.DropRows(class_below=N_RARE + 1, by=["town"])], _of_rows_gone),
        "MaskCharacters": Case(
            [
                cl.MaskCharacters(column="code", keep_first=2),
                cl.MaskCharacters(columns=["name", "salary", "ratio", "born", "note"]),
            ],
            _all(hidden, name, salary, ratio, born, note),
        ),
        "MaskCharacters by pattern": Case(
            [cl.MaskCharacters(column="code", pattern="AB(.*)", symbol="X", length=3), drop], _all(hidden, name)
        ),
        "Generalise": Case(
            [
                cl.Generalise(column="salary", intervals=100_000_000),
                cl.Generalise(column="ratio", grid={"size": 1000, "as": "centre"}),
                cl.Generalise(column="born", dates="decade"),
                cl.Generalise(column="town", mapping={RARE_TOWN: "Galicia", "Vigo": "Galicia", "Lugo": "Galicia"}),
                cl.Generalise(column="code", prefix=2),
                cl.Generalise(column="name", tree=[[name(row), "people", "*"] for row in range(N_ROWS)]),
            ],
            lambda left: [RARE_TOWN, *_all(salary, ratio, born, hidden, name)(left)],
        ),
        "TopCode": Case(
            [cl.TopCode(column="salary", at=limit), drop],
            lambda left: [*_all(name)(left), *(salary(row) for row in range(N_ROWS) if salary(row) > limit)],
        ),
        "TopCode with label": Case(
            [cl.TopCode(column="salary", at=limit, label="high"), drop],
            lambda left: [*_all(name)(left), *(salary(row) for row in range(N_ROWS) if salary(row) >= limit)],
        ),
        "BottomCode": Case(
            [cl.BottomCode(column="salary", share=0.4), drop],
            lambda left: [*_all(name)(left), *sorted(map(salary, range(N_ROWS)))[: N_ROWS // 3]],
        ),
        "Round": Case(
            [cl.Round(column="salary", to=1_000_000), cl.Round(column="ratio", to=10, random=True), drop],
            _all(name, salary, ratio),
        ),
        "AddNoise": Case([cl.AddNoise(columns=["salary", "ratio"], share=0.3), drop], _all(name, salary, ratio)),
        "Microaggregate": Case([cl.Microaggregate(columns=["salary", "ratio"], k=4), drop], _all(name, salary, ratio)),
        "Pram": Case(
            [
                cl.Pram(
                    column="town",
                    matrix={RARE_TOWN: {"Vigo": 1}, "Vigo": {"Vigo": 0.5, "Lugo": 0.5}, "Lugo": {"Lugo": 1}},
                ),
                drop,
            ],
            lambda left: [RARE_TOWN, *_all(name)(left)],
        ),
        "Pseudonymise": Case(
            [cl.Pseudonymise(columns=["name", "code", "salary", "ratio", "born", "note"])],
            _all(name, hidden, salary, ratio, born, note),
        ),
        "Pseudonymise by key": Case(
            [
                cl.Pseudonymise(columns=["name", "code", "note"], key=KEY, scope="people"),
                cl.Pseudonymise(columns=["salary", "born"], key=KEY, dataset="2026"),
            ],
            lambda left: [KEY, *_all(name, hidden, salary, born, note)(left)],
        ),
        "Pseudonymise by list": Case(
            [cl.Pseudonymise(column="name", values=[f"{row:06}" for row in range(N_ROWS)])], _all(name)
        ),
        "RankSwap": Case([cl.RankSwap(column="salary", window=0.5), drop], _all(name)),
        "Swap": Case([cl.Swap(columns=["town", "salary"], joint=True), drop], _all(name)),
        "Sample": Case([cl.Sample(n=10)], _of_rows_gone),
        "Derive": Case(
            [cl.Derive(column="stay", expression="duration(entry, leave)", drop=True), drop],
            _all(name, entry, leave),
        ),
    }
