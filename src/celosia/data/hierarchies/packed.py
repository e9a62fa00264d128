"""Many numbers in one array that reads like a list of Python's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 1 << 16


class PackedNumbers(Sequence[Any]):
    """Numbers kept in an eighth of the memory of a list; items come out as ``int`` or ``float``, never as NumPy's.

    Parameters
    ----------
    array
        One-dimensional, of whole numbers or floats of at most 64 bits; it must not change any more.

    Examples
    --------
    >>> numbers = PackedNumbers(np.array([4, 6, 9]))
    >>> len(numbers), numbers[-1], list(numbers[:2]), np.asarray(numbers, dtype=np.float64).tolist()
    (3, 9, [4, 6], [4.0, 6.0, 9.0])
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, place: int) -> Any: ...

    @overload
    def __getitem__(self, place: slice) -> PackedNumbers: ...

    def __getitem__(self, place: int | slice) -> Any:
        return PackedNumbers(self.array[place]) if isinstance(place, slice) else self.array[place].item()

    def __iter__(self) -> Iterator[Any]:
        for start in range(0, len(self.array), _AT_ONCE):
            yield from self.array[start : start + _AT_ONCE].tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"PackedNumbers({len(self)} numbers)"
