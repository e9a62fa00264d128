"""The verdict: a sound release is accepted, and every way of spoiling one is found."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from audited import CLAIM, ORDER, ORIGINAL, PUBLISHED, SHUFFLED, Columns, K, altered, as_frame, judged, status
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import audit
from celosia.audit import AuditInputError, judge, measure, verify_columns


def test_a_sound_release_is_accepted_in_memory() -> None:
    verdict = judged()
    assert verdict.holds, verdict
    assert {name for name, found in status(verdict).items() if found != "passed"} == {"shuffle"}  # twelve rows are few
    assert [check.name for check in verdict.checks] == [
        "claim", "rows", "columns", "values of 'age'", "values of 'job'", "values of 'zip'", "values of 'born'",
        "values of 'city'", "order", "shuffle", "k_anonymity", "k_anonymity in subjects", "truthfulness of 'age'",
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
@tries(100)
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
    places = random.Random(1).sample(range(12 * times), 12 * times)
    published = {name: [column[place] for place in places] for name, column in published.items()}
    blocks = [row + 12 * block for block in range(times) for row in ORDER]
    order = [blocks[place] for place in places]
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
