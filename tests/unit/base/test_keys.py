"""Keys: where they may come from, what is refused, and that nothing of a secret is ever shown."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
from pathlib import Path

import pytest
from leaks import leaks
from plain_pseudonyms import derived_key

from celosia.base.errors import InputError, OptionError
from celosia.base.keys import KeySource, Secret, derived, stretched

KEY = bytes.fromhex("8f1b6f0c2ad94e3b7705c1e29a64d8f3b21c5a7e9f00431dd2c6e8b4713f5a90")
PASSPHRASE = "quixotic llama in the attic"
SPELLINGS = {
    "hex": KEY.hex(),
    "capitals": KEY.hex().upper(),
    "base64": base64.b64encode(KEY).decode(),
    "without =": base64.b64encode(KEY).decode().rstrip("="),
    "for addresses": base64.urlsafe_b64encode(KEY).decode(),
    "with blanks": f"  {KEY.hex()}\n",
    "longer": (KEY + KEY[::-1]).hex(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("way", ["env", "file"])
def test_a_key_is_read_in_any_spelling(way, spelling, monkeypatch, tmp_path):
    source = _placed(way, SPELLINGS[spelling].encode(), monkeypatch, tmp_path)
    secret = source.read()
    assert not secret.is_passphrase
    assert secret.content == (KEY + KEY[::-1] if spelling == "longer" else KEY)
    assert secret.master() == secret.content


def test_a_file_of_bytes_is_a_key(tmp_path):
    raw = bytes([0xFF, *KEY])  # no text in UTF-8
    (tmp_path / "key").write_bytes(raw)
    assert KeySource.of({"file": tmp_path / "key"}).read().content == raw


@pytest.mark.parametrize("way", ["env", "file"])
def test_a_passphrase_is_stretched(way, monkeypatch, tmp_path):
    secret = _placed(way, f"{PASSPHRASE}\n".encode(), monkeypatch, tmp_path).read()
    assert secret.is_passphrase
    plain = hashlib.scrypt(
        PASSPHRASE.encode(), salt=b"celosia: pseudonyms, version 1", n=2**17, r=8, p=1, maxmem=2**28, dklen=32
    )
    assert secret.master() == plain


def test_blanks_in_a_passphrase_count_and_line_ends_do_not():
    assert Secret.of_text(" blanks count here \r\n", "x").content == b" blanks count here "


def test_a_program_may_give_bytes():
    assert KeySource.of(KEY).read().content == KEY
    assert KeySource.of(KeySource.of(KEY)) == KeySource.of(KEY)
    assert KeySource.of(KEY) != KeySource.of(KEY[::-1])


def test_files_are_looked_for_in_the_folder_of_the_plan(tmp_path):
    assert KeySource.of({"file": "own.key"}, folder=tmp_path).file == str(tmp_path / "own.key")
    assert KeySource.of({"file": tmp_path / "own.key"}, folder=Path("elsewhere")).file == str(tmp_path / "own.key")
    assert KeySource.of({"file": "own.key"}).file == "own.key"


@pytest.mark.parametrize("given", [{"env": "CELOSIA_KEY"}, {"file": "own.key"}])
def test_a_source_is_described_as_it_was_given(given):
    assert KeySource.of(given).to_dict() == given
    assert KeySource.of(KeySource.of(given).to_dict()) == KeySource.of(given)
    assert hash(KeySource.of(given)) == hash(KeySource.of(dict(given)))


BAD_SOURCES = [
    PASSPHRASE,
    KEY.hex(),
    "",
    5,
    None,
    [],
    {},
    {"env": ""},
    {"env": "A B"},
    {"env": "1A"},
    {"env": "A\n"},
    {"env": 5},
    {"env": None},
    {"file": ""},
    {"file": 5},
    {"file": None},
    {"key": KEY.hex()},
    {"env": "A", "file": "b"},
    {"value": PASSPHRASE},
    bytearray(KEY),
]


@pytest.mark.parametrize("given", BAD_SOURCES, ids=range(len(BAD_SOURCES)))
def test_what_names_no_place_is_refused(given):
    with pytest.raises(OptionError) as caught:
        KeySource.of(given)
    assert caught.value.about == "key"
    assert "{env:" in str(caught.value)
    assert leaks(caught.value, [PASSPHRASE, KEY.hex()]) == []


def test_a_key_in_a_text_is_no_secret_any_more():
    with pytest.raises(OptionError, match="must not be written here"):
        KeySource.of(KEY.hex())


@pytest.mark.parametrize(
    "weak", [b"", b"short", KEY[:31], bytes(32), b"a" * 64, b"0123456789a" * 4], ids=lambda key: str(len(key))
)
def test_weak_keys_are_refused(weak):
    with pytest.raises(InputError, match="can be guessed"):
        KeySource.of(weak)


@pytest.mark.parametrize("weak", [bytes(32), b"a" * 64, b"0123456789a" * 4], ids=lambda key: str(len(key)))
@pytest.mark.parametrize("way", ["env", "file"])
def test_weak_keys_are_refused_when_they_are_read(way, weak, monkeypatch, tmp_path):
    source = _placed(way, weak.hex().encode(), monkeypatch, tmp_path)
    with pytest.raises(InputError, match="can be guessed: it is not random") as caught:
        source.read()
    assert weak.hex() not in str(caught.value)


@pytest.mark.parametrize("text", ["estaeslafrasedepasodelauniversidaddezaragoza2026", KEY.hex()[:62]])
def test_words_written_together_and_a_cut_key_are_stretched(text):
    assert Secret.of_text(text, "the test").is_passphrase


@pytest.mark.parametrize("text", ["", "\n", "tooshort", "elevenchars"])
@pytest.mark.parametrize("way", ["env", "file"])
def test_what_is_too_short_is_neither_key_nor_passphrase(way, text, monkeypatch, tmp_path):
    source = _placed(way, text.encode(), monkeypatch, tmp_path)
    with pytest.raises(InputError) as caught:
        source.read()
    assert caught.value.about == "key"
    assert len(text) < 4 or text not in str(caught.value)


def test_a_variable_that_is_not_set(monkeypatch):
    monkeypatch.delenv("CELOSIA_TEST_KEY", raising=False)
    with pytest.raises(InputError, match="'CELOSIA_TEST_KEY' holds no key: it is not set"):
        KeySource.of({"env": "CELOSIA_TEST_KEY"}).read()
    monkeypatch.setenv("CELOSIA_TEST_KEY", "")
    with pytest.raises(InputError, match="it is empty"):
        KeySource.of({"env": "CELOSIA_TEST_KEY"}).read()


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"'none\.key' cannot be read: No such file") as caught:
        KeySource.of({"file": tmp_path / "none.key"}).read()
    assert str(tmp_path) not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        KeySource.of({"file": tmp_path}).read()
    (tmp_path / "long").write_bytes(b"x" * 70_000)
    with pytest.raises(InputError, match="longer than any key"):
        KeySource.of({"file": tmp_path / "long"}).read()


def test_who_may_read_a_key_file(tmp_path, monkeypatch):
    file = tmp_path / "key"
    file.write_text(KEY.hex())
    source = KeySource.of({"file": file})
    file.chmod(0o600)
    assert not source.is_open_to_others
    for mode in (0o604, 0o640, 0o620, 0o666):
        file.chmod(mode)
        assert source.is_open_to_others
    assert not KeySource.of({"file": tmp_path / "none"}).is_open_to_others
    assert not KeySource.of({"env": "HOME"}).is_open_to_others


def test_nothing_of_a_secret_is_shown(monkeypatch, tmp_path):
    """In whatever way a programmer looks at it, short of asking for it."""
    secrets = [KEY.hex(), KEY.decode("latin-1"), PASSPHRASE]
    sources = [
        KeySource.of(KEY),
        _placed("env", PASSPHRASE.encode(), monkeypatch, tmp_path),
        _placed("file", KEY.hex().encode(), monkeypatch, tmp_path),
    ]
    for source in sources:
        for thing in (source, source.read()):
            shown = [repr(thing), str(thing), f"{thing}", f"{thing!r}", repr({"key": [thing]})]
            assert leaks("\n".join(shown), secrets) == []
        assert leaks(str(source.to_dict()), secrets) == []
    assert repr(sources[0]) == "KeySource(...)"
    assert sources[0].to_dict() == "..."


def test_nothing_of_a_secret_is_in_a_traceback(monkeypatch, tmp_path):
    almost = KEY.hex()[:-2] + "zz"  # no key, and so a passphrase; cut, it is too short
    word = "emases"[::-1]  # a traceback shows the lines of this test: the word must not stand in them
    bad = tmp_path / "bad.key"
    bad.write_bytes(b"\xff" + word.encode())
    tries = [
        lambda: KeySource.of(almost),
        lambda: KeySource.of(2 * word.encode()),
        lambda: KeySource.of({"file": bad}).read(),
        lambda: Secret.of_text(word, "the test"),
        lambda: Secret.of_text(word.encode().hex() * 8, "the test"),
    ]
    for attempt in tries:
        with pytest.raises(InputError) as caught:
            attempt()
        assert leaks(caught.value, [almost, word]) == []
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None


def test_keys_of_labels_are_those_of_the_plain_definition():
    assert derived(KEY, "pseudonym", "dni", "") == derived_key(KEY, "pseudonym", "dni", "")
    parts = [("a", "b"), ("ab",), ("a", "b", ""), ("", "a", "b"), ("b", "a"), ("a", "b\0")]
    keys = {derived(KEY, *labels) for labels in parts} | {derived(KEY[::-1], *labels) for labels in parts}
    assert len(keys) == 12
    assert all(len(key) == 32 for key in keys)


def test_stretching_depends_on_passphrase_salt_and_cost():
    made = {stretched(b"one", b"salt", log2_n=4), stretched(b"two", b"salt", log2_n=4)}
    made |= {stretched(b"one", b"other", log2_n=4), stretched(b"one", b"salt", log2_n=5)}
    assert len(made) == 4


def test_pickling_a_named_source_carries_no_secret(monkeypatch, tmp_path):
    source = _placed("env", PASSPHRASE.encode(), monkeypatch, tmp_path)
    source.read()
    assert PASSPHRASE.encode() not in pickle.dumps(source)


def _placed(way: str, content: bytes, monkeypatch: pytest.MonkeyPatch, folder: Path) -> KeySource:
    if way == "env":
        monkeypatch.setitem(os.environ, "CELOSIA_TEST_KEY", content.decode())
        return KeySource.of({"env": "CELOSIA_TEST_KEY"})
    (folder / "test.key").write_bytes(content)
    return KeySource.of({"file": folder / "test.key"})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le-with-mark", "utf-8"])
def test_a_file_that_an_editor_saved_in_its_own_encoding_holds_the_same_secret(encoding, tmp_path):
    for text, is_passphrase in [(KEY.hex(), False), (PASSPHRASE, True)]:
        held = b"\xff\xfe" + text.encode("utf-16-le") if "mark" in encoding else text.encode(encoding)
        (tmp_path / "test.key").write_bytes(held)
        found = KeySource.of({"file": tmp_path / "test.key"}).read()
        assert (found.content, found.is_passphrase) == (text.encode() if is_passphrase else KEY, is_passphrase)


def test_a_key_that_a_program_spells_is_the_key_that_a_file_spells():
    assert KeySource.of(KEY.hex().encode()).read() == KeySource.of(KEY.hex().encode() + b"\n").read()
    assert KeySource.of(KEY.hex().encode()).read().content == KEY


def test_a_passphrase_that_a_program_gives_is_not_taken_for_a_random_key():
    with pytest.raises(InputError, match="it is a text, not random"):
        KeySource.of(b"correct horse battery staple, and more words")


def test_a_path_that_no_system_knows_is_refused():
    with pytest.raises(OptionError):
        KeySource.of({"file": "a\0b"})
