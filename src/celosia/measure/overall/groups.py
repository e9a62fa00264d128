"""Whose data lost most: the measures of a release by the groups of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.base.progress import Progress, Quiet
from celosia.data.schema import Role, Table
from celosia.data.schema.columns import as_text
from celosia.measure.run import Run
from celosia.measure.utility import average_class_size, by_group, discernibility, gcp, non_uniform_entropy, precision

_MOST_GROUPS = 100


@dataclass(frozen=True)
class GroupLoss:
    """What one group lost.

    Attributes
    ----------
    value
        What its rows have in common; ``None`` = missing. It is a cell value: show it to the owner alone.
    n_people
        The people in it.
    figures
        ``share_of_rows``, ``suppressed`` (share of its rows), ``gcp``, ``class_size`` (rows of the average class that
        its rows are in), ``alike`` (rows that one of its rows looks like, on average), ``precision`` and ``entropy``
        (the share of its information that is hidden).
    """

    value: str | None
    n_people: int
    figures: dict[str, float | None]


@dataclass(frozen=True)
class Losses:
    """The groups of a column, those that lost most first.

    Attributes
    ----------
    groups
        Those of at least ``least`` people.
    few
        Those of fewer: what is said of them is said of each person, and mostly chance.
    """

    by: str
    groups: tuple[GroupLoss, ...]
    few: tuple[GroupLoss, ...]
    least: int

    def to_dict(self, *, show_values: bool = False) -> dict[str, Any]:
        """Return the groups, by numbers; with ``show_values`` by their values, and those of few people too."""
        shown = [*self.groups, *self.few] if show_values else self.groups
        return {
            "by": self.by,
            "groups": [
                {"group": number, **({"value": own.value} if show_values else {}), **own.figures}
                for number, own in enumerate(shown, start=1)
            ],
            "n_groups_of_few": len(self.few),
            "fewer_than": self.least,
        }


def check_group_column(table: Table, by: str) -> None:
    """Raise unless rows can be grouped by a column: it is there, no identifier, and of at most 100 values.

    Raises
    ------
    ColumnNotFoundError
        The table has no such column.
    OptionError
        It is an identifier.
    InputError
        It has too many values.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"dni": ["1"], "age": [9]}), Schema(["dni"], {"age": "number"}))
    >>> check_group_column(table, "dni")
    Traceback (most recent call last):
    celosia.base.errors.OptionError: 'dni' is an identifier: every person would be a group.
      Hint: name a column of few values.
    """
    if by not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{by}' is not a column of {table.name}, or a mask removes it.",
            hint=nearest_column(by, table.frame.columns),
            about=by,
        )
    hint = "name a column of few values."
    if Role.IDENTIFIER in table.schema.roles(by):
        raise OptionError(f"'{by}' is an identifier: every person would be a group.", hint=hint, about=by)
    n_groups = as_text(table.frame[by]).n_unique()
    if n_groups > _MOST_GROUPS:
        raise InputError(
            f"'{by}' has {n_groups} different values; {_MOST_GROUPS} groups are the most.", hint=hint, about=by
        )


def losses_by(run: Run, by: str, progress: Progress | None = None) -> Losses:
    """Return what each group of rows with the same value in a column lost, the greatest loss (GCP) first.

    Raises
    ------
    InputError
        Rows cannot be grouped by this column: see ``check_group_column``.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> people = pl.DataFrame({"age": [20, 30, 40, 60], "sex": ["f", "f", "m", "m"]})
    >>> table = cl.Table(people, cl.Schema(quasi_identifiers={"age": "number"}, insensitive=["sex"]))
    >>> found = losses_by(cl.Plan(models=[cl.KAnonymity(2)]).run(table), "sex")
    >>> [(group.value, group.figures["gcp"]) for group in found.groups]
    [('m', 0.5), ('f', 0.25)]
    """
    table = run.table
    check_group_column(table, by)
    n_groups = as_text(table.frame[by]).n_unique()
    shown = progress or Quiet()
    found: list[GroupLoss] = []

    def measured(own: Table, part: Any) -> GroupLoss:
        found.append(_figures(table.n_rows, own, part))
        shown.advance(len(found) / n_groups)
        return found[-1]

    groups = by_group(measured, table, run, by)
    named = [GroupLoss(group.value, group.result.n_people, group.result.figures) for group in groups.groups]
    named.sort(key=lambda group: -(group.figures["gcp"] or 0.0))
    least = run.plan.least
    return Losses(
        by,
        tuple(group for group in named if group.n_people >= least),
        tuple(group for group in named if group.n_people < least),
        least,
    )


def _figures(n_rows: int, own: Table, part: Any) -> GroupLoss:
    alike = discernibility(own, part)
    figures = {
        "share_of_rows": own.n_rows / n_rows,
        "suppressed": part.searched.n_suppressed / own.n_rows,
        "gcp": gcp(own, part),
        "class_size": average_class_size(own, part).mean,
        "alike": None if alike is None else alike / own.n_rows,
        "precision": precision(own, part).precision,
        "entropy": non_uniform_entropy(own, part).loss,
    }
    return GroupLoss(None, own.n_units, figures)
