"""Tables of earlier courses: read from their published files alone, once their claims hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from celosia import audit
from celosia.apps.exam.published import PublishedTable, read_table
from celosia.apps.exam.scales import Scale
from celosia.base.errors import CelosiaError, InputError
from celosia.data.hierarchies.exact import exact
from celosia.data.hierarchies.ranges import Range
from celosia.data.io import read, restored
from celosia.data.schema.detectors.headers import plain_text

_CLAIM, _READING = "claim.json", "table.json"


@dataclass(frozen=True)
class Earlier:
    """The table of an earlier course.

    Attributes
    ----------
    table
        What it publishes; its columns are called as in the sheet of marks.
    n_students
        How many students it is about.
    skipped
        Columns of marks that both have, but that cannot be compared: perturbed, or on another scale.
    """

    table: PublishedTable
    n_students: int
    skipped: tuple[str, ...] = ()


def read_earlier(folders: Sequence[str | Path], scales: Mapping[str, Scale]) -> tuple[Earlier, ...]:
    """Read the tables of earlier courses.

    Parameters
    ----------
    folders
        Folders with a published data file and its ``claim.json``, or folders of such folders.
    scales
        The columns of marks to compare, and their scales.

    Raises
    ------
    InputError
        A folder holds no release, its files cannot be read, its claim does not hold, or it has none of the marks.

    Examples
    --------
    >>> read_earlier([], {})
    ()
    """
    return tuple(_read(place, scales) for folder in folders for place in _releases(Path(folder)))


def _releases(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"there is no folder '{folder.name}' of an earlier course.", hint="check --earlier.")
    if (folder / _CLAIM).is_file():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{_CLAIM}"))
    if not found:
        raise InputError(
            f"'{folder.name}' holds no published table: there is no claim.json in it, nor one folder below.",
            hint="--earlier takes the folder of an earlier release, or a folder of such folders.",
        )
    return found


def _read(folder: Path, scales: Mapping[str, Scale]) -> Earlier:
    claim = _json(folder / _CLAIM, folder)
    frame = _verified(folder, claim)
    columns = {entry["name"]: entry for entry in claim["columns"]}
    called = {plain_text(name): name for name in columns}
    shared = {mark: called[plain_text(mark)] for mark in scales if plain_text(mark) in called}
    if not shared:
        raise InputError(
            f"the earlier table in '{folder.name}' has none of the {len(scales)} columns of marks.",
            hint="leave it out, or give the columns the same names.",
        )
    decimal = claim["data"].get("decimal", ".")
    stated = _stated_scales(folder)
    comparable, texts = [], []
    for mark, name in shared.items():
        cells = _cells(frame, columns[name])
        if cells is None:
            continue
        series = pl.Series(mark, cells, dtype=pl.String)
        if _is_on(series, scales[mark], stated.get(name), decimal):
            comparable.append(mark)
            texts.append(series)
    table = read_table(pl.DataFrame(texts), claim, comparable, folder.name, decimal)
    return Earlier(table, frame.height, tuple(mark for mark in shared if mark not in comparable))


def _json(path: Path, folder: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path.name} of the earlier table in '{folder.name}' cannot be read.", hint="leave it out.")
    return content


def _verified(folder: Path, claim: dict[str, Any]) -> pl.DataFrame:
    """Return the published rows of a folder whose claim holds."""
    try:
        facts = claim["data"]
        data = folder / f"data.{facts['format']}"
        verdict = audit.verify(data, claim)
        failed = [check.name for check in verdict.checks if check.status == "failed"]
        holds = verdict.holds and not failed
    except (audit.AuditInputError, LookupError, TypeError, ValueError):
        holds, failed = False, ["the files cannot be read"]
    if not holds:
        raise InputError(
            f"the earlier table in '{folder.name}' is not what its claim says ({', '.join(failed)}).",
            hint="leave it out, or take its files as they were published.",
        )
    options = {name: facts[name] for name in ("delimiter", "encoding", "decimal") if name in facts}
    try:
        source = read(data, format=facts["format"], **options)
    except CelosiaError as error:
        raise InputError(f"the earlier table in '{folder.name}': {error.message}", hint=error.hint) from None
    return restored(source.frame) if facts["neutralised"] else source.frame


def _cells(frame: pl.DataFrame, entry: Mapping[str, Any]) -> list[str | None] | None:
    """Return the published texts of a column; ``None`` where what they tell is not true of every row."""
    is_label = entry.get("kind") == "tree"
    if entry.get("style") == "centroid" or (entry.get("masked") and not is_label):
        return None
    if entry.get("style") == "pair":
        low, high = entry["columns"]
        pairs = zip(frame[low].cast(pl.String), frame[high].cast(pl.String), strict=True)
        return [None if a is None else a if a == "*" else f"[{a}; {b}]" for a, b in pairs]
    texts: list[str | None] = frame[entry["name"]].cast(pl.String).to_list()
    return texts


def _stated_scales(folder: Path) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the ends of the scales that a table of this house says of its columns."""
    if not (folder / _READING).is_file():
        return {}
    content = _json(folder / _READING, folder)
    try:
        return {one["name"]: (exact(one["scale"][0]), exact(one["scale"][1])) for one in content["marks"]}
    except (LookupError, TypeError, ValueError):
        raise InputError(
            f"{_READING} of the earlier table in '{folder.name}' cannot be read.", hint="leave it out."
        ) from None


def _is_on(cells: pl.Series, scale: Scale, stated: tuple[Fraction, Fraction] | None, decimal: str) -> bool:
    """Tell whether published cells are on a scale: by what is said of them, or by the ends of their ranges."""
    if stated is not None:
        return stated == (scale.low, scale.high)
    table = PublishedTable("", cells.to_frame(), (cells.name,), {}, decimal)
    ends = [
        end
        for cell in table.cells[cells.name]
        if isinstance(cell, Range)
        for end in (cell.low, cell.high)
        if end is not None
    ]
    # A scale of half the length would do for these marks as well.
    return bool(ends) and scale.low <= min(ends) and (scale.low + scale.high) / 2 < max(ends) <= scale.high
