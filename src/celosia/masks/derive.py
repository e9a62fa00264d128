"""Derived attributes: a new column worked out from others, which can then be suppressed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from celosia.base.errors import OptionError, nearest
from celosia.data import hierarchies
from celosia.data.hierarchies import Category, Dates, Number, from_short
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.options import given
from celosia.data.masked import Change
from celosia.data.schema.roles import Role
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.expressions import Expression
from celosia.masks.expressions.values import Kind
from celosia.masks.options import one_column


@dataclass(frozen=True)
class Derive(Technique):
    """Make a new column by an expression over others: a duration in place of entry and exit, an age in place of birth.

    Parameters
    ----------
    column
        The name of the new column; none may be called so yet.
    expression
        What it holds in each row, such as ``duration(entry, exit)`` (see ``Expression`` for the language).
    role
        What the new column is to an attacker, in English or Spanish: ``quasi_identifier`` (default), ``sensitive``,
        ``insensitive`` or ``identifier``.
    kind
        For a quasi-identifier: how a search makes it coarser, ``number``, ``category``, ``dates`` or a hierarchy. Left
        out it follows from what the expression gives.
    drop
        Whether the columns that the expression reads are removed afterwards. Off by default, since other masks may
        still need them; turn it on, or list them under ``drop``, where they are not meant to be published.

    Guarantee
    ---------
    The cells are those of the expression, missing where it has no value. It guarantees nothing against anybody: what is
    derived tells about its sources, all of them where the expression can be undone, and against whoever knows the
    sources the new column singles out as they do. It counts in every class if its role is quasi-identifier.

    Raises
    ------
    OptionError
        The expression is not of the language, the name is taken, or a role or kind is unknown.
    ColumnNotFoundError
        The expression names a column that is not there.

    Examples
    --------
    >>> import polars as pl
    >>> visits = pl.DataFrame({"entry": ["08:00"], "exit": ["10:30"]})
    >>> Derive(column="minutes", expression="duration(entry, exit)", drop=True).apply(visits).rows(named=True)
    [{'minutes': 150}]
    >>> Derive(column="stay", expression="duration(entry, exit, unit='text')").apply(visits)["stay"].to_list()
    ['2:30']
    """

    name: ClassVar[str] = "derive"
    leaves: ClassVar[Leaves] = Leaves(
        "reduced",
        "A derived column tells about the columns that it comes from, and may single people out as they did. Those "
        "columns stay as they are unless they are dropped.",
    )

    column: str
    expression: str
    role: Role | str = Role.QUASI_IDENTIFIER
    kind: Hierarchy | str | None = None
    drop: bool = False

    def __post_init__(self) -> None:
        if not one_column(self.name, self.column).strip():
            raise OptionError("derive needs a name for the new column.", hint="write column: minutes.", about="column")
        if not self._parsed.columns:
            raise OptionError(
                "derive: the expression reads no column.", hint="name a column in it.", about="expression"
            )
        if not isinstance(self.role, str):
            raise OptionError("derive: role must be a word.", hint="write role: quasi_identifier.", about="role")
        if not isinstance(self.drop, bool):
            raise OptionError("derive: drop must be true or false.", about="drop")
        object.__setattr__(self, "role", Role.parse(self.role))
        object.__setattr__(self, "kind", None if self.kind is None else _hierarchy(self.kind))
        if self.kind is not None and self.role is not Role.QUASI_IDENTIFIER:
            raise OptionError(
                f"derive: a kind is for quasi-identifiers; the role is {self.role}.",
                hint="leave kind out, or give the role quasi_identifier.",
                about="kind",
            )

    @property
    def _parsed(self) -> Expression:
        return Expression(self.expression, self.name, "expression")

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that the expression reads, and the new one."""
        return tuple(dict.fromkeys([*self._parsed.columns, self.column]))

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the new column at its end, without the sources if they are to be dropped."""
        if self.column in sheet.frame.columns:
            raise OptionError(
                f"derive: there is a column '{self.column}' already.",
                hint="choose another name, or drop that column first.",
                about="column",
            )
        outcome = self._parsed.evaluate(sheet)
        findings = (replace(finding, column=self.column) for finding in outcome.findings)
        kind = self.kind if isinstance(self.kind, Hierarchy) else None
        if kind is None and self.role is Role.QUASI_IDENTIFIER:
            kind = _fitting(outcome.kind)
        assert isinstance(self.role, Role)
        change = Change(self.column, "made", kind, self.role, self._parsed.columns)
        made = sheet.with_column(outcome.values, change).noting(*findings)
        return made.without(list(self._parsed.columns)) if self.drop else made

    def to_dict(self) -> dict[str, Any]:
        """Return the options; a role of quasi-identifier goes without saying."""
        options = {
            "column": self.column,
            "expression": self.expression,
            "role": str(self.role),
            "kind": None if self.kind is None else _described(self.kind),
            "drop": self.drop,
        }
        return given(options, {"role": str(Role.QUASI_IDENTIFIER), "kind": None, "drop": False})


def _fitting(kind: Kind) -> Hierarchy:
    """Return how a search treats what an expression gives, where the user says nothing."""
    if kind == "number":
        return Number()
    return Dates() if kind in ("date", "moment") else Category()


def _hierarchy(kind: object) -> Hierarchy:
    """Return the hierarchy that a word, ``{name: options}`` or an object stands for."""
    if isinstance(kind, str):
        return from_short(kind)
    if isinstance(kind, Hierarchy) and not isinstance(kind, type):
        return kind
    if not isinstance(kind, Mapping) or len(kind) != 1:
        raise OptionError(
            "derive: kind must be number, category, dates or a hierarchy.",
            hint="write kind: number, or kind: {intervals: {width: 5}}.",
            about="kind",
        )
    name, options = next(iter(kind.items()))
    known: dict[str, Any] = {one.name: one for one in (getattr(hierarchies, each) for each in hierarchies.__all__)}
    if name not in known:
        raise OptionError(f"derive: kind '{name}' is no hierarchy.", hint=nearest(str(name), known), about="kind")
    allowed = list(inspect.signature(known[name]).parameters)
    if not isinstance(options, Mapping) or not set(options) <= set(allowed):
        raise OptionError(f"derive: kind {name} takes the options {', '.join(allowed)}.", about="kind")
    made: Hierarchy = known[name](**options)
    return made


def _described(kind: Hierarchy | str) -> str | dict[str, Any]:
    assert isinstance(kind, Hierarchy)
    options = kind.to_dict()
    return kind.name if not options and kind.name in hierarchies.SHORT_NAMES else {kind.name: options}
