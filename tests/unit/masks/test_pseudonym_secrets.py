"""Keys, passphrases, derived keys and identities are in nothing that is written, printed, raised, shown or logged."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from leaks import leaks, said

import celosia as cl
from celosia.base.keys import KeySource, Secret, derived, stretched
from celosia.cli import app
from celosia.masks import Pseudonymise
from celosia.masks.vault import Vault
from celosia.masks.vault.source import VaultSource

KEY = bytes.fromhex("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
PASSPHRASE = "correct horse battery staple «ñandú»"
N = 30
# So long that no figure of a report holds one by chance.
DNIS = [f"{540_000_170_000_083 + row * 1_234_567_890_123:015d}" for row in range(N)]
PLAN = """\
input: people.csv
schema:
  identifiers: [dni]
  quasi_identifiers: {{age: number, town: category}}
  sensitive: [pay]
masks:
  - pseudonymise: {{column: dni, {option}}}
models:
  - k_anonymity: {{k: {k}}}
"""


@dataclass(frozen=True)
class Given:
    """A way to give a key, and what it makes a secret of."""

    option: str
    secrets: list[Any]
    file: str = ""
    """What no file may name: where the key or the vault is."""


def _of_key(master: bytes) -> list[Any]:
    made = [derived(master, kind, "dni", "") for kind in ("pseudonym", "digits")]
    return [master, master.hex(), *made]


STRETCHED = stretched(PASSPHRASE.encode(), b"celosia: pseudonyms, version 1")
GIVEN = {
    "a key in the environment": Given("key: {env: OWN_SECRET}", _of_key(KEY)),
    "a key file": Given("key: {file: safe/own-key-file}", _of_key(KEY), "own-key-file"),
    "a passphrase in the environment": Given("key: {env: OWN_PHRASE}", [PASSPHRASE, *_of_key(STRETCHED)]),
    "digits": Given("key: {env: OWN_SECRET}, form: digits", _of_key(KEY)),
    "a vault by its key": Given("vault: {path: safe/own-vault, key: {env: OWN_SECRET}}", [KEY, KEY.hex()], "own-vault"),
    "a vault by its passphrase": Given(
        "vault: {path: safe/own-phrase, key: {env: OWN_PHRASE}}", [PASSPHRASE], "own-phrase"
    ),
}


@pytest.fixture(params=list(GIVEN))
def given(request) -> Given:
    return GIVEN[request.param]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OWN_SECRET", KEY.hex())
    monkeypatch.setenv("OWN_PHRASE", PASSPHRASE)
    (tmp_path / "safe").mkdir(mode=0o700)
    (tmp_path / "safe" / "own-key-file").write_text(KEY.hex())
    pl.DataFrame(
        {
            "dni": DNIS,
            "age": [20 + row % 9 for row in range(N)],
            "town": ["Soria", "Lugo", "Jaca"] * (N // 3),
            "pay": [1000 + row for row in range(N)],
        }
    ).write_csv(tmp_path / "people.csv")
    return tmp_path


def with_vault(folder: Path, given: Given) -> list[Any]:
    """Make the vault that a way names; return the secrets, its own keys among them."""
    if not given.option.startswith("vault"):
        return [*given.secrets, *DNIS]
    named = VaultSource.of(_parsed(given.option)["vault"], folder)
    vault = Vault.create(named.path, named.key)
    data_key = next(iter(vault._sealers.values())).data_key
    return [*given.secrets, data_key, *(derived(data_key, "index", "dni"),), *DNIS]


def _parsed(option: str) -> dict[str, Any]:
    from ruamel.yaml import YAML

    return YAML(typ="safe").load("{" + option + "}")


def write_plan(folder: Path, option: str, k: int = 3) -> Path:
    (folder / "plan.yaml").write_text(PLAN.format(option=option, k=k))
    return folder / "plan.yaml"


class Heard(logging.Handler):
    """Keeps all that is logged."""

    def __init__(self) -> None:
        super().__init__(0)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{record.getMessage()} {record.__dict__!r}")


@pytest.fixture
def celosia(capfd, monkeypatch):
    """Run the command line in this process; return the exit code and all that it prints or logs."""
    heard, root = Heard(), logging.getLogger()
    level = root.level
    root.addHandler(heard)
    root.setLevel(1)

    def run(*arguments: str) -> tuple[int, str]:
        heard.texts.clear()
        code = 0
        try:
            app(list(arguments), standalone_mode=False)
        except SystemExit as error:
            code = int(error.code or 0)
        except Exception as error:  # such as typer.Exit, which is a plain exception here
            code = getattr(error, "exit_code", 99)
        printed = capfd.readouterr()
        return code, printed.out + printed.err + "\n".join(heard.texts)

    yield run
    root.removeHandler(heard)
    root.setLevel(level)


def test_the_scanner_finds_keys_in_every_form_they_take():
    import base64

    for shown in (KEY, KEY.hex(), KEY.hex().upper(), repr(KEY), str(list(KEY)), base64.b64encode(b"x" + KEY).decode()):
        assert leaks(shown, [KEY]) != []
    assert leaks(KEY[:31], [KEY]) == []


def test_nothing_that_is_written_or_printed_holds_a_secret(folder, given, celosia):
    secrets = with_vault(folder, given)
    plan = str(write_plan(folder, given.option))
    mask = "{pseudonymise: {column: dni, " + given.option + "}}"
    (folder / "masked").mkdir()
    commands = [
        ["run", plan, "--out", "one"],
        ["run", plan, "--out", "two", "--json", "--lang", "es", "--utility", "--by", "town"],
        ["run", plan, "--dry-run", "--json"],
        ["frontier", plan, "--k", "2,5", "--out", "frontier.html"],
        ["frontier", plan, "--k", "3", "--json"],
        ["mask", "people.csv", "--mask", mask, "-o", "masked/people.csv", "--json"],
        ["mask", "people.csv", "--mask", mask, "-o", "masked/people.xlsx"],
        ["check", "one/data.csv", "--quasi-identifiers", "age,town", "--json"],
        ["compare", "people.csv", "one/data.csv", "--plan", plan, "--record", "one/internal/record.json"],
    ]
    is_digits = "digits" in given.option  # there a code may be somebody's true number, if not in thirty
    for command in commands:
        code, printed = celosia(*command)
        assert code == 0, printed
        assert leaks(printed, secrets) == [], command
        if given.file:
            assert given.file not in printed.replace(mask, ""), command
    for written in ("one", "two", "masked", "frontier.html"):
        assert leaks(folder / written, secrets) == [], written
    assert is_digits or len(set(cl.io.read(folder / "one" / "data.csv").frame["dni"])) == N
    for written in (folder / "one").rglob("*"):
        if written.is_file() and written.suffix in (".csv", ".json", ".html"):
            text = written.read_text()
            assert "safe/" not in text
            assert not given.file or given.file not in text
            assert ("OWN_" in text) <= (written.parent.name == "internal")  # the name of a variable stays in the house


def test_nothing_that_shows_an_object_shows_a_secret(folder, given):
    secrets = with_vault(folder, given)
    config = cl.load(write_plan(folder, given.option))
    release = config.plan.run(config.table())
    mask = config.plan.masks[0]
    masked = cl.mask(config.table(), mask)
    shown = [config, config.plan, mask, release, release.plan, masked, mask.key, mask.vault, release.masked.changes]
    if isinstance(mask.vault, VaultSource):
        shown.append(mask.vault.open())
    shown += [
        release.summary,
        release.claim,
        config.plan.to_dict(),
        config.plan.to_dict(values=False),
        masked.to_dict(),
    ]
    for one in shown:
        assert leaks(f"{one!r} {one!s} {one:}" if not isinstance(one, dict) else repr(one), secrets) == []
        assert leaks(_pickled(one), secrets[: -len(DNIS)]) == []
    assert given.file not in repr(config.plan.to_dict(values=False)) if given.file else True


def _pickled(thing: Any) -> bytes:
    """Return the pickle of a thing; nothing where it has none."""
    try:
        return pickle.dumps(thing)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        return said(error).encode()


def test_a_key_that_a_program_gives_is_not_shown_pickled_or_described():
    mask = Pseudonymise("dni", key=KEY)
    vaulted = VaultSource.of({"path": "people.vault", "key": KEY})
    for one in (mask, mask.key, mask.key.given, vaulted, cl.Plan(models=[cl.KAnonymity(2)], masks=[mask])):
        assert leaks(f"{one!r} {one!s}", [KEY]) == []
        with pytest.raises(TypeError, match="secret") as caught:
            pickle.dumps(one)
        assert leaks(caught.value, [KEY]) == []
    assert copy.deepcopy(mask) == copy.copy(mask) == mask
    with pytest.raises(cl.OptionError) as failed:
        Pseudonymise("dni", key=KEY, length=0)
    within = failed.tb.tb_next.tb_next  # the frames of the program and of __init__ hold what the program gave
    assert leaks(shown_whole(failed.value.with_traceback(within)), [KEY]) == []
    assert mask.to_dict()["key"] == "..."
    assert leaks(repr(mask.to_dict()), [KEY]) == []


# Errors ---------------------------------------------------------------------------------------------------------------


def shown_whole(error: BaseException) -> str:
    """Return an error as the most detailed traceback shows it: all frames with all their locals, and all causes."""
    texts, seen = [], set()
    left: list[BaseException | None] = [error]
    while left:
        one = left.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            told = traceback.TracebackException.from_exception(one, capture_locals=True, max_group_width=99)
            texts += told.format()
            left += [one.__cause__, one.__context__]
    return "\n".join(texts)


def failing(folder: Path, option: str, change=lambda: None) -> BaseException:
    """Return the error of a run; its own frames come first, those of the test are left out."""
    config = cl.load(write_plan(folder, option))
    table = config.table()
    change()
    with pytest.raises((cl.CelosiaError, MemoryError)) as caught:
        config.plan.run(table)
    return caught.value.with_traceback(caught.tb.tb_next)


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def test_no_error_shows_a_key_even_with_all_locals(folder, monkeypatch):
    secrets = [KEY, KEY.hex(), PASSPHRASE, *_of_key(KEY), *_of_key(STRETCHED)]
    Vault.create(folder / "safe" / "v", {"env": "OWN_SECRET"})
    monkeypatch.setenv("OTHER_SECRET", KEY[::-1].hex())
    (folder / "safe" / "long").write_text(KEY.hex() * 2000)
    (folder / "safe" / "guessable").write_bytes(b"\xff" * 40)
    errors = [
        failing(folder, "key: {env: OWN_SECRET}, alphabet: digits, length: 1"),
        failing(folder, "key: {env: OWN_PHRASE}, alphabet: digits, length: 1"),
        failing(folder, "key: {env: OWN_SECRET}, alphabet: '01', length: 5"),
        failing(folder, "key: {file: safe/long}"),
        failing(folder, "key: {file: safe/guessable}"),
        failing(folder, "vault: {path: safe/v, key: {env: OTHER_SECRET}}"),
        failing(folder, "vault: {path: safe/v, key: {env: OWN_PHRASE}}"),
        failing(folder, "vault: {path: safe/none, key: {env: OWN_SECRET}}"),
        failing(folder, "vault: {path: safe/v, key: {env: OWN_SECRET}}, alphabet: digits, length: 1"),
        failing(folder, "vault: {path: safe/v, key: {env: OWN_SECRET}}, values: ['1']"),
        failing(
            folder,
            "vault: {path: safe/v, key: {env: OWN_SECRET}}",
            lambda: (folder / "safe" / "v").write_bytes((folder / "safe" / "v").read_bytes()[:5000]),
        ),
    ]
    secrets += [KEY[::-1], KEY[::-1].hex()]
    for error in errors:
        assert isinstance(error, cl.CelosiaError), said(error)
        assert leaks(shown_whole(error), secrets) == []
        assert leaks(error, [*secrets, *DNIS]) == []


@pytest.mark.parametrize("held", ["hunter2", "a" * 64, "ab" * 32, "kurz und"])
def test_what_is_no_key_is_not_repeated(folder, monkeypatch, held):
    monkeypatch.setenv("OWN_SECRET", held)
    (folder / "safe" / "wrong").write_text(held)
    for option in ("key: {env: OWN_SECRET}", "key: {file: safe/wrong}"):
        error = failing(folder, option)
        assert isinstance(error, cl.InputError)
        assert leaks(shown_whole(error), [held]) == []


def test_digits_that_do_not_fit_show_no_key(folder):
    people = pl.read_csv(folder / "people.csv", infer_schema=False)
    people.with_columns(dni=pl.lit("x") + pl.col("dni")).write_csv(folder / "x.csv")
    (folder / "x.csv").replace(folder / "people.csv")
    error = failing(folder, "key: {env: OWN_SECRET}, form: digits")
    assert leaks(shown_whole(error), _of_key(KEY)) == []


def test_an_error_within_shows_no_key_even_with_all_locals(folder, monkeypatch):
    """Let the innermost steps fail as no test of Celosía's own would: out of memory."""

    def fail(*_: Any, **__: Any) -> Any:
        raise MemoryError

    import celosia.masks.pseudonyms.keyed as keyed
    import celosia.masks.pseudonyms.permuted_digits as permuted_digits

    monkeypatch.setattr(keyed, "hmac_sha256", fail)
    monkeypatch.setattr(permuted_digits, "ff1", fail)
    for option in ("key: {env: OWN_SECRET}", "key: {env: OWN_SECRET}, form: digits"):
        error = failing(folder, option)
        assert isinstance(error, MemoryError)
        assert leaks("".join(traceback.format_exception(error)), [*_of_key(KEY), *DNIS]) == []


@pytest.mark.parametrize("debug", [{}, {"CELOSIA_DEBUG": "1"}])
def test_a_failing_command_prints_no_secret_in_the_most_talkative_python(folder, debug):
    Vault.create(folder / "safe" / "v", {"env": "OWN_SECRET"})
    _flip(folder / "safe" / "v", 12)
    for option in ("vault: {path: safe/v, key: {env: OWN_SECRET}}", "key: {env: OWN_SECRET}, length: 1"):
        plan = write_plan(folder, option)
        found = subprocess.run(
            [sys.executable, "-X", "dev", "-c", "from celosia.cli import main; main()", "run", str(plan), "--out", "o"],
            capture_output=True,
            env={**os.environ, **debug, "COLUMNS": "200"},
            check=False,
        )
        assert found.returncode not in (0, 70), found.stderr
        assert leaks(found.stdout + found.stderr, [*_of_key(KEY), PASSPHRASE, *DNIS]) == []
        assert not (folder / "o").exists()


def test_tracebacks_of_the_command_line_show_no_locals():
    assert app.pretty_exceptions_enable is False
    assert app.pretty_exceptions_show_locals is False


def test_a_key_source_tells_where_and_never_what():
    assert repr(KeySource.of({"env": "OWN_SECRET"})) == "KeySource(env='OWN_SECRET')"
    assert leaks(repr(Secret.of_text(KEY.hex(), "x")) + repr(Secret.of_text(PASSPHRASE, "x")), [KEY, PASSPHRASE]) == []
