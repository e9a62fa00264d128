"""Masks alone: techniques applied to a table without a search, and what the result must be called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.base.progress import Progress, Quiet
from celosia.data import io
from celosia.data.classes import Classes
from celosia.data.io.sql import is_address, split_address, write_sql
from celosia.data.masked import MaskedTable
from celosia.data.outcome import REASONS, Judged, Outcome
from celosia.data.schema import Schema, Table
from celosia.jobs.plan_file import mask_from, mask_of
from celosia.jobs.way import made
from celosia.masks.apart import check_apart
from celosia.masks.applying import masked_table
from celosia.masks.base import Mask
from celosia.masks.naming import called, left_behind
from celosia.measure.release_findings import about_persistence
from celosia.measure.table_findings import about_reading


@dataclass(frozen=True, eq=False, kw_only=True)
class Masked(Outcome[MaskedTable, pl.DataFrame], Judged):
    """A table after masks. No privacy model was asked for, and none is promised.

    Attributes
    ----------
    masks
        The techniques, in the order given.
    findings
        What the user should know.
    seconds
        How long it took.
    """

    masks: tuple[Mask, ...] = field(repr=False)  # options may spell out cells
    findings: tuple[Finding, ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"Masked({self.n_rows} rows, {len(self.columns)} columns)"

    @property
    def n_given(self) -> int:
        """How many rows there were."""
        return self.masked.given.n_rows

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The rows that are left, as a Polars frame."""
        return io.scrub(self.publication)

    @cached_property
    def frame(self) -> Any:
        """The rows that are left, as the kind of frame that came in."""
        return io.from_polars(self.publication, self.masked.given.kind)

    @property
    def n_rows(self) -> int:
        """How many rows are left."""
        return self.publication.height

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are left."""
        return self.publication.columns

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
            write_sql(self.publication, url, table, replace=overwrite)
            return
        target = Path(path)
        if target.exists() and not overwrite:
            raise InputError(f"'{target.name}' exists.", hint="choose another name, or replace it with --overwrite.")
        kind = io.format_of(target, "csv" if format == "csv-es" else format)
        pseudonyms = self.masked.pseudonyms & set(self.columns)
        io.write(
            self.publication,
            target,
            format=format,
            numbers=io.number_columns(self.publication.drop(pseudonyms))
            if kind == "xlsx" or format == "csv-es"
            else (),
            labels=self.masked.table.labels if kind in io.STATS_FORMATS else None,
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
    wanted = tuple(masks) if isinstance(masks, list | tuple) else (masks,)
    source = table if isinstance(table, Table) else Table(table, Schema())
    return made(MasksSubject(source, wanted, seed=seed, k=k, shuffle=shuffle))


class MasksSubject:
    """Masks alone on the way of the work: there is no search, and nothing is promised that a verifier could judge.

    Parameters
    ----------
    source
        The table, or what reads it.
    masks, seed, k, shuffle
        As for ``mask``.
    """

    def __init__(
        self, source: Table | Callable[[], Table], masks: tuple[Mask, ...], *, seed: int | None, k: int, shuffle: bool
    ) -> None:
        _check(masks, k)
        self.seed = seed
        self._source, self._masks, self._k, self._shuffle = source, masks, k, shuffle

    def read(self) -> Table:
        """Return the table."""
        return self._source if isinstance(self._source, Table) else self._source()

    def prepare(self, given: Table, randomness: Randomness, *, rehearsal: bool) -> MaskedTable:
        """Return the table after masks."""
        return masked_table(given, self._masks, randomness, self._k, rehearsal=rehearsal)

    def search(self, prepared: MaskedTable, randomness: Randomness, shown: Progress) -> None:
        """Search for nothing: no model asks for classes."""

    def publish(
        self, prepared: MaskedTable, searched: None, randomness: Randomness, *, rehearsal: bool = False
    ) -> Masked:
        """Return the rows that are left; all of them are one class, since nobody asked for others."""
        rows = _published(prepared)
        if self._shuffle:
            rows = rows[randomness.permutation(rows.height)]
        findings = [
            *about_reading(prepared.given),
            *prepared.findings,
            *about_persistence(self._masks, prepared),
            *about_mask_seed(self.seed),
        ]
        labels = np.full(prepared.given.n_rows, -1, dtype=np.int64)
        labels[prepared.rows] = 0
        return Masked(
            masked=prepared,
            publication=rows,
            classes=Classes(labels),
            reasons=np.where(labels < 0, REASONS.index("mask") + 1, 0).astype(np.int8),
            claim={"promises": []},
            is_rehearsal=rehearsal,
            masks=self._masks,
            findings=tuple(findings),
        )

    def measure(self, made: Masked, shown: Progress) -> Masked:
        """Measure nothing."""
        return made


@dataclass(frozen=True)
class MaskRequest:
    """What somebody wants done with a file by masks alone; it can be written down and read back.

    Parameters
    ----------
    data
        The data file, or a table of a database.
    masks
        The techniques, as in a plan file, or as pieces of YAML.
    output
        The file, or table of a database, to write.
    format, sheet
        The format of the output, by its suffix where not given; the sheet of a workbook that is read.
    k, seed, shuffle, overwrite
        As for ``mask`` and ``Masked.write``.

    Examples
    --------
    >>> request = MaskRequest("people.csv", ("{drop: {column: name}}",), "masked.csv")
    >>> MaskRequest.from_dict(request.to_dict()) == request
    True
    """

    data: str
    masks: tuple[str | Mapping[str, Any], ...]
    output: str
    format: str | None = None
    sheet: str | None = None
    k: int = 2
    seed: int | None = None
    shuffle: bool = False
    overwrite: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> MaskRequest:
        """Return the request that was written down."""
        return cls(**{**told, "masks": tuple(told["masks"])})

    @cached_property
    def wanted(self) -> tuple[Mask, ...]:
        """The techniques."""
        return tuple(mask_of(one) if isinstance(one, str) else mask_from(one, Path()) for one in self.masks)

    def preflight(self) -> None:
        """Refuse whatever can be refused before the file is read."""
        _check(self.wanted, self.k)
        if not is_address(self.output):
            self._check_output(Path(self.output))
        check_place(self.wanted, self.output)
        if not is_address(self.data):
            io.column_names(self.data, **self._read_options)

    @property
    def _read_options(self) -> dict[str, Any]:
        return {} if self.sheet is None else {"sheet": self.sheet}

    def _check_output(self, output: Path) -> None:
        """Refuse a place that must not be written to."""
        if output.is_dir():
            raise InputError(f"'{output}' is a folder.", hint="name a file in it.")
        io.format_of(output, "csv" if self.format == "csv-es" else self.format)
        if not output.parent.is_dir():
            raise InputError(f"cannot write {output.name}: its folder does not exist.", hint="make the folder first.")
        if output.exists() and Path(self.data).exists() and output.samefile(self.data):
            raise InputError(f"'{output.name}' is the data file.", hint="write to another file.")
        if output.exists() and not self.overwrite:
            raise InputError(f"'{output.name}' exists.", hint="choose another name, or replace it with --overwrite.")

    def run(self, progress: Progress | None = None) -> Masked:
        """Apply the masks and write the result."""
        self.preflight()
        shown = progress or Quiet()
        shown.stage("read")
        table = Table.read(self.data, Schema(), **self._read_options)
        shown.stage("mask")
        subject = MasksSubject(table, self.wanted, seed=self.seed, k=self.k, shuffle=self.shuffle)
        found = made(subject)
        shown.stage("write")
        found.write(self.output, format=self.format, overwrite=self.overwrite)
        return found


def about_mask_seed(seed: int | None) -> list[Finding]:
    """Say what a fixed seed gives away where nothing but masks was done."""
    if seed is None:
        return []
    return [Finding("MASK_SEED_FIXED", "warning", "The seed is fixed: whoever learns it can undo what chance decided.")]


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
