"""What is said about columns of digests; never with a value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import polars as pl

from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.schema.columns import as_text
from celosia.measure.unhashing.demonstration import SECONDS, Reversal, attacked, kinds_named
from celosia.measure.unhashing.domains import Domain, texts, usual_domains
from celosia.measure.unhashing.shapes import CRC32, shape_of

_MOST_COLUMNS = 2
"""All columns together may take as long as so many."""
_MOST_ROWS_OF_OTHERS = 10_000

_WORDS: Mapping[str, str] = {
    "dni": Said(
        "'{column}' holds unkeyed {algorithm} digests of DNI numbers: {found} of {digests} were reversed within "
        "{seconds} s on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
    "nie": Said(
        "'{column}' holds unkeyed {algorithm} digests of NIE numbers: {found} of {digests} were reversed within "
        "{seconds} s on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
    "phone": Said(
        "'{column}' holds unkeyed {algorithm} digests of telephone numbers: {found} of {digests} were reversed within "
        "{seconds} s on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
    "date": Said(
        "'{column}' holds unkeyed {algorithm} digests of dates: {found} of {digests} were reversed within {seconds} s "
        "on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the same. Make "
        "pseudonyms of the original values with a key instead."
    ),
    "postcode": Said(
        "'{column}' holds unkeyed {algorithm} digests of postcodes: {found} of {digests} were reversed within "
        "{seconds} s on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
    "year": Said(
        "'{column}' holds unkeyed {algorithm} digests of years: {found} of {digests} were reversed within {seconds} s "
        "on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the same. Make "
        "pseudonyms of the original values with a key instead."
    ),
    "number": Said(
        "'{column}' holds unkeyed {algorithm} digests of whole numbers: {found} of {digests} were reversed within "
        "{seconds} s on this machine by trying {tried} candidates; all {size} take about {whole} s. Anybody can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
    "roster": Said(
        "'{column}' holds unkeyed {algorithm} digests of the roster's values: {found} of {digests} were reversed "
        "within {seconds} s on this machine by trying {tried} candidates. Whoever has such a list can do the same. "
        "Make pseudonyms of the original values with a key instead."
    ),
    "column": Said(
        "'{column}' holds unkeyed {algorithm} digests of the values of '{other}': {found} of {digests} were reversed "
        "within {seconds} s on this machine by trying {tried} candidates. Whoever can guess such values can do the "
        "same. Make pseudonyms of the original values with a key instead."
    ),
}
"""A sentence for each kind of domain."""

_UNKNOWN = Said(
    "'{column}' looks like {algorithm} digests. {tried} candidates tried within {seconds} s reversed none of "
    "{digests}. That proves nothing: digests without a key can be reversed by whoever guesses the values."
)
_GUESSABLE = Said(
    "'{column}' looks like {algorithm} digests, and its name says that the values can be guessed. {tried} candidates "
    "tried within {seconds} s reversed none of {digests}, but unless a secret key went into the digests, whoever tries "
    "longer finds them. Make pseudonyms of the original values with a key instead."
)

_NAMES = {
    "dni": "DNI numbers",
    "nie": "NIE numbers",
    "phone": "telephone numbers",
    "date": "dates",
    "postcode": "postcodes",
    "year": "years",
    "number": "whole numbers",
    "roster": "the roster's values",
    "column": "another column",
}


def unkeyed_hashes(
    frame: pl.DataFrame, *, roster: Sequence[str] | None = None, seconds: float = SECONDS
) -> list[Finding]:
    """Return a warning for each column whose digests could be reversed, and a note for others that look like digests.

    It is a warning too where the header names values that can be guessed, such as DNI numbers: a longer attack finds
    them.

    Parameters
    ----------
    roster
        Values that may have been hashed, such as the e-mails of a class.
    seconds
        How long the attack on one column may take; that on all columns together twice as long.

    Examples
    --------
    >>> import hashlib
    >>> born = ["12/05/2001", "03/11/1999"]
    >>> frame = pl.DataFrame({"who": [hashlib.sha1(day.encode()).hexdigest() for day in born]})
    >>> [(finding.code, finding.severity) for finding in unkeyed_hashes(frame)]
    [('UNKEYED_HASH', 'warning')]
    """
    return [_finding(shown) for shown in reversals(frame, roster=roster, seconds=seconds)]


def reversals(frame: pl.DataFrame, *, roster: Sequence[str] | None = None, seconds: float = SECONDS) -> list[Reversal]:
    """Attack each column of a table that looks like digests, and return what each attack has shown.

    Checksums (CRC32) that could not be reversed are left out: any eight characters look like one.

    Examples
    --------
    >>> reversals(pl.DataFrame({"age": [31, 44], "town": ["Sevilla", "Cádiz"]}))
    []
    """
    shapes = {column.name: shape for column in frame.get_columns() if (shape := shape_of(column)) is not None}
    if not shapes:
        return []
    listed = texts(roster or (), "roster")
    others = [domain for column in frame.get_columns() if column.name not in shapes for domain in _values_of(column)]
    left = seconds * _MOST_COLUMNS
    found = []
    for n_before, (name, shape) in enumerate(shapes.items()):
        share = min(seconds, left / (len(shapes) - n_before))  # the last columns of a wide table get their part too
        shown = attacked(frame[name], shape, (*listed, *others, *usual_domains()), share)
        left = max(0.0, left - shown.seconds)
        if shown.n_found or shown.algorithm != CRC32:
            found.append(shown)
    return found


def in_short(shown: Reversal) -> str:
    """Say in a few words what an attack has shown.

    Examples
    --------
    >>> import hashlib
    >>> years = pl.DataFrame({"who": [hashlib.md5(str(year).encode()).hexdigest() for year in (1969, 1984)]})
    >>> in_short(reversals(years)[0])
    'unkeyed MD5 digests of years: 2 of 2 were reversed within 1 s'
    """
    if shown.domain is None:
        return f"looks like {shown.algorithm} digests, with a key or without"
    found = f"{shown.n_found} of {shown.n_digests} were reversed within {_whole_seconds(shown.seconds)} s"
    return f"unkeyed {shown.algorithm} digests of {_NAMES[shown.domain.kind]}: {found}"


def _values_of(column: pl.Series) -> list[Domain]:
    """Return the values of another column, of evenly spread rows if there are very many."""
    if column.dtype.is_nested() or column.dtype.is_float() or column.dtype in (pl.Boolean, pl.Binary, pl.Null):
        return []
    spread = column.gather_every(max(1, -(-len(column) // _MOST_ROWS_OF_OTHERS)))
    return texts(as_text(spread.unique(maintain_order=True).drop_nulls()).to_list(), "column", column.name)


def _finding(shown: Reversal) -> Finding:
    if shown.domain is None:
        tried: dict[str, int | str] = {
            "algorithm": shown.algorithm,
            "tried": shown.n_tried,
            "seconds": _whole_seconds(shown.seconds),
            "digests": shown.n_digests,
        }
        if kinds_named(shown.column):
            return Finding("LOOKS_HASHED", "warning", _GUESSABLE, shown.column, tried)
        return Finding("LOOKS_HASHED", "note", _UNKNOWN, shown.column, tried)
    values: dict[str, int | str] = {
        "algorithm": shown.algorithm,
        "found": shown.n_found,
        "digests": shown.n_digests,
        "seconds": _whole_seconds(shown.seconds),
        "tried": shown.n_tried,
        "size": shown.domain.size,
        "whole": _whole_seconds(shown.seconds_for_all),
        "other": shown.domain.column or "",
    }
    return Finding("UNKEYED_HASH", "warning", _WORDS[shown.domain.kind], shown.column, values)


def _whole_seconds(seconds: float) -> int:
    """Return whole seconds, rounded up: what is claimed is never less than it took."""
    return max(1, math.ceil(seconds))
