"""Sealed records and settings: what is changed does not open."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import VaultError
from celosia.base.keys import Secret
from celosia.masks.vault import Vault
from celosia.masks.vault.sealing import Sealer
from celosia.masks.vault.settings import State, unwrapped, wrapped
from celosia.masks.vault.store import Entry

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80)


def run_sql(path: Path, *statements: str) -> None:
    """Change a vault as somebody without the key would."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@given(st.binary(min_size=32, max_size=32), TEXTS, TEXTS, TEXTS)
def test_what_is_sealed_opens_under_its_names_alone(key: bytes, scope: str, pseudonym: str, identity: str) -> None:
    sealer = Sealer(key)
    [sealed] = sealer.sealed(scope, [pseudonym], [identity])
    good = Entry(pseudonym, scope, None, sealed)
    assert sealer.opened([good]) == [identity]
    others = [
        Entry(pseudonym + "x", scope, None, sealed),
        Entry(pseudonym, scope + "x", None, sealed),
        Entry(scope, pseudonym, None, sealed) if scope != pseudonym else Entry("x" + scope, pseudonym, None, sealed),
        Entry(pseudonym, scope, None, sealed[:-1]),
        Entry(pseudonym, scope, None, b""),
        Entry(pseudonym, scope, None, None),
    ]
    assert sealer.opened(others) == [None] * 6
    assert Sealer(bytes(reversed(key)) if key != key[::-1] else KEY).opened([good]) == [None]


@given(TEXTS)
def test_the_length_of_a_seal_tells_a_multiple_of_32_alone(identity: str) -> None:
    [sealed] = Sealer(KEY).sealed("s", ["P"], [identity])
    assert len(sealed) == 16 + 32 * (len(identity.encode()) // 32 + 1)
    assert identity.encode() not in sealed or len(identity) < 3


@given(st.lists(TEXTS, max_size=8), TEXTS)
def test_tokens_are_what_their_formula_says(identities: list[str], scope: str) -> None:
    parts = [label.encode() for label in ("celosia", "1", "index", scope)]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key = hmac.new(KEY, message, hashlib.sha256).digest()
    expected = [hmac.new(key, identity.encode(), hashlib.sha256).digest()[:16] for identity in identities]
    assert Sealer(KEY).tokens(scope, identities) == expected


def test_every_flipped_bit_of_a_seal_is_noticed() -> None:
    sealer = Sealer.new()
    [sealed] = sealer.sealed("s", ["P"], ["Ana"])
    for place in range(len(sealed)):
        for bit in range(8):
            flipped = bytearray(sealed)
            flipped[place] ^= 1 << bit
            assert sealer.opened([Entry("P", "s", None, bytes(flipped))]) == [None]


@pytest.mark.parametrize("name", ["format", "kdf", "key", "state"])
def test_settings_that_were_changed_or_are_missing_are_noticed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    for change in (
        f"UPDATE meta SET content = substr(content, 1, length(content) - 1) WHERE name = '{name}'",
        f"UPDATE meta SET content = 'text' WHERE name = '{name}'",
        f"UPDATE meta SET content = X'' WHERE name = '{name}'",
        f"DELETE FROM meta WHERE name = '{name}'",
    ):
        run_sql(path, change)
        with pytest.raises(VaultError) as refused:
            Vault.open(path, KEY)
        assert refused.value.__context__ is None
        if name in ("key", "state"):
            with pytest.raises(VaultError, match="settings were changed"):
                vault.add(["Ana"], scope="s")


def test_a_limit_of_another_vault_or_day_cannot_be_put_in(tmp_path: Path) -> None:
    path, other = tmp_path / "v", tmp_path / "w"
    Vault.create(path, KEY, limit=1)
    Vault.create(other, KEY, limit=1000)
    connection = sqlite3.connect(other)
    [(state,)] = connection.execute("SELECT content FROM meta WHERE name = 'state'").fetchall()
    connection.close()
    run_sql(path, f"UPDATE meta SET content = X'{state.hex()}' WHERE name = 'state'")
    with pytest.raises(VaultError, match="settings were changed"):
        Vault.open(path, KEY)


def test_a_file_cannot_make_us_stretch_without_bounds() -> None:
    sealer = Sealer.new()
    secret = Secret(b"correct horse battery staple", True)
    meta = wrapped(sealer, secret)
    assert unwrapped(meta, secret) == sealer
    assert json.loads(meta["kdf"])["log2_n"] == 17
    for log2_n in (0, 13, 21, 40, 17.5, "17", None, True):
        doctored = meta | {"kdf": json.dumps(json.loads(meta["kdf"]) | {"log2_n": log2_n}).encode()}
        with pytest.raises(VaultError, match="settings were changed or are damaged"):
            unwrapped(doctored, secret)
    fewer = meta | {"kdf": meta["kdf"].replace(b"17", b"14")}
    with pytest.raises(VaultError, match="the key does not open"):
        unwrapped(fewer, secret)


@pytest.mark.parametrize("kdf", [b"", b"[]", b"{}", b'{"kind":"key"}', b'{"kind":"key","salt":"zz"}', b"[" * 100_000])
def test_settings_of_another_shape_are_noticed(kdf: bytes) -> None:
    secret = Secret(KEY, False)
    with pytest.raises(VaultError, match="settings were changed or are damaged"):
        unwrapped(wrapped(Sealer.new(), secret) | {"kdf": kdf}, secret)


def test_two_vaults_of_one_key_share_nothing() -> None:
    secret = Secret(KEY, False)
    one, other = Sealer.new(), Sealer.new()
    assert one.data_key != other.data_key
    assert one.tokens("s", ["Ana"]) != other.tokens("s", ["Ana"])
    assert one.sealed("s", ["P"], ["Ana"]) != other.sealed("s", ["P"], ["Ana"])
    assert wrapped(one, secret)["key"] != wrapped(one, secret)["key"]


def test_a_state_is_what_was_sealed_and_opens_by_its_key_alone() -> None:
    state, sealer = State.new(7), Sealer.new()
    assert State.opened(state.sealed(sealer), sealer) == state
    assert state.vault_id != State.new(7).vault_id
    with pytest.raises(VaultError, match="settings were changed"):
        State.opened(state.sealed(sealer), Sealer.new())


CHANGES = {
    "a pseudonym of another": "UPDATE entries SET pseudonym = 'STOLEN' WHERE pseudonym = '{first}'",
    "another scope": "UPDATE entries SET scope = 't' WHERE pseudonym = '{first}'",
    "a blob for a scope": "UPDATE entries SET scope = X'73' WHERE pseudonym = '{first}'",
    "another seal": "UPDATE entries SET sealed = randomblob(length(sealed)) WHERE pseudonym = '{first}'",
    "a text": "UPDATE entries SET sealed = 'Ana' WHERE pseudonym = '{first}'",
    "a short seal": "UPDATE entries SET sealed = X'00' WHERE pseudonym = '{first}'",
    "the seal of another": "UPDATE entries SET sealed = (SELECT sealed FROM entries WHERE pseudonym = '{second}') "
    "WHERE pseudonym = '{first}'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_record_is_noticed_and_the_others_stay_readable(tmp_path: Path, change: str) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    first, second = vault.add(["Ana", "Luis"], scope="s").pseudonyms
    run_sql(path, CHANGES[change].format(first=first, second=second))
    with pytest.raises(VaultError, match="1 of 1 records read are damaged") as refused:
        vault.add(["Ana"], scope="s")
    assert refused.value.__context__ is None
    assert not any(secret in str(refused.value) for secret in ("Ana", "Luis", first, second))
    with pytest.raises(VaultError, match="1 of 2 records read are damaged"):
        vault.add(["Luis", "Ana", "Eva"], scope="s")
    read = "STOLEN" if "STOLEN" in CHANGES[change] else first
    with pytest.raises(VaultError, match="1 of 2 records read are damaged"):
        vault.lookup([read, second])
    assert vault.lookup([second]) == {second: "Luis"}
    assert vault.add(["Luis"], scope="s").pseudonyms == [second]
    with pytest.raises(VaultError, match="1 of 2 records read are damaged"):
        vault.rotate(OTHER_KEY)
    with pytest.raises(VaultError, match="1 of 2 records read are damaged"):
        vault.export(tmp_path / "copy", OTHER_KEY)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["v"]
    assert Vault.open(path, KEY).lookup([second]) == {second: "Luis"}
    with pytest.raises(VaultError, match="damaged"):
        vault.forget(identities=["Ana"], scope="s")
    if read != first:  # forgetting what was never given would leave the true pseudonym free for another person
        with pytest.raises(VaultError, match="removed or changed"):
            vault.forget([read])
        return
    assert vault.forget([read]) == 1
    assert vault.rotate(OTHER_KEY) == 1


def test_swapped_records_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    first, second = vault.add(["Ana", "Luis"], scope="s").pseudonyms
    for column in ("token", "sealed"):
        swap = [
            "CREATE TEMP TABLE held AS SELECT pseudonym, token, sealed FROM entries",
            "UPDATE entries SET token = NULL" if column == "token" else "SELECT 1",
            f"UPDATE entries SET {column} = (SELECT {column} FROM held WHERE held.pseudonym != entries.pseudonym)",
        ]
        run_sql(path, *swap)
        with pytest.raises(VaultError, match="2 of 2 records read are damaged"):
            vault.add(["Ana", "Luis"], scope="s")
        run_sql(path, *swap)
    assert vault.add(["Ana", "Luis"], scope="s").pseudonyms == [first, second]


TOKENS = {
    "another": "UPDATE entries SET token = randomblob(16) WHERE pseudonym = '{0}'",
    "a text": "UPDATE entries SET token = 'Ana' WHERE pseudonym = '{0}'",
    "none": "UPDATE entries SET token = NULL WHERE pseudonym = '{0}'",
}


@pytest.mark.parametrize("change", TOKENS)
def test_nobody_gets_a_second_pseudonym_because_a_token_was_changed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    people = [f"person {n}" for n in range(600)]
    names = vault.add(people, scope="s").pseudonyms
    run_sql(path, TOKENS[change].format(*names))
    with pytest.raises(VaultError, match="who is new cannot be told from who was taken away"):
        vault.add(people, scope="s")
    with pytest.raises(VaultError, match="who is new cannot be told from who was taken away"):
        vault.add(people[:1], scope="s")
    assert vault.add(people[1:], scope="s").pseudonyms == names[1:]
    assert vault.lookup(names[:1]) == {names[0]: "person 0"}
    if change == "none":
        with pytest.raises(VaultError, match="records were removed"):
            vault.export(tmp_path / "copy", OTHER_KEY)
    else:
        vault.export(tmp_path / "copy", OTHER_KEY)
        assert Vault.open(tmp_path / "copy", OTHER_KEY).add([*people, "Eva"], scope="s").pseudonyms[:-1] == names
    assert vault.forget(names[:1]) == 1
    assert vault.add([*people, "Eva"], scope="s").n_new == 2
    vault.rotate(OTHER_KEY)
    assert vault.add([*people, "Eva", "Luis"], scope="s").n_new == 1


@pytest.mark.parametrize("damage", ["DELETE FROM meta WHERE name = 'tally'", "UPDATE meta SET content = X'{0}'{1}"])
def test_a_changed_tally_is_noticed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    names = vault.add(["Ana"], scope="s").pseudonyms
    connection = sqlite3.connect(path)
    [(older,)] = connection.execute("SELECT content FROM meta WHERE name = 'tally'").fetchall()
    connection.close()
    vault.add(["Luis"], scope="s")
    run_sql(path, damage.format(older.hex(), " WHERE name = 'tally'"))
    with pytest.raises(VaultError, match="settings were changed"):
        vault.add(["Eva"], scope="s")
    assert vault.lookup(names) == {names[0]: "Ana"}


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM entries WHERE pseudonym = '{0}'",
        "UPDATE entries SET token = NULL, sealed = NULL WHERE pseudonym = '{0}'",
        "INSERT INTO entries VALUES ('NEW', 's', X'00', X'00')",
    ],
)
def test_records_taken_away_or_added_are_noticed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    names = vault.add(["Ana", "Luis"], scope="s").pseudonyms
    run_sql(path, change.format(*names))
    for action in (vault.summary, lambda: vault.rotate(OTHER_KEY), lambda: vault.export(tmp_path / "c", OTHER_KEY)):
        with pytest.raises(VaultError, match="records were removed or added without the key"):
            action()
    assert vault.lookup(names[1:]) == {names[1]: "Luis"}
