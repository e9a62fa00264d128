"""Enforcer and audit are two implementations of one definition: they must agree on every table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
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
    _agree(case.table(), [cl.KAnonymity(k)], data)


@given(case=cases(min_rows=2), least=st.integers(2, 3), k=st.none() | st.integers(2, 3), data=st.data())
@settings(max_examples=200, deadline=None)
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
        hierarchies={"tree": {}} | _trees(table),
        subject=table.schema.subject,
    )
    assert verdict.holds == all(len(model.broken(made.classes, table)) == 0 for model in models)


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
