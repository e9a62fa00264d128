"""celosia exam: folder, screen, JSON, exit codes, and no mark or name in any message."""

from __future__ import annotations

import json

import numpy as np
import pytest
from leaks import leaks


def marks(n_students, seed=0):
    generator = np.random.default_rng(seed)
    ability = generator.normal(6, 1.7, n_students)
    lines = ["alumno;dni;grupo;examen;nota final"]
    for number in range(n_students):
        cells = [
            f"{value:.1f}".replace(".", ",") for value in np.clip(ability[number] + generator.normal(0, 1, 2), 0, 10)
        ]
        lines.append(f"Canaria{number:03d} Pérez;{10_000_000 + 7919 * number};A;{';'.join(cells)}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "marks.csv").write_text(marks(40))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_folder_beside_the_marks(celosia, folder):
    code, out, err = celosia("exam", "marks.csv", "--no-pdf", "--lang", "es")
    assert (code, err) == (0, "")
    assert {path.name for path in (folder / "exam").iterdir()} == {
        *("data.csv", "data.xlsx", "claim.json", "table.json", "table.es.html", "cards", "internal")
    }
    assert len(list((folder / "exam" / "cards").iterdir())) == 40
    for word in ("40", "nota final", "5 others", "alumno, dni", "0-10", "cards/"):
        assert word in out
    assert leaks(out, ["Canaria"]) == []


def test_json_and_pdf(celosia, folder):
    code, out, _ = celosia(
        "exam", "marks.csv", "--out", "made", "--seed", "1", "--k", "4", "--title", "Stats", "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert (told["n_students"], told["k"], told["final"]) == (40, 4, "nota final")
    assert told["k_rows"] >= 5
    assert told["left_out"] == ["grupo"]
    assert 0 <= told["gcp"] <= 1
    assert told["marks"] == [
        {"name": "examen", "scale": [0, 10], "pass_mark": 5},
        {"name": "nota final", "scale": [0, 10], "pass_mark": 5},
    ]
    assert "EXAM_LEFT_OUT" in [finding["code"] for finding in told["findings"]]
    assert (folder / "made" / "table.en.pdf").read_bytes().startswith(b"%PDF-")
    assert len(list((folder / "made" / "cards").glob("*.pdf"))) == 40
    assert leaks(out, ["Canaria"]) == []


def test_twelve_students_end_with_code_3(celosia, folder):
    (folder / "few.csv").write_text(marks(12))
    code, out, err = celosia("exam", "few.csv", "--out", "few")
    assert code == 3
    assert out == ""
    for word in ("12", "too small", "--k 3", "Nothing was written"):
        assert word in err
    assert not (folder / "few").exists()
    assert celosia("exam", "few.csv", "--out", "few", "--k", "3", "--no-pdf")[0] == 0


def test_options_reach_the_table(celosia, folder):
    options = (
        "--marks",
        "nota final, examen",
        "--student",
        "dni",
        "--keep",
        "grupo",
        "--scale",
        "0-20",
        "--pass-mark",
        "8",
    )
    code, out, _ = celosia("exam", "marks.csv", "--no-pdf", "--json", *options)
    told = json.loads(out)
    assert code == 0
    assert told["kept"] == ["grupo"]
    assert told["marks"][0] == {"name": "nota final", "scale": [0, 20], "pass_mark": 8}
    assert (folder / "exam" / "data.csv").read_text().startswith("grupo,examen,nota final\n")


def test_earlier_courses(celosia, folder):
    (folder / "old.csv").write_text(marks(40, seed=1))
    assert celosia("exam", "old.csv", "--out", "2023", "--no-pdf")[0] == 0
    code, out, _ = celosia("exam", "marks.csv", "--earlier", "2023", "--no-pdf", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["earlier"] == ["2023"]
    assert "EXAM_SAME_STUDENTS" in [finding["code"] for finding in told["findings"]]
    (folder / "2023" / "data.csv").write_text("examen\n7\n")
    code, _, err = celosia("exam", "marks.csv", "--earlier", "2023", "--out", "again", "--no-pdf")
    assert code == 2
    assert "2023" in err
    assert celosia("exam", "marks.csv", "--earlier", "nowhere", "--out", "again", "--no-pdf")[0] == 2
    assert not (folder / "again").exists()


def test_an_existing_folder_is_replaced_only_when_asked(celosia, folder):
    assert celosia("exam", "marks.csv", "--no-pdf")[0] == 0
    assert celosia("exam", "marks.csv", "--no-pdf")[0] == 2
    assert celosia("exam", "marks.csv", "--no-pdf", "--overwrite")[0] == 0
    (folder / "exam" / "marks.csv").write_text(marks(40))
    code, _, err = celosia("exam", "exam/marks.csv", "--out", "exam", "--overwrite")
    assert code == 2
    assert (folder / "exam" / "marks.csv").exists()
    assert err


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (marks(40).replace("alumno;dni;grupo;examen;nota final", "a;b;c;d;e").replace(",", "x"), "marks"),
        (marks(30) + "Otra Canaria;123;A;secretissimo;5\n", "data row 31"),
        (marks(30) + "Otra Canaria;123;A;5;77\n", "data row 31"),
        (marks(30) + "Canaria000 Pérez;10000000;A;5;5\n", "data rows 1 and 31"),
        (marks(30) + "Media;;;5;5\n", "data row 31"),
        ("", "empty"),
        ("alumno;examen\n", "rows"),
    ],
)
def test_hostile_sheets_are_refused_without_their_values(celosia, folder, content, word):
    (folder / "hostile.csv").write_text(content)
    code, out, err = celosia("exam", "hostile.csv", "--out", "hostile")
    assert (code, out) == (2, "")
    assert word in err
    assert leaks(err, ["Canaria", "secretissimo"]) == []
    assert not (folder / "hostile").exists()


@pytest.mark.parametrize("options", [("--k", "1"), ("--scale", "x"), ("--lang", "fr"), ("--pass-mark", "50")])
def test_wrong_options_end_with_code_2(celosia, folder, options):
    assert celosia("exam", "marks.csv", *options)[0] == 2
    assert not (folder / "exam").exists()
