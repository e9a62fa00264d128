"""Plan files: masks with files, masks after the search, aliases, databases."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
import pytest

import celosia as cl

START = """\
input: people.csv
schema:
  identifiers: [id]
  quasi_identifiers: {age: number, town: category}
  sensitive: [pay]
models:
  - k_anonymity: {k: 2}
"""


@pytest.fixture
def folder(tmp_path):
    frame = pl.DataFrame(
        {
            "id": [f"{row:03}" for row in range(8)],
            "age": [30, 31, 40, 41, 50, 51, 60, 61],
            "town": ["Soria", "Lugo"] * 4,
            "pay": [1000 + 10 * row for row in range(8)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path


def load(folder: Path, extra: str = "", start: str = START) -> cl.Config:
    (folder / "plan.yaml").write_text(start + extra)
    return cl.load(folder / "plan.yaml")


def test_masks_before_and_after_the_search(folder):
    config = load(
        folder,
        "masks:\n  - mask_characters: {column: id, keep_first: 1}\n  - drop: {column: id}\n"
        "masks_after:\n  - drop_rows: {where: \"town == 'Lugo'\"}\n",
    )
    assert [mask.name for mask in config.plan.masks] == ["mask_characters", "drop"]
    release = config.plan.run(config.table())
    assert release.frame.columns == ["age", "town", "pay"]
    assert "Lugo" not in release.frame["town"].to_list()


def test_trees_and_tables_of_values_are_files_beside_the_plan(folder):
    (folder / "towns.csv").write_text("Soria;Castile;*\nLugo;Galicia;*\n")
    (folder / "regions.csv").write_text("town,region\nSoria,inland\nLugo,coast\n")
    config = load(
        folder,
        "masks:\n  - generalise: {column: town, tree: towns.csv}\n  - drop: {column: id}\n",
    )
    assert set(config.plan.masked(config.table()).frame["town"]) == {"Castile", "Galicia"}
    config = load(folder, "masks:\n  - generalise: {column: town, mapping: regions.csv}\n")
    assert set(config.plan.masked(config.table()).frame["town"]) == {"inland", "coast"}
    with pytest.raises(cl.InputError, match="nowhere") as caught:
        load(folder, "masks:\n  - generalise: {column: town, tree: nowhere.csv}\n")
    assert "plan.yaml:9" in str(caught.value)


def test_a_derived_column_has_any_kind_and_no_role_in_the_schema(folder):
    made = "masks:\n  - derive: {column: decade, expression: 'age // 10', kind: {intervals: {width: 2}}}\n"
    config = load(folder, made)
    assert config.plan.masked(config.table()).schema.quasi_identifiers["decade"] == cl.Intervals(width=2)
    with pytest.raises(cl.PlanError, match="made by derive") as caught:
        load(folder, made, START.replace("town: category", "town: category, decade: number"))
    assert "plan.yaml:4" in str(caught.value)


def test_a_wrong_mask_is_named_with_its_line(folder):
    with pytest.raises(cl.OptionError, match="no option 'too'") as caught:
        load(folder, "masks:\n  - drop: {column: id}\n  - round: {column: pay, too: 1}\n")
    assert "plan.yaml:10" in str(caught.value)
    with pytest.raises(cl.OptionError, match="only rows can go"):
        load(folder, "masks_after:\n  - drop: {column: id}\n")
    config = load(folder, "masks:\n  - round: {column: nope, to: 1}\n")
    with pytest.raises(cl.ColumnNotFoundError, match="nope") as caught, config.locating():
        config.plan.run(config.table())
    assert "plan.yaml:8" in str(caught.value)


def test_what_a_plan_describes_can_be_read_again(folder):
    masks = (
        "masks:\n"
        "  - derive: {column: old, expression: age > 45, role: insensitive}\n"
        "  - generalise: {column: town, tree: {rows: [[Soria, inland, '*'], [Lugo, coast, '*']]}}\n"
        "  - pram: {column: town, keep: 0.9}\n"
        "  - top_code: {column: age, at: 60}\n"
    )
    plan = load(folder, masks).plan
    from celosia.jobs import registry

    assert [registry.build("masks", one) for one in plan.to_dict()["masks"]] == list(plan.masks)


def test_columns_by_other_names(folder):
    start = START.replace("  sensitive: [pay]\n", "  sensitive: [salary]\n  aliases: {salary: [pay, wages]}\n")
    config = load(folder, "", start)
    assert "salary" in config.table().frame.columns
    for wrong in ("{salary: [age]}", "{salary: 5}", "[pay]", "{salary: [pay, pay]}"):
        with pytest.raises(cl.CelosiaError):
            load(folder, "", start.replace("{salary: [pay, wages]}", wrong)).table()


def database(folder: Path) -> None:
    cl.io.sql.write_sql(pl.read_csv(folder / "people.csv"), f"sqlite:///{folder}/school.db", "exams")


def test_a_database_is_a_source_and_a_target(folder, monkeypatch):
    database(folder)
    monkeypatch.setenv("SCHOOL_DB", "sqlite:///school.db")
    source = "input: {database: {url: {env: SCHOOL_DB}, query: 'select * from exams where age > 35'}}\n"
    target = "output: {path: out, format: csv, database: {url: 'sqlite:///school.db', table: published}}\n"
    config = load(folder, target, START.replace("input: people.csv\n", source))
    table = config.table()
    assert table.n_rows == 6
    assert "sqlite" not in repr(config)
    release = config.plan.run(table)
    release.write(config.output, database=config.target)
    with sqlite3.connect(folder / "school.db") as connection:
        rows = connection.execute("select age, town, pay from published").fetchall()
    connection.close()
    assert sorted(rows) == sorted(release.rows.rows())
    with pytest.raises(cl.InputError, match="exists already"):
        release.write(folder / "again", database=config.target)
    assert not (folder / "again").exists()
    release.write(config.output, overwrite=True, database=config.target)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{database: {table: exams}}", "needs a url"),
        ("{database: {url: {env: NO_SUCH_VARIABLE}, table: exams}}", "NO_SUCH_VARIABLE"),
        ("{database: {url: 'sqlite:///school.db', table: exams, nonsense: 1}}", "no key 'nonsense'"),
        ("{database: {url: 'sqlite:///school.db', table: exams}, path: people.csv}", "not both"),
        ("{database: exams}", "a mapping with url and table"),
    ],
)
def test_wrong_databases_are_refused(folder, source, message):
    database(folder)
    with pytest.raises(cl.InputError, match=message) as caught:
        load(folder, "", START.replace("input: people.csv", f"input: {source}"))
    assert "plan.yaml:" in str(caught.value)


def test_a_query_that_writes_is_refused_and_changes_nothing(folder):
    database(folder)
    source = "input: {database: {url: 'sqlite:///school.db', query: 'delete from exams'}}\n"
    with pytest.raises(cl.OptionError, match="SELECT"):
        load(folder, "", START.replace("input: people.csv\n", source)).table()
    assert cl.io.read(f"sqlite:///{folder}/school.db#exams").frame.height == 8
