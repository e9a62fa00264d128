"""Classes that share a secret but for one person: against a plain count."""

from __future__ import annotations

from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.measure.traps.almost_homogeneous import almost_homogeneous
from celosia.measure.traps.base import Published


def test_one_who_differs_learns_the_secret_of_all_others():
    """A2: S, S, N, where the attacker knows who has N."""
    frame = pl.DataFrame({"zip": ["37***"] * 3 + ["28***"] * 4, "chol": [*"SSN", *"SSNN"]})
    (found,) = almost_homogeneous(Published(frame, ("zip",), ("chol",)))
    assert (found.code, found.severity, found.column, found.n_rows) == ("ALMOST_HOMOGENEOUS", "note", "chol", 3)


@pytest.mark.parametrize("secrets", ["SSS", "SSNN", "SNX", "SSNX", "SN", "S"])
def test_clean_classes(secrets):
    frame = pl.DataFrame({"zip": ["37***"] * len(secrets), "chol": [*secrets]})
    assert almost_homogeneous(Published(frame, ("zip",), ("chol",))) == []
    assert almost_homogeneous(Published(frame, (), ("chol",))) == []


ROWS = st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", "z", None]), st.integers(0, 5))


@given(st.lists(ROWS, max_size=25), st.booleans())
def test_a_plain_count_agrees(rows, by_subject):
    schema = {"zip": pl.String, "ill": pl.String, "who": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    held: dict[str, dict[str | None, set[int]]] = defaultdict(lambda: defaultdict(set))
    sizes: dict[str, int] = defaultdict(int)
    for number, (code, ill, who) in enumerate(rows):
        held[code][ill].add(who if by_subject else number)
        sizes[code] += 1
    told = [
        code
        for code, secrets in held.items()
        if len(set().union(*secrets.values())) >= 3
        and len(secrets) == 2
        and min(len(people) for people in secrets.values()) == 1
    ]
    published = Published(frame, ("zip",), ("ill",), identifiers=("who",), subject="who" if by_subject else None)
    expected = [(len(told), sum(sizes[code] for code in told))] if told else []
    assert [(one.values["n_classes"], one.n_rows) for one in almost_homogeneous(published)] == expected
