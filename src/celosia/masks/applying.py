"""Masks on a table: the rows and columns that are left, their roles, and what was found on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.base.findings import Finding
from celosia.data.masked import MaskedTable
from celosia.data.schema import Schema, Table
from celosia.masks.base import Mask, Sheet
from celosia.masks.drop import Drop
from celosia.masks.ordering import in_order
from celosia.masks.roles import after_changes


def masked_sheet(sheet: Sheet, masks: Sequence[Mask], schema: Schema | None = None) -> Sheet:
    """Return a sheet after masks, attribute suppression first.

    Parameters
    ----------
    schema
        The roles before masks, by which each mask knows what the quasi-identifiers are by then.
    """
    for mask in in_order(masks):
        sheet = mask.mask(sheet)
        if schema is not None:
            so_far, _ = after_changes(schema, sheet.changes, sheet.frame)
            sheet = replace(sheet, quasi_identifiers=tuple(so_far.quasi_identifiers))
    return sheet


def masked_table(
    table: Table, masks: Sequence[Mask], randomness: Randomness, k: int = 2, *, rehearsal: bool = False
) -> MaskedTable:
    """Return a table after masks.

    People are counted by the subject column as it was: where a mask changes it, a copy goes on counting them.

    Parameters
    ----------
    k
        How many rows must share a value so that it singles nobody out.
    rehearsal
        Whether the result is only measured: nothing is stored, and what a store would give is made up.

    Raises
    ------
    InputError
        A mask cannot be applied, or no row is left.
    """
    if not masks:
        return MaskedTable.unmasked(table)
    frame, schema = _counting_apart(table, masks)
    sheet = Sheet(
        frame,
        randomness,
        decimal=table.decimal,
        quasi_identifiers=tuple(schema.quasi_identifiers),
        k=k,
        rehearsal=rehearsal,
        rows=np.arange(table.n_rows),
    )
    sheet = masked_sheet(sheet, masks, schema)
    if not sheet.n_rows and table.n_rows:
        raise InputError("the masks leave no row.", hint="drop fewer rows.", about="masks")
    _refuse_gone_subject(schema, sheet)
    changed, found = after_changes(schema, sheet.changes, sheet.frame)
    findings = [*(_hushed(finding, changed) for finding in sheet.findings), *found]
    touched = {change.column for change in sheet.changes}
    after = table.with_frame(sheet.frame, changed, touched)
    if after.labels is not None:
        after.labels = after.labels.but_values_of({one.column for one in sheet.changes if one.verb != "moved"})
    return MaskedTable(after, table, sheet.rows, tuple(findings), sheet.changes)


_LEFT_TO_THE_SEARCH = frozenset({"GENERALISE_STANDS_OUT", "MASK_LENGTH", "MASK_SINGLES_OUT"})
"""What is a warning where nothing follows, but not about a quasi-identifier: the search hides who stands out."""


def _hushed(finding: Finding, schema: Schema) -> Finding:
    is_left = finding.code in _LEFT_TO_THE_SEARCH and finding.column in schema.quasi_identifiers
    return replace(finding, severity="note") if is_left else finding


def _counting_apart(table: Table, masks: Sequence[Mask]) -> tuple[pl.DataFrame, Schema]:
    """Return frame and schema, with a copy of the subject column for counting if a mask changes it."""
    subject = table.schema.subject
    if subject is None or not any(subject in mask.uses for mask in masks if not isinstance(mask, Drop)):
        return table.frame, table.schema
    copy = f"{subject} (subject)"
    while copy in table.frame.columns or any(copy in mask.uses for mask in masks):
        copy += "'"
    schema = table.schema
    apart = Schema(
        identifiers=[*dict.fromkeys([*schema.identifiers, subject])],
        quasi_identifiers=dict(schema.quasi_identifiers),
        sensitive=schema.sensitive,
        insensitive=schema.insensitive,
        subject=copy,
        weights=schema.weights,
        missing=schema.missing,
        aliases=schema.aliases,
    )
    return table.frame.with_columns(table.frame[subject].alias(copy)), apart


def _refuse_gone_subject(schema: Schema, sheet: Sheet) -> None:
    if schema.subject is not None and schema.subject not in sheet.frame.columns:
        schema.without({schema.subject})
