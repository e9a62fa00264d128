"""suggest: a role and a kind for every column with reasons, and a plan of them that a person has to check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celosia.base.errors import InputError, UnreachableError
from celosia.data.io import to_polars
from celosia.data.schema import Role
from celosia.data.schema.columns import cleaned
from celosia.data.schema.detectors import look_at
from celosia.jobs.suggest.column import Column
from celosia.jobs.suggest.plan_text import key_lines, seen_from, to_plan_text
from celosia.jobs.suggest.suggestion import Suggestion, spec_of
from celosia.jobs.suggest.telling_apart import told_apart
from celosia.measure.unhashing import reversals
from celosia.models import KAnonymity

__all__ = ["Suggestion", "check_enough", "key_lines", "seen_from", "spec_of", "suggest", "to_plan_text"]


def suggest(frame: Any, *, decimal: str = ".", with_keys: bool = True) -> list[Suggestion]:
    """Look at a table and suggest a role for each column, and a kind for each quasi-identifier.

    Every kind suggested fits every value of its column. What names a row is an identifier, which is removed; an unknown
    column is a quasi-identifier, which is made coarser; nothing is ever called insensitive. Patterns are sought in a
    sample of 20,000 rows, uniqueness is counted on all. What columns tell apart together is said with them, and changes
    no role: much of it does not make a quasi-identifier, little of it does not clear one.

    Parameters
    ----------
    frame
        A pandas, Polars or Arrow table.
    decimal
        The decimal mark of its texts, ``.`` or ``,``.
    with_keys
        Whether to look for columns that tell rows apart together, too: that gives reasons, never a role.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"dni": ["12345678Z", "00000000T"], "edad": ["31", "44"]})
    >>> [(one.column, str(one.role)) for one in suggest(people)]
    [('dni', 'identifier'), ('edad', 'quasi_identifier')]
    """
    native, _ = to_polars(frame)
    found = []
    has_subject = False
    hashed = {shown.column: shown for shown in reversals(native)}
    for column in native.get_columns():
        look = look_at(column, decimal)
        suggestion = Column(look, has_subject=has_subject, hashed=hashed.get(column.name)).suggestion()
        has_subject |= suggestion.is_subject
        found.append(suggestion)
    return told_apart(native, found) if with_keys else found


def check_enough(frame: Any, suggestions: Sequence[Suggestion], k: int) -> None:
    """Raise unless a plan with these suggestions can be met by this table.

    Raises
    ------
    OptionError
        k is below 2.
    UnreachableError
        The table has fewer than k rows, or is about fewer than k people.
    InputError
        Every column is an identifier, so that nothing would be published.

    Examples
    --------
    >>> import polars as pl
    >>> check_enough(pl.DataFrame({"age": range(5)}), [Suggestion("age", Role.QUASI_IDENTIFIER, None, ())], 5)
    """
    model = KAnonymity(k)
    native, _ = to_polars(frame)
    subject = next((one.column for one in suggestions if one.is_subject), None)
    n_people = native.height if subject is None else cleaned(native[subject])[0].n_unique()
    if n_people < model.k:
        whose = "" if subject is None else f" about {n_people} people (by '{subject}')"
        raise UnreachableError(
            f"{k}-anonymity needs at least {k} people; the table has {native.height} rows{whose}.",
            hint=f"--k {n_people} is the most that this table allows."
            if n_people >= 2
            else "no k can hide one person.",
        )
    if all(one.role == Role.IDENTIFIER for one in suggestions):
        raise InputError(
            f"all {len(suggestions)} columns look like identifiers: nothing would be published.",
            hint="write the plan by hand, and give the columns that must stay another role; --json prints the reasons.",
        )
