"""The claim: what a release promises, in a form that anybody can check against the published file.

It names models with their parameters, the columns with kind and spelling, and the policies. It never holds algorithm,
seed, hierarchies, keys or a count below k.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from celosia.base.entries import describe
from celosia.data.hierarchies.domains import Levels
from celosia.data.recode import Cells, Recoding
from celosia.models.base import Model


def claim_of(
    recoding: Recoding, models: Sequence[Model], changed: Collection[str] = (), pseudonyms: Collection[str] = ()
) -> dict[str, Any]:
    """Return the claim of a recoding, without the part about the written file.

    Parameters
    ----------
    changed
        Columns whose values are not those of the original: a mask changed them, and the claim says so.
    pseudonyms
        Those of them that hold pseudonyms: whoever reads the claim must know that the data are not anonymous.
    """
    schema = recoding.table.schema
    coarse = {cells.column.name: cells for cells in recoding.cells}
    columns = []
    for name in recoding.table.frame.columns:
        if name in coarse:
            columns.append(_quasi_identifier(coarse[name], sensitive=name in schema.sensitive))
        elif name in schema.sensitive:
            columns.append({"name": name, "role": "sensitive"})
        elif name in schema.insensitive:
            columns.append({"name": name, "role": "insensitive"})
    for entry in columns:
        if entry["name"] in changed:
            entry["masked"] = True
        if entry["name"] in pseudonyms:
            entry["pseudonyms"] = True
    return {
        "celosia": "claim",
        "version": 1,
        "models": [describe(model) for model in models],
        "columns": columns,
        "policies": {
            "missing": "own",
            "suppressed": "deleted",
            "subject": None if schema.subject is None else "counted",
        },
    }


def _quasi_identifier(cells: Cells, *, sensitive: bool) -> dict[str, Any]:
    domain = cells.column.domain
    entry: dict[str, Any] = {
        "name": cells.column.name,
        "role": "quasi_identifier",
        "kind": domain.kind,
        "style": cells.style,
    }
    if cells.style == "pair":
        entry["columns"] = list(cells.names)
    if cells.style == "set":
        entry["separator"] = domain.separator if not isinstance(domain, Levels) else " / "
    if sensitive:
        entry["sensitive"] = True
    return entry
