"""Who says it: check, run, mask, the report and init; nobody with a value."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from typing import Any

import polars as pl
import pytest

import celosia as cl
from celosia.base.errors import InputError
from celosia.jobs import suggest as suggesting
from celosia.jobs.suggest import suggest
from celosia.measure import table_findings
from celosia.measure.unhashing import read_roster, reversals, unkeyed_hashes
from tests.leaks import leaks

BIRTHS = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/{1950 + n % 60}" for n in range(40)]
EMAILS = [f"persona{n}@canary.example" for n in range(40)]


@pytest.fixture
def frame() -> pl.DataFrame:
    """Hashed births and e-mails beside a quasi-identifier."""
    return pl.DataFrame(
        {
            "age": [20 + n % 4 for n in range(40)],
            "born": [hashlib.sha256(day.encode()).hexdigest() for day in BIRTHS],
            "who": [hashlib.md5(email.encode()).hexdigest() for email in EMAILS],
        }
    )


def hashed(findings: Any) -> dict[str, tuple[str, str]]:
    """Column, code and severity of what is said about digests."""
    wanted = ("UNKEYED_HASH", "LOOKS_HASHED")
    return {one.column: (one.code, one.severity) for one in findings if one.code in wanted}


@pytest.fixture
def celosia(monkeypatch, capsys):
    """Run the command line in this process; give back exit code, standard output and standard error."""
    from celosia.cli import main

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["celosia", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capsys.readouterr()
        return caught.value.code or 0, out, err

    return run


def test_check_on_the_command_line_with_a_roster(celosia, frame, tmp_path) -> None:
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "class.txt").write_text("\n".join(EMAILS))
    arguments = ("check", tmp_path / "people.csv", "--quasi-identifiers", "age", "--json")
    code, out, err = celosia(*arguments, "--roster", tmp_path / "class.txt")
    assert code == 0
    found = {one["column"]: one for one in json.loads(out)["findings"] if one["code"] == "UNKEYED_HASH"}
    assert set(found) == {"born", "who"}
    assert "SHA-256 digests of dates: 40 of 40" in found["born"]["message"]
    assert "MD5 digests of the roster's values: 40 of 40" in found["who"]["message"]
    assert leaks((out + err).encode(), [*BIRTHS, *EMAILS]) == []
    assert celosia(*arguments, "--roster", tmp_path / "class.txt", "--strict")[0] == 1
    code, out, err = celosia(*arguments, "--roster", tmp_path / "not_there.txt")
    assert code == 2
    assert "not_there.txt" in err


def test_check_in_python(frame) -> None:
    found = hashed(cl.check(frame, ["age"], roster=EMAILS).findings)
    assert found == {"born": ("UNKEYED_HASH", "warning"), "who": ("UNKEYED_HASH", "warning")}
    with pytest.raises(cl.OptionError, match="roster"):
        cl.check(frame, ["age"], roster="ana@x.es")
    with pytest.raises(cl.OptionError, match="roster"):
        cl.check(frame, ["age"], roster=[1])  # type: ignore[list-item]


def test_run_mask_and_report_say_it_and_attack_a_table_once(frame, tmp_path, monkeypatch) -> None:
    calls = []
    attack = table_findings.unkeyed_hashes
    monkeypatch.setattr(table_findings, "unkeyed_hashes", lambda table: calls.append(1) or attack(table, seconds=0.5))
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["born"], identifiers=["who"])
    table = cl.Table(frame, schema)
    plan = cl.Plan(models=[cl.KAnonymity(3)], seed=1)
    release, again = plan.run(table), plan.run(table)
    expected = {"born": ("UNKEYED_HASH", "warning"), "who": ("LOOKS_HASHED", "note")}
    assert hashed(release.findings) == hashed(again.findings) == hashed(release.findings) == expected
    assert hashed(cl.mask(table, cl.Drop(column="who")).findings) == expected
    assert len(calls) == 1
    release.write(tmp_path / "release")
    assert leaks(tmp_path / "release", [*BIRTHS, *EMAILS]) == []
    born = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, identifiers=["born", "who"]))
    assert hashed(table_findings.about_reading(born))["born"] == ("UNKEYED_HASH", "note")
    assert len(calls) == 2


def test_init_suggests_an_identifier_with_the_reason(frame, monkeypatch) -> None:
    monkeypatch.setattr(suggesting, "reversals", lambda table: reversals(table, seconds=0.5))
    people = frame.with_columns(key=pl.Series([secrets.token_urlsafe(32) for _ in range(40)]))
    roles = {one.column: one for one in suggest(people)}
    assert {name: str(one.role) for name, one in roles.items()} == {
        "age": "quasi_identifier",
        **dict.fromkeys(("born", "who", "key"), "identifier"),
    }
    assert "unkeyed SHA-256 digests of dates: 40 of 40 were reversed within 1 s" in roles["born"].reasons
    assert "looks like MD5 digests, with a key or without" in roles["who"].reasons
    assert "looks like SHA-256 digests, with a key or without" in roles["key"].reasons


def test_init_counts_people_by_hashed_dni() -> None:
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    people = [f"{number:07d}{letters[number % 23]}" for number in range(10**6, 10**7, 300)]
    digests = [hashlib.sha256(person.encode()).hexdigest() for person in people]
    (one,) = suggest(pl.DataFrame({"dni": [*digests, *digests]}))
    assert one.is_subject
    assert any("of DNI numbers" in reason for reason in one.reasons)


def test_rosters_of_several_kinds(tmp_path) -> None:
    (tmp_path / "plain.txt").write_bytes("García, Ana;x\r\nñu@x.es\r\n\r\n".encode("latin-1"))
    assert read_roster(str(tmp_path / "plain.txt")) == ["García, Ana;x", "ñu@x.es"]
    (tmp_path / "table.csv").write_text("email,name\na@x.es,Ana\nb@x.es,Luis\n")
    assert read_roster(str(tmp_path / "table.csv")) == ["email", "a@x.es", "b@x.es"]
    (tmp_path / "bare.csv").write_text("a@x.es\nb@x.es\n")
    assert read_roster(str(tmp_path / "bare.csv")) == ["a@x.es", "b@x.es"]
    with pytest.raises(InputError, match="cannot read"):
        read_roster(str(tmp_path / "none.txt"))


def test_the_last_columns_of_a_wide_table_are_attacked_too() -> None:
    draw = random.Random(3)
    wide = {f"token {number}": [draw.randbytes(20).hex() for _ in range(50)] for number in range(8)}
    born = [hashlib.sha1(f"{1950 + number}-05-12".encode()).hexdigest() for number in range(50)]
    found = {one.column: one for one in unkeyed_hashes(pl.DataFrame(wide | {"born": born}), seconds=2)}
    assert found["born"].code == "UNKEYED_HASH"
    assert all(int(found[name].values["tried"]) > 0 for name in wide)
