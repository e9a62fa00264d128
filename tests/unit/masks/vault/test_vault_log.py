"""The log of a vault: no value in it, and no change unnoticed."""

from __future__ import annotations

import json
import os
import pwd
import secrets
import sqlite3
from pathlib import Path

import pytest

from celosia.base.errors import VaultError
from celosia.masks.vault import Vault

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


def run_sql(path: Path, *statements: str) -> None:
    """Change a vault as somebody without the key would."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A vault with a log of five lines."""
    path = tmp_path / "people.vault"
    vault = Vault.create(path, KEY)
    names = vault.add(["Ana", "Luis"], scope="student").pseudonyms
    vault.lookup(names[:1])
    vault.set_limit(5)
    vault.forget(names[1:])
    return path


def test_lines_say_who_did_what_and_when(path: Path) -> None:
    log = Vault.open(path, KEY).log()
    assert [(line.number, line.action, line.scope, dict(line.counts)) for line in log.lines] == [
        (1, "create", None, {"limit": 20}),
        (2, "add", "student", {"n_new": 2, "n_known": 0}),
        (3, "lookup", None, {"n_asked": 1, "n_found": 1}),
        (4, "set_limit", None, {"limit": 5}),
        (5, "forget", None, {"n_asked": 1, "n_forgotten": 1}),
    ]
    assert {line.who for line in log.lines} == {pwd.getpwuid(os.geteuid()).pw_name}
    assert all(line.when.endswith("Z") and len(line.when) == 20 for line in log.lines)
    assert json.loads(json.dumps(log.to_dict()))["lines"][1]["counts"] == {"n_new": 2, "n_known": 0}
    assert log.to_dict()["seal"] == log.seal


def test_the_name_is_that_of_the_account_whatever_variables_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "boss")
    vault = Vault.open(path, KEY)
    vault.set_limit(6)
    assert vault.log().lines[-1].who == pwd.getpwuid(os.geteuid()).pw_name


def test_a_machine_without_names_of_users_has_a_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault.open(path, KEY)
    monkeypatch.setattr(os, "geteuid", lambda: 2_000_000_123)  # nobody's number
    vault.set_limit(6)
    named = pwd.struct_passwd(("jos\udce9", "", 1, 1, "", "", ""))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: named)
    vault.set_limit(7)
    assert [line.who for line in vault.log().lines[-2:]] == ["user 2000000123", "jos?"]


def test_no_value_is_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY, limit=2)
    identity = secrets.token_hex(8)
    [name] = vault.add([identity], scope="s").pseudonyms
    vault.lookup([name])
    with pytest.raises(VaultError, match="limit"):
        vault.lookup([name, "b", "c"])
    vault.forget([name])
    vault.rotate(OTHER_KEY)
    vault.export(tmp_path / "copy", KEY)
    connection = sqlite3.connect(path)
    held = b"".join(content for (content,) in connection.execute("SELECT content FROM log"))
    connection.close()
    assert identity.encode() not in held
    assert name.encode() not in held
    assert [line.action for line in vault.log().lines] == [
        *("create", "add", "lookup", "refused", "forget", "rotate", "export"),
    ]


DOCTORED = {
    "a changed line": ["UPDATE log SET content = CAST(replace(content, 'lookup', 'forget') AS BLOB) WHERE number = 3"],
    "a changed count": [
        "UPDATE log SET content = CAST(replace(content, '\"n_asked\":1', '\"n_asked\":0') AS BLOB) WHERE number = 3"
    ],
    "a changed mark": ["UPDATE log SET mark = zeroblob(32) WHERE number = 3"],
    "a mark that is a text": ["UPDATE log SET mark = 'x' WHERE number = 3"],
    "a line that is a text": ["UPDATE log SET content = 'x' WHERE number = 3"],
    "a removed line": ["DELETE FROM log WHERE number = 3"],
    "a removed line, the rest moved up": [
        "DELETE FROM log WHERE number = 3",
        "UPDATE log SET number = 3 WHERE number = 4",
        "UPDATE log SET number = 4 WHERE number = 5",
    ],
    "two lines swapped": [
        "UPDATE log SET number = 9 WHERE number = 3",
        "UPDATE log SET number = 3 WHERE number = 4",
        "UPDATE log SET number = 4 WHERE number = 9",
    ],
    "the first line gone": ["DELETE FROM log WHERE number = 1"],
    "the end cut off": ["DELETE FROM log WHERE number = 5"],
    "all cut off": ["DELETE FROM log"],
    "a line added": ["INSERT INTO log SELECT 6, content, mark FROM log WHERE number = 5"],
    "a line added in front": ["INSERT INTO log SELECT 0, content, mark FROM log WHERE number = 1"],
}


@pytest.mark.parametrize("change", DOCTORED)
def test_a_doctored_log_is_noticed(path: Path, tmp_path: Path, change: str) -> None:
    run_sql(path, *DOCTORED[change])
    vault = Vault.open(path, KEY)
    with pytest.raises(VaultError, match=r"the log was (changed|cut)") as refused:
        vault.log()
    assert refused.value.__context__ is None
    with pytest.raises(VaultError, match=r"the log was (changed|cut)"):
        vault.rotate(OTHER_KEY)
    if change == "a line added":
        with pytest.raises(VaultError, match="without the key"):
            vault.set_limit(3)
    else:
        vault.set_limit(3)
        with pytest.raises(VaultError, match=r"the log was (changed|cut)"):
            vault.log()
        assert vault.export(tmp_path / "copy", OTHER_KEY) == 1
        assert len(Vault.open(tmp_path / "copy", OTHER_KEY).log().lines) == 1


def test_a_log_cut_and_written_on_is_noticed(path: Path) -> None:
    vault = Vault.open(path, KEY)
    connection = sqlite3.connect(path)
    [(state,)] = connection.execute("SELECT content FROM meta WHERE name = 'state'").fetchall()
    connection.close()
    vault.set_limit(9)
    run_sql(path, f"UPDATE meta SET content = X'{state.hex()}' WHERE name = 'state'")
    with pytest.raises(VaultError, match="of 5 lines 6 are there"):
        vault.log()


def test_a_noted_seal_stays_on_the_chain_also_over_a_rotation(path: Path) -> None:
    vault = Vault.open(path, KEY)
    noted = [vault.log().seal]
    vault.set_limit(9)
    noted.append(vault.log().seal)
    vault.rotate(OTHER_KEY)
    noted.append(vault.log().seal)
    vault.add(["Eva"], scope="s")
    for seal in noted:
        assert vault.log(expect=seal).lines == vault.log(expect=f" {seal.upper()}\n").lines
    assert [seal.split("-")[0] for seal in noted] == ["5", "6", "7"]
    assert {len(seal) for seal in noted} == {34}


def test_a_vault_set_back_is_noticed_by_a_noted_seal_alone(path: Path) -> None:
    vault = Vault.open(path, KEY)
    earlier = path.read_bytes()
    vault.set_limit(9)
    seal = vault.log().seal
    path.write_bytes(earlier)
    assert len(vault.log().lines) == 5  # without a seal nothing shows: it is whole
    with pytest.raises(VaultError, match="set back: the seal is that of line 6, and the log has 5 lines"):
        vault.log(expect=seal)
    vault.set_limit(8)
    with pytest.raises(VaultError, match="the seal is not that of line 6"):
        vault.log(expect=seal)


def test_a_seal_of_another_vault_is_refused(path: Path, tmp_path: Path) -> None:
    other = Vault.create(tmp_path / "other", KEY)
    with pytest.raises(VaultError, match="the seal is not that of line 1"):
        Vault.open(path, KEY).log(expect=other.log().seal)


@pytest.mark.parametrize("expect", ["", "5", "0-" + "0" * 32, "5-" + "0" * 31, "5-" + "g" * 32, "-1-" + "0" * 32])
def test_what_is_no_seal_is_refused(path: Path, expect: str) -> None:
    with pytest.raises(VaultError, match="is no seal"):
        Vault.open(path, KEY).log(expect=expect)
