from __future__ import annotations

import json

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from celosia.base.errors import InputError, UnreachableError
from celosia.cli.init import init
from celosia.cli.run import run
from celosia.jobs.plan_file import load

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
ROWS = "dni,Código Postal,edad,diagnóstico\n" + "".join(
    f"{number:08d}{LETTERS[number % 23]},0{1000 + number % 4},{20 + number % 30},{'abc'[number % 3]}\n"
    for number in range(40)
)


@pytest.fixture
def app():
    made = typer.Typer()
    made.command("init")(init)
    made.command("run")(run)
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "people.csv").write_text(ROWS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(app, *arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_init_then_run(app, folder):
    result = call(app, "init", "people.csv", "-o", "plan.yaml")
    assert result.exit_code == 0, result.exception
    assert "quasi_identifier" in result.stdout
    assert call(app, "run", "plan.yaml").exit_code == 0
    published = pl.read_csv(folder / "release" / "data.csv", infer_schema=False)
    assert published.columns == ["Código Postal", "edad", "diagnóstico"]
    assert published.group_by("Código Postal", "edad").len()["len"].min() >= 5


def test_without_a_file_the_plan_goes_to_the_screen(app, folder):
    text = call(app, "init", "people.csv", "--k", "3").stdout
    (folder / "plan.yaml").write_text(text, encoding="utf-8")
    config = load(folder / "plan.yaml")
    assert config.plan.models[0].k == 3
    assert config.input == folder / "people.csv"
    assert "dni" in config.schema.identifiers


def test_json_prints_the_suggestions(app, folder):
    result = call(app, "init", "people.csv", "--json", "-o", "plan.yaml")
    found = json.loads(result.stdout)
    assert [one["role"] for one in found] == ["identifier", "quasi_identifier", "quasi_identifier", "sensitive"]
    assert found[1]["kind"] == {"prefix": {"keep": [5, 3, 2, 1]}}
    assert all(one["reasons"] for one in found)
    assert load(folder / "plan.yaml").plan.models[0].k == 5


def test_an_existing_plan_is_kept(app, folder):
    (folder / "plan.yaml").write_text("mine")
    result = call(app, "init", "people.csv", "-o", "plan.yaml")
    assert isinstance(result.exception, InputError)
    assert "--overwrite" in result.exception.hint
    assert (folder / "plan.yaml").read_text() == "mine"
    assert call(app, "init", "people.csv", "-o", "plan.yaml", "--overwrite").exit_code == 0
    assert load(folder / "plan.yaml").schema.identifiers == ("dni",)


def test_the_data_are_never_replaced(app, folder):
    result = call(app, "init", "people.csv", "-o", "people.csv", "--overwrite")
    assert isinstance(result.exception, InputError)
    assert (folder / "people.csv").read_text(encoding="utf-8") == ROWS


def test_a_folder_is_no_plan(app, folder):
    assert isinstance(call(app, "init", "people.csv", "-o", ".").exception, InputError)


@pytest.mark.parametrize("place", ["plan.yaml", "plans/plan.yaml", "link/plan.yaml"])
def test_the_input_is_named_from_the_plans_folder(app, folder, place):
    (folder / "plans" / "deep").mkdir(parents=True)
    (folder / "link").symlink_to(folder / "plans" / "deep", target_is_directory=True)
    assert call(app, "init", "people.csv", "-o", place).exit_code == 0
    text = (folder / place).read_text(encoding="utf-8")
    assert str(folder) not in text
    assert load(folder / place).table().n_rows == 40


def test_too_few_rows(app, folder):
    (folder / "people.csv").write_text("age,sex\n1,m\n2,f\n3,f\n")
    result = call(app, "init", "people.csv", "-o", "plan.yaml")
    assert isinstance(result.exception, UnreachableError)
    assert "--k 3" in result.exception.hint
    assert not (folder / "plan.yaml").exists()
    assert call(app, "init", "people.csv", "-o", "plan.yaml", "--k", "3").exit_code == 0


def test_names_that_look_like_markup_are_shown(app, folder):
    (folder / "people.csv").write_text("[red]x[/blue],sex\n" + "1,m\n2,f\n3,f\n" * 3)
    result = call(app, "init", "people.csv", "-o", "plan.yaml")
    assert result.exit_code == 0, result.exception
    assert "[/blue]" in result.stdout.replace("\n", "")


def test_no_cell_value_is_shown(app, folder):
    cells = {cell for line in ROWS.splitlines()[1:] for cell in line.split(",")[:2]}
    for arguments in (["--json"], ["-o", "plan.yaml"], []):
        shown = call(app, "init", "people.csv", *arguments).stdout
        assert shown
        assert not [cell for cell in cells if cell in shown]
