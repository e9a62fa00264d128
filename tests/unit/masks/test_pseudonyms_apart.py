"""Keys and vaults stay away from what is handed on: folders, files, links, databases."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import celosia as cl
from celosia.cli import app
from celosia.masks import Pseudonymise
from celosia.masks.apart import check_apart
from celosia.masks.vault import Vault, new_key_file

KEY = bytes(range(160, 192))
PLAN = """\
input: people.csv
schema:
  identifiers: [id]
  quasi_identifiers: {age: number}
models:
  - k_anonymity: {k: 2}
masks:
  - pseudonymise: {column: id, %s}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CELOSIA_TEST_KEY", KEY.hex())
    pl.DataFrame({"id": [f"{row:06}" for row in range(8)], "age": [30, 31, 40, 41, 50, 51, 60, 61]}).write_csv(
        tmp_path / "people.csv"
    )
    (tmp_path / "safe").mkdir()
    (tmp_path / "out").mkdir()
    return tmp_path


def in_vault(path) -> Pseudonymise:
    return Pseudonymise("id", vault={"path": path, "key": {"env": "CELOSIA_TEST_KEY"}})


def by_file(path) -> Pseudonymise:
    return Pseudonymise("id", key={"file": path})


def of_vault(path) -> Pseudonymise:
    return Pseudonymise("id", vault={"path": "safe/other.vault", "key": {"file": path}})


NEAR = ["out/secret", "out/deep/er/secret", "./out/secret", "safe/../out/secret", "out/../out/secret"]
FAR = ["safe/secret", "secret", "outside/secret", "out/../secret", "out.secret"]


@pytest.mark.parametrize("make", [in_vault, by_file, of_vault])
@pytest.mark.parametrize("absolute", [False, True])
def test_what_lies_in_a_folder_that_is_handed_on_is_refused(folder, make, absolute):
    for path in NEAR:
        kept = str(folder / path) if absolute else path
        with pytest.raises(cl.InputError, match=r"'secret', which leads back .* output folder 'out'") as caught:
            check_apart([make(kept)], folder=Path("out"))
        assert str(folder) not in str(caught.value)
        with pytest.raises(cl.InputError):
            check_apart([make(kept)], folder=folder / "safe" / ".." / "out")
    for path in FAR:
        check_apart([make(str(folder / path) if absolute else path)], folder=Path("out"))


@pytest.mark.parametrize("make", [in_vault, by_file])
def test_links_hide_nothing(folder, make):
    (folder / "out" / "true").write_text("x")
    (folder / "link").symlink_to(folder / "out" / "true")  # a link elsewhere to a file within
    (folder / "out" / "link").symlink_to(folder / "safe" / "key")  # a link within to a file elsewhere
    (folder / "folder").symlink_to(folder / "out", target_is_directory=True)
    (folder / "loop").symlink_to(folder / "loop")
    for path in ("link", "out/link", "folder/key", "folder/deep/key"):
        with pytest.raises(cl.InputError, match="leads back"):
            check_apart([make(path)], folder=Path("out"))
    for out in ("folder", "safe/../folder"):
        with pytest.raises(cl.InputError, match="leads back"):
            check_apart([make("out/key")], folder=Path(out))
    for path in ("safe/key", "loop", "loop/key"):
        check_apart([make(path)], folder=Path("folder"))


@pytest.mark.parametrize("make", [in_vault, by_file])
def test_beside_a_file_is_as_bad_as_within_a_folder(folder, make):
    for path in NEAR:
        with pytest.raises(cl.InputError, match=r"folder of the output 'masked.csv'"):
            check_apart([make(path)], file=Path("out/masked.csv"))
    for path in FAR:
        check_apart([make(path)], file=Path("out/masked.csv"))
    with pytest.raises(cl.InputError):
        check_apart([make("people.vault")], file=Path("masked.csv"))


def test_a_vault_that_a_program_opened_or_a_variable_names_is_found(folder, monkeypatch):
    opened = Vault.create(folder / "out" / "people.vault", KEY)
    monkeypatch.setenv("CELOSIA_TEST_VAULT", str(folder / "out" / "people.vault"))
    named = {"url": {"env": "CELOSIA_TEST_VAULT"}, "key": KEY}
    for vault in (opened, named):
        with pytest.raises(cl.InputError, match=r"people.vault"):
            check_apart([Pseudonymise("id", vault=vault)], folder=Path("out"))
        check_apart([Pseudonymise("id", vault=vault)], folder=Path("safe"))


def server(address) -> Pseudonymise:
    return Pseudonymise("id", vault={"url": address, "key": KEY})


@pytest.mark.parametrize(
    ("vault", "output", "is_same"),
    [
        ("postgresql://db.example/school", "postgresql+psycopg://ana:pass@db.example:5432/school", True),
        ("postgresql://eva@DB.example./school", "postgresql://ana:p%40ss@db.example/school?sslmode=require", True),
        ("postgresql://127.0.0.1/school", "postgresql://ana@localhost/school", True),
        ("postgresql://[::1]:5432/school", "postgresql:///school", True),
        ("postgresql:///school?host=/var/run/postgresql", "postgresql://localhost/school", True),
        ("postgresql://school@db.example", "postgresql://db.example/school", True),
        ("postgresql://one.example,two.example/school", "postgresql://two.example/school", True),
        ("postgresql://db.example/vault", "postgresql://db.example/school", False),
        ("postgresql://db.example:5433/school", "postgresql://db.example/school", False),
        ("postgresql://other.example/school", "postgresql://db.example/school", False),
        ("postgresql://db.example/school", "sqlite:///school", False),
    ],
)
def test_a_vault_in_the_database_of_the_output_is_refused(vault, output, is_same, monkeypatch):
    for name in ("PGHOST", "PGPORT", "PGUSER", "PGDATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CELOSIA_TEST_VAULT", vault)
    for mask in (server(vault), server({"env": "CELOSIA_TEST_VAULT"})):
        if not is_same:
            check_apart([mask], database=output)
            continue
        with pytest.raises(cl.InputError, match="in the very database") as caught:
            check_apart([mask], database=output)
        assert "example" not in str(caught.value)
        assert "school" not in str(caught.value)


def test_a_database_in_a_file_is_a_file(folder):
    for output in ("sqlite:///out/school.db", f"sqlite:///{folder}/out/school.db", "sqlite+pysqlite:///out/a%20b.db"):
        with pytest.raises(cl.InputError, match="leads back"):
            check_apart([in_vault("out/people.vault")], database=output)
        check_apart([in_vault("safe/people.vault")], database=output)


# Before any work, and again at writing --------------------------------------------------------------------------------


def table(folder) -> cl.Table:
    return cl.Table.read(folder / "people.csv", cl.Schema(identifiers=["id"], quasi_identifiers={"age": "number"}))


def test_a_release_is_not_written_over_its_key_or_vault(folder):
    new_key_file(folder / "safe" / "key")
    release = cl.Plan(models=[cl.KAnonymity(2)], masks=[by_file("safe/key")]).run(table(folder))
    for target in ("safe", "safe/../safe"):
        with pytest.raises(cl.InputError, match="'key', which leads back"):
            release.write(target, overwrite=True)
    assert os.listdir("safe") == ["key"]
    release.write("release")
    assert sorted(os.listdir("release")) == ["claim.json", "data.csv", "internal"]


def test_a_masked_table_is_not_written_beside_its_key(folder):
    new_key_file(folder / "safe" / "key")
    masked = cl.mask(table(folder), by_file("safe/key"))
    for target in ("safe/masked.csv", Path("safe/masked.csv"), "sqlite:///safe/masked.db#people"):
        with pytest.raises(cl.InputError, match="'key', which leads back"):
            masked.write(target)
    assert os.listdir("safe") == ["key"]
    masked.write("out/masked.csv")


@pytest.mark.parametrize(
    "option",
    ["key: {file: out/key}", "vault: {path: out/deep/v, key: {env: K}}", "vault: {path: safe/v, key: {file: out/k}}"],
)
def test_run_refuses_before_any_work(folder, option):
    (folder / "out").rmdir()
    (folder / "plan.yaml").write_text(PLAN % option)
    (folder / "people.csv").unlink()  # had it been read, the error would be another
    found = CliRunner().invoke(app, ["run", "plan.yaml", "--out", "out"])
    assert found.exit_code == 2
    assert "leads back" in found.output
    assert "plan.yaml:7" in found.output
    assert not (folder / "out").exists()
    (folder / "plan.yaml").write_text(PLAN % option + "output: out\n")
    assert "leads back" in CliRunner().invoke(app, ["run", "plan.yaml"]).output
    assert "leads back" not in CliRunner().invoke(app, ["run", "plan.yaml", "--out", "elsewhere"]).output
    assert "leads back" not in CliRunner().invoke(app, ["run", "plan.yaml", "--dry-run"]).output


def test_run_refuses_the_database_of_the_vault(folder):
    option = "vault: {url: 'postgresql://db.example/school', key: {env: K}}"
    output = "output: {path: out2, database: {url: 'postgresql://ana:pass@db.example/school', table: people}}\n"
    (folder / "plan.yaml").write_text(PLAN % option + output)
    found = CliRunner().invoke(app, ["run", "plan.yaml"])
    assert found.exit_code == 2
    assert "in the very database" in found.output
    assert "pass" not in found.output


def test_mask_refuses_before_any_work(folder):
    new_key_file(folder / "key")
    asked = ["mask", "missing.csv", "--mask", "{pseudonymise: {column: id, key: {file: key}}}", "-o"]
    for output in ("masked.csv", "sqlite:///masked.db#people"):
        found = CliRunner().invoke(app, [*asked, output])
        assert found.exit_code == 2
        assert "'key', which leads back" in found.output
    asked[1] = "people.csv"
    assert CliRunner().invoke(app, [*asked, "out/masked.csv"]).exit_code == 0
    assert (folder / "out" / "masked.csv").exists()


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_link_in_the_output_folder_at_a_key_or_vault_is_as_good_as_the_file(folder, link):
    secret = folder / "safe" / "secret"
    new_key_file(secret)
    check_apart([by_file(secret)], file=folder / "out" / "data.csv")
    (folder / "out" / "nowhere").symlink_to(folder / "gone")
    link(secret, folder / "out" / "notes.txt")
    for make in (by_file, of_vault, in_vault):
        for place in ({"folder": folder / "out"}, {"file": folder / "out" / "data.csv"}):
            with pytest.raises(cl.CelosiaError, match="leads back"):
                check_apart([make(secret)], **place)
