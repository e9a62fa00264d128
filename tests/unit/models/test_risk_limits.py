"""Limits on average risk, share at risk and sample uniqueness: exact, row by row, and what they outlive."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.models.average_risk import AverageRisk
from celosia.models.base import Model, Monotone
from celosia.models.sample_uniqueness import SampleUniqueness
from celosia.models.share_at_risk import ShareAtRisk


def table_of(n_rows, subject=None):
    frame = pl.DataFrame({"age": list(range(n_rows))})
    if subject is not None:
        frame = frame.with_columns(who=pl.Series(subject, dtype=pl.String))
    who = None if subject is None else "who"
    return cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject=who))


def people_of(labels, subject):
    """Return the published rows as (label, people in its class), by plain loops."""
    rows = [row for row, label in enumerate(labels) if label >= 0]
    who = list(range(len(labels))) if subject is None else subject
    return [(labels[row], len({who[other] for other in rows if labels[other] == labels[row]})) for row in rows]


def plainly_broken(model, labels, subject):
    """Read the definitions aloud, row by row."""
    rows = people_of(labels, subject)
    if not rows:
        return []
    n = len(rows)
    if isinstance(model, AverageRisk):
        limit = Fraction(str(model.limit))
        holds = sum(Fraction(1, people) for _, people in rows) / n <= limit
        blamed = [label for label, people in rows if Fraction(1, people) > limit]
    elif isinstance(model, ShareAtRisk):
        blamed = [label for label, people in rows if Fraction(1, people) > Fraction(str(model.threshold))]
        holds = Fraction(len(blamed), n) <= Fraction(str(model.share))
    else:
        blamed = [label for label, people in rows if people == 1]
        holds = Fraction(len(blamed), n) <= Fraction(str(model.share))
    return [] if holds else sorted(set(blamed))


SHARES = st.sampled_from([0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.999])
RISKS = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.34, 0.5, 0.6, 0.999])
MODELS = st.one_of(
    RISKS.map(AverageRisk),
    st.builds(ShareAtRisk, SHARES, st.one_of(RISKS, st.just(1))),
    SHARES.map(SampleUniqueness),
)


@st.composite
def labelled(draw, least=-1):
    labels = draw(st.lists(st.integers(least, 5), min_size=1, max_size=20))
    people = st.sampled_from([*"pqrst", None])
    subject = draw(st.none() | st.lists(people, min_size=len(labels), max_size=len(labels)))
    return labels, subject


@given(case=labelled(), model=MODELS)
@tries(500)
def test_broken_is_the_plain_definition(case, model):
    labels, subject = case
    names = sorted({label for label in labels if label >= 0})
    found = model.broken(cl.Classes(labels), table_of(len(labels), subject))
    assert found.dtype == np.int64
    assert [names[label] for label in found] == plainly_broken(model, labels, subject)


@given(case=labelled(least=0), model=MODELS, data=st.data())
@tries(300)
def test_uniting_and_merging_never_break_them(case, model, data):
    labels, subject = case
    assert model.monotone == Monotone(generalising=True, merging=True, suppressing=False)
    table = table_of(len(labels), subject)
    into = data.draw(st.lists(st.integers(0, 5), min_size=6, max_size=6))
    if not len(model.broken(cl.Classes(labels), table)):
        assert not len(model.broken(cl.Classes([into[label] for label in labels]), table))


@pytest.mark.parametrize("model", [AverageRisk(0.2), ShareAtRisk(0.1), SampleUniqueness(0.1)])
def test_suppressing_can_break_them(model):
    table, labels = table_of(10), np.array([0] + [1] * 9)
    assert model.broken(cl.Classes(labels), table).tolist() == []
    assert model.broken(cl.Classes(np.where(labels == 1, -1, labels)), table).tolist() == [0]


def test_bounds_are_taken_from_decimal_text():
    table = table_of(10)
    three = cl.Classes([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert AverageRisk(0.3).mean(three, table) == Fraction(3, 10)
    assert AverageRisk(0.3).broken(three, table).tolist() == []  # 0.3 as a double lies below 3 / 10
    assert AverageRisk(0.2999999).broken(three, table).tolist() == [1, 2]
    alone = cl.Classes([0, 1, 2, 3, 3, 3, 3, 3, 3, 3])
    assert SampleUniqueness(0.3).broken(alone, table).tolist() == []
    assert ShareAtRisk(0.3, 0.2).broken(alone, table).tolist() == []
    assert ShareAtRisk(0.29, 0.2).broken(alone, table).tolist() == [0, 1, 2]
    five = cl.Classes([0] * 5 + [1] * 5)
    assert ShareAtRisk(0, 0.2).broken(five, table).tolist() == []  # a risk of 0.2 is not above 0.2
    assert ShareAtRisk(0, 0.19).broken(five, table).tolist() == [0, 1]


def test_the_share_at_risk_of_none_is_k_anonymity():
    table, classes = table_of(12), cl.Classes([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3])
    for k in (2, 4, 5):  # 1 / 3 has no decimal text
        assert ShareAtRisk(0, 1 / k).broken(classes, table).tolist() == cl.KAnonymity(k).broken(classes, table).tolist()


def test_nothing_published_breaks_nothing():
    table, none = table_of(2), cl.Classes([-1, -1])
    assert AverageRisk(0.1).mean(none, table) is None
    for model in (AverageRisk(0.1), ShareAtRisk(0), SampleUniqueness(0)):
        assert model.broken(none, table).tolist() == []


@given(case=labelled(least=0), model=MODELS)
@tries(200)
def test_reachable_is_what_one_class_of_all_rows_meets(case, model):
    labels, subject = case
    table = table_of(len(labels), subject)
    if not len(model.broken(cl.Classes([0] * len(labels)), table)):
        model.check_reachable(table, n_spare=1)
        return
    assert plainly_broken(model, labels, subject)  # nor does any other grouping meet it
    n_people = len(labels) if subject is None else len(set(subject))
    with pytest.raises(cl.UnreachableError, match=f"have {n_people}[.,;]"):
        model.check_reachable(table, n_spare=1)


def test_rows_that_cannot_be_published_count_for_nobody():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    table = cl.Table(pl.DataFrame({"job": ["a", "x", "y"]}), cl.Schema(quasi_identifiers={"job": tree}))
    for model in (AverageRisk(0.5), ShareAtRisk(0.9, 0.5), SampleUniqueness(0.9)):
        with pytest.raises(cl.UnreachableError, match=r"have 1[.,;]"):
            model.check_reachable(table)


class Demands:
    codes = None

    def add_rows(self, least):
        self.least = least

    def add_distinct(self, codes, least):
        self.codes, self.least = codes, least


@given(case=labelled(least=0), model=MODELS)
@tries(200)
def test_classes_that_meet_what_the_search_is_told_meet_the_model(case, model):
    labels, subject = case
    table, demands = table_of(len(labels), subject), Demands()
    rows = np.arange(len(labels))[::-1]
    model.add_demand(demands, table, rows)
    if subject is not None:
        assert demands.codes.tolist() == table.subjects[rows].tolist()
        assert (demands.codes.dtype, demands.codes.flags.c_contiguous) == (np.int32, True)
    if all(people >= demands.least for _, people in people_of(labels, subject)):
        assert not len(model.broken(cl.Classes(labels), table))


@pytest.mark.parametrize(
    ("model", "least"),
    [
        (AverageRisk(0.2), 5),
        (AverageRisk(0.3), 4),
        (AverageRisk(0.19), 6),
        (ShareAtRisk(0), 5),
        (ShareAtRisk(0.5, 0.34), 3),
        (ShareAtRisk(0.5, 1), 1),
        (SampleUniqueness(0.3), 2),
    ],
)
def test_what_the_search_is_told(model, least):
    demands = Demands()
    model.add_demand(demands, table_of(20), np.arange(20))
    assert demands.least == least


@pytest.mark.parametrize("limit", [0, 1, -0.5, 1.5, float("nan"), float("inf"), True, "0.1", None])
def test_the_limit_is_above_0_and_below_1(limit):
    with pytest.raises(cl.OptionError, match="limit must be a number above 0 and below 1"):
        AverageRisk(limit)


@pytest.mark.parametrize("share", [1, -0.5, 1.5, float("nan"), True, False, "0.1", None])
@pytest.mark.parametrize("kind", [ShareAtRisk, SampleUniqueness])
def test_the_share_is_from_0_and_below_1(kind, share):
    with pytest.raises(cl.OptionError, match="share must be a number from 0 and below 1"):
        kind(share)


@pytest.mark.parametrize("threshold", [0, -0.5, 1.5, float("nan"), True, "0.1", None])
def test_the_threshold_is_above_0_and_up_to_1(threshold):
    with pytest.raises(cl.OptionError, match="threshold must be a number above 0 and up to 1") as caught:
        ShareAtRisk(0.1, threshold)
    assert (caught.value.about, bool(caught.value.hint)) == ("threshold", True)


def test_what_stands_in_records():
    assert AverageRisk(0.1).to_dict() == {"limit": 0.1}
    assert ShareAtRisk(0).to_dict() == {"share": 0, "threshold": 0.2}
    assert ShareAtRisk(np.float64(0.1), threshold=1).to_dict() == {"share": 0.1, "threshold": 1}
    assert SampleUniqueness(0.05).to_dict() == {"share": 0.05}
    for model in (AverageRisk(np.float64(0.1)), ShareAtRisk(0), SampleUniqueness(0)):
        assert json.loads(json.dumps(model.to_dict())) == model.to_dict()
        assert type(next(iter(model.to_dict().values()))) is float
        assert isinstance(model, Model)
        assert (model.smallest_class, model.needs) == (1, ())
