"""The exception tree.

CelosiaError
├── InputError               wrong input: exit code 2
│   ├── ColumnNotFoundError
│   ├── HierarchyError
│   ├── FormatError
│   ├── PlanError
│   └── OptionError
├── UnreachableError         the demand cannot be met: exit code 3
├── AuditError               the verifier rejected a result; nothing is handed out: exit code 1
└── VaultError               the identity store refused: exit code 2

A message says what failed, where, what was got and what is allowed; the hint says the next step. Neither may carry
a cell value: say column, count and position.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar


class CelosiaError(Exception):
    """Anything that Celosía refuses to do.

    Parameters
    ----------
    message
        What failed, where, and what was got versus what is allowed.
    hint
        The next step for the user.
    where
        A place in a file, such as ``plan.yaml:9``.
    about
        The option or column that the error is about, by which a plan file finds the line.

    Examples
    --------
    >>> print(InputError("k is 1; it must be at least 2.", hint="k = 2 is the least that hides anybody."))
    k is 1; it must be at least 2.
      Hint: k = 2 is the least that hides anybody.
    """

    exit_code: ClassVar[int] = 2

    def __init__(
        self, message: str, *, hint: str | None = None, where: str | None = None, about: str | None = None
    ) -> None:
        super().__init__(message)
        self.about = about
        self.message = message
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        if self.hint:
            return f"{self.message}\n  Hint: {self.hint}{place}"
        return f"{self.message}{place}"

    def located(self, where: str) -> CelosiaError:
        """Return this error with a place in a file, unless it already has one."""
        self.where = self.where or where
        return self


class InputError(CelosiaError):
    """Wrong input: data, schema, option or file."""


class ColumnNotFoundError(InputError):
    """A named column is not in the table."""


class HierarchyError(InputError):
    """A hierarchy has holes, overlaps or a broken shape."""


class FormatError(InputError):
    """A file cannot be read or written in its format."""


class PlanError(InputError):
    """A plan file has a wrong key, type or shape."""


class OptionError(InputError):
    """An option has a value that is not allowed."""


class UnreachableError(CelosiaError):
    """No table of these rows can meet the demand within its limits."""

    exit_code = 3


class AuditError(CelosiaError):
    """The independent verifier rejected a result, so that it was not handed out."""

    exit_code = 1


class VaultError(CelosiaError):
    """The identity store refused an operation."""


def nearest(name: str, options: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` for the option nearest to ``name``, or the list of options.

    Examples
    --------
    >>> nearest("zip_code", ["zipcode", "age"])
    "did you mean 'zipcode'?"
    >>> nearest("q", ["zipcode", "age"])
    'allowed: age, zipcode.'
    """
    known = sorted(options)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"allowed: {', '.join(known)}." if known else "nothing is allowed here."


def nearest_column(name: str, columns: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` for the column nearest to ``name``, or where to look.

    The columns are not listed: without a header line they would be the cells of somebody's row.

    Examples
    --------
    >>> nearest_column("zip_code", ["zipcode", "age"]), nearest_column("q", ["Ana", "39"])
    ("did you mean 'zipcode'?", 'look at the names in the first line of the data.')
    """
    close = difflib.get_close_matches(name, list(columns), n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else "look at the names in the first line of the data."
