"""Pseudonyms in plans: roles after every order of masks, runs end to end, formats, comparing, rehearsals."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import polars as pl
import pytest
from masked_people import N_PEOPLE, people, people_schema

import celosia as cl
from celosia import audit
from celosia.data.masked import Change, pseudonym_origins
from celosia.masks import Pseudonymise
from celosia.masks.roles import after_changes
from celosia.masks.vault import Vault

KEY = bytes(range(7, 39))
VAULT_KEY = bytes(range(160, 192))


def plan(*masks, k=2, **options) -> cl.Plan:
    return cl.Plan(models=[cl.KAnonymity(k)], masks=list(masks), **{"seed": 3, **options})


def run(*masks, frame=None, k=2, **changes) -> cl.Release:
    return plan(*masks, k=k).run(cl.Table(people() if frame is None else frame, people_schema(**changes)))


def codes(release) -> list[str]:
    return [finding.code for finding in release.findings]


def by_person(release, column="dni", frame=None) -> list[tuple[str, str]]:
    """Return the true value and the published one of every published row."""
    given = (people() if frame is None else frame)[column].cast(pl.String)
    rows = release.masked.rows[release.publication.order]
    return list(zip(given.gather(rows), release.rows[column], strict=True))


def is_one_to_one(pairs) -> bool:
    return len(set(pairs)) == len({value for value, _ in pairs}) == len({code for _, code in pairs})


RANDOM = Pseudonymise("dni")
KEYED = Pseudonymise("dni", key=KEY)
DIGITS = Pseudonymise("dni", key=KEY, form="digits")
LISTED = Pseudonymise("dni", values=[f"{row:06}" for row in range(2 * N_PEOPLE)])
HIDE = cl.MaskCharacters(column="dni", keep_first=1)
SWAP = cl.Swap(column="dni")


# Roles ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [RANDOM, KEYED, DIGITS, LISTED], ids=["random", "keyed", "digits", "listed"])
@pytest.mark.parametrize("as_subject", [False, True])
def test_a_pseudonymised_identifier_is_published_and_counts_in_no_class(mask, as_subject):
    release = run(mask, **({"identifiers": [], "subject": "dni"} if as_subject else {}))
    assert release.frame.columns == ["dni", "age", "town", "pay"]
    assert release.table.schema.insensitive == ("dni",)
    assert list(release.table.schema.quasi_identifiers) == ["age", "town"]
    (found,) = [one for one in release.findings if one.code == "IDENTIFIER_PSEUDONYMISED"]
    assert (found.severity, found.column) == ("note", "dni")
    assert "not anonymous" in found.message
    assert is_one_to_one(by_person(release))
    assert release.summary["called"] == ["pseudonymised"]
    assert not {"IDENTIFIER_MASKED", "IDENTIFIER_MOVED"} & set(codes(release))


ORDERS = {
    "codes": ([KEYED], "insensitive", "IDENTIFIER_PSEUDONYMISED"),
    "codes of codes": ([KEYED, RANDOM], "insensitive", "IDENTIFIER_PSEUDONYMISED"),
    "codes on other rows": ([KEYED, SWAP], "insensitive", "IDENTIFIER_PSEUDONYMISED"),
    "codes of what stands on other rows": ([SWAP, KEYED], "insensitive", "IDENTIFIER_PSEUDONYMISED"),
    "codes, moved, hidden": ([KEYED, SWAP, HIDE], "quasi_identifier", "IDENTIFIER_MASKED"),
    "codes, some emptied": ([KEYED, cl.Blank(column="dni", where="age > 60")], "quasi_identifier", "IDENTIFIER_MASKED"),
    "parts of codes": ([KEYED, HIDE], "quasi_identifier", "IDENTIFIER_MASKED"),
    "codes of parts": ([HIDE, KEYED], "quasi_identifier", "IDENTIFIER_MASKED"),
    "codes of coarse values": (
        [cl.Round(column="dni", to=1000), KEYED],
        "quasi_identifier",
        "IDENTIFIER_MASKED",
    ),
    "coarse codes": ([DIGITS, cl.Round(column="dni", to=1000)], "quasi_identifier", "IDENTIFIER_MASKED"),
    "noisy codes": ([DIGITS, cl.AddNoise(column="dni", sd=100)], "quasi_identifier", "IDENTIFIER_MASKED"),
    "emptied": ([KEYED, cl.Blank(column="dni")], "insensitive", None),
    "removed": ([KEYED, cl.Drop(column="dni")], None, None),
}


@pytest.mark.parametrize(("masks", "role", "said"), ORDERS.values(), ids=list(ORDERS))
@pytest.mark.parametrize("as_subject", [False, True])
def test_every_order_of_masks_on_an_identifier_gives_one_role(masks, role, said, as_subject):
    roles = {"identifiers": [], "subject": "dni"} if as_subject else {}
    release = run(*masks, k=3, **roles)
    left = release.table.schema
    held = {
        "insensitive": "dni" in left.insensitive,
        "quasi_identifier": "dni" in left.quasi_identifiers,
        "identifier": "dni" in left.identifiers,
        "sensitive": "dni" in left.sensitive,
    }
    assert [one for one, is_held in held.items() if is_held] == ([role] if role else [])
    about = {"IDENTIFIER_PSEUDONYMISED", "IDENTIFIER_MASKED", "IDENTIFIER_MOVED"}
    assert about & set(codes(release)) == ({said} if said else set())
    assert ("dni" in release.rows.columns) == (role is not None)
    cells = {cell for column in release.rows.get_columns() for cell in column.cast(pl.String).to_list()}
    if DIGITS not in masks:  # there a code may be somebody's true number
        assert not cells & set(people()["dni"])
    if role == "quasi_identifier":
        assert cl.check(release.frame, quasi_identifiers=["dni", "age", "town"]).k >= 3


@pytest.mark.parametrize(
    "kind",
    [
        "category",
        "number",
        cl.Intervals(width=1000),
        cl.Prefix(keep=[4, 2]),
        cl.Tree([[one, "all", "*"] for one in people()["dni"]]).with_missing("suppress"),
        cl.Order(list(people()["dni"])),
    ],
    ids=["category", "number", "intervals", "prefix", "tree", "order"],
)
@pytest.mark.parametrize("mask", [KEYED, DIGITS], ids=["codes", "digits"])
def test_a_pseudonymised_quasi_identifier_is_a_category_of_codes(kind, mask):
    changed = people_schema(identifiers=[], quasi_identifiers={"dni": kind, "age": "number", "town": "category"})
    release = plan(mask, k=4).run(cl.Table(people(), changed))
    assert release.table.schema.quasi_identifiers["dni"] == cl.Category()
    assert release.classes.n_suppressed == 0
    assert cl.check(release.frame, quasi_identifiers=["dni", "age", "town"]).k >= 4
    assert "IDENTIFIER_PSEUDONYMISED" not in codes(release)


def test_a_category_keeps_how_it_is_published():
    kinds = {"town": cl.Category(publish="centroid"), "age": "number"}
    release = run(Pseudonymise("town", key=KEY), quasi_identifiers=kinds)
    assert release.table.schema.quasi_identifiers["town"] == kinds["town"]


def test_a_pseudonymised_secret_is_still_judged_as_one():
    frame = people().with_columns(ill=pl.Series(["flu", "hiv", "asthma", "none"] * (N_PEOPLE // 4)))
    table = cl.Table(frame, people_schema(sensitive=["pay", "ill"]))
    models = [cl.KAnonymity(3), cl.LDiversity(3, on="ill")]
    release = cl.Plan(models=models, masks=[Pseudonymise("ill", key=KEY)], seed=1).run(table)
    assert release.table.schema.sensitive == ("pay", "ill")
    assert is_one_to_one(by_person(release, "ill", frame))
    counted = release.rows.group_by("age", "town").agg(pl.col("ill").n_unique())
    assert counted["ill"].min() >= 3
    assert "PSEUDONYMS_LINK_ROWS" not in codes(release)  # its codes stand for illnesses


def test_a_column_that_is_made_from_codes_names_nobody_and_one_made_before_does():
    made = cl.Derive(column="made", expression="upper(dni)", role="insensitive")
    assert "DERIVED_OUTSIDE_CLASSES" not in codes(run(KEYED, made))
    assert "DERIVED_OUTSIDE_CLASSES" in codes(run(made, KEYED))


def test_people_are_counted_by_the_subject_as_it_was():
    frame = people().with_columns(dni=pl.Series([f"{row // 2:08d}" for row in range(N_PEOPLE)]))
    release = run(KEYED, frame=frame, identifiers=[], subject="dni", k=3)
    assert release.frame.columns == ["dni", "age", "town", "pay"]
    labels, subjects = release.classes.labels, np.arange(N_PEOPLE) // 2
    assert min(len(set(subjects[labels == label])) for label in set(labels)) >= 3
    assert release.frame["dni"].n_unique() == N_PEOPLE // 2


def test_columns_of_pseudonyms_are_those_that_hold_them_in_the_end():
    coded = Change("dni", "pseudonymised")
    for later, is_held in [("moved", True), ("hidden", False), ("removed", False), ("blanked", False), ("made", False)]:
        assert list(pseudonym_origins([coded, Change("dni", later)])) == ["dni"] * is_held
    assert list(pseudonym_origins([Change("dni", "hidden"), coded])) == ["dni"]
    changed, _ = after_changes(people_schema(), [Change("age", "pseudonymised")], people())
    assert changed.quasi_identifiers["age"] == cl.Category()  # even where a mask names no kind


def test_persistent_pseudonyms_are_told_of_and_those_of_one_data_set_are_not(tmp_path):
    Vault.create(tmp_path / "people.vault", VAULT_KEY)
    vault = {"path": tmp_path / "people.vault", "key": VAULT_KEY}
    for mask, is_said in [
        (KEYED, True),
        (Pseudonymise("dni", key=KEY, dataset="2026"), False),
        (Pseudonymise("dni", vault=vault), True),
        (Pseudonymise("dni", vault=vault, dataset="2026"), False),
        (RANDOM, False),
    ]:
        assert ("PSEUDONYMS_PERSIST" in codes(run(mask))) is is_said
        found = cl.mask(people(), mask).findings
        assert ("PSEUDONYMS_PERSIST" in [one.code for one in found]) is is_said
    assert "PSEUDONYMS_PERSIST" not in codes(run(KEYED, HIDE))
    assert "PSEUDONYMS_PERSIST" not in codes(run(KEYED, cl.Drop(column="dni")))


# End to end -----------------------------------------------------------------------------------------------------------

CASES = {
    "identifier": (KEYED, {}),
    "subject": (KEYED, {"identifiers": [], "subject": "dni"}),
    "quasi-identifier": (Pseudonymise("town", key=KEY), {}),
    "sensitive": (Pseudonymise("pay", key=KEY), {}),
    "insensitive": (KEYED, {"identifiers": [], "insensitive": ["dni"]}),
    "digits": (DIGITS, {}),
    "several of one scope": (Pseudonymise(columns=["dni", "town"], key=KEY, scope="all"), {}),
}


@pytest.mark.parametrize(("mask", "changes"), CASES.values(), ids=list(CASES))
@pytest.mark.parametrize("format", ["csv", "csv-es", "xlsx", "parquet"])
def test_a_release_with_pseudonyms_is_written_audited_and_verified(mask, changes, format, tmp_path):
    original = tmp_path / "people.csv"
    people().write_csv(original)
    table = cl.Table.read(original, people_schema(**changes))
    plan(mask).run(table).write(tmp_path / "out", format=format)
    claim = json.loads((tmp_path / "out" / "claim.json").read_text())
    assert {one["name"] for one in claim["columns"] if one.get("masked")} == set(mask.uses)
    assert {one["name"] for one in claim["columns"] if one.get("pseudonyms")} == set(mask.uses)
    assert not {"masks", "key", "vault"} & set(claim)
    verdict = audit.verify(
        tmp_path / "out" / f"data.{format.removesuffix('-es')}",
        tmp_path / "out" / "claim.json",
        original=original,
        record=tmp_path / "out" / "internal" / "record.json",
    )
    assert verdict.holds, verdict.to_dict()
    for column in mask.uses:
        assert (f"truthfulness of '{column}'", "not applicable") in [(one.name, one.status) for one in verdict.checks]


def test_digits_over_a_dense_domain_are_no_leak():
    """Every number of two digits is somebody's: every code is another person's true number, and the run goes on."""
    rows = 100
    frame = pl.DataFrame(
        {"dni": [f"{row:02}" for row in range(rows)], "age": [row % 7 for row in range(rows)], "pay": range(rows)}
    ).with_columns(town=pl.lit("Soria"))
    for mask in (DIGITS, Pseudonymise("dni", form="digits")):
        release = run(mask, frame=frame)
        pairs = by_person(release, frame=frame)
        assert {code for _, code in pairs} == set(frame["dni"])
        assert is_one_to_one(pairs)
        assert sum(value == code for value, code in pairs) < 10
        assert cl.mask(frame, mask).frame["dni"].n_unique() == rows


def test_the_same_key_gives_the_same_pseudonyms_in_every_run_and_no_key_does_not():
    first, second = run(KEYED), plan(KEYED, seed=9, k=5).run(cl.Table(people(), people_schema()))
    assert dict(by_person(first)) == dict(by_person(second))
    unseeded = [dict(by_person(plan(RANDOM, seed=None).run(cl.Table(people(), people_schema())))) for _ in range(2)]
    assert not set(unseeded[0].values()) & set(unseeded[1].values())


# Texts stay texts -----------------------------------------------------------------------------------------------------

DIGIT_CODES = ["543456", "125214", "984213", "674832", "754932"]
"""Of these none has a leading zero: a workbook would take them for numbers."""

OTHER_CODES = ["12.5", "1.25", "3,5", "4,75", "1e5"]


@pytest.mark.parametrize("values", [DIGIT_CODES, [*DIGIT_CODES[:4], "094532"], OTHER_CODES])
@pytest.mark.parametrize("format", ["csv", "csv-es", "xlsx", "parquet", "sav", "dta"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_codes_are_texts_in_every_format(values, format, decimal, tmp_path):
    frame = pl.DataFrame(
        {"name": ["Luis", "Eduardo", "Tatiana", "Pedro", "Ana"], "mark": ["8", "9", "9", "10", "7"], "age": [40] * 5}
    )
    mask = Pseudonymise("name", values=values)
    roles = cl.Schema(identifiers=["name"], quasi_identifiers={"age": "number"}, sensitive=["mark"])
    suffix = format.removesuffix("-es")
    plan(mask).run(cl.Table(frame, roles, decimal=decimal)).write(tmp_path / "out", format=format)
    cl.mask(frame, mask).write(tmp_path / f"masked.{suffix}", format=format)
    for written in (tmp_path / "out" / f"data.{suffix}", tmp_path / f"masked.{suffix}"):
        read = cl.io.read(written).frame
        assert read["name"].dtype == pl.String
        assert sorted(read["name"]) == sorted(values)
        if format == "xlsx":
            sheet = zipfile.ZipFile(written).read("xl/worksheets/sheet1.xml").decode()
            assert not any(f"<v>{value}</v>" in sheet for value in values)
            assert "<v>10.0</v>" in sheet  # marks are numbers


# Comparing ------------------------------------------------------------------------------------------------------------


def compared(mask, release, frame=None, order=True, changes=None):
    table = cl.Table(people(), people_schema(**(changes or {})))
    rows = release.masked.rows[release.publication.order].tolist() if order else None
    return cl.compare(table, release.frame if frame is None else frame, order=rows, masks=[mask])


@pytest.mark.parametrize("order", [True, False])
def test_keyed_pseudonyms_are_compared_by_their_key(order):
    release = run(KEYED)
    assert compared(KEYED, release, order=order).truthful is True
    wrong = release.frame.with_columns(dni=pl.col("dni").shift(1).fill_null("x"))
    assert compared(KEYED, release, wrong, order=order).truthful is False
    other = Pseudonymise("dni", key=bytes(range(32)))
    assert compared(other, release, order=order).truthful is False


def test_a_keyed_quasi_identifier_is_compared_and_measured():
    mask = Pseudonymise("town", key=KEY)
    release = run(mask)
    found = compared(mask, release)
    assert found.truthful is True, found.reason
    assert found.gcp == pytest.approx(release.loss.gcp)


@pytest.mark.parametrize("why", ["random", "no key at hand", "vault"])
@pytest.mark.parametrize("order", [True, False])
def test_pseudonyms_that_cannot_be_told_again_are_asked_for_one_each(why, order, monkeypatch, tmp_path):
    monkeypatch.setenv("CELOSIA_TEST_KEY", KEY.hex())
    place = tmp_path / "people.vault"
    Vault.create(place, VAULT_KEY)
    mask = {
        "random": RANDOM,
        "no key at hand": Pseudonymise("dni", key={"env": "CELOSIA_TEST_KEY"}),
        "vault": Pseudonymise("dni", vault={"path": place, "key": VAULT_KEY}),
    }[why]
    release = run(mask)
    monkeypatch.delenv("CELOSIA_TEST_KEY")
    before = Vault.open(place, VAULT_KEY).summary()
    found = compared(mask, release, order=order)
    assert found.truthful is True, found.reason
    first = release.frame["dni"][0]
    twice = release.frame.with_columns(dni=pl.lit(first))
    assert compared(mask, release, twice, order=order).truthful is (not order)
    assert ("one pseudonym of its own" in found.reason) is order
    wrong = release.frame.with_columns(pay=pl.col("pay") + 1)
    assert compared(mask, release, wrong, order=order).truthful is False
    assert Vault.open(place, VAULT_KEY).summary() == before


def test_a_quasi_identifier_of_random_codes_is_compared_in_what_can_be():
    mask = Pseudonymise("town")
    release = run(mask)
    found = compared(mask, release)
    assert found.truthful is True, found.reason
    assert found.columns["town"] is None
    assert found.columns["age"] is not None
    wrong = release.frame.with_columns(age=pl.lit("[90, 91]"))
    assert compared(mask, release, wrong).truthful is False


def test_what_is_chosen_or_made_by_random_codes_is_not_told_again():
    masks = [
        RANDOM,
        cl.Derive(column="made", expression="upper(dni)", role="insensitive"),
        cl.DropRows(where="dni < 'C'"),
    ]
    release = run(*masks)
    rows = release.masked.rows[release.publication.order].tolist()
    found = cl.compare(cl.Table(people(), people_schema()), release.frame, order=rows, masks=masks)
    assert found.truthful is True, found.reason


# Rehearsals -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def vault(tmp_path):
    Vault.create(tmp_path / "people.vault", VAULT_KEY)
    return tmp_path / "people.vault"


def test_a_run_keeps_pseudonyms_in_the_vault_and_gives_them_again(vault):
    mask = Pseudonymise("dni", vault={"path": vault, "key": VAULT_KEY})
    first, second = run(mask), run(mask)
    assert dict(by_person(first)) == dict(by_person(second))
    opened = Vault.open(vault, VAULT_KEY)
    assert opened.summary()["n_identities"] == N_PEOPLE
    value, code = by_person(first)[0]
    assert opened.lookup([code]) == {code: value}


def test_nothing_but_a_true_run_touches_a_vault(vault):
    mask = Pseudonymise("dni", vault={"path": vault, "key": VAULT_KEY}, alphabet="digits", length=9, prefix="P")
    before, log = vault.read_bytes(), Vault.open(vault, VAULT_KEY).log().seal
    wanted, table = plan(mask), cl.Table(people(), people_schema())
    wanted.check(table)
    wanted.measure(table)
    assert wanted.masked(table).frame["dni"].str.contains(r"^P[0-9]{9}$").all()
    cl.frontier(table, k=[2, 3], plan=wanted, algorithms=[cl.Mondrian()])
    cl.why_not(wanted, table)
    release = wanted.run(table, rehearsal=True)
    cl.compare(table, release.frame, masks=[mask])
    with pytest.raises(cl.InputError, match="rehearsal"):
        release.write(vault.parent / "out")
    assert not (vault.parent / "out").exists()
    assert vault.read_bytes() == before
    assert Vault.open(vault, VAULT_KEY).log().seal == log


def test_a_rehearsal_needs_no_vault_and_finds_the_same(vault):
    mask = Pseudonymise("dni", vault={"path": vault, "key": VAULT_KEY})
    wanted, table = plan(mask), cl.Table(people(), people_schema())
    vault.rename(vault.with_name("away"))
    rehearsed = wanted.run(table, rehearsal=True)
    with pytest.raises(cl.VaultError):
        wanted.run(table)
    vault.with_name("away").rename(vault)
    true = wanted.run(table)
    assert codes(rehearsed) == codes(true)
    assert rehearsed.rows.drop("dni").equals(true.rows.drop("dni"))
    assert rehearsed.summary["gcp"] == true.summary["gcp"] == wanted.measure(table)["gcp"]


def test_pseudonyms_are_kept_even_where_the_run_fails(vault):
    mask = Pseudonymise("dni", vault={"path": vault, "key": VAULT_KEY})
    with pytest.raises(cl.UnreachableError):
        run(mask, k=N_PEOPLE + 1)
    kept = Vault.open(vault, VAULT_KEY).summary()["n_identities"]
    assert kept == N_PEOPLE
    run(mask)
    assert Vault.open(vault, VAULT_KEY).summary()["n_identities"] == N_PEOPLE
