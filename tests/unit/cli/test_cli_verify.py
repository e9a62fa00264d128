"""``celosia verify``: the verdict first, the same answers as the bare file, and the file itself for a recipient."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tampering import (
    BARE_FORMATS,
    FORMATS,
    PEOPLE,
    claim_of,
    data_of,
    read_table,
    rehash,
    released,
    write_claim,
    write_table,
)

import celosia as cl
from celosia import audit

SOURCE = Path(str(audit.__file__))


def spoil_cell(folder):
    table = read_table(folder)
    table["age"][0] = "[1, 2]"
    write_table(folder, table)


def spoil_cell_and_hash(folder):
    spoil_cell(folder)
    rehash(folder)


def spoil_secret_and_hash(folder):
    table = read_table(folder)
    table["treated"] = table["treated"][1:] + table["treated"][:1]
    write_table(folder, table)
    rehash(folder)


def raise_k(folder):
    claim = claim_of(folder)
    claim["models"][0]["k_anonymity"]["k"] = 5
    write_claim(folder, claim)


def count_subjects(folder):
    claim = claim_of(folder)
    claim["policies"]["subject"] = "counted"
    write_claim(folder, claim)


def break_claim(folder):
    (folder / "claim.json").write_text("{")


def break_data(folder):
    data_of(folder).write_bytes(b"\0")
    rehash(folder)


def leave(folder):
    pass


SPOILS = [
    *(leave, spoil_cell, spoil_cell_and_hash, spoil_secret_and_hash),
    *(raise_k, count_subjects, break_claim, break_data),
]


def evidence(folder):
    return ["--original", folder / "original.csv", "--record", folder / "internal" / "record.json"]


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("form", FORMATS)
def test_the_same_answers_as_the_bare_file(celosia, capsys, tmp_path, form, spoil):
    folder = released(tmp_path, form)
    spoil(folder)
    digest = hashlib.sha256((folder / "claim.json").read_bytes()).hexdigest()
    for arguments in (
        [folder, "--claim-sha256", digest],
        [data_of(folder), folder / "claim.json", *evidence(folder)],
        [folder, "--claim-sha256", "0" * 64],
    ):
        code, out, err = celosia("verify", *arguments, "--json")
        bare_code = audit.main([*map(str, arguments), "--json"])
        bare_out, bare_err = capsys.readouterr()
        assert code == bare_code
        assert bool(err) is bool(bare_err) is (code == 2)
        if code != 2:
            assert json.loads(out) == json.loads(bare_out)
            assert json.loads(out)["holds"] is (code == 0)
        else:
            assert not out
            assert bare_err.removeprefix("error: ").strip() in err


@pytest.mark.parametrize("form", BARE_FORMATS)
def test_the_same_answers_as_a_bare_python(celosia, tmp_path, form):
    folder = released(tmp_path, form)
    spoil_cell(folder)
    command = [sys.executable, "-I", "-S", str(SOURCE), str(folder), "--json", *map(str, evidence(folder))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    code, out, _ = celosia("verify", folder, "--json", *evidence(folder))
    assert done.returncode == code == 1
    assert json.loads(out) == json.loads(done.stdout)


def test_the_verdict_comes_first(celosia, tmp_path):
    folder = released(tmp_path, "csv")
    code, out, err = celosia("verify", folder)
    assert (code, err) == (0, "")
    first, second, *rest = out.splitlines()
    assert first == "The claim holds."
    n_checks = len(audit.verify(folder).checks)
    assert second == f"Of {n_checks} checks: {n_checks - 2} passed, 2 not applicable."
    assert sum(line.startswith(("passed", "does not apply")) for line in rest) == n_checks
    assert "k_anonymity: the smallest of 5 classes has 4; claimed are 4." in out
    assert hashlib.sha256((folder / "claim.json").read_bytes()).hexdigest() in out
    assert "only the original can show" in " ".join(out.split())
    assert "only the original can show" not in " ".join(celosia("verify", folder, *evidence(folder))[1].split())


def test_what_failed_comes_before_what_passed(celosia, tmp_path):
    folder = released(tmp_path, "csv")
    spoil_cell(folder)
    code, out, _ = celosia("verify", folder)
    assert code == 1
    first, second, _, *rest = out.splitlines()
    assert first == "The claim does NOT hold."
    n_failed = sum(check.status == "failed" for check in audit.verify(folder).checks)
    assert f": {n_failed} failed, " in second
    assert rest[0].startswith("FAILED          hash: SHA-256 differs")
    words = [line.split("  ")[0] for line in rest if line[:1] not in ("", " ")]
    assert words == sorted(words, key=["FAILED", "passed", "does not apply"].index)


def test_what_could_not_be_confirmed_is_not_called_wrong(celosia, tmp_path):
    folder = released(tmp_path, "csv")
    count_subjects(folder)
    code, out, _ = celosia("verify", folder)
    assert code == 1
    assert out.startswith("The claim could NOT be confirmed.\n")
    assert "could not run   models in subjects: needs the original" in out


def test_no_value_is_shown(celosia, tmp_path):
    folder = released(tmp_path, "csv")
    spoil_cell_and_hash(folder)
    for arguments in ([folder], [folder, "--json", *evidence(folder)]):
        _, out, err = celosia("verify", *arguments)
        for value in ("[1, 2]", "=1+", "sí", "1000.5"):
            assert value not in out + err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["internal"],
        ["data.csv", "nothing.json"],
        ["data.csv", "data.csv"],
        ["data.csv", "--original", "nothing.csv"],
        ["data.csv", "--record", "nothing.json"],
        ["data.csv", "--population", "nothing.csv"],
        ["data.csv", "--hierarchy", "job"],
        ["data.csv", "--hierarchy", "job=nothing.csv"],
        ["data.csv", "--claim-sha256", "abc"],
        ["data.csv", "--write-verifier", "audit.py"],
        ["--write-verifier", "data.csv"],
        ["--write-verifier", "nothing/audit.py"],
        ["data.csv", "claim.json", "third"],
        ["data.csv", "--frobnicate"],
    ],
)
def test_wrong_input(celosia, tmp_path, monkeypatch, arguments):
    released(tmp_path, "csv")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = celosia("verify", *arguments)
    assert code == 2
    assert err
    assert not out
    assert sorted(tmp_path.rglob("*")) == before


def test_trees_are_read(celosia, tmp_path):
    over = {"law": "office", "tax": "office", "art": "other", "care": "other", "food": "other"}
    tree = "".join(f"{job};{label};*\n" for job, label in over.items())
    (tmp_path / "job.csv").write_text(tree)
    schema = cl.Schema(
        quasi_identifiers={"age": "number", "job": cl.Tree.read_csv(tmp_path / "job.csv")}, sensitive=["treated"]
    )
    PEOPLE.write_csv(tmp_path / "original.csv")
    table = cl.Table(PEOPLE.select("age", "job", "treated"), schema)
    cl.Plan(models=[cl.KAnonymity(8)]).run(table).write(tmp_path / "out")
    files = [tmp_path / "out", "--original", tmp_path / "original.csv"]
    assert celosia("verify", *files)[0] == 1
    assert celosia("verify", *files, "--hierarchy", f"job={tmp_path / 'job.csv'}")[0] == 0


def test_the_verifier_is_written_for_a_recipient(celosia, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = celosia("verify", "--write-verifier", "audit.py")
    assert code == 0
    assert (tmp_path / "audit.py").read_bytes() == SOURCE.read_bytes()
    assert hashlib.sha256(SOURCE.read_bytes()).hexdigest() in out.splitlines()
    assert (tmp_path / "audit.py").stat().st_mode & 0o044
    folder = released(tmp_path / "release", "csv")
    command = [sys.executable, "-I", "-S", "audit.py", str(folder)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.endswith("The claim holds.\n")


def test_the_verifier_is_written_for_programs(celosia, tmp_path):
    code, out, _ = celosia("verify", "--write-verifier", tmp_path / "judge.py", "--json")
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    assert code == 0
    assert json.loads(out) == {"path": str(tmp_path / "judge.py"), "sha256": digest}
