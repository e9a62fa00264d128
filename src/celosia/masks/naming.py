"""What a result must be called after masks, and what each of them leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from celosia.masks.base import Called, Mask


def called(masks: Sequence[Mask]) -> list[str]:
    """Return the words for a result of these masks, each once; none of them means anonymous.

    Examples
    --------
    >>> from celosia.masks import Drop
    >>> called([Drop(column="name")])
    ['reduced']
    """
    said = {mask.leaves.called for mask in masks}
    return [word for word in get_args(Called) if word in said]


def left_behind(mask: Mask) -> dict[str, Any]:
    """Return what a mask leaves behind: its name, the columns it works on, the word for the result, what remains.

    Examples
    --------
    >>> from celosia.masks import Drop
    >>> left_behind(Drop(column="name"))["called"]
    'reduced'
    """
    return {
        "mask": mask.name,
        "columns": list(mask.uses),
        "called": mask.leaves.called,
        "remains": mask.leaves.remains,
    }
