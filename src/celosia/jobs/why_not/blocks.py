"""Blocks: the column, model or classes that stand in the way of a demand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from celosia.base.errors import UnreachableError
from celosia.base.fields import Result
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.models.base import Model
from celosia.search.thinning import check_rare

Kind = Literal["hierarchy", "model", "column", "demand"]


@dataclass(frozen=True)
class Block(Result):
    """Something that stands in the way.

    Attributes
    ----------
    kind
        ``hierarchy``: it does not know values of a column. ``model``: no grouping of the rows satisfies it. ``column``:
        a quasi-identifier that is a secret holds values of too few people. ``demand``: the search found no classes
        that satisfy all models together.
    message
        What stands in the way, in counts; never a cell value.
    column, model
        Which ones, where it is about one.

    Examples
    --------
    >>> Block("demand", "the table has no rows.").to_dict()["kind"]
    'demand'
    """

    kind: Kind
    message: str
    column: str | None = None
    model: str | None = None


def find_blocks(plan: Plan, table: Table, error: UnreachableError) -> list[Block]:
    """Return everything that alone makes a plan unreachable on a table (after masks), or else what the search said."""
    found = [*_unknown_values(plan, table), *(block for _, block in blocked_models(plan, table)), *_rare(plan, table)]
    return found or [Block("demand", error.message)]


def n_may_go(plan: Plan, table: Table) -> int:
    """Return how many rows a plan allows to be suppressed."""
    return math.floor(Fraction(str(plan.max_suppression)) * table.n_rows)


def n_spare_rows(plan: Plan, table: Table) -> int:
    """Return how many rows may be suppressed once those are gone that hierarchies do not know; less than 0 if none."""
    return n_may_go(plan, table) - int(table.unplaced.sum())


def blocked_models(plan: Plan, table: Table) -> Iterator[tuple[Model, Block]]:
    """Yield each model that no grouping of the rows satisfies within the suppression allowed."""
    if not table.n_rows:
        return
    for model in plan.models:
        try:
            model.check_reachable(table, max(n_spare_rows(plan, table), 0))
        except UnreachableError as error:
            yield model, Block("model", error.message, model.to_dict().get("on"), model.name)


def _unknown_values(plan: Plan, table: Table) -> Iterator[Block]:
    if n_spare_rows(plan, table) >= 0:
        return
    for column in table.quasi_identifiers:
        unknown = column.codes < -1
        n_rows = int(unknown.sum())
        if n_rows:
            n_values = table.frame[column.name].filter(unknown).n_unique()
            yield Block(
                "hierarchy",
                f"the hierarchy of '{column.name}' does not know {n_values} of its values ({n_rows} rows, "
                f"{n_rows / table.n_rows:.2%}); max_suppression is {plan.max_suppression:.2%}.",
                column.name,
            )


def _rare(plan: Plan, table: Table) -> Iterator[Block]:
    """Find the quasi-identifier that is a secret and holds values that no class can publish."""
    judged = {model.to_dict().get("on") for model in plan.models}
    for column in table.schema.quasi_identifiers:
        if column in judged and np.any(~table.unplaced):
            try:
                check_rare(table, column, plan.models, max(n_spare_rows(plan, table), 0))
            except UnreachableError as error:
                yield Block("column", error.message, column)
