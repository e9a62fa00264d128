"""Suppression as a signal: the secret decides what is left out, or chance does (A21)."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, log

import numpy as np
import polars as pl
import pytest

from celosia.measure.traps.base import Published
from celosia.measure.traps.suppression_signal import suppression_signal, told_by_absence


def table(hidden, secret):
    return pl.DataFrame({"age": ["*" if one else "30-39" for one in hidden], "ill": secret})


def test_all_rows_of_an_illness_are_blanked():
    secret = ["HIV"] * 3 + ["flu", "cold"] * 20
    (found,) = suppression_signal(Published(table([one == "HIV" for one in secret], secret), ("age",), ("ill",)))
    assert (found.code, found.severity, found.column, found.n_rows) == ("SUPPRESSION_SIGNAL", "warning", "ill", 3)
    assert "HIV" not in found.message


@pytest.mark.parametrize("missing", [None, "", "*", "***"])
def test_missing_cells_count_like_stars(missing):
    secret = ["HIV"] * 3 + ["flu", "cold"] * 20
    frame = pl.DataFrame({"age": [missing] * 3 + ["30"] * 40, "sex": ["M"] * 43, "ill": secret})
    assert len(suppression_signal(Published(frame, ("sex", "age"), ("ill",)))) == 1
    assert suppression_signal(Published(frame, ("sex",), ("ill",))) == []


def test_chance_is_not_taken_for_a_signal():
    """One table in a hundred may be; the bound is conservative, so that it is fewer."""
    generator = np.random.default_rng(7)
    n_found = 0
    for _ in range(400):
        codes = generator.integers(0, 8, 300)
        n_found += told_by_absence(codes, generator.random(300) < 0.05) != (0, 0)
    assert n_found <= 4


def test_a_high_amount_is_blanked():
    pay = np.random.default_rng(3).permutation(np.arange(1000) * 10 + 5)
    frame = table(pay > 9700, pay)
    (found,) = suppression_signal(Published(frame, ("age",), ("ill",)))
    assert found.n_rows == int((pay > 9700).sum())
    assert suppression_signal(Published(table(pay % 3 == 0, pay), ("age",), ("ill",))) == []


def test_nothing_or_everything_hidden_tells_nothing():
    secret = ["HIV"] * 3 + ["flu"] * 9
    for hidden in ([True] * 12, [False] * 12):
        assert suppression_signal(Published(table(hidden, secret), ("age",), ("ill",))) == []
    assert suppression_signal(Published(table([True] * 3 + [False] * 9, secret), ("age",))) == []
    assert told_by_absence(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)) == (0, 0)


@pytest.mark.parametrize(
    ("n_rows", "n_own", "n_hidden", "n_own_hidden"), [(60, 6, 6, 5), (100, 3, 4, 3), (500, 40, 50, 20)]
)
def test_the_bound_lies_above_the_exact_chance(n_rows, n_own, n_hidden, n_own_hidden):
    """Hoeffding: draws without replacement exceed a share less often than exp(-n D)."""
    exact = sum(
        Fraction(comb(n_own, hit) * comb(n_rows - n_own, n_hidden - hit), comb(n_rows, n_hidden))
        for hit in range(n_own_hidden, min(n_own, n_hidden) + 1)
    )
    own, share = n_own_hidden / n_own, n_hidden / n_rows
    divergence = own * log(own / share) + ((1 - own) * log((1 - own) / (1 - share)) if own < 1 else 0)
    bound = exp(-n_own * divergence)
    assert float(exact) <= bound
    codes = np.array([0] * n_own + [1] * (n_rows - n_own))
    hidden = np.zeros(n_rows, dtype=np.bool_)
    hidden[:n_own_hidden] = True
    hidden[n_own : n_own + n_hidden - n_own_hidden] = True
    told = told_by_absence(codes, hidden)
    assert told == ((1, n_own_hidden) if 2 * bound <= 0.01 and own >= min(3 * share, 1) else (0, 0))
