"""Rows put back, emptied or renamed by SQL, so that all counts stay right: no answer is wrong for that.

Who can write in the store may have its old rows, too, and put any of them back. None of this may bring a forgotten
person back, give a pseudonym to a second person or a person a second pseudonym, or be sealed anew as if it were true.
"""

from __future__ import annotations

import pickle
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from vault_doctor import doctor
from vault_writers import KEY, OTHER_KEY, names

from celosia.base.errors import InputError, OptionError, VaultError
from celosia.masks.vault.codes import CodeList, CodeSpace
from celosia.masks.vault.vault import Vault


@pytest.fixture
def vault(place: str) -> Vault:
    return Vault.create(place, KEY, limit=100)


@pytest.fixture
def given(vault: Vault) -> dict[str, str]:
    """The pseudonyms of forty people."""
    return dict(zip(names(0, 40), vault.add(names(0, 40), scope="name").pseudonyms, strict=True))


def kept(place: str, pseudonym: str) -> str:
    """Return the statement that puts a row back as it is now."""
    select = f"SELECT token, sealed FROM {{}} WHERE pseudonym = '{pseudonym}'"
    if "://" in place:
        with psycopg.connect(place.replace("+psycopg", "")) as connection:
            found = connection.execute(select.format("celosia_vault_entries").encode()).fetchone()
        blob = "'\\x{}'"
    else:
        opened = sqlite3.connect(place)
        found, blob = opened.execute(select.format("entries")).fetchone(), "X'{}'"
        opened.close()
    assert found is not None
    token, sealed = (blob.format(part.hex()) for part in found)
    return f"UPDATE {{entries}} SET token = {token}, sealed = {sealed} WHERE pseudonym = '{pseudonym}'"


def test_a_forgotten_row_put_back_brings_nobody_back(vault: Vault, place: str, given: dict[str, str]) -> None:
    pseudonym = given["person 3"]
    old = kept(place, pseudonym)
    assert vault.forget([pseudonym]) == 1
    doctor(place, old)
    assert vault.lookup([pseudonym]) == {pseudonym: None}
    with pytest.raises(VaultError, match="1 of 1 records read are damaged"):
        vault.add(["person 3"], scope="name")
    assert vault.add(["person 4"], scope="name").pseudonyms == [given["person 4"]]
    assert vault.forget([pseudonym]) == 0  # and takes it away again
    assert vault.add(["person 3"], scope="name").pseudonyms != [pseudonym]
    assert vault.rotate(OTHER_KEY) == 40
    assert vault.lookup([pseudonym]) == {pseudonym: None}


def test_one_put_back_and_another_emptied_is_noticed(
    vault: Vault, place: str, given: dict[str, str], tmp_path: Path
) -> None:
    back, emptied = given["person 3"], given["person 4"]
    old = kept(place, back)
    vault.forget([back])
    doctor(place, old, f"UPDATE {{entries}} SET token = NULL, sealed = NULL WHERE pseudonym = '{emptied}'")
    assert vault.lookup([back]) == {back: None}
    with pytest.raises(VaultError, match="damaged"):
        vault.lookup([emptied])
    with pytest.raises(VaultError, match="damaged"):
        vault.forget([emptied])
    with pytest.raises(VaultError, match="removed or changed"):
        vault.add(["person 4"], scope="name")
    with pytest.raises(VaultError, match="put back"):
        vault.rotate(OTHER_KEY)
    with pytest.raises(VaultError, match="put back"):
        vault.export(tmp_path / "copy.vault", OTHER_KEY)
    assert not (tmp_path / "copy.vault").exists()
    assert vault.lookup([given["person 5"]]) == {given["person 5"]: "person 5"}


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_a_renamed_row_does_not_free_its_pseudonym(
    vault: Vault, place: str, given: dict[str, str], is_forgotten: bool
) -> None:
    pseudonym = given["person 3"]
    if is_forgotten:
        vault.forget([pseudonym])
    doctor(place, f"UPDATE {{entries}} SET pseudonym = 'ZZZ' WHERE pseudonym = '{pseudonym}'")
    with pytest.raises((VaultError, InputError)):
        vault.add(["somebody else"], scope="name", codes=CodeList([pseudonym]))
    if is_forgotten:
        assert vault.lookup([pseudonym]) == {pseudonym: None}
        assert vault.forget([pseudonym]) == 0
    else:
        with pytest.raises(VaultError, match="removed or changed"):
            vault.lookup([pseudonym])
        with pytest.raises(VaultError, match="removed or changed"):
            vault.forget([pseudonym])
    with pytest.raises(VaultError):
        vault.rotate(OTHER_KEY)


def test_a_renamed_scope_does_not_hide_who_is_to_be_forgotten(vault: Vault, place: str, given: dict[str, str]) -> None:
    doctor(place, "UPDATE {entries} SET scope = 'other'")
    with pytest.raises(VaultError, match="damaged"):
        vault.forget(identities=["person 3"])


@pytest.mark.parametrize("how", ["DELETE FROM {meta}", "UPDATE {meta} SET {content} = {old}"])
def test_the_list_of_the_forgotten_is_guarded(place: str, vault: Vault, given: dict[str, str], how: str) -> None:
    first, second = given["person 1"], given["person 2"]
    vault.forget([first])
    before = "(SELECT {content} FROM {meta} WHERE name = 'tally')"
    doctor(place, f"{how.replace('{old}', before)} WHERE name = 'forgotten'")
    for action in (vault.lookup, vault.forget):
        with pytest.raises(VaultError, match="settings were changed"):
            action([second])
    with pytest.raises(VaultError, match="settings were changed"):
        vault.add(["person 5"], scope="name")


@pytest.mark.parametrize("token", ["'abc'", "5", "X'00'"])
def test_a_token_and_a_seal_of_other_kinds_are_damage_and_no_crash(tmp_path: Path, token: str) -> None:
    place = str(tmp_path / "v")
    vault = Vault.create(place, KEY)
    [pseudonym] = vault.add(["Ana"], scope="name").pseudonyms
    doctor(place, f"UPDATE {{entries}} SET token = {token}, sealed = 'x'")
    for action in (vault.lookup, vault.forget):
        with pytest.raises(VaultError, match="1 of 1 records read are damaged"):
            action([pseudonym])


def test_a_code_is_nobodys_true_value_also_of_earlier_calls(vault: Vault) -> None:
    vault.add(["094532"], scope="name")
    with pytest.raises(InputError, match="0 are left"):
        vault.add(["Ana"], scope="name", codes=CodeList(["094532"]))
    with pytest.raises(InputError, match="0 are left"):  # the same name, in two parts here and in one there
        vault.add(["Jose\u0301"], scope="name", codes=CodeList(["Jos\u00e9"]))
    vault.add(names(0, 5), scope="name")
    added = vault.add([f"other {n}" for n in range(5)], scope="name", codes=CodeSpace("digits", 1))
    assert len(set(added.pseudonyms)) == 5


@pytest.mark.parametrize("code", ["A\0B", "A\ud800"])
def test_codes_that_no_store_keeps_are_refused(code: str) -> None:
    with pytest.raises(OptionError, match="no file keeps") as refused:
        CodeList(["K7Q2", code])
    assert code not in str(refused.value)


def test_an_alphabet_of_256_characters_will_do(vault: Vault) -> None:
    alphabet = "".join(map(chr, range(0x4E00, 0x4F00)))
    [pseudonym] = vault.add(["Ana"], scope="name", codes=CodeSpace(alphabet, 3)).pseudonyms
    assert vault.lookup([pseudonym]) == {pseudonym: "Ana"}


def test_midnight_between_counting_and_writing_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question for the time is answered with a later one: all of a call has the first."""
    times = iter(datetime(2026, 1, 31, 23, 59, 58, tzinfo=UTC) + timedelta(seconds=n / 2) for n in range(100))
    monkeypatch.setattr("celosia.masks.vault.session.now", lambda: next(times))
    vault = Vault.create(tmp_path / "v", KEY, limit=3)
    [name] = vault.add(["Ana"], scope="s").pseudonyms
    for _ in range(3):
        vault.lookup([name])
    assert {line.when for line in vault.log().lines} <= {
        "2026-01-31T23:59:58Z",
        "2026-01-31T23:59:59Z",
        "2026-02-01T00:00:00Z",
    }
    assert len(list(times)) == 100 - 6  # one for each call that writes, and for the log


def test_a_vault_is_not_pickled(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(Vault.create(tmp_path / "v", KEY))


ACTIVE = {
    "a trigger": [
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER lose BEFORE INSERT ON celosia_vault_entries FOR EACH ROW EXECUTE FUNCTION lose()",
    ],
    "a rule": ["CREATE RULE lose AS ON UPDATE TO celosia_vault_entries DO INSTEAD NOTHING"],
    "rows that do not show": ["ALTER TABLE celosia_vault_log ENABLE ROW LEVEL SECURITY"],
    "a table that a crash empties": ["ALTER TABLE celosia_vault_entries SET UNLOGGED"],
    "a view": [
        "ALTER TABLE celosia_vault_log RENAME TO held",
        "CREATE VIEW celosia_vault_log AS SELECT * FROM held",
    ],
    "a child": ["CREATE TABLE child () INHERITS (celosia_vault_entries)"],
}


@pytest.mark.parametrize("how", ACTIVE)
def test_tables_of_a_database_that_do_something_of_their_own_are_refused(postgres_place: str, how: str) -> None:
    vault = Vault.create(postgres_place, KEY)
    with psycopg.connect(postgres_place.replace("+psycopg", "")) as connection:
        for statement in ACTIVE[how]:
            connection.execute(statement.encode())
    with pytest.raises(VaultError, match="tables were changed"):
        vault.add(["Ana"], scope="name")
