"""Make the tables of the three examples: a hospital, an exam, a school register.

Nobody in them exists. The seeds are fixed, so that everybody gets the same tables::

    python examples/make_tables.py          # beside the project files
    python examples/make_tables.py FOLDER   # into FOLDER/hospital, FOLDER/exams and FOLDER/school
"""

from __future__ import annotations

import csv
import sys
from datetime import date, timedelta
from pathlib import Path

import numpy as np
from numpy.random import Generator

HERE = Path(__file__).parent

Row = dict[str, str]

WOMEN = (
    *("Ana", "Lucía", "Begoña", "Inés", "Carmen", "María José", "Rocío", "Nuria", "Concepción", "Mónica", "Eva"),
    *("Adoración", "Sofía", "Ángela", "Aitana", "Noemí"),
)
MEN = (
    *("Luis", "Íñigo", "José Ángel", "Andrés", "Tomás", "Joaquín", "Raúl", "Óscar", "Martín", "Germán", "Félix"),
    *("Víctor", "Álvaro", "Hugo", "Ramón", "Adrián"),
)
SURNAMES = (
    *("García", "Núñez", "Muñoz", "Peña", "Sánchez", "Hernández", "Iglesias", "Ibáñez", "Martín", "Marcos", "Cuesta"),
    *("Gutiérrez", "Yáñez", "Bermúdez", "Vicente", "Castaño", "Bueno", "Rodríguez", "Ordóñez", "Blázquez", "Cañas"),
    *("Velázquez", "Prieto", "Montero", "Zaballos", "Güemes", "Íscar", "Elena", "Calvo", "Barés"),
)

# Diagnosis, ward, how frequent it is by age (to 15, 49, 67, above), whose it is, median of days, their spread.
DIAGNOSES: tuple[tuple[str, str, tuple[float, ...], str, float, float], ...] = (
    ("Bronquiolitis", "Pediatría", (9, 0, 0, 0), "MH", 4, 0.4),
    ("Gastroenteritis", "Pediatría", (6, 0.5, 0.3, 1), "MH", 3, 0.4),
    ("Apendicitis", "Cirugía", (5, 4, 1, 0.4), "MH", 3, 0.5),
    ("Fractura de antebrazo", "Traumatología", (5, 1, 1, 0.5), "MH", 2, 0.4),
    ("Parto", "Obstetricia", (0, 14, 0, 0), "M", 3, 0.3),
    ("Depresión mayor", "Psiquiatría", (0.5, 3, 2, 0.5), "MH", 14, 0.6),
    ("Intoxicación etílica", "Urgencias", (0.2, 2, 1, 0), "MH", 1, 0.3),
    ("Infección por VIH", "Medicina interna", (0, 1, 0.7, 0.1), "MH", 8, 0.6),
    ("Colelitiasis", "Cirugía", (0, 2, 4, 2), "MH", 3, 0.5),
    ("Hernia inguinal", "Cirugía", (0.5, 2, 4, 2), "H", 1, 0.4),
    ("Cáncer de mama", "Oncología", (0, 0.7, 3, 2), "M", 5, 0.5),
    ("Cáncer de próstata", "Oncología", (0, 0, 2, 3), "H", 5, 0.5),
    ("Infarto de miocardio", "Cardiología", (0, 0.5, 4, 5), "MH", 7, 0.5),
    ("Diabetes descompensada", "Medicina interna", (1, 1, 3, 4), "MH", 6, 0.5),
    ("Neumonía", "Neumología", (3, 1, 2, 8), "MH", 7, 0.5),
    ("EPOC agudizada", "Neumología", (0, 0, 3, 8), "MH", 8, 0.5),
    ("Insuficiencia cardíaca", "Cardiología", (0, 0, 2, 11), "MH", 9, 0.5),
    ("Ictus", "Neurología", (0, 0.3, 2, 7), "MH", 11, 0.7),
    ("Fractura de cadera", "Traumatología", (0, 0, 0.5, 9), "MH", 10, 0.4),
)
GRAVE = ("Ictus", "Insuficiencia cardíaca", "Infarto de miocardio", "Neumonía")
NEAR = (*range(37001, 37009), 37120, 37184, 37188, 37300, 37700, 37800, 37900)
FAR = (49013, 49600, 5001, 5600, 10600, 28013, 47003)

COURSES = ("1.º ESO", "2.º ESO", "3.º ESO", "4.º ESO", "1.º Bach.", "2.º Bach.")
LARGER_TOWNS = {"Béjar": 9.0, "Peñaranda de Bracamonte": 6.0, "Alba de Tormes": 5.0, "Terradillos": 4.0}
SUPPORT = {"no": 0.86, "dislexia": 0.05, "TDAH": 0.05, "TEA": 0.02, "altas capacidades": 0.02}


def main(into: Path) -> None:
    """Write the three tables."""
    for path, rows, delimiter in (
        (into / "hospital" / "pacientes.csv", hospital(), ";"),
        (into / "exams" / "marks.csv", exams(), ","),
        (into / "school" / "matricula.csv", school(), ";"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
            writer.writeheader()
            writer.writerows(rows)


def hospital(seed: int = 20260131) -> list[Row]:
    """Return the stays of a year: some patients come back, the old stay longer, a few stay for months."""
    draw = np.random.default_rng(seed)
    rows = []
    for number in range(1, 1201):
        sex = "M" if draw.random() < 0.53 else "H"
        ages = draw.gamma(1.2, 4), draw.normal(36, 9), draw.normal(74, 11)
        age = int(np.clip(draw.choice(ages, p=[0.14, 0.3, 0.56]), 0, 101))
        born = date(2024, 12, 31) - timedelta(days=int(365.25 * age + draw.integers(0, 365)))
        patient = {
            "nombre": full_name(draw, sex),
            "historia": f"HC{number * 37 + 100_000:07d}",
            "fecha_nacimiento": spanish(born),
            "codigo_postal": f"{draw.choice(NEAR if draw.random() < 0.93 else FAR):05d}",
            "sexo": sex,
        }
        rows += [patient | stay(draw, sex, age) for _ in range(1 + min(int(draw.poisson(0.15 + 0.006 * age)), 5))]
    for place in draw.choice(len(rows), 24, replace=False):
        rows[place]["codigo_postal"] = ""  # nobody asked for it
    return shuffled(draw, rows)


def stay(draw: Generator, sex: str, age: int) -> Row:
    """Return one stay of a patient."""
    group = int(np.searchsorted([16, 50, 68], age, side="right"))
    weights = np.array([weights[group] * (sex in whose) for _, _, weights, whose, _, _ in DIAGNOSES])
    diagnosis, ward, _, _, median, spread = DIAGNOSES[draw.choice(len(DIAGNOSES), p=weights / weights.sum())]
    days = max(1, round(median * float(np.exp(draw.normal(0.004 * (age - 50), spread)))))
    days += int(draw.integers(50, 160)) if draw.random() < 0.006 else 0
    died = draw.random() < (0.09 if diagnosis in GRAVE and age > 70 else 0.008)
    moved = draw.random() < (0.15 if age > 75 else 0.05)
    cost = (420 + 610 * days) * float(np.exp(draw.normal(0, 0.2)))
    return {
        "fecha_ingreso": spanish(date(2025, 1, 1) + timedelta(days=int(draw.integers(0, 365)))),
        "servicio": ward,
        "diagnostico": diagnosis,
        "estancia": str(days),
        "alta": "fallecimiento" if died else "traslado" if moved else "domicilio",
        "coste": "" if draw.random() < 0.03 else with_comma(cost, 2),
    }


def exams(seed: int = 20260214) -> list[Row]:
    """Return the marks of two groups: the second is weaker, some gave up half way, two were ill on the day."""
    draw = np.random.default_rng(seed)
    rows = []
    for number in range(184):
        group = "A" if number < 98 else "B"
        skill = draw.normal(6.4 if group == "A" else 5.5, 1.6)
        gave_up = draw.random() < 0.06
        identity = 20_000_000 + 104_729 * number
        attended = round(14 * (0.45 + 0.06 * skill) + draw.normal(0, 1.5)) - 5 * gave_up
        rows.append(
            {
                "student": full_name(draw, "MH"[draw.integers(2)]),
                "student_id": f"U{identity}",
                "email": f"u{identity}@students.example",
                "group": group,
                "repeating": "yes" if draw.random() < (0.12 if group == "A" else 0.22) else "no",
                "midterm": "" if number in (41, 150) else in_halves(skill + draw.normal(-0.3, 1)),
                "practicals": in_halves(skill + draw.normal(0.9, 0.9)),
                "final": "" if gave_up else in_halves(skill + draw.normal(-0.2, 1.1)),
                "attended": str(np.clip(attended, 0, 14)),
            }
        )
    return shuffled(draw, rows)


def school(seed: int = 20260301) -> list[Row]:
    """Return a register: scholarships by income, absences with a long tail, marks that fall with them."""
    draw = np.random.default_rng(seed)
    with (HERE / "school" / "municipios.csv").open(encoding="utf-8", newline="") as file:
        towns = [line[0] for line in csv.reader(file, delimiter=";")]
    sizes = np.array([LARGER_TOWNS.get(town, 1.0) for town in towns])
    return shuffled(draw, [pupil(draw, number, towns, sizes / sizes.sum()) for number in range(1, 961)])


def pupil(draw: Generator, number: int, towns: list[str], shares: np.ndarray) -> Row:
    """Return one pupil."""
    sex = "MH"[draw.integers(2)]
    course = int(draw.choice(6, p=[0.2, 0.2, 0.19, 0.17, 0.13, 0.11]))
    repeats = int(draw.random() < 0.13) + int(draw.random() < 0.03)
    town = str(draw.choice(towns, p=shares))
    income = draw.normal(0, 1) + 0.3 * (town in LARGER_TOWNS)
    absences = int(draw.negative_binomial(1.1, 1 / (1 + 6 * np.exp(0.35 * repeats - 0.2 * income))))
    absences += int(draw.integers(90, 220)) if draw.random() < 0.008 else 0
    mark = np.clip(draw.normal(6.6 + 0.35 * income - 0.7 * repeats - 0.02 * min(absences, 60), 1.3), 0, 10)
    name = full_name(draw, sex)
    born = date(2013 - course - repeats, 1, 1) + timedelta(days=int(draw.integers(0, 365)))
    return {
        "nia": str(37_000_000 + 613 * number),
        "alumno": name,
        "fecha_nacimiento": spanish(born),
        "sexo": sex,
        "curso": COURSES[course],
        "municipio": town,
        "tutor": f"{draw.choice(WOMEN)} {name.split()[-1]}",
        "telefono_tutor": f"6000{draw.integers(0, 10**5):05d}",
        "beca": "sí" if income < -0.55 + draw.normal(0, 0.3) else "no",
        "transporte": "sí" if town not in LARGER_TOWNS and draw.random() < 0.8 else "no",
        "apoyo": str(draw.choice(list(SUPPORT), p=list(SUPPORT.values()))),
        "faltas": str(absences),
        "nota_media": "" if draw.random() < 0.02 else with_comma(float(mark), 1),
    }


def full_name(draw: Generator, sex: str) -> str:
    """Return a first name and two surnames."""
    return " ".join([str(draw.choice(WOMEN if sex == "M" else MEN)), *map(str, draw.choice(SURNAMES, 2))])


def spanish(day: date) -> str:
    """Spell a day as people in Spain do."""
    return day.strftime("%d/%m/%Y")


def with_comma(value: float, digits: int) -> str:
    """Spell a number with a decimal comma."""
    return f"{value:.{digits}f}".replace(".", ",")


def in_halves(mark: float) -> str:
    """Spell a mark from 0 to 10 in halves."""
    return f"{np.clip(round(2 * mark) / 2, 0, 10):g}"


def shuffled(draw: Generator, rows: list[Row]) -> list[Row]:
    """Return the rows in another order."""
    return [rows[place] for place in draw.permutation(len(rows))]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
