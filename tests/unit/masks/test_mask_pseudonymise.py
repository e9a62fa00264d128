"""Pseudonymise: drawn, listed and keyed codes against plain definitions; options, findings, and what is refused."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import itertools
import os
import pickle
import unicodedata

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leaks import leaks
from plain_pseudonyms import derived_key, keyed_code
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.entries import describe
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.base.keys import KeySource
from celosia.jobs.registry import build
from celosia.masks import Pseudonymise
from celosia.masks.base import Mask, sheet_of
from celosia.masks.pseudonyms.findings import collision_chance, enough_length
from celosia.masks.vault.codes import ALPHABETS, CodeSpace
from celosia.masks.vault.source import VaultSource

KEY = bytes.fromhex("8f1b6f0c2ad94e3b7705c1e29a64d8f3b21c5a7e9f00431dd2c6e8b4713f5a90")
NAMES = ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo"]
READABLE = ALPHABETS["readable"]


def masked(mask: Pseudonymise, *, seed: int | None = None, k: int = 2, **columns: list) -> pl.DataFrame:
    return mask.mask(sheet_of(pl.DataFrame(columns, strict=False), Randomness(seed), k=k)).frame


def codes(mask: Pseudonymise, k: int = 2, **columns: list) -> list[tuple[str, str]]:
    found = mask.mask(sheet_of(pl.DataFrame(columns, strict=False), k=k)).findings
    return [(one.code, one.severity) for one in found]


def keyed(value: str, scope: str = "id", dataset: str = "", length: int = 16) -> str:
    return keyed_code(derived_key(KEY, "pseudonym", scope, dataset), value, READABLE, length)


# Drawn codes ----------------------------------------------------------------------------------------------------------


def test_five_names_become_five_distinct_six_digit_strings():
    given_out = masked(Pseudonymise("name", alphabet="digits", length=6), name=NAMES)["name"]
    assert given_out.dtype == pl.String
    assert given_out.n_unique() == 5
    assert all(len(code) == 6 and code.isascii() and code.isdigit() for code in given_out)


def test_codes_are_fresh_in_every_run_and_a_seed_repeats_them():
    mask = Pseudonymise("name")
    assert masked(mask, name=NAMES)["name"].to_list() != masked(mask, name=NAMES)["name"].to_list()
    assert masked(mask, seed=4, name=NAMES).equals(masked(mask, seed=4, name=NAMES))


def test_equal_cells_get_equal_codes_and_missing_cells_stay_missing():
    made = masked(Pseudonymise("name", length=3), name=["Ana", None, "Luis", "Ana", "", "  "])["name"].to_list()
    assert made[0] == made[3] != made[2]
    assert made[1] is made[4] is made[5] is None
    assert masked(Pseudonymise("name"), name=[None, None])["name"].to_list() == [None, None]
    empty = Pseudonymise("name").apply(pl.DataFrame({"name": pl.Series([], dtype=pl.String)}))
    assert empty.height == 0


def test_no_code_is_a_true_value():
    """Nine of ten digits are names: the tenth alone is left for the one who has no digit for a name."""
    given_out = masked(Pseudonymise("id", alphabet="digits", length=1), id=["1", "2", "3", "4", "5"])["id"]
    assert set(given_out) == {"0", "6", "7", "8", "9"}
    with pytest.raises(InputError, match="6 codes are wanted; of the 10") as caught:
        masked(Pseudonymise("id", alphabet="digits", length=1), id=list("123456"))
    assert caught.value.hint == "take a greater length."


def test_six_digits_for_two_thousand_people_in_random_order():
    """A12: different, and the order of rows cannot be seen in them."""
    people = [f"person {number:04}" for number in range(2000)]
    for seed in (1, 2, 3):
        made = masked(Pseudonymise("id", alphabet="digits", length=6), seed=seed, id=people)["id"]
        assert made.n_unique() == 2000
        correlation = np.corrcoef(np.arange(2000), made.cast(pl.Int64).rank().to_numpy())[0, 1]
        assert abs(correlation) < 0.1  # 4.5 standard deviations
        steps = np.diff(made.cast(pl.Int64).to_numpy())
        assert len(np.unique(steps)) > 1900


def test_columns_of_one_scope_share_codes_and_others_do_not():
    pairs = {"sender": ["Ana", "Luis", "Eva"], "receiver": ["Luis", "Eva", "Ana"]}
    together = masked(Pseudonymise(columns=["sender", "receiver"], scope="person"), **pairs)
    assert together["receiver"].to_list() == [*together["sender"][1:], together["sender"][0]]
    apart = masked(Pseudonymise(columns=["sender", "receiver"]), **pairs)
    assert not set(apart["sender"]) & set(apart["receiver"])


def test_columns_of_one_scope_and_unlike_types_share_codes():
    made = masked(Pseudonymise(columns=["number", "text"], scope="id"), number=[12345678, None], text=["9", "12345678"])
    assert made["number"][0] == made["text"][1] != made["text"][0]


# Lists ----------------------------------------------------------------------------------------------------------------

LIST = ["543456", "125214", "984213", "674832", "094532"]


def test_a_list_is_given_out_in_its_order_if_asked_and_warned_of():
    mask = Pseudonymise("name", values=LIST, shuffle=False)
    made = masked(mask, name=["Luis", "Eduardo", "Luis", "Amparo "])["name"].to_list()
    assert made == ["543456", "125214", "543456", "984213"]
    assert codes(mask, name=NAMES) == [("PSEUDONYMS_IN_ORDER", "warning")]


def test_a_list_is_given_out_by_chance_by_default():
    mask = Pseudonymise("name", values=LIST)
    orders = {tuple(masked(mask, seed=seed, name=NAMES)["name"]) for seed in range(60)}
    assert len(orders) > 40
    assert all(sorted(order) == sorted(LIST) for order in orders)
    assert codes(mask, name=NAMES) == []


def test_a_list_may_stand_in_a_file(tmp_path):
    file = tmp_path / "codes.txt"
    file.write_text("\ufeff543456\r\n\n 094532 \n", encoding="utf-8")
    mask = Pseudonymise("name", values=file, shuffle=False)
    assert masked(mask, name=["a", "b"])["name"].to_list() == ["543456", "094532"]
    assert mask == build("masks", describe(mask))
    assert describe(mask)["pseudonymise"]["values"] == str(file)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "must be a list"), (b"a\nb\na\n", "1 of the 3 codes"), (b"\xff\xfe", "no text in UTF-8"), (None, "No such")],
)
def test_a_bad_file_of_codes_is_refused(content, said, tmp_path):
    if content is not None:
        (tmp_path / "codes.txt").write_bytes(content)
    mask = Pseudonymise("name", values=str(tmp_path / "codes.txt"))
    with pytest.raises(InputError, match=said) as caught:
        masked(mask, name=["x"])
    assert caught.value.about == "values"
    assert caught.value.__context__ is None


def test_a_list_that_is_too_short_is_refused():
    with pytest.raises(InputError, match="6 codes are wanted; of the 5 in the list 5 are left"):
        masked(Pseudonymise("name", values=LIST), name=[*NAMES, "Eva"])
    with pytest.raises(InputError, match="5 codes are wanted; of the 5 in the list 4 are left"):
        masked(Pseudonymise("name", values=LIST), name=[*NAMES[:4], "094532"])


# Keyed codes ----------------------------------------------------------------------------------------------------------


@tries(30)
@given(
    st.lists(st.text(min_size=1, max_size=90), min_size=1, max_size=20),
    st.sampled_from([{}, {"scope": "person"}, {"dataset": "exams-2026"}, {"scope": "é", "dataset": "x y"}]),
)
def test_keyed_codes_are_those_of_the_plain_definition(values, options):
    values = [value for value in values if all(unicodedata.category(one) not in ("Cs", "Cn") for one in value)]
    made = masked(Pseudonymise("id", key=KEY, prefix="P-", length=20, **options), id=values or [None])["id"].to_list()
    key = derived_key(KEY, "pseudonym", options.get("scope", "id"), options.get("dataset", ""))
    clean = pl.DataFrame({"id": values or [None]}, schema={"id": pl.String})
    for code, value in zip(made, sheet_of(clean).frame["id"].to_list(), strict=True):
        assert code == (None if value is None else keyed_code(key, value, READABLE, 20, "P-"))


@pytest.mark.parametrize(("alphabet", "length"), [("digits", 52), ("hex", 44), ("letters", 9), ("01", 64), ("αβγδ", 5)])
def test_keyed_codes_of_any_alphabet(alphabet, length):
    made = masked(Pseudonymise("id", key=KEY, alphabet=alphabet, length=length), id=["Ana", "Ñandú"])["id"].to_list()
    key = derived_key(KEY, "pseudonym", "id", "")
    characters = ALPHABETS.get(alphabet, alphabet)
    assert made == [keyed_code(key, name, characters, length) for name in ("Ana", "Ñandú")]


def test_more_identities_than_are_joined_at_once():
    values = [f"{number}" for number in range(140_000)]
    made = masked(Pseudonymise("id", key=KEY), id=[*values, "7"])["id"]
    assert made.n_unique() == 140_000
    for row in (0, 131_071, 131_072, 139_999):
        assert made[row] == keyed(values[row])
    assert made[140_000] == keyed("7")


def test_persistent_across_data_sets_and_confined_by_dataset_and_scope():
    first = masked(Pseudonymise("id", key=KEY), id=["Ana", "Luis"])["id"].to_list()
    second = masked(Pseudonymise("id", key=KEY), id=["Eva", "Luis"], other=[1, 2])["id"].to_list()
    assert first[1] == second[1]
    one = [
        masked(Pseudonymise("id", key=KEY, **options), id=["Luis"])["id"][0]
        for options in ({}, {"dataset": "a"}, {"dataset": "b"}, {"scope": "a"}, {"scope": "a", "dataset": "b"})
    ]
    other_column = masked(Pseudonymise("name", key=KEY), name=["Luis"])["name"][0]
    other_key = masked(Pseudonymise("id", key=KEY[::-1]), id=["Luis"])["id"][0]
    assert len({*one, other_column, other_key}) == 7
    assert one[0] == first[1]
    same_scope = masked(Pseudonymise("name", key=KEY, scope="id"), name=["Luis"])["name"][0]
    assert same_scope == first[1]


def test_spellings_of_one_identity_agree():
    numbers = [
        pl.Series("id", ["12345678"]),
        pl.Series("id", [12345678]),
        pl.Series("id", [12345678], dtype=pl.Int32),
        pl.Series("id", [12345678.0]),
        pl.Series("id", [" 12345678\t"]),
        pl.Series("id", ["12345678"], dtype=pl.Categorical),
        pl.Series("id", ["12345678 "], dtype=pl.Enum(["12345678 ", "other"])),
    ]
    made = {Pseudonymise("id", key=KEY).apply(column.to_frame())["id"][0] for column in numbers}
    assert made == {keyed("12345678")}
    jose = {masked(Pseudonymise("id", key=KEY), id=[form])["id"][0] for form in ("José", "Jose\u0301", " José ")}
    assert jose == {keyed("José")}
    day = Pseudonymise("id", key=KEY).apply(pl.DataFrame({"id": [dt.date(2001, 2, 3)]}))["id"][0]
    assert day == keyed("2001-02-03")
    assert (
        masked(Pseudonymise("id", key=KEY), id=["01"])["id"][0]
        != masked(Pseudonymise("id", key=KEY), id=["1"])["id"][0]
    )


def test_a_column_name_in_two_unicode_forms_is_one_scope():
    forms = ("identificación", unicodedata.normalize("NFD", "identificación"))
    made = {Pseudonymise(form, key=KEY).apply(pl.DataFrame({form: ["Ana"]}))[form][0] for form in forms}
    assert len(made) == 1


@pytest.mark.parametrize("way", ["env", "file", "passphrase"])
def test_the_key_is_read_when_the_mask_is_applied(way, monkeypatch, tmp_path):
    file = tmp_path / "own.key"
    mask = Pseudonymise("id", key={"env": "CELOSIA_TEST_KEY"} if way != "file" else {"file": file})
    monkeypatch.delenv("CELOSIA_TEST_KEY", raising=False)
    with pytest.raises(InputError):
        masked(mask, id=["Ana"])
    file.write_text(KEY.hex())
    file.chmod(0o600)
    monkeypatch.setenv("CELOSIA_TEST_KEY", KEY.hex() if way == "env" else "a long passphrase")
    made = masked(mask, id=["Ana"])["id"][0]
    assert (made == keyed("Ana")) == (way != "passphrase")
    assert codes(mask, id=["Ana"]) == ([("KEY_IS_PASSPHRASE", "note")] if way == "passphrase" else [])
    if way == "file" and os.name == "posix":
        file.chmod(0o644)
        assert codes(mask, id=["Ana"]) == [("KEY_FILE_OPEN", "warning")]


def test_short_keyed_codes_that_collide_are_refused_with_the_length_that_is_enough():
    people = [f"person {number}" for number in range(2000)]
    mask = Pseudonymise("id", key=KEY, alphabet="digits", length=6)
    with pytest.raises(InputError) as caught:
        masked(mask, id=people)
    plain = [keyed_code(derived_key(KEY, "pseudonym", "id", ""), one, "0123456789", 6) for one in people]
    n_shared = sum(plain.count(code) > 1 for code in plain)
    assert 0 < n_shared < 50
    assert f"{n_shared} of the 2000 different values of 'id' would share a keyed code" in caught.value.message
    assert "length: 15 is enough; or keep the codes in a vault, or draw them without a key" in (caught.value.hint or "")
    assert leaks(caught.value, people[:50]) == []
    enough = Pseudonymise("id", key=KEY, alphabet="digits", length=15)
    assert masked(enough, id=people)["id"].n_unique() == 2000
    assert codes(enough, id=people) == []


def test_an_alphabet_in_which_no_length_is_enough():
    values = [str(number) for number in range(300_000)]
    assert enough_length(300_000, CodeSpace("ab", 18)) == 62
    assert enough_length(3_000_000, CodeSpace("ab", 18)) is None
    with pytest.raises(InputError, match="length: 62 is enough"):
        masked(Pseudonymise("id", key=KEY, alphabet="ab", length=18), id=values)


def test_a_keyed_code_that_is_a_true_value_is_refused():
    own = keyed("Luis", length=4)
    with pytest.raises(InputError, match="1 of the 3 keyed codes of 'id' are equal to a true value"):
        masked(Pseudonymise("id", key=KEY, length=4), id=["Luis", "Ana", own])
    shifted = masked(Pseudonymise("id", key=KEY, length=4, prefix="P"), id=["Luis", "Ana", own])["id"]
    assert shifted.n_unique() == 3


def test_enough_is_the_least_length_with_a_rare_collision():
    for n, alphabet in itertools.product((1, 5, 2000, 10**6), ("digits", "hex", "readable")):
        enough = enough_length(n, CodeSpace(alphabet))
        base = len(ALPHABETS[alphabet])
        pairs = 10 * n * (10 * n - 1) / 2
        assert pairs / base**enough < 1e-6 <= pairs / base ** (enough - 1)
    assert collision_chance(1, 10) == 0
    assert collision_chance(10**9, 10**6) == 1


def test_a_brute_force_of_the_whole_domain_finds_no_one():
    """A11 on 10^5 DNI numbers: whoever has no key tries all of them, hashed in every usual way."""
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    domain = [f"{number:08}{letters[number % 23]}" for number in range(40_000_000, 40_100_000)]
    mask = Pseudonymise("dni", key=KEY, alphabet="hex", length=32)
    published = set(masked(mask, dni=domain)["dni"])
    assert len(published) == 100_000
    attacks = {
        "sha256": lambda value: hashlib.sha256(value).hexdigest(),
        "md5": lambda value: hashlib.md5(value).hexdigest(),
        "sha1": lambda value: hashlib.sha1(value).hexdigest(),
    }
    found = {name: sum(attack(one.encode())[:32] in published for one in domain) for name, attack in attacks.items()}
    # Every number is published: with the right key each try would hit, so that 500 tries for each key are plenty.
    guessable = [b"", b"dni", b"celosia", b"secret", b"password", bytes(32), b"pseudonym", b"0" * 32]
    for key in [*guessable, *(derived_key(key, "pseudonym", "dni", "") for key in guessable)]:
        found[repr(key)] = sum(_hits(key, one, published) for one in domain[:500])
    assert set(found.values()) == {0}
    assert all(_hits(derived_key(KEY, "pseudonym", "dni", ""), one, published) for one in domain[:500])
    plain = {hashlib.sha256(one.encode()).hexdigest()[:32] for one in domain}
    assert sum(attacks["sha256"](one.encode())[:32] in plain for one in domain) == 100_000  # the attack does work


def _hits(key: bytes, value: str, published: set[str]) -> bool:
    """Whether a value is found by HMAC under a key, as Celosía spells it or in hexadecimal, or by a salted hash."""
    tries = [
        keyed_code(key, value, ALPHABETS["hex"], 32),
        hmac.new(key, value.encode(), hashlib.sha256).hexdigest()[:32],
        hmac.new(key, value.encode(), hashlib.md5).hexdigest(),
        hashlib.sha256(key + value.encode()).hexdigest()[:32],
    ]
    return not published.isdisjoint(tries)


# Findings -------------------------------------------------------------------------------------------------------------


def test_dense_codes_are_warned_of():
    mask = Pseudonymise("id", alphabet="digits", length=3)
    assert codes(mask, id=[f"p{number}" for number in range(10)]) == []
    assert codes(mask, id=[f"p{number}" for number in range(11)]) == [("PSEUDONYMS_GUESSABLE", "warning")]
    found = mask.mask(sheet_of(pl.DataFrame({"id": [f"p{number}" for number in range(250)]}))).findings[0]
    assert found.column == "id"
    assert found.message.startswith("One guess in 4 at a pseudonym of 'id' hits somebody: 250 of 1000 possible codes")
    assert codes(Pseudonymise("id", alphabet="digits", length=6), id=NAMES) == []


def test_keyed_codes_too_short_for_later_data_sets_are_noted():
    mask = Pseudonymise("id", key=KEY, alphabet="digits", length=6)
    found = mask.mask(sheet_of(pl.DataFrame({"id": NAMES}))).findings
    assert [(one.code, one.severity) for one in found] == [("PSEUDONYM_SPACE", "note")]
    assert found[0].values == {"chance": "0.001", "enough": 10}
    assert codes(Pseudonymise("id", key=KEY, alphabet="digits", length=10), id=NAMES) == []
    assert codes(Pseudonymise("id", key=KEY, alphabet="digits", length=9), id=NAMES) != []
    assert codes(Pseudonymise("id", alphabet="digits", length=6), id=NAMES) == []


def test_every_sentence_has_its_places_filled():
    findings = [
        *Pseudonymise("id", key=KEY, alphabet="digits", length=2)
        .mask(sheet_of(pl.DataFrame({"id": ["a", "b"]})))
        .findings,
        *Pseudonymise("id", values=["a"], shuffle=False).mask(sheet_of(pl.DataFrame({"id": ["x"]}))).findings,
        *Pseudonymise("id", form="digits").mask(sheet_of(pl.DataFrame({"id": ["1", "22"]}))).findings,
    ]
    assert {one.code for one in findings} == {
        *("PSEUDONYMS_GUESSABLE", "PSEUDONYM_SPACE", "PSEUDONYMS_IN_ORDER", "DIGITS_LENGTH"),
    }
    assert all("{" not in one.message for one in findings)


# The mask as such -----------------------------------------------------------------------------------------------------

SPECS = [
    {"column": "id"},
    {"columns": ["a", "b"], "scope": "person"},
    {"column": "id", "key": {"env": "CELOSIA_KEY"}, "dataset": "exams-2026"},
    {"column": "id", "key": {"file": "keys/own.key"}, "alphabet": "digits", "length": 20, "prefix": "P"},
    {"column": "id", "vault": {"path": "people.vault", "key": {"env": "CELOSIA_KEY"}}},
    {"column": "id", "vault": {"url": {"env": "VAULT"}, "key": {"file": "own.key"}}, "values": ["a", "b"]},
    {"column": "id", "vault": {"url": "postgresql://ana@host/base", "key": {"env": "K"}}, "length": 6},
    {"column": "id", "form": "digits", "length": 8},
    {"column": "id", "form": "digits", "key": {"env": "CELOSIA_KEY"}, "scope": "person"},
    {"column": "id", "values": ["543456", "094532"], "shuffle": False},
    {"column": "id", "values": "codes.txt"},
]


@pytest.mark.parametrize("spec", SPECS, ids=range(len(SPECS)))
def test_a_mask_is_described_as_it_was_given(spec):
    mask = build("masks", {"pseudonymise": spec})
    assert isinstance(mask, Mask)
    options = mask.to_dict()
    assert options.pop("columns") == list(spec.get("columns", [spec.get("column")]))
    assert options == {name: value for name, value in spec.items() if name not in ("column", "columns")}
    again = build("masks", describe(mask))
    assert again == mask
    assert hash(again) == hash(mask)
    assert pickle.loads(pickle.dumps(mask)) == mask


def test_nothing_of_a_key_is_shown():
    mask = Pseudonymise("id", key=KEY)
    assert leaks("\n".join([repr(mask), str(mask), str(mask.to_dict()), str(describe(mask))]), [KEY.hex()]) == []
    assert mask.to_dict() == {"columns": ["id"], "key": "..."}
    assert "KeySource(...)" in repr(mask)


def test_sources_that_a_plan_has_resolved_are_taken(tmp_path):
    source = KeySource.of({"file": "own.key"}, folder=tmp_path)
    assert Pseudonymise("id", key=source).key is source
    vault = VaultSource.of({"path": "people.vault", "key": {"file": "own.key"}}, tmp_path)
    mask = Pseudonymise("id", vault=vault)
    assert mask.vault is vault
    assert mask.kept_apart == (tmp_path / "people.vault", tmp_path / "own.key")
    assert Pseudonymise("id", key=source).kept_apart == (tmp_path / "own.key",)
    assert Pseudonymise("id", key=KEY).kept_apart == ()
    assert Pseudonymise("id").kept_apart == ()


@pytest.mark.parametrize(
    ("options", "about"),
    [
        ({"key": "secret text"}, "key"),
        ({"key": {"value": "x"}}, "key"),
        ({"key": KEY, "vault": {"path": "p", "key": KEY}}, "vault"),
        ({"vault": "people.vault"}, "vault"),
        ({"vault": {"path": "p"}}, "vault"),
        ({"vault": {"url": "postgresql://ana:secret@host/base", "key": KEY}}, "vault"),
        ({"vault": 5}, "vault"),
        ({"vault": {"path": "p", "key": "text"}}, "key"),
        ({"dataset": "x"}, "dataset"),
        ({"dataset": "", "key": KEY}, "dataset"),
        ({"dataset": "a@b", "key": KEY}, "dataset"),
        ({"dataset": 5, "key": KEY}, "dataset"),
        ({"scope": ""}, "scope"),
        ({"scope": "a@b"}, "scope"),
        ({"scope": "a\nb"}, "scope"),
        ({"scope": "x" * 100}, "scope"),
        ({"scope": ["a"]}, "scope"),
        ({"form": "numbers"}, None),
        ({"alphabet": "aa"}, "alphabet"),
        ({"alphabet": 5}, "alphabet"),
        ({"length": 0}, "length"),
        ({"length": 65}, "length"),
        ({"length": "6"}, "length"),
        ({"length": True}, "length"),
        ({"prefix": "="}, "prefix"),
        ({"key": KEY, "alphabet": "digits", "length": 53}, "length"),
        ({"values": []}, "values"),
        ({"values": ["a", "a"]}, "values"),
        ({"values": [94532]}, "values"),
        ({"values": 5}, "values"),
        ({"values": ""}, "values"),
        ({"values": ["a"], "key": KEY}, "key"),
        ({"values": ["a"], "length": 6}, "length"),
        ({"values": ["a"], "prefix": "P"}, "prefix"),
        ({"values": ["a"], "alphabet": "digits"}, "alphabet"),
        ({"shuffle": False}, "shuffle"),
        ({"shuffle": "no", "values": ["a"]}, "shuffle"),
        ({"form": "digits", "vault": {"path": "p", "key": KEY}}, "vault"),
        ({"form": "digits", "values": ["1"]}, "values"),
        ({"form": "digits", "alphabet": "digits"}, "alphabet"),
        ({"form": "digits", "prefix": "P"}, "prefix"),
        ({"form": "digits", "length": 19}, "length"),
    ],
)
def test_options_that_are_refused(options, about):
    with pytest.raises(OptionError) as caught:
        Pseudonymise("id", **options)
    assert caught.value.about == about
    assert caught.value.hint
    assert leaks(caught.value, ["secret text", "ana:secret"]) == [] or "secret" in str(options.get("key"))
    assert "secret" not in str(caught.value).replace("no secret any more", "")


@pytest.mark.parametrize(
    "options", [{}, {"column": "a", "columns": ["b"]}, {"columns": []}, {"columns": ["a", "a"]}, {"column": 5}]
)
def test_columns_that_are_refused(options):
    with pytest.raises(OptionError):
        Pseudonymise(**options)


def test_a_column_with_an_at_needs_a_scope_in_a_vault():
    vault = {"path": "people.vault", "key": KEY}
    with pytest.raises(OptionError, match="holds an @"):
        Pseudonymise("e@mail", vault=vault)
    assert Pseudonymise("e@mail", vault=vault, scope="mail").scope == "mail"
    assert Pseudonymise("e@mail", key=KEY).uses == ("e@mail",)


def test_a_column_that_is_not_there_is_refused_before_anything_is_read():
    mask = Pseudonymise(columns=["id", "nmae"], key={"env": "CELOSIA_NOT_SET"})
    with pytest.raises(ColumnNotFoundError, match="'nmae' is not a column"):
        masked(mask, id=["1"], name=["a"])


def test_what_the_mask_says_it_did():
    sheet = Pseudonymise(columns=["a", "b"]).mask(sheet_of(pl.DataFrame({"a": [1], "b": ["x"], "c": [2]})))
    assert [(one.column, one.verb, one.kind) for one in sheet.changes] == [
        ("a", "pseudonymised", cl.Category()),
        ("b", "pseudonymised", cl.Category()),
    ]
    assert sheet.frame.columns == ["a", "b", "c"]
    assert Pseudonymise.leaves.called == "pseudonymised"
    assert cl.mask(pl.DataFrame({"a": ["x"]}), Pseudonymise("a")).called == ["pseudonymised"]


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_other_frames_come_back_as_their_kind(kind):
    frame = pl.DataFrame({"name": ["Ana", None, "Ana"]})
    native = frame.to_pandas() if kind == "pandas" else frame.to_arrow()
    made = Pseudonymise("name", key=KEY, scope="id").apply(native)
    assert type(made) is type(native)
    back = pl.from_pandas(made) if kind == "pandas" else pl.from_arrow(made)
    assert back["name"].to_list() == [keyed("Ana"), None, keyed("Ana")]


def test_missing_numbers_are_no_people():
    made = masked(Pseudonymise("x", key=KEY), x=[1.5, float("nan"), None, 1.5])["x"].to_list()
    assert made[1] is made[2] is None
    assert made[0] == made[3] == keyed("1.5", scope="x")


def test_one_number_has_one_code_whatever_type_it_is_stored_as():
    number = 12_345_678_901_234_560
    ways = [
        pl.Series("id", [number]),
        pl.Series("id", [str(number)]),
        pl.Series("id", [float(number)]),
        pl.Series("id", [number]).cast(pl.Decimal(30, 2)),
    ]
    assert {Pseudonymise("id", key=KEY).apply(way.to_frame())["id"][0] for way in ways} == {keyed(str(number))}
    zeros = masked(Pseudonymise("id", key=KEY), id=[0.0, -0.0])["id"]
    assert zeros.to_list() == [keyed("0")] * 2
    assert masked(Pseudonymise("id", key=KEY), id=[2.5, 1e300])["id"].to_list() == [keyed("2.5"), keyed("1e300")]


def test_a_day_and_its_midnight_are_one_value():
    days = masked(Pseudonymise("id", key=KEY), id=[dt.date(2001, 2, 3)])["id"]
    moments = masked(Pseudonymise("id", key=KEY), id=[dt.datetime(2001, 2, 3), dt.datetime(2001, 2, 3, 4), None])["id"]
    assert days.to_list() == [keyed("2001-02-03")]
    assert moments.to_list() == [keyed("2001-02-03"), keyed("2001-02-03T04:00:00"), None]


def test_a_list_of_codes_under_a_path_that_no_system_knows_is_refused():
    with pytest.raises(InputError, match="cannot be read"):
        masked(Pseudonymise("id", values="a\0b"), id=["1"])
