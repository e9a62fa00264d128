from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.assessment import risk_findings
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import Thresholds

insiders_ = st.builds(Insider, st.sampled_from(CONTROLS), st.sampled_from(MOTIVATIONS))
acquaintances = st.builds(Acquaintance, q=st.sampled_from(["0", "0.001", "0.01", "1"]), m=st.sampled_from([0, 10, 150]))
breaches = st.builds(
    Breach,
    rate=st.integers(1, 100).map(lambda part: part / 100),
    source=st.just("a survey"),
    date=st.just("2026-01-31"),
)
scenarios = st.one_of(
    st.just([PublicRelease()]),
    st.tuples(insiders_, acquaintances, breaches).map(list),
    insiders_.map(lambda one: [one]),
    acquaintances.map(lambda one: [one]),
)
situations = st.builds(
    Situation,
    scenarios,
    threshold=st.integers(1, 100).map(lambda part: Fraction(part, 100)),
    strict=st.booleans(),
    floor=st.integers(2, 5),
    insiders=st.integers(0, 3),
)


@given(situations, st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_against_the_definition(situation, labels):
    sizes = [labels.count(label) for label in set(labels)]
    left = [size - situation.insiders for size in sizes]
    data_risk = max(Fraction(1) if one <= 1 else Fraction(1, one) for one in left)
    risks = [scenario.attempt * data_risk for scenario in situation.scenarios]
    below = max(risks) < situation.threshold or (max(risks) == situation.threshold and not situation.strict)

    found = situation.assess(cl.Classes(labels))

    assert found.data_risk == data_risk
    assert found.mean == sum(
        labels.count(label)
        * (
            Fraction(1)
            if labels.count(label) - situation.insiders <= 1
            else Fraction(1, labels.count(label) - situation.insiders)
        )
        for label in set(labels)
    ) / len(labels)
    assert [result.risk for result in found.results] == risks
    assert found.overall == max(risks)
    assert found.k == min(sizes)
    assert found.holds == (below and min(sizes) >= situation.floor)
    codes = [finding.code for finding in risk_findings(found)]
    assert codes == ["RISK_ABOVE_THRESHOLD"] * (not below) + ["K_BELOW_FLOOR"] * (min(sizes) < situation.floor)
    assert len(found.reasons) == len(codes)
    json.dumps(found.to_dict(), allow_nan=False)


@given(situations)
def test_the_minimal_k_is_the_least_that_holds(situation):
    k = situation.minimal_k

    def holds(size):
        return size > 0 and situation.assess(cl.Classes([0] * size)).holds

    assert k >= situation.floor
    assert holds(k)
    assert not holds(k - 1)
    assert holds(k + 1)


@given(situations)
def test_what_a_plan_file_says_comes_back(situation):
    assert Situation.of(situation.to_dict()) == situation
    assert Situation.of(json.loads(json.dumps(situation.to_dict()))) == situation
    assert Situation.of(situation) is situation
    assert hash(situation) == hash(replace(situation))


def test_rows_concerned_are_counted():
    situation = Situation([PublicRelease()], threshold="0.2", floor=3)
    found = situation.assess(cl.Classes([0] * 2 + [1] * 4 + [2] * 5))
    assert (found.n_rows, found.n_rows_above, found.n_rows_below_floor) == (11, 6, 2)
    above, floor = risk_findings(found)
    assert (above.n_rows, above.severity, floor.n_rows, floor.severity) == (6, "warning", 2, "warning")
    assert "50 %" in above.message
    assert "20 %" in above.message
    assert "at least 5 people" in above.message


def test_k_counts_people():
    frame = pl.DataFrame({"who": ["a", "a", "a", "b"], "age": [40, 40, 40, 40]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = Situation([PublicRelease()], threshold="0.5", floor=2).assess(table)
    assert (found.k, found.data_risk, found.holds) == (2, Fraction(1, 2), True)


def test_a_release_is_judged_by_its_plan():
    frame = pl.DataFrame({"age": [30 + row % 7 for row in range(70)]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}))
    situation = Situation([PublicRelease()], harm="medium")
    release = cl.Plan(models=[cl.KAnonymity(5)], risk=situation, seed=1).run(table)
    found = release.plan.risk.assess(release)
    assert found.k == release.k
    assert found.holds == (release.k >= 10)
    assert release.plan.to_dict()["risk"] == {"harm": "medium", "public": True}
    assert "risk" not in cl.Plan(models=[cl.KAnonymity(5)]).to_dict()
    with pytest.raises(cl.OptionError, match="risk must be a Situation"):
        cl.Plan(models=[cl.KAnonymity(5)], risk={"harm": "low", "public": True})


def test_an_empty_table_is_undefined_and_not_safe():
    found = Situation([Insider("high", "low")], harm="low").assess(cl.Classes([]))
    assert found.data_risk is found.mean is found.overall is found.k is found.holds is None
    assert found.results[0].risk is None
    assert found.results[0].attempt == Fraction(3, 100)
    assert risk_findings(found) == []
    assert found.to_dict()["max_record_risk"] is None


def test_to_dict_has_numbers_and_the_fractions_behind_them():
    told = Situation([Insider("medium", "medium")], harm="medium").assess(cl.Classes([0] * 3)).to_dict()
    assert told["max_record_risk"] == 1 / 3
    assert told["exact"] == {"max_record_risk": "1/3", "mean": "1/3", "overall": "1/12", "threshold": "1/10"}
    assert told["harm"] == "medium"
    assert told["scenarios"] == [
        {
            "name": "insider",
            "label": "deliberate attack by an insider",
            "attempt": 0.25,
            "risk": 1 / 12,
            "holds": True,
            "exact": {"attempt": "1/4", "risk": "1/12"},
        }
    ]
    assert told["holds"] is True
    assert told["reasons"] == []


def test_a_fraction_of_hundreds_of_digits_is_not_spelt_out():
    told = Situation([Acquaintance(q=0.001, m=5000)], harm="low").assess(cl.Classes([0] * 3)).to_dict()
    assert told["exact"]["overall"] is None
    assert told["overall"] == pytest.approx((1 - 0.999**5000) / 3)


def test_a_risk_at_the_threshold_is_accepted_unless_strict():
    five = cl.Classes([0] * 5)
    assert Situation([PublicRelease()], threshold="0.2").assess(five).holds
    assert not Situation([PublicRelease()], threshold="0.2", strict=True).assess(five).holds
    said = [Situation([PublicRelease()], threshold="0.2", strict=strict).assumptions for strict in (False, True)]
    assert any("equal to the threshold is accepted" in one for one in said[0])
    assert any("must lie below" in one for one in said[1])


def test_floating_point_would_accept_what_is_wrong():
    """0.6 / 3 is 0.2, not less; in floating point it is less."""
    assert 0.6 / 3 < 0.2
    situation = Situation([Insider("low", "high")], harm="low", strict=True)
    assert not situation.assess(cl.Classes([0] * 3)).holds
    assert situation.minimal_k == 4


def test_a_threshold_of_nearly_nothing():
    found = Situation([PublicRelease()], threshold="1e-40").assess(cl.Classes([0] * 5))
    assert (found.minimal_k, found.n_rows_above, found.holds) == (10**40, 5, False)


def test_replacing_an_option_keeps_the_harm():
    situation = replace(Situation([PublicRelease()], harm="high"), strict=True)
    assert (situation.harm, situation.accepted, situation.minimal_k) == ("high", Fraction(1, 100), 101)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "name the accepted risk once"),
        ({"threshold": 0.1, "harm": "low"}, "name the accepted risk once"),
        ({"threshold": 2}, r"threshold must lie in \(0, 1\]"),
        ({"harm": "severe"}, "harm must be one of low, medium, high"),
        ({"harm": "low", "thresholds": {"low": 0.1}}, "thresholds must be Thresholds"),
        ({"harm": "low", "floor": 1}, "floor must be a whole number from 2 on"),
        ({"harm": "low", "strict": 1}, "strict must be true or false"),
        ({"harm": "low", "insiders": -1}, "insiders must be a whole number from 0 on"),
        ({"harm": "low", "scenarios": []}, "at least one scenario"),
        ({"harm": "low", "scenarios": "insider"}, "scenarios must be a list"),
        ({"harm": "low", "scenarios": [PublicRelease]}, "scenarios must be a list"),
        ({"harm": "low", "scenarios": [Insider("low", "low"), Insider("none", "low")]}, "named twice"),
        ({"harm": "low", "scenarios": [PublicRelease(), Insider("none", "low")]}, "makes an attempt certain"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(cl.OptionError, match=message):
        Situation(**({"scenarios": [Insider("low", "low")]} | options))


WHOLE = {
    "harm": "medium",
    "thresholds": {"medium": 0.05},
    "insider": {"controls": "medium", "motivation": "low", "answers": {"contract": "signed"}},
    "grid": {"medium": {"low": 0.15}},
    "acquaintance": {"share": 0.001, "known": 200},
    "breach": {"rate": 0.27, "source": "a survey", "date": "2026-01-31"},
    "strict": True,
    "floor": 4,
    "insiders": 1,
}


def test_a_plan_s_key_is_read_whole():
    found = Situation.of(WHOLE)
    grid = Grid({"medium": {"low": "0.15"}})
    assert found == Situation(
        [
            Insider("medium", "low", grid, {"contract": "signed"}),
            Acquaintance(q="0.001", m=200),
            Breach(rate="0.27", source="a survey", date="2026-01-31"),
        ],
        harm="medium",
        thresholds=Thresholds(medium="0.05"),
        strict=True,
        floor=4,
        insiders=1,
    )
    assert Situation.of(found.to_dict()) == found
    assert Situation.of({"threshold": "1/3", "public": True, "insider": None}).to_dict() == {
        "threshold": "1/3",
        "public": True,
    }


@pytest.mark.parametrize(
    ("changes", "about", "message"),
    [
        ({"hram": "low"}, "hram", "risk has no key 'hram'"),
        ({"insider": {"controls": "hgh", "motivation": "low"}}, "insider.controls", "controls must be one of"),
        ({"insider": {"controls": "high"}}, "insider", "insider needs 'motivation'"),
        ({"insider": "high"}, "insider", "insider must be a mapping"),
        ({"insider": {"controls": "high", "motivation": "low", "mood": 1}}, "insider.mood", "insider has no key"),
        ({"acquaintance": {"known": 5}}, "acquaintance", "acquaintance needs 'share'"),
        ({"acquaintance": {"share": 2}}, "acquaintance.share", r"share must lie in \[0, 1\]"),
        ({"acquaintance": {"share": 0.1, "known": -2}}, "acquaintance.known", "known must be a whole number"),
        ({"breach": {"rate": 0.1, "date": "2026-01-31"}}, "breach", "breach needs 'source'"),
        ({"breach": {"rate": 3, "source": "x", "date": "2026-01-31"}}, "breach.rate", "rate must lie in"),
        ({"thresholds": {"high": 0.9}}, "thresholds.high", "greater than the one for medium"),
        ({"grid": {"none": {"low": 0.1}}}, "grid.none.low", "falls downwards"),
        ({"insider": None}, "grid", "a grid is given, but no insider"),
        ({"harm": None, "threshold": 0.1}, "thresholds", "no harm"),
        ({"public": True}, "public", "makes an attempt certain"),
        ({"public": "yes"}, "public", "public must be true or false"),
    ],
)
def test_a_wrong_key_of_a_plan_says_where(changes, about, message):
    with pytest.raises(cl.OptionError, match=message) as caught:
        Situation.of(WHOLE | changes)
    assert caught.value.about == about


def test_the_key_is_a_mapping():
    with pytest.raises(cl.OptionError, match="risk must be a mapping"):
        Situation.of("high")


def test_any_number_of_insiders_is_counted_out():
    found = Situation([PublicRelease()], harm="low", insiders=10**30).assess(cl.Classes([0] * 40))
    assert (found.data_risk, found.minimal_k, found.holds) == (1, 10**30 + 5, False)


def test_a_tiny_threshold_stays_what_it_is():
    """Its fraction has more digits than Python spells."""
    found = Situation([PublicRelease()], threshold="1e-5000")
    assert (found.accepted, found.minimal_k) == (Fraction(1, 10**5000), 10**5000)
