"""Damaged, doctored and crowded vaults: the right answer or a clear error, never a wrong one.

Nobody gets another's identity, a second pseudonym or another's, whichever byte of the file is changed.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from leaks import leaks
from vault_doctor import doctor
from vault_writers import KEY, OTHER_KEY, names, result, started

from celosia.base.errors import VaultError
from celosia.masks.vault import sqlite_store
from celosia.masks.vault.vault import Vault

PEOPLE = ["Ana Belén", "Luis", "José Ñúñez", "Eva"]


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk: these tests open hundreds of files, and do not pull the plug."""
    quick = tuple(pragma.replace("EXTRA", "OFF") for pragma in sqlite_store._PRAGMAS)
    assert quick != sqlite_store._PRAGMAS
    monkeypatch.setattr(sqlite_store, "_PRAGMAS", quick)


class Sample:
    """A small vault in a file, its bytes, and what is right about it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        vault = Vault.create(file, KEY, limit=100)
        self.pseudonyms = vault.add(PEOPLE, scope="name").pseudonyms
        (self.other,) = vault.add(PEOPLE[:1], scope="other").pseudonyms
        (self.forgotten,) = vault.add(["gone"], scope="name").pseudonyms
        vault.forget([self.forgotten])
        self.content = file.read_bytes()
        self.right = dict(zip(self.pseudonyms, PEOPLE, strict=True)) | {self.other: PEOPLE[0], self.forgotten: None}
        self.actions = [line.action for line in vault.log().lines]

    def n_refused(self, content: bytes) -> int:
        """Put other bytes in the file and use the vault; return how often it refused, if all else was right."""
        refused: list[VaultError] = []
        for use in (self.look_up, self.add, self.read_log, self.rotate):
            self.file.write_bytes(content)
            try:
                use(Vault.open(self.file, KEY))
            except VaultError as error:
                refused.append(error)
            for left in self.file.parent.glob(f"{self.file.name}-*"):
                left.unlink()
        assert not any(leaks(error, PEOPLE[:1]) for error in refused)
        return len(refused)

    def look_up(self, vault: Vault) -> None:
        assert vault.lookup(list(self.right)) == self.right

    def add(self, vault: Vault) -> None:
        added = vault.add([*PEOPLE, "somebody new"], scope="name")
        assert added.pseudonyms[:-1] == self.pseudonyms
        assert added.pseudonyms[-1] not in self.right
        assert vault.lookup(added.pseudonyms[-1:]) == {added.pseudonyms[-1]: "somebody new"}

    def read_log(self, vault: Vault) -> None:
        assert [line.action for line in vault.log().lines] == self.actions

    def rotate(self, vault: Vault) -> None:
        assert vault.rotate(OTHER_KEY) == 5
        assert Vault.open(self.file, OTHER_KEY).lookup(list(self.right)) == self.right


@pytest.fixture
def sample(tmp_path: Path, unsynced: None) -> Sample:
    return Sample(tmp_path / "people.vault")


def flipped(content: bytes, place: int, mask: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= mask
    return bytes(changed)


def test_an_undamaged_file_is_right_throughout(sample: Sample) -> None:
    assert sample.n_refused(sample.content) == 0


def test_flipped_bytes_never_give_a_wrong_answer(sample: Sample) -> None:
    """Of the bytes that are used some 300 at random, each changed in a random way."""
    randoms = random.Random(8)
    used = [place for place, byte in enumerate(sample.content) if byte]
    refused = [
        sample.n_refused(flipped(sample.content, place, randoms.randrange(1, 256)))
        for place in randoms.sample(used, 300)
    ]
    assert sum(map(bool, refused)) > 100, "most of these bytes should matter"


@pytest.mark.slow
def test_no_byte_in_use_gives_a_wrong_answer_when_flipped(sample: Sample) -> None:
    """Every byte that is not 0, every byte of a page's header, and every ninth of the rest, which is mostly unused."""
    for place, byte in enumerate(sample.content):
        if byte or place % 4096 < 100 or place % 9 == 0:
            sample.n_refused(flipped(sample.content, place, 0xFF))


def test_a_flipped_byte_in_a_record_leaves_the_others_readable(sample: Sample) -> None:
    with sqlite3.connect(sample.file) as connection:
        (sealed,) = connection.execute(
            "SELECT sealed FROM entries WHERE pseudonym = ?", sample.pseudonyms[:1]
        ).fetchone()
    connection.close()
    assert sample.content.count(sealed) == 1
    sample.file.write_bytes(flipped(sample.content, sample.content.index(sealed) + 20, 1))
    vault = Vault.open(sample.file, KEY)
    with pytest.raises(VaultError, match="damaged or were changed"):
        vault.lookup(sample.pseudonyms)
    with pytest.raises(VaultError, match="damaged or were changed"):
        vault.add(PEOPLE, scope="name")
    for pseudonym, person in zip(sample.pseudonyms[1:], PEOPLE[1:], strict=True):
        assert vault.lookup([pseudonym]) == {pseudonym: person}
        assert vault.add([person], scope="name").pseudonyms == [pseudonym]


def test_truncated_files_never_give_a_wrong_answer(sample: Sample) -> None:
    randoms = random.Random(9)
    n = len(sample.content)
    lengths = {0, 1, 15, 16, 99, 100, 512, n - 1, *range(1024, n, 1024), *(randoms.randrange(n) for _ in range(40))}
    for length in sorted(lengths):
        n_refused = sample.n_refused(sample.content[:length])
        if sample.content[length:].strip(b"\0"):
            assert n_refused > 0


def test_other_bytes_at_the_end_or_another_file_are_no_wrong_answer(sample: Sample) -> None:
    sample.n_refused(sample.content + b"\0" * 4096)
    sample.n_refused(sample.content + b"rubbish")
    for content in (b"", b"name;age\nAna;3\n", b"SQLite format 3\0" + bytes(5000), random.Random(1).randbytes(9000)):
        assert sample.n_refused(content) == 4


def test_a_wrong_key_opens_nothing_and_changes_nothing(place: str) -> None:
    vault = Vault.create(place, KEY)
    vault.add(PEOPLE, scope="name")
    seal = vault.log().seal
    with pytest.raises(VaultError, match="does not open the vault"):
        Vault.open(place, OTHER_KEY)
    assert vault.log().seal == seal


def test_a_wrong_passphrase_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT_RIGHT", "correct horse battery staple")
    monkeypatch.setenv("VAULT_WRONG", "correct horse battery stable")
    file = tmp_path / "people.vault"
    (pseudonym,) = Vault.create(file, {"env": "VAULT_RIGHT"}).add(["Ana"], scope="name").pseudonyms
    for key in ({"env": "VAULT_WRONG"}, KEY):
        with pytest.raises(VaultError, match="does not open the vault") as refused:
            Vault.open(file, key)
        assert leaks(refused.value, ["battery stable", "battery staple"]) == []
    assert Vault.open(file, {"env": "VAULT_RIGHT"}).lookup([pseudonym]) == {pseudonym: "Ana"}


# A full disk, and files that may not be written -----------------------------------------------------------------------


def test_a_full_file_is_a_clear_error_and_what_was_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "people.vault"
    vault = Vault.create(file, KEY)
    kept = vault.add(names(0, 20), scope="name").pseudonyms
    n_pages = file.stat().st_size // 4096 + 8
    monkeypatch.setattr(sqlite_store, "_PRAGMAS", (*sqlite_store._PRAGMAS, f"max_page_count = {n_pages}"))
    with pytest.raises(VaultError, match="disk is full") as refused:
        vault.add(names(0, 5000), scope="name")
    assert leaks(refused.value, ["person"]) == []
    assert vault.add(names(0, 20), scope="name").pseudonyms == kept
    assert vault.lookup(kept[:3]) == dict(zip(kept[:3], names(0, 3), strict=True))
    vault.log()
    assert vault.summary()["n_identities"] == 20


@pytest.mark.skipif(os.name == "nt", reason="no limits on the size of files")
def test_a_disk_that_gets_full_leaves_what_was_there(tmp_path: Path) -> None:
    """A process that may write files of so many bytes only: journal and vault meet the end at different places."""
    file = tmp_path / "people.vault"
    vault = Vault.create(file, KEY)
    kept = vault.add(names(0, 20), scope="name").pseudonyms
    size = file.stat().st_size
    for room in (0, 1, 5000, 20_000, 100_000, 400_000):
        told = result(started("add_with_little_room", str(file), 20_000, size + room))
        assert "disk is full" in told
        assert [path.name for path in tmp_path.iterdir() if not path.name.endswith("-journal")] == ["people.vault"]
        assert vault.add(names(0, 20), scope="name").pseudonyms == kept
        assert vault.summary()["n_identities"] == 20
        vault.log()
        assert [path.name for path in tmp_path.iterdir()] == ["people.vault"]
    told = result(started("create_with_little_room", str(tmp_path / "second.vault"), 5000))
    assert "full" in told or "cannot be made" in told
    assert [path.name for path in tmp_path.iterdir()] == ["people.vault"]


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder, and no rights of root while the test runs."""
    folder = Path(tempfile.mkdtemp(prefix="celosia-vault-"))
    is_root = os.name == "posix" and os.geteuid() == 0
    if is_root:
        shutil.chown(folder, "nobody")
        Vault.create(folder / "warm", KEY)  # all modules are imported as root, who may read them
        (folder / "warm").unlink()
        os.seteuid(folder.stat().st_uid)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o700)
        shutil.rmtree(folder)


@pytest.mark.skipif(os.name == "nt", reason="other rights")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_vault_that_may_not_be_written_gives_a_clear_error(ordinary_user: Path, what: str) -> None:
    file = ordinary_user / "people.vault"
    vault = Vault.create(file, KEY)
    (pseudonym,) = vault.add(["Ana"], scope="name").pseudonyms
    closed = file if what == "file" else ordinary_user
    closed.chmod(0o400 if what == "file" else 0o500)
    # A look-up must be written down, so that without the right to write there is none.
    for refused in (lambda: vault.lookup([pseudonym]), lambda: vault.add(["Eva"], scope="name")):
        with pytest.raises(VaultError, match=r"may not be written|cannot be opened"):
            refused()
    if what == "folder":
        with pytest.raises(VaultError):
            Vault.create(ordinary_user / "second.vault", KEY)
    closed.chmod(0o600 if what == "file" else 0o700)
    assert vault.lookup([pseudonym]) == {pseudonym: "Ana"}
    assert vault.summary()["n_lookups_today"] == 1


@pytest.mark.skipif(os.name == "nt", reason="other rights")
def test_a_file_that_may_not_be_read_gives_a_clear_error(ordinary_user: Path) -> None:
    file = ordinary_user / "people.vault"
    Vault.create(file, KEY)
    file.chmod(0)
    with pytest.raises(VaultError, match="cannot be opened"):
        Vault.open(file, KEY)


def test_a_missing_file_or_folder_gives_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="no vault"):
        Vault.open(tmp_path / "nowhere.vault", KEY)
    with pytest.raises(VaultError, match="no vault"):
        Vault.open(tmp_path, KEY)
    with pytest.raises(VaultError):
        Vault.create(tmp_path / "nowhere" / "people.vault", KEY)
    with pytest.raises(VaultError, match="already"):
        Vault.create(tmp_path, KEY)
    assert list(tmp_path.iterdir()) == []


# Doctored by SQL, without the key -------------------------------------------------------------------------------------


@pytest.fixture
def pseudonyms(place: str) -> list[str]:
    """A vault of four people, limit 5, with a log of five lines."""
    vault = Vault.create(place, KEY, limit=5)
    given = vault.add(PEOPLE, scope="name").pseudonyms
    vault.add(["somebody"], scope="other")
    vault.lookup(given[:2])
    vault.lookup(["never given"])
    return given


OTHER_LINE = "(SELECT content FROM {log} WHERE number = 3)"
TAMPERED: dict[str, list[str]] = {
    "changed": [f"UPDATE {{log}} SET content = {OTHER_LINE} WHERE number = 4"],
    "mark changed": ["UPDATE {log} SET mark = (SELECT mark FROM {log} WHERE number = 3) WHERE number = 4"],
    "first removed": ["DELETE FROM {log} WHERE number = 1"],
    "removed": ["DELETE FROM {log} WHERE number = 4"],
    "removed and closed": ["DELETE FROM {log} WHERE number = 4", "UPDATE {log} SET number = 4 WHERE number = 5"],
    "added": [
        f"INSERT INTO {{log}} (number, content, mark) SELECT 6, {OTHER_LINE}, mark FROM {{log}} WHERE number = 5"
    ],
    "added before": ["INSERT INTO {log} (number, content, mark) SELECT 0, content, mark FROM {log} WHERE number = 1"],
    "exchanged": [
        "UPDATE {log} SET number = 99 WHERE number = 2",
        "UPDATE {log} SET number = 2 WHERE number = 3",
        "UPDATE {log} SET number = 3 WHERE number = 99",
    ],
    "end cut off": ["DELETE FROM {log} WHERE number = 5"],
    "all removed": ["DELETE FROM {log}"],
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_doctored_log_is_noticed(place: str, pseudonyms: list[str], how: str) -> None:
    vault = Vault.open(place, KEY)
    assert len(vault.log().lines) == 5
    doctor(place, *TAMPERED[how])
    with pytest.raises(VaultError, match=r"log was (changed|cut)"):
        vault.log()
    with pytest.raises(VaultError, match=r"log was (changed|cut)"):
        vault.rotate(OTHER_KEY)
    # People stay readable; that somebody wrote in the log is no reason to lose them.
    if how == "added":  # where the next line would stand
        with pytest.raises(VaultError):
            vault.add(PEOPLE, scope="name")
    else:
        assert vault.add(PEOPLE, scope="name").pseudonyms == pseudonyms


def test_a_log_cut_together_with_older_settings_is_noticed_by_a_noted_seal(
    place: str, pseudonyms: list[str], tmp_path: Path
) -> None:
    """Whoever puts back settings and log of an earlier day sets the vault back: only a seal noted elsewhere tells."""
    vault = Vault.open(place, KEY)
    doctor(place, "INSERT INTO {meta} (name, {content}) SELECT 'old', {content} FROM {meta} WHERE name = 'state'")
    vault.lookup(pseudonyms[2:4])
    seal = vault.log().seal
    put_back = "UPDATE {meta} SET {content} = (SELECT {content} FROM {meta} WHERE name = 'old') WHERE name = 'state'"
    doctor(place, put_back)
    with pytest.raises(VaultError):
        vault.log()
    with pytest.raises(VaultError):
        vault.lookup(pseudonyms[:1])  # the count of look-ups of an older day is no way round the limit
    doctor(place, "DELETE FROM {log} WHERE number = 6")
    vault.log()
    with pytest.raises(VaultError, match="set back"):
        vault.log(expect=seal)


def test_a_limit_raised_by_sql_is_noticed(place: str, pseudonyms: list[str], tmp_path: Path) -> None:
    richer = tmp_path / "richer.vault"
    Vault.create(richer, KEY, limit=10**6)
    connection = sqlite3.connect(richer)
    (state,) = connection.execute("SELECT hex(content) FROM meta WHERE name = 'state'").fetchone()
    connection.close()
    literal = f"'\\x{state}'::bytea" if "://" in place else f"x'{state}'"
    vault = Vault.open(place, KEY)
    for content in (literal, literal.replace(state, state[:-2] + "00"), literal.replace(state, "")):
        doctor(place, f"UPDATE {{meta}} SET {{content}} = {content} WHERE name = 'state'")
        for use in (lambda: vault.lookup(pseudonyms[:1]), lambda: vault.limit, lambda: Vault.open(place, KEY)):
            with pytest.raises(VaultError, match="settings were changed"):
                use()


@pytest.mark.parametrize("name", ["state", "key", "kdf", "format"])
def test_missing_settings_are_noticed(place: str, pseudonyms: list[str], name: str) -> None:
    doctor(place, f"DELETE FROM {{meta}} WHERE name = '{name}'")
    with pytest.raises(VaultError):
        Vault.open(place, KEY)


def swap(column: str, first: str, second: str) -> list[str]:
    """Return statements that exchange a column of two rows, though its values must differ at any moment."""
    wait, one, two = (f"UPDATE {{entries}} SET {column} = " for _ in range(3))
    keep = "CREATE TABLE swapped AS SELECT * FROM {entries}"
    return [
        keep,
        f"{wait} NULL WHERE pseudonym IN ('{first}', '{second}')",
        f"{one} (SELECT {column} FROM swapped WHERE pseudonym = '{second}') WHERE pseudonym = '{first}'",
        f"{two} (SELECT {column} FROM swapped WHERE pseudonym = '{first}') WHERE pseudonym = '{second}'",
        "DROP TABLE swapped",
    ]


@pytest.mark.parametrize("columns", [["sealed"], ["token"], ["token", "sealed"]])
def test_swapped_records_are_noticed(place: str, pseudonyms: list[str], columns: list[str]) -> None:
    vault = Vault.open(place, KEY)
    for column in columns:
        doctor_freely(place, *swap(column, *pseudonyms[:2]))
    uses: list[Callable[[], object]] = [lambda: vault.add(PEOPLE[:1], scope="name")]
    if "sealed" in columns:
        uses.append(lambda: vault.lookup(pseudonyms[:1]))
    for use in uses:
        with pytest.raises(VaultError, match="damaged or were changed"):
            use()
    assert vault.lookup(pseudonyms[2:3]) == {pseudonyms[2]: PEOPLE[2]}


def doctor_freely(place: str, *statements: str) -> None:
    """Run statements that may make tables, for which no count of rows is told."""
    if "://" in place:
        with psycopg.connect(place.replace("+psycopg", "")) as connection:
            for statement in statements:
                connection.execute(statement.format(entries="celosia_vault_entries").encode())
        return
    connection = sqlite3.connect(place)
    with connection:
        for statement in statements:
            connection.execute(statement.format(entries="entries"))
    connection.close()


@pytest.mark.parametrize("change", ["scope = 'other'", "pseudonym = 'PSEUDONYM'", "sealed = NULL", "token = NULL"])
def test_changed_records_are_noticed(place: str, pseudonyms: list[str], change: str) -> None:
    vault = Vault.open(place, KEY)
    doctor(place, f"UPDATE {{entries}} SET {change} WHERE pseudonym = '{pseudonyms[0]}'")
    with pytest.raises(VaultError):
        vault.add(PEOPLE[:1], scope="name")
    if not change.startswith(("token", "pseudonym")):
        with pytest.raises(VaultError):
            vault.lookup(pseudonyms[:1])
    assert vault.lookup(pseudonyms[1:2]) == {pseudonyms[1]: PEOPLE[1]}
    with pytest.raises(VaultError):
        vault.rotate(OTHER_KEY)


def test_a_row_deleted_by_sql_is_noticed(place: str, pseudonyms: list[str]) -> None:
    """What happens: the person is not added anew under a second pseudonym, and the pseudonym is not called unknown.

    Nobody else is added either, since who is new cannot be told; those who are there stay readable. The vault is then
    to be restored from a copy.
    """
    vault = Vault.open(place, KEY)
    doctor(place, f"DELETE FROM {{entries}} WHERE pseudonym = '{pseudonyms[0]}'")
    for use in (
        lambda: vault.add(PEOPLE[:1], scope="name"),
        lambda: vault.add(["somebody new"], scope="name"),
        lambda: vault.lookup(pseudonyms[:1]),
        vault.summary,
        lambda: vault.rotate(OTHER_KEY),
    ):
        with pytest.raises(VaultError, match=r"records were removed or (added|changed)"):
            use()
    assert vault.lookup(pseudonyms[1:3]) == dict(zip(pseudonyms[1:3], PEOPLE[1:3], strict=True))
    assert vault.add(PEOPLE[1:], scope="name").pseudonyms == pseudonyms[1:]


def test_a_foreign_row_is_noticed(place: str, pseudonyms: list[str]) -> None:
    vault = Vault.open(place, KEY)
    doctor(
        place,
        f"DELETE FROM {{entries}} WHERE pseudonym = '{pseudonyms[0]}'",
        "INSERT INTO {entries} (pseudonym, scope, token, sealed) "
        f"SELECT 'FOREIGN', scope, NULL, sealed FROM {{entries}} WHERE pseudonym = '{pseudonyms[1]}'",
    )
    with pytest.raises(VaultError):
        vault.lookup(["FOREIGN"])
    with pytest.raises(VaultError):
        vault.add(PEOPLE[:1], scope="name")
    with pytest.raises(VaultError):
        vault.rotate(OTHER_KEY)


def test_triggers_and_other_tables_in_the_file_are_refused(tmp_path: Path) -> None:
    """A trigger could undo a count of look-ups as it is written."""
    file = tmp_path / "people.vault"
    vault = Vault.create(file, KEY)
    doctor_freely(str(file), "CREATE TRIGGER undo AFTER INSERT ON log BEGIN DELETE FROM log; END")
    with pytest.raises(VaultError, match=r"tables of .* were changed"):
        vault.add(["Ana"], scope="name")
