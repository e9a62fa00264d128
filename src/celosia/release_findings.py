"""What the user should know about a release: its plan, its table, its classes and its search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.algorithms.base import Proof
from celosia.classes import Classes, group
from celosia.findings import Finding
from celosia.hierarchies.domains import Levels
from celosia.masks.applying import MaskedTable
from celosia.masks.base import Mask
from celosia.masks.pseudonymise import Pseudonymise
from celosia.masks.roles import pseudonym_origins
from celosia.masks.swap import Swap
from celosia.recode import Scope
from celosia.schema import Table
from celosia.schema.columns import as_text, codes_of
from celosia.schema.detectors import count_children
from celosia.table_findings import about_reading

if TYPE_CHECKING:
    from celosia.plan import Plan
    from celosia.release import Release

__all__ = ["about_persistence", "findings_of", "linked_groups"]


def findings_of(release: Release) -> list[Finding]:
    """Return what the user should know about a release.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    >>> [finding.code for finding in findings_of(release)]
    ['SEED_FIXED']
    """
    found = [*_about_plan(release.plan), *about_reading(release.masked.given), *_about_table(release.table)]
    found += release.masked.findings
    found += _about_secrets(release.table, release.recoding.classes)
    found += _about_levels(release.table, release.scope)
    found += _about_repeats(release)
    found += _about_links(release)
    found += about_persistence(release.plan.masks, release.masked)
    if release.k == 1:  # a model may count other things than people
        found.append(Finding("SINGLED_OUT", "warning", "At least one person stands alone in a class (k = 1)."))
    found += _about_proof(release.proof)
    if release.was_stopped:
        found.append(
            Finding(
                "SEARCH_STOPPED",
                "note",
                "The search was stopped before its end: these are the best classes that it had found. They satisfy "
                "every model; a longer search may lose less.",
            )
        )
    return found


def _about_plan(plan: Plan) -> list[Finding]:
    found = []
    if plan.seed is not None:
        found.append(
            Finding("SEED_FIXED", "warning", "The seed is fixed: whoever learns it can undo the shuffle of the rows.")
        )
    if plan.keep_order:
        found.append(
            Finding("ROW_ORDER_KEPT", "warning", "Rows keep the order of the input, which may tell who is who.")
        )
    return found


def _about_table(table: Table) -> list[Finding]:
    found = []
    if not table.quasi_identifiers:
        found.append(
            Finding("NO_QUASI_IDENTIFIERS", "warning", "No quasi-identifier is declared: all rows are one class.")
        )
    if table.subjects is not None and table.n_units < table.n_rows:
        found.append(
            Finding(
                "SUBJECT_REPEATED",
                "note",
                "{n_rows} rows are about {n_people} people; k counts people.",
                table.schema.subject,
                {"n_rows": table.n_rows, "n_people": table.n_units},
            )
        )
    for own in table.quasi_identifiers:
        n_children = count_children(own.values, table.decimal)
        if n_children:
            found.append(
                Finding(
                    "CHILD_DATA",
                    "note",
                    "Rows about people under 18 by '{column}': {count}. Data about children deserve particular care.",
                    own.name,
                    {"count": n_children},
                )
            )
    return found


def about_persistence(masks: Sequence[Mask], masked: MaskedTable) -> list[Finding]:
    """Find columns of pseudonyms that other releases carry as well.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.schema import Schema
    >>> about_persistence([], MaskedTable.unmasked(Table(pl.DataFrame({"age": [40]}), Schema())))
    []
    """
    lasting = {column for mask in masks if _lasts(mask) for column in mask.uses}
    origins = pseudonym_origins(masked.changes)
    return [
        Finding(
            "PSEUDONYMS_PERSIST",
            "note",
            "The pseudonyms of '{column}' are the same in every release that is made with this key or vault: whoever "
            "has two of them can join their rows, and what one makes coarse another may tell. Where they need not be "
            "joined, name a dataset.",
            column,
        )
        for column in masked.table.frame.columns
        if not lasting.isdisjoint(origins.get(column, ()))
    ]


def _lasts(mask: Mask) -> bool:
    return isinstance(mask, Pseudonymise) and (mask.key or mask.vault) is not None and mask.dataset is None


def _scatters(mask: Mask) -> bool:
    """Whether a mask gives values to any other rows; within strata, or with their rows, they stay in their classes."""
    return isinstance(mask, Swap) and not mask.joint and not mask.within


def _about_repeats(release: Release) -> list[Finding]:
    """Find identifiers whose pseudonyms show that rows are not people, where nobody said who the people are."""
    before, frame = release.masked.given.schema, release.table.frame
    if before.subject is not None:
        return []
    found = []
    for column in sorted(release.masked.pseudonyms & set(before.identifiers)):
        n_rows, n_people = frame.height - frame[column].null_count(), frame[column].drop_nulls().n_unique()
        if n_people < n_rows:
            found.append(
                Finding(
                    "PSEUDONYMS_REPEAT",
                    "warning",
                    "{n_rows} rows have {n_people} pseudonyms in '{column}', and k counts rows: name the column as "
                    "the subject, and it counts people.",
                    column,
                    {"n_rows": n_rows, "n_people": n_people},
                )
            )
    return found


def _about_links(release: Release) -> list[Finding]:
    """Find pseudonyms whose rows, taken together, single them out although each row is in a class of its own size."""
    demanded = max(model.smallest_class for model in release.plan.models)
    found: list[Finding] = []
    # Codes on other people's rows link nobody; codes of a secret stand for values, not for people.
    moved = {column for mask in release.plan.masks if _scatters(mask) for column in mask.uses}
    for column in sorted((release.masked.pseudonyms & set(release.table.schema.insensitive)) - moved):
        sizes = linked_groups(_unsorted_codes(release.table.frame[column]), release.recoding.classes.labels)
        n_linked = int(sizes[sizes < demanded].sum())
        if n_linked:
            found.append(
                Finding(
                    "PSEUDONYMS_LINK_ROWS",
                    "warning",
                    "Equal pseudonyms in '{column}' link rows: whoever knows the classes of all rows of a person finds "
                    "{count} of the {n_pseudonyms} pseudonyms in groups of fewer than {k} (the smallest: {smallest}). "
                    "Publish one row per person, drop the column, or declare it a quasi-identifier.",
                    column,
                    {
                        "count": n_linked,
                        "n_pseudonyms": int(sizes.sum()),
                        "k": demanded,
                        "smallest": int(sizes.min()),
                    },
                )
            )
    return found


def _unsorted_codes(column: pl.Series) -> NDArray[np.int64]:
    """Return a number per text, equal for equal texts; -1 where it is missing. A sort would take as long again."""
    numbers = as_text(column).cast(pl.Categorical).to_physical().cast(pl.Int64)
    return numbers.fill_null(-1).to_numpy()


def linked_groups(codes: NDArray[np.integer], labels: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many codes share the same multiset of classes, for every such multiset; none if no code is repeated.

    Parameters
    ----------
    codes
        The code of each row; -1 where it has none.
    labels
        The class of each row; -1 where it is suppressed.

    Examples
    --------
    >>> linked_groups(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 0, 1, 1, 1])).tolist()
    [2, 2]
    """
    shown = np.flatnonzero((codes >= 0) & (labels >= 0))
    if len(shown) == 0 or np.bincount(codes[shown]).max() < 2:
        return np.zeros(0, dtype=np.int64)
    order = shown[np.lexsort((labels[shown], codes[shown]))]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    lengths = np.diff(starts, append=len(order))
    sizes = []
    for length in np.unique(lengths):  # few: codes of n rows have at most the square root of 2 n lengths
        first = starts[lengths == length]
        sizes.append(np.bincount(group([labels[order[first + place]] for place in range(length)])))
    return np.concatenate(sizes).astype(np.int64)


def _about_proof(proof: Proof | None) -> list[Finding]:
    """Say how far a recoding may be from the best of its kind, if it is not known to be the best."""
    if proof is None or proof.is_optimal or proof.gap is None:
        return []
    return [
        Finding(
            "SEARCH_NOT_PROVED",
            "note",
            "The search ended before it could prove that there is no better recoding of whole columns: this one is at "
            "most {gap} above the best.",
            None,
            {"gap": f"{proof.gap / max(1 - proof.gap, 1e-12):.1%}"},
        )
    ]


def _about_levels(table: Table, scope: Scope) -> list[Finding]:
    """Find columns in which values of several levels of one hierarchy stand side by side."""
    mixed = [
        column.name
        for column in table.quasi_identifiers
        if isinstance(column.domain, Levels) and scope.columns[column.name] != "full-domain"
    ]
    if not mixed:
        return []
    return [
        Finding(
            "MIXED_LEVELS",
            "note",
            "Values of different levels stand side by side in {columns}. Whoever knows that every class is published "
            "as finely as it can be may narrow the coarser ones down, and a program that expects one form misreads "
            "them. A search for one level per column (Lattice, Datafly) avoids both.",
            mixed[0] if len(mixed) == 1 else None,
            {"columns": ", ".join(mixed)},
        )
    ]


def _about_secrets(table: Table, classes: Classes) -> list[Finding]:
    """Find classes that share one secret: k-anonymity does not hide it."""
    found = []
    for column in table.schema.sensitive:
        if column in table.schema.quasi_identifiers:
            continue
        codes, _ = codes_of(table.frame[column])
        is_known = np.zeros(classes.n_classes, dtype=np.bool_)
        is_known[classes.labels[(codes >= 0) & ~classes.suppressed]] = True
        alike = (classes.distinct(codes) == 1) & is_known  # rows that all lack the secret tell nothing
        if alike.any():
            found.append(
                Finding(
                    "HOMOGENEOUS",
                    "warning",
                    "In {n_alike} of {n_classes} classes ({n_rows} rows) anyone known to be in the class has one and "
                    "the same '{column}'.",
                    column,
                    {
                        "n_alike": int(alike.sum()),
                        "n_classes": classes.n_classes,
                        "n_rows": int(classes.sizes[alike].sum()),
                    },
                )
            )
    return found
