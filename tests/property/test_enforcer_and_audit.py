"""Enforcer and audit are two implementations of one definition: they must agree on every table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl
from celosia import audit
from celosia.data.recode import recode
from celosia.data.schema.columns import as_text
from celosia.jobs import registry
from celosia.jobs.claim import claim_of


@given(case=cases(min_rows=2), k=st.integers(2, 4), data=st.data())
@tries(200)
def test_k_anonymity(case, k, data):
    _agree(case.table(), [cl.KAnonymity(k)], data)


@given(case=cases(min_rows=2), least=st.integers(2, 3), k=st.none() | st.integers(2, 3), data=st.data())
@tries(200)
def test_l_diversity(case, least, k, data):
    secrets = st.lists(st.sampled_from([None, "flu", "cold", "hiv"]), min_size=case.n_rows, max_size=case.n_rows)
    frame = case.frame().with_columns(pl.Series("secret", data.draw(secrets), dtype=pl.String))
    table = cl.Table(frame, replace(case.schema(), sensitive=["secret"]))
    _agree(table, [cl.LDiversity(least, on="secret"), *([] if k is None else [cl.KAnonymity(k)])], data)


def _agree(table, models, data):
    """Publish random classes and have both sides judge them."""
    labels = data.draw(st.lists(st.integers(0, 4), min_size=table.n_rows, max_size=table.n_rows))
    made = recode(table, cl.Classes(labels))
    beside = [name for name in (*table.schema.sensitive, table.schema.subject) if name is not None]
    verdict = audit.verify_columns(
        made.frame(),
        claim_of(made, models),
        original_columns=table.frame.select(
            [as_text(column.values) for column in table.quasi_identifiers]
        ).with_columns([as_text(table.frame[name]) for name in beside]),
        order=np.arange(table.n_rows),
        keeps_order=True,
        hierarchies={"tree": {}} | _trees(table),
        subject=table.schema.subject,
    )
    assert verdict.holds == all(len(model.broken(made.classes, table)) == 0 for model in models)


@given(case=cases(min_rows=1))
@tries(200)
def test_risk_and_k_of_a_table(case):
    table = case.table()
    classes = cl.Classes.of([column.codes for column in table.quasi_identifiers])
    named = list(case.columns)
    found = cl.check(
        case.frame()
        .select([as_text(column.values) for column in table.quasi_identifiers])
        .with_columns([case.frame()["who"]] if case.subject is not None else []),
        quasi_identifiers=named,
        subject=table.schema.subject,
    )
    assert found.k == classes.units(table.subjects).min()
    assert found.figures["n_classes"] == classes.n_classes
    own = cl.risk.prosecutor(table)
    assert found.figures["risk"]["prosecutor"] == own.to_dict()


def _trees(table):
    from celosia.data.hierarchies import ancestors_of
    from celosia.data.hierarchies.domains import Levels

    return {
        column.name: ancestors_of(column.domain)
        for column in table.quasi_identifiers
        if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
    }


# What each model may ask for, chosen so that small classes often stand exactly at the threshold.
RANKS = cl.Order(["cold", "hiv", "flu", "cancer"])
HARM = cl.Tree([["cancer", "grave", "*"], ["hiv", "grave", "*"], ["cold", "mild", "*"], ["flu", "mild", "*"]])
SHARES = [0.2, 0.25, 0.3, 0.34, 0.5, 0.6, 0.75]
DISTANCES = [0, 0.1, 0.125, 0.2, 0.25, 1 / 3, 0.3333, 0.5, 0.6]
LOGARITHMS = [math.log(n) for n in (1.5, 2, 3, 4)] + [0.5, 0.6931471805599454, 1, 1.0986122886681099]
OPTIONS = {
    "k_anonymity": {"k": [2, 3, 4]},
    "alpha_k": {"alpha": SHARES, "on": ["ill", "pay"], "values": [None, ["flu"], ["hiv", "flu"]]},
    "p_sensitive": {"p": [2, 3], "on": ["ill"], "hierarchy": [HARM], "level": [0, 1]},
    "l_diversity": {"l": [2, 3], "on": ["ill", "pay"]},
    "l_diversity entropy": {"l": [1.5, 1.8898815748423097, 2, 2.5, 3], "on": ["ill", "pay"], "kind": ["entropy"]},
    "l_diversity recursive": {"l": [2, 3], "on": ["ill", "pay"], "kind": ["recursive"], "c": [0.5, 1, 1.5, 2, 3]},
    "t_closeness": {"t": DISTANCES, "on": ["ill", "pay"], "distance": ["equal", "ordered"]},
    "t_closeness numeric": {"t": DISTANCES, "on": ["pay"], "distance": ["numeric"]},
    "t_closeness tree": {"t": DISTANCES, "on": ["ill"], "distance": ["hierarchical"], "hierarchy": [HARM]},
    "t_closeness order": {"t": DISTANCES, "on": ["ill"], "distance": ["ordered"], "hierarchy": [RANKS]},
    "delta_disclosure": {"delta": LOGARITHMS, "on": ["ill", "pay"], "kind": ["strict", "present"]},
    "delta_disclosure base": {"delta": [0.5, 1, 1.5], "on": ["ill"], "kind": ["strict", "present"], "base": [2, 4]},
    "beta_likeness": {"beta": [0.25, 0.3333, 0.5, 1, 2], "on": ["ill", "pay"], "kind": ["basic", "enhanced"]},
    "average_risk": {"limit": SHARES},
    "share_at_risk": {"share": [0, 0.1, *SHARES], "threshold": [0.2, 0.25, 0.34, 0.5, 1]},
    "sample_uniqueness": {"share": [0, 0.1, *SHARES]},
    "k_map": {"k": [2, 3, 4], "population": [12, 20, 40], "significance": [0.05, 0.3]},
}


@dataclass
class Labelled:
    """A table whose only quasi-identifier is the label of a class; -1 is a suppressed row."""

    labels: list[int]
    frame: pl.DataFrame

    @property
    def subject(self):
        return "who" if "who" in self.frame.columns else None

    def table(self):
        schema = cl.Schema(quasi_identifiers={"label": "category"}, sensitive=["ill", "pay"], subject=self.subject)
        return cl.Table(self.frame, schema)

    def n_broken(self, model):
        return len(model.broken(cl.Classes(self.labels), self.table()))

    def verdict(self, model):
        """What the verifier says of the published rows alone."""
        published = self.frame.filter(pl.Series(self.labels) >= 0)
        (verdict,) = cl.check(published, ["label"], ["ill", "pay"], self.subject, models=[model]).models
        return verdict


@st.composite
def labelled(draw, suppressed=True, missing=True):
    n_rows = draw(st.integers(1, 12))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows))

    nothing = [None] if missing and draw(st.booleans()) else []
    labels = column([-1, 0, 1, 2] if suppressed and draw(st.booleans()) else [0, 1, 2])
    labels[0] = max(labels[0], 0)
    # One of the classes may publish a missing value; a suppressed row holds whatever it holds.
    names = {-1: "b", 0: None if draw(st.booleans()) else "a", 1: "b", 2: "c"}
    columns = {
        "label": pl.Series([names[label] for label in labels], dtype=pl.String),
        "ill": pl.Series(column(["flu", "hiv", "cold", *nothing]), dtype=pl.String),
        "pay": pl.Series(column([1, 2, 10, *nothing]), dtype=pl.Int64),
    }
    if draw(st.booleans()):
        columns["who"] = pl.Series(column(list("pqrst")))
    return Labelled(labels, pl.DataFrame(columns))


@pytest.mark.parametrize("kind", OPTIONS)
@given(data=st.data())
@tries(150)
def test_both_name_as_many_broken_classes(kind, data):
    # The numeric distance takes no missing secrets; how many rows were drawn is not seen in what is published of them.
    case = data.draw(labelled(suppressed=kind != "k_map", missing="numeric" not in kind))
    options = {name: data.draw(st.sampled_from(values), label=name) for name, values in OPTIONS[kind].items()}
    model = registry.classes_in("models")[kind.split()[0]](**options)
    verdict, n_broken = case.verdict(model), case.n_broken(model)
    assert verdict["holds"] == (n_broken == 0), verdict
    assert verdict["n_classes"] == n_broken


@given(case=labelled(), k=st.integers(2, 4), n_more=st.lists(st.integers(0, 2), max_size=6))
@tries(150)
def test_both_count_the_same_people_of_a_population(case, k, n_more):
    copies = case.frame[[row for row in n_more if row < case.frame.height]]
    if case.subject is not None:
        copies = copies.with_columns(
            pl.Series("who", [f"other {row}" for row in range(copies.height)], dtype=pl.String)
        )
    population = pl.concat([case.frame, copies]).drop("ill", "pay")
    model = cl.KMap(k, population=population)
    verdict, n_broken = case.verdict(model), case.n_broken(model)
    assert verdict["holds"] == (n_broken == 0), verdict
    assert verdict["n_classes"] == n_broken


@pytest.mark.parametrize(
    ("model", "secrets", "holds"),
    [
        (cl.AlphaK(0.5, on="ill"), ["flu", "cold"], True),
        (cl.AlphaK(0.4999999999999, on="ill"), ["flu", "cold"], False),
        (cl.LDiversity(3, on="ill", kind="entropy"), ["flu", "cold", "hiv"], True),
        (cl.LDiversity(3.0000000000000004, on="ill", kind="entropy"), ["flu", "cold", "hiv"], False),
        (cl.LDiversity(2, on="ill", kind="recursive", c=1.5), ["flu"] * 6 + ["cold"] * 3 + ["hiv"], False),
        (cl.LDiversity(2, on="ill", kind="recursive", c=1.5000000000001), ["flu"] * 6 + ["cold"] * 3 + ["hiv"], True),
    ],
    ids=repr,
)
def test_both_are_exact_at_the_threshold_of_one_class(model, secrets, holds):
    case = Labelled([0] * len(secrets), pl.DataFrame({"label": "a", "ill": secrets, "pay": 1}))
    assert case.verdict(model)["holds"] is holds
    assert (case.n_broken(model) == 0) is holds


@pytest.mark.parametrize(
    ("model", "holds"),
    [
        # Shares of flu: 2/3 and 1/3 in the classes, 1/2 in all rows.
        (cl.TCloseness(0.16666666666666666, on="ill"), False),  # the text spells less than 1/6
        (cl.TCloseness(0.16666666666666669, on="ill"), True),
        (cl.BetaLikeness(0.3333333333333333, on="ill"), False),
        (cl.BetaLikeness(0.33333333333333337, on="ill"), True),
        (cl.DeltaDisclosure(0.4054651081081643, on="ill"), False),  # ln(3/2) is 0.40546510810816438...
        (cl.DeltaDisclosure(math.log(1.5), on="ill"), True),
        (cl.DeltaDisclosure(1, on="ill", base=1.5), False),  # strictly below
    ],
    ids=repr,
)
def test_both_are_exact_at_the_threshold_of_two_classes(model, holds):
    secrets = ["flu", "flu", "cold", "flu", "cold", "cold"]
    case = Labelled([0, 0, 0, 1, 1, 1], pl.DataFrame({"label": list("aaabbb"), "ill": secrets, "pay": 1}))
    assert case.verdict(model)["holds"] is holds
    assert (case.n_broken(model) == 0) is holds
