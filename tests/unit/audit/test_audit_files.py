"""The verdict on files: whatever is changed in data, claim or record is found, in every format."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from audited import CLAIM, ORDER, ORIGINAL, RECORD, SHUFFLED, TREE, Columns, altered, as_frame, judged, status
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.audit import AuditInputError, Verdict, verify


def write_csv(path: Path, columns: Columns, delimiter: str = ",") -> None:
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(cell or "" for cell in row) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def with_data(path: Path, claim: dict[str, Any] = CLAIM, **data: Any) -> dict[str, Any]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    facts = {"format": "csv", "sha256": digest, "n_rows": 12, "delimiter": ";", "decimal": ","}
    return claim | {"data": facts | data}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_csv(tmp_path / "data.csv", SHUFFLED, ";")
    write_csv(tmp_path / "original.csv", ORIGINAL, "|")
    (tmp_path / "claim.json").write_text(json.dumps(with_data(tmp_path / "data.csv")))
    (tmp_path / "record.json").write_text(json.dumps(RECORD))
    return tmp_path


def verified(folder: Path, **options: Any) -> Verdict:
    files = {"original": folder / "original.csv", "record": folder / "record.json", "hierarchies": TREE}
    return verify(folder / "data.csv", folder / "claim.json", **(files | options))


def test_a_sound_file_is_accepted(folder: Path) -> None:
    verdict = verified(folder)
    assert verdict.holds, verdict
    assert {"hash", "record", "order", "k_anonymity in subjects"} <= set(status(verdict))
    assert verified(folder, original=ORIGINAL, record=RECORD).checks == verdict.checks
    assert json.loads(json.dumps(verdict.to_dict()))["holds"] is True


@given(data=st.data())
@tries(60)
def test_any_changed_byte_is_noticed(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("changed")
    path = folder / "data.csv"
    write_csv(path, SHUFFLED, ";")
    claim = with_data(path)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    assert not verify(path, claim, original=ORIGINAL, record=RECORD, hierarchies=TREE).holds


def test_a_dropped_row_is_noticed_even_with_a_new_hash(folder: Path) -> None:
    lines = (folder / "data.csv").read_text().splitlines()
    (folder / "data.csv").write_text("\n".join(lines[:-1]) + "\n")
    (folder / "claim.json").write_text(json.dumps(with_data(folder / "data.csv")))
    found = status(verified(folder))
    assert (found["hash"], found["rows"], found["order"], found["record"]) == ("passed", "failed", "failed", "failed")


@pytest.mark.parametrize(
    "data",
    [{"sha256": None}, {"sha256": "x"}, {"n_rows": None}, {"n_rows": True}, {"format": "dbf"}, {"delimiter": ";;"},
     {"encoding": 8}, {"neutralised": "yes"}],
)  # fmt: skip
def test_claims_about_files_are_complete(folder: Path, data: dict[str, Any]) -> None:
    claim = with_data(folder / "data.csv", **data)
    assert status(verify(folder / "data.csv", claim)) == {"claim": "failed"}


def test_an_unreadable_file_fails_if_it_is_not_the_claimed_one_and_is_refused_if_it_is(folder: Path) -> None:
    broken = (folder / "data.csv").read_bytes() + b"one;two\n"
    (folder / "data.csv").write_bytes(broken)
    assert status(verified(folder))["columns"] == "failed"
    with pytest.raises(AuditInputError, match="data row 13"):
        verify(folder / "data.csv", with_data(folder / "data.csv"))


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"n_suppressed": 1}, "record"),
        ({"n_original": 13, "n_suppressed": 1}, "record"),
        ({"n_original": None}, "record"),
        ({"n_suppressed": -1, "n_original": 11}, "record"),
    ],
)
def test_records_must_add_up(folder: Path, change: dict[str, Any], check: str) -> None:
    verdict = verified(folder, record=RECORD | change)
    assert status(verdict)[check] == "failed"
    assert not verdict.holds


def test_suppressed_rows_are_left_over(folder: Path) -> None:
    original = {name: [*column, column[0]] for name, column in ORIGINAL.items()}
    assert verified(folder, original=original, record=RECORD | {"n_original": 13, "n_suppressed": 1}).holds


@pytest.mark.parametrize("order", [None, 7, "not base64!", base64.b64encode(b"not zlib").decode(),
                                   base64.b64encode(zlib.compress(b"12345")).decode()])  # fmt: skip
def test_orders_that_cannot_be_unpacked_are_refused(folder: Path, order: Any) -> None:
    with pytest.raises(AuditInputError, match="order"):
        verified(folder, record=RECORD | {"order": order})


def test_an_order_that_unpacks_to_gigabytes_is_cut_short(folder: Path) -> None:
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
    assert status(verified(folder, record=RECORD | {"order": bomb}))["order"] == "failed"


def test_the_record_says_how_the_original_is_read(folder: Path) -> None:
    original = ORIGINAL | {"ill": [cell or "unknown" for cell in ORIGINAL["ill"]], "ñ": ["x"] * 12}
    write_csv(folder / "original.csv", original, "#")
    text = (folder / "original.csv").read_text(encoding="utf-8")
    (folder / "original.csv").write_bytes(text.encode("cp1252"))
    how = {"delimiter": "#", "encoding": "cp1252", "missing": ["unknown"]}
    assert verified(folder, record=RECORD | {"original": how}).holds
    with pytest.raises(AuditInputError, match="encoding 'utf-8'"):
        verified(folder)


def test_masked_columns_are_exempt_against_the_file_before_masks(folder: Path) -> None:
    columns = [entry | ({"masked": True} if entry["name"] == "note" else {}) for entry in CLAIM["columns"]]
    claim = with_data(folder / "data.csv", altered(columns=columns))
    (folder / "claim.json").write_text(json.dumps(claim))
    write_csv(folder / "original.csv", ORIGINAL | {"note": ["0"] * 12}, "|")
    verdict = verified(folder)
    assert verdict.holds
    assert status(verdict)["truthfulness of 'note'"] == "not applicable"
    assert not verified(folder, original=ORIGINAL | {"note": ["0"] * 12}).holds


def test_an_identifier_may_only_be_published_masked(folder: Path) -> None:
    published = SHUFFLED | {"id": [str(i) for i in range(12)]}
    entry = {"name": "id", "role": "identifier"}
    assert not judged(published, altered(columns=[*CLAIM["columns"], entry])).holds
    masked = altered(columns=[*CLAIM["columns"], entry | {"masked": True}])
    original = ORIGINAL | {"id": [published["id"][ORDER.index(i)] for i in range(12)]}
    assert judged(published, masked, original).holds


def test_pseudonyms_are_declared_as_masked(folder: Path) -> None:
    published = SHUFFLED | {"id": [str(i) for i in range(12)]}
    original = ORIGINAL | {"id": [published["id"][ORDER.index(i)] for i in range(12)]}
    entry = {"name": "id", "role": "insensitive", "masked": True, "pseudonyms": True}
    assert judged(published, altered(columns=[*CLAIM["columns"], entry]), original).holds
    for wrong in ({"masked": False}, {"pseudonyms": "yes"}):
        assert not judged(published, altered(columns=[*CLAIM["columns"], entry | wrong]), original).holds


@pytest.mark.parametrize(
    "text",
    ["", "[]", "nothing", '{"version": 1, "version": 1}', '{"version": NaN}', "[" * 100_000, '{"a": 1'],
)
def test_files_that_are_no_claims_are_refused(folder: Path, text: str) -> None:
    (folder / "claim.json").write_text(text)
    with pytest.raises(AuditInputError, match="the claim"):
        verified(folder)


@pytest.mark.parametrize("form", ["xlsx", "parquet", "arrow"])
def test_other_formats_are_judged_alike(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"data.{form}"
    if form == "xlsx":
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for place, (name, column) in enumerate(SHUFFLED.items()):
                sheet.write_column(0, place, [name, *column])
    elif form == "parquet":
        as_frame(SHUFFLED).write_parquet(path)
    else:
        as_frame(SHUFFLED).write_ipc(path)
    claim = with_data(path, format=form)
    assert verify(path, claim, original=ORIGINAL, record=RECORD, hierarchies=TREE).holds


def test_a_second_sheet_is_covered_by_no_claim(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for place, (name, column) in enumerate(SHUFFLED.items()):
            sheet.write_column(0, place, [name, *column])
        book.add_worksheet("raw").write_column(0, 0, ORIGINAL["who"])
    verdict = verify(path, with_data(path, format="xlsx"), original=ORIGINAL, record=RECORD, hierarchies=TREE)
    assert status(verdict)["sheets"] == "failed"


def test_formulas_are_undone_before_judging(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    write_csv(path, {"x": ["'-5--2", "'-5--2"], "s": ["'=1+1", "b"]})
    claim = {
        **CLAIM,
        "models": [{"k_anonymity": {"k": 2}}],
        "columns": [{"name": "x", "role": "quasi_identifier", "kind": "number"}, {"name": "s", "role": "sensitive"}],
        "policies": CLAIM["policies"] | {"subject": None},
    }
    original = {"x": ["-5", "-2"], "s": ["=1+1", "b"]}
    record = {"order": base64.b64encode(zlib.compress(struct.pack("<2i", 0, 1))), "n_original": 2, "n_suppressed": 0}
    facts = {"n_rows": 2, "delimiter": ",", "decimal": "."}
    assert verify(path, with_data(path, claim, neutralised=True, **facts), original=original, record=record).holds
    assert not verify(path, with_data(path, claim, **facts), original=original, record=record).holds
