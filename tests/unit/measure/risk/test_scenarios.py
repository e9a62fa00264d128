from __future__ import annotations

import datetime
import time
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.base.errors import OptionError
from celosia.measure.risk.acquaintance import acquaintance
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.scenarios import QUESTIONS, Acquaintance, Breach, Insider, PublicRelease, Scenario
from celosia.measure.risk.thresholds import Thresholds

cells = st.lists(st.lists(st.integers(1, 100), min_size=3, max_size=3), min_size=4, max_size=4)


@given(cells)
def test_a_grid_is_taken_just_if_it_never_falls(numbers):
    given_cells = {
        controls: {motivation: number / 100 for motivation, number in zip(MOTIVATIONS, row, strict=True)}
        for controls, row in zip(CONTROLS, numbers, strict=True)
    }
    rises = all(row == sorted(row) for row in numbers) and all(
        list(column) == sorted(column) for column in zip(*numbers, strict=True)
    )
    if rises:
        grid = Grid(given_cells)
        assert grid.to_dict() == given_cells
        assert Grid(grid.to_dict()) == grid
    else:
        with pytest.raises(cl.OptionError, match="falls"):
            Grid(given_cells)


@given(st.lists(st.integers(1, 100), min_size=3, max_size=3))
def test_thresholds_are_taken_just_if_they_never_rise_with_the_harm(numbers):
    low, medium, high = (number / 100 for number in numbers)
    if numbers == sorted(numbers, reverse=True):
        assert Thresholds(low, medium, high).to_dict() == {"low": low, "medium": medium, "high": high}
    else:
        with pytest.raises(cl.OptionError, match="greater than"):
            Thresholds(low, medium, high)


def test_what_a_grid_leaves_out_is_the_manual_s():
    grid = Grid({"high": {"low": "1/100"}})
    assert grid.attempt("high", "low") == Fraction(1, 100)
    assert grid.attempt("high", "medium") == Fraction(1, 20)
    assert hash(grid) is not None
    assert grid != Grid()


@pytest.mark.parametrize(
    ("wrong", "about", "hint"),
    [
        ({"hihg": {}}, "hihg", "did you mean 'high'?"),
        ({"high": {"lwo": 0.1}}, "high.lwo", "did you mean 'low'?"),
        ({"high": {"low": 0}}, "high.low", "one chance in four"),
        ({"high": {"low": None}}, "high.low", "one chance in four"),
        ({"high": 0.1}, "high", "names: low, medium, high."),
        ([], None, "names: high, medium, low, none."),
    ],
)
def test_a_wrong_grid_says_where_and_what_to_write(wrong, about, hint):
    with pytest.raises(cl.OptionError) as caught:
        Grid(wrong)
    assert caught.value.about == about
    assert hint in caught.value.hint


def test_every_scenario_is_one():
    for scenario in (
        Insider("high", "low"),
        Acquaintance(q=0.1),
        Breach(rate=0.1, source="x", date="2026-01-31"),
        PublicRelease(),
    ):
        assert isinstance(scenario, Scenario)
        assert scenario.label
        assert hash(scenario) is not None
        with pytest.raises(AttributeError):
            scenario.kind = "other"


@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("motivation", MOTIVATIONS)
def test_an_insider_is_looked_up_in_the_grid(controls, motivation):
    grid = Grid({"none": dict.fromkeys(MOTIVATIONS, 0.9)})
    assert Insider(controls, motivation).attempt == Grid().attempt(controls, motivation)
    assert Insider(controls, motivation, grid).attempt == grid.attempt(controls, motivation)


def test_answers_are_kept_for_the_record():
    answers = {"contract": "signed by all", "technology": "no network"}
    made = Insider("high", "low", answers=answers)
    assert made.to_dict() == {"controls": "high", "motivation": "low", "answers": answers}
    assert set(answers) < set(QUESTIONS)
    with pytest.raises(cl.OptionError, match="no key 'contrat'") as caught:
        Insider("high", "low", answers={"contrat": "yes"})
    assert caught.value.hint == "did you mean 'contract'?"
    with pytest.raises(cl.OptionError, match="must be a text"):
        Insider("high", "low", answers={"contract": " "})


@pytest.mark.parametrize(
    ("controls", "motivation", "about"),
    [("hgh", "low", "controls"), ("high", "none", "motivation"), (None, "low", "controls")],
)
def test_levels_have_names(controls, motivation, about):
    with pytest.raises(cl.OptionError, match=f"{about} must be one of") as caught:
        Insider(controls, motivation)
    assert caught.value.about == about


def test_a_grid_is_a_grid():
    with pytest.raises(cl.OptionError, match="grid must be a Grid"):
        Insider("high", "low", grid={})


@given(st.integers(0, 1000).map(lambda part: Fraction(part, 1000)), st.integers(0, 200))
def test_an_acquaintance_is_exact(q, m):
    attempt = Acquaintance(q=q, m=m).attempt
    missed = Fraction(1)
    for _ in range(m):
        missed *= 1 - q
    assert attempt == 1 - missed
    assert float(attempt) == pytest.approx(acquaintance(q, m), rel=1e-12)


def test_very_many_acquaintances_are_nearly_exact_and_quick():
    attempt = Acquaintance(q="0.0000012345678901", m=3_000_000).attempt
    assert float(attempt) == pytest.approx(acquaintance("0.0000012345678901", 3_000_000), rel=1e-14)


@pytest.mark.parametrize("date", ["2026-01-31", datetime.date(2026, 1, 31), datetime.datetime(2026, 1, 31, 12)])
def test_a_breach_needs_rate_source_and_date(date):
    made = Breach(rate="0.27", source="a survey", date=date)
    assert made.attempt == Fraction(27, 100)
    assert made.to_dict() == {"rate": 0.27, "source": "a survey", "date": "2026-01-31"}
    with pytest.raises(TypeError):
        Breach(rate=0.27)


@pytest.mark.parametrize(
    ("options", "about"),
    [
        ({"rate": 0}, "rate"),
        ({"rate": 2}, "rate"),
        ({"rate": None}, "rate"),
        ({"source": " "}, "source"),
        ({"source": None}, "source"),
        ({"date": "31/01/2026"}, "date"),
        ({"date": None}, "date"),
        ({"date": 2026}, "date"),
    ],
)
def test_a_breach_has_no_defaults(options, about):
    with pytest.raises(cl.OptionError) as caught:
        Breach(**({"rate": 0.1, "source": "a survey", "date": "2026-01-31"} | options))
    assert caught.value.about == about


def test_an_unknown_answer_says_where_it_stands():
    with pytest.raises(OptionError) as caught:
        Insider("high", "low", answers={"contrat": "yes"})
    assert caught.value.about == "answers.contrat"


@pytest.mark.parametrize(("share", "known"), [("0.00000001", 50_000_000), ("0.0003", 200_000), ("1e-320", 10**10)])
def test_many_acquaintances_are_never_taken_for_fewer(share, known):
    """The figure is rounded up: no threshold between it and the exact one may be met."""
    found = Acquaintance(share, known).attempt
    with localcontext() as context:
        context.prec = 60  # far more digits than floating point has
        exact = 1 - (1 - Decimal(share)) ** known if Decimal(share) > Decimal("1e-50") else Decimal(share) * known
    assert Fraction(exact) <= found <= Fraction(exact) * (1 + Fraction(1, 10**14))


def test_a_tiny_share_takes_no_time():
    began = time.perf_counter()
    assert float(Acquaintance("1e-300", 10_000).attempt) == pytest.approx(1e-296)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("ask", [acquaintance, Acquaintance])
def test_nobody_knows_more_people_than_there_are(ask):
    ask("0.5", 10**10)
    with pytest.raises(OptionError, match="m must be a whole number from 0 to 10000000000"):
        ask("0.5", 10**400)
