"""Request: it refuses by itself what can be refused before work begins, and can be written down and read back."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import polars as pl
import pytest

import celosia as cl
from celosia.data import io
from celosia.data.schema import Table
from celosia.jobs.masked import MaskRequest
from celosia.jobs.request import Request

PLAN = """\
input: people.csv
schema:
  identifiers: [name]
  quasi_identifiers:
    age: number
    town: category
  sensitive: [ill]
models:
  - k_anonymity: {k: 2}
algorithm: {mondrian: {}}
"""


DATABASE = "output: {path: release, database: {url: 'sqlite:///out.db', table: out}}\n"


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = pl.DataFrame(
        {
            "name": [f"n{row}" for row in range(12)],
            "age": [30 + row for row in range(12)],
            "town": ["Vigo", "Lugo"] * 6,
            "ill": ["flu", "cold", "none"] * 4,
        }
    )
    frame.write_csv("people.csv")
    Path("plan.yaml").write_text(PLAN)
    return tmp_path


@pytest.fixture
def unread(monkeypatch) -> None:
    """Fail if the table is read: what is refused must be refused before."""
    monkeypatch.setattr(Table, "read", lambda *_, **__: pytest.fail("the table was read"))


def test_a_request_is_done(place):
    done = Request("plan.yaml", out="release", seed=3).run()
    assert done.folder == Path("release")
    assert done.release.k >= 2
    assert {"hash", "order"} <= {name for name, _ in done.release.checks}
    assert (place / "release" / "data.csv").is_file()


def test_what_is_written_is_verified_from_the_file_alone(place, monkeypatch):
    monkeypatch.setattr(cl.audit, "verify_columns", lambda *_, **__: pytest.fail("verified twice"))
    Request("plan.yaml", out="release").run()


def test_what_is_only_looked_at_is_verified_in_memory(place, monkeypatch):
    monkeypatch.setattr(cl.audit, "verify", lambda *_, **__: pytest.fail("there is no file"))
    done = Request("plan.yaml", dry_run=True).run()
    assert done.folder is None
    assert done.release.checks
    assert sorted(path.name for path in place.iterdir()) == ["people.csv", "plan.yaml"]


@pytest.mark.parametrize(
    "request_",
    [
        Request("plan.yaml"),
        Request("plan.yaml", input="other.csv", out="release", seed=0, by=("town", "ill"), classify="ill"),
        Request("plan.yaml", dry_run=True, keep_order=True, bound=2.5, lang="es", utility=True, overwrite=True),
        Request({"models": [{"k_anonymity": {"k": 2}}], "schema": {"quasi_identifiers": {"age": "number"}}}, "there"),
    ],
)
def test_it_can_be_written_down_and_read_back(request_):
    assert Request.from_dict(json.loads(json.dumps(request_.to_dict()))) == request_


def test_an_unknown_key_is_refused():
    with pytest.raises(cl.OptionError, match="no 'inptu'") as caught:
        Request.from_dict({"plan": "plan.yaml", "inptu": "x.csv"})
    assert "input" in str(caught.value.hint)


def test_a_plan_without_a_file(place):
    content = {
        "input": "people.csv",
        "schema": {"identifiers": ["name"], "quasi_identifiers": {"age": "number"}, "insensitive": ["town", "ill"]},
        "models": [{"k_anonymity": {"k": 3}}],
        "output": "release",
    }
    done = Request(content, str(place)).run()
    assert done.release.k >= 3
    assert done.folder is not None
    assert done.folder.is_dir()


@pytest.mark.usefixtures("unread")
class TestRefusedBeforeAnythingIsRead:
    def test_no_output(self, place):
        with pytest.raises(cl.PlanError, match="names no output"):
            Request("plan.yaml").run()

    def test_a_language(self, place):
        with pytest.raises(cl.OptionError, match="no report in 'fr'"):
            Request("plan.yaml", out="release", lang="fr").run()

    def test_an_engine(self, place):
        with pytest.raises(cl.OptionError, match="no engine 'flink'"):
            Request("plan.yaml", out="release", engine="flink").run()

    def test_a_column_that_the_file_lacks(self, place):
        Path("plan.yaml").write_text(PLAN.replace("town: category", "twon: category"))
        with pytest.raises(cl.ColumnNotFoundError, match=r"'twon' is not a column of people\.csv") as caught:
            Request("plan.yaml", out="release").run()
        assert "plan.yaml:6" in str(caught.value)

    @pytest.mark.parametrize("suffix", ["parquet", "arrow"])
    def test_a_column_that_a_typed_file_lacks(self, place, suffix):
        frame = pl.read_csv("people.csv").drop("ill")
        frame.write_parquet("other.parquet") if suffix == "parquet" else frame.write_ipc("other.arrow")
        with pytest.raises(cl.ColumnNotFoundError, match="'ill' is not a column"):
            Request("plan.yaml", input=f"other.{suffix}", out="release").run()

    def test_an_option_of_no_use_for_the_input(self, place):
        Path("plan.yaml").write_text(PLAN.replace("input: people.csv", "input: {path: people.csv, sheet: A}"))
        with pytest.raises(cl.OptionError, match="'sheet' is for workbooks"):
            Request("plan.yaml", out="release").run()

    def test_a_key_that_is_not_at_hand(self, place, monkeypatch):
        monkeypatch.delenv("NO_SUCH_KEY", raising=False)
        mask = "masks:\n  - pseudonymise: {column: name, key: {env: NO_SUCH_KEY}}\n"
        Path("plan.yaml").write_text(PLAN + mask)
        with pytest.raises(cl.InputError, match="'NO_SUCH_KEY' holds no key") as caught:
            Request("plan.yaml", out="release").run()
        assert "plan.yaml:" in str(caught.value)

    @pytest.mark.parametrize(
        ("plan", "package", "message"),
        [
            (PLAN.replace("{mondrian: {}}", "{exact: {}}"), "scipy", "scipy|solver"),
            (PLAN + "output: {path: release, format: sav}\n", "pyreadstat", "pyreadstat"),
        ],
    )
    def test_a_package_that_is_missing(self, place, monkeypatch, plan, package, message):
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)
        Path("plan.yaml").write_text(plan)
        with pytest.raises(cl.InputError, match=message):
            Request("plan.yaml", out="release").run()

    def test_an_existing_folder(self, place):
        Path("release").mkdir()
        with pytest.raises(cl.OptionError, match="already exists"):
            Request("plan.yaml", out="release").run()

    def test_a_folder_without_a_parent(self, place):
        with pytest.raises(cl.InputError, match="parent folder"):
            Request("plan.yaml", out="no/release").run()

    def test_an_unwritable_folder(self, place, monkeypatch):
        monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
        Path("locked").mkdir()
        with pytest.raises(cl.InputError, match="not writable"):
            Request("plan.yaml", out="locked/release").run()

    @pytest.mark.parametrize("what", ["input", "plan"])
    def test_what_lies_in_the_output_folder(self, place, what):
        folder = place / "release"
        (folder / "internal").mkdir(parents=True)
        (folder / "internal" / "record.json").write_text("{}")
        given = {"plan": "plan.yaml", "input": "people.csv"}
        given[what] = str((place / given[what]).rename(folder / f"data{Path(given[what]).suffix}"))
        request = Request(given["plan"], input=given["input"], out=str(folder), overwrite=True)
        with pytest.raises(cl.PlanError, match=f"the {what} lies in the output folder"):
            request.run()

    def test_a_database_that_cannot_be_reached(self, place):
        url = "postgresql+psycopg://nobody:secret@127.0.0.1:1/none"
        Path("plan.yaml").write_text(PLAN + f"output: {{path: release, database: {{url: '{url}', table: out}}}}\n")
        with pytest.raises(cl.InputError, match="database") as caught:
            Request("plan.yaml").run()
        assert "secret" not in str(caught.value)

    def test_a_table_that_is_there_already(self, place):
        io.sql.write_sql(pl.DataFrame({"a": [1]}), f"sqlite:///{place}/out.db", "out")
        Path("plan.yaml").write_text(
            PLAN + "output: {path: release, database: {url: 'sqlite:///out.db', table: out}}\n"
        )
        with pytest.raises(cl.InputError, match="'out' exists already"):
            Request("plan.yaml").run()
        with pytest.raises(pytest.fail.Exception, match="the table was read"):  # it goes on
            Request("plan.yaml", overwrite=True).run()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_column_may_have_another_name(place, suffix):
    frame = pl.read_csv("people.csv").rename({"town": " place "})
    frame.write_csv("other.csv") if suffix == "csv" else frame.write_parquet("other.parquet")
    Path("plan.yaml").write_text(PLAN.replace("  sensitive: [ill]", "  sensitive: [ill]\n  aliases: {town: [place]}"))
    assert Request("plan.yaml", input=f"other.{suffix}", out="release").run().release.k >= 2


def test_a_new_database_file_is_made(place):
    Path("plan.yaml").write_text(PLAN + DATABASE)
    done = Request("plan.yaml").run()
    assert io.sql.read_sql(f"sqlite:///{place}/out.db", table="out").frame.height == done.release.rows.height


def test_what_is_asked_in_passing_is_refused_before_the_search(place, monkeypatch):
    monkeypatch.setattr(cl.Mondrian, "search", lambda *_: pytest.fail("the search began"))
    for asked in ({"by": ("no",)}, {"by": ("name",)}, {"classify": "age"}):
        with pytest.raises(cl.InputError):
            Request("plan.yaml", out="release", **asked).run()


def test_masks_run_once_whatever_is_asked(place, monkeypatch):
    runs = []
    apply = cl.Round.mask
    monkeypatch.setattr(cl.Round, "mask", lambda self, sheet: (runs.append(1), apply(self, sheet))[1])
    Path("plan.yaml").write_text(PLAN + "masks:\n  - round: {column: age, to: 5}\n")
    request = Request("plan.yaml", out="release", by=("town",))
    done = request.run()
    assert request.measured(done.release)["by"][0]["by"] == "town"
    assert len(runs) == 1


def test_a_demand_out_of_reach_points_to_what_would_help(place):
    Path("plan.yaml").write_text(PLAN.replace("k: 2", "k: 20"))
    with pytest.raises(cl.UnreachableError) as caught:
        Request("plan.yaml", out="release").run()
    assert "celosia frontier plan.yaml --why-not" in str(caught.value)


class TestMasksAlone:
    def test_it_is_done(self, place):
        request = MaskRequest(
            "people.csv", ("{drop: {column: name}}", {"round": {"column": "age", "to": 5}}), "out.csv"
        )
        found = request.run()
        assert pl.read_csv("out.csv").columns == ["age", "town", "ill"]
        assert found.claim == {"promises": []}
        assert found.to_dict()["n_written"] == 12

    def test_it_can_be_written_down_and_read_back(self):
        request = MaskRequest("a.csv", ("{drop: {column: name}}",), "out.csv", k=3, seed=1)
        assert MaskRequest.from_dict(json.loads(json.dumps(request.to_dict()))) == request

    @pytest.mark.usefixtures("unread")
    @pytest.mark.parametrize(
        ("output", "options", "message"),
        [
            ("people.csv", {"overwrite": True}, "is the data file"),
            ("plan.yaml", {"format": "csv"}, "exists"),
            ("no/out.csv", {}, "its folder does not exist"),
            (".", {}, "is a folder"),
            ("out.csv", {"k": 1}, "k must be a whole number"),
            ("out.csv", {"sheet": "A"}, "'sheet' is for workbooks"),
        ],
    )
    def test_what_is_refused_before_the_file_is_read(self, place, output, options, message):
        with pytest.raises(cl.InputError, match=message):
            MaskRequest("people.csv", ("{drop: {column: name}}",), output, **options).run()

    def test_rows_that_a_mask_removed_have_that_reason(self, place):
        found = cl.mask(pl.read_csv("people.csv"), cl.DropRows(column="town", values=["Vigo"]))
        assert found.suppressed["mask"] == 6
        assert (found.classes.labels >= 0).sum() == 6
