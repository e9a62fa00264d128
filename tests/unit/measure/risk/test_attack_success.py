from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.attack_success import Rate


def test_the_checked_figures():
    found = cl.risk.attack_success(100, 500, n_control_hits=50)
    assert (round(found.attack.rate, 6), round(found.control.rate, 6)) == (0.202287, 0.103050)
    assert (round(found.risk, 6), round(found.error, 6)) == (0.110639, 0.046974)
    assert found.reason is None
    assert found.to_dict()["naive"] is None


@given(st.integers(1, 10**6), st.data())
def test_wilsons_ends_solve_its_equation(n, data):
    """The ends p of the interval are those with |s / n - p| = z sqrt(p (1 - p) / n)."""
    s = data.draw(st.integers(0, n))
    found = Rate.of(s, n)
    for end in (found.rate - found.error, found.rate + found.error):
        assert abs(s / n - end) == pytest.approx(1.959963985 * math.sqrt(max(end * (1 - end), 0) / n), abs=1e-7)


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_the_risk_is_a_probability(n, n_control, data):
    hits, control = data.draw(st.integers(0, n)), data.draw(st.integers(0, n_control))
    found = cl.risk.attack_success(hits, n, n_control_hits=control, n_control_attacks=n_control)
    assert 0 <= found.risk <= 1
    assert found.error > 0
    if found.attack.rate <= found.control.rate:
        assert found.risk == 0


def test_a_weak_attack_concludes_nothing():
    weak = cl.risk.attack_success(20, 100, n_control_hits=10, n_naive_hits=20)
    assert (weak.risk, weak.error) == (None, None)
    assert "too weak" in weak.reason
    assert cl.risk.attack_success(21, 100, n_control_hits=10, n_naive_hits=20).risk > 0


@pytest.mark.parametrize(
    ("hits", "attacks", "control"),
    [(5, 4, 0), (-1, 4, 0), (0, 0, 0), (1, 4, 5), (True, 4, 0), (1.0, 4, 0), ("1", 4, 0)],
)
def test_what_is_no_count_is_refused(hits, attacks, control):
    with pytest.raises(cl.OptionError):
        cl.risk.attack_success(hits, attacks, n_control_hits=control)


@pytest.mark.parametrize("people", [1, 2, 3, 4, 5])
def test_isolation_by_counting_every_world(people):
    """Each of f people falls into the share with chance 1 / f: count the worlds in which exactly one does."""
    worlds = list(product(range(people), repeat=people))
    alone = sum(world.count(0) == 1 for world in worlds)
    assert cl.risk.isolation(people) == pytest.approx(alone / len(worlds))


def test_isolation_falls_towards_one_over_e():
    found = [cl.risk.isolation(people) for people in (1, 2, 3, 10, 999, 1000, 1001, 10**9)]
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(1 / math.e, rel=1e-6)
    for wrong in (0, -1, True, 2.0, "3"):
        with pytest.raises(cl.OptionError):
            cl.risk.isolation(wrong)
