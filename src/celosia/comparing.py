"""compare: an original and a released file side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from celosia import audit
from celosia.errors import InputError
from celosia.hierarchies import ancestors_of
from celosia.hierarchies.domains import Bag, Levels
from celosia.io import to_polars
from celosia.schema import QuasiIdentifier, Table
from celosia.schema.columns import as_text, cleaned
from celosia.utility.published import published_losses

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What an original and its release show together.

    Attributes
    ----------
    n_rows, n_published, n_suppressed
        Rows of the original, of the release, and their difference.
    gcp, gcp_published, columns
        Loss read off the published cells: over the original rows (a row that is gone is lost), over the published
        ones, and per column.
    figures
        k, classes and risk of the released file, as ``check`` gives them.
    truthful
        Whether every original can lie in its published row: row by row if the order is known, else whether a perfect
        matching exists; ``None`` where that could not be judged.
    truthful_by
        ``order`` or ``matching``.
    reason
        What the verifier said.
    """

    n_rows: int
    n_published: int
    n_suppressed: int
    gcp: float
    gcp_published: float
    columns: dict[str, float]
    figures: dict[str, Any]
    truthful: bool | None
    truthful_by: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as ``celosia compare --json`` prints it."""
        return self.figures | {
            "n_rows": self.n_rows,
            "n_published": self.n_published,
            "n_suppressed": self.n_suppressed,
            "gcp": self.gcp,
            "gcp_published": self.gcp_published,
            "columns": self.columns,
            "truthful": self.truthful,
            "truthful_by": self.truthful_by,
            "reason": self.reason,
        }


def compare(original: Table, released: Any, *, order: Sequence[int] | None = None, decimal: str = ".") -> Comparison:
    """Measure what a release lost against its original, what it still gives away, and whether it is true.

    Parameters
    ----------
    original
        The original table with its schema.
    released
        The published rows, whoever made them: ranges, sets and labels are read as Celosía spells them.
    order
        The original row of each published row, where it is known (the private record holds it).
    decimal
        The decimal mark of the published numbers.

    Raises
    ------
    InputError
        A quasi-identifier is not in the release, its cells cannot be read, or it has more rows than the original.

    Examples
    --------
    >>> from celosia.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [40, 44, 37]}), Schema(quasi_identifiers={"age": "number"}))
    >>> found = compare(table, pl.DataFrame({"age": ["[40, 44]", "[40, 44]"]}))
    >>> found.n_suppressed, found.truthful, round(found.gcp, 4)
    (1, True, 0.7143)
    """
    native, _ = to_polars(released)
    texts = pl.DataFrame([as_text(cleaned(column)[0]) for column in native.get_columns()])
    if texts.height > original.n_rows:
        raise InputError(
            f"the release has {texts.height} rows, the original {original.n_rows}.", hint="are they the right files?"
        )
    specs = [_spec(column, texts.columns) for column in original.quasi_identifiers]
    losses = [_losses(column, texts, decimal) for column in original.quasi_identifiers]
    n_gone = original.n_rows - texts.height
    weights = np.array([column.weight for column in original.quasi_identifiers])
    means = [(float(one.sum()) + n_gone) / max(original.n_rows, 1) for one in losses]
    kept = [float(one.mean()) if len(one) else 0.0 for one in losses]
    truthful, reason = _truthful(original, texts, specs, order, decimal)
    published = [name for spec in specs for name in spec.get("columns", [spec["name"]])]
    secrets = [column for column in original.schema.sensitive if column in texts.columns]
    return Comparison(
        n_rows=original.n_rows,
        n_published=texts.height,
        n_suppressed=n_gone,
        gcp=float(np.average(means, weights=weights)) if means else 0.0,
        gcp_published=float(np.average(kept, weights=weights)) if kept else 0.0,
        columns={column.name: mean for column, mean in zip(original.quasi_identifiers, means, strict=True)},
        figures=audit.measure(texts, published, secrets),
        truthful=truthful,
        truthful_by="matching" if order is None else "order",
        reason=reason,
    )


def _losses(column: QuasiIdentifier, texts: pl.DataFrame, decimal: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    if column.name in texts.columns:
        return published_losses(column, texts[column.name], decimal)
    low, high = texts[f"{column.name}_lo"], texts[f"{column.name}_hi"]
    mark = "; " if decimal == "," else ", "
    pairs = pl.select(
        pl.when(low == "*").then(pl.lit("*")).when(low.is_not_null()).then(pl.lit("[") + low + mark + high + "]")
    ).to_series()
    return published_losses(column, pairs, decimal)


def _spec(column: QuasiIdentifier, released: Sequence[str]) -> dict[str, Any]:
    """Describe a quasi-identifier to the verifier as a claim does."""
    spec: dict[str, Any] = {"name": column.name, "role": "quasi_identifier", "kind": column.domain.kind}
    pair = [f"{column.name}_lo", f"{column.name}_hi"]
    if column.name in released:
        spec["style"] = "set" if isinstance(column.domain, Bag) or column.domain.kind == "order" else "label"
    elif all(name in released for name in pair):
        spec |= {"style": "pair", "columns": pair}
    else:
        raise InputError(
            f"quasi-identifier '{column.name}' is not in the release.", hint="is this the plan the file was made with?"
        )
    if not isinstance(column.domain, Levels):
        spec["separator"] = column.domain.separator
    return spec


def _truthful(
    original: Table, texts: pl.DataFrame, specs: list[dict[str, Any]], order: Sequence[int] | None, decimal: str
) -> tuple[bool | None, str]:
    trees = {
        column.name: ancestors_of(column.domain)
        for column in original.quasi_identifiers
        if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
    }
    originals = pl.DataFrame([as_text(column.values) for column in original.quasi_identifiers])
    published = texts.select([name for spec in specs for name in spec.get("columns", [spec["name"]])])
    claim = {
        "celosia": "claim",
        "version": 1,
        "data": {"decimal": decimal},
        "models": [{"k_anonymity": {"k": 2}}],  # a claim must name one; how it fares is no question of truth
        "columns": specs,
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }
    verdict = audit.verify_columns(published, claim, original_columns=originals, order=order, hierarchies=trees)
    judged = [check for check in verdict.checks if check.name.startswith(("truthfulness", "values", "order"))]
    unpassed = [check for check in judged if check.status not in ("passed", "not applicable")]
    if not unpassed:
        return True, "; ".join(check.detail for check in judged[-1:])
    reason = "; ".join(f"{check.name}: {check.detail}" for check in unpassed)
    return (False if any(check.status == "failed" for check in unpassed) else None), reason
