"""The order of masks: attribute suppression first, as far as no other mask still needs the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from celosia.masks.base import Mask
from celosia.masks.blank import Blank
from celosia.masks.drop import Drop


def in_order(masks: Sequence[Mask]) -> list[Mask]:
    """Return masks in the order in which they are applied.

    A column that is to be removed, or emptied whole, goes before everything else, or right after the last mask listed
    earlier that uses it (such as the one that derives another column from it). All other masks keep their order.

    Examples
    --------
    >>> from celosia.masks import Drop, Swap
    >>> [mask.name for mask in in_order([Swap(column="age", within="town"), Drop(columns=["name", "town"])])]
    ['drop', 'swap', 'drop']
    """
    following: dict[int, list[Mask]] = {place: [] for place in range(-1, len(masks))}
    for place, mask in enumerate(masks):
        if not isinstance(mask, Drop | Blank) or (isinstance(mask, Blank) and not mask.is_whole):
            following[place].append(mask)
            continue
        last_use = {column: _last_use(column, masks[:place]) for column in mask.uses}
        for earlier in sorted(set(last_use.values())):
            columns = tuple(column for column, used in last_use.items() if used == earlier)
            following[earlier].append(replace(mask, column=None, columns=columns))
    return [mask for place in sorted(following) for mask in following[place]]


def _last_use(column: str, masks: Sequence[Mask]) -> int:
    """Return the place of the last of these masks that uses a column; -1 where none does."""
    return max((place for place, mask in enumerate(masks) if column in mask.uses), default=-1)
