"""Every model through every search, judged by slow definitions on nothing but what was published."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from plain_models import (
    ILLS,
    Published,
    alpha_k,
    average_risk,
    beta_likeness,
    delta_disclosure,
    exact,
    k_anonymity,
    k_map,
    l_diversity,
    p_sensitive,
    sample_uniqueness,
    share_at_risk,
    t_closeness,
)
from tables import Case, cases

import celosia as cl
from celosia.data.recode import recode
from celosia.jobs import registry

ALGORITHMS = [
    cl.Weave(),
    cl.Weave(effort="fast"),
    cl.KMembers(),
    cl.LGreedy(),
    cl.Mondrian(),
    cl.Mondrian(strict=False),
    cl.HilbertOrder(),
    cl.ReferenceOrder(),
]

every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)

HARM = cl.Tree(ILLS)

RANKS = cl.Order(["hiv", "cold", "gout", "cancer", "flu"])


# Tables with secrets, and demands on them.


@dataclass
class Secrets:
    """A table with two secrets, and the population that it was drawn from."""

    case: Case
    secrets: dict[str, list[Any]]
    population: list[dict[str, Any]]

    @property
    def n_rows(self) -> int:
        return self.case.n_rows

    @property
    def people(self) -> list[Any]:
        return list(range(self.n_rows)) if self.case.subject is None else self.case.subject

    def table(self) -> cl.Table:
        dtypes = {"ill": pl.String, "pay": pl.Int64}
        columns = [pl.Series(name, values, dtype=dtypes[name]) for name, values in self.secrets.items()]
        schema = replace(self.case.schema(), sensitive=list(self.secrets))
        return cl.Table(self.case.frame().with_columns(columns), schema)

    def population_frame(self) -> pl.DataFrame:
        """The population with who each row is about where the table says so, else one person per row."""
        names = [*self.case.columns, *([] if self.case.subject is None else ["who"])]
        return pl.DataFrame([pl.Series(name, [row[name] for row in self.population], strict=False) for name in names])

    def published(self, cells: list[tuple[Any, ...]], rows: Sequence[int]) -> Published:
        secrets = {name: [values[row] for row in rows] for name, values in self.secrets.items()}
        return Published(cells, secrets, [self.people[row] for row in rows], self.case, self.n_rows, self.population)


@st.composite
def tables(draw: Any, min_rows: int = 2) -> Secrets:
    case = draw(cases(min_rows=min_rows, max_rows=14, kinds=("number", "category", "tree", "prefix")))
    n_rows = case.n_rows
    ills = draw(st.lists(st.sampled_from([row[0] for row in ILLS]), min_size=1, max_size=4))
    pays = draw(st.lists(st.integers(-2, 30), min_size=1, max_size=4))
    secrets = {}
    for name, values in (("ill", ills), ("pay", pays)):
        with_missing = [*values, None] if draw(st.booleans()) else values
        secrets[name] = draw(st.lists(st.sampled_from(with_missing), min_size=n_rows, max_size=n_rows))
    people = list(range(n_rows)) if case.subject is None else case.subject
    own = [{"who": who} | {name: case.columns[name][row] for name in case.columns} for row, who in enumerate(people)]
    copies = draw(st.lists(st.integers(0, n_rows - 1), max_size=8))
    others = [own[row] | {"who": f"other {i}"} for i, row in enumerate(copies)]
    return Secrets(case, secrets, own + others)


def budgets_and_tables() -> st.SearchStrategy[tuple[float, Secrets]]:
    """No suppression at all, or of one row: a tenth of a table that has ten or more."""
    return st.one_of(st.tuples(st.just(0), tables()), st.tuples(st.just(0.1), tables(min_rows=10)))


def of(**options: Any) -> Callable[[Secrets], st.SearchStrategy[dict[str, Any]]]:
    """Options that do not hang on the table: each a value or a list of values to choose from."""
    chosen = {
        name: st.sampled_from(values) if isinstance(values, list) else st.just(values)
        for name, values in options.items()
    }
    return lambda given: st.fixed_dictionaries(chosen)


def declared(given: Secrets) -> st.SearchStrategy[dict[str, Any]]:
    if not set(given.secrets["ill"]) - {None}:
        given.secrets["ill"][0] = "hiv"  # a declared value that no row holds is refused
    present = sorted(set(given.secrets["ill"]) - {None})
    return st.fixed_dictionaries(
        {
            "alpha": st.sampled_from([0.3, 0.5]),
            "on": st.just("ill"),
            "values": st.lists(st.sampled_from(present), min_size=1, max_size=2, unique=True),
        }
    )


def numeric(given: Secrets) -> st.SearchStrategy[dict[str, Any]]:
    given.secrets["pay"] = [0 if value is None else value for value in given.secrets["pay"]]
    return of(t=CLOSE, on="pay", distance="numeric")(given)


def population_given(given: Secrets) -> st.SearchStrategy[dict[str, Any]]:
    return of(k=[2, 3, 5], population=[given.population_frame()])(given)


def population_counted(given: Secrets) -> st.SearchStrategy[dict[str, Any]]:
    sizes = st.sampled_from([given.n_rows, given.n_rows + 3, 5 * given.n_rows, 1000])
    return st.fixed_dictionaries({"k": st.sampled_from([2, 3, 5]), "population": sizes})


SECRETS = ["ill", "pay"]

CLOSE = [0, 0.1, 0.2, 0.25, 0.3, 0.5]

DELTAS = [0.3, 0.5, math.log(2), 0.7, 1, math.log(3), 2]

DEMANDS: dict[str, tuple[Callable[..., bool], Callable[[Secrets], st.SearchStrategy[dict[str, Any]]]]] = {
    "k": (k_anonymity, of(k=[2, 3, 4])),
    "alpha": (alpha_k, of(alpha=[0.34, 0.4, 0.5, 0.6, 0.75], on=SECRETS)),
    "alpha declared": (alpha_k, declared),
    "p": (p_sensitive, of(p=[2, 3], on=SECRETS)),
    "p at a level": (p_sensitive, of(p=[2, 3], on="ill", hierarchy=[HARM], level=[0, 1])),
    "l distinct": (l_diversity, of(l=[2, 3], on=SECRETS)),
    "l entropy": (l_diversity, of(l=[1.5, 2, 2.5, 3], on=SECRETS, kind="entropy")),
    "l recursive": (l_diversity, of(l=[2, 3], on=SECRETS, kind="recursive", c=[0.5, 1, 1.5, 2, 3])),
    "t equal": (t_closeness, of(t=CLOSE, on=SECRETS)),
    "t ordered": (t_closeness, of(t=CLOSE, on=SECRETS, distance="ordered")),
    "t ordered by ranks": (t_closeness, of(t=CLOSE, on="ill", distance="ordered", hierarchy=[RANKS])),
    "t numeric": (t_closeness, numeric),
    "t hierarchical": (t_closeness, of(t=CLOSE, on="ill", distance="hierarchical", hierarchy=[HARM])),
    "delta strict": (delta_disclosure, of(delta=DELTAS, on=SECRETS)),
    "delta present": (delta_disclosure, of(delta=DELTAS, on=SECRETS, kind="present")),
    "delta in base 2": (delta_disclosure, of(delta=[0.5, 1, 1.5], on=SECRETS, kind=["strict", "present"], base=2)),
    "beta basic": (beta_likeness, of(beta=[0.25, 0.5, 1, 2], on=SECRETS)),
    "beta enhanced": (beta_likeness, of(beta=[0.25, 0.5, 1, 2], on=SECRETS, kind="enhanced")),
    "k-map of a table": (k_map, population_given),
    "k-map of a number": (k_map, population_counted),
    "average risk": (average_risk, of(limit=[0.2, 0.25, 0.34, 0.5])),
    "share at risk": (share_at_risk, of(share=[0, 0.1, 0.25], threshold=[0.2, 0.34, 0.5])),
    "sample uniqueness": (sample_uniqueness, of(share=[0, 0.1, 0.3])),
}


@dataclass
class Demand:
    """A model beside its definition."""

    definition: Callable[..., bool]
    options: dict[str, Any]

    def model(self) -> Any:
        return registry.classes_in("models")[self.definition.__name__](**self.options)

    def holds(self, seen: Published) -> bool:
        return self.definition(seen, **self.options)


@st.composite
def demands(draw: Any, given: Secrets, name: str) -> Demand:
    definition, options = DEMANDS[name]
    return Demand(definition, draw(options(given)))


def seen_by_anybody(given: Secrets, release: Any) -> Published:
    """The release from its frame alone; who a row is about, which is not published, from its place in the input."""
    frame = release.frame
    kept = np.flatnonzero(release.classes.labels >= 0).tolist()
    seen = given.published(frame.select(list(given.case.columns)).rows(), kept)
    assert sorted(map(repr, frame.select(SECRETS).rows())) == sorted(
        repr(tuple(given.secrets[name][row] for name in SECRETS)) for row in kept
    )
    seen.secrets = {name: frame[name].to_list() for name in SECRETS}
    if not release.plan.keep_order:
        seen.people = list(range(len(kept)))
    return seen


def can_be_one_class(given: Secrets, wanted: Sequence[Demand], budget: int) -> bool:
    """Whether all rows but some of the budget, whichever they are, satisfy every demand as one class."""
    return any(
        all(demand.holds(_as_one_class(given, gone)) for demand in wanted)
        for n_gone in range(min(budget, given.n_rows - 1) + 1)
        for gone in combinations(range(given.n_rows), n_gone)
    )


def _as_one_class(given: Secrets, gone: Sequence[int]) -> Published:
    labels = np.array([-1 if row in gone else 0 for row in range(given.n_rows)])
    kept = np.flatnonzero(labels == 0).tolist()
    cells = recode(given.table(), cl.Classes(labels)).frame().select(list(given.case.columns)).rows()
    return given.published(cells, kept)


def run_and_judge(algorithm: Any, given: Secrets, wanted: Sequence[Demand], max_suppression: float) -> None:
    plan = cl.Plan(
        models=[demand.model() for demand in wanted],
        algorithm=algorithm,
        seed=3,
        max_suppression=max_suppression,
        keep_order=given.case.subject is not None,
    )
    budget = math.floor(exact(max_suppression) * given.n_rows)
    try:
        release = plan.run(given.table())
    except cl.UnreachableError:
        assert not can_be_one_class(given, wanted, budget)
        return
    seen = seen_by_anybody(given, release)
    assert given.n_rows - len(seen.cells) <= budget
    for demand in wanted:
        assert demand.holds(seen), demand


# Without the phase that explains a failure, which takes longer than everything else.
quick = settings(
    max_examples=5,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@every_algorithm
@pytest.mark.parametrize("name", DEMANDS)
@given(data=st.data())
@quick
def test_a_model_alone_or_with_k(algorithm, name, data):
    max_suppression, given_table = data.draw(budgets_and_tables())
    wanted = [data.draw(demands(given_table, name))]
    if data.draw(st.booleans()):
        wanted.append(data.draw(demands(given_table, "k")))
    run_and_judge(algorithm, given_table, wanted, max_suppression)


@every_algorithm
@given(data=st.data(), names=st.lists(st.sampled_from(list(DEMANDS)), min_size=2, max_size=3, unique=True))
@settings(parent=quick, max_examples=20)
def test_several_models_at_once(algorithm, data, names):
    max_suppression, given_table = data.draw(budgets_and_tables())
    # The numeric distance takes the missing values out of its column: first, or the others would see another table.
    names.sort(key=lambda name: name != "t numeric")
    wanted = [data.draw(demands(given_table, name)) for name in names]
    run_and_judge(algorithm, given_table, wanted, max_suppression)


@pytest.mark.parametrize("name", DEMANDS)
@given(data=st.data())
@settings(parent=quick, max_examples=30)
def test_models_and_definitions_agree_on_any_classes(name, data):
    """A release shows only classes that hold; here most do not."""
    given_table = data.draw(tables())
    demand = data.draw(demands(given_table, name))
    labels = data.draw(st.lists(st.integers(-1, 3), min_size=given_table.n_rows, max_size=given_table.n_rows))
    labels[0] = max(labels[0], 0)
    table = given_table.table()
    made = recode(table, cl.Classes(labels))
    kept = np.flatnonzero(made.classes.labels >= 0).tolist()
    seen = given_table.published(made.frame().select(list(given_table.case.columns)).rows(), kept)
    assert (len(demand.model().broken(made.classes, table)) == 0) == demand.holds(seen)


@every_algorithm
@pytest.mark.parametrize(
    ("model", "secrets"),
    [
        (cl.LDiversity(2, on="ill", kind="entropy"), ["flu"] * 5 + ["cold"] * 5),
        (cl.LDiversity(2, on="ill", kind="recursive", c=1), ["flu"] * 5 + ["cold"] * 5 + ["hiv"]),
        (cl.AlphaK(0.3, on="ill", values=["flu"]), ["flu"] * 3 + ["cold"] * 7),
    ],
    ids=["entropy", "recursive", "alpha"],
)
@pytest.mark.parametrize("beside", [[], [cl.KAnonymity(3)]], ids=["alone", "with k"])
def test_suppression_never_takes_the_only_way_out(algorithm, model, secrets, beside):
    """All rows as one class hold the model exactly at its threshold; without one row that would help, none do."""
    ages = [*range(len(secrets) - 1), 1000]
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"])
    table = cl.Table(pl.DataFrame({"age": ages, "ill": secrets}), schema)
    plan = cl.Plan(models=[model, *beside], algorithm=algorithm, seed=3, max_suppression=0.1)
    assert plan.run(table).classes.n_classes >= 1
