"""Columns of sheets of marks: which are marks, which name students, which are neither."""

from __future__ import annotations

import polars as pl
import pytest

import celosia as cl
from celosia.apps.exam.columns import absence_words, find_columns

MARKS = ["4,5", "7", "9,5", "3", "6,25"]
PEOPLE = ["Ana Gil", "Eva Ruiz", "Luis Mora", "Sara Peña", "José Cano"]


def found(**columns):
    return find_columns(pl.DataFrame(columns), decimal=",")


@pytest.mark.parametrize(
    "header",
    [
        *("Nota", "Examen", "Parcial 1", "P1", "Prácticas", "Quiz", "Trabajo", "Ejercicio 3", "Lab", "exam (0-10)"),
        *("Nota de clase", "Class participation", "Actividad", "Nota final", "Average", "T2", "Entrega"),
    ],
)
def test_headers_of_marks(header):
    assert found(**{"alumno": PEOPLE, header: MARKS}).marks == (header,)


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Grupo", ["1", "2", "1", "2", "1"]),
        ("Grupo de prácticas", ["1", "2", "1", "2", "1"]),
        ("Curso", ["1", "2", "1", "2", "1"]),
        ("Año", ["2023", "2024", "2023", "2023", "2024"]),
        ("edad", ["19", "20", "19", "22", "20"]),
        ("Convocatoria", ["1", "2", "1", "1", "1"]),
        ("Profesor", ["Ana Gil", "Ana Gil", "Eva Ruiz", "Ana Gil", "Eva Ruiz"]),
        ("Créditos", ["6", "6", "6", "6", "6"]),
        ("Calificación", ["Notable", "Suspenso", "Notable", "Aprobado", "Aprobado"]),
    ],
)
def test_other_columns_are_left_out(header, cells):
    columns = found(**{"alumno": PEOPLE, header: cells, "examen": MARKS})
    assert columns.marks == ("examen",)
    assert columns.left_out == (header,)


@pytest.mark.parametrize(
    ("header", "cells", "is_key"),
    [
        ("DNI", ["12345678Z", "00000000T", "87654321X", "11111111H", "22222222J"], True),
        ("x", ["12345678Z", "00000000T", "87654321X", "11111111H", "22222222J"], True),
        ("correo", ["a@uni.es", "b@uni.es", "c@uni.es", "d@uni.es", "e@uni.es"], True),
        ("Nº", ["1", "2", "3", "4", "5"], False),
        ("k", ["11", "12", "13", "14", "15"], False),
        ("student id", ["20231", "20232", "20237", "20238", "20239"], True),
        ("Apellidos", ["Gil", "Ruiz", "Mora", "Peña", "Cano"], False),
        ("who", ["Ana Gil", "Eva Ruiz", "Luis Mora", "Sara López", "José Cano"], False),
    ],
)
def test_identifiers_are_never_published(header, cells, is_key):
    columns = found(**{header: cells, "examen": MARKS})
    assert columns.marks == ("examen",)
    assert columns.identifiers == (header,)
    assert columns.keys == ((header,) if is_key else ())


def test_names_are_told_apart_from_numbers():
    columns = found(Nombre=["Ana", "Eva", "Luis", "Sara", "José"], Apellidos=["Gil", "Ruiz", "Mora", "Peña", "Cano"],
                    DNI=["12345678Z", "00000000T", "87654321X", "11111111H", "22222222J"], examen=MARKS)  # fmt: skip
    assert columns.names == ("Nombre", "Apellidos")
    assert columns.keys == ("DNI",)


@pytest.mark.parametrize(
    ("headers", "final"),
    [
        (["examen", "nota final", "prácticas"], "nota final"),
        (["final", "examen final"], "final"),
        (["total", "examen"], "total"),
        (["media", "final"], "final"),
        (["Definitiva", "parcial 1"], "Definitiva"),
        (["Nota final (0-10)", "examen"], "Nota final (0-10)"),
        (["exam", "essay"], "essay"),
    ],
)
def test_the_final_mark(headers, final):
    assert found(**dict.fromkeys(headers, MARKS)).final == final


def test_given_columns_are_taken_as_they_are():
    sheet = {"alumno": PEOPLE, "grupo": ["1", "2", "1", "2", "1"], "examen": MARKS, "otra": MARKS}
    columns = find_columns(pl.DataFrame(sheet), decimal=",", marks=["otra", "grupo"], student="alumno", keep=["examen"])
    assert columns.marks == ("otra", "grupo")
    assert columns.kept == ("examen",)
    assert columns.keys == ("alumno",)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"marks": ["exam"]}, cl.ColumnNotFoundError),
        ({"student": "nobody"}, cl.ColumnNotFoundError),
        ({"keep": ["group"]}, cl.ColumnNotFoundError),
        ({"marks": ["examen"], "keep": ["examen"]}, cl.OptionError),
        ({"marks": ["examen", "examen"]}, cl.OptionError),
    ],
)
def test_wrong_names_are_refused(options, error):
    with pytest.raises(error):
        find_columns(pl.DataFrame({"alumno": PEOPLE, "examen": MARKS}), **options)


def test_a_sheet_without_marks_is_refused():
    with pytest.raises(cl.InputError, match="none of the 2 columns"):
        found(alumno=PEOPLE, comment=["good", "well", "so so", "fine", "ok"])


def test_typed_columns_are_marks_too():
    frame = pl.DataFrame({"student": PEOPLE, "exam": [4.5, 7.0, None, 3.25, 9.0], "test": [4, 7, 9, 3, 8]})
    assert find_columns(frame).marks == ("exam", "test")


def test_words_for_absence():
    words = ["NP", "n.p.", "No presentado", "AUSENTE", "-", "—", "absent", "N/A", "?"]
    assert set(absence_words(pl.Series([*words, "7", "0", "diez", "-3", "presentado"]))) == set(words)
    assert absence_words(pl.Series([1.0, None])) == ()
