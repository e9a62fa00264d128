"""``celosia vault``: what each command does, prints and refuses."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator

import polars as pl
import pytest
from postgres_server import postgres_server

from celosia.cli import vault_access
from celosia.masks.vault import Vault, new_key_file

PEOPLE = ["canary-Luis", "canary-Eduardo", "canary-Tatiana", "canary-Pedro", "canary-Amparo"]
ROWS = "dni,mark\n" + "".join(f"{name},{mark}\n" for mark, name in enumerate([*PEOPLE, "canary-Luis ", ""]))
KEY = ("--key", "file:vault.key")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CELOSIA_VAULT_KEY", raising=False)
    (tmp_path / "exams.csv").write_text(ROWS)
    return tmp_path


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A folder with a vault that knows the five people of exams.csv, and allows three look-ups."""
    made = tmp_path_factory.mktemp("made")
    new_key_file(made / "vault.key")
    Vault.create(made / "people.vault", {"file": str(made / "vault.key")}, limit=3).add(PEOPLE, scope="dni")
    return made


@pytest.fixture
def vault(made_once, folder):
    """A copy of it to work with."""
    shutil.copytree(made_once, folder, dirs_exist_ok=True)
    return "people.vault"


def pseudonyms_of(folder, names=PEOPLE, scope="dni", key="vault.key"):
    opened = Vault.open(folder / "people.vault", {"file": str(folder / key)})
    return opened.add(names, scope=scope).pseudonyms


def actions(celosia, vault="people.vault", key=KEY):
    code, out, _ = celosia("vault", "log", vault, *key, "--json")
    assert code == 0
    return [line["action"] for line in json.loads(out)["lines"]]


def typed(monkeypatch, text):
    """Let standard input hold a text."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_key_makes_a_file_for_its_owner_alone_and_shows_no_key(celosia, folder):
    code, out, err = celosia("vault", "key", "vault.key")
    held = (folder / "vault.key").read_text().strip()
    assert (code, len(bytes.fromhex(held)), err) == (0, 32, "")
    assert held not in out
    assert "copy elsewhere" in out
    assert stat.S_IMODE((folder / "vault.key").stat().st_mode) == 0o600


def test_key_never_replaces_a_file(celosia, folder):
    (folder / "vault.key").write_text("there")
    code, out, err = celosia("vault", "key", "vault.key", "--json")
    assert (code, out, "VaultError" in err) == (2, "", True)
    assert (folder / "vault.key").read_text() == "there"


def test_init_makes_an_empty_vault_and_refuses_an_existing_one(celosia, folder):
    celosia("vault", "key", "vault.key")
    code, out, _ = celosia("vault", "init", "people.vault", *KEY, "--limit", 7, "--json")
    made = json.loads(out)
    assert (code, made["limit"], made["n_identities"], made["n_lookups_today"]) == (0, 7, 0, 0)
    before = (folder / "people.vault").read_bytes()
    assert celosia("vault", "init", "people.vault", *KEY)[0] == 2
    assert (folder / "people.vault").read_bytes() == before


@pytest.mark.parametrize("limit", ["-1", "many", "1.5"])
def test_init_refuses_a_limit_that_is_none(celosia, folder, limit):
    celosia("vault", "key", "vault.key")
    assert celosia("vault", "init", "people.vault", *KEY, "--limit", limit)[0] == 2
    assert not (folder / "people.vault").exists()


def test_the_variable_gives_the_key_where_no_option_does(celosia, folder, monkeypatch):
    celosia("vault", "key", "vault.key")
    monkeypatch.setenv("CELOSIA_VAULT_KEY", (folder / "vault.key").read_text())
    assert celosia("vault", "init", "people.vault")[0] == 0
    assert celosia("vault", "status", "people.vault")[0] == 0
    monkeypatch.delenv("CELOSIA_VAULT_KEY")
    assert celosia("vault", "status", "people.vault", *KEY)[0] == 0


def test_add_counts_and_shows_nobody(celosia, folder, vault):
    new = celosia("vault", "add", vault, "exams.csv", "--column", "dni", "--scope", "new", *KEY, "--json")
    assert json.loads(new[1]) == {"n_new": 5, "n_known": 0, "scope": "new", "dataset": None}
    code, out, err = celosia("vault", "add", vault, "exams.csv", "--column", "dni", *KEY, "--json")
    assert (code, json.loads(out)) == (0, {"n_new": 0, "n_known": 5, "scope": "dni", "dataset": None})
    again = celosia("vault", "add", vault, "exams.csv", "--column", "dni", "--scope", "student", *KEY)
    assert again[0] == 0
    shown = out + err + again[1] + again[2]
    assert "canary" not in shown
    assert not any(code in shown for code in pseudonyms_of(folder))


def test_people_added_here_are_those_that_the_mask_finds(celosia, folder, vault):
    options = "dataset: exams-2026, scope: student, vault: {path: people.vault, key: {file: vault.key}}"
    (folder / "out").mkdir()
    wanted = f"{{pseudonymise: {{column: dni, {options}}}}}"
    named = ("--scope", "student", "--dataset", "exams-2026")
    code, out, _ = celosia("vault", "add", vault, "exams.csv", "--column", "dni", *named, *KEY, "--json")
    assert (code, json.loads(out)["n_new"]) == (0, 5)
    assert celosia("mask", "exams.csv", "--mask", wanted, "-o", "out/exams.csv")[0] == 0
    assert json.loads(celosia("vault", "status", vault, *KEY, "--json")[1])["n_identities"] == 10
    published = pl.read_csv(folder / "out" / "exams.csv", infer_schema=False)["dni"]
    assert published[0] == published[5]
    assert published.null_count() == 1
    assert set(published.drop_nulls()) == set(pseudonyms_of(folder, scope="student@exams-2026"))


def test_add_takes_the_form_that_is_asked_for(celosia, folder, vault):
    shape = ("--alphabet", "digits", "--length", 6, "--prefix", "P")
    assert celosia("vault", "add", vault, "exams.csv", "--column", "dni", "--scope", "short", *shape, *KEY)[0] == 0
    assert all(
        len(code) == 7 and code[0] == "P" and code[1:].isdecimal() for code in pseudonyms_of(folder, scope="short")
    )
    (folder / "list.txt").write_text("543456\n125214\n984213\n674832\n094532\n")
    listed = ("--scope", "listed", "--values", "list.txt")
    assert celosia("vault", "add", vault, "exams.csv", "--column", "dni", *listed, *KEY)[0] == 0
    assert set(pseudonyms_of(folder, scope="listed")) == {"543456", "125214", "984213", "674832", "094532"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--column", "dnii"), "did you mean 'dni'"),
        (("--column", "dni", "--alphabet", "a"), "alphabet"),
        (("--column", "dni", "--length", "0"), "length"),
        (("--column", "dni", "--prefix", "=x"), "prefix"),
        (("--column", "dni", "--values", "nowhere.txt"), "nowhere.txt"),
        (("--column", "dni", "--values", "few.txt"), "2 are left"),
        (("--column", "dni", "--values", "few.txt", "--length", "5"), "do not go together"),
        (("--column", "dni", "--scope", "a@b"), "scope"),
        (("--column", "dni", "--sheet", "x"), "sheet"),
        ((), "--column"),
    ],
)
def test_add_refuses_what_is_wrong_and_adds_nobody(celosia, folder, vault, options, message):
    (folder / "few.txt").write_text("A1\nA2\n")
    scoped = options if "--scope" in options else (*options, "--scope", "other")
    code, out, err = celosia("vault", "add", vault, "exams.csv", *scoped, *KEY)
    assert (code, out) == (2, "")
    assert message in err
    assert "canary" not in err
    assert json.loads(celosia("vault", "status", vault, *KEY, "--json")[1])["n_identities"] == 5


def test_lookup_shows_who_it_is_and_what_is_left(celosia, folder, vault):
    luis, _, _, pedro, _ = pseudonyms_of(folder)
    code, out, err = celosia("vault", "lookup", vault, luis, "NOBODY", luis, *KEY)
    assert (code, err) == (0, "")
    assert [line.split(None, 1) for line in out.splitlines()[:2]] == [
        [luis, "canary-Luis"],
        ["NOBODY", "(unknown or forgotten)"],
    ]
    assert "Look-ups left today: 1 of 3." in out
    code, out, _ = celosia("vault", "lookup", vault, pedro, *KEY, "--json")
    assert json.loads(out) == {"identities": {pedro: "canary-Pedro"}, "n_lookups_left": 0}


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_pseudonyms_come_from_a_list(celosia, folder, vault, monkeypatch, source):
    text = "\ufeff\n" + "\r\n".join(pseudonyms_of(folder)[:2]) + " \n\n"
    (folder / "list.txt").write_text(text)
    typed(monkeypatch, text)
    code, out, _ = celosia("vault", "lookup", vault, "--from", "list.txt" if source == "file" else "-", *KEY, "--json")
    assert code == 0
    assert list(json.loads(out)["identities"].values()) == PEOPLE[:2]


def test_one_look_up_too_many_is_refused_and_logged_and_shows_nobody(celosia, folder, vault):
    codes = pseudonyms_of(folder)
    assert celosia("vault", "lookup", vault, *codes[:3], *KEY)[0] == 0
    code, out, err = celosia("vault", "lookup", vault, codes[3], *KEY)
    assert (code, out) == (2, "")
    assert "VaultError" in err
    assert "canary" not in err
    assert actions(celosia)[-2:] == ["lookup", "refused"]


def test_more_than_the_limit_at_once_shows_not_even_the_first(celosia, folder, vault):
    code, out, err = celosia("vault", "lookup", vault, *pseudonyms_of(folder)[:4], *KEY, "--json")
    assert (code, out) == (2, "")
    assert "canary" not in err


@pytest.mark.parametrize("arguments", [(), ("--from", "empty.txt"), ("--from", "nowhere.txt"), ("--from", "latin.txt")])
def test_lookup_of_nobody_is_refused_and_costs_nothing(celosia, folder, vault, arguments):
    (folder / "empty.txt").write_text("\n \n")
    (folder / "latin.txt").write_bytes("canary-José".encode("latin-1"))
    code, out, err = celosia("vault", "lookup", vault, *arguments, *KEY)
    assert (code, out) == (2, "")
    assert "canary" not in err
    assert "lookup" not in actions(celosia)


def test_an_identity_cannot_steer_the_terminal(celosia, folder, vault):
    code = pseudonyms_of(folder, ["Ana\x1b[2J\u202e"])[0]
    out = celosia("vault", "lookup", vault, code, *KEY)[1]
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "Ana\\x1b[2J\\u202e" in out
    assert vault_access.shown("Núñez, José") == "Núñez, José"


def test_forget_by_pseudonym(celosia, folder, vault):
    luis = pseudonyms_of(folder)[0]
    code, out, _ = celosia("vault", "forget", vault, luis, "NOBODY", "--yes", *KEY, "--json")
    assert (code, json.loads(out)) == (0, {"n_asked": 2, "n_forgotten": 1})
    assert "(unknown or forgotten)" in celosia("vault", "lookup", vault, luis, *KEY)[1]
    assert luis not in pseudonyms_of(folder)  # who comes again gets another
    code, out, err = celosia("vault", "forget", vault, luis, "--yes", *KEY)
    assert (code, "forgotten: 0. Asked for: 1." in out, "Nobody was forgotten" in err) == (1, True, True)


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_to_forget_nobody_is_no_success(celosia, folder, vault, output):
    (folder / "who.txt").write_text("canary-Luis\n")
    named = ("--identities-from", "who.txt", "--scope", "student")  # they are in the scope dni
    code, out, err = celosia("vault", "forget", vault, *named, "--yes", *KEY, *output)
    assert (code, "Nobody was forgotten" in err, "canary" in out + err) == (1, True, False)
    if output:
        assert json.loads(out) == {"n_asked": 1, "n_forgotten": 0}


def test_a_mask_that_cannot_write_leaves_the_vault_alone(celosia, folder, vault):
    spec = "{pseudonymise: {column: mark, vault: {path: people.vault, key: {file: vault.key}}}}"
    before = actions(celosia)
    code, _, err = celosia("mask", "exams.csv", "--mask", spec, "-o", "missing/exams.csv")
    assert (code, "folder does not exist" in err) == (2, True)
    assert actions(celosia) == before


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_forget_by_identity_which_never_stands_on_the_command_line(celosia, folder, vault, monkeypatch, source):
    text = "canary-Luis \ncanary-Nobody\n"
    (folder / "who.txt").write_text(text)
    typed(monkeypatch, text)
    given = ("--identities-from", "who.txt" if source == "file" else "-")
    luis = pseudonyms_of(folder)[0]
    assert celosia("vault", "forget", vault, *given, "--yes", *KEY)[0] == 2  # no scope
    typed(monkeypatch, text)
    code, out, err = celosia("vault", "forget", vault, *given, "--scope", "dni", "--yes", *KEY)
    assert (code, err) == (0, "")
    assert "forgotten: 1. Asked for: 2." in out
    assert "canary" not in out
    assert "(unknown" in celosia("vault", "lookup", vault, luis, *KEY)[1]


def test_a_person_is_forgotten_everywhere(celosia, folder, vault):
    for options in (("--scope", "student"), ("--scope", "student", "--dataset", "2026")):
        assert celosia("vault", "add", vault, "exams.csv", "--column", "dni", *options, *KEY)[0] == 0
    (folder / "who.txt").write_text("canary-Luis\n")
    named = ("--identities-from", "who.txt")
    code, out, _ = celosia(
        "vault", "forget", vault, *named, "--scope", "student", "--dataset", "2026", "--yes", *KEY, "--json"
    )
    assert (code, json.loads(out)) == (0, {"n_asked": 1, "n_forgotten": 1})
    code, out, _ = celosia("vault", "forget", vault, *named, "--all-scopes", "--yes", *KEY, "--json")
    assert (code, json.loads(out)) == (0, {"n_asked": 1, "n_forgotten": 2})


def test_forget_asks_and_where_nobody_can_be_asked_it_does_nothing(celosia, folder, vault, monkeypatch):
    luis = pseudonyms_of(folder)[0]
    code, out, err = celosia("vault", "forget", vault, luis, *KEY)
    assert (code, out, "--yes" in err) == (2, "", True)
    asked = []
    monkeypatch.setattr(sys.modules["celosia.cli.vault"], "_can_be_asked", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda words, err: asked.append(words))  # None: no
    assert celosia("vault", "forget", vault, luis, *KEY)[0] == 1
    assert asked == ["Forget 1 person? It cannot be undone."]
    assert "forget" not in actions(celosia)
    monkeypatch.setattr("typer.confirm", lambda words, err: True)
    assert celosia("vault", "forget", vault, luis, *KEY)[0] == 0
    assert actions(celosia)[-1] == "forget"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("X", "--identities-from", "who.txt", "--scope", "dni"),
        ("--identities-from", "empty.txt", "--scope", "dni"),
        ("--identities-from", "who.txt", "--scope", "d@i"),
        ("--identities-from", "who.txt", "--scope", "dni", "--all-scopes"),
        ("--identities-from", "who.txt", "--all-scopes", "--dataset", "x"),
        ("X", "--scope", "dni"),
    ],
)
def test_forget_refuses_what_is_unclear(celosia, folder, vault, arguments):
    (folder / "who.txt").write_text("canary-Luis")
    (folder / "empty.txt").write_text("")
    code, out, err = celosia("vault", "forget", vault, *arguments, "--yes", *KEY)
    assert (code, out) == (2, "")
    assert "canary" not in err
    assert json.loads(celosia("vault", "status", vault, *KEY, "--json")[1])["n_forgotten"] == 0


def test_rotate_changes_the_key_and_nothing_else(celosia, folder, vault):
    codes = pseudonyms_of(folder)
    seal = json.loads(celosia("vault", "log", vault, *KEY, "--json")[1])["seal"]
    celosia("vault", "key", "new.key")
    code, out, _ = celosia("vault", "rotate", vault, *KEY, "--new-key", "file:new.key", "--json")
    assert (code, json.loads(out)) == (0, {"n_sealed": 5})
    assert celosia("vault", "status", vault, *KEY)[0] == 2
    new = ("--key", "file:new.key")
    assert pseudonyms_of(folder, key="new.key") == codes
    assert celosia("vault", "log", vault, *new, "--expect", seal)[0] == 0
    assert "canary-Luis" in celosia("vault", "lookup", vault, codes[0], *new)[1]


def test_limit_is_set_and_logged(celosia, folder, vault):
    code, out, _ = celosia("vault", "limit", vault, 1, *KEY, "--json")
    assert (code, json.loads(out)) == (0, {"limit": 1})
    assert "Look-ups a day: 0." in celosia("vault", "limit", vault, 0, *KEY)[1]
    assert celosia("vault", "lookup", vault, pseudonyms_of(folder)[0], *KEY)[0] == 2
    assert "set_limit" in actions(celosia)
    assert celosia("vault", "limit", vault, "--", -1, *KEY)[0] == 2


def test_log_shows_lines_and_a_seal_that_holds_later(celosia, folder, vault):
    code, out, err = celosia("vault", "log", vault, *KEY)
    assert (code, err) == (0, "")
    assert "create" in out
    assert "add" in out
    assert "canary" not in out
    seal = json.loads(celosia("vault", "log", vault, *KEY, "--json")[1])["seal"]
    assert f"Seal: {seal}" in out
    celosia("vault", "limit", vault, 9, *KEY)
    assert "fits" in celosia("vault", "log", vault, *KEY, "--expect", seal)[1]


@pytest.mark.parametrize("seal", ["nonsense", "1-" + "0" * 32, "99-" + "0" * 32])
def test_a_seal_that_does_not_fit_ends_with_2(celosia, vault, seal):
    code, out, err = celosia("vault", "log", vault, *KEY, "--expect", seal)
    assert (code, out, "VaultError" in err) == (2, "", True)


def log_table(folder):
    """Name the table of the log: the only one that counts two lines, create and add."""
    with sqlite3.connect(folder / "people.vault") as connection:
        names = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        found = [name for name in names if "log" in name]
    connection.close()
    assert len(found) == 1, names
    return found[0]


@pytest.mark.parametrize(
    "doctoring",
    [
        "delete from {log} where number = 2",
        "delete from {log} where number = 1",
        "update {log} set content = replace(cast(content as text), 'add', 'see') where number = 2",
        "insert into {log} select 3, content, mark from {log} where number = 2",
    ],
)
def test_a_doctored_log_is_noticed(celosia, folder, vault, doctoring):
    with sqlite3.connect(folder / "people.vault") as connection:
        assert connection.execute(doctoring.format(log=log_table(folder))).rowcount == 1
    connection.close()
    code, out, err = celosia("vault", "log", vault, *KEY)
    assert (code, out, "VaultError" in err) == (2, "", True)
    assert "canary" not in err


def test_export_is_a_vault_of_its_own(celosia, folder, vault):
    celosia("vault", "key", "other.key")
    given = (vault, "copy.vault", *KEY, "--new-key", "file:other.key")
    code, out, _ = celosia("vault", "export", *given, "--json")
    assert (code, json.loads(out)) == (0, {"file": "copy.vault", "n_copied": 5})
    before = (folder / "copy.vault").read_bytes()
    assert celosia("vault", "export", *given)[0] == 2
    assert (folder / "copy.vault").read_bytes() == before
    assert celosia("vault", "status", "copy.vault", *KEY)[0] == 2
    other = ("--key", "file:other.key")
    assert "canary-Luis" in celosia("vault", "lookup", "copy.vault", pseudonyms_of(folder)[0], *other)[1]
    assert "export" in actions(celosia)
    assert "copy" in actions(celosia, "copy.vault", other)


def test_status_counts_by_scope(celosia, folder, vault):
    celosia("vault", "add", vault, "exams.csv", "--column", "dni", "--scope", "student", *KEY)
    celosia("vault", "forget", vault, pseudonyms_of(folder)[0], "--yes", *KEY)
    code, out, _ = celosia("vault", "status", vault, *KEY)
    assert code == 0
    rows = [line.split() for line in out.replace("│", " ").splitlines()]
    assert ["people", "9"] in rows
    assert ["dni", "4", "1"] in rows
    assert ["student", "5", "0"] in rows
    found = json.loads(celosia("vault", "status", vault, *KEY, "--json")[1])
    assert (found["n_identities"], found["n_forgotten"]) == (9, 1)


@pytest.mark.parametrize(
    "command",
    [
        ("add", "people.vault", "exams.csv", "--column", "dni"),
        ("lookup", "people.vault", "X"),
        ("forget", "people.vault", "X", "--yes"),
        ("rotate", "people.vault", "--new-key", "file:vault.key"),
        ("limit", "people.vault", "500"),
        ("log", "people.vault"),
        ("export", "people.vault", "copy.vault", "--new-key", "file:vault.key"),
        ("status", "people.vault"),
    ],
    ids=lambda command: command[0],
)
def test_a_wrong_key_opens_nothing_and_changes_nothing(celosia, folder, vault, command):
    celosia("vault", "key", "wrong.key")
    code, out, err = celosia("vault", *command, "--key", "file:wrong.key")
    assert (code, out, "VaultError" in err) == (2, "", True)
    assert actions(celosia) == ["create", "add"]
    assert sorted(path.name for path in folder.iterdir()) == ["exams.csv", "people.vault", "vault.key", "wrong.key"]


def test_a_vault_that_is_not_there_is_not_made(celosia, folder):
    celosia("vault", "key", "vault.key")
    code, _, err = celosia("vault", "status", "nowhere.vault", *KEY)
    assert (code, "VaultError" in err) == (2, True)
    assert not (folder / "nowhere.vault").exists()


def test_a_vault_does_not_lie_in_a_release(celosia, folder):
    (folder / "release").mkdir()
    (folder / "release" / "claim.json").write_text("{}")
    (folder / "release" / "data.csv").write_text("a\n1\n")
    celosia("vault", "key", "vault.key")
    code, _, err = celosia("vault", "init", "release/people.vault", *KEY)
    assert (code, "release" in err) == (2, True)
    assert not (folder / "release" / "people.vault").exists()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres_server() as url:
        yield url


def test_a_vault_in_postgresql_by_the_name_of_a_variable(celosia, folder, server, monkeypatch):
    monkeypatch.setenv("VAULT_ADDRESS", server)
    celosia("vault", "key", "vault.key")
    there = "env:VAULT_ADDRESS"
    assert celosia("vault", "init", there, *KEY)[0] == 0
    assert "5" in celosia("vault", "add", there, "exams.csv", "--column", "dni", *KEY)[1]
    code = Vault.open(server, {"file": "vault.key"}).add(["canary-Luis"], scope="dni").pseudonyms[0]
    assert "canary-Luis" in celosia("vault", "lookup", server, code, *KEY)[1]  # an address without a password is fine
    assert celosia("vault", "export", there, "copy.vault", *KEY, "--new-key", "file:vault.key")[0] == 0
    assert json.loads(celosia("vault", "status", "copy.vault", *KEY, "--json")[1])["n_identities"] == 5
    code, out, err = celosia("vault", "init", there, *KEY)
    assert (code, out) == (2, "")
    assert server not in err
