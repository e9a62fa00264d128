"""Recodings of whole columns over every kind of quasi-identifier, against all recodings measured one by one."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.data.classes import Classes
from celosia.data.recode import recode
from celosia.search.base import Problem
from celosia.search.whole_columns import WholeColumns

SLOW = tries(60, suppress_health_check=list(HealthCheck))
MEASURES = {
    "gcp": lambda table, released: cl.utility.gcp(table, released),
    "loss": lambda table, released: cl.utility.gcp(table, released, variant="arx"),
    "non_uniform_entropy": lambda table, released: cl.utility.non_uniform_entropy(table, released).loss,
    "discernibility": lambda table, released: float(cl.utility.discernibility(table, released)),
}


def recoded(table: Any, problem: Problem, found: Any) -> Any:
    labels = np.full(table.n_rows, -1)
    labels[problem.rows] = found.labels
    return recode(table, Classes(labels), extents=found.extents)


def published_alike(recoding: Any, rows: range) -> bool:
    """Whether rows of one class, and only those, have equal published texts."""
    texts = defaultdict(set)
    frame = recoding.frame()
    kept = [row for row in rows if recoding.searched.labels[row] >= 0]
    for row, published in zip(kept, frame.rows(), strict=True):
        texts[published].add(int(recoding.searched.labels[row]))
    return len(texts) == len({label for labels in texts.values() for label in labels})


@SLOW
@given(
    case=cases(min_rows=2, max_rows=16, subjects=False),
    k=st.integers(2, 3),
    objective=st.sampled_from(sorted(MEASURES)),
    share=st.sampled_from([0.0, 0.2, 1.0]),
)
def test_lattice_is_the_best_of_all_recodings_as_utility_measures_them(case, k, objective, share):
    case.weights = {} if objective != "gcp" else case.weights
    table = case.table()
    if table.n_rows < k:
        return
    problem = Problem.of(table, [cl.KAnonymity(k)], Randomness(1), Quiet(), n_spare=int(share * table.n_rows))
    columns = WholeColumns(problem, objective)
    assume(math.prod(ladder.n_levels for ladder in columns.ladders) <= 400)
    measured = []
    for levels in itertools.product(*(range(ladder.n_levels) for ladder in columns.ladders)):
        cut = columns.cut_at(levels)
        labels = columns.settled(columns.classes(cut))
        if labels is None:
            continue
        recoding = recoded(table, problem, columns.grouping(cut, labels, None))
        measured.append(MEASURES[objective](table, recoding) or 0.0)
        assert recoding.searched.sizes.min() >= k
        assert published_alike(recoding, range(table.n_rows))
    found = cl.Lattice(objective=objective, time_limit=None).search(problem)
    own = MEASURES[objective](table, recoded(table, problem, found)) or 0.0
    assert own <= min(measured) + 1e-8
    assert found.proof is not None
    assert abs(found.proof.value - own) < 1e-8 * max(own, 1)


@SLOW
@given(case=cases(min_rows=3, max_rows=24), k=st.integers(2, 3), local=st.booleans(), seed=st.integers(0, 9))
def test_a_run_is_audited_whatever_the_columns(case, k, local, seed):
    table = case.table()
    try:
        release = cl.Plan(
            models=[cl.KAnonymity(k)], algorithm=cl.Lattice(local=local), max_suppression=0.3, seed=seed
        ).run(table)
    except cl.UnreachableError:
        assert len(set(case.subject or range(case.n_rows))) < k
        return
    assert release.k >= k
    published = release.rows.rows(named=True)
    order = release.publication.order
    for row, cells in zip(order.tolist(), published, strict=True):
        for name in case.columns:
            assert case.contains(name, cells[name], case.columns[name][row])
    if not local:
        assert release.scope.table == "full-domain"
