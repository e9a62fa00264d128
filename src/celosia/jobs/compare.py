"""compare: an original and a released file side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from celosia import audit
from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.base.keys import KeySource
from celosia.data import io
from celosia.data.hierarchies import Category, Number, ancestors_of
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.io import to_polars
from celosia.data.io.formulas import restored
from celosia.data.masked import Change, MaskedTable
from celosia.data.recode import Scope, scope_of_texts
from celosia.data.schema import QuasiIdentifier, Table
from celosia.data.schema.columns import as_text, cleaned
from celosia.jobs.check import judged
from celosia.jobs.plan_file import load
from celosia.jobs.record import order_in
from celosia.masks import DropRows, Pseudonymise, Sample
from celosia.masks.applying import masked_table
from celosia.masks.base import Mask
from celosia.measure.utility.published import published_losses
from celosia.models.base import Model


@dataclass(frozen=True)
class Comparison:
    """What an original and its release show together.

    Attributes
    ----------
    n_rows, n_published, n_suppressed
        Rows of the original, of the release, and their difference.
    gcp, gcp_published, columns
        Loss read off the published cells: over the original rows (a row that is gone is lost), over the published
        ones, and per column. ``None`` where cells cannot be read, and for centroids, whose class they do not show.
    figures
        k, classes and risk of the released file, as ``check`` gives them.
    models
        For each demanded model: its name with options, whether it holds on the published rows, and why.
    truthful
        Whether every original can lie in its published row: row by row if the order is known, else whether a perfect
        matching exists; ``None`` where that could not be judged.
    truthful_by
        ``order`` or ``matching``.
    reason
        What the verifier said.
    scope
        What kind of recoding the release shows; ``None`` where it is not known which row is which. ``to_dict`` calls it
        ``recoding``.
    """

    n_rows: int
    n_published: int
    n_suppressed: int
    gcp: float | None
    gcp_published: float | None
    columns: dict[str, float | None]
    figures: dict[str, Any]
    models: list[dict[str, Any]]
    truthful: bool | None
    truthful_by: str
    reason: str
    scope: Scope | None

    @property
    def holds(self) -> bool:
        """Whether the release is not untrue and every demanded model holds."""
        return self.truthful is not False and all(model["holds"] for model in self.models)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as ``celosia compare --json`` prints it."""
        apart = ("figures", "scope")
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in apart}
        return self.figures | own | {"recoding": None if self.scope is None else self.scope.to_dict()}


def compare(
    original: Table,
    released: Any,
    *,
    order: Sequence[int] | None = None,
    models: Sequence[Model] = (),
    decimal: str = ".",
    masks: Sequence[Mask] = (),
) -> Comparison:
    """Measure what a release lost against its original, what it still gives away, and whether it is true.

    Parameters
    ----------
    original
        The original table with its schema.
    released
        The published rows, whoever made them: ranges, sets and labels are read as Celosía spells them.
    order
        The original row of each published row, where it is known (the private record holds it).
    models
        Models that must hold on the published rows.
    decimal
        The decimal mark of the published numbers.
    masks
        The masks of the plan: values are compared with those after them. The truth of columns that a mask made untrue
        on purpose, or gave to other rows, is not asked. Keyed pseudonyms are worked out again where the key is at hand.
        All others are only asked, where the order is known, whether equal values have equal ones and different values
        different ones: a vault is not opened, since that would be a look-up that nobody counts.

    Raises
    ------
    InputError
        A quasi-identifier is not in the release, or it has more rows than the original.

    Examples
    --------
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [40, 44, 37]}), Schema(quasi_identifiers={"age": "number"}))
    >>> found = compare(table, pl.DataFrame({"age": ["[40, 44]", "[40, 44]"]}))
    >>> found.n_suppressed, found.truthful, round(found.gcp, 4)
    (1, True, 0.7143)
    """
    n_rows = original.n_rows
    native, _ = to_polars(released)
    texts = pl.DataFrame([as_text(cleaned(column)[0]) for column in native.get_columns()])
    if texts.height > n_rows:
        raise InputError(
            f"the release has {texts.height} rows, the original {n_rows}.", hint="are they the right files?"
        )
    again, drawn = _repeatable(masks)
    masked = masked_table(original, again, Randomness(), rehearsal=True)
    original, exempt = masked.table, _untrue_on_purpose(masked.changes, drawn)
    if order is not None:
        order = _after_dropping(order, masked)
    specs = [_spec(column, texts.columns) for column in original.quasi_identifiers]
    spent = [_spent(column, texts, decimal) for column in original.quasi_identifiers]
    weights = [column.weight for column in original.quasi_identifiers]
    n_gone = n_rows - texts.height
    judged_specs = [spec for spec in specs if spec["name"] not in exempt]
    truthful, reason = _truthful(original, texts, judged_specs, order, decimal, exempt)
    if order is not None:
        truthful, reason = _with_pairs(truthful, reason, _torn_pairs(masked, drawn, texts, order))
    published = [name for spec in specs for name in spec.get("columns", [spec["name"]])]
    secrets = [column for column in original.schema.sensitive if column in texts.columns]
    figures = audit.measure(texts, published, secrets)
    means = [None if one is None else (one + n_gone) / n_rows for one in spent]
    return Comparison(
        n_rows=n_rows,
        n_published=texts.height,
        n_suppressed=n_gone,
        gcp=_mean(means, weights),
        gcp_published=_mean([None if one is None else one / texts.height for one in spent], weights)
        if texts.height
        else None,
        columns={column.name: mean for column, mean in zip(original.quasi_identifiers, means, strict=True)},
        figures=figures,
        models=[judged(model, figures) for model in models],
        truthful=truthful,
        truthful_by="matching" if order is None else "order",
        reason=reason,
        scope=_scope(original, texts, order, decimal),
    )


def compare_files(
    original: str, released: str, plan: Path, record: Path | None = None, *, keep_order: bool = False
) -> Comparison:
    """Compare two files, as a plan says what their columns are.

    Parameters
    ----------
    record
        The private record of the release, which holds the order of its rows.
    keep_order
        Whether row i of the release is row i of the original.

    Raises
    ------
    InputError
        A file cannot be read, or they do not belong together.
    """
    source = io.read(released)
    order = list(range(source.frame.height)) if keep_order else order_in(record)
    config = load(plan)
    return compare(
        config.table(original),
        restored(source.frame),
        order=order,
        models=config.plan.models,
        masks=config.plan.masks,
        decimal=_decimal(source),
    )


def _decimal(source: io.Source) -> str:
    """Return the decimal mark of a release: Celosía parts the ends of a range by ``;`` where the mark is a comma."""
    for column in source.frame.get_columns():
        if column.dtype == pl.String and column.str.contains(r"^\[[^\]]*; ").any():
            return ","
    return source.dialect.decimal if source.dialect is not None else "."


def _repeatable(masks: Sequence[Mask]) -> tuple[list[Mask], frozenset[str]]:
    """Return the masks without those whose rows cannot be told again: they are drawn, or chosen by what chance made.

    The second result are the columns whose pseudonyms cannot be told again; others are drawn in their place.
    """
    kept: list[Mask] = []
    drawn: set[str] = set()
    by_chance: set[str] = set()
    is_sampled = False
    for mask in masks:
        is_shaken = not by_chance.isdisjoint(mask.uses)
        if isinstance(mask, Pseudonymise) and not _is_told_again(mask):
            mask = replace(mask, key=None, vault=None, dataset=None)
            drawn.update(mask.uses)
            by_chance.update(mask.uses)
        elif isinstance(mask, DropRows):
            # Without columns of its own it looks at the quasi-identifiers.
            is_shaken |= is_sampled or (bool(by_chance) and not mask.uses)
        elif is_shaken or mask.leaves.called in ("perturbed", "swapped"):
            by_chance.update(mask.uses)
        is_sampled |= isinstance(mask, Sample)
        if not isinstance(mask, Sample) and not (isinstance(mask, DropRows) and is_shaken):
            kept.append(mask)
    return kept, frozenset(drawn)


def _is_told_again(mask: Pseudonymise) -> bool:
    """Whether the same values get the same pseudonyms here and now: there is a key, and it is at hand."""
    if not isinstance(mask.key, KeySource):
        return False
    try:
        mask.key.read()
    except InputError:
        return False
    return True


def _untrue_on_purpose(changes: Iterable[Change], drawn: Collection[str]) -> frozenset[str]:
    """Return the columns that masks made untrue, or gave to other rows, and those that were worked out from them."""
    untrue: set[str] = set()
    for change in changes:
        is_drawn = change.verb == "pseudonymised" and change.column in drawn
        if is_drawn or change.verb in ("perturbed", "moved") or not untrue.isdisjoint(change.sources):
            untrue.add(change.column)
    return frozenset(untrue)


def _torn_pairs(
    masked: MaskedTable, drawn: Collection[str], texts: pl.DataFrame, order: Sequence[int]
) -> dict[str, bool]:
    """Return for every column of drawn pseudonyms whether one value has several, or several have one."""
    changed = [change.column for change in masked.changes]
    rows = np.array(order, dtype=np.intp)
    if len(rows) != texts.height or not len(rows) or rows.min() < 0 or rows.max() >= len(masked.rows):
        return {}
    torn = {}
    for name in sorted(masked.pseudonyms & set(drawn) - set(masked.table.schema.quasi_identifiers)):
        if name in texts.columns and changed.count(name) == 1:
            values = as_text(masked.given.frame[name]).gather(masked.rows[rows])
            pairs = pl.DataFrame([values.alias("value"), texts[name].alias("code")])
            torn[name] = len({pairs["value"].n_unique(), pairs["code"].n_unique(), pairs.n_unique()}) > 1
    return torn


def _with_pairs(truthful: bool | None, reason: str, torn: Mapping[str, bool]) -> tuple[bool | None, str]:
    """Return the judgement together with that of pseudonyms."""
    wrong = [name for name, is_torn in torn.items() if is_torn]
    if wrong:
        named = ", ".join(f"'{name}'" for name in wrong)
        return False, f"{reason} In {named} one value has several pseudonyms, or several values have one."
    if not torn or truthful is False:
        return truthful, reason
    named = ", ".join(f"'{name}'" for name in torn)
    return truthful, f"{reason} In {named} every value has one pseudonym of its own."


def _after_dropping(order: Sequence[int], masked: MaskedTable) -> list[int]:
    """Return an order by the rows that masks left; -1 for a row that is not among them."""
    place = {int(row): position for position, row in enumerate(masked.rows)}
    return [place.get(row, -1) for row in order]


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """Return the weighted mean; one value that is not known leaves it unknown."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return float(np.average(known, weights=weights)) if known else 0.0


def _spent(column: QuasiIdentifier, texts: pl.DataFrame, decimal: str) -> float | None:
    """Return the loss of all published cells of a column together, or ``None`` if they cannot tell.

    Blank cells beyond the missing values of the original hide known values, and lose all.
    """
    if _is_centroid(column):
        return None
    cells = _cells(column, texts, decimal)
    try:
        lost = float(published_losses(column, cells, decimal).sum())
    except InputError:
        return None
    n_missing = int((column.codes == -1).sum())
    return lost + max(cells.null_count() - n_missing, 0)


def _is_centroid(column: QuasiIdentifier) -> bool:
    return isinstance(column.hierarchy, Number | Category) and column.hierarchy.publish == "centroid"


def _cells(column: QuasiIdentifier, texts: pl.DataFrame, decimal: str) -> pl.Series:
    """Return the published cells of a column; pairs as ranges."""
    if column.name in texts.columns:
        return texts[column.name]
    low, high = texts[f"{column.name}_lo"], texts[f"{column.name}_hi"]
    mark = "; " if decimal == "," else ", "
    return pl.select(
        pl.when(low == "*").then(pl.lit("*")).when(low.is_not_null()).then(pl.lit("[") + low + mark + high + "]")
    ).to_series()


def _spec(column: QuasiIdentifier, released: Sequence[str]) -> dict[str, Any]:
    """Describe a quasi-identifier to the verifier as a claim does."""
    spec: dict[str, Any] = {"name": column.name, "role": "quasi_identifier", "kind": column.domain.kind}
    pair = [f"{column.name}_lo", f"{column.name}_hi"]
    if column.name in released:
        is_set = isinstance(column.domain, Bag) or column.domain.kind == "order"
        spec["style"] = "centroid" if _is_centroid(column) else "set" if is_set else "label"
    elif all(name in released for name in pair):
        spec |= {"style": "pair", "columns": pair}
    else:
        raise InputError(
            f"quasi-identifier '{column.name}' is not in the release.", hint="is this the plan the file was made with?"
        )
    if not isinstance(column.domain, Levels):
        spec["separator"] = column.domain.separator
    return spec


def _scope(original: Table, texts: pl.DataFrame, order: Sequence[int] | None, decimal: str) -> Scope | None:
    """Return what kind of recoding the release shows, where it is known which original each of its rows is."""
    rows = np.array([] if order is None else order, dtype=np.intp)
    if not texts.height or len(rows) != texts.height or rows.min() < 0 or rows.max() >= original.n_rows:
        return None
    cells = [_cells(column, texts, decimal) for column in original.quasi_identifiers]
    return scope_of_texts(original.quasi_identifiers, cells, rows, decimal)


def _truthful(
    original: Table,
    texts: pl.DataFrame,
    specs: list[dict[str, Any]],
    order: Sequence[int] | None,
    decimal: str,
    exempt: Collection[str],
) -> tuple[bool | None, str]:
    if not texts.height:
        return None, "the release has no rows."
    trees = {
        column.name: ancestors_of(column.domain)
        for column in original.quasi_identifiers
        if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
    }
    kept = [
        {"name": name, "role": role}
        for role, names in (("sensitive", original.schema.sensitive), ("insensitive", original.schema.insensitive))
        for name in names
        if name in texts.columns and name not in (*original.schema.quasi_identifiers, *exempt)
    ]
    if not specs and not kept:
        return None, "masks made every column untrue on purpose."
    originals = original.frame.with_columns([column.values for column in original.quasi_identifiers])
    columns = [
        *(name for spec in specs for name in spec.get("columns", [spec["name"]])),
        *(one["name"] for one in kept),
    ]
    claim = {
        "celosia": "claim",
        "version": 1,
        "data": {"decimal": decimal},
        "models": [{"k_anonymity": {"k": 2}}],  # a claim must name one; how it fares is no question of truth
        "columns": specs + kept,
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }
    verdict = audit.verify_columns(
        texts.select(columns),
        claim,
        original_columns=pl.DataFrame([as_text(column) for column in originals.get_columns()]),
        order=order,
        hierarchies=trees,
    )
    judged = [check for check in verdict.checks if check.name.startswith(("truthfulness", "values", "order"))]
    unpassed = [check for check in judged if check.status not in ("passed", "not applicable")]
    if not unpassed:
        return True, "; ".join(check.detail for check in judged[-1:])
    reason = "; ".join(f"{check.name}: {check.detail}" for check in unpassed)
    return (False if any(check.status == "failed" for check in unpassed) else None), reason
