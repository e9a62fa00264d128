"""Enforcer and audit are two implementations of one definition: they must agree on every table."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import cases

import celosia as cl
from celosia import audit
from celosia.claim import claim_of
from celosia.recode import recode
from celosia.schema.columns import as_text


@given(case=cases(min_rows=2), k=st.integers(2, 4), data=st.data())
@settings(max_examples=200, deadline=None)
def test_k_anonymity(case, k, data):
    labels = data.draw(st.lists(st.integers(0, 4), min_size=case.n_rows, max_size=case.n_rows))
    table = case.table()
    made = recode(table, cl.Classes(labels))
    model = cl.KAnonymity(k)
    frame = made.frame()
    verdict = audit.verify_columns(
        frame,
        claim_of(made, [model]),
        original_columns=table.frame.select(
            [as_text(column.values) for column in table.quasi_identifiers]
        ).with_columns([as_text(table.frame["who"])] if case.subject is not None else []),
        order=np.arange(case.n_rows),
        hierarchies={"tree": {}} | _trees(table),
        subject=table.schema.subject,
    )
    assert verdict.holds == (len(model.broken(made.classes, table)) == 0)


@given(case=cases(min_rows=1))
@settings(max_examples=200, deadline=None)
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
    from celosia.hierarchies import ancestors_of
    from celosia.hierarchies.domains import Levels

    return {
        column.name: ancestors_of(column.domain)
        for column in table.quasi_identifiers
        if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
    }
