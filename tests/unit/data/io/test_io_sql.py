from __future__ import annotations

import datetime
import logging
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from postgres_server import postgres_server
from trying import tries

from celosia.base.errors import CelosiaError, FormatError, InputError, OptionError
from celosia.data.io import read
from celosia.data.io.sql import is_address, read_sql, resolve_url, split_address, write_sql
from celosia.data.io.sql import sqlite as sqlite_module
from celosia.data.io.sql import writing as writing_module

CANARY = "Amparo-7391"
PASSWORD = "hush-5520"
BASES = ["sqlite", "postgresql"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(params=BASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        sqlite3.connect(tmp_path / "school.db").close()
        yield f"sqlite:///{tmp_path}/school.db"
        return
    address = request.getfixturevalue("server")
    yield address
    run(address, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


def run(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements by the bare driver, and give the rows of the last."""
    if url.startswith("sqlite"):
        connection: Any = sqlite3.connect(url.removeprefix("sqlite:///"))
    else:
        import psycopg

        connection = psycopg.connect(url.replace("+psycopg", ""))
    try:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        rows = cursor.fetchall() if cursor.description else []
        connection.commit()
        return rows
    finally:
        connection.close()


def tables(url: str) -> list[str]:
    if url.startswith("sqlite"):
        rows = run(url, "SELECT name FROM sqlite_master")
    else:
        rows = run(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    return sorted(name for (name,) in rows)


def refusal(action: Callable[[], object], *canaries: str) -> CelosiaError:
    """Return the error, after a look for canaries in everything that shows it."""
    with pytest.raises(CelosiaError) as caught:
        action()
    error = caught.value
    shown = [str(error), repr(error), *traceback.format_exception(error), str(error.__context__), str(error.__cause__)]
    for canary in (CANARY, PASSWORD, *canaries):
        assert canary not in "".join(shown)
    assert error.__context__ is None or not isinstance(error.__context__, sqlite3.Error)
    assert error.hint
    return error


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ODD_TEXTS = ["01001", "", "NULL", "\\N", "\\.", "t", "'; DROP TABLE x; --", "ñandú", '"', "a\r\nb", "2024-05-01"]
CELLS = {
    "text": (WORDS | st.sampled_from(ODD_TEXTS), pl.String),
    "whole": (st.integers(-(2**63), 2**63 - 1), pl.Int64),
    "small": (st.integers(-128, 127), pl.Int8),
    "real": (st.floats(allow_nan=False), pl.Float64),
    "truth": (st.booleans(), pl.Boolean),
    "day": (st.dates(), pl.Date),
    "moment": (st.datetimes(), pl.Datetime("us")),
    "hour": (st.times(), pl.Time),
}
NAMES = st.sampled_from(
    ["select", "Order", "group by", 'a"b', "%s", "a%", ":x", "(y)", "ñ", "x;--", "'", "table", "user", "?", "a.b", "$1"]
) | WORDS.filter(lambda word: 0 < len(word.encode()) < 60 and word.strip() == word and not set(word) & set("*^\ufeff"))


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    n_rows = draw(st.integers(0, 4))
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=lambda name: name.lower()))
    columns = []
    for name in names:
        cells, dtype = CELLS[draw(st.sampled_from(sorted(CELLS)))]
        values = draw(st.lists(cells | st.none(), min_size=n_rows, max_size=n_rows))
        columns.append(pl.Series(name, values, dtype=dtype))
    return pl.DataFrame(columns)


def check_round_trip(frame: pl.DataFrame, url: str, table: str) -> None:
    write_sql(frame, url, table, replace=True)
    source = read_sql(url, table=table)
    assert source.name == table
    wanted = frame.with_columns(pl.col(pl.Int8).cast(pl.Int64))
    assert source.frame.columns == wanted.columns
    assert source.frame.schema == wanted.schema
    assert source.frame.rows() == wanted.rows()


@given(frame=frames(), table=NAMES.filter(lambda name: not name.lower().startswith("sqlite_")))
@tries(120)
def test_round_trips_through_sqlite(frame: pl.DataFrame, table: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    check_round_trip(frame, f"sqlite:///{tmp_path_factory.mktemp('base')}/school.db", table)


@given(frame=frames(), table=NAMES)
@tries(60)
def test_round_trips_through_postgresql(frame: pl.DataFrame, table: str, server: str) -> None:
    check_round_trip(frame, server, table)


def test_many_rows_pass_in_pieces(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sqlite", "postgresql"):
        monkeypatch.setattr(f"celosia.data.io.sql.{module}.CHUNK", 7)
    frame = pl.DataFrame({"n": range(50), "text": [None if n % 3 else f"{n:03}" for n in range(50)]})
    write_sql(frame, url, "many")
    assert read_sql(url, table="many").frame.equals(frame)


def test_the_types_of_postgresql(server: str) -> None:
    source = read_sql(
        server,
        query="""
        SELECT 'x'::char(5) AS padded, '01001'::varchar AS zip, 12::smallint AS small, 0.1::real AS single,
            12.50::numeric(10, 2) AS exact, 12::numeric(18, 0) AS whole, sum(n)::numeric AS sum, 1.25::numeric AS free,
            timestamptz '2024-05-01 00:30:00+02' AS zoned, time '10:30' AS hour, NULL::date AS day, 'a%sb' AS percent,
            '6f1e8a52-4f0e-4c43-9a54-111111111111'::uuid AS id, 'NaN'::float8 AS nan, true AS truth, ':x' AS colon
        FROM generate_series(1, 3) AS n; """,
    )
    assert source.name == "the query"
    assert source.path is None
    assert source.format == "sql"
    midnight = datetime.datetime(2024, 4, 30, 22, 30, tzinfo=datetime.UTC)
    assert source.frame.row(0, named=True) == {
        **{"padded": "x", "zip": "01001", "small": 12, "single": 0.1, "exact": 12.5, "whole": 12, "sum": 6},
        **{"free": 1.25, "zoned": midnight, "hour": datetime.time(10, 30), "day": None, "percent": "a%sb"},
        **{"id": "6f1e8a52-4f0e-4c43-9a54-111111111111", "nan": None, "truth": True, "colon": ":x"},
    }
    assert source.frame.schema["day"] == pl.Date
    assert source.frame.schema["whole"] == source.frame.schema["sum"] == pl.Int64
    assert source.frame.schema["exact"] == pl.Float64


def test_enumerations_and_domains_are_their_texts_and_numbers(server: str) -> None:
    run(server, "CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE DOMAIN age AS int CHECK (value > 0)")
    run(server, "CREATE TABLE people (m mood, a age)", "INSERT INTO people VALUES ('ok', 3)")
    try:
        assert read_sql(server, table="people").frame.rows() == [("ok", 3)]
    finally:
        run(server, "DROP TABLE people", "DROP TYPE mood", "DROP DOMAIN age")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (f"'{CANARY}'::bytea", "bytea"),
        (f"""'["{CANARY}"]'::jsonb""", "jsonb"),
        (f"ARRAY['{CANARY}']", "_text"),
        ("interval '1 day'", "interval"),
        (f"row('{CANARY}')", "record"),
        ("timetz '10:00+02'", "timetz"),
        ("int4range(1, 2)", "int4range"),
    ],
)
def test_other_types_of_postgresql_are_refused_by_name(server: str, value: str, kind: str) -> None:
    error = refusal(lambda: read_sql(server, query=f"SELECT 1 AS n, {value} AS odd"))
    assert error.message == f"column 'odd' of the query holds cells of the type {kind}."
    assert "::text" in str(error.hint)


@pytest.mark.parametrize(
    "value",
    [
        *("date 'infinity'", "date '0044-03-15 BC'", "time '24:00'", "timestamp '12345-01-01'"),
        *("1.0000000000000000001::numeric", "12345678901234567890::numeric", "123456789012345678.5::numeric(20, 2)"),
    ],
)
def test_values_that_would_change_are_refused(server: str, value: str) -> None:
    error = refusal(lambda: read_sql(server, query=f"SELECT {value} AS odd"), value)
    assert "column 'odd' of the query holds 1 " in error.message


def test_long_numbers_that_a_float_keeps_are_read(server: str) -> None:
    texts = ["0.30000000000000004", "3.50000000000000000000", "-0.000000000000000000125", "1" + "0" * 30 + ".0"]
    frame = read_sql(server, query=f"SELECT unnest(ARRAY[{', '.join(texts)}]::numeric[]) AS n").frame
    assert frame["n"].to_list() == [float(text) for text in texts]


def test_the_types_of_sqlite(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/school.db"
    run(
        url,
        """CREATE TABLE t (zip VARCHAR(5), n INTEGER, amount DECIMAL(10, 2), count NUMERIC, mixed, day DATE,
           odd_day DATE, moment DATETIME, hour TIME, truth BOOLEAN, not_truth BOOLEAN, real REAL,
           no_day DATE, empty INT)""",
        """INSERT INTO t VALUES ('01001', 5, 12.5, 3, 5, '2024-05-01', '2024-05-01', '2024-05-01 10:30:00', '10:30:00',
           1, 1, 1, NULL, NULL), ('n/a', NULL, 7, 4, 'x', NULL, '1/5/2024', '2024-05-01T10:30:00.25', NULL, 0, 2, 2.5,
           NULL, NULL), (NULL, -1, NULL, NULL, 5.5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)""",
    )
    frame = read_sql(url, table="t").frame
    half_past_ten = datetime.datetime(2024, 5, 1, 10, 30)
    assert frame.to_dict(as_series=False) == {
        "zip": ["01001", "n/a", None],
        "n": [5, None, -1],
        "amount": [12.5, 7.0, None],
        "count": [3, 4, None],
        "mixed": ["5", "x", "5.5"],
        "day": [datetime.date(2024, 5, 1), None, None],
        "odd_day": ["2024-05-01", "1/5/2024", None],
        "moment": [half_past_ten, half_past_ten + datetime.timedelta(seconds=0.25), None],
        "hour": [datetime.time(10, 30), None, None],
        "truth": [True, False, None],
        "not_truth": [1, 2, None],
        "real": [1.0, 2.5, None],
        "no_day": [None] * 3,
        "empty": [None] * 3,
    }
    assert frame.schema["no_day"] == pl.Date
    assert frame.schema["empty"] == frame.schema["count"] == pl.Int64
    by_query = read_sql(url, query="select day, zip from t -- a comment\n where n > 0").frame
    assert by_query.rows() == [(datetime.date(2024, 5, 1), "01001")]


def test_cells_of_sqlite_that_change_their_type_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celosia.data.io.sql.sqlite.CHUNK", 2)
    url = f"sqlite:///{tmp_path}/school.db"
    run(url, "CREATE TABLE t (a, b, c)", "INSERT INTO t VALUES (1, 1, 1), (2, NULL, 2), (2.5, 2.5, 3.0), (7, '01', 4)")
    frame = read_sql(url, table="t").frame
    assert frame.rows() == [(1.0, "1", 1.0), (2.0, None, 2.0), (2.5, "2.5", 3.0), (7.0, "01", 4.0)]


def test_cells_of_sqlite_that_are_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/school.db"
    run(url, "CREATE TABLE t (odd)", f"INSERT INTO t VALUES (CAST('{CANARY}' AS BLOB))")
    assert refusal(lambda: read_sql(url, table="t")).message == "column 'odd' of t holds bytes."
    run(url, "DELETE FROM t", f"INSERT INTO t VALUES ({2**60 + 1}), (0.5)")
    assert "2^53" in refusal(lambda: read_sql(url, table="t"), str(2**60 + 1)).message
    run(url, "DELETE FROM t", f"INSERT INTO t VALUES (CAST(X'ff{CANARY.encode().hex()}' AS TEXT))")
    assert "not UTF-8" in refusal(lambda: read_sql(url, table="t")).message


def test_names_are_exact_and_cannot_break_out(url: str) -> None:
    names = ['Exams"; DROP TABLE victim; --', "select", "Mixed Case", "ñ'%s:x", "a.b"]
    run(url, "CREATE TABLE victim (n int)")
    for position, name in enumerate(names):
        frame = pl.DataFrame({name: [position], 'x" int); DROP TABLE victim; --': ["a"]})
        write_sql(frame, url, name)
        assert read_sql(url, table=name).frame.equals(frame)
        quoted = name.replace("%", "%25").replace("'", "%27")
        if "/" not in quoted:
            assert read(f"{url}#{quoted}").frame.equals(frame)
        with pytest.raises(InputError, match="exists already"):
            write_sql(frame, url, name)
    assert tables(url) == sorted([*names, "victim"])


WRITES = {
    "postgresql": [
        "WITH gone AS (DELETE FROM kept RETURNING n) SELECT n FROM gone",
        "SELECT n INTO copied FROM kept",
        "SELECT n FROM kept; DROP TABLE kept",
        "SELECT 1; COMMIT; DROP TABLE kept",
        "SELECT nextval('counter')",
        "SELECT * FROM kept FOR UPDATE",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT destroy()",
        "SELECT lo_create(0)",
        "WITH x AS (SELECT 1) INSERT INTO kept SELECT 1",
    ],
    "sqlite": [
        "WITH x AS (SELECT 1) DELETE FROM kept",
        "WITH x AS (SELECT 1) INSERT INTO kept SELECT 1",
        "SELECT n FROM kept; DROP TABLE kept",
        "SELECT 1; PRAGMA query_only = OFF; DROP TABLE kept",
        "SELECT writefile('x', 'y')",
    ],
}


@pytest.mark.parametrize("statement", WRITES["postgresql"])
def test_a_query_cannot_write_to_postgresql(server: str, statement: str) -> None:
    run(server, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1)", "CREATE SEQUENCE counter")
    run(server, "CREATE FUNCTION destroy() RETURNS int LANGUAGE sql AS 'DELETE FROM kept; SELECT 1'")
    try:
        refusal(lambda: read_sql(server, query=statement))
        assert run(server, "SELECT * FROM kept") == [(1,)]
        assert run(server, "SELECT last_value, is_called FROM counter") == [(1, False)]
        assert tables(server) == ["counter", "kept"]
        assert run(server, "SELECT count(*) FROM pg_largeobject_metadata") == [(0,)]
    finally:
        run(server, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


@pytest.mark.parametrize("statement", WRITES["sqlite"])
def test_a_query_cannot_write_to_sqlite(tmp_path: Path, statement: str) -> None:
    url = f"sqlite:///{tmp_path}/school.db"
    run(url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1)")
    before = (tmp_path / "school.db").read_bytes()
    refusal(lambda: read_sql(url, query=statement))
    assert (tmp_path / "school.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["school.db"]


def test_sqlite_itself_would_refuse_to_write(tmp_path: Path) -> None:
    """The file is open for reading and ``query_only`` is set, whatever statement came that far."""
    from celosia.data.io.sql.database import open_database

    url = f"sqlite:///{tmp_path}/school.db"
    run(url, "CREATE TABLE kept (n int)")
    with open_database(url, writing=False) as database:
        database.columns("SELECT 1", "the query")
        for statement in ("INSERT INTO kept VALUES (1)", "CREATE TEMP TABLE x (n)", "DROP TABLE kept"):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                database.execute(statement)


@pytest.mark.parametrize(
    "query", ["DELETE FROM t", "", "PRAGMA x", "-- SELECT", "/* SELECT */ DROP TABLE t", "SELECTED"]
)
def test_only_selects_are_run(url: str, query: str) -> None:
    run(url, "CREATE TABLE t (n int)", "INSERT INTO t VALUES (1)")
    assert isinstance(refusal(lambda: read_sql(url, query=query)), OptionError)
    assert run(url, "SELECT * FROM t") == [(1,)]


def test_exactly_one_of_table_and_query(url: str) -> None:
    for options in ({}, {"table": "t", "query": "SELECT 1"}, {"table": ""}):
        with pytest.raises(OptionError):
            read_sql(url, **options)
    with pytest.raises(OptionError, match="empty"):
        write_sql(pl.DataFrame({"a": [1]}), url, "")
    with pytest.raises(FormatError, match="no column"):
        write_sql(pl.DataFrame(), url, "t")


def test_a_table_that_is_not_there(url: str) -> None:
    run(url, "CREATE TABLE exams (n int)")
    error = refusal(lambda: read_sql(url, table="exam"))
    assert error.message == "the database has no table 'exam' (1 tables)."
    assert error.hint == "did you mean 'exams'?"
    reason = "lacks a table or column" if url.startswith("sqlite") else "names a column that does not exist"
    assert reason in refusal(lambda: read_sql(url, query="SELECT x FROM exams")).message


def test_columns_of_one_name_are_refused(url: str) -> None:
    error = refusal(lambda: read_sql(url, query="SELECT 1 AS a, 2 AS a"))
    assert error.message == "columns 1 and 2 of the query have the same name."


def test_views_and_schemas(url: str) -> None:
    run(
        url,
        "CREATE TABLE exams (n int)",
        "INSERT INTO exams VALUES (3)",
        "CREATE VIEW seen AS SELECT n + 1 AS m FROM exams",
    )
    schema = "main" if url.startswith("sqlite") else "public"
    assert read_sql(url, table="seen", schema=schema).frame.rows() == [(4,)]
    write_sql(pl.DataFrame({"a": [1]}), url, "new", schema=schema)
    assert read_sql(url, table="new").frame.rows() == [(1,)]
    refusal(lambda: write_sql(pl.DataFrame({"a": [1]}), url, "new", schema="elsewhere"))
    refusal(lambda: write_sql(pl.DataFrame({"a": [1]}), url, "seen", replace=True))
    refusal(lambda: write_sql(pl.DataFrame({"a": [1]}), url, "exams", replace=True))
    assert run(url, "SELECT * FROM seen") == [(4,)]
    assert tables(url) == ["exams", "new", "seen"]


OLD, NEW = pl.DataFrame({"old": ["kept"]}), pl.DataFrame({"new": [CANARY]})


def fail(*_: object) -> None:
    raise sqlite3.OperationalError(f"{CANARY} {PASSWORD}")


@pytest.mark.parametrize("step", ["create", "fill", "columns", "execute", "commit"])
@pytest.mark.parametrize("kind", ["sqlite.SqliteDatabase", "postgresql.PostgresqlDatabase"])
def test_a_failure_in_the_middle_leaves_the_old_table(
    url: str, monkeypatch: pytest.MonkeyPatch, step: str, kind: str
) -> None:
    if not url.startswith(kind.partition(".")[0]):
        return
    write_sql(OLD, url, "t")
    names = tables(url)
    if step == "execute":
        real = writing_module.Database.execute
        monkeypatch.setattr(
            writing_module.Database, "execute", lambda self, text: fail() if "RENAME" in text else real(self, text)
        )
    else:
        monkeypatch.setattr(f"celosia.data.io.sql.{kind}.{step}", fail)
    error = refusal(lambda: write_sql(NEW, url, "t", replace=True))
    assert error.message.startswith("cannot write the table 't': ")
    monkeypatch.undo()
    assert run(url, "SELECT * FROM t") == [("kept",)]
    assert tables(url) == names == ["t"]
    write_sql(NEW, url, "t", replace=True)
    assert run(url, "SELECT * FROM t") == [(CANARY,)]


def test_ctrl_c_leaves_the_old_table(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sql(OLD, url, "t")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing_module, "_compare", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_sql(NEW, url, "t", replace=True)
    assert run(url, "SELECT * FROM t") == [("kept",)]
    assert tables(url) == ["t"]


def test_a_cell_that_comes_back_changed_is_an_error(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sql(OLD, url, "t")
    kind = "sqlite.SqliteDatabase" if url.startswith("sqlite") else "postgresql.PostgresqlDatabase"
    module, _, name = kind.partition(".")
    database = getattr(sys.modules[f"celosia.data.io.sql.{module}"], name)
    real = database.fill
    monkeypatch.setattr(
        database,
        "fill",
        lambda self, table, schema, frame: real(self, table, schema, frame.select(pl.col("new") + " ")),
    )
    error = refusal(lambda: write_sql(NEW, url, "t", replace=True))
    assert error.message == "the database would change 1 cells of column 'new' of 't'; nothing was written."
    assert run(url, "SELECT * FROM t") == [("kept",)]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("odd", [2**63], dtype=pl.UInt64),
        pl.Series("odd", [1], dtype=pl.Datetime("ns")),
        pl.Series("odd", [1], dtype=pl.Int64).cast(pl.Time),
        pl.Series("odd", ["12345678901234567.89"]).cast(pl.Decimal(25, 2)),
    ],
)
def test_cells_that_a_database_cannot_keep(url: str, column: pl.Series) -> None:
    error = refusal(lambda: write_sql(column.to_frame(), url, "t"))
    assert "would change 1 cells of column 'odd'" in error.message
    assert tables(url) == []


def test_other_columns_become_the_nearest_type(url: str) -> None:
    moment = datetime.datetime(2024, 5, 1, 0, 30)
    frame = pl.DataFrame(
        [
            pl.Series("job", ["clerk"], dtype=pl.Categorical),
            pl.Series("n", [7], dtype=pl.UInt64),
            pl.Series("single", [0.5], dtype=pl.Float32),
            pl.Series("nan", [float("nan")]),
            pl.Series("price", ["12.50"]).cast(pl.Decimal(10, 2)),
            pl.Series("long", [datetime.timedelta(hours=26)]),
            pl.Series("zoned", [moment]).dt.replace_time_zone("Europe/Madrid"),
        ]
    )
    write_sql(frame, url, "t")
    row = read_sql(url, table="t").frame.row(0)
    assert row[:6] == ("clerk", 7, 0.5, None, 12.5, "P1DT2H")
    if url.startswith("sqlite"):
        assert row[6] == "2024-05-01T00:30:00+02:00"
    else:
        assert row[6] == (moment - datetime.timedelta(hours=2)).replace(tzinfo=datetime.UTC)


def test_names_that_a_database_would_change(url: str) -> None:
    one = pl.DataFrame({"a": [1]})
    long = "ñ" * 32
    if url.startswith("sqlite"):
        assert "capital letters" in refusal(lambda: write_sql(pl.DataFrame({"a": [1], "A": [2]}), url, "t")).message
    else:
        assert "63 bytes" in refusal(lambda: write_sql(one, url, long)).message
        assert "63 bytes" in refusal(lambda: write_sql(one.rename({"a": long}), url, "t")).message
        assert "keeps for itself" in refusal(lambda: write_sql(one.rename({"a": "ctid"}), url, "t")).message
        assert "NUL" in refusal(lambda: write_sql(pl.DataFrame({"a": ["x\0"]}), url, "t")).message
    assert "NUL" in refusal(lambda: write_sql(one.rename({"a": "a\0"}), url, "t")).message
    assert "NUL" in refusal(lambda: write_sql(one, url, "t\0")).message
    assert tables(url) == []


def test_only_names_types_and_cells_are_written(url: str) -> None:
    frame = pl.DataFrame({"text": ["a"], "n": [1], "x": [0.5], "truth": [True]}).with_columns(
        day=datetime.date(2024, 5, 1), moment=datetime.datetime(2024, 5, 1), hour=datetime.time(1)
    )
    write_sql(frame, url, "t")
    if url.startswith("sqlite"):
        rows = run(url, "PRAGMA table_info(t)")
        assert [row[1:] for row in rows] == [
            *[("text", "TEXT", 0, None, 0), ("n", "BIGINT", 0, None, 0), ("x", "DOUBLE", 0, None, 0)],
            *[("truth", "BOOLEAN", 0, None, 0), ("day", "DATE", 0, None, 0), ("moment", "DATETIME", 0, None, 0)],
            ("hour", "TIME", 0, None, 0),
        ]
        assert run(url, "SELECT type, name FROM sqlite_master") == [("table", "t")]
        return
    rows = run(
        url, "SELECT data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name = 't'"
    )
    assert rows == [
        (kind, "YES", None)
        for kind in (
            *("text", "bigint", "double precision", "boolean", "date"),
            *("timestamp without time zone", "time without time zone"),
        )
    ]
    assert run(url, "SELECT count(*) FROM pg_index WHERE indrelid = 't'::regclass") == [(0,)]
    assert run(url, "SELECT count(*) FROM pg_constraint WHERE conrelid = 't'::regclass") == [(0,)]
    assert run(url, "SELECT count(*) FROM pg_description WHERE objoid = 't'::regclass") == [(0,)]


def test_the_cells_of_a_replaced_table_leave_the_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/school.db"
    write_sql(pl.DataFrame({"name": [f"{CANARY}-{n}" for n in range(2000)]}), url, "t")
    assert CANARY.encode() in (tmp_path / "school.db").read_bytes()
    write_sql(OLD, url, "t", replace=True)
    assert CANARY.encode() not in (tmp_path / "school.db").read_bytes()


def test_a_new_sqlite_file_is_made_only_by_a_writing_that_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/new.db"
    assert refusal(lambda: read_sql(url, table="t")).message == "there is no SQLite file new.db."
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(sqlite_module.SqliteDatabase, "fill", fail)
    refusal(lambda: write_sql(OLD, url, "t"))
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    write_sql(OLD, url, "t")
    assert read(f"{url}#t").frame.equals(OLD)
    refusal(lambda: write_sql(OLD, f"sqlite:///{tmp_path}/none/new.db", "t"))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text(f"{CANARY}\n" * 200)
    assert "not a SQLite database" in refusal(lambda: read_sql(f"sqlite:///{tmp_path}/x.db", table="t")).message
    for url in ("sqlite://", "sqlite:///:memory:", "sqlite:///file:x?uri=true"):
        assert "names no SQLite file" in refusal(lambda url=url: read_sql(url, table="t")).message


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://celosia:{PASSWORD}@/nowhere?host=HOST",
        f"postgresql://celosia:{PASSWORD}@/postgres?host=HOST/none",
        f"postgresql+psycopg://celosia:{PASSWORD}@127.0.0.1:1/postgres",
        f"postgresql+psycopg://celosia:pass@{PASSWORD}:word@host/base",
        f"postgresql+psycopg://celosia:{PASSWORD}@host:port/base",
        f"postgresql+psycopg2://celosia:{PASSWORD}@host/base",
        f"mysql://celosia:{PASSWORD}@host/base",
        f"postgres://{PASSWORD}",
        f"nonsense {PASSWORD}",
        f"postgresql+psycopg://celosia@/postgres?host=HOST&password={PASSWORD}&bad={PASSWORD}",
        f"postgresql+psycopg://celosia@/postgres?host=HOST&options=-c{PASSWORD}%3D1",
    ],
)
def test_no_password_is_ever_shown(server: str, url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    address = url.replace("HOST", server.partition("host=")[2])
    refusal(lambda: read_sql(address, table="t"))
    refusal(lambda: read_sql(address, query=f"SELECT '{CANARY}'"))
    refusal(lambda: write_sql(NEW, address, "t"))
    if is_address(address):
        refusal(lambda: read(address))
        refusal(lambda: read(f"{address}#t"))
        refusal(lambda: read(address.replace(PASSWORD, f"a#{PASSWORD}")))
    assert PASSWORD not in caplog.text
    assert CANARY not in caplog.text


def test_a_wrong_password_is_said_to_be_wrong(server: str) -> None:
    hosts = Path(run(server, "SHOW hba_file")[0][0])
    before = hosts.read_text()
    try:
        run(server, f"ALTER USER celosia PASSWORD '{CANARY}'")
        hosts.write_text("local all all scram-sha-256\n")
        run(server, "SELECT pg_reload_conf()", "SELECT pg_sleep(0.3)")
        wrong = server.replace("celosia@", f"celosia:{PASSWORD}@")
        error = refusal(lambda: read_sql(wrong, table="t"))
        assert "the server" in error.message
        right = server.replace("celosia@", f"celosia:{CANARY}@")
        assert read_sql(right, query="SELECT 1 AS n").frame.rows() == [(1,)]
        refusal(lambda: read_sql(right, query="SELECT n"))
    finally:
        hosts.write_text(before)
        run(server.replace("celosia@", f"celosia:{CANARY}@"), "SELECT pg_reload_conf()", "SELECT pg_sleep(0.3)")
        assert run(server, "SELECT 1") == [(1,)]


def test_logs_hold_no_cell(url: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """SQLAlchemy logs parameters and rows wherever the host program logs everything."""
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy", "sqlalchemy.engine", "sqlalchemy.pool", "psycopg"):
        caplog.set_level(logging.DEBUG, logger=name)
    address = url.replace("celosia@", f"celosia:{PASSWORD}@")
    write_sql(NEW, address, "t")
    assert read_sql(address, table="t").frame.equals(NEW)
    assert read_sql(address, query=f"SELECT '{CANARY}' AS n").frame.rows() == [(CANARY,)]
    refusal(
        lambda: read_sql(address, query=f"SELECT '{CANARY}'::int AS n" if "postgres" in url else f"SELECT {CANARY}")
    )
    shown = caplog.text + "".join(capfd.readouterr())
    assert "sqlalchemy.engine" in shown
    assert CANARY not in shown
    assert PASSWORD not in shown


@pytest.mark.parametrize(
    ("package", "address"), [("sqlalchemy", "sqlite:///x.db"), ("psycopg", "postgresql://host/base")]
)
def test_a_missing_package_is_named(package: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for action in (lambda: read_sql(address, table="t"), lambda: write_sql(OLD, address, "t")):
        error = refusal(action)
        assert isinstance(error, FormatError)
        assert package in error.message
        assert error.hint == 'pip install "celosia[sql]"'


def test_addresses() -> None:
    assert is_address("postgresql+psycopg://u@h/b#t")
    assert is_address("mysql://h/b")
    assert not any(map(is_address, ["data.csv", "C:\\data.csv", "C://data.csv", "/a/b.db#t", "a b://c", ""]))
    assert split_address("sqlite:///a%20b.db#my%20t%23") == ("sqlite:///a%20b.db", "my t#")
    assert split_address("postgresql://u:p#x@h/b#t") == ("postgresql://u:p#x@h/b", "t")
    for text in ("sqlite:///a.db", "sqlite:///a.db#", f"postgresql://u:{PASSWORD}#{PASSWORD}@h/b"):
        assert isinstance(refusal(lambda text=text: split_address(text)), FormatError)


def test_addresses_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHOOL", f"postgresql://u:{PASSWORD}@h/b")
    assert resolve_url({"env": "SCHOOL"}) == f"postgresql://u:{PASSWORD}@h/b"
    assert resolve_url("sqlite:///a.db") == "sqlite:///a.db"
    monkeypatch.setenv("SCHOOL", "")
    assert (
        "'SCHOOL' holds no address of a database: it is empty"
        in refusal(lambda: resolve_url({"env": "SCHOOL"})).message
    )
    monkeypatch.delenv("SCHOOL")
    assert "it is not set" in refusal(lambda: resolve_url({"env": "SCHOOL"})).message
    for odd in ("", {}, {"env": "A", "x": PASSWORD}, {"env": 3}, None, {"url": PASSWORD}):
        assert isinstance(refusal(lambda odd=odd: resolve_url(odd)), OptionError)


def test_options_of_files_are_refused_for_databases(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/school.db"
    write_sql(OLD, url, "t")
    for options in ({"delimiter": ";"}, {"sheet": "x"}, {"format": "csv"}, {"encoding": "utf-8"}, {"labels": "texts"}):
        with pytest.raises(OptionError, match=next(iter(options))):
            read(f"{url}#t", **options)


def test_a_relative_path_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_sql(OLD, "sqlite:///school #1.db", "t")
    assert (tmp_path / "school #1.db").exists()
    assert read("sqlite:///school #1.db#t").name == "t"
