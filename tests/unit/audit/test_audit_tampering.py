"""Every kind of tampering is noticed: by data and claim, by the claim's hash, or by original and record."""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from audited import status
from tampering import (
    FORMATS,
    Table,
    claim_of,
    data_of,
    read_table,
    rehash,
    released,
    write_claim,
    write_table,
    write_workbook,
)

from celosia.audit import AuditInputError, Verdict, verify

REFUSED = "refused"


@pytest.fixture(params=FORMATS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return released(tmp_path, request.param)


def noticed(folder: Path, **options: Any) -> set[str]:
    """Return the checks that did not pass, or that the input was refused; nothing if the claim holds."""
    try:
        verdict = verify(folder, **options)
    except AuditInputError:
        return {REFUSED}
    unpassed = {name for name, found in status(verdict).items() if found in ("failed", "could not run")}
    assert bool(unpassed) is not verdict.holds
    return unpassed


def with_record(folder: Path) -> dict[str, Any]:
    return {"original": folder / "original.csv", "record": folder / "internal" / "record.json"}


def published_digest(folder: Path) -> str:
    """Return the SHA-256 of the claim as its publisher would tell it."""
    return hashlib.sha256((folder / "claim.json").read_bytes()).hexdigest()


def test_an_untouched_release_holds(folder: Path) -> None:
    assert not noticed(folder)
    assert not noticed(folder, **with_record(folder), claim_sha256=published_digest(folder))


def test_taking_apart_and_putting_together_is_not_what_is_noticed_below(folder: Path) -> None:
    before = data_of(folder).read_bytes()
    write_table(folder, read_table(folder))
    assert data_of(folder).read_bytes() != before or folder.joinpath("data.csv").exists()
    rehash(folder)
    assert not noticed(folder)
    assert noticed(folder, **with_record(folder)) <= {"record", "claim hash"}  # it knows both hashes


# What is done to the table


def first_row_of_another_class(table: Table) -> int:
    return next(row for row, age in enumerate(table["age"]) if age != table["age"][0])


def change_cell(table: Table) -> None:
    table["age"][0] = table["age"][first_row_of_another_class(table)]


def change_secret(table: Table) -> None:
    table["treated"][table["treated"].index("no")] = "sí"


def change_other_cell(table: Table) -> None:
    table["remark"][0] = "x"


def remove_row(table: Table) -> None:
    for column in table.values():
        del column[0]


def duplicate_row(table: Table) -> None:
    for column in table.values():
        column.append(column[0])


def add_row(table: Table) -> None:
    duplicate_row(table)
    table["job"][-1] = "none"


def swap_rows(table: Table) -> None:
    other = first_row_of_another_class(table)
    for column in table.values():
        column[0], column[other] = column[other], column[0]


def add_column(table: Table) -> None:
    table["name"] = [f"person {row}" for row in range(len(table["age"]))]


def remove_column(table: Table) -> None:
    del table["pay"]


def rename_column(table: Table) -> None:
    table["salary"] = table.pop("pay")


def reorder_columns(table: Table) -> None:
    table["age"] = table.pop("age")


def reverse_range(table: Table) -> None:
    ends = table["age"][0].strip("[]").replace(";", ",").split(",")
    reversed_range = f"[{ends[1].strip()}; {ends[0].strip()}]"
    table["age"] = [reversed_range if age == table["age"][0] else age for age in table["age"]]


def dash_ranges(table: Table) -> None:
    table["age"] = [age.strip("[]").replace("; ", "-").replace(", ", "-") for age in table["age"]]


def swap_secrets(table: Table) -> None:
    """Give one row the secret of another of its class: every figure stays as it was."""
    own = [row for row, age in enumerate(table["age"]) if age == table["age"][0]]
    other = next(row for row in own if table["treated"][row] != table["treated"][0])
    for row in (0, other):
        table["treated"][row] = {"sí": "no", "no": "sí"}[table["treated"][row]]


def move_class(table: Table) -> None:
    """Publish the ages of one class for another."""
    one, other = table["age"][0], table["age"][first_row_of_another_class(table)]
    table["age"] = [{one: other, other: one}.get(age, age) for age in table["age"]]


def remove_class(table: Table) -> None:
    kept = [row for row, age in enumerate(table["age"]) if age != table["age"][0]]
    table |= {name: [column[row] for row in kept] for name, column in table.items()}


DATA_CHANGES: dict[Callable[[Table], None], set[str]] = {
    change_cell: {"k_anonymity"},
    change_secret: {"l_diversity"},
    change_other_cell: set(),
    remove_row: {"k_anonymity"},
    duplicate_row: {"l_diversity"},
    add_row: {"k_anonymity"},
    swap_rows: set(),
    add_column: {"columns"},
    remove_column: {"columns"},
    rename_column: {"columns"},
    reorder_columns: set(),
    reverse_range: {"values of 'age'"},
    dash_ranges: {"values of 'age'"},
    swap_secrets: set(),
    move_class: set(),
    remove_class: set(),
}
"""What is done, and what must be noticed even if the claim's hash and number of rows are made to fit."""


def tampered(folder: Path, change: Callable[[Table], None]) -> int:
    table = read_table(folder)
    before = copy.deepcopy(table)
    change(table)
    assert table != before or list(table) != list(before)
    write_table(folder, table)
    return len(next(iter(table.values())))


@pytest.mark.parametrize("change", DATA_CHANGES)
def test_changed_data_are_noticed_by_the_hash(folder: Path, change: Callable[[Table], None]) -> None:
    tampered(folder, change)
    assert "hash" in noticed(folder)


@pytest.mark.parametrize("change", [change for change, checks in DATA_CHANGES.items() if checks])
def test_changed_data_are_noticed_by_the_models_even_with_a_fitting_hash(
    folder: Path, change: Callable[[Table], None]
) -> None:
    n_rows = tampered(folder, change)
    rehash(folder, n_rows=n_rows)
    found = noticed(folder)
    assert DATA_CHANGES[change] <= found
    assert "hash" not in found


@pytest.mark.parametrize("change", [remove_row, duplicate_row, remove_class])
def test_the_number_of_rows_is_part_of_the_claim(folder: Path, change: Callable[[Table], None]) -> None:
    tampered(folder, change)
    rehash(folder)
    assert "rows" in noticed(folder)


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (change_other_cell, {"truthfulness of 'remark'"}),
        (swap_rows, {"truthfulness of 'age'", "truthfulness of 'job'"}),
        (swap_secrets, {"truthfulness of 'treated'"}),
        (move_class, {"truthfulness of 'age'"}),
        (remove_class, {"order"}),
    ],
)
def test_what_data_and_claim_hide_the_record_shows(
    folder: Path, change: Callable[[Table], None], checks: set[str]
) -> None:
    """Data and claim are changed together: alone they are sound, and only original and record tell."""
    digest = published_digest(folder)
    rehash(folder, n_rows=tampered(folder, change))
    assert not noticed(folder)
    assert noticed(folder, claim_sha256=digest) == {"claim hash"}
    found = noticed(folder, **with_record(folder))
    assert checks <= found
    assert "record" in found


@pytest.mark.parametrize("change", [change_other_cell, swap_secrets, move_class])
def test_what_data_and_claim_hide_the_original_alone_may_show(folder: Path, change: Callable[[Table], None]) -> None:
    """Without the record rows are matched; here each has a remark of its own."""
    tampered(folder, change)
    rehash(folder)
    assert noticed(folder, original=folder / "original.csv") == {"truthfulness"}


# What is done to the file


def replace_by_other_format(folder: Path) -> None:
    is_csv = data_of(folder).suffix == ".csv"
    data_of(folder).write_bytes(b"PK\x03\x04" + bytes(40) if is_csv else b"age,zip\n1,2\n")


def append_nul(folder: Path) -> None:
    with open(data_of(folder), "ab") as file:
        file.write(b"\0")


def cut_off(folder: Path) -> None:
    data_of(folder).write_bytes(data_of(folder).read_bytes()[:-30])


def empty(folder: Path) -> None:
    data_of(folder).write_bytes(b"")


@pytest.mark.parametrize("change", [replace_by_other_format, append_nul, cut_off, empty])
def test_broken_files_are_noticed(folder: Path, change: Callable[[Path], None]) -> None:
    table = read_table(folder)
    change(folder)
    assert "hash" in noticed(folder)
    rehash(folder)
    found = noticed(folder)
    if not found:  # some programs do not mind what follows the end of a table: then it is the same table
        assert change is append_nul
        assert data_of(folder).suffix != ".csv"
        assert read_table(folder) == table


def test_a_link_in_the_place_of_the_file_is_noticed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / data_of(folder).name
    data_of(folder).rename(elsewhere)
    (folder / elsewhere.name).symlink_to(elsewhere)
    assert noticed(folder) == {REFUSED}
    link = data_of(folder)
    assert verify(link).holds  # named on purpose, it is read: what counts is the content
    elsewhere.write_bytes(elsewhere.read_bytes()[:-1] + b"x")
    assert status(verify(link))["hash"] == "failed"
    elsewhere.unlink()
    with pytest.raises(AuditInputError, match="cannot be opened"):
        verify(link)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_the_file_is_noticed(folder: Path) -> None:
    data = data_of(folder)
    data.unlink()
    os.mkfifo(data)
    assert noticed(folder) == {REFUSED}
    with pytest.raises(AuditInputError, match="cannot be opened"):
        verify(data)


def test_two_data_files_in_a_folder_are_noticed(folder: Path) -> None:
    data = data_of(folder)
    (folder / "data.txt").write_bytes(data.read_bytes())
    assert noticed(folder) == {REFUSED}
    assert verify(data).holds
    data.unlink()
    (folder / "data.txt").unlink()
    assert noticed(folder) == {REFUSED}


def text_of(folder: Path) -> str:
    return data_of(folder).read_text(encoding="utf-8-sig")


def other_encoding(folder: Path) -> None:
    data_of(folder).write_bytes(text_of(folder).encode("cp1252"))


def other_unicode(folder: Path) -> None:
    data_of(folder).write_bytes(text_of(folder).encode("utf-16"))


def other_delimiter(folder: Path) -> None:
    data_of(folder).write_text(text_of(folder).translate({ord(";"): ",", ord(","): ";"}), encoding="utf-8")


def other_mark(folder: Path) -> None:
    """Take the byte order mark away, or put one: for readers of the claim's encoding it is the same table."""
    content = data_of(folder).read_bytes()
    mark = b"\xef\xbb\xbf"
    data_of(folder).write_bytes(content[3:] if content.startswith(mark) else mark + content)


def other_line_ends(folder: Path) -> None:
    data_of(folder).write_bytes(data_of(folder).read_bytes().replace(b"\n", b"\r\n").replace(b"\r\r", b"\r"))


@pytest.mark.parametrize(
    ("change", "is_same_table"),
    [(other_encoding, False), (other_unicode, False), (other_delimiter, False), (other_mark, True),
     (other_line_ends, True)],
)  # fmt: skip
@pytest.mark.parametrize("form", ["csv", "csv-es"])
def test_other_spellings_of_a_text_file_are_noticed(
    tmp_path: Path, form: str, change: Callable[[Path], None], is_same_table: bool
) -> None:
    folder = released(tmp_path, form)
    before = data_of(folder).read_bytes()
    change(folder)
    is_changed = data_of(folder).read_bytes() != before
    assert ("hash" in noticed(folder)) is is_changed
    rehash(folder)
    assert bool(noticed(folder)) is not is_same_table


def hidden_sheet(book: Any, sheet: Any) -> None:
    other = book.add_worksheet("raw")
    other.write_column(0, 0, ["Ana", "Eva"])
    other.hide()


def comment(book: Any, sheet: Any) -> None:
    sheet.write_comment(1, 0, "this is Ana")


def picture(book: Any, sheet: Any) -> None:
    chart = book.add_chart({"type": "bar"})
    chart.add_series({"values": [sheet.name, 1, 0, 3, 0]})
    sheet.insert_chart("K2", chart)


def formula(book: Any, sheet: Any) -> None:
    sheet.write_formula(1, 3, '="s"&"í"', None, "sí")


@pytest.mark.parametrize(
    ("more", "check"), [(hidden_sheet, "sheets"), (comment, "parts"), (picture, "parts"), (formula, REFUSED)]
)
def test_what_a_workbook_holds_besides_its_table_is_noticed(
    tmp_path: Path, more: Callable[[Any, Any], None], check: str
) -> None:
    folder = released(tmp_path, "xlsx")
    write_workbook(data_of(folder), read_table(folder), more)
    rehash(folder)
    assert check in noticed(folder)


# What is done to the claim


def edited(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def edit(claim: dict[str, Any]) -> None:
        part: Any = claim
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = to

    return edit


def model_added(claim: dict[str, Any]) -> None:
    claim["models"].append({"t_closeness": {"t": 0, "on": "pay", "distance": "numeric"}})


def column_left_out(claim: dict[str, Any]) -> None:
    del claim["columns"][-1]


def column_twice(claim: dict[str, Any]) -> None:
    claim["columns"].append(claim["columns"][-1])


def part_missing(claim: dict[str, Any]) -> None:
    del claim["policies"]


CLAIM_CHANGES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("k raised", edited("models", 0, "k_anonymity", "k", to=5), "k_anonymity"),
    ("k huge", edited("models", 0, "k_anonymity", "k", to=10**400), "k_anonymity"),
    ("k as text", edited("models", 0, "k_anonymity", "k", to="4"), "k_anonymity"),
    ("l raised", edited("models", 1, "l_diversity", "l", to=3), "l_diversity"),
    ("l huge", edited("models", 1, "l_diversity", "l", to=1e300), "l_diversity"),
    ("a model added", model_added, "t_closeness"),
    ("an unknown model", edited("models", 0, to={"magic": {}}), "claim"),
    ("no model", edited("models", to=[]), "claim"),
    ("another secret", edited("models", 1, "l_diversity", "on", to="pay"), "l_diversity"),
    ("missing values as jokers", edited("policies", "missing", to="wildcard"), "claim"),
    ("suppressed rows kept", edited("policies", "suppressed", to="kept"), "claim"),
    ("subjects counted", edited("policies", "subject", to="counted"), "models in subjects"),
    ("a policy added", edited("policies", "insiders", to=1), "claim"),
    ("version 2", edited("version", to=2), "claim"),
    ("version 1.0", edited("version", to=1.0), "claim"),
    ("a record", edited("celosia", to="record"), "claim"),
    ("an unknown part", edited("guarantee", to="anonymous for ever"), "claim"),
    ("an unknown word about the data", edited("data", "note", to="x"), "claim"),
    ("an unknown word about a column", edited("columns", 0, "weight", to=2), "claim"),
    ("another style", edited("columns", 0, "style", to="dash"), "values of 'age'"),
    ("a pair of columns", edited("columns", 0, "style", to="pair"), "claim"),
    ("another kind", edited("columns", 0, "kind", to="dates"), "values of 'age'"),
    ("an identifier", edited("columns", 0, "role", to="identifier"), "claim"),
    ("a secret called insensitive", edited("columns", 3, "role", to="insensitive"), "l_diversity"),
    ("a column left out", column_left_out, "columns"),
    ("a column twice", column_twice, "claim"),
    ("a column renamed", edited("columns", 0, "name", to="years"), "columns"),
    ("policies missing", part_missing, "claim"),
    ("fewer rows", edited("data", "n_rows", to=19), "rows"),
    ("another hash", edited("data", "sha256", to="0" * 64), "hash"),
    ("no hash", edited("data", "sha256", to=""), "claim"),
    ("an encoding in which texts fall together", edited("data", "encoding", to="utf-7"), "claim"),
    ("a delimiter that is none", edited("data", "delimiter", to="]"), "claim"),
]


@pytest.mark.parametrize(("change", "check"), [one[1:] for one in CLAIM_CHANGES], ids=[one[0] for one in CLAIM_CHANGES])
def test_changed_claims_are_noticed(folder: Path, change: Callable[[dict[str, Any]], None], check: str) -> None:
    claim = claim_of(folder)
    change(claim)
    write_claim(folder, claim)
    assert check in noticed(folder)


def test_the_claim_of_another_release_is_noticed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    form = "csv-es" if claim_of(folder)["data"].get("decimal") == "," else claim_of(folder)["data"]["format"]
    other = released(tmp_path_factory.mktemp("other"), form)
    tampered(other, swap_secrets)
    rehash(other)
    assert not noticed(other)
    write_claim(folder, claim_of(other))
    assert "hash" in noticed(folder)
    assert "record" in noticed(other, record=folder / "internal" / "record.json")


def test_a_claim_of_another_format_is_noticed(folder: Path) -> None:
    claim = claim_of(folder)
    for form in {"csv", "xlsx", "parquet", "arrow", "sav"} - {claim["data"]["format"]}:
        claim["data"]["format"] = form
        write_claim(folder, claim)
        assert noticed(folder)


TEXTS = {
    "cut off": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "no JSON": lambda text: "k = 4",
    "a list": lambda text: f"[{text}]",
    "a key twice": lambda text: text.replace('"version": 1', '"version": 1, "version": 1'),
    "a deep key twice": lambda text: text.replace('"k": 4', '"k": 4, "k": 4'),
    "not a number": lambda text: text.replace('"k": 4', '"k": NaN'),
    "infinite": lambda text: text.replace('"k": 4', '"k": Infinity'),
    "beyond all numbers": lambda text: text.replace('"k": 4', '"k": 4e999'),
    "beyond all digits": lambda text: text.replace('"k": 4', '"k": 4' + "0" * 5000),
    "nested deep": lambda text: text.replace('"k": 4', '"k": ' + "[" * 100_000 + "]" * 100_000),
    "something after the end": lambda text: text + "{}",
    "a comment": lambda text: "// true\n" + text,
}


@pytest.mark.parametrize("change", TEXTS.values(), ids=TEXTS)
def test_claims_that_are_no_sound_json_are_refused(folder: Path, change: Callable[[str], str]) -> None:
    before = json.dumps(claim_of(folder))
    after = change(before)
    assert after != before
    (folder / "claim.json").write_text(after, encoding="utf-8")
    assert noticed(folder) == {REFUSED}


def test_a_claim_in_utf_16_is_refused(folder: Path) -> None:
    (folder / "claim.json").write_bytes(json.dumps(claim_of(folder)).encode("utf-16"))
    assert noticed(folder) == {REFUSED}


# What only the claim's own hash shows


def model_removed(claim: dict[str, Any]) -> None:
    del claim["models"][1]


WEAKER: dict[str, Callable[[dict[str, Any]], None]] = {
    "k lowered": edited("models", 0, "k_anonymity", "k", to=2),
    "a model removed": model_removed,
    "a quasi-identifier called insensitive": edited("columns", 0, to={"name": "age", "role": "insensitive"}),
    "another column called sensitive": edited("columns", 4, "role", to="sensitive"),
    "a column called masked": edited("columns", 5, "masked", to=True),
    "any style": edited("columns", 0, "style", to="label"),
}
"""Claims that say less: they are true as well, only not what was published."""


@pytest.mark.parametrize("change", WEAKER.values(), ids=WEAKER)
def test_weaker_claims_are_true_and_noticed_by_their_hash(
    folder: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    digest, before = published_digest(folder), claim_of(folder)
    claim = copy.deepcopy(before)
    change(claim)
    assert claim != before
    write_claim(folder, claim)
    assert not noticed(folder)
    assert noticed(folder, claim_sha256=digest) == {"claim hash"}
    record = json.loads((folder / "internal" / "record.json").read_text()) | {"claim_sha256": digest}
    assert noticed(folder, record=record) == {"claim hash"}


def test_what_is_claimed_is_said_in_words(folder: Path) -> None:
    """Whoever reads it can see that a column is missing among the quasi-identifiers."""

    def words(verdict: Verdict) -> str:
        return next(check.detail for check in verdict.checks if check.name == "claim")

    found = words(verify(folder))
    assert "quasi-identifiers: 'age', 'zip', 'job'; sensitive: 'treated'; insensitive: 'pay', 'remark'." in found
    claim = claim_of(folder)
    claim["columns"] = [{"name": column["name"], "role": "insensitive"} for column in claim["columns"]]
    claim["models"] = [{"k_anonymity": {"k": 20}}]
    write_claim(folder, claim)
    assert "quasi-identifiers: none" in words(verify(folder))


def test_the_hash_of_a_claim_has_64_digits(folder: Path) -> None:
    digest = published_digest(folder)
    spaced = " ".join(digest[i : i + 8].upper() for i in range(0, 64, 8))
    assert not noticed(folder, claim_sha256=f"{spaced}\n")
    assert not noticed(folder, record={"claim_sha256": digest, "n_original": 20, "n_suppressed": 0})
    for wrong in ("", digest[:-1], f"{digest}0", digest.replace(digest[0], "x"), "sha256:" + digest):
        assert noticed(folder, claim_sha256=wrong) == {REFUSED}
    assert noticed(folder, record={"claim_sha256": 7}) == {REFUSED}
    with pytest.raises(AuditInputError, match="give its path"):
        verify(folder, claim_of(folder), claim_sha256=digest)


def test_the_claim_may_lie_elsewhere(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "promise.json"
    (folder / "claim.json").rename(elsewhere)
    assert noticed(folder) == {REFUSED}
    assert not noticed(folder, claim=elsewhere)
    assert verify(data_of(folder), elsewhere).holds
