"""Where a vault is: what a plan may say, and that no password stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from leaks import leaks

from celosia.base.errors import InputError, OptionError
from celosia.base.keys import KeySource
from celosia.masks.vault.source import VaultSource

KEY = {"env": "CELOSIA_TEST_KEY"}
PASSWORD = "hunter2-hunter2"


@pytest.mark.parametrize(
    "given",
    [
        {"path": "people.vault", "key": KEY},
        {"path": "/srv/people.vault", "key": {"file": "own.key"}},
        {"url": "postgresql://host/base", "key": KEY},
        {"url": "postgresql+psycopg://ana@host:5432/base?sslmode=require", "key": KEY},
        {"url": "postgresql://ana@[::1]:5432/base", "key": KEY},
        {"url": "postgresql://celosia@/postgres?host=/tmp/socket", "key": KEY},
        {"url": {"env": "CELOSIA_VAULT"}, "key": KEY},
    ],
)
def test_a_source_is_described_as_it_was_given(given):
    source = VaultSource.of(given)
    assert source.to_dict() == given
    assert VaultSource.of(source.to_dict()) == source
    assert VaultSource.of(source) is source
    assert hash(source) == hash(VaultSource.of(dict(given)))
    assert source.file == (Path(given["path"]) if "path" in given else None)


def test_relative_paths_start_where_the_plan_lies(tmp_path):
    source = VaultSource.of({"path": "people.vault", "key": {"file": "own.key"}}, tmp_path)
    assert source.file == tmp_path / "people.vault"
    assert source.key == KeySource.of({"file": tmp_path / "own.key"})
    assert VaultSource.of({"path": Path("/srv/p.vault"), "key": KEY}, tmp_path).file == Path("/srv/p.vault")


@pytest.mark.parametrize(
    "given",
    [
        None,
        5,
        "people.vault",
        f"postgresql://ana:{PASSWORD}@host/base",
        [],
        {},
        {"path": "people.vault"},
        {"key": KEY},
        {"path": "people.vault", "url": "postgresql://host/base", "key": KEY},
        {"path": "people.vault", "key": KEY, "limit": 20},
        {"path": "", "key": KEY},
        {"path": 5, "key": KEY},
        {"path": f"postgresql://ana:{PASSWORD}@host/base", "key": KEY},
        {"path": "people.vault", "key": PASSWORD},
        {"path": "people.vault", "key": None},
        {"url": "", "key": KEY},
        {"url": 5, "key": KEY},
        {"url": {"env": ""}, "key": KEY},
        {"url": {"env": "A B"}, "key": KEY},
        {"url": {"file": "x"}, "key": KEY},
        {"url": {"env": "A", "file": "x"}, "key": KEY},
        {"url": "sqlite:///people.vault", "key": KEY},
        {"url": f"mysql://ana:{PASSWORD}@host/base", "key": KEY},
    ],
)
def test_what_names_no_vault_is_refused(given):
    with pytest.raises(OptionError) as caught:
        VaultSource.of(given)
    assert caught.value.about in ("vault", "key")
    assert caught.value.hint
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ana:{PASSWORD}@host/base",
        f"postgresql+psycopg://ana:{PASSWORD}@host:5432/base",
        f"postgresql://:{PASSWORD}@host/base",
        f"postgresql://ana:{PASSWORD}/#?x@host/base",
        f"postgresql://ana:one@two{PASSWORD}@host/base",
        f"postgresql://host/base?user=ana&password={PASSWORD}",
        f"postgresql://host/base?sslpassword={PASSWORD}",
        f"postgresql://host/base?user=ana&pass%77ord={PASSWORD}",
        f"postgresql://host/base?PASSWORD = {PASSWORD}",
    ],
)
def test_a_password_in_an_address_is_refused(url):
    with pytest.raises(OptionError, match="must not hold a password") as caught:
        VaultSource.of({"url": url, "key": KEY})
    assert leaks(str(caught.value), [PASSWORD]) == []
    assert "{url: {env: NAME}}" in str(caught.value)


def test_a_variable_that_holds_no_address(monkeypatch):
    source = VaultSource.of({"url": {"env": "CELOSIA_TEST_VAULT"}, "key": KEY})
    monkeypatch.delenv("CELOSIA_TEST_VAULT", raising=False)
    with pytest.raises(InputError, match="'CELOSIA_TEST_VAULT' holds no address of a vault: it is not set"):
        source.open()
    monkeypatch.setenv("CELOSIA_TEST_VAULT", "")
    with pytest.raises(InputError, match="it is empty"):
        source.open()


def test_an_address_of_a_variable_is_shown_nowhere(monkeypatch):
    monkeypatch.setenv("CELOSIA_TEST_VAULT", f"postgresql://ana:{PASSWORD}@host/base")
    source = VaultSource.of({"url": {"env": "CELOSIA_TEST_VAULT"}, "key": KEY})
    assert leaks(f"{source!r} {source} {source.to_dict()}", [PASSWORD]) == []


def test_the_vault_of_a_file_is_opened(tmp_path, monkeypatch):
    from celosia.masks.vault import Vault

    monkeypatch.setenv("CELOSIA_TEST_KEY", bytes(range(32)).hex())
    made = Vault.create(tmp_path / "people.vault", KeySource.of(KEY), limit=7)
    added = made.add(["Ana"], scope="student")
    opened = VaultSource.of({"path": "people.vault", "key": KEY}, tmp_path).open()
    assert opened.limit == 7
    assert opened.add(["Ana"], scope="student").pseudonyms == added.pseudonyms
