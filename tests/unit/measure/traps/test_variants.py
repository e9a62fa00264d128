"""Near-duplicate categories, against the edit distance written out."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.measure.traps import Published
from celosia.measure.traps.variants import alike, variants


def found(values, **options):
    return variants(Published(pl.DataFrame({"x": values}, schema={"x": pl.String}), **options))


def distance(left: str, right: str) -> int:
    """Give the edit distance in which two neighbours may change places (optimal string alignment)."""
    rows = [[max(i, j) if i == 0 or j == 0 else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] != right[j - 1]))
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@tries(150)
@given(st.lists(st.text("abcde", min_size=4, max_size=7), unique=True, min_size=2, max_size=8))
def test_near_pairs_are_one_edit_apart(words):
    same, near = alike(words)
    expected = [
        (left, right)
        for left, right in combinations(range(len(words)), 2)
        if distance(words[left], words[right]) == 1
        and words[left][0] == words[right][0]
        and not longer_by_a(words[left], words[right])
        and not set(words[left] + words[right]) <= set("cd")  # these are numerals
    ]
    assert (same, near) == ([], expected)


def longer_by_a(left: str, right: str) -> bool:
    return left + "a" == right or right + "a" == left


def test_the_sources_own_variants():
    (one,) = found(["Jana Doe"] * 3 + ["Jane Doe"] * 2 + ["John Roe"])
    assert (one.code, one.severity, one.values["count"], one.n_rows) == ("VARIANTS", "warning", 1, 5)
    (one,) = found(["NPC", "NCP", "UVA"])
    assert (one.severity, one.n_rows) == ("warning", 2)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cádiz", "Cadiz"),
        ("Cádiz", "CÁDIZ"),
        ("St. Ives", "St Ives"),
        ("flu", "Flu"),
        ("Madrid", "Madird"),
        ("nurse", "nurses"),
        ("asthma", "astma"),
        ("San Carlos", "San Calros"),
        ("San Carlos", "SanCarlos"),
    ],
)
def test_variants_are_found(left, right):
    assert [one.code for one in found([left, right, "something else"])] == ["VARIANTS"]


@pytest.mark.parametrize(
    "values",
    [
        ["Male", "Female"],
        ["casado", "casada", "soltero", "soltera"],
        ["A1", "A2", "B1"],
        ["Palencia", "Valencia"],
        ["Norte", "Sur", "Este", "Oeste"],
        ["noreste", "noroeste", "sureste", "suroeste"],
        ["Iran", "Iraq", "Iceland", "Ireland"],
        ["Grupo A", "Grupo B", "Grupo AB"],
        ["tipo I", "tipo II", "tipo III"],
        ["siglo XVII", "siglo XVIII"],
        ["Jane Doe", "Jane Roe"],
        ["A", "A-", "B+", "B", "B-", "Failed"],
        ["legal", "ilegal"],
        ["prof1", "prof2"],
        ["30-39", "30-49"],
        ["USA", "UAE"],
        ["yes", "no"],
        ["enero", "junio", "julio", "mayo"],
        ["J***", "L***"],
        ["flu", "flu ", None],
        ["37***", "36***"],
        ["one"],
        [],
    ],
)
def test_other_values_differ_on_purpose(values):
    assert found(values) == []


def test_members_of_published_sets_are_compared():
    (one,) = found(["Jana / Luis"] * 2 + ["Jane / Luis"] * 2 + ["Pedro"], quasi_identifiers=["x"])
    assert (one.values["count"], one.n_rows) == (1, 4)


def test_among_many_values_a_letter_is_worth_a_note():
    words = [a + b + c + d for a in "bcd" for b in "aeiou" for c in "fgh" for d in ("lmno", "pqrs", "tuvw")]
    (one,) = found(words)
    assert len(words) > 100
    assert one.severity == "note"
    (one,) = found([*words, words[0].upper()])
    assert one.severity == "warning"


def test_long_lists_are_no_categories():
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [f"word{a}{b}{c}" for a in letters for b in letters for c in letters[:4]]
    assert len(words) > 2000
    assert found(words) == []
    assert variants(Published(pl.DataFrame({"n": [1, 2]}))) == []
