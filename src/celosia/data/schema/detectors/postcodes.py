"""Postcodes, which get coarser from the right."""

from __future__ import annotations

from celosia.data.hierarchies import Prefix
from celosia.data.schema.columns import as_text
from celosia.data.schema.detectors.base import KindClue, Look, percent

_SPANISH = r"^(0[1-9]|[1-4][0-9]|5[0-2])[0-9]{3}$"
_FORM = r"^[0-9A-Za-z][0-9A-Za-z \-]{1,9}$"


def find_postcodes(look: Look, *, is_named_so: bool = False) -> KindClue | None:
    """Return the kind of a column of postcodes, or ``None``.

    Without the header's word only digits of one length (4 to 6) with a leading zero somewhere count, because otherwise
    they may be numbers.

    Parameters
    ----------
    look
        The column.
    is_named_so
        Whether its header says that these are postcodes.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> clue = find_postcodes(look_at(pl.Series("x", ["01001", "37003"])))
    >>> clue.kind.keep, clue.reason
    ((5, 3, 2, 1), '5 digits that begin with the number of a Spanish province, some with 0, as postcodes do')
    """
    if look.is_fractional or look.distinct.dtype.is_temporal() or look.distinct.is_empty():
        return None
    values = as_text(look.distinct)
    lengths = values.str.len_chars().unique().to_list()
    longest = max(lengths)
    one_length = len(lengths) == 1
    digits = bool(values.str.contains(r"^[0-9]+$").all())
    zeros = bool(values.str.contains(r"^0").any())
    if is_named_so and longest >= 2 and values.str.contains(_FORM).all():
        return KindClue(_coarser(longest), _named_reason(look, longest, one_length=one_length, digits=digits))
    if digits and zeros and one_length and values.str.contains(_SPANISH).all():
        reason = "5 digits that begin with the number of a Spanish province, some with 0, as postcodes do"
        return KindClue(_coarser(longest), reason)
    if digits and zeros and one_length and 4 <= longest <= 6:
        return KindClue(_coarser(longest), f"{longest} digits, some with a leading zero")
    return None


def _coarser(length: int) -> Prefix:
    return Prefix(keep=[length, *(n_kept for n_kept in (3, 2, 1) if n_kept < length)])


def _named_reason(look: Look, longest: int, *, one_length: bool, digits: bool) -> str:
    if one_length:
        return f"{longest} {'digits' if digits else 'characters'} each"
    shorter = look.share(look.texts.str.len_chars() < longest)
    lost = "; were leading zeros lost?" if digits else ""
    return f"{percent(shorter)} of cells are shorter than {longest} characters{lost}"
