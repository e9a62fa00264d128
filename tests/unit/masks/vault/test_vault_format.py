"""A vault read by what docs/methods/vault.md says, with nothing of celosia: the page suffices to get the data back."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from celosia.masks.vault.vault import Vault

KEY = bytes(range(100, 132))
PASSPHRASE = "correct horse battery staple"


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, "sha256").digest()


def labelled(key: bytes, *labels: str) -> bytes:
    texts = [label.encode() for label in ("celosia", "1", *labels)]
    return mac(key, b"".join(len(text).to_bytes(4, "big") + text for text in texts))


def siv(key: bytes, label: str) -> AESSIV:
    return AESSIV(labelled(key, label, "1") + labelled(key, label, "2"))


def unwrapped(meta: dict[str, bytes]) -> bytes:
    kdf = json.loads(meta["kdf"])
    if kdf["kind"] == "scrypt":
        n = 1 << kdf["log2_n"]
        salt = bytes.fromhex(kdf["salt"])
        key = hashlib.scrypt(PASSPHRASE.encode(), salt=salt, n=n, r=8, p=1, maxmem=2 << 27, dklen=32)
    else:
        key = labelled(KEY, "vault", kdf["salt"])
    return siv(key, "wrap").decrypt(meta["key"], [b"data key", b"1", meta["kdf"]])


@pytest.mark.parametrize("kind", ["key", "passphrase"])
def test_the_page_suffices_to_read_a_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("VAULT_KEY", PASSPHRASE)
    vault = Vault.create(tmp_path / "v", KEY if kind == "key" else {"env": "VAULT_KEY"}, limit=7)
    people = ["Ana", "Bel\u00e9n\0", "x" * 100, "Luis"]
    *kept, gone = vault.add(people, scope="name").pseudonyms
    vault.forget([gone])
    seal = vault.log().seal

    connection = sqlite3.connect(tmp_path / "v")
    meta = dict(connection.execute("SELECT name, content FROM meta"))
    entries = connection.execute("SELECT pseudonym, scope, token, sealed FROM entries").fetchall()
    log = connection.execute("SELECT number, content, mark FROM log ORDER BY number").fetchall()
    connection.close()
    data_key = unwrapped(meta)

    found, sums = {}, [0] * 256
    for pseudonym, scope, token, sealed in entries:
        if token is None:
            assert (pseudonym, sealed) == (gone, None)
            continue
        plain = siv(data_key, "seal").decrypt(sealed, [scope.encode(), pseudonym.encode()])
        assert len(plain) % 32 == 0
        identity = plain.rstrip(b"\0")[:-1]
        assert token == mac(labelled(data_key, "index", scope), identity)[:16]
        sums[token[0]] ^= int.from_bytes(mac(labelled(data_key, "tally"), token + pseudonym.encode())[:16], "big")
        found[pseudonym] = identity.decode()
    assert found == dict(zip(kept, people[:3], strict=True))

    state = json.loads(siv(data_key, "settings").decrypt(meta["state"], [b"state", b"1"]))
    tally = siv(data_key, "tally").decrypt(meta["tally"], [b"tally"])
    assert tally == b"".join(one.to_bytes(16, "big") for one in sums)
    forgotten = siv(data_key, "forgotten").decrypt(meta["forgotten"], [b"forgotten"])
    assert forgotten.decode().split("\0") == [gone]
    assert state["tally"] == hashlib.sha256(tally).hexdigest()
    assert state["forgotten"] == hashlib.sha256(forgotten).hexdigest()
    assert (state["limit"], state["n_given"], state["n_forgotten"], state["scopes"]) == (7, 4, 1, ["name"])

    chained = hashlib.sha256(bytes.fromhex(state["vault_id"])).digest()
    for number, content, mark in log:
        chained = hashlib.sha256(chained + number.to_bytes(8, "big") + content).digest()
        assert mark == mac(labelled(data_key, "log"), number.to_bytes(8, "big") + chained)
    assert f"{len(log)}-{chained.hex()[:32]}" == seal
