"""The vault against plain dictionaries, and what it must refuse."""

from __future__ import annotations

import os
import secrets
import stat
import subprocess
import sys
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from celosia.base.errors import InputError, OptionError, VaultError
from celosia.base.keys import KeySource
from celosia.masks.vault import CodeList, CodeSpace, Vault, new_key_file
from celosia.masks.vault.places import store_at

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault.create(tmp_path / "people.vault", KEY)


def set_clock(monkeypatch: pytest.MonkeyPatch, time: datetime) -> None:
    monkeypatch.setattr("celosia.masks.vault.session.now", lambda: time)


def test_equal_identities_have_one_pseudonym_and_others_another(place: str) -> None:
    vault = Vault.create(place, KEY)
    first = vault.add(["Luis", "Amparo", "Luis"], scope="student")
    assert first.pseudonyms[0] == first.pseudonyms[2] != first.pseudonyms[1]
    assert (first.n_new, first.n_known) == (2, 0)
    again = Vault.open(place, KEY).add(["Pedro", "Amparo"], scope="student")
    assert again.pseudonyms[1] == first.pseudonyms[1]
    assert (again.n_new, again.n_known) == (1, 1)
    assert vault.lookup([*first.pseudonyms, *again.pseudonyms, "nobody"]) == {
        first.pseudonyms[0]: "Luis",
        first.pseudonyms[1]: "Amparo",
        again.pseudonyms[0]: "Pedro",
        "nobody": None,
    }
    assert vault.rotate(OTHER_KEY) == 3
    assert vault.forget(identities=["Luis"]) == 1
    assert Vault.open(place, OTHER_KEY).add(["Amparo"], scope="student").pseudonyms == [first.pseudonyms[1]]
    assert [line.action for line in vault.log().lines] == [
        *("create", "add", "add", "lookup", "rotate", "forget", "add"),
    ]


def test_scopes_have_pseudonyms_of_their_own(vault: Vault) -> None:
    one = vault.add(["Ana"], scope="student").pseudonyms
    other = vault.add(["Ana"], scope="teacher").pseudonyms
    assert one != other
    assert vault.lookup(one + other) == {one[0]: "Ana", other[0]: "Ana"}
    assert vault.summary()["scopes"] == {
        "student": {"n_identities": 1, "n_forgotten": 0},
        "teacher": {"n_identities": 1, "n_forgotten": 0},
    }


def test_a_series_is_taken_and_a_missing_cell_is_not(vault: Vault) -> None:
    series = pl.Series(["Ana", "Luis"])
    assert vault.add(series, scope="s").pseudonyms == vault.add(["Ana", "Luis"], scope="s").pseudonyms
    with pytest.raises(InputError, match="of 2 identities 1 are missing or not texts"):
        vault.add(pl.Series(["Ana", None]), scope="s")
    with pytest.raises(InputError, match="of 2 identities 2 are missing or not texts"):
        vault.add(pl.Series([1, 2]), scope="s")
    assert vault.add([], scope="s").pseudonyms == []


@pytest.mark.parametrize(
    ("identities", "told"),
    [
        (["Ana", ""], "1 are blank"),
        (["Ana", " \t"], "1 are blank"),
        (["x" * 10_001], "1 have more than 10000 characters"),
        (["Ana", "\ud800"], "half a character"),
    ],
)
def test_what_is_no_identity_is_refused_whole(vault: Vault, identities: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told) as refused:
        vault.add(identities, scope="s")
    assert refused.value.__context__ is None
    assert vault.summary()["n_identities"] == 0
    with pytest.raises(InputError, match="not one text"):
        vault.add("Ana", scope="s")


@pytest.mark.parametrize("scope", ["", "  ", "x" * 201, None, 3, "a\0b"])
def test_a_scope_is_a_text(vault: Vault, scope: object) -> None:
    with pytest.raises(OptionError, match="scope must be a text"):
        vault.add(["Ana"], scope=scope)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [-1, 1.5, True, "20", None, 10**9 + 1])
def test_a_limit_is_a_whole_number(vault: Vault, tmp_path: Path, limit: object) -> None:
    with pytest.raises(OptionError, match="limit must be"):
        Vault.create(tmp_path / "other.vault", KEY, limit=limit)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="limit must be"):
        vault.set_limit(limit)  # type: ignore[arg-type]
    assert not (tmp_path / "other.vault").exists()
    assert vault.limit == 20


def test_codes_that_are_reserved_true_or_once_given_are_not_given(vault: Vault) -> None:
    codes = CodeSpace("digits", 1)
    first = vault.add(["0", "1", "a"], scope="s", codes=codes, reserved=["2", "3"]).pseudonyms
    assert set(first) <= set("456789")
    vault.forget(first)
    rest = vault.add(["b", "c", "d"], scope="t", codes=codes, reserved=["0", "1", "2", "3"]).pseudonyms
    assert sorted(first + rest) == list("456789")
    with pytest.raises(InputError, match="not so many are left"):
        vault.add(["e"], scope="s", codes=codes, reserved=["0", "1", "2", "3"])
    assert vault.summary()["n_identities"] == 3


def test_a_list_of_codes_is_kept_to(vault: Vault) -> None:
    codes = CodeList(["543456", "094532"], shuffle=False)
    assert vault.add(["Luis", "Amparo"], scope="s", codes=codes).pseudonyms == ["543456", "094532"]
    with pytest.raises(InputError, match="0 are left"):
        vault.add(["Pedro"], scope="s", codes=codes)


def test_lookups_past_the_limit_are_refused_written_down_and_show_nothing(tmp_path: Path) -> None:
    vault = Vault.create(tmp_path / "v", KEY, limit=3)
    names = vault.add(["Ana", "Luis", "Pedro", "Eva"], scope="s").pseudonyms
    with pytest.raises(VaultError, match="4 asked for, 0 made today, and the limit is 3") as refused:
        vault.lookup(names)
    assert not any(secret in str(refused.value) for secret in ("Ana", "Luis", *names))
    assert vault.lookup([names[0], names[0], "unknown"]) == {names[0]: "Ana", "unknown": None}
    assert vault.summary()["n_lookups_today"] == 2
    assert vault.lookup([names[1]]) == {names[1]: "Luis"}
    with pytest.raises(VaultError, match="1 asked for, 3 made today"):
        vault.lookup([names[0]])
    assert [(line.action, dict(line.counts)) for line in vault.log().lines[2:]] == [
        ("refused", {"n_asked": 4}),
        ("lookup", {"n_asked": 2, "n_found": 1}),
        ("lookup", {"n_asked": 1, "n_found": 1}),
        ("refused", {"n_asked": 1}),
    ]
    vault.set_limit(4)
    assert vault.lookup([names[2]]) == {names[2]: "Pedro"}
    assert vault.lookup([]) == {}
    assert vault.lookup.__doc__ is not None


def test_a_limit_of_none_a_day_refuses_everything(tmp_path: Path) -> None:
    vault = Vault.create(tmp_path / "v", KEY, limit=0)
    with pytest.raises(VaultError, match="limit is 0"):
        vault.lookup(["unknown"])


def test_days_are_counted_in_utc_and_a_clock_set_back_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    midnight = datetime(2026, 2, 1, tzinfo=UTC)
    set_clock(monkeypatch, noon)
    vault = Vault.create(tmp_path / "v", KEY, limit=1)
    [name] = vault.add(["Ana"], scope="s").pseudonyms
    assert vault.lookup([name]) == {name: "Ana"}
    set_clock(monkeypatch, midnight - timedelta(seconds=1))
    with pytest.raises(VaultError, match="1 made today"):
        vault.lookup([name])
    set_clock(monkeypatch, midnight)
    assert vault.lookup([name]) == {name: "Ana"}
    set_clock(monkeypatch, midnight - timedelta(minutes=4))  # yesterday, which had one too: it still counts as today
    with pytest.raises(VaultError, match="1 made today"):
        vault.lookup([name])
    vault.set_limit(5)
    assert vault.lookup([name]) == {name: "Ana"}
    set_clock(monkeypatch, midnight - timedelta(minutes=6))
    for _ in range(2):  # the refusal is a line with the early time; it does not make that time good
        with pytest.raises(VaultError, match="clock stands more than 5 minutes before"):
            vault.lookup([name])
    assert [line.action for line in vault.log().lines[-2:]] == ["refused", "refused"]
    assert vault.add(["Ana"], scope="s").pseudonyms == [name]


def test_forgotten_identities_are_gone_and_their_pseudonyms_never_come_back(vault: Vault) -> None:
    first, second, third = vault.add(["Ana", "Luis", "Eva"], scope="s").pseudonyms
    elsewhere = vault.add(["Ana"], scope="t").pseudonyms
    assert vault.forget([first, first, "unknown", "a\0", "\ud800"]) == 1
    assert vault.forget([first]) == 0
    assert vault.lookup([first, second]) == {first: None, second: "Luis"}
    assert vault.forget(identities=["Luis", "Nobody"], scope="t") == 0
    assert vault.forget(identities=["Luis", "Ana"], scope="s") == 1
    assert vault.forget(identities=["Ana"]) == 1
    assert vault.forget() == 0
    assert vault.lookup([*elsewhere, second, third]) == {elsewhere[0]: None, second: None, third: "Eva"}
    assert vault.add(["Ana"], scope="s").pseudonyms[0] not in (first, second, third, *elsewhere)
    assert vault.summary() == {
        "n_identities": 2,
        "n_forgotten": 3,
        "scopes": {"s": {"n_identities": 2, "n_forgotten": 2}, "t": {"n_identities": 0, "n_forgotten": 1}},
        "limit": 20,
        "n_lookups_today": 5,
    }


def test_after_a_rotation_the_old_key_opens_nothing_but_older_copies(tmp_path: Path) -> None:
    path, old_copy = tmp_path / "v", tmp_path / "copy"
    vault = Vault.create(path, KEY)
    names = vault.add([f"person {n}" for n in range(50)], scope="s").pseudonyms
    gone = names.pop()
    vault.forget([gone])
    stale = Vault.open(path, KEY)
    seal = vault.log().seal
    old_copy.write_bytes(path.read_bytes())
    with store_at(path).transaction(writing=False) as rows:
        before = rows.by_pseudonyms(names)
    assert vault.rotate(OTHER_KEY) == 49
    with store_at(path).transaction(writing=False) as rows:
        after = rows.by_pseudonyms(names)
    assert {entry.token for entry in before.values()} & {entry.token for entry in after.values()} == set()
    assert {entry.sealed for entry in before.values()} & {entry.sealed for entry in after.values()} == set()
    with pytest.raises(VaultError, match="the key does not open the vault"):
        Vault.open(path, KEY)
    with pytest.raises(VaultError, match="given another key since it was opened"):
        stale.lookup(names[:1])
    for opened in (vault, Vault.open(path, OTHER_KEY)):
        assert opened.lookup([names[0], gone]) == {names[0]: "person 0", gone: None}
        assert opened.add(["person 0"], scope="s").pseudonyms == [names[0]]
    assert vault.log(expect=seal).lines[3].action == "rotate"
    assert Vault.open(old_copy, KEY).lookup([names[0]]) == {names[0]: "person 0"}


def test_an_export_is_a_vault_of_its_own_under_another_key(vault: Vault, tmp_path: Path) -> None:
    names = vault.add(["Ana", "Luis"], scope="s").pseudonyms
    vault.forget(names[:1])
    vault.lookup(names)
    assert vault.export(tmp_path / "copy", OTHER_KEY) == 1
    copy = Vault.open(tmp_path / "copy", OTHER_KEY)
    assert [line.action for line in copy.log().lines] == ["copy"]
    assert dict(copy.log().lines[0].counts) == {"n_identities": 1}
    assert vault.log().lines[-1].action == "export"
    assert copy.summary() == vault.summary()
    assert copy.lookup(names) == {names[0]: None, names[1]: "Luis"}
    assert copy.add(["Luis"], scope="s").pseudonyms == names[1:]
    with pytest.raises(VaultError, match="does not open"):
        Vault.open(tmp_path / "copy", KEY)
    with pytest.raises(VaultError, match="there is a file copy already"):
        vault.export(tmp_path / "copy", OTHER_KEY)
    with pytest.raises(OptionError, match="no place for a vault") as refused:
        vault.export("postgresql://ana:hunter2@localhost/base", OTHER_KEY)
    assert "hunter2" not in str(refused.value)
    assert b"Luis" not in (tmp_path / "copy").read_bytes()


@pytest.mark.parametrize("told", ["claim.json", "internal/record.json"])
@pytest.mark.parametrize("below", [".", "internal", "a/b"])
def test_a_vault_does_not_lie_in_a_release(tmp_path: Path, told: str, below: str) -> None:
    release = tmp_path / "release"
    (release / told).parent.mkdir(parents=True)
    (release / told).write_text("{}")
    (release / below).mkdir(parents=True, exist_ok=True)
    elsewhere = Vault.create(tmp_path / "v", KEY)
    Vault.create(release / below / "before.vault", KEY)  # no data yet: no release
    (release / "data.csv").write_text("a\n1\n")
    with pytest.raises(VaultError, match="would lie in the folder 'release', which holds a release"):
        Vault.create(release / below / "people.vault", KEY)
    with pytest.raises(VaultError, match="holds a release"):
        elsewhere.export(release / below / "people.vault", KEY)
    assert not (release / below / "people.vault").exists()
    if os.name != "nt":
        (tmp_path / "link").symlink_to(release / below)
        with pytest.raises(VaultError, match="holds a release"):
            Vault.create(tmp_path / "link" / "people.vault", KEY)


def test_a_key_file_is_new_random_and_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "vault.key"
    new_key_file(path)
    held = path.read_bytes()
    assert len(bytes.fromhex(held.decode())) == 32
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(VaultError, match="there is such a file already") as refused:
        new_key_file(path)
    assert refused.value.__context__ is None
    assert path.read_bytes() == held
    new_key_file(tmp_path / "other.key")
    assert (tmp_path / "other.key").read_bytes() != held
    with pytest.raises(VaultError, match="was not made"):
        new_key_file(tmp_path / "nowhere" / "vault.key")
    vault = Vault.create(tmp_path / "v", {"file": path})
    [name] = vault.add(["Ana"], scope="s").pseudonyms
    assert Vault.open(tmp_path / "v", {"file": str(path)}).lookup([name]) == {name: "Ana"}
    assert Vault.open(tmp_path / "v", bytes.fromhex(held.decode())).lookup([name]) == {name: "Ana"}


def test_a_passphrase_opens_the_vault_and_another_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_PHRASE", "correct horse battery staple")
    vault = Vault.create(tmp_path / "v", {"env": "THE_PHRASE"})
    [name] = vault.add(["Ana"], scope="s").pseudonyms
    assert Vault.open(tmp_path / "v", {"env": "THE_PHRASE"}).lookup([name]) == {name: "Ana"}
    monkeypatch.setenv("THE_PHRASE", "correct horse battery stable")
    with pytest.raises(VaultError, match="the key does not open") as refused:
        Vault.open(tmp_path / "v", {"env": "THE_PHRASE"})
    assert refused.value.hint == "this vault was closed with a passphrase; name the variable or the file that holds it."
    assert "horse" not in str(refused.value)
    with pytest.raises(VaultError, match="the key does not open"):
        Vault.open(tmp_path / "v", KEY)
    with pytest.raises(OptionError, match="must not be written here"):
        Vault.open(tmp_path / "v", "correct horse battery staple")


def test_nothing_shows_a_key_an_identity_or_an_address(vault: Vault, tmp_path: Path) -> None:
    added = vault.add(["Ana"], scope="s")
    shown = f"{vault!r} {added!r} {KeySource.of(KEY)!r} {vault._sealers!r}"
    data_key = next(iter(vault._sealers.values())).data_key
    assert "Ana" not in shown
    assert added.pseudonyms[0] not in shown
    assert not any(repr(key)[2:-1] in shown or key.hex() in shown for key in (KEY, data_key))
    held = (tmp_path / "people.vault").read_bytes()
    assert not any(secret in held for secret in (KEY, data_key, KEY.hex().encode(), b"Ana"))


def test_threads_share_a_vault_and_a_rotation_does_not_break_them(vault: Vault) -> None:
    people = [f"person {n}" for n in range(40)]
    given: list[list[str]] = []
    failed: list[BaseException] = []

    def work(turn: int) -> None:
        try:
            for _ in range(4):
                given.append(vault.add(people, scope="s").pseudonyms)
            if turn == 0:
                vault.rotate(secrets.token_bytes(32))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(given) == 24
    assert {tuple(one) for one in given} == {tuple(given[0])}
    assert vault.summary()["n_identities"] == 40
    assert len(vault.log().lines) == 26


def test_without_psycopg_an_address_says_what_to_install() -> None:
    script = (
        "import sys\nsys.modules['psycopg'] = None\nfrom celosia.masks.vault import Vault\n"
        "try:\n    Vault.open('postgresql://u:hunter2@localhost/b', bytes(range(32)))\n"
        "except Exception as error:\n    print(type(error).__name__, error, error.__context__)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert told.stdout.startswith("VaultError a vault in PostgreSQL needs the package psycopg")
    assert "celosia[sql]" in told.stdout
    assert told.stdout.rstrip().endswith("None")
    assert "hunter2" not in told.stdout + told.stderr


@pytest.mark.parametrize("place", ["", "mysql://u:hunter2@h/b", "sqlite:///x", "a\0b", None, 3])
def test_what_is_no_place_is_refused_without_repeating_it(place: object) -> None:
    with pytest.raises(OptionError, match="no place for a vault") as refused:
        Vault.create(place, KEY)  # type: ignore[arg-type]
    assert "hunter2" not in str(refused.value)


PEOPLE = ["Ana", "Luis", "Eva", "Pedro", "José", "Amparo", "Tatiana", "Íñigo"]
IDENTITIES = st.lists(st.sampled_from(PEOPLE), max_size=6)
SCOPES = st.sampled_from(["student", "teacher"])


class VaultMachine(RuleBasedStateMachine):
    """Any sequence of calls does what dictionaries do."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "people.vault"
        self.key = secrets.token_bytes(32)
        self.vault = Vault.create(self.path, self.key, limit=10)
        self.given: dict[tuple[str, str], str] = {}
        self.identities: dict[str, str | None] = {}
        self.limit, self.n_lookups, self.n_lines = 10, 0, 1

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(identities=IDENTITIES, scope=SCOPES)
    def add(self, identities: list[str], scope: str) -> None:
        added = self.vault.add(identities, scope=scope, codes=CodeSpace("digits", 4))
        new = {identity for identity in identities if (scope, identity) not in self.given}
        for identity, pseudonym in zip(identities, added.pseudonyms, strict=True):
            if identity in new:
                assert self.identities.setdefault(pseudonym, identity) == identity
            assert self.given.setdefault((scope, identity), pseudonym) == pseudonym
        assert (added.n_new, added.n_known) == (len(new), len(set(identities)) - len(new))
        self.n_lines += bool(identities)

    @rule(data=st.data())
    def look_up(self, data: st.DataObject) -> None:
        asked = data.draw(st.lists(st.sampled_from([*sorted(self.identities), "x1", "x2"]), max_size=4))
        n = len(set(asked))
        if n and self.n_lookups + n > self.limit:
            with pytest.raises(VaultError, match="the limit is"):
                self.vault.lookup(asked)
        else:
            assert self.vault.lookup(asked) == {one: self.identities.get(one) for one in asked}
            self.n_lookups += n
        self.n_lines += bool(asked)

    @precondition(lambda self: self.identities)
    @rule(data=st.data())
    def forget_pseudonyms(self, data: st.DataObject) -> None:
        asked = data.draw(st.lists(st.sampled_from(sorted(self.identities)), min_size=1, max_size=3))
        known = {one for one in asked if self.identities[one] is not None}
        assert self.vault.forget(asked) == len(known)
        self._forgotten(known)

    @rule(identities=IDENTITIES, scope=SCOPES | st.none())
    def forget_identities(self, identities: list[str], scope: str | None) -> None:
        meant = {
            pseudonym
            for (kind, identity), pseudonym in self.given.items()
            if identity in identities and scope in (kind, None)
        }
        assert self.vault.forget(identities=identities, scope=scope) == len(meant)
        if identities:
            self._forgotten(meant)

    def _forgotten(self, pseudonyms: set[str]) -> None:
        self.given = {pair: one for pair, one in self.given.items() if one not in pseudonyms}
        self.identities |= dict.fromkeys(pseudonyms)
        self.n_lines += 1

    @rule()
    def rotate(self) -> None:
        self.key = secrets.token_bytes(32)
        assert self.vault.rotate(self.key) == len(self.given)
        self.n_lines += 1

    @rule()
    def reopen(self) -> None:
        self.vault = Vault.open(self.path, self.key)

    @rule()
    def move_to_a_copy(self) -> None:
        copy = self.path.with_name(secrets.token_hex(8))
        self.key = secrets.token_bytes(32)
        assert self.vault.export(copy, self.key) == len(self.given)
        self.path, self.vault, self.n_lines = copy, Vault.open(copy, self.key), 1

    @rule(limit=st.integers(0, 40))
    def set_limit(self, limit: int) -> None:
        self.vault.set_limit(limit)
        self.limit, self.n_lines = limit, self.n_lines + 1

    @invariant()
    def counts_agree(self) -> None:
        summary = self.vault.summary()
        n_forgotten = sum(identity is None for identity in self.identities.values())
        assert (summary["n_identities"], summary["n_forgotten"]) == (len(self.given), n_forgotten)
        assert (summary["limit"], summary["n_lookups_today"]) == (self.limit, self.n_lookups)
        assert len(self.vault.log().lines) == self.n_lines


TestVaultMachine = VaultMachine.TestCase
TestVaultMachine.settings = settings(
    max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
