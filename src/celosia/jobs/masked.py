"""Masks alone: techniques applied to a table without a search, and what the result must be called."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.data import io
from celosia.data.io.sql import is_address, split_address, write_sql
from celosia.data.masked import MaskedTable
from celosia.data.schema import Schema, Table
from celosia.masks.apart import check_apart
from celosia.masks.applying import masked_table
from celosia.masks.base import Mask
from celosia.masks.naming import called, left_behind
from celosia.measure.release_findings import about_persistence
from celosia.measure.table_findings import about_reading


@dataclass(frozen=True, eq=False)
class Masked:
    """A table after masks. No privacy model was asked for, and none is promised.

    Attributes
    ----------
    masks
        The techniques, in the order given.
    n_given
        How many rows there were.
    findings
        What the user should know.
    seconds
        How long it took.
    """

    masks: tuple[Mask, ...] = field(repr=False)  # options may spell out cells
    n_given: int
    findings: tuple[Finding, ...] = field(repr=False)
    seconds: float
    _rows: pl.DataFrame = field(repr=False)  # below its cells lies what masks hid: only scrubbed copies go out
    _kind: io.FrameKind = field(repr=False)
    _labels: io.Labels | None = field(repr=False)
    _pseudonyms: frozenset[str] = field(repr=False)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The rows that are left, as a Polars frame."""
        return io.scrub(self._rows)

    @cached_property
    def frame(self) -> Any:
        """The rows that are left, as the kind of frame that came in."""
        return io.from_polars(self._rows, self._kind)

    @property
    def n_rows(self) -> int:
        """How many rows are left."""
        return self._rows.height

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are left."""
        return self._rows.columns

    @property
    def called(self) -> list[str]:
        """What the result must be called; never anonymous."""
        return called(self.masks)

    def write(self, path: str | Path, *, format: str | None = None, overwrite: bool = False) -> None:
        """Write the rows to a file, or to a table of a database; it takes its place once it is complete.

        Parameters
        ----------
        path
            The file; or a database's address and table as text, such as ``sqlite:///school.db#masked``.
        format
            As for ``celosia.io.write``; by the suffix where not given.
        overwrite
            Whether an existing file may be replaced.

        Raises
        ------
        InputError
            The file exists, cannot be written, or lies beside a key or a vault of the masks.
        """
        check_place(self.masks, path)
        if isinstance(path, str) and is_address(path):
            url, table = split_address(path)
            write_sql(self._rows, url, table, replace=overwrite)
            return
        target = Path(path)
        if target.exists() and not overwrite:
            raise InputError(f"'{target.name}' exists.", hint="choose another name, or replace it with --overwrite.")
        kind = io.format_of(target, "csv" if format == "csv-es" else format)
        io.write(
            self._rows,
            target,
            format=format,
            numbers=io.number_columns(self._rows.drop(self._pseudonyms))
            if kind == "xlsx" or format == "csv-es"
            else (),
            labels=self._labels if kind in io.STATS_FORMATS else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures that ``celosia mask --json`` prints."""
        return {
            "n_rows": self.n_given,
            "n_written": self.n_rows,
            "n_dropped": self.n_given - self.n_rows,
            "columns": self.columns,
            "called": self.called,
            "masks": [left_behind(mask) for mask in self.masks],
            "findings": [finding.to_dict() for finding in self.findings],
            "seconds": self.seconds,
        }


def mask(
    table: Any, masks: Mask | Sequence[Mask], *, seed: int | None = None, k: int = 2, shuffle: bool = False
) -> Masked:
    """Apply masks to a table, attribute suppression first, and say what they leave behind.

    Parameters
    ----------
    table
        A pandas, Polars or Arrow frame, or a ``Table``.
    masks
        One or several techniques.
    seed
        ``None`` for secure randomness; a number makes runs repeat and is marked in the findings.
    k
        How many rows must share a value so that it singles nobody out, from 2.
    shuffle
        Whether rows are given out in random order.

    Raises
    ------
    OptionError
        There is no mask, or an option is not allowed.
    InputError
        A mask cannot be applied to this table.

    Examples
    --------
    >>> import celosia as cl
    >>> ids = pl.DataFrame({"id": ["1026457389", "1028374622", "3647382919"]})
    >>> found = mask(ids, cl.MaskCharacters(column="id", keep_first=2, symbol="X"))
    >>> found.frame["id"].to_list(), found.called
    (['10XXXXXXXX', '10XXXXXXXX', '36XXXXXXXX'], ['masked'])
    """
    started = time.perf_counter()
    wanted = tuple(masks) if isinstance(masks, list | tuple) else (masks,)
    _check(wanted, k)
    source = table if isinstance(table, Table) else Table(table, Schema())
    randomness = Randomness(seed)
    made = masked_table(source, wanted, randomness, k)
    rows = _published(made)
    if shuffle:
        rows = rows[randomness.permutation(rows.height)]
    findings = [*about_reading(source), *made.findings, *about_persistence(wanted, made)]
    if seed is not None:
        findings.append(
            Finding("MASK_SEED_FIXED", "warning", "The seed is fixed: whoever learns it can undo what chance decided.")
        )
    seconds = time.perf_counter() - started
    labels, pseudonyms = made.table.labels, made.pseudonyms & set(rows.columns)
    return Masked(wanted, source.n_rows, tuple(findings), seconds, rows, source.kind, labels, pseudonyms)


def check_place(masks: Sequence[Mask], path: str | Path) -> None:
    """Refuse a place for the result, a file or a table of a database, that is too near to a key or vault of the masks.

    Raises
    ------
    InputError
        It is.

    Examples
    --------
    >>> import celosia as cl
    >>> check_place([cl.Drop(column="name")], "masked.csv")
    """
    if isinstance(path, str) and is_address(path):
        check_apart(masks, database=split_address(path)[0])
    else:
        check_apart(masks, file=Path(path))


def _check(masks: Sequence[object], k: object) -> None:
    if not masks or not all(isinstance(one, Mask) and not isinstance(one, type) for one in masks):
        raise OptionError("mask needs one or more masks such as Drop(column='name').", about="masks")
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise OptionError("k must be a whole number from 2.", hint="k = 2 finds who stands alone.", about="k")


def _published(made: MaskedTable) -> pl.DataFrame:
    """Return the columns after masks, without the copy by which people were counted."""
    hidden = {made.table.schema.subject} - {made.given.schema.subject}
    return made.table.frame.select(pl.exclude([name for name in hidden if name is not None]))
