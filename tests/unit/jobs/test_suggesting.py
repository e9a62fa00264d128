"""Plans suggested for unlike tables: they run as they are, and nothing that was planted to name people is published."""

from __future__ import annotations

import datetime
import random
import string
import time
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import CelosiaError, InputError, OptionError, UnreachableError
from celosia.data import io
from celosia.data.schema import Role, Table
from celosia.data.schema.detectors import percent
from celosia.jobs.plan_file import load
from celosia.jobs.suggest import check_enough, suggest, telling_apart, to_plan_text
from celosia.search import Weave

N = 60
LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
TOWNS = ["Sevilla", "Cádiz", "Soria", "Lugo"]
NAMES = ["Ana", "Luis", "Marta", "Pedro", "Lucía", "Jorge"]
SURNAMES = ["Gil", "Mora", "Vidal", "Sanz", "Rey", "Cano", "Soto"]


def pick(chance: random.Random, values: list, n: int = N) -> list:
    return [chance.choice(values) for _ in range(n)]


def dni(number: int) -> str:
    return f"{number:08d}{LETTERS[number % 23]}"


def nie(number: int) -> str:
    return f"Y{number:07d}{LETTERS[(10_000_000 + number) % 23]}"


def luhn(start: int) -> str:
    """The number with the digit that makes Luhn's sum a multiple of ten, found by trying."""
    for last in "0123456789":
        digits = [int(digit) for digit in f"{start}{last}"][::-1]
        doubled = [2 * digit for digit in digits[1::2]]
        if (sum(digits[::2]) + sum(digit // 10 + digit % 10 for digit in doubled)) % 10 == 0:
            return f"{start}{last}"
    raise AssertionError


def iban(account: int) -> str:
    check = 98 - int(f"{account:020d}142800") % 97  # E = 14, S = 28
    return f"ES{check:02d}{account:020d}"


def students(chance):
    marks = [f"{chance.gauss(6, 2):.1f}".replace(".", ",") for _ in range(N)]
    return {
        "DNI": [dni(chance.randrange(10**7, 10**8)) for _ in range(N)],
        "Apellidos y nombre": [f"{chance.choice(SURNAMES)} {i}, {chance.choice(NAMES)}" for i in range(N)],
        "Curso": pick(chance, ["1", "2", "3"]),
        "Nota final": marks,
        "Calificación": pick(chance, ["Suspenso", "Aprobado", "Notable", "Sobresaliente"]),
        "Profesor": pick(chance, ["Ana Gil", "Ana Gill", "Luis Mora"]),
        "Observaciones": [f"texto libre sobre el alumno número {i} del grupo" for i in range(N)],
    }


def medical(chance):
    birth = datetime.date(1950, 1, 1)
    days = [birth + datetime.timedelta(chance.randrange(20_000)) for _ in range(N)]
    return {
        "patient_id": [f"P{i:05d}" for i in range(N)],
        "name": [f"{chance.choice(NAMES)} {chance.choice(SURNAMES)}" for _ in range(N)],
        "date_of_birth": [day.strftime("%d/%m/%Y") for day in days],
        "sex": pick(chance, ["1", "2"]),
        "zip": pick(chance, ["01001", "01002", "37003", "08001"]),
        "diagnosis": pick(chance, ["flu", "cancer", "gastritis"]),
        "severity": pick(chance, ["mild", "moderate", "severe"]),
        "admission": [(day + datetime.timedelta(9000)).strftime("%Y%m%d") for day in days],
        "health card": [f"CYL{chance.randrange(10**9):09d}" for _ in range(N)],
    }


def staff(chance):
    return {
        "ID empleado": [str(i + 1) for i in range(N)],
        "correo": [f"{chance.choice(NAMES).lower()}{i}@example.org" for i in range(N)],
        "teléfono": [f"6{chance.randrange(10**8):08d}" for _ in range(N)],
        "IBAN": [iban(chance.randrange(10**18)) for _ in range(N)],
        "tarjeta": [luhn(chance.randrange(10**14, 10**15)) for _ in range(N)],
        "Código Postal": pick(chance, ["06001", "28013", "41001"]),
        "edad": [str(chance.randrange(18, 66)) for _ in range(N)],
        "estado civil": pick(chance, ["soltera", "casado", "viudo"]),
        "sueldo bruto": [str(chance.randrange(15_000, 60_000)) for _ in range(N)],
        "sindicato": pick(chance, ["sí", "no"]),
    }


def hidden_identifiers(chance):
    """Identifiers under headers that say nothing: only the cells give them away."""
    return {
        "c1": [dni(chance.randrange(10**7, 10**8)) if i % 2 else nie(chance.randrange(10**6)) for i in range(N)],
        "c2": [f"{chance.choice(NAMES)} {chance.choice(SURNAMES)}" for _ in range(N)],
        "c3": [f"user{i}@mail.example.com" for i in range(N)],
        "c4": [f"+34 6{chance.randrange(10**8):08d}" for _ in range(N)],
        "c5": ["".join(chance.choice("0123456789abcdef") for _ in range(32)) for _ in range(N)],
        "c6": [str(100_000 + 37 * i) for i in range(N)],
        "c7": [f"10.0.{i}.{chance.randrange(255)}" for i in range(N)],
        "c8": [luhn(chance.randrange(10**14, 10**15)) for _ in range(N)],
        "c9": [iban(chance.randrange(10**18)) for _ in range(N)],
        "c10": [f"****{chance.randrange(1000):03d}" for _ in range(N)],
        "c11": [f"calle Mayor {i}" for i in range(N)],
        "q": pick(chance, ["red", "green", "blue"]),
    }


def few_mails(chance):
    """Two e-mail addresses among towns are enough to keep the column in."""
    towns = pick(chance, TOWNS)
    towns[3] = towns[40] = "somebody@example.org"
    return {"town": towns, "age": [str(chance.randrange(90)) for _ in range(N)]}


def wide(chance):
    return {f"item {i}": [str(chance.randrange(5)) for _ in range(N)] for i in range(58)} | {
        "expediente": [f"2024/{i:04d}" for i in range(N)],
        "empty": [None] * N,
    }


def dates(chance):
    start = datetime.date(2001, 2, 3)
    days = [start + datetime.timedelta(chance.randrange(3000)) for _ in range(N)]
    forms = {
        "iso": "%Y-%m-%d",
        "fecha ingreso": "%d/%m/%Y",
        "with dots": "%d.%m.%Y",
        "american": "%m/%d/%Y",
        "stamp": "%Y-%m-%d %H:%M:%S",
    }
    columns = {name: [day.strftime(form) for day in days] for name, form in forms.items()}
    columns["iso"][5] = "n/a"
    columns["short"] = [day.strftime("%d/%m/%y") for day in days]
    columns["words"] = [day.strftime("%d %B %Y") for day in days]
    return columns


def panel(chance):
    """Several rows per person: k must count people."""
    people = [dni(chance.randrange(10**7, 10**8)) for _ in range(N // 3)]
    return {
        "documento": [people[i % len(people)] for i in range(N)],
        "year": [str(2018 + i % 3) for i in range(N)],
        "score": [str(chance.randrange(11)) for _ in range(N)],
    }


def odd_names(chance):
    """Column names that YAML reads as something else."""
    names = ["yes", "1", "a: b", "# x", 'it\'s "q"', "null", "2020-01-01", "ñandú", "- x", "{a}", "**", "x #y", "[/b]"]
    return {name: pick(chance, ["u", "v"]) for name in [*names, "a" * 1500]}


def constants(chance):
    return {
        "país": ["España"] * N,
        "version": ["1"] * N,
        "name": ["Ana"] * N,
        "no value": ["*" if i % 5 else "x" for i in range(N)],
        "income": [f"{chance.randrange(1, 9)}.{chance.randrange(1000):03d},50 €" for _ in range(N)],
        "age": [str(chance.randrange(90)) for _ in range(N)],
    }


TABLES = {
    "students": (students, {"DNI", "Apellidos y nombre", "Observaciones"}),
    "medical": (medical, {"patient_id", "name", "health card"}),
    "staff": (staff, {"ID empleado", "correo", "teléfono", "IBAN", "tarjeta"}),
    "hidden_identifiers": (hidden_identifiers, {f"c{i}" for i in range(1, 12)}),
    "few_mails": (few_mails, {"town"}),
    "wide": (wide, {"expediente", "empty"}),
    "dates": (dates, {"short", "words"}),
    "panel": (panel, {"documento"}),
    "odd_names": (odd_names, set()),
    "constants": (constants, {"name", "income"}),
}


def made(name: str, seed: int = 1) -> pl.DataFrame:
    return pl.DataFrame(TABLES[name][0](random.Random(seed)), infer_schema_length=None)


def written(frame: pl.DataFrame, folder, format: str = "csv"):
    """Write the table the way people get it, not through Celosía's own writer."""
    path = folder / f"data.{format}"
    if format == "csv":
        frame.write_csv(path)
    elif format == "csv-es":
        path = folder / "data.csv"
        path.write_bytes(frame.write_csv(separator=";").encode("latin-1"))
    elif format == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_excel(path, worksheet="data")
    return path


def planned(path, k: int = 5):
    """Suggest, write the plan beside the data and load it."""
    source = io.read(path)
    found = suggest(source.frame, decimal=source.dialect.decimal if source.dialect else ".")
    check_enough(source.frame, found, k)
    plan = path.parent / "plan.yaml"
    plan.write_text(to_plan_text(found, input=path.name, k=k), encoding="utf-8")
    return found, load(plan)


def roles(found) -> dict[str, Role]:
    return {one.column: one.role for one in found}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_plan_runs_as_it_is_and_planted_identifiers_are_removed(name, seed, tmp_path):
    frame = made(name, seed)
    found, config = planned(written(frame, tmp_path))
    assert {column for column, role in roles(found).items() if role == Role.IDENTIFIER} == TABLES[name][1]
    assert Role.INSENSITIVE not in roles(found).values()
    assert set(config.schema.columns) == set(frame.columns)
    release = config.plan.run(config.table())
    assert release.k >= 5
    assert release.classes.n_suppressed == 0
    assert set(release.rows.columns) == set(frame.columns) - TABLES[name][1]


@pytest.mark.parametrize("format", ["csv-es", "parquet", "xlsx"])
@pytest.mark.parametrize("name", ["students", "medical", "staff", "dates"])
def test_other_files_give_the_same_roles(name, format, tmp_path):
    frame = made(name)
    found, config = planned(written(frame, tmp_path, format))
    assert roles(found) == roles(suggest(frame, decimal=","))
    assert config.plan.run(config.table()).k >= 5


def test_typed_columns(tmp_path):
    days = [datetime.date(2000, 1, 1) + datetime.timedelta(7 * i) for i in range(N)]
    frame = pl.DataFrame(
        {
            "born": days,
            "seen": [datetime.datetime.combine(day, datetime.time(8)) for day in days],
            "smoker": [i % 2 == 0 for i in range(N)],
            "member": [i % 3 == 0 for i in range(N)],
            "height": [150 + i / 4 for i in range(N)],
            "phone": [600_000_000 + 7919 * i for i in range(N)],
            "hour": [datetime.time(i % 24) for i in range(N)],
        }
    )
    found, config = planned(written(frame, tmp_path, "parquet"))
    by_name = {one.column: one for one in found}
    assert by_name["born"].kind.name == by_name["seen"].kind.name == "dates"
    assert by_name["smoker"].role == Role.SENSITIVE
    assert by_name["height"].kind.name == "number"
    assert by_name["phone"].role == Role.IDENTIFIER
    assert config.plan.run(config.table()).k >= 5


def test_kinds(tmp_path):
    found, config = planned(written(made("students"), tmp_path, "csv-es"))
    kinds = {one.column: one.kind for one in found}
    assert kinds["Nota final"].name == "number"
    assert kinds["Calificación"].values == ("Suspenso", "Aprobado", "Notable", "Sobresaliente")
    assert kinds["Profesor"].name == "category"
    assert config.schema.quasi_identifiers["Calificación"] == kinds["Calificación"]
    found = suggest(made("medical"))
    kinds = {one.column: one.kind for one in found}
    assert kinds["zip"].keep == (5, 3, 2, 1)
    assert kinds["date_of_birth"].name == kinds["admission"].name == "dates"
    assert kinds["sex"].name == "category"
    assert kinds["severity"].values == ("mild", "moderate", "severe")


def test_dates_of_secrets_may_be_known_to_others():
    frame = pl.DataFrame({"fecha diagnóstico": ["2020-01-02", "2020-01-03"] * 9, "diagnóstico": ["a", "b"] * 9})
    date, secret = suggest(frame)
    assert (date.role, date.kind.name) == (Role.QUASI_IDENTIFIER, "dates")
    assert secret.role == Role.SENSITIVE


def test_numbers_that_name_people_are_no_secrets():
    frame = pl.DataFrame(
        {
            "health insurance number": [str(281_000_000_000 + 7 * i) for i in range(N)],
            "víctima": pick(random.Random(1), ["Ana Gil", "Luis Mora"]),
            "treatment": [f"T-{i:06d}" for i in range(N)],
            "salary": [str(20_000 + 37 * i) for i in range(N)],
        }
    )
    assert list(roles(suggest(frame)).values()) == [Role.IDENTIFIER] * 3 + [Role.SENSITIVE]


def test_secrets_are_sensitive():
    assert roles(suggest(made("medical")))["diagnosis"] == Role.SENSITIVE
    found = roles(suggest(made("staff")))
    assert found["sueldo bruto"] == found["sindicato"] == Role.SENSITIVE


@pytest.mark.parametrize("name", TABLES)
def test_no_cell_value_in_the_comments(name):
    frame = made(name)
    text = to_plan_text(suggest(frame, decimal=","), input="data.csv")
    comments = "\n".join(line.partition("  # ")[2] for line in text.splitlines())
    cells = {cell for column in frame for cell in column.drop_nulls() if len(cell) > 3}
    assert not [cell for cell in cells if cell in comments]


def test_the_reasons_are_true():
    frame = pl.DataFrame(
        {
            "edad": ["12", "40", "40", None],
            "ciudad": ["Jana", "Jane", "Lugo", "Lugo"],
            "x": ["12345678Z", "00000000T", "12345678Z", "nothing"],
        }
    )
    age, town, mixed = suggest(frame)
    assert age.reasons[0] == "header word 'edad' (age)"
    assert "2 distinct values, unique in 33.3 % of rows" in age.reasons
    assert "25 % missing" in age.reasons
    assert "holds ages below 18: data of children" in age.reasons
    assert "pairs of values that differ in one letter or in case only (variants?): 1" in town.reasons
    assert mixed.role == Role.IDENTIFIER
    assert "75 % of cells are a DNI or NIE with the right check letter" in mixed.reasons


def test_people_are_counted_where_a_person_has_several_rows(tmp_path):
    found, config = planned(written(made("panel"), tmp_path))
    assert [one.column for one in found if one.is_subject] == ["documento"]
    assert not any(one.is_subject for one in suggest(made("students")))
    assert config.schema.subject == "documento"
    release = config.plan.run(config.table())
    assert release.classes.units(config.table().subjects).min() >= 5
    with pytest.raises(UnreachableError, match=r"60 rows about 20 people \(by 'documento'\)"):
        planned(tmp_path / "data.csv", k=21)


def test_words_for_no_value(tmp_path):
    found, config = planned(written(made("dates"), tmp_path))
    assert config.schema.missing == ("n/a",)
    assert next(one for one in found if one.column == "iso").kind.name == "dates"


def test_a_small_table_is_refused_with_the_next_step():
    frame = pl.DataFrame({"age": ["1", "2", "3", "4"], "sex": ["m", "f", "m", "f"]})
    with pytest.raises(UnreachableError, match="the table has 4 rows") as caught:
        check_enough(frame, suggest(frame), 5)
    assert "--k 4" in caught.value.hint
    check_enough(frame, suggest(frame), 4)
    with pytest.raises(UnreachableError, match="0 rows"):
        check_enough(frame.clear(), suggest(frame.clear()), 5)
    with pytest.raises(OptionError):
        check_enough(frame, suggest(frame), 1)


def test_a_table_of_identifiers_only_is_refused():
    frame = pl.DataFrame({"dni": [dni(i) for i in range(9)], "email": [f"a{i}@b.org" for i in range(9)]})
    with pytest.raises(InputError, match="all 2 columns look like identifiers"):
        check_enough(frame, suggest(frame), 5)


def test_every_algorithm_that_the_plan_offers_can_be_taken(tmp_path):
    text = to_plan_text(suggest(pl.DataFrame({"age": ["1", "2"]})), input="a.csv")
    (chosen,) = [line for line in text.splitlines() if line.startswith("algorithm:")]
    others = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# algorithm:")]
    searches = []
    for line in (chosen, *others):
        (tmp_path / "plan.yaml").write_text(text.replace(chosen, line), encoding="utf-8")
        searches.append(load(tmp_path / "plan.yaml").plan.algorithm)
    assert searches == [Weave(), Weave(effort="fast"), Weave(effort="best", time_limit=60)]


def test_to_dict_is_what_the_plan_says():
    (one,) = suggest(pl.DataFrame({"zip": ["01001", "37003"]}))
    assert one.to_dict() == {
        "column": "zip",
        "role": "quasi_identifier",
        "kind": {"prefix": {"keep": [5, 3, 2, 1]}},
        "reasons": list(one.reasons),
        "missing": [],
        "is_subject": False,
        "keys": [["zip"]],
    }


class TestTellingApart:
    frame = pl.DataFrame(
        {
            "dni": [dni(i) for i in range(12)],
            "edad": [str(20 + i % 4) for i in range(12)],
            "ciudad": [TOWNS[i // 4] for i in range(12)],
            "diagnóstico": ["a", "b"] * 6,
        }
    )

    def reasons(self, frame) -> dict[str, str]:
        return {one.column: "; ".join(one.reasons) for one in suggest(frame)}

    def test_keys_are_told_beside_their_columns(self):
        by_name = {one.column: one for one in suggest(self.frame)}
        assert by_name["edad"].keys == by_name["ciudad"].keys == (("edad", "ciudad"),)
        assert by_name["dni"].keys == by_name["diagnóstico"].keys == ()
        assert "with 'ciudad' tells every row apart" in by_name["edad"].reasons
        assert "without it 66.7 % fewer rows are told apart" in by_name["ciudad"].reasons

    def test_keys_stand_in_the_plan_by_their_names(self, tmp_path):
        text = to_plan_text(suggest(self.frame), input="a.csv")
        assert "# Each of these sets of columns tells apart all rows that differ" in text
        assert "\n#   'edad' + 'ciudad'\n" in text
        assert "can others know it?" in text
        assert "tells apart" not in to_plan_text(suggest(self.frame, with_keys=False), input="a.csv")

    def test_repeated_rows_are_said(self):
        twice = pl.concat([self.frame.drop("dni")] * 2)
        assert "with 'ciudad' tells apart all rows that differ" in self.reasons(twice)["edad"]

    def test_without_a_key_the_share_of_unique_rows_is_told(self):
        chance = random.Random(3)
        frame = pl.DataFrame({f"x{i}": [str(chance.randrange(4)) for _ in range(90)] for i in range(5)})
        assert not any(one.keys for one in suggest(frame))
        said = self.reasons(frame)
        for name in frame.columns:
            (shown,) = [part for part in said[name].split("; ") if part.startswith("with ")]
            partners = [part.strip("'") for part in shown.split(" unique in ")[0].removeprefix("with ").split(" and ")]
            rows = frame.select(name, *partners).rows()
            n_unique = sum(rows.count(row) == 1 for row in rows)
            assert shown.endswith(f" unique in {percent(n_unique / 90)} of rows")
            best = max(
                sum(rows.count(row) == 1 for row in rows)
                for rows in (frame.select(name, *pair).rows() for pair in combinations(set(frame.columns) - {name}, 2))
            )
            assert n_unique == best

    def test_what_is_told_changes_no_role(self):
        for name in TABLES:
            frame = made(name)
            with_keys, without = suggest(frame), suggest(frame, with_keys=False)
            assert [(one.role, one.kind) for one in with_keys] == [(one.role, one.kind) for one in without]

    def test_names_of_several_lines_stay_in_their_comment(self, tmp_path):
        frame = pl.DataFrame({"a\nb: 1": ["1", "2", "3"] * 2, "c\u2028d": ["1"] * 3 + ["2"] * 3})
        text = to_plan_text(suggest(frame), input="a.csv")
        (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
        assert set(load(tmp_path / "plan.yaml").schema.columns) == set(frame.columns)
        assert "a\\nb: 1" in text

    def test_many_keys_are_cut_short(self):
        frame = pl.DataFrame({f"x{i}": [f"{(i + 3) * n}.5" for n in range(30)] for i in range(9)})
        text = to_plan_text(suggest(frame), input="a.csv")
        assert text.count("\n#   'x") == 5
        assert "#   and more, as large or larger." in text

    def test_wide_tables_are_looked_at_in_smaller_sets(self, monkeypatch):
        monkeypatch.setattr(telling_apart, "_MOST_WORK", 12 * 4)
        assert not any(one.keys for one in suggest(self.frame))
        monkeypatch.setattr(telling_apart, "_MOST_WORK", 12 * 6)
        assert any(one.keys for one in suggest(self.frame))


CELLS = st.one_of(
    st.none(),
    st.text(alphabet="ab* /|;+é\u00a0", max_size=6),
    st.sampled_from(
        ["n/a", "*", "", " ", "01/02/2020", "2020-01-01", "31/31/2020", "1,5", "1.5", "1e400", "007", "-1"]
    ),
    st.integers(-5, 10**20).map(str),
)


# A blank name is refused; Polars takes a column called "*" or "^...$" for a pattern.
NAMES_OF_COLUMNS = st.text(alphabet=string.printable + "ñé\u2028", min_size=1, max_size=12).filter(
    lambda name: name.strip() and name != "*" and not name.startswith("^")
)


@tries(60)
@given(data=st.data())
def test_whatever_the_table_the_plan_runs_or_is_refused_clearly(data, tmp_path_factory):
    names = data.draw(st.lists(NAMES_OF_COLUMNS, min_size=1, max_size=4, unique=True))
    n_rows = data.draw(st.integers(0, 8))
    columns = {name: data.draw(st.lists(CELLS, min_size=n_rows, max_size=n_rows)) for name in names}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
    folder = tmp_path_factory.mktemp("any")
    found = suggest(frame)
    plan = folder / "plan.yaml"
    plan.write_text(to_plan_text(found, input="data.csv", k=2), encoding="utf-8")
    config = load(plan)
    assert set(config.schema.columns) == set(names)
    assert {one.column: one.kind for one in found if one.kind is not None} == dict(config.schema.quasi_identifiers)
    if n_rows < 2 or not {one.role for one in found} - {Role.IDENTIFIER}:
        with pytest.raises(CelosiaError):
            check_enough(frame, found, 2)
    elif not config.schema.subject:
        check_enough(frame, found, 2)
        assert config.plan.run(Table(frame, config.schema)).k >= 2


@pytest.mark.slow
def test_a_large_table_within_four_seconds():
    chance = random.Random(5)
    n = 100_000
    start = datetime.date(1930, 1, 1)
    columns = {
        "dni": [dni(10_000_000 + 7 * i) for i in range(n)],
        "correo": [f"user{i}@example.org" for i in range(n)],
        "nacimiento": [str(start + datetime.timedelta(chance.randrange(30_000))) for _ in range(n)],
        "cp": [f"{chance.randrange(1000, 53_000):05d}" for _ in range(n)],
        "salario": [str(chance.randrange(10_000, 90_000)) for _ in range(n)],
        "texto": [f"what person {i} said about it all" for i in range(n)],
        "ref": [f"ref {i}" for i in range(n)],
        "sexo": [chance.choice("HM") for _ in range(n)],
    } | {f"x{i}": [f"{chance.gauss(0, 1):.6f}" for _ in range(n)] for i in range(7)}
    frame = pl.DataFrame(columns)
    started = time.process_time()
    found = suggest(frame)
    assert time.process_time() - started < 4
    removed = {"dni", "correo", "texto", "ref"}
    assert {one.column for one in found if one.role == Role.IDENTIFIER} == removed
