"""What every mask is, and the sheet that masks pass from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, nearest_column
from celosia.base.findings import Finding
from celosia.data.io import from_polars, parse_numbers, to_polars
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text, cleaned

_SLICE = 1 << 17
"""How many cells are spelt together."""

Called = Literal["reduced", "masked", "generalised", "perturbed", "swapped", "sampled", "pseudonymised"]
"""What a result of a technique may be called; none of these words means anonymous."""


@dataclass(frozen=True)
class Leaves:
    """What a technique leaves behind.

    Attributes
    ----------
    called
        What the result must be called.
    remains
        What remains identifying, in one or two sentences in English (the key of the message catalogue).
    """

    called: Called
    remains: str


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table on its way through the masks; each mask returns a new one.

    Attributes
    ----------
    frame
        The cells, trimmed and normalised.
    randomness
        Where chance comes from.
    decimal
        The decimal mark of numbers that are spelt as text.
    quasi_identifiers
        The columns by which a plan forms classes, as far as they are declared; empty outside of plans.
    k
        How many rows must share a value so that it singles nobody out.
    rows
        Which row of the input each row was.
    findings, changes
        What masks found, and what they did to columns, in order.
    rehearsal
        Whether the cells are only measured and nothing is handed out: then nothing is stored either, and a mask that
        would store something makes throw-away cells that look alike.
    """

    frame: pl.DataFrame = field(repr=False)  # a sheet in a traceback must not show cells
    randomness: Randomness
    decimal: str = "."
    quasi_identifiers: tuple[str, ...] = ()
    k: int = 2
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()
    rehearsal: bool = False

    @property
    def n_rows(self) -> int:
        """How many rows are left."""
        return self.frame.height

    def column(self, name: str, mask: str) -> pl.Series:
        """Return a column; ``mask`` is the name of who asks, for the message.

        Raises
        ------
        ColumnNotFoundError
            There is no such column.
        """
        if name not in self.frame.columns:
            raise ColumnNotFoundError(
                f"{mask}: '{name}' is not a column.", hint=nearest_column(name, self.frame.columns), about="masks"
            )
        return self.frame[name]

    def texts(self, name: str, mask: str) -> pl.Series:
        """Return a column as text; missing cells stay missing."""
        return as_text(self.column(name, mask))

    def numbers(self, name: str, mask: str) -> pl.Series:
        """Return a column as ``Int64`` or ``Float64``; missing cells stay missing.

        Raises
        ------
        InputError
            A cell is no finite number; the message gives column and count.
        """
        column = self.column(name, mask)
        if not (column.dtype.is_numeric() or column.dtype in (pl.String, pl.Null)):
            raise InputError(
                f"{mask}: '{name}' must hold numbers, but holds {column.dtype}.",
                hint="name another column.",
                about="masks",
            )
        if column.dtype == pl.Float32:
            column = column.cast(pl.String)  # 0.1 stays 0.1, where a plain cast gives 0.10000000149
        numbers, n_failed = parse_numbers(column, self.decimal)
        n_failed += int(numbers.is_infinite().sum()) if numbers.dtype.is_float() else 0
        if n_failed:
            raise InputError(
                f"{mask}: '{name}' must hold numbers, but {n_failed} of its {len(column)} cells do not read as such.",
                hint="list its texts for 'no value' under missing in the schema, or name another column.",
                about="masks",
            )
        return numbers

    def with_column(self, values: pl.Series, change: Change) -> Sheet:
        """Return the sheet with a column replaced or added (its name is ``change.column``)."""
        return replace(
            self, frame=self.frame.with_columns(values.alias(change.column)), changes=(*self.changes, change)
        )

    def with_numbers(self, values: pl.Series, change: Change) -> Sheet:
        """Do so for numbers: a column that came as text is spelt as text again, with its own decimal mark."""
        was_text = change.column in self.frame.columns and self.frame.schema[change.column] == pl.String
        return self.with_column(spelt_numbers(values, self.decimal) if was_text else values, change)

    def without(self, names: list[str]) -> Sheet:
        """Return the sheet without columns."""
        gone = tuple(Change(name, "removed") for name in names)
        return replace(self, frame=self.frame.drop(names), changes=(*self.changes, *gone))

    def keeping(self, is_kept: NDArray[np.bool_]) -> Sheet:
        """Return the sheet with the chosen rows alone, in their order."""
        return replace(self, frame=self.frame.filter(pl.Series(is_kept)), rows=self.rows[is_kept])

    def noting(self, *findings: Finding) -> Sheet:
        """Return the sheet with further findings."""
        return replace(self, findings=(*self.findings, *findings))


def sheet_of(frame: pl.DataFrame, randomness: Randomness | None = None, **options: Any) -> Sheet:
    """Return a sheet of all rows of a frame, its text trimmed and normalised.

    Examples
    --------
    >>> sheet_of(pl.DataFrame({"name": ["Amparo "]})).frame["name"].to_list()
    ['Amparo']
    """
    clean = pl.DataFrame([cleaned(column)[0] for column in frame.get_columns()])
    return Sheet(clean, randomness or Randomness(), rows=np.arange(frame.height), **options)


def spelt_numbers(values: pl.Series, decimal: str) -> pl.Series:
    """Spell numbers as text: whole ones without a decimal point.

    Examples
    --------
    >>> spelt_numbers(pl.Series([5.0, 2.5, None]), ",").to_list()
    ['5', '2,5', None]
    """
    pieces = []
    for piece in values.to_frame().iter_slices(_SLICE):  # what is needed in between is larger than a text
        texts = as_text(piece.to_series())
        pieces.append(texts if decimal == "." else texts.str.replace(".", decimal, literal=True))
    return pl.concat(pieces, rechunk=False) if pieces else as_text(values)


@runtime_checkable
class Mask(Protocol):
    """A technique on columns or rows. Constructors check and store options."""

    name: ClassVar[str]
    leaves: ClassVar[Leaves]

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it reads or changes; attribute suppression of others may go before it."""
        ...

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the masked sheet; the rows that are left keep their order."""
        ...

    def apply(self, frame: Any, randomness: Randomness | None = None) -> Any:
        """Return a pandas, Polars or Arrow frame masked, as the same kind."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file; never a key."""
        ...


class Technique:
    """What lets a mask be used alone, on a frame."""

    def apply(self: Mask, frame: Any, randomness: Randomness | None = None) -> Any:
        """Return a pandas, Polars or Arrow frame masked, as the same kind."""
        native, kind = to_polars(frame)
        return from_polars(self.mask(sheet_of(native, randomness)).frame, kind)
