"""What every source of pseudonyms does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import polars as pl

from celosia.base.findings import Finding


class CodeSource(Protocol):
    """Gives each identity a code of its own."""

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return the code of each identity, in their order.

        Parameters
        ----------
        identities
            Different texts, none missing.
        scope
            What kind of identity they are: equal identities of one scope have equal codes.
        columns
            The columns that hold them, for messages.

        Raises
        ------
        InputError
            They cannot all have a code of their own.
        """
        ...

    def findings(self, column: str, n_identities: int) -> Iterable[Finding]:
        """Return what there is to know about the codes of a column."""
        ...


def quoted(columns: Sequence[str]) -> str:
    """Return names of columns as messages show them.

    Examples
    --------
    >>> quoted(["sender", "receiver"])
    "'sender', 'receiver'"
    """
    return ", ".join(f"'{column}'" for column in columns)
