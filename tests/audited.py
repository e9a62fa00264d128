"""What tests of the audit share: a sound release with its claim, and what is said of one model."""

from __future__ import annotations

import base64
import copy
import struct
import zlib
from typing import Any

import polars as pl

from celosia.audit import Verdict, measure, verify_columns

Cell = str | None
Columns = dict[str, list[Cell]]
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


def altered(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(CLAIM) | changes


def holds(model: dict[str, Any], classes: list[Any], secret: list[Cell], **known: Any) -> bool | None:
    """What the audit says of a table of classes and one secret."""
    table = {"q": [str(one) for one in classes], "s": secret}
    (found,) = measure(table, ["q"], ["s"], models=[model], **known)["models"]
    verdict: bool | None = found["holds"]
    return verdict
