"""The private record of a release: how it was made, and which row is which. One codec for everybody."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import FormatError
from celosia.base.version import __version__
from celosia.measure.run import Run


def record_of(run: Run, promised: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record says before anything is measured; no seed, no cell value.

    Parameters
    ----------
    promised
        The claim as written.
    """
    given, order = run.given, run.masked.rows[run.publication.order]
    dialect = given.dialect
    spelling = {} if dialect is None else {"delimiter": dialect.delimiter, "encoding": dialect.encoding}
    return {
        "celosia": "record",
        "version": 1,
        "celosia_version": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "input": run.table.name,
        "plan": run.plan.to_dict(values=False) | {"schema": given.schema.to_dict(values=False)},
        "seed_fixed": run.plan.seed is not None,
        "subject": given.schema.subject,
        "original": {"missing": list(given.schema.missing), **spelling},  # how the verifier reads the original file
        "data": promised["data"],
        "claim_sha256": hashlib.sha256(spelt(promised).encode()).hexdigest(),
        "n_original": given.n_rows,
        "n_suppressed": run.classes.n_suppressed,
        "order": packed(order.astype("<i4")),
    }


def spelt(content: Mapping[str, Any]) -> str:
    """Return a claim or record as it is written: the claim's hash is that of this text."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def order_in(file: Path | None) -> list[int] | None:
    """Return the original row of each published row, as a private record has it.

    Raises
    ------
    FormatError
        The file is no record.
    """
    if file is None:
        return None
    try:
        order: list[int] = unpacked(json.loads(file.read_text(encoding="utf-8"))["order"]).tolist()
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        raise FormatError(
            f"{file.name} is not a record of a release.", hint="it is written as internal/record.json."
        ) from None
    return order


def packed(numbers: NDArray[Any]) -> str:
    """Return numbers as text: base64 of their zlib-compressed bytes, little-endian.

    Examples
    --------
    >>> unpacked(packed(np.array([2, 0, 1], dtype="<i4"))).tolist()
    [2, 0, 1]
    """
    return base64.b64encode(zlib.compress(numbers.tobytes(), 9)).decode("ascii")


def unpacked(text: str) -> NDArray[np.int32]:
    """Return the 32-bit numbers that ``packed`` made a text of."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i4")
