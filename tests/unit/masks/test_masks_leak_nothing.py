"""Canaries in every column, category, index and gap: after each mask none of them is in any byte that leaves."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from canaries import (
    ALWAYS,
    FRAMES,
    N_RARE,
    N_ROWS,
    RARE_TOWN,
    UNDER_NUMBER,
    UNDER_TEXT,
    born,
    cases,
    entry,
    hidden,
    leave,
    name,
    note,
    people,
    ratio,
    salary,
)
from leaks import leaks

import celosia as cl
from celosia import masks
from celosia.data import io
from celosia.data.io.sql import SqlTarget
from celosia.report.language import LANGUAGES

FILES = ["csv", "csv-es", "xlsx", "parquet", "arrow", "sav", "zsav", "dta", "xpt"]
CASES = list(cases())
ORIGINALS = [column(row) for row in range(N_ROWS) for column in (name, hidden, note, salary, ratio, born, entry, leave)]
Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test a temporary folder of the system of its own; it must be empty in the end."""
    folder = tmp_path_factory.mktemp("system")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def celosia(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process; give back the exit code and all that was printed, by C code as well."""
    from celosia.cli import main

    def run(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["celosia", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        return int(caught.value.code or 0), out + err

    return run


def masked(case: str, kind: str = "polars") -> tuple[cl.Masked, list[Any]]:
    wanted = cases()[case]
    result = cl.mask(FRAMES[kind](), wanted.masks, seed=5)
    return result, [*wanted.gone(result.rows), *ALWAYS]


def test_every_mask_has_its_case() -> None:
    assert {case.partition(" ")[0] for case in CASES} == set(masks.__all__)


@pytest.mark.parametrize("kind", FRAMES)
def test_the_scan_would_find_them(kind: str) -> None:
    """The frames that go in hold every canary: the tests here can fail."""
    found = " ".join(leaks(FRAMES[kind](), [*ORIGINALS, *ALWAYS, RARE_TOWN]))
    everywhere = [name(0), hidden(1), note(2), salary(3), ratio(4), entry(5), leave(6), RARE_TOWN, UNDER_NUMBER]
    own = {"polars": [UNDER_TEXT], "pandas": ALWAYS[3:], "arrow": [ALWAYS[0], ALWAYS[4]]}[kind]
    assert [secret for secret in [*everywhere, *own] if repr(secret) not in found] == []


@pytest.mark.parametrize("format", [*FILES, "sqlite"])
@pytest.mark.parametrize("case", CASES)
def test_a_file_of_any_format_holds_no_canary(tmp_path: Path, case: str, format: str) -> None:
    result, gone = masked(case)
    if format == "sqlite":
        result.write(f"sqlite:///{tmp_path}/data.db#masked")
    else:
        result.write(tmp_path / f"data.{format.removesuffix('-es')}", format=format)
    assert len(list(tmp_path.rglob("*"))) == 1
    assert leaks(tmp_path, ["clerk"]), "what is published is found"
    assert leaks(tmp_path, gone) == []


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_that_is_handed_out_holds_no_canary(kind: str, case: str) -> None:
    result, gone = masked(case, kind)
    assert leaks(result.frame, ["clerk"])
    assert leaks(result.frame, gone) == []
    assert leaks(repr(result.findings) + str(result.to_dict()), [*ORIGINALS, *ALWAYS, RARE_TOWN]) == []


@pytest.mark.parametrize("case", ["Blank cells", "DropRows", "Sample"])
def test_the_rows_hold_no_canary_either(case: str) -> None:
    """Who writes ``result.rows`` by the means of Polars must not write what was masked away."""
    result, gone = masked(case)
    assert leaks(result.rows, gone) == []


@pytest.mark.parametrize("kind", FRAMES)
def test_a_mask_alone_hands_out_no_canary(kind: str) -> None:
    for case in ("Drop", "Blank cells", "DropRows", "Sample"):
        given: Any = FRAMES[kind]()
        wanted = cases()[case]
        for mask in wanted.masks:
            given = mask.apply(given)
        assert leaks(given, [*wanted.gone(io.to_polars(given)[0]), *ALWAYS]) == []


def test_an_earlier_file_and_table_leave_nothing_behind(tmp_path: Path) -> None:
    """What was written by mistake is gone from the file once it is overwritten."""
    for place in (tmp_path / "data.arrow", f"sqlite:///{tmp_path}/data.db#people"):
        cl.mask(people(), cl.Drop(column="code")).write(place)
    assert leaks(tmp_path, [name(3)])
    for place in (tmp_path / "data.arrow", f"sqlite:///{tmp_path}/data.db#people"):
        cl.mask(people(), [cl.Drop(columns=["name", "note"])]).write(place, overwrite=True)
    assert leaks(tmp_path, [*map(name, range(N_ROWS)), *map(note, range(N_ROWS)), *ALWAYS]) == []


# Whole plans ----------------------------------------------------------------------------------------------------------

WHERE = f'town == "{RARE_TOWN}"'
MASKS = (
    cl.Derive(column="stay", expression="duration(entry, leave)", kind=cl.Intervals(width=60), drop=True),
    cl.DropRows(where=WHERE),
    cl.DropRows(column="salary", outliers="iqr", limit=3),
    cl.Blank(column="note", where='job == "judge"'),
    cl.Generalise(column="town", mapping={"Vigo": "Galicia", "Lugo": "Galicia", RARE_TOWN: "Castilla"}),
    cl.MaskCharacters(column="code", keep_first=2),
    cl.Round(column="salary", to=10_000_000),
    cl.AddNoise(column="ratio", share=0.2),
    cl.Generalise(column="born", dates="decade"),
    cl.Swap(column="job"),
)


def schema() -> cl.Schema:
    return cl.Schema(
        identifiers=["name", "entry", "leave"],
        quasi_identifiers={"town": "category", "salary": "number", "born": "category", "code": "category"},
        sensitive=["ratio"],
        insensitive=["note", "job", "count", "remark"],
        subject="name",
    )


def released(kind: str = "polars") -> tuple[cl.Release, list[Any]]:
    """Return a release, and all that is in the input and in no published value."""
    plan = cl.Plan(models=[cl.KAnonymity(3)], masks=MASKS, max_suppression=0.2, seed=7, algorithm=cl.Mondrian())
    release = plan.run(cl.Table(FRAMES[kind](), schema()))
    published = "\n".join(str(cell) for row in release.rows.rows() for cell in row)
    gone = [secret for secret in [*ORIGINALS, RARE_TOWN, *ALWAYS] if str(secret) not in published]
    assert set(map(name, range(N_ROWS))) | set(map(salary, range(N_ROWS))) <= set(gone)
    assert {note(0), note(1), RARE_TOWN} <= set(gone), "dropped, and blanked"
    return release, gone


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", FILES)
def test_a_release_holds_no_canary(tmp_path: Path, format: Any, lang: str) -> None:
    release, gone = released()
    target = SqlTarget(f"sqlite:///{tmp_path}/data.db", "published")
    release.write(tmp_path / "release", format=format, lang=lang, database=target)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    data = f"data.{format.removesuffix('-es')}"
    places = {f"release/{one}" for one in (data, "claim.json", "internal/record.json", "internal/report.html")}
    assert written == {"data.db", *places}
    assert leaks(tmp_path / "release" / data, ["clerk"])
    assert leaks(tmp_path, gone) == []


@pytest.mark.parametrize("kind", FRAMES)
def test_a_released_frame_holds_no_canary(kind: str) -> None:
    release, gone = released(kind)
    assert leaks(release.frame, ["clerk"])
    assert leaks(release.frame, gone) == []
    assert leaks(repr(release) + str(release.summary) + str(release.claim), gone) == []


@pytest.mark.parametrize(
    "mask",
    [
        cl.DropRows(where=WHERE),
        cl.DropRows(column="town", values=[RARE_TOWN]),
        cl.Blank(column="town", values=[RARE_TOWN]),
        cl.Blank(column="note", where=WHERE),
        cl.Generalise(column="town", mapping={"Vigo": "A", "Lugo": "B", RARE_TOWN: "B"}),
        cl.Generalise(column="town", tree=[["Vigo", "A", "*"], ["Lugo", "A", "*"], [RARE_TOWN, "B", "*"]]),
        cl.Pram(column="town", matrix={RARE_TOWN: {"Vigo": 1}, "Vigo": {"Vigo": 1}, "Lugo": {"Vigo": 1}}),
        cl.Derive(column="lives", expression=f"if_({WHERE}, 1, 0)", role="insensitive"),
        cl.Derive(
            column="lives",
            expression='if_(town == "x", "x", town)',
            kind=cl.Tree([["Vigo", "A", "*"], ["Lugo", "B", "*"], [RARE_TOWN, "B", "*"]]),
        ),
        cl.MaskCharacters(column="town", pattern=f"{RARE_TOWN[:-2]}(..)"),
    ],
    ids=lambda mask: f"{mask.name}-{'-'.join(mask.to_dict())}",
)
def test_what_options_spell_out_is_in_no_file_of_a_release(tmp_path: Path, mask: Any) -> None:
    """Owners know their plan; but a report is shown around, and a rule that names somebody would name them there."""
    frame = people().select("town", "note", "salary")
    rest = [cl.Drop(column="town")] if mask.name != "generalise" else []
    plan = cl.Plan(models=[cl.KAnonymity(N_RARE + 1)], masks=[mask, *rest], seed=3)
    roles = cl.Schema(quasi_identifiers={"town": "category", "salary": "number"}, insensitive=["note"])
    release = plan.run(cl.Table(frame, roles))
    for lang in LANGUAGES:
        release.write(tmp_path / lang, lang=lang)
    assert leaks(tmp_path, [RARE_TOWN, RARE_TOWN[:-2]]) == []


# Messages -------------------------------------------------------------------------------------------------------------


def table() -> cl.Table:
    return cl.Table(people(), schema())


FAULTS: dict[str, Callable[[], object]] = {
    "a wrong expression": lambda: cl.DropRows(where="town == = 3"),
    "an expression that does not end": lambda: cl.DropRows(where=f'town == "{RARE_TOWN}'),
    "kinds that do not go together": lambda: cl.mask(people(), cl.DropRows(where="note + 1 > 3")),
    "a text that is no date": lambda: cl.mask(people(), cl.Derive(column="d", expression="duration(note, leave)")),
    "a text that is no number": lambda: cl.mask(people(), cl.Round(column="note", to=10)),
    "noise on text": lambda: cl.mask(people(), cl.AddNoise(column="note")),
    "top code of text": lambda: cl.mask(people(), cl.TopCode(column="code", at=3)),
    "bottom code of text": lambda: cl.mask(people(), cl.BottomCode(column="name", share=0.1)),
    "rank swap of text": lambda: cl.mask(people(), cl.RankSwap(column="note")),
    "groups of text as numbers": lambda: cl.mask(
        people(), cl.Microaggregate(column="note", k=3, kinds={"note": "number"})
    ),
    "an order that lacks values": lambda: cl.mask(
        people(), cl.Microaggregate(column="town", k=3, orders={"town": ["Vigo", "Lugo"]})
    ),
    "outliers of text": lambda: cl.mask(people(), cl.DropRows(column="note", outliers="iqr")),
    "a wrong pattern": lambda: cl.MaskCharacters(column="code", pattern="([A-Z"),
    "a wrong domain": lambda: cl.mask(people(), cl.AddNoise(column="salary", within=[0, 1])),
    "rounding outside of limits": lambda: cl.mask(people(), cl.Round(column="salary", to=10, within=[0, 100])),
    "overlapping ranges": lambda: cl.Generalise(column="salary", ranges=["<8", "8-9", "9-10", ">10"]),
    "ranges with a gap": lambda: cl.Generalise(column="salary", ranges=["<8", ">10"]),
    "ranges for whole numbers": lambda: cl.mask(
        people(), cl.Generalise(column="ratio", ranges=["<41000", "41000-43999", "44000-44999", ">44999"])
    ),
    "dates of text": lambda: cl.mask(people(), cl.Generalise(column="note", dates="year")),
    "a mapping that lacks values": lambda: cl.mask(people(), cl.Generalise(column="town", mapping={"Vigo": "A"})),
    "a tree that lacks values": lambda: cl.mask(
        people(), cl.Generalise(column="town", tree=[["Vigo", "A", "*"], ["Lugo", "A", "*"]])
    ),
    "an order of a hierarchy that lacks values": lambda: cl.mask(
        people(), cl.Generalise(column="town", order={"values": ["Vigo", "Lugo"], "groups": [2]})
    ),
    "a prefix of codes of another length": lambda: cl.mask(
        people(), cl.Generalise(column="note", prefix={"keep": [2], "length": 3})
    ),
    "a matrix that lacks values": lambda: cl.mask(
        people(), cl.Pram(column="town", matrix={"Vigo": {"Lugo": 1}, "Lugo": {"Vigo": 1}})
    ),
    "too many rows": lambda: cl.mask(people(), cl.DropRows(where=WHERE, at_most=0.01)),
    "all rows": lambda: cl.mask(people(), cl.DropRows(where='remark == "x" or salary > 0')),
    "too large a sample": lambda: cl.mask(people(), cl.Sample(n=1000)),
    "a swap without effect": lambda: cl.mask(people().select(pl.lit(name(0)).alias("name")), cl.Swap(column="name")),
    "groups too small": lambda: cl.mask(people(), cl.Microaggregate(column="salary", k=5, within="name")),
    "a column that is not there": lambda: cl.mask(people(), cl.Drop(column="nane")),
    "a column that is there": lambda: cl.mask(people(), cl.Derive(column="note", expression="salary + 1")),
    "a number as a kind that it is not": lambda: cl.Plan(models=[cl.KAnonymity(2)]).run(
        cl.Table(people().select("note"), cl.Schema(quasi_identifiers={"note": "number"}))
    ),
    "a demand out of reach": lambda: cl.Plan(models=[cl.KAnonymity(N_ROWS + 1)], masks=MASKS[:1]).run(table()),
    "a database that is not there": lambda: cl.mask(people(), cl.Drop(column="town")).write(
        "sqlite:////no/such/x.db#t"
    ),
    "a folder that is not there": lambda: cl.mask(people(), cl.Drop(column="town")).write(Path("/no/such/x.csv")),
    "an unknown format": lambda: cl.mask(people(), cl.Drop(column="town")).write(Path("/no/such/x.doc")),
    "a mixed column": lambda: cl.mask({"a": [name(0)]}, cl.Drop(column="a")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_message_tells_a_cell(fault: str) -> None:
    with pytest.raises(cl.CelosiaError) as caught:
        FAULTS[fault]()
    assert str(caught.value)
    assert leaks(caught.value, [*ORIGINALS, *ALWAYS, RARE_TOWN]) == []


def test_a_database_that_fails_tells_no_cell(tmp_path: Path) -> None:
    result = cl.mask(people(), cl.Drop(column="town"))
    result.write(f"sqlite:///{tmp_path}/data.db#people")
    with pytest.raises(cl.CelosiaError, match="exists") as caught:
        result.write(f"sqlite:///{tmp_path}/data.db#people")
    assert leaks(caught.value, [*ORIGINALS, *ALWAYS]) == []
    huge = people().with_columns(pl.Series("huge", [2**63 + row for row in range(N_ROWS)], dtype=pl.UInt64))
    with pytest.raises(cl.CelosiaError, match="huge") as caught:
        cl.mask(huge, cl.Drop(column="town")).write(f"sqlite:///{tmp_path}/data.db#huge")
    assert leaks(caught.value, [*ORIGINALS, *ALWAYS, 2**63 + 1]) == []


# The command line -----------------------------------------------------------------------------------------------------

GOOD = [
    ("{drop: {columns: [name, note]}}",),
    ("{mask_characters: {column: code, keep_first: 2}}", "{blank: {columns: [name, note, town]}}"),
    ("{swap: {column: salary}}", "{round: {column: ratio, to: 10}}", "{drop: {column: name}}"),
    (f"{{drop_rows: {{column: town, values: [{RARE_TOWN}]}}}}",),
    ("{pram: {column: job}}", "{sample: {n: 9}}", "{generalise: {column: born, dates: year}}"),
]
BAD = [
    ("{drop_rows: {where: 'town == = 3'}}",),
    ("{drop_rows: {where: 'note + 1 > 3'}}",),
    ("{mask_characters: {column: code, pattern: '([A-Z'}}",),
    ("{round: {column: note, to: 10}}",),
    ("{add_noise: {column: name}}",),
    ("{generalise: {column: salary, ranges: ['<8', '8-9', '9-10', '>10']}}",),
    ("{generalise: {column: town, mapping: {Vigo: A}}}",),
    ("{drop_rows: {column: town, values: [Vigo, Lugo], at_most: 0.01}}",),
    ("{drop: {column: nane}}",),
    ("{derive: {column: d, expression: 'duration(note, leave)'}}",),
    ("{no_such_mask: {column: name}}",),
    ("{drop: {",),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    plain = people().with_columns(pl.col("job").cast(pl.String))
    io.write(plain, folder / "people.csv", format="csv")
    return folder / "people.csv"


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("wanted", [*GOOD, *BAD])
def test_the_command_mask_prints_no_cell(celosia: Run, tmp_path: Path, data: Path, wanted: Any, as_json: bool) -> None:
    given = [argument for mask in wanted for argument in ("--mask", mask)]
    code, printed = celosia("mask", data, *given, "-o", tmp_path / "out.csv", *(["--json"] if as_json else []))
    assert (code == 0) == (wanted in GOOD)
    assert printed.strip()
    assert leaks(printed, [*ORIGINALS, RARE_TOWN]) == []
    assert (tmp_path / "out.csv").exists() == (wanted in GOOD)


def test_the_command_mask_tells_no_cell_when_a_database_fails(celosia: Run, tmp_path: Path, data: Path) -> None:
    place = f"sqlite:///{tmp_path}/out.db#people"
    code, printed = celosia("mask", data, "--mask", "{drop: {column: name}}", "-o", place)
    assert code == 0
    assert leaks(printed, ORIGINALS) == []
    code, printed = celosia("mask", data, "--mask", "{drop: {column: note}}", "-o", place)
    assert code == 2
    assert leaks(printed, ORIGINALS) == []
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0" + name(0).encode() * 100)
    code, printed = celosia("mask", data, "--mask", "{drop: {column: note}}", "-o", f"sqlite:///{tmp_path}/broken.db#t")
    assert code == 2
    assert leaks(printed, ORIGINALS) == []


def test_an_error_that_is_not_ours_is_withheld(
    celosia: Run, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise pl.exceptions.InvalidOperationError(f"conversion failed for value {name(0)}")

    monkeypatch.setattr("celosia.masks.drop.Drop.mask", fail)
    code, printed = celosia("mask", data, "--mask", "{drop: {column: name}}", "-o", tmp_path / "out.csv")
    assert code == 70
    assert "withheld" in printed
    assert leaks(printed, ORIGINALS) == []


PLAN = f"""
version: 1
input: given/people.csv
schema:
  identifiers: [name, entry, leave]
  quasi_identifiers: {{town: category, salary: number, born: category, code: category}}
  sensitive: [ratio]
  insensitive: [note, job, count, remark]
masks:
  - drop_rows: {{column: town, values: ["{RARE_TOWN}"]}}
  - mask_characters: {{column: code, keep_first: 2}}
  - round: {{column: salary, to: 10000000}}
  - generalise: {{column: born, dates: decade}}
  - blank: {{column: note}}
  - add_noise: {{column: ratio}}
models:
  - k_anonymity: {{k: 3}}
algorithm: mondrian
output: {{path: release, database: {{url: "sqlite:///out.db", table: published}}}}
"""


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_plan_from_the_command_line_tells_no_cell(
    celosia: Run, tmp_path: Path, data: Path, lang: str, as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.yaml").write_text(PLAN)
    gone = [column(row) for row in range(N_ROWS) for column in (name, hidden, note, salary, ratio, entry, leave)]
    code, printed = celosia("run", "plan.yaml", "--lang", lang, *(["--json"] if as_json else []))
    assert code == 0, printed
    data.unlink()
    (tmp_path / "plan.yaml").unlink()
    assert (tmp_path / "out.db").exists()
    assert leaks(tmp_path, ["clerk"])
    assert leaks(tmp_path, [*gone, RARE_TOWN]) == []
    assert leaks(printed, [*gone, RARE_TOWN]) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("blank: {column: note}", "blank: {column: nota}"),
        ("salary: number", "note: number"),
        ("round: {column: salary, to: 10000000}", "round: {column: note, to: 10}"),
        ("k: 3", "k: 300"),
        ("salary: number", "job: {intervals: {width: 3}}"),
        ("town: category", "town: {tree: tree.csv}"),
        ("dates: decade", "ranges: ['<8', '8-9', '9-10', '>10']"),
        ("sqlite:///out.db", "sqlite:////no/such/out.db"),
        ("given/people.csv", "given/other.csv"),
        ("column: code, keep_first: 2", "column: code, pattern: '([A-Z'"),
    ],
)
def test_a_plan_that_fails_tells_no_cell_and_leaves_nothing(
    celosia: Run, tmp_path: Path, data: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert old in PLAN
    (tmp_path / "plan.yaml").write_text(PLAN.replace(old, new))
    (tmp_path / "tree.csv").write_text("Vigo;A;*\nSoria;A;*\n")
    before = set(os.listdir(tmp_path))
    code, printed = celosia("run", "plan.yaml")
    assert code not in (0, 70), printed
    assert leaks(printed, [*ORIGINALS, RARE_TOWN]) == []
    assert set(os.listdir(tmp_path)) == before


def test_the_rare_town_is_rare() -> None:
    assert people()["town"].value_counts().filter(pl.col("town") == RARE_TOWN)["count"].to_list() == [N_RARE]
