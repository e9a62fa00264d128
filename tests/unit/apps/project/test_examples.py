"""The examples: their tables are made, their projects signed and run, and what comes out keeps what was promised."""

from __future__ import annotations

import csv
import datetime
import importlib.util
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from celosia.apps.project import Project

EXAMPLES = Path(__file__).parents[4] / "examples"
TABLES = {"hospital": "pacientes.csv", "exams": "marks.csv", "school": "matricula.csv"}


@pytest.fixture(scope="module")
def make_tables():
    """The script that makes the tables."""
    spec = importlib.util.spec_from_file_location("make_tables", EXAMPLES / "make_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables(make_tables, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    make_tables.main(folder)
    return folder


def rows_of(path: Path, delimiter: str) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def classes_of(rows, columns) -> list[list[dict[str, str]]]:
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[column] for column in columns)].append(row)
    return list(found.values())


@pytest.fixture
def example(tables, tmp_path):
    """Copy an example, so that a run leaves nothing behind; the day of its review lies ahead of whoever tests."""

    def copied(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("release", TABLES[name]))
        shutil.copy(tables / name / TABLES[name], folder)
        file = folder / "project.yaml"
        ahead = datetime.date.today() + datetime.timedelta(days=300)
        text, n_dates = re.subn(r"(?m)^(    review: )\d{4}-\d\d-\d\d$", rf"\g<1>{ahead}", file.read_text("utf-8"))
        assert n_dates == 1
        file.write_text(text, "utf-8")
        return file

    return copied


def released(file: Path) -> tuple[Project, Path]:
    project = Project.load(file)
    for step in range(1, 5):
        project.sign(step, by="Ana Ruiz", role="DPD")
    assert project.run() == "feasible"
    return project, file.parent / "release"


def check_documents(folder: Path) -> None:
    endings = ["html", *(["pdf"] if importlib.util.find_spec("typst") else [])]
    documents = [
        folder / place / f"{name}.{lang}.{ending}"
        for place, name in (("internal", "dossier"), (".", "statement"))
        for lang in ("en", "es")
        for ending in endings
    ]
    assert [one.name for one in documents if not one.stat().st_size] == []


def check_hidden(folder: Path, rows, columns) -> None:
    """No name, number or address of anybody is in what may leave the house."""
    outward = " ".join(
        path.read_text("utf-8") for path in folder.iterdir() if path.suffix in (".csv", ".json", ".html")
    )
    for column in columns:
        assert not any(row[column] in outward for row in rows), column


def test_the_tables_are_the_same_every_time_and_as_varied_as_life(make_tables, tables, tmp_path):
    make_tables.main(tmp_path)
    for name, file in TABLES.items():
        assert (tmp_path / name / file).read_bytes() == (tables / name / file).read_bytes()
        rows = rows_of(tmp_path / name / file, "," if name == "exams" else ";")
        assert 100 <= len(rows) <= 2000
        cells = [cell for row in rows for cell in row.values()]
        assert "" in cells
        assert any(re.search("[áéíóúñü]", cell) for cell in cells)
    patients = rows_of(tmp_path / "hospital" / TABLES["hospital"], ";")
    stays = defaultdict(list)
    for row in patients:
        stays[row["diagnostico"]].append(int(row["estancia"]))
    assert sum(stays["Parto"]) / len(stays["Parto"]) * 2 < sum(stays["Ictus"]) / len(stays["Ictus"])
    assert max(days for own in stays.values() for days in own) > 60
    assert len({row["historia"] for row in patients}) < len(patients)


def test_hospital(example):
    file = example("hospital")
    given = rows_of(file.parent / TABLES["hospital"], ";")
    project, folder = released(file)
    check_documents(folder)
    check_hidden(folder, given, ["nombre", "historia"])
    rows = rows_of(folder / "data.csv", ";")
    assert set(rows[0]) == {"codigo_postal", "sexo", "fecha_ingreso", "diagnostico", "estancia", "edad"}
    assert len(rows) == len(given)
    for own in classes_of(rows, ["codigo_postal", "sexo", "fecha_ingreso", "estancia", "edad"]):
        assert len(own) >= 5
        assert len({row["diagnostico"] for row in own}) >= 3
    chosen = next(one for one in project.case().rounds if one.chosen)
    assert float(chosen.risk) <= 0.01
    assert chosen.gcp <= 0.35


def test_exams_signed_to_the_end(example):
    file = example("exams")
    given = rows_of(file.parent / TABLES["exams"], ",")
    project, folder = released(file)
    for step in range(5, 9):
        project.sign(step, by="Ana Ruiz", role="DPO")
    assert [step["state"] for step in project.status()["steps"]] == ["signed"] * 8
    check_documents(folder)
    check_hidden(folder, given, ["student", "student_id", "email"])
    rows = rows_of(folder / "data.csv", ",")
    assert list(rows[0]) == ["group", "midterm", "practicals", "final"]
    assert len(rows) >= 0.98 * len(given)
    # Who knows their own row leaves it out: of six, five are left, and 1 / 5 is what step 2 accepts.
    assert min(len(own) for own in classes_of(rows, list(rows[0]))) >= 6
    assert {one.algorithm for one in project.case().rounds} == {"weave", "mondrian"}


def test_school(example):
    file = example("school")
    given = rows_of(file.parent / TABLES["school"], ";")
    project, folder = released(file)
    check_documents(folder)
    check_hidden(folder, given, ["alumno", "tutor", "telefono_tutor", "nia"])
    rows = rows_of(folder / "data.csv", ";")
    assert {"apoyo", "transporte", "fecha_nacimiento"} & set(rows[0]) == set()
    for own in classes_of(rows, ["sexo", "curso", "municipio", "edad"]):
        assert len(own) >= 5
        assert {row["beca"] for row in own} == {"sí", "no"}
    assert max(float(row["faltas"].replace(",", ".").strip("≥>= ")) for row in rows) <= 40
    assert project.next().step == "anonymisation"
