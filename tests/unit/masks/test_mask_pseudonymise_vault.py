"""Pseudonymise with a vault: persistent, reversible within the limit, and nothing stored when nothing is handed out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from leaks import leaks

from celosia.base.errors import InputError, VaultError
from celosia.masks import Pseudonymise
from celosia.masks.base import sheet_of
from celosia.masks.pseudonyms.sources import scope_of_dataset
from celosia.masks.vault import Vault

KEY = bytes.fromhex("8f1b6f0c2ad94e3b7705c1e29a64d8f3b21c5a7e9f00431dd2c6e8b4713f5a90")
PERSON = "Luis Canario"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault.create(tmp_path / "people.vault", KEY)


def masked(mask: Pseudonymise, **columns: list) -> pl.DataFrame:
    return mask.mask(sheet_of(pl.DataFrame(columns, strict=False))).frame


def test_codes_are_kept_and_lead_back(vault):
    mask = Pseudonymise("name", vault=vault, alphabet="digits", length=9)
    first = masked(mask, name=["Luis", "Amparo ", None, "Luis"])["name"].to_list()
    assert first[0] == first[3] != first[1]
    assert first[2] is None
    assert vault.lookup([first[1], first[0]]) == {first[1]: "Amparo", first[0]: "Luis"}
    later = masked(mask, name=["Eva", "Amparo"])["name"].to_list()
    assert later[1] == first[1]
    assert later[0] not in first
    assert vault.summary()["n_identities"] == 3


def test_a_vault_is_opened_where_a_plan_says(vault, tmp_path, monkeypatch):
    monkeypatch.setenv("CELOSIA_TEST_KEY", KEY.hex())
    named = {"path": str(tmp_path / "people.vault"), "key": {"env": "CELOSIA_TEST_KEY"}}
    by_name = masked(Pseudonymise("name", vault=named), name=["Luis"])["name"]
    assert masked(Pseudonymise("name", vault=vault), name=["Luis"])["name"].equals(by_name)
    monkeypatch.setenv("CELOSIA_TEST_KEY", KEY[::-1].hex())
    with pytest.raises(VaultError) as caught:
        masked(Pseudonymise("name", vault=named), name=[PERSON])
    assert leaks(caught.value, [KEY.hex(), KEY[::-1].hex(), PERSON]) == []
    with pytest.raises(VaultError):
        masked(Pseudonymise("name", vault={**named, "path": str(tmp_path / "none.vault")}), name=["Luis"])
    assert not (tmp_path / "none.vault").exists()


def test_scopes_and_data_sets_have_codes_of_their_own(vault):
    one = [
        masked(Pseudonymise("id", vault=vault, **options), id=["Luis"])["id"][0]
        for options in (
            {},
            {"dataset": "a"},
            {"dataset": "b"},
            {"scope": "student"},
            {"scope": "student", "dataset": "a"},
        )
    ]
    assert len(set(one)) == 5
    assert set(vault.summary()["scopes"]) == {"id", "id@a", "id@b", "student", "student@a"}
    together = masked(
        Pseudonymise(columns=["a", "b"], scope="student", vault=vault), a=["Luis", "Ana"], b=["Ana", "Luis"]
    )
    assert together["a"].to_list() == together["b"].to_list()[::-1]
    assert together["a"][0] == one[3]


def test_a_scope_in_a_data_set_is_told_from_every_other():
    names = [scope_of_dataset(scope, dataset) for scope in ("a", "b", "a b") for dataset in ("", "a", "b", "a b")]
    assert len(set(names)) == len(names)


def test_a_list_in_a_vault_is_used_up_over_data_sets(vault):
    mask = Pseudonymise("name", vault=vault, values=["543456", "094532", "125214"], shuffle=False)
    assert masked(mask, name=["Luis", "Ana"])["name"].to_list() == ["543456", "094532"]
    assert masked(mask, name=["Ana", "Eva"])["name"].to_list() == ["094532", "125214"]
    with pytest.raises(InputError, match="1 codes are wanted; of the 3 in the list 0 are left"):
        masked(mask, name=["Pedro"])


def test_a_known_code_that_is_a_true_value_is_refused(vault):
    mask = Pseudonymise("id", vault=vault, alphabet="digits", length=4)
    code = masked(mask, id=["Luis"])["id"][0]
    with pytest.raises(InputError, match="1 of the 2 codes that the vault has for 'id' are equal to a true value"):
        masked(mask, id=["Luis", code])


def test_dense_codes_count_all_that_the_vault_keeps(vault):
    mask = Pseudonymise("id", vault=vault, alphabet="digits", length=3)
    assert mask.mask(sheet_of(pl.DataFrame({"id": [f"p{number}" for number in range(6)]}))).findings == ()
    found = mask.mask(sheet_of(pl.DataFrame({"id": [f"q{number}" for number in range(6)]}))).findings
    assert [one.code for one in found] == ["PSEUDONYMS_GUESSABLE"]
    assert found[0].values["count"] == 12


def test_a_rehearsal_stores_nothing(vault):
    mask = Pseudonymise("id", vault=vault, prefix="P", length=6)
    sheet = replace(sheet_of(pl.DataFrame({"id": ["Luis", "Ana", "Luis"]})), rehearsal=True)
    made = mask.mask(sheet).frame["id"].to_list()
    assert made[0] == made[2] != made[1]
    assert all(len(code) == 7 and code[0] == "P" for code in made)
    assert vault.summary()["n_identities"] == 0
    assert [line.action for line in vault.log().lines] == ["create"]


def test_columns_are_looked_for_before_anything_is_stored(vault):
    with pytest.raises(InputError, match="'missing' is not a column"):
        masked(Pseudonymise(columns=["id", "missing"], vault=vault), id=["Luis"])
    assert vault.summary()["n_identities"] == 0


def test_a_mask_with_a_vault_shows_no_key(vault):
    mask = Pseudonymise("id", vault=vault)
    assert mask.to_dict() == {"columns": ["id"], "vault": "..."}
    assert leaks(f"{mask!r} {mask} {mask.to_dict()}", [KEY.hex()]) == []
    assert hash(mask) == hash(Pseudonymise("id", vault=vault))
    assert mask == Pseudonymise("id", vault=vault)
