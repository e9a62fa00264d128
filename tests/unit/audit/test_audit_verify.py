"""The verdict: a sound release is accepted, and every way of spoiling one is found."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia import audit
from celosia.audit import AuditInputError, Verdict, judge, measure, verify, verify_columns

Columns = dict[str, list[str | None]]
K = 3

ORIGINAL: Columns = {
    "who": [f"p{i}" for i in range(12)],
    "age": ["21", "23", "25", "31", "33", "35", "41", "43", "45", None, None, None],
    "job": ["law", "art", "law", "art", "art", "art", "law", "law", "law", "law", "art", "tax"],
    "zip": ["37001", "37002", "37003", "28001", "28002", "28003", "28101", "28102", "28103", "08001", "08002", "08003"],
    "born": ["2020-01-05", "2020-02-05", "2020-03-05", "2021-05-01", "2022-05-01", "2023-05-01"] * 2,
    "city": ["Oslo", "Bergen", "Oslo", "Rome", "Milan", "Rome", "Oslo", "Oslo", "Oslo", "Rome", "Oslo", "Milan"],
    "ill": ["S", "N", "S", "N", "S", "N", "S", "N", "S", "N", "S", None],
    "note": ["1.5", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
}
PUBLISHED: Columns = {
    "age_lo": ["21"] * 3 + ["31"] * 3 + ["41"] * 3 + [None] * 3,
    "age_hi": ["25"] * 3 + ["35"] * 3 + ["45"] * 3 + [None] * 3,
    "job": ["art / law"] * 3 + ["art"] * 3 + ["law"] * 3 + ["*"] * 3,
    "zip": ["3700*"] * 3 + ["2800*"] * 3 + ["2810*"] * 3 + ["*****"] * 3,
    "born": ["2020-Q1"] * 3 + ["2020s"] * 3 + ["2020"] * 3 + ["2020s"] * 3,
    "city": ["north"] * 3 + ["south"] * 3 + ["Oslo"] * 3 + ["*"] * 3,
    "ill": ORIGINAL["ill"],
    "note": ["1,5", *ORIGINAL["note"][1:]],
}
ORDER = [7, 2, 9, 0, 4, 11, 1, 8, 3, 6, 10, 5]
SHUFFLED: Columns = {name: [column[i] for i in ORDER] for name, column in PUBLISHED.items()}
TREE = {"city": {"Oslo": ["north", "*"], "Bergen": ["north", "*"], "Rome": ["south", "*"], "Milan": ["south", "*"]}}
CLAIM: dict[str, Any] = {
    "celosia": "claim",
    "version": 1,
    "models": [{"k_anonymity": {"k": K}}],
    "columns": [
        {"name": "age", "role": "quasi_identifier", "kind": "number", "style": "pair", "columns": ["age_lo", "age_hi"]},
        {"name": "job", "role": "quasi_identifier", "kind": "category", "style": "set", "separator": " / "},
        {"name": "zip", "role": "quasi_identifier", "kind": "prefix", "style": "label"},
        {"name": "born", "role": "quasi_identifier", "kind": "dates", "style": "label"},
        {"name": "city", "role": "quasi_identifier", "kind": "tree", "style": "label", "sensitive": True},
        {"name": "ill", "role": "sensitive"},
        {"name": "note", "role": "insensitive"},
    ],
    "policies": {"missing": "own", "suppressed": "deleted", "subject": "counted"},
}
RECORD: dict[str, Any] = {
    "order": base64.b64encode(zlib.compress(struct.pack("<12i", *ORDER))).decode(),
    "n_original": 12,
    "n_suppressed": 0,
    "subject": "who",
}


def status(verdict: Verdict) -> dict[str, str]:
    return {check.name: check.status for check in verdict.checks}


def judged(published: Any = SHUFFLED, claim: Any = CLAIM, original: Any = ORIGINAL, **options: Any) -> Verdict:
    given_options = {"order": ORDER, "hierarchies": TREE, "subject": "who"} | options
    return verify_columns(published, claim, original_columns=original, **given_options)


def as_frame(columns: Columns) -> pl.DataFrame:
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def test_a_sound_release_is_accepted_in_memory() -> None:
    verdict = judged()
    assert verdict.holds, verdict
    assert set(status(verdict).values()) == {"passed"}
    assert [check.name for check in verdict.checks] == [
        "claim", "rows", "columns", "values of 'age'", "values of 'job'", "values of 'zip'", "values of 'born'",
        "values of 'city'", "order", "k_anonymity", "k_anonymity in subjects", "truthfulness of 'age'",
        "truthfulness of 'job'", "truthfulness of 'zip'", "truthfulness of 'born'", "truthfulness of 'city'",
        "truthfulness of 'ill'", "truthfulness of 'note'",
    ]  # fmt: skip
    assert judged(as_frame(SHUFFLED), original=as_frame(ORIGINAL), order=pl.Series(ORDER)).checks == verdict.checks
    assert judged(as_frame(SHUFFLED)).checks == judged(SHUFFLED, original=as_frame(ORIGINAL)).checks == verdict.checks


def spoil_cell(column: str, value: str | None) -> Callable[[Columns], None]:
    def change(columns: Columns) -> None:
        columns[column][ORDER.index(1)] = value

    return change


def swap(column: str) -> Callable[[Columns], None]:
    def change(columns: Columns) -> None:
        i, j = ORDER.index(2), ORDER.index(4)
        columns[column][i], columns[column][j] = columns[column][j], columns[column][i]

    return change


def drop_row(columns: Columns) -> None:
    for column in columns.values():
        del column[0]


def repeat_row(columns: Columns) -> None:
    for column in columns.values():
        column.append(column[0])


def swap_secret(columns: Columns) -> None:
    i, j = ORDER.index(0), ORDER.index(1)
    columns["ill"][i], columns["ill"][j] = columns["ill"][j], columns["ill"][i]


SPOILS: list[tuple[str, Callable[[Columns], Any]]] = [
    ("k_anonymity", spoil_cell("age_lo", "20")),
    ("truthfulness of 'age'", spoil_cell("age_lo", "24")),
    ("values of 'age'", spoil_cell("age_lo", "26")),
    ("values of 'age'", spoil_cell("age_hi", None)),
    ("truthfulness of 'job'", spoil_cell("job", "law")),
    ("k_anonymity", spoil_cell("job", "law / art")),
    ("values of 'job'", spoil_cell("job", "art / art")),
    ("truthfulness of 'zip'", spoil_cell("zip", "3701*")),
    ("truthfulness of 'born'", spoil_cell("born", "2020-Q2")),
    ("values of 'born'", spoil_cell("born", "2020-Q9")),
    ("truthfulness of 'city'", spoil_cell("city", "south")),
    ("truthfulness of 'ill'", spoil_cell("ill", "X")),
    ("truthfulness of 'ill'", spoil_cell("ill", None)),
    ("truthfulness of 'note'", spoil_cell("note", "2.01")),
    ("truthfulness of 'ill'", swap_secret),
    ("truthfulness of 'age'", swap("age_hi")),
    ("truthfulness of 'zip'", swap("zip")),
    ("truthfulness of 'city'", swap("city")),
    ("order", drop_row),
    ("order", repeat_row),
    ("columns", lambda columns: columns.pop("note")),
    ("columns", lambda columns: columns.setdefault("extra", ["x"] * 12)),
]


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("check", "spoil"), SPOILS)
def test_every_spoilt_release_is_refused(check: str, spoil: Callable[[Columns], Any], fast: bool) -> None:
    published = copy.deepcopy(SHUFFLED)
    spoil(published)
    verdict = judged(as_frame(published) if fast else published)
    assert not verdict.holds
    assert status(verdict)[check] == "failed", verdict


@pytest.mark.parametrize("fast", [False, True])
def test_failures_name_count_and_first_row_but_no_value(fast: bool) -> None:
    published: Columns = {"x": ["[1, 2]", "canary", "[1, 2]", "[9, 3]"], "s": ["a", "b", "c", "secret-canary"]}
    claim = CLAIM | {
        "columns": [{"name": "x", "role": "quasi_identifier", "kind": "number"}, {"name": "s", "role": "sensitive"}],
        "policies": CLAIM["policies"] | {"subject": None},
    }
    original: Columns = {"x": ["1", "2", "canary", "4"], "s": ["a", "b", "d", "canary"]}
    data: Any = as_frame(published) if fast else published
    details = {check.name: check.detail for check in verify_columns(data, claim, original_columns=original,
                                                                    order=range(4)).checks}  # fmt: skip
    assert details["values of 'x'"] == "2 cells are malformed or reversed, the first in row 2."
    assert details["truthfulness of 'x'"] == "3 published values do not contain the original ones, the first in row 2."
    assert details["truthfulness of 's'"] == "2 published values do not contain the original ones, the first in row 3."
    assert "canary" not in str(details)


def altered(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(CLAIM) | changes


@pytest.mark.parametrize(
    "claim",
    [
        {},
        altered(celosia="record"),
        altered(version=2),
        altered(version=True),
        altered(version="1"),
        altered(models=[]),
        altered(models={"k_anonymity": {"k": 3}}),
        altered(models=[{"k_anonimity": {"k": 3}}]),
        altered(models=[{"k_anonymity": {"k": 3}}, {"m_invariance": {"m": 99}}]),
        altered(models=[{"k_anonymity": {"k": 3}, "other": {}}]),
        altered(models=[{"k_anonymity": 3}]),
        altered(columns=[]),
        altered(columns=None),
        altered(columns=["age"]),
        altered(columns=[*CLAIM["columns"], CLAIM["columns"][1]]),
        altered(columns=[*CLAIM["columns"], {"name": "age_lo", "role": "insensitive"}]),
        altered(columns=[{"name": "x", "role": "hidden"}]),
        altered(columns=[{"name": "\0x", "role": "sensitive"}]),
        altered(columns=[{"name": "x", "role": "identifier"}]),
        altered(columns=[{"name": "x", "role": "quasi_identifier"}]),
        altered(columns=[{"name": "x", "role": "quasi_identifier", "kind": "number", "style": "pair"}]),
        altered(columns=[{"name": "x", "role": "quasi_identifier", "kind": "number", "style": "roman"}]),
        altered(columns=[{"name": "x", "role": "quasi_identifier", "kind": "category", "separator": ""}]),
        altered(policies=None),
        altered(policies={"missing": "wildcard", "suppressed": "deleted", "subject": None}),
        altered(policies={"missing": "own", "suppressed": "exempt", "subject": None}),
        altered(policies={"missing": "own", "suppressed": "deleted"}),
        altered(policies={**CLAIM["policies"], "insiders": 1}),
        altered(data={"n_rows": "12"}),
        altered(data={"decimal": "'"}),
        altered(data=[]),
    ],
)
def test_malformed_claims_fail(claim: dict[str, Any]) -> None:
    verdict = judged(claim=claim)
    assert status(verdict) == {"claim": "failed"}
    assert not verdict.holds


@pytest.mark.parametrize("options", [{"k": 1}, {"k": 0}, {"k": True}, {"k": "3"}, {"k": 2.0}, {}, {"k": 2, "l": 1}])
def test_k_below_two_and_wrong_parameters_fail(options: dict[str, Any]) -> None:
    verdict = judged(claim=altered(models=[{"k_anonymity": options}]))
    assert status(verdict)["k_anonymity"] == "failed"
    assert not verdict.holds


def test_a_claim_of_more_than_there_is_fails() -> None:
    assert status(judged(claim=altered(models=[{"k_anonymity": {"k": K + 1}}])))["k_anonymity"] == "failed"
    assert judged(claim=altered(models=[{"k_anonymity": {"k": 2}}, {"k_anonymity": {"k": 3}}])).holds


def test_k_counts_subjects_where_the_claim_does() -> None:
    original = ORIGINAL | {"who": ["p0", "p0 ", *ORIGINAL["who"][2:]]}
    verdict = judged(original=original)
    assert status(verdict)["k_anonymity"] == "passed"
    assert status(verdict)["k_anonymity in subjects"] == "failed"
    rows_only = altered(policies=CLAIM["policies"] | {"subject": None})
    assert judged(claim=rows_only, original=original).holds


@pytest.mark.parametrize("missing", [{"subject": None}, {"subject": "no such"}, {"order": None}])
def test_subjects_that_cannot_be_counted_are_not_passed(missing: dict[str, Any]) -> None:
    verdict = judged(**missing)
    assert status(verdict)["models in subjects"] == "could not run"
    assert not verdict.holds


def test_without_the_original_truthfulness_does_not_apply() -> None:
    claim = altered(policies=CLAIM["policies"] | {"subject": None})
    verdict = judged(claim=claim, original=None)
    assert verdict.holds
    assert status(verdict)["truthfulness"] == "not applicable"


def test_without_the_order_rows_are_matched() -> None:
    claim = altered(policies=CLAIM["policies"] | {"subject": None})
    verdict = judged(claim=claim, order=None)
    assert verdict.holds
    assert status(verdict)["truthfulness"] == "passed"
    shifted = ORIGINAL | {"ill": ["S"] * 12}
    assert status(judged(claim=claim, original=shifted, order=None))["truthfulness"] == "failed"


def test_trees_without_their_mapping_could_not_run() -> None:
    claim = altered(policies=CLAIM["policies"] | {"subject": None})
    for order in (ORDER, None):
        verdict = judged(claim=claim, hierarchies=None, order=order)
        assert status(verdict)["truthfulness of 'city'"] == "could not run"
        assert not verdict.holds
    plain = PUBLISHED | {"city": ["*"] * 12}
    shuffled = {name: [column[i] for i in ORDER] for name, column in plain.items()}
    assert judged(shuffled, claim, hierarchies=None).holds


def test_columns_that_the_original_lacks_could_not_run() -> None:
    verdict = judged(original={name: column for name, column in ORIGINAL.items() if name != "note"})
    assert status(verdict)["truthfulness of 'note'"] == "could not run"
    assert not verdict.holds


def test_centroids_are_exempt_and_said_to_be() -> None:
    published: Columns = {"x": ["2.5", "2.5"]}
    claim = {
        **CLAIM,
        "models": [{"k_anonymity": {"k": 2}}],
        "columns": [{"name": "x", "role": "quasi_identifier", "kind": "number", "style": "centroid"}],
        "policies": CLAIM["policies"] | {"subject": None},
    }
    verdict = verify_columns(published, claim, original_columns={"x": ["2", "3"]}, order=[0, 1])
    assert verdict.holds
    assert status(verdict)["truthfulness of 'x'"] == "not applicable"
    assert not verify_columns({"x": ["[2, 3]", "[2, 3]"]}, claim).holds


@pytest.mark.parametrize("order", [[*ORDER[:-1], ORDER[0]], [*ORDER[:-1], 12], [*ORDER[:-1], -1], ORDER[:-1], []])
def test_wrong_orders_fail(order: list[int]) -> None:
    verdict = judged(order=order)
    assert status(verdict)["order"] == "failed"
    assert not verdict.holds


def test_empty_tables_prove_nothing() -> None:
    assert not judged({name: [] for name in SHUFFLED}, original=None).holds
    assert not judged({}, original=None).holds


def test_without_quasi_identifiers_all_rows_are_one_class() -> None:
    claim = {**CLAIM, "columns": [{"name": "s", "role": "sensitive"}]}
    claim["policies"] = CLAIM["policies"] | {"subject": None}
    assert verify_columns({"s": ["a", "b", "c"]}, claim).holds
    assert not verify_columns({"s": ["a", "b"]}, claim).holds


def test_an_empty_text_is_not_a_missing_value() -> None:
    """Parquet tells them apart, so an attacker does, too."""
    claim = {
        **CLAIM,
        "columns": [{"name": "x", "role": "quasi_identifier", "kind": "category"}],
        "policies": CLAIM["policies"] | {"subject": None},
    }
    assert verify_columns({"x": [None] * 3}, claim).holds
    verdict = verify_columns({"x": [None, None, ""]}, claim)
    assert status(verdict)["values of 'x'"] == status(verdict)["k_anonymity"] == "failed"


def test_judge_is_the_same_table_of_models() -> None:
    name = next(iter(SHUFFLED))
    figures = measure(SHUFFLED, [name])
    k = figures["k"]
    assert judge({"k_anonymity": {"k": k}}, figures)[:2] == ("k_anonymity", True)
    assert judge({"k_anonymity": {"k": k + 1}}, figures)[:2] == ("k_anonymity", False)
    assert not judge({"k_anonymity": {"k": 3}}, measure({"exam": []}, ["exam"]))[1]
    with pytest.raises(AuditInputError, match="not known"):
        judge({"magic": {}}, figures)


# Files


def write_csv(path: Path, columns: Columns, delimiter: str = ",") -> None:
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(cell or "" for cell in row) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def with_data(path: Path, claim: dict[str, Any] = CLAIM, **data: Any) -> dict[str, Any]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    facts = {"file": path.name, "format": "csv", "sha256": digest, "n_rows": 12, "delimiter": ";", "decimal": ","}
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
@settings(max_examples=60, deadline=None)
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


# The fast path


labels = {
    "number": st.sampled_from(["1", "[1, 3]", "[2, 4)", "(1, 3]", "(1, 3)", "1-3", "<3", ">=2", "3-1", "*", None, "",
                               "x", "[9007199254740992, 9007199254740993]"]),
    "category": st.sampled_from(["a", "a / b", "*", None, "b / b"]),
    "dates": st.sampled_from(["2020", "2020-03", "2020-13", "*", None]),
    "prefix": st.sampled_from(["37*", "***", "*", "370", None]),
}  # fmt: skip
originals = {
    "number": st.sampled_from(["1", " 2", "2.0", "2,5", "3.", ".5", "1e0", "+3", None, "", "x", "9007199254740993",
                               "9007199254740992", "1e999", "\x1f2", "nan", "inf"]),
    "category": st.sampled_from(["a", "b ", "c", None]),
    "dates": st.sampled_from(["2020-03-01", "01/03/2020", "03/31/2020", None, "x"]),
    "prefix": st.sampled_from(["370", "371", "37", None]),
}  # fmt: skip


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_both_paths_give_the_same_verdict(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    order = data.draw(st.permutations(range(n)))
    published: Columns = {"lo": [], "hi": []}
    original: Columns = {"pair": []}
    pair = {"name": "pair", "role": "quasi_identifier", "kind": "number", "style": "pair", "columns": ["lo", "hi"]}
    columns: list[dict[str, Any]] = [pair]
    for side in ("lo", "hi"):
        published[side] = data.draw(st.lists(st.sampled_from(["1", "3", "*", None]), min_size=n, max_size=n))
    original["pair"] = data.draw(st.lists(originals["number"], min_size=n, max_size=n))
    for kind in labels:
        style = data.draw(st.sampled_from(["bracket", "dash"])) if kind == "number" else "label"
        columns.append({"name": kind, "role": "quasi_identifier", "kind": kind, "style": style})
        published[kind] = data.draw(st.lists(labels[kind], min_size=n, max_size=n))
        original[kind] = data.draw(st.lists(originals[kind], min_size=n, max_size=n))
    texts = st.sampled_from(["a", "1", "1.0", "", " ", "*", None, "true", "TRUE"])
    columns.append({"name": "kept", "role": "insensitive"})
    published["kept"] = data.draw(st.lists(texts, min_size=n, max_size=n))
    original["kept"] = data.draw(st.lists(texts, min_size=n, max_size=n))
    claim = CLAIM | {"columns": columns}
    plain = verify_columns(published, claim, original_columns=original, order=order, subject="category")
    fast = verify_columns(
        as_frame(published), claim, original_columns=as_frame(original), order=order, subject="category"
    )
    assert plain.checks == fast.checks


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20), st.randoms())
def test_both_paths_read_the_same_numbers(values: list[float], shuffle: random.Random) -> None:
    """Every double at the very end of its range: one wrong last digit would show."""
    ends = [(value, value) if shuffle.random() < 0.5 else (value, value + 1) for value in values]
    published: Columns = {"x": [f"[{low!r}, {high!r}]" for low, high in ends]}
    original: Columns = {"x": [repr(shuffle.choice([low, high, low - 1])) for low, high in ends]}
    claim = CLAIM | {"columns": [{"name": "x", "role": "quasi_identifier", "kind": "number"}]}
    order = range(len(values))
    plain = verify_columns(published, claim, original_columns=original, order=order)
    fast = verify_columns(as_frame(published), claim, original_columns=as_frame(original), order=order)
    assert plain.checks == fast.checks


def test_large_mappings_take_the_fast_path_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    times = audit._FAST_FROM // 12 + 1
    published = {name: column * times for name, column in SHUFFLED.items()}
    original = {name: column * times for name, column in ORIGINAL.items()}
    order = [row + 12 * block for block in range(times) for row in ORDER]
    fast = judged(published, original=original, order=order)
    assert fast.holds
    monkeypatch.setattr(audit, "_polars", lambda: None)
    assert judged(published, original=original, order=order).checks == fast.checks


def test_frames_with_numbers_are_read_as_text() -> None:
    claim = {
        **CLAIM,
        "columns": [
            {"name": "x", "role": "quasi_identifier", "kind": "category"},
            {"name": "s", "role": "insensitive"},
        ],
        "policies": CLAIM["policies"] | {"subject": None},
    }
    published = pl.DataFrame({"x": ["5 / 6.5"] * 3, "s": [1.0, 2.5, float("nan")]})
    original = pl.DataFrame({"x": [5.0, 6.5, 5.0], "s": [1.0, 2.5, None]})
    assert verify_columns(published, claim, original_columns=original, order=[0, 1, 2]).holds
